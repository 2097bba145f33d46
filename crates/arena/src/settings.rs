//! What a contest depends on, but for who takes part.

use croupier_bots::{Hosted, Limits, Tier};
use croupier_core::Seed;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Orders, RankBy, all_orders, rotations};

/// The largest table at which all orders of seating are played, if nothing else is said.
const FEW: usize = 3;

/// Everything that a contest depends on, but for who takes part.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// The name of the game.
    pub game: String,
    /// The version of its rules.
    pub version: u32,
    /// Its setup.
    pub setup: Value,
    /// How many seats a table has.
    pub seats: usize,
    /// Who meets whom.
    pub format: Format,
    /// How many rounds there are.
    pub rounds: u64,
    /// How the players of a block are seated.
    pub seatings: Seatings,
    /// What it ranks by.
    #[serde(default)]
    pub rank_by: RankBy,
    /// The master seed.
    pub seed: Seed,
    /// How foreign programs are held.
    pub sandbox: Tier,
    /// What they may use.
    pub limits: Limits,
    /// Whether the records of games are kept; if nobody has said it, they are if programs play.
    pub records: Option<bool>,
}

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// All tables that the players can form, each a block in every round.
    RoundRobin,
    /// In every round everybody plays one block, with players of similar points.
    Swiss,
    /// Everybody plays one block in every round against the same staff over the same deals.
    Gauntlet,
}

/// How the players of a block are seated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Seatings {
    /// Everybody in each seat once.
    Rotations,
    /// In all orders.
    All,
}

impl Seatings {
    /// What a game has if nothing else is said: all orders where the game's tradition wants them
    /// or there are few.
    pub fn usual<G: Hosted>(seats: usize) -> Seatings {
        match G::IN_ALL_ORDERS || seats <= FEW {
            true => Seatings::All,
            false => Seatings::Rotations,
        }
    }

    /// How so many players are seated in the block over a deal. Who moves round the table behind
    /// whom is drawn for every deal: in many games it matters who one's neighbours are.
    pub(crate) fn orders(self, seats: usize, deal: Seed) -> Orders {
        let mut orders = match self {
            Seatings::Rotations => rotations(seats),
            Seatings::All => all_orders(seats),
        };
        let mut drawn: Vec<usize> = (0..seats).collect();
        deal.deal(u64::MAX).rng().shuffle(&mut drawn);
        let players = orders.iter_mut().flatten();
        players.for_each(|player| *player = drawn[*player]);
        orders
    }

    /// How many games a block has.
    pub(crate) fn games(self, seats: usize) -> u64 {
        match self {
            Seatings::Rotations => seats as u64,
            Seatings::All => (1..=seats as u64).product(),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The settings of a contest as they were kept before there was anything else to rank by.
    #[test]
    fn a_contest_of_before_is_ranked_by_points() {
        let kept = json!({
            "game": "uno", "version": 1, "setup": {}, "seats": 4, "format": "round-robin",
            "rounds": 10, "seatings": "all", "seed": 7, "sandbox": "strict",
            "limits": Limits::default(), "records": null,
        });
        let settings: Settings = serde_json::from_value(kept).expect("it can be read");
        assert_eq!(settings.rank_by, RankBy::Points);
    }
}
