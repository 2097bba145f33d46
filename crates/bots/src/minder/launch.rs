//! How a process of the bot comes into the world.
//!
//! As `posix_spawn` does it: the child borrows the minder's memory, which sleeps until the child
//! has become another program or has given up (`CLONE_VM | CLONE_VFORK`). No page table is copied,
//! so this is the fastest start there is; and unlike `posix_spawn` it leaves room to put limits on
//! the child alone, so that they do not bind its minder.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::fmt;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::ptr;
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sched::{CloneFlags, clone};
use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigSet, SigmaskHow, Signal, sigprocmask};
use nix::sys::wait::waitpid;
use nix::unistd::{Pid, chdir, dup2_stderr, dup2_stdin, dup2_stdout, setpgid};

use super::Job;
use crate::Tier;

/// The child's own stack, until it has one of its own.
const STACK: usize = 64 << 10;

/// Where a template finds the socket to its minder.
const CONTROL: RawFd = 3;

/// How long a program is waited for that somebody has open for writing. As a rule that is nobody's
/// intention: whoever starts a process while a file is written hands the open file on to it for a
/// moment, until it has become another program.
const BEING_WRITTEN: Duration = Duration::from_secs(5);

/// How long until it is tried again.
const A_MOMENT: Duration = Duration::from_millis(1);

/// Everything that a process of the bot is started with but its further arguments and its files.
pub(super) struct Launch {
    words: Vec<CString>,
    /// The words with which its template is started instead, if it can have one.
    template: Vec<CString>,
    environment: Vec<CString>,
    folder: CString,
    /// Whether it is started as one that is typed into a shell: a name without a slash is looked
    /// up, and a script that does not name its interpreter is the shell's.
    as_a_shell_would: bool,
    /// The limits that the kernel keeps for each process by itself.
    limits: Vec<(Resource, u64)>,
    /// The files that it may open, as Landlock knows them.
    files: Option<OwnedFd>,
    stack: Vec<u8>,
}

/// What a child does before it is the bot's program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Begin,
    LeadAGroup,
    TakeItsFiles,
    EnterItsFolder,
    Limit(Resource),
    RestrictFiles,
    UnblockSignals,
    Execute,
}

/// Why a process was not started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NotStarted {
    step: Step,
    error: Errno,
}

impl NotStarted {
    /// It cannot enter its folder.
    pub(super) fn no_folder(error: Errno) -> NotStarted {
        let step = Step::EnterItsFolder;
        NotStarted { step, error }
    }

    /// Whether the machine is to blame, and not what somebody calls a program or has made of its
    /// folder.
    pub(super) fn is_machines_fault(&self) -> bool {
        let scarce = [Errno::EAGAIN, Errno::ENOMEM, Errno::EMFILE, Errno::ENFILE];
        let bots = matches!(self.step, Step::EnterItsFolder | Step::Execute);
        !bots || scarce.contains(&self.error)
    }
}

impl fmt::Display for NotStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let doing = match self.step {
            // How it is always said: of a program that is not there, for one.
            Step::Execute | Step::EnterItsFolder => {
                return io::Error::from(self.error).fmt(f);
            }
            Step::Begin => "begin",
            Step::LeadAGroup => "lead a group of processes",
            Step::TakeItsFiles => "take its standard files",
            Step::Limit(resource) => {
                return write!(f, "it cannot limit {resource:?}: {}", self.error);
            }
            Step::RestrictFiles => "restrict files with Landlock",
            Step::UnblockSignals => "unblock signals",
        };
        write!(f, "it cannot {doing}: {}", self.error)
    }
}

impl Launch {
    pub(super) fn new(
        job: &Job,
        limits: Vec<(Resource, u64)>,
        files: Option<OwnedFd>,
    ) -> io::Result<Launch> {
        let words = job.command.iter().map(|word| text(word));
        let template = job.template.iter().flatten().map(|word| text(word));
        Ok(Launch {
            words: words.collect::<Result<_, _>>()?,
            template: template.collect::<Result<_, _>>()?,
            environment: environment(job)?,
            folder: text(&job.folder)?,
            as_a_shell_would: job.tier == Tier::None,
            limits,
            files,
            stack: vec![0; STACK],
        })
    }

    /// The folder in which processes begin.
    pub(super) fn folder(&self) -> &CStr {
        &self.folder
    }

    /// Starts a process with these further arguments and these standard files. A program that is being
    /// written cannot be started (`ETXTBSY`), so it is tried again.
    pub(super) fn start(
        &mut self,
        arguments: &[String],
        files: &[OwnedFd; 3],
    ) -> Result<Pid, NotStarted> {
        self.execute(arguments, files.each_ref(), None)
    }

    /// Starts a template with these further arguments, these standard files and this socket to us. It
    /// does not outlive us.
    pub(super) fn start_template(
        &mut self,
        arguments: &[String],
        files: [&OwnedFd; 3],
        control: &OwnedFd,
    ) -> Result<Pid, NotStarted> {
        self.execute(arguments, files, Some(control))
    }

    fn execute(
        &mut self,
        arguments: &[String],
        files: [&OwnedFd; 3],
        control: Option<&OwnedFd>,
    ) -> Result<Pid, NotStarted> {
        let further = arguments.iter().map(|word| CString::new(word.as_str()));
        let further: Vec<CString> = further.collect::<Result<_, _>>().map_err(|_| NotStarted {
            step: Step::Execute,
            error: Errno::EINVAL,
        })?;
        let words = match control {
            Some(_) => &self.template,
            None => &self.words,
        };
        let words = pointers(words.iter().chain(&further));
        let environment = pointers(self.environment.iter());
        let mut start = || {
            self.clone_and(|launch, step| {
                launch.take_on_itself(Some(files), step)?;
                if let Some(control) = control {
                    become_template(control, step)?;
                }
                step.set(Step::Execute);
                let find = match launch.as_a_shell_would {
                    true => libc::execvpe,
                    false => libc::execve,
                };
                // SAFETY: both lists end with a null pointer, and outlive the call.
                #[expect(unsafe_code, reason = "the safe call would copy the lists first")]
                unsafe {
                    find(words[0], words.as_ptr(), environment.as_ptr());
                }
                Err(Errno::last())
            })
        };
        let until = Instant::now() + BEING_WRITTEN;
        loop {
            let started = start();
            let is_being_written = started.is_err_and(|reason| reason.error == Errno::ETXTBSY);
            if !is_being_written || Instant::now() > until {
                return started;
            }
            thread::sleep(A_MOMENT);
        }
    }

    /// Has a child take on itself all that a process is held by, and end, to find out whether it
    /// can.
    pub(super) fn rehearse(&mut self) -> Result<(), NotStarted> {
        let child = self.clone_and(|launch, step| launch.take_on_itself(None, step))?;
        let _ = waitpid(child, None);
        Ok(())
    }

    /// Runs this in a child that shares our memory, and waits until it has become another program
    /// or has ended.
    fn clone_and(
        &mut self,
        body: impl Fn(&Launch, &Cell<Step>) -> nix::Result<()>,
    ) -> Result<Pid, NotStarted> {
        let mut stack = std::mem::take(&mut self.stack);
        let launch = &*self;
        let (step, error) = (Cell::new(Step::Begin), Cell::new(None));
        let child = Box::new(|| {
            error.set(body(launch, &step).err());
            127
        });
        let shared = CloneFlags::CLONE_VM | CloneFlags::CLONE_VFORK;
        // SAFETY: a minder has one thread, and that sleeps until the child is done with the memory
        // of both. The child runs on a stack of its own, calls nothing but the kernel, allocates
        // nothing and takes no lock. No handler of a signal can run in it: all signals are blocked.
        #[expect(
            unsafe_code,
            reason = "there is no safe call that starts a process like this"
        )]
        let cloned = unsafe { clone(child, &mut stack, shared, Some(libc::SIGCHLD)) };
        self.stack = stack;
        let (step, error) = (step.get(), error.get());
        match (cloned, error) {
            (Ok(child), None) => Ok(child),
            (Ok(child), Some(error)) => {
                let _ = waitpid(child, None);
                Err(NotStarted { step, error })
            }
            (Err(error), _) => Err(NotStarted { step, error }),
        }
    }

    /// In the child: everything before the program.
    fn take_on_itself(&self, files: Option<[&OwnedFd; 3]>, step: &Cell<Step>) -> nix::Result<()> {
        step.set(Step::LeadAGroup);
        setpgid(Pid::from_raw(0), Pid::from_raw(0))?;
        if let Some([input, output, errors]) = files {
            step.set(Step::TakeItsFiles);
            dup2_stdin(input)?;
            dup2_stdout(output)?;
            dup2_stderr(errors)?;
        }
        step.set(Step::EnterItsFolder);
        chdir(self.folder.as_c_str())?;
        for &(resource, most) in &self.limits {
            step.set(Step::Limit(resource));
            setrlimit(resource, most, most)?;
        }
        if let Some(files) = &self.files {
            step.set(Step::RestrictFiles);
            // SAFETY: the descriptor is an open set of rules, and nothing else is passed.
            #[expect(unsafe_code, reason = "the safe call would close the set of rules")]
            let done =
                unsafe { libc::syscall(libc::SYS_landlock_restrict_self, files.as_raw_fd(), 0) };
            Errno::result(done)?;
        }
        // All signals are blocked in a minder, and none in a program.
        step.set(Step::UnblockSignals);
        sigprocmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::empty()), None)
    }
}

/// In the child: takes the socket to the minder, and will not outlive it.
fn become_template(control: &OwnedFd, step: &Cell<Step>) -> nix::Result<()> {
    step.set(Step::TakeItsFiles);
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    // SAFETY: the child has a table of files of its own, in which nobody owns this number.
    #[expect(unsafe_code, reason = "it must have this number and no other")]
    let taken = unsafe { libc::dup2(control.as_raw_fd(), CONTROL) };
    Errno::result(taken).map(drop)
}

/// What a process finds in its environment: a trusted one what we have, any other nothing that
/// tells of people.
fn environment(job: &Job) -> io::Result<Vec<CString>> {
    let held = || {
        [
            ("PATH", OsStr::new("/usr/local/bin:/usr/bin:/bin")),
            ("LANG", OsStr::new("C.UTF-8")),
            // A program that ends need not give its memory back.
            ("ASAN_OPTIONS", OsStr::new("detect_leaks=0")),
            ("HOME", &job.folder),
        ]
        .map(|(name, value)| (OsString::from(name), value.to_owned()))
    };
    let mut settings: BTreeMap<OsString, OsString> = match job.tier {
        Tier::None => std::env::vars_os().collect(),
        Tier::Limits | Tier::Strict => held().into(),
    };
    let added = job.environment.iter();
    settings.extend(added.map(|(name, value)| (name.into(), value.into())));
    settings
        .into_iter()
        .map(|(name, value)| text(&[name, value].join(OsStr::new("="))))
        .collect()
}

fn text(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes()).map_err(io::Error::from)
}

/// A list as the kernel reads it.
fn pointers<'a>(texts: impl Iterator<Item = &'a CString>) -> Vec<*const libc::c_char> {
    texts
        .map(|text| text.as_ptr())
        .chain(std::iter::once(ptr::null()))
        .collect()
}
