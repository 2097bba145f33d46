//! A deck file of Austerity.

#![no_main]

use croupier_games::austerity::Deck;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(deck) = Deck::parse(bytes) {
        assert_eq!(Deck::parse(deck.to_string().as_bytes()), Ok(deck));
    }
});
