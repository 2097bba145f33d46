//! The games: one folder each, all of the same shape.
//!
//! - `rules.rs` — the state of a game, its legal moves, playing one, fouls, the score;
//! - `view.rs` — what one seat sees;
//! - `wire.rs` — the game's own text: messages, files, transcripts, parsed and printed side by
//!   side;
//! - `players.rs` — the built-in players, where there is something to decide.
//!
//! Nothing here does I/O or knows of processes. A new game is a new folder and a line in
//! [`GAMES`].

use croupier_core::{Entry, Registry};

pub mod austerity;
pub mod friday13;
pub mod intensity;
pub mod uno;
pub mod war;

/// All games.
pub static GAMES: Registry = Registry(&[
    Entry::of::<war::War>(),
    Entry::of::<intensity::Intensity>(),
    Entry::of::<friday13::Friday13>(),
    Entry::of::<uno::Uno>(),
    Entry::of::<austerity::Austerity>(),
]);
