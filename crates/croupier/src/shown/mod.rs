//! How each game looks to a person in a terminal: the table, its own hand, what may be played and
//! how that is entered. What is special to a game is in a file of its own.

mod austerity;
mod friday13;
mod intensity;
mod uno;
mod war;

use std::fmt::{Display, Write as _};

use croupier_core::{Company, Offered, Told, in_words, quoted};

use serde_json::Value;

use crate::style::{BOLD, DIM, filled, width};

/// A game that is shown to a person in a terminal.
pub trait Shown: Offered<View: Send> + Told {
    /// What a person can enter for a move.
    const ENTRY: &'static str = "the number of a move in the list, or the move itself";

    /// What the person sees, as lines: the table and its own cards, those that may be played marked.
    fn shown(view: &Self::View, legal: &[Self::Move], company: Company<'_>) -> String {
        let _ = (legal, company);
        match serde_json::to_value(view) {
            Ok(Value::Object(fields)) => {
                let shown = |(name, value)| filled("  ", 4, &format!("{name}: {value}"));
                fields.iter().map(shown).collect()
            }
            Ok(value) => filled("  ", 4, &value.to_string()),
            Err(_) => String::new(),
        }
    }

    /// What the person may do, as lines.
    fn choices(view: &Self::View, legal: &[Self::Move]) -> String {
        let _ = view;
        listed(legal)
    }

    /// What the person is asked.
    fn question(view: &Self::View) -> &'static str {
        let _ = view;
        "Your move"
    }

    /// Moves that an entry may mean, also if the rules do not allow them here, those with the own
    /// cards first: who enters one is told the rule.
    fn readable(view: &Self::View) -> Vec<Self::Move> {
        let _ = view;
        Vec::new()
    }

    /// The move that an entry means, legal or not: its number in the list, its text, or words that
    /// leave no doubt.
    fn entered(view: &Self::View, legal: &[Self::Move], entry: &str) -> Entered<Self::Move> {
        let words = words(entry);
        if let Some(listed) = by_number(legal, &words) {
            return listed;
        }
        if let Ok(choice) = words.join(" ").parse() {
            return Ok(choice);
        }
        match meant(legal, &words).as_slice() {
            [] => {}
            [choice] => return Ok(*choice),
            several => return Err(ambiguous(entry, several)),
        }
        let refused = meant(&Self::readable(view), &words).into_iter().next();
        refused.ok_or_else(|| unreadable::<Self>(entry))
    }
}

/// The move that somebody has entered, or what is wrong with the entry.
pub type Entered<M> = Result<M, String>;

/// How many moves are listed that an entry can mean.
const MEANINGS: usize = 8;

/// How much of an entry is quoted.
const QUOTED: usize = 40;

/// An entry that cannot be understood.
fn unreadable<G: Shown>(entry: &str) -> String {
    format!(
        "'{}' is not a move here. Enter {}, or help for more",
        quoted(entry, QUOTED),
        G::ENTRY
    )
}

fn ambiguous(entry: &str, meanings: &[impl Display]) -> String {
    // No line ends in the middle of a move.
    let unbroken = |choice: &_| ToString::to_string(choice).replace(' ', "\u{a0}");
    let shown = meanings.iter().take(MEANINGS).map(unbroken);
    let more = meanings.len().saturating_sub(MEANINGS);
    let more = (more > 0).then(|| format!("{more} more"));
    let last = if more.is_some() { "and" } else { "or" };
    format!(
        "'{}' can mean {}",
        quoted(entry, QUOTED),
        in_words(shown.chain(more), last)
    )
}

/// The words of an entry, without capitals.
fn words(entry: &str) -> Vec<String> {
    let words = entry.split(|sign: char| sign.is_whitespace() || sign == ',');
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// The move with the number that is the whole entry, if it is a number.
fn by_number<M: Copy>(legal: &[M], words: &[String]) -> Option<Entered<M>> {
    let [number] = words else { return None };
    if !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let place = number.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
    let listed = place.and_then(|place| legal.get(place));
    Some(listed.copied().ok_or_else(|| match legal.len() {
        1 => "the list has only the move 1".to_owned(),
        last => format!("the moves in the list are 1 to {last}"),
    }))
}

/// The moves whose texts have these words, shortened or not: in this order, or else in any.
fn meant<M: Copy + Display>(moves: &[M], words: &[String]) -> Vec<M> {
    let texts: Vec<Vec<String>> = moves
        .iter()
        .map(|choice| self::words(&choice.to_string()))
        .collect();
    // A number is itself and not the beginning of another; a whole word is not that of a longer one.
    let is_whole = |word: &String| {
        word.bytes().all(|byte| byte.is_ascii_digit())
            || texts.iter().flatten().any(|known| known == word)
    };
    let wanted: Vec<(&str, bool)> = words
        .iter()
        .map(|word| (word.as_str(), is_whole(word)))
        .collect();
    let in_order: Vec<M> = having(moves, &texts, |text| has_in_order(text, &wanted));
    match in_order.is_empty() {
        true => having(moves, &texts, |text| has(text, &wanted)),
        false => in_order,
    }
}

fn having<M: Copy>(moves: &[M], texts: &[Vec<String>], fits: impl Fn(&[String]) -> bool) -> Vec<M> {
    let moves = moves.iter().zip(texts);
    let fitting = moves.filter(|(_, text)| fits(text));
    fitting.map(|(choice, _)| *choice).collect()
}

fn is_it(known: &str, (word, whole): (&str, bool)) -> bool {
    if whole {
        known == word
    } else {
        known.starts_with(word)
    }
}

/// Whether a text has these words in this order, others between them or not.
fn has_in_order(text: &[String], wanted: &[(&str, bool)]) -> bool {
    let mut text = text.iter();
    let mut found = wanted.iter();
    !wanted.is_empty() && found.all(|&word| text.any(|known| is_it(known, word)))
}

/// Whether a text has these words in any order.
fn has(text: &[String], wanted: &[(&str, bool)]) -> bool {
    let mut left: Vec<&String> = text.iter().collect();
    !wanted.is_empty()
        && wanted.iter().all(|&word| {
            let found = left.iter().position(|known| is_it(known, word));
            found.map(|place| left.remove(place)).is_some()
        })
}

/// A card of the hand, set off if it may be played.
fn marked(card: &impl Display, playable: bool) -> String {
    match playable {
        true => format!("{BOLD}[{card}]{BOLD:#}"),
        false => format!(" {DIM}{card}{DIM:#} "),
    }
}

/// The moves with their numbers, in as many columns as there is room for.
fn listed(moves: &[impl Display]) -> String {
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    let widest = moves.iter().map(|choice| choice.chars().count()).max();
    let widest = widest.unwrap_or(0);
    let columns = (width() / (widest + "  123) ".len())).max(1);
    let mut text = String::new();
    for (number, choice) in moves.iter().enumerate() {
        let last = (number + 1) % columns == 0 || number + 1 == moves.len();
        let (fill, end) = if last { (0, "\n") } else { (widest, "") };
        let _ = write!(
            text,
            "  {DIM}{:>3}){DIM:#} {choice:<fill$}{end}",
            number + 1
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use croupier_core::{Options, Seed, Turn};
    use croupier_games::austerity::Austerity;
    use croupier_games::friday13::Friday13;
    use croupier_games::intensity::Intensity;
    use croupier_games::uno::Uno;

    use super::*;

    /// What an entry in the first turn of a game means: the text of a legal move, or why not.
    fn entered<G: Shown>(seed: u64, entry: &str) -> Result<String, String> {
        let setup = G::setup(&Options::new()).expect("the usual game");
        let game = G::deal(&setup, Seed(seed));
        let turn = Turn::of(&game).expect("the first turn");
        let choice = G::entered(&turn.view(), &turn.legal_moves(), entry)?;
        turn.check(choice).map_err(|rule| rule.to_string())?;
        Ok(choice.to_string())
    }

    /// Whatever can be entered in full.
    #[test]
    fn every_legal_move_can_be_entered_by_its_text_and_by_its_number() {
        fn all_of<G: Shown>() {
            let setup = G::setup(&Options::new()).expect("the usual game");
            for seed in 0..20 {
                let game = G::deal(&setup, Seed(seed));
                let turn = Turn::of(&game).expect("the first turn");
                let (view, legal) = (turn.view(), turn.legal_moves());
                for (number, &choice) in legal.iter().enumerate() {
                    let text = choice.to_string();
                    for entry in [text.clone(), text.to_uppercase(), format!(" {text}\t")] {
                        assert_eq!(G::entered(&view, &legal, &entry), Ok(choice), "{entry}");
                    }
                    if !G::choices(&view, &legal).is_empty() {
                        let entry = (number + 1).to_string();
                        assert_eq!(G::entered(&view, &legal, &entry), Ok(choice), "{entry}");
                    }
                }
            }
        }
        all_of::<Intensity>();
        all_of::<Friday13>();
        all_of::<Uno>();
        all_of::<Austerity>();
    }

    #[test]
    fn colours_of_tokens_come_in_any_order_and_form() {
        for entry in [
            "take RYB",
            "ryb",
            "t b y r",
            "take red, Yellow brown",
            "YBR",
        ] {
            let read = entered::<Austerity>(4, entry);
            assert_eq!(read.as_deref(), Ok("take BYR"), "{entry}");
        }
        assert_eq!(entered::<Austerity>(4, "W").as_deref(), Ok("wild"));
        for (entry, reason) in [
            ("take RR", "three different colours"),
            ("take PBYR", "three different colours"),
            ("take", "three different colours"),
            ("buy 3", ", but your tokens are: none"),
            ("buy 8", "there is no card 8"),
            ("buy", "which card?"),
            ("sell 3", "is not a move here"),
            ("99", "the moves in the list are 1 to 5"),
        ] {
            let refused = entered::<Austerity>(4, entry).expect_err(entry);
            assert!(refused.contains(reason), "{entry}: {refused}");
        }
    }

    #[test]
    fn cards_to_pass_on_are_counted_and_named() {
        for (entry, reason) in [
            ("10 11", "three cards are passed on together, not 2"),
            ("10", "together, not 1"),
            ("10 10 11", "the 10 is there twice"),
            ("10 11 99", "there is no card 99"),
            ("first ones", "is not a move here"),
        ] {
            let refused = entered::<Intensity>(4, entry).expect_err(entry);
            assert!(refused.contains(reason), "{entry}: {refused}");
        }
    }

    /// A word may be shortened until two moves remain, which are then told.
    #[test]
    fn an_entry_that_can_mean_two_moves_is_not_guessed() {
        let choices = ["wild red", "wild-draw-four red", "red 7", "red 1", "blue 7"];
        let meant = |entry: &str| meant(&choices, &words(entry));
        assert_eq!(meant("wild r"), ["wild red"], "a whole word is itself");
        assert_eq!(meant("wild- r"), ["wild-draw-four red"]);
        assert_eq!(meant("w r"), ["wild red", "wild-draw-four red"]);
        assert_eq!(meant("7 R"), ["red 7"]);
        assert_eq!(meant("7"), ["red 7", "blue 7"]);
        assert_eq!(meant("b"), ["blue 7"]);
        assert_eq!(meant(""), Vec::<&str>::new());
        let piles = ["2 blue on 3", "3 blue on 2", "3 blue on 12"];
        let meant = |entry: &str| super::meant(&piles, &words(entry));
        assert_eq!(meant("2 b"), ["2 blue on 3"], "the card comes first");
        assert_eq!(meant("blue 2"), ["3 blue on 2"]);
        assert_eq!(meant("3 blue"), ["3 blue on 2", "3 blue on 12"]);
        assert_eq!(meant("2 blue 3"), ["2 blue on 3"]);
        let refused = ambiguous("3 \u{7}blue", &piles).replace('\u{a0}', " ");
        assert_eq!(
            refused,
            "'3 \\u{7}blue' can mean 2 blue on 3, 3 blue on 2 or 3 blue on 12"
        );
    }
}
