//! How Austerity is drawn.

use croupier_core::{Drawn, Game, Seat};
use serde::Serialize;

use super::{Austerity, Table, Terms};

/// What everybody sees of a game of Austerity: all but the rest of the deck.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Open {
    /// What lies on the table.
    #[serde(flatten)]
    pub table: Table,
    /// What was agreed before the game.
    #[serde(flatten)]
    pub terms: Terms,
    /// How many turns have been played.
    pub turns: u64,
    /// How many cards are left in the deck.
    pub deck: usize,
}

impl Drawn for Austerity {
    type Open = Open;

    fn open(&self) -> Open {
        let seen = self.view(Seat(0));
        Open {
            table: seen.table,
            terms: seen.terms,
            turns: seen.turns,
            deck: self.hidden().len(),
        }
    }
}
