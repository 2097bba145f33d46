//! The forty cards, and sets of them.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Sub, SubAssign};

use croupier_core::Rng;
use serde::{Serialize, Serializer};

/// How many cards each player is dealt.
pub const HAND: usize = 10;

/// How many cards each player passes on.
pub const PASS: usize = 3;

/// How many cards there are.
pub const DECK: usize = 40;

/// A card, by its number from 10 to 49. The first digit is what has to be followed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

impl Card {
    /// The lowest card.
    pub const LOWEST: Card = Card(10);
    /// The highest card.
    pub const HIGHEST: Card = Card(49);
    /// The 47, which costs seven points.
    pub const BUFFALO: Card = Card(47);

    /// The card with this number, if there is one.
    #[inline]
    pub const fn new(number: u8) -> Option<Card> {
        match number {
            10..=49 => Some(Card(number)),
            _ => None,
        }
    }

    /// The number on the card.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The first digit of the number, 1 to 4.
    #[inline]
    pub const fn suit(self) -> u8 {
        self.0 / 10
    }

    /// Whether it is one of the ten calves, 30 to 39.
    #[inline]
    pub const fn is_calf(self) -> bool {
        self.suit() == 3
    }

    /// What the card costs whoever wins the round: a calf one point, the buffalo seven.
    #[inline]
    pub const fn points(self) -> u8 {
        self.is_calf() as u8 + 7 * (self.0 == Card::BUFFALO.0) as u8
    }

    /// Whether it wins against a card that follows the lead: it follows too, and is higher.
    #[inline]
    pub const fn beats(self, other: Card) -> bool {
        (self.suit() == other.suit()) & (self.0 > other.0)
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.0)
    }
}

/// A set of cards: the bit of a card's number is set if the card is in it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cards(u64);

impl Cards {
    /// No card.
    pub const NONE: Cards = Cards(0);
    /// All forty cards.
    pub const ALL: Cards = Cards(((1 << DECK) - 1) << Card::LOWEST.0);
    /// The ten calves.
    pub const CALVES: Cards = Cards::of_suit(3);

    /// The ten cards with this first digit, 1 to 4.
    #[inline]
    pub const fn of_suit(suit: u8) -> Cards {
        Cards(0x3ff << (10 * suit))
    }

    /// The cards of the other's suit that are lower than it.
    #[inline]
    pub const fn below(card: Card) -> Cards {
        Cards(Cards::of_suit(card.suit()).0 & ((1 << card.0) - 1))
    }

    /// The cards of the other's suit that are higher than it.
    #[inline]
    pub const fn above(card: Card) -> Cards {
        Cards(Cards::of_suit(card.suit()).0 & !((2 << card.0) - 1))
    }

    /// Which cards of this suit there are, a bit for each from the lowest on.
    #[inline]
    pub(super) const fn in_suit(self, suit: u8) -> usize {
        (self.0 >> (10 * suit)) as usize & 0x3ff
    }

    /// The cards of a suit that these bits stand for, one for each from the lowest on.
    #[inline]
    pub(super) const fn from_suit(suit: u8, bits: u16) -> Cards {
        Cards((bits as u64) << (10 * suit))
    }

    /// How many cards there are.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no card.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The one card that there is; none if there are more, or fewer.
    #[inline]
    pub const fn only(self) -> Option<Card> {
        if self.0.is_power_of_two() {
            Some(Card(self.0.trailing_zeros() as u8))
        } else {
            None
        }
    }

    /// Whether this card is among them.
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// Whether all of `others` are among them.
    #[inline]
    pub const fn contains_all(self, others: Cards) -> bool {
        others.0 & !self.0 == 0
    }

    /// The card with the lowest number.
    #[inline]
    pub fn lowest(self) -> Option<Card> {
        (!self.is_empty()).then(|| Card(self.0.trailing_zeros() as u8))
    }

    /// The card with the highest number.
    #[inline]
    pub fn highest(self) -> Option<Card> {
        (!self.is_empty()).then(|| Card(63 - self.0.leading_zeros() as u8))
    }

    /// The cards with the highest last digit.
    #[inline]
    pub(super) fn highest_digits(self) -> Cards {
        let digits = self.digits();
        self & Cards::of_digit(digits.checked_ilog2().unwrap_or_default())
    }

    /// The cards with the lowest last digit.
    #[inline]
    pub(super) fn lowest_digits(self) -> Cards {
        self & Cards::of_digit(self.digits().trailing_zeros().min(9))
    }

    /// So many cards with the highest last digits, of equal ones those with the highest numbers.
    pub(super) fn highest_by_digit(self, count: usize) -> Cards {
        self.first(count, |left| left.highest_digits().highest())
    }

    /// So many cards with the highest numbers.
    pub(super) fn highest_by_number(self, count: usize) -> Cards {
        self.first(count, Cards::highest)
    }

    /// So many cards, each chosen among those that are left; all if there are no more.
    fn first(self, count: usize, choose: impl Fn(Cards) -> Option<Card>) -> Cards {
        let mut chosen = Cards::NONE;
        for _ in 0..count {
            if let Some(card) = choose(self - chosen) {
                chosen |= card.into();
            }
        }
        chosen
    }

    /// The last digits that there are, a bit for each.
    #[inline]
    fn digits(self) -> u32 {
        let [a, b, c, d] = [1, 2, 3, 4].map(|suit| self.in_suit(suit) as u32);
        a | b | c | d
    }

    /// The four cards with this last digit.
    #[inline]
    const fn of_digit(digit: u32) -> Cards {
        Cards((1 << 10 | 1 << 20 | 1 << 30 | 1 << 40) << digit)
    }

    /// One of the cards, each equally likely.
    ///
    /// A loop over the cards would be simpler, but how often it turns is a matter of chance, which
    /// no processor can guess. This way has no loop and no branch that depends on the cards.
    #[inline]
    pub fn any(self, rng: &mut Rng) -> Option<Card> {
        if self.is_empty() {
            return None;
        }
        let suits = [1, 2, 3, 4].map(|suit| HELD[(self.0 >> (10 * suit)) as usize & 0x3ff]);
        let [a, b, c, d] = suits.map(Held::count);
        let drawn = rng.below((a + b + c + d) as usize) as u64;
        let (mut suit, mut before, mut held) = (1, 0, suits[0]);
        for (next, up_to) in [a, a + b, a + b + c].into_iter().enumerate() {
            let further = drawn >= up_to;
            suit = if further { next as u8 + 2 } else { suit };
            before = if further { up_to } else { before };
            held = if further { suits[next + 1] } else { held };
        }
        Some(Card(10 * suit + held.digit(drawn - before)))
    }

    /// `N` of the cards, each choice equally likely; all if there are no more.
    #[inline]
    pub fn any_of_them<const N: usize>(self, rng: &mut Rng) -> Cards {
        let mut cards = [Card::LOWEST; DECK];
        let mut count = 0;
        for card in self.iter() {
            cards[count] = card;
            count += 1;
        }
        let mut chosen = Cards::NONE;
        for already in 0..N.min(count) {
            let place = already + rng.below(count - already);
            cards.swap(already, place);
            chosen |= cards[already].into();
        }
        chosen
    }

    /// All ways to take three of the cards.
    pub fn threes(self) -> impl Iterator<Item = Cards> {
        let later = move |card: Card| self.iter().skip_while(move |&other| other <= card);
        let pairs = self.iter().flat_map(move |a| later(a).map(move |b| (a, b)));
        pairs.flat_map(move |(a, b)| later(b).map(move |c| [a, b, c].into_iter().collect()))
    }

    /// The cards in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let next = Cards(left).lowest();
            left &= left.wrapping_sub(1);
            next
        })
    }
}

/// The cards of one suit in a hand: their last digits from the lowest on, four bits each, and in
/// the highest four bits how many there are.
#[derive(Clone, Copy)]
struct Held(u64);

impl Held {
    #[inline]
    fn count(self) -> u64 {
        self.0 >> 60
    }

    #[inline]
    fn digit(self, n: u64) -> u8 {
        (self.0 >> (4 * n)) as u8 & 0xf
    }
}

/// What is held, by the ten bits of a suit.
static HELD: [Held; 1024] = {
    let mut table = [Held(0); 1024];
    let mut bits = 0;
    while bits < table.len() {
        let (mut held, mut count, mut digit) = (0, 0, 0);
        while digit < 10 {
            if bits >> digit & 1 == 1 {
                held |= digit << (4 * count);
                count += 1;
            }
            digit += 1;
        }
        table[bits] = Held(held | count << 60);
        bits += 1;
    }
    table
};

impl From<Card> for Cards {
    #[inline]
    fn from(card: Card) -> Cards {
        Cards(1 << card.0)
    }
}

impl FromIterator<Card> for Cards {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Cards {
        let add = |set, card| set | Cards::from(card);
        cards.into_iter().fold(Cards::NONE, add)
    }
}

/// The cards that are in both.
impl BitAnd for Cards {
    type Output = Cards;
    #[inline]
    fn bitand(self, other: Cards) -> Cards {
        Cards(self.0 & other.0)
    }
}

/// The cards that are in either.
impl BitOr for Cards {
    type Output = Cards;
    #[inline]
    fn bitor(self, other: Cards) -> Cards {
        Cards(self.0 | other.0)
    }
}

impl BitOrAssign for Cards {
    #[inline]
    fn bitor_assign(&mut self, other: Cards) {
        *self = *self | other;
    }
}

/// The cards without the others.
impl Sub for Cards {
    type Output = Cards;
    #[inline]
    fn sub(self, other: Cards) -> Cards {
        Cards(self.0 & !other.0)
    }
}

impl SubAssign for Cards {
    #[inline]
    fn sub_assign(&mut self, other: Cards) {
        *self = *self - other;
    }
}

impl fmt::Debug for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for Cards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
