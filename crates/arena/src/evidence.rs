//! Is one better than the other? Evidence that may be looked at after every observation.
//!
//! Somebody bets against the claim that the mean of some observations between 0 and 1 is `m`, with
//! a capital of one. A bet with the stake `η` turns every observation `x` into the factor
//! `1 − η + ηx/m`. If the claim is true, no bet gains on average, so the capital reaches 40 at any
//! time at all with a probability of at most 1/40 (Ville's inequality), however often one looks
//! and whenever one stops. Several stakes share the capital, because it is not known before how
//! large a difference there is to find. A second bet, on `1 − x` and `1 − m`, looks for a mean
//! below `m`; both together are wrong with a probability of at most 5 %.
//!
//! The interval holds all means against which neither bet has reached 40: it holds the true mean
//! at all times with a probability of at least 95 %. Whether 1/2 is in it decides the test.
//! No order of the same observations gives more evidence than another.

use crate::stats::Interval;

/// How improbable it is that the evidence ever misleads.
const ERROR: f64 = 0.05;

/// How many stakes share the capital.
const STAKES: usize = 12;

/// The stakes: from nearly all down to less than a thousandth, each half of the one before.
fn stakes() -> [f64; STAKES] {
    std::array::from_fn(|number| 0.9 * 0.5f64.powi(number as i32))
}

/// Observations of which each is a whole number from 0 to some most.
#[derive(Clone, PartialEq, Debug)]
pub struct Evidence {
    /// How often each number was observed.
    counts: Vec<u64>,
    /// The logarithms of the capitals of all stakes against a mean of one half, upwards and
    /// downwards.
    up: [f64; STAKES],
    down: [f64; STAKES],
}

impl Evidence {
    /// No evidence yet about observations from 0 to `most`.
    pub fn new(most: usize) -> Evidence {
        Evidence {
            counts: vec![0; most + 1],
            up: [0.0; STAKES],
            down: [0.0; STAKES],
        }
    }

    /// Takes an observation.
    ///
    /// # Panics
    /// If it is more than the most.
    pub fn observe(&mut self, observed: usize) {
        self.counts[observed] += 1;
        let x = observed as f64 / self.most();
        for (stake, (up, down)) in stakes()
            .into_iter()
            .zip(self.up.iter_mut().zip(&mut self.down))
        {
            *up += factor(stake, x, 0.5);
            *down += factor(stake, 1.0 - x, 0.5);
        }
    }

    /// How many observations there are.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Their mean, between 0 and 1.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.observed().map(|(x, count)| x * count).sum();
        sum / self.count().max(1) as f64
    }

    /// Their variance.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        let squares = self
            .observed()
            .map(|(x, count)| (x - mean).powi(2) * count)
            .sum::<f64>();
        squares / (self.count().max(2) - 1) as f64
    }

    /// Whether it is decided that the mean is not one half.
    pub fn is_decided(&self) -> bool {
        is_enough(&self.up) || is_enough(&self.down)
    }

    /// All means that the evidence does not speak against.
    pub fn interval(&self) -> Interval {
        let low = lowest(self.mean(), &|mean| self.speaks_against(mean, |x| x));
        let high = lowest(1.0 - self.mean(), &|mean| {
            self.speaks_against(mean, |x| 1.0 - x)
        });
        [low, 1.0 - high]
    }

    /// Whether a mean is too low for what was observed, seen from this side.
    fn speaks_against(&self, mean: f64, side: impl Fn(f64) -> f64) -> bool {
        let capital = |stake: f64| {
            let factors = self.observed();
            let factors = factors.map(|(x, count)| count * factor(stake, side(x), mean));
            factors.sum::<f64>()
        };
        is_enough(&stakes().map(capital))
    }

    fn most(&self) -> f64 {
        (self.counts.len() - 1).max(1) as f64
    }

    /// What was observed, and how often.
    fn observed(&self) -> impl Iterator<Item = (f64, f64)> {
        let counts = self.counts.iter().enumerate();
        counts
            .filter(|(_, count)| **count > 0)
            .map(|(number, &count)| (number as f64 / self.most(), count as f64))
    }
}

/// The logarithm of what an observation multiplies a stake's capital by.
fn factor(stake: f64, x: f64, mean: f64) -> f64 {
    (1.0 - stake + stake * x / mean).ln()
}

/// Whether the capital of all stakes together has reached what is improbable; they are given as
/// logarithms.
fn is_enough(capitals: &[f64; STAKES]) -> bool {
    let enough = (2.0 / ERROR * STAKES as f64).ln();
    let largest = capitals.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let together: f64 = capitals.iter().map(|own| (own - largest).exp()).sum();
    largest + together.ln() >= enough
}

/// The lowest mean, up to the one that was found, that is not refuted. The lower a mean, the more
/// speaks against it.
fn lowest(found: f64, is_refuted: &dyn Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, found);
    for _ in 0..40 {
        let middle = (low + high) / 2.0;
        if middle > 0.0 && is_refuted(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use croupier_core::Seed;
    use proptest::prelude::*;

    use super::*;

    /// A mean of one half is refuted at any time in at most 5 of 100 contests between equals,
    /// although one looks after every block. If the true probability were above 5 %, then 4.2 %
    /// or less would be found in 4,000 contests with a probability below 1 %.
    #[test]
    fn false_alarms_are_rare_under_constant_looking() {
        let contests = 4_000;
        let alarms = (0..contests)
            .filter(|&contest| {
                let mut rng = Seed(contest).rng();
                let mut evidence = Evidence::new(4);
                (0..1_000).any(|_| {
                    evidence.observe([0, 1, 1, 2, 2, 3, 3, 4][rng.below(8)]);
                    evidence.is_decided()
                })
            })
            .count();
        assert!(alarms as f64 / contests as f64 <= 0.042, "{alarms}");
    }

    /// The interval holds the truth all the time in 95 of 100 contests. If it missed more, 20 or
    /// fewer misses in 600 contests would have a probability of 3 %.
    #[test]
    fn the_interval_holds_the_truth_at_all_times() {
        let contests = 600;
        let missed = (0..contests)
            .filter(|&contest| {
                let mut rng = Seed(contest).rng();
                let mut evidence = Evidence::new(24);
                (0..200).any(|block| {
                    // The mean is 0.75 of 24.
                    evidence.observe(12 + rng.below(13));
                    let holds = |[low, high]: Interval| low <= 0.75 && 0.75 <= high;
                    block % 20 == 19 && !holds(evidence.interval())
                })
            })
            .count();
        assert!(missed <= 20, "{missed}");
    }

    /// What is clear is seen soon.
    #[test]
    fn a_clear_difference_is_decided_within_a_few_blocks() {
        let mut evidence = Evidence::new(6);
        let blocks = (1..).find(|_| {
            evidence.observe(6);
            evidence.is_decided()
        });
        assert_eq!(blocks, Some(10));
        let mut evidence = Evidence::new(100);
        let mut rng = Seed(1).rng();
        let blocks = (1..).find(|_| {
            // 5 % above one half on average, with a deviation of 12 %.
            evidence.observe(35 + rng.below(41));
            evidence.is_decided()
        });
        assert!(blocks < Some(200), "{blocks:?}");
    }

    proptest! {
        /// The two ways of reckoning agree, and the interval is one.
        #[test]
        fn it_is_decided_when_one_half_is_outside_the_interval(
            observed in proptest::collection::vec(0usize..=12, 1..200),
        ) {
            let mut evidence = Evidence::new(12);
            for &number in &observed {
                evidence.observe(number);
            }
            let [low, high] = evidence.interval();
            prop_assert!(low <= evidence.mean() && evidence.mean() <= high);
            prop_assert_eq!(evidence.is_decided(), low > 0.5 || high < 0.5);
            let mut turned = Evidence::new(12);
            for &number in observed.iter().rev() {
                turned.observe(12 - number);
            }
            let [other_low, other_high] = turned.interval();
            prop_assert!((low - (1.0 - other_high)).abs() < 1e-9);
            prop_assert!((high - (1.0 - other_low)).abs() < 1e-9);
        }
    }
}
