//! Contests, beside what the machine can do at most.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::bench::{Bench, Row, figure};

/// How long the peer that starts processes runs at a time.
const SPELL: Duration = Duration::from_secs(2);

/// A contest of built-in players beside the same games without any contest.
pub(crate) fn arena(bench: &Bench) -> Result<(), String> {
    let croupier = bench.programs.join("croupier");
    let four = ["careful"; 4];
    let (games, rounds) = (bench.count(40_000), bench.count(10_000));
    let simulate = {
        let croupier = croupier.clone();
        move || {
            let mut command = Command::new(&croupier);
            command.args(["simulate", "intensity", "--games", &games, "--json"]);
            figure(command.args(four), "games_per_second")
        }
    };
    let contest = {
        let (croupier, out) = (croupier.clone(), bench.scratch.join("contest"));
        move || {
            let _ = fs::remove_dir_all(&out);
            let mut command = Command::new(&croupier);
            command.args(["tournament", "intensity", "--rounds", &rounds, "--json"]);
            rate(command.args(four).arg("--out").arg(&out), "games")
        }
    };
    bench.report(
        "Intensity, four careful players, games a second",
        vec![
            ("simulate", Box::new(simulate)),
            ("a contest that is kept", Box::new(contest)),
        ],
    )?;
    processes(bench)
}

/// Programs with a process for every decision, on all cores.
fn processes(bench: &Bench) -> Result<(), String> {
    let bot = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../examples/intensity/bot.c");
    let spell = bench.time(SPELL);
    let mut rows: Vec<Row> = Vec::new();
    if let Some(peer) = bench.compiled("spawnbench.c", &["-O2"])? {
        let bot = bench.compile(&bot, &["-O2"])?;
        rows.push((
            "spawnbench.c spawn, one on every core",
            Box::new(move || spawn_everywhere(&peer, &bot, spell)),
        ));
    }
    let croupier = bench.programs.join("croupier");
    for (name, tier) in [
        ("a contest of four programs, limits", "limits"),
        ("a contest of four programs, strict", "strict"),
    ] {
        let (croupier, bot, rounds) = (croupier.clone(), bot.clone(), bench.count(30));
        rows.push((
            name,
            Box::new(move || {
                let mut command = Command::new(&croupier);
                command.args(["tournament", "intensity", "--rounds", &rounds, "--json"]);
                command.args(["--sandbox", tier]).args([&bot; 4]);
                rate(&mut command, "decisions")
            }),
        ));
    }
    bench.report("Programs on all cores, decisions a second", rows)
}

/// One peer for every core at the same time; their sum.
fn spawn_everywhere(peer: &PathBuf, bot: &PathBuf, spell: Duration) -> Result<f64, String> {
    let seconds = spell.as_secs_f64().to_string();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let start = |core: usize| {
        let mut command = Command::new("taskset");
        command.args(["-c", &core.to_string()]).arg(peer);
        let command = command.args(["spawn", &seconds, "0"]).arg(bot);
        let started = command.stdout(Stdio::piped()).spawn();
        started.map_err(|error| format!("failed to run {command:?}: {error}"))
    };
    let started: Vec<_> = (0..cores).map(start).collect::<Result<_, _>>()?;
    let mut sum = 0.0;
    for peer in started {
        let output = peer.wait_with_output().map_err(|error| error.to_string())?;
        let json: Value =
            serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
        sum += json["calls_per_s"].as_f64().unwrap_or_default();
    }
    Ok(sum)
}

/// So many a second, in a contest.
fn rate(command: &mut Command, what: &str) -> Result<f64, String> {
    let output = command
        .output()
        .map_err(|error| format!("failed to run {command:?}: {error}"))?;
    let json: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let number = |name: &str| json[name].as_f64().unwrap_or_default();
    Ok(number(what) / number("seconds"))
}
