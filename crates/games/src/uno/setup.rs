//! What the rules of Uno leave open, and what the players bring to the table.

use std::num::NonZeroU32;

use croupier_core::{BadSetup, OptionKind, Options, SetupOption};
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

/// The options of the command line.
pub(super) const OPTIONS: &[SetupOption] = &[
    SetupOption {
        name: "mode",
        kind: OptionKind::OneOf(&[
            (
                "tournament",
                "the first seat begins, and play goes to the right",
            ),
            ("casual", "the first player and the direction are drawn"),
        ]),
        default: Some("tournament"),
        help: "Who begins, and in which direction",
    },
    SetupOption {
        name: "scores",
        kind: OptionKind::Scores("N,N,N,N"),
        default: Some("0,0,0,0"),
        help: "The points that the players bring from the games before, as they are named",
    },
    SetupOption {
        name: "max-turns",
        kind: OptionKind::Number(1..=u32::MAX as u64),
        default: Some("100000"),
        help: "Stop a game after this many turns, without a winner",
    },
];

impl Setup {
    /// The setup that these options describe.
    pub(super) fn from_options(options: &Options) -> Result<Setup, BadSetup> {
        let mut setup = Setup::default();
        for (name, value) in options {
            match (name.as_str(), value.as_str()) {
                ("mode", "tournament") => setup.mode = Mode::Tournament,
                ("mode", "casual") => setup.mode = Mode::Casual,
                ("scores", list) => setup.scores = scores(list)?,
                ("max-turns", number) => {
                    let most = u32::MAX;
                    setup.max_turns = number.parse().map_err(|_| {
                        BadSetup(format!("max-turns is from 1 to {most}, not {number}"))
                    })?;
                }
                _ => return Err(BadSetup(format!("Uno has no option {name} {value}"))),
            }
        }
        Ok(setup)
    }
}

/// Four numbers with commas between them.
fn scores(list: &str) -> Result<[i32; SEATS], BadSetup> {
    let numbers: Option<Vec<i32>> = list.split(',').map(|n| n.trim().parse().ok()).collect();
    let four = numbers.and_then(|numbers| numbers.try_into().ok());
    four.ok_or_else(|| {
        BadSetup(format!(
            "scores are four numbers like 0,116,50,0, not {list}"
        ))
    })
}
