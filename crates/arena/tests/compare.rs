//! Comparisons of real players.

use croupier_arena::{Comparison, Course, Entrant, Terms, Unplayed, Who};
use croupier_bots::{House, Interrupt, Limits, Tier};
use croupier_core::{Game, Options, Seed};
use croupier_games::intensity::Intensity;
use nix::sys::signal::{Signal, raise};

fn entrant(spec: &str) -> Entrant {
    Entrant {
        name: spec.to_owned(),
        spec: spec.to_owned(),
        who: Who::BuiltIn(spec.to_owned()),
        identity: String::new(),
    }
}

fn compare(
    players: [&str; 2],
    course: Course,
    interrupt: Option<Interrupt>,
) -> (Comparison, Option<Unplayed>) {
    let house = House::new(Tier::None, Limits::default());
    let terms = Terms::<Intensity> {
        entrants: &players.map(entrant),
        setup: &Intensity::setup(&Options::new()).expect("no options are good options"),
        house: &House { interrupt, ..house },
        records: false,
        faults: 0,
    };
    Comparison::run(&terms, course, |_| {})
}

const COURSE: Course = Course {
    seats: 4,
    seed: Seed(5),
    blocks: 200,
    to_the_end: false,
    threads: 1,
};

/// If equal players were told apart in more than 5 of 100 comparisons, 77 or fewer in 2,000 would
/// come up with a probability of 1 %.
#[test]
fn equal_players_are_hardly_ever_told_apart() {
    let alarms = (0..2_000)
        .filter(|&seed| {
            let course = Course {
                seed: Seed(seed),
                blocks: 100,
                ..COURSE
            };
            let (comparison, _) = compare(["random", "random"], course, None);
            comparison.verdict().is_some()
        })
        .count();
    assert!(alarms <= 77, "{alarms}");
}

#[test]
fn threads_change_nothing_and_it_stops_when_it_is_clear() {
    let (alone, _) = compare(["careful", "random"], COURSE, None);
    assert!(alone.blocks() < 100);
    assert_eq!(alone.verdict(), Some(std::cmp::Ordering::Greater));
    let course = Course {
        threads: 3,
        ..COURSE
    };
    assert_eq!(compare(["careful", "random"], course, None).0, alone);
    let (turned, _) = compare(["random", "careful"], COURSE, None);
    assert_eq!(turned.verdict(), Some(std::cmp::Ordering::Less));
    let course = Course {
        to_the_end: true,
        ..COURSE
    };
    assert_eq!(compare(["careful", "random"], course, None).0.blocks(), 200);
}

#[test]
fn it_can_be_stopped() {
    let interrupt = Interrupt::install(&[Signal::SIGUSR1 as i32]).unwrap();
    raise(Signal::SIGUSR1).unwrap();
    let (nothing, cut_short) = compare(["careful", "random"], COURSE, Some(interrupt));
    assert_eq!(nothing.blocks(), 0);
    assert!(matches!(cut_short, Some(Unplayed::Stopped)));
}
