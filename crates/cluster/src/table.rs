//! A table of a worker: the thread in which batch after batch is played.
//!
//! Players stay at the table from batch to batch of the same contest, as they do in a contest on one machine
//! from block to block: a batch is about two seconds of work, and an interpreter takes a good part of that to
//! start. They go when the next batch belongs to another contest, when something went wrong, and when no batch
//! comes for a while.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use croupier_bots::Interrupt;
use tokio::sync::oneshot;

use crate::bench::{Bench, Played, Programs, Sitting};
use crate::wire::{Batch, Terms};

/// Players for whom no batch comes in this time are sent home: they hold processes and memory.
const GO_HOME: Duration = Duration::from_secs(10);

/// A batch that is to be played.
pub(crate) struct Job {
    pub(crate) bench: Bench,
    pub(crate) terms: Arc<Terms>,
    pub(crate) batch: Batch,
    pub(crate) programs: Arc<Programs>,
    pub(crate) interrupt: Interrupt,
}

/// The thread at whose table batches are played.
pub(crate) struct Table {
    /// The number of the thread among all that play on this machine.
    thread: usize,
    running: Option<Running>,
}

struct Running {
    jobs: Sender<(Job, oneshot::Sender<Played>)>,
    thread: JoinHandle<()>,
}

impl Table {
    /// A table in the thread with this number, which begins with the first batch.
    pub(crate) fn new(thread: usize) -> Table {
        Table {
            thread,
            running: None,
        }
    }

    /// Plays a batch.
    pub(crate) async fn play(&mut self, job: Job) -> Played {
        let running = match self.running.take().map_or_else(|| self.begin(), Ok) {
            Ok(running) => running,
            Err(error) => {
                return Played::nothing(format!("there is no thread to play in: {error}"));
            }
        };
        let (tell, told) = oneshot::channel();
        let played = match running.jobs.send((job, tell)) {
            Ok(()) => told.await.ok(),
            Err(_) => None,
        };
        let failed = || Played::nothing("the thread that played has failed".to_owned());
        // A thread that has failed is not asked again.
        self.running = played.is_some().then_some(running);
        played.unwrap_or_else(failed)
    }

    fn begin(&self) -> io::Result<Running> {
        let (jobs, asked) = channel();
        let number = self.thread;
        let thread = thread::Builder::new().spawn(move || play_all(number, &asked))?;
        Ok(Running { jobs, thread })
    }

    /// Sends everybody home, and waits until they have gone.
    pub(crate) async fn leave(self) {
        if let Some(Running { jobs, thread }) = self.running {
            drop(jobs);
            let left = tokio::task::spawn_blocking(move || thread.join());
            // Whatever a thread has failed of, it has ended.
            let _ = left.await;
        }
    }
}

/// Plays batches until no more can come.
fn play_all(thread: usize, jobs: &Receiver<(Job, oneshot::Sender<Played>)>) {
    // Those who sit at the table, and the contest in which they play.
    let mut sitting: Option<(String, Sitting)> = None;
    loop {
        match jobs.recv_timeout(GO_HOME) {
            Ok((job, tell)) => {
                let contest = &job.batch.terms;
                let stays = sitting.take().filter(|(before, _)| before == contest);
                let (contest, mut play) =
                    stays.unwrap_or_else(|| (contest.clone(), job.bench.sit(thread)));
                let played = play(&job);
                if played.is_whole() {
                    sitting = Some((contest, play));
                }
                // Nobody waits for it any more when the worker stops.
                let _ = tell.send(played);
            }
            Err(RecvTimeoutError::Timeout) => sitting = None,
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}
