//! The state file.
//!
//! ```text
//! active player = 1
//! players number = 2
//! explosion threshold = 13
//! 1 player hand cards: 4 green 1 blue
//! 1 player deck cards:
//! 2 player hand cards: 7 red
//! 2 player deck cards:
//! 1 pile cards: 2 red
//! ```
//!
//! It is written exactly so. When it is read, more blanks, none after the colon, carriage returns,
//! empty lines at the end and a missing end of the last line are let pass, and the threshold may
//! be missing.

use std::fmt;
use std::str::{self, FromStr};

use croupier_core::encoding_trouble;

use super::super::card::Card;
use super::super::state::State;
use super::card::{BadCard, quoted, value};

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "active player = {}", self.active + 1)?;
        writeln!(f, "players number = {}", self.players())?;
        if let Some(threshold) = self.threshold {
            writeln!(f, "explosion threshold = {threshold}")?;
        }
        let mut line = |number: usize, what: &str, cards: &[Card]| {
            write!(f, "{number} {what} cards:")?;
            cards.iter().try_for_each(|card| write!(f, " {card}"))?;
            writeln!(f)
        };
        for (player, (hand, deck)) in self.hands.iter().zip(&self.decks).enumerate() {
            line(player + 1, "player hand", hand)?;
            line(player + 1, "player deck", deck)?;
        }
        for (pile, cards) in self.piles.iter().enumerate() {
            line(pile + 1, "pile", cards)?;
        }
        Ok(())
    }
}

/// A text that is no state file: the line, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct BadState {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl State {
    /// Reads a state file.
    pub fn parse(bytes: &[u8]) -> Result<State, BadState> {
        if let Some(reason) = encoding_trouble(bytes) {
            let reason = reason.to_owned();
            return Err(BadState { line: 1, reason });
        }
        str::from_utf8(bytes)
            .map_err(|error| {
                let good = &bytes[..error.valid_up_to()];
                BadState {
                    line: 1 + good.iter().filter(|&&byte| byte == b'\n').count(),
                    reason: "this is no text".to_owned(),
                }
            })?
            .parse()
    }
}

impl FromStr for State {
    type Err = BadState;

    fn from_str(text: &str) -> Result<State, BadState> {
        let mut lines = Lines::new(text);
        let active = lines.number("active player")?;
        let active_line = lines.last;
        let players = lines.number("players number")?;
        if players < 2 {
            return Err(lines.wrong("there must be at least two players"));
        }
        if !(1..=players).contains(&active) {
            return Err(BadState {
                line: active_line,
                reason: format!("there is no player {active} among {players}"),
            });
        }
        let mut state = State {
            active: active as usize - 1,
            threshold: lines.threshold()?,
            hands: Vec::new(),
            decks: Vec::new(),
            piles: Vec::new(),
        };
        for player in 1..=u64::from(players) {
            state.hands.push(lines.cards(player, "player hand cards")?);
            state.decks.push(lines.cards(player, "player deck cards")?);
        }
        for pile in 1.. {
            state.piles.push(lines.cards(pile, "pile cards")?);
            if lines.is_at_end() {
                break;
            }
        }
        Ok(state)
    }
}

/// The lines of a file, one after the other.
struct Lines<'a> {
    left: Vec<&'a str>,
    /// The line that was taken last, from 1.
    last: usize,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Lines<'a> {
        let mut left: Vec<&str> = text.split('\n').collect();
        while left
            .last()
            .is_some_and(|line| line.trim_matches(blank).is_empty())
        {
            left.pop();
        }
        left.reverse();
        Lines { left, last: 0 }
    }

    fn is_at_end(&self) -> bool {
        self.left.is_empty()
    }

    fn wrong(&self, reason: impl Into<String>) -> BadState {
        BadState {
            line: self.last,
            reason: reason.into(),
        }
    }

    fn take(&mut self, expected: impl fmt::Display) -> Result<&'a str, BadState> {
        self.last += 1;
        self.left
            .pop()
            .ok_or_else(|| self.wrong(format!("the file ends where '{expected}' should be")))
    }

    /// A line like `players number = 4`.
    fn number(&mut self, name: &str) -> Result<u32, BadState> {
        let line = self.take(format_args!("{name} = …"))?;
        let expected = || self.wrong(format!("here '{name} = ' and a number should be"));
        let mut found = words(line);
        if !name
            .split(' ')
            .chain(["="])
            .all(|word| found.next() == Some(word))
        {
            return Err(expected());
        }
        let (Some(number), None) = (found.next(), found.next()) else {
            return Err(expected());
        };
        let digits = number.bytes().all(|byte| byte.is_ascii_digit());
        let parsed = number.parse().ok().filter(|_| digits);
        parsed.ok_or_else(|| {
            let number = quoted(number);
            self.wrong(format!("'{number}' is no number that {name} can have"))
        })
    }

    /// The threshold, if the next line names one.
    fn threshold(&mut self) -> Result<Option<u32>, BadState> {
        const NAME: &str = "explosion threshold";
        let named = |line: &&str| words(line).next() == NAME.split(' ').next();
        if !self.left.last().is_some_and(named) {
            return Ok(None);
        }
        match self.number(NAME)? {
            0 => Err(self.wrong("the explosion threshold must be at least 1")),
            threshold => Ok(Some(threshold)),
        }
    }

    /// A line like `2 player hand cards: 7 red 1 blue`.
    fn cards(&mut self, number: u64, name: &str) -> Result<Vec<Card>, BadState> {
        let line = self.take(format_args!("{number} {name}:"))?;
        let expected = || self.wrong(format!("here '{number} {name}:' should be"));
        let (found, cards) = line.split_once(':').ok_or_else(expected)?;
        let mut found = words(found);
        let is_number = found.next() == Some(number.to_string().as_str());
        if !is_number || !found.eq(name.split(' ')) {
            return Err(expected());
        }
        let mut words = words(cards);
        let mut card = || -> Result<Option<Card>, BadCard> {
            let Some(word) = words.next() else {
                return Ok(None);
            };
            let value = value(word)?;
            let colour = words.next().ok_or(BadCard::Cut(value))?;
            Ok(Some(Card::new(value, colour.parse()?)))
        };
        let mut cards = Vec::new();
        loop {
            match card() {
                Ok(Some(card)) => cards.push(card),
                Ok(None) => return Ok(cards),
                Err(error) => return Err(self.wrong(error.to_string())),
            }
        }
    }
}

/// Blanks, and the carriage return before the end of a line.
fn blank(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\r')
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(blank).filter(|word| !word.is_empty())
}
