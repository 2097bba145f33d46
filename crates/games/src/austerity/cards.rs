//! Colours, cards, and decks: those that are read and those that are made up.

use std::sync::Arc;

use croupier_core::Rng;
use serde::{Deserialize, Serialize};

/// The largest number that may stand on a card or in a message: that of a C `int`.
pub(super) const MOST: i64 = 2_147_483_647;

/// A colour of tokens.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
pub enum Colour {
    /// P
    #[serde(rename = "P")]
    Purple,
    /// B
    #[serde(rename = "B")]
    Brown,
    /// Y
    #[serde(rename = "Y")]
    Yellow,
    /// R
    #[serde(rename = "R")]
    Red,
}

impl Colour {
    /// All colours in the order in which they are always told.
    pub const ALL: [Colour; 4] = [Colour::Purple, Colour::Brown, Colour::Yellow, Colour::Red];

    /// The colour's place in lists that hold one number a colour.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter that stands for the colour.
    pub const fn letter(self) -> char {
        ['P', 'B', 'Y', 'R'][self.index()]
    }

    /// The colour's name.
    pub const fn name(self) -> &'static str {
        ["purple", "brown", "yellow", "red"][self.index()]
    }
}

/// Three different colours, one token of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trio {
    left_out: Colour,
}

impl Trio {
    /// All there are: PBY, PBR, PYR, BYR.
    pub const ALL: [Trio; 4] = [
        Trio::without(Colour::Red),
        Trio::without(Colour::Yellow),
        Trio::without(Colour::Brown),
        Trio::without(Colour::Purple),
    ];

    /// All colours but this one.
    pub const fn without(left_out: Colour) -> Trio {
        Trio { left_out }
    }

    /// The three colours that these tokens are of, if they are one each of three.
    pub fn of(tokens: [i64; 4]) -> Option<Trio> {
        Trio::ALL.into_iter().find(|trio| trio.tokens() == tokens)
    }

    /// The three colours, in the usual order.
    pub fn colours(self) -> impl Iterator<Item = Colour> {
        Colour::ALL
            .into_iter()
            .filter(move |&colour| colour != self.left_out)
    }

    /// The tokens: one of each colour but one.
    #[inline]
    pub fn tokens(self) -> [i64; 4] {
        let mut tokens = [1; 4];
        tokens[self.left_out.index()] = 0;
        tokens
    }
}

/// A card of the deck. No number on it is above 2,147,483,647.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Card {
    /// The colour in which its owner has one token off every later price.
    pub bonus: Colour,
    /// What it is worth.
    pub points: u32,
    /// What it costs in each colour.
    pub price: [u32; 4],
}

impl Card {
    /// A card worth so many points, its price and its discount left to chance.
    fn make_up(points: u32, rng: &mut Rng) -> Card {
        let tokens = 2 + 2 * points + rng.below(3) as u32;
        // Two bits a colour: 14 tokens and the discount fit into one word. Counting bits counts all
        // tokens of a colour at once.
        let chance = rng.bits();
        let bonus = Colour::ALL[(chance >> 62) as usize];
        let mask = ((1u64 << (2 * tokens)) - 1) & 0x5555_5555;
        let (low, high) = (chance & mask, chance >> 1 & mask);
        let price = [mask & !low & !high, low & !high, high & !low, low & high];
        Card {
            bonus,
            points,
            price: price.map(u64::count_ones),
        }
    }
}

/// A deck, the card that is turned up first at the front. It has at least one card.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Deck(Arc<[Card]>);

/// How many cards a made-up deck has for every player.
pub(super) const CARDS_A_PLAYER: usize = 30;

/// How many of its cards are worth nothing: fewer than lie face up, so that there is always a
/// card that a player who buys no worthless ones can save up for.
const WORTHLESS: usize = super::MARKET - 1;

/// What the other cards are worth, over and over.
const WORTH: [u32; 10] = [1, 1, 1, 2, 2, 2, 3, 3, 4, 5];

impl Deck {
    /// A deck of these cards; none if there is no card or a number on one is too large.
    pub fn new(cards: Vec<Card>) -> Option<Deck> {
        let fits = |card: &Card| {
            let numbers = card.price.iter().chain([&card.points]);
            numbers.into_iter().all(|&number| i64::from(number) <= MOST)
        };
        (!cards.is_empty() && cards.iter().all(fits)).then(|| Deck(cards.into()))
    }

    /// Makes up a deck for a table of this size.
    ///
    /// There are 30 cards for every player. Seven are worth nothing, and the others 1, 1, 1, 2, 2,
    /// 2, 3, 3, 4 and 5 points over and over, in random order. A card costs 2 tokens, 2 more for
    /// every point, and 0, 1 or 2 more by chance; the colour of each of them and of the discount is
    /// left to chance, all equally likely.
    pub fn make_up(players: usize, rng: &mut Rng) -> Deck {
        Deck::go_on(players, &[], rng)
    }

    /// A made-up deck that begins with these cards, all such decks as likely as they were before
    /// the cards were known.
    pub(super) fn go_on(players: usize, known: &[Card], rng: &mut Rng) -> Deck {
        // By their points, of which a made-up card has at most five.
        let mut taken = [0; 6];
        for card in known {
            taken[card.points as usize] += 1;
        }
        let rest = (CARDS_A_PLAYER * players).saturating_sub(WORTHLESS);
        let worth = WORTH.into_iter().cycle().take(rest);
        let worth = [0; WORTHLESS].into_iter().chain(worth);
        let mut worth: Vec<u32> = worth
            .filter(|&points| {
                let taken = &mut taken[points as usize];
                let left = *taken == 0;
                *taken -= u32::from(!left);
                left
            })
            .collect();
        rng.shuffle(&mut worth);
        let made_up = worth.into_iter().map(|points| Card::make_up(points, rng));
        Deck(known.iter().copied().chain(made_up).collect())
    }

    /// A deck of this size that begins with these cards and goes on with some like them, each
    /// equally likely in every place.
    pub(super) fn like(cards: usize, known: &[Card], rng: &mut Rng) -> Deck {
        let rest = match known.len() {
            0 => 0,
            count => cards.saturating_sub(count),
        };
        let another = |_| known[rng.below(known.len())];
        let like = (0..rest).map(another);
        Deck(known.iter().copied().chain(like).collect())
    }

    /// The cards, the one that is turned up first at the front.
    #[inline]
    pub fn cards(&self) -> &[Card] {
        &self.0
    }
}
