//! What a player of Austerity sees: everything but the rest of the deck.
//!
//! A program keeps its view by what the hub tells it. Messages are checked for what the table has
//! no place for, not for whether they make sense.

use croupier_core::Seat;
use serde::Serialize;

use super::cards::CARDS_A_PLAYER;
use super::rules::TARGET;
use super::wire::Message;
use super::{Card, MARKET, Table};

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

/// A message that the table has no place for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misfit {
    /// It tells of somebody who does not play.
    #[error("there is no such player")]
    Player,
    /// It tells of a card that does not lie there.
    #[error("there is no card in this place")]
    Place,
    /// It adds a card to a full market.
    #[error("there is no place for another card")]
    Card,
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

    /// Hears what the hub tells; the view is as it was if it does not fit the table.
    pub fn hear(&mut self, message: &Message) -> Result<(), Misfit> {
        let table = &mut self.table;
        let playing = |seat: Seat| match seat.index() < table.players.len() {
            true => Ok(seat),
            false => Err(Misfit::Player),
        };
        match *message {
            Message::Tokens(tokens) => table.piles = [tokens; 4],
            Message::NewCard(card) if table.market.len() < MARKET => {
                table.market.push(card);
                self.seen.push(card);
            }
            Message::NewCard(_) => return Err(Misfit::Card),
            Message::Purchased { seat, place, paid } => {
                let seat = playing(seat)?;
                if place >= table.market.len() {
                    return Err(Misfit::Place);
                }
                table.buy(seat, place, paid);
            }
            Message::Took { seat, tokens } => {
                let seat = playing(seat)?;
                table.take(seat, tokens);
            }
            Message::Wild(seat) => {
                let seat = playing(seat)?;
                table.take_wild(seat);
            }
            Message::DoWhat | Message::Eog => {}
        }
        self.turns += u64::from(matches!(
            message,
            Message::Purchased { .. } | Message::Took { .. } | Message::Wild(_)
        ));
        Ok(())
    }
}
