//! What a player of War sees.

use serde::Serialize;

/// What a player of War sees: the hands lie face down, so only their sizes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// How many cards each player has.
    pub cards: [usize; 2],
    /// How many turns have been played.
    pub turns: u64,
}
