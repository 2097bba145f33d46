//! A long row of deals, played by all cores.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use croupier_core::Cancel;

/// How many deals a thread takes at a time: long enough that taking them costs nothing, short
/// enough that a stop is prompt and the last threads end together.
const CHUNK: u64 = 4096;

/// What came of a sweep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Swept<T> {
    /// What was found in all deals that were played.
    pub found: T,
    /// How many deals were played: always the first ones, also after a stop.
    pub played: u64,
}

/// Plays the deals `0..deals` on so many threads and adds up what is found.
///
/// `play` gives what is found in some deals, `add` adds that to what was found before. Both come
/// in no particular order, so `add` must not mind; then the sum is the same for any number of
/// threads. `progress` is told from time to time how many deals have been played. When `stop`
/// is cancelled, the deals that have been started are finished and no more are.
pub fn sweep<T: Default + Send>(
    deals: u64,
    threads: usize,
    stop: &Cancel,
    play: impl Fn(Range<u64>) -> T + Sync,
    add: impl Fn(&mut T, T) + Sync,
    progress: impl Fn(u64) + Sync,
) -> Swept<T> {
    let next = AtomicU64::new(0);
    let played = AtomicU64::new(0);
    let found = Mutex::new(T::default());
    let work = || {
        let mut mine = T::default();
        while !stop.is_cancelled() {
            let start = next.fetch_add(CHUNK, Ordering::Relaxed).min(deals);
            let end = (start + CHUNK).min(deals);
            if start == end {
                break;
            }
            add(&mut mine, play(start..end));
            let before = played.fetch_add(end - start, Ordering::Relaxed);
            progress(before + end - start);
        }
        add(
            &mut found.lock().unwrap_or_else(PoisonError::into_inner),
            mine,
        );
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // A machine that gives no more threads still plays all deals, with the ones it gave.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    Swept {
        found: found.into_inner().unwrap_or_else(PoisonError::into_inner),
        played: played.into_inner(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers(deals: u64, threads: usize, stop: &Cancel, until: u64) -> Swept<Vec<u64>> {
        let mut swept = sweep(
            deals,
            threads,
            stop,
            Iterator::collect,
            |all: &mut Vec<u64>, some| all.extend(some),
            |played| {
                if played >= until {
                    stop.cancel();
                }
            },
        );
        swept.found.sort_unstable();
        swept
    }

    proptest! {
        #[test]
        fn every_deal_is_played_once(deals in 0u64..100_000, threads in 0usize..5) {
            let swept = numbers(deals, threads, &Cancel::new(), u64::MAX);
            prop_assert!(swept.found.into_iter().eq(0..deals));
            prop_assert_eq!(swept.played, deals);
        }

        #[test]
        fn after_a_stop_the_first_deals_have_been_played(threads in 1usize..5, until in 1u64..50_000) {
            let swept = numbers(1_000_000, threads, &Cancel::new(), until);
            prop_assert!(swept.found.into_iter().eq(0..swept.played));
            prop_assert!(swept.played < until + 5 * CHUNK);
        }
    }
}
