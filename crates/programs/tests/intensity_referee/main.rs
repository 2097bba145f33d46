//! `intensity_referee` as students run it, with programs of every quality at its table.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod bench;
mod c_programs;
mod fouls;
mod interrupt;
mod names;
mod person;
mod refused;
mod transcripts;
