//! Contests on many machines: beside one process on the same cores, and with a thousand workers.

use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::arena::rate;
use crate::bench::{Bench, Row};
use crate::nats;

/// How often each has its turn: a contest has to take several seconds, and all together minutes.
const TURNS: usize = 5;

/// A process that ends with the benchmark.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A NATS server with a store of its own.
struct Server {
    process: Running,
    url: String,
}

impl Server {
    fn start(program: &Path, folder: &Path) -> Result<Server, String> {
        let failed = |error: std::io::Error| format!("failed to start a NATS server: {error}");
        let _ = fs::remove_dir_all(folder);
        fs::create_dir_all(folder).map_err(failed)?;
        let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr());
        let address = free.map_err(failed)?;
        let log = fs::File::create(folder.join("log")).map_err(failed)?;
        let process = Command::new(program)
            .args(["--jetstream", "--addr", "127.0.0.1", "--port"])
            .arg(address.port().to_string())
            .arg("--store_dir")
            .arg(folder)
            .stderr(log)
            .spawn()
            .map_err(failed)?;
        let server = Server {
            process: Running(process),
            url: format!("nats://{address}"),
        };
        let begun = Instant::now();
        while TcpStream::connect(address).is_err() {
            if begun.elapsed() > Duration::from_secs(30) {
                return Err(format!("the NATS server does not listen at {address}"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(server)
    }
}

/// Two workers beside one process, then many light ones.
pub(crate) fn cluster(bench: &Bench) -> Result<(), String> {
    let server = match nats::server() {
        Ok(server) => server,
        Err(reason) => {
            eprintln!("xtask: left out: contests on many machines: {reason}");
            return Ok(());
        }
    };
    beside_one(bench, &server)?;
    let light_workers = bench.example("croupier-cluster", "light_workers")?;
    // Blocks that take long, of which there are few in a batch; and blocks that do not.
    for (blocks, pause) in [(60_000, 0.5), (200_000, 0.05)] {
        thousand(bench, &server, &light_workers, blocks, pause)?;
    }
    Ok(())
}

/// The same contest in one process with two threads and with two workers of one thread each.
fn beside_one(bench: &Bench, server: &Path) -> Result<(), String> {
    let croupier = bench.programs.join("croupier");
    let server = Server::start(server, &bench.scratch.join("nats"))?;
    let cache = bench.scratch.join("workers");
    let worker = |name: &str| {
        let mut command = Command::new(&croupier);
        // Workers that share a cache play on different cores.
        command.args(["work", "--nats", &server.url, "--threads", "1"]);
        command.args(["--name", name, "--cache"]).arg(&cache);
        let started = command.stderr(Stdio::null()).spawn();
        started
            .map(Running)
            .map_err(|error| format!("failed to run {command:?}: {error}"))
    };
    let _workers = [worker("one")?, worker("two")?];
    let example = |name: &str| {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/intensity");
        examples.join(name).display().to_string()
    };
    for (title, player, rounds) in [
        ("Four C sources, games a second", example("bot.c"), 600),
        (
            "Four Python sources, games a second",
            example("bot.py"),
            100,
        ),
        (
            "Four careful players, games a second",
            "careful".to_owned(),
            60_000,
        ),
    ] {
        let rounds = bench.count(rounds);
        let held = |more: &'static str, value: String| {
            let (croupier, player) = (croupier.clone(), player.clone());
            let (rounds, out) = (rounds.clone(), bench.scratch.join("contest"));
            move || {
                let _ = fs::remove_dir_all(&out);
                let mut command = Command::new(&croupier);
                command.args(["tournament", "intensity", "--rounds", &rounds, "--json"]);
                command.args([&player; 4]).args([more, &value]);
                rate(command.arg("--out").arg(&out), "games")
            }
        };
        let rows: Vec<Row> = vec![
            (
                "one process, two threads",
                Box::new(held("--threads", "2".to_owned())),
            ),
            (
                "two workers, one thread each",
                Box::new(held("--nats", server.url.clone())),
            ),
        ];
        bench.report_of(TURNS, title, rows)?;
    }
    Ok(())
}

/// What a process has used.
#[derive(Clone, Copy, Default)]
struct Used {
    /// Seconds of a core.
    seconds: f64,
    /// The most memory, in MiB.
    memory: f64,
}

impl Used {
    /// What this process has used, or what it had when it was last looked at.
    fn look(&mut self, process: &Child) {
        let file = |name: &str| fs::read_to_string(format!("/proc/{}/{name}", process.id())).ok();
        let field = |text: &str, number: usize| {
            let after = text.rsplit_once(')').map_or("", |(_, after)| after);
            let field = after.split_whitespace().nth(number);
            field.and_then(|field| field.parse::<f64>().ok())
        };
        // The clock ticks a hundred times a second on every Linux.
        let time = file("stat").and_then(|text| Some(field(&text, 11)? + field(&text, 12)?));
        let memory = file("status").and_then(|text| {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
            line.trim().split(' ').next()?.parse::<f64>().ok()
        });
        if let (Some(ticks), Some(kib)) = (time, memory) {
            self.seconds = ticks / 100.0;
            self.memory = kib / 1024.0;
        }
    }
}

/// A contest that a thousand light workers play, each of which takes so many seconds for a block.
fn thousand(
    bench: &Bench,
    server: &Path,
    light_workers: &Path,
    blocks: u64,
    pause: f64,
) -> Result<(), String> {
    let part = |whole: u64| {
        let count = bench.count(whole * 5).parse::<u64>();
        count.map_or(1, |part| part.min(whole))
    };
    let (workers, blocks) = (part(1000), part(blocks));
    let pause = bench.time(Duration::from_secs_f64(pause)).as_secs_f64();
    let croupier = bench.programs.join("croupier");
    let [table, many] = ["table", "many"].map(|name| bench.scratch.join(name));
    let contest = |out: &Path| {
        let _ = fs::remove_dir_all(out);
        let mut command = Command::new(&croupier);
        command.args(["tournament", "intensity", "--rounds", &blocks.to_string()]);
        command
            .args(["careful"; 4])
            .args(["--seed", "1", "--json", "--out"]);
        command
            .arg(out)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    };
    let failed = |error: std::io::Error| format!("failed to hold a contest: {error}");
    contest(&table).output().map_err(failed)?;
    let server = Server::start(server, &bench.scratch.join("nats"))?;
    let mut light = Command::new(light_workers);
    light.arg(&server.url).arg(&table);
    light.args([workers.to_string(), pause.to_string()]);
    let _light = light.spawn().map(Running).map_err(failed)?;
    let coordinator = contest(&many).args(["--nats", &server.url]).spawn();
    let mut coordinator = Running(coordinator.map_err(failed)?);
    let (mut held, mut served) = (Used::default(), Used::default());
    let mut latency = Value::Null;
    let begun = Instant::now();
    while coordinator.0.try_wait().map_err(failed)?.is_none() {
        held.look(&coordinator.0);
        served.look(&server.process.0);
        let mut ask = Command::new(&croupier);
        ask.args(["cluster", "status", "--json", "--nats", &server.url]);
        let answer = ask.output().map_err(failed)?;
        let status: Value = serde_json::from_slice(&answer.stdout).unwrap_or_default();
        let told = &status["contests"][0]["latency"];
        if told.is_object() {
            latency = told.clone();
        }
        if begun.elapsed() > Duration::from_secs(600) {
            return Err("a contest with many workers does not end".to_owned());
        }
    }
    let output = wait(coordinator)?;
    let report: Value = serde_json::from_slice(&output)
        .map_err(|error| format!("a contest with many workers told nothing: {error}"))?;
    let same = ["standings.csv", "pairs.csv"].iter().all(|file| {
        let [one, other] = [&table, &many].map(|folder| fs::read(folder.join(file)).ok());
        one.is_some() && one == other
    });
    if !same {
        return Err("the contest with many workers has other results".to_owned());
    }
    let seconds = report["seconds"].as_f64().unwrap_or_default();
    let speed = blocks as f64 / seconds;
    let of = |part: &str| [0, 1].map(|which| latency[part][which].as_f64().unwrap_or_default());
    println!(
        "{workers} light workers, {pause} s a block: {speed:.0} blocks a second, {:.2} of what they can do",
        speed * pause / workers as f64
    );
    for (name, part) in [
        ("a batch from publication to commit", "whole"),
        ("  of that in the queue", "queued"),
        ("  of that played", "played"),
        ("  the rest", "overhead"),
    ] {
        let [median, most] = of(part);
        println!("  {name:<36}median {median:>8.3} s, 99 % within {most:.3} s");
    }
    for (name, used) in [("coordinator", held), ("server", served)] {
        println!(
            "  {name:<36}{:>5.0} MiB, {:.2} cores, {:.0} µs a block",
            used.memory,
            used.seconds / seconds,
            used.seconds / blocks as f64 * 1e6
        );
    }
    Ok(())
}

fn wait(mut process: Running) -> Result<Vec<u8>, String> {
    use std::io::Read as _;
    let mut output = Vec::new();
    if let Some(mut pipe) = process.0.stdout.take() {
        let read = pipe.read_to_end(&mut output);
        read.map_err(|error| error.to_string())?;
    }
    Ok(output)
}
