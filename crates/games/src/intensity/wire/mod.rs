//! Intensity as text: cards and moves here, and beside this what a program is asked, what it
//! answers, and how the referee tells a game.

mod answer;
mod question;
mod transcript;

use std::fmt;
use std::str::FromStr;

pub use answer::{answer, enter_discards, enter_play, read_discards, read_play, unique_name};
pub use croupier_core::{LONGEST_NAME, read_name};
pub use question::{BadQuestion, Question};
pub use transcript::{
    ENTER_DISCARDS, ENTER_PLAY, Narrator, PERSON, SYSTEM_PLAYERS, Telling, ask_again,
    ask_for_discards, ask_for_play, summary,
};

use super::{Card, Cards, Move, PASS};

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

/// A list of cards as transcripts show it: `[10, 22, 23]`.
impl fmt::Display for Cards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

/// `discard 29 39 49` or `play 23`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = if self.card().is_some() {
            "play"
        } else {
            "discard"
        };
        f.write_str(verb)?;
        let mut cards = self.cards().iter();
        cards.try_for_each(|card| write!(f, " {card}"))
    }
}

/// A text that is no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no move: write 'discard 29 39 49' or 'play 23', with cards from 10 to 49")]
pub struct BadMove(String);

/// Reads a move. The cards to pass on may come in any order, but each of them once.
impl FromStr for Move {
    type Err = BadMove;
    fn from_str(text: &str) -> Result<Move, BadMove> {
        let read = || {
            let (verb, rest) = text.split_once(' ')?;
            let mut count = 0;
            let mut cards = Cards::NONE;
            for word in rest.split(' ') {
                let plain = word.len() == 2 && word.bytes().all(|byte| byte.is_ascii_digit());
                let number = word.parse().ok().filter(|_| plain)?;
                cards |= Card::new(number)?.into();
                count += 1;
            }
            match verb {
                "discard" if count == PASS => Move::discard(cards),
                "play" if count == 1 => cards.only().map(Move::play),
                _ => None,
            }
        };
        read().ok_or_else(|| BadMove(text.to_owned()))
    }
}
