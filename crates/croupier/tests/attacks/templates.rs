//! Programs that are forked from a template: they do not get at it, and whatever they do comes to the
//! same as when they are started anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use croupier_bots::{Bot, House, Limits, Run, Silence, Tier};
use serde_json::Value;

use crate::stage::{GONE, HELD, Stage, house, prepared, small};

const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/attacks/programs");
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// Time enough for everybody who is to answer, on however busy a machine.
const LONG: Duration = Duration::from_secs(20);

/// The source of an attack program, with what it includes, in this stage's folder.
fn source(stage: &Stage, name: &str) -> PathBuf {
    for header in ["table.h", "siblings.h"] {
        fs::copy(
            Path::new(PROGRAMS).join(header),
            stage.path("bots").join(header),
        )
        .unwrap();
    }
    let place = stage.path("bots").join(format!("{name}.c"));
    fs::copy(Path::new(PROGRAMS).join(format!("{name}.c")), &place).unwrap();
    place
}

fn taken_on(source: &Path, tier: Tier, limits: Limits, fresh_processes: bool) -> Bot {
    let house = House {
        fresh_processes,
        ..house(tier, limits)
    };
    let program = prepared(source, &house).unwrap();
    assert!(program.can_fork(), "{}", source.display());
    Bot::take_on(program, &house).unwrap()
}

/// The program answers every time, in both ways of starting and every tier, and leaves nothing.
fn answers_every_time(name: &str, tiers: &[Tier]) {
    for &tier in tiers {
        for fresh_processes in [false, true] {
            let stage = Stage::new();
            let source = source(&stage, name);
            let mut bot = taken_on(&source, tier, small(), fresh_processes);
            let begun = Instant::now();
            for turn in 0..6 {
                let run = bot.run(&[], b"dowhat\n", LONG).unwrap();
                let what = format!("{name} {tier}, fresh: {fresh_processes}, {turn}: {run:?}");
                assert_eq!(run.output, b"wild\n", "{what}");
                assert_eq!(run.silence, None, "{what}");
            }
            assert!(begun.elapsed() < 6 * LONG / 2, "{name}: it stalls");
            drop(bot);
            stage.is_clean(name);
        }
    }
}

#[test]
fn nothing_leads_to_a_template() {
    answers_every_time("reaches_template", &HELD);
}

#[test]
fn who_kills_its_template_is_given_another() {
    answers_every_time("kills_template", &Tier::ALL);
}

#[test]
fn who_stops_its_template_is_given_another() {
    answers_every_time("stops_template", &Tier::ALL);
}

#[test]
fn what_a_template_hands_on_cannot_be_changed() {
    answers_every_time("changes_template", &Tier::ALL);
}

#[test]
fn what_is_left_beside_a_process_is_gone_with_it() {
    answers_every_time("leaves_sibling", &Tier::ALL);
}

/// What can be seen of a run that does not depend on how fast the machine is.
fn seen(run: &Run) -> String {
    let how = run.ended.as_ref().map(|ended| ended.how);
    match &run.silence {
        None => format!("{:?} {how:?}", String::from_utf8_lossy(&run.output)),
        // Who has too much of several things is stopped for that which was noticed first.
        Some(
            Silence::Late | Silence::TooMuch(_) | Silence::TooMuchOutput | Silence::TooManyErrors,
        ) => "stopped".to_owned(),
        Some(silence) => format!("{silence:?}"),
    }
}

/// Every attack, as a source: its second process comes of a template, or is started anew.
#[test]
fn every_attack_comes_to_the_same_in_both_ways_of_starting() {
    let names = fs::read_dir(PROGRAMS).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let is_source = path.extension().is_some_and(|end| end == "c");
        is_source.then(|| path.file_stem().unwrap().to_str().unwrap().to_owned())
    });
    // Who writes into its own file is not started a second time, in either way; and a process can
    // find out that there is a template, as its number shows.
    let differs = ["changes_itself", "signals_all"];
    let names = names
        .flatten()
        .filter(|name| !differs.contains(&name.as_str()));
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert!(names.len() > 40, "{names:?}");
    let names = Mutex::new(names);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while let Some(name) = names.lock().map(|mut names| names.pop()).unwrap() {
                    comes_to_the_same(&name);
                }
            });
        }
    });
}

fn comes_to_the_same(name: &str) {
    let stage = Stage::new();
    let source = source(&stage, name);
    // What is root's to do is only tried where nobody is root; and what others run is never the same.
    let tiers = match name {
        "privileges" | "spy_proc" => &HELD[1..],
        _ => &HELD[..],
    };
    for &tier in tiers {
        let limits = Limits {
            memory: 128 << 20,
            ..small()
        };
        let second = |fresh_processes| {
            let mut bot = taken_on(&source, tier, limits.clone(), fresh_processes);
            let time = Duration::from_millis(700);
            let mut run = || bot.run(&[], b"dowhat\neog\n", time).unwrap();
            run();
            seen(&run())
        };
        let (forked, fresh) = (second(false), second(true));
        assert_eq!(forked, fresh, "{name} {tier}");
        let left = stage.left_after(GONE);
        assert!(
            left.is_empty(),
            "{name} {tier} left processes behind: {left:?}"
        );
    }
}

/// A report without what depends on how fast the machine is.
fn without_times(report: &mut Value) {
    match report {
        Value::Object(fields) => {
            let is_time = |name: &str| {
                ["time", "seconds", "took", "cpu", "memory"]
                    .iter()
                    .any(|part| name.contains(part))
            };
            fields.retain(|name, _| !is_time(name));
            fields.values_mut().for_each(without_times);
        }
        Value::Array(values) => values.iter_mut().for_each(without_times),
        _ => {}
    }
}

/// All but the one that leaves its moves to chance.
#[test]
fn the_examples_play_the_same_games_in_both_ways_of_starting() {
    let example = |name: &str| format!("{EXAMPLES}/{name}");
    let (intensity, in_python) = (example("intensity/bot.c"), example("intensity/bot.py"));
    let matches: [Vec<&str>; 4] = [
        vec!["intensity", &intensity, "careful", &in_python, "random"],
        vec!["friday13", &example("friday13/bot.c"), "smallest"],
        vec!["austerity", &example("austerity/bot.c"), "shenzi", "shenzi"],
        vec!["uno", &example("uno/exam001_proj2.c"), "random"],
    ]
    .map(|words| {
        words
            .into_iter()
            .map(|word| &*String::from(word).leak())
            .collect()
    });
    for words in matches {
        for tier in ["limits", "strict"] {
            let stage = Stage::new();
            let played = |more: &[&str]| {
                let always = [
                    "--json",
                    "--seed",
                    "7",
                    "--games",
                    "2",
                    "--time-limit",
                    "30s",
                ];
                let rest = ["--start-limit", "30s", "--sandbox", tier];
                let words = [&["match"], &words[..], &always, &rest, more].concat();
                let output = stage.croupier(&words).output().unwrap();
                let said = String::from_utf8_lossy(&output.stderr);
                assert_eq!(output.status.code(), Some(0), "{words:?}: {said}");
                let mut report: Value = serde_json::from_slice(&output.stdout).unwrap();
                without_times(&mut report);
                report
            };
            let (forked, fresh) = (played(&[]), played(&["--fresh-processes"]));
            assert_eq!(forked, fresh, "{words:?} {tier}");
            assert!(
                forked["games"][0]["faults"]
                    .as_array()
                    .is_none_or(Vec::is_empty)
            );
        }
    }
}
