//! How fast Intensity is, on one thread: `cargo run --release --example intensity_speed`.
//!
//! Random games go through the same loop as all others, with players behind one type and behind
//! a pointer each. Samples are drawn for what the seat to move sees, at every decision of random
//! games in turn.

use std::hint::black_box;
use std::time::Instant;

use croupier_core::{Game, Player, RandomPlayer, Sample, Seed, play};
use croupier_games::intensity::{Intensity, SEATS, Setup, View};

/// Four choices of cards to pass on and forty cards played.
const DECISIONS: u64 = 44;

fn main() {
    let games = 1_000_000;
    let views = all_views(500);
    let samples = 200 * views.len() as u64;
    for _ in 0..3 {
        let mut players: [RandomPlayer; SEATS] = Default::default();
        let seconds = timed(|| random_games(games, &mut players));
        report("decisions, one type of player", games * DECISIONS, seconds);
        let boxed = || -> Box<dyn Player<Intensity>> { Box::new(RandomPlayer::default()) };
        let mut players: Vec<_> = (0..SEATS).map(|_| boxed()).collect();
        let seconds = timed(|| random_games(games, &mut players));
        report("decisions, boxed players", games * DECISIONS, seconds);
        let seconds = timed(|| sample(&views, samples));
        report("samples, all moments of a game", samples, seconds);
    }
}

fn random_games<P: Player<Intensity>>(games: u64, players: &mut [P]) {
    for index in 0..games {
        let seed = Seed(1).deal(index);
        let _ = black_box(play::<Intensity, _, _>(&Setup {}, seed, players, &mut ()));
    }
}

/// What the seat to move sees, at every decision of so many random games.
fn all_views(games: u64) -> Vec<View> {
    let mut views = Vec::new();
    let mut rng = Seed(2).rng();
    for index in 0..games {
        let mut game = Intensity::deal(&Setup {}, Seed(2).deal(index));
        while let Some(seat) = game.to_move() {
            views.push(game.view(seat));
            let choice = game.random_move(&mut rng);
            let _ = choice.map(|choice| game.play(choice));
        }
    }
    views
}

fn sample(views: &[View], samples: u64) {
    let mut rng = Seed(3).rng();
    for (_, view) in (0..samples).zip(views.iter().cycle()) {
        black_box(Intensity::sample(view, &mut rng));
    }
}

fn timed(work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_secs_f64()
}

fn report(what: &str, count: u64, seconds: f64) {
    println!(
        "{what:<32}{:>8.1} million a second",
        count as f64 / seconds / 1e6
    );
}
