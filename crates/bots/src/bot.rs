//! A foreign program at the table: its minder, its folder, and the two ways of talking to it.

use std::ffi::OsString;
use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use tempfile::TempDir;

use crate::minder::{Ended, Minder, NoMinder, Orders};
use crate::process::{MachineFault, Process, Silence};
use crate::{Excerpt, Limits, Program, Tier};

/// A foreign program in a match. It is held as its tier says, and nothing of it survives it.
#[derive(Debug)]
pub struct Bot {
    program: Program,
    orders: Orders,
    minder: Arc<Minder>,
    house: House,
    /// The bot's own folder, removed with it.
    _folder: Option<TempDir>,
}

/// How foreign programs are held in a match.
#[derive(Clone, Debug)]
pub struct House {
    /// How tightly.
    pub tier: Tier,
    /// How much they may use.
    pub limits: Limits,
    /// The program that becomes the minder: one that calls
    /// [`mind_if_asked`](crate::mind_if_asked).
    pub minder: PathBuf,
    /// What becomes readable when somebody wants to stop.
    pub interrupt: Option<Arc<OwnedFd>>,
}

impl House {
    /// A house in which this program itself becomes the minder.
    pub fn new(tier: Tier, limits: Limits) -> House {
        House {
            tier,
            limits,
            minder: PathBuf::from("/proc/self/exe"),
            interrupt: None,
        }
    }
}

/// Why a program was not taken on.
#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    /// There is no minder for it.
    #[error(transparent)]
    NoMinder(#[from] NoMinder),
    /// There is no folder for it.
    #[error("failed to make a folder for a bot: {0}")]
    NoFolder(#[from] std::io::Error),
}

/// What came of one process that was given all its input at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// What it wrote to its standard output.
    pub output: Vec<u8>,
    /// What it wrote to its standard error.
    pub errors: Excerpt,
    /// Why it was cut short, if it was.
    pub silence: Option<Silence>,
    /// How it ended, if it was ever started.
    pub ended: Option<Ended>,
    /// How long it took.
    pub took: Duration,
}

impl Bot {
    /// Takes a program on. Unless it is trusted, it gets an empty folder of its own to be started
    /// in; a trusted one is started where we are.
    pub fn take_on(program: Program, house: &House) -> Result<Bot, NotTaken> {
        let folder = match house.tier {
            Tier::None => None,
            _ => Some(tempfile::Builder::new().prefix("croupier-bot-").tempdir()?),
        };
        let here = || fs::canonicalize(".").unwrap_or_else(|_| PathBuf::from("."));
        let orders = Orders {
            tier: house.tier,
            limits: house.limits.clone(),
            command: names(&program.command),
            readable: names(&program.readable),
            folder: folder
                .as_ref()
                .map_or_else(here, |folder| folder.path().to_owned())
                .into_os_string(),
            may_write: false,
        };
        Ok(Bot {
            minder: Arc::new(Minder::hire(&house.minder, &orders)?),
            house: house.clone(),
            program,
            orders,
            _folder: folder,
        })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The folder in which it is started.
    pub fn folder(&self) -> &Path {
        Path::new(&self.orders.folder)
    }

    /// Starts a process that lives on. Only one at a time is minded.
    pub fn open(
        &mut self,
        arguments: &[String],
        keep_errors: bool,
    ) -> Result<Process, MachineFault> {
        if !self.program.is_unchanged() {
            return Ok(Process::refused(
                &self.minder,
                &self.orders.limits,
                Silence::Changed,
            ));
        }
        if self.minder.is_gone() {
            self.minder = Arc::new(Minder::hire(&self.house.minder, &self.orders)?);
        }
        Process::start(&self.minder, &self.orders.limits, arguments, keep_errors)
    }

    /// Starts a process, gives it this input, and waits until it has ended.
    pub fn run(
        &mut self,
        arguments: &[String],
        input: &[u8],
        time: Duration,
    ) -> Result<Run, MachineFault> {
        let mut process = self.open(arguments, true)?;
        process.send(input);
        process.close_input();
        let interrupt = self.house.interrupt.as_deref();
        let silence = process.hear_out(time, interrupt.map(std::os::fd::AsFd::as_fd))?;
        Ok(Run {
            took: process.age(),
            output: process.take_output(),
            errors: process.errors().clone(),
            ended: process.ended().cloned(),
            silence,
        })
    }
}

fn names(paths: &[PathBuf]) -> Vec<OsString> {
    paths.iter().map(|path| path.clone().into()).collect()
}

/// Whether somebody wants to stop.
pub(crate) fn is_raised(interrupt: &OwnedFd) -> bool {
    let mut end = [PollFd::new(interrupt.as_fd(), PollFlags::POLLIN)];
    poll(&mut end, PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
}
