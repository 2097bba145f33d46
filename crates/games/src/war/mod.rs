//! War: two players, no decisions, and a question about statistics.

mod eight;
mod lanes;
mod rules;
mod survey;
mod view;
mod wire;

pub use rules::{
    Card, DECK, Ending, Exchange, Hand, Setup, ShortWar, Show, Showdown, War, Winnings,
};
pub use survey::{Lengths, Survey};
pub use view::View;
pub use wire::{BadCard, BadHand, Narrator};
