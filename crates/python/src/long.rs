//! Calls that take long: they can be stopped by Ctrl-C. And processes that forked.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How long Ctrl-C may wait.
const LOOKS_EVERY: Duration = Duration::from_millis(50);

/// What the threads that work tell the thread of the caller.
pub(crate) enum Told {
    /// This is to be done there, where Python's own signals arrive.
    Asks(Box<dyn FnOnce(Python<'_>) + Send>),
    /// The work is over.
    Done,
}

/// Does the work in a thread of its own, without the interpreter. This thread looks for signals
/// meanwhile: at the first exception that one of them raises, `stop` is called, which must end the work.
pub(crate) fn stoppable<T: Send>(
    py: Python<'_>,
    stop: impl Fn() + Sync,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let (done, told) = mpsc::channel();
    attended(py, done, told, stop, work)
}

/// The same for work that may ask for something to be done in this thread.
pub(crate) fn attended<T: Send>(
    py: Python<'_>,
    done: Sender<Told>,
    mut told: Receiver<Told>,
    stop: impl Fn() + Sync,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().spawn_scoped(scope, move || {
            let _done = Over(done);
            work()
        });
        let worker = worker.map_err(|error| {
            PyRuntimeError::new_err(format!("the machine gives no thread to work in: {error}"))
        })?;
        let mut stopped = Ok(());
        loop {
            let heard;
            (told, heard) = py.detach(move || {
                let heard = told.recv_timeout(LOOKS_EVERY);
                (told, heard)
            });
            match heard {
                Ok(Told::Asks(question)) if stopped.is_ok() => question(py),
                Ok(Told::Done) | Err(RecvTimeoutError::Disconnected) => break,
                // Whoever asks after the end gets no answer: the question is dropped.
                Ok(Told::Asks(_)) | Err(RecvTimeoutError::Timeout) => {}
            }
            if stopped.is_ok() {
                stopped = py.check_signals();
                if stopped.is_err() {
                    stop();
                }
            }
        }
        let result = py.detach(|| worker.join());
        stopped?;
        result.map_err(|panic| {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or(panic.downcast_ref::<&str>().copied());
            let said = said.unwrap_or("nothing is known of it");
            PyRuntimeError::new_err(format!("a defect in croupier, please report it: {said}"))
        })
    })
}

/// Tells that the work is over, however it ends.
struct Over(Sender<Told>);

impl Drop for Over {
    fn drop(&mut self) {
        // Nobody listens any more only if it is known already.
        let _ = self.0.send(Told::Done);
    }
}

/// How often this process is a fork of a fork.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// Is told that this process has just been forked.
#[pyfunction]
#[pyo3(name = "_forked")]
pub(crate) fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// The process that made an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Home(u64);

impl Home {
    /// This process.
    pub(crate) fn here() -> Home {
        Home(FORKS.load(Ordering::Relaxed))
    }

    /// Whether that is this process.
    pub(crate) fn is_here(self) -> bool {
        self.0 == FORKS.load(Ordering::Relaxed)
    }

    /// Refuses what was made before this process was forked.
    pub(crate) fn check(self, what: &str) -> PyResult<()> {
        match self.is_here() {
            true => Ok(()),
            false => Err(PyRuntimeError::new_err(format!(
                "this {what} belongs to the process that was forked; make it anew in the child, or \
                 start processes with multiprocessing's method 'spawn'"
            ))),
        }
    }
}
