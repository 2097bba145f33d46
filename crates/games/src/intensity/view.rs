//! What a seat sees: exactly what the protocol for programs tells.

use croupier_core::Seat;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::table::{self, Table};
use super::{Card, Cards, SEATS};

/// What a seat sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Three cards have to be passed on. The hand is all that is known, not even the own position.
    Discarding {
        /// The ten cards that were dealt.
        hand: Cards,
    },
    /// The rounds are being played.
    Playing(Playing),
}

/// What a seat sees while the rounds are played.
///
/// Whatever is in it fits together: there is a game in which the seat sees just this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playing {
    position: Seat,
    hand: Cards,
    table: Table,
    discarded: Cards,
    received: Cards,
}

impl Playing {
    /// What the seat in this position sees in a game.
    pub(super) fn of(
        position: Seat,
        hand: Cards,
        table: Table,
        discarded: Cards,
        received: Cards,
    ) -> Playing {
        Playing {
            position,
            hand,
            table,
            discarded,
            received,
        }
    }

    /// The own position at the table.
    pub fn position(&self) -> Seat {
        self.position
    }

    /// The cards in hand.
    pub fn hand(&self) -> Cards {
        self.hand
    }

    /// The cards played in this round, in order.
    pub fn round(&self) -> &[Card] {
        self.table.round()
    }

    /// The cards of the rounds that are over, in order.
    pub fn earlier(&self) -> &[Card] {
        self.table.earlier()
    }

    /// The three cards that were passed on.
    pub fn discarded(&self) -> Cards {
        self.discarded
    }

    /// The three cards that were received.
    pub fn received(&self) -> Cards {
        self.received
    }

    /// The card that wins the round as it stands; none at a lead.
    pub fn best(&self) -> Option<Card> {
        let round = self.round();
        (!round.is_empty()).then(|| round[table::winner(round)])
    }

    /// The points that the round contains so far.
    pub fn stake(&self) -> u8 {
        table::points(self.round())
    }

    /// The points that each seat has won with the rounds so far.
    pub fn taken(&self) -> [u8; SEATS] {
        self.table.taken()
    }

    /// The cards that may be played, if it is this seat's turn.
    pub fn legal(&self) -> Cards {
        let calf_seen = self.earlier().iter().any(|card| card.is_calf());
        table::legal(self.hand, self.table.lead(), calf_seen)
    }
}

/// The view as bots are given it: `phase`, `hand`, and while the rounds are played `position`,
/// `round`, `earlier`, `discarded` and `received`.
impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            View::Discarding { hand } => {
                map.serialize_entry("phase", "discard")?;
                map.serialize_entry("hand", hand)?;
            }
            View::Playing(playing) => {
                map.serialize_entry("phase", "play")?;
                map.serialize_entry("position", &playing.position)?;
                map.serialize_entry("hand", &playing.hand)?;
                map.serialize_entry("round", playing.round())?;
                map.serialize_entry("earlier", playing.earlier())?;
                map.serialize_entry("discarded", &playing.discarded)?;
                map.serialize_entry("received", &playing.received)?;
            }
        }
        map.end()
    }
}
