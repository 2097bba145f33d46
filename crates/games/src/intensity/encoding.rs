//! Intensity as numbers.

use croupier_core::{Encoded, Field, Row, Seat, Shape, TooLarge};

use super::{Card, Cards, DECK, HAND, Intensity, Move, PASS, SEATS, Setup};

/// In how many ways three of the ten cards of a hand can be passed on.
const WAYS: usize = 120;

/// The places in the sorted hand of the three cards that are passed on.
static THREES: [[u8; PASS]; WAYS] = {
    let mut threes = [[0; PASS]; WAYS];
    let (mut way, mut a) = (0, 0);
    while a < HAND as u8 {
        let mut b = a + 1;
        while b < HAND as u8 {
            let mut c = b + 1;
            while c < HAND as u8 {
                threes[way] = [a, b, c];
                way += 1;
                c += 1;
            }
            b += 1;
        }
        a += 1;
    }
    threes
};

impl Encoded for Intensity {
    const ENCODING: u32 = 1;

    /// An action for each card that is played, 10 to 49, and one for each way to pass on three of the
    /// ten cards of the hand, by their places in the sorted hand: 0 1 2, 0 1 3, …, 7 8 9.
    fn shape(_: &Setup) -> Result<Shape, TooLarge> {
        Shape::new(
            DECK + WAYS,
            vec![
                Field::new("passing", 1, "1 while cards are chosen to be passed on"),
                Field::new("hand", DECK, "1 for each card of the hand"),
                Field::new("passed", DECK, "1 for each card that the seat passed on"),
                Field::new("received", DECK, "1 for each card that the seat received"),
                Field::new(
                    "position",
                    SEATS,
                    "1 for the seat's position; none while passing",
                ),
                Field::new(
                    "played",
                    SEATS * DECK,
                    "for each seat, the own first, 1 for each card it has played",
                ),
                Field::new("lead", DECK, "1 for the card that was led in this round"),
                Field::new("round", DECK, "1 for each card of this round"),
                Field::new(
                    "points",
                    SEATS,
                    "the points that each seat has taken, the own first",
                ),
            ],
        )
    }

    #[inline]
    fn action(&self, choice: Move) -> Option<usize> {
        if let Some(card) = choice.card() {
            return Some(number(card));
        }
        let hand = self.passing_hand()?;
        let mut places = [0; PASS];
        let mut cards = choice.cards().iter();
        for place in &mut places {
            let card = cards.next()?;
            *place = hand.iter().position(|held| held == card)? as u8;
        }
        let way = THREES.binary_search(&places).ok()?;
        Some(DECK + way)
    }

    #[inline]
    fn choice(&self, action: usize) -> Option<Move> {
        let Some(way) = action.checked_sub(DECK) else {
            return Card::new(Card::LOWEST.number() + action as u8).map(Move::play);
        };
        let hand = self.passing_hand()?;
        let places = THREES.get(way)?;
        let mut cards = [Card::LOWEST; HAND];
        for (place, card) in cards.iter_mut().zip(hand.iter()) {
            *place = card;
        }
        let cards: Cards = places
            .iter()
            .map(|&place| cards[usize::from(place)])
            .collect();
        Move::discard(cards)
    }

    #[inline]
    fn mask(&self, mask: &mut [i8]) {
        if self.passing_hand().is_some() {
            mask[DECK..].fill(1);
        } else if !self.table().is_over() {
            for card in self.playable().iter() {
                mask[number(card)] = 1;
            }
        }
    }

    #[inline]
    fn observe(&self, seat: Seat, observation: &mut [f32]) {
        let own = seat.index();
        let mut row = Row::new(observation);
        let is_passing = self.is_discarding();
        row.put(f32::from(u8::from(is_passing)));
        mark(self.hands()[own], row.take(DECK));
        if is_passing {
            // A seat is told its hand and nothing else, not even its own choice or position.
            return;
        }
        let before = (own + SEATS - 1) % SEATS;
        mark(self.passed()[own], row.take(DECK));
        mark(self.passed()[before], row.take(DECK));
        row.one_of(SEATS, Some(own));
        let played = row.take(SEATS * DECK);
        self.table().retell(|seat, card, _| {
            let further = (seat + SEATS - own) % SEATS;
            played[further * DECK + number(card)] = 1.0;
        });
        row.one_of(DECK, self.table().lead().map(number));
        let round = row.take(DECK);
        for &card in self.table().round() {
            round[number(card)] = 1.0;
        }
        for further in 0..SEATS {
            row.put(f32::from(self.taken()[(own + further) % SEATS]));
        }
        debug_assert!(row.is_full());
    }
}

/// The place of a card among all cards.
#[inline]
fn number(card: Card) -> usize {
    usize::from(card.number() - Card::LOWEST.number())
}

#[inline]
fn mark(cards: Cards, places: &mut [f32]) {
    for card in cards.iter() {
        places[number(card)] = 1.0;
    }
}
