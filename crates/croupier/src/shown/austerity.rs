//! Austerity, as a person sees it.

use croupier_core::{Company, counted};
use croupier_games::austerity::{Austerity, Colour, MARKET, Move, Trio, View, described, tokens};

use super::{Entered, Shown, by_number, listed, unreadable, words};
use crate::style::{BOLD, DIM, filled};

/// What the letters mean.
const LEGEND: &str = "3P is three purple tokens; B is brown, Y yellow, R red, W wild (for any \
                      colour). Discount P: one purple token less for every later card.";

impl Shown for Austerity {
    const ENTRY: &'static str = "the number of a move in the list; or buy 4 for card 4, take PBY \
                                 for three tokens, wild for a wild one";

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
                counted(player.points, "point"),
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
                format!(
                    "{choice} ({} for {paid})",
                    counted(i64::from(card.points), "point")
                )
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
                        "there is no card {place}: the cards are 0 to {}",
                        MARKET - 1
                    )),
                }
            }
            [verb] if is(verb, "wild") => Ok(Move::Wild),
            [verb] if verb.len() > 1 && (is(verb, "purchase") || verb == "buy") => {
                Err("which card? Enter its number, as in buy 4".to_owned())
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
                    "take three tokens of three different colours, as in take PBY".to_owned()
                })
            }
        }
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
                "card {place} costs you {}, but your tokens are: {}",
                tokens(need),
                tokens(player.tokens)
            ))
        }
        _ => Ok(choice),
    }
}

/// How many tokens of each colour a word names: by letters, or by the name of one.
fn tokens_in(word: &str) -> Option<[i64; 4]> {
    let mut tokens = [0; 4];
    let named = Colour::ALL.into_iter().find(|colour| colour.name() == word);
    if let Some(colour) = named {
        tokens[colour.index()] = 1;
        return Some(tokens);
    }
    for letter in word.chars() {
        let is_it = |colour: &Colour| colour.letter().eq_ignore_ascii_case(&letter);
        let colour = Colour::ALL.into_iter().find(is_it)?;
        tokens[colour.index()] += 1;
    }
    Some(tokens)
}
