//! A template: a process that has been started up to the program's first own code, waits there, and
//! is forked for every start that is asked for (the fork server of a fuzzer).
//!
//! ```text
//!   referee ──┐
//!   minder ───┴─ control: hello, then a byte and three files for each start ──▶ template
//!      │  ▲                                                                     │ clone(CLONE_PARENT)
//!      │  └───────────── what, error, when: ready, started ─────────── process ◀┘
//!      └── its parent: waits for it, limits it, kills it, as if it had started it itself
//! ```
//!
//! The first process of a template is asked for by the minder. Then the referee has a copy of the minder's
//! end of the socket, and asks by itself as long as the minder finds the template in order after each process.
//!
//! A process that comes of a template is the minder's child like any other, so that nothing else in
//! the minder knows of templates. What it inherits was paid for once: loading, the limits, the rules
//! for files, the filter of calls.
//!
//! Nothing of the bot runs in a template, and nothing leads from its processes back to it: it cannot
//! be traced (`PR_SET_DUMPABLE`), they do not have its socket, and it shares no memory. They can
//! kill or stop it, or change what others inherit from it, such as its limits or its priority.
//! That is found out when none of them is left, and costs a new template. No signal is blocked in it, so
//! that none can lie in its queue as a message from one process to a later one. A template is never
//! waited for without an end, and whenever it is of no use the process is started the ordinary way.

use std::io::{IoSlice, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::sys::signal::{Signal, kill};
use nix::sys::socket::{
    AddressFamily, ControlMessage, ControlMessageOwned, MsgFlags, SockFlag, SockType, UnixAddr,
    recvmsg, sendmsg, setsockopt, socketpair, sockopt,
};
use nix::sys::time::TimeVal;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::time::{ClockId, clock_gettime};
use nix::unistd::{Pid, pipe2};

use super::family::{self, Buried, Told};
use super::launch::{Launch, NotStarted};

/// What a template is greeted with; the folder in which its processes begin follows, and a zero.
const HELLO: &[u8] = b"croupier-template-1\0";

/// How long a template that was stopped can go unnoticed by somebody who waits for it.
const A_MOMENT: TimeVal = TimeVal::new(0, 20_000);

/// How long a template may take to fork, and to get ready whatever time a program has to start, before
/// it is given up: meanwhile the minder attends to nothing else.
const TO_FORK: Duration = Duration::from_secs(10);
const TO_GET_READY: Duration = Duration::from_secs(10);

/// What a template or a process of it says in its first byte.
const READY: u8 = b'r';
const STARTED: u8 = b's';
const NO_FOLDER: u8 = b'd';

/// The template of a bot, if it can have one.
pub(super) struct Stock {
    /// How long one may take to get ready; none if there is to be no template.
    patience: Option<Duration>,
    /// The arguments of the last start. Who is started once is hardly started a second time: only
    /// the second start with the same arguments is worth a template.
    arguments: Option<Vec<String>>,
    template: Option<Template>,
    /// How many processes have been heard of that the referee had asked for.
    heard: u64,
    /// The processor time of all templates that have been buried, which is none of the bot's.
    buried: Duration,
}

/// A template that waits.
struct Template {
    pid: Pid,
    control: OwnedFd,
    /// Whether the referee has the socket too.
    is_offered: bool,
    /// What the kernel tells of its limits.
    limits: Told,
    /// What its processes inherit of it, as it was.
    inheritance: Inheritance,
}

/// What has come of a process that was asked for.
pub(super) enum Came {
    /// It has been forked, and began then; or it could not begin.
    Process(Result<(Pid, Instant), NotStarted>),
    /// None, nor will there be one.
    Nothing,
}

/// Asks a template for a process with these standard files.
pub(super) fn ask(control: &OwnedFd, files: [BorrowedFd<'_>; 3]) -> nix::Result<()> {
    let files = files.map(|file| file.as_raw_fd());
    let rights = [ControlMessage::ScmRights(&files)];
    let parts = [IoSlice::new(&[0])];
    let flags = MsgFlags::MSG_NOSIGNAL | MsgFlags::MSG_DONTWAIT;
    sendmsg::<UnixAddr>(control.as_raw_fd(), &parts, &rights, flags, None).map(drop)
}

impl Stock {
    /// None yet; one that is not ready after this time, if a time is given, is not waited for.
    pub(super) fn new(patience: Option<Duration>) -> Stock {
        Stock {
            patience: patience.map(|patience| patience.min(TO_GET_READY)),
            arguments: None,
            template: None,
            heard: 0,
            buried: Duration::ZERO,
        }
    }

    /// The process number of the template, if there is one.
    pub(super) fn pid(&self) -> Option<Pid> {
        self.template.as_ref().map(|template| template.pid)
    }

    /// Asks the template for a process; false if it has to be started the ordinary way.
    pub(super) fn ask(
        &mut self,
        launch: &mut Launch,
        arguments: &[String],
        files: &[OwnedFd; 3],
    ) -> bool {
        let Some(patience) = self.patience else {
            return false;
        };
        if self.arguments.as_deref() != Some(arguments) {
            self.retire();
            self.arguments = Some(arguments.to_vec());
            return false;
        }
        if self
            .template
            .as_ref()
            .is_some_and(|template| !template.is_as_it_was())
        {
            self.retire();
        }
        if self.template.is_none() {
            self.template = Template::make(launch, arguments);
            let made = self.template.as_ref();
            if made.is_none_or(|template| !template.is_ready(patience)) {
                // It would not get ready the next time either.
                self.patience = None;
                self.retire();
            }
        }
        let template = self.template.as_ref();
        template.is_some_and(|template| {
            ask(&template.control, files.each_ref().map(AsFd::as_fd)).is_ok()
        })
    }

    /// The process that was asked for; none if it has to be started the ordinary way.
    pub(super) fn started(&mut self) -> Option<Result<(Pid, Instant), NotStarted>> {
        let template = self.template.as_ref()?;
        let heard = template.hears(Some(Instant::now() + TO_FORK));
        let started = heard.and_then(|heard| template.started(&heard));
        if started.is_none() {
            self.retire();
        }
        started
    }

    /// Whether the referee may ask the template for the next process, when none is left of the last; and the
    /// socket for it, if it does not have that yet.
    pub(super) fn offer(&mut self) -> (bool, Option<BorrowedFd<'_>>) {
        let is_in_order = self.template.as_ref().is_some_and(Template::is_as_it_was);
        if !is_in_order {
            self.retire();
        }
        match &mut self.template {
            Some(template) => {
                let is_new = !std::mem::replace(&mut template.is_offered, true);
                (true, is_new.then(|| template.control.as_fd()))
            }
            None => (false, None),
        }
    }

    /// Whether the referee may ask the template without our knowing.
    pub(super) fn is_offered(&self) -> bool {
        self.template
            .as_ref()
            .is_some_and(|template| template.is_offered)
    }

    /// What has come of the process that the referee has asked for, if that is known. It is waited for if the
    /// referee says how often it has asked, and one of these has not been heard of.
    pub(super) fn hears_of_the_asked(&mut self, asked: Option<u64>) -> Option<Came> {
        let is_due = asked.is_some_and(|asked| asked > self.heard);
        let until = is_due.then(|| Instant::now() + TO_FORK);
        let template = self.template.as_ref();
        let template = template.filter(|template| template.is_offered);
        let heard = template.and_then(|template| template.hears(until));
        if heard.is_none() && !is_due {
            return None;
        }
        self.heard += 1;
        match template.and_then(|template| template.started(&heard?)) {
            Some(started) => Some(Came::Process(started)),
            None => {
                self.retire();
                Some(Came::Nothing)
            }
        }
    }

    /// Ends the template, if there is one.
    pub(super) fn retire(&mut self) {
        if let Some(template) = self.template.take() {
            let _ = kill(template.pid, Signal::SIGKILL);
            let buried = family::bury(template.pid);
            self.buried += buried.map_or(Duration::ZERO, |buried| buried.cpu);
        }
    }

    /// One of our children has ended; if it was the template, there is none any more.
    pub(super) fn hears_of(&mut self, buried: &Buried) {
        if self.pid() == Some(buried.pid) {
            self.template = None;
            self.buried += buried.cpu;
        }
    }

    /// The processor time of all templates that have been buried.
    pub(super) fn buried(&self) -> Duration {
        self.buried
    }
}

impl Template {
    /// Starts a template.
    fn make(launch: &mut Launch, arguments: &[String]) -> Option<Template> {
        let flags = SockFlag::SOCK_CLOEXEC;
        let kind = SockType::SeqPacket;
        let (control, theirs) = socketpair(AddressFamily::Unix, kind, None, flags).ok()?;
        // The kernel tells who has sent what, by the number that it has for us.
        setsockopt(&control, sockopt::PassCred, &true).ok()?;
        setsockopt(&control, sockopt::ReceiveTimeout, &A_MOMENT).ok()?;
        let mut hello = HELLO.to_vec();
        hello.extend(launch.folder().to_bytes_with_nul());
        nix::sys::socket::send(control.as_raw_fd(), &hello, MsgFlags::MSG_NOSIGNAL).ok()?;
        // Pipes, as its processes will have: an interpreter looks at what its files are.
        let (input, output) = pipe2(OFlag::O_CLOEXEC).ok()?;
        let pid = launch
            .start_template(arguments, [&input, &output, &output], &theirs)
            .ok()?;
        drop(theirs);
        let Ok(limits) = Told::limits(pid) else {
            let _ = kill(pid, Signal::SIGKILL);
            family::bury(pid);
            return None;
        };
        Some(Template {
            pid,
            control,
            is_offered: false,
            inheritance: Inheritance::of(pid, &limits),
            limits,
        })
    }

    /// Waits until it is ready, but not longer than this.
    fn is_ready(&self, patience: Duration) -> bool {
        let heard = self.hears(Some(Instant::now() + patience));
        heard.is_some_and(|heard| heard.what == READY && heard.sender == self.pid)
    }

    /// The process that has been forked, and when it began; none if the template is of no use.
    fn started(&self, heard: &Heard) -> Option<Result<(Pid, Instant), NotStarted>> {
        match heard.what {
            STARTED if heard.sender != self.pid => Some(Ok((heard.sender, heard.time))),
            NO_FOLDER => {
                let _ = waitpid(heard.sender, None);
                let error = Errno::from_raw(heard.error.into());
                Some(Err(NotStarted::no_folder(error)))
            }
            _ => None,
        }
    }

    /// What it says next, or has said if nothing is waited for. None if it has ended or was stopped, or says
    /// nothing until then.
    fn hears(&self, until: Option<Instant>) -> Option<Heard> {
        let flags = match until {
            Some(_) => MsgFlags::MSG_CMSG_CLOEXEC,
            None => MsgFlags::MSG_CMSG_CLOEXEC | MsgFlags::MSG_DONTWAIT,
        };
        let mut room = nix::cmsg_space!(nix::sys::socket::UnixCredentials);
        loop {
            let mut said = [0; 16];
            let mut parts = [IoSliceMut::new(&mut said)];
            let control = self.control.as_raw_fd();
            let heard = match recvmsg::<UnixAddr>(control, &mut parts, Some(&mut room), flags) {
                Ok(heard) => heard,
                // Nothing came for a moment.
                Err(Errno::EAGAIN | Errno::EINTR)
                    if until.is_some_and(|until| Instant::now() < until) && self.is_waiting() =>
                {
                    continue;
                }
                Err(_) => return None,
            };
            let sender = heard.cmsgs().ok()?.find_map(|message| match message {
                ControlMessageOwned::ScmCredentials(sender) => Some(Pid::from_raw(sender.pid())),
                _ => None,
            });
            let length = heard.bytes;
            let (what, time) = said.split_first_chunk()?;
            let time = Duration::from_nanos(u64::from_ne_bytes(time.try_into().ok()?));
            let now = Duration::from(clock_gettime(ClockId::CLOCK_MONOTONIC).ok()?);
            let [what, error, ..]: [u8; 8] = *what;
            return (length == said.len()).then_some(Heard {
                what,
                error,
                sender: sender?,
                time: Instant::now().checked_sub(now.saturating_sub(time))?,
            });
        }
    }

    /// Whether it has neither ended nor been stopped.
    fn is_waiting(&self) -> bool {
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WSTOPPED;
        let flags = flags | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        waitid(Id::Pid(self.pid), flags) == Ok(WaitStatus::StillAlive)
    }

    /// Whether it waits, and nobody has changed what its processes inherit.
    fn is_as_it_was(&self) -> bool {
        self.is_waiting() && Inheritance::of(self.pid, &self.limits) == self.inheritance
    }
}

/// What was said, by whom and when.
struct Heard {
    what: u8,
    /// The number of an error, if there was one.
    error: u8,
    sender: Pid,
    time: Instant,
}

/// What a process inherits that others of the same user can change in its template.
#[derive(PartialEq, Eq)]
struct Inheritance {
    limits: String,
    /// Policy, priority and the like, as the kernel tells them.
    scheduling: [u8; 56],
    cores: [u64; 16],
    io_priority: i64,
}

impl Inheritance {
    fn of(template: Pid, limits: &Told) -> Inheritance {
        let pid = template.as_raw();
        let mut found = Inheritance {
            limits: limits.text(),
            scheduling: [0; 56],
            cores: [0; 16],
            io_priority: 0,
        };
        let one_process = 1;
        // SAFETY: nothing is changed; the kernel fills in plain values whose sizes it is told.
        #[expect(unsafe_code, reason = "there are no safe calls for these")]
        unsafe {
            let scheduling = found.scheduling.as_mut_ptr();
            libc::syscall(
                libc::SYS_sched_getattr,
                pid,
                scheduling,
                size_of_val(&found.scheduling),
                0,
            );
            let cores = found.cores.as_mut_ptr();
            libc::syscall(
                libc::SYS_sched_getaffinity,
                pid,
                size_of_val(&found.cores),
                cores,
            );
            found.io_priority = libc::syscall(libc::SYS_ioprio_get, one_process, pid);
        }
        found
    }
}
