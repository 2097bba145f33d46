//! Austerity, as a person sees it.

use croupier_core::Seat;
use croupier_games::austerity::{Austerity, Card, Colour, MARKET, Move, Trio, View};

use super::{Entered, Shown, by_number, listed, unreadable, words};
use crate::style::{BOLD, DIM, filled, points};
use crate::telling::Company;

/// The letters of the tokens, wild ones last.
const LETTERS: [char; 5] = ['P', 'B', 'Y', 'R', 'W'];

/// The names of the colours, in the same order.
const COLOURS: [&str; 4] = ["purple", "brown", "yellow", "red"];

/// What the letters mean.
const LEGEND: &str = "3P is three purple tokens; B is brown, Y yellow, R red, W wild (for any \
                      colour). Discount P: one purple token less for every later card.";

impl Shown for Austerity {
    const SCORE: &'static str = "points";
    const ENTRY: &'static str = "the number of a move in the list; or buy 4 for the card 4, take PBY \
                                 for three tokens, wild for a wild one";
    const OPPONENTS: &'static [&'static str] = &["shenzi", "banzai", "ed"];

    fn shown(view: &View, _: &[Move], company: Company<'_>) -> String {
        let round = view.turns / company.count() as u64 + 1;
        let target = view.terms.target;
        let mut text = format!("\n{BOLD}Round {round}{BOLD:#}\n");
        let end = format!("The last round is the one in which somebody reaches {target} points.");
        text += &format!("{DIM}{}", filled("", 0, &end));
        text += &format!("{}{DIM:#}", filled("", 0, LEGEND));
        for (place, card) in view.table.market.iter().enumerate() {
            text += &filled("  ", 10, &format!("card {place}: {}", described(card)));
        }
        text += &filled(
            "  ",
            4,
            &format!("on the piles: {}", tokens(view.table.piles)),
        );
        for seat in company.seats() {
            let player = &view.table.players[seat.index()];
            let has = format!(
                "{}: {}; tokens: {}; discounts: {}",
                company.name(seat),
                points(player.points),
                tokens(player.tokens),
                tokens(player.discounts)
            );
            text += &filled("  ", 4, &has);
        }
        text
    }

    fn choices(view: &View, legal: &[Move]) -> String {
        let told = legal.iter().map(|choice| match choice {
            Move::Purchase(place) => {
                let card = &view.table.market[usize::from(*place)];
                let paid = view.table.players[view.seat.index()].payment(card);
                let paid = tokens(paid.unwrap_or_default());
                format!("{choice} ({} for {paid})", points(i64::from(card.points)))
            }
            _ => choice.to_string(),
        });
        listed(&told.collect::<Vec<_>>())
    }

    /// Colours in any order, as letters or words; `buy` is shorter than `purchase`.
    fn entered(view: &View, legal: &[Move], entry: &str) -> Entered<Move> {
        let words = words(entry);
        if let Some(listed) = by_number(legal, &words) {
            return listed;
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let is = |word: &str, whole: &str| whole.starts_with(word);
        match words[..] {
            [verb, place] if is(verb, "purchase") || is(verb, "buy") || is(verb, "card") => {
                match place.parse() {
                    Ok(place) if usize::from(place) < MARKET => affordable(view, place),
                    _ => Err(format!(
                        "there is no card {place}: they are 0 to {}",
                        MARKET - 1
                    )),
                }
            }
            [verb] if is(verb, "wild") => Ok(Move::Wild),
            [verb] if verb.len() > 1 && (is(verb, "purchase") || verb == "buy") => {
                Err("which card? It is bought by its number, as in buy 4".to_owned())
            }
            [] => Err(unreadable::<Austerity>(entry)),
            [verb, ref rest @ ..] => {
                let colours = if is(verb, "take") { rest } else { &words[..] };
                let read: Option<Vec<[i64; 4]>> =
                    colours.iter().map(|word| tokens_in(word)).collect();
                let read = read.ok_or_else(|| unreadable::<Austerity>(entry))?;
                let taken: [i64; 4] =
                    std::array::from_fn(|colour| read.iter().map(|read| read[colour]).sum());
                Trio::of(taken).map(Move::Take).ok_or_else(|| {
                    "three tokens of three different colours are taken, as in take PBY".to_owned()
                })
            }
        }
    }

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
                points(i64::from(card.points)),
                card.bonus.letter(),
                points(has.points)
            ));
            match &after.seen[before.seen.len()..] {
                [] => told.push("the deck is empty: no card is turned up".to_owned()),
                turned_up => told.extend(turned_up.iter().map(|card| {
                    let place = after.table.market.len() - 1;
                    format!("turned up as card {place}: {}", described(card))
                })),
            }
        }
        for colour in Colour::ALL {
            if before.table.has(colour) && !after.table.has(colour) {
                let name = COLOURS[colour.index()];
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

/// Buys the card in this place, or tells what is missing for it.
fn affordable(view: &View, place: u8) -> Entered<Move> {
    let player = &view.table.players[view.seat.index()];
    let choice = Move::Purchase(place);
    match view.table.market.get(usize::from(place)) {
        Some(card) if player.payment(card).is_none() => {
            let need = player.need(card);
            Err(format!(
                "card {place} costs you {}, and your tokens are {}",
                tokens(need),
                tokens(player.tokens)
            ))
        }
        _ => Ok(choice),
    }
}

/// A card of the market.
fn described(card: &Card) -> String {
    format!(
        "{}, discount {}, costs {}",
        points(i64::from(card.points)),
        card.bonus.letter(),
        tokens(card.price)
    )
}

/// Numbers of tokens, in the order of the letters: `3P 1W`.
fn tokens<T: Into<i64>>(numbers: impl IntoIterator<Item = T>) -> String {
    let numbers = numbers.into_iter().map(Into::into).zip(LETTERS);
    let told = numbers.filter(|&(number, _): &(i64, char)| number > 0);
    let told: Vec<String> = told
        .map(|(number, letter)| format!("{number}{letter}"))
        .collect();
    match told.is_empty() {
        true => "none".to_owned(),
        false => told.join(" "),
    }
}

/// How many tokens of each colour a word names: by letters, or by the name of one.
fn tokens_in(word: &str) -> Option<[i64; 4]> {
    let mut tokens = [0; 4];
    let named = COLOURS.iter().position(|name| *name == word);
    if let Some(colour) = named {
        tokens[colour] = 1;
        return Some(tokens);
    }
    for letter in word.chars() {
        let colour = LETTERS[..4]
            .iter()
            .position(|known| known.eq_ignore_ascii_case(&letter))?;
        tokens[colour] += 1;
    }
    Some(tokens)
}
