//! How a game ended.

use serde::{Deserialize, Serialize};

/// How a game ended: a score and a finishing place for every seat.
///
/// Scores are in the game's own terms (penalty points, cards, tokens); places say who did best
/// whatever the scores mean. Equal players share a place, and the places they fill together are
/// skipped: 1, 1, 3, 4.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Outcome {
    /// The game's own score of every seat.
    pub scores: Vec<i64>,
    /// The finishing place of every seat, from 1; ties share the best of their places.
    pub places: Vec<u16>,
    /// What was out of the ordinary in how the game ended, if anything was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl Outcome {
    /// An outcome with these scores and places.
    pub fn new(scores: Vec<i64>, places: Vec<u16>) -> Outcome {
        Outcome {
            scores,
            places,
            note: None,
        }
    }

    /// The seats ranked by their scores, highest first.
    pub fn highest_wins(scores: Vec<i64>) -> Outcome {
        let places = places(&scores, |a, b| a > b);
        Outcome::new(scores, places)
    }

    /// The seats ranked by their scores, lowest first.
    pub fn lowest_wins(scores: Vec<i64>) -> Outcome {
        let places = places(&scores, |a, b| a < b);
        Outcome::new(scores, places)
    }

    /// Points for the finishing places: n − 1 for the first of n down to 0 for the last. Players
    /// who tie share the points of the places they fill.
    pub fn points(&self) -> Vec<f64> {
        let seats = self.places.len() as f64;
        let points = |place: u16| {
            let tied = self.places.iter().filter(|&&p| p == place).count() as f64;
            seats - f64::from(place) - (tied - 1.0) / 2.0
        };
        self.places.iter().map(|&place| points(place)).collect()
    }
}

fn places(scores: &[i64], better: impl Fn(i64, i64) -> bool) -> Vec<u16> {
    let place = |score| 1 + scores.iter().filter(|&&other| better(other, score)).count();
    scores
        .iter()
        .map(|&score| u16::try_from(place(score)).expect("no more places than seats"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scores_share_a_place_and_its_points() {
        let outcome = Outcome::lowest_wins(vec![3, 0, 0, 14]);
        assert_eq!(outcome.places, [3, 1, 1, 4]);
        assert_eq!(outcome.points(), [1.0, 2.5, 2.5, 0.0]);
    }

    #[test]
    fn when_all_tie_all_get_the_middle() {
        assert_eq!(
            Outcome::highest_wins(vec![4, 4, 4]).points(),
            [1.0, 1.0, 1.0]
        );
    }

    #[test]
    fn points_always_sum_to_the_same() {
        for scores in [[1, 2, 3, 4], [1, 1, 2, 2], [5, 5, 5, 1], [0, 0, 0, 0]] {
            let sum: f64 = Outcome::highest_wins(scores.to_vec()).points().iter().sum();
            assert_eq!(sum, 6.0, "{scores:?}");
        }
    }
}
