//! Intensity: forty cards, four players, and points that nobody wants.
//!
//! ```
//! use croupier_core::{Game, Seat, Seed};
//! use croupier_games::intensity::{Intensity, Move, Setup};
//!
//! let mut game = Intensity::deal(&Setup {}, Seed(1));
//! let before = game.view(Seat(1));
//! let discard: Move = "discard 18 20 29".parse().expect("a move of this game");
//! game.play(discard).expect("the first seat holds these cards");
//! assert_eq!(game.view(Seat(1)), before, "what is passed on is secret");
//! let wrong = game.play(discard).unwrap_err();
//! assert!(wrong.to_string().contains("hand"), "{wrong}");
//! ```

mod belief;
mod cards;
mod drawing;
mod encoding;
mod ending;
mod expert;
mod habits;
mod judgement;
mod offer;
mod players;
mod playout;
mod rules;
mod sample;
mod situations;
mod table;
mod telling;
mod view;
pub mod wire;

pub use cards::{Card, Cards, DECK, HAND, PASS};
pub use drawing::{Open, Round};
pub use players::Strategy;
pub use rules::{Illegal, Intensity, Move, SEATS, Setup};
pub use sample::Unseen;
pub use view::{Contradiction, Discarding, Playing, View};
