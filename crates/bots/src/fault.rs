//! Blame: what went wrong, whose fault it was, and everything needed to make it happen again.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use croupier_core::{Foul, FoulKind, quoted};
use serde::{Deserialize, Serialize};

use crate::minder::{Ended, HowEnded, Overrun};
use crate::{Limits, Silence, Tier, Times};

/// One failure of a foreign program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// What sort of failure.
    pub kind: FoulKind,
    /// Whose fault.
    pub culprit: Culprit,
    /// What happened, in a sentence for the program's author.
    pub detail: String,
    /// What the program was asked and what it answered.
    pub exchange: Exchange,
    /// How it was held.
    pub tier: Tier,
    /// What it was allowed.
    pub limits: Limits,
    /// The program.
    #[serde(with = "path")]
    pub program: PathBuf,
    /// How it was spoken to.
    pub speech: Speech,
}

/// Whose fault a failure is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Culprit {
    /// The program's own.
    Bot,
    /// The machine's: nothing is scored.
    Machine,
    /// Ours: nothing is scored.
    Referee,
}

/// How a program is spoken to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Speech {
    /// In the game's own protocol.
    Own,
    /// In JSON lines.
    Json,
}

/// One question and its answer.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Exchange {
    /// The arguments of the process.
    pub arguments: Vec<String>,
    /// The file in its folder that held the question and then the answer, if they did not go
    /// through its standard input and output.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Everything that the process was sent, to the question that failed.
    pub input: Bytes,
    /// What it answered to that question.
    pub answer: Bytes,
    /// What it wrote to its standard error, both ends of it.
    pub errors: String,
    /// How long it took.
    pub took: Duration,
    /// How the process ended, if it has.
    pub ended: Option<Ended>,
    /// What would have been legal, as far as the game says so in text.
    pub legal: Vec<String>,
}

/// Bytes that are mostly text; written as text if they are.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "TextOrBytes", into = "TextOrBytes")]
pub struct Bytes(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum TextOrBytes {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<TextOrBytes> for Bytes {
    fn from(bytes: TextOrBytes) -> Bytes {
        match bytes {
            TextOrBytes::Text(text) => Bytes(text.into_bytes()),
            TextOrBytes::Bytes(bytes) => Bytes(bytes),
        }
    }
}

impl From<Bytes> for TextOrBytes {
    fn from(Bytes(bytes): Bytes) -> TextOrBytes {
        String::from_utf8(bytes).map_or_else(
            |error| TextOrBytes::Bytes(error.into_bytes()),
            TextOrBytes::Text,
        )
    }
}

/// A path, which is mostly text too.
mod path {
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
    use std::path::{Path, PathBuf};

    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    use super::Bytes;

    pub(super) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
        Bytes(path.as_os_str().as_bytes().to_owned()).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        let Bytes(path) = Bytes::deserialize(from)?;
        Ok(OsString::from_vec(path).into())
    }
}

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(&self.0))
    }
}

/// Where the faults of a player are noted, and how long its decisions took.
#[derive(Clone, Debug, Default)]
pub struct Ledger(Arc<Mutex<Notes>>);

#[derive(Debug, Default)]
struct Notes {
    faults: Vec<Fault>,
    times: Times,
}

impl Ledger {
    /// Notes a fault.
    pub fn note(&self, fault: Fault) {
        self.notes().faults.push(fault);
    }

    /// Notes how long a decision took.
    pub fn note_time(&self, took: Duration) {
        self.notes().times.add(took);
    }

    /// How many faults of this kind have been noted so far.
    pub fn count(&self, kind: FoulKind) -> usize {
        let notes = self.notes();
        let faults = notes.faults.iter();
        faults.filter(|fault| fault.kind == kind).count()
    }

    /// Takes all faults noted so far.
    pub fn take(&self) -> Vec<Fault> {
        std::mem::take(&mut self.notes().faults)
    }

    /// Takes the times of all decisions noted so far.
    pub fn take_times(&self) -> Times {
        std::mem::take(&mut self.notes().times)
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a silent or dead process did wrong; `unreadable` tells why its answer, if there was one,
/// could not be read, and is empty if it could.
pub(crate) fn blame(
    silence: Option<&Silence>,
    ended: Option<&Ended>,
    limits: &Limits,
    time: Duration,
    unreadable: &str,
) -> Foul {
    // That its output is closed may be heard of before the reason for which it was killed.
    let overrun = ended.and_then(|ended| ended.overrun).map(Silence::TooMuch);
    let (kind, detail) = match (silence.or(overrun.as_ref()), ended) {
        (Some(Silence::NotStarted(reason)), _) => (
            FoulKind::Start,
            format!("it could not be started: {reason}"),
        ),
        (Some(Silence::Changed), _) => (
            FoulKind::Start,
            "its file has changed since the match began, so it is not started".to_owned(),
        ),
        (Some(Silence::Late), _) if unreadable.is_empty() => (
            FoulKind::Timeout,
            format!("it did not end within {}", seconds(time)),
        ),
        (Some(Silence::Late), _) => (
            FoulKind::Timeout,
            format!("it did not answer within {}", seconds(time)),
        ),
        (Some(Silence::TooMuchOutput), _) => (
            FoulKind::Output,
            format!("it wrote more than {} bytes", limits.output),
        ),
        (Some(Silence::TooManyErrors), _) => (
            FoulKind::Output,
            format!(
                "it wrote more than {} bytes to its standard error",
                limits.errors
            ),
        ),
        (Some(Silence::TooMuch(Overrun::Memory)), _) => (
            FoulKind::Memory,
            format!("it used more than {} MiB of memory", limits.memory >> 20),
        ),
        (Some(Silence::TooMuch(Overrun::Cpu)), _) => (
            FoulKind::Timeout,
            format!(
                "it used more than {} of processor time",
                seconds(limits.cpu)
            ),
        ),
        (Some(Silence::TooMuch(Overrun::Processes)), _) => (
            FoulKind::Crash,
            format!(
                "it ran more than {} processes and was killed",
                limits.processes
            ),
        ),
        (Some(Silence::KilledItsMinder), _) => (
            FoulKind::Crash,
            "it killed the process that minds it".to_owned(),
        ),
        (_, Some(ended)) => died(ended, limits, unreadable),
        (_, None) => (FoulKind::Malformed, unreadable.to_owned()),
    };
    Foul { kind, detail }
}

fn died(ended: &Ended, limits: &Limits, unreadable: &str) -> (FoulKind, String) {
    let how = match ended.how {
        HowEnded::Status(0) => return (FoulKind::Malformed, unreadable.to_owned()),
        HowEnded::Status(status) => format!("it ended with status {status}"),
        HowEnded::Signal(signal) => {
            let name = nix::sys::signal::Signal::try_from(signal);
            let name = name.map_or(String::new(), |name| format!(" ({name})"));
            format!("it was killed by signal {signal}{name}")
        }
    };
    // A program that is refused memory dies in its own way; how much it had gives it away.
    if ended.peak_memory >= limits.memory / 10 * 9 {
        let memory = limits.memory >> 20;
        return (
            FoulKind::Memory,
            format!("{how} with the {memory} MiB of memory it may use all in use"),
        );
    }
    (FoulKind::Crash, how)
}

/// A time as one would say it.
pub(crate) fn seconds(time: Duration) -> String {
    match time.as_millis() {
        millis if millis % 1000 == 0 => format!("{} s", millis / 1000),
        millis => format!("{millis} ms"),
    }
}

/// What a program said, fit to stand in a sentence.
pub(crate) fn shown(said: &[u8]) -> String {
    const ENOUGH: usize = 200;
    quoted(&String::from_utf8_lossy(said), ENOUGH)
}

/// The foul, and what had come of an answer when it broke off: a newline is easily forgotten.
pub(crate) fn with_unfinished(mut foul: Foul, line: &[u8]) -> Foul {
    if !line.is_empty() && !line.contains(&b'\n') && foul.kind != FoulKind::Output {
        let line = shown(line);
        let quote = Foul::IT_WROTE;
        foul.detail += &format!("{quote}'{line}' without the newline that ends an answer");
    }
    foul
}

/// The foul, and below it the last lines of what the program wrote to its standard error, where most
/// languages say what went wrong.
pub(crate) fn with_errors(mut foul: Foul, errors: &str) -> Foul {
    const SHOWN: usize = 6;
    let lines = errors.lines().filter(|line| !line.trim().is_empty());
    let lines: Vec<&str> = lines.collect();
    let left_out = lines.len().saturating_sub(SHOWN);
    if left_out > 0 {
        foul.detail += "\n…";
    }
    for line in &lines[left_out..] {
        foul.detail.push('\n');
        foul.detail.push_str(&shown(line.as_bytes()));
    }
    foul
}

#[cfg(test)]
mod tests {
    use super::*;

    fn late() -> Foul {
        let detail = "it did not answer within 2 s".to_owned();
        let kind = FoulKind::Timeout;
        Foul { kind, detail }
    }

    #[test]
    fn of_long_errors_the_end_is_shown() {
        let errors: String = (1..=100).map(|line| format!("line {line}\n\n")).collect();
        let told = with_errors(late(), &errors).detail;
        let end = "line 95\nline 96\nline 97\nline 98\nline 99\nline 100";
        assert_eq!(told, format!("it did not answer within 2 s\n…\n{end}"));
        let told = with_errors(late(), "one\ntwo\n").detail;
        assert_eq!(told, "it did not answer within 2 s\none\ntwo");
    }

    #[test]
    fn an_answer_without_its_newline_is_told() {
        let told = |line: &[u8]| with_unfinished(late(), line).detail;
        assert_eq!(
            told(b"wild"),
            "it did not answer within 2 s; it wrote 'wild' without the newline that ends an answer"
        );
        assert_eq!(told(b""), "it did not answer within 2 s");
        // It came after all, but too late.
        assert_eq!(told(b"wild\n"), "it did not answer within 2 s");
    }

    #[test]
    fn what_was_said_is_shown_without_codes_and_not_at_length() {
        assert_eq!(shown(b"take1,1,1,0"), "take1,1,1,0");
        assert_eq!(shown("für 3 €".as_bytes()), "für 3 €");
        let codes = b"\x1b[2J\r\0\xc2\x9b\xff";
        assert_eq!(shown(codes), "\\u{1b}[2J\\r\\u{0}\\u{9b}\u{fffd}");
        let long = shown(&[b'x'; 60_000]);
        assert_eq!(long, format!("{}…", "x".repeat(200)));
    }
}
