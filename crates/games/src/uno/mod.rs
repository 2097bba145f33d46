//! Uno: four players, 108 cards, and strategies that are C functions.

mod cards;
mod expert;
mod moves;
mod players;
mod rules;
mod setup;
mod view;
mod wire;

pub use cards::{Card, Cards, Colour, DECK, Face};
pub use moves::Move;
pub use players::{Careful, Naive};
pub use rules::{BadPosition, Direction, Position, SEATS, Uno};
pub use setup::{Mode, Setup};
pub use view::View;
pub use wire::{BadCard, BadMove, BadState, c};
