//! Intensity, as a person sees it.

use std::fmt::Write as _;

use croupier_core::{Company, Seat};
use croupier_games::intensity::{Card, Cards, Intensity, Move, PASS, SEATS, View};

use super::{Entered, Shown, marked, unreadable, words};
use crate::style::{BOLD, DIM, filled, wrapped};

impl Shown for Intensity {
    const ENTRY: &'static str = "the cards by their numbers: three to pass on, as in 29 39 49, then \
                                 one in every round, as in 23";

    fn shown(view: &View, _: &[Move], company: Company<'_>) -> String {
        let view = match view {
            View::Discarding(view) => {
                let hand = listed(view.hand());
                let mut text = String::from("\n");
                if let Some(me) = company.reader() {
                    let next = company.name(me.next(SEATS));
                    let before = company.name(seat(me.index() + SEATS - 1));
                    let passing =
                        format!("You pass three cards to {next}, and get three from {before}.");
                    text += &filled("", 0, &passing);
                    text += &format!("{DIM}{}{DIM:#}", filled("", 0, COSTS));
                }
                return text + &format!("Your hand: {hand}\n");
            }
            View::Playing(view) => view,
        };
        let mut text = String::new();
        let round = view.earlier().len() / SEATS + 1;
        let taken = view.taken();
        let _ = write!(text, "\n{BOLD}Round {round} of 10{BOLD:#}");
        text += &wrapped(
            "  points so far",
            3,
            company
                .each(|seat| taken[seat.index()])
                .split(' ')
                .map(str::to_owned),
        );
        let leader = view.position().index() + SEATS - view.round().len();
        let on_table = view.round().iter().zip(leader..).map(|(card, place)| {
            let name = company.name(seat(place));
            format!("{name} {card}")
        });
        let on_table: Vec<String> = on_table.collect();
        match on_table.is_empty() {
            true => text += "You lead: you play the first card of this round\n",
            false => text += &filled("", 2, &format!("On the table: {}", on_table.join(", "))),
        }
        let legal = view.legal();
        let hand = view.hand().iter();
        text + &wrapped(
            "Your hand, [ ] may be played",
            1,
            hand.map(|card| marked(&card, legal.contains(card))),
        )
    }

    fn choices(_: &View, _: &[Move]) -> String {
        String::new()
    }

    fn question(view: &View) -> &'static str {
        match view {
            View::Discarding(_) => "Three cards to pass on",
            View::Playing(_) => "The card to play",
        }
    }

    /// The cards alone are enough.
    fn entered(view: &View, _: &[Move], entry: &str) -> Entered<Move> {
        let (verb, wanted) = match view {
            View::Discarding(_) => ("discard", PASS),
            View::Playing(_) => ("play", 1),
        };
        let mut words = words(entry);
        if words.first().is_some_and(|word| verb.starts_with(word)) {
            words.remove(0);
        }
        let mut cards = Cards::NONE;
        for word in &words {
            let Ok(number) = word.parse::<u8>() else {
                // The verb of the other phase, say, whose rule is told.
                let other = entry.trim().to_lowercase().parse();
                return other.map_err(|_| unreadable::<Intensity>(entry));
            };
            let Some(card) = Card::new(number) else {
                return Err(format!("there is no card {number}: the cards are 10 to 49"));
            };
            if cards.contains(card) {
                return Err(format!("the {card} is there twice"));
            }
            cards |= card.into();
        }
        let choice = match cards.only() {
            Some(card) if wanted == 1 => Some(Move::play(card)),
            _ if wanted == PASS => Move::discard(cards),
            _ => None,
        };
        choice.ok_or_else(|| match (words.len(), wanted) {
            (0, _) => unreadable::<Intensity>(entry),
            (count, 1) => format!("one card is played at a time, not {count}"),
            (count, _) => format!("three cards are passed on together, not {count}"),
        })
    }
}

/// What the cards cost, for somebody who has never played.
const COSTS: &str = "Points are bad: the calves, 30 to 39, cost one each, the buffalo, 47, costs \
                     seven, all other cards nothing.";

/// The seat with this number, counted round the table.
fn seat(number: usize) -> Seat {
    Seat::from(number % SEATS)
}

fn listed(cards: Cards) -> String {
    let cards: Vec<String> = cards.iter().map(|card| card.to_string()).collect();
    cards.join(" ")
}
