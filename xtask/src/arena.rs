//! Contests, beside what the machine can do at most.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::bench::{Bench, Row, figure};
use crate::bots::peer_row;

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

/// Programs with a process for every decision: a contest on one core beside the peers that do nothing but
/// start and fork, and one on all cores.
fn processes(bench: &Bench) -> Result<(), String> {
    let example = |name: &str| {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../examples/intensity")
            .join(name)
    };
    let (source, in_python) = (example("bot.c"), example("bot.py"));
    let (executable, spell) = (bench.compile(&source, &["-O2"])?, bench.time(SPELL));
    let seconds = spell.as_secs_f64().to_string();
    let mut rows: Vec<Row> = Vec::new();
    if let Some(peer) = bench.compiled("forkserver.c", &["-O2", "-static"])? {
        rows.push(peer_row(
            "forkserver.c",
            vec![peer.into(), seconds.clone().into()],
        ));
    }
    rows.extend(contests(
        bench,
        &source,
        300,
        ["four C sources, limits", "four C sources, strict"],
    ));
    bench.report("A contest of C sources, one core, decisions a second", rows)?;
    let mut rows: Vec<Row> = Vec::new();
    if let Some(peer) = bench.script("forkserver.py") {
        let words = vec!["python3".into(), peer.into(), seconds.clone().into()];
        rows.push(peer_row("forkserver.py", words));
    }
    let names = ["four Python sources, limits", "four Python sources, strict"];
    rows.extend(contests(bench, &in_python, 30, names));
    bench.report(
        "A contest of Python sources, one core, decisions a second",
        rows,
    )?;
    let mut rows: Vec<Row> = Vec::new();
    let peer = bench.compiled("spawnbench.c", &["-O2"])?;
    if let Some(peer) = peer.clone() {
        let words = [
            "spawn".into(),
            seconds.into(),
            "0".into(),
            executable.clone().into(),
        ];
        rows.push(peer_row(
            "spawnbench.c spawn",
            [vec![peer.into()], words.to_vec()].concat(),
        ));
    }
    let names = ["four executables, limits", "four executables, strict"];
    rows.extend(contests(bench, &executable, 100, names));
    bench.report(
        "A contest of executables, one core, decisions a second",
        rows,
    )?;
    let mut rows: Vec<Row> = Vec::new();
    if let Some(peer) = peer {
        let executable = executable.clone();
        rows.push((
            "spawnbench.c spawn, one on every core",
            Box::new(move || spawn_everywhere(&peer, &executable, spell)),
        ));
    }
    for (name, program, tier) in [
        ("four executables, limits", &executable, "limits"),
        ("four executables, strict", &executable, "strict"),
        ("four C sources, limits", &source, "limits"),
        ("four C sources, strict", &source, "strict"),
    ] {
        let (croupier, rounds) = (
            Command::new(bench.programs.join("croupier")),
            bench.count(100),
        );
        rows.push(contest(name, croupier, program, tier, rounds));
    }
    bench.report("A contest of programs, all cores, decisions a second", rows)
}

/// Contests of four players with this program on one core, in the two tiers that limit it.
fn contests(bench: &Bench, program: &Path, rounds: u64, names: [&'static str; 2]) -> Vec<Row> {
    let rows = names.into_iter().zip(["limits", "strict"]);
    let row = |(name, tier)| {
        let mut command = Command::new("taskset");
        command
            .args(["-c", "0"])
            .arg(bench.programs.join("croupier"));
        contest(name, command, program, tier, bench.count(rounds))
    };
    rows.map(row).collect()
}

/// A contest of four players with this program; how many decisions there are in a second.
fn contest(
    name: &'static str,
    mut croupier: Command,
    program: &Path,
    tier: &'static str,
    rounds: String,
) -> Row {
    croupier.args([
        "tournament",
        "intensity",
        "--rounds",
        &rounds,
        "--json",
        "--sandbox",
        tier,
    ]);
    croupier.args([program; 4]);
    let croupier = RefCell::new(croupier);
    (
        name,
        Box::new(move || rate(&mut croupier.borrow_mut(), "decisions")),
    )
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
pub(crate) fn rate(command: &mut Command, what: &str) -> Result<f64, String> {
    let output = command
        .output()
        .map_err(|error| format!("failed to run {command:?}: {error}"))?;
    let json: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let number = |name: &str| json[name].as_f64().unwrap_or_default();
    Ok(number(what) / number("seconds"))
}
