//! The program `friday13`: its commands, moves in files, matches without an arbiter.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod commands;
mod matches;
mod moves;
mod table;

const PROGRAM: &str = env!("CARGO_BIN_EXE_friday13");
