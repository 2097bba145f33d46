//! Uno, told in sentences.

use croupier_core::{Company, Seat, Told, in_words};

use super::{Card, Face, Move, Uno, View};

impl Told for Uno {
    const SCORE: &'static str = "points";

    fn aftermath(
        before: &View,
        mover: Seat,
        choice: Option<Move>,
        after: &View,
        company: Company<'_>,
    ) -> Vec<String> {
        let mut told = Vec::new();
        let left = |view: &View, seat: Seat| usize::from(view.cards_left[seat.index()]);
        let next = before.direction.from(mover, 1);
        let is_out = left(after, mover) == 0;
        let card = choice.and_then(Move::card);
        match card.filter(|_| !is_out).map(Card::face) {
            Some(Face::Skip) => told.push(company.does(next, "is skipped", "are skipped")),
            Some(Face::Reverse) => {
                let follows = company.does(after.direction.from(mover, 1), "is next", "are next");
                told.push(format!("play goes the other way round: {follows}"));
            }
            Some(Face::DrawTwo | Face::WildDrawFour) => {
                let loses = match company.is_reader(next) {
                    true => "and lose the turn",
                    false => "and loses the turn",
                };
                let drawn = drawn(before, next, after, company);
                told.push(format!("{drawn} {loses}"));
            }
            Some(Face::Number(_) | Face::Wild) => {}
            None if is_out => {}
            None => {
                let one = (choice.is_some()).then(|| the_only_drawn(before, mover, after));
                // That a card is drawn is the move itself; which one it is comes of it.
                told.push(match one.flatten() {
                    Some(card) => format!("it is the {card}"),
                    None => drawn(before, mover, after, company),
                });
            }
        }
        if after.discards.len() < before.discards.len() + usize::from(card.is_some()) {
            told.push("the discards are shuffled and become the deck".to_owned());
        }
        match left(after, mover) {
            0 => {
                let goes = company.does(mover, "goes", "go");
                told.push(format!("{goes} out"));
            }
            1 if card.is_some() => {
                told.push(company.does(mover, "has one card left", "have one card left"));
            }
            _ => {}
        }
        told
    }
}

/// The card that was drawn, if it was one and is seen.
fn the_only_drawn(before: &View, who: Seat, after: &View) -> Option<Card> {
    if after.seat != who {
        return None;
    }
    let had = usize::from(before.cards_left[who.index()]);
    match after.hand.get(had..)? {
        [card] => Some(*card),
        _ => None,
    }
}

/// What somebody draws; the cards themselves only where they are seen.
fn drawn(before: &View, who: Seat, after: &View, company: Company<'_>) -> String {
    let draws = company.does(who, "draws", "draw");
    let had = usize::from(before.cards_left[who.index()]);
    let has = usize::from(after.cards_left[who.index()]);
    let count = has.saturating_sub(had);
    // Cards are added at the end of a hand.
    let seen = (after.seat == who).then(|| after.hand.iter().skip(had));
    match (count, seen) {
        (0, _) => format!("{draws} nothing, the deck is empty"),
        (_, Some(cards)) => {
            let cards = cards.map(|card| format!("the {card}"));
            format!("{draws} {}", in_words(cards, "and"))
        }
        (1, None) => format!("{draws} a card"),
        (count, None) => format!("{draws} {count} cards"),
    }
}
