//! Friday the 13th: cauldrons that explode, for any number of players, colours and cards.

mod card;
mod expert;
mod hands;
mod piles;
mod players;
mod rules;
mod sample;
mod score;
mod setup;
mod state;
mod turn;
mod view;
mod wire;

pub use card::{Card, Colour, HIGHEST};
pub use players::Strategy;
pub use rules::{Friday13, Move};
pub use setup::{Setup, Terms};
pub use state::{Inconsistent, Placing, Scores, State};
pub use turn::{Breach, Misplaced, TurnMade};
pub use view::View;
pub use wire::{BadCard, BadMove, BadNumbers, BadState, report};
