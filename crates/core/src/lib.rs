//! The table at which every game is played.
//!
//! Here lives what all games share and nothing that belongs to one of them: the [`Game`] trait
//! for the rules, [`Seat`]s and [`Seed`]s, [`Player`]s who see a view and nothing else, the
//! [`Stepper`] that takes a game from answer to answer, the [`Event`]s that seats and onlookers may
//! hear, the [`Record`] of a game, the [`Drawing`] of it that people look at, and the [`Registry`] in
//! which games are found by name.
//!
//! There is no I/O here, no clock, no thread and no chance that does not come from a seed: the
//! same setup, seed and moves give the same game on every machine.

mod built_in;
mod cancel;
mod drawing;
mod event;
mod game;
mod outcome;
mod player;
mod portable;
mod record;
mod registry;
mod seat;
mod seed;
mod situations;
mod stepper;
mod units;
mod words;

pub use built_in::{BadPlayer, BuiltIn, MadePlayer, built_in};
pub use cancel::Cancel;
pub use drawing::{Drawing, Drawn, Element, Forbidden, Markup, Pieces, Scene, Way, element};
pub use event::{Audience, Event, Heard, Instead, Moment, Observer};
pub use game::{BadSetup, Game, Illegal, OptionKind, Options, Profile, Sample, SetupOption};
pub use outcome::Outcome;
pub use player::{Foul, FoulKind, NoMove, Player, RandomPlayer, Thought};
pub use portable::{exp, ln};
pub use record::{
    FORMAT, Header, Reading, Record, RecordError, Recorder, ReplayError, Retold, replay,
};
pub use registry::{
    Advice, AnyGame, Entry, HouseTable, NoAdvice, PlayError, Registry, all_thoughts,
};
pub use seat::Seat;
pub use seed::{Rng, Seed};
pub use situations::{Kind, Situations, Variation};
pub use stepper::{OpenHanded, Step, Stepper, Turn, Unfinished, play, play_on};
pub use units::{grouped, parse_duration, parse_size, print_duration, print_size};
pub use words::{LONGEST_NAME, counted, encoding_trouble, quoted, read_name};
