//! Austerity as text: the deck file, the messages between hub and players, and what both print.
//!
//! Lines come from other people's programs and may hold any bytes, so everything is read from
//! bytes. A format is parsed and printed side by side, for both ends.

mod deck;
mod hub;
mod lines;
mod messages;
mod moves;

use std::fmt::Write as _;

pub use deck::BadDeck;
pub use hub::{Misfit, News};
pub use lines::{DISCONNECT_LINE, RECEIVED_DOWHAT, game_over_line, hub_line, table_lines};
pub use lines::{winners_line, winners_text};
pub use messages::{Answer, Garbled, Message, seat_letter};
pub use moves::NoMove;

use super::cards::MOST;

/// Reads a number as C's `strtol` does in base 10, all of the text and without white space before
/// it: a sign may stand before the digits. It must not be negative nor above 2,147,483,647.
pub fn parse_number(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return None;
    }
    let number = digits.iter().try_fold(0, |number: i64, &digit| {
        let digit = digit.is_ascii_digit().then(|| i64::from(digit - b'0'))?;
        Some(number * 10 + digit).filter(|&number| number <= MOST)
    })?;
    (number == 0 || !negative).then_some(number)
}

/// Reads exactly this many numbers with commas between them.
fn parse_numbers<const N: usize>(text: &[u8]) -> Option<[i64; N]> {
    let mut fields = text.split(|&byte| byte == b',');
    let mut numbers = [0; N];
    for number in &mut numbers {
        *number = parse_number(fields.next()?)?;
    }
    fields.next().is_none().then_some(numbers)
}

/// Adds a number to a text. Players print hundreds of small ones for every message that they
/// hear, so these take the short way.
fn print_number(out: &mut String, number: i64) {
    match u8::try_from(number) {
        Ok(digit @ 0..=9) => out.push(char::from(b'0' + digit)),
        _ => write!(out, "{number}").expect("a text takes whatever is written to it"),
    }
}

/// Adds numbers with commas between them.
fn print_numbers(out: &mut String, numbers: impl IntoIterator<Item = impl Into<i64>>) {
    for (place, number) in numbers.into_iter().enumerate() {
        if place > 0 {
            out.push(',');
        }
        print_number(out, number.into());
    }
}
