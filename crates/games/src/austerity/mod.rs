//! Austerity: tokens buy cards, and cards make later cards cheaper. A hub runs the table and
//! talks to long-lived player programs over pipes.
//!
//! ```
//! use croupier_core::{Game, Offered, Options, Seat, Seed};
//! use croupier_games::austerity::{Austerity, Move};
//!
//! let setup = Austerity::setup(&Options::new())?;
//! let mut game = Austerity::deal(&setup, Seed(8));
//! assert_eq!(game.view(Seat(0)).table.market.len(), 8);
//! game.play(Move::Wild).expect("a wild token can always be taken");
//! let wrong = game.play(Move::Purchase(0)).unwrap_err();
//! assert!(wrong.to_string().contains("costs more"), "{wrong}");
//! # Ok::<(), croupier_core::BadSetup>(())
//! ```

mod cards;
mod drawing;
mod encoding;
mod expert;
mod offer;
mod players;
mod rules;
mod sample;
mod situations;
mod table;
mod telling;
mod view;
pub mod wire;

pub use cards::{Card, Colour, Deck, Trio};
pub use drawing::Open;
pub use players::{BANZAI, ED, SHENZI, Strategy};
pub use rules::{Austerity, Ending, Illegal, Move, Setup};
pub use table::{Holdings, MARKET, MOST_PLAYERS, Payment, Table};
pub use telling::{described, tokens};
pub use view::{Terms, View};
