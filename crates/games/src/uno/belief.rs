//! What the others may hold, given how they have played so far.
//!
//! Who draws has no card that matches, and no wild card. Who plays a card shows something too: a
//! player like `careful` keeps its wild cards and plays from its longest colour. The posterior
//! distribution of the hidden cards is sampled by a Markov chain (the Metropolis algorithm): two hidden
//! cards change places, which is accepted with the ratio of the likelihoods of what has been seen.

use croupier_core::{Event, Rng, Sample, Seat, Seed};

use super::history::{History, Owned, STILL, histories};
use super::rules::Hand;
use super::{Card, Cards, Move, SEATS, Uno, View};

/// Steps of the chain before the first deal, and from one deal to the next.
const BURN_IN: usize = 300;
const BETWEEN: usize = 12;

/// Of so many steps, one changes when a player got a card instead of which card it is.
const OF_TIMES: usize = 4;

/// A Markov chain of deals that agree with a view and with what has been heard.
#[derive(Clone, Debug)]
pub(super) struct Belief {
    /// A game that looks like this, in which the hidden cards are put.
    game: Uno,
    viewer: usize,
    /// What is known of the others. The viewer's own history is empty: nothing of it is hidden.
    others: [History; SEATS],
    likelihoods: [f64; SEATS],
    /// The deck, in any order; before the first deal all hidden cards.
    deck: Vec<Card>,
    has_begun: bool,
}

impl Belief {
    /// What can be known, if what has been heard tells how everybody came to have so many cards.
    pub(super) fn new(view: &View, heard: &[Event<Move>]) -> Option<Belief> {
        let viewer = view.seat.index();
        let mut others = histories(view, heard)?;
        others[viewer] = History::default();
        let game = Uno::sample(view, &mut Seed(0).rng());
        let mut deck = game.deck.to_vec();
        for seat in Seat::all(SEATS).filter(|&seat| seat != view.seat) {
            deck.extend(game.hands[seat.index()].cards.iter());
        }
        Some(Belief {
            game,
            viewer,
            others,
            likelihoods: [1.0; SEATS],
            deck,
            has_begun: false,
        })
    }

    /// The next deal of the chain.
    pub(super) fn deal(&mut self, rng: &mut Rng) -> Uno {
        let steps = if self.has_begun { BETWEEN } else { BURN_IN };
        if !self.has_begun {
            self.begin(rng);
        }
        for _ in 0..steps {
            self.step(rng);
        }
        let mut game = self.game.clone();
        for seat in (0..SEATS).filter(|&seat| seat != self.viewer) {
            let held = self.others[seat].cards.iter();
            let held = held.filter(|owned| owned.until == STILL);
            let held: Vec<Card> = held.map(|owned| owned.card).collect();
            let held = Cards::new(&held).expect("a hand has no more cards than there are");
            game.hands[seat] = Hand::new(held);
        }
        game.deck = Cards::new(&self.deck).expect("a deck has no more cards than there are");
        rng.shuffle(game.deck.as_mut_slice());
        game.reseed(rng);
        game
    }

    /// Deals the hidden cards so that they agree with all draws, as far as that is easy.
    fn begin(&mut self, rng: &mut Rng) {
        self.has_begun = true;
        rng.shuffle(&mut self.deck);
        for seat in 0..SEATS {
            for place in 0..self.others[seat].cards.len() {
                let history = &self.others[seat];
                let Owned { since, until, .. } = history.cards[place];
                if until == STILL {
                    let fits = |&card: &Card| history.may_hold(card, since, STILL);
                    let found = self.deck.iter().rposition(fits);
                    let found = found.unwrap_or(self.deck.len() - 1);
                    self.others[seat].cards[place].card = self.deck.swap_remove(found);
                }
            }
        }
        for (likelihood, history) in self.likelihoods.iter_mut().zip(&self.others) {
            *likelihood = history.likelihood();
        }
    }

    /// One step of the chain. Every change is proposed as often as the one that undoes it.
    fn step(&mut self, rng: &mut Rng) {
        let seat = rng.below(SEATS);
        let count = self.others[seat].cards.len();
        if count == 0 {
            return;
        }
        let place = rng.below(count);
        if rng.below(OF_TIMES) == 0 {
            return self.change_times(seat, [place, rng.below(count)], rng);
        }
        if self.others[seat].cards[place].until != STILL {
            return;
        }
        // Another hidden card, in another hand or else in the deck.
        let other = rng.below(SEATS);
        if other == seat || other == self.viewer {
            if !self.deck.is_empty() {
                self.change_with_deck((seat, place), rng);
            }
            return;
        }
        let at = rng.below(self.others[other].cards.len());
        if self.others[other].cards[at].until == STILL {
            self.swap((seat, place), (other, at));
            if !self.accepts(&[seat, other], rng) {
                self.swap((seat, place), (other, at));
            }
        }
    }

    fn swap(&mut self, (seat, place): (usize, usize), (other, at): (usize, usize)) {
        let card = self.others[seat].cards[place].card;
        self.others[seat].cards[place].card = self.others[other].cards[at].card;
        self.others[other].cards[at].card = card;
    }

    /// Swaps a card with one of the deck.
    fn change_with_deck(&mut self, (seat, place): (usize, usize), rng: &mut Rng) {
        let at = rng.below(self.deck.len());
        let before = self.others[seat].cards[place].card;
        self.others[seat].cards[place].card = self.deck[at];
        match self.accepts(&[seat], rng) {
            true => self.deck[at] = before,
            false => self.others[seat].cards[place].card = before,
        }
    }

    /// Lets two cards of a seat have come at each other's time.
    fn change_times(&mut self, seat: usize, places: [usize; 2], rng: &mut Rng) {
        let [one, other] = places.map(|place| self.others[seat].cards[place]);
        let is_possible = one.since <= other.until && other.since <= one.until;
        if one.since == other.since || !is_possible {
            return;
        }
        let set = |times: [u16; 2], belief: &mut Belief| {
            for (place, time) in places.into_iter().zip(times) {
                belief.others[seat].cards[place].since = time;
            }
        };
        set([other.since, one.since], self);
        if !self.accepts(&[seat], rng) {
            set([one.since, other.since], self);
        }
    }

    /// Whether a change of the cards of these seats is accepted.
    fn accepts(&mut self, seats: &[usize], rng: &mut Rng) -> bool {
        let mut likelihoods = self.likelihoods;
        let (mut before, mut after) = (1.0, 1.0);
        for &seat in seats {
            before *= likelihoods[seat];
            likelihoods[seat] = self.others[seat].likelihood();
            after *= likelihoods[seat];
        }
        let drawn = (rng.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        let accepted = after >= before || drawn * before < after;
        if accepted {
            self.likelihoods = likelihoods;
        }
        accepted
    }
}
