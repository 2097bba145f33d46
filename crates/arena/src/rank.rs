//! What a contest ranks by.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use croupier_core::Contested;
use serde::{Deserialize, Serialize};

use crate::Standing;

/// What a contest ranks by. Contests that do not say it are from a time when all ranked by points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RankBy {
    /// Points for finishing places, a game.
    #[default]
    Points,
    /// The game's own score, a game.
    Score,
}

impl RankBy {
    /// What contests of a game rank by if nothing else is said.
    pub fn usual<G: Contested>() -> RankBy {
        match G::RANKED_BY_SCORE {
            true => RankBy::Score,
            false => RankBy::Points,
        }
    }
}

impl fmt::Display for RankBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RankBy::Points => "points",
            RankBy::Score => "score",
        })
    }
}

impl FromStr for RankBy {
    type Err = String;
    fn from_str(text: &str) -> Result<RankBy, String> {
        let mut all = [RankBy::Points, RankBy::Score].into_iter();
        let found = all.find(|by| by.to_string() == text);
        found.ok_or_else(|| format!("'{text}' is nothing to rank by: points or score"))
    }
}

/// Who is better than whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ranking {
    /// What counts.
    pub by: RankBy,
    /// Whether less of it is better.
    pub lowest_wins: bool,
}

impl Ranking {
    /// The ranking of a contest of this game.
    pub fn new<G: Contested>(by: RankBy) -> Ranking {
        Ranking {
            by,
            lowest_wins: by == RankBy::Score && G::LOWEST_WINS,
        }
    }

    /// What counts, on average in a game.
    pub fn mean(self, standing: &Standing) -> f64 {
        match self.by {
            RankBy::Points => standing.mean_points(),
            RankBy::Score => standing.mean_score(),
        }
    }

    /// What counts, in all games together, as a whole number of which more is better.
    pub(crate) fn total(self, standing: &Standing) -> i64 {
        let total = match self.by {
            RankBy::Points => standing.halves,
            RankBy::Score => standing.score,
        };
        if self.lowest_wins { -total } else { total }
    }

    /// The better one first. Nobody loses by having played more games than another.
    pub(crate) fn order(self, one: &Standing, other: &Standing) -> Ordering {
        let [mine, theirs] = [(one, other), (other, one)]
            .map(|(own, rival)| i128::from(self.total(own)) * i128::from(rival.games.max(1)));
        theirs.cmp(&mine)
    }
}

#[cfg(test)]
mod tests {
    use croupier_games::intensity::Intensity;
    use croupier_games::uno::Uno;

    use super::*;

    #[test]
    fn uno_ranks_by_score_and_intensity_by_points() {
        assert_eq!(RankBy::usual::<Uno>(), RankBy::Score);
        assert_eq!(RankBy::usual::<Intensity>(), RankBy::Points);
    }

    #[test]
    fn what_is_written_is_read() {
        for by in [RankBy::Points, RankBy::Score] {
            assert_eq!(by.to_string().parse(), Ok(by));
        }
        assert!("Score".parse::<RankBy>().is_err());
    }

    #[test]
    fn fewer_penalty_points_are_better_and_higher_scores_too() {
        let [low, high] = [3, 9].map(|score| Standing {
            games: 4,
            score,
            halves: score,
            ..Standing::default()
        });
        let first = |ranking: Ranking| ranking.order(&low, &high);
        assert!(first(Ranking::new::<Intensity>(RankBy::Score)).is_lt());
        assert!(first(Ranking::new::<Intensity>(RankBy::Points)).is_gt());
        assert!(first(Ranking::new::<Uno>(RankBy::Score)).is_gt());
    }
}
