//! The 108 cards: colours, faces, and cards that lie in a row.

use std::ops::Deref;

use serde::{Serialize, Serializer};

/// How many cards there are.
pub const DECK: usize = 108;

/// How many different cards there are.
pub(super) const KINDS: usize = 54;

/// How many different cards a colour has: ten numbers, skip, reverse, draw two.
const FACES: u8 = 13;

/// Up to how many cards a row is short: see [`Cards::remove_from_short`].
const SHORT: usize = 16;

/// One of the four colours; wild cards have none until one is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Colour {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
}

impl Colour {
    /// All colours, in the order of their numbers in C.
    pub const ALL: [Colour; 4] = [Colour::Red, Colour::Green, Colour::Blue, Colour::Yellow];

    /// The place of the colour in lists that hold one entry a colour.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// What is printed on a card.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Face {
    /// A number from 0 to 9.
    Number(u8),
    /// The next player loses the turn.
    Skip,
    /// The direction of play turns round.
    Reverse,
    /// The next player draws two and loses the turn.
    DrawTwo,
    /// Goes on any card; its player calls a colour.
    Wild,
    /// A wild card after which the next player draws four and loses the turn.
    WildDrawFour,
}

/// A card; two cards that look the same are the same card.
///
/// Numbered within: 13 faces of each colour, then wild and wild draw four.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Card(pub(super) u8);

impl Card {
    /// The wild card.
    pub const WILD: Card = Card(52);
    /// The wild draw four.
    pub const WILD_DRAW_FOUR: Card = Card(53);

    /// The card of this colour and face, if there is one: a number is at most 9, and a wild card
    /// has no colour.
    pub const fn new(colour: Option<Colour>, face: Face) -> Option<Card> {
        let place = match face {
            Face::Number(number) if number <= 9 => number,
            Face::Skip => 10,
            Face::Reverse => 11,
            Face::DrawTwo => 12,
            Face::Wild if colour.is_none() => return Some(Card::WILD),
            Face::WildDrawFour if colour.is_none() => return Some(Card::WILD_DRAW_FOUR),
            _ => return None,
        };
        match colour {
            Some(colour) => Some(Card(colour as u8 * FACES + place)),
            None => None,
        }
    }

    /// All 54 different cards.
    pub fn all() -> impl Iterator<Item = Card> {
        (0..KINDS as u8).map(Card)
    }

    /// The card's colour; none for a wild card.
    #[inline]
    pub fn colour(self) -> Option<Colour> {
        Colour::ALL.get(usize::from(self.0 / FACES)).copied()
    }

    /// What is printed on the card.
    #[inline]
    pub const fn face(self) -> Face {
        match self.0 {
            52 => Face::Wild,
            53 => Face::WildDrawFour,
            coloured => match coloured % FACES {
                10 => Face::Skip,
                11 => Face::Reverse,
                12 => Face::DrawTwo,
                number => Face::Number(number),
            },
        }
    }

    /// Whether it is a wild card of either sort.
    #[inline]
    pub const fn is_wild(self) -> bool {
        self.0 >= 52
    }

    /// What the card is worth to the winner if it is left in another hand.
    pub const fn points(self) -> u8 {
        match self.face() {
            Face::Number(number) => number,
            Face::Skip | Face::Reverse | Face::DrawTwo => 20,
            Face::Wild | Face::WildDrawFour => 50,
        }
    }

    /// How many of this card the deck has.
    pub const fn copies(self) -> usize {
        match self.face() {
            Face::Number(0) => 1,
            Face::Wild | Face::WildDrawFour => 4,
            _ => 2,
        }
    }

    /// Whether this card may be played on `top`; `called` is the colour that counts if `top` is a
    /// wild card.
    pub fn matches(self, top: Card, called: Option<Colour>) -> bool {
        let colour = if top.is_wild() { called } else { top.colour() };
        self.is_wild() || self.face() == top.face() || self.colour() == colour
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Serialize for Colour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Cards in a row: a hand in the order in which its cards were drawn, a pile from the bottom up.
#[derive(Clone, Copy)]
pub struct Cards {
    row: [Card; DECK],
    len: u8,
}

impl Cards {
    /// No cards.
    pub const NONE: Cards = Cards {
        row: [Card(0); DECK],
        len: 0,
    };

    /// The whole deck in the order of a new one: the wild draw fours, the wilds, then colour by
    /// colour.
    pub const NEW_DECK: Cards = {
        let mut deck = Cards::NONE;
        let mut kind = KINDS as u8;
        while kind > 0 {
            // The two wild cards come first, then the coloured ones from red 0 upwards.
            let card = Card(match KINDS as u8 - kind {
                0 => 53,
                1 => 52,
                place => place - 2,
            });
            let mut copies = card.copies();
            while copies > 0 {
                deck.row[deck.len as usize] = card;
                deck.len += 1;
                copies -= 1;
            }
            kind -= 1;
        }
        deck
    };

    /// These cards; none if they are more than a deck has.
    pub fn new(cards: &[Card]) -> Option<Cards> {
        let mut row = Cards::NONE;
        row.row.get_mut(..cards.len())?.copy_from_slice(cards);
        row.len = u8::try_from(cards.len()).ok()?;
        Some(row)
    }

    /// Counts how many of each of the 54 cards there are.
    pub(super) fn count(&self, counts: &mut [u8; KINDS]) {
        for card in self.iter() {
            // No card is there so often, but who asks may have rows that cannot be.
            let count = &mut counts[usize::from(card.0)];
            *count = count.saturating_add(1);
        }
    }

    /// Adds a card at the end.
    ///
    /// # Panics
    /// If the row has as many cards as there are.
    #[inline]
    pub(super) fn push(&mut self, card: Card) {
        self.row[usize::from(self.len)] = card;
        self.len += 1;
    }

    /// Takes the last card away.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<Card> {
        self.len = self.len.checked_sub(1)?;
        Some(self.row[usize::from(self.len)])
    }

    /// Takes away the first card that looks like this one; tells whether another one is left.
    ///
    /// # Panics
    /// If there is no such card in the row.
    #[inline]
    pub(super) fn remove(&mut self, card: Card) -> bool {
        if usize::from(self.len) <= SHORT {
            return self.remove_from_short(card);
        }
        let place = self.iter().position(|&other| other == card);
        let place = place.expect("the card is in the row");
        self.row
            .copy_within(place + 1..usize::from(self.len), place);
        self.len -= 1;
        self[place..].contains(&card)
    }

    /// [`Cards::remove`] for a row of at most [`SHORT`] cards, which are compared and moved all at
    /// once, as one number of 128 bits: most hands are that short, and this is where the time of
    /// a simulated game goes.
    #[inline]
    fn remove_from_short(&mut self, card: Card) -> bool {
        let row: [u8; SHORT] = std::array::from_fn(|place| self.row[place].0);
        let mut found = 0_u32;
        for (place, &number) in row.iter().enumerate() {
            found |= u32::from(number == card.0) << place;
        }
        let found = found & ((1 << self.len) - 1);
        let place = found.trailing_zeros();
        assert!(place < SHORT as u32, "the card is in the row");
        let row = u128::from_le_bytes(row);
        let before = (1 << (8 * place)) - 1;
        let row = (row & before) | ((row >> 8) & !before);
        let row = row.to_le_bytes();
        self.row[..SHORT].copy_from_slice(&row.map(Card));
        self.len -= 1;
        found & (found - 1) != 0
    }

    /// Takes all cards but the last away.
    #[inline]
    pub(super) fn lift(&mut self) -> Cards {
        let mut lifted = *self;
        *self = Cards::NONE;
        if let Some(last) = lifted.pop() {
            self.push(last);
        }
        lifted
    }

    /// The cards, to be put into another order.
    #[inline]
    pub(super) fn as_mut_slice(&mut self) -> &mut [Card] {
        &mut self.row[..usize::from(self.len)]
    }
}

impl Deref for Cards {
    type Target = [Card];
    #[inline]
    fn deref(&self) -> &[Card] {
        &self.row[..usize::from(self.len)]
    }
}

impl PartialEq for Cards {
    fn eq(&self, other: &Cards) -> bool {
        **self == **other
    }
}

impl std::fmt::Debug for Cards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for Cards {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Short and long rows are handled in two ways; a list knows how it should be.
        #[test]
        fn the_first_of_equal_cards_is_taken_out_and_the_others_keep_their_order(
            kinds in prop::collection::vec(0..KINDS as u8, 1..40),
            which: prop::sample::Index,
        ) {
            let mut list: Vec<Card> = kinds.into_iter().map(Card).collect();
            let mut row = Cards::new(&list).unwrap();
            let card = list[which.index(list.len())];
            list.remove(list.iter().position(|&other| other == card).unwrap());
            prop_assert_eq!(row.remove(card), list.contains(&card));
            prop_assert_eq!(&*row, &*list);
        }
    }
}
