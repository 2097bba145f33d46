//! The hub of Austerity, run as a program with players of every kind: good ones, bad ones, and a
//! second hub that reads the rules for itself.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod conduct;
mod farewell;
mod games;
mod interrupt;
mod statuses;
mod table;

/// A free card, worth a point.
const GIFT: &str = "P:1:0,0,0,0\n";

/// What the hub prints when four gifts are dealt.
const FOUR_GIFTS: &str = "\
New card = Bonus P, worth 1, costs 0,0,0,0
New card = Bonus P, worth 1, costs 0,0,0,0
New card = Bonus P, worth 1, costs 0,0,0,0
New card = Bonus P, worth 1, costs 0,0,0,0
";

const SHENZI: &str = env!("CARGO_BIN_EXE_shenzi");
const BANZAI: &str = env!("CARGO_BIN_EXE_banzai");
const ED: &str = env!("CARGO_BIN_EXE_ed");
