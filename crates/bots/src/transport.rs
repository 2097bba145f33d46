//! What carries lines to whoever plays, and back.
//!
//! The protocols speak over a [`Transport`] and do not know what is at its other end: a process on
//! pipes today, and whatever else carries lines when somebody writes it.

use std::fmt;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::minder::Ended;
use crate::process::{Process, see_off};
use crate::silence::{MachineFault, Silence};
use crate::{Bot, Excerpt, Interrupt};

/// A line, or why none comes; or that the machine failed.
pub type HeardLine = Result<Result<Vec<u8>, Silence>, MachineFault>;

/// Something that carries lines to a program and back.
pub trait Transport: Send + fmt::Debug {
    /// Sends these bytes. What the other end does not read is its own loss.
    fn send(&mut self, bytes: &[u8]);

    /// Sends no more: the other end finds the end of its input.
    fn close(&mut self);

    /// Waits so long for a line, and gives it without its end.
    fn line(&mut self, time: Duration, interrupt: Option<&Interrupt>) -> HeardLine;

    /// Takes what has come of a line that has not ended.
    fn take_rest(&mut self) -> Vec<u8>;

    /// Waits until the other end is gone, but not longer than this.
    fn wait_for_end(&mut self, until: Instant) -> Result<(), MachineFault>;

    /// Waits until the other end is gone, which it was asked for at this moment and has so long for;
    /// tells why it was cut short, if it was.
    fn see_out(
        &mut self,
        asked: Instant,
        time: Duration,
        interrupt: Option<&Interrupt>,
    ) -> Result<Option<Silence>, MachineFault>;

    /// How the program at the other end has ended, if it is known to have.
    fn ended(&self) -> Option<&Ended>;

    /// The same, unless it was us who ended it.
    fn ended_by_itself(&self) -> Option<&Ended>;

    /// What the program has said besides its lines since it was asked last.
    fn errors(&self) -> &Excerpt;

    /// A new question: what was said before belongs to others.
    fn ask_anew(&mut self);
}

/// Somebody who can be called, again and again.
pub trait Callee: Send + fmt::Debug {
    /// Opens a line, for which a program may be started with these arguments.
    fn call(&mut self, arguments: &[String]) -> Result<Box<dyn Transport>, MachineFault>;

    /// The file that a person named, by which it is known in faults.
    fn source(&self) -> &Path;
}

impl Callee for Bot {
    fn call(&mut self, arguments: &[String]) -> Result<Box<dyn Transport>, MachineFault> {
        Ok(Box::new(self.open(arguments, true)?))
    }

    fn source(&self) -> &Path {
        &self.program().source
    }
}

impl Transport for Process {
    fn send(&mut self, bytes: &[u8]) {
        Process::send(self, bytes);
    }

    fn close(&mut self) {
        self.close_input();
    }

    fn line(&mut self, time: Duration, interrupt: Option<&Interrupt>) -> HeardLine {
        Process::line(self, time, interrupt)
    }

    fn take_rest(&mut self) -> Vec<u8> {
        self.take_output()
    }

    fn wait_for_end(&mut self, until: Instant) -> Result<(), MachineFault> {
        see_off(std::slice::from_mut(self), until)
    }

    fn see_out(
        &mut self,
        asked: Instant,
        time: Duration,
        interrupt: Option<&Interrupt>,
    ) -> Result<Option<Silence>, MachineFault> {
        Process::see_out(self, asked, time, interrupt)
    }

    fn ended(&self) -> Option<&Ended> {
        Process::ended(self)
    }

    fn ended_by_itself(&self) -> Option<&Ended> {
        Process::ended_by_itself(self)
    }

    fn errors(&self) -> &Excerpt {
        Process::errors(self)
    }

    fn ask_anew(&mut self) {
        Process::ask_anew(self);
    }
}
