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
        // How many moves are legal cannot be foreseen, so that a loop over them would cost more.
        let bytes = self.moves().to_le_bytes().map(spread);
        mask.copy_from_slice(&bytes.as_flattened()[..Move::COUNT]);
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
        for (kind, &count) in row.take(KINDS).iter_mut().zip(&self.discarded) {
            *kind = f32::from(count);
        }
        row.take(COLOURS).copy_from_slice(one_of(self.last_colour));
        for seat in from_own() {
            row.take(COLOURS)
                .copy_from_slice(one_of(self.colours[seat]));
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

/// 1 for this colour, without a branch that could not be foreseen.
#[inline]
fn one_of(colour: Option<Colour>) -> &'static [f32; COLOURS] {
    const ONE_OF: [[f32; COLOURS]; COLOURS + 1] = [
        [1.0, 0.0, 0.0, 0.0],
        [0.0, 1.0, 0.0, 0.0],
        [0.0, 0.0, 1.0, 0.0],
        [0.0, 0.0, 0.0, 1.0],
        [0.0; COLOURS],
    ];
    &ONE_OF[colour.map_or(COLOURS, Colour::index)]
}

#[inline]
fn count(cards: &Cards, kinds: &mut [f32]) {
    for card in cards.iter() {
        kinds[usize::from(card.0)] += 1.0;
    }
}

/// Eight moves of a set as eight numbers, 1 for every move that is in it.
#[inline]
fn spread(moves: u8) -> [i8; 8] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Byte n keeps bit n; what is added carries it to the top of its byte.
    let apart = (u64::from(moves) * ONES) & 0x8040_2010_0804_0201;
    let at_the_top = apart + 0x0040_6070_787c_7e7f;
    ((at_the_top >> 7) & ONES)
        .to_le_bytes()
        .map(u8::cast_signed)
}

#[cfg(test)]
mod tests {
    use croupier_core::{Game as _, Seed};

    use super::super::{Card, View};
    use super::*;

    fn one_if(it_is_so: bool) -> f32 {
        f32::from(u8::from(it_is_so))
    }

    /// What a seat observes, written down from its view number by number.
    fn as_viewed(view: &View) -> Vec<f32> {
        let from_own = || (0..SEATS).map(|further| (view.seat.index() + further) % SEATS);
        let counts = |cards: Cards| {
            let copies = move |card| cards.iter().filter(|&&other| other == card).count();
            Card::all().map(move |card| copies(card) as f32)
        };
        let colours = |called| Colour::ALL.map(|colour| one_if(called == Some(colour)));
        let top = view.discards.last();
        let mut numbers: Vec<f32> = counts(view.hand).collect();
        numbers.extend(Card::all().map(|card| one_if(top == Some(&card))));
        numbers.extend(counts(view.discards));
        numbers.extend(colours(view.last_colour_called));
        numbers.extend(from_own().flat_map(|seat| colours(view.colours_called[seat])));
        numbers.extend(from_own().map(|seat| f32::from(view.cards_left[seat])));
        numbers.push(2.0 * one_if(view.direction == Direction::Right) - 1.0);
        numbers.extend(from_own().map(|seat| view.scores[seat] as f32));
        numbers
    }

    #[test]
    fn a_seat_observes_what_it_views() {
        let setup = Setup {
            scores: [1, 20, 300, 4],
            ..Setup::default()
        };
        let mut shuffled = 0;
        for seed in (0..300).map(Seed) {
            let mut game = Uno::deal(&setup, seed);
            let mut rng = seed.player(Seat(0)).rng();
            while let Some(choice) = game.random_move(&mut rng) {
                let before = game.discards.len();
                game.play(choice).expect("a random move is legal");
                shuffled += usize::from(game.discards.len() < before);
                for seat in Seat::all(SEATS) {
                    let mut observation = [0.0; NUMBERS];
                    game.observe(seat, &mut observation);
                    assert_eq!(observation.to_vec(), as_viewed(&game.view(seat)));
                }
                if let Ok(resumed) = Uno::resume(setup, &game.position(), seed.rng()) {
                    assert_eq!(resumed.discarded, game.discarded);
                }
            }
        }
        assert!(
            shuffled > 5,
            "the discards were shuffled only {shuffled} times"
        );
    }

    #[test]
    fn eight_moves_are_spread_as_one_by_one() {
        for moves in 0..=u8::MAX {
            let one_by_one = std::array::from_fn(|place| (moves >> place & 1).cast_signed());
            assert_eq!(spread(moves), one_by_one);
        }
    }
}
