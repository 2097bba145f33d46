//! Uno: four players, 108 cards, and strategies that are C functions.
//!
//! ```
//! use croupier_core::{Game, Offered, Options, Player, Seed, Turn, built_in};
//! use croupier_games::uno::Uno;
//!
//! let setup = Uno::setup(&Options::new())?;
//! let mut game = Uno::deal(&setup, Seed(5));
//! let mut careful = built_in::<Uno>("careful").expect("it comes with the game");
//! while let Some(turn) = Turn::of(&game) {
//!     let choice = careful.decide(&turn).expect("it always has a move");
//!     game.play(choice).expect("it keeps to the rules");
//! }
//! assert!(game.outcome().places.contains(&1));
//! # Ok::<(), croupier_core::BadSetup>(())
//! ```

mod belief;
mod cards;
mod drawing;
mod encoding;
mod expert;
mod history;
mod moves;
mod offer;
mod players;
mod playout;
mod rules;
mod setup;
mod situations;
mod telling;
mod view;
mod wire;

pub use cards::{Card, Cards, Colour, DECK, Face};
pub use drawing::Open;
pub use moves::Move;
pub use players::{Careful, Naive};
pub use rules::{BadPosition, Direction, Illegal, Position, SEATS, Uno};
pub use setup::{Mode, Setup};
pub use view::{BadSelection, View};
pub use wire::{BadCard, BadMove, BadState, c};
