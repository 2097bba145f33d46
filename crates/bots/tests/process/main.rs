//! The processes of bots and the minders over them, without a game: how a process starts, what it
//! is charged for, and what becomes of it when the machine fails.
//!
//! Programs in C, C++, Python, Rust, Go and JavaScript are run where the machine has them; a test
//! whose language is missing says so and tests nothing.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod calls;
mod groups;
mod languages;
mod machine;
mod place;
mod start;
mod supervision;
mod templates;

use std::path::Path;

use croupier_bots::{Entries, House, Preparation, Program};

/// A program that is ready to be taken on in this house.
fn prepared(path: &Path, house: &House) -> Program {
    Program::prepare(path, &Preparation::new(house, &Entries::default())).unwrap()
}
