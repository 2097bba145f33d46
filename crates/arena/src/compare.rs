//! Which of two players is better: both share every deal, and the answer comes when it is clear.
//!
//! What is tested is always a mean of points for places, which is bounded, so that the test is exact
//! for any players. By points, the places are those of every game. By score, the players of a block
//! are placed by their total scores in its games: scores can be any number, and for a mean of
//! unbounded numbers there is no test that holds without assumptions (Bahadur and Savage). Between
//! equals each of these means is exactly one half of what is possible.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use croupier_bots::Hosted;
use croupier_core::{Outcome, Seed};
use serde_json::{Value, json};

use crate::stats::Interval;
use crate::{
    BlockPlan, BlockResult, Dealer, DealerTerms, Evidence, RankBy, Unplayed, rotations,
    work_at_tables,
};

/// The two sides, as numbers of entrants.
const A: usize = 0;
const B: usize = 1;

/// What is known after some blocks. In each block one deal is played with A in each seat in turn
/// and B in all others.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    seats: usize,
    /// What decides.
    rank_by: RankBy,
    /// Whether the lowest score is the best.
    lowest_wins: bool,
    /// A's points for its places in the games of a block, in halves.
    by_points: Evidence,
    /// A's points for its place by the total score of a block, in halves.
    by_score: Evidence,
    /// The sum of A's scores, and of those of all players of B.
    scores: [i64; 2],
    /// The sum of the squares of A's lead in score in a block: see [`lead`](Comparison::lead).
    squared_leads: i128,
    /// In each seat the sum of A's points in a game, in halves, and of their squares.
    by_seat: Vec<[u64; 2]>,
    /// The faults of A and B.
    pub faults: [u64; 2],
    /// How many decisions were made.
    pub decisions: u64,
}

/// How long a comparison goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Course {
    /// How many seats the table has.
    pub seats: usize,
    /// The master seed.
    pub seed: Seed,
    /// What decides: points for places, or the game's own score.
    pub rank_by: RankBy,
    /// How many blocks are played at most.
    pub blocks: u64,
    /// Whether all of them are played, also when it is decided before.
    pub to_the_end: bool,
    /// At how many tables is played at the same time.
    pub threads: usize,
}

impl Comparison {
    /// Nothing known yet, at a table of so many seats.
    fn new(seats: usize, rank_by: RankBy, lowest_wins: bool) -> Comparison {
        Comparison {
            seats,
            rank_by,
            lowest_wins,
            by_points: Evidence::new(2 * seats * (seats - 1)),
            by_score: Evidence::new(2 * (seats - 1)),
            scores: [0; 2],
            squared_leads: 0,
            by_seat: vec![[0; 2]; seats],
            faults: [0; 2],
            decisions: 0,
        }
    }

    /// Compares the first two entrants. `look` is shown how it stands from time to time. If the
    /// comparison was cut short, it holds the blocks until then, and the reason is given too.
    pub fn run<G: Hosted>(
        terms: &DealerTerms<'_, G>,
        course: Course,
        look: impl Fn(&Comparison),
    ) -> (Comparison, Option<Unplayed>) {
        let Course { seats, seed, .. } = course;
        let mut table = vec![B; seats];
        table[0] = A;
        let mut comparison = Comparison::new(seats, course.rank_by, G::LOWEST_WINS);
        // The test goes by the order of the deals, whichever is played first.
        let mut early = BTreeMap::new();
        let cut_short = work_at_tables(
            course.blocks,
            course.threads,
            Dealer::new,
            |dealer, block| {
                let plan = BlockPlan {
                    table: table.clone(),
                    deal: seed.deal(block),
                    orders: rotations(seats),
                    scores: vec![0; seats],
                    suspended: vec![false; seats],
                };
                dealer.play(terms, &plan)
            },
            |block, played| {
                early.insert(block, played);
                while let Some(played) = early.remove(&comparison.blocks()) {
                    comparison.take(&played);
                    if comparison.tested().is_decided() && !course.to_the_end {
                        return ControlFlow::Break(());
                    }
                }
                look(&comparison);
                ControlFlow::Continue(())
            },
        );
        (comparison, cut_short.err())
    }

    /// Takes a block in which the player at number 0 of the table was A. In game `g` it sat in
    /// seat `g`.
    fn take(&mut self, played: &BlockResult) {
        let mut halves = 0;
        for (game, [sum, squares]) in played.games.iter().zip(&mut self.by_seat) {
            let points = (2.0 * game.points()[0]).round() as u64;
            halves += points as usize;
            *sum += points;
            *squares += points * points;
        }
        self.by_points.observe(halves);
        let totals: Vec<i64> = (0..self.seats)
            .map(|player| played.games.iter().map(|game| game.scores[player]).sum())
            .collect();
        let sides = [totals[0], totals[1..].iter().sum()];
        self.scores[A] += sides[A];
        self.scores[B] += sides[B];
        self.squared_leads += self.lead(sides).pow(2);
        let block = match self.lowest_wins {
            true => Outcome::lowest_wins(totals),
            false => Outcome::highest_wins(totals),
        };
        self.by_score
            .observe((2.0 * block.points()[0]).round() as usize);
        self.decisions += played.decisions.iter().sum::<u64>();
        self.faults[A] += played.faults[0];
        self.faults[B] += played.faults[1..].iter().sum::<u64>();
    }

    /// The evidence about points for places: in games, or by the total score of a block.
    fn evidence(&self, by: RankBy) -> &Evidence {
        match by {
            RankBy::Points => &self.by_points,
            RankBy::Score => &self.by_score,
        }
    }

    /// The evidence that decides.
    fn tested(&self) -> &Evidence {
        self.evidence(self.rank_by)
    }

    /// What decides.
    pub fn rank_by(&self) -> RankBy {
        self.rank_by
    }

    /// How many blocks were played.
    pub fn blocks(&self) -> u64 {
        self.by_points.count()
    }

    /// How many games were played.
    pub fn games(&self) -> u64 {
        self.blocks() * self.seats as u64
    }

    /// The mean points for places of a player of A, and of one of B: in a game, or by the total
    /// score of a block.
    pub fn points(&self, by: RankBy) -> [f64; 2] {
        let seats = self.seats as f64;
        let a = self.evidence(by).mean() * (seats - 1.0);
        [a, (seats * (seats - 1.0) / 2.0 - a) / (seats - 1.0)]
    }

    /// By how many of these points A is ahead of B.
    pub fn difference(&self, by: RankBy) -> f64 {
        self.as_difference(self.evidence(by).mean())
    }

    /// Where the true difference is: at all times together with a probability of 95 %.
    pub fn interval(&self, by: RankBy) -> Interval {
        let means = self.evidence(by).interval();
        means.map(|mean| self.as_difference(mean))
    }

    fn as_difference(&self, mean: f64) -> f64 {
        self.seats as f64 * (mean - 0.5)
    }

    /// The mean score of a game for a player of A, and for one of B.
    pub fn scores(&self) -> [f64; 2] {
        let games = self.games().max(1) as f64;
        let [a, b] = self.scores.map(|score| score as f64);
        [a / games, b / (games * (self.seats as f64 - 1.0))]
    }

    /// The standard error of the difference between these, if it can be told.
    pub fn score_error(&self) -> Option<f64> {
        let blocks = self.blocks() as f64;
        let scale = (self.seats * (self.seats - 1)) as f64;
        let mean = self.lead(self.scores) as f64 / blocks;
        let variance = (self.squared_leads as f64 / blocks - mean * mean).max(0.0);
        (blocks > 1.0).then(|| (variance / (blocks - 1.0)).sqrt() / scale)
    }

    /// By how much A is ahead of the average player of B in so many games as there are seats, times
    /// the number of those players: a whole number.
    fn lead(&self, [a, b]: [i64; 2]) -> i128 {
        (self.seats as i128 - 1) * i128::from(a) - i128::from(b)
    }

    /// Who is better, if that is decided: above nothing it is A.
    pub fn verdict(&self) -> Option<Ordering> {
        let ahead = || self.tested().mean().total_cmp(&0.5);
        self.tested().is_decided().then(ahead)
    }

    /// Everything that is known, as JSON.
    pub fn json(&self) -> Value {
        // Before the first block is over there are no means.
        let mean = |mean: f64| (self.blocks() > 0).then_some(mean);
        let sides = |values: [f64; 2]| {
            let [a, b] = values.map(mean);
            json!({"a": a, "b": b})
        };
        let difference = |by: RankBy| {
            json!({
                "estimate": mean(self.difference(by)),
                "ci95": self.interval(by),
            })
        };
        let [a, b] = self.scores();
        json!({
            "games": self.games(),
            "blocks": self.blocks(),
            "points": sides(self.points(RankBy::Points)),
            "difference": difference(RankBy::Points),
            "score": sides([a, b]),
            "score_difference": {
                "estimate": mean(a - b),
                "standard_error": self.score_error(),
            },
            "by_score": {
                "points": sides(self.points(RankBy::Score)),
                "difference": difference(RankBy::Score),
            },
            "rank_by": self.rank_by(),
            "verdict": match self.verdict() {
                Some(Ordering::Greater) => "a",
                Some(Ordering::Less) => "b",
                _ => "undecided",
            },
            "games_without_shared_deals": self.games_without_sharing(),
            "faults": {"a": self.faults[A], "b": self.faults[B]},
            "decisions": self.decisions,
        })
    }

    /// How many games without shared deals would tell as much about points, if that can be told:
    /// the ratio of the variances of a block's mean, with a deal for every game and with one deal.
    pub fn games_without_sharing(&self) -> Option<f64> {
        let blocks = self.blocks() as f64;
        let [seats, most] = [self.seats as f64, 2.0 * (self.seats as f64 - 1.0)];
        let spread = self.by_points.variance();
        let of_seat = |[sum, squares]: &[u64; 2]| {
            let mean = *sum as f64 / blocks;
            (*squares as f64 / blocks - mean * mean) * blocks / (blocks - 1.0)
        };
        let apart: f64 = self.by_seat.iter().map(of_seat).sum();
        let apart = apart / (seats * most).powi(2);
        (blocks > 1.0 && spread > 0.0).then(|| self.games() as f64 * apart / spread)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(scores: &[[i64; 3]]) -> BlockResult {
        BlockResult {
            games: scores
                .iter()
                .map(|scores| Outcome::highest_wins(scores.to_vec()))
                .collect(),
            faults: vec![1, 0, 2],
            ..BlockResult::default()
        }
    }

    #[test]
    fn points_are_those_of_one_player_of_each_side() {
        let mut comparison = Comparison::new(3, RankBy::Points, false);
        // A is first, second, and shares the last two places.
        comparison.take(&block(&[[9, 1, 2], [5, 9, 1], [1, 9, 1]]));
        assert_eq!(comparison.games(), 3);
        let [a, b] = comparison.points(RankBy::Points);
        assert!((a - 3.5 / 3.0).abs() < 1e-12);
        assert!((b - (9.0 - 3.5) / 6.0).abs() < 1e-12);
        assert!((comparison.difference(RankBy::Points) - (a - b)).abs() < 1e-12);
        assert_eq!(comparison.faults, [1, 2]);
        assert_eq!(comparison.verdict(), None);
        let [low, high] = comparison.interval(RankBy::Points);
        assert!(low < a - b && a - b < high);
        assert_eq!(comparison.games_without_sharing(), None);
    }

    /// In the first block A has 15 of 38 and the others 19 and 4: the second place. In the second all
    /// have 3.
    #[test]
    fn by_score_the_players_of_a_block_are_placed_by_their_totals() {
        for lowest_wins in [false, true] {
            let mut comparison = Comparison::new(3, RankBy::Score, lowest_wins);
            comparison.take(&block(&[[9, 1, 2], [5, 9, 1], [1, 9, 1]]));
            assert_eq!(comparison.points(RankBy::Score)[0], 1.0);
            comparison.take(&block(&[[1, 1, 1]; 3]));
            assert_eq!(comparison.points(RankBy::Score), [1.0; 2]);
            let [a, b] = comparison.scores();
            assert!((a - 18.0 / 6.0).abs() < 1e-12);
            assert!((b - 29.0 / 12.0).abs() < 1e-12);
            // Of a lead of 3.5 / 3 in a game of the first block and none in the second.
            let error = comparison.score_error().expect("two blocks are enough");
            assert!((error - 3.5 / 3.0 / 2.0).abs() < 1e-12, "{error}");
        }
        let mut penalties = Comparison::new(3, RankBy::Score, true);
        penalties.take(&block(&[[0, 7, 8]; 3]));
        assert_eq!(penalties.points(RankBy::Score), [2.0, 0.5]);
    }

    /// If good cards make A win and bad ones lose, the three games of a deal say hardly more than
    /// one. If one seat has the luck, they cancel.
    #[test]
    fn it_is_told_what_sharing_deals_saves() {
        let mut luck_of_seats = Comparison::new(3, RankBy::Points, false);
        let mut luck_of_deals = Comparison::new(3, RankBy::Points, false);
        let (won, lost) = ([9, 1, 1], [1, 2, 2]);
        for number in 0..30 {
            let mut games = [lost; 3];
            games[number % 3] = won;
            luck_of_seats.take(&block(&games));
            luck_of_deals.take(&block(&[if number % 3 == 0 { won } else { lost }; 3]));
        }
        assert_eq!(
            luck_of_seats.games_without_sharing(),
            None,
            "all luck cancels"
        );
        let games = luck_of_deals
            .games_without_sharing()
            .expect("there is luck");
        assert!((games - 30.0).abs() < 1e-6, "{games}");
    }
}
