//! How long batches take, from the publication to the commit.

use std::collections::VecDeque;
use std::time::Instant;

use croupier_arena::Latency;

use super::round::Out;

/// So many of the last batches are looked at.
const LATELY: usize = 1000;

/// How long the last batches took.
#[derive(Debug, Default)]
pub(super) struct Latencies(VecDeque<Took>);

/// The seconds that a batch took: all, in the queue, and while it was played.
#[derive(Clone, Copy, Debug)]
struct Took {
    whole: f64,
    queued: f64,
    played: f64,
}

impl Latencies {
    /// A batch is committed that was played for so many seconds.
    pub(super) fn commit(&mut self, out: &Out, played: f64) {
        let now = Instant::now();
        let taken = out.taken.unwrap_or(now);
        if self.0.len() == LATELY {
            self.0.pop_front();
        }
        self.0.push_back(Took {
            whole: (now - out.published).as_secs_f64(),
            queued: (taken - out.published).as_secs_f64(),
            played,
        });
    }

    /// Medians and 99th percentiles, if there was a batch.
    pub(super) fn summary(&self) -> Option<Latency> {
        let quantiles = |of: fn(&Took) -> f64| {
            let mut sorted: Vec<f64> = self.0.iter().map(of).collect();
            sorted.sort_by(f64::total_cmp);
            [0.5, 0.99].map(|part| sorted[((sorted.len() - 1) as f64 * part) as usize])
        };
        (!self.0.is_empty()).then(|| Latency {
            whole: quantiles(|took| took.whole),
            queued: quantiles(|took| took.queued),
            played: quantiles(|took| took.played),
            overhead: quantiles(|took| (took.whole - took.queued - took.played).max(0.0)),
        })
    }
}
