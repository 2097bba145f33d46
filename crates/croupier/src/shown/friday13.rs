//! Friday the 13th, as a person sees it.

use std::collections::{BTreeMap, BTreeSet};

use croupier_core::Seat;
use croupier_games::friday13::{Card, Friday13, Move, State, View};

use super::{Shown, listed, marked};
use crate::style::{BOLD, DIM, filled, in_words, wrapped};
use crate::telling::Company;

impl Shown for Friday13 {
    const SCORE: &'static str = "penalty points";
    const ENTRY: &'static str = "the number of a move in the list, or a card and its pile: 7 blue on 2, \
                                 7 b 2, or 7 blue if it can go on one pile only";
    const OPPONENTS: &'static [&'static str] = &["majority"];

    fn shown(view: &View, legal: &[Move], company: Company<'_>) -> String {
        let threshold = view.setup.threshold;
        let mut text = format!(
            "\n{BOLD}Round {} of {}{BOLD:#}\n",
            view.round, view.setup.rounds
        );
        let aim = format!(
            "Above {threshold} a pile explodes: who made it explode takes its cards, which cost points."
        );
        text += &format!("{DIM}{}{DIM:#}", filled("", 0, &aim));
        for (number, pile) in view.piles.iter().enumerate() {
            let label = format!("  pile {}, sum {}", number + 1, sum(pile));
            text += &wrapped(&label, 5, with_commas(pile.iter().map(Card::to_string)));
        }
        for (chair, collected) in view.collected.iter().enumerate() {
            let name = company.name(seat(view, chair));
            let earlier = match view.round {
                1 => String::new(),
                _ => format!(", penalty points before {}", view.points[chair]),
            };
            let label = format!(
                "  {name}: {} in hand{earlier}, collected",
                view.hands[chair]
            );
            let collected = match collected.is_empty() {
                true => vec!["nothing".to_owned()],
                false => with_commas(counted(collected)).collect(),
            };
            text += &wrapped(&label, 5, collected.into_iter());
        }
        let safe = |card: &Card| {
            let mut with_it = legal.iter().filter(|choice| choice.card == *card);
            with_it.any(|&choice| !explodes(view, choice))
        };
        let mut hand = view.hand.clone();
        hand.sort();
        let hand = hand.iter().map(|card| marked(card, safe(card)));
        text + &wrapped("Your hand, [ ] can be laid without an explosion", 1, hand)
    }

    fn choices(view: &View, legal: &[Move]) -> String {
        let told = legal.iter().map(|&choice| match explodes(view, choice) {
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
        if explodes(before, choice) {
            let mut cards = pile.clone();
            cards.push(choice.card);
            let takes = company.does(mover, "takes", "take");
            told.push(format!(
                "pile {} explodes, {} is more than {threshold}: {takes} {}",
                choice.pile + 1,
                sum(&cards),
                in_words(counted(&cards), "and")
            ));
        }
        if before.hands.iter().sum::<usize>() == 1 {
            told.extend(end_of_round(before, choice, company));
            if after.round > before.round {
                let begins = company.does(seat(after, 0), "begins", "begin");
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
        let who = seat(before, *chair);
        let has = company.does(who, "alone has", "alone have");
        let is = if company.is_reader(who) { "are" } else { "is" };
        told.push(format!(
            "{has} most {colour} cards and {is} immune: they do not count"
        ));
    }
    let round = company.each(|seat| scores.points[chair(seat)]);
    told.push(format!("penalty points of the round: {round}"));
    if before.round > 1 {
        let all = company.each(|seat| before.points[chair(seat)] + scores.points[chair(seat)]);
        told.push(format!("of all rounds so far: {all}"));
    }
    told
}

/// Who sits in a chair in the round that is seen.
fn seat(view: &View, chair: usize) -> Seat {
    Seat::from((chair + view.round as usize - 1) % view.setup.players)
}

fn sum(cards: &[Card]) -> u64 {
    cards.iter().map(|card| u64::from(card.value)).sum()
}

/// Whether the pile explodes under this card.
fn explodes(view: &View, choice: Move) -> bool {
    let pile = &view.piles[choice.pile as usize];
    sum(pile) + u64::from(choice.card.value) > view.setup.threshold.into()
}

/// How many cards there are of each colour: `4 × blue` is not the card `4 blue`.
fn counted(cards: &[Card]) -> impl Iterator<Item = String> {
    let mut colours: BTreeMap<_, usize> = BTreeMap::new();
    for card in cards {
        *colours.entry(card.colour).or_default() += 1;
    }
    let told = |(colour, count)| format!("{count}\u{a0}×\u{a0}{colour}");
    colours.into_iter().map(told)
}

/// A comma after all but the last.
fn with_commas(words: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    let mut words: Vec<String> = words.collect();
    let last = words.len().saturating_sub(1);
    words[..last].iter_mut().for_each(|word| word.push(','));
    words.into_iter()
}
