//! The piles, as far as they decide what may be played: sums, colours and where each colour lies.
//! Which cards lie on them in which order is kept by the rules.

use super::card::{Card, Colour};

/// No pile.
pub(super) const NOWHERE: u32 = u32::MAX;

/// All piles of a table.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Piles {
    piles: Vec<Pile>,
    /// Where each colour lies, green first, which always counts as lying nowhere.
    colours: Vec<Place>,
    /// All piles, first those that are open to any colour, and then all again by number.
    order: Vec<u32>,
    /// How many are open to any colour.
    open: u32,
}

/// A cauldron.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Pile {
    pub(super) sum: u32,
    /// The colour that lies on it besides green; green if there is none.
    pub(super) colour: Colour,
    pub(super) greens: u32,
    pub(super) coloured: u32,
    /// Where it is in the order of piles.
    spot: u32,
}

/// Where the cards of a colour go.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Place {
    /// The pile on which the colour lies.
    pile: u32,
    /// How many piles a card of it may be laid on.
    ways: u32,
}

impl Piles {
    /// Empty piles.
    pub(super) fn new(count: usize) -> Piles {
        let mut piles = Piles {
            piles: vec![Pile::new(0); count],
            colours: vec![
                Place {
                    pile: NOWHERE,
                    ways: 0
                };
                count + 1
            ],
            order: vec![0; 2 * count],
            open: 0,
        };
        piles.clear();
        piles
    }

    /// Takes all cards away.
    pub(super) fn clear(&mut self) {
        let count = self.piles.len() as u32;
        for (pile, number) in self.piles.iter_mut().zip(0..) {
            *pile = Pile::new(number);
        }
        for half in self.order.chunks_exact_mut(self.piles.len()) {
            for (place, number) in half.iter_mut().zip(0..) {
                *place = number;
            }
        }
        self.colours.fill(Place {
            pile: NOWHERE,
            ways: count,
        });
        self.open = count;
    }

    /// How many piles there are.
    pub(super) fn len(&self) -> usize {
        self.piles.len()
    }

    /// The pile with this number, if there is one.
    #[inline]
    pub(super) fn get(&self, pile: u32) -> Option<&Pile> {
        self.piles.get(pile as usize)
    }

    /// The pile on which a colour lies, or [`NOWHERE`].
    #[inline]
    pub(super) fn lies(&self, colour: Colour) -> u32 {
        self.colours[colour.index()].pile
    }

    /// How many moves there are with the cards of each colour, if so many different ones are held.
    #[inline]
    pub(super) fn moves(&self, different: &[u32]) -> impl Iterator<Item = usize> {
        let held = self.colours.iter().zip(different);
        held.map(|(place, &different)| place.ways as usize * different as usize)
    }

    /// Of all moves with a colour, the one with this number: which of the different cards it is,
    /// and the pile.
    #[inline]
    pub(super) fn nth_move(&self, colour: usize, number: usize) -> (usize, u32) {
        let Place { pile, ways } = self.colours[colour];
        let (card, spot) = (number / ways as usize, number % ways as usize);
        // Either an open pile or, by number, the one where the colour lies.
        let known = self.piles.len() + pile as usize;
        (card, self.order[if pile == NOWHERE { spot } else { known }])
    }

    /// Whether a card of this colour may be laid on this pile, which there must be.
    #[inline]
    pub(super) fn fits(&self, colour: Colour, pile: u32) -> bool {
        let lies = self.lies(colour);
        let open = colour.is_green() | self.piles[pile as usize].colour.is_green();
        // One comparison, because what kind of card it is would be guessed wrongly half the time.
        let where_open = if open { pile } else { NOWHERE };
        pile == if lies == NOWHERE { where_open } else { lies }
    }

    /// Puts a card on a pile and gives the pile's sum.
    #[inline]
    pub(super) fn add(&mut self, card: Card, number: u32) -> u32 {
        let pile = &mut self.piles[number as usize];
        let green = card.colour.is_green();
        let colour = if green { pile.colour } else { card.colour };
        let first = colour != pile.colour;
        pile.colour = colour;
        pile.greens += u32::from(green);
        pile.coloured += u32::from(!green);
        pile.sum += u32::from(card.value);
        let sum = pile.sum;
        if first {
            self.colours[colour.index()].pile = number;
            self.open -= 1;
            self.move_to(number, self.open);
        }
        sum
    }

    /// Takes all cards from a pile.
    #[inline]
    pub(super) fn take(&mut self, number: u32) -> Pile {
        let pile = &mut self.piles[number as usize];
        let taken = *pile;
        *pile = Pile::new(taken.spot);
        if !taken.colour.is_green() {
            self.colours[taken.colour.index()].pile = NOWHERE;
            self.open += 1;
            self.move_to(number, self.open - 1);
        }
        taken
    }

    /// Moves a pile to the end of the open ones or right behind them, and counts anew on how many
    /// piles each colour may go.
    #[inline]
    fn move_to(&mut self, pile: u32, spot: u32) {
        let (other, old) = (self.order[spot as usize], self.piles[pile as usize].spot);
        self.order[old as usize] = other;
        self.order[spot as usize] = pile;
        self.piles[other as usize].spot = old;
        self.piles[pile as usize].spot = spot;
        let open = self.open;
        for place in &mut self.colours[1..] {
            place.ways = if place.pile == NOWHERE { open } else { 1 };
        }
    }
}

impl Pile {
    /// How many cards lie on it.
    pub(super) fn cards(&self) -> u32 {
        self.greens + self.coloured
    }

    fn new(spot: u32) -> Pile {
        Pile {
            sum: 0,
            colour: Colour::GREEN,
            greens: 0,
            coloured: 0,
            spot,
        }
    }
}
