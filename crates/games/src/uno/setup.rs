//! What the rules of Uno leave open, and what the players bring to the table.

use std::num::NonZeroU32;

use serde::{Deserialize, Serialize};

use super::SEATS;

/// Far more turns than a game has in which anybody wants to win; see [`Setup::max_turns`].
const MAX_TURNS: NonZeroU32 = NonZeroU32::new(100_000).expect("it is not zero");

/// What the rules leave open, and what the players bring from the games before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// Who begins, and in which direction.
    #[serde(default)]
    pub mode: Mode,
    /// The points of every seat over the tournament so far; they are shown to the players and
    /// change nothing else.
    #[serde(default)]
    pub scores: [i32; SEATS],
    /// After how many turns the game is stopped without a winner: players who foul rather than go
    /// out could keep a game going for ever.
    #[serde(default = "max_turns")]
    pub max_turns: NonZeroU32,
}

fn max_turns() -> NonZeroU32 {
    MAX_TURNS
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            mode: Mode::Tournament,
            scores: [0; SEATS],
            max_turns: MAX_TURNS,
        }
    }
}

/// Who begins, and in which direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Seat 0 begins and play goes to the right, so that chance is in the cards alone.
    #[default]
    Tournament,
    /// The first player and the direction are drawn.
    Casual,
}
