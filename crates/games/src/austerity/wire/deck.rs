//! Cards and the deck file: one card a line, `D:V:P,B,Y,R`.

use std::fmt;

use croupier_core::encoding_trouble;

use super::super::{Card, Colour, Deck};
use super::{parse_number, parse_numbers, print_number, print_numbers};

/// A text that is no deck: the line, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line} of the deck: {reason}")]
pub struct BadDeck {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: &'static str,
}

impl Deck {
    /// Reads a deck file. Every line is a card; the last one may lack its newline.
    pub fn parse(text: &[u8]) -> Result<Deck, BadDeck> {
        if let Some(reason) = encoding_trouble(text) {
            return Err(BadDeck { line: 1, reason });
        }
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let lines = text.split(|&byte| byte == b'\n').enumerate();
        let cards = lines.map(|(index, line)| {
            let wrong = |reason| BadDeck {
                line: index + 1,
                reason,
            };
            parse_card(line).map_err(wrong)
        });
        let cards = cards.collect::<Result<Vec<Card>, BadDeck>>()?;
        Ok(Deck::new(cards).expect("there is a line, and every line is a card"))
    }
}

/// A deck file, every line with its newline.
impl fmt::Display for Deck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cards()
            .iter()
            .try_for_each(|card| writeln!(f, "{card}"))
    }
}

impl From<Deck> for Vec<String> {
    fn from(deck: Deck) -> Vec<String> {
        deck.cards().iter().map(ToString::to_string).collect()
    }
}

impl TryFrom<Vec<String>> for Deck {
    type Error = BadDeck;
    fn try_from(cards: Vec<String>) -> Result<Deck, BadDeck> {
        Deck::parse(cards.join("\n").as_bytes())
    }
}

/// Reads a card, or says what is wrong.
pub(super) fn parse_card(text: &[u8]) -> Result<Card, &'static str> {
    let mut fields = text.split(|&byte| byte == b':');
    let mut field = || fields.next().ok_or("a card is written D:V:P,B,Y,R");
    let (bonus, points, price) = match text {
        [] => return Err("a blank line is no card"),
        [.., b'\r'] => return Err("it ends in CR LF, as on Windows, and not in LF alone"),
        _ => (field()?, field()?, field()?),
    };
    if fields.next().is_some() {
        return Err("a card has three fields: D:V:P,B,Y,R");
    }
    let mut colours = Colour::ALL.into_iter();
    let bonus = colours
        .find(|colour| bonus == [colour.letter() as u8])
        .ok_or("the discount is one of the letters P, B, Y, R")?;
    let points =
        parse_number(points).ok_or("the points are a whole number from 0 to 2147483647")?;
    let price: [i64; 4] = parse_numbers(price)
        .ok_or("the price is four whole numbers from 0 to 2147483647 with commas between them")?;
    Ok(Card {
        bonus,
        // Numbers that are read fit.
        points: points as u32,
        price: price.map(|number| number as u32),
    })
}

/// Adds a card to a text, with these marks between its fields.
pub(super) fn print_card(out: &mut String, card: &Card, mark: char) {
    out.push(card.bonus.letter());
    out.push(mark);
    print_number(out, i64::from(card.points));
    out.push(mark);
    print_numbers(out, card.price);
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        print_card(&mut text, self, ':');
        f.pad(&text)
    }
}
