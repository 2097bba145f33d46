//! The wish to stop, for one game or one thought.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A cancellation token: whoever holds a copy can ask all who hold one to stop.
///
/// It belongs to whatever it was made for, such as one table; other tables have tokens of their
/// own. Once cancelled, it stays so.
///
/// ```
/// use croupier_core::Cancel;
///
/// let table = Cancel::new();
/// let thought = table.clone();
/// table.cancel();
/// assert!(thought.is_cancelled());
/// assert!(!Cancel::new().is_cancelled());
/// ```
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A token that nobody has cancelled yet.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Asks all who hold this token to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has asked to stop.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for a signal handler that sets it.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }
}
