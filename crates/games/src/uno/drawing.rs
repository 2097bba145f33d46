//! How Uno is drawn.

use croupier_core::{Drawn, Game, Seat};
use serde::Serialize;

use super::{Cards, Colour, Direction, SEATS, Uno};

/// What everybody sees of a game of Uno.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Open {
    /// Which way play goes.
    pub direction: Direction,
    /// The colour that was called with the last wild card; a coloured card does not change it.
    pub last_colour_called: Option<Colour>,
    /// All discards, from the bottom up.
    pub discards: Cards,
    /// How many cards are left to draw.
    pub deck: usize,
    /// How many cards every seat has.
    pub cards_left: [u8; SEATS],
    /// The points of every seat from the games before this one.
    pub scores: [i32; SEATS],
}

impl Drawn for Uno {
    type Open = Open;

    fn open(&self) -> Open {
        // What every seat sees but for its own hand.
        let seen = self.view(Seat(0));
        Open {
            direction: seen.direction,
            last_colour_called: seen.last_colour_called,
            discards: seen.discards,
            deck: self.deck.len(),
            cards_left: seen.cards_left,
            scores: seen.scores,
        }
    }
}
