//! Who looks on finds what the one who plays finds, at every moment, and keeps nobody from playing.

use std::path::Path;

use croupier_arena::{
    Contest, Dealer, DealerTerms, Entrant, Format, Page, RankBy, Report, Seatings, Settings,
    Spectator, Store, StoreError, Who,
};
use croupier_bots::{House, Limits, Tier};
use croupier_core::{Contested, Game, Offered, Options, Seed};
use croupier_games::intensity::Intensity;

fn settings(format: Format, rounds: u64) -> Settings {
    let setup = Intensity::setup(&Options::new()).expect("a setup");
    Settings {
        game: Intensity::NAME.to_owned(),
        version: Intensity::VERSION,
        setup: serde_json::to_value(setup).expect("plain JSON"),
        seats: 4,
        format,
        rounds,
        seatings: Seatings::Rotations,
        seed: Seed(7),
        rank_by: RankBy::Score,
        anchor: None,
        records: Some(true),
        sandbox: Tier::None,
        limits: Limits::default(),
        suspend_after: None,
        shard: None,
    }
}

fn players(count: usize) -> Vec<Entrant> {
    let entrant = |number: usize| Entrant {
        name: format!("player {number}"),
        spec: "random".to_owned(),
        who: Who::BuiltIn(
            if number.is_multiple_of(2) {
                "random"
            } else {
                "careful"
            }
            .to_owned(),
        ),
        identity: String::new(),
        added: false,
    };
    let mut players: Vec<Entrant> = (0..count).map(entrant).collect();
    Entrant::identify::<Intensity>(&mut players, &[]);
    players
}

fn lowest_wins(game: &str) -> Option<bool> {
    (game == Intensity::NAME).then_some(Intensity::LOWEST_WINS)
}

fn report(contest: &Contest, store: &Store) -> serde_json::Value {
    Report::new(contest, store, 1).expect("a report").json()
}

/// Plays a contest in this folder, and lets somebody look after every few blocks, which come in an
/// order of their own.
fn watched(folder: &Path, format: Format, count: usize, rounds: u64) {
    let (settings, players, staff) = match format {
        Format::Gauntlet => (settings(format, rounds), players(count), {
            let mut staff = crate::players(3);
            for one in &mut staff {
                one.name = format!("staff {}", one.name);
                one.identity = format!("staff {}", one.identity);
            }
            staff
        }),
        _ => (settings(format, rounds), players(count), Vec::new()),
    };
    let setup = Intensity::setup(&Options::new()).expect("a setup");
    let mut store = Store::create(folder).expect("a store");
    store
        .enter(&settings, &players, &staff, &[])
        .expect("they enter");
    let mut contest = Contest::new::<Intensity>(settings, players, staff).expect("a contest");
    let entrants = contest.entrants().to_vec();
    let house = House::new(Tier::None, Limits::default());
    let terms = DealerTerms::<Intensity> {
        entrants: &entrants,
        setup: &setup,
        house: &house,
        records: true,
        faults: 0,
    };
    let mut dealer = Dealer::new(0);
    let mut spectator = Spectator::new(folder.to_owned());
    let mut looks = 0;
    loop {
        let missing = contest.missing(&mut store).expect("what is missing");
        let look = spectator.look(lowest_wins).expect("it can be read");
        let mut whole = contest.clone();
        whole.cut_short();
        assert_eq!(report(&look.contest, &look.store), report(&whole, &store));
        if missing.is_empty() {
            break;
        }
        // The last ones first.
        let numbers: Vec<usize> = (0..missing.len()).rev().collect();
        for few in numbers.chunks(5) {
            let play = |&number: &usize| {
                (
                    number,
                    dealer.play(&terms, &missing.plan(number)).expect("played"),
                )
            };
            let mut played = few.iter().map(play).collect();
            contest
                .keep(&mut store, &missing, &mut played)
                .expect("kept");
            let look = spectator.look(lowest_wins).expect("it can be read");
            assert!(look.is_new);
            let mut whole = contest.clone();
            whole.cut_short();
            assert_eq!(look.contest.progress(), whole.progress());
            assert_eq!(report(&look.contest, &look.store), report(&whole, &store));
            looks += 1;
        }
    }
    assert!(looks > 1, "{looks}");
    assert!(Store::is_in_use(folder));
    let look = spectator.look(lowest_wins).expect("it can be read");
    assert!(!look.is_new);
    assert_eq!(look.contest.progress().games, look.contest.progress().of);
    // The games of a player, page by page, are all its games.
    let mut games = Vec::new();
    for skip in 0.. {
        let page = Page { skip, most: 1 };
        let more = look.contest.games_of(&look.store, 0, page).expect("games");
        if more.is_empty() {
            break;
        }
        games.extend(more);
    }
    let own = |game: &croupier_arena::GameOf| game.seated.contains(&0) && game.is_recorded;
    assert!(games.iter().all(own));
    assert_eq!(games.len() as u64, look.contest.standings().of(0).games);
    assert!(games.is_sorted_by_key(|game| std::cmp::Reverse(game.round)));
    for game in games.iter().take(4) {
        let record = look.store.record(&game.id).expect("it is read");
        let record = record.expect("it was kept");
        let record = croupier_core::Record::parse(&record).expect("a record");
        let names = game
            .seated
            .iter()
            .map(|&number| look.contest.entrants()[number].name.clone());
        assert_eq!(record.header.players, names.collect::<Vec<_>>());
        assert_eq!(record.outcome.scores, game.outcome.scores);
        assert_eq!(record.outcome.places, game.outcome.places);
    }
    drop(store);
    assert!(!Store::is_in_use(folder));
    // Nobody plays any more, and it is found all the same.
    let again = Spectator::new(folder.to_owned())
        .look(lowest_wins)
        .expect("it can be read");
    assert_eq!(
        report(&again.contest, &again.store),
        report(&look.contest, &look.store)
    );
}

#[test]
fn a_round_robin_is_seen_as_it_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    watched(folder.path(), Format::RoundRobin, 6, 2);
}

#[test]
fn a_swiss_contest_is_seen_as_it_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    watched(folder.path(), Format::Swiss, 16, 3);
}

#[test]
fn a_gauntlet_is_seen_as_it_is_played() {
    let folder = tempfile::tempdir().expect("a folder");
    watched(folder.path(), Format::Gauntlet, 5, 3);
}

/// What the spectator says about a contest after this was done to its file.
fn wrong_after(change: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    watched(folder.path(), Format::RoundRobin, 5, 2);
    let file = rusqlite::Connection::open(folder.path().join("contest.sqlite")).expect("a file");
    file.execute_batch(change).expect("it is changed");
    drop(file);
    let looked = Spectator::new(folder.path().to_owned()).look(lowest_wins);
    let told = looked.expect_err(change).to_string();
    assert!(!told.contains('\n'), "{told}");
    told
}

#[test]
fn what_no_contest_can_hold_is_refused_in_a_line() {
    for (change, told) in [
        ("UPDATE contest SET settings = '{}'", "missing field"),
        (
            "UPDATE contest SET settings = json_set(settings, '$.seats', 1)",
            "cannot be filled",
        ),
        (
            "UPDATE contest SET settings = json_set(settings, '$.seats', 1000000000)",
            "cannot be filled",
        ),
        (
            "UPDATE contest SET settings = json_set(settings, '$.game', 'chess')",
            "'chess', which is not known",
        ),
        ("UPDATE blocks SET scores = '[[1]]'", "other results"),
        (
            "UPDATE blocks SET scores = replace(scores, '[[', '[[9223372036854775807,')",
            "other results",
        ),
        (
            "UPDATE blocks SET places = replace(places, '1', '9')",
            "other results",
        ),
        ("UPDATE blocks SET faults = '[]'", "other results"),
        ("UPDATE blocks SET decisions = 'x'", "cannot be read"),
        ("DROP TABLE players", "cannot be read"),
        ("PRAGMA application_id = 1", "not the results of a contest"),
        ("PRAGMA user_version = 77", "format 77"),
    ] {
        let wrong = wrong_after(change);
        assert!(wrong.contains(told), "{change}: {wrong}");
    }
    let nowhere = Spectator::new("nowhere".into()).look(lowest_wins);
    assert!(matches!(nowhere, Err(StoreError::Missing(_))));
}

/// A million rounds of which two were played are no more than those two.
#[test]
fn rounds_that_nobody_has_played_are_not_looked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    watched(folder.path(), Format::RoundRobin, 5, 2);
    let file = rusqlite::Connection::open(folder.path().join("contest.sqlite")).expect("a file");
    for rounds in [1_000_000_000_000_u64, i64::MAX as u64] {
        let change =
            format!("UPDATE contest SET settings = json_set(settings, '$.rounds', {rounds})");
        file.execute_batch(&change).expect("it is changed");
        let look = Spectator::new(folder.path().to_owned()).look(lowest_wins);
        let look = look.expect("it can be read");
        assert_eq!(look.contest.standings().games(), 2 * 5 * 4);
        assert!(look.contest.progress().of > 1_000_000_000_000);
    }
}

#[test]
fn a_contest_whose_tables_cannot_be_filled_is_refused() {
    for (format, count, empty) in [(Format::Swiss, 5, 3), (Format::Gauntlet, 4, 3)] {
        let contest = Contest::new::<Intensity>(settings(format, 1), players(count), Vec::new());
        let refused = contest.map(drop).unwrap_err().to_string();
        let line = format!("{empty} seats at a table of 4 would be empty: add players");
        assert_eq!(refused, line);
    }
}
