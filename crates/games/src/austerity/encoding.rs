//! Austerity as numbers.

use croupier_core::{Encoded, Field, Game as _, Row, Seat, Shape, TooLarge};

use super::{Austerity, Colour, MARKET, Move, Setup, Trio};

const COLOURS: usize = Colour::ALL.len();

const TRIOS: usize = Trio::ALL.len();

/// The numbers for a card of the market: whether it is there, points, price, discount.
const CARD: usize = 2 + 2 * COLOURS;

/// The numbers for a player: points, discounts, tokens.
const PLAYER: usize = 2 + 2 * COLOURS;

const WILD: usize = MARKET + TRIOS;

impl Encoded for Austerity {
    const ENCODING: u32 = 1;

    /// An action for the card in each place of the market (there is one way to pay for it), for each
    /// way to take three tokens (PBY, PBR, PYR, BYR), and for the wild token.
    fn shape(setup: &Setup) -> Result<Shape, TooLarge> {
        Shape::new(
            WILD + 1,
            vec![
                Field::new(
                    "piles",
                    COLOURS,
                    "the tokens in each pile: purple, brown, yellow, red",
                ),
                Field::new(
                    "market",
                    MARKET * CARD,
                    "for each card, oldest first: 1 if it is there, its points, its price in each colour, \
                     1 for the colour of its discount",
                ),
                Field::new(
                    "players",
                    setup.players * PLAYER,
                    "for each player, the own seat first: points, discounts in each colour, tokens of \
                     each colour, wild tokens",
                ),
                Field::new("target", 1, "the points that end the game"),
                Field::new("turns", 1, "how many turns have been played"),
                Field::new("deck", 1, "how many cards have not been turned up"),
            ],
        )
    }

    #[inline]
    fn action(&self, choice: Move) -> Option<usize> {
        match choice {
            Move::Purchase(place) => Some(usize::from(place)).filter(|&place| place < MARKET),
            Move::Take(trio) => {
                let place = Trio::ALL.iter().position(|known| *known == trio);
                place.map(|place| MARKET + place)
            }
            Move::Wild => Some(WILD),
        }
    }

    #[inline]
    fn choice(&self, action: usize) -> Option<Move> {
        match action {
            0..MARKET => Some(Move::Purchase(action as u8)),
            WILD => Some(Move::Wild),
            _ => Trio::ALL.get(action - MARKET).copied().map(Move::Take),
        }
    }

    #[inline]
    fn mask(&self, mask: &mut [i8]) {
        if self.ending().is_some() {
            return;
        }
        let affordable = self.affordable();
        for (place, allowed) in mask[..MARKET].iter_mut().enumerate() {
            *allowed = (affordable >> place & 1) as i8;
        }
        for (trio, allowed) in Trio::ALL.into_iter().zip(&mut mask[MARKET..]) {
            let can_take = trio.colours().all(|colour| self.table().has(colour));
            *allowed = i8::from(can_take);
        }
        mask[WILD] = 1;
    }

    #[inline]
    fn observe(&self, seat: Seat, observation: &mut [f32]) {
        let table = self.table();
        let mut row = Row::new(observation);
        for tokens in table.piles {
            row.put(tokens as f32);
        }
        let market = row.take(MARKET * CARD);
        for (card, numbers) in table.market.iter().zip(market.chunks_exact_mut(CARD)) {
            let mut row = Row::new(numbers);
            row.put(1.0);
            row.put(card.points as f32);
            for price in card.price {
                row.put(price as f32);
            }
            row.one_of(COLOURS, Some(card.bonus.index()));
        }
        for further in 0..self.seats() {
            let player = &table.players[(seat.index() + further) % self.seats()];
            row.put(player.points as f32);
            for number in player.discounts.into_iter().chain(player.tokens) {
                row.put(number as f32);
            }
        }
        row.put(self.target as f32);
        row.put(self.turns() as f32);
        row.put(self.hidden().len() as f32);
        debug_assert!(row.is_full());
    }
}
