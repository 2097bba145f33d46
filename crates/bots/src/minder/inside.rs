//! What happens inside a minder.
//!
//! ```text
//!            orders            start              the process ends, or
//!   (begin) ───────▶ idle ───────────────▶ minding ──────────────────▶ burying ──▶ idle
//!                      │                      │       is killed            │
//!                      ▼ channel closed       ▼ channel closed             ▼ told: ended
//!                    (exit)            all killed, (exit)
//! ```
//!
//! A minder has one thread and waits for two things: messages on its channel, and the end of a
//! child. While it minds a process it also looks after it from time to time, more and more seldom.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SigHandler, SigSet, Signal, killpg, signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::{Pid, getpid};

use super::confine::Confinement;
use super::{Ended, HowEnded, Orders, Overrun, Report, Request, Usage, channel, family};
use crate::Tier;

/// The role of the first process in a namespace of processes: it only has to be there.
pub(super) const INIT: &str = "init";

/// What it writes when it is ready to bury orphans.
pub(super) const READY: u8 = b'\n';

/// How long after its start a process is first looked at, and how seldom at last.
const FIRST_LOOK: Duration = Duration::from_millis(10);
const SELDOM: Duration = Duration::from_millis(100);

/// How long those that have been killed are given to die before the minder looks again.
const DYING: Duration = Duration::from_micros(50);

/// The whole life of a minder.
pub(super) fn main(role: Option<&OsStr>) -> ! {
    let status = match role {
        Some(role) if role == INIT => be_init(),
        _ => mind(),
    };
    std::process::exit(i32::from(status.is_err()));
}

/// Stays until the minder is gone. When this process ends, the kernel kills all others in its
/// namespace; until then those without a parent are its children, which it buries unseen.
fn be_init() -> io::Result<()> {
    on_the_end_of_children(SigHandler::SigIgn)?;
    io::stdout().write_all(&[READY])?;
    io::stdout().flush()?;
    io::stdin().lock().read_to_end(&mut Vec::new()).map(drop)
}

/// The end of a child is something to be told of, also where whoever started us did not care for
/// the ends of its own.
pub(super) fn watch_children() {
    let _ = on_the_end_of_children(SigHandler::SigDfl);
}

fn on_the_end_of_children(what: SigHandler) -> io::Result<()> {
    // SAFETY: no handler is installed, so no code of ours runs in a signal.
    #[expect(
        unsafe_code,
        reason = "changing what a signal does is unsafe in general"
    )]
    let before = unsafe { signal(Signal::SIGCHLD, what) };
    before.map(drop).map_err(io::Error::from)
}

fn mind() -> io::Result<()> {
    let channel = io::stdin().as_fd().try_clone_to_owned()?;
    let Some((Request::Orders(orders), _)) = channel::receive(&channel)? else {
        return Err(io::Error::other("a minder is given orders first"));
    };
    let confinement = match Confinement::prepare(&orders) {
        Ok(confinement) => confinement,
        Err(reason) => return channel::send(&channel, &Report::Refused(reason), &[]),
    };
    let mut children = SigSet::empty();
    children.add(Signal::SIGCHLD);
    children.thread_block()?;
    let deaths = SignalFd::with_flags(&children, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?;
    channel::send(&channel, &Report::Ready, &[])?;
    let mut minder = Minding {
        channel,
        deaths,
        orders,
        confinement,
        process: None,
    };
    let result = minder.attend();
    minder.kill_family();
    result
}

struct Minding {
    channel: OwnedFd,
    deaths: SignalFd,
    orders: Orders,
    confinement: Confinement,
    process: Option<Process>,
}

/// The process that is minded now.
struct Process {
    pid: Pid,
    next_look: Duration,
    overrun: Option<Overrun>,
    /// Its processor time when that was last counted anew.
    cpu_before: Duration,
}

impl Minding {
    /// Attends to messages and deaths until nobody sends messages any more.
    fn attend(&mut self) -> io::Result<()> {
        loop {
            let look = match &self.process {
                Some(process) if self.orders.tier != Tier::None => {
                    PollTimeout::try_from(process.next_look).unwrap_or(PollTimeout::MAX)
                }
                _ => PollTimeout::NONE,
            };
            let mut waiting = [
                PollFd::new(self.channel.as_fd(), PollFlags::POLLIN),
                PollFd::new(self.deaths.as_fd(), PollFlags::POLLIN),
            ];
            match poll(&mut waiting, look) {
                Ok(0) => {
                    self.look_after();
                    continue;
                }
                Ok(_) => {}
                Err(Errno::EINTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let [message, death] = waiting.map(|fd| fd.any().unwrap_or(true));
            if death {
                while let Ok(Some(_)) = self.deaths.read_signal() {}
                self.bury()?;
            }
            if message {
                match channel::receive(&self.channel)? {
                    None => return Ok(()),
                    Some((Request::Start(arguments), files)) => self.start(&arguments, files)?,
                    Some((Request::Kill, _)) => drop(self.kill_family()),
                    Some((Request::Usage, _)) => {
                        let holding = family::holding(&self.family());
                        self.report(&Report::Usage(Usage {
                            cpu: holding.cpu,
                            kept_waiting: holding.kept_waiting,
                        }))?;
                    }
                    Some((Request::CountAnew, _)) => {
                        let cpu = family::holding(&self.family()).cpu;
                        if let Some(process) = &mut self.process {
                            process.cpu_before = cpu;
                        }
                    }
                    Some((Request::Orders(_), _)) => {
                        return Err(io::Error::other("a minder has one bot"));
                    }
                }
            }
        }
    }

    fn report(&self, report: &Report) -> io::Result<()> {
        channel::send(&self.channel, report, &[])
    }

    fn start(&mut self, arguments: &[String], files: Vec<OwnedFd>) -> io::Result<()> {
        let Ok([stdin, stdout, stderr]) = <[OwnedFd; 3]>::try_from(files) else {
            return Err(io::Error::other("a process needs three standard files"));
        };
        let mut command = Command::new(&self.orders.command[0]);
        command
            .args(&self.orders.command[1..])
            .args(arguments)
            .stdin(Stdio::from(stdin))
            .stdout(Stdio::from(stdout))
            .stderr(Stdio::from(stderr))
            .process_group(0)
            .current_dir(&self.orders.folder);
        if self.orders.tier == Tier::None {
            as_a_shell_would(&mut command);
        } else {
            command
                .env_clear()
                .env("PATH", "/usr/local/bin:/usr/bin:/bin")
                .env("LANG", "C.UTF-8")
                // A program that ends need not give its memory back.
                .env("ASAN_OPTIONS", "detect_leaks=0")
                .env("HOME", &self.orders.folder);
        }
        command.envs(self.orders.environment.iter().cloned());
        self.confinement.apply_to(&mut command)?;
        match command.spawn() {
            Ok(child) => {
                let pid = Pid::from_raw(child.id() as i32);
                self.process = Some(Process {
                    pid,
                    next_look: FIRST_LOOK,
                    overrun: None,
                    cpu_before: Duration::ZERO,
                });
                self.report(&Report::Started { pid: pid.as_raw() })
            }
            Err(error) => {
                // What is wrong with the program itself is its own fault, the rest is not.
                let scarce = [libc::EAGAIN, libc::ENOMEM, libc::EMFILE, libc::ENFILE];
                let machine = error
                    .raw_os_error()
                    .is_some_and(|code| scarce.contains(&code));
                self.report(&Report::NotStarted {
                    reason: error.to_string(),
                    machine,
                })
            }
        }
    }

    /// All processes of the bot, or more than it may have.
    fn family(&self) -> Vec<Pid> {
        let enough = match self.orders.tier {
            Tier::None => usize::MAX,
            Tier::Limits | Tier::Strict => self.orders.limits.processes as usize,
        };
        family::below(getpid(), self.confinement.init(), enough)
    }

    fn kill_family(&mut self) -> BTreeSet<Pid> {
        // However fast they multiply, at one stroke all are dead that have not left their group.
        if let Some(process) = &self.process {
            let _ = killpg(process.pid, Signal::SIGKILL);
        }
        family::kill_all(getpid(), self.confinement.init())
    }

    /// What the bot has too much of.
    fn overrun(&self) -> Option<Overrun> {
        let limits = &self.orders.limits;
        let family = self.family();
        if family::tasks(&family) > limits.processes as usize {
            return Some(Overrun::Processes);
        }
        let holding = family::holding(&family);
        let cpu_before = self
            .process
            .as_ref()
            .map_or(Duration::ZERO, |process| process.cpu_before);
        // Pages that several processes share are in the memory of each: a sum that is too much is
        // looked at again, more exactly and at greater cost.
        if holding.memory > limits.memory && family::fair_memory(&family) > limits.memory {
            Some(Overrun::Memory)
        } else if holding.cpu.saturating_sub(cpu_before) > limits.cpu {
            Some(Overrun::Cpu)
        } else {
            None
        }
    }

    /// Kills the bot if it has too much of something.
    fn look_after(&mut self) {
        let overrun = self.overrun();
        if let Some(process) = &mut self.process {
            process.next_look = (2 * process.next_look).min(SELDOM);
            process.overrun = process.overrun.or(overrun);
        }
        if overrun.is_some() {
            self.kill_family();
        }
    }

    /// Buries the dead; if the minded process is among them, so is then all that it left behind.
    fn bury(&mut self) -> io::Result<()> {
        while let Some((pid, how, used)) = wait_for_any() {
            let ours = self.process.take_if(|process| process.pid == pid);
            let Some(process) = ours else { continue };
            let left_behind = self.bury_the_rest();
            self.report(&Report::Ended(Ended {
                how,
                overrun: process.overrun,
                cpu: used.cpu,
                peak_memory: used.peak_memory,
                left_behind,
            }))?;
        }
        Ok(())
    }

    fn bury_the_rest(&mut self) -> u32 {
        let mut killed = BTreeSet::new();
        while self.confinement.has_orphans() {
            killed.extend(self.kill_family());
            while let Ok(status) = waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                if status.pid().is_none() {
                    break;
                }
            }
            // Who is to die needs the processor for it.
            std::thread::sleep(DYING);
        }
        killed.len() as u32
    }
}

/// Has a command started as one that is typed into a shell: a script that does not name its
/// interpreter is the shell's. `execvp` sees to that, while the faster way of starting, which is
/// taken when there is nothing to do before, does not.
fn as_a_shell_would(command: &mut Command) {
    // SAFETY: nothing is done.
    #[expect(unsafe_code, reason = "this is what runs between fork and exec")]
    unsafe {
        command.pre_exec(|| Ok(()));
    }
}

struct Used {
    cpu: Duration,
    peak_memory: u64,
}

/// The next child that has ended, and what it and its own buried children used.
fn wait_for_any() -> Option<(Pid, HowEnded, Used)> {
    let mut status = 0;
    // SAFETY: both are plain values that the kernel fills in.
    #[expect(unsafe_code, reason = "there is no safe wait that tells what was used")]
    let (pid, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        (
            libc::wait4(-1, &mut status, libc::WNOHANG, &mut usage),
            usage,
        )
    };
    if pid <= 0 {
        return None;
    }
    let how = if libc::WIFSIGNALED(status) {
        HowEnded::Signal(libc::WTERMSIG(status))
    } else {
        HowEnded::Status(libc::WEXITSTATUS(status))
    };
    let time = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    let used = Used {
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
        peak_memory: usage.ru_maxrss as u64 * 1024,
    };
    Some((Pid::from_raw(pid), how, used))
}
