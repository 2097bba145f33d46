//! The players that come with Friday the 13th. They decide on a [`View`] and nothing else.
//!
//! Where several moves are as good by a strategy's own rule, the card is chosen first — by value
//! as the strategy says, then the one that comes first in the hand — and then, among the piles on
//! which it may be laid, the one with the lowest sum, then the one with the lowest number.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use croupier_core::{BuiltIn, Foul, FoulKind, NoMove, Player, RandomPlayer, Rng, Strength, Turn};

use super::card::{Card, Colour, sum};
use super::rules::{Friday13, Move};
use super::view::View;

/// A way to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Any legal move, each equally likely.
    Random,
    /// The lowest card on the pile with the lowest sum.
    Smallest,
    /// The same, but the biggest card when every move explodes.
    DropBiggest,
    /// The biggest card that does not explode, or else the biggest card.
    Optimal,
    /// The same, but an explosion is chosen for the most cards of one colour.
    Majority,
}

impl Strategy {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Strategy); 5] = [
        ("random", Strategy::Random),
        ("smallest", Strategy::Smallest),
        ("drop-biggest", Strategy::DropBiggest),
        ("optimal", Strategy::Optimal),
        ("majority", Strategy::Majority),
    ];

    /// The strategy with this name.
    pub fn named(name: &str) -> Option<Strategy> {
        let found = Strategy::ALL.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, strategy)| strategy)
    }

    /// The move that is made in this view; none if no card can be laid. Only `random` draws from
    /// `rng`.
    pub fn choose(self, view: &View, rng: &mut Rng) -> Option<Move> {
        let options = options(view);
        let chosen = match self {
            Strategy::Random => {
                let mut moves: Vec<Move> = options.iter().map(Choice::made).collect();
                moves.sort_unstable_by_key(|choice| (choice.card, choice.pile));
                moves.dedup();
                return (!moves.is_empty()).then(|| moves[rng.below(moves.len())]);
            }
            Strategy::Smallest => lowest(&options),
            Strategy::DropBiggest if options.iter().all(|choice| choice.explodes) => {
                biggest(&options)
            }
            Strategy::DropBiggest => lowest(&options),
            Strategy::Optimal => safe(&options).or_else(|| biggest(&options)),
            Strategy::Majority => safe(&options).or_else(|| most_of_a_colour(&options, view)),
        };
        chosen.map(Choice::made)
    }
}

/// A card that may be laid on a pile.
#[derive(Clone, Copy)]
struct Choice {
    card: Card,
    /// Its place in the hand.
    place: usize,
    pile: usize,
    /// The sum of the pile before.
    sum: u32,
    explodes: bool,
}

impl Choice {
    fn made(&self) -> Move {
        Move {
            card: self.card,
            pile: self.pile as u32,
        }
    }

    /// How choices are told apart once the card's value is no help any more: the least is taken.
    fn place_then_pile(&self) -> (usize, u32, usize) {
        (self.place, self.sum, self.pile)
    }
}

fn options(view: &View) -> Vec<Choice> {
    let sums: Vec<u32> = view.piles.iter().map(|pile| sum(pile)).collect();
    // The piles depend on the colour alone.
    let mut piles: BTreeMap<Colour, Vec<usize>> = BTreeMap::new();
    let mut options = Vec::with_capacity(view.hand.len());
    for (place, &card) in view.hand.iter().enumerate() {
        let piles = piles.entry(card.colour);
        for &pile in &*piles.or_insert_with(|| view.piles_for(card)) {
            options.push(Choice {
                card,
                place,
                pile,
                sum: sums[pile],
                explodes: sums[pile].saturating_add(card.value.into()) > view.setup.threshold,
            });
        }
    }
    options
}

fn lowest(options: &[Choice]) -> Option<&Choice> {
    let order = |choice: &&Choice| (choice.card.value, choice.place_then_pile());
    options.iter().min_by_key(order)
}

fn biggest(options: &[Choice]) -> Option<&Choice> {
    let order = |choice: &&Choice| (Reverse(choice.card.value), choice.place_then_pile());
    options.iter().min_by_key(order)
}

/// The biggest card that does not explode. A card that has a safe pile is also safe on the pile
/// with the lowest sum.
fn safe(options: &[Choice]) -> Option<&Choice> {
    let order = |choice: &&Choice| (Reverse(choice.card.value), choice.place_then_pile());
    let safe = options.iter().filter(|choice| !choice.explodes);
    safe.min_by_key(order)
}

/// The explosion after which one colour has most cards; among equals the biggest card.
fn most_of_a_colour<'a>(options: &'a [Choice], view: &View) -> Option<&'a Choice> {
    let mut owned: BTreeMap<Colour, usize> = BTreeMap::new();
    let collected = &view.collected[view.chair];
    for card in collected.iter().filter(|card| !card.colour.is_green()) {
        *owned.entry(card.colour).or_default() += 1;
    }
    let most = owned.values().copied().max().unwrap_or(0);
    let after = |choice: &Choice| {
        let taken = view.piles[choice.pile].iter().chain([&choice.card]);
        let mut gained: BTreeMap<Colour, usize> = BTreeMap::new();
        for card in taken.filter(|card| !card.colour.is_green()) {
            *gained.entry(card.colour).or_default() += 1;
        }
        let sums = gained
            .iter()
            .map(|(colour, gain)| gain + owned.get(colour).unwrap_or(&0));
        sums.max().unwrap_or(0).max(most)
    };
    options.iter().min_by_key(|choice| {
        let value = Reverse(choice.card.value);
        (Reverse(after(choice)), value, choice.place_then_pile())
    })
}

/// A player with one of the strategies that leave nothing to chance.
struct Steady(Strategy);

impl Player<Friday13> for Steady {
    fn decide(&mut self, turn: &Turn<'_, Friday13>) -> Result<Move, NoMove> {
        // The strategy draws nothing, so any generator will do.
        let mut unused = croupier_core::Seed(0).rng();
        self.0.choose(&turn.view(), &mut unused).ok_or_else(|| {
            NoMove::Foul(Foul {
                kind: FoulKind::Malformed,
                detail: "there was no card to lay".to_owned(),
            })
        })
    }
}

pub(super) const BUILT_IN: &[BuiltIn<Friday13>] = &[
    BuiltIn {
        name: "random",
        about: "any legal move, each equally likely",
        strength: Strength::Weak,
        options: &[],
        make: |_| Ok(Box::new(RandomPlayer::default())),
    },
    BuiltIn {
        name: "smallest",
        about: "the lowest card into the cauldron with the lowest sum",
        strength: Strength::Weak,
        options: &[],
        make: |_| Ok(Box::new(Steady(Strategy::Smallest))),
    },
    BuiltIn {
        name: "drop-biggest",
        about: "like smallest, but the biggest card when every move explodes",
        strength: Strength::Weak,
        options: &[],
        make: |_| Ok(Box::new(Steady(Strategy::DropBiggest))),
    },
    BuiltIn {
        name: "optimal",
        about: "the biggest card that does not explode, otherwise the biggest card",
        strength: Strength::Good,
        options: &[],
        make: |_| Ok(Box::new(Steady(Strategy::Optimal))),
    },
    BuiltIn {
        name: "majority",
        about: "like optimal, but picks the explosion that gives it most cards of one colour",
        strength: Strength::Good,
        options: &[],
        make: |_| Ok(Box::new(Steady(Strategy::Majority))),
    },
    BuiltIn {
        name: "expert",
        about: "imagines the hidden cards in many ways and plays what does best on average",
        strength: Strength::Strong,
        options: croupier_search::OPTIONS,
        make: croupier_search::expert,
    },
];
