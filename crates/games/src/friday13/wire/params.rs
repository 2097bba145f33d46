//! The parameters of a game as a row of numbers, the way the tasks and the programs are given
//! them.

use std::str::FromStr;

use super::super::setup::Terms;
use super::card::quoted;

/// Numbers that describe no game; the text says what is wrong and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadNumbers(String);

impl Terms {
    /// Reads `k g gv o` and the o values: enough for a deck.
    pub fn for_deck<'a>(words: impl Iterator<Item = &'a str>) -> Result<Terms, BadNumbers> {
        let mut row = Row(words);
        let colours = row.colours()?;
        row.terms(Terms {
            colours,
            ..Terms::default()
        })
    }

    /// Reads `n k g gv o` and the o values: enough for a deal.
    pub fn for_deal<'a>(words: impl Iterator<Item = &'a str>) -> Result<Terms, BadNumbers> {
        let mut row = Row(words);
        let (players, colours) = (row.players()?, row.colours()?);
        row.terms(Terms {
            players,
            colours,
            ..Terms::default()
        })
    }

    /// Reads `n k e g gv o` and the o values: what a program is told of a game.
    pub fn for_program<'a>(words: impl Iterator<Item = &'a str>) -> Result<Terms, BadNumbers> {
        let mut row = Row(words);
        let (players, colours) = (row.players()?, row.colours()?);
        let threshold = row.number("e (the explosion threshold)")?;
        row.terms(Terms {
            players,
            colours,
            threshold,
            ..Terms::default()
        })
    }

    /// Writes what [`for_program`](Terms::for_program) reads, number by number.
    pub fn program_arguments(&self) -> Vec<String> {
        let numbers = [
            self.players as u64,
            self.colours as u64,
            self.threshold.into(),
            self.greens as u64,
            self.green_value.into(),
            self.values.len() as u64,
        ];
        let values = self.values.iter().map(|&value| value.into());
        let all = numbers.into_iter().chain(values);
        all.map(|number| number.to_string()).collect()
    }
}

/// Numbers that are read one after the other.
struct Row<I>(I);

impl<'a, I: Iterator<Item = &'a str>> Row<I> {
    fn number<T: FromStr>(&mut self, name: &str) -> Result<T, BadNumbers> {
        let Some(word) = self.0.next() else {
            return Err(BadNumbers(format!("there is no number for {name}")));
        };
        let digits = word.bytes().all(|byte| byte.is_ascii_digit());
        let number = word.parse().ok().filter(|_| digits);
        number.ok_or_else(|| {
            let word = quoted(word);
            BadNumbers(format!(
                "'{word}' is no number for {name}: it must be whole, not negative and not too large"
            ))
        })
    }

    fn players(&mut self) -> Result<usize, BadNumbers> {
        self.number("n (the players)")
    }

    fn colours(&mut self) -> Result<usize, BadNumbers> {
        self.number("k (the colours besides green)")
    }

    /// The part that all rows end with: `g gv o` and the o values.
    fn terms(mut self, known: Terms) -> Result<Terms, BadNumbers> {
        let greens = self.number("g (the green cards)")?;
        let green_value = self.number("gv (the value of green cards)")?;
        let count: usize = self.number("o (the cards of every other colour)")?;
        let mut values = Vec::new();
        for place in 1..=count {
            let name = format!("value {place} of the {count} that o announces");
            values.push(self.number(&name)?);
        }
        match self.0.next() {
            None => Ok(Terms {
                greens,
                green_value,
                values,
                ..known
            }),
            Some(word) => Err(BadNumbers(format!(
                "there is a '{}' after the {count} values that o announces",
                quoted(word)
            ))),
        }
    }
}
