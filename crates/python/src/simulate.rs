//! Many games between built-in players, as fast as the machine can.

use std::time::Instant;

use croupier_arena::{HouseGames, mean_interval, quantile_interval, share_interval, sweep};
use croupier_core::{Cancel, Offered as _, Seed};
use croupier_games::war::{Survey, War};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Value, json};

use crate::convert::{self, bad_setup, maybe_whole, to_python, whole};
use crate::games::find;
use crate::long::stoppable;

/// Plays many games between built-in players and tells how they went.
#[pyfunction]
#[pyo3(name = "_simulate", signature = (name, players, *, games, seed=None, threads=None, options=None))]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    name: &str,
    players: Vec<String>,
    #[pyo3(from_py_with = whole)] games: u64,
    #[pyo3(from_py_with = maybe_whole)] seed: Option<u64>,
    #[pyo3(from_py_with = convert::threads)] threads: Option<usize>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let entry = find(name)?;
    let options = convert::options(entry.profile, options)?;
    let seed = convert::seed(seed)?;
    let threads = threads.unwrap_or_else(convert::cores);
    if games == 0 {
        return Err(PyValueError::new_err(
            "there must be at least 1 game, not 0",
        ));
    }
    let stop = Cancel::new();
    let begun = Instant::now();
    if name == "war" {
        if !players.is_empty() {
            return Err(PyValueError::new_err(
                "nothing is decided in War, so it has no players",
            ));
        }
        let setup = War::setup(&options).map_err(bad_setup)?;
        let swept = stoppable(
            py,
            || stop.cancel(),
            || {
                sweep(
                    games,
                    threads,
                    &stop,
                    |deals| Survey::play(&setup, seed, deals),
                    |all: &mut Survey, some| all.merge(&some),
                    |_| (),
                )
            },
        )?;
        let found = to_python(py, &war(&swept.found, seed, begun))?;
        let counts = PyArray1::from_slice(py, swept.found.turns.counts());
        found.set_item("histogram", counts)?;
        return Ok(found);
    }
    let setup = entry.setup(&options).map_err(bad_setup)?;
    let seats = entry.deal(&setup, Seed(0)).map_err(bad_setup)?.seats();
    let names: Vec<&str> = match players.is_empty() {
        true => entry
            .opponents
            .iter()
            .copied()
            .cycle()
            .take(seats)
            .collect(),
        false => players.iter().map(String::as_str).collect(),
    };
    let house_games = HouseGames::new(entry, &setup, names.clone()).map_err(bad_setup)?;
    let swept = stoppable(
        py,
        || stop.cancel(),
        || house_games.play(games, seed, threads, &stop, |_| ()),
    )?;
    let tally = swept.found;
    let fared = tally.players.iter().zip(&names).map(|(fared, name)| {
        let mut json = fared.json(tally.games);
        json["name"] = (*name).into();
        json
    });
    let seconds = begun.elapsed().as_secs_f64();
    let found = json!({
        "game": name,
        "games": tally.games,
        "seed": seed.0,
        "setup": setup,
        "decisions": tally.decisions,
        "seconds": seconds,
        "players": fared.collect::<Vec<_>>(),
    });
    to_python(py, &found)
}

/// What is known of so many games of War.
fn war(survey: &Survey, seed: Seed, begun: Instant) -> Value {
    let turns = &survey.turns;
    let finished = survey.finished();
    let mean = turns.mean_and_sd();
    let quantiles = [0.25, 0.5, 0.75, 0.99].map(|share| {
        json!({
            "share": share,
            "turns": turns.quantile(share),
            "ci95": quantile_interval(share, finished)
                .map(|share| turns.quantile(share)),
        })
    });
    json!({
        "game": "war",
        "games": survey.games,
        "seed": seed.0,
        "seconds": begun.elapsed().as_secs_f64(),
        "wins": survey.wins,
        "win_share": survey.wins[0] as f64 / survey.games.max(1) as f64,
        "win_share_ci95": share_interval(survey.wins[0], survey.games),
        "draws": survey.draws,
        "endless": survey.endless,
        "stopped": survey.stopped,
        "finished": finished,
        "mean_turns": mean.map(|(mean, _)| mean),
        "mean_turns_ci95": mean.map(|(mean, sd)| mean_interval(mean, sd, finished)),
        "sd_turns": mean.map(|(_, sd)| sd),
        "quantiles": quantiles,
        "wars": survey.wars as f64 / finished.max(1) as f64,
    })
}
