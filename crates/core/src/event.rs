//! What happens at a table, and who may hear of it.
//!
//! A [`Moment`] is what the referee knows, with all the types of the game. [`Moment::heard_by`] is
//! the one place where it is decided what a seat or an onlooker hears of it: an [`Event`]. Programs
//! on pipes, transcripts, replays and records all go through it.
//!
//! Events are data. With moves as text they are the lines of a [record](crate::Record).

use std::ops::ControlFlow;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize};

use crate::{Foul, FoulKind, Game, Outcome, Seat, Thought};

/// A moment of a game, as the referee knows it.
#[derive(Debug)]
pub enum Moment<'a, G: Game> {
    /// The cards are dealt, nothing is played yet.
    Dealt,
    /// A seat is to move, and has so long for it, if that is limited.
    Asked(Seat, Option<Duration>),
    /// A seat has weighed its moves.
    Weighed(Seat, &'a [Thought<G::Move>]),
    /// This move has been made.
    Played(Seat, G::Move),
    /// A foul has been dealt with; with the move made in the seat's place, if one was.
    Fouled(Seat, &'a Foul, Option<G::Move>),
    /// The game is over.
    Over(&'a Outcome),
}

/// Who hears of what happens at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// The referee, who knows everything.
    Referee,
    /// The player in a seat, who knows what it did itself and what is done openly.
    Seat(Seat),
    /// Somebody without a seat, who knows what is done openly.
    Onlooker,
}

/// What somebody hears of a moment, with moves of type `M`: as text unless somebody knows the game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
pub enum Event<M = String> {
    /// The cards are dealt, nothing is played yet.
    Dealt,
    /// A seat is to move.
    Asked {
        /// The seat.
        seat: Seat,
        /// How long it has, in milliseconds, if that is limited.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_ms: Option<u64>,
    },
    /// A seat has weighed its moves.
    #[serde(rename = "thoughts")]
    Weighed {
        /// The seat.
        seat: Seat,
        /// What it thinks of them, the best first.
        thoughts: Vec<Thought<M>>,
    },
    /// A move has been made.
    #[serde(rename = "move")]
    Played {
        /// Whose.
        seat: Seat,
        /// The move; none if it was made in secret.
        #[serde(rename = "move")]
        choice: Option<M>,
    },
    /// A foul has been dealt with.
    #[serde(rename = "foul")]
    Fouled {
        /// Whose.
        seat: Seat,
        /// What it was.
        #[serde(flatten)]
        foul: Foul,
        /// What the house played instead.
        #[serde(
            default = "Instead::nothing",
            skip_serializing_if = "Instead::is_nothing"
        )]
        instead: Instead<M>,
    },
    /// The game is over.
    #[serde(rename = "outcome")]
    Over(Outcome),
}

/// What the house plays for a seat that has fouled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum Instead<M> {
    /// This move.
    Move(M),
    /// A move that is none of the listener's business.
    Secret,
    /// Nothing.
    #[serde(skip)]
    Nothing,
}

impl<M> Instead<M> {
    fn nothing() -> Instead<M> {
        Instead::Nothing
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Instead::Nothing)
    }
}

/// A field that is there is a move, or null for a secret one.
impl<'de, M: Deserialize<'de>> Deserialize<'de> for Instead<M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Instead<M>, D::Error> {
        let choice = Option::<M>::deserialize(deserializer)?;
        Ok(choice.map_or(Instead::Secret, Instead::Move))
    }
}

impl<G: Game> Moment<'_, G> {
    /// What this audience hears of the moment; nothing if it is none of its business.
    ///
    /// What is done openly everybody hears. Of a secret choice the others hear that it was made.
    /// What a program of another seat wrote besides its move, and what it answered in secret, they
    /// do not hear.
    pub fn heard_by(&self, audience: Audience) -> Option<Event<G::Move>> {
        let knows_all = |seat: Seat| match audience {
            Audience::Referee => true,
            Audience::Seat(own) => own == seat,
            Audience::Onlooker => false,
        };
        Some(match *self {
            Moment::Dealt => Event::Dealt,
            Moment::Asked(seat, clock) => Event::Asked {
                seat,
                time_ms: clock.map(|clock| clock.as_millis() as u64),
            },
            Moment::Weighed(seat, thoughts) => {
                if !knows_all(seat) {
                    return None;
                }
                Event::Weighed {
                    seat,
                    thoughts: thoughts.to_vec(),
                }
            }
            Moment::Played(seat, choice) => Event::Played {
                seat,
                choice: (knows_all(seat) || G::is_open(choice)).then_some(choice),
            },
            Moment::Fouled(seat, foul, instead) => {
                let instead = match instead {
                    Some(choice) if knows_all(seat) || G::is_open(choice) => Instead::Move(choice),
                    Some(_) => Instead::Secret,
                    None => Instead::Nothing,
                };
                let detail = match instead {
                    _ if knows_all(seat) => foul.detail.as_str(),
                    // How a program died is told, but neither its answer nor when it gave it.
                    Instead::Secret
                        if foul.kind.is_about_the_answer() || foul.kind == FoulKind::Timeout =>
                    {
                        foul.kind.in_brief()
                    }
                    _ => foul.without_quotes(),
                };
                Event::Fouled {
                    seat,
                    foul: Foul {
                        kind: foul.kind,
                        detail: detail.to_owned(),
                    },
                    instead,
                }
            }
            Moment::Over(outcome) => Event::Over(outcome.clone()),
        })
    }
}

impl<M> Event<M> {
    /// The same event with moves as they are written elsewhere.
    pub fn map<N>(&self, write: impl Fn(&M) -> N) -> Event<N> {
        match self {
            Event::Dealt => Event::Dealt,
            Event::Asked { seat, time_ms } => Event::Asked {
                seat: *seat,
                time_ms: *time_ms,
            },
            Event::Weighed { seat, thoughts } => Event::Weighed {
                seat: *seat,
                thoughts: thoughts.iter().map(|t| t.map(&write)).collect(),
            },
            Event::Played { seat, choice } => Event::Played {
                seat: *seat,
                choice: choice.as_ref().map(write),
            },
            Event::Fouled {
                seat,
                foul,
                instead,
            } => Event::Fouled {
                seat: *seat,
                foul: foul.clone(),
                instead: match instead {
                    Instead::Move(choice) => Instead::Move(write(choice)),
                    Instead::Secret => Instead::Secret,
                    Instead::Nothing => Instead::Nothing,
                },
            },
            Event::Over(outcome) => Event::Over(outcome.clone()),
        }
    }
}

/// What the player in a seat hears of a moment, and what it sees at that moment.
#[derive(Debug)]
pub struct Heard<'a, G: Game> {
    event: &'a Event<G::Move>,
    game: &'a G,
    seat: Seat,
}

impl<'a, G: Game> Heard<'a, G> {
    pub(crate) fn new(event: &'a Event<G::Move>, game: &'a G, seat: Seat) -> Heard<'a, G> {
        Heard { event, game, seat }
    }

    /// What happened, as far as the seat may know.
    pub fn event(&self) -> &'a Event<G::Move> {
        self.event
    }

    /// The seat that hears this.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// What the seat sees now.
    pub fn view(&self) -> G::View {
        self.game.view(self.seat)
    }
}

/// Something that looks on while a game is played: a recorder, a narrator, a statistician.
///
/// It sees all cards. It may stop the game, for instance because nobody reads what it prints.
pub trait Observer<G: Game> {
    /// Whether it looks at more than moves and fouls: at who is asked, and what players think. Those
    /// moments cost something at every decision.
    const CURIOUS: bool = true;

    /// Sees one moment of the game; `game` is the state at that moment.
    fn see(&mut self, game: &G, moment: &Moment<'_, G>) -> ControlFlow<()>;
}

/// Nobody looks on.
impl<G: Game> Observer<G> for () {
    const CURIOUS: bool = false;

    #[inline]
    fn see(&mut self, _: &G, _: &Moment<'_, G>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Two look on.
impl<G: Game, A: Observer<G>, B: Observer<G>> Observer<G> for (A, B) {
    const CURIOUS: bool = A::CURIOUS || B::CURIOUS;

    #[inline]
    fn see(&mut self, game: &G, moment: &Moment<'_, G>) -> ControlFlow<()> {
        self.0.see(game, moment)?;
        self.1.see(game, moment)
    }
}
