//! Moves as a card player would write them: `purchase 3`, `take PBY`, `wild`.

use std::fmt;
use std::str::FromStr;

use super::super::{Colour, MARKET, Move, Trio};

impl fmt::Display for Trio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.colours().map(Colour::letter).collect::<String>())
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Purchase(place) => write!(f, "purchase {place}"),
            Move::Take(trio) => write!(f, "take {trio}"),
            Move::Wild => f.write_str("wild"),
        }
    }
}

/// A text that is no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no move: there are 'purchase 0' to 'purchase 7', 'take PBY', 'wild'")]
pub struct NoMove(String);

impl FromStr for Move {
    type Err = NoMove;
    fn from_str(text: &str) -> Result<Move, NoMove> {
        let purchases = (0..MARKET as u8).map(Move::Purchase);
        let takes = Trio::ALL.into_iter().map(Move::Take);
        let mut moves = purchases.chain(takes).chain([Move::Wild]);
        moves
            .find(|choice| choice.to_string() == text)
            .ok_or_else(|| NoMove(text.to_owned()))
    }
}
