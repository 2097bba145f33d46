//! What happens inside a minder.
//!
//! ```text
//!             job             start             the process ends, or
//!   (begin) ───────▶ idle ───────────────▶ minding ──────────────────▶ burying ──▶ idle
//!                      │                      │       is killed            │
//!                      ▼ channel closed       ▼ channel closed             ▼ told: ended
//!                    (exit)            all killed, (exit)
//! ```
//!
//! A minder has one thread and waits for two things: messages on its channel, and the end of a
//! child. While it minds a process it also looks after it from time to time, more and more seldom.
//! When it looks is a point in time and not a pause: whatever comes in between, however often, does
//! not put it off.
//!
//! All signals are blocked in a minder, so that only those that nobody can block, SIGKILL and
//! SIGSTOP, can keep it from its work. What it starts begins with an empty signal mask.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{SigHandler, SigSet, Signal, killpg, signal};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::time::TimeValLike;
use nix::unistd::{Pid, getpid};

use super::cgroup::Cgroup;
use super::confine::Confinement;
use super::family::Holding;
use super::launch::{Launch, NotStarted};
use super::template::{Came, Stock};
use super::{Ended, Job, Notice, Overrun, Request, Usage, channel, family};
use crate::Tier;

/// The role of the first process in a namespace of processes: it only has to be there.
pub(super) const INIT: &str = "init";

/// What it writes when it is ready to bury orphans.
pub(super) const READY: u8 = b'\n';

/// How long after its start it is told of a process that it has begun.
const TOLD_AFTER: Duration = Duration::from_millis(1);

/// How long after its start a process is first looked at, and how seldom at last.
const FIRST_LOOK: Duration = Duration::from_millis(10);
const SELDOM: Duration = Duration::from_millis(100);

/// How long those that have been killed are given to die before the minder looks again.
const DYING: Duration = Duration::from_micros(50);

/// How many dead are buried before anything else is attended to: a bot may bring forth orphans
/// faster than they can be buried.
const AT_A_TIME: usize = 64;

/// The whole life of a minder.
pub(super) fn main(role: Option<&OsStr>) -> ! {
    let status = deaf_to_signals().and_then(|deaths| match role {
        Some(role) if role == INIT => be_init(&deaths),
        _ => mind(deaths),
    });
    std::process::exit(i32::from(status.is_err()));
}

/// Gives every signal its default disposition, whatever whoever started us has made of it, and
/// blocks them all: nobody but the kernel interrupts us. The end of a child is read from a file.
fn deaf_to_signals() -> io::Result<SignalFd> {
    for number in 1..=libc::SIGRTMAX() {
        // SAFETY: no handler is installed, so no code of ours runs in a signal. Some numbers are
        // not ours to change, which is refused.
        #[expect(
            unsafe_code,
            reason = "changing what a signal does is unsafe in general"
        )]
        unsafe {
            libc::signal(number, libc::SIG_DFL);
        }
    }
    SigSet::all().thread_block()?;
    let mut children = SigSet::empty();
    children.add(Signal::SIGCHLD);
    let flags = SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC;
    Ok(SignalFd::with_flags(&children, flags)?)
}

/// Stays until the minder is gone. When this process ends, the kernel kills all others in its
/// namespace; until then those without a parent are its children. It waits for each of them, and so
/// has their processor time in its account.
fn be_init(deaths: &SignalFd) -> io::Result<()> {
    io::stdout().write_all(&[READY])?;
    io::stdout().flush()?;
    let minder = io::stdin();
    loop {
        let mut waiting = [
            PollFd::new(minder.as_fd(), PollFlags::POLLIN),
            PollFd::new(deaths.as_fd(), PollFlags::POLLIN),
        ];
        match poll(&mut waiting, PollTimeout::NONE) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        if waiting[0].any().unwrap_or(true) {
            return Ok(());
        }
        while let Ok(Some(_)) = deaths.read_signal() {}
        while family::bury_any().is_some() {}
    }
}

/// The end of a child is something to be told of, also where whoever started us did not care for
/// the ends of its own.
pub(super) fn watch_children() {
    // SAFETY: no handler is installed, so no code of ours runs in a signal.
    #[expect(
        unsafe_code,
        reason = "changing what a signal does is unsafe in general"
    )]
    let _ = unsafe { signal(Signal::SIGCHLD, SigHandler::SigDfl) };
}

fn mind(deaths: SignalFd) -> io::Result<()> {
    let channel = io::stdin().as_fd().try_clone_to_owned()?;
    let mut room = vec![0; channel::TO_MINDER];
    let Some((Request::Job(job), _)) = channel::receive(&channel, &mut room)? else {
        return Err(io::Error::other("a minder is given its job first"));
    };
    let (confinement, launch) = match Confinement::prepare(&job) {
        Ok(prepared) => prepared,
        Err(reason) => return channel::send(&channel, &Notice::Refused(reason), &[]),
    };
    let counted = confinement.group.as_ref().map(Cgroup::counted);
    let ready = Notice::Ready(counted.unwrap_or_default());
    channel::send(&channel, &ready, confinement.folder().as_slice())?;
    let patience = job.template.is_some().then_some(job.limits.start);
    let mut minder = Minding {
        channel,
        room,
        deaths,
        stock: Stock::new(patience),
        awaited: None,
        job: *job,
        confinement,
        launch,
        process: None,
        account: Duration::ZERO,
        kills: 0,
    };
    minder.account = minder.count();
    minder.kills = minder.kills_for_memory();
    let result = minder.attend();
    // The template first: it may just have been asked.
    minder.stock.retire();
    minder.kill_family();
    if let Err(error) = &result {
        // Whoever asked must not take our failure for a deed of the bot.
        let _ = minder.report(&Notice::Failed(error.to_string()));
    }
    result
}

struct Minding {
    channel: OwnedFd,
    /// Where messages are read into.
    room: Vec<u8>,
    deaths: SignalFd,
    job: Job,
    confinement: Confinement,
    launch: Launch,
    stock: Stock,
    /// What is to be started, until it is known to have been.
    awaited: Option<Birth>,
    process: Option<Child>,
    /// What the account of processor time showed when nothing of the bot was running last, which is
    /// what it shows until something does.
    account: Duration,
    /// How often the kernel had killed somebody for memory then.
    kills: u64,
}

/// A process that is to be started.
struct Birth {
    arguments: Vec<String>,
    files: [OwnedFd; 3],
    time: Instant,
}

/// The process that is minded now.
struct Child {
    pid: Pid,
    started: Instant,
    /// Whether it is known that it has begun.
    is_told_of: bool,
    /// When it is looked at next, and how long after that the time after.
    look: Instant,
    pause: Duration,
    overrun: Option<Overrun>,
    /// The most processor time that was seen of it and of all that it started. Who is buried while
    /// we count may be missed, but what was seen stays seen.
    cpu: Duration,
    /// That time when it was last counted anew.
    cpu_before: Duration,
}

impl Minding {
    /// Attends to messages and deaths until nobody sends messages any more.
    fn attend(&mut self) -> io::Result<()> {
        let mut is_anybody_unburied = false;
        loop {
            let due = self.next_due();
            let now = Instant::now();
            if due.is_some_and(|due| due <= now) {
                self.hear_of_the_awaited()?;
                self.do_what_is_due()?;
                continue;
            }
            let timeout = match due {
                _ if is_anybody_unburied => PollTimeout::ZERO,
                Some(due) => {
                    // Rounded up, or the last part of a millisecond would be spent in circles.
                    let left = (due - now) + Duration::from_micros(999);
                    PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX)
                }
                None => PollTimeout::NONE,
            };
            let mut waiting = [
                PollFd::new(self.channel.as_fd(), PollFlags::POLLIN),
                PollFd::new(self.deaths.as_fd(), PollFlags::POLLIN),
            ];
            match poll(&mut waiting, timeout) {
                Ok(_) => {}
                Err(Errno::EINTR) => continue,
                Err(error) => return Err(error.into()),
            }
            let [message, death] = waiting.map(|fd| fd.any().unwrap_or(true));
            self.hear_of_the_awaited()?;
            if death {
                // However many have died, there is one signal to be read.
                let _ = self.deaths.read_signal();
            }
            if death || is_anybody_unburied {
                is_anybody_unburied = self.bury()?;
            }
            if message {
                match channel::receive(&self.channel, &mut self.room)? {
                    None => return Ok(()),
                    Some((Request::Start(arguments), files)) => self.start(arguments, files)?,
                    Some((Request::Asked(number), _)) => self.hear_of_the_asked(Some(number))?,
                    Some((Request::Kill, _)) => drop(self.kill_family()),
                    Some((Request::Usage, _)) => {
                        let (usage, _) = self.measure(&self.family());
                        self.report(&Notice::Usage(usage))?;
                    }
                    Some((Request::CountAnew, _)) => {
                        self.measure(&self.family());
                        if let Some(process) = &mut self.process {
                            process.cpu_before = process.cpu;
                        }
                    }
                    Some((Request::Job(_), _)) => {
                        return Err(io::Error::other("a minder has one bot"));
                    }
                }
            }
        }
    }

    /// When the process is to be told of or looked at next, if there is one.
    fn next_due(&self) -> Option<Instant> {
        if let Some(awaited) = &self.awaited {
            return Some(awaited.time + TOLD_AFTER);
        }
        let Some(process) = &self.process else {
            // Even if the referee is kept from telling us of it, no process is left alone for long.
            return self.stock.is_offered().then(|| Instant::now() + SELDOM);
        };
        if !process.is_told_of {
            return Some(process.started + TOLD_AFTER);
        }
        (self.job.tier != Tier::None).then_some(process.look)
    }

    fn do_what_is_due(&mut self) -> io::Result<()> {
        match &mut self.process {
            Some(process) if !process.is_told_of => {
                process.is_told_of = true;
                let (pid, age) = (process.pid.as_raw(), process.started.elapsed());
                self.report(&Notice::Started { pid, age })
            }
            _ => {
                self.look_after();
                Ok(())
            }
        }
    }

    fn report(&self, report: &Notice) -> io::Result<()> {
        channel::send(&self.channel, report, &[])
    }

    fn start(&mut self, arguments: Vec<String>, files: Vec<OwnedFd>) -> io::Result<()> {
        let Ok(files) = <[OwnedFd; 3]>::try_from(files) else {
            return Err(io::Error::other("a process needs three standard files"));
        };
        let birth = Birth {
            time: Instant::now(),
            arguments,
            files,
        };
        match self
            .stock
            .ask(&mut self.launch, &birth.arguments, &birth.files)
        {
            true => {
                self.awaited = Some(birth);
                Ok(())
            }
            false => self.start_anew(birth),
        }
    }

    fn start_anew(&mut self, birth: Birth) -> io::Result<()> {
        let started = self.launch.start(&birth.arguments, &birth.files);
        self.has_started(started.map(|pid| (pid, Instant::now())))
    }

    /// Hears of the process that the template was asked for, by us or by the referee. It is not waited for
    /// before something else happens, such as its end: being woken costs more than a fast program takes.
    fn hear_of_the_awaited(&mut self) -> io::Result<()> {
        let Some(birth) = self.awaited.take() else {
            return self.hear_of_the_asked(None);
        };
        match self.stock.started() {
            Some(started) => self.has_started(started),
            None => self.start_anew(birth),
        }
    }

    /// Hears of the process that the referee has asked for; waits for it if that was so many in all.
    fn hear_of_the_asked(&mut self, asked: Option<u64>) -> io::Result<()> {
        if self.process.is_some() {
            return Ok(());
        }
        match self.stock.hears_of_the_asked(asked) {
            Some(Came::Process(started)) => self.has_started(started),
            Some(Came::Nothing) => self.report(&Notice::NothingCame),
            None => Ok(()),
        }
    }

    fn has_started(&mut self, started: Result<(Pid, Instant), NotStarted>) -> io::Result<()> {
        match started {
            Ok((pid, started)) => {
                self.process = Some(Child {
                    pid,
                    started,
                    is_told_of: false,
                    look: started + FIRST_LOOK,
                    pause: FIRST_LOOK,
                    overrun: None,
                    cpu: Duration::ZERO,
                    cpu_before: Duration::ZERO,
                });
                Ok(())
            }
            Err(error) => {
                self.account = self.count();
                self.report(&Notice::NotStarted {
                    reason: error.to_string(),
                    machine: error.is_machines_fault(),
                })
            }
        }
    }

    /// All processes of the bot, or more than it may have.
    fn family(&self) -> Vec<Pid> {
        let enough = match self.job.tier {
            Tier::None => usize::MAX,
            Tier::Limits | Tier::Strict => self.job.limits.processes as usize,
        };
        self.family_up_to(enough)
    }

    fn family_up_to(&self, enough: usize) -> Vec<Pid> {
        let ours = [self.confinement.init(), self.stock.pid()];
        let ours: Vec<Pid> = ours.into_iter().flatten().collect();
        match &self.confinement.group {
            Some(group) => {
                let mut members = group.members();
                members.retain(|pid| *pid != getpid() && !ours.contains(pid));
                members
            }
            None => family::below(getpid(), &ours, enough),
        }
    }

    fn kill_family(&mut self) -> BTreeSet<Pid> {
        // However fast they multiply, at one stroke all are dead that have not left their group.
        if let Some(process) = &self.process {
            let _ = killpg(process.pid, Signal::SIGKILL);
        }
        family::kill_all(|| self.family_up_to(usize::MAX))
    }

    /// An account of processor time that only grows: that of all in the control group but us, the
    /// dead included; or else of all who have been buried, by us or by the first process of their
    /// namespace.
    fn count(&self) -> Duration {
        let account = match &self.confinement.group {
            Some(group) => {
                let all = group.cpu().unwrap_or_default();
                let template = self.stock.pid().map(family::cpu).unwrap_or_default();
                all.saturating_sub(used(UsageWho::RUSAGE_SELF) + template)
            }
            None => used(UsageWho::RUSAGE_CHILDREN) + self.confinement.buried_by_init(),
        };
        account.saturating_sub(self.stock.buried())
    }

    /// How often the kernel has killed somebody in the control group for too much memory.
    fn kills_for_memory(&self) -> u64 {
        let group = self.confinement.group.as_ref();
        group.map_or(0, Cgroup::killed_for_memory)
    }

    /// What the bot has used since it was started, the dead included, and what it holds.
    fn measure(&mut self, family: &[Pid]) -> (Usage, Holding) {
        // Those who are buried between the one count and the other are missed and not counted
        // twice.
        let account = self.count();
        let holding = family::holding(family);
        let alive = match &self.confinement.group {
            Some(_) => Duration::ZERO,
            None => holding.cpu,
        };
        let Some(process) = &mut self.process else {
            return (Usage::default(), holding);
        };
        let cpu = alive + account.saturating_sub(self.account);
        process.cpu = process.cpu.max(cpu);
        let usage = Usage {
            cpu: process.cpu,
            kept_waiting: holding.longest.saturating_sub(process.cpu),
        };
        (usage, holding)
    }

    /// What the bot has too much of.
    fn overrun(&mut self) -> Option<Overrun> {
        let family = self.family();
        let (usage, holding) = self.measure(&family);
        let limits = &self.job.limits;
        // Pages that several processes share are in the memory of each: a sum that is too much is looked at
        // again, more exactly and at greater cost.
        let has_too_much = || {
            let too_much = |memory: u64| memory > limits.memory;
            too_much(holding.tables)
                || too_much(holding.memory) && too_much(family::fair_memory(&family))
        };
        let cpu_before = self
            .process
            .as_ref()
            .map_or(Duration::ZERO, |process| process.cpu_before);
        if family::tasks(&family) > limits.processes as usize {
            Some(Overrun::Processes)
        } else if has_too_much() {
            Some(Overrun::Memory)
        } else if usage.cpu.saturating_sub(cpu_before) > limits.cpu {
            Some(Overrun::Cpu)
        } else {
            None
        }
    }

    /// Kills the bot if it has too much of something.
    fn look_after(&mut self) {
        let overrun = self.overrun();
        if let Some(process) = &mut self.process {
            process.pause = (2 * process.pause).min(SELDOM);
            process.look = Instant::now() + process.pause;
            process.overrun = process.overrun.or(overrun);
        }
        if overrun.is_some() {
            self.kill_family();
        }
    }

    /// Buries some of the dead; if the minded process is among them, so is then all that it left
    /// behind. True if there may be more.
    fn bury(&mut self) -> io::Result<bool> {
        for _ in 0..AT_A_TIME {
            let Some(buried) = family::bury_any() else {
                return Ok(false);
            };
            let ours = self.process.take_if(|process| process.pid == buried.pid);
            let Some(process) = ours else {
                self.stock.hears_of(&buried);
                continue;
            };
            let left_behind = self.bury_the_rest();
            let kills = self.kills_for_memory();
            let kills_before = std::mem::replace(&mut self.kills, kills);
            let killed_for_memory = (kills > kills_before).then_some(Overrun::Memory);
            let age = process.started.elapsed();
            let account = self.count();
            let account_before = std::mem::replace(&mut self.account, account);
            let how = Ended {
                how: buried.how,
                overrun: process.overrun.or(killed_for_memory),
                // Of the dead the kernel tells in steps, rounded down: it may be less than what was
                // measured while they lived.
                cpu: account.saturating_sub(account_before).max(process.cpu),
                peak_memory: if buried.peak_memory > our_peak() {
                    buried.peak_memory
                } else {
                    0
                },
                left_behind,
            };
            let (may_ask, control) = self.stock.offer();
            let notice = Notice::Ended { how, age, may_ask };
            channel::send(&self.channel, &notice, control.as_slice())?;
            return Ok(false);
        }
        Ok(true)
    }

    fn bury_the_rest(&mut self) -> u32 {
        let mut killed = BTreeSet::new();
        while self.confinement.has_orphans(self.stock.pid()) {
            killed.extend(self.kill_family());
            while let Some(buried) = family::bury_any() {
                self.stock.hears_of(&buried);
            }
            // Who is to die needs the processor for it.
            std::thread::sleep(DYING);
        }
        killed.len() as u32
    }
}

/// The processor time of ourselves, or of the children that we have buried.
fn used(who: UsageWho) -> Duration {
    getrusage(who).map_or(Duration::ZERO, |used| {
        let time = used.user_time() + used.system_time();
        Duration::from_micros(time.num_microseconds() as u64)
    })
}

/// The most memory that we had ourselves, in bytes. A child has it too until it is another program,
/// and the kernel does not forget that: a peak that is no higher says nothing about the child.
fn our_peak() -> u64 {
    let used = getrusage(UsageWho::RUSAGE_SELF);
    used.map_or(0, |used| used.max_rss() as u64 * 1024)
}
