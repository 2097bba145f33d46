//! Benchmarks of the process layer: a process for every decision, and lines to long-lived ones.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use croupier_bots::{Bot, Entries, House, Limits, Place, Preparation, Process, Program, Tier};
use serde_json::Value;

use crate::bench::{Bench, Row, figure};

/// How long each program has in its turn.
const SPELL: Duration = Duration::from_secs(2);

/// The state of a game of Intensity in its fifth round.
const SITUATION: &[u8] = b"2\n6 2 1\n11 15 18 23 33 34\n24 26\n\
    16 13 19 12 10 14 17 20 22 25 27 28 29 30 31 32\n37 38 39\n34 47 48\n";

/// A process for every decision, on one core, beside the peers that do nothing but that.
pub(crate) fn spawn(bench: &Bench) -> Result<(), String> {
    let (source, in_python) = (
        bench.own_source("one_shot_player.c"),
        bench.own_source("one_shot_player.py"),
    );
    let (player, spell) = (bench.own("one_shot_player.c")?, bench.time(SPELL));
    let seconds = spell.as_secs_f64().to_string();
    let mut rows: Vec<Row> = Vec::new();
    if let Some(peer) = bench.compiled("forkserver.c", &["-O2", "-static"])? {
        rows.push(peer_row(
            "forkserver.c",
            vec![peer.into(), seconds.clone().into()],
        ));
    }
    rows.extend(rows_for(
        &source,
        ["C source, limits", "C source, strict"],
        spell,
    ));
    bench.report("C sources, one core, calls a second", rows)?;
    let mut rows: Vec<Row> = Vec::new();
    if let Some(peer) = bench.script("forkserver.py") {
        let words = vec!["python3".into(), peer.into(), seconds.clone().into()];
        rows.push(peer_row("forkserver.py", words));
    }
    rows.extend(rows_for(
        &in_python,
        ["Python source, limits", "Python source, strict"],
        spell,
    ));
    bench.report("Python sources, one core, calls a second", rows)?;
    let mut rows: Vec<Row> = Vec::new();
    if let Some(peer) = bench.compiled("spawnbench.c", &["-O2"])? {
        let words = [
            "spawn".into(),
            seconds.into(),
            "0".into(),
            player.clone().into(),
        ];
        let words = [vec![peer.into()], words.to_vec()].concat();
        rows.push(peer_row("spawnbench.c spawn", words));
    }
    rows.extend(rows_for(
        &player,
        ["executable, limits", "executable, strict"],
        spell,
    ));
    bench.report("Executables, one core, calls a second", rows)
}

/// A peer on one core that tells how many calls a second it makes.
pub(crate) fn peer_row(name: &'static str, words: Vec<OsString>) -> Row {
    let measure = move || {
        let mut command = Command::new("taskset");
        figure(command.args(["-c", "0"]).args(&words), "calls_per_s")
    };
    (name, Box::new(measure))
}

/// A program in the two tiers that limit it.
fn rows_for(program: &Path, names: [&'static str; 2], spell: Duration) -> Vec<Row> {
    let rows = names.into_iter().zip([Tier::Limits, Tier::Strict]);
    let row = |(name, tier)| -> Row {
        let program = program.to_owned();
        (name, Box::new(move || calls(&program, tier, spell)))
    };
    rows.map(row).collect()
}

/// Calls a second, after the first two, which make what is kept for the others.
fn calls(player: &Path, tier: Tier, spell: Duration) -> Result<f64, String> {
    let on_one_core = || Place::of(0)?.stay_on_own(true);
    std::thread::scope(|scope| {
        let calls = scope.spawn(|| {
            on_one_core().map_err(|error| error.to_string())?;
            calls_here(player, tier, spell)
        });
        calls
            .join()
            .map_err(|_| "the thread that calls has failed".to_owned())?
    })
}

fn calls_here(player: &Path, tier: Tier, spell: Duration) -> Result<f64, String> {
    let house = House::new(tier, Limits::default());
    let program = Program::prepare(player, &Preparation::new(&house, &Entries::default()))
        .map_err(|error| error.to_string())?;
    let mut bot = Bot::take_on(program, &house).map_err(|error| error.to_string())?;
    let mut call = || {
        let run = bot.run(&[], SITUATION, house.limits.decision);
        let run = run.map_err(|error| error.to_string())?;
        match run.output == b"11\n" {
            true => Ok(()),
            false => Err(format!("the player failed: {run:?}")),
        }
    };
    call()?;
    call()?;
    let start = Instant::now();
    let mut calls = 0;
    while start.elapsed() < spell {
        call()?;
        calls += 1;
    }
    Ok(f64::from(calls) / start.elapsed().as_secs_f64())
}

/// Four long-lived processes, one asked and all told, beside the peer that does nothing but that.
pub(crate) fn lines(bench: &Bench) -> Result<(), String> {
    let (player, spell) = (bench.own("line_player.c")?, bench.time(SPELL));
    let mut rows: Vec<Row> = Vec::new();
    if let Some(peer) = bench.compiled("pingpong.c", &["-O2"])? {
        rows.push((
            "pingpong.c stdio poll 4, one core",
            Box::new(move || {
                let seconds = spell.as_secs_f64().to_string();
                let mut command = Command::new("taskset");
                command.args(["-c", "0"]).arg(&peer);
                figure(
                    command.args(["stdio", "poll", "4", &seconds]),
                    "turns_per_s",
                )
            }),
        ));
    }
    for (name, tier) in [
        ("four processes, limits, one core", Tier::Limits),
        ("four processes, strict, one core", Tier::Strict),
    ] {
        let player = player.clone();
        rows.push((name, Box::new(move || turns(&player, tier, spell))));
    }
    bench.report("Lines, turns a second", rows)
}

fn turns(player: &Path, tier: Tier, spell: Duration) -> Result<f64, String> {
    croupier_bots::stay_on_one_core().map_err(|error| error.to_string())?;
    let house = House::new(tier, Limits::default());
    let program = Program::prepare(player, &Preparation::new(&house, &Entries::default()))
        .map_err(|error| error.to_string())?;
    let mut bots = Vec::new();
    let mut players: Vec<Process> = Vec::new();
    for _ in 0..4 {
        let mut bot = Bot::take_on(program.clone(), &house).map_err(|error| error.to_string())?;
        players.push(bot.open(&[], true).map_err(|error| error.to_string())?);
        bots.push(bot);
    }
    let start = Instant::now();
    let mut turns = 0;
    while start.elapsed() < spell {
        let asked = turns % players.len();
        players[asked].send(b"dowhat\n");
        let line = players[asked].line(Duration::from_secs(2), None);
        let line = line.map_err(|error| error.to_string())?;
        if line.as_deref() != Ok(b"take1,1,1,0") {
            return Err(format!("the player failed: {line:?}"));
        }
        players
            .iter_mut()
            .for_each(|player| player.send(b"tookA:1,1,1,0\n"));
        turns += 1;
    }
    Ok(turns as f64 / start.elapsed().as_secs_f64())
}

/// How many matches are played at once, and how many games all of them play together.
const MATCHES: usize = 64;
const GAMES: u64 = 5_000;

/// Many matches at once, with four processes each: nobody may be called late who is not.
pub(crate) fn crowd(bench: &Bench) -> Result<(), String> {
    let player = bench.own("wild.c")?;
    let all: usize = bench.count(GAMES).parse().unwrap_or(MATCHES).max(MATCHES);
    let start = Instant::now();
    let matches: Vec<_> = (0..MATCHES)
        .map(|number| {
            let games = (all + number) / MATCHES;
            Command::new(bench.programs.join("croupier"))
                .args([
                    "match",
                    "austerity",
                    "--json",
                    "--players",
                    "4",
                    "--max-turns",
                    "60",
                ])
                .args(["--games", &games.to_string(), "--seed", &number.to_string()])
                .args([&player; 4])
                .stdout(Stdio::piped())
                .spawn()
                .map_err(|error| format!("failed to start a match: {error}"))
        })
        .collect::<Result<_, _>>()?;
    let (mut games, mut faults) = (0, 0);
    for a_match in matches {
        let output = a_match
            .wait_with_output()
            .map_err(|error| format!("failed to hear of a match: {error}"))?;
        let report: Value = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("a match failed: {error}"))?;
        for game in report["games"].as_array().into_iter().flatten() {
            games += 1;
            faults += game["faults"].as_array().map_or(1, Vec::len);
        }
    }
    println!(
        "A crowd: {MATCHES} matches at once with four processes each, {games} games in {:.0} s, {faults} faults",
        start.elapsed().as_secs_f64()
    );
    Ok(())
}
