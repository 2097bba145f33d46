//! How well the experts keep to their time while every core is busy: of all decisions of some games
//! the share that took at most 1.1 times the budget and 5 ms, and the slowest.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use croupier_core::{NoMove, Offered, Options, Player, Seat, Seed, Turn, built_in, play};
use croupier_games::austerity::Austerity;
use croupier_games::friday13::Friday13;
use croupier_games::intensity::Intensity;
use croupier_games::uno::Uno;

const BUDGET: Duration = Duration::from_millis(50);

fn main() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        measure::<Intensity>(6);
        measure::<Friday13>(1);
        measure::<Uno>(2);
        measure::<Austerity>(1);
        over.store(true, Ordering::Relaxed);
    });
}

/// Plays so many games with experts in all seats.
fn measure<G: Offered>(games: u64) {
    let setup = G::setup(&usual::<G>()).expect("the usual options are good");
    let mut taken = Vec::new();
    for game in 0..games {
        let seats = G::deal(&setup, Seed(game)).seats();
        let mut players: Vec<Timed<G>> = (0..seats).map(|_| Timed::new()).collect();
        let result = play::<G, _, _>(&setup, Seed(game), &mut players, &mut ());
        result.expect("experts do not fail");
        taken.extend(players.into_iter().flat_map(|player| player.taken));
    }
    taken.sort();
    let enough = BUDGET * 11 / 10 + Duration::from_millis(5);
    let in_time = taken.partition_point(|time| *time <= enough);
    println!(
        "{:<16} {:>6} decisions, {:.2} % in time, the slowest {:.1} ms",
        G::PROFILE.title,
        taken.len(),
        100.0 * in_time as f64 / taken.len() as f64,
        taken.last().map_or(0.0, |time| time.as_secs_f64() * 1e3),
    );
}

/// What the game's options are if nobody says anything.
fn usual<G: Offered>() -> Options {
    let options = G::PROFILE.options.iter();
    let given = options.filter_map(|option| Some((option.name, option.default?)));
    given
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// An expert with a watch beside it.
struct Timed<G: Offered> {
    expert: Box<dyn Player<G>>,
    taken: Vec<Duration>,
}

impl<G: Offered> Timed<G> {
    fn new() -> Timed<G> {
        let spec = format!("expert:time={}ms", BUDGET.as_millis());
        Timed {
            expert: built_in(&spec).expect("every game with decisions has an expert"),
            taken: Vec::new(),
        }
    }
}

impl<G: Offered> Player<G> for Timed<G> {
    fn start(&mut self, seat: Seat, chance: Seed) {
        self.expert.start(seat, chance);
    }

    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        let start = Instant::now();
        let choice = self.expert.decide(turn);
        self.taken.push(start.elapsed());
        choice
    }
}
