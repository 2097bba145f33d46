//! What a referee asks a program: integers with any white space between them.
//!
//! The referee prints a question line by line, the program reads number by number and stops at the
//! last one it needs, so that it answers without waiting for the end of its input.

use std::fmt;

use croupier_core::Seat;

use crate::intensity::{Card, Cards, Contradiction, Discarding, HAND, PASS, Playing, SEATS, View};

/// What a program is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// What its name is: `0`.
    Name,
    /// Which three cards it passes on: `1`, and the hand.
    Discard(Discarding),
    /// Which card it plays: `2`, and all it sees.
    Play(Playing),
    /// Whether it passes its own tests: `3`.
    Tests,
}

impl From<View> for Question {
    fn from(view: View) -> Question {
        match view {
            View::Discarding(discarding) => Question::Discard(discarding),
            View::Playing(playing) => Question::Play(playing),
        }
    }
}

/// The question as it is sent. Each list has a line of its own, also an empty one, so that a
/// program may read line by line.
impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Question::Name => writeln!(f, "0"),
            Question::Discard(discarding) => {
                writeln!(f, "1")?;
                line(f, discarding.hand().iter())
            }
            Question::Play(view) => {
                let counts = (view.hand().len(), view.round().len(), view.position());
                writeln!(f, "2\n{} {} {}", counts.0, counts.1, counts.2)?;
                line(f, view.hand().iter())?;
                line(f, view.round().iter().copied())?;
                line(f, view.earlier().iter().copied())?;
                line(f, view.discarded().iter())?;
                line(f, view.received().iter())
            }
            Question::Tests => writeln!(f, "3"),
        }
    }
}

fn line(f: &mut fmt::Formatter<'_>, cards: impl Iterator<Item = Card>) -> fmt::Result {
    for (place, card) in cards.enumerate() {
        let gap = if place > 0 { " " } else { "" };
        write!(f, "{gap}{card}")?;
    }
    writeln!(f)
}

impl Question {
    /// Reads a question, and not a byte beyond the white space after its last number.
    pub fn read(input: impl IntoIterator<Item = u8>) -> Result<Question, BadQuestion> {
        let mut words = Words(input.into_iter());
        let question = match words.next() {
            None => return Err(BadQuestion::Empty),
            Some(word) => word.number("the question", 0, 3)?,
        };
        match question {
            0 => Ok(Question::Name),
            1 => {
                let hand = words.set("the hand", HAND)?;
                Ok(Question::Discard(Discarding::new(hand)?))
            }
            2 => words.playing().map(Question::Play),
            _ => Ok(Question::Tests),
        }
    }
}

/// A question that cannot be read, or that no referee can ask.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadQuestion {
    /// There is nothing to read.
    #[error("there is no input; a question starts with 0, 1, 2 or 3")]
    Empty,
    /// The input ends too early.
    #[error("the input is cut off: {0} is missing")]
    CutOff(String),
    /// There should be a number.
    #[error("'{word}' is not a number; it stands for {wanted}")]
    NotANumber {
        /// What is there.
        word: String,
        /// What should be there.
        wanted: String,
    },
    /// There is a number that cannot be.
    #[error("{word} cannot be {wanted}, which is a number from {least} to {most}")]
    OutOfRange {
        /// What is there.
        word: String,
        /// What should be there.
        wanted: String,
        /// The lowest number that can be.
        least: u8,
        /// The highest number that can be.
        most: u8,
    },
    /// A list has a card twice.
    #[error("the card {card} is twice in {list}")]
    Twice {
        /// The card.
        card: Card,
        /// The list.
        list: &'static str,
    },
    /// The numbers are well, but do not fit together.
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
}

/// The words of the input.
struct Words<I>(I);

/// One word; longer ones than this are no number that is wanted, and are cut.
struct Word {
    bytes: [u8; Word::MOST],
    len: usize,
    cut: bool,
}

impl Word {
    const MOST: usize = 16;

    fn number(&self, wanted: &str, least: u8, most: u8) -> Result<u8, BadQuestion> {
        let bytes = &self.bytes[..self.len];
        let word = || {
            format!(
                "{}{}",
                bytes.escape_ascii(),
                if self.cut { "…" } else { "" }
            )
        };
        let digits = match bytes {
            [b'+' | b'-', digits @ ..] => digits,
            digits => digits,
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(BadQuestion::NotANumber {
                word: word(),
                wanted: wanted.to_owned(),
            });
        }
        let number = str::from_utf8(bytes).ok().filter(|_| !self.cut);
        let number = number.and_then(|text| text.parse().ok());
        let fits = number.filter(|number| (least..=most).contains(number));
        fits.ok_or_else(|| BadQuestion::OutOfRange {
            word: word(),
            wanted: wanted.to_owned(),
            least,
            most,
        })
    }
}

impl<I: Iterator<Item = u8>> Iterator for Words<I> {
    type Item = Word;
    fn next(&mut self) -> Option<Word> {
        let white = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'\x0b';
        let mut word = Word {
            bytes: [0; Word::MOST],
            len: 1,
            cut: false,
        };
        word.bytes[0] = self.0.find(|byte| !white(byte))?;
        while let Some(byte) = self.0.next().filter(|byte| !white(byte)) {
            if word.len == Word::MOST {
                word.cut = true;
                break;
            }
            word.bytes[word.len] = byte;
            word.len += 1;
        }
        Some(word)
    }
}

impl<I: Iterator<Item = u8>> Words<I> {
    fn number(&mut self, wanted: &str, least: u8, most: u8) -> Result<u8, BadQuestion> {
        let word = self.next();
        let word = word.ok_or_else(|| BadQuestion::CutOff(wanted.to_owned()))?;
        word.number(wanted, least, most)
    }

    fn card(
        &mut self,
        list: &'static str,
        place: usize,
        count: usize,
    ) -> Result<Card, BadQuestion> {
        let (least, most) = (Card::LOWEST.number(), Card::HIGHEST.number());
        let wanted = format!("card {} of {count} in {list}", place + 1);
        let number = self.number(&wanted, least, most)?;
        Ok(Card::new(number).expect("the number is one of a card"))
    }

    fn list(&mut self, list: &'static str, count: usize) -> Result<Vec<Card>, BadQuestion> {
        (0..count)
            .map(|place| self.card(list, place, count))
            .collect()
    }

    fn set(&mut self, list: &'static str, count: usize) -> Result<Cards, BadQuestion> {
        let mut cards = Cards::NONE;
        for card in self.list(list, count)? {
            if cards.contains(card) {
                return Err(BadQuestion::Twice { card, list });
            }
            cards |= card.into();
        }
        Ok(cards)
    }

    fn playing(&mut self) -> Result<Playing, BadQuestion> {
        let held = self.number("the number of cards in hand", 1, HAND as u8)?;
        let laid = self.number("the number of cards played this round", 0, SEATS as u8 - 1)?;
        let position = self.number("the own position", 0, SEATS as u8 - 1)?;
        let hand = self.set("the hand", usize::from(held))?;
        let round = self.list("this round", usize::from(laid))?;
        let earlier = SEATS * (HAND - usize::from(held));
        let mut played = self.list("the earlier rounds", earlier)?;
        played.extend(round);
        let discarded = self.set("the discards", PASS)?;
        let received = self.set("the cards received", PASS)?;
        let position = Seat(u16::from(position));
        Ok(Playing::new(position, hand, &played, discarded, received)?)
    }
}
