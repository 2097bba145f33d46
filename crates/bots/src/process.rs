//! The life of a bot's process, as the referee sees it.
//!
//! ```text
//!              started                    its end is reported
//!   asked for ─────────▶ in conversation ─────────────────────▶ ended, output still to be read
//!       │                   │        │                                    │ to the end of file
//!       ▼ not started       │        ▼ late, too much of something        ▼
//!     (gone)                │      killed ───────────────────────────▶ (gone)
//!                           ▼ dropped
//!                         killed, with all that it started
//! ```
//!
//! A process that closes its output is not gone: it is waited for, or found late. A process that
//! has ended is not done with: what it wrote before is still in the pipe. What it left behind to
//! hold the pipe open is killed by the minder before the end is reported, so the end of the file
//! comes soon after the end of the process.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::pipe2;

use crate::minder::{Ended, Minder, Overrun, Report};
use crate::{Excerpt, Limits};

/// How long a machine may take to start a process before it is the machine's fault.
const PATIENCE: Duration = Duration::from_secs(60);

/// What waits to be read by a process that does not read. Beyond this nothing more is sent to it:
/// it will be found late.
const UNREAD: usize = 4 << 20;

/// How long the pipe of an ended process may stay open. Nothing of the bot's is left then, so this
/// only matters if it has handed its pipe to somebody outside.
const PIPE_CLOSES: Duration = Duration::from_secs(1);

/// What one listens for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Until {
    OutputEnds,
    ProcessEnds,
}

/// A process of a bot that is running, or has ended and is still to be read.
#[derive(Debug)]
pub(crate) struct Process<'a> {
    minder: &'a Minder,
    limits: &'a Limits,
    stdin: Option<OwnedFd>,
    /// What the process has not taken yet, and whether its input ends there.
    unsent: Vec<u8>,
    closing: bool,
    stdout: Option<OwnedFd>,
    /// What was read and not yet asked for.
    pub(crate) output: Vec<u8>,
    stderr: Option<OwnedFd>,
    /// The beginning and the end of what it wrote to its standard error.
    pub(crate) errors: Excerpt,
    pub(crate) started: Option<Instant>,
    pub(crate) ended: Option<Ended>,
    /// Time in which the machine kept it waiting, and which it was given back.
    forgiven: Duration,
}

/// Why there is no more to come from a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Silence {
    /// It could not be started, for this reason.
    NotStarted(String),
    /// It did not answer in time.
    Late,
    /// It wrote more than it may.
    TooMuchOutput,
    /// It used more than it may.
    TooMuch(Overrun),
    /// It has closed its output, or ended.
    Closed,
    /// It has killed the process that minds it.
    KilledItsMinder,
    /// Its file is not the one that was taken on; it is not started.
    Changed,
}

/// What goes wrong without anybody's fault.
#[derive(Debug, thiserror::Error)]
#[error("the machine failed to {doing}: {error}")]
pub struct MachineFault {
    doing: &'static str,
    error: io::Error,
}

impl MachineFault {
    pub(crate) fn no_minder(error: crate::minder::NoMinder) -> MachineFault {
        failed("start a minder")(io::Error::other(error))
    }
}

fn failed(doing: &'static str) -> impl Fn(io::Error) -> MachineFault {
    move |error| MachineFault { doing, error }
}

fn failed_to_pipe(error: Errno) -> MachineFault {
    failed("make a pipe")(error.into())
}

impl<'a> Process<'a> {
    /// Has a process started.
    pub(crate) fn start(
        minder: &'a Minder,
        limits: &'a Limits,
        arguments: &[String],
    ) -> Result<Process<'a>, MachineFault> {
        let pipe = || pipe2(OFlag::O_CLOEXEC).map_err(failed_to_pipe);
        let ((in_read, in_write), (out_read, out_write), (err_read, err_write)) =
            (pipe()?, pipe()?, pipe()?);
        for end in [&in_write, &out_read, &err_read] {
            fcntl(end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(failed_to_pipe)?;
        }
        let files = [in_read.as_fd(), out_write.as_fd(), err_write.as_fd()];
        minder
            .start(arguments, files)
            .map_err(failed("start a process"))?;
        Ok(Process {
            minder,
            limits,
            stdin: Some(in_write),
            unsent: Vec::new(),
            closing: false,
            stdout: Some(out_read),
            output: Vec::new(),
            stderr: Some(err_read),
            errors: Excerpt::default(),
            started: None,
            ended: None,
            forgiven: Duration::ZERO,
        })
    }

    /// Sends as much as the process takes now; the rest follows while it is listened to. What a
    /// process does not read is its own loss.
    pub(crate) fn send(&mut self, bytes: &[u8]) {
        if self.unsent.is_empty() {
            let taken = self.write(bytes);
            self.unsent.extend_from_slice(&bytes[taken..]);
        } else if self.unsent.len() + bytes.len() <= UNREAD {
            self.unsent.extend_from_slice(bytes);
        }
    }

    /// Closes the standard input, once all is sent.
    pub(crate) fn close_input(&mut self) {
        self.closing = true;
        if self.unsent.is_empty() {
            self.stdin = None;
        }
    }

    fn write(&mut self, bytes: &[u8]) -> usize {
        let Some(stdin) = &self.stdin else {
            return bytes.len();
        };
        match nix::unistd::write(stdin, bytes) {
            Ok(taken) => taken,
            Err(Errno::EAGAIN | Errno::EINTR) => 0,
            Err(_) => {
                // Nobody reads any more; whether that matters shows when an answer is due.
                self.stdin = None;
                bytes.len()
            }
        }
    }

    /// Waits for a line of output, without its end.
    pub(crate) fn line(
        &mut self,
        time: Duration,
    ) -> Result<Result<Vec<u8>, Silence>, MachineFault> {
        let mut searched = 0;
        let silence = self.listen(time, Until::OutputEnds, |process| {
            let new = &process.output[searched..];
            let found = new.iter().position(|&byte| byte == b'\n');
            searched = found.map_or(process.output.len(), |found| searched + found);
            found.is_some()
        })?;
        Ok(match silence {
            None => {
                let mut line: Vec<u8> = self.output.drain(..=searched).collect();
                line.pop();
                Ok(line)
            }
            Some(silence) => Err(silence),
        })
    }

    /// Waits until the process has ended and all its output is read.
    pub(crate) fn to_the_end(&mut self, time: Duration) -> Result<Option<Silence>, MachineFault> {
        let silence = self.listen(time, Until::ProcessEnds, |_| false)?;
        Ok(silence.filter(|silence| *silence != Silence::Closed))
    }

    /// Kills the process and waits until it is gone. What it wrote before can still be read.
    pub(crate) fn kill(&mut self) -> Result<(), MachineFault> {
        if self.ended.is_none() {
            self.minder.kill().map_err(failed("kill a process"))?;
            self.await_end(PATIENCE)?;
        }
        Ok(())
    }

    /// Waits for the end, reading and keeping nothing.
    fn await_end(&mut self, time: Duration) -> Result<(), MachineFault> {
        let until = Instant::now() + time;
        while self.ended.is_none() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let error = io::Error::other("it does not end");
                return Err(failed("bury a process")(error));
            }
            if self.wait(left)? == Some(Silence::KilledItsMinder) {
                return Ok(());
            }
            self.output.truncate(self.limits.output);
        }
        Ok(())
    }

    /// Listens until `enough`, or until there is a reason to stop. The output that came is kept.
    fn listen(
        &mut self,
        time: Duration,
        until: Until,
        mut enough: impl FnMut(&Process<'_>) -> bool,
    ) -> Result<Option<Silence>, MachineFault> {
        let asked = Instant::now();
        let mut extra = Duration::ZERO;
        let mut ended_at = None;
        loop {
            if enough(self) {
                return Ok(None);
            }
            if self.output.len() > self.limits.output || self.errors.total() > self.limits.errors {
                self.kill()?;
                return Ok(Some(Silence::TooMuchOutput));
            }
            if self.stdout.is_none() && (self.ended.is_some() || until == Until::OutputEnds) {
                let overrun = self.ended.as_ref().and_then(|ended| ended.overrun);
                return Ok(Some(overrun.map_or(Silence::Closed, Silence::TooMuch)));
            }
            // The clock runs from the moment at which the process could have begun.
            let deadline = match (self.started, &self.ended) {
                (_, Some(_)) => *ended_at.get_or_insert_with(Instant::now) + PIPE_CLOSES,
                (Some(started), None) => started.max(asked) + time + extra,
                (None, None) => asked + PATIENCE,
            };
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() && self.ended.is_some() {
                self.stdout = None;
                continue;
            }
            if left.is_zero() {
                if self.started.is_none() {
                    let error = io::Error::other("it took more than a minute");
                    return Err(failed("start a process")(error));
                }
                let given_back = self.kept_waiting()?.saturating_sub(self.forgiven);
                if given_back > Duration::from_millis(1) {
                    self.forgiven += given_back;
                    extra += given_back;
                    continue;
                }
                self.kill()?;
                return Ok(Some(Silence::Late));
            }
            let heard = self.wait(left)?;
            if heard.is_some() {
                return Ok(heard);
            }
        }
    }

    /// How long the machine has kept the process waiting in all.
    fn kept_waiting(&mut self) -> Result<Duration, MachineFault> {
        self.minder
            .ask_usage()
            .map_err(failed("ask how long a process has run"))?;
        loop {
            match self.minder.receive().map_err(failed("hear of a process"))? {
                Some(Report::Usage(usage)) => return Ok(usage.kept_waiting),
                Some(report) => drop(self.note(report)?),
                None => return Ok(Duration::ZERO),
            }
        }
    }

    /// Waits until something can be read or written, and does it.
    fn wait(&mut self, time: Duration) -> Result<Option<Silence>, MachineFault> {
        let pending = self.stdin.as_ref().filter(|_| !self.unsent.is_empty());
        let ends = [
            (Some(self.minder.reports()), PollFlags::POLLIN),
            (self.stdout.as_ref().map(AsFd::as_fd), PollFlags::POLLIN),
            (self.stderr.as_ref().map(AsFd::as_fd), PollFlags::POLLIN),
            (pending.map(AsFd::as_fd), PollFlags::POLLOUT),
        ];
        let mut waiting: Vec<PollFd<'_>> = ends
            .into_iter()
            .filter_map(|(end, what)| Some(PollFd::new(end?, what)))
            .collect();
        // Rounded up, or the last part of a millisecond would be spent asking again and again.
        let time = PollTimeout::try_from(time + Duration::from_micros(999));
        match poll(&mut waiting, time.unwrap_or(PollTimeout::MAX)) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(failed("wait for a process")(error.into())),
        }
        let mut answers = waiting.into_iter().map(|end| end.any().unwrap_or(true));
        let [report, output, errors, writable] =
            ends.map(|(end, _)| end.is_some() && answers.next() == Some(true));
        if output {
            self.read_output();
        }
        if errors {
            self.read_errors();
        }
        if writable {
            let mut unsent = std::mem::take(&mut self.unsent);
            let taken = self.write(&unsent);
            unsent.drain(..taken);
            self.unsent = unsent;
            if self.closing {
                self.close_input();
            }
        }
        if !report {
            return Ok(None);
        }
        match self.minder.receive().map_err(failed("hear of a process"))? {
            Some(report) => self.note(report),
            None => Ok(Some(Silence::KilledItsMinder)),
        }
    }

    fn note(&mut self, report: Report) -> Result<Option<Silence>, MachineFault> {
        match report {
            Report::Started { .. } => self.started = Some(Instant::now()),
            Report::Ended(ended) => self.ended = Some(ended),
            Report::NotStarted { reason, machine } if machine => {
                return Err(failed("start a process")(io::Error::other(reason)));
            }
            Report::NotStarted { reason, .. } => return Ok(Some(Silence::NotStarted(reason))),
            Report::Ready | Report::Refused(_) | Report::Usage(_) => {}
        }
        Ok(None)
    }

    fn read_output(&mut self) {
        let mut chunk = [0; 1 << 14];
        let Some(stdout) = &self.stdout else { return };
        match nix::unistd::read(stdout, &mut chunk) {
            Ok(0) => self.stdout = None,
            Ok(length) => self.output.extend_from_slice(&chunk[..length]),
            Err(Errno::EAGAIN | Errno::EINTR) => {}
            Err(_) => self.stdout = None,
        }
    }

    fn read_errors(&mut self) {
        let mut chunk = [0; 1 << 14];
        let Some(stderr) = &self.stderr else { return };
        match nix::unistd::read(stderr, &mut chunk) {
            Ok(0) => self.stderr = None,
            Ok(length) => self.errors.add(&chunk[..length]),
            Err(Errno::EAGAIN | Errno::EINTR) => {}
            Err(_) => self.stderr = None,
        }
    }
}
