//! The one place where an expert looks at the clock.

use std::time::{Duration, Instant};

/// A clock that has been started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Instant);

/// A moment by which something has to be done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Option<Instant>);

/// The moment has passed by which something had to be done.
#[derive(Debug)]
pub(crate) struct TooLate;

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock(Instant::now())
    }

    /// The moment so long after the start.
    pub(crate) fn after(self, time: Duration) -> Deadline {
        Deadline(Some(self.0 + time))
    }
}

impl Deadline {
    /// There is time enough.
    pub(crate) const NEVER: Deadline = Deadline(None);

    /// Whether there is still time.
    #[inline]
    pub(crate) fn in_time(self) -> Result<(), TooLate> {
        match self.0 {
            Some(moment) if Instant::now() >= moment => Err(TooLate),
            _ => Ok(()),
        }
    }

    /// How long it is until then; nothing if it has passed.
    pub(crate) fn left(self) -> Duration {
        let left = |moment: Instant| moment.saturating_duration_since(Instant::now());
        self.0.map_or(Duration::MAX, left)
    }
}
