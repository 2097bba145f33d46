//! The threads that play the games of batches.
//!
//! They are started once for the whole process: to start one for every step would take a third of the
//! step's time.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::convert;
use crate::long::Home;

/// The process whose threads they are, and the threads.
static CREW: Mutex<Option<(Home, Arc<ThreadPool>)>> = Mutex::new(None);

/// The threads of this process beside the caller's; none if the machine gives none.
///
/// Whoever asks holds the interpreter. So nobody forks meanwhile, and no child finds the lock held.
pub(crate) fn crew(_: Python<'_>) -> Option<Arc<ThreadPool>> {
    let mut crew = CREW.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((home, threads)) = &*crew
        && home.is_here()
    {
        return Some(Arc::clone(threads));
    }
    // A fork has none of its parent's threads, and would wait for ever for their end.
    std::mem::forget(crew.take());
    let beside = convert::cores().saturating_sub(1).max(1);
    let threads = ThreadPoolBuilder::new().num_threads(beside).build().ok()?;
    let threads = Arc::new(threads);
    *crew = Some((Home::here(), Arc::clone(&threads)));
    Some(threads)
}
