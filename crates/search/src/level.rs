//! Weaker experts, for people who want an opponent of their own strength.
//!
//! A weaker player sees less far and makes mistakes that a person could make: the better a move looks,
//! the likelier it is played. Here the first is a smaller budget and the second a quantal response: a
//! move is chosen with a probability proportional to exp(estimate / temperature), where the estimate is
//! in points for places.

use croupier_core::{Seed, Thought, exp};
use std::num::NonZeroU64;

use crate::Thinking;

/// How strong an expert plays, from 1 to 10. The highest level makes no mistakes on purpose.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Level(u8);

/// The budget in iterations and the temperature in thousandths of a point, level by level.
const LEVELS: [(u64, u32); 10] = [
    (40, 1000),
    (60, 600),
    (90, 400),
    (140, 270),
    (220, 180),
    (350, 115),
    (550, 70),
    (900, 40),
    (1500, 18),
    (3000, 0),
];

impl Level {
    /// The highest level.
    pub const HIGHEST: Level = Level(LEVELS.len() as u8);

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Level> {
        (1..=Level::HIGHEST.0).map(Level)
    }

    /// The level with this number, if there is one.
    pub fn new(number: u8) -> Option<Level> {
        (1..=Level::HIGHEST.0)
            .contains(&number)
            .then_some(Level(number))
    }

    /// Its number.
    pub fn number(self) -> u8 {
        self.0
    }

    /// How an expert of this level thinks.
    pub fn thinking(self) -> Thinking {
        let (iterations, _) = LEVELS[usize::from(self.0) - 1];
        Thinking::iterations(NonZeroU64::new(iterations).unwrap_or(NonZeroU64::MIN))
    }

    /// The move that is chosen after these thoughts, of which the best is the first. It is the same
    /// for the same thoughts and seed.
    pub(crate) fn choose<M: Copy>(self, thoughts: &[Thought<M>], chance: Seed) -> Option<M> {
        let best = thoughts.first()?;
        let (_, temperature) = LEVELS[usize::from(self.0) - 1];
        if temperature == 0 {
            return Some(best.choice);
        }
        let weight = |thought: &Thought<M>| {
            exp((thought.estimate - best.estimate) * 1000.0 / f64::from(temperature))
        };
        let sum: f64 = thoughts.iter().map(weight).sum();
        // Another position gives other estimates, and so another draw.
        let position = thoughts.iter().fold(0_u64, |mixed, thought| {
            mixed.rotate_left(7) ^ thought.estimate.to_bits()
        });
        let drawn = chance.deal(position).rng().bits() >> 11;
        let mut rest = drawn as f64 / (1_u64 << 53) as f64 * sum;
        let chosen = thoughts.iter().find(|thought| {
            rest -= weight(thought);
            rest < 0.0
        });
        Some(chosen.unwrap_or(best).choice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thoughts(estimates: &[f64]) -> Vec<Thought<usize>> {
        let thought = |(choice, &estimate): (usize, &f64)| Thought {
            choice,
            estimate,
            error: 0.1,
            visits: 10,
            reason: String::new(),
        };
        estimates.iter().enumerate().map(thought).collect()
    }

    /// How often each of these moves is chosen in 10,000 turns.
    fn counts(level: Level, estimates: &[f64]) -> Vec<u32> {
        let mut counts = vec![0; estimates.len()];
        for seed in 0..10_000 {
            let chosen = level.choose(&thoughts(estimates), Seed(seed));
            counts[chosen.expect("there are moves")] += 1;
        }
        counts
    }

    #[test]
    fn better_moves_are_likelier_and_higher_levels_err_less() {
        let mut before = 10_000;
        for level in Level::all().collect::<Vec<_>>().into_iter().rev() {
            let found = counts(level, &[2.0, 1.9, 1.2]);
            assert!(found[0] <= before, "level {level:?}: {found:?}");
            assert!(found.is_sorted_by(|a, b| a >= b), "{found:?}");
            before = found[0];
        }
        assert_eq!(counts(Level::HIGHEST, &[2.0, 1.999]), [10_000, 0]);
        // e^-1 against 1, within five standard deviations: one failure in a million such tests.
        let [best, worse] = counts(Level(1), &[2.0, 1.0])[..] else {
            panic!("two moves");
        };
        assert!((7_070..=7_550).contains(&best), "{best} and {worse}");
    }

    #[test]
    fn the_same_position_and_seed_give_the_same_choice() {
        let level = Level(3);
        let choices = |seed| level.choose(&thoughts(&[1.0, 0.9, 0.8, 0.7]), Seed(seed));
        assert!((0..100).all(|seed| choices(seed) == choices(seed)));
        assert_eq!(level.choose::<usize>(&[], Seed(1)), None);
    }
}
