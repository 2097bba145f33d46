//! A hand of War.

#![no_main]

use croupier_games::war::Hand;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(hand) = text.parse::<Hand>() {
        assert_eq!(hand.to_string().parse::<Hand>().ok(), Some(hand));
    }
});
