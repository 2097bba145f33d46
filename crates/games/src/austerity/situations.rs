//! What programs get wrong in Austerity: what a card costs after discounts and with wild tokens,
//! piles that run out, and a market that is not full.

use croupier_core::{Game as _, Kind, Rng, Seat, Seed, Situations, Variation};

use super::table::WILD;
use super::{Austerity, Card, Colour, Deck, Holdings, MARKET, Payment, Setup};

impl Situations for Austerity {
    const KINDS: &'static [Kind<Austerity>] = &[
        Kind::new("one pile empty", |game| empty(game) == 1),
        Kind::new("two piles empty", |game| empty(game) == 2),
        Kind::new("all piles empty", |game| empty(game) == 4),
        Kind::new("the last token of a pile", |game| {
            game.table().piles.contains(&1)
        }),
        Kind::new("nothing but a wild can be taken", |game| {
            game.legal_moves().len() == 1
        }),
        Kind::new("to buy with wild tokens", |game| {
            offers(game).any(|(_, paid)| paid[WILD] > 0)
        }),
        Kind::new("to buy with wild tokens alone", |game| {
            offers(game).any(|(_, paid)| paid[WILD] > 0 && paid[..WILD].iter().all(|&p| p == 0))
        }),
        Kind::new("to buy with a discount", |game| {
            offers(game).any(|(card, _)| is_reduced(me(game), card))
        }),
        Kind::new("to buy with a discount and wild tokens", |game| {
            offers(game).any(|(card, paid)| paid[WILD] > 0 && is_reduced(me(game), card))
        }),
        Kind::new("to buy where a discount is more than the price", |game| {
            offers(game).any(|(card, _)| is_exceeded(me(game), card))
        }),
        Kind::new(
            "to buy with wild tokens where another discount is more than the price",
            |game| offers(game).any(|(card, paid)| paid[WILD] > 0 && is_exceeded(me(game), card)),
        ),
        Kind::new("to buy for nothing", |game| {
            offers(game).any(|(_, paid)| paid == [0; 5])
        }),
        Kind::new("a card that only a discount brings within reach", |game| {
            let plain = Holdings {
                discounts: [0; 4],
                ..me(game).clone()
            };
            offers(game).any(|(card, _)| plain.payment(card).is_none())
        }),
        Kind::new("to buy a card that is worth nothing", |game| {
            offers(game).any(|(card, _)| card.points == 0)
        }),
        Kind::new("to buy the newest card", |game| {
            let newest = game.table().market.last();
            newest.is_some_and(|card| me(game).payment(card).is_some())
        }),
        Kind::new("several cards to buy", |game| offers(game).count() > 1),
        Kind::new("fewer than eight cards in the market", |game| {
            game.table().market.len() < MARKET
        }),
        Kind::new("one card in the market", |game| {
            game.table().market.len() == 1
        }),
        Kind::new("eight cards in the market and none in the deck", |game| {
            game.table().market.len() == MARKET && game.hidden().is_empty()
        }),
        Kind::new("five wild tokens or more", |game| {
            me(game).tokens[WILD] >= 5
        }),
        Kind::new("ten tokens of a colour or more", |game| {
            me(game).tokens.iter().any(|&tokens| tokens >= 10)
        }),
        Kind::new("a price of ten or more", |game| {
            let prices = game.table().market.iter().flat_map(|card| card.price);
            prices.into_iter().any(|price| price >= 10)
        }),
        Kind::new("somebody has ten points or more", |game| {
            let mut players = game.table().players.iter();
            players.any(|player| player.points >= 10)
        }),
        Kind::new("the first turn of all", |game| game.turns() == 0),
        Kind::new("the last of the round", |game| {
            let seat = game.to_move().map_or(0, Seat::index);
            seat + 1 == game.seats()
        }),
        Kind::new("after a hundred turns", |game| game.turns() > 100),
        Kind::new("a tenth player or a later one", |game| {
            game.to_move().is_some_and(|seat| seat.index() >= 9)
        }),
    ];

    const SENSIBLE: &'static [&'static str] = &["shenzi", "ed", "banzai", "random"];

    const VARIATIONS: &'static [Variation] = &[
        Variation {
            name: "two players",
            options: &[("players", "2")],
        },
        Variation {
            name: "26 players",
            options: &[("players", "26"), ("tokens", "12")],
        },
        Variation {
            name: "two tokens a pile",
            options: &[("tokens", "2")],
        },
        Variation {
            name: "five players, four tokens a pile",
            options: &[("players", "5"), ("tokens", "4")],
        },
        Variation {
            name: "one token a pile",
            options: &[("players", "2"), ("tokens", "1")],
        },
        Variation {
            name: "many tokens, a far target",
            options: &[("players", "4"), ("tokens", "30"), ("points", "60")],
        },
        Variation {
            name: "no tokens",
            options: &[("tokens", "0")],
        },
    ];

    const CARD_WORDS: &'static [&'static str] = &["P", "B", "Y", "R"];

    /// A small deck of odd cards: free ones, cheap ones, dear ones, and many of one colour.
    fn contrive(setup: &Setup, seed: Seed) -> Austerity {
        if setup.deck.is_some() {
            return Austerity::deal(setup, seed);
        }
        let mut rng = seed.rng();
        let count = [1, 3, MARKET, 2 * MARKET, 8 * MARKET][rng.below(5)];
        let count = 1 + rng.below(count);
        let odd = rng.below(ODDITIES.len());
        let card = |_| {
            // Half of the cards are odd in the same way.
            let oddity = [odd, rng.below(ODDITIES.len())][rng.below(2)];
            ODDITIES[oddity](&mut rng)
        };
        let deck = Deck::new((0..count).map(card).collect());
        let setup = Setup {
            deck,
            ..setup.clone()
        };
        Austerity::deal(&setup, seed)
    }
}

/// Ways to make up a card.
const ODDITIES: [fn(&mut Rng) -> Card; 5] = [
    // Free.
    |rng| Card {
        bonus: Colour::ALL[rng.below(4)],
        points: rng.below(2) as u32,
        price: [0; 4],
    },
    // One token, and discounts that soon are more than that.
    |rng| {
        let mut price = [0; 4];
        price[rng.below(4)] = 1;
        Card {
            bonus: Colour::ALL[rng.below(4)],
            points: rng.below(3) as u32,
            price,
        }
    },
    // Two colours, one of which soon costs nothing.
    |rng| Card {
        bonus: Colour::Purple,
        points: 1,
        price: [1, 1 + rng.below(4) as u32, 0, 0],
    },
    // Some of everything.
    |rng| Card {
        bonus: Colour::ALL[rng.below(4)],
        points: rng.below(4) as u32,
        price: std::array::from_fn(|_| rng.below(4) as u32),
    },
    // Numbers of two digits.
    |rng| Card {
        bonus: Colour::ALL[rng.below(4)],
        points: 10 + rng.below(5) as u32,
        price: std::array::from_fn(|_| (rng.below(2) * (10 + rng.below(4))) as u32),
    },
];

/// How many piles are empty.
fn empty(game: &Austerity) -> usize {
    let piles = game.table().piles.iter();
    piles.filter(|&&pile| pile == 0).count()
}

/// What the player to move has.
fn me(game: &Austerity) -> &Holdings {
    let seat = game.to_move().map_or(0, Seat::index);
    &game.table().players[seat]
}

/// The cards that the player to move can buy, and what it pays for them.
fn offers(game: &Austerity) -> impl Iterator<Item = (&Card, Payment)> {
    let market = game.table().market.iter();
    market.filter_map(|card| Some((card, me(game).payment(card)?)))
}

/// Whether a discount makes the card cheaper.
fn is_reduced(player: &Holdings, card: &Card) -> bool {
    player.need(card) != card.price.map(i64::from)
}

/// Whether a discount is more than what the card costs in its colour.
fn is_exceeded(player: &Holdings, card: &Card) -> bool {
    let mut prices = card.price.into_iter().zip(player.discounts);
    prices.any(|(price, discount)| discount > i64::from(price))
}
