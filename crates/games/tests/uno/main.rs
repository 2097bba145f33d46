//! Uno: the rules, the text, what a seat sees and says, the players and the figures.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod belief;
mod expert;
mod players;
mod positions;
mod rules;
mod sight;
mod text;
