//! Uno as numbers.

use croupier_core::{Encoded, Field, Row, Seat, Shape, TooLarge};

use super::cards::KINDS;
use super::{Cards, Colour, Direction, Move, SEATS, Setup, Uno};

const COLOURS: usize = 4;

/// How many numbers are observed.
const NUMBERS: usize = 3 * KINDS + COLOURS + SEATS * COLOURS + SEATS + 1 + SEATS;

impl Encoded for Uno {
    const ENCODING: u32 = 1;

    /// Every move is an action: the 52 coloured cards, the wild card with each colour, the wild draw
    /// four with each colour, drawing.
    fn shape(_: &Setup) -> Result<Shape, TooLarge> {
        Shape::new(
            Move::COUNT,
            vec![
                Field::new("hand", KINDS, "how many of each card the seat holds"),
                Field::new("top", KINDS, "1 for the card on top of the discards"),
                Field::new(
                    "discards",
                    KINDS,
                    "how many of each card have been discarded",
                ),
                Field::new("called", COLOURS, "1 for the colour called last"),
                Field::new(
                    "called_by",
                    SEATS * COLOURS,
                    "for each seat, the own first, 1 for the colour it called last",
                ),
                Field::new(
                    "cards",
                    SEATS,
                    "how many cards each seat has, the own first",
                ),
                Field::new(
                    "direction",
                    1,
                    "1 if play goes to the next seat, -1 if to the one before",
                ),
                Field::new(
                    "scores",
                    SEATS,
                    "the points of each seat from earlier games, the own first",
                ),
            ],
        )
    }

    #[inline]
    fn action(&self, choice: Move) -> Option<usize> {
        Some(choice.index())
    }

    #[inline]
    fn choice(&self, action: usize) -> Option<Move> {
        Move::from_index(action)
    }

    #[inline]
    fn mask(&self, mask: &mut [i8]) {
        // Of the 61 moves hardly ever more than five are legal.
        let mut moves = self.moves();
        while moves != 0 {
            mask[moves.trailing_zeros() as usize] = 1;
            moves &= moves - 1;
        }
    }

    #[inline]
    fn observe(&self, seat: Seat, observation: &mut [f32]) {
        let own = seat.index();
        let from_own = || (0..SEATS).map(|further| (own + further) % SEATS);
        // With the length known here, the compiler needs no check at each field.
        assert_eq!(observation.len(), NUMBERS, "the shape tells the length");
        let mut row = Row::new(observation);
        count(&self.hands[own].cards, row.take(KINDS));
        row.one_of(KINDS, self.discards.last().map(|top| usize::from(top.0)));
        count(&self.discards, row.take(KINDS));
        row.one_of(COLOURS, self.last_colour.map(Colour::index));
        for seat in from_own() {
            row.one_of(COLOURS, self.colours[seat].map(Colour::index));
        }
        for seat in from_own() {
            row.put(self.hands[seat].cards.len() as f32);
        }
        row.put(match self.direction {
            Direction::Right => 1.0,
            Direction::Left => -1.0,
        });
        for seat in from_own() {
            row.put(self.setup.scores[seat] as f32);
        }
        debug_assert!(row.is_full());
    }
}

#[inline]
fn count(cards: &Cards, kinds: &mut [f32]) {
    for card in cards.iter() {
        kinds[usize::from(card.0)] += 1.0;
    }
}
