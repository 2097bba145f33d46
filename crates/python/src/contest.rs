//! Honest comparisons and contests, in which functions of the caller take part.

use std::sync::Arc;
use std::sync::mpsc::Receiver;

use croupier_arena::{
    Comparison, Contest, Course, CutShort, DealerTerms, Entrant, Format, Hosting, RankBy, Report,
    Seatings, Settings, Store, Unplayed,
};
use croupier_bots::{Hosted, House, Limits, Tier};
use croupier_core::{BadPlayer, Encoded, LONGEST_NAME, OptionKind, Options, Seed, built_in};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use crate::convert::{self, maybe_whole, to_python, whole};
use crate::games::{decided, find};
use crate::guest::{Side, Stop, Whom};
use crate::long::{Told, attended};

/// Why a contest was not held to its end.
#[derive(Debug)]
pub(crate) enum NotHeld {
    /// It cannot be held like this.
    Wrong(String),
    /// Somebody stopped it.
    Stopped,
    /// The machine failed.
    Machine(String),
}

impl NotHeld {
    fn wrong(error: impl std::fmt::Display) -> NotHeld {
        NotHeld::Wrong(error.to_string())
    }

    fn machine(error: impl std::fmt::Display) -> NotHeld {
        NotHeld::Machine(error.to_string())
    }
}

/// How two players are compared.
pub(crate) struct Comparing {
    games: u64,
    seed: Seed,
    rank_by: Option<RankBy>,
    to_the_end: bool,
    threads: usize,
    stop: Arc<Stop>,
}

/// How a contest is held.
pub(crate) struct Holding {
    rounds: u64,
    seed: Seed,
    rank_by: Option<RankBy>,
    format: Format,
    threads: usize,
    stop: Arc<Stop>,
}

/// Compares two players of a game over shared deals, until it is clear who is better.
#[pyfunction]
#[pyo3(signature = (name, a, b, *, games=100_000, seed=None, rank_by=None, to_the_end=false, threads=None, **options))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    name: &str,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = whole)] games: u64,
    #[pyo3(from_py_with = maybe_whole)] seed: Option<u64>,
    rank_by: Option<&str>,
    to_the_end: bool,
    #[pyo3(from_py_with = convert::threads)] threads: Option<usize>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let game = decided(name)?;
    let (stop, told) = Stop::new()?;
    let sides = [
        Side::read(None, 0, a, &stop)?,
        Side::read(None, 1, b, &stop)?,
    ];
    let options = contest_options(name, options)?;
    let terms = Comparing {
        games,
        seed: convert::seed(seed)?,
        rank_by: read_rank_by(rank_by)?,
        to_the_end,
        threads: at_tables(threads, &sides),
        stop: Arc::clone(&stop),
    };
    held(py, &stop, told, || game.compare(&options, &sides, &terms))
}

/// Holds a contest between players of a game.
#[pyfunction]
#[pyo3(signature = (name, players, *, rounds=10, seed=None, rank_by=None, format="round-robin", threads=None, **options))]
#[expect(clippy::too_many_arguments, reason = "they are keywords")]
pub(crate) fn tournament<'py>(
    py: Python<'py>,
    name: &str,
    players: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = whole)] rounds: u64,
    #[pyo3(from_py_with = maybe_whole)] seed: Option<u64>,
    rank_by: Option<&str>,
    format: &str,
    #[pyo3(from_py_with = convert::threads)] threads: Option<usize>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let game = decided(name)?;
    let (stop, told) = Stop::new()?;
    let mut sides = Vec::new();
    let no_names =
        || PyTypeError::new_err("players are a dict from names to players: {\"mine\": policy}");
    let players = players.cast::<PyDict>().map_err(|_| no_names())?;
    for (number, (called, player)) in players.iter().enumerate() {
        let called: String = called.extract().map_err(|_| no_names())?;
        let is_plain = !called.trim().is_empty() && called.chars().all(croupier_core::is_plain);
        if !is_plain || called.chars().count() > LONGEST_NAME {
            return Err(PyValueError::new_err(format!(
                "{called:?} cannot be a name in a table: up to {LONGEST_NAME} letters that show \
                 themselves, no control characters"
            )));
        }
        sides.push(Side::read(Some(called), number, &player, &stop)?);
    }
    let options = contest_options(name, options)?;
    let terms = Holding {
        rounds,
        seed: convert::seed(seed)?,
        rank_by: read_rank_by(rank_by)?,
        format: match format {
            "round-robin" => Format::RoundRobin,
            "swiss" => Format::Swiss,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "there is no format '{format}'; there are: round-robin, swiss"
                )));
            }
        },
        threads: at_tables(threads, &sides),
        stop: Arc::clone(&stop),
    };
    held(py, &stop, told, || {
        game.tournament(&options, &sides, &terms)
    })
}

/// Holds it while the caller's thread is at its functions' service. An exception that a function raised
/// comes before whatever else came of it.
fn held<'py>(
    py: Python<'py>,
    stop: &Stop,
    told: Receiver<Told>,
    hold: impl FnOnce() -> Result<Value, NotHeld> + Send,
) -> PyResult<Bound<'py, PyAny>> {
    let found = attended(
        py,
        stop.caller.clone(),
        told,
        || stop.interrupt.raise(),
        hold,
    )?;
    if let Some(raised) = stop.take() {
        return Err(raised);
    }
    match found {
        Ok(found) => to_python(py, &found),
        Err(NotHeld::Wrong(reason)) => Err(PyValueError::new_err(reason)),
        Err(NotHeld::Stopped) => Err(PyKeyboardInterrupt::new_err(())),
        Err(NotHeld::Machine(reason)) => Err(PyRuntimeError::new_err(reason)),
    }
}

/// The options of a contest: it counts itself what players bring from the games before.
fn contest_options(name: &str, given: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    let profile = find(name)?.profile;
    let mut options = convert::options(profile, given)?;
    for option in profile.options {
        let is_scores = matches!(option.kind, OptionKind::Scores(_));
        let name = option.name.replace('-', "_");
        if is_scores && given.is_some_and(|given| given.contains(&name).unwrap_or(true)) {
            return Err(PyValueError::new_err(format!(
                "a contest counts itself what players bring: leave out '{name}'"
            )));
        }
        if is_scores {
            options.remove(option.name);
        }
    }
    Ok(options)
}

fn read_rank_by(given: Option<&str>) -> PyResult<Option<RankBy>> {
    match given {
        None => Ok(None),
        Some("points") => Ok(Some(RankBy::Points)),
        Some("score") => Ok(Some(RankBy::Score)),
        Some(other) => Err(PyValueError::new_err(format!(
            "contests rank by points or by score, not by '{other}'"
        ))),
    }
}

/// At how many tables is played: one function is called at a time, so that more tables would only wait
/// for it.
fn at_tables(threads: Option<usize>, sides: &[Side]) -> usize {
    let is_function = |side: &Side| matches!(side.who, Whom::Function(_));
    threads.unwrap_or_else(|| match sides.iter().any(is_function) {
        true => 1,
        false => convert::cores(),
    })
}

/// The house in which is played: no foreign program takes part.
fn house(stop: &Stop) -> House {
    House {
        interrupt: Some(stop.interrupt.clone()),
        ..House::new(Tier::None, Limits::default())
    }
}

fn entrants<G: Encoded + Hosted>(
    sides: &[Side],
    setup: &G::Setup,
) -> Result<Vec<Entrant>, NotHeld> {
    let needs_numbers = sides.iter().any(Side::is_in_numbers);
    let (actions, numbers) = match G::shape(setup) {
        Ok(shape) => (shape.actions, shape.numbers()),
        Err(error) if needs_numbers => return Err(NotHeld::wrong(error)),
        Err(_) => (0, 0),
    };
    for side in sides {
        if let Whom::BuiltIn(spec) = &side.who {
            let made = built_in::<G>(spec);
            made.map(drop)
                .map_err(|error: BadPlayer| NotHeld::wrong(error))?;
        }
    }
    let entrants = sides.iter().map(|side| side.entrant::<G>(actions, numbers));
    let mut entrants: Vec<Entrant> = entrants.collect();
    Entrant::identify::<G>(&mut entrants, &[]);
    Ok(entrants)
}

/// Compares two players of `G`.
pub(crate) fn compare_in<G: Encoded + Hosted>(
    options: &Options,
    sides: &[Side],
    terms: &Comparing,
) -> Result<Value, NotHeld> {
    let setup = G::setup(options).map_err(NotHeld::wrong)?;
    let seats = G::deal(&setup, Seed(0)).seats();
    let entrants = entrants::<G>(sides, &setup)?;
    let blocks = terms.games / seats as u64;
    if blocks == 0 {
        return Err(NotHeld::Wrong(format!(
            "games={} is too few: at a table of {seats} every deal is played {seats} times",
            terms.games
        )));
    }
    let house = house(&terms.stop);
    let dealing = DealerTerms::<G> {
        entrants: &entrants,
        setup: &setup,
        house: &house,
        records: false,
        faults: 0,
    };
    let course = Course {
        seats,
        seed: terms.seed,
        rank_by: terms.rank_by.unwrap_or(RankBy::Points),
        blocks,
        to_the_end: terms.to_the_end,
        threads: terms.threads,
    };
    let (comparison, cut_short) = Comparison::run(&dealing, course, |_| ());
    match cut_short {
        None => {}
        Some(Unplayed::Stopped | Unplayed::Left) => return Err(NotHeld::Stopped),
        Some(error) => return Err(NotHeld::machine(error)),
    }
    let mut found = json!({
        "game": G::NAME,
        "a": sides[0].name,
        "b": sides[1].name,
        "seed": terms.seed.0,
    });
    if let (Value::Object(found), Value::Object(more)) = (&mut found, comparison.json()) {
        found.extend(more);
    }
    Ok(found)
}

/// Holds a contest of `G`.
pub(crate) fn hold<G: Encoded + Hosted>(
    options: &Options,
    sides: &[Side],
    terms: &Holding,
) -> Result<Value, NotHeld> {
    let setup = G::setup(options).map_err(NotHeld::wrong)?;
    let seats = G::deal(&setup, Seed(0)).seats();
    let entrants = entrants::<G>(sides, &setup)?;
    if entrants.len() < seats {
        return Err(NotHeld::Wrong(format!(
            "a table of {} seats {seats} players, and only {} take part",
            G::PROFILE.title,
            entrants.len()
        )));
    }
    let house = house(&terms.stop);
    let settings = Settings {
        game: G::NAME.to_owned(),
        version: G::VERSION,
        setup: serde_json::to_value(&setup).map_err(NotHeld::machine)?,
        seats,
        format: terms.format,
        rounds: terms.rounds,
        seatings: Seatings::usual::<G>(seats),
        seed: terms.seed,
        rank_by: terms.rank_by.unwrap_or(RankBy::usual::<G>()),
        anchor: None,
        records: Some(false),
        sandbox: house.tier,
        limits: house.limits.clone(),
        suspend_after: None,
        shard: None,
    };
    let mut store = Store::passing().map_err(NotHeld::machine)?;
    store
        .enter(&settings, &entrants, &[], &[])
        .map_err(NotHeld::machine)?;
    let mut contest = Contest::new::<G>(settings, entrants, Vec::new()).map_err(NotHeld::wrong)?;
    let hosting = Hosting {
        house: &house,
        threads: terms.threads,
        keeps_all_faults: false,
    };
    match contest.play::<G>(&setup, &mut store, &hosting, |_, _| ()) {
        Ok(()) => {}
        Err(CutShort::Unplayed(Unplayed::Stopped | Unplayed::Left)) => {
            return Err(NotHeld::Stopped);
        }
        Err(error) => return Err(NotHeld::machine(error)),
    }
    let report = Report::new(&contest, &store, terms.threads).map_err(NotHeld::machine)?;
    Ok(report.json())
}
