//! A foreign program at the table: its minder, its folder, and the two ways of talking to it.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use croupier_core::Cancel;

use crate::folder::{self, Folder, Left};
use crate::lodging::Lodging;
use crate::minder::{Ended, Job, Minder, NoMinder};
use crate::process::{Process, see_off};
use crate::program::Files;
use crate::silence::{MachineFault, Silence};
use crate::{Excerpt, Interrupt, Limits, Program, Tier};

/// How long a process may take to end when it has closed its output.
const ENDING: Duration = Duration::from_millis(500);

/// What fails when a program has gone from the cache.
const START: &str = "start a program from the cache";

/// What fails when a file cannot be put into a folder.
const WRITE: &str = "write a file for a bot";

/// A foreign program in a match. It is held as its tier says, and nothing of it survives it.
#[derive(Debug)]
pub struct Bot {
    program: Program,
    job: Job,
    minder: Arc<Minder>,
    house: House,
    /// The bot's own folder, removed with it.
    own: Option<Lodging>,
}

/// How foreign programs are held in a match.
#[derive(Clone, Debug)]
pub struct House {
    /// How tightly.
    pub tier: Tier,
    /// How much they may use.
    pub limits: Limits,
    /// How much their compiler may use, in every tier.
    pub compiling: Limits,
    /// The program that becomes the minder: one that calls
    /// [`mind_if_asked`](crate::mind_if_asked).
    pub minder: PathBuf,
    /// Whether each process of a program is started anew, also where it could be forked from one that
    /// has been started before.
    pub fresh_processes: bool,
    /// What is raised when somebody wants to stop, after which nobody waits for a program.
    pub interrupt: Option<Interrupt>,
}

impl House {
    /// A house in which this program itself becomes the minder.
    pub fn new(tier: Tier, limits: Limits) -> House {
        House {
            tier,
            limits,
            compiling: Limits::COMPILING,
            minder: PathBuf::from("/proc/self/exe"),
            fresh_processes: false,
            interrupt: None,
        }
    }

    /// What ends the games that are played in this house, and all thought about them.
    pub fn cancel(&self) -> Cancel {
        let cancel = self.interrupt.as_ref().map(Interrupt::cancel);
        cancel.cloned().unwrap_or_default()
    }

    /// Whether somebody wants to stop.
    pub fn is_stopped(&self) -> bool {
        self.interrupt.as_ref().is_some_and(Interrupt::is_raised)
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
    /// Takes a program on that has nothing to write but its output.
    pub fn take_on(program: Program, house: &House) -> Result<Bot, NotTaken> {
        Bot::take_on_in(Folder::Plain, program, house)
    }

    /// Takes a program on, to be started in this folder.
    pub fn take_on_in(folder: Folder, program: Program, house: &House) -> Result<Bot, NotTaken> {
        let may_write = folder != Folder::Plain;
        let is_strict = house.tier == Tier::Strict;
        let room = (folder == Folder::Own && is_strict).then(|| house.limits.room());
        let (own, folder) = match folder {
            Folder::Shared(folder) => (None, fs::canonicalize(folder)?),
            Folder::Plain if house.tier == Tier::None => {
                let here = fs::canonicalize(".").unwrap_or_else(|_| PathBuf::from("."));
                (None, here)
            }
            Folder::Plain | Folder::Own => {
                let own = Lodging::new(&std::env::temp_dir(), "croupier-bot-locked-")?;
                let folder = own.path().to_owned();
                (Some(own), folder)
            }
        };
        let job = Job {
            tier: house.tier,
            limits: house.limits.clone(),
            command: names(&program.command),
            // A trusted program is started as by a shell, and so is whatever is asked to be.
            template: match house.tier {
                Tier::Limits | Tier::Strict if !house.fresh_processes => program.template.clone(),
                _ => None,
            },
            readable: names(&program.readable),
            folder: folder.into_os_string(),
            may_write,
            room,
            environment: program.environment.clone(),
            is_sanitized: program.is_sanitized,
        };
        Ok(Bot {
            minder: Arc::new(Minder::hire(&house.minder, &job)?),
            house: house.clone(),
            program,
            job,
            own,
        })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// How much it may use.
    pub fn limits(&self) -> &Limits {
        &self.job.limits
    }

    /// What the kernel counts for all its processes together, where we may have a control group; the
    /// minder looks after the rest from time to time.
    pub fn counted_by_kernel(&self) -> &[String] {
        self.minder.counted()
    }

    /// The folder in which it is started, as we find it.
    pub fn folder(&self) -> &Path {
        let own = self.minder.folder();
        own.unwrap_or(Path::new(&self.job.folder))
    }

    /// Where a file with this name is in that folder. A name that is too long for the program is too long for us,
    /// by whatever way we find the folder.
    pub(crate) fn place_of(&self, name: &Path) -> io::Result<PathBuf> {
        let whole = Path::new(&self.job.folder).join(name);
        match whole.as_os_str().len() < libc::PATH_MAX as usize {
            true => Ok(self.folder().join(name)),
            false => Err(io::Error::from_raw_os_error(libc::ENAMETOOLONG)),
        }
    }

    /// Has it minded by another one if its minder is gone. If its folder was a file system of its own, that is
    /// gone too.
    fn is_minded(&mut self) -> Result<(), MachineFault> {
        if self.minder.is_gone() {
            self.minder = Arc::new(Minder::hire(&self.house.minder, &self.job)?);
        }
        Ok(())
    }

    /// Starts a process that lives on. Only one at a time is minded.
    pub fn open(
        &mut self,
        arguments: &[String],
        keep_errors: bool,
    ) -> Result<Process, MachineFault> {
        self.begin(arguments, keep_errors, None)
    }

    fn begin(
        &mut self,
        arguments: &[String],
        keep_errors: bool,
        input: Option<&[u8]>,
    ) -> Result<Process, MachineFault> {
        if self.program.is_made_again(&self.house) {
            // What may be read is known to the minder by the files themselves, not by their names.
            self.minder = Arc::new(Minder::hire(&self.house.minder, &self.job)?);
        }
        match self.program.files(self.house.tier) {
            Files::Same => {}
            Files::Changed => {
                return Ok(Process::refused(
                    &self.minder,
                    &self.job.limits,
                    Silence::Changed,
                ));
            }
            Files::Lost(file) => {
                let what = format!("{} is not what was put there", file.display());
                return Err(MachineFault::new(START, io::Error::other(what)));
            }
        }
        self.is_minded()?;
        Process::start(
            &self.minder,
            &self.job.limits,
            arguments,
            keep_errors,
            input,
        )
    }

    /// Starts a process, gives it this input, and waits until it has ended.
    pub fn run(
        &mut self,
        arguments: &[String],
        input: &[u8],
        time: Duration,
    ) -> Result<Run, MachineFault> {
        let mut process = self.begin(arguments, true, Some(input))?;
        let silence = process.hear_out(time, self.house.interrupt.as_ref())?;
        Ok(Run {
            took: process.age(),
            output: process.take_output(),
            errors: process.errors().clone(),
            ended: process.ended().cloned(),
            silence,
        })
    }

    /// Starts a process, sends it this, and waits for so many answers, each within this time; then
    /// it is stopped, without being told that its input ends. Its output is the last answer. Lines
    /// that are no answers are skipped.
    pub fn converse(
        &mut self,
        arguments: &[String],
        input: &[u8],
        answers: usize,
        time: impl Fn(usize) -> Duration,
        is_answer: impl Fn(&[u8]) -> bool,
    ) -> Result<Run, MachineFault> {
        let mut process = self.open(arguments, true)?;
        process.send(input);
        let (mut output, mut answered, mut silence) = (Vec::new(), 0, None);
        while answered < answers && silence.is_none() {
            match process.line(time(answered), self.house.interrupt.as_ref())? {
                Ok(line) => {
                    answered += usize::from(is_answer(&line));
                    output = line;
                }
                Err(why) => {
                    output = process.take_output();
                    silence = Some(why);
                }
            }
        }
        if silence == Some(Silence::Closed) {
            // It may be about to end, and how it ends tells what was wrong.
            see_off(std::slice::from_mut(&mut process), Instant::now() + ENDING)?;
            silence = silence.filter(|_| process.ended().is_none());
        }
        process.read_last_words();
        Ok(Run {
            took: process.age(),
            output,
            errors: process.errors().clone(),
            ended: process.ended().cloned(),
            silence,
        })
    }

    /// Puts a file into the folder, whatever is there under its name.
    pub fn put(&self, file: &str, contents: &[u8]) -> Result<(), MachineFault> {
        let put = folder::put(&self.folder().join(file), contents);
        put.map_err(|error| MachineFault::new(WRITE, error))
    }

    /// Puts a file into the folder, starts a process that is to change it, waits until that has
    /// ended, and takes the file back, up to a length of `most`.
    pub fn run_on_file(
        &mut self,
        file: &str,
        contents: &[u8],
        most: usize,
        arguments: &[String],
        time: Duration,
    ) -> Result<(Run, Left), MachineFault> {
        self.is_minded()?;
        let path = self.folder().join(file);
        let cleared = match &self.own {
            Some(_) => folder::clear(self.folder()),
            None => Ok(()),
        };
        if let Err(error) = cleared.and_then(|()| folder::put(&path, contents)) {
            if self.own.is_none() || folder::is_scarcity(&error) {
                return Err(MachineFault::new(WRITE, error));
            }
            let reason = format!("it has made its folder unusable: {error}");
            return Ok((Run::silent(Silence::NotStarted(reason)), Left::Nothing));
        }
        let run = self.run(arguments, &[], time)?;
        Ok((run, folder::take_back(&path, most)))
    }
}

impl Run {
    /// What came of a process that was never started.
    fn silent(silence: Silence) -> Run {
        Run {
            output: Vec::new(),
            errors: Excerpt::default(),
            silence: Some(silence),
            ended: None,
            took: Duration::ZERO,
        }
    }
}

fn names(paths: &[PathBuf]) -> Vec<OsString> {
    paths.iter().map(|path| path.clone().into()).collect()
}
