//! The one place where an expert looks at the clock.

use std::time::{Duration, Instant};

use croupier_core::Cancel;

/// A clock that has been started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock(Instant);

/// A moment by which something has to be done, unless nobody waits for it any more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline<'a> {
    moment: Option<Instant>,
    cancel: &'a Cancel,
}

/// The moment has passed by which something had to be done.
#[derive(Debug)]
pub(crate) struct TooLate;

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock(Instant::now())
    }

    /// The moment so long after the start.
    pub(crate) fn after(self, time: Duration, cancel: &Cancel) -> Deadline<'_> {
        Deadline {
            moment: Some(self.0 + time),
            cancel,
        }
    }
}

impl<'a> Deadline<'a> {
    /// There is time enough, until it is cancelled.
    pub(crate) fn never(cancel: &'a Cancel) -> Deadline<'a> {
        Deadline {
            moment: None,
            cancel,
        }
    }

    /// Whether there is still time.
    #[inline]
    pub(crate) fn in_time(self) -> Result<(), TooLate> {
        match self.moment {
            _ if self.cancel.is_cancelled() => Err(TooLate),
            Some(moment) if Instant::now() >= moment => Err(TooLate),
            _ => Ok(()),
        }
    }

    /// How long it is until then; nothing if it has passed.
    pub(crate) fn left(self) -> Duration {
        let left = |moment: Instant| moment.saturating_duration_since(Instant::now());
        self.moment.map_or(Duration::MAX, left)
    }
}
