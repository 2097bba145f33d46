//! A table of a worker, at which batch after batch is played.
//!
//! Players stay at the table from batch to batch of the same contest, as they do in a contest on one machine
//! from block to block: a batch is about two seconds of work, and an interpreter takes a good part of that to
//! start. Each contest has a thread of its own there, so that nothing of one gets into another, and contests
//! that take turns do not send each other's players home. Players go when something went wrong, and when no
//! batch comes for a while.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use croupier_bots::Interrupt;
use tokio::sync::oneshot;

use crate::bench::{Bench, Played, Programs};
use crate::wire::{Batch, Terms};

/// Players for whom no batch comes in this time are sent home: they hold processes and memory.
const GO_HOME: Duration = Duration::from_secs(10);

/// For the same reason no more contests than this have players at a table.
const MOST_CONTESTS: usize = 4;

/// A batch that is to be played.
pub(crate) struct Job {
    pub(crate) bench: Bench,
    pub(crate) terms: Arc<Terms>,
    pub(crate) batch: Batch,
    pub(crate) programs: Arc<Programs>,
    pub(crate) interrupt: Interrupt,
}

/// A table, at which one batch is played at a time.
pub(crate) struct Table {
    /// The number of its place among all that play on this machine.
    number: usize,
    /// Who sits there. Those who have played last come last.
    seated: Vec<Seated>,
}

/// The players of a contest, and the thread in which they play.
struct Seated {
    /// The terms of the contest.
    terms: String,
    jobs: Sender<(Job, oneshot::Sender<Played>)>,
    thread: JoinHandle<()>,
    played: Instant,
}

impl Table {
    /// A table with this number, at which nobody sits yet.
    pub(crate) fn new(number: usize) -> Table {
        Table {
            number,
            seated: Vec::new(),
        }
    }

    /// Plays a batch.
    pub(crate) async fn play(&mut self, job: Job) -> Played {
        let mut players = match self.seat(&job) {
            Ok(players) => players,
            Err(error) => {
                return Played::nothing(format!("there is no thread to play in: {error}"));
            }
        };
        let (tell, told) = oneshot::channel();
        let played = match players.jobs.send((job, tell)) {
            Ok(()) => told.await.ok(),
            Err(_) => None,
        };
        if played.as_ref().is_some_and(Played::is_whole) {
            players.played = Instant::now();
            self.seated.push(players);
        } else {
            // Nobody knows in what state they are.
            players.leave().await;
        }
        played.unwrap_or_else(|| Played::nothing("the thread that played has failed".to_owned()))
    }

    /// The players for this batch: those who sit there already, or new ones.
    fn seat(&mut self, job: &Job) -> io::Result<Seated> {
        let terms = &job.batch.terms;
        let mut seated = self.seated.iter();
        if let Some(place) = seated.position(|seated| seated.terms == *terms) {
            return Ok(self.seated.remove(place));
        }
        if self.seated.len() >= MOST_CONTESTS {
            self.seated.remove(0);
        }
        let (jobs, asked) = channel();
        let (bench, number) = (job.bench.clone(), self.number);
        let thread = thread::Builder::new().spawn(move || play_all(&bench, number, &asked))?;
        Ok(Seated {
            terms: terms.clone(),
            jobs,
            thread,
            played: Instant::now(),
        })
    }

    /// Sends those home for whom no batch has come for a while. They go while others play.
    pub(crate) fn send_idle_home(&mut self) {
        self.seated
            .retain(|seated| seated.played.elapsed() < GO_HOME);
    }

    /// Sends everybody home, and waits until they have gone.
    pub(crate) async fn leave(self) {
        for seated in self.seated {
            seated.leave().await;
        }
    }
}

impl Seated {
    /// Sends them home, and waits until they have gone.
    async fn leave(self) {
        let Seated { jobs, thread, .. } = self;
        drop(jobs);
        let left = tokio::task::spawn_blocking(move || thread.join());
        // Whatever a thread has failed of, it has ended.
        let _ = left.await;
    }
}

/// Plays the batches of a contest until no more can come.
fn play_all(bench: &Bench, number: usize, jobs: &Receiver<(Job, oneshot::Sender<Played>)>) {
    let mut play = bench.sit(number);
    while let Ok((job, tell)) = jobs.recv() {
        // Nobody waits for it any more when the worker stops.
        let _ = tell.send(play(&job));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::thread::ThreadId;

    use croupier_arena::{BlockPlan, BlockResult};
    use croupier_bots::{Limits, Tier};
    use croupier_core::Seed;

    use super::*;

    /// A table at which it is noted in which thread each block is played.
    struct Watched {
        table: Table,
        bench: Bench,
        programs: Arc<Programs>,
        threads: Arc<Mutex<Vec<ThreadId>>>,
        _folder: tempfile::TempDir,
    }

    impl Watched {
        fn new() -> Watched {
            let threads: Arc<Mutex<Vec<ThreadId>>> = Arc::default();
            let noted = Arc::clone(&threads);
            let folder = tempfile::tempdir().expect("a folder");
            Watched {
                table: Table::new(0),
                bench: Bench::answering("war", 1, move |key, _| {
                    noted
                        .lock()
                        .expect("it is free")
                        .push(thread::current().id());
                    assert_ne!(key, "panic");
                    match key {
                        "fault" => Err("the disk is gone".to_owned()),
                        _ => Ok(BlockResult::default()),
                    }
                }),
                programs: Arc::new(Programs::kept_in(folder.path()).expect("a folder")),
                threads,
                _folder: folder,
            }
        }

        /// Plays a batch of one block with this key on these terms; the thread, and what came of it.
        async fn play(&mut self, terms: &str, key: &str) -> (ThreadId, Played) {
            let plan = BlockPlan {
                table: Vec::new(),
                deal: Seed(1),
                orders: Vec::new(),
                scores: Vec::new(),
                suspended: Vec::new(),
            };
            let job = Job {
                bench: self.bench.clone(),
                terms: Arc::new(Terms {
                    game: "war".to_owned(),
                    version: 1,
                    setup: serde_json::Value::Null,
                    sandbox: Tier::Strict,
                    limits: Limits::default(),
                    fresh_processes: false,
                    records: false,
                    faults: 0,
                    players: Vec::new(),
                }),
                batch: Batch {
                    id: key.to_owned(),
                    contest: "c".to_owned(),
                    terms: terms.to_owned(),
                    blocks: vec![(key.to_owned(), plan)],
                    not_by: None,
                },
                programs: Arc::clone(&self.programs),
                interrupt: Interrupt::new().expect("an interrupt"),
            };
            let played = self.table.play(job).await;
            let threads = self.threads.lock().expect("it is free");
            (*threads.last().expect("it was played"), played)
        }
    }

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        runtime.expect("a runtime").block_on(test);
    }

    #[test]
    fn contests_take_turns_without_meeting() {
        run(async {
            let mut watched = Watched::new();
            let (one, _) = watched.play("one", "a").await;
            let (other, _) = watched.play("other", "a").await;
            assert_ne!(one, other);
            assert_eq!(watched.play("one", "b").await.0, one);
            assert_eq!(watched.play("other", "b").await.0, other);
            for more in ["3", "4", "5"] {
                watched.play(more, "a").await;
            }
            // The first one has waited for longest.
            assert_eq!(watched.table.seated.len(), MOST_CONTESTS);
            assert_eq!(watched.play("other", "c").await.0, other);
            assert_ne!(watched.play("one", "c").await.0, one);
            watched.table.leave().await;
        });
    }

    #[test]
    fn nobody_stays_after_a_failure() {
        run(async {
            let mut watched = Watched::new();
            let (first, _) = watched.play("one", "a").await;
            let (failed, played) = watched.play("one", "fault").await;
            assert_eq!(failed, first);
            assert_eq!(played.machine_fault.as_deref(), Some("the disk is gone"));
            let (second, played) = watched.play("one", "a").await;
            assert_ne!(second, first);
            assert!(played.is_whole());
            let (_, played) = watched.play("one", "panic").await;
            let told = played.machine_fault.expect("it has failed");
            assert_eq!(told, "the thread that played has failed");
            assert!(watched.table.seated.is_empty());
            assert!(watched.play("one", "a").await.1.is_whole());
        });
    }

    #[test]
    fn whoever_has_nothing_to_play_goes_home() {
        run(async {
            let mut watched = Watched::new();
            watched.play("one", "a").await;
            let (other, _) = watched.play("other", "a").await;
            let long_ago = Instant::now().checked_sub(GO_HOME);
            watched.table.seated[0].played = long_ago.expect("the machine has run for longer");
            watched.table.send_idle_home();
            assert_eq!(watched.table.seated.len(), 1);
            assert_eq!(watched.play("other", "b").await.0, other);
        });
    }
}
