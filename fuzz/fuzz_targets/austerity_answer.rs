//! What players of Austerity answer, line by line.

#![no_main]

use croupier_core::{Game, Seed};
use croupier_games::austerity::wire::Answer;
use croupier_games::austerity::{Austerity, Setup};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let setup = Setup::new(2, 3, 15, None, None).expect("this is a table");
    let mut game = Austerity::deal(&setup, Seed(1));
    for line in bytes.split(|&byte| byte == b'\n') {
        let Ok(answer) = Answer::parse(line) else {
            continue;
        };
        let printed = answer.to_string();
        assert_eq!(Answer::parse(printed.as_bytes()), Ok(answer));
        let before = game.table().clone();
        if game.accept(&answer).is_err() {
            assert_eq!(*game.table(), before);
        }
    }
});
