//! Colours, cards and moves as text: `red`, `7 red`, `7 red on 2`.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use super::super::card::{Card, Colour, HIGHEST};
use super::super::rules::Move;

/// The colours that have names, in their order. Later ones are called by their number.
const NAMES: [&str; 7] = ["green", "blue", "red", "violet", "yellow", "white", "black"];

/// What comes before the number of a colour that has no name.
const UNNAMED: &str = "colour";

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.get(self.index()) {
            Some(name) => f.write_str(name),
            None => write!(f, "{UNNAMED}{}", self.0),
        }
    }
}

/// A text that is no card.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadCard {
    /// The value is none.
    #[error("'{0}' is no value of a card: a number from 0 to {HIGHEST}")]
    Value(String),
    /// The colour is none.
    #[error(
        "'{0}' is no colour: green, blue, red, violet, yellow, white, black, colour7, colour8, …"
    )]
    Colour(String),
    /// There is a value and no colour.
    #[error("the value {0} has no colour after it")]
    Cut(u16),
}

impl FromStr for Colour {
    type Err = BadCard;
    fn from_str(text: &str) -> Result<Colour, BadCard> {
        let named = || NAMES.iter().position(|&name| name == text);
        let numbered = || {
            let number = text.strip_prefix(UNNAMED)?.parse().ok()?;
            let colour = Colour(number);
            // One name for one colour: neither colour1 nor colour07.
            (colour.to_string() == text).then_some(colour)
        };
        let found = named().map(|place| Colour(place as u32));
        found
            .or_else(numbered)
            .ok_or_else(|| BadCard::Colour(quoted(text)))
    }
}

/// A value, written with digits and nothing else.
pub(super) fn value(text: &str) -> Result<u16, BadCard> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let value = text
        .parse()
        .ok()
        .filter(|&value| digits && value <= HIGHEST);
    value.ok_or_else(|| BadCard::Value(quoted(text)))
}

/// A word as it is quoted in a message, which should stay readable whatever the word is.
pub(super) fn quoted(word: &str) -> String {
    const ENOUGH: usize = 24;
    croupier_core::quoted(word, ENOUGH)
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.value, self.colour)
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.card, u64::from(self.pile) + 1)
    }
}

/// A text that is no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a move is written like '7 red on 2'")]
pub struct BadMove;

impl FromStr for Move {
    type Err = BadMove;
    fn from_str(text: &str) -> Result<Move, BadMove> {
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [number, colour, "on", pile] = words[..] else {
            return Err(BadMove);
        };
        let pile: u32 = pile.parse().map_err(|_| BadMove)?;
        Ok(Move {
            card: Card {
                value: value(number).map_err(|_| BadMove)?,
                colour: colour.parse().map_err(|_| BadMove)?,
            },
            pile: pile.checked_sub(1).ok_or(BadMove)?,
        })
    }
}
