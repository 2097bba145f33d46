//! The state file of Friday the 13th.

#![no_main]

use croupier_games::friday13::State;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(state) = State::parse(bytes) {
        let printed = state.to_string();
        assert_eq!(State::parse(printed.as_bytes()), Ok(state));
    }
});
