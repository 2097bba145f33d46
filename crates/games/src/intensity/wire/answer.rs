//! What a program answers, and how a referee reads it.
//!
//! Programs are sloppy: some print a prompt before the answer, some forget the newline. So the
//! last numbers count, and whatever else is printed does not matter.

use croupier_core::{Foul, FoulKind, LONGEST_NAME};

use crate::intensity::{Card, Cards, Move, PASS};

/// How much of an unreadable answer is shown.
const SHOWN: usize = 40;

/// The line with which a program answers: the cards, ascending.
pub fn answer(choice: Move) -> String {
    let cards: Vec<String> = choice.cards().iter().map(|card| card.to_string()).collect();
    cards.join(" ") + "\n"
}

/// Reads the cards that are passed on: the last three two-digit numbers.
///
/// A two-digit number is a run of exactly two digits, the first of them not 0, wherever it stands:
/// `x23` and `-23` are 23, and there is none in `123`, `2 3` or `07`.
pub fn read_discards(output: &[u8]) -> Result<Move, Foul> {
    let numbers: Vec<u8> = two_digit_numbers(output).collect();
    let Some(last) = numbers.last_chunk::<PASS>() else {
        return Err(unreadable(output, "three two-digit numbers"));
    };
    let [a, b, c] = last;
    let mut cards = Cards::NONE;
    for &number in last {
        let rule = match Card::new(number) {
            Some(card) if !cards.contains(card) => {
                cards |= card.into();
                continue;
            }
            Some(card) => format!("the {card} is there twice"),
            None => no_card(number),
        };
        return Err(illegal(format!("discard {a} {b} {c}: {rule}")));
    }
    Ok(Move::discard(cards).expect("three different cards have been read"))
}

/// Reads the card that is played: the last two-digit number, as for [`read_discards`].
pub fn read_play(output: &[u8]) -> Result<Move, Foul> {
    let Some(number) = two_digit_numbers(output).last() else {
        return Err(unreadable(output, "a two-digit number"));
    };
    let no_card = || illegal(format!("play {number}: {}", no_card(number)));
    Card::new(number).map(Move::play).ok_or_else(no_card)
}

/// Reads the cards that a person enters to pass on, or says why they cannot be read.
///
/// A person can be asked again, so a number too many is not left out as it is with a program.
pub fn enter_discards(line: &[u8]) -> Result<Move, String> {
    entered(line, PASS, "three cards", read_discards)
}

/// Reads the card that a person enters to play, as for [`enter_discards`].
pub fn enter_play(line: &[u8]) -> Result<Move, String> {
    entered(line, 1, "one card", read_play)
}

fn entered(
    line: &[u8],
    most: usize,
    wanted: &str,
    read: fn(&[u8]) -> Result<Move, Foul>,
) -> Result<Move, String> {
    let runs = line.split(|byte| !byte.is_ascii_digit());
    let numbers = runs.filter(|run| !run.is_empty()).count();
    if numbers > most {
        return Err(format!(
            "{wanted} and no more, please: these are {numbers} numbers"
        ));
    }
    if line.trim_ascii().is_empty() {
        return Err(format!("{wanted}, please: nothing was entered"));
    }
    read(line).map_err(|foul| foul.detail)
}

/// The name, with the first of the suffixes 0, 1, … that makes it different from those taken if it
/// is one of them; it is cut so that there is room for the suffix.
pub fn unique_name(name: &str, taken: &[String]) -> String {
    let is_free = |name: &String| !taken.contains(name);
    let with_suffix = |number: usize| {
        let suffix = number.to_string();
        let cut: String = name.chars().take(LONGEST_NAME - suffix.len()).collect();
        cut + &suffix
    };
    let names = std::iter::once(name.to_owned()).chain((0..).map(with_suffix));
    let mut free = names.filter(is_free);
    free.next().expect("there are more numbers than names")
}

fn two_digit_numbers(output: &[u8]) -> impl Iterator<Item = u8> {
    let runs = output.split(|byte| !byte.is_ascii_digit());
    runs.filter_map(|run| match run {
        [tens @ b'1'..=b'9', ones] => Some((tens - b'0') * 10 + (ones - b'0')),
        _ => None,
    })
}

fn no_card(number: u8) -> String {
    format!("there is no card {number}, cards are numbered 10 to 49")
}

fn illegal(detail: String) -> Foul {
    Foul {
        kind: FoulKind::Illegal,
        detail,
    }
}

fn unreadable(output: &[u8], wanted: &str) -> Foul {
    let shown = output.trim_ascii();
    let (shown, more) = match shown.split_at_checked(SHOWN) {
        Some((start, [_, ..])) => (start, "…"),
        _ => (shown, ""),
    };
    let detail = match shown {
        [] => "no answer".to_owned(),
        shown => format!("'{}{more}' is not {wanted}", shown.escape_ascii()),
    };
    Foul {
        kind: FoulKind::Malformed,
        detail,
    }
}
