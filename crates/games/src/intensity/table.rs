//! What lies open on the table: the cards played, whose turn that makes it, who has won what.

use super::{Card, Cards, DECK, SEATS};

/// The part of a game that everyone sees, which follows from the cards played and their order.
///
/// Cards are laid here without asking whether they are legal: whoever lays them has the hands and
/// knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Table {
    cards: [Card; DECK],
    count: u8,
    /// Who plays next.
    turn: u8,
    /// The points that each seat has won.
    taken: [u8; SEATS],
}

impl Table {
    /// No card has been played; position 0 leads.
    pub(super) const EMPTY: Table = Table {
        cards: [Card::LOWEST; DECK],
        count: 0,
        turn: 0,
        taken: [0; SEATS],
    };

    /// The seat whose turn it is plays this card.
    #[inline]
    pub(super) fn lay(&mut self, card: Card) {
        self.cards[usize::from(self.count)] = card;
        self.count += 1;
        self.turn = (self.turn + 1) % SEATS as u8;
        if let ([.., a, b, c, d], []) = (self.cards(), self.round()) {
            let round = [*a, *b, *c, *d];
            // After four cards it would be the leader's turn again.
            self.turn = (self.turn + winner(&round) as u8) % SEATS as u8;
            self.taken[self.turn()] += points(&round);
        }
    }

    /// The seat that plays next, by index.
    #[inline]
    pub(super) fn turn(&self) -> usize {
        usize::from(self.turn)
    }

    /// Whether all cards have been played.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        usize::from(self.count) == DECK
    }

    /// All cards played, in order.
    #[inline]
    pub(super) fn cards(&self) -> &[Card] {
        &self.cards[..usize::from(self.count)]
    }

    /// The cards of this round, in order: up to three.
    #[inline]
    pub(super) fn round(&self) -> &[Card] {
        &self.cards()[self.earlier().len()..]
    }

    /// The cards of the rounds that are over, in order.
    #[inline]
    pub(super) fn earlier(&self) -> &[Card] {
        let count = usize::from(self.count);
        &self.cards[..count - count % SEATS]
    }

    /// The first card of this round, if it has been played.
    #[inline]
    pub(super) fn lead(&self) -> Option<Card> {
        self.round().first().copied()
    }

    /// Tells who played which card, in order, and which cards the seat thereby shows not to hold.
    #[inline]
    pub(super) fn retell(&self, mut tell: impl FnMut(usize, Card, Cards)) {
        let mut leader = 0;
        let mut calf_seen = false;
        for round in self.cards().chunks(SEATS) {
            for (place, &card) in round.iter().enumerate() {
                let shows = if card.suit() != round[0].suit() {
                    Cards::of_suit(round[0].suit())
                } else if place == 0 && card.is_calf() && !calf_seen {
                    Cards::ALL - Cards::CALVES
                } else {
                    Cards::NONE
                };
                tell((leader + place) % SEATS, card, shows);
            }
            leader = (leader + winner(round)) % SEATS;
            calf_seen |= round.iter().any(|card| card.is_calf());
        }
    }

    /// The points that each seat has won.
    #[inline]
    pub(super) fn taken(&self) -> [u8; SEATS] {
        self.taken
    }
}

/// Which of the cards of a round wins it: the highest that follows the first.
#[inline]
pub(super) fn winner(round: &[Card]) -> usize {
    let mut winner = 0;
    for place in 1..round.len() {
        let beaten = round[place].beats(round[winner]);
        winner = if beaten { place } else { winner };
    }
    winner
}

/// The points that these cards cost together.
#[inline]
pub(super) fn points(cards: &[Card]) -> u8 {
    cards.iter().map(|card| card.points()).sum()
}

/// The cards of a hand that may be played: those that follow the lead; as a lead, those that are
/// no calves until a calf has been seen; and anything from a hand that has no such card.
#[inline]
pub(super) fn legal(hand: Cards, lead: Option<Card>, calf_seen: bool) -> Cards {
    let first_choice = match lead {
        Some(lead) => hand & Cards::of_suit(lead.suit()),
        None if calf_seen => hand,
        None => hand - Cards::CALVES,
    };
    if first_choice.is_empty() {
        hand
    } else {
        first_choice
    }
}
