//! Positions to test with, written out or reached by chance.

use croupier_core::{Game, Seat, Seed};
use croupier_games::uno::{Card, Cards, Direction, Mode, Position, SEATS, Setup, Uno};
use proptest::prelude::*;

/// Cards from a list like `red 7, wild`.
pub(crate) fn cards(list: &str) -> Vec<Card> {
    let names = list.split(", ").filter(|name| !name.is_empty());
    names.map(|name| name.parse().unwrap()).collect()
}

pub(crate) fn row(list: &str) -> Cards {
    Cards::new(&cards(list)).unwrap()
}

/// The cards of a whole deck without these.
pub(crate) fn without(taken: &[&str]) -> Vec<Card> {
    let mut rest = Cards::NEW_DECK.to_vec();
    for card in taken.iter().flat_map(|list| cards(list)) {
        let place = rest.iter().position(|&other| other == card);
        rest.remove(place.unwrap_or_else(|| panic!("one {card} too many")));
    }
    rest
}

/// Seat 0 is to move, to the right, with these hands and discards; the rest is in the deck, and
/// `next` will be drawn first, its last card before the others.
pub(crate) fn position(hands: [&str; 4], discards: &str, next: &str) -> Position {
    let [a, b, c, d] = hands;
    let mut deck = without(&[a, b, c, d, discards, next]);
    deck.extend(cards(next));
    Position {
        hands: hands.map(row),
        deck: Cards::new(&deck).unwrap(),
        discards: row(discards),
        to_move: Seat(0),
        direction: Direction::Right,
        last_colour_called: None,
        colours_called: [None; SEATS],
    }
}

/// The same with an empty deck: seat 3 holds all other cards as well.
pub(crate) fn position_without_deck(hands: [&str; 4], discards: &str) -> Position {
    let mut position = position(hands, discards, "");
    let mut rest = position.hands[3].to_vec();
    rest.extend(position.deck.iter());
    position.hands[3] = Cards::new(&rest).unwrap();
    position.deck = Cards::NONE;
    position
}

pub(crate) fn resume(position: &Position) -> Uno {
    Uno::resume(Setup::default(), position, Seed(7).rng()).unwrap()
}

pub(crate) fn go(game: &mut Uno, choice: &str) {
    game.play(choice.parse().unwrap()).unwrap();
}

pub(crate) fn refused(game: &mut Uno, choice: &str) -> String {
    let before = game.clone();
    let rule = game.play(choice.parse().unwrap()).unwrap_err().to_string();
    assert_eq!(*game, before, "a refused move changes nothing");
    rule
}

pub(crate) fn hand(game: &Uno, seat: usize) -> String {
    let names = game.position().hands[seat]
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>();
    names.join(", ")
}

pub(crate) fn legal(game: &Uno) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}

pub(crate) fn casual() -> Setup {
    Setup {
        mode: Mode::Casual,
        ..Setup::default()
    }
}

/// A game in the middle, reached by random moves and fouls.
pub(crate) fn any_game() -> impl Strategy<Value = Uno> {
    (any::<u64>(), any::<bool>(), 0usize..200, 0u64..8).prop_map(
        |(seed, casually, moves, fouls)| {
            let mut setup = if casually { casual() } else { Setup::default() };
            setup.scores = [3, 1, 4, 1].map(|n| n * (seed % 1000) as i32);
            let mut rng = Seed(seed).player(Seat(9)).rng();
            let mut game = Uno::deal(&setup, Seed(seed));
            for _ in 0..moves {
                let before = game.clone();
                if rng.bits() % 8 < fouls {
                    game.foul();
                } else if let Some(choice) = game.random_move(&mut rng) {
                    game.play(choice).unwrap();
                }
                if game.to_move().is_none() {
                    return before;
                }
            }
            game
        },
    )
}

pub(crate) fn is_a_whole_deck(position: &Position) -> bool {
    let rows = position
        .hands
        .iter()
        .chain([&position.deck, &position.discards]);
    let mut all: Vec<Card> = rows.flat_map(|row| row.iter().copied()).collect();
    let mut deck = Cards::NEW_DECK.to_vec();
    for cards in [&mut all, &mut deck] {
        cards.sort_by_key(ToString::to_string);
    }
    all == deck
}
