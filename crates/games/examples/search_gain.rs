//! What more time is worth: experts with 10 ms, 100 ms and a second choose in the same positions, and
//! where they differ one with five seconds says how many points for places each step wins. That tells
//! small differences of strength apart for which games would have to be played for days.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use croupier_core::{Offered, Options, Seed};
use croupier_games::austerity::Austerity;
use croupier_games::friday13::Friday13;
use croupier_games::intensity::Intensity;
use croupier_games::uno::Uno;
use croupier_search::{Budget, Searched, Thinking, search};

const BUDGETS: [u64; 3] = [10, 100, 1000];
const STEPS: usize = BUDGETS.len() - 1;
const JUDGE: u64 = 5000;

/// Takes the number of positions in each game, 400 if nothing is said, and the games, all if none is
/// named.
fn main() {
    let mut arguments = std::env::args().skip(1);
    let positions = arguments.next().map_or(Ok(400), |number| number.parse());
    let positions = positions.expect("the first argument is a number of positions");
    let games: Vec<String> = arguments.collect();
    measure::<Intensity>(positions, &games);
    measure::<Friday13>(positions, &games);
    measure::<Uno>(positions, &games);
    measure::<Austerity>(positions, &games);
}

fn measure<G: Searched + Offered>(positions: usize, games: &[String]) {
    if !games.is_empty() && !games.iter().any(|game| game == G::PROFILE.name) {
        return;
    }
    let (views, choices) = views::<G>(positions);
    let next = Mutex::new(views.iter().zip(0..));
    let gains = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((view, number)) = taken(&next, Iterator::next) {
                    let gain = gain::<G>(view, Seed(number));
                    taken(&gains, |gains| gains.push(gain));
                }
            });
        }
    });
    let gains = taken(&gains, std::mem::take);
    let count = gains.len() as f64;
    println!(
        "{}: {count} positions, {choices:.1} choices a game",
        G::PROFILE.title
    );
    for step in 0..STEPS {
        let mean = gains.iter().map(|gain| gain[step]).sum::<f64>() / count;
        let squares = gains.iter().map(|gain| (gain[step] - mean).powi(2));
        let error = (squares.sum::<f64>() / (count * (count - 1.0))).sqrt();
        let differ = gains.iter().filter(|gain| gain[step] != 0.0).count();
        println!(
            "  {:>4} ms instead of {:>3} ms: another choice in {differ:>3}, {:+.3} ± {:.3} points a game",
            BUDGETS[step + 1],
            BUDGETS[step],
            mean * choices,
            error * choices,
        );
    }
}

fn taken<T, R>(shared: &Mutex<T>, take: impl FnOnce(&mut T) -> R) -> R {
    take(&mut shared.lock().expect("nobody panics with it"))
}

/// What is seen by whoever has a choice, now and then in games of quick experts, and how many choices
/// a player has in a game.
fn views<G: Searched + Offered>(positions: usize) -> (Vec<G::View>, f64) {
    let options = G::PROFILE.options.iter();
    let usual = options.filter_map(|option| Some((option.name, option.default?)));
    let usual: Options = usual
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let setup = G::setup(&usual).expect("the usual options are good");
    let quick = Thinking::iterations(100.try_into().expect("it is not zero"));
    let mut views = Vec::new();
    let mut rng = Seed(1).rng();
    let (mut seats, mut choices) = (0, 0);
    for number in 0.. {
        let mut game = G::deal(&setup, Seed(number));
        seats += game.seats();
        while let Some(seat) = game.to_move() {
            let view = game.view(seat);
            let thoughts = search::<G>(&view, &quick, Seed(rng.bits()));
            if thoughts.len() > 1 {
                choices += 1;
                if rng.below(30) == 0 {
                    views.push(view);
                }
            }
            game.play(thoughts[0].choice)
                .expect("experts play by the rules");
        }
        if views.len() >= positions {
            break;
        }
    }
    (views, f64::from(choices) / seats as f64)
}

/// What each step of time wins, in the opinion of the judge, who is asked only if it matters.
fn gain<G: Searched + Offered>(view: &G::View, seed: Seed) -> [f64; STEPS] {
    let thoughts = |millis, chance| {
        let thinking = Thinking {
            budget: Budget::Time(Duration::from_millis(millis)),
            ..Thinking::default()
        };
        search::<G>(view, &thinking, chance)
    };
    let choices = BUDGETS.map(|millis| thoughts(millis, seed.deal(1))[0].choice);
    if choices.iter().all(|choice| *choice == choices[0]) {
        return [0.0; STEPS];
    }
    let judged = thoughts(JUDGE, seed.deal(0));
    let worth = choices.map(|choice| {
        let opinion = judged.iter().find(|thought| thought.choice == choice);
        opinion.expect("the judge knows every choice").estimate
    });
    std::array::from_fn(|step| worth[step + 1] - worth[step])
}
