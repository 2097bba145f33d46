//! Friday the 13th: cauldrons that explode, for any number of players, colours and cards.
//!
//! ```
//! use croupier_core::{Game, RandomPlayer, Seat, Seed, play};
//! use croupier_games::friday13::{Friday13, Setup};
//!
//! let setup = Setup::default();
//! let game = Friday13::deal(&setup, Seed(13));
//! assert_eq!(game.view(Seat(0)).hand.len(), game.view(Seat(0)).hands[0]);
//! let mut players: Vec<RandomPlayer> = (0..game.seats()).map(|_| RandomPlayer::default()).collect();
//! let outcome = play::<Friday13, _, _>(&setup, Seed(13), &mut players, &mut ())?;
//! assert_eq!(outcome.scores.len(), game.seats());
//! # Ok::<(), croupier_core::Unfinished>(())
//! ```

mod card;
mod drawing;
mod encoding;
mod expert;
mod hands;
mod offer;
mod piles;
mod players;
mod rules;
mod sample;
mod score;
mod setup;
mod situations;
mod state;
mod telling;
mod turn;
mod view;
mod wire;

pub use card::{Card, Colour, HIGHEST, sum};
pub use drawing::Open;
pub use players::Strategy;
pub use rules::{Friday13, Illegal, Move};
pub use setup::{Setup, Terms};
pub use state::{Inconsistent, Placing, Scores, State};
pub use telling::colours_of;
pub use turn::{Breach, Misplaced, TurnMade};
pub use view::View;
pub use wire::{BadCard, BadMove, BadNumbers, BadState, report};
