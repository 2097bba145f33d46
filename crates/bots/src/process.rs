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

mod pipes;

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::unistd::pipe2;

use crate::minder::{AskedWhom, Ended, HowEnded, Loss, Minder, Notice, PATIENCE, Usage};
use crate::silence::{MachineFault, Silence, failed};
use crate::{Excerpt, Interrupt, Limits, program};

/// How long a minder is waited for before we look whether it can answer at all.
const A_WHILE: Duration = Duration::from_millis(500);

/// How long after its template was asked for it a process is told to its minder, if that has not told of it
/// itself by then.
const TOLD_AFTER: Duration = Duration::from_millis(1);

/// The same for a process that has been given all its input, and ends after its answer: a small program in
/// Python has ended by then, and its minder is woken once instead of twice.
const ONE_SHOT_TOLD_AFTER: Duration = Duration::from_millis(4);

/// How long the pipe of an ended process may stay open. Nothing of the bot's is left then, so this
/// only matters if it has handed its pipe to somebody outside.
const PIPE_CLOSES: Duration = Duration::from_secs(1);

/// How long after a question a process that has lived before is asked how long it was kept waiting
/// until then.
const SETTLES: Duration = Duration::from_millis(10);

/// A process of a bot that is running, or has ended and is still to be read.
#[derive(Debug)]
pub struct Process {
    minder: Arc<Minder>,
    limits: Limits,
    /// How it is to be started, until its minder has told of it.
    birth: Option<Birth>,
    stdin: Option<OwnedFd>,
    /// What the process has not taken yet, and whether its input ends there.
    unsent: Vec<u8>,
    closing: bool,
    stdout: Option<OwnedFd>,
    output: Vec<u8>,
    /// Whether what comes next is the rest of a line that was given up as too long.
    in_a_long_line: bool,
    stderr: Option<OwnedFd>,
    errors: Excerpt,
    pid: Option<i32>,
    started: Option<Instant>,
    ended: Option<(Ended, Instant)>,
    /// Why there is no more to come, once that is known.
    silence: Option<Silence>,
    /// Whether we have killed it.
    killed: bool,
    /// How long the machine had kept it waiting when that was last asked.
    forgiven: Duration,
    /// The answer to the question how much it has used.
    usage: Option<Usage>,
    /// When its processor time was last counted anew.
    counted: Instant,
}

/// A process that its template was asked for.
#[derive(Debug)]
struct Birth {
    arguments: Vec<String>,
    files: [OwnedFd; 3],
    /// Whether its minder was told of it.
    is_told_of: bool,
}

impl Process {
    /// Has a process started; what it writes to its standard error is kept, or thrown away. If its whole
    /// input is known, it is there before the process is, which then need not wait for it.
    pub(crate) fn start(
        minder: &Arc<Minder>,
        limits: &Limits,
        arguments: &[String],
        keep_errors: bool,
        input: Option<&[u8]>,
    ) -> Result<Process, MachineFault> {
        let pipe = || pipe2(OFlag::O_CLOEXEC).map_err(failed("make a pipe"));
        let ours = |end: &OwnedFd| {
            let done = fcntl(end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK));
            done.map(drop).map_err(failed("make a pipe"))
        };
        let (in_read, in_write) = pipe()?;
        let (out_read, out_write) = pipe()?;
        ours(&in_write)?;
        ours(&out_read)?;
        let (err_read, err_write) = if keep_errors {
            let (read, write) = pipe()?;
            ours(&read)?;
            (Some(read), write)
        } else {
            let nowhere = File::options().write(true).open("/dev/null");
            (None, nowhere.map_err(failed("open /dev/null"))?.into())
        };
        let mut process = Process::new(minder, limits);
        process.stdin = Some(in_write);
        process.stdout = Some(out_read);
        process.stderr = err_read;
        if let Some(input) = input {
            process.send(input);
            process.close_input();
        }
        process.ask_for(arguments, [in_read, out_write, err_write])?;
        Ok(process)
    }

    /// Asks for the process with these standard files.
    fn ask_for(&mut self, arguments: &[String], files: [OwnedFd; 3]) -> Result<(), MachineFault> {
        let asked = self
            .minder
            .start(arguments, files.each_ref().map(AsFd::as_fd));
        let asked = asked.map_err(|error| self.fails("start a process", error))?;
        self.birth = (asked == AskedWhom::Template).then(|| Birth {
            arguments: arguments.to_vec(),
            files,
            is_told_of: false,
        });
        Ok(())
    }

    /// A process that is not even started, for this reason.
    pub(crate) fn refused(minder: &Arc<Minder>, limits: &Limits, silence: Silence) -> Process {
        let mut process = Process::new(minder, limits);
        process.silence = Some(silence);
        process
    }

    fn new(minder: &Arc<Minder>, limits: &Limits) -> Process {
        Process {
            minder: Arc::clone(minder),
            limits: limits.clone(),
            birth: None,
            stdin: None,
            unsent: Vec::new(),
            closing: false,
            stdout: None,
            output: Vec::new(),
            in_a_long_line: false,
            stderr: None,
            errors: Excerpt::default(),
            pid: None,
            started: None,
            ended: None,
            silence: None,
            killed: false,
            forgiven: Duration::ZERO,
            usage: None,
            counted: Instant::now(),
        }
    }

    /// Waits until the process is running; false if it could not be started.
    pub fn is_started(&mut self) -> Result<bool, MachineFault> {
        let until = Instant::now() + PATIENCE;
        while self.started.is_none() && self.silence.is_none() {
            self.wait_for_the_minder(None, until)?;
            if Instant::now() > until {
                return Err(self.give_up("start a process"));
            }
        }
        Ok(self.started.is_some())
    }

    /// Waits for a line of output and gives it without its end.
    pub fn line(
        &mut self,
        time: Duration,
        interrupt: Option<&Interrupt>,
    ) -> Result<Result<Vec<u8>, Silence>, MachineFault> {
        let line = self.line_up_to(usize::MAX, time, interrupt)?;
        Ok(line.map(Option::unwrap_or_default))
    }

    /// The same; none as soon as a line is longer than this. Its rest is skipped before the next
    /// line is looked for, and if that rest is too long again, there is none again.
    pub fn line_up_to(
        &mut self,
        longest: usize,
        time: Duration,
        interrupt: Option<&Interrupt>,
    ) -> Result<Result<Option<Vec<u8>>, Silence>, MachineFault> {
        loop {
            let mut searched = 0;
            let silence = self.listen(Instant::now(), time, interrupt, |process| {
                let new = &process.output[searched..];
                let found = new.iter().position(|&byte| byte == b'\n');
                searched += found.unwrap_or(new.len());
                // Nothing ends a line after the end of the file.
                let over = || process.silence.clone().unwrap_or(Silence::Closed);
                let over = process.stdout.is_none().then(over);
                let enough = found.is_some() || searched > longest;
                enough.then_some(None).or(over.map(Some))
            })?;
            if let Some(silence) = silence {
                return Ok(Err(silence));
            }
            if searched > longest {
                self.output.drain(..searched);
                self.in_a_long_line = true;
                return Ok(Ok(None));
            }
            let mut line: Vec<u8> = self.output.drain(..=searched).collect();
            line.pop();
            if !std::mem::take(&mut self.in_a_long_line) {
                return Ok(Ok(Some(line)));
            }
        }
    }

    /// Waits until the process has ended and all that it wrote is read; tells why it was cut short,
    /// if it was.
    pub(crate) fn hear_out(
        &mut self,
        time: Duration,
        interrupt: Option<&Interrupt>,
    ) -> Result<Option<Silence>, MachineFault> {
        self.listen(Instant::now(), time, interrupt, |process| {
            let all_read = process.stdout.is_none() && process.stderr.is_none();
            (all_read && process.ended.is_some()).then_some(None)
        })
    }

    /// Waits until the process has ended, which it was asked for some time ago; what it still
    /// writes to its output is read and forgotten. Tells why it was cut short, if it was.
    pub(crate) fn see_out(
        &mut self,
        asked: Instant,
        time: Duration,
        interrupt: Option<&Interrupt>,
    ) -> Result<Option<Silence>, MachineFault> {
        // No answer is expected any more, so none can be too long.
        self.limits.output = usize::MAX;
        let silence = self.listen(asked, time, interrupt, |process| {
            process.output.clear();
            process.ended.is_some().then_some(None)
        });
        self.read_last_words();
        silence
    }

    /// Kills the process with all that it started, and waits until it is gone.
    pub fn kill(&mut self) -> Result<(), MachineFault> {
        if self.ended.is_none() && self.silence.is_none() {
            // If the minder is gone, so is the process: that is noticed below.
            self.minder_is_told_of_it();
            let _ = self.minder.kill();
            self.killed = true;
            let until = Instant::now() + PATIENCE;
            while self.ended.is_none() && self.silence.is_none() {
                self.wait_for_the_minder(None, until)?;
                self.output.truncate(self.limits.output);
                if Instant::now() > until {
                    return Err(self.give_up("kill a process"));
                }
            }
        }
        Ok(())
    }

    /// Kills the process for something that it did; whoever listens on hears the same again.
    fn cut_short(&mut self, silence: Silence) -> Result<Option<Silence>, MachineFault> {
        self.kill()?;
        self.silence.get_or_insert(silence);
        Ok(self.silence.clone())
    }

    /// How the process ended, if it has.
    pub fn ended(&self) -> Option<&Ended> {
        self.ended.as_ref().map(|(ended, _)| ended)
    }

    /// How the process ended, unless it was us who ended it.
    pub(crate) fn ended_by_itself(&self) -> Option<&Ended> {
        let killed = HowEnded::Signal(libc::SIGKILL);
        let ours = |ended: &Ended| self.killed && ended.how == killed && ended.overrun.is_none();
        self.ended().filter(|ended| !ours(ended))
    }

    /// What the process has written to its standard error.
    pub fn errors(&self) -> &Excerpt {
        &self.errors
    }

    /// A new question: what was written to the standard error before belongs to others.
    pub(crate) fn ask_anew(&mut self) {
        if self.errors.total() > 0 {
            self.errors = Excerpt::default();
        }
    }

    /// How long the process has been running.
    pub(crate) fn age(&self) -> Duration {
        self.started
            .map_or(Duration::ZERO, |started| started.elapsed())
    }

    /// Listens until `enough` says so, or until there is a reason to stop. The time counts from the
    /// moment at which the process was asked.
    fn listen(
        &mut self,
        asked: Instant,
        time: Duration,
        interrupt: Option<&Interrupt>,
        mut enough: impl FnMut(&mut Process) -> Option<Option<Silence>>,
    ) -> Result<Option<Silence>, MachineFault> {
        let mut extra = Duration::ZERO;
        let mut looked = false;
        let mut is_late = false;
        // A process that has lived before may have been kept waiting then, for which nothing is due
        // to it now. It is asked for once it is clear that it takes its time: telling a minder costs
        // more than a fast program takes to answer.
        let mut is_settled = self.started.is_none();
        let errors_before = self.errors.total();
        self.minder_is_told_of_a_question(asked);
        loop {
            if let Some((ended, _)) = &self.ended
                && let Some(overrun) = ended.overrun
            {
                return Ok(Some(Silence::TooMuch(overrun)));
            }
            if self.output.len() > self.limits.output {
                return self.cut_short(Silence::TooMuchOutput);
            }
            if self.errors.total() - errors_before > self.limits.errors {
                return self.cut_short(Silence::TooManyErrors);
            }
            if let Some(answer) = enough(self) {
                return Ok(answer);
            }
            if self.silence.is_some() {
                return Ok(self.silence.clone());
            }
            // The clock runs from the moment at which the process could have begun.
            let deadline = match (self.started, &self.ended) {
                (_, Some((_, ended))) => *ended + PIPE_CLOSES,
                (Some(started), None) => started.max(asked) + time + extra,
                (None, None) => asked + PATIENCE,
            };
            if !is_settled && self.ended.is_none() {
                let settled = (asked + SETTLES.min(time / 10)).min(deadline);
                if Instant::now() >= settled {
                    // As far as it can have waited since it was asked, it is due to it.
                    let kept_waiting = self.kept_waiting()?;
                    self.forgiven = kept_waiting.saturating_sub(asked.elapsed());
                    is_settled = true;
                } else if wait(&mut [self], interrupt, settled)? {
                    return Ok(Some(Silence::Interrupted));
                }
                continue;
            }
            // What has come is read before anybody is called late: it may have come in time while
            // we were kept waiting ourselves.
            if !looked || Instant::now() < deadline {
                let interrupted = match self.started {
                    Some(_) => wait(&mut [self], interrupt, deadline)?,
                    None => self.wait_for_the_minder(interrupt, deadline)?,
                };
                if interrupted {
                    return Ok(Some(Silence::Interrupted));
                }
                looked = true;
                continue;
            }
            if self.ended.is_some() {
                self.stdout = None;
                self.stderr = None;
            } else if self.started.is_none() {
                return Err(self.give_up("start a process"));
            } else {
                // It was not kept waiting for longer than it was asked.
                let kept_waiting = self.kept_waiting()?;
                let given_back = kept_waiting.saturating_sub(self.forgiven);
                let given_back = given_back.min(asked.elapsed());
                self.forgiven = kept_waiting;
                if given_back >= Duration::from_millis(1) {
                    extra += given_back;
                    looked = false;
                    is_late = false;
                } else if is_late {
                    return self.cut_short(Silence::Late);
                } else {
                    // While its minder was asked, it may have answered or ended after all.
                    is_late = true;
                }
            }
        }
    }

    /// How long the machine has kept the process waiting in all.
    fn kept_waiting(&mut self) -> Result<Duration, MachineFault> {
        self.usage = None;
        if self.minder.ask_usage().is_err() {
            return Ok(Duration::ZERO);
        }
        let until = Instant::now() + PATIENCE;
        while self.ended.is_none() && self.silence.is_none() {
            if let Some(usage) = self.usage.take() {
                return Ok(usage.kept_waiting);
            }
            self.wait_for_the_minder(None, until)?;
            if Instant::now() > until {
                return Err(self.give_up("hear of a process"));
            }
        }
        Ok(Duration::ZERO)
    }

    /// Waits for something to happen, but not for a minder that its own bot has stopped. True if
    /// an interruption came.
    fn wait_for_the_minder(
        &mut self,
        interrupt: Option<&Interrupt>,
        until: Instant,
    ) -> Result<bool, MachineFault> {
        let is_unheard_of = self.birth.as_ref().is_some_and(|birth| !birth.is_told_of);
        let patience = match is_unheard_of {
            true if self.closing => ONE_SHOT_TOLD_AFTER,
            true => TOLD_AFTER,
            false => A_WHILE,
        };
        let a_while = until.min(Instant::now() + patience);
        let interrupted = wait(&mut [self], interrupt, a_while)?;
        if is_unheard_of {
            self.minder_is_told_of_it();
            return Ok(interrupted);
        }
        let is_pending = self.ended.is_none() && self.silence.is_none();
        // To look after a minder costs more than a fast program takes to answer.
        if is_pending && Instant::now() >= a_while && self.minder.is_stopped() {
            let loss = self.minder.loss();
            self.minder.put_down();
            self.has_lost_its_minder(loss)?;
        }
        Ok(interrupted)
    }

    /// Tells the minder of the process that only its template knows of, unless that was done.
    fn minder_is_told_of_it(&mut self) {
        if let Some(birth) = &mut self.birth
            && !birth.is_told_of
        {
            birth.is_told_of = true;
            // If the minder is gone, that is noticed by whoever waits for its answer.
            let _ = self.minder.tell_of_the_asked();
        }
    }

    /// Has the processor time counted from here on, unless that was done a moment ago: telling a
    /// minder costs more than a fast program takes to answer.
    fn minder_is_told_of_a_question(&mut self, now: Instant) {
        let moment = (self.limits.cpu / 4).min(Duration::from_secs(1));
        if now.saturating_duration_since(self.counted) >= moment {
            self.counted = now;
            let _ = self.minder.count_anew();
        }
    }

    /// What there is to wait for, in the order in which [`Process::attend`] is told.
    ///
    /// A minder tells that a process has begun only if it does not end at once. Until then its
    /// files are left alone: to be woken for each of them costs more than a fast program takes.
    fn ends(&self) -> [Option<(BorrowedFd<'_>, PollFlags)>; 4] {
        let over = self.ended.is_some() || self.silence.is_some();
        let reports = (!over).then(|| self.minder.reports());
        let is_told_of = over || self.started.is_some();
        let unsent = self.stdin.as_ref().filter(|_| !self.unsent.is_empty());
        let [output, errors, input] = [self.stdout.as_ref(), self.stderr.as_ref(), unsent]
            .map(|end| end.filter(|_| is_told_of).map(OwnedFd::as_fd));
        [
            reports.map(|end| (end, PollFlags::POLLIN)),
            output.map(|end| (end, PollFlags::POLLIN)),
            errors.map(|end| (end, PollFlags::POLLIN)),
            input.map(|end| (end, PollFlags::POLLOUT)),
        ]
    }

    /// Does what can be done without waiting.
    fn attend(&mut self, [report, output, errors, input]: [bool; 4]) -> Result<(), MachineFault> {
        if output {
            self.read_output();
        }
        if errors {
            self.read_errors();
        }
        if input {
            self.send_the_rest();
        }
        if report {
            match self.minder.receive().map_err(failed("hear of a process"))? {
                Some(report) => {
                    self.note(report)?;
                    if self.ended.is_some() {
                        self.read_what_is_left();
                    }
                }
                None => {
                    // Nobody minds it any more, so it is for us to see to it.
                    let ends = [&self.stdin, &self.stdout, &self.stderr];
                    Minder::put_down_orphans(self.pid, ends.into_iter().flatten());
                    self.has_lost_its_minder(self.minder.loss())?;
                }
            }
        }
        Ok(())
    }

    /// Nothing more can come, and if that is the bot's own doing, it is told so.
    fn has_lost_its_minder(&mut self, loss: Loss) -> Result<(), MachineFault> {
        match loss {
            Loss::Bots => self.silence = Some(Silence::KilledItsMinder),
            Loss::Machines(how) => return Err(self.fails("mind a bot", io::Error::other(how))),
        }
        Ok(())
    }

    /// A fault of the machine, after which there is no process any more that could be waited for.
    fn fails(&mut self, doing: &'static str, error: io::Error) -> MachineFault {
        self.silence.get_or_insert(Silence::Closed);
        failed(doing)(error)
    }

    /// Does not wait any longer for a minder that does not answer.
    fn give_up(&mut self, doing: &'static str) -> MachineFault {
        self.minder.put_down();
        self.fails(doing, io::Error::other("it took more than a minute"))
    }

    fn note(&mut self, report: Notice) -> Result<(), MachineFault> {
        let birth = self.birth.take();
        match report {
            Notice::Started { pid, age } => {
                self.started = Some(before(age));
                self.pid = Some(pid);
            }
            Notice::Usage(usage) => self.usage = Some(usage),
            Notice::Ended { how, age, .. } => {
                self.started.get_or_insert(before(age));
                self.ended = Some((how, Instant::now()));
            }
            Notice::NotStarted { reason, machine } if machine => {
                return Err(self.fails("start a process", io::Error::other(reason)));
            }
            Notice::Failed(reason) => {
                return Err(self.fails("mind a bot", io::Error::other(reason)));
            }
            Notice::NotStarted { mut reason, .. } => {
                if let Some(wrong) = program::wrong_with(self.minder.starts()) {
                    reason = format!("{reason}; {wrong}");
                }
                self.silence = Some(Silence::NotStarted(reason));
            }
            Notice::NothingCame => {
                if let Some(Birth {
                    arguments, files, ..
                }) = birth
                {
                    self.ask_for(&arguments, files)?;
                }
            }
            Notice::Ready(_) | Notice::Refused(_) => {}
        }
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

/// Waits until all these processes have ended, while their output is read and forgotten; those
/// that have not at the deadline are killed.
pub fn see_off(processes: &mut [Process], until: Instant) -> Result<(), MachineFault> {
    let running = |process: &&mut Process| process.ended.is_none() && process.silence.is_none();
    loop {
        let mut left: Vec<&mut Process> = processes.iter_mut().filter(running).collect();
        if left.is_empty() {
            processes.iter_mut().for_each(Process::read_last_words);
            return Ok(());
        }
        if Instant::now() >= until {
            return left.into_iter().try_for_each(Process::kill);
        }
        wait(&mut left, None, until)?;
        left.into_iter().for_each(|process| process.output.clear());
    }
}

/// Waits until something can be done for one of these processes and does it, but not beyond the
/// deadline. True if an interruption came.
fn wait(
    processes: &mut [&mut Process],
    interrupt: Option<&Interrupt>,
    until: Instant,
) -> Result<bool, MachineFault> {
    let ends: Vec<_> = processes.iter().map(|process| process.ends()).collect();
    let mut waiting: Vec<PollFd<'_>> = interrupt
        .map(|interrupt| PollFd::new(interrupt.end(), PollFlags::POLLIN))
        .into_iter()
        .chain(
            ends.iter()
                .flatten()
                .flatten()
                .map(|(end, what)| PollFd::new(*end, *what)),
        )
        .collect();
    // Rounded up, or the last part of a millisecond would be spent asking again and again.
    let left = until.saturating_duration_since(Instant::now()) + Duration::from_micros(999);
    let left = PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX);
    match poll(&mut waiting, left) {
        Ok(0) | Err(Errno::EINTR) => return Ok(false),
        Ok(_) => {}
        Err(error) => return Err(failed("wait for a process")(error)),
    }
    let mut ready = waiting.iter().map(|end| end.any().unwrap_or(true));
    let interrupted = interrupt.is_some() && ready.next() == Some(true);
    let ready: Vec<[bool; 4]> = ends
        .iter()
        .map(|ends| ends.map(|end| end.is_some() && ready.next() == Some(true)))
        .collect();
    for (process, ready) in processes.iter_mut().zip(ready) {
        process.attend(ready)?;
    }
    Ok(interrupted)
}

/// The moment that was so long ago.
fn before(age: Duration) -> Instant {
    let now = Instant::now();
    now.checked_sub(age).unwrap_or(now)
}
