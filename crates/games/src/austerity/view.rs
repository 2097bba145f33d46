//! What a player of Austerity sees: everything but the rest of the deck.

use croupier_core::Seat;
use serde::Serialize;

use super::cards::CARDS_A_PLAYER;
use super::rules::TARGET;
use super::{Card, Table};

/// What a player of Austerity sees.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    /// The player's own seat.
    pub seat: Seat,
    /// What lies open.
    #[serde(flatten)]
    pub table: Table,
    /// What was agreed before the game.
    #[serde(flatten)]
    pub terms: Terms,
    /// How many turns have been played.
    pub turns: u64,
    /// All cards that have been turned up, in order: those of the market and those that were
    /// bought.
    pub seen: Vec<Card>,
}

/// What everyone knows of a game before it begins.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Terms {
    /// The game ends with the round in which somebody reaches these points.
    pub target: i64,
    /// The game ends after this many turns, if they are limited.
    pub max_turns: Option<u64>,
    /// How many cards the deck had at first.
    pub cards: usize,
    /// Whether it is a made-up deck, of which everyone knows what cards it is made of. Of other
    /// decks nobody knows more than the cards that have been turned up.
    pub made_up: bool,
}

impl View {
    /// The view of `seat` before anything has been told. No message tells the terms, so they are
    /// taken to be the usual ones with some deck.
    pub fn new(players: usize, seat: Seat) -> View {
        View {
            seat,
            table: Table::new(players),
            terms: Terms {
                target: TARGET,
                max_turns: None,
                cards: CARDS_A_PLAYER * players,
                made_up: false,
            },
            turns: 0,
            seen: Vec::new(),
        }
    }
}
