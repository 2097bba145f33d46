//! The table at which every game is played.
//!
//! Here lives what all games share and nothing that belongs to one of them: the [`Game`] trait
//! for the rules, [`Seat`]s and [`Seed`]s, [`Player`]s who see a view and nothing else, the
//! [`Stepper`] that takes a game from answer to answer, the [`Event`]s that seats and onlookers may
//! hear, the [`Record`] of a game, the [`Drawing`] of it that people look at, and the [`Registry`] in
//! which games are found by name.
//!
//! A whole game, from its rules to its last event:
//!
//! ```
//! use croupier_core::{
//!     Audience, Game, NoMove, Outcome, Player, RandomPlayer, Seat, Seed, Stepper, Turn, play,
//! };
//! # use std::{fmt, num::ParseIntError, str::FromStr};
//!
//! /// Two players with the cards 1 to 5 play one each; the higher card wins.
//! #[derive(Clone)]
//! struct Duel { played: Vec<u8> }
//!
//! # #[derive(Clone, Copy, PartialEq, Eq, Debug)]
//! # struct Card(u8);
//! # impl fmt::Display for Card {
//! #     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}", self.0) }
//! # }
//! # impl FromStr for Card {
//! #     type Err = ParseIntError;
//! #     fn from_str(text: &str) -> Result<Card, ParseIntError> { text.parse().map(Card) }
//! # }
//! # #[derive(Clone, PartialEq, Debug, thiserror::Error)]
//! # #[error("there is no such card")]
//! # struct NoCard;
//! impl Game for Duel {
//!     const NAME: &'static str = "duel";
//!     const VERSION: u32 = 1;
//!     type Setup = ();
//!     type Move = Card;
//!     type View = ();
//!     type Illegal = NoCard;
//!
//!     fn deal(_: &(), _: Seed) -> Duel { Duel { played: Vec::new() } }
//!     fn seats(&self) -> usize { 2 }
//!     fn to_move(&self) -> Option<Seat> {
//!         (self.played.len() < 2).then(|| Seat::from(self.played.len()))
//!     }
//!     fn legal(&self, moves: &mut Vec<Card>) { moves.extend((1..=5).map(Card)) }
//!     fn play(&mut self, Card(card): Card) -> Result<(), NoCard> {
//!         if !(1..=5).contains(&card) { return Err(NoCard) }
//!         self.played.push(card);
//!         Ok(())
//!     }
//!     /// Whoever fouls plays the lowest card.
//!     fn foul(&mut self) -> Option<Card> { self.play(Card(1)).ok().map(|()| Card(1)) }
//!     fn view(&self, _: Seat) {}
//!     fn outcome(&self) -> Outcome {
//!         Outcome::highest_wins(self.played.iter().map(|&card| i64::from(card)).collect())
//!     }
//!     fn is_open(_: Card) -> bool { false }
//! }
//!
//! // Whoever cannot wait takes the game from answer to answer.
//! let mut table = Stepper::<Duel>::deal(&(), Seed(1));
//! assert_eq!(table.turn().map(|turn| turn.seat()), Some(Seat(0)));
//! let step = table.answer(Ok(Card(4)))?;
//! let heard = step.moment::<Duel>().heard_by(Audience::Seat(Seat(1)));
//! let text = serde_json::to_string(&heard.map(|event| event.map(ToString::to_string)))?;
//! assert_eq!(text, r#"{"line":"move","seat":0,"move":null}"#, "a card is played in secret");
//! table.answer(Ok(Card(9)))?;
//! let outcome = table.outcome().expect("both have played");
//! assert_eq!(outcome.scores, [4, 1], "there is no 9: a foul");
//!
//! // Whoever can wait seats players.
//! struct Highest;
//! impl Player<Duel> for Highest {
//!     fn decide(&mut self, turn: &Turn<'_, Duel>) -> Result<Card, NoMove> {
//!         Ok(turn.legal_moves().into_iter().max_by_key(|card| card.0).expect("five cards"))
//!     }
//! }
//! let mut players: [Box<dyn Player<Duel>>; 2] = [Box::new(Highest), Box::<RandomPlayer>::default()];
//! let outcome = play::<Duel, _, _>(&(), Seed(2), &mut players, &mut ())?;
//! assert_eq!(outcome.places[0], 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! There is no I/O here, no clock, no thread and no chance that does not come from a seed: the
//! same setup, seed and moves give the same game on every machine.

mod built_in;
mod cancel;
mod drawing;
mod encoding;
mod event;
mod game;
mod offered;
mod outcome;
mod player;
mod portable;
mod record;
mod registry;
mod review;
mod seat;
mod seed;
mod situations;
mod stepper;
mod telling;
mod units;
mod words;

pub use built_in::{BadPlayer, BuiltIn, MadePlayer, Strength, built_in};
pub use cancel::Cancel;
pub use drawing::{Drawing, Drawn, Element, Forbidden, Markup, Pieces, Scene, Way, element};
pub use encoding::{Encoded, Field, Row, Shape, TooLarge};
pub use event::{Audience, Event, Heard, Instead, Moment, Observer};
pub use game::{Game, Sample};
pub use offered::{BadSetup, Contested, Offered, OptionKind, Options, Profile, SetupOption};
pub use outcome::Outcome;
pub use player::{Foul, FoulKind, NoMove, Player, RandomPlayer, Thought};
pub use portable::{exp, ln};
pub use record::{
    FORMAT, Header, Reading, Record, RecordError, Recorder, ReplayError, Retold, replay,
};
pub use registry::{
    Advice, AnyGame, Entry, HouseTable, NoAdvice, PlayError, Registry, all_thoughts,
};
pub use review::{Balance, Decision, Grade, Point, REVIEWER, Review, Thresholds, Verdict, judge};
pub use seat::Seat;
pub use seed::{Rng, Seed};
pub use situations::{Kind, Situations, Variation};
pub use stepper::{OpenHanded, Step, Stepper, Turn, Unfinished, play, play_on};
pub use telling::{Company, Told, aftermath, deed};
pub use units::{grouped, parse_duration, parse_size, print_duration, print_size};
pub use words::{
    LONGEST_NAME, counted, encoding_trouble, in_words, is_plain, json_trouble, ordinal, quoted,
    read_name, shell_path, shell_word,
};
