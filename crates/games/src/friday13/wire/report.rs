//! What the commands of `friday13` say about a state, word for word as the course prescribes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::super::card::{Card, Colour, sum};
use super::super::state::State;

/// The language of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Language {
    /// The one of the course.
    #[default]
    Polish,
    /// English.
    English,
}

/// The cards on one line, each followed by a blank.
pub fn deck(cards: impl Iterator<Item = Card>) -> String {
    let mut text = String::new();
    for card in cards {
        let _ = write!(text, "{card} ");
    }
    text + "\n"
}

/// How many cards every player has.
pub fn hands(state: &State) -> String {
    let mut text = String::new();
    for (player, (hand, deck)) in state.hands.iter().zip(&state.decks).enumerate() {
        let (player, hand, deck) = (player + 1, hand.len(), deck.len());
        let _ = writeln!(text, "{player} player has {hand} cards on hand");
        let _ = writeln!(text, "{player} player has {deck} cards in front of him");
    }
    text
}

/// How many cards every player has, and how many lie on each pile.
pub fn piles(state: &State) -> String {
    let mut text = hands(state);
    for (pile, cards) in state.piles.iter().enumerate() {
        let (pile, cards) = (pile + 1, cards.len());
        let _ = writeln!(text, "there are {cards} cards on {pile} pile");
    }
    text
}

/// How many green cards there are, and whether all have the same value.
pub fn greens(state: &State) -> String {
    let mut values = state
        .cards()
        .filter(|card| card.colour.is_green())
        .map(|card| card.value);
    let Some(value) = values.next() else {
        return "Green cards does not exist\n".to_owned();
    };
    let mut count = 1;
    for other in values {
        if other != value {
            return "Different green cards values occurred\n".to_owned();
        }
        count += 1;
    }
    format!("Found {count} green cards, all with {value} value\n")
}

/// Whether there are as many cards of every colour that there is, green apart.
pub fn counts(state: &State) -> String {
    let colours = colours(state);
    let mut counts = colours.values().map(Vec::len);
    let first = counts.next().unwrap_or(0);
    if counts.all(|count| count == first) {
        return format!("The number cards of all colors is equal: {first}\n");
    }
    let mut text = "At least two colors with a different number of cards were found:\n".to_owned();
    for (colour, values) in &colours {
        let _ = writeln!(text, "{colour} cards are {}", values.len());
    }
    text
}

/// Whether the cards of every colour that there is, green apart, have the same values.
pub fn values(state: &State) -> String {
    let colours = colours(state);
    let listed = |values: &[u16]| {
        let mut text = String::new();
        for value in values {
            let _ = write!(text, "{value} ");
        }
        text
    };
    let mut all = colours.values();
    let none = Vec::new();
    let first = all.next().unwrap_or(&none);
    if all.all(|values| values == first) {
        let values = listed(first);
        return format!("The values of cards of all colors are identical:\n{values}\n");
    }
    let mut text = "The values of cards of all colors are not identical:\n".to_owned();
    for (colour, values) in &colours {
        let _ = writeln!(text, "{colour} cards values: {}", listed(values));
    }
    text
}

/// Everything that is wrong with the hands and the piles.
pub fn faults(state: &State, threshold: u32) -> String {
    let mut text = String::new();
    if !state.has_right_hands() {
        text += "The number of players cards on hand is wrong\n";
    }
    let piles = 0..state.piles.len();
    for pile in piles
        .clone()
        .filter(|&pile| state.two_colours(pile).is_some())
    {
        let _ = writeln!(
            text,
            "Two different colors were found on the {} pile",
            pile + 1
        );
    }
    for pile in piles.filter(|&pile| sum(&state.piles[pile]) > threshold) {
        let _ = writeln!(text, "Pile number {} should explode earlier", pile + 1);
    }
    if text.is_empty() {
        text += "Current state of the game is ok\n";
    }
    text
}

/// Who is immune to which colour, and the penalty points of every player.
pub fn score(state: &State, language: Language) -> String {
    let scores = state.scores();
    let mut text = String::new();
    for (colour, player) in scores.immune {
        let player = player + 1;
        let _ = match language {
            Language::Polish => writeln!(text, "Na kolor {colour} odporny jest gracz {player}"),
            Language::English => writeln!(text, "Player {player} is immune to {colour}"),
        };
    }
    for (player, points) in scores.points.iter().enumerate() {
        let player = player + 1;
        let _ = match language {
            Language::Polish => writeln!(text, "Wynik gracza {player} = {points}"),
            Language::English => writeln!(text, "Score of player {player} = {points}"),
        };
    }
    text
}

/// The score of a round that is over.
pub fn round(state: &State, language: Language) -> String {
    if state.is_final() {
        score(state, language)
    } else {
        "The round is not over\n".to_owned()
    }
}

/// The points of a whole match, by the chairs of its first round.
pub fn totals(points: &[i64], language: Language) -> String {
    let mut text = String::new();
    for (player, points) in points.iter().enumerate() {
        let player = player + 1;
        let _ = match language {
            Language::Polish => writeln!(text, "Suma gracza {player} = {points}"),
            Language::English => writeln!(text, "Total of player {player} = {points}"),
        };
    }
    text
}

/// The values of every colour that there is, green apart, ascending.
fn colours(state: &State) -> BTreeMap<Colour, Vec<u16>> {
    let mut colours: BTreeMap<Colour, Vec<u16>> = BTreeMap::new();
    for card in state.cards().filter(|card| !card.colour.is_green()) {
        colours.entry(card.colour).or_default().push(card.value);
    }
    colours
        .values_mut()
        .for_each(|values| values.sort_unstable());
    colours
}
