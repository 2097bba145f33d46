//! A game as numbers, for programs that learn from it.

use crate::{Game, Seat};

/// A game whose moves and views can be written as numbers: a move as one of so many actions, what a
/// seat sees as a row of numbers of always the same length.
///
/// Written for speed: it looks at the game itself and allocates nothing. Two laws, which are tested for
/// every game, make it as safe as a view: what is observed is equal for equal views, and changes with
/// nothing that the seat does not see.
pub trait Encoded: Game {
    /// Changes whenever a number means something else than before: what was learned with one version
    /// is of no use with another.
    const ENCODING: u32;

    /// How many numbers there are at a table with this setup, and what they mean.
    fn shape(setup: &Self::Setup) -> Result<Shape, TooLarge>;

    /// The action that a move of the seat to move is; none if the move could not be made in any such
    /// situation. Different legal moves are different actions.
    fn action(&self, choice: Self::Move) -> Option<usize>;

    /// The move that an action is for the seat to move; none if there is no such action here. Gives
    /// back every legal move of which [`Encoded::action`] has told the number.
    fn choice(&self, action: usize) -> Option<Self::Move>;

    /// Writes a 1 for every action that is legal for the seat to move. The rest, which must be zero
    /// before, stays zero.
    fn mask(&self, mask: &mut [i8]);

    /// Writes what a seat sees, in the order of the fields of the shape. All numbers must be zero
    /// before.
    fn observe(&self, seat: Seat, observation: &mut [f32]);
}

/// How many numbers a game is written with, and what they mean.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// How many actions there are.
    pub actions: usize,
    /// What is observed, in order.
    pub fields: Vec<Field>,
}

/// Some of the numbers that are observed, one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// What they are called.
    pub name: &'static str,
    /// How many there are.
    pub length: usize,
    /// What they mean.
    pub about: &'static str,
}

impl Field {
    /// So many numbers of this name and meaning.
    pub const fn new(name: &'static str, length: usize, about: &'static str) -> Field {
        Field {
            name,
            length,
            about,
        }
    }
}

/// A setup with which a game would take too many numbers.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a table like this takes {count} {what}, and the most that can be encoded is {most}",
    most = Shape::MOST
)]
pub struct TooLarge {
    /// What there are too many of.
    pub what: &'static str,
    /// How many of them there are.
    pub count: usize,
}

impl Shape {
    /// The most actions, and the most numbers that are observed.
    pub const MOST: usize = 65_536;

    /// A shape that is not too large.
    pub fn new(actions: usize, fields: Vec<Field>) -> Result<Shape, TooLarge> {
        let numbers = fields.iter().map(|field| field.length);
        let numbers = numbers.fold(0, usize::saturating_add);
        for (what, count) in [("actions", actions), ("numbers", numbers)] {
            if count > Shape::MOST {
                return Err(TooLarge { what, count });
            }
        }
        Ok(Shape { actions, fields })
    }

    /// How many numbers are observed.
    pub fn numbers(&self) -> usize {
        self.fields.iter().map(|field| field.length).sum()
    }
}

/// A row of numbers that is written from its beginning to its end.
#[derive(Debug)]
pub struct Row<'a>(&'a mut [f32]);

impl<'a> Row<'a> {
    /// A row, nothing written.
    pub fn new(numbers: &'a mut [f32]) -> Row<'a> {
        Row(numbers)
    }

    /// The next numbers, as many as are asked for.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn take(&mut self, count: usize) -> &'a mut [f32] {
        let (next, rest) = std::mem::take(&mut self.0).split_at_mut(count);
        self.0 = rest;
        next
    }

    /// Writes a number.
    #[inline]
    pub fn put(&mut self, number: f32) {
        self.take(1)[0] = number;
    }

    /// Writes a 1 at one of the next places, or nowhere.
    #[inline]
    pub fn one_of(&mut self, count: usize, which: Option<usize>) {
        let places = self.take(count);
        if let Some(which) = which {
            places[which] = 1.0;
        }
    }

    /// Whether everything has been written.
    pub fn is_full(&self) -> bool {
        self.0.is_empty()
    }
}
