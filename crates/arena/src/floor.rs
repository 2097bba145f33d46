//! The floor: several tables at which work is done at the same time.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// How long a table works before it hands over what it has: long enough that handing over costs
/// nothing, short enough that somebody who looks on sees it move.
const HANDS_OVER_AFTER: Duration = Duration::from_millis(20);

/// The most pieces of work that a table takes at a time.
const MOST_AT_A_TIME: u64 = 256;

/// Does the pieces of work `0..count` at so many tables and hands over what comes of each, in the
/// order in which they are done.
///
/// Each table is made by `set_up` in its own thread, and `work` is done at it. `take` may end it
/// all; so does the first failure, which is returned after everything that had been done by then
/// was handed over.
pub fn work_at_tables<W, T: Send, E: Send>(
    count: u64,
    tables: usize,
    set_up: impl Fn(usize) -> W + Sync,
    work: impl Fn(&mut W, u64) -> Result<T, E> + Sync,
    mut take: impl FnMut(u64, T) -> ControlFlow<()>,
) -> Result<(), E> {
    let next = AtomicU64::new(0);
    let over = AtomicBool::new(false);
    let (send, done) = mpsc::sync_channel::<Result<Vec<(u64, T)>, E>>(2 * tables);
    let at_table = |number: usize, send: mpsc::SyncSender<Result<Vec<(u64, T)>, E>>| {
        let mut table = set_up(number);
        let mut at_a_time = 1;
        while !over.load(Ordering::Relaxed) {
            let first = next.fetch_add(at_a_time, Ordering::Relaxed);
            if first >= count {
                break;
            }
            let begun = Instant::now();
            let mut pile = Vec::new();
            for piece in first..count.min(first + at_a_time) {
                match work(&mut table, piece) {
                    Ok(result) => pile.push((piece, result)),
                    Err(error) => {
                        over.store(true, Ordering::Relaxed);
                        // Nobody listens any more only if it is over anyway.
                        let _ = send.send(Ok(pile));
                        let _ = send.send(Err(error));
                        return;
                    }
                }
            }
            if send.send(Ok(pile)).is_err() {
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
        for number in 0..tables.max(1) {
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
