//! What a contest depends on, but for who takes part.

use std::ops::RangeInclusive;
use std::str::FromStr;

use croupier_bots::{Hosted, Limits, Tier};
use croupier_core::Seed;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{RankBy, SeatOrders, Shard, all_orders, rotations};

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
    /// Who is put at which rating, if somebody is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub anchor: Option<Anchor>,
    /// The master seed.
    pub seed: Seed,
    /// How foreign programs are held.
    pub sandbox: Tier,
    /// What they may use.
    pub limits: Limits,
    /// Whether the records of games are kept; if nobody has said it, they are if programs play.
    pub records: Option<bool>,
    /// After so many faults whoever only fails is suspended; nobody is if there is no such number.
    pub suspend_after: Option<u64>,
    /// Which share of the blocks is played, if not all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
}

impl Settings {
    /// How many games a block has.
    pub fn games_of_a_block(&self) -> u64 {
        self.seatings.games(self.seats)
    }
}

/// Who stands at a rating that was chosen, so that all others are measured by it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Anchor {
    /// The name of a player or of one of the staff.
    pub name: String,
    /// Its rating.
    pub rating: f64,
}

/// The ratings that may be chosen for an anchor.
const RATINGS: RangeInclusive<f64> = -10_000.0..=10_000.0;

impl FromStr for Anchor {
    type Err = String;
    /// Reads what the command line says: `careful=1500`.
    fn from_str(text: &str) -> Result<Anchor, String> {
        let read = |(name, rating): (&str, &str)| {
            let rating: f64 = rating.parse().ok()?;
            (!name.is_empty() && RATINGS.contains(&rating)).then(|| Anchor {
                name: name.to_owned(),
                rating,
            })
        };
        text.rsplit_once('=').and_then(read).ok_or_else(|| {
            let (least, most) = (RATINGS.start(), RATINGS.end());
            format!("'{text}' is no anchor: a name and a rating from {least} to {most}, as in careful=1500")
        })
    }
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
    pub(crate) fn orders(self, seats: usize, deal: Seed) -> SeatOrders {
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

    #[test]
    fn an_anchor_is_a_name_and_a_rating() {
        let anchor: Anchor = "a=b=-12.5".parse().expect("a name may hold anything");
        assert_eq!((anchor.name.as_str(), anchor.rating), ("a=b", -12.5));
        for wrong in [
            "careful",
            "=1500",
            "careful=",
            "careful=nan",
            "careful=inf",
            "careful=1e9",
        ] {
            assert!(wrong.parse::<Anchor>().is_err(), "{wrong}");
        }
    }

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
        assert_eq!(settings.anchor, None);
    }
}
