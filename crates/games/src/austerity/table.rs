//! What lies open on the table, which is all but the rest of the deck, and what moves do to it.
//!
//! The rules and a player program that only hears of the game keep the same table. A program may
//! be told things that cannot be, so nothing here is surprised by any number: where one grows out
//! of all bounds it stays there.

use croupier_core::Seat;
use serde::Serialize;

use super::{Card, Colour, Trio};

/// How many cards lie face up at most.
pub const MARKET: usize = 8;

/// How many players there may be: one for every letter.
pub const MOST_PLAYERS: usize = 26;

/// What is paid for a card: tokens of the four colours, then wild ones.
pub type Payment = [i64; 5];

/// The place of the wild tokens in lists that hold five numbers.
pub(super) const WILD: usize = 4;

/// What everyone sees.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Table {
    /// How many tokens each coloured pile has.
    pub piles: [i64; 4],
    /// The cards that lie face up, oldest first.
    pub market: Vec<Card>,
    /// What each player has.
    pub players: Vec<Holdings>,
}

/// What one player has.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Holdings {
    /// The points of all cards bought.
    pub points: i64,
    /// How many tokens each colour of a price is reduced by.
    pub discounts: [i64; 4],
    /// The tokens of the four colours, then the wild ones.
    pub tokens: [i64; 5],
}

impl Holdings {
    /// How many tokens of each colour the card costs this player.
    #[inline]
    pub fn need(&self, card: &Card) -> [i64; 4] {
        std::array::from_fn(|colour| {
            (i64::from(card.price[colour]) - self.discounts[colour]).max(0)
        })
    }

    /// The one payment that buys the card: own tokens of a colour first, wild ones for what is
    /// missing. None if there are not enough.
    #[inline]
    pub fn payment(&self, card: &Card) -> Option<Payment> {
        let need = self.need(card);
        let mut paid = [0; 5];
        for colour in 0..WILD {
            paid[colour] = need[colour].min(self.tokens[colour].max(0));
            paid[WILD] += need[colour] - paid[colour];
        }
        (paid[WILD] <= self.tokens[WILD].max(0)).then_some(paid)
    }

    /// Which of these cards the player can pay for, one bit a card; the same answer as that of
    /// [`Holdings::payment`], for many cards at once.
    #[inline]
    pub(super) fn affordable(&self, cards: &[Card]) -> u32 {
        let have: [i64; WILD] = std::array::from_fn(|colour| {
            self.discounts[colour].saturating_add(self.tokens[colour].max(0))
        });
        let wild = self.tokens[WILD].max(0);
        cards.iter().enumerate().fold(0, |bits, (place, card)| {
            let missing = |colour: usize| (i64::from(card.price[colour]) - have[colour]).max(0);
            let missing = (0..WILD).map(missing).sum::<i64>();
            bits | u32::from(missing <= wild) << place
        })
    }
}

impl Table {
    /// An empty table: no tokens, no cards.
    pub fn new(players: usize) -> Table {
        Table {
            piles: [0; 4],
            market: Vec::with_capacity(MARKET),
            players: vec![Holdings::default(); players],
        }
    }

    /// Whether the pile of this colour has a token.
    #[inline]
    pub fn has(&self, colour: Colour) -> bool {
        self.piles[colour.index()] > 0
    }

    /// The ways to take three tokens.
    pub fn trios(&self) -> impl Iterator<Item = Trio> {
        let can_take = |trio: &Trio| trio.colours().all(|colour| self.has(colour));
        Trio::ALL.into_iter().filter(can_take)
    }

    /// The players with the most points.
    pub fn winners(&self) -> impl Iterator<Item = Seat> {
        let most = self.players.iter().map(|player| player.points).max();
        let players = Seat::all(self.players.len()).zip(&self.players);
        players.filter_map(move |(seat, player)| (Some(player.points) == most).then_some(seat))
    }

    /// A player pays for the card in this place and takes it; later cards move down.
    #[inline]
    pub(super) fn buy(&mut self, seat: Seat, place: usize, paid: Payment) {
        let card = self.market.remove(place);
        let player = &mut self.players[seat.index()];
        player.points = player.points.saturating_add(i64::from(card.points));
        player.discounts[card.bonus.index()] += 1;
        for (own, paid) in player.tokens.iter_mut().zip(paid) {
            *own = own.saturating_sub(paid);
        }
        for (pile, paid) in self.piles.iter_mut().zip(paid) {
            *pile = pile.saturating_add(paid);
        }
    }

    /// A player takes coloured tokens.
    #[inline]
    pub(super) fn take(&mut self, seat: Seat, tokens: [i64; 4]) {
        let player = &mut self.players[seat.index()];
        for (colour, taken) in tokens.into_iter().enumerate() {
            player.tokens[colour] = player.tokens[colour].saturating_add(taken);
            self.piles[colour] = self.piles[colour].saturating_sub(taken);
        }
    }

    /// A player takes a wild token.
    #[inline]
    pub(super) fn take_wild(&mut self, seat: Seat) {
        let wild = &mut self.players[seat.index()].tokens[WILD];
        *wild = wild.saturating_add(1);
    }
}
