//! Intensity: the rules, against examples and against a second reading of them; what a seat sees
//! and can imagine; the text of the game; its players.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

mod ending;
mod expert;
mod players;
mod rules;
mod sampling;
mod slow;
mod views;
mod wire;

use croupier_core::{Game, Seat, Seed};
use croupier_games::intensity::{Card, Cards, Intensity, Playing, SEATS, Setup, View};

fn cards(numbers: &[u8]) -> Cards {
    numbers.iter().map(|&n| Card::new(n).unwrap()).collect()
}

fn numbers(cards: Cards) -> Vec<u8> {
    cards.iter().map(Card::number).collect()
}

fn dealt(hands: [&[u8]; SEATS]) -> Intensity {
    Intensity::from_hands(hands.map(cards), Seed(0).rng()).unwrap()
}

/// Makes these moves, each of which must be legal.
fn make(game: &mut Intensity, moves: &[&str]) {
    for text in moves {
        let choice = text.parse().unwrap();
        game.play(choice)
            .unwrap_or_else(|rule| panic!("{text}: {rule}"));
    }
}

fn refusal(game: &mut Intensity, text: &str) -> String {
    let before = game.clone();
    let rule = game.play(text.parse().unwrap()).unwrap_err();
    assert_eq!(*game, before, "a refused move changes nothing");
    rule.to_string()
}

fn legal(game: &Intensity) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}

fn list(numbers: &[u8]) -> Vec<Card> {
    numbers.iter().map(|&n| Card::new(n).unwrap()).collect()
}

/// A game in which so many random decisions have been made.
fn random_game(seed: u64, decisions: usize) -> Intensity {
    let mut rng = Seed(seed).player(Seat(9)).rng();
    let mut game = Intensity::deal(&Setup {}, Seed(seed));
    for _ in 0..decisions {
        let choice = game.random_move(&mut rng).unwrap();
        game.play(choice).unwrap();
    }
    game
}

fn playing(game: &Intensity, seat: usize) -> Playing {
    match game.view(Seat::from(seat)) {
        View::Playing(playing) => playing,
        View::Discarding(_) => panic!("the cards have not been passed"),
    }
}
