//! Moves, and sets of them.
//!
//! There are 61 moves, so a set of moves is a number of 64 bits: what a hand could play and what
//! the top discard would take are two such numbers, and what can be played is both at once.

use super::cards::KINDS;
use super::{Card, Colour};

/// What a player does in a turn: a card is played, with a colour if it is wild, or one is drawn.
///
/// Numbered within: the 52 coloured cards as they are, then the wild card and the wild draw four
/// with each colour, then drawing.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(u8);

/// The moves that are made with a wild card of either sort.
pub(super) const WILDS: u64 = 0xff << 52;

impl Move {
    /// Draws a card, which is all a player can do who has none to play.
    pub const DRAW: Move = Move(60);

    /// Plays a card, calling a colour if it is a wild one; none if a colour is missing or too
    /// much.
    pub const fn play(card: Card, called: Option<Colour>) -> Option<Move> {
        match called {
            None if !card.is_wild() => Some(Move(card.0)),
            Some(colour) if card.is_wild() => Some(Move(52 + (card.0 - 52) * 4 + colour as u8)),
            _ => None,
        }
    }

    /// How many moves there are.
    pub(super) const COUNT: usize = Move::DRAW.0 as usize + 1;

    /// All 61 moves that there are.
    pub fn all() -> impl Iterator<Item = Move> {
        (0..=Move::DRAW.0).map(Move)
    }

    /// The card that is played; none if one is drawn.
    #[inline]
    pub const fn card(self) -> Option<Card> {
        match self.0 {
            coloured @ 0..52 => Some(Card(coloured)),
            52..56 => Some(Card::WILD),
            56..60 => Some(Card::WILD_DRAW_FOUR),
            _ => None,
        }
    }

    /// The colour that is called with a wild card.
    #[inline]
    pub const fn called(self) -> Option<Colour> {
        match self.0 {
            52..60 => Some(Colour::ALL[(self.0 % 4) as usize]),
            _ => None,
        }
    }

    /// The move's number among all moves.
    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The move with this number, if there is one.
    #[inline]
    pub(super) const fn from_index(index: usize) -> Option<Move> {
        if index < Move::COUNT {
            Some(Move(index as u8))
        } else {
            None
        }
    }

    /// The move's place in a set of moves.
    #[inline]
    pub(super) const fn bit(self) -> u64 {
        1 << self.0
    }
}

/// The moves that can be made with each card.
pub(super) const MOVES_WITH: [u64; KINDS] = {
    let mut moves = [0; KINDS];
    let mut kind = 0;
    while kind < 52 {
        moves[kind] = 1 << kind;
        kind += 1;
    }
    moves[52] = 0xf << 52;
    moves[53] = 0xf << 56;
    moves
};

/// The moves with cards of each colour.
pub(super) const MOVES_IN: [u64; 4] = [0x1fff, 0x1fff << 13, 0x1fff << 26, 0x1fff << 39];

/// The moves that match each coloured card on top of the discards.
pub(super) const MOVES_ON: [u64; 52] = {
    let mut moves = [0; 52];
    let mut kind = 0;
    while kind < 52 {
        let same_face = (1 | 1 << 13 | 1 << 26 | 1 << 39) << (kind % 13);
        moves[kind] = MOVES_IN[kind / 13] | same_face | WILDS;
        kind += 1;
    }
    moves
};

/// The move at this place, from 0, of a set that has more moves than that.
#[inline]
pub(super) fn nth(mut moves: u64, index: usize) -> Move {
    for _ in 0..index {
        moves &= moves - 1;
    }
    Move(moves.trailing_zeros() as u8)
}
