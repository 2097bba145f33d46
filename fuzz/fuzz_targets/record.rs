//! The record of a match.

#![no_main]

use croupier_core::Record;
use croupier_games::GAMES;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(record) = Record::parse(text) {
        let _ = record.replay(&GAMES);
    }
});
