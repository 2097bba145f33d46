//! Uno as text — cards and moves — and, in [`c`], as the numbers and bytes of the C interface.

pub mod c;

use std::fmt;
use std::str::FromStr;

use super::{Card, Colour, Face, Move};

pub use c::BadState;

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::Red => "red",
            Colour::Green => "green",
            Colour::Blue => "blue",
            Colour::Yellow => "yellow",
        })
    }
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Face::Number(number) => return number.fmt(f),
            Face::Skip => "skip",
            Face::Reverse => "reverse",
            Face::DrawTwo => "draw-two",
            Face::Wild => "wild",
            Face::WildDrawFour => "wild-draw-four",
        })
    }
}

/// `red 7`, `blue draw-two`, `wild`, `wild-draw-four`.
impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.colour() {
            Some(colour) => write!(f, "{colour} {}", self.face()),
            None => self.face().fmt(f),
        }
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `draw`, or the card that is played; after a wild card the colour that is called.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.card(), self.called()) {
            (None, _) => f.write_str("draw"),
            (Some(card), None) => card.fmt(f),
            (Some(card), Some(colour)) => write!(f, "{card} {colour}"),
        }
    }
}

/// A text that is no card.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{0}' is no card: a colour (red, green, blue, yellow) and 0 to 9, skip, reverse or draw-two; \
     or wild; or wild-draw-four"
)]
pub struct BadCard(String);

impl FromStr for Card {
    type Err = BadCard;
    fn from_str(text: &str) -> Result<Card, BadCard> {
        let found = Card::all().find(|card| card.to_string() == text);
        found.ok_or_else(|| BadCard(text.to_owned()))
    }
}

/// A text that is no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "'{0}' is no move: draw, or a card like red 7 or blue draw-two, or wild or wild-draw-four \
     with a colour"
)]
pub struct BadMove(String);

impl FromStr for Move {
    type Err = BadMove;
    fn from_str(text: &str) -> Result<Move, BadMove> {
        let found = Move::all().find(|choice| choice.to_string() == text);
        found.ok_or_else(|| BadMove(text.to_owned()))
    }
}
