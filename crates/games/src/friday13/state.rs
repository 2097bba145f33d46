//! A round as the state file shows it: every card in its place, in order.
//!
//! A file can hold anything, also what no game leads to, so this is not the state of the rules
//! ([`Friday13`](super::Friday13)) but a plain list of cards that can be looked at, changed and
//! checked.

use std::collections::BTreeMap;

use super::card::{Card, Colour, sum};
use super::rules::Move;
use super::score;
use super::setup::{Setup, Terms};

/// A round as the state file shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The player whose turn it is, from 0.
    pub active: usize,
    /// The sum above which a pile explodes, if the file names it.
    pub threshold: Option<u32>,
    /// The cards in hand, by player.
    pub hands: Vec<Vec<Card>>,
    /// The cards collected, by player.
    pub decks: Vec<Vec<Card>>,
    /// The piles.
    pub piles: Vec<Vec<Card>>,
}

/// Where a card with a colour may go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Placing {
    /// Where its colour lies, and only if that is nowhere, on any pile without a colour.
    #[default]
    Strict,
    /// Also on a pile without a colour when its colour lies on another: `--lenient`.
    Lenient,
}

/// What the collected cards cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scores {
    /// The colours of which one player alone has most, and who that is, from 0.
    pub immune: Vec<(Colour, usize)>,
    /// The penalty points of every player.
    pub points: Vec<i64>,
}

impl State {
    /// The state after dealing these cards round robin; the first player is active.
    pub fn deal(players: usize, piles: usize, deck: impl IntoIterator<Item = Card>) -> State {
        let mut hands = vec![Vec::new(); players];
        for (place, card) in deck.into_iter().enumerate() {
            hands[place % players].push(card);
        }
        State {
            active: 0,
            threshold: None,
            hands,
            decks: vec![Vec::new(); players],
            piles: vec![Vec::new(); piles],
        }
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.hands.len()
    }

    /// All cards: in hands, collected and on piles.
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        let places = [&self.hands, &self.decks, &self.piles];
        places.into_iter().flatten().flatten().copied()
    }

    /// Whether all hands are empty, so that the round is over.
    pub fn is_final(&self) -> bool {
        self.hands.iter().all(Vec::is_empty)
    }

    /// The piles, from 0, on which a card may be laid.
    pub fn piles_for(&self, card: Card, placing: Placing) -> Vec<usize> {
        piles_for(&self.piles, card, placing)
    }

    /// Whether the active player can lay any card at all.
    pub fn can_lay(&self, placing: Placing) -> bool {
        let hand = &self.hands[self.active];
        hand.iter()
            .any(|&card| !self.piles_for(card, placing).is_empty())
    }

    /// Whether nobody can lay any card, whoever is active: then the round is over, although there
    /// may be cards in hand. How a card may be placed makes no difference to that.
    pub fn is_stuck(&self) -> bool {
        let mut held = self.hands.iter().flatten();
        held.all(|&card| self.piles_for(card, Placing::Strict).is_empty())
    }

    /// The moves of the active player, each once.
    pub fn moves(&self, placing: Placing) -> Vec<Move> {
        let mut cards = self.hands[self.active].clone();
        cards.sort_unstable();
        cards.dedup();
        let on_piles = |card| {
            let piles = self.piles_for(card, placing).into_iter();
            piles.map(move |pile| Move {
                card,
                pile: pile as u32,
            })
        };
        cards.into_iter().flat_map(on_piles).collect()
    }

    /// The active player makes a move: of like cards the first in hand is laid. Says whether the
    /// pile exploded; nothing if there is no such card or pile, and then nothing is changed.
    pub fn make(&mut self, choice: Move, threshold: Option<u32>) -> Option<bool> {
        let (hand, pile) = (&self.hands[self.active], choice.pile as usize);
        let place = hand.iter().position(|&card| card == choice.card)?;
        (pile < self.piles.len()).then(|| self.lay(place, pile, threshold))
    }

    /// Makes the next player active.
    pub fn pass(&mut self) {
        self.active = (self.active + 1) % self.players();
    }

    /// The active player lays the card in this place of his hand on a pile, takes the pile if its
    /// sum is now more than `threshold`, and the next player is active. Says whether it exploded.
    ///
    /// # Panics
    /// If there is no such card or pile.
    pub fn lay(&mut self, place: usize, pile: usize, threshold: Option<u32>) -> bool {
        let card = self.hands[self.active].remove(place);
        let cards = &mut self.piles[pile];
        cards.push(card);
        let explodes = threshold.is_some_and(|threshold| sum(cards) > threshold);
        if explodes {
            self.decks[self.active].append(cards);
        }
        self.pass();
        explodes
    }

    /// The simple move: the active player's first card; green goes on the first pile, another
    /// colour on the first pile where it lies, or else on the first without a colour. Without a
    /// card or a place for it the turn passes.
    pub fn simple_move(&mut self, threshold: Option<u32>) {
        let card = self.hands[self.active].first().copied();
        let piles = card.map(|card| self.piles_for(card, Placing::Strict));
        match piles.and_then(|piles| piles.first().copied()) {
            Some(pile) => {
                self.lay(0, pile, threshold);
            }
            None => self.pass(),
        }
    }

    /// What the collected cards cost.
    pub fn scores(&self) -> Scores {
        let mut counts: BTreeMap<Colour, Vec<u32>> = BTreeMap::new();
        for (player, card) in each(&self.decks) {
            let of_colour = counts.entry(card.colour);
            of_colour.or_insert_with(|| vec![0; self.players()])[player] += 1;
        }
        let mut points: Vec<i64> = self.decks.iter().map(|deck| deck.len() as i64).collect();
        let mut immune = Vec::new();
        for (&colour, counts) in &counts {
            if colour.is_green() {
                for (points, &greens) in points.iter_mut().zip(counts) {
                    *points += i64::from(greens * score::GREEN_EXTRA);
                }
            } else if let Some((player, count)) = score::most(counts.iter().copied()) {
                points[player] -= i64::from(count);
                immune.push((colour, player));
            }
        }
        Scores { immune, points }
    }

    /// Whether a later state can be one of the same round: hands only lose cards, and nobody gives
    /// up what he has collected.
    pub fn may_lead_to(&self, later: &State) -> bool {
        self.players() == later.players()
            && (self.hands.iter().zip(&later.hands)).all(|(now, then)| holds(now, then))
            && (self.decks.iter().zip(&later.decks)).all(|(now, then)| holds(then, now))
    }

    /// Whether the hands have the sizes that dealing and playing in turn gives them.
    pub fn has_right_hands(&self) -> bool {
        let more = self.cards().count() % self.players();
        let mut dealt = self.hands.iter().enumerate().map(|(player, hand)| {
            let extra = usize::from(player < more);
            (hand.len() + usize::from(player < self.active)).checked_sub(extra)
        });
        let first = dealt.next().flatten();
        first.is_some() && dealt.all(|size| size == first)
    }

    /// The first two colours on a pile, green apart, where only one may be.
    pub fn two_colours(&self, pile: usize) -> Option<(Colour, Colour)> {
        let mut colours = self.piles[pile]
            .iter()
            .map(|card| card.colour)
            .filter(|colour| !colour.is_green());
        let first = colours.next()?;
        let other = colours.find(|&colour| colour != first)?;
        Some((first, other))
    }

    /// Checks that this is a state of a game with these parameters. A colour on two piles is let
    /// pass here: see [`check_one_pile_a_colour`](State::check_one_pile_a_colour).
    pub fn check(&self, setup: &Setup) -> Result<(), Inconsistent> {
        self.check_cards(setup)?;
        if self.has_right_hands() {
            Ok(())
        } else {
            Err(Inconsistent::Hands)
        }
    }

    /// The same without a look at the sizes of the hands, which are not what they should be once
    /// somebody who could lay no card has passed.
    pub fn check_cards(&self, setup: &Setup) -> Result<(), Inconsistent> {
        let Terms {
            players,
            colours,
            threshold,
            ..
        } = **setup;
        if self.players() != players {
            return Err(Inconsistent::Players(self.players(), players));
        }
        if self.piles.len() != colours {
            return Err(Inconsistent::Piles(self.piles.len(), colours));
        }
        match self.threshold {
            Some(found) if found != threshold => {
                return Err(Inconsistent::Threshold(found, threshold));
            }
            _ => {}
        }
        compare(setup.deck(), self.cards())?;
        for (pile, cards) in self.piles.iter().enumerate() {
            if let Some((one, other)) = self.two_colours(pile) {
                return Err(Inconsistent::TwoColours(pile + 1, one, other));
            }
            if sum(cards) > threshold {
                return Err(Inconsistent::Overfull(pile + 1, sum(cards), threshold));
            }
        }
        Ok(())
    }

    /// Checks that no colour lies on two piles.
    pub fn check_one_pile_a_colour(&self) -> Result<(), Inconsistent> {
        let mut lies = BTreeMap::new();
        for (pile, card) in each(&self.piles) {
            let first = *lies.entry(card.colour).or_insert(pile);
            if first != pile && !card.colour.is_green() {
                return Err(Inconsistent::TwoPiles(card.colour, first + 1, pile + 1));
            }
        }
        Ok(())
    }
}

/// The piles, from 0, on which a card may be laid.
pub(super) fn piles_for(piles: &[Vec<Card>], card: Card, placing: Placing) -> Vec<usize> {
    let fitting = |fits: &dyn Fn(&[Card]) -> bool| -> Vec<usize> {
        let numbered = piles.iter().enumerate();
        let fitting = numbered.filter(|(_, cards)| fits(cards));
        fitting.map(|(pile, _)| pile).collect()
    };
    if card.colour.is_green() {
        return fitting(&|_| true);
    }
    let has_colour = |cards: &[Card]| cards.iter().any(|other| other.colour == card.colour);
    let is_open = |cards: &[Card]| cards.iter().all(|other| other.colour.is_green());
    let lies = fitting(&has_colour);
    match placing {
        Placing::Strict if !lies.is_empty() => lies,
        Placing::Strict => fitting(&is_open),
        Placing::Lenient => fitting(&|cards| has_colour(cards) || is_open(cards)),
    }
}

/// The cards of several places, each with the number of its place.
fn each(places: &[Vec<Card>]) -> impl Iterator<Item = (usize, Card)> + '_ {
    let places = places.iter().enumerate();
    places.flat_map(|(place, cards)| cards.iter().map(move |&card| (place, card)))
}

/// Whether a heap holds all these cards.
fn holds(heap: &[Card], cards: &[Card]) -> bool {
    let mut balance: BTreeMap<Card, i64> = BTreeMap::new();
    heap.iter()
        .for_each(|&card| *balance.entry(card).or_default() += 1);
    cards
        .iter()
        .for_each(|&card| *balance.entry(card).or_default() -= 1);
    balance.values().all(|&balance| balance >= 0)
}

/// Checks that two heaps hold the same cards.
pub(super) fn compare(
    expected: impl Iterator<Item = Card>,
    found: impl Iterator<Item = Card>,
) -> Result<(), Inconsistent> {
    let mut balance: BTreeMap<Card, i64> = BTreeMap::new();
    expected.for_each(|card| *balance.entry(card).or_default() -= 1);
    found.for_each(|card| *balance.entry(card).or_default() += 1);
    match balance.into_iter().find(|&(_, balance)| balance != 0) {
        None => Ok(()),
        Some((card, balance)) if balance < 0 => Err(Inconsistent::Missing(card)),
        Some((card, _)) => Err(Inconsistent::Surplus(card)),
    }
}

/// Why a state is none of a game with the parameters that were agreed. Players and piles are
/// counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Inconsistent {
    /// Another number of players.
    #[error("the state has {0} players, the game {1}")]
    Players(usize, usize),
    /// Another number of piles.
    #[error("the state has {0} piles, the game {1}")]
    Piles(usize, usize),
    /// Another threshold.
    #[error("the state has the explosion threshold {0}, the game {1}")]
    Threshold(u32, u32),
    /// A card is not there, or not often enough.
    #[error("the card {0} is missing")]
    Missing(Card),
    /// A card is there that should not be, or too often.
    #[error("there is a card {0} too many")]
    Surplus(Card),
    /// A pile has two colours.
    #[error("there are two colours on pile {0}: {1} and {2}")]
    TwoColours(usize, Colour, Colour),
    /// A pile should have exploded.
    #[error("pile {0} should have exploded: its sum is {1}, the threshold {2}")]
    Overfull(usize, u32, u32),
    /// A colour lies on two piles.
    #[error("{0} lies on two piles: {1} and {2}")]
    TwoPiles(Colour, usize, usize),
    /// The hands do not have the sizes that playing in turn gives them.
    #[error("the numbers of cards in the hands do not fit each other and the active player")]
    Hands,
}
