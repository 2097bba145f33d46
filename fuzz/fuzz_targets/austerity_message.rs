//! What the hub of Austerity tells a player, line by line.

#![no_main]

use croupier_core::Seat;
use croupier_games::austerity::wire::{Message, table_lines};
use croupier_games::austerity::{BANZAI, ED, SHENZI, View};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut view = View::new(3, Seat(1));
    for line in bytes.split(|&byte| byte == b'\n') {
        let Ok(message) = Message::parse(line) else {
            continue;
        };
        let printed = message.to_string();
        assert_eq!(Message::parse(printed.as_bytes()), Ok(message));
        if view.hear(&message).is_err() {
            break;
        }
        table_lines(&mut String::new(), &view.table);
        for player in [SHENZI, BANZAI, ED] {
            (player.decide)(&view);
        }
    }
});
