//! How Intensity is drawn.

use croupier_core::{Drawn, Game, Seat};
use serde::Serialize;

use super::{Card, Intensity, SEATS};

/// What everybody sees of a game of Intensity.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Open {
    /// How many seats have chosen what to pass on; all of them once the rounds are played.
    pub chosen: usize,
    /// How many cards each seat has in hand.
    pub hands: [usize; SEATS],
    /// The rounds so far, the present one last.
    pub rounds: Vec<Round>,
    /// The points that each seat has won with the rounds so far.
    pub taken: [u8; SEATS],
    /// How often each seat has fouled.
    pub fouls: [u8; SEATS],
}

/// A round of Intensity.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Round {
    /// Who led.
    pub leader: Seat,
    /// The cards, in the order in which they were played.
    pub cards: Vec<Card>,
}

impl Drawn for Intensity {
    type Open = Open;

    fn open(&self) -> Open {
        let mut rounds: Vec<Round> = Vec::new();
        self.table()
            .retell(|seat, card, _| match rounds.last_mut() {
                Some(round) if round.cards.len() < SEATS => round.cards.push(card),
                _ => rounds.push(Round {
                    leader: Seat::from(seat),
                    cards: vec![card],
                }),
            });
        let chosen = match self.is_discarding() {
            true => self.to_move().map_or(SEATS, Seat::index),
            false => SEATS,
        };
        Open {
            chosen,
            hands: self.hands().map(super::Cards::len),
            rounds,
            taken: self.taken(),
            fouls: *self.fouls(),
        }
    }
}
