//! `cargo xtask bench`: figures, measured side by side.
//!
//! A figure counts when both programs were measured in the same run: they take turns, and medians
//! are compared.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::{arena, bots, cargo, cluster, games, run, web};

/// How often each program has its turn.
const ROUNDS: usize = 7;

/// How a benchmark is measured and printed.
type Measure = fn(&Bench) -> Result<(), String>;

/// All benchmarks, by name.
const BENCHMARKS: &[(&str, Measure)] = &[
    ("war", games::war),
    ("intensity", games::intensity),
    ("friday13", games::friday13),
    ("uno", games::uno),
    ("austerity", games::austerity),
    ("search", games::search),
    ("spawn", bots::spawn),
    ("lines", bots::lines),
    ("crowd", bots::crowd),
    ("arena", arena::arena),
    ("web", web::web),
    ("cluster", cluster::cluster),
];

/// Where everything is, and how long it may take.
pub(crate) struct Bench {
    pub(crate) programs: PathBuf,
    peers: Option<PathBuf>,
    pub(crate) scratch: PathBuf,
    /// Whether it only has to show that everything can still be measured.
    brief: bool,
}

/// Runs the benchmarks with these names, or all.
pub(crate) fn bench(arguments: &[&str]) -> Result<(), String> {
    let (brief, arguments) = match arguments {
        ["--brief", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
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
    build(brief)?;
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    let scratch = target.join("bench");
    fs::create_dir_all(&scratch)
        .map_err(|error| format!("failed to make {}: {error}", scratch.display()))?;
    let bench = Bench {
        programs: target.join(if brief { "debug" } else { "release" }),
        peers,
        scratch,
        brief,
    };
    for (name, measure) in BENCHMARKS {
        if names.is_empty() || names.contains(name) {
            measure(&bench)?;
        }
    }
    Ok(())
}

/// Builds all programs of the workspace: for brief runs with the features that they have in the tests (those
/// of the development dependencies too), so that what the tests have built is not built again.
pub(crate) fn build(brief: bool) -> Result<(), String> {
    let kinds: &[&str] = match brief {
        true => &["--workspace", "--lib", "--bins", "--examples"],
        false => &["--release"],
    };
    run(cargo(&["build", "--quiet"]).args(kinds))
}

impl Bench {
    /// Builds an example of a package if it is not built yet, and gives its place.
    pub(crate) fn example(&self, package: &str, example: &str) -> Result<PathBuf, String> {
        if !self.brief {
            let example = ["--package", package, "--example", example];
            run(cargo(&["build", "--quiet", "--release"]).args(example))?;
        }
        Ok(self.programs.join("examples").join(example))
    }

    /// So many games or the like, as they are measured; few in a brief run.
    pub(crate) fn count(&self, count: u64) -> String {
        let part = if self.brief { 1000 } else { 1 };
        (count / part).max(1).to_string()
    }

    /// So long, as it is measured; a moment in a brief run.
    pub(crate) fn time(&self, time: Duration) -> Duration {
        if self.brief { time / 20 } else { time }
    }

    /// A peer program, compiled; none if no folder with peers was named.
    pub(crate) fn compiled(&self, source: &str, flags: &[&str]) -> Result<Option<PathBuf>, String> {
        let Some(peers) = &self.peers else {
            eprintln!("xtask: no --peers DIR, so nothing to compare with {source}");
            return Ok(None);
        };
        self.compile(&peers.join(source), flags).map(Some)
    }

    /// A peer program that needs no compiling; none if no folder with peers was named.
    pub(crate) fn script(&self, source: &str) -> Option<PathBuf> {
        let script = self.peers.as_ref().map(|peers| peers.join(source));
        if script.is_none() {
            eprintln!("xtask: no --peers DIR, so nothing to compare with {source}");
        }
        script
    }

    /// A program of our own that stands in for somebody else's, compiled.
    pub(crate) fn own(&self, source: &str) -> Result<PathBuf, String> {
        self.compile(&self.own_source(source), &["-O2"])
    }

    /// The source of such a program.
    pub(crate) fn own_source(&self, source: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("bench")
            .join(source)
    }

    pub(crate) fn compile(&self, source: &Path, flags: &[&str]) -> Result<PathBuf, String> {
        let program = self.scratch.join(source.file_stem().unwrap_or_default());
        let compiler = std::env::var("CC").unwrap_or("cc".to_owned());
        run(Command::new(compiler)
            .args(flags)
            .arg("-o")
            .arg(&program)
            .arg(source))?;
        Ok(program)
    }

    /// Lets all programs take turns and prints the median of each beside that of the first.
    pub(crate) fn report(&self, title: &str, rows: Vec<Row>) -> Result<(), String> {
        self.report_of(ROUNDS, title, rows)
    }

    /// The same where each has so many turns.
    pub(crate) fn report_of(
        &self,
        rounds: usize,
        title: &str,
        rows: Vec<Row>,
    ) -> Result<(), String> {
        let rounds = if self.brief { 1 } else { rounds };
        let mut figures = vec![Vec::new(); rows.len()];
        for _ in 0..rounds {
            for ((name, measure), figures) in rows.iter().zip(&mut figures) {
                match measure()? {
                    figure if figure > 0.0 => figures.push(figure),
                    figure => return Err(format!("{title}, {name}: {figure} is no figure")),
                }
            }
        }
        println!("{title} (median of {rounds}, lowest and highest)");
        let mut first = None;
        for ((name, _), figures) in rows.iter().zip(&mut figures) {
            figures.sort_by(f64::total_cmp);
            let median = figures[rounds / 2];
            let first = *first.get_or_insert(median);
            println!(
                "  {name:<36}{median:>14.0}  ({:.0} – {:.0})  {:.2}",
                figures[0],
                figures[rounds - 1],
                median / first
            );
        }
        Ok(())
    }
}

/// What is measured, and a way to measure it once.
pub(crate) type Row = (&'static str, Box<dyn Fn() -> Result<f64, String>>);

/// Runs a program that prints JSON and takes one number out of it.
pub(crate) fn figure(command: &mut Command, name: &str) -> Result<f64, String> {
    let output = command
        .output()
        .map_err(|error| format!("failed to run {command:?}: {error}"))?;
    let json: Option<Value> = serde_json::from_slice(&output.stdout).ok();
    json.and_then(|json| json[name].as_f64()).ok_or_else(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("{command:?} printed no {name}; it said: {said}")
    })
}
