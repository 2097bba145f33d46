//! The record of a game: JSON lines from which it can be played again.
//!
//! ```text
//! {"line":"game","format":2,"game":"war","version":1,"setup":{…},"seed":"7","players":["a","b"]}
//! {"line":"move","seat":0,"move":"show"}
//! {"line":"foul","seat":1,"kind":"timeout","detail":"…","instead":"show"}
//! {"line":"outcome","scores":[1,0],"places":[1,2]}
//! ```
//!
//! The setup and the seed give the deal; moves and fouls in order give the rest, so a record is
//! complete without any card in it. After the first line each is an [`Event`], so a record can be
//! written and [read](Reading) line by line while the game goes on. Unknown fields are ignored when
//! reading; a later `format` is refused.

use std::borrow::Cow;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::offered::read_setup;
use crate::registry::to_json;
use crate::{
    Audience, BadSetup, Event, Game, Instead, Moment, NoMove, Observer, Outcome, Registry, Seed,
    Step, Stepper, json_trouble,
};

/// The format that is written. All formats up to it are read.
pub const FORMAT: u32 = 2;

/// What has to be known to deal a game again: the first line of a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The format of the record: [`FORMAT`].
    pub format: u32,
    /// The name of the game.
    pub game: String,
    /// The version of the game's rules: see [`Game::VERSION`].
    pub version: u32,
    /// The setup, as the game writes it.
    pub setup: Value,
    /// The seed of this deal.
    pub seed: Seed,
    /// The names of the players, by seat.
    pub players: Vec<String>,
}

/// The first line as it is written.
#[derive(Serialize)]
#[serde(tag = "line", rename_all = "lowercase")]
enum FirstLine<'a> {
    Game(&'a Header),
}

/// What sort of line it is.
#[derive(Deserialize)]
struct Sort<'a> {
    #[serde(borrow)]
    line: Cow<'a, str>,
}

fn line(contents: &impl Serialize) -> String {
    let text = serde_json::to_string(contents);
    text.expect("a line of a record is plain JSON") + "\n"
}

impl Header {
    /// What is written down of a game of `G` that is dealt from `setup` and `seed`.
    pub fn new<G: Game>(setup: &G::Setup, seed: Seed, players: Vec<String>) -> Header {
        Header {
            format: FORMAT,
            game: G::NAME.to_owned(),
            version: G::VERSION,
            setup: to_json(setup),
            seed,
            players,
        }
    }

    /// The first line of a record.
    pub fn to_line(&self) -> String {
        line(&FirstLine::Game(self))
    }
}

impl Event {
    /// The event as a line of a record.
    pub fn to_line(&self) -> String {
        line(self)
    }
}

/// An observer that writes down the game it sees.
///
/// The record is kept in memory and taken whole when the game is over, so that half a record never
/// reaches a file; or its lines are taken while the game goes on.
#[derive(Debug)]
pub struct Recorder {
    text: String,
}

impl Recorder {
    /// Starts the record of a game of `G` that is dealt from `setup` and `seed`.
    pub fn new<G: Game>(setup: &G::Setup, seed: Seed, players: Vec<String>) -> Recorder {
        Recorder {
            text: Header::new::<G>(setup, seed, players).to_line(),
        }
    }

    /// Takes the lines that were written since lines were last taken.
    pub fn take_lines(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// The record as far as the game was played.
    pub fn into_text(self) -> String {
        self.text
    }
}

/// It writes down what is needed to play the game again, and no more.
impl<G: Game> Observer<G> for Recorder {
    const CURIOUS: bool = false;

    fn see(&mut self, _: &G, moment: &Moment<'_, G>) -> ControlFlow<()> {
        match moment {
            Moment::Dealt | Moment::Asked(..) | Moment::Weighed(..) => {}
            Moment::Played(..) | Moment::Fouled(..) | Moment::Over(_) => {
                let event = moment.heard_by(Audience::Referee);
                let event = event.expect("the referee hears everything");
                self.text += &event.map(ToString::to_string).to_line();
            }
        }
        ControlFlow::Continue(())
    }
}

/// A whole recorded game.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// What was dealt to whom.
    pub header: Header,
    /// What happened after the deal, in order, up to the end.
    pub events: Vec<Event>,
    /// How it ended.
    pub outcome: Outcome,
}

/// A text that is no record: the line, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line} of the record: {reason}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// A record that is read line by line, also while the game goes on.
#[derive(Clone, Default, Debug)]
pub struct Reading {
    lines: usize,
    header: Option<Header>,
    events: Vec<Event>,
    outcome: Option<Outcome>,
}

impl Reading {
    /// Reads the next line.
    pub fn line(&mut self, text: &str) -> Result<(), RecordError> {
        self.lines += 1;
        self.read(text).map_err(|reason| RecordError {
            line: self.lines,
            reason,
        })
    }

    fn read(&mut self, text: &str) -> Result<(), String> {
        let wrong = |error| json_trouble(&error);
        let sort: Sort<'_> = serde_json::from_str(text).map_err(wrong)?;
        if self.outcome.is_some() {
            return Err("nothing may follow the outcome".to_owned());
        }
        if sort.line == "game" {
            let header: Header = serde_json::from_str(text).map_err(wrong)?;
            if self.header.is_some() {
                return Err("a second game in one record".to_owned());
            }
            if !(1..=FORMAT).contains(&header.format) {
                return Err(format!(
                    "the record has format {}, only formats up to {FORMAT} can be read",
                    header.format
                ));
            }
            self.header = Some(header);
            return Ok(());
        }
        let event = serde_json::from_str(text).map_err(wrong)?;
        if self.header.is_none() {
            return Err("a record starts with the line \"game\"".to_owned());
        }
        match event {
            Event::Over(outcome) => self.outcome = Some(outcome),
            event => self.events.push(event),
        }
        Ok(())
    }

    /// The first line, once it has been read.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// The events that have been read so far.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The record, if the game has come to its end.
    pub fn finish(self) -> Result<Record, RecordError> {
        let cut = |reason: &str| RecordError {
            line: self.lines + 1,
            reason: reason.to_owned(),
        };
        Ok(Record {
            header: self.header.ok_or_else(|| cut("the record is empty"))?,
            events: self.events,
            outcome: self
                .outcome
                .ok_or_else(|| cut("the record ends before the game does"))?,
        })
    }
}

impl Record {
    /// Reads a record.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        let mut reading = Reading::default();
        text.lines().try_for_each(|text| reading.line(text))?;
        reading.finish()
    }

    /// Plays the recorded game again, whichever game it is: see [`replay`].
    pub fn replay(&self, games: &Registry) -> Result<Outcome, ReplayError> {
        let name = &self.header.game;
        let entry = games.find(name);
        let entry = entry.ok_or_else(|| ReplayError::UnknownGame(name.clone()))?;
        entry.replay(self)
    }
}

/// A moment of a game that is played again, with the game before and after it.
#[derive(Debug)]
pub struct Retold<'a, G: Game> {
    /// The game before the moment.
    pub before: &'a G,
    /// What happened.
    pub moment: Moment<'a, G>,
    /// The game after it.
    pub after: &'a G,
}

/// Plays a recorded game of `G` again, showing every moment on the way, from the deal to the end.
///
/// Fails at the first event that the rules do not allow or that does not happen as recorded, and if
/// the outcome is another one: a record that replays is a true one.
pub fn replay<G: Game, E: From<ReplayError>>(
    record: &Record,
    mut show: impl FnMut(Retold<'_, G>) -> Result<(), E>,
) -> Result<Outcome, E> {
    let mut replaying = Replaying::<G>::of(&record.header)?;
    let dealt = replaying.stepper.game();
    show(Retold {
        before: dealt,
        moment: Moment::Dealt,
        after: dealt,
    })?;
    for event in &record.events {
        let before = replaying.stepper.game().clone();
        if let Some(step) = replaying.take(event)? {
            show(Retold {
                before: &before,
                moment: step.moment(),
                after: replaying.stepper.game(),
            })?;
        }
    }
    let stepper = replaying.stepper;
    let outcome = stepper.outcome().ok_or(ReplayError::Differs {
        event: replaying.taken + 1,
        reason: "the game is not over".to_owned(),
    })?;
    // The note is in words, which may get better.
    let Outcome { scores, places, .. } = &record.outcome;
    if outcome.scores != *scores || outcome.places != *places {
        return Err(ReplayError::OtherOutcome.into());
    }
    show(Retold {
        before: stepper.game(),
        moment: Moment::Over(&outcome),
        after: stepper.game(),
    })?;
    Ok(outcome)
}

/// A game that follows what was recorded of it.
pub(crate) struct Replaying<G> {
    pub(crate) stepper: Stepper<G>,
    taken: usize,
}

impl<G: Game> Replaying<G> {
    pub(crate) fn of(header: &Header) -> Result<Replaying<G>, ReplayError> {
        if header.version != G::VERSION {
            return Err(ReplayError::OtherVersion {
                game: header.game.clone(),
                recorded: header.version,
                current: G::VERSION,
            });
        }
        let setup = read_setup::<G>(&header.setup)?;
        Ok(Replaying {
            stepper: Stepper::deal(&setup, header.seed),
            taken: 0,
        })
    }

    /// Takes an event; gives the step that it was, if it was one.
    pub(crate) fn take(&mut self, event: &Event) -> Result<Option<Step<G::Move>>, ReplayError> {
        self.taken += 1;
        self.step(event).map_err(|reason| ReplayError::Differs {
            event: self.taken,
            reason,
        })
    }

    fn step(&mut self, event: &Event) -> Result<Option<Step<G::Move>>, String> {
        let (seat, answer) = match event {
            Event::Dealt | Event::Asked { .. } | Event::Weighed { .. } => return Ok(None),
            Event::Over(_) => return Err("the game is over before its last event".to_owned()),
            Event::Played { seat, choice } => {
                let choice = choice.as_ref().ok_or("the move is secret")?;
                let read = choice.parse().ok();
                let read = read.ok_or_else(|| format!("'{choice}' is not a move of this game"))?;
                (*seat, Ok(read))
            }
            Event::Fouled { seat, foul, .. } => (*seat, Err(NoMove::Foul(foul.clone()))),
        };
        if self.stepper.game().to_move() != Some(seat) {
            return Err(format!("it is not the turn of seat {seat}"));
        }
        let is_move = answer.is_ok();
        let step = self.stepper.answer(answer);
        let step = step.map_err(|unfinished| unfinished.to_string())?;
        match (&step, event) {
            (Step::Fouled(_, foul, _), _) if is_move => Err(foul.detail.clone()),
            (Step::Fouled(_, _, played), Event::Fouled { instead, .. }) => {
                let played = played.map(|choice| choice.to_string());
                let recorded = match instead {
                    Instead::Move(choice) => Some(choice.clone()),
                    Instead::Nothing => None,
                    Instead::Secret => return Err("what was played instead is secret".to_owned()),
                };
                if played == recorded {
                    return Ok(Some(step));
                }
                Err(format!(
                    "the house chooses: {}; recorded is: {}",
                    played.as_deref().unwrap_or("nothing"),
                    recorded.as_deref().unwrap_or("nothing"),
                ))
            }
            _ => Ok(Some(step)),
        }
    }
}

/// Why a record cannot be replayed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// There is not even a first line.
    #[error("the record is empty")]
    Empty,
    /// There is no such game.
    #[error("there is no game '{0}' here")]
    UnknownGame(String),
    /// The rules have changed since.
    #[error("the record is of version {recorded} of {game}, this is version {current}")]
    OtherVersion {
        /// The game.
        game: String,
        /// Its version in the record.
        recorded: u32,
        /// Its version here.
        current: u32,
    },
    /// The setup cannot be dealt.
    #[error(transparent)]
    Setup(#[from] BadSetup),
    /// Something that is recorded cannot have happened.
    #[error("event {event} of the record: {reason}")]
    Differs {
        /// The event, from 1.
        event: usize,
        /// Why not.
        reason: String,
    },
    /// The recorded outcome is not the one that these moves lead to.
    #[error("the recorded outcome is not the one that these moves lead to")]
    OtherOutcome,
}
