//! Austerity, told in sentences.

use croupier_core::{Company, Seat, Told, counted};

use super::{Austerity, Card, Colour, Move, View};

impl Told for Austerity {
    const SCORE: &'static str = "points";

    fn aftermath(
        before: &View,
        mover: Seat,
        choice: Option<Move>,
        after: &View,
        company: Company<'_>,
    ) -> Vec<String> {
        let mut told = Vec::new();
        let of = |view: &View| view.table.players[mover.index()].clone();
        let (had, has) = (of(before), of(after));
        if let Some(Move::Purchase(place)) = choice {
            let card = &before.table.market[usize::from(place)];
            let pays = company.does(mover, "pays", "pay");
            let paid = tokens(had.payment(card).unwrap_or_default());
            let have = if company.is_reader(mover) {
                "have"
            } else {
                "has"
            };
            told.push(format!(
                "{pays} {paid} for the card ({}, discount {}) and {have} {}",
                counted(i64::from(card.points), "point"),
                card.bonus.letter(),
                counted(has.points, "point")
            ));
            match &after.seen[before.seen.len()..] {
                [] => told.push("the deck is empty: no card is turned up".to_owned()),
                turned_up => {
                    let cards = turned_up.iter().map(described);
                    told.extend(cards.map(|card| format!("turned up: {card}")));
                }
            }
        }
        for colour in Colour::ALL {
            if before.table.has(colour) && !after.table.has(colour) {
                let name = colour.name();
                told.push(format!("there are no {name} tokens left to take"));
            }
        }
        let target = after.terms.target;
        if had.points < target && has.points >= target {
            let reaches = company.does(mover, "reaches", "reach");
            told.push(format!("{reaches} {target} points: this is the last round"));
        }
        told
    }
}

/// A card of the market.
pub fn described(card: &Card) -> String {
    format!(
        "{}, discount {}, costs {}",
        counted(i64::from(card.points), "point"),
        card.bonus.letter(),
        tokens(card.price)
    )
}

/// Numbers of tokens, in the order of the letters: `3P 1W`.
pub fn tokens<T: Into<i64>>(numbers: impl IntoIterator<Item = T>) -> String {
    let letters = Colour::ALL.into_iter().map(Colour::letter).chain(['W']);
    let numbers = numbers.into_iter().map(Into::into).zip(letters);
    let told = numbers.filter(|&(number, _): &(i64, char)| number > 0);
    let told: Vec<String> = told
        .map(|(number, letter)| format!("{number}{letter}"))
        .collect();
    match told.is_empty() {
        true => "none".to_owned(),
        false => told.join(" "),
    }
}
