//! Friday the 13th, told in sentences.

use std::collections::BTreeMap;

use croupier_core::{Company, Seat, Told, in_words};

use super::{Card, Friday13, Move, State, View, sum};

impl Told for Friday13 {
    const SCORE: &'static str = "penalty points";

    fn aftermath(
        before: &View,
        mover: Seat,
        choice: Option<Move>,
        after: &View,
        company: Company<'_>,
    ) -> Vec<String> {
        let Some(choice) = choice else {
            return Vec::new();
        };
        let mut told = Vec::new();
        let (threshold, pile) = (before.setup.threshold, &before.piles[choice.pile as usize]);
        if before.explodes(choice) {
            let mut cards = pile.clone();
            cards.push(choice.card);
            let takes = company.does(mover, "takes", "take");
            told.push(format!(
                "cauldron {} explodes, {} is more than {threshold}: {takes} {}",
                choice.pile + 1,
                sum(&cards),
                in_words(colours_of(&cards), "and")
            ));
        }
        if before.hands.iter().sum::<usize>() == 1 {
            told.extend(end_of_round(before, choice, company));
            if after.round > before.round {
                let begins = company.does(after.seat(0), "begins", "begin");
                told.push(format!("round {}: {begins}", after.round));
            }
        }
        told
    }
}

/// What the last card of a round brings.
fn end_of_round(before: &View, last: Move, company: Company<'_>) -> Vec<String> {
    let mut state = State {
        active: before.active,
        threshold: Some(before.setup.threshold),
        hands: vec![Vec::new(); before.hands.len()],
        decks: before.collected.clone(),
        piles: before.piles.clone(),
    };
    state.hands[before.active].push(last.card);
    state.make(last, state.threshold);
    let scores = state.scores();
    let chair = |of: Seat| {
        let count = company.count();
        (of.index() + count - (before.round as usize - 1) % count) % count
    };
    let mut told = vec![format!("round {} is over", before.round)];
    for (colour, chair) in &scores.immune {
        let who = before.seat(*chair);
        let has = company.does(who, "has", "have");
        told.push(format!(
            "{has} more {colour} cards than anybody else: they do not count"
        ));
    }
    let round = for_each(company, |seat| scores.points[chair(seat)]);
    told.push(format!("penalty points of the round: {round}"));
    if before.round > 1 {
        let all = for_each(company, |seat| {
            before.points[chair(seat)] + scores.points[chair(seat)]
        });
        told.push(format!("of all rounds so far: {all}"));
    }
    told
}

/// What everybody gets: `4 for you, 15 for majority 2`. A name may end with a number.
fn for_each(company: Company<'_>, points: impl Fn(Seat) -> i64) -> String {
    let told = company
        .seats()
        .map(|seat| format!("{}\u{a0}for\u{a0}{}", points(seat), company.name(seat)));
    told.collect::<Vec<_>>().join(", ")
}

/// How many cards there are of each colour: `4 × blue` is not the card `4 blue`.
pub fn colours_of(cards: &[Card]) -> impl Iterator<Item = String> {
    let mut colours: BTreeMap<_, usize> = BTreeMap::new();
    for card in cards {
        *colours.entry(card.colour).or_default() += 1;
    }
    let told = |(colour, count)| format!("{count}\u{a0}×\u{a0}{colour}");
    colours.into_iter().map(told)
}
