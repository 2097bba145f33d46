//! `/contest/NAME/fault/ID`: one fault of a program: what it was given, what it answered, which rule it
//! broke, and the command that repeats it.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::extract::{Path, State as Extract};
use axum::response::Response;
use croupier_arena::{FaultHead, measured};
use croupier_bots::{Culprit, Ended, Fault, HowEnded, Limits, Speech};
use croupier_core::{FoulKind, grouped, print_duration, print_size, shell_word};

use super::charts::WIDTH;
use super::page::game_title;
use super::player::where_in;
use super::text::{both_ends, name as short, plain, segment};
use super::{Seen, Umpire, contest, read};
use crate::Room;
use crate::refusal::{Refusal, render};

/// So many letters of what went between us and the program are shown.
const SHOWN: usize = 24_000;

/// So many legal moves are shown.
const MOVES: usize = 200;

#[derive(Template)]
#[template(path = "contest_fault.html")]
struct Page {
    contest: String,
    address: String,
    title: String,
    id: String,
    name: String,
    player: Option<String>,
    kind: String,
    rule: &'static str,
    detail: String,
    at: String,
    given: String,
    arguments: String,
    file: Option<String>,
    legal: Vec<String>,
    legal_left_out: usize,
    answer: String,
    errors: String,
    time: Option<Time>,
    facts: Vec<(&'static str, String)>,
    repeat: String,
    replay: Option<String>,
}

/// The time that it took, and the time that it had.
struct Time {
    words: String,
    /// How much of the bar is filled, and whether that is all of it.
    length: f64,
    is_over: bool,
}

/// A fault with all that belongs to it.
pub(crate) struct WholeFault {
    pub(crate) head: FaultHead,
    pub(crate) fault: Fault,
    /// The number of its game, if the record of it is kept.
    pub(crate) game: Option<String>,
}

/// Finds a fault of a contest.
pub(crate) async fn find(seen: &Seen, id: &str) -> Result<WholeFault, Refusal> {
    let wanted = id.to_owned();
    let found = read(seen, move |_, store| {
        let Some((head, fault)) = store.whole_fault(&wanted)? else {
            return Ok(None);
        };
        let game = wanted.rsplit_once('-').map(|(game, _)| game.to_owned());
        let game = game.filter(|_| head.round.is_some());
        let record = game.as_deref().map(|game| store.record(game)).transpose()?;
        Ok(Some(WholeFault {
            head,
            fault,
            game: game.filter(|_| record.flatten().is_some()),
        }))
    });
    let found = found.await?;
    found.ok_or_else(|| Refusal::missing("This contest keeps no such fault."))
}

/// The command that repeats a fault.
pub(crate) fn repeat(seen: &Seen, id: &str) -> String {
    format!(
        "croupier repro {} {}",
        shell_word(&seen.folder),
        shell_word(id.as_ref())
    )
}

/// What a program was sent, as a person reads it.
pub(crate) fn given(umpire: Option<Umpire>, fault: &Fault) -> String {
    let input = &fault.exchange.input.0;
    match umpire {
        Some(umpire) => (umpire.told)(fault.speech, input),
        None => String::from_utf8_lossy(input).into_owned(),
    }
}

pub(super) async fn show(
    Extract(room): Extract<Arc<Room>>,
    Path((name, id)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let seen = contest(&room, &name).await?;
    let WholeFault { head, fault, game } = find(&seen, &id).await?;
    let umpire = room.contests.umpire(&seen.snapshot.game);
    let address = format!("/contest/{}", segment(&name));
    let player = seen
        .snapshot
        .rows
        .iter()
        .find(|row| row.identity == head.player);
    let exchange = &fault.exchange;
    let text = |bytes: &[u8]| both_ends(&plain(&String::from_utf8_lossy(bytes)), SHOWN);
    let legal = exchange
        .legal
        .iter()
        .take(MOVES)
        .map(|choice| short(choice));
    render(&Page {
        title: game_title(&room, &seen.snapshot.game),
        id: short(&head.id),
        name: short(&head.name),
        player: player.map(|row| format!("{address}/player/{}", segment(&row.handle))),
        kind: short(&head.kind),
        rule: rule(fault.kind),
        detail: both_ends(&plain(&fault.detail), SHOWN),
        at: where_in(&head),
        given: both_ends(&plain(&given(umpire, &fault)), SHOWN),
        arguments: short(&exchange.arguments.join(" ")),
        file: exchange.file.as_deref().map(short),
        legal: legal.collect(),
        legal_left_out: exchange.legal.len().saturating_sub(MOVES),
        answer: text(&exchange.answer.0),
        errors: both_ends(&plain(&exchange.errors), SHOWN),
        time: time(&fault),
        facts: facts(&fault),
        repeat: plain(&repeat(&seen, &head.id)),
        replay: game.map(|game| format!("/replay/contest/{}/{}", segment(&name), segment(&game))),
        contest: name,
        address,
    })
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
        let of = print_size(fault.limits.memory);
        if ended.peak_memory > 0 {
            facts.push((
                "Memory",
                format!("{} MiB at most, of {of}", grouped(ended.peak_memory >> 20)),
            ));
        }
        facts.push((
            "Processor time",
            format!(
                "{} of {}",
                measured(ended.cpu),
                print_duration(fault.limits.cpu)
            ),
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
