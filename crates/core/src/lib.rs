//! The table at which every game is played.
//!
//! Here lives what all games share and nothing that belongs to one of them: the [`Game`] trait
//! for the rules, [`Seat`]s and [`Seed`]s, [`Player`]s who see a view and nothing else, the loop
//! that [plays](play) one game to its [`Outcome`] while [`Observer`]s look on, the [`Record`] of a
//! game, and the [`Registry`] in which games are found by name.
//!
//! There is no I/O here, no clock, no thread and no chance that does not come from a seed: the
//! same setup, seed and moves give the same game on every machine.

mod built_in;
mod game;
mod outcome;
mod portable;
mod record;
mod registry;
mod seat;
mod seed;
mod table;
mod units;
mod words;

pub use built_in::{BadPlayer, BuiltIn, MadePlayer, built_in};
pub use game::{BadSetup, Game, Illegal, OptionKind, Options, Profile, Sample, SetupOption};
pub use outcome::Outcome;
pub use portable::{exp, ln};
pub use record::{Event, FORMAT, Happening, Header, Record, RecordError, Recorder, ReplayError};
pub use registry::{AnyGame, Entry, HouseTable, PlayError, Registry};
pub use seat::Seat;
pub use seed::{Rng, Seed};
pub use table::{
    Failure, Foul, FoulKind, Moment, Observer, Player, RandomPlayer, Thought, Turn, Unfinished,
    play, play_on,
};
pub use units::{parse_duration, parse_size};
pub use words::quoted;
