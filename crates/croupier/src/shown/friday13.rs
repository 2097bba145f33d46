//! Friday the 13th, as a person sees it.

use std::collections::BTreeSet;

use croupier_core::Company;
use croupier_games::friday13::{Card, Friday13, Move, View, colours_of, sum};

use super::{Shown, listed, marked};
use crate::style::{BOLD, DIM, filled, wrapped};

impl Shown for Friday13 {
    const ENTRY: &'static str = "the number of a move in the list, or a card and its cauldron: 7 blue on \
                                 2, 7 b 2, or 7 blue if it can go into one cauldron only";

    fn shown(view: &View, legal: &[Move], company: Company<'_>) -> String {
        let threshold = view.setup.threshold;
        let mut text = format!(
            "\n{BOLD}Round {} of {}{BOLD:#}\n",
            view.round, view.setup.rounds
        );
        let aim = format!(
            "Above {threshold} a cauldron explodes: the player who laid the card takes what is in it, \
             which costs points."
        );
        text += &format!("{DIM}{}{DIM:#}", filled("", 0, &aim));
        for (number, pile) in view.piles.iter().enumerate() {
            let label = format!("  cauldron {}, sum {}", number + 1, sum(pile));
            text += &wrapped(&label, 5, with_commas(pile.iter().map(Card::to_string)));
        }
        for (chair, collected) in view.collected.iter().enumerate() {
            let name = company.name(view.seat(chair));
            let earlier = match view.round {
                1 => String::new(),
                _ => format!(
                    ", penalty points from earlier rounds {}",
                    view.points[chair]
                ),
            };
            let label = format!(
                "  {name}: {} in hand{earlier}, collected",
                view.hands[chair]
            );
            let collected = match collected.is_empty() {
                true => vec!["nothing".to_owned()],
                false => with_commas(colours_of(collected)).collect(),
            };
            text += &wrapped(&label, 5, collected.into_iter());
        }
        let safe = |card: &Card| {
            let mut with_it = legal.iter().filter(|choice| choice.card == *card);
            with_it.any(|&choice| !view.explodes(choice))
        };
        let mut hand = view.hand.clone();
        hand.sort();
        let hand = hand.iter().map(|card| marked(card, safe(card)));
        text + &wrapped("Your hand, [ ] can be laid without an explosion", 1, hand)
    }

    fn choices(view: &View, legal: &[Move]) -> String {
        let told = legal.iter().map(|&choice| match view.explodes(choice) {
            true => format!("{choice} *"),
            false => choice.to_string(),
        });
        listed(&told.collect::<Vec<_>>())
    }

    fn question(_: &View) -> &'static str {
        "Your move (* explodes)"
    }

    /// The own cards on any pile, and the others where they could be laid.
    fn readable(view: &View) -> Vec<Move> {
        let own: BTreeSet<Card> = view.hand.iter().copied().collect();
        let others: BTreeSet<Card> = view.setup.deck().collect();
        let piles = view.piles.len();
        let own_moves = own.iter().flat_map(|&card| {
            (0..piles).map(move |pile| Move {
                card,
                pile: pile as u32,
            })
        });
        let others = others.difference(&own).filter_map(|&card| {
            let pile = *view.piles_for(card).first()? as u32;
            Some(Move { card, pile })
        });
        own_moves.chain(others).collect()
    }
}

/// A comma after all but the last.
fn with_commas(words: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    let mut words: Vec<String> = words.collect();
    let last = words.len().saturating_sub(1);
    words[..last].iter_mut().for_each(|word| word.push(','));
    words.into_iter()
}
