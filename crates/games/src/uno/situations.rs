//! What programs get wrong in Uno: which colour counts on a wild card, what matches besides the
//! colour, and hands that are much longer or shorter than usual.

use croupier_core::{Kind, Rng, Seed, Situations, Variation};

use super::{Card, Cards, Colour, DECK, Direction, Face, Position, SEATS, Setup, Uno};

impl Situations for Uno {
    const KINDS: &'static [Kind<Uno>] = &[
        Kind::new("a wild card on top, the colour called in hand", |game| {
            let called = game.last_colour;
            top(game).is_wild() && called.is_some() && any(game, |card| card.colour() == called)
        }),
        Kind::new(
            "a wild card on top, the colour called not in hand",
            |game| {
                let called = game.last_colour;
                top(game).is_wild() && !any(game, |card| card.colour() == called)
            },
        ),
        Kind::new("a wild draw four on top", |game| {
            top(game) == Card::WILD_DRAW_FOUR
        }),
        Kind::new("a wild card on a wild card", |game| {
            top(game).is_wild() && any(game, Card::is_wild)
        }),
        Kind::new(
            "a coloured card on top, another colour called before",
            |game| {
                let called = game.last_colour;
                let is_old = |card: Card| card.colour() == called && !matches(game, card);
                called.is_some() && called != top(game).colour() && any(game, is_old)
            },
        ),
        Kind::new("no colour called yet, a wild card below the top", |game| {
            game.last_colour.is_none() && game.discards.len() > 1 && game.discards[0].is_wild()
        }),
        Kind::new("nothing to play", |game| playable(game) == 0),
        Kind::new("nothing to play, one card left", |game| {
            playable(game) == 0 && game.hand().len() == 1
        }),
        Kind::new("one card left, and it can be played", |game| {
            playable(game) == 1 && game.hand().len() == 1
        }),
        Kind::new("one card left, and it is wild", |game| {
            game.hand().len() == 1 && any(game, Card::is_wild)
        }),
        Kind::new("only wild cards can be played", |game| {
            playable(game) > 0 && !any(game, |card| matches(game, card) && !card.is_wild())
        }),
        Kind::new("only a wild draw four can be played", |game| {
            playable(game) == 1 && any(game, |card| card == Card::WILD_DRAW_FOUR)
        }),
        Kind::new("nothing but wild cards in hand", |game| {
            !any(game, |card| !card.is_wild())
        }),
        Kind::new("only an equal number in another colour matches", |game| {
            matches!(top(game).face(), Face::Number(_)) && only_by_face(game)
        }),
        Kind::new(
            "only a like special card in another colour matches",
            |game| {
                !top(game).is_wild()
                    && !matches!(top(game).face(), Face::Number(_))
                    && only_by_face(game)
            },
        ),
        Kind::new("an unlike special card that is worth as much", |game| {
            let worth = |card: Card| card.points() == 20 && top(game).points() == 20;
            any(game, |card| worth(card) && !matches(game, card))
        }),
        Kind::new("a number 0 on top or in hand", |game| {
            let zero = |card: Card| card.face() == Face::Number(0);
            zero(top(game)) || any(game, zero)
        }),
        Kind::new("only the last card of the hand can be played", |game| {
            let hand = game.hand();
            hand.len() > 1 && playable(game) == 1 && matches(game, hand[hand.len() - 1])
        }),
        Kind::new("a hand of more than ten cards", |game| {
            game.hand().len() > 10
        }),
        Kind::new("a hand of more than twenty cards", |game| {
            game.hand().len() > 20
        }),
        Kind::new(
            "a card beyond the tenth is the first that matches",
            |game| {
                let hand = game.hand().iter();
                hand.copied().position(|card| matches(game, card)) >= Some(10)
            },
        ),
        Kind::new("the discards just shuffled into the deck", |game| {
            game.discards.len() == 1 && game.turns() > 0
        }),
        Kind::new("a wild card the only discard", |game| {
            game.discards.len() == 1 && top(game).is_wild()
        }),
        Kind::new("more than fifty discards", |game| game.discards.len() > 50),
        Kind::new("an empty deck", |game| game.deck.is_empty()),
        Kind::new("play goes to the left", |game| {
            game.direction == Direction::Left
        }),
        Kind::new("an opponent with one card", |game| {
            let mut hands = game.position().hands.into_iter();
            game.hand().len() > 1 && hands.any(|hand| hand.len() == 1)
        }),
        Kind::new("the first turn", |game| game.turns() == 0),
    ];

    const SENSIBLE: &'static [&'static str] = &["naive", "careful"];

    const VARIATIONS: &'static [Variation] = &[
        Variation {
            name: "first player and direction drawn, scores from games before",
            options: &[("mode", "casual"), ("scores", "512,0,1234,98")],
        },
        Variation {
            name: "large scores",
            options: &[("scores", "250000,1000000,99999,2147483000")],
        },
    ];

    const CARD_WORDS: &'static [&'static str] = &[
        "red",
        "green",
        "blue",
        "yellow",
        "skip",
        "reverse",
        "draw-two",
        "wild-draw-four",
    ];

    /// A game in the middle: any hand may be long or short, and the deck short or empty.
    fn contrive(setup: &Setup, seed: Seed) -> Uno {
        let mut rng = seed.rng();
        let mut cards = Cards::NEW_DECK;
        rng.shuffle(cards.as_mut_slice());
        let mut hands = [const { Cards::NONE }; SEATS];
        for hand in &mut hands {
            let most = [2, 8, 25][rng.below(3)];
            *hand = drawn(&mut cards, 1 + rng.below(most));
        }
        let most = [1, 10, cards.len()][rng.below(3)];
        let discards = drawn(&mut cards, 1 + rng.below(most));
        if discards.len() == 1 && rng.below(3) == 0 {
            let rest = drawn(&mut cards, DECK);
            let hand = &mut hands[rng.below(SEATS)];
            rest.iter().for_each(|&card| hand.push(card));
        }
        let colour = |rng: &mut Rng| Colour::ALL[rng.below(4)];
        let position = Position {
            hands,
            deck: cards,
            discards,
            to_move: rng.below(SEATS).into(),
            direction: [Direction::Left, Direction::Right][rng.below(2)],
            last_colour_called: Some(colour(&mut rng)),
            colours_called: std::array::from_fn(|_| Some(colour(&mut rng))),
        };
        Uno::resume(*setup, &position, rng).expect("all cards are somewhere, and nobody is out")
    }
}

/// The top cards of a deck.
fn drawn(deck: &mut Cards, count: usize) -> Cards {
    let mut drawn = Cards::NONE;
    for _ in 0..count {
        deck.pop().into_iter().for_each(|card| drawn.push(card));
    }
    drawn
}

fn top(game: &Uno) -> Card {
    *game.discards.last().expect("a card is always turned up")
}

fn matches(game: &Uno, card: Card) -> bool {
    card.matches(top(game), game.last_colour)
}

/// How many cards of the hand can be played.
fn playable(game: &Uno) -> usize {
    let hand = game.hand().iter();
    hand.filter(|&&card| matches(game, card)).count()
}

/// Whether there is such a card in the hand.
fn any(game: &Uno, is_such: impl Fn(Card) -> bool) -> bool {
    game.hand().iter().any(|&card| is_such(card))
}

/// Whether something can be played, but nothing of the colour of the top card and nothing wild.
fn only_by_face(game: &Uno) -> bool {
    let otherwise = |card: Card| card.is_wild() || card.colour() == top(game).colour();
    playable(game) > 0 && !any(game, otherwise)
}
