//! The games: one folder each, all of the same shape.
//!
//! - `rules.rs` — the state of a game, its legal moves, playing one, fouls, the score;
//! - `offer.rs` — the options of its setup, the players that come with it, what contests have to know;
//! - `view.rs` — what one seat sees;
//! - `wire.rs` — the game's own text: messages, files, transcripts, parsed and printed side by
//!   side;
//! - `players.rs` — the built-in players, where there is something to decide;
//! - `telling.rs` — what came of a move, in sentences;
//! - `situations.rs` — the kinds of situations that programs get wrong;
//! - `encoding.rs` — the game as numbers, for programs that learn;
//! - `drawing.rs` — what lies open to everybody, and how the game is drawn for a person.
//!
//! Nothing here does I/O or knows of processes. A new game is a new folder and a line in
//! [`GAMES`].
//!
//! Games can be found by name, with moves as text and views as JSON:
//!
//! ```
//! use croupier_core::{Audience, Cancel, Options, Seed};
//! use croupier_games::GAMES;
//!
//! let entry = GAMES.find("friday13").expect("it is there");
//! let setup = entry.setup(&Options::new())?;
//! let mut game = entry.deal(&setup, Seed(7))?;
//! let seat = game.to_move().expect("somebody begins");
//! let advice = game.ask("expert:iterations=50", Seed(1), &Cancel::new()).expect("a move");
//! game.play(&advice.choice).expect("an expert keeps to the rules");
//! assert_eq!(game.events(Audience::Onlooker).len(), 1);
//! assert_ne!(game.to_move(), Some(seat));
//! # Ok::<(), croupier_core::BadSetup>(())
//! ```

use std::borrow::Cow;

use croupier_core::{Entry, Registry};

pub mod austerity;
mod drawing;
pub mod friday13;
pub mod intensity;
pub mod uno;
pub mod war;

/// All games.
pub static GAMES: Registry = Registry(Cow::Borrowed(&[
    Entry::of::<war::War>(),
    Entry::of::<intensity::Intensity>(),
    Entry::of::<friday13::Friday13>(),
    Entry::of::<uno::Uno>(),
    Entry::of::<austerity::Austerity>(),
]));
