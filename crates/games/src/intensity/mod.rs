//! Intensity: forty cards, four players, and points that nobody wants.

mod belief;
mod cards;
mod expert;
mod judgement;
mod players;
mod playout;
mod rules;
mod sample;
mod table;
mod view;
pub mod wire;

pub use cards::{Card, Cards, DECK, HAND, PASS};
pub use players::Strategy;
pub use rules::{Intensity, Move, SEATS, Setup};
pub use sample::Unseen;
pub use view::{Contradiction, Discarding, Playing, View};
