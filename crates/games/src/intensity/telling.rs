//! Intensity, told in sentences.

use croupier_core::{Company, Seat, Told, counted, in_words};

use super::{Card, Intensity, Move, SEATS, View};

impl Told for Intensity {
    const SCORE: &'static str = "penalty points";
    const FOUL: Option<&'static str> = Some("that costs five points");

    fn aftermath(
        before: &View,
        mover: Seat,
        choice: Option<Move>,
        after: &View,
        company: Company<'_>,
    ) -> Vec<String> {
        let mut told = Vec::new();
        if choice.is_some_and(|choice| choice.card().is_none()) {
            told.push(format!("they go to {}", company.name(mover.next(SEATS))));
        }
        match (before, after) {
            (View::Discarding(_), View::Playing(view)) => {
                if let Some(me) = company.reader() {
                    let before = company.name(seat(me.index() + SEATS - 1));
                    let received = view.received().iter().map(|card| card.to_string());
                    let received = in_words(received, "and");
                    told.push(format!("you get {received} from {before}"));
                }
            }
            (View::Playing(before), View::Playing(after))
                if after.earlier().len() > before.earlier().len() =>
            {
                let round = &after.earlier()[before.earlier().len()..];
                told.push(taken(round, mover.next(SEATS), company));
            }
            _ => {}
        }
        told
    }
}

/// The seat with this number, counted round the table.
fn seat(number: usize) -> Seat {
    Seat::from(number % SEATS)
}

/// Who takes a round that this seat has led, and what it costs.
fn taken(round: &[Card], leader: Seat, company: Company<'_>) -> String {
    let mut best = 0;
    for place in 1..round.len() {
        if round[place].beats(round[best]) {
            best = place;
        }
    }
    let winner = seat(leader.index() + best);
    let takes = company.does(winner, "takes", "take");
    let costly = round.iter().filter(|card| card.points() > 0);
    let cost: i64 = round.iter().map(|card| i64::from(card.points())).sum();
    let with = round[best];
    match cost {
        0 => format!("{takes} the round with the {with}: no points"),
        cost => {
            let costly = in_words(costly.map(ToString::to_string), "and");
            let points = counted(cost, "point");
            format!("{takes} the round with the {with}: {points} for {costly}")
        }
    }
}
