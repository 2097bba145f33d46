//! A thought that nobody waits for any more ends, and the thoughts at other tables go on.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use croupier_core::{Cancel, NoAdvice, Options, Seed};
use croupier_games::GAMES;

/// How long an expert thinks here unless it is stopped: as long as a test may take at the very most.
const FOR_EVER: &str = "expert:time=60m";

#[test]
fn a_cancelled_thought_ends_and_others_go_on() {
    for entry in GAMES.0.iter().filter(|entry| entry.profile.decisions) {
        let name = entry.profile.name;
        let setup = entry.setup(&Options::new()).unwrap();
        let game = entry.deal(&setup, Seed(1)).unwrap();
        let (stopped, other) = (Cancel::new(), Cancel::new());
        let (begun, begins) = mpsc::channel();
        thread::scope(|scope| {
            let thought = scope.spawn(|| {
                begun.send(()).unwrap();
                game.ask(FOR_EVER, Seed(2), &stopped)
            });
            begins.recv().unwrap();
            // Long enough that it thinks by now, which is the harder case.
            thread::sleep(Duration::from_millis(30));
            let wished = Instant::now();
            stopped.cancel();
            assert_eq!(thought.join().unwrap(), Err(NoAdvice::Cancelled), "{name}");
            eprintln!("{name}: stopped after {:?}", wished.elapsed());
            let advice = game.ask("expert:iterations=200", Seed(2), &other).unwrap();
            assert!(game.legal().contains(&advice.choice), "{name}");
        });
    }
}
