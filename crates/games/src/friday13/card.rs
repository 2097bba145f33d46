//! Cards: a value and a colour.

/// The colour of a card, by its place in the order of colours: green is 0, blue 1, red 2.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Colour(pub(super) u32);

impl Colour {
    /// Poison: it goes on any pile and counts twice.
    pub const GREEN: Colour = Colour(0);

    /// The colour with this place in the order: green is 0, blue 1, red 2.
    pub const fn new(place: u32) -> Colour {
        Colour(place)
    }

    /// Whether this is the poison.
    #[inline]
    pub const fn is_green(self) -> bool {
        self.0 == 0
    }

    /// Its place in the order of colours, as an index into lists with one entry a colour.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The highest value that a card may have: what the state file can hold.
pub const HIGHEST: u16 = 999;

/// A card. Cards of one colour and value are alike: it does not matter which of them is played.
///
/// Cards are ordered by colour and then by value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Card {
    /// Its colour.
    pub colour: Colour,
    /// Its value, at most [`HIGHEST`].
    pub value: u16,
}

impl Card {
    /// A card of this value and colour.
    pub const fn new(value: u16, colour: Colour) -> Card {
        Card { colour, value }
    }
}

/// What the cards are worth together, as it counts for an explosion.
pub fn sum(cards: &[Card]) -> u32 {
    let add = |sum: u32, card: &Card| sum.saturating_add(u32::from(card.value));
    cards.iter().fold(0, add)
}
