//! A foreign program at the table: its minder, its folder, and the two ways of talking to it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::minder::{Ended, Minder, NoMinder, Orders};
use crate::process::{MachineFault, Process, Silence};
use crate::{Excerpt, Limits, Program, Tier};

/// A foreign program in a match. It is held as its tier says, and nothing of it survives it.
#[derive(Debug)]
pub struct Bot {
    program: Program,
    orders: Orders,
    minder: Minder,
    minder_program: PathBuf,
    /// The bot's own folder, removed with it.
    _folder: TempDir,
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
    /// Takes a program on.
    pub fn take_on(program: Program, tier: Tier, limits: &Limits) -> Result<Bot, NotTaken> {
        Bot::take_on_with(Path::new("/proc/self/exe"), program, tier, limits)
    }

    /// Takes a program on; the minder is this program, which calls
    /// [`mind_if_asked`](crate::mind_if_asked).
    pub fn take_on_with(
        minder_program: &Path,
        program: Program,
        tier: Tier,
        limits: &Limits,
    ) -> Result<Bot, NotTaken> {
        let folder = tempfile::Builder::new().prefix("croupier-bot-").tempdir()?;
        let orders = Orders {
            tier,
            limits: limits.clone(),
            command: program.command.clone(),
            readable: program.readable.clone(),
            folder: folder.path().to_owned(),
            may_write: false,
        };
        Ok(Bot {
            minder: Minder::hire(minder_program, &orders)?,
            minder_program: minder_program.to_owned(),
            program,
            orders,
            _folder: folder,
        })
    }

    /// Starts a process, gives it this input, and waits until it has ended.
    pub fn run(
        &mut self,
        arguments: &[String],
        input: &[u8],
        time: Duration,
    ) -> Result<Run, MachineFault> {
        if !self.program.is_unchanged() {
            return Ok(Run {
                output: Vec::new(),
                errors: Excerpt::default(),
                silence: Some(Silence::Changed),
                ended: None,
                took: Duration::ZERO,
            });
        }
        let asked = Instant::now();
        let mut process = Process::start(&self.minder, &self.orders.limits, arguments)?;
        process.send(input);
        process.close_input();
        let silence = process.to_the_end(time)?;
        let run = Run {
            took: process.started.unwrap_or(asked).elapsed(),
            output: process.output,
            errors: process.errors,
            ended: process.ended,
            silence,
        };
        if run.silence == Some(Silence::KilledItsMinder) {
            self.replace_minder()?;
        }
        Ok(run)
    }

    fn replace_minder(&mut self) -> Result<(), MachineFault> {
        self.minder =
            Minder::hire(&self.minder_program, &self.orders).map_err(MachineFault::no_minder)?;
        Ok(())
    }
}
