//! Who only fails is suspended, and it does not matter how the contest came about.
//!
//! The contests here are of a small game of our own, whose players fail when they are told to. So
//! thousands of them can be held, on any number of threads, and cut short anywhere.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Mutex;

use croupier_arena::{
    Contest, CutShort, Entrant, Format, Hosting, RankBy, Seatings, Settings, Standings, Store,
    StoreError, Suspension, Who,
};
use croupier_bots::{Hosted, House, Limits, Tier};
use croupier_core::{
    BadSetup, BuiltIn, Contested, Foul, FoulKind, Game, MadePlayer, NoMove, Offered, Options,
    Outcome, Player, Profile, Rng, Seat, Seed, Situations, Strength, Turn,
};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

const SEATS: usize = 3;
/// How many decisions each seat has in a game.
const TURNS: usize = 2;

/// Everybody names a number in turn, twice; the greatest sum wins.
#[derive(Clone)]
struct Bidding {
    setup: Fuse,
    deal: u64,
    bids: Vec<i64>,
}

/// The machine fails after so many decisions of the games with this number.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Fuse(u64);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Bid(i64);

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bid {}", self.0)
    }
}

impl FromStr for Bid {
    type Err = String;
    fn from_str(text: &str) -> Result<Bid, String> {
        let number = text.strip_prefix("bid ").and_then(|text| text.parse().ok());
        number.map(Bid).ok_or_else(|| text.to_owned())
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct View {
    fuse: u64,
    deal: u64,
    bids: usize,
}

impl Game for Bidding {
    const NAME: &'static str = "bidding";
    const VERSION: u32 = 1;
    type Setup = Fuse;
    type Move = Bid;
    type View = View;
    type Illegal = Infallible;

    fn deal(setup: &Fuse, seed: Seed) -> Bidding {
        Bidding {
            setup: *setup,
            deal: seed.0,
            bids: Vec::new(),
        }
    }
    fn seats(&self) -> usize {
        SEATS
    }
    fn to_move(&self) -> Option<Seat> {
        (self.bids.len() < SEATS * TURNS).then(|| Seat::from(self.bids.len() % SEATS))
    }
    fn legal(&self, moves: &mut Vec<Bid>) {
        moves.extend((0..9).map(Bid));
    }
    fn play(&mut self, choice: Bid) -> Result<(), Infallible> {
        self.bids.push(choice.0);
        Ok(())
    }
    fn foul(&mut self) -> Option<Bid> {
        self.bids.push(-5);
        Some(Bid(-5))
    }
    fn view(&self, _: Seat) -> View {
        View {
            fuse: self.setup.0,
            deal: self.deal,
            bids: self.bids.len(),
        }
    }
    fn outcome(&self) -> Outcome {
        let sum = |seat: usize| self.bids.iter().skip(seat).step_by(SEATS).sum();
        Outcome::highest_wins((0..SEATS).map(sum).collect())
    }
}

impl Offered for Bidding {
    const PROFILE: Profile = Profile {
        name: Bidding::NAME,
        title: "Bidding",
        aim: "",
        seats: SEATS..=SEATS,
        decisions: true,
        programs: "",
        example_program: "",
        rules: "",
        options: &[],
    };
    const PLAYERS: &'static [BuiltIn<Bidding>] = &[BuiltIn {
        name: "odd",
        about: "fails in so many deals of ten",
        strength: Strength::Weak,
        options: &[
            ("fails", "in so many deals of ten"),
            ("as", "crash or timeout"),
        ],
        make: Odd::make,
    }];
    const OPPONENTS: &'static [&'static str] = &[];

    fn setup(_: &Options) -> Result<Fuse, BadSetup> {
        Ok(Fuse(0))
    }
}

impl Contested for Bidding {}

impl Situations for Bidding {}

impl Hosted for Bidding {}

/// How many decisions are left until the machine fails, and how often those were asked who are
/// always late, for every fuse.
static FUSES: Mutex<Option<HashMap<u64, (u64, u64)>>> = Mutex::new(None);

fn light(fuse: u64, decisions: u64) {
    let mut fuses = FUSES.lock().unwrap();
    fuses.get_or_insert_default().insert(fuse, (decisions, 0));
}

/// How often those who are late were asked.
fn late(fuse: u64) -> u64 {
    FUSES.lock().unwrap().as_ref().unwrap()[&fuse].1
}

/// A player who fails in some deals, and there at every decision.
struct Odd {
    fails: u64,
    kind: FoulKind,
    chance: Rng,
}

impl Odd {
    fn make(options: &Options) -> MadePlayer<Bidding> {
        let fails = options.get("fails").map_or("0", String::as_str);
        let is_late = options.get("as").is_some_and(|kind| kind == "timeout");
        Ok(Box::new(Odd {
            fails: fails.parse().map_err(|_| "no number".to_owned())?,
            kind: if is_late {
                FoulKind::Timeout
            } else {
                FoulKind::Crash
            },
            chance: Seed(0).rng(),
        }))
    }
}

impl Player<Bidding> for Odd {
    fn start(&mut self, _: Seat, chance: Seed) {
        self.chance = chance.rng();
    }

    fn decide(&mut self, turn: &Turn<'_, Bidding>) -> Result<Bid, NoMove> {
        let view = turn.view();
        let is_late = self.kind == FoulKind::Timeout;
        {
            let mut fuses = FUSES.lock().unwrap();
            if let Some((left, asked)) = fuses.as_mut().and_then(|all| all.get_mut(&view.fuse)) {
                if *left == 0 {
                    return Err(NoMove::Void("the fuse has blown".to_owned()));
                }
                *left -= 1;
                *asked += u64::from(is_late);
            }
        }
        // Blocks are to be finished in another order than they are begun.
        let bits = self.chance.bits();
        if bits.is_multiple_of(16) {
            std::thread::sleep(std::time::Duration::from_micros(bits % 700));
        }
        if view.deal % 10 < self.fails {
            let detail = "it was told to fail".to_owned();
            let kind = self.kind;
            return Err(NoMove::Foul(Foul { kind, detail }));
        }
        Ok(Bid((bits % 9) as i64))
    }
}

/// What comes of a contest.
type Found = (Standings, Vec<Option<Suspension>>);

#[derive(Clone, Debug)]
struct Terms {
    players: Vec<String>,
    format: Format,
    rounds: u64,
    suspend_after: Option<u64>,
    seed: u64,
}

impl Terms {
    fn contest(&self) -> Contest {
        let settings = Settings {
            game: "bidding".to_owned(),
            version: 1,
            setup: serde_json::json!(0),
            seats: SEATS,
            format: self.format,
            rounds: self.rounds,
            seatings: Seatings::Rotations,
            seed: Seed(self.seed),
            sandbox: Tier::None,
            limits: Limits::default(),
            records: Some(false),
            suspend_after: self.suspend_after,
            shard: None,
            rank_by: RankBy::Points,
            anchor: None,
        };
        let named = |specs: &[String], kind: &str| {
            let entrant = |(number, spec): (usize, &String)| Entrant {
                name: format!("{kind}{number}"),
                spec: spec.clone(),
                who: Who::BuiltIn(spec.clone()),
                identity: String::new(),
                added: false,
            };
            let mut entrants: Vec<Entrant> = specs.iter().enumerate().map(entrant).collect();
            Entrant::identify::<Bidding>(&mut entrants, &[]);
            for entrant in &mut entrants {
                entrant.identity.insert_str(0, kind);
            }
            entrants
        };
        let staff = vec!["odd".to_owned(); SEATS - 1];
        let contest = Contest::new::<Bidding>(
            settings,
            named(&self.players, "player-"),
            named(&staff, "staff-"),
        );
        contest.expect("a contest that can be held")
    }

    /// Holds the contest with this store; none if the machine fails.
    fn held(&self, store: &mut Store, threads: usize, fuse: u64) -> Option<Found> {
        let mut contest = self.contest();
        let everybody = contest.entrants().to_vec();
        let (players, staff) = everybody.split_at(contest.players());
        store
            .enter(contest.settings(), players, staff, &[])
            .unwrap();
        let house = House::new(Tier::None, Limits::default());
        let hosting = Hosting {
            house: &house,
            threads,
            keeps_all_faults: false,
        };
        let mut seen = 0;
        let played = contest.play::<Bidding>(&Fuse(fuse), store, &hosting, |contest, _| {
            assert!(contest.progress().games >= seen, "it goes on and not back");
            seen = contest.standings().games();
        });
        match played {
            Ok(()) => {
                let progress = contest.progress();
                assert_eq!(progress.games, progress.of);
                let suspended = (0..everybody.len()).map(|number| contest.suspension(number));
                Some((contest.standings().clone(), suspended.collect()))
            }
            Err(CutShort::Unplayed(_)) => None,
            Err(error) => panic!("{error}"),
        }
    }

    fn undisturbed(&self) -> Found {
        let mut store = Store::passing().unwrap();
        self.held(&mut store, 1, 0).expect("no fuse was lit")
    }

    /// The same on so many threads, when the machine fails again and again after so many decisions.
    fn disturbed(&self, folder: &Path, threads: usize, fuse: u64, decisions: u64) -> Found {
        for _ in 0..10_000 {
            light(fuse, decisions);
            let store = Store::find(folder).unwrap();
            let mut store = store.unwrap_or_else(|| Store::create(folder).unwrap());
            if let Some(found) = self.held(&mut store, threads, fuse) {
                return found;
            }
        }
        panic!("it does not come to its end")
    }
}

fn terms() -> impl Strategy<Value = Terms> {
    let player = (0..4u64, any::<bool>()).prop_map(|(fails, is_late)| {
        let fails = [0, 3, 9, 10][fails as usize];
        let kind = if is_late { "timeout" } else { "crash" };
        format!("odd:fails={fails}:as={kind}")
    });
    let formats = prop::sample::select(vec![Format::RoundRobin, Format::Swiss, Format::Gauntlet]);
    (
        prop::collection::vec(player, 4..7),
        formats,
        1..8u64,
        prop::option::weighted(0.9, 1..40u64),
        any::<u64>(),
    )
        .prop_map(|(players, format, rounds, suspend_after, seed)| Terms {
            players,
            format,
            rounds,
            suspend_after,
            seed,
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Neither the number of threads nor where a contest was stopped shows in its table.
    #[test]
    fn a_suspension_depends_on_the_plan_alone(
        terms in terms(), threads in 1..5usize, decisions in 150..900u64, fuse in 1..u64::MAX,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let found = terms.disturbed(folder.path(), threads, fuse, decisions);
        prop_assert_eq!(found, terms.undisturbed());
    }

    /// Whoever fails at every decision is suspended, and nobody else's points change by that.
    #[test]
    fn nobody_gains_or_loses_by_a_suspension(terms in terms(), limit in 1..40u64) {
        let always = |spec: &String| spec.contains("fails=10");
        let mut terms = terms;
        terms.players.iter_mut().filter(|spec| !always(spec)).for_each(|spec| {
            *spec = "odd".to_owned();
        });
        terms.suspend_after = None;
        let (standings, nobody) = terms.undisturbed();
        prop_assert!(nobody.iter().all(Option::is_none));
        terms.suspend_after = Some(limit);
        let (with_suspensions, suspended) = terms.undisturbed();
        prop_assert_eq!(with_suspensions, standings);
        let contest = terms.contest();
        // Each block has a game for every seat, and in each of them all decisions are faults.
        let in_block = (SEATS * TURNS) as u64;
        let blocks = limit.div_ceil(in_block);
        for (entrant, suspension) in contest.entrants().iter().zip(suspended) {
            let played = match terms.format {
                Format::RoundRobin => {
                    let others = terms.players.len() as u64 - 1;
                    terms.rounds * others * (others - 1) / 2
                }
                Format::Swiss | Format::Gauntlet => terms.rounds,
            };
            let expected = (always(&entrant.spec) && blocks <= played).then(|| Suspension {
                games: blocks * SEATS as u64,
                faults: blocks * in_block,
            });
            prop_assert_eq!(suspension, expected, "{}", &entrant.name);
        }
    }
}

/// Whoever reads keeps nobody from writing, and nobody who writes keeps anybody from reading.
#[test]
fn others_read_the_store_while_a_contest_runs() {
    let folder = tempfile::tempdir().unwrap();
    let count = |connection: &rusqlite::Connection| -> u64 {
        let rows = connection.query_row("SELECT count(*) FROM blocks", (), |row| row.get(0));
        rows.map(|count: i64| count as u64).unwrap()
    };
    let read_only = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let open = || {
        let place = folder.path().join("contest.sqlite");
        rusqlite::Connection::open_with_flags(place, read_only).unwrap()
    };
    let terms = Terms {
        players: vec!["odd".to_owned(); 5],
        format: Format::RoundRobin,
        rounds: 3000,
        suspend_after: None,
        seed: 1,
    };
    let mut contest = terms.contest();
    let everybody = contest.entrants().to_vec();
    let (players, staff) = everybody.split_at(contest.players());
    let mut store = Store::create(folder.path()).unwrap();
    let settings = contest.settings().clone();
    store.enter(&settings, players, staff, &[]).unwrap();
    // Somebody begins to read before the first block, and looks on to the end.
    let early = open();
    early.execute_batch("BEGIN").unwrap();
    assert_eq!(count(&early), 0);
    let house = House::new(Tier::None, Limits::default());
    let hosting = Hosting {
        house: &house,
        threads: 2,
        keeps_all_faults: false,
    };
    let mut seen = Vec::new();
    let played = contest.play::<Bidding>(&Fuse(0), &mut store, &hosting, |contest, _| {
        let found = Store::find_to_read(folder.path()).unwrap();
        assert_eq!(found.unwrap().settings().unwrap(), settings);
        let blocks = count(&open());
        assert_eq!(blocks * SEATS as u64, contest.progress().games);
        seen.push(blocks);
    });
    played.unwrap();
    assert!(seen.is_sorted() && seen.len() > 1, "{seen:?}");
    assert_eq!(seen.last(), Some(&(3000 * 10)));
    assert_eq!(
        count(&early),
        0,
        "what one reads does not change while one reads it"
    );
    assert!(matches!(
        Store::find(folder.path()),
        Err(StoreError::InUse(_))
    ));
}

/// Three times in every block until it is suspended, and then never again.
#[test]
fn who_hangs_is_not_waited_for_at_every_decision() {
    let mut terms = Terms {
        players: vec!["odd:fails=10:as=timeout".to_owned()],
        format: Format::Gauntlet,
        rounds: 2,
        suspend_after: Some(12),
        seed: 5,
    };
    let mut store = Store::passing().unwrap();
    for (rounds, asked) in [(2, 2 * 3), (20, 0)] {
        terms.rounds = rounds;
        light(u64::MAX, u64::MAX);
        let held = terms.held(&mut store, 1, u64::MAX);
        let (standings, suspended) = held.expect("the fuse is long enough");
        assert_eq!(late(u64::MAX), asked);
        assert_eq!(standings.of(0).faults, rounds * (SEATS * TURNS) as u64);
        assert!(suspended[0].is_some());
    }
}
