//! What more time is worth: experts with 10 ms, 100 ms and a second choose in the same positions, and
//! one with five seconds says what their choices cost against its own, in points for places. That
//! tells small differences of strength apart for which games would have to be played for days.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use croupier_core::{Options, Seed};
use croupier_games::austerity::Austerity;
use croupier_games::friday13::Friday13;
use croupier_games::intensity::Intensity;
use croupier_games::uno::Uno;
use croupier_search::{Budget, Searched, Thinking, search};

const POSITIONS: usize = 80;
const BUDGETS: [u64; 3] = [10, 100, 1000];
const JUDGE: u64 = 5000;

fn main() {
    measure::<Intensity>();
    measure::<Friday13>();
    measure::<Uno>();
    measure::<Austerity>();
}

fn measure<G: Searched>() {
    let views = positions::<G>();
    let next = Mutex::new(views.iter().zip(0..));
    let losses = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((view, number)) = taken(&next, Iterator::next) {
                    let loss = loss::<G>(view, Seed(number));
                    taken(&losses, |losses| losses.push(loss));
                }
            });
        }
    });
    let losses = taken(&losses, std::mem::take);
    print!("{:<16} {} positions", G::PROFILE.title, losses.len());
    for (budget, millis) in BUDGETS.iter().enumerate() {
        let count = losses.len() as f64;
        let mean = losses.iter().map(|loss| loss[budget]).sum::<f64>() / count;
        let squares = losses.iter().map(|loss| (loss[budget] - mean).powi(2));
        let error = (squares.sum::<f64>() / (count * (count - 1.0))).sqrt();
        print!(", {millis} ms costs {mean:.4} ± {error:.4}");
    }
    println!();
}

fn taken<T, R>(shared: &Mutex<T>, take: impl FnOnce(&mut T) -> R) -> R {
    take(&mut shared.lock().expect("nobody panics with it"))
}

/// What is seen by whoever has a choice, once or twice in each of many games of quick experts.
fn positions<G: Searched>() -> Vec<G::View> {
    let options = G::PROFILE.options.iter();
    let usual = options.filter_map(|option| Some((option.name, option.default?)));
    let usual: Options = usual
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let setup = G::setup(&usual).expect("the usual options are good");
    let quick = Thinking::iterations(100.try_into().expect("it is not zero"));
    let mut views = Vec::new();
    let mut rng = Seed(1).rng();
    for number in 0.. {
        let mut game = G::deal(&setup, Seed(number));
        while let Some(seat) = game.to_move() {
            let view = game.view(seat);
            let thoughts = search::<G>(&view, &quick, Seed(rng.bits()));
            if thoughts.len() > 1 && rng.below(30) == 0 {
                views.push(view);
            }
            if views.len() == POSITIONS {
                return views;
            }
            game.play(thoughts[0].choice)
                .expect("experts play by the rules");
        }
    }
    views
}

/// What the choice with each budget costs, in the opinion of the judge.
fn loss<G: Searched>(view: &G::View, seed: Seed) -> [f64; BUDGETS.len()] {
    let thoughts = |millis, chance| {
        let thinking = Thinking {
            budget: Budget::Time(Duration::from_millis(millis)),
            ..Thinking::default()
        };
        search::<G>(view, &thinking, chance)
    };
    let judged = thoughts(JUDGE, seed.deal(0));
    BUDGETS.map(|millis| {
        let choice = thoughts(millis, seed.deal(1))[0].choice;
        let opinion = judged.iter().find(|thought| thought.choice == choice);
        judged[0].estimate - opinion.map_or(f64::NAN, |thought| thought.estimate)
    })
}
