//! How fast the expert of Intensity thinks, on one thread: simulations a second at the first card
//! of a hand, where games are longest. `cargo xtask bench search` compares it with others.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use croupier_core::{Game, Seat, Seed};
use croupier_games::intensity::{Intensity, Setup, View};
use croupier_search::{Thinking, search};

const SIMULATIONS: NonZeroU64 = NonZeroU64::new(1000).expect("it is not zero");
const HANDS: u64 = 50;

fn main() {
    // The first search fills tables that are there from then on.
    let _ = simulate(&first_card(Seed(0)));
    let mut simulations = 0;
    let mut time = Duration::ZERO;
    for hand in 0..HANDS {
        let view = first_card(Seed(1).deal(hand));
        let start = Instant::now();
        simulations += simulate(&view);
        time += start.elapsed();
    }
    let speed = simulations as f64 / time.as_secs_f64();
    println!("{}", serde_json::json!({ "simulations_per_second": speed }));
}

/// What the first seat sees once cards have been passed at random.
fn first_card(seed: Seed) -> View {
    let mut game = Intensity::deal(&Setup {}, seed);
    let mut rng = seed.rng();
    while game.is_discarding() {
        let choice = game.random_move(&mut rng);
        let _ = choice.map(|choice| game.play(choice));
    }
    game.view(Seat(0))
}

/// How many simulations a search took.
fn simulate(view: &View) -> u64 {
    let thoughts = search::<Intensity>(view, &Thinking::iterations(SIMULATIONS), Seed(1));
    thoughts.iter().map(|thought| thought.visits).sum()
}
