//! A fault of a program, as a person reads it: the same at a table and in a contest.
//!
//! Everything here that a program wrote is hostile: it is shown as text, in its plain letters, and not
//! at any length.

use std::time::Duration;

use croupier_arena::measured;
use croupier_bots::{Culprit, Ended, Fault, HowEnded, Limits, Speech};
use croupier_core::{FoulKind, grouped};

use crate::contests::{Umpire, both_ends, plain, short_name};

/// So many letters of what went between us and the program are shown.
const SHOWN: usize = 24_000;

/// So many legal moves are shown.
const MOVES: usize = 200;

/// The width of the bar that stands for the time, in units of the drawing.
const WIDTH: f64 = 1000.0;

/// A fault, ready for `fault_told.html`.
pub(crate) struct FaultTold {
    pub(crate) rule: &'static str,
    pub(crate) detail: String,
    pub(crate) given: String,
    pub(crate) arguments: String,
    pub(crate) file: Option<String>,
    pub(crate) legal: Vec<String>,
    pub(crate) legal_left_out: usize,
    pub(crate) answer: String,
    pub(crate) errors: String,
    pub(crate) time: Option<Time>,
    pub(crate) facts: Vec<(&'static str, String)>,
}

/// The time that it took, and the time that it had.
pub(crate) struct Time {
    pub(crate) words: String,
    /// How much of the bar is filled, and whether that is all of it.
    pub(crate) length: f64,
    pub(crate) is_over: bool,
}

impl FaultTold {
    /// A fault, told with what the game knows of what it sends to programs.
    pub(crate) fn of(fault: &Fault, umpire: Option<Umpire>) -> FaultTold {
        let exchange = &fault.exchange;
        let text = |text: &str| both_ends(&plain(text), SHOWN);
        let legal = exchange.legal.iter().take(MOVES);
        FaultTold {
            rule: rule(fault.kind),
            detail: text(&fault.detail),
            given: text(&given(umpire, fault)),
            arguments: short_name(&exchange.arguments.join(" ")),
            file: exchange.file.as_deref().map(short_name),
            legal: legal.map(|choice| short_name(choice)).collect(),
            legal_left_out: exchange.legal.len().saturating_sub(MOVES),
            answer: text(&String::from_utf8_lossy(&exchange.answer.0)),
            errors: text(&exchange.errors),
            time: time(fault),
            facts: facts(fault),
        }
    }
}

/// What a program was sent, as a person reads it.
pub(crate) fn given(umpire: Option<Umpire>, fault: &Fault) -> String {
    let input = &fault.exchange.input.0;
    match umpire {
        Some(umpire) => (umpire.told)(fault.speech, input),
        None => String::from_utf8_lossy(input).into_owned(),
    }
}

/// The rule that a fault of this kind breaks, as a rule.
pub(crate) fn rule(kind: FoulKind) -> &'static str {
    match kind {
        FoulKind::Illegal => "A program may choose only what the rules of the game allow.",
        FoulKind::Malformed => "An answer has to be written as the protocol says.",
        FoulKind::Timeout => "A program has only so much time for a decision.",
        FoulKind::Crash => "A program has to go on, or end with status 0.",
        FoulKind::Memory => "A program may use only so much memory.",
        FoulKind::Output => "A program may write only so much.",
        FoulKind::Start => "A program has to start.",
        FoulKind::Compile => "A program has to compile.",
    }
}

fn time(fault: &Fault) -> Option<Time> {
    let Limits { decision, .. } = fault.limits;
    let took = fault.exchange.took;
    if took == Duration::ZERO {
        return None;
    }
    let share = took.as_secs_f64() / decision.as_secs_f64().max(1e-9);
    Some(Time {
        words: format!(
            "{} of {} for a decision",
            measured(took),
            measured(decision)
        ),
        length: (WIDTH * share).clamp(4.0, WIDTH).round(),
        is_over: share >= 1.0,
    })
}

fn facts(fault: &Fault) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Some(ended) = &fault.exchange.ended {
        facts.push(("How it ended", how(ended)));
        let mebibytes = |bytes: u64| grouped(bytes >> 20);
        if ended.peak_memory > 0 {
            let (peak, limit) = (ended.peak_memory, fault.limits.memory);
            facts.push((
                "Memory",
                format!(
                    "{} MiB at most, of {} MiB",
                    mebibytes(peak),
                    mebibytes(limit)
                ),
            ));
        }
        facts.push((
            "Processor time",
            format!("{} of {}", measured(ended.cpu), measured(fault.limits.cpu)),
        ));
    }
    facts.push((
        "Whose fault",
        match fault.culprit {
            Culprit::Bot => "the program’s",
            Culprit::Machine => "the machine’s: nothing is scored",
            Culprit::Referee => "ours: nothing is scored",
        }
        .to_owned(),
    ));
    facts.push((
        "Spoken to",
        match fault.speech {
            Speech::Own => "in the game’s own protocol",
            Speech::Json => "in JSON lines",
        }
        .to_owned(),
    ));
    facts.push(("Sandbox", fault.tier.to_string()));
    facts.push(("Program", plain(&fault.program.display().to_string())));
    facts
}

fn how(ended: &Ended) -> String {
    match ended.how {
        HowEnded::Status(status) => format!("with status {status}"),
        HowEnded::Signal(signal) => format!("killed by signal {signal}"),
    }
}
