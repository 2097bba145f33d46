//! Why nothing more comes from a process, and what goes wrong without any player's fault.

use std::fmt;
use std::io;

use crate::minder::{NoMinder, Overrun};

/// Why there is no more to come from a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Silence {
    /// It could not be started, for this reason.
    NotStarted(String),
    /// It did not answer in time.
    Late,
    /// It wrote more to its standard output than it may.
    TooMuchOutput,
    /// It wrote more to its standard error than it may.
    TooManyErrors,
    /// It used more than it may.
    TooMuch(Overrun),
    /// It has closed its output, or ended.
    Closed,
    /// It has killed the process that minds it.
    KilledItsMinder,
    /// Its file is not the one that was taken on; it is not started.
    Changed,
    /// Somebody wants to stop.
    Interrupted,
}

impl fmt::Display for Silence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Silence::NotStarted(reason) => return write!(f, "it could not be started: {reason}"),
            Silence::Late => "it did not answer in time",
            Silence::TooMuchOutput => "it wrote more to its standard output than it may",
            Silence::TooManyErrors => "it wrote more to its standard error than it may",
            Silence::TooMuch(Overrun::Memory) => "it used more memory than it may",
            Silence::TooMuch(Overrun::Processes) => "it ran more processes than it may",
            Silence::TooMuch(Overrun::Cpu) => "it used more processor time than it may",
            Silence::Closed => "it closed its output",
            Silence::KilledItsMinder => "it killed the process that minds it",
            Silence::Changed => "its file is not the one that was taken on",
            Silence::Interrupted => "somebody wanted to stop",
        })
    }
}

/// What goes wrong without any player's fault.
#[derive(Debug, thiserror::Error)]
#[error("the machine failed to {doing}: {error}")]
pub struct MachineFault {
    doing: &'static str,
    error: io::Error,
}

impl MachineFault {
    /// The machine failed to do this.
    pub(crate) fn new(doing: &'static str, error: io::Error) -> MachineFault {
        MachineFault { doing, error }
    }
}

impl From<NoMinder> for MachineFault {
    fn from(error: NoMinder) -> MachineFault {
        failed("start a minder")(io::Error::other(error))
    }
}

/// Makes a fault of the machine of an error.
pub(crate) fn failed<E: Into<io::Error>>(doing: &'static str) -> impl Fn(E) -> MachineFault {
    move |error| MachineFault::new(doing, error.into())
}
