//! Contests with real programs: stopped and resumed, changed and cut off.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod entry;
mod files;
mod going_on;
mod hall;
mod meanwhile;
mod refusals;
mod results;
mod shards;
mod web;
