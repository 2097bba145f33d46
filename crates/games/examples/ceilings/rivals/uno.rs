//! Rule players of Uno.

use croupier_core::Player;
use croupier_games::uno::{Card, Colour, Face, Move, Uno, View};

use super::{ByView, Rivals};
use crate::clairvoyant::Effort;

impl Rivals for Uno {
    const BASE: &'static str = "careful";
    const FIELDS: &'static [&'static [&'static str]] = &[
        &["careful", "careful", "careful"],
        &["first", "first", "first"],
        &["hasty", "dear", "first"],
    ];
    const EFFORT: Effort = Effort {
        games: 3_000,
        moves: 10_000,
    };

    fn rival(name: &str) -> Option<Box<dyn Player<Uno>>> {
        // Which card of those that can be played: the one with the highest key.
        let key: fn(Card) -> u32 = match name {
            // The first that matches.
            "first" => |_| 0,
            // Wild cards at once.
            "hasty" => |card| u32::from(card.is_wild()),
            // What costs most if another goes out.
            "dear" => |card| match card.face() {
                Face::Number(number) => u32::from(number),
                _ => u32::from(card.points()),
            },
            _ => return None,
        };
        Some(Box::new(ByView(move |view: &View| Ok(choose(view, key)))))
    }
}

fn choose(view: &View, key: fn(Card) -> u32) -> Move {
    let mut cards: Vec<Card> = view.playable().map(|(_, card)| card).collect();
    cards.sort_by_key(|&card| std::cmp::Reverse(key(card)));
    let Some(&card) = cards.first() else {
        return Move::DRAW;
    };
    let held = |colour: &Colour| {
        let cards = view.hand.iter();
        cards.filter(|card| card.colour() == Some(*colour)).count()
    };
    let longest = Colour::ALL.into_iter().max_by_key(held);
    let called = longest.filter(|_| card.is_wild());
    Move::play(card, called).expect("a colour is called for wild cards alone")
}
