//! Comparisons of real players.

use croupier_arena::{Comparison, Course, DealerTerms, Entrant, Guest, RankBy, Unplayed, Who};
use croupier_bots::{Hosted, House, Interrupt, Limits, Tier};
use croupier_core::{Options, RandomPlayer, Seed};
use croupier_games::intensity::Intensity;
use croupier_games::uno::Uno;
use nix::sys::signal::{Signal, raise};

fn entrant(spec: &str) -> Entrant {
    Entrant {
        name: spec.to_owned(),
        spec: spec.to_owned(),
        who: Who::BuiltIn(spec.to_owned()),
        identity: String::new(),
        added: false,
    }
}

fn compare<G: Hosted>(
    players: [&str; 2],
    course: Course,
    interrupt: Option<Interrupt>,
) -> (Comparison, Option<Unplayed>) {
    compare_entrants::<G>(&players.map(entrant), course, interrupt)
}

fn compare_entrants<G: Hosted>(
    entrants: &[Entrant; 2],
    course: Course,
    interrupt: Option<Interrupt>,
) -> (Comparison, Option<Unplayed>) {
    let house = House::new(Tier::None, Limits::default());
    let terms = DealerTerms::<G> {
        entrants,
        setup: &G::setup(&Options::new()).expect("no options are good options"),
        house: &House { interrupt, ..house },
        records: false,
        faults: 0,
    };
    Comparison::run(&terms, course, |_| {})
}

const COURSE: Course = Course {
    seats: 4,
    seed: Seed(5),
    rank_by: RankBy::Points,
    blocks: 200,
    to_the_end: false,
    threads: 1,
};

/// How many of 2,000 comparisons of equal players come to a verdict. If more than 5 of 100 did, 77
/// or fewer would come up with a probability of 1 %.
fn false_alarms<G: Hosted>(player: &str, rank_by: RankBy, blocks: u64) -> usize {
    let is_told_apart = |&seed: &u64| {
        let course = Course {
            seed: Seed(seed),
            rank_by,
            blocks,
            ..COURSE
        };
        let (comparison, _) = compare::<G>([player; 2], course, None);
        comparison.verdict().is_some()
    };
    (0..2_000).filter(is_told_apart).count()
}

#[test]
fn equal_players_are_hardly_ever_told_apart() {
    let alarms = false_alarms::<Intensity>("random", RankBy::Points, 100);
    assert!(alarms <= 77, "{alarms}");
}

/// Also where scores are lopsided: in Uno one of four has all of them.
#[test]
fn nor_are_they_by_score() {
    let alarms = false_alarms::<Uno>("naive", RankBy::Score, 50);
    assert!(alarms <= 77, "{alarms}");
}

#[test]
fn who_scores_better_is_found_where_the_lowest_wins_and_where_the_highest_does() {
    let course = Course {
        rank_by: RankBy::Score,
        ..COURSE
    };
    let (intensity, _) = compare::<Intensity>(["careful", "random"], course, None);
    let [a, b] = intensity.scores();
    assert!(a < b, "penalty points: {a} and {b}");
    assert_eq!(intensity.verdict(), Some(std::cmp::Ordering::Greater));
    let (uno, _) = compare::<Uno>(["naive", "careful"], course, None);
    let [a, b] = uno.scores();
    assert!(a < b, "what is won: {a} and {b}");
    assert_eq!(uno.verdict(), Some(std::cmp::Ordering::Less));
}

#[test]
fn threads_change_nothing_and_it_stops_when_it_is_clear() {
    let (alone, _) = compare::<Intensity>(["careful", "random"], COURSE, None);
    assert!(alone.blocks() < 100);
    assert_eq!(alone.verdict(), Some(std::cmp::Ordering::Greater));
    let course = Course {
        threads: 3,
        ..COURSE
    };
    assert_eq!(
        compare::<Intensity>(["careful", "random"], course, None).0,
        alone
    );
    let (turned, _) = compare::<Intensity>(["random", "careful"], COURSE, None);
    assert_eq!(turned.verdict(), Some(std::cmp::Ordering::Less));
    let course = Course {
        to_the_end: true,
        ..COURSE
    };
    assert_eq!(
        compare::<Intensity>(["careful", "random"], course, None)
            .0
            .blocks(),
        200
    );
}

#[test]
fn it_can_be_stopped() {
    let interrupt = Interrupt::install(&[Signal::SIGUSR1 as i32]).unwrap();
    raise(Signal::SIGUSR1).unwrap();
    let (nothing, cut_short) = compare::<Intensity>(["careful", "random"], COURSE, Some(interrupt));
    assert_eq!(nothing.blocks(), 0);
    assert!(matches!(cut_short, Some(Unplayed::Stopped)));
}

#[test]
fn a_guest_plays_as_the_player_that_it_brings() {
    let guest = Entrant {
        who: Who::Guest(Guest::new::<Uno>("mine", || Box::<RandomPlayer>::default())),
        ..entrant("mine")
    };
    let (with_guest, cut_short) =
        compare_entrants::<Uno>(&[guest, entrant("careful")], COURSE, None);
    assert!(cut_short.is_none());
    assert_eq!(
        with_guest,
        compare::<Uno>(["random", "careful"], COURSE, None).0
    );
}
