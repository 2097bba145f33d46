//! How long the decisions of a program took.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How long decisions took: how many of every length, to about three per cent, so that millions of
/// them take no room.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Times(BTreeMap<u64, u64>);

/// How many binary digits of a time in microseconds are kept.
const DIGITS: u32 = 6;

impl Times {
    /// Adds a decision.
    pub fn add(&mut self, took: Duration) {
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let dropped = (u64::BITS - micros.leading_zeros()).saturating_sub(DIGITS);
        // In the middle of all times that are counted together.
        let half = (1 << dropped) >> 1;
        self.add_many(((micros >> dropped) << dropped) + half, 1);
    }

    /// Adds so many decisions of a length that is one of [`Times::counts`].
    pub fn add_many(&mut self, micros: u64, count: u64) {
        let counted = self.0.entry(micros).or_default();
        *counted = counted.saturating_add(count);
    }

    /// In order of length: microseconds, and how many decisions took so long.
    pub fn counts(&self) -> impl Iterator<Item = (u64, u64)> {
        self.0.iter().map(|(&micros, &count)| (micros, count))
    }

    /// How many decisions there were.
    pub fn decisions(&self) -> u64 {
        self.0
            .values()
            .fold(0, |all, &count| all.saturating_add(count))
    }

    /// The time that half of the decisions did not exceed; none if there were none.
    pub fn median(&self) -> Option<Duration> {
        let half = self.decisions().div_ceil(2);
        let mut so_far = 0_u64;
        let mut counts = self.counts();
        let median = counts.find(|(_, count)| {
            so_far = so_far.saturating_add(*count);
            so_far >= half
        });
        median.map(|(micros, _)| Duration::from_micros(micros))
    }

    /// The longest time; none if there were no decisions.
    pub fn slowest(&self) -> Option<Duration> {
        let slowest = self.0.last_key_value();
        slowest.map(|(&micros, _)| Duration::from_micros(micros))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_times_are_exact_and_long_ones_nearly() {
        for micros in [0, 1, 63, 64, 1_000, 123_456, 2_000_000, u64::from(u32::MAX)] {
            let mut times = Times::default();
            times.add(Duration::from_micros(micros));
            let kept = times.slowest().expect("one decision").as_micros() as f64;
            assert!(
                (kept - micros as f64).abs() <= 0.02 * micros as f64,
                "{micros}: {kept}"
            );
        }
        let mut times = Times::default();
        times.add(Duration::MAX);
        assert!(times.slowest().is_some());
    }

    #[test]
    fn half_of_all_decisions_take_no_longer_than_the_median() {
        let mut times = Times::default();
        assert_eq!((times.median(), times.slowest()), (None, None));
        for micros in [1, 2, 3, 50, 60] {
            times.add(Duration::from_micros(micros));
        }
        assert_eq!(times.decisions(), 5);
        assert_eq!(times.median(), Some(Duration::from_micros(3)));
        assert_eq!(times.slowest(), Some(Duration::from_micros(60)));
    }
}
