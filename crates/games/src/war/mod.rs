//! War: two players, no decisions, and a question about statistics.
//!
//! ```
//! use croupier_core::{Game, Offered, Options, Seed};
//! use croupier_games::war::War;
//!
//! let setup = War::setup(&Options::new())?;
//! let mut game = War::deal(&setup, Seed(42));
//! while let [show] = game.legal_moves()[..] {
//!     game.play(show).expect("the only move is legal");
//! }
//! assert!(game.turns() > 0);
//! assert_eq!(game.outcome().scores.len(), 2);
//! # Ok::<(), croupier_core::BadSetup>(())
//! ```

mod drawing;
mod eight;
mod histogram;
mod lanes;
mod offer;
mod rules;
mod survey;
mod telling;
mod view;
mod wire;

pub use drawing::{Open, Turn};
pub use histogram::Histogram;
pub use rules::{
    Card, DECK, Ending, Exchange, Hand, Illegal, Setup, ShortWar, Show, Showdown, War, Winnings,
};
pub use survey::{Lengths, Survey};
pub use view::View;
pub use wire::{BadCard, BadHand, Narrator};
