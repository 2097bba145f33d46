//! The record of a game: JSON lines from which it can be played again.
//!
//! ```text
//! {"line":"game","format":1,"game":"war","version":1,"setup":{…},"seed":7,"players":["a","b"]}
//! {"line":"move","seat":0,"move":"show"}
//! {"line":"foul","seat":1,"kind":"timeout","detail":"…","instead":"show"}
//! {"line":"outcome","scores":[1,0],"places":[1,2]}
//! ```
//!
//! The setup and the seed give the deal; moves and fouls in order give the rest, so a record is
//! complete without any card in it. Unknown fields are ignored when reading; another `format` is
//! refused.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::registry::to_json;
use crate::{AnyGame, BadSetup, Foul, Game, Moment, Observer, Outcome, Registry, Seat, Seed};

/// The format that is written, and the only one that is read.
pub const FORMAT: u32 = 1;

/// One line of a record, as it is written.
#[derive(Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
enum Line {
    Game(Header),
    Move {
        seat: Seat,
        r#move: String,
    },
    Foul {
        seat: Seat,
        #[serde(flatten)]
        foul: Foul,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        instead: Option<String>,
    },
    Outcome(Outcome),
}

/// What has to be known to deal a game again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Header {
    /// The format of the record: [`FORMAT`].
    pub format: u32,
    /// The name of the game.
    pub game: String,
    /// The version of the game's rules: see [`Profile::version`](crate::Profile::version).
    pub version: u32,
    /// The setup, as the game writes it.
    pub setup: Value,
    /// The seed of this deal.
    pub seed: Seed,
    /// The names of the players, by seat.
    pub players: Vec<String>,
}

/// An observer that writes down the game it sees.
///
/// The record is kept in memory and taken whole when the game is over: half a record never
/// reaches a file.
#[derive(Debug)]
pub struct Recorder {
    text: String,
}

impl Recorder {
    /// Starts the record of a game of `G` that is dealt from `setup` and `seed`.
    pub fn new<G: Game>(setup: &G::Setup, seed: Seed, players: Vec<String>) -> Recorder {
        let mut recorder = Recorder {
            text: String::new(),
        };
        recorder.write(&Line::Game(Header {
            format: FORMAT,
            game: G::PROFILE.name.to_owned(),
            version: G::PROFILE.version,
            setup: to_json(setup),
            seed,
            players,
        }));
        recorder
    }

    /// The record as far as the game was played.
    pub fn into_text(self) -> String {
        self.text
    }

    fn write(&mut self, line: &Line) {
        self.text += &serde_json::to_string(line).expect("a line of a record is plain JSON");
        self.text.push('\n');
    }
}

impl<G: Game> Observer<G> for Recorder {
    fn see(&mut self, _: &G, moment: &Moment<'_, G>) -> ControlFlow<()> {
        match moment {
            Moment::Dealt => {}
            Moment::Played(seat, choice) => self.write(&Line::Move {
                seat: *seat,
                r#move: choice.to_string(),
            }),
            Moment::Fouled(seat, foul, instead) => self.write(&Line::Foul {
                seat: *seat,
                foul: (*foul).clone(),
                instead: instead.map(|instead| instead.to_string()),
            }),
            Moment::Over(outcome) => self.write(&Line::Outcome((*outcome).clone())),
        }
        ControlFlow::Continue(())
    }
}

/// A whole recorded game.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// What was dealt to whom.
    pub header: Header,
    /// Moves and fouls in order.
    pub events: Vec<Event>,
    /// How it ended.
    pub outcome: Outcome,
}

/// Something that happened in a recorded game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The seat whose turn it was.
    pub seat: Seat,
    /// What it did.
    pub what: Happening,
}

/// What a seat did in its turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Happening {
    /// It made this move.
    Move(String),
    /// It fouled, and the house played this instead, if anything.
    Foul(Foul, Option<String>),
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

impl Record {
    /// Reads a record.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        let mut header = None;
        let mut events = Vec::new();
        let mut outcome = None;
        let mut count = 0;
        for (index, text) in text.lines().enumerate() {
            count = index + 1;
            let wrong = |reason: String| RecordError {
                line: count,
                reason,
            };
            let line = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
            match line {
                _ if outcome.is_some() => {
                    return Err(wrong("nothing may follow the outcome".into()));
                }
                Line::Game(h) if header.is_none() => {
                    if h.format != FORMAT {
                        let reason = format!(
                            "the record has format {}, only format {FORMAT} can be read",
                            h.format
                        );
                        return Err(wrong(reason));
                    }
                    header = Some(h);
                }
                Line::Game(_) => return Err(wrong("a second game in one record".into())),
                _ if header.is_none() => {
                    return Err(wrong("a record starts with the line \"game\"".into()));
                }
                Line::Outcome(o) => outcome = Some(o),
                Line::Move { seat, r#move } => events.push(Event {
                    seat,
                    what: Happening::Move(r#move),
                }),
                Line::Foul {
                    seat,
                    foul,
                    instead,
                } => events.push(Event {
                    seat,
                    what: Happening::Foul(foul, instead),
                }),
            }
        }
        let cut = |reason: &str| RecordError {
            line: count + 1,
            reason: reason.into(),
        };
        Ok(Record {
            header: header.ok_or_else(|| cut("the record is empty"))?,
            events,
            outcome: outcome.ok_or_else(|| cut("the record ends before the game does"))?,
        })
    }

    /// Plays the recorded game again, showing every state on the way, the deal first.
    ///
    /// Fails at the first event that the rules do not allow or that does not happen as recorded,
    /// and if the outcome is another one: a record that replays is a true one.
    pub fn replay(
        &self,
        games: &Registry,
        mut show: impl FnMut(&dyn AnyGame),
    ) -> Result<Outcome, ReplayError> {
        let Header {
            game: name,
            version,
            setup,
            seed,
            ..
        } = &self.header;
        let entry = games
            .find(name)
            .ok_or_else(|| ReplayError::UnknownGame(name.clone()))?;
        if entry.profile.version != *version {
            return Err(ReplayError::OtherVersion {
                game: name.clone(),
                recorded: *version,
                current: entry.profile.version,
            });
        }
        let mut game = entry.deal(setup, *seed)?;
        show(&*game);
        for (index, Event { seat, what }) in self.events.iter().enumerate() {
            let differs = |reason: String| ReplayError::Differs {
                event: index + 1,
                reason,
            };
            if game.to_move() != Some(*seat) {
                return Err(differs(format!("it is not the turn of seat {seat}")));
            }
            match what {
                Happening::Move(choice) => {
                    game.play(choice).map_err(|e| differs(e.to_string()))?;
                }
                Happening::Foul(_, recorded) => {
                    let instead = game.foul();
                    if instead != *recorded {
                        return Err(differs(format!(
                            "the house plays {}, recorded is {}",
                            instead.as_deref().unwrap_or("nothing"),
                            recorded.as_deref().unwrap_or("nothing"),
                        )));
                    }
                }
            }
            show(&*game);
        }
        let outcome = game.outcome();
        if game.to_move().is_some() {
            return Err(ReplayError::Differs {
                event: self.events.len() + 1,
                reason: "the game is not over".into(),
            });
        }
        if outcome != self.outcome {
            return Err(ReplayError::OtherOutcome);
        }
        Ok(outcome)
    }
}

/// Why a record cannot be replayed.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum ReplayError {
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
