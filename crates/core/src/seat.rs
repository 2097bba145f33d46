//! A place at the table.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A place at the table, counted from 0 in the order of play.
///
/// Each game has its own way of writing a seat (player 0, player 1, player A); this type only
/// keeps a seat from being mistaken for any other number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seat(pub u16);

impl Seat {
    /// The seat as an index into lists that hold one entry a seat.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first `count` seats, in order.
    pub fn all(count: usize) -> impl Iterator<Item = Seat> {
        (0..count).map(Seat::from)
    }

    /// The seat that follows this one at a table of `count` seats.
    #[inline]
    pub const fn next(self, count: usize) -> Seat {
        let next = self.0 + 1;
        Seat(if next as usize == count { 0 } else { next })
    }
}

/// # Panics
/// If there is no such seat at any table: no game seats more than 65,536 players.
impl From<usize> for Seat {
    #[inline]
    fn from(index: usize) -> Seat {
        Seat(u16::try_from(index).expect("no table has more than 65,536 seats"))
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
