//! Uno: four players, 108 cards, and strategies that are C functions.

mod cards;
mod players;
mod rules;
mod view;
mod wire;

pub use cards::{Card, Cards, Colour, DECK, Face};
pub use players::{Careful, Naive};
pub use rules::{BadPosition, Direction, Mode, Move, Position, SEATS, Setup, Uno};
pub use view::View;
pub use wire::{BadCard, BadMove, BadState, c};
