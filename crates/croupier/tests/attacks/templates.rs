//! Programs that are forked from a template: they do not get at it, and whatever they do comes to the
//! same as when they are started anew.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use croupier_bots::{Bot, House, HowEnded, Limits, Run, Silence, Tier, python_here};
use serde_json::Value;

use crate::stage::{A_LITTLE, HELD, LONG, Stage, house, prepared, small};

const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/attacks/programs");
const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");

/// The source of an attack program, with what it includes or imports, in this stage's folder.
fn source(stage: &Stage, name: &str) -> PathBuf {
    let beside = ["table.h", "siblings.h", "siblings.py"];
    for file in beside.into_iter().chain([name]) {
        fs::copy(
            Path::new(PROGRAMS).join(file),
            stage.path("bots").join(file),
        )
        .unwrap();
    }
    stage.path("bots").join(name)
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

/// Limits of these programs: an interpreter takes its memory.
fn limits_for(name: &str) -> Limits {
    let is_script = name.ends_with(".py");
    Limits {
        memory: if is_script { 512 << 20 } else { 64 << 20 },
        ..small()
    }
}

/// These programs answer every time, in both ways of starting and every one of these tiers, and leave
/// nothing.
fn answer_every_time(names: &[&str], tiers: &[Tier]) {
    for &name in names {
        if name.ends_with(".py") && python_here().is_err() {
            eprintln!("python3 is missing: {name} was not tried");
            continue;
        }
        for &tier in tiers {
            for fresh_processes in [false, true] {
                let stage = Stage::new();
                let source = source(&stage, name);
                let mut bot = taken_on(&source, tier, limits_for(name), fresh_processes);
                for turn in 0..6 {
                    let run = bot.run(&[], b"dowhat\n", LONG).unwrap();
                    let what = format!("{name} {tier}, fresh: {fresh_processes}, {turn}: {run:?}");
                    assert_eq!(run.output, b"wild\n", "{what}");
                    assert_eq!(run.silence, None, "{what}");
                    let ended = run.ended.as_ref().map(|ended| ended.how);
                    assert_eq!(ended, Some(HowEnded::Status(0)), "{what}");
                }
                drop(bot);
                stage.is_clean(name);
            }
        }
    }
}

/// A trusted program may trace whom it likes.
#[test]
fn nothing_leads_to_a_template() {
    answer_every_time(&["reaches_template.c", "reaches_template.py"], &HELD);
}

#[test]
fn who_kills_its_template_is_given_another() {
    answer_every_time(&["kills_template.c", "kills_template.py"], &Tier::ALL);
}

#[test]
fn who_stops_its_template_is_given_another() {
    answer_every_time(&["stops_template.c", "stops_template.py"], &Tier::ALL);
}

#[test]
fn what_a_template_hands_on_cannot_be_changed() {
    answer_every_time(&["changes_template.c", "changes_template.py"], &Tier::ALL);
}

#[test]
fn no_signal_waits_in_a_template_for_the_next_decision() {
    answer_every_time(&["signals_template.c", "signals_template.py"], &Tier::ALL);
}

#[test]
fn what_is_left_in_a_folder_does_not_run_in_a_template() {
    answer_every_time(&["plants_module.py"], &Tier::ALL);
}

#[test]
fn what_is_left_beside_a_process_is_gone_with_it() {
    answer_every_time(&["leaves_sibling.c", "leaves_sibling.py"], &Tier::ALL);
}

/// All that can be seen of a run but its times, and the memory and the processes that a moment decides.
#[derive(PartialEq, Eq, Debug)]
struct Seen {
    output: String,
    errors: String,
    silence: Option<Silence>,
    how: Option<HowEnded>,
}

impl Seen {
    fn of(run: &Run) -> Seen {
        let output = String::from_utf8_lossy(&run.output);
        Seen {
            // Whoever writes without end is cut off at the same place, but has a pipe more or less.
            errors: match run.silence {
                Some(Silence::TooManyErrors) => String::new(),
                _ => run.errors.text(),
            },
            output: output.into_owned(),
            silence: run.silence.clone(),
            how: run.ended.as_ref().map(|ended| ended.how),
        }
    }
}

/// Every attack, as a source: its second and third processes come of a template, or are started anew.
#[test]
fn every_attack_comes_to_the_same_in_both_ways_of_starting() {
    let names = fs::read_dir(PROGRAMS).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let is_source = path.extension().is_some_and(|end| end == "c");
        is_source.then(|| path.file_stem().unwrap().to_str().unwrap().to_owned())
    });
    let mut names: Vec<String> = names.flatten().collect();
    names.sort();
    assert!(names.len() > 50, "{names:?}");
    let names = Mutex::new(names);
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while let Some(name) = { names.lock().unwrap().pop() } {
                    comes_to_the_same(&name);
                }
            });
        }
    });
}

/// So much of everything that a program is stopped for one reason, which no chance decides, and how long
/// it is waited for: but a little for those who never end.
fn terms_for(name: &str) -> (Limits, Duration) {
    let never_end = [
        "busy",
        "busy_threads",
        "closed_stdout",
        "deaf",
        "exit_handler",
        "half_line",
        "silent",
        // In `limits` it is its minder that traces it, and does not let it go on.
        "traces",
    ];
    let mut limits = limits_for(name);
    // The dead who wait to be buried are processes too.
    if ["flees", "hides_behind_orphans", "orphans_compute"].contains(&name) {
        limits.processes = 4096;
    }
    if name == "orphans_compute" {
        limits.cpu = Duration::from_millis(300);
    }
    match never_end.contains(&name) {
        true => (limits, A_LITTLE),
        false => (limits, LONG),
    }
}

fn comes_to_the_same(name: &str) {
    let tiers = match name {
        // As root it would change the machine on which it is tried.
        "privileges" => &HELD[1..],
        // It shows the processes of everybody else, which come and go.
        "spy_proc" => &HELD[1..],
        _ => &HELD[..],
    };
    let (limits, time) = terms_for(name);
    for &tier in tiers {
        let runs = |fresh_processes| -> Vec<Seen> {
            let stage = Stage::new();
            let source = source(&stage, &format!("{name}.c"));
            if name == "changes_itself" {
                // It spoils what was compiled, which is kept by what it was compiled from.
                let text = fs::read_to_string(&source).unwrap();
                let mark = stage.path("");
                fs::write(&source, format!("{text}/* {} */\n", mark.display())).unwrap();
            }
            let mut bot = taken_on(&source, tier, limits.clone(), fresh_processes);
            let mut run = || Seen::of(&bot.run(&[], b"dowhat\neog\n", time).unwrap());
            let seen = (0..3).map(|_| run()).collect();
            drop(bot);
            let left = stage.left_after(LONG);
            assert!(left.is_empty(), "{name} {tier} left {left:?}");
            seen
        };
        let (mut forked, fresh) = (runs(false), runs(true));
        if name == "signals_all" && tier == Tier::Strict {
            // There its template is a process that it can signal, to its own loss, and whose limits it
            // can read; without a template there is nobody. It kills its template. If that is still dying
            // when the minder looks whether it is in order, the next start finds it dead and is an
            // ordinary one: that was 2 of 240 starts, and none of 480 where the minder looked 30 ms later.
            for (start, seen) in forked.iter_mut().enumerate().skip(1) {
                for found in ["a process to signal", "the limits of another process"] {
                    let line = format!("breach: {found}\n");
                    let times = seen.output.matches(&line).count();
                    assert!(times == 1 || start > 1 && times == 0, "{start}: {seen:?}");
                    seen.output = seen.output.replace(&line, "");
                }
            }
        }
        assert_eq!(forked, fresh, "{name} {tier}");
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

/// All but two: `any/bot.py` leaves its moves to chance that nobody can repeat, and `intensity/bot.rs` is
/// compiled by its author, so that it is started the ordinary way in any case.
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
