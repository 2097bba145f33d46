//! Austerity: tokens buy cards, and cards make later cards cheaper. A hub runs the table and
//! talks to long-lived player programs over pipes.

mod cards;
mod expert;
mod players;
mod rules;
mod sample;
mod table;
mod view;
pub mod wire;

pub use cards::{Card, Colour, Deck, Trio};
pub use players::{BANZAI, ED, SHENZI, Strategy};
pub use rules::{Austerity, Ending, Move, Setup};
pub use table::{Holdings, MARKET, MOST_PLAYERS, Payment, Table};
pub use view::{Terms, View};
