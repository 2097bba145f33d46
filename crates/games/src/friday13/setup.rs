//! The parameters of a match, checked before anything is dealt.

use std::ops::Deref;
use std::sync::Arc;

use croupier_core::BadSetup;
use serde::{Deserialize, Serialize};

use super::card::{Card, Colour, HIGHEST};

/// The most cards that are dealt. A match takes memory in proportion to its cards, and this keeps
/// a slip of the keyboard from taking all of it.
pub(super) const MOST_CARDS: usize = 1_000_000;

/// The most colours besides green, and so piles, of which each takes memory too, even if the colour
/// has no cards.
const MOST_COLOURS: usize = MOST_CARDS;

/// The most chairs; a seat has no higher number.
pub(super) const MOST_PLAYERS: usize = 65_535;

/// The most pairs of a chair and a different card, for each of which something is counted.
const MOST_COUNTS: usize = 1 << 27;

/// How many values a card may have.
const VALUES: usize = HIGHEST as usize + 1;

/// The rank of a value that no card has.
const NO_RANK: u16 = u16::MAX;

/// The parameters of a match as they are written down.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// How many players there are.
    pub players: usize,
    /// How many colours there are besides green, and so how many piles.
    pub colours: usize,
    /// How many green cards there are.
    pub greens: usize,
    /// The value of every green card.
    pub green_value: u16,
    /// The values of the cards of every other colour.
    pub values: Vec<u16>,
    /// The sum above which a pile explodes.
    pub threshold: u32,
    /// How many rounds are played.
    pub rounds: u32,
}

/// The original game with four players.
impl Default for Terms {
    fn default() -> Terms {
        Terms {
            players: 4,
            colours: 3,
            greens: 8,
            green_value: 4,
            values: vec![1, 1, 1, 2, 2, 2, 4, 4, 5, 5, 5, 7, 7, 7],
            threshold: 13,
            rounds: 3,
        }
    }
}

impl Terms {
    /// How many cards there are, if the deck is one that can be played with.
    pub fn cards(&self) -> Result<usize, BadSetup> {
        if self.colours == 0 {
            return Err(BadSetup::Undealable(
                "there must be at least one colour besides green".to_owned(),
            ));
        }
        if self.colours > MOST_COLOURS {
            return Err(BadSetup::Undealable(format!(
                "there can be at most {MOST_COLOURS} colours besides green, not {}",
                self.colours
            )));
        }
        let values = self.values.iter().chain([&self.green_value]);
        if let Some(value) = values.copied().find(|&value| value > HIGHEST) {
            return Err(BadSetup::Undealable(format!(
                "a card has a value of at most {HIGHEST}, not {value}"
            )));
        }
        let coloured = self.colours.checked_mul(self.values.len());
        let cards = coloured.and_then(|coloured| coloured.checked_add(self.greens));
        cards
            .filter(|&cards| cards <= MOST_CARDS)
            .ok_or_else(|| BadSetup::Undealable(format!("there can be at most {MOST_CARDS} cards")))
    }

    /// All cards before they are shuffled: the greens, then colour after colour, with the values
    /// in the order given.
    pub fn deck(&self) -> impl Iterator<Item = Card> + '_ {
        let green = Card::new(self.green_value, Colour::GREEN);
        let coloured = (1..=self.colours as u32).flat_map(|colour| {
            let card = move |&value| Card::new(value, Colour(colour));
            self.values.iter().map(card)
        });
        std::iter::repeat_n(green, self.greens).chain(coloured)
    }
}

/// The parameters of a match that can be dealt.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Terms", into = "Terms")]
pub struct Setup(Arc<Agreed>);

#[derive(PartialEq, Debug)]
struct Agreed {
    terms: Terms,
    /// How many cards there are.
    cards: usize,
    /// The value of green, then the different values of another colour in ascending order: a
    /// value's place among these is its rank.
    different: Vec<u16>,
    /// The rank of every value that there may be, first for green, then for any other colour.
    ranks: Vec<u16>,
    /// All cards with their ranks, colour by colour and value by value.
    sorted: Vec<(Card, usize)>,
    /// The chair to which each card of the shuffled deck goes.
    chairs: Vec<u32>,
}

impl Setup {
    /// How many cards there are.
    #[inline]
    pub fn cards(&self) -> usize {
        self.0.cards
    }

    /// How many different values a colour has.
    pub(super) fn ranks(&self) -> usize {
        self.0.different.len() - 1
    }

    /// All cards with their ranks, colour by colour and value by value.
    #[inline]
    pub(super) fn sorted(&self) -> &[(Card, usize)] {
        &self.0.sorted
    }

    /// The place of a card's value among the different ones of its colour, if there is such a
    /// card.
    #[inline]
    pub(super) fn rank(&self, card: Card) -> Option<usize> {
        if card.value > HIGHEST || card.colour.index() > self.colours {
            return None;
        }
        let table = usize::from(!card.colour.is_green()) * VALUES;
        let rank = self.0.ranks[table + usize::from(card.value)];
        (rank != NO_RANK).then_some(rank.into())
    }

    /// The card of a colour that has this rank.
    #[inline]
    pub(super) fn card(&self, colour: Colour, rank: usize) -> Card {
        let place = usize::from(!colour.is_green()) * (rank + 1);
        Card::new(self.0.different[place], colour)
    }

    /// The chair, from 0, to which each card of the shuffled deck goes.
    #[inline]
    pub(super) fn chairs(&self) -> &[u32] {
        &self.0.chairs
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup::try_from(Terms::default()).expect("the original game can be dealt")
    }
}

impl Deref for Setup {
    type Target = Terms;
    #[inline]
    fn deref(&self) -> &Terms {
        &self.0.terms
    }
}

impl From<Setup> for Terms {
    fn from(setup: Setup) -> Terms {
        setup.0.terms.clone()
    }
}

impl TryFrom<Terms> for Setup {
    type Error = BadSetup;

    fn try_from(terms: Terms) -> Result<Setup, BadSetup> {
        let refuse = |reason: String| Err(BadSetup::Undealable(reason));
        let Terms {
            players, colours, ..
        } = terms;
        if !(2..=MOST_PLAYERS).contains(&players) {
            return refuse(format!(
                "there must be 2 to {MOST_PLAYERS} players, not {players}"
            ));
        }
        let cards = terms.cards()?;
        if cards < players {
            return refuse(format!(
                "{players} players need at least {players} cards, and there are {cards}"
            ));
        }
        let mut different = terms.values.clone();
        different.sort_unstable();
        different.dedup();
        let kinds = (colours + 1) * different.len().max(1);
        if kinds.saturating_mul(players) > MOST_COUNTS {
            return refuse(format!(
                "{players} players and {kinds} different cards are too many together"
            ));
        }
        if terms.threshold == 0 {
            return refuse("the threshold must be at least 1".to_owned());
        }
        if terms.rounds == 0 {
            return refuse("there must be at least one round".to_owned());
        }
        let mut ranks = vec![NO_RANK; 2 * VALUES];
        ranks[usize::from(terms.green_value)] = 0;
        for (rank, &value) in different.iter().enumerate() {
            ranks[VALUES + usize::from(value)] = rank as u16;
        }
        different.insert(0, terms.green_value);
        let rank = |card: Card| {
            let table = usize::from(!card.colour.is_green()) * VALUES;
            ranks[table + usize::from(card.value)].into()
        };
        let mut sorted: Vec<_> = terms.deck().map(|card| (card, rank(card))).collect();
        sorted.sort_unstable();
        Ok(Setup(Arc::new(Agreed {
            cards,
            different,
            ranks,
            sorted,
            chairs: (0..players as u32).cycle().take(cards).collect(),
            terms,
        })))
    }
}
