//! Friday the 13th: the rules, the state file, the check of a turn, and the players.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

#[path = "../shared/exhaustive.rs"]
mod exhaustive;
mod expert;
mod file;
mod laws;
mod players;
mod rules;
mod sampling;
mod turn;

use croupier_core::{Game, Seat, Seed};
use croupier_games::friday13::{Friday13, Setup, State, Terms};

/// A state from its lines, without the header; two players and threshold 13 unless told.
fn state(active: usize, hands: &[(&str, &str)], piles: &[&str]) -> State {
    let mut text = format!(
        "active player = {active}\nplayers number = {}\nexplosion threshold = 13\n",
        hands.len()
    );
    for (player, (hand, deck)) in hands.iter().enumerate() {
        let player = player + 1;
        text += &format!("{player} player hand cards: {hand}\n");
        text += &format!("{player} player deck cards: {deck}\n");
    }
    for (pile, cards) in piles.iter().enumerate() {
        text += &format!("{} pile cards: {cards}\n", pile + 1);
    }
    text.parse().unwrap()
}

/// The setup of which this is a state: two colours with the values 1 2 4 7, two greens of 4.
fn small() -> Setup {
    Setup::try_from(Terms {
        players: 2,
        colours: 2,
        greens: 2,
        green_value: 4,
        values: vec![1, 2, 4, 7],
        threshold: 13,
        rounds: 1,
    })
    .unwrap()
}

fn legal(game: &Friday13) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal(&mut moves);
    let mut moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    moves.sort();
    moves
}

fn read(text: &str) -> State {
    text.parse().unwrap()
}

/// A state somewhere in a game of the original parameters.
fn midgame(players: usize, seed: u64, moves: usize) -> (Setup, State) {
    let setup = Setup::try_from(Terms {
        players,
        rounds: 1,
        ..Terms::default()
    })
    .unwrap();
    let mut game = Friday13::deal(&setup, Seed(seed));
    let mut rng = Seed(seed).player(Seat(0)).rng();
    for _ in 0..moves {
        if let Some(choice) = game.random_move(&mut rng) {
            game.play(choice).unwrap();
        }
    }
    (setup, game.state())
}
