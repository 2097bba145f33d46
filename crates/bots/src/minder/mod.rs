//! The minder: a process of our own that minds one bot.
//!
//! ```text
//!   referee ──── channel: start, kill, usage / started, ended ────▶ minder
//!      │                                                              │ starts, watches, buries
//!      └──── stdin, stdout, stderr of each process of the bot ────▶ bot
//! ```
//!
//! A bot's processes could be started by the referee itself, or through a wrapper program that is
//! run before each of them. Both were weighed. The referee is large and has many threads, so
//! starting from it is slow and leaves no room to prepare the child; and what a bot leaves behind
//! would fall to a parent that minds many. A wrapper costs a second program start for every
//! decision. The minder is started once for each bot and match: it has one thread, so that its
//! children can borrow its memory until they are programs, which is fast and leaves room to limit
//! them; and whatever becomes an orphan among them becomes its own child, so that nothing gets away.
//!
//! A program that was compiled for it, or is in Python, is not even started anew for every decision, but
//! forked from a template ([`template`]); the minder minds both alike. Once there is a template, the referee
//! asks it itself, and the minder hears of the process when it ends or takes its time: being woken costs more
//! than a fast program takes.
//!
//! The minder is this same program, started again with [`ARGUMENT`]; every program that runs bots
//! calls [`mind_if_asked`] before anything else.

mod calls;
mod cgroup;
mod channel;
mod confine;
mod family;
mod inside;
mod launch;
mod template;

use std::ffi::OsString;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::sys::socket::{AddressFamily, Shutdown, SockFlag, SockType, shutdown, socketpair};
use nix::sys::stat::fstat;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

pub(crate) use confine::SYSTEM;

use crate::{Limits, Tier};

/// How long a machine may take for something that is ours to do, before that is its fault.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The argument that makes a program a minder.
const ARGUMENT: &str = "--mind-a-bot";

/// Becomes a minder and never returns, if that is what this process was started for.
///
/// Every program that runs bots calls this first in its `main`.
pub fn mind_if_asked() {
    inside::watch_children();
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_some_and(|first| first == ARGUMENT) {
        inside::main(arguments.next().as_deref());
    }
}

/// What a minder has to know about its bot. Names of files are any bytes, not only text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    /// How tightly the bot is held.
    pub tier: Tier,
    /// How much it may use.
    pub limits: Limits,
    /// The program and the arguments that every one of its processes is started with.
    pub command: Vec<OsString>,
    /// What its template is started with in place of that, if it is to have one.
    pub template: Option<Vec<OsString>>,
    /// What the program may read besides the system's files: itself, its interpreter.
    pub readable: Vec<OsString>,
    /// The folder in which it is started.
    pub folder: OsString,
    /// Whether it may write in that folder.
    pub may_write: bool,
    /// How many bytes all files in that folder may have together, if it is a file system of its own where one
    /// can be made.
    pub room: Option<u64>,
    /// What is added to its environment.
    pub environment: Vec<(String, String)>,
    /// Whether it takes address space without end, so that only the memory that it fills counts.
    pub is_sanitized: bool,
}

#[derive(Debug, Serialize, Deserialize)]
enum Request {
    /// Take this job.
    Job(Box<Job>),
    /// Start a process with these further arguments; its three standard files come along.
    Start(Vec<String>),
    /// The template has been asked for so many processes in all; mind the last of them.
    Asked(u64),
    /// Kill the process and everything it has started.
    Kill,
    /// Tell how much the process has used.
    Usage,
    /// Count the processor time of the process from here on.
    CountAnew,
}

/// What a minder tells the referee.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Notice {
    /// The job can be done; what the kernel counts for all processes of the bot together. If the bot's folder
    /// is a file system of its own, that comes along.
    Ready(Vec<String>),
    /// The job cannot be done as it is asked for on this machine.
    Refused(String),
    /// A process was started so long ago. Told of those that have not ended after a moment.
    Started { pid: i32, age: Duration },
    /// The program could not be started; whose fault it was.
    NotStarted { reason: String, machine: bool },
    /// The process, started so long ago, has ended, and so has everything it had started. Whether the
    /// template may be asked for the next one with the same arguments; its socket comes along the first time.
    Ended {
        how: Ended,
        age: Duration,
        may_ask: bool,
    },
    /// The template was asked and has not started anything, nor will it.
    NothingCame,
    /// How much the process has used so far.
    Usage(Usage),
    /// The minder gives up, for a reason that has nothing to do with the bot.
    Failed(String),
}

/// How a process ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Ended {
    /// Its exit status, or the signal that killed it.
    pub how: HowEnded,
    /// What it had too much of, if the minder killed it for that.
    pub overrun: Option<Overrun>,
    /// Processor time of it and of all that it started.
    pub cpu: Duration,
    /// The most memory that one of its processes had, in bytes; 0 if it was too little to be told
    /// from that of the minder.
    pub peak_memory: u64,
    /// How many processes it left behind, which were killed.
    pub left_behind: u32,
}

/// An exit status or a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum HowEnded {
    /// It ended by itself, with this status.
    Status(i32),
    /// It was killed by this signal.
    Signal(i32),
}

/// What a bot had too much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Overrun {
    /// Memory.
    Memory,
    /// Processes and threads.
    Processes,
    /// Processor time.
    Cpu,
}

/// How much a process has used so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Usage {
    /// Processor time.
    pub(crate) cpu: Duration,
    /// Time for which it could have run, but the machine was busy with others.
    pub(crate) kept_waiting: Duration,
}

/// Why there is no minder.
#[derive(Debug, thiserror::Error)]
pub enum NoMinder {
    /// The machine cannot enforce what was asked for.
    #[error("this machine cannot give the sandbox tier '{tier}': {reason}")]
    Refused {
        /// The tier that was asked for.
        tier: Tier,
        /// What is missing.
        reason: String,
    },
    /// The machine failed.
    #[error("failed to start a minder: {0}")]
    Machine(#[from] io::Error),
}

/// The referee's end of a minder. Dropped, it takes the minder and the bot along.
#[derive(Debug)]
pub(crate) struct Minder {
    channel: OwnedFd,
    process: Child,
    tier: Tier,
    /// The file that is started.
    starts: PathBuf,
    counted: Vec<String>,
    /// The bot's folder, if that is a file system of its own.
    folder: Option<OwnFolder>,
    standby: Mutex<Standby>,
}

/// A folder that has its name in the bot's world alone. It is gone with the minder, and with this.
#[derive(Debug)]
struct OwnFolder {
    /// How we find it.
    path: PathBuf,
    _open: OwnedFd,
}

impl From<OwnedFd> for OwnFolder {
    fn from(open: OwnedFd) -> OwnFolder {
        OwnFolder {
            // With a point at its end it is not taken for the link that it is.
            path: PathBuf::from(format!("/proc/self/fd/{}/.", open.as_raw_fd())),
            _open: open,
        }
    }
}

/// What the referee needs to ask a template itself.
#[derive(Debug, Default)]
struct Standby {
    /// The minder's own end of the socket to its template: the referee writes to it, the minder reads.
    control: Option<OwnedFd>,
    /// The arguments of the last start, which are those of the template.
    arguments: Vec<String>,
    /// How often a template has been asked in all.
    asked: u64,
}

/// Who was asked to start a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AskedWhom {
    Minder,
    /// The minder does not know of it before it ends, or is told.
    Template,
}

/// Whose doing it is that a minder cannot mind any more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Loss {
    /// Its bot has killed or stopped it.
    Bots,
    /// It has failed by itself, or through somebody else.
    Machines(String),
}

impl Minder {
    /// Starts a minder with this job.
    pub(crate) fn hire(program: &Path, job: &Job) -> Result<Minder, NoMinder> {
        let (ours, theirs) = socketpair(
            AddressFamily::Unix,
            SockType::SeqPacket,
            None,
            SockFlag::SOCK_CLOEXEC,
        )
        .map_err(io::Error::from)?;
        let process = Command::new(program)
            .arg(ARGUMENT)
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let mut minder = Minder {
            channel: ours,
            process,
            tier: job.tier,
            starts: job.command.first().map(PathBuf::from).unwrap_or_default(),
            counted: Vec::new(),
            folder: None,
            standby: Mutex::default(),
        };
        channel::send(&minder.channel, &Request::Job(Box::new(job.clone())), &[])?;
        match minder.receive_soon()? {
            Some((Notice::Ready(counted), mut files)) => {
                minder.counted = counted;
                minder.folder = files.pop().map(OwnFolder::from);
                Ok(minder)
            }
            Some((Notice::Refused(reason), _)) => Err(NoMinder::Refused {
                tier: job.tier,
                reason,
            }),
            Some((Notice::Failed(reason), _)) => Err(NoMinder::Machine(io::Error::other(reason))),
            Some((other, _)) => {
                let reason = format!("it answered {other:?}");
                Err(NoMinder::Machine(io::Error::other(reason)))
            }
            None => {
                let reason = match minder.loss() {
                    Loss::Machines(reason) => reason,
                    Loss::Bots => "it was killed".to_owned(),
                };
                Err(NoMinder::Machine(io::Error::other(reason)))
            }
        }
    }

    /// The file that it starts.
    pub(crate) fn starts(&self) -> &Path {
        &self.starts
    }

    /// The bot's folder, if that is a file system of its own.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_ref().map(|folder| folder.path.as_path())
    }

    /// What the kernel counts for all processes of the bot together.
    pub(crate) fn counted(&self) -> &[String] {
        &self.counted
    }

    /// Has a process started whose standard input, output and error are these, by the template if it waits.
    pub(crate) fn start(
        &self,
        arguments: &[String],
        files: [BorrowedFd<'_>; 3],
    ) -> io::Result<AskedWhom> {
        let mut standby = self.standby();
        if standby.arguments == arguments
            && let Some(control) = &standby.control
            && template::ask(control, files).is_ok()
        {
            standby.asked += 1;
            return Ok(AskedWhom::Template);
        }
        standby.control = None;
        standby.arguments = arguments.to_vec();
        channel::send(&self.channel, &Request::Start(arguments.to_vec()), &files)?;
        Ok(AskedWhom::Minder)
    }

    /// Has the minder mind the process for which the template was asked.
    pub(crate) fn tell_of_the_asked(&self) -> io::Result<()> {
        channel::send(&self.channel, &Request::Asked(self.standby().asked), &[])
    }

    fn standby(&self) -> MutexGuard<'_, Standby> {
        self.standby.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has the process and all that it started killed; that it has ended is reported.
    pub(crate) fn kill(&self) -> io::Result<()> {
        channel::send(&self.channel, &Request::Kill, &[])
    }

    /// Asks how much the process has used.
    pub(crate) fn ask_usage(&self) -> io::Result<()> {
        channel::send(&self.channel, &Request::Usage, &[])
    }

    /// Has the processor time counted from here on.
    pub(crate) fn count_anew(&self) -> io::Result<()> {
        channel::send(&self.channel, &Request::CountAnew, &[])
    }

    /// Whether somebody has stopped the minder.
    pub(crate) fn is_stopped(&self) -> bool {
        family::is_stopped(self.pid())
    }

    /// Whose doing it is that the minder has ended, or was stopped.
    ///
    /// A bot that is not held strictly can kill or stop it, and nobody else has a reason to; but
    /// only by the two signals that cannot be blocked.
    pub(crate) fn loss(&self) -> Loss {
        let is_in_reach = self.tier != Tier::Strict;
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WSTOPPED | WaitPidFlag::WNOWAIT;
        let how = match waitid(Id::Pid(self.pid()), flags) {
            Ok(
                WaitStatus::Signaled(_, Signal::SIGKILL, _)
                | WaitStatus::Stopped(_, Signal::SIGSTOP),
            ) if is_in_reach => return Loss::Bots,
            Ok(WaitStatus::Signaled(_, signal, _)) => format!("was killed by {signal}"),
            Ok(WaitStatus::Stopped(..)) => "was stopped".to_owned(),
            Ok(WaitStatus::Exited(_, status)) => format!("ended with status {status}"),
            Ok(_) | Err(_) => "is gone".to_owned(),
        };
        Loss::Machines(format!("the process that minds the bot {how}"))
    }

    /// Ends a minder that cannot do its work any more, after what it minds.
    pub(crate) fn put_down(&self) {
        family::kill_all(|| family::below(self.pid(), &[], usize::MAX));
        let _ = kill(self.pid(), Signal::SIGKILL);
        let _ = waitid(
            Id::Pid(self.pid()),
            WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT,
        );
    }

    /// Kills what has lost its minder: the process, if its number was told before, whoever holds
    /// the other end of one of these pipes, and all that they have started.
    pub(crate) fn put_down_orphans<'a>(pid: Option<i32>, pipes: impl Iterator<Item = &'a OwnedFd>) {
        let pipes: Vec<u64> = pipes
            .flat_map(|pipe| fstat(pipe).map(|file| file.st_ino))
            .collect();
        for pid in family::holders(&pipes)
            .into_iter()
            .chain(pid.map(Pid::from_raw))
        {
            let _ = kill(pid, Signal::SIGSTOP);
            family::kill_all(|| family::below(pid, &[], usize::MAX));
            let _ = kill(pid, Signal::SIGKILL);
        }
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.process.id() as i32)
    }

    /// Waits for the next report; none if the minder is gone.
    pub(crate) fn receive(&self) -> io::Result<Option<Notice>> {
        Ok(self.receive_with_files()?.map(|(report, mut files)| {
            match report {
                Notice::Ended { may_ask: true, .. } if files.is_empty() => {}
                Notice::Ended { may_ask: true, .. } => self.standby().control = files.pop(),
                Notice::Ended { .. } | Notice::NothingCame => self.standby().control = None,
                _ => {}
            }
            report
        }))
    }

    fn receive_with_files(&self) -> io::Result<Option<(Notice, Vec<OwnedFd>)>> {
        channel::receive(&self.channel, &mut [0; channel::TO_REFEREE])
    }

    /// The same, but nobody takes that long without being in trouble.
    fn receive_soon(&self) -> io::Result<Option<(Notice, Vec<OwnedFd>)>> {
        let mut channel = [PollFd::new(self.channel.as_fd(), PollFlags::POLLIN)];
        let patience = PollTimeout::try_from(PATIENCE).unwrap_or(PollTimeout::MAX);
        match poll(&mut channel, patience) {
            Ok(0) => Err(io::Error::other("it does not answer")),
            // An interruption is no reason not to hear the answer, which is on its way.
            Ok(_) | Err(Errno::EINTR) => self.receive_with_files(),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether the minder has ended, before its job was done.
    pub(crate) fn is_gone(&self) -> bool {
        let mut channel = [PollFd::new(self.channel.as_fd(), PollFlags::empty())];
        let gone = PollFlags::POLLHUP | PollFlags::POLLERR;
        let seen = poll(&mut channel, PollTimeout::ZERO).is_ok_and(|ready| ready > 0);
        seen && channel[0]
            .revents()
            .is_none_or(|events| events.intersects(gone))
    }

    /// What to wait on for the next report.
    pub(crate) fn reports(&self) -> BorrowedFd<'_> {
        self.channel.as_fd()
    }
}

impl Drop for Minder {
    fn drop(&mut self) {
        // The minder ends when nobody is at the other end of its channel, and first it kills what
        // it minds. Only a minder that cannot do so any more is killed itself.
        let _ = shutdown(self.channel.as_raw_fd(), Shutdown::Both);
        let process = &mut self.process;
        for _ in 0..2_000 {
            match process.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Ok(Some(_)) | Err(_) => return cgroup::remove(self.pid()),
            }
        }
        self.put_down();
        let _ = self.process.wait();
        cgroup::remove(self.pid());
    }
}
