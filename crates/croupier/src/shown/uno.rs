//! Uno, as a person sees it.

use croupier_core::Seat;
use croupier_games::uno::{Card, Direction, Face, Move, Uno, View};

use super::{Shown, marked};
use crate::style::{BOLD, filled, in_words, wrapped};
use crate::telling::Company;

impl Shown for Uno {
    const SCORE: &'static str = "points";
    const ENTRY: &'static str = "the number of a move in the list, or a card: red 7, r 7, skip green, \
                                 wild blue; or draw";
    const OPPONENTS: &'static [&'static str] = &["careful"];

    fn shown(view: &View, legal: &[Move], company: Company<'_>) -> String {
        let mut text = String::from("\n");
        if let Some(top) = view.discards.last() {
            let called = view.last_colour_called.filter(|_| top.is_wild());
            let called = called.map(|colour| format!(", {colour} is called"));
            let called = called.unwrap_or_default();
            text += &format!("On top: {BOLD}{top}{BOLD:#}{called}\n");
        }
        let mut seats: Vec<Seat> = company.seats().collect();
        if view.direction == Direction::Left {
            seats.reverse();
        }
        let me = seats.iter().position(|&seat| seat == view.seat);
        seats.rotate_left(me.unwrap_or(0));
        let cards =
            |seat: &Seat| format!("{} {}", company.name(*seat), view.cards_left[seat.index()]);
        let seats: Vec<String> = seats.iter().map(cards).collect();
        let order = format!("Cards left, in the order of play: {}", seats.join(", "));
        text += &filled("", 2, &order);
        let playable = |card| legal.iter().any(|choice| choice.card() == Some(card));
        let hand = view.hand.iter().map(|&card| marked(&card, playable(card)));
        text + &wrapped("Your hand, [ ] can be played", 1, hand)
    }

    fn readable(view: &View) -> Vec<Move> {
        let is_own = |choice: &Move| choice.card().is_some_and(|card| view.hand.contains(&card));
        let (own, others): (Vec<Move>, Vec<Move>) = Move::all().partition(is_own);
        [own, others].concat()
    }

    fn aftermath(
        before: &View,
        mover: Seat,
        choice: Option<Move>,
        after: &View,
        company: Company<'_>,
    ) -> Vec<String> {
        let mut told = Vec::new();
        if let Some(colour) = choice.and_then(Move::called) {
            told.push(format!("{colour} is called"));
        }
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
            None => told.push(drawn(before, mover, after, company)),
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
