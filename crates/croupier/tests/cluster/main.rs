//! Contests on many machines, with a real NATS server and workers in processes of their own.
//!
//! Without `nats-server` they are left out; with `CROUPIER_NATS=must` that is an error. `cargo xtask test`
//! gets it.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod audits;
mod forged;
mod hostile;
mod lab;
mod losses;
mod objects;
mod phases;
mod raw;
mod refusals;
mod servers;
mod shown;
mod together;
