//! A server for one test, and how often anything has panicked in it.

use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) use crate::guest::*;
pub(crate) use crate::served::Hall;

/// How often something has panicked in this process.
pub(crate) static PANICS: AtomicUsize = AtomicUsize::new(0);

impl Hall {
    /// Somebody who has not said who it is.
    pub(crate) fn stranger(&self) -> Guest {
        Guest {
            address: self.address,
            cookie: None,
        }
    }
}

/// Counts panics from now on, of all threads.
pub(crate) fn count_panics() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        usual(panic);
    }));
}
