//! `cargo xtask bench`: figures, measured side by side.
//!
//! A figure counts when both programs were measured in the same run: they take turns, and medians
//! are compared.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{bots, cargo, run};

/// How often each program has its turn.
const ROUNDS: usize = 7;

/// How a benchmark is measured and printed.
type Measure = fn(&Bench) -> Result<(), String>;

/// All benchmarks, by name.
const BENCHMARKS: &[(&str, Measure)] = &[
    ("war", war),
    ("austerity", austerity),
    ("spawn", bots::spawn),
    ("lines", bots::lines),
];

pub(crate) struct Bench {
    programs: PathBuf,
    peers: Option<PathBuf>,
    scratch: PathBuf,
}

/// Runs the benchmarks with these names, or all.
pub(crate) fn bench(arguments: &[&str]) -> Result<(), String> {
    let (peers, names) = match arguments {
        ["--peers", peers, names @ ..] => (Some(PathBuf::from(peers)), names),
        names => (None, names),
    };
    if let Some(unknown) = names
        .iter()
        .find(|name| !BENCHMARKS.iter().any(|(known, _)| known == *name))
    {
        let known: Vec<_> = BENCHMARKS.iter().map(|(name, _)| *name).collect();
        return Err(format!(
            "there is no benchmark '{unknown}'; there are: {}",
            known.join(", ")
        ));
    }
    run(&mut cargo(&[
        "build",
        "--release",
        "--workspace",
        "--quiet",
    ]))?;
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    let scratch = target.join("bench");
    fs::create_dir_all(&scratch)
        .map_err(|error| format!("failed to make {}: {error}", scratch.display()))?;
    let bench = Bench {
        programs: target.join("release"),
        peers,
        scratch,
    };
    for (name, measure) in BENCHMARKS {
        if names.is_empty() || names.contains(name) {
            measure(&bench)?;
        }
    }
    Ok(())
}

/// War: one thread against the C program, two threads against one.
fn war(bench: &Bench) -> Result<(), String> {
    let ours = |threads: &'static str| {
        let program = bench.programs.join("croupier");
        move || {
            let mut command = Command::new(&program);
            command.args([
                "simulate",
                "war",
                "--games",
                "3000000",
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
        rows.push((
            "war.c -i fast, 1 thread",
            Box::new(move || {
                let arguments = ["-i", "fast", "-o", "loser", "-s", "lose", "-n", "3000000"];
                figure(Command::new(&peer).args(arguments), "games_per_s")
            }),
        ));
    }
    report("War, games a second", rows)
}

/// Austerity: random play on one thread, and the hub on its pipes against the shortest loop that
/// does the same with as many players.
fn austerity(bench: &Bench) -> Result<(), String> {
    let program = bench.programs.join("croupier");
    let random = move || {
        let mut command = Command::new(&program);
        command.args(["simulate", "austerity", "random", "random", "random"]);
        command.args(["--games", "100000", "--seed", "1"]);
        command.args(["--threads", "1", "--json"]);
        figure(&mut command, "decisions_per_second")
    };
    report(
        "Austerity, turns a second",
        vec![("random play, 1 thread", Box::new(random))],
    )?;
    let mut rows: Vec<Row> = Vec::new();
    if let Some(peer) = bench.compiled("pingpong.c", &["-O2"])? {
        let pingpong = move || {
            let mut command = pinned(&peer);
            command.args(["stdio", "poll", "26", &SPELL.as_secs().to_string()]);
            figure(&mut command, "turns_per_s")
        };
        rows.push(("pingpong stdio poll 26", Box::new(pingpong)));
    }
    let player = bench.own("wild.c")?;
    let (hub, scratch) = (bench.programs.join("austerity"), bench.scratch.clone());
    let turns = move || hub_turns(&hub, &player, &scratch);
    rows.push(("austerity with 26 players", Box::new(turns)));
    report("Austerity's hub, turns a second, all on one core", rows)
}

/// How long a game on pipes is watched.
const SPELL: Duration = Duration::from_secs(2);

/// How many turns a second a hub plays with 26 of these players, who take wilds for ever. What it
/// prints goes into a file, whose length tells the turns.
fn hub_turns(hub: &Path, player: &Path, scratch: &Path) -> Result<f64, String> {
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
    thread::sleep(SPELL);
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

impl Bench {
    /// A peer program, compiled; none if no folder with peers was named.
    pub(crate) fn compiled(&self, source: &str, flags: &[&str]) -> Result<Option<PathBuf>, String> {
        let Some(peers) = &self.peers else {
            eprintln!("xtask: no --peers DIR, so nothing to compare with {source}");
            return Ok(None);
        };
        self.compile(&peers.join(source), flags).map(Some)
    }

    /// A program of our own that stands in for somebody else's, compiled.
    pub(crate) fn own(&self, source: &str) -> Result<PathBuf, String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bench");
        self.compile(&folder.join(source), &["-O2"])
    }

    fn compile(&self, source: &Path, flags: &[&str]) -> Result<PathBuf, String> {
        let program = self.scratch.join(source.file_stem().unwrap_or_default());
        let compiler = std::env::var("CC").unwrap_or("cc".to_owned());
        run(Command::new(compiler)
            .args(flags)
            .arg("-o")
            .arg(&program)
            .arg(source))?;
        Ok(program)
    }
}

/// What is measured, and a way to measure it once.
pub(crate) type Row = (&'static str, Box<dyn Fn() -> Result<f64, String>>);

/// Lets all programs take turns and prints the median of each beside that of the first.
pub(crate) fn report(title: &str, rows: Vec<Row>) -> Result<(), String> {
    let mut figures = vec![Vec::new(); rows.len()];
    for _ in 0..ROUNDS {
        for ((_, measure), figures) in rows.iter().zip(&mut figures) {
            figures.push(measure()?);
        }
    }
    println!("{title} (median of {ROUNDS}, lowest and highest)");
    let mut first = None;
    for ((name, _), figures) in rows.iter().zip(&mut figures) {
        figures.sort_by(f64::total_cmp);
        let median = figures[ROUNDS / 2];
        let first = *first.get_or_insert(median);
        println!(
            "  {name:<36}{median:>14.0}  ({:.0} – {:.0})  {:.2}",
            figures[0],
            figures[ROUNDS - 1],
            median / first
        );
    }
    Ok(())
}

/// Runs a program that prints JSON and takes one number out of it.
pub(crate) fn figure(command: &mut Command, name: &str) -> Result<f64, String> {
    let output = command
        .output()
        .map_err(|error| format!("failed to run {command:?}: {error}"))?;
    let json: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    json.and_then(|json| json[name].as_f64())
        .ok_or_else(|| format!("{command:?} printed no {name}"))
}
