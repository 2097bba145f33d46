//! How long War takes: what is counted over many games.

use std::ops::Range;

use croupier_core::{Game, Seat, Seed};

use super::lanes::{self, Played};
use super::rules::Showdown;
use super::{Ending, Setup, War};

/// What is counted over many games.
///
/// Everything is a whole number and only ever added up, so surveys of parts of a contest make the
/// survey of the whole in whatever order they are merged, to the last digit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Survey {
    /// All games.
    pub games: u64,
    /// Games won by player 0 and by player 1.
    pub wins: [u64; 2],
    /// Games in which both fell short at once.
    pub draws: u64,
    /// Games proved to be endless.
    pub endless: u64,
    /// Games stopped by the limit on turns.
    pub stopped: u64,
    /// The turns of all finished games, that is of those that were won or drawn.
    pub turns: Lengths,
    /// The wars of all finished games.
    pub wars: u64,
    /// The squares of the wars of each of them, added up: they tell how much games differ.
    pub squared_wars: u64,
}

impl Survey {
    /// Plays these deals of the contest with this master seed, as fast as possible.
    pub fn play(setup: &Setup, master: Seed, deals: Range<u64>) -> Survey {
        let mut survey = Survey::default();
        let most = setup.max_turns.unwrap_or(u64::MAX);
        lanes::play(setup, master, deals, |number, played| {
            // The lanes know no limit. Whether a game that goes beyond it is stopped first or
            // proved endless first is for the plain rules to say.
            let beyond =
                played.turns > most || (played.ending == Ending::Endless && most < u64::MAX);
            survey.add(if beyond {
                play_plainly(setup, master.deal(number))
            } else {
                played
            });
        });
        survey
    }

    /// The same by the plain rules alone: much slower, and the yardstick for what is right.
    pub fn play_plainly(setup: &Setup, master: Seed, deals: Range<u64>) -> Survey {
        let mut survey = Survey::default();
        for number in deals {
            survey.add(play_plainly(setup, master.deal(number)));
        }
        survey
    }

    /// Games that came to an end: won or drawn.
    pub fn finished(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.draws
    }

    /// Adds another survey to this one.
    pub fn merge(&mut self, other: &Survey) {
        self.games += other.games;
        self.wins[0] += other.wins[0];
        self.wins[1] += other.wins[1];
        self.draws += other.draws;
        self.endless += other.endless;
        self.stopped += other.stopped;
        self.turns.merge(&other.turns);
        self.wars += other.wars;
        self.squared_wars += other.squared_wars;
    }

    fn add(&mut self, played: Played) {
        self.games += 1;
        match played.ending {
            Ending::Won(Seat(0)) => self.wins[0] += 1,
            Ending::Won(_) => self.wins[1] += 1,
            Ending::Draw => self.draws += 1,
            Ending::Endless => {
                self.endless += 1;
                return;
            }
            Ending::Stopped => {
                self.stopped += 1;
                return;
            }
        }
        self.turns.add(played.turns);
        self.wars += played.wars;
        self.squared_wars += played.wars * played.wars;
    }
}

/// Plays one deal by the plain rules.
fn play_plainly(setup: &Setup, seed: Seed) -> Played {
    let mut war = War::deal(setup, seed);
    loop {
        if let Some(ending) = war.ending() {
            return Played {
                turns: war.turns(),
                wars: war.wars(),
                ending,
            };
        }
        war.play(Showdown).expect("the game is not over");
    }
}

/// How many games took how many turns, exactly: memory grows with the longest game, not with
/// their number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Lengths(Vec<u64>);

impl Lengths {
    /// The number of games of each length, from 0 turns to the longest.
    pub fn counts(&self) -> &[u64] {
        &self.0
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean and the standard deviation of the length; none of no games.
    pub fn mean_and_sd(&self) -> Option<(f64, f64)> {
        let games = self.games();
        let sum: u128 = self.moments(|turns| turns);
        let squares: u128 = self.moments(|turns| turns * turns);
        let n = u128::from(games);
        let mean = (games > 0).then(|| sum as f64 / games as f64)?;
        // n² times the variance is a whole number: no rounding before the last step.
        let spread = (n * squares - sum * sum) as f64;
        Some((
            mean,
            (spread / (games as f64 * (games - 1).max(1) as f64)).sqrt(),
        ))
    }

    /// The smallest length that at least this share of the games does not exceed; none of no
    /// games.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let games = self.games();
        let enough = ((share * games as f64).ceil() as u64).clamp(1, games.max(1));
        let mut so_far = 0;
        let length = self.0.iter().position(|count| {
            so_far += count;
            so_far >= enough
        });
        length.map(|length| length as u64)
    }

    fn add(&mut self, turns: u64) {
        let turns = turns as usize;
        if turns >= self.0.len() {
            self.0.resize(turns + 1, 0);
        }
        self.0[turns] += 1;
    }

    fn merge(&mut self, other: &Lengths) {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine += theirs;
        }
    }

    fn moments(&self, power: impl Fn(u128) -> u128) -> u128 {
        let terms = self.0.iter().enumerate();
        terms
            .map(|(turns, &count)| u128::from(count) * power(turns as u128))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(of: &[u64]) -> Lengths {
        let mut lengths = Lengths::default();
        of.iter().for_each(|&turns| lengths.add(turns));
        lengths
    }

    #[test]
    fn mean_and_deviation_are_those_of_the_textbook() {
        let (mean, sd) = lengths(&[2, 4, 4, 4, 5, 5, 7, 9]).mean_and_sd().unwrap();
        assert_eq!(mean, 5.0);
        assert!((sd - (32.0f64 / 7.0).sqrt()).abs() < 1e-12);
        assert_eq!(lengths(&[3]).mean_and_sd(), Some((3.0, 0.0)));
        assert_eq!(lengths(&[]).mean_and_sd(), None);
    }

    #[test]
    fn quantiles_are_lengths_that_occurred() {
        let lengths = lengths(&[10, 20, 30, 40]);
        assert_eq!(lengths.quantile(0.0), Some(10));
        assert_eq!(lengths.quantile(0.5), Some(20));
        assert_eq!(lengths.quantile(0.51), Some(30));
        assert_eq!(lengths.quantile(1.0), Some(40));
        assert_eq!(Lengths::default().quantile(0.5), None);
    }
}
