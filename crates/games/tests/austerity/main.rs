//! Austerity: the rules, the text, and the players.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

#[path = "../shared/exhaustive.rs"]
mod exhaustive;
mod expert;
mod laws;
mod players;
mod rules;
mod sampling;
mod text;

use croupier_core::{Game, Seed};
use croupier_games::austerity::{Austerity, Card, Deck, Move, Setup};

fn deck(cards: &[&str]) -> Deck {
    Deck::parse(cards.join("\n").as_bytes()).unwrap()
}

fn card(text: &str) -> Card {
    deck(&[text]).cards()[0]
}

/// A table with these cards, 7 tokens of each colour, and no limit on turns.
fn table(players: usize, points: i64, cards: &[&str]) -> Austerity {
    let setup = Setup::new(players, 7, points, Some(deck(cards)), None).unwrap();
    Austerity::deal(&setup, Seed(0))
}

fn play(game: &mut Austerity, moves: &[&str]) {
    for text in moves {
        let choice: Move = text.parse().unwrap();
        game.play(choice).unwrap();
    }
}

fn refusal(game: &mut Austerity, text: &str) -> String {
    game.play(text.parse().unwrap()).unwrap_err().to_string()
}

fn legal(game: &Austerity) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}
