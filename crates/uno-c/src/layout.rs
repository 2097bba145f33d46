//! The structs of the header as they lie in memory, checked when this is compiled.

use std::ffi::c_int;
use std::mem::offset_of;

use croupier_games::uno::c::{self, field};
use croupier_games::uno::{DECK, SEATS};

/// `MAX_CARDS`.
pub(crate) const CARDS: usize = DECK;

/// `Card`.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct CCard {
    r#type: c_int,
    colour: c_int,
    value: c_int,
}

/// `Deck`.
#[repr(C)]
pub struct CDeck {
    cards: [CCard; CARDS],
    num_cards: c_int,
}

/// `GameState`; nothing here reads its fields one by one.
#[repr(C)]
pub struct CGameState {
    number_of_players: c_int,
    direction_of_play: c_int,
    last_colour_called: c_int,
    your_position: c_int,
    your_number_of_cards: c_int,
    your_cards: [CCard; CARDS],
    number_of_discards: c_int,
    discard_pile: [CCard; CARDS],
    all_players_cards_left: [c_int; SEATS],
    all_players_colours_called: [c_int; SEATS],
    all_players_scores: [c_int; SEATS],
}

/// What the header, the specification and the encoding in `games` say is the same.
macro_rules! lies_at {
    ($($field:ident, $bytes:literal, $ints:expr;)*) => {
        $(const _: () = {
            assert!(offset_of!(CGameState, $field) == $bytes);
            assert!($ints * size_of::<c_int>() == $bytes);
        };)*
    };
}

lies_at! {
    number_of_players, 0, field::PLAYERS;
    direction_of_play, 4, field::DIRECTION;
    last_colour_called, 8, field::LAST_COLOUR;
    your_position, 12, field::POSITION;
    your_number_of_cards, 16, field::HAND_SIZE;
    your_cards, 20, field::HAND;
    number_of_discards, 1316, field::DISCARDS_SIZE;
    discard_pile, 1320, field::DISCARDS;
    all_players_cards_left, 2616, field::CARDS_LEFT;
    all_players_colours_called, 2632, field::COLOURS;
    all_players_scores, 2648, field::SCORES;
}

const _: () = {
    assert!(size_of::<CCard>() == 12);
    assert!(offset_of!(CCard, r#type) == 0);
    assert!(offset_of!(CCard, colour) == 4);
    assert!(offset_of!(CCard, value) == 8);
    assert!(size_of::<CDeck>() == 1300);
    assert!(offset_of!(CDeck, cards) == 0);
    assert!(offset_of!(CDeck, num_cards) == 1296);
    assert!(size_of::<CGameState>() == 2664);
    assert!(size_of::<CGameState>() == c::STATE_BYTES);
    assert!(size_of::<CDeck>() == c::DECK_INTS * size_of::<c_int>());
};

/// The deck that `CreateDeck` makes.
pub(crate) fn new_deck() -> CDeck {
    let ints = c::new_deck();
    let (cards, _) = ints.as_chunks::<{ c::CARD_INTS }>();
    let mut deck = CDeck {
        cards: [CCard::default(); CARDS],
        num_cards: ints[c::DECK_INTS - 1],
    };
    for (room, &[r#type, colour, value]) in deck.cards.iter_mut().zip(cards) {
        *room = CCard {
            r#type,
            colour,
            value,
        };
    }
    deck
}
