//! What programs get wrong in Friday the 13th: sums at the threshold, colours that lie somewhere
//! already, the last cards, and tables of other sizes than the usual.

use croupier_core::{Game as _, Kind, Seed, Situations, Variation};

use super::card::{Card, Colour};
use super::piles::{NOWHERE, Pile};
use super::state::State;
use super::{Friday13, Move, Setup};

impl Situations for Friday13 {
    const KINDS: &'static [Kind<Friday13>] = &[
        Kind::new("a pile one below the threshold", |game| {
            piles(game).any(|pile| pile.sum + 1 == game.setup.threshold)
        }),
        Kind::new("a pile at the threshold", |game| {
            piles(game).any(|pile| pile.sum == game.setup.threshold)
        }),
        Kind::new("a card that fills a pile to the threshold", |game| {
            sums(game).any(|sum| sum == game.setup.threshold)
        }),
        Kind::new("nothing but such cards and explosions", |game| {
            let threshold = game.setup.threshold;
            sums(game).any(|sum| sum == threshold) && sums(game).all(|sum| sum >= threshold)
        }),
        Kind::new("every card explodes", |game| {
            sums(game).all(|sum| sum > game.setup.threshold)
        }),
        Kind::new("every card explodes, cards collected before", |game| {
            let row = game.setup.colours + 1;
            let collected = &game.counts[game.active * row..][..row];
            sums(game).all(|sum| sum > game.setup.threshold)
                && collected.iter().any(|&count| count > 0)
        }),
        Kind::new("ten cards or more explode", |game| {
            let lie = |pile: u32| game.piles.get(pile).map_or(0, Pile::cards);
            let mut moves = game.legal_moves().into_iter().zip(sums(game));
            moves.any(|(choice, sum)| sum > game.setup.threshold && lie(choice.pile) + 1 >= 10)
        }),
        Kind::new("a card that explodes alone", |game| {
            held(game).any(|card| u32::from(card.value) > game.setup.threshold)
        }),
        Kind::new("one legal move", |game| game.legal_moves().len() == 1),
        Kind::new("one card left", |game| hand(game) == 1),
        Kind::new("the last card of the round", |game| game.left == 1),
        Kind::new("somebody has no card left", |game| {
            (0..game.setup.players).any(|chair| game.hands.size(chair) == 0)
        }),
        Kind::new("nothing but green in hand", |game| {
            held(game).all(|card| card.colour.is_green())
        }),
        Kind::new("one colour in hand, not green", |game| {
            let mut colours = held(game).map(|card| card.colour);
            let first = colours.next().unwrap_or(Colour::GREEN);
            !first.is_green() && colours.all(|colour| colour == first)
        }),
        Kind::new("green where nothing but green lies", |game| {
            let green = |card: Card| card.colour.is_green();
            held(game).any(green) && piles(game).any(|pile| pile.greens > 0 && pile.coloured == 0)
        }),
        Kind::new("green explodes where nothing but green lies", |game| {
            let green = u32::from(game.setup.green_value);
            let explodes = |pile: &Pile| pile.sum + green > game.setup.threshold;
            held(game).any(|card| card.colour.is_green())
                && piles(game).any(|pile| pile.coloured == 0 && pile.greens > 0 && explodes(pile))
        }),
        Kind::new("a new colour, and only green on a pile", |game| {
            held(game).any(|card| is_new(game, card))
                && piles(game).any(|pile| pile.greens > 0 && pile.coloured == 0)
        }),
        Kind::new("a new colour, and one pile open to it", |game| {
            let open = piles(game).filter(|pile| pile.coloured == 0).count();
            open == 1 && held(game).any(|card| is_new(game, card))
        }),
        Kind::new("new colours, and three greens on every open pile", |game| {
            let mut open = piles(game).filter(|pile| pile.coloured == 0).peekable();
            open.peek().is_some()
                && open.all(|pile| pile.greens >= 3)
                && held(game).all(|card| is_new(game, card))
        }),
        Kind::new("only colours that lie on piles", |game| {
            !held(game).any(|card| card.colour.is_green() || is_new(game, card))
        }),
        Kind::new("all piles empty", |game| {
            piles(game).all(|pile| pile.cards() == 0)
        }),
        Kind::new("the first pile empty, others not", |game| {
            let mut empty = piles(game).map(|pile| pile.cards() == 0);
            empty.next() == Some(true) && empty.any(|empty| !empty)
        }),
        Kind::new("the last player's turn", |game| {
            game.active + 1 == game.setup.players
        }),
        Kind::new("ten cards of a colour collected", |game| {
            game.counts.iter().any(|&count| count >= 10)
        }),
        Kind::new("a hand of fifteen cards or more", |game| hand(game) >= 15),
        Kind::new("ten players or more", |game| game.setup.players >= 10),
        Kind::new("one pile", |game| game.setup.colours == 1),
    ];

    const SENSIBLE: &'static [&'static str] = &["optimal", "majority", "drop-biggest", "smallest"];

    const VARIATIONS: &'static [Variation] = &[
        Variation {
            name: "two players",
            options: &[("players", "2")],
        },
        Variation {
            name: "twelve players, few cards",
            options: &[
                ("players", "12"),
                ("colours", "2"),
                ("greens", "4"),
                ("values", "1,1,2,3,5,7"),
            ],
        },
        Variation {
            name: "no green cards, cards above the threshold",
            options: &[
                ("greens", "0"),
                ("colours", "2"),
                ("values", "1,2,3,5,8"),
                ("threshold", "6"),
            ],
        },
        Variation {
            name: "six players",
            options: &[("players", "6")],
        },
        Variation {
            name: "three players, six colours, cards up to 12",
            options: &[
                ("players", "3"),
                ("colours", "6"),
                ("values", "1,2,3,4,5,6,7,8,9,10,11,12"),
                ("threshold", "20"),
            ],
        },
        Variation {
            name: "one pile",
            options: &[("players", "3"), ("colours", "1"), ("greens", "3")],
        },
        // Whatever a program chooses here, it meets green on green, and explosions of both.
        Variation {
            name: "one pile, mostly green",
            options: &[
                ("players", "2"),
                ("colours", "1"),
                ("greens", "10"),
                ("values", "1,2,3"),
                ("threshold", "5"),
            ],
        },
        Variation {
            name: "all cards above the threshold",
            options: &[
                ("players", "3"),
                ("colours", "2"),
                ("greens", "4"),
                ("values", "2,3,5"),
                ("threshold", "1"),
            ],
        },
        // In the original game no pile holds eight cards without an explosion.
        Variation {
            name: "piles of ten cards and more",
            options: &[
                ("players", "2"),
                ("colours", "2"),
                ("greens", "10"),
                ("green-value", "1"),
                ("values", "1,1,1,1,1,1,1,1,1,1,2,2"),
                ("threshold", "12"),
            ],
        },
    ];

    const CARD_WORDS: &'static [&'static str] =
        &["green", "blue", "red", "violet", "yellow", "white", "black"];

    /// A round in which the cards are dealt in their order, so that some hold one colour, or only
    /// high cards.
    fn contrive(setup: &Setup, seed: Seed) -> Friday13 {
        let mut rng = seed.rng();
        let mut cards: Vec<Card> = setup.deck().collect();
        rng.shuffle(&mut cards);
        if rng.below(2) == 0 {
            cards.sort_by_key(|card| card.colour);
        } else {
            cards.sort_by_key(|card| card.value);
        }
        let turned = rng.below(cards.len());
        cards.rotate_left(turned);
        let mut state = State::deal(setup.players, setup.colours, cards.iter().copied());
        state.threshold = Some(setup.threshold);
        let mut cards = cards.into_iter();
        for hand in &mut state.hands {
            let size = hand.len();
            *hand = cards.by_ref().take(size).collect();
            rng.shuffle(hand);
        }
        Friday13::from_state(setup, &state, seed).expect("a whole deck has been dealt")
    }
}

fn piles(game: &Friday13) -> impl Iterator<Item = &Pile> {
    (0..).map_while(|pile| game.piles.get(pile))
}

/// How many cards the player to move holds.
fn hand(game: &Friday13) -> usize {
    game.hands.size(game.active)
}

/// The different cards that the player to move holds.
fn held(game: &Friday13) -> impl Iterator<Item = Card> {
    let colours = (0..=game.setup.colours as u32).map(Colour);
    colours.flat_map(move |colour| {
        let ranks = game.hands.ranks(game.active, colour).iter();
        ranks.map(move |&rank| game.setup.card(colour, rank as usize))
    })
}

/// What the piles would come to with each legal move.
fn sums(game: &Friday13) -> impl Iterator<Item = u32> {
    let sum = |Move { card, pile }: Move| {
        let lies = game.piles.get(pile).map_or(0, |pile| pile.sum);
        lies + u32::from(card.value)
    };
    game.legal_moves().into_iter().map(sum)
}

/// Whether the card has a colour that lies on no pile.
fn is_new(game: &Friday13, card: Card) -> bool {
    !card.colour.is_green() && game.piles.lies(card.colour) == NOWHERE
}
