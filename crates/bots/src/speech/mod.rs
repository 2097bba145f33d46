//! Ways of speaking to a foreign program so that it plays a game.
//!
//! Each way is a [`Player`](croupier_core::Player) of the game: asked for a move, it asks the
//! program, and whatever the program does becomes a move, a foul, or nobody's fault.

mod austerity;
mod friday13;
mod intensity;
mod json;
mod one_shot;
mod uno;
mod war;

pub use friday13::{Asked, StateFile};
use json::JsonPlayer;
pub use one_shot::{OneShot, OneShotPlayer};

use std::path::Path;
use std::time::{Duration, Instant};

use croupier_core::{
    Contested, Event, Foul, FoulKind, Game, Heard, NoMove, Player, Seed, Situations, read_name,
};

use crate::fault::{Bytes, Culprit, Exchange, Fault, Ledger, blame, with_errors, with_unfinished};
use crate::{
    Bot, Callee, Folder, House, HowEnded, Limits, MachineFault, NotTaken, Preparation, Program,
    Silence, Speech, Transport, Unusable,
};

/// How long a program may take to end when it is told to.
const FAREWELL: Duration = Duration::from_secs(2);

/// How long it has from the moment at which it is listened to: before that its output may have been
/// blocked while others were listened to.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A game that programs play. A game without a protocol of its own is played in JSON lines.
pub trait Hosted: Situations + Contested {
    /// How a program is spoken to unless somebody asks for JSON lines. Where it is [`Speech::Own`],
    /// [`in_its_own_speech`](Hosted::in_its_own_speech) says how.
    const SPEECH: Speech = Speech::Json;

    /// Whether a question in the game's own protocol tells everything, so that a program can be
    /// asked about any situation without having been told what came before.
    const QUESTIONS_STAND_ALONE: bool = false;

    /// How long a decision may take unless somebody says otherwise.
    const DECISION: Duration = Duration::from_secs(2);

    /// Where a program that speaks the game's own protocol is started.
    const FOLDER: Folder = Folder::Plain;

    /// Gets a program ready that will speak the game's own protocol.
    fn prepare(path: &Path, preparation: &Preparation<'_>) -> Result<Program, Unusable> {
        Program::prepare(path, preparation)
    }

    /// Seats a program that speaks the game's own protocol.
    fn in_its_own_speech(bot: Bot, seating: Seating, setup: &Self::Setup) -> Box<dyn Player<Self>> {
        seating.seat_over(Box::new(bot), setup)
    }

    /// What a program is given to be asked for its name, in a game whose own protocol has that
    /// question; the name is all that it prints.
    fn name_question() -> Option<String> {
        None
    }

    /// What is wrong with a program besides its moves, in a game that asks for more than moves.
    fn examine(_: Bot, _: &House, _: Seed) -> Result<Vec<Finding>, NoMove> {
        Ok(Vec::new())
    }

    /// What a program was sent in the game's own protocol, as a person reads it.
    fn told(input: &[u8]) -> String {
        String::from_utf8_lossy(input).into_owned()
    }

    /// How many answers a program that lives on has to give, one by one, to what it was sent in the
    /// game's own protocol; none if it is sent everything at once.
    fn answers(_input: &[u8]) -> Option<usize> {
        None
    }

    /// The answer in what a program has printed in the game's own protocol.
    fn answer(output: &[u8]) -> &[u8] {
        output
    }
}

/// Something that is wrong with a program besides its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What sort of failure.
    pub kind: FoulKind,
    /// The part of the program that fails.
    pub about: &'static str,
    /// What is wrong with it, in a sentence for the program's author.
    pub detail: String,
    /// What it was given, as a person reads it; empty if that tells nothing.
    pub input: String,
    /// What it wrote to its standard error.
    pub errors: String,
}

/// How a program is really spoken to: a game without a protocol of its own has only JSON lines.
fn spoken<G: Hosted>(speech: Speech) -> Speech {
    match speech {
        Speech::Own => G::SPEECH,
        Speech::Json => Speech::Json,
    }
}

/// Gets a program ready that will be spoken to like this.
pub fn prepare<G: Hosted>(
    path: &Path,
    speech: Speech,
    preparation: &Preparation<'_>,
) -> Result<Program, Unusable> {
    match spoken::<G>(speech) {
        Speech::Own => G::prepare(path, preparation),
        Speech::Json => Program::prepare(path, preparation),
    }
}

/// The name that a program gives itself, if it has one that can be shown. It is asked under the same
/// limits as in a game; a program that does not answer has no name.
pub fn own_name<G: Hosted>(
    program: &Program,
    speech: Speech,
    setup: &G::Setup,
    house: &House,
) -> Result<Option<String>, NotTaken> {
    let answer = match (spoken::<G>(speech), G::name_question()) {
        (Speech::Own, None) => None,
        (Speech::Own, Some(question)) => {
            let mut bot = Bot::take_on_in(G::FOLDER, program.clone(), house)?;
            let time = house.limits.decision.min(house.limits.start);
            // What the machine fails to do here it fails to do in the first game, where it is told.
            let run = bot.run(&[], question.as_bytes(), time).ok();
            let run = run.filter(|run| run.silence.is_none());
            run.map(|run| run.output)
        }
        (Speech::Json, _) => {
            let bot = Bot::take_on(program.clone(), house)?;
            let seating = Seating::new(&Ledger::default(), house);
            let name = JsonPlayer::<G>::new(Box::new(bot), seating, setup).ask_name();
            name.map(String::into_bytes)
        }
    };
    Ok(answer.as_deref().and_then(read_name))
}

/// What a program was sent, as a person reads it.
pub fn told<G: Hosted>(speech: Speech, input: &[u8]) -> String {
    match spoken::<G>(speech) {
        Speech::Own => G::told(input),
        Speech::Json => String::from_utf8_lossy(input).into_owned(),
    }
}

/// How many answers a program that lives on has to give, one by one, to what it was sent; none if it
/// is sent everything at once, or was told to end.
pub fn answers<G: Hosted>(speech: Speech, input: &[u8]) -> Option<usize> {
    match spoken::<G>(speech) {
        Speech::Own => G::answers(input),
        Speech::Json => json::answers(input),
    }
}

/// Whether a line is an answer, good or bad; in JSON lines a program may say other things as well.
pub fn is_answer<G: Hosted>(speech: Speech, line: &[u8]) -> bool {
    spoken::<G>(speech) == Speech::Own || json::is_answer(line)
}

/// The answer in what a program has printed; in JSON lines others may come before it.
pub fn answer<G: Hosted>(speech: Speech, output: &[u8]) -> &[u8] {
    match spoken::<G>(speech) {
        Speech::Own => G::answer(output),
        Speech::Json => {
            let lines = output.split(|&byte| byte == b'\n');
            let mut lines = lines.rev().filter(|line| !line.is_empty());
            lines.next().unwrap_or_default()
        }
    }
}

/// What all foreign players keep: where their faults are noted, and how much time they have left.
#[derive(Debug)]
pub struct Seating {
    /// Where its faults are noted.
    pub ledger: Ledger,
    /// How it is held.
    pub house: House,
    /// What is left of its time for the game, if that is limited.
    bank: Option<Duration>,
    /// The question that was asked last, and the answer.
    last: Exchange,
}

impl Seating {
    /// A seat for a player whose faults are noted here.
    pub fn new(ledger: &Ledger, house: &House) -> Seating {
        Seating {
            ledger: ledger.clone(),
            house: house.clone(),
            bank: house.limits.bank,
            last: Exchange::default(),
        }
    }

    /// Takes a program on, and seats it here for a match in this way of speaking.
    pub fn seat<G: Hosted>(
        self,
        program: Program,
        speech: Speech,
        setup: &G::Setup,
    ) -> Result<Box<dyn Player<G>>, NotTaken> {
        Ok(match spoken::<G>(speech) {
            Speech::Own => {
                let bot = Bot::take_on_in(G::FOLDER, program, &self.house)?;
                G::in_its_own_speech(bot, self, setup)
            }
            Speech::Json => {
                let bot = Bot::take_on(program, &self.house)?;
                self.seat_over(Box::new(bot), setup)
            }
        })
    }

    /// Seats whoever answers such a call, to be spoken to in JSON lines.
    pub fn seat_over<G: Game>(
        self,
        callee: Box<dyn Callee>,
        setup: &G::Setup,
    ) -> Box<dyn Player<G>> {
        Box::new(JsonPlayer::<G>::new(callee, self, setup))
    }

    /// A new game: the time for it starts anew.
    fn start(&mut self) {
        self.bank = self.house.limits.bank;
    }

    /// How long the next decision may take.
    fn time(&self) -> Duration {
        let decision = self.house.limits.decision;
        self.bank.map_or(decision, |bank| bank.min(decision))
    }

    /// Takes the time of a decision from what is left.
    fn spend(&mut self, took: Duration) {
        self.ledger.note_time(took);
        self.bank = self.bank.map(|bank| bank.saturating_sub(took));
    }

    /// Notes a foul, with the exchange in which it happened.
    fn note(&mut self, foul: &Foul, source: &Path, speech: Speech) {
        let fault = Fault {
            kind: foul.kind,
            culprit: Culprit::Bot,
            detail: foul.detail.clone(),
            exchange: std::mem::take(&mut self.last),
            tier: self.house.tier,
            limits: self.house.limits.clone(),
            program: source.to_owned(),
            speech,
        };
        self.ledger.note(fault);
    }
}

/// How long a program may take to end when it has closed its output.
const ENDING: Duration = Duration::from_millis(500);

/// What is said of a program whose output ends before its answer.
const CLOSED: &str = "it closed its output without an answer";

/// Why there is no move when no line has come for this reason; the exchange gets what is known of it,
/// and `without` is said of a program that has done nothing worse than not to answer.
fn unanswered(
    transport: &mut dyn Transport,
    silence: &Silence,
    limits: &Limits,
    time: Duration,
    exchange: &mut Exchange,
    without: &str,
) -> NoMove {
    if *silence == Silence::Interrupted {
        return NoMove::Stopped;
    }
    exchange.answer = Bytes(transport.take_rest());
    let closed = *silence == Silence::Closed;
    // It may be about to end, and how it ends tells what was wrong.
    if closed && let Err(fault) = transport.wait_for_end(Instant::now() + ENDING) {
        return void(fault);
    }
    exchange.errors = transport.errors().text();
    exchange.ended = transport.ended().cloned();
    let foul = blame(
        Some(silence).filter(|_| !closed),
        transport.ended_by_itself(),
        limits,
        time,
        without,
    );
    let foul = with_unfinished(foul, &exchange.answer.0);
    NoMove::Foul(with_errors(foul, &exchange.errors))
}

/// The foul that a player hears of, if it is its own.
fn own_foul<'a, G: Game>(heard: &Heard<'a, G>) -> Option<&'a Foul> {
    match heard.event() {
        Event::Fouled { seat, foul, .. } if *seat == heard.seat() => Some(foul),
        _ => None,
    }
}

/// A program that was told to end.
struct Farewell<'a> {
    transport: &'a mut dyn Transport,
    /// The word by which it was told.
    word: &'a str,
    told: Instant,
    /// Everything that it was sent, with that word.
    sent: &'a [u8],
    arguments: Vec<String>,
}

impl Seating {
    /// Waits until a program has ended, and notes it if it does not do so in time and with status 0.
    /// The game is over by then, so this costs it no points, but its author has to know.
    fn see_out(&mut self, farewell: Farewell<'_>, source: &Path, speech: Speech) {
        let Farewell {
            transport, told, ..
        } = farewell;
        let House {
            interrupt, limits, ..
        } = &self.house;
        let time = FAREWELL.max(told.elapsed() + LAST_WORDS);
        let silence = match transport.see_out(told, time, interrupt.as_ref()) {
            Ok(Some(Silence::Interrupted)) | Err(_) => return,
            Ok(silence) => silence,
        };
        let well = |ended: &crate::Ended| ended.how == HowEnded::Status(0);
        if silence.is_none() && transport.ended().is_none_or(well) {
            return;
        }
        let mut foul = blame(
            silence.as_ref(),
            transport.ended_by_itself(),
            limits,
            FAREWELL,
            "",
        );
        if foul.kind != FoulKind::Start {
            foul.detail = format!("after {}: {}", farewell.word, foul.detail);
        }
        self.last = Exchange {
            arguments: farewell.arguments,
            input: Bytes(farewell.sent.to_vec()),
            errors: transport.errors().text(),
            took: told.elapsed(),
            ended: transport.ended().cloned(),
            ..Exchange::default()
        };
        let foul = with_errors(foul, &self.last.errors);
        self.note(&foul, source, speech);
    }
}

/// The patience with a program that lives on: who was not ready in time once is not waited for
/// again in that game, or it would cost all others that time at each of its decisions.
#[derive(Debug, Default)]
struct Patience {
    lost: Option<Foul>,
}

impl Patience {
    /// Whether the program is still waited for; if not, that it was late.
    fn is_left(&self) -> Result<(), NoMove> {
        match &self.lost {
            Some(late) => Err(NoMove::Foul(late.clone())),
            None => Ok(()),
        }
    }

    /// What came of waiting until the program was ready.
    fn after<T>(&mut self, ready: Result<T, NoMove>) -> Result<T, NoMove> {
        if let Err(NoMove::Foul(foul)) = &ready
            && foul.kind == FoulKind::Timeout
        {
            self.lost = Some(foul.clone());
        }
        ready
    }
}

/// A failure of the machine makes the game void.
fn void(fault: MachineFault) -> NoMove {
    NoMove::Void(fault.to_string())
}
