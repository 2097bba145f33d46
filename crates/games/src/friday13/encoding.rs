//! Friday the 13th as numbers.

use croupier_core::{Encoded, Field, Row, Seat, Shape, TooLarge};

use super::card::{Card, Colour};
use super::rules::{Friday13, Move};
use super::setup::Setup;

/// The numbers for a pile besides those for its colour: sum, green cards, other cards.
const PILE: usize = 3;

impl Encoded for Friday13 {
    const ENCODING: u32 = 1;

    /// An action for every kind of card on every pile: kinds in the order of green, then colour by
    /// colour and value by value, and for each kind the piles in order.
    fn shape(setup: &Setup) -> Result<Shape, TooLarge> {
        let (players, colours, kinds) = (setup.players, setup.colours, kinds(setup));
        Shape::new(
            kinds.saturating_mul(colours),
            vec![
                Field::new("hand", kinds, "how many cards of each kind the seat holds"),
                Field::new(
                    "piles",
                    colours.saturating_mul(PILE + colours),
                    "for each pile: its sum, its green cards, its other cards, 1 for its colour",
                ),
                Field::new(
                    "collected",
                    players.saturating_mul(colours + 1),
                    "for each player, the own seat first and then in order of play, how many cards of \
                     each colour it has collected in this round, green first",
                ),
                Field::new(
                    "hands",
                    players,
                    "how many cards each player holds, in the same order",
                ),
                Field::new(
                    "points",
                    players,
                    "the penalty points of each from the rounds before",
                ),
                Field::new("turn", players, "1 for the player to move"),
                Field::new("first", players, "1 for the player who began the round"),
                Field::new("round", 1, "the round, from 1"),
            ],
        )
    }

    #[inline]
    fn action(&self, Move { card, pile }: Move) -> Option<usize> {
        let piles = self.piles.len();
        let kind = self.kind(card)?;
        ((pile as usize) < piles).then(|| kind * piles + pile as usize)
    }

    #[inline]
    fn choice(&self, action: usize) -> Option<Move> {
        let piles = self.piles.len();
        let (kind, pile) = (action / piles, (action % piles) as u32);
        let ranks = self.setup.ranks();
        let (colour, rank) = match kind.checked_sub(1) {
            None => (Colour::GREEN, 0),
            Some(kind) => (
                Colour((kind / ranks.max(1)) as u32 + 1),
                kind % ranks.max(1),
            ),
        };
        let is_there = kind < kinds(&self.setup);
        let card = is_there.then(|| self.setup.card(colour, rank))?;
        Some(Move { card, pile })
    }

    #[inline]
    fn mask(&self, mask: &mut [i8]) {
        if self.is_over() {
            return;
        }
        let (piles, ranks) = (self.piles.len(), self.setup.ranks());
        for colour in (0..=self.setup.colours as u32).map(Colour) {
            let held = self.hands.ranks(self.active, colour);
            if held.is_empty() {
                continue;
            }
            let first = first_kind(colour, ranks);
            for pile in (0..piles as u32).filter(|&pile| self.piles.fits(colour, pile)) {
                for &rank in held {
                    mask[(first + rank as usize) * piles + pile as usize] = 1;
                }
            }
        }
    }

    #[inline]
    fn observe(&self, seat: Seat, observation: &mut [f32]) {
        let (players, colours) = (self.setup.players, self.setup.colours);
        let own = self.chair(seat);
        let chairs = || (0..players).map(|further| (own + further) % players);
        let mut row = Row::new(observation);
        let hand = row.take(kinds(&self.setup));
        for colour in (0..=colours as u32).map(Colour) {
            let first = first_kind(colour, self.setup.ranks());
            for &rank in self.hands.ranks(own, colour) {
                let rank = rank as usize;
                hand[first + rank] = self.hands.count(own, colour, rank) as f32;
            }
        }
        for pile in (0..colours as u32).flat_map(|pile| self.piles.get(pile)) {
            row.put(pile.sum as f32);
            row.put(pile.greens as f32);
            row.put(pile.coloured as f32);
            row.one_of(colours, pile.colour.index().checked_sub(1));
        }
        for chair in chairs() {
            let collected = &self.counts[chair * (colours + 1)..][..=colours];
            for (number, &count) in row.take(colours + 1).iter_mut().zip(collected) {
                *number = count as f32;
            }
        }
        for chair in chairs() {
            row.put(self.hands.size(chair) as f32);
        }
        for chair in chairs() {
            row.put(self.points[self.seat(chair)] as f32);
        }
        row.one_of(players, Some((self.active + players - own) % players));
        row.one_of(players, Some((players - own) % players));
        row.put((self.round + 1).min(self.setup.rounds) as f32);
        debug_assert!(row.is_full());
    }
}

impl Friday13 {
    /// The kind of a card, if there is such a card.
    #[inline]
    fn kind(&self, card: Card) -> Option<usize> {
        let rank = self.setup.rank(card)?;
        Some(first_kind(card.colour, self.setup.ranks()) + rank)
    }
}

/// How many kinds of cards there are: one of green, and each value of each other colour.
fn kinds(setup: &Setup) -> usize {
    1 + setup.colours.saturating_mul(setup.ranks())
}

/// The first kind of a colour.
#[inline]
fn first_kind(colour: Colour, ranks: usize) -> usize {
    match colour.index().checked_sub(1) {
        None => 0,
        Some(before) => 1 + before * ranks,
    }
}
