//! What a seat sees, its bytes in C, and what a C strategy's selections mean.

use croupier_core::{Game, Seat, Seed};
use croupier_games::uno::c::{self, State};
use croupier_games::uno::{Card, Careful};
use proptest::prelude::*;

use crate::positions::{any_game, go, is_a_whole_deck, position, resume};

/// The state of a C strategy read a second time, slowly, from the words of the handout and
/// without anything of ours but the bytes: `int`s at the places that the C header gives them.
mod slow {
    fn int(bytes: &[u8], offset: usize) -> i64 {
        i64::from(i32::from_ne_bytes(
            bytes[offset..offset + 4].try_into().unwrap(),
        ))
    }

    struct Card {
        kind: i64,
        colour: i64,
        value: i64,
    }

    fn card(bytes: &[u8], row: usize, index: i64) -> Card {
        let at = row + 12 * usize::try_from(index).unwrap();
        Card {
            kind: int(bytes, at),
            colour: int(bytes, at + 4),
            value: int(bytes, at + 8),
        }
    }

    fn playable(bytes: &[u8], index: i64) -> bool {
        let mine = card(bytes, 20, index);
        let top = card(bytes, 1320, int(bytes, 1316) - 1);
        if mine.kind == 4 || mine.kind == 5 {
            return true;
        }
        if top.kind == 4 || top.kind == 5 {
            return mine.colour == int(bytes, 8);
        }
        if mine.colour == top.colour {
            return true;
        }
        if mine.kind == 0 && top.kind == 0 {
            return mine.value == top.value;
        }
        mine.kind == top.kind
    }

    /// Every valid selection there is, and no other.
    pub(crate) fn valid_selections(bytes: &[u8]) -> Vec<i64> {
        let mut valid = Vec::new();
        for index in 0..int(bytes, 16) {
            if playable(bytes, index) {
                let kind = card(bytes, 20, index).kind;
                if kind == 4 || kind == 5 {
                    for colour in [10000, 20000, 30000, 40000] {
                        valid.push(colour + index);
                    }
                } else {
                    valid.push(index);
                }
            }
        }
        if valid.is_empty() {
            valid.push(-1);
        }
        valid
    }
}

/// Selections around every edge of the specification.
fn odd_selections() -> Vec<i32> {
    let mut odd = vec![
        i32::MIN,
        -50_001,
        -10_000,
        -9_999,
        -2,
        9_999,
        99_999,
        1_000_000,
        i32::MAX,
    ];
    odd.extend((-1..=110).flat_map(|place| (0..=6).map(move |colour| colour * 10_000 + place)));
    odd.extend((-1..=10).flat_map(|place| {
        [50_000, 60_000, 100_000, 110_000, 1_010_000, 5_000, 15_000].map(|base| base + place)
    }));
    odd
}

proptest! {
    #[test]
    fn hidden_cards_do_not_show(game in any_game(), chance: u64) {
        let seat = game.to_move().unwrap();
        let view = game.view(seat);
        let sampled = view.sample(&mut Seed(chance).rng()).unwrap();
        prop_assert_eq!(sampled.view(seat), view);
        prop_assert_eq!(sampled.to_move(), Some(seat));
        prop_assert!(is_a_whole_deck(&sampled.position()));
        let mut moves = [Vec::new(), Vec::new()];
        game.legal(&mut moves[0]);
        sampled.legal(&mut moves[1]);
        prop_assert_eq!(&moves[0], &moves[1]);
    }

    #[test]
    fn a_view_becomes_a_game_state_and_a_view_again(game in any_game(), seat in 0u16..4) {
        let view = game.view(Seat(seat));
        let bytes = State::of(&view).to_bytes();
        prop_assert_eq!(State::from_bytes(&bytes).view().unwrap(), view);
    }

    #[test]
    fn selections_are_valid_as_the_handout_says(game in any_game(), any_number: i32) {
        let view = game.view(game.to_move().unwrap());
        let state = State::of(&view);
        let valid = slow::valid_selections(&state.to_bytes());
        for selection in odd_selections().into_iter().chain([any_number]) {
            let expected = valid.contains(&i64::from(selection));
            prop_assert_eq!(view.is_valid(selection), expected, "{}", selection);
            prop_assert_eq!(state.chosen(selection), view.chosen(selection));
            // And so the rules say, too.
            if let Ok(choice) = view.chosen(selection) {
                prop_assert!(game.clone().play(choice).is_ok());
            }
        }
        prop_assert!(view.is_valid(state.first_valid().unwrap()));
    }

    #[test]
    fn moves_become_selections_and_moves_again(game in any_game()) {
        let view = game.view(game.to_move().unwrap());
        let mut moves = Vec::new();
        game.legal(&mut moves);
        for choice in moves {
            prop_assert_eq!(view.chosen(view.selection(choice).unwrap()).unwrap(), choice);
        }
    }

    #[test]
    fn no_bytes_break_the_reader_of_game_states(
        noise in prop::collection::vec(any::<u8>(), c::STATE_BYTES),
        patches in prop::collection::vec((0..c::STATE_INTS, -2i32..120), 0..20),
        game in any_game(),
        selection: i32,
    ) {
        let noise: [u8; c::STATE_BYTES] = noise.try_into().unwrap();
        let mut nearly = State::of(&game.view(Seat(0))).to_bytes();
        for (int, value) in patches {
            nearly[int * 4..][..4].copy_from_slice(&value.to_ne_bytes());
        }
        for bytes in [noise, nearly] {
            let state = State::from_bytes(&bytes);
            prop_assert_eq!(state.to_bytes(), bytes);
            prop_assert_eq!(state.to_string().lines().count(), 11, "a line for every field");
            let _ = state.chosen(selection);
            if let Ok(view) = state.view() {
                let _ = view.sample(&mut Seed(1).rng());
                let choice = Careful.choose(&view);
                prop_assert!(view.discards.is_empty() || view.is_valid(view.selection(choice).unwrap()));
            }
            if let Some(first) = state.first_valid() {
                prop_assert!(state.chosen(first).is_ok());
            }
        }
    }
}

#[test]
fn the_numbers_of_the_header() {
    let numbers = |name: &str| name.parse::<Card>().unwrap().to_c();
    assert_eq!(numbers("red 7"), [0, 10000, 7]);
    assert_eq!(numbers("green skip"), [1, 20000, 20]);
    assert_eq!(numbers("blue reverse"), [2, 30000, 20]);
    assert_eq!(numbers("yellow draw-two"), [3, 40000, 20]);
    assert_eq!(numbers("wild"), [4, 50000, 50]);
    assert_eq!(numbers("wild-draw-four"), [5, 50000, 50]);
    for card in Card::all() {
        assert_eq!(Card::from_c(card.to_c()), Some(card));
    }
    for not_a_card in [
        [0, 10000, 10],
        [0, 10000, -1],
        [0, 0, 0],
        [1, 50000, 20],
        [6, 10000, 0],
        [-1, 10000, 3],
    ] {
        assert_eq!(Card::from_c(not_a_card), None, "{not_a_card:?}");
    }
}

#[test]
fn a_game_state_lies_in_memory_as_the_handout_says() {
    let mut game = resume(&position(
        [
            "wild, red 1",
            "green 5, red 9, red skip",
            "red 5, blue 4",
            "blue 2",
        ],
        "red 3",
        "",
    ));
    go(&mut game, "wild green");
    let mut view = game.view(Seat(1));
    view.scores = [10, 20, 30, -40];
    let bytes = State::of(&view).to_bytes();
    assert_eq!(bytes.len(), 2664);
    let int = |offset: usize| i32::from_ne_bytes(bytes[offset..offset + 4].try_into().unwrap());
    let card = |offset: usize| [int(offset), int(offset + 4), int(offset + 8)];
    assert_eq!(
        [int(0), int(4), int(8), int(12), int(16)],
        [4, 8, 20000, 1, 3]
    );
    assert_eq!(card(20), [0, 20000, 5]);
    assert_eq!(card(44), [1, 10000, 20]);
    assert_eq!(card(56), [0; 3]);
    assert_eq!(int(1316), 2);
    assert_eq!(card(1320), [0, 10000, 3]);
    assert_eq!(card(1332), [4, 50000, 50]);
    assert_eq!([int(2616), int(2620), int(2624), int(2628)], [1, 3, 2, 1]);
    assert_eq!(
        [int(2632), int(2636), int(2640), int(2644)],
        [20000, 50000, 50000, 50000]
    );
    assert_eq!(
        [int(2648), int(2652), int(2656), int(2660)],
        [10, 20, 30, -40]
    );
}

#[test]
fn an_invalid_selection_is_told_what_is_wrong_with_it() {
    let hands = ["red 7, wild, blue 8", "blue 0", "blue 1", "blue 2"];
    let view = resume(&position(hands, "red 3", "")).view(Seat(0));
    let said = |selection| view.chosen(selection).unwrap_err().to_string();
    assert_eq!(view.chosen(0).unwrap().to_string(), "red 7");
    assert_eq!(view.chosen(40001).unwrap().to_string(), "wild yellow");
    assert_eq!(said(-1), "-1 draws, but the red 7 at place 0 can be played");
    assert_eq!(said(-2), "-2 is no selection");
    assert_eq!(said(1), "no colour is called for the wild at place 1");
    assert_eq!(said(2), "blue 8 does not match the red 3");
    assert_eq!(said(3), "there is no place 3 in a hand of 3");
    assert_eq!(
        said(10000),
        "red is called for the red 7 at place 0, which is not wild"
    );
    assert_eq!(said(50001), "50001 calls 50000, which is no colour");
    assert_eq!(said(1_000_000), "1000000 calls 1000000, which is no colour");
}
