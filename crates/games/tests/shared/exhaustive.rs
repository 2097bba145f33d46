//! Games in which nothing is hidden, solved by trying everything, and what an expert must have in
//! common with the solution.

use croupier_core::{Offered, Player, Seed, Thought, Turn, built_in};

/// What a player who is called for like this thinks of the moves in this game.
pub(crate) fn thoughts<G: Offered>(game: &G, spec: &str, chance: Seed) -> Vec<Thought<G::Move>> {
    let mut player = built_in::<G>(spec).unwrap();
    let turn = Turn::of(game).unwrap();
    player.start(turn.seat(), chance);
    let choice = player.decide(&turn).unwrap();
    let thoughts = player.thoughts().to_vec();
    assert_eq!(thoughts[0].choice, choice, "it plays what it thinks best");
    thoughts
}

/// What such a player plays, as text.
pub(crate) fn choice<G: Offered>(game: &G, spec: &str) -> String {
    thoughts(game, spec, Seed(1))[0].choice.to_string()
}

/// The points for places that the seat to move gets, at a table of two, if both play as well as one
/// can: 1 for a win, 0 for a loss.
fn value<G: Offered>(game: &G) -> f64 {
    let mut best = 0.0;
    let mut moves = Vec::new();
    game.legal(&mut moves);
    for choice in moves {
        best = f64::max(best, value_after(game, choice));
        if best == 1.0 {
            break;
        }
    }
    best
}

/// What a move is worth to the seat that makes it.
pub(crate) fn value_after<G: Offered>(game: &G, choice: G::Move) -> f64 {
    let seat = game.to_move().unwrap();
    let mut after = game.clone();
    after.play(choice).unwrap();
    match after.to_move() {
        None => after.outcome().points()[seat.index()],
        Some(next) if next == seat => value(&after),
        Some(_) => 1.0 - value(&after),
    }
}

/// The expert must play as well as one can, in games of two in which nothing is hidden. Says in how
/// many of them some moves win and others do not, so that there was something to find.
pub(crate) fn plays_perfectly<G: Offered>(games: impl Iterator<Item = G>, spec: &str) -> usize {
    let mut decided = 0;
    for (number, game) in games.enumerate() {
        assert_eq!(game.seats(), 2, "what one gains the other loses");
        let mut moves = Vec::new();
        game.legal(&mut moves);
        let values: Vec<f64> = moves.iter().map(|&m| value_after(&game, m)).collect();
        let best = values.iter().copied().fold(0.0, f64::max);
        let played = thoughts(&game, spec, Seed(1))[0].choice;
        let (worst, value) = (
            values.iter().copied().fold(1.0, f64::min),
            value_after(&game, played),
        );
        assert_eq!(
            value, best,
            "game {number}: {played} of {moves:?}, {values:?}"
        );
        decided += usize::from(worst < best);
    }
    decided
}
