//! Is one better than the other? A sequential test of a mean and its confidence sequence, by betting.
//!
//! The observations lie between 0 and 1. A gambler bets against the null hypothesis that their mean
//! is `m`, with a capital of one. A bet upwards with the stake `η` multiplies the capital by
//! `1 + η(x/m − 1)` at every observation `x`; a bet downwards does the same with `1 − x` and
//! `1 − m`. Under the null hypothesis no bet gains on average: the capital is a test martingale, so
//! it ever reaches 20 with a probability of at most 1/20 (Ville's inequality), however often one
//! looks and whenever one stops. The confidence sequence holds all means against which the capital
//! is below 20. It holds the true mean at all times together with a probability of at least 95 %,
//! and the test is decided when 1/2 is outside.
//!
//! The best stake depends on the difference and on the variance, which nobody knows beforehand. So
//! the capital is shared between many stakes in both directions (a mixture, or universal
//! portfolio). Those that do well hold more and more of it, so that the mixture adapts to what has
//! been seen. It is the average of the single capitals, whatever the order of the observations:
//! counts are all that is kept, and the capital is convex in `m`, so that the confidence sequence
//! consists of intervals. Stakes that are set anew after every observation (predictable plug-in
//! bets) have neither property and need no fewer observations.

use std::sync::LazyLock;

use crate::stats::Interval;

/// The probability that the evidence ever misleads.
const ALPHA: f64 = 0.05;

/// The grid of stakes: from the boldest down, each half of the one before.
const STAKES: usize = 12;
const BOLDEST: f64 = 0.98;

/// The prior over stakes is flat in their logarithm above this one, and falls with the square of the
/// stake below it. So small a stake pays only after thousands of observations; what it does not hold
/// is shared by those that decide sooner.
const KNEE: f64 = 0.1;

/// A stake, and the logarithm of its share of the capital.
#[derive(Clone, Copy)]
struct Stake {
    stake: f64,
    log_share: f64,
}

/// The stakes in each direction. All shares in both directions add up to one.
static PRIOR: LazyLock<[Stake; STAKES]> = LazyLock::new(|| {
    let stakes: [f64; STAKES] = std::array::from_fn(|number| BOLDEST * 0.5f64.powi(number as i32));
    let weight = |stake: f64| stake.powi(2) / (stake.powi(2) + KNEE.powi(2));
    let all: f64 = stakes.into_iter().map(weight).sum();
    stakes.map(|stake| Stake {
        stake,
        log_share: (weight(stake) / (2.0 * all)).ln(),
    })
});

/// Observations of which each is a whole number from 0 to some most.
#[derive(Clone, PartialEq, Debug)]
pub struct Evidence {
    /// How often each number was observed.
    counts: Vec<u64>,
    /// The capital against a mean of one half.
    against_half: Capital,
}

/// The capital of a mixture of bets against a mean: the logarithms of the parts that stand on each
/// stake, upwards and downwards.
#[derive(Clone, PartialEq, Debug)]
struct Capital {
    mean: f64,
    up: [f64; STAKES],
    down: [f64; STAKES],
}

impl Evidence {
    /// No evidence yet about observations from 0 to `most`.
    pub fn new(most: usize) -> Evidence {
        Evidence {
            counts: vec![0; most + 1],
            against_half: Capital::against(0.5),
        }
    }

    /// Takes an observation.
    ///
    /// # Panics
    /// If it is more than the most.
    pub fn observe(&mut self, observed: usize) {
        self.counts[observed] += 1;
        let x = observed as f64 / self.most();
        self.against_half.bet(x, 1.0);
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
        self.against_half.refutes()
    }

    /// All means that the evidence does not refute: the confidence sequence as it stands now.
    pub fn interval(&self) -> Interval {
        // Against the mean that was found no bet has gained: it is always inside.
        let mean = self.mean();
        [0.0, 1.0].map(|end| boundary(end, mean, |mean| self.capital_against(mean).refutes()))
    }

    /// What the same bets would hold against another mean than one half.
    fn capital_against(&self, mean: f64) -> Capital {
        let mut capital = Capital::against(mean);
        for (x, count) in self.observed() {
            capital.bet(x, count);
        }
        capital
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

impl Capital {
    /// The capital before any bet against this mean, which is above 0 and below 1.
    fn against(mean: f64) -> Capital {
        let shares = PRIOR.map(|prior| prior.log_share);
        Capital {
            mean,
            up: shares,
            down: shares,
        }
    }

    /// Bets on so many observations of `x`.
    fn bet(&mut self, x: f64, times: f64) {
        let up = x / self.mean - 1.0;
        let down = (1.0 - x) / (1.0 - self.mean) - 1.0;
        let parts = self.up.iter_mut().zip(&mut self.down);
        for (&Stake { stake, .. }, (on_up, on_down)) in PRIOR.iter().zip(parts) {
            *on_up += times * (1.0 + stake * up).ln();
            *on_down += times * (1.0 + stake * down).ln();
        }
    }

    /// Whether it has reached what is improbable if this is the true mean.
    fn refutes(&self) -> bool {
        let parts = || self.up.iter().chain(&self.down).copied();
        // Summed relative to the largest part, which may be too large for its exponential.
        let largest = parts().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = parts().map(|part| (part - largest).exp()).sum();
        largest + sum.ln() >= -ALPHA.ln()
    }
}

/// Where the means that are not refuted end, between an end of the scale and a mean that is not
/// refuted: by bisection, because the capital is convex in the mean.
fn boundary(end: f64, not_refuted: f64, is_refuted: impl Fn(f64) -> bool) -> f64 {
    let (mut outside, mut inside) = (end, not_refuted);
    for _ in 0..40 {
        let middle = f64::midpoint(outside, inside);
        if middle > 0.0 && middle < 1.0 && is_refuted(middle) {
            outside = middle;
        } else {
            inside = middle;
        }
    }
    outside
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability that a fair coin is ever refuted within so many tosses: exactly, by dynamic
    /// programming over the counts.
    fn false_alarm(tosses: usize) -> f64 {
        let mut undecided = vec![1.0];
        let mut alarm = 0.0;
        for tossed in 1..=tosses {
            let from = |heads: usize| undecided.get(heads).copied().unwrap_or(0.0);
            let mut next: Vec<f64> = (0..=tossed)
                .map(|heads| (from(heads) + heads.checked_sub(1).map_or(0.0, from)) / 2.0)
                .collect();
            for (heads, probability) in next.iter_mut().enumerate() {
                let mut capital = Capital::against(0.5);
                capital.bet(1.0, heads as f64);
                capital.bet(0.0, (tossed - heads) as f64);
                if *probability > 0.0 && capital.refutes() {
                    alarm += std::mem::take(probability);
                }
            }
            undecided = next;
        }
        alarm
    }

    /// Looked at after every toss. What is left of the 5 % is for later tosses.
    #[test]
    fn a_fair_coin_is_refuted_in_at_most_one_of_twenty_comparisons_and_not_much_less() {
        let alarm = false_alarm(1_000);
        assert!((0.03..=0.05).contains(&alarm), "{alarm}");
    }

    /// Otherwise the capital would be no martingale, and Ville's inequality would not hold.
    #[test]
    fn no_bet_gains_against_the_true_mean() {
        // Values between 0 and 1, each with its probability.
        let observed = [(0.0, 0.25), (0.4, 0.625), (1.0, 0.125)];
        let mean: f64 = observed.iter().map(|(x, share)| x * share).sum();
        let before = Capital::against(mean);
        let parts = |capital: &Capital| {
            capital
                .up
                .iter()
                .chain(&capital.down)
                .map(|log| log.exp())
                .collect::<Vec<_>>()
        };
        let mut after = vec![0.0; 2 * STAKES];
        for (x, share) in observed {
            let mut capital = before.clone();
            capital.bet(x, 1.0);
            for (sum, part) in after.iter_mut().zip(parts(&capital)) {
                *sum += share * part;
            }
        }
        for (before, after) in parts(&before).into_iter().zip(after) {
            assert!((before - after).abs() < 1e-12);
        }
        assert!((parts(&before).iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
}
