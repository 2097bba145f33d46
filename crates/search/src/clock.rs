//! The one place where an expert looks at the clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Whether nobody waits for a thought any more.
static GIVEN_UP: AtomicBool = AtomicBool::new(false);

/// Ends whatever is being thought in this program, now and later, as soon as there is any answer. It
/// is for those who throw the game away, as after Ctrl-C: such answers are worth nothing.
pub fn give_up() {
    GIVEN_UP.store(true, Ordering::Relaxed);
}

pub(crate) fn is_given_up() -> bool {
    GIVEN_UP.load(Ordering::Relaxed)
}

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
            _ if is_given_up() => Err(TooLate),
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
