//! The floor: several tables at which work is done at the same time.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::time::{Duration, Instant};

/// How long a table works before it hands over what it has: long enough that handing over costs
/// nothing, short enough that somebody who looks on sees it move.
const HANDS_OVER_AFTER: Duration = Duration::from_millis(20);

/// The most pieces of work that a table takes at a time.
const MOST_AT_A_TIME: usize = 256;

/// Does the pieces of work `0..count` at so many tables and hands over what comes of each, in the
/// order in which they are done.
///
/// Each table is made by `set_up` in its own thread, and `work` is done at it. No table is idle while
/// there is a piece that nobody has begun. `take` may end it all; so does the first failure, which is
/// returned after everything that had been done by then was handed over.
pub fn work_at_tables<W, T: Send, E: Send>(
    count: u64,
    tables: usize,
    set_up: impl Fn(usize) -> W + Sync,
    work: impl Fn(&mut W, u64) -> Result<T, E> + Sync,
    mut take: impl FnMut(u64, T) -> ControlFlow<()>,
) -> Result<(), E> {
    let tables = tables.max(1);
    let unbegun = Mutex::new(Unbegun::new(count, tables));
    let over = AtomicBool::new(false);
    let (send, done) = mpsc::sync_channel::<Result<Vec<(u64, T)>, E>>(2 * tables);
    let at_table = |number: usize, send: mpsc::SyncSender<Result<Vec<(u64, T)>, E>>| {
        let mut table = set_up(number);
        // A pile is whole at every moment, whoever has panicked beside it.
        let unbegun = || unbegun.lock().unwrap_or_else(PoisonError::into_inner);
        let mut at_a_time = 1;
        while !over.load(Ordering::Relaxed) {
            let begun = Instant::now();
            let mut results = Vec::new();
            while results.len() < at_a_time && begun.elapsed() <= HANDS_OVER_AFTER {
                let Some(piece) = unbegun().next(number, at_a_time) else {
                    break;
                };
                match work(&mut table, piece) {
                    Ok(result) => results.push((piece, result)),
                    Err(error) => {
                        over.store(true, Ordering::Relaxed);
                        // Nobody listens any more only if it is over anyway.
                        let _ = send.send(Ok(results));
                        let _ = send.send(Err(error));
                        return;
                    }
                }
            }
            if results.is_empty() || send.send(Ok(results)).is_err() {
                break;
            }
            if begun.elapsed() < HANDS_OVER_AFTER / 2 {
                at_a_time = (2 * at_a_time).min(MOST_AT_A_TIME);
            } else if begun.elapsed() > HANDS_OVER_AFTER {
                at_a_time = (at_a_time / 2).max(1);
            }
        }
    };
    std::thread::scope(|scope| {
        let at_table = &at_table;
        for number in 0..tables {
            let send = send.clone();
            let table =
                std::thread::Builder::new().spawn_scoped(scope, move || at_table(number, send));
            // A machine that gives no more threads still does all the work, with those it gave.
            if let Err(error) = table {
                assert!(number > 0, "there is no thread to work in: {error}");
                break;
            }
        }
        drop(send);
        let mut failure = Ok(());
        'taking: for pile in &done {
            match pile {
                Ok(pile) => {
                    for (piece, result) in pile {
                        if take(piece, result).is_break() {
                            over.store(true, Ordering::Relaxed);
                            break 'taking;
                        }
                    }
                }
                Err(error) if failure.is_ok() => failure = Err(error),
                Err(_) => {}
            }
        }
        // Whoever still wants to hand something over finds nobody.
        drop(done);
        failure
    })
}

/// The pieces of work that nobody has begun. Each table has a pile of those that it does next; the rest
/// is nobody's yet. Some pieces take a thousand times as long as others, as a game of programs does
/// beside one of built-in players, so a table without work takes from the pile of another (work
/// stealing).
struct Unbegun {
    rest: Range<u64>,
    piles: Vec<Range<u64>>,
}

impl Unbegun {
    fn new(count: u64, tables: usize) -> Unbegun {
        Unbegun {
            rest: 0..count,
            piles: vec![0..0; tables],
        }
    }

    /// The next piece for this table, if there is one. If it has no pile, it makes itself one of so
    /// many pieces first.
    fn next(&mut self, table: usize, at_a_time: usize) -> Option<u64> {
        if self.piles[table].is_empty() {
            let pile = match self.rest.is_empty() {
                false => {
                    let first = self.rest.start;
                    let end = first.saturating_add(at_a_time as u64);
                    self.rest.start = end.min(self.rest.end);
                    first..self.rest.start
                }
                true => {
                    let piles = self.piles.iter_mut();
                    let longest = piles.max_by_key(|pile| pile.end - pile.start)?;
                    let half = longest.start + (longest.end - longest.start) / 2;
                    half..std::mem::replace(&mut longest.end, half)
                }
            };
            self.piles[table] = pile;
        }
        self.piles[table].next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_done_once() {
        for tables in 1..4 {
            let mut done = Vec::new();
            let all = work_at_tables(
                10_000,
                tables,
                |_| 0,
                |_, piece| Ok::<u64, ()>(piece * piece),
                |piece, result| {
                    assert_eq!(piece * piece, result);
                    done.push(piece);
                    ControlFlow::Continue(())
                },
            );
            assert_eq!(all, Ok(()));
            done.sort_unstable();
            assert!(done.into_iter().eq(0..10_000));
        }
    }

    /// A block of programs may take as long as a thousand of built-in players; whatever else there is
    /// to do is done in the meantime. Here every piece in turn waits until all others are done.
    #[test]
    fn nobody_waits_for_a_piece_that_takes_its_time() {
        const COUNT: u64 = 500;
        for slow in (0..COUNT).step_by(7) {
            let (done, all_but_one) = (Mutex::new(0), std::sync::Condvar::new());
            let work = |(): &mut (), piece| {
                let mut done = done.lock().expect("nobody panics");
                if piece == slow {
                    let patience = Duration::from_secs(60);
                    let waiting = |done: &mut u64| *done + 1 < COUNT;
                    let waited = all_but_one.wait_timeout_while(done, patience, waiting);
                    let (done, timeout) = waited.expect("nobody panics");
                    return match timeout.timed_out() {
                        true => Err(format!("{} others were done beside {slow}", *done)),
                        false => Ok(()),
                    };
                }
                *done += 1;
                all_but_one.notify_all();
                Ok(())
            };
            let all = work_at_tables(COUNT, 2, |_| (), work, |_, ()| ControlFlow::Continue(()));
            assert_eq!(all, Ok(()));
        }
    }

    #[test]
    fn a_failure_ends_it_after_what_was_done_is_handed_over() {
        let mut done = Vec::new();
        let failed = work_at_tables(
            1_000_000,
            1,
            |_| (),
            |(), piece| if piece == 777 { Err("no") } else { Ok(()) },
            |piece, ()| {
                done.push(piece);
                ControlFlow::Continue(())
            },
        );
        assert_eq!(failed, Err("no"));
        assert!(done.into_iter().eq(0..777));
    }

    #[test]
    fn the_one_who_takes_may_end_it() {
        let mut taken = 0;
        let all = work_at_tables(
            u64::MAX,
            3,
            |_| (),
            |(), _| Ok::<_, ()>(()),
            |_, ()| {
                taken += 1;
                match taken {
                    5_000 => ControlFlow::Break(()),
                    _ => ControlFlow::Continue(()),
                }
            },
        );
        assert_eq!((all, taken), (Ok(()), 5_000));
    }
}
