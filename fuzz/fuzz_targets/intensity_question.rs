//! The questions that a referee of Intensity asks a program.

#![no_main]

use croupier_games::intensity::wire::{Question, read_discards, read_name, read_play};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(question) = Question::read(bytes.iter().copied()) {
        let printed = question.to_string();
        assert_eq!(Question::read(printed.bytes()), Ok(question));
    }
    let _ = read_discards(bytes);
    let _ = read_play(bytes);
    let _ = read_name(bytes);
});
