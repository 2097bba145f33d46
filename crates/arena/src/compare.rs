//! Which of two players is better: both share every deal, and the answer comes when it is clear.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use croupier_bots::Hosted;
use croupier_core::Seed;

use crate::stats::Interval;
use crate::{Dealer, Evidence, Plan, Played, Terms, Unplayed, rotations, work_at_tables};

/// The two sides, as numbers of entrants.
const A: usize = 0;
const B: usize = 1;

/// What is known after some blocks. In each block one deal is played with A in each seat in turn
/// and B in all others.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    seats: usize,
    /// A's points of every block, in halves.
    evidence: Evidence,
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
    /// How many blocks are played at most.
    pub blocks: u64,
    /// Whether all of them are played, also when it is decided before.
    pub to_the_end: bool,
    /// At how many tables is played at the same time.
    pub threads: usize,
}

impl Comparison {
    /// Nothing known yet, at a table of so many seats.
    pub fn new(seats: usize) -> Comparison {
        Comparison {
            seats,
            evidence: Evidence::new(2 * seats * (seats - 1)),
            by_seat: vec![[0; 2]; seats],
            faults: [0; 2],
            decisions: 0,
        }
    }

    /// Compares the first two entrants. `look` is shown how it stands from time to time. If the
    /// comparison was cut short, it holds the blocks until then, and the reason is given too.
    pub fn run<G: Hosted>(
        terms: &Terms<'_, G>,
        course: Course,
        look: impl Fn(&Comparison),
    ) -> (Comparison, Option<Unplayed>) {
        let Course { seats, seed, .. } = course;
        let mut table = vec![B; seats];
        table[0] = A;
        let mut comparison = Comparison::new(seats);
        // The test goes by the order of the deals, whichever is played first.
        let mut early = BTreeMap::new();
        let cut_short = work_at_tables(
            course.blocks,
            course.threads,
            |thread| Dealer::new(terms, thread),
            |dealer, block| {
                dealer.play(&Plan {
                    table: table.clone(),
                    deal: seed.deal(block),
                    orders: rotations(seats),
                    scores: vec![0; seats],
                })
            },
            |block, played| {
                early.insert(block, played);
                while let Some(played) = early.remove(&comparison.blocks()) {
                    comparison.take(&played);
                    if comparison.evidence.is_decided() && !course.to_the_end {
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
    fn take(&mut self, played: &Played) {
        let mut halves = 0;
        for (game, [sum, squares]) in played.games.iter().zip(&mut self.by_seat) {
            let points = (2.0 * game.points()[0]).round() as u64;
            halves += points as usize;
            *sum += points;
            *squares += points * points;
        }
        self.evidence.observe(halves);
        self.decisions += played.decisions;
        self.faults[A] += played.faults[0];
        self.faults[B] += played.faults[1..].iter().sum::<u64>();
    }

    /// How many blocks were played.
    pub fn blocks(&self) -> u64 {
        self.evidence.count()
    }

    /// How many games were played.
    pub fn games(&self) -> u64 {
        self.blocks() * self.seats as u64
    }

    /// The mean points of a game for a player of A, and for one of B.
    pub fn points(&self) -> [f64; 2] {
        let seats = self.seats as f64;
        let a = self.evidence.mean() * (seats - 1.0);
        [a, (seats * (seats - 1.0) / 2.0 - a) / (seats - 1.0)]
    }

    /// By how many points a game A is ahead of B.
    pub fn difference(&self) -> f64 {
        self.as_difference(self.evidence.mean())
    }

    /// Where the true difference is: at all times together with a probability of 95 %.
    pub fn interval(&self) -> Interval {
        self.evidence
            .interval()
            .map(|mean| self.as_difference(mean))
    }

    fn as_difference(&self, mean: f64) -> f64 {
        self.seats as f64 * (mean - 0.5)
    }

    /// Who is better, if that is decided: above nothing it is A.
    pub fn verdict(&self) -> Option<std::cmp::Ordering> {
        let ahead = || self.evidence.mean().total_cmp(&0.5);
        self.evidence.is_decided().then(ahead)
    }

    /// How many games without shared deals would tell as much, if that can be told: what luck
    /// would add to the spread of a block if each of its games were dealt anew.
    pub fn games_without_sharing(&self) -> Option<f64> {
        let blocks = self.blocks() as f64;
        let [seats, most] = [self.seats as f64, 2.0 * (self.seats as f64 - 1.0)];
        let spread = self.evidence.variance();
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
    use croupier_core::Outcome;

    use super::*;

    fn block(scores: &[[i64; 3]]) -> Played {
        Played {
            games: scores
                .iter()
                .map(|scores| Outcome::highest_wins(scores.to_vec()))
                .collect(),
            faults: vec![1, 0, 2],
            ..Played::default()
        }
    }

    #[test]
    fn points_are_those_of_one_player_of_each_side() {
        let mut comparison = Comparison::new(3);
        // A is first, second, and shares the last two places.
        comparison.take(&block(&[[9, 1, 2], [5, 9, 1], [1, 9, 1]]));
        assert_eq!(comparison.games(), 3);
        let [a, b] = comparison.points();
        assert!((a - 3.5 / 3.0).abs() < 1e-12);
        assert!((b - (9.0 - 3.5) / 6.0).abs() < 1e-12);
        assert!((comparison.difference() - (a - b)).abs() < 1e-12);
        assert_eq!(comparison.faults, [1, 2]);
        assert_eq!(comparison.verdict(), None);
        let [low, high] = comparison.interval();
        assert!(low < a - b && a - b < high);
        assert_eq!(comparison.games_without_sharing(), None);
    }

    /// If good cards make A win and bad ones lose, the three games of a deal say hardly more than
    /// one. If one seat has the luck, they cancel.
    #[test]
    fn it_is_told_what_sharing_deals_saves() {
        let mut luck_of_seats = Comparison::new(3);
        let mut luck_of_deals = Comparison::new(3);
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
