//! Benchmarks of the games: random play on one thread, and what has a peer beside it.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::bench::{Bench, Row, figure};
use crate::run;

/// War: one thread against the C program, two threads against one.
pub(crate) fn war(bench: &Bench) -> Result<(), String> {
    let ours = |threads: &'static str| {
        let (program, games) = (bench.programs.join("croupier"), bench.count(3_000_000));
        move || {
            let mut command = Command::new(&program);
            command.args([
                "simulate",
                "war",
                "--games",
                &games,
                "--seed",
                "1",
                "--json",
                "--threads",
                threads,
            ]);
            figure(&mut command, "games_per_second")
        }
    };
    let mut rows: Vec<Row> = vec![
        ("croupier simulate war, 1 thread", Box::new(ours("1"))),
        ("croupier simulate war, 2 threads", Box::new(ours("2"))),
    ];
    if let Some(peer) = bench.compiled("war.c", &["-O3", "-march=native"])? {
        let games = bench.count(3_000_000);
        rows.push((
            "war.c -i fast, 1 thread",
            Box::new(move || {
                let arguments = ["-i", "fast", "-o", "loser", "-s", "lose", "-n", &games];
                figure(Command::new(&peer).args(arguments), "games_per_s")
            }),
        ));
    }
    bench.report("War, games a second", rows)
}

/// Austerity: random play on one thread, and the hub on its pipes against the shortest loop that
/// does the same with as many players.
pub(crate) fn austerity(bench: &Bench) -> Result<(), String> {
    let random = random_play(bench, "austerity", 100_000, &[]);
    bench.report(
        "Austerity, turns a second",
        vec![("croupier simulate austerity, 1 thread", random)],
    )?;
    let spell = bench.time(SPELL);
    let mut rows: Vec<Row> = Vec::new();
    if let Some(peer) = bench.compiled("pingpong.c", &["-O2"])? {
        let pingpong = move || {
            let mut command = pinned(&peer);
            command.args(["stdio", "poll", "26", &spell.as_secs_f64().to_string()]);
            figure(&mut command, "turns_per_s")
        };
        rows.push(("pingpong stdio poll 26", Box::new(pingpong)));
    }
    let player = bench.own("wild.c")?;
    let (hub, scratch) = (bench.programs.join("austerity"), bench.scratch.clone());
    let turns = move || hub_turns(&hub, &player, &scratch, spell);
    rows.push(("austerity with 26 players", Box::new(turns)));
    bench.report("Austerity's hub, turns a second, all on one core", rows)
}

/// How long a game on pipes is watched.
const SPELL: Duration = Duration::from_secs(2);

/// How many turns a second a hub plays with 26 of these players, who take wilds for ever. What it
/// prints goes into a file, whose length tells the turns.
fn hub_turns(hub: &Path, player: &Path, scratch: &Path, spell: Duration) -> Result<f64, String> {
    let failed = |what: &'static str| move |error| format!("failed to {what}: {error}");
    let (deck, printed) = (scratch.join("worthless"), scratch.join("printed"));
    fs::write(&deck, "P:0:9,9,9,9\n").map_err(failed("write a deck"))?;
    let out = File::create(&printed).map_err(failed("make a file"))?;
    let mut game = pinned(hub)
        .args(["7", "1"])
        .arg(&deck)
        .args(vec![player; 26])
        .stdout(out)
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed("start the hub"))?;
    let length = || fs::metadata(&printed).map_or(0, |file| file.len());
    let opening = "New card = Bonus P, worth 0, costs 9,9,9,9\n".len() as u64;
    while length() <= opening && game.try_wait().is_ok_and(|ended| ended.is_none()) {
        thread::sleep(Duration::from_millis(1));
    }
    let (begun, before) = (Instant::now(), length());
    thread::sleep(spell);
    let (seconds, after) = (begun.elapsed().as_secs_f64(), length());
    run(Command::new("kill").args(["-INT", &game.id().to_string()]))?;
    match game.wait().map_err(failed("wait for the hub"))?.code() {
        Some(10) => Ok((after - before) as f64 / "Player A took a wild\n".len() as f64 / seconds),
        status => Err(format!("the hub ended with status {status:?}")),
    }
}

/// A command that stays on one core with all that it starts.
fn pinned(program: &Path) -> Command {
    let mut command = Command::new("taskset");
    command.args(["--cpu-list", "0"]).arg(program);
    command
}

/// Uno: random play, and a small C strategy in processes of its own, with the referee on one core.
pub(crate) fn uno(bench: &Bench) -> Result<(), String> {
    let strategy = bench.own_source("uno_first.c");
    let (croupier, rounds) = (bench.programs.join("croupier"), bench.count(100));
    let foreign = move || {
        let mut command = pinned(&croupier);
        command.args([
            "tournament",
            "uno",
            "--rounds",
            &rounds,
            "--seed",
            "1",
            "--json",
        ]);
        figure(command.args([&strategy; 4]), "decisions_per_second")
    };
    let rows: Vec<Row> = vec![
        (
            "croupier simulate uno, 1 thread",
            random_play(bench, "uno", 300_000, &[]),
        ),
        ("a strategy in C, hosts on 1 core", Box::new(foreign)),
    ];
    bench.report("Uno, decisions a second", rows)
}

/// Intensity: random play.
pub(crate) fn intensity(bench: &Bench) -> Result<(), String> {
    let random = random_play(bench, "intensity", 300_000, &[]);
    bench.report(
        "Intensity, decisions a second",
        vec![("croupier simulate intensity, 1 thread", random)],
    )
}

/// The search: the expert of Intensity at the first card of a hand, beside OpenSpiel's search in
/// hearts (`pip install open_spiel`).
pub(crate) fn search(bench: &Bench) -> Result<(), String> {
    let mut rows: Vec<Row> = Vec::new();
    if let Some(script) = bench.script("bench_ismcts.py") {
        let peer = move || {
            let mut command = Command::new("python3");
            command.arg(&script).args(["hearts", "1000", "50", "first"]);
            figure(&mut command, "sims_per_s")
        };
        rows.push(("OpenSpiel's IS-MCTS, hearts", Box::new(peer)));
    }
    let program = bench.example("croupier-games", "search_speed")?;
    let ours = move || figure(&mut Command::new(&program), "simulations_per_second");
    rows.push(("the expert of Intensity, 1 thread", Box::new(ours)));
    bench.report("Search at the first card, simulations a second", rows)
}

/// Friday the 13th: random play at the usual table and at a very large one.
pub(crate) fn friday13(bench: &Bench) -> Result<(), String> {
    // 1,666 cards of each colour and four greens.
    let values: Vec<String> = (0..1666).map(|card| (card % 7 + 1).to_string()).collect();
    let values = values.join(",");
    let large = [
        "--players",
        "20",
        "--colours",
        "6",
        "--greens",
        "4",
        "--values",
        &values,
    ];
    let rows: Vec<Row> = vec![
        (
            "croupier simulate friday13, 1 thread",
            random_play(bench, "friday13", 50_000, &[]),
        ),
        (
            "20 players, 6 colours, 10,000 cards",
            random_play(bench, "friday13", 200, &large),
        ),
    ];
    bench.report("Friday the 13th, moves a second", rows)
}

/// Random players on one thread, decisions a second.
fn random_play(
    bench: &Bench,
    game: &'static str,
    games: u64,
    options: &[&str],
) -> Box<dyn Fn() -> Result<f64, String>> {
    let (program, games) = (bench.programs.join("croupier"), bench.count(games));
    let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
    Box::new(move || {
        let mut command = Command::new(&program);
        command.args(["simulate", game, "--games", &games, "--seed", "1"]);
        command.args(["--threads", "1", "--json"]).args(&options);
        figure(&mut command, "decisions_per_second")
    })
}
