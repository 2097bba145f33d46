//! The one place where an expert looks at the clock.

use std::time::{Duration, Instant};

/// A clock that has been started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Instant);

/// A moment by which something has to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Instant);

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock(Instant::now())
    }

    /// The moment so long after the start.
    pub(crate) fn after(self, time: Duration) -> Deadline {
        Deadline(self.0 + time)
    }
}

impl Deadline {
    #[inline]
    pub(crate) fn has_passed(self) -> bool {
        Instant::now() >= self.0
    }
}
