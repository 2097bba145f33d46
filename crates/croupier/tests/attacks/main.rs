//! Programs that misbehave in every way we could think of, and what each sandbox tier promises
//! about them: the right fault and culprit, the game finished by its rules, no process left and
//! no file left.
//!
//! Each way is a small C program in `programs`. One that manages something forbidden answers
//! `breach: …` in place of a move, so that it shows as a fault.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod compiling;
mod endings;
mod escapes;
mod json_lines;
mod minders;
mod output;
mod referee;
mod resources;
mod stage;
mod start;
mod templates;
mod time;
