//! What the drawings of the games share: shapes, cards, fans of cards, the table with its seats.
//!
//! Colours are words here, and the style sheet of the table says what they look like in light and in
//! dark. A colour never stands alone: a shape goes with it, or a letter.

mod card;
mod shape;
mod table;

pub(crate) use card::{Face, alike, back, card, legend, picture, plate, sheet, small_row};
pub(crate) use shape::{Shape, svg, text};
pub(crate) use table::{Table, cards_before, fold, hand, pile};

/// A colour of the style sheet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tone {
    Ink,
    Red,
    Green,
    Blue,
    Yellow,
    Purple,
    Brown,
    Teal,
    Amber,
    Rose,
    Indigo,
    Wild,
    White,
}

impl Tone {
    /// The class that gives an element this colour.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Tone::Ink => "t-ink",
            Tone::Red => "t-red",
            Tone::Green => "t-green",
            Tone::Blue => "t-blue",
            Tone::Yellow => "t-yellow",
            Tone::Purple => "t-purple",
            Tone::Brown => "t-brown",
            Tone::Teal => "t-teal",
            Tone::Amber => "t-amber",
            Tone::Rose => "t-rose",
            Tone::Indigo => "t-indigo",
            Tone::Wild => "t-wild",
            Tone::White => "t-white",
        }
    }
}
