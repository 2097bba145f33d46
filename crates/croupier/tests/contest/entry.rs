//! Who takes part, and under which name.

use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use crate::going_on::{noting, runs};
use crate::hall::{Hall, standing};

const FOUR: [&str; 4] = ["careful", "random", "b=random", "c=random"];

fn begin<'a>(players: &[&'a str]) -> Vec<&'a str> {
    let contest = ["tournament", "intensity", "--rounds", "1", "--seed", "4"];
    let kept = ["--sandbox", "limits", "--out", "results"];
    [&contest[..], players, &kept].concat()
}

/// A player of Intensity that calls itself this.
fn called(hall: &Hall, file: &str, name: &str) -> String {
    if let Some(folder) = hall.path(file).parent() {
        fs::create_dir_all(folder).unwrap();
    }
    let sound = include_str!("../../../../examples/intensity/bot.c");
    assert!(sound.contains("printf(\"Low C\\n\")"));
    hall.file(file, &sound.replace("Low C", name))
}

fn names(report: &Value) -> Vec<String> {
    let lines = report["standings"].as_array().unwrap().iter();
    let mut names: Vec<String> = lines
        .map(|line| line["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_program_that_takes_part_already_is_not_added_again() {
    let hall = Hall::new();
    hall.found(&begin(&FOUR));
    let duck = called(&hall, "duck.c", "Duck");
    let copy = called(&hall, "copy.c", "Duck");
    let more = hall.found(&["tournament", "--resume", "results", "--add", &duck]);
    assert_eq!(more["games"], 5 * 4);
    for (again, name) in [
        (&duck, "Duck"),
        (&copy, "Duck"),
        (&format!("other={duck}"), "Duck"),
        (&"c=random".to_owned(), "c"),
        (&"careful".to_owned(), "careful"),
    ] {
        let output = hall.run(&[
            "tournament",
            "--resume",
            "results",
            "--add",
            again,
            "--json",
        ]);
        let line = said(&output);
        assert_eq!(output.status.code(), Some(0), "{line}");
        assert_eq!(line.lines().count(), 1, "{line}");
        let says = format!("already takes part, as {name}: it is not added again");
        assert!(line.contains(&says), "{again}: {line}");
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(names(&report), ["Duck", "b", "c", "careful", "random"]);
    }
    let twice = ["--add", "d=random", "--add", "e=random"];
    let more = hall.found(&[&["tournament", "--resume", "results"], &twice[..]].concat());
    assert_eq!(
        more["games"],
        35 * 4,
        "built-in players under names of their own are others"
    );
}

/// What was changed in the folder stays changed, however the contest is gone on with.
#[test]
fn the_folder_tells_who_takes_part() {
    let hall = Hall::new();
    let five = [&FOUR[..], &["d=careful"]].concat();
    hall.found(&begin(&five));
    let changes = ["--withdraw", "d", "--add", "e=careful", "--rounds", "3"];
    let changed = hall.found(&[&["tournament", "--resume", "results"], &changes[..]].concat());
    assert_eq!(names(&changed), ["b", "c", "careful", "e", "random"]);
    assert_eq!(changed["games"], 5 * 3 * 4);
    assert_eq!(hall.found(&["tournament", "--resume", "results"]), changed);
    // Given again after an interruption.
    assert_eq!(
        hall.found(&[&["tournament", "--resume", "results"], &changes[..]].concat()),
        changed
    );
    let output = hall.run(&[&begin(&five)[..], &["--rounds", "3", "--json"]].concat());
    assert_eq!(output.status.code(), Some(2), "rounds are given twice");
    let again: Vec<&str> = begin(&five)
        .into_iter()
        .map(|word| if word == "1" { "3" } else { word })
        .collect();
    let output = hall.run(&[&again[..], &["--json"]].concat());
    let line = said(&output);
    assert!(line.contains("d stays out, as it was withdrawn"), "{line}");
    assert!(line.contains("e takes part too, as it was added"), "{line}");
    assert_eq!(
        crate::hall::timeless(&serde_json::from_slice(&output.stdout).unwrap()),
        changed
    );
    // It may come back.
    let back = hall.found(&["tournament", "--resume", "results", "--add", "d=careful"]);
    assert_eq!(names(&back), ["b", "c", "careful", "d", "e", "random"]);
}

#[test]
fn a_program_that_does_not_compile_is_listed_and_the_others_play() {
    let hall = Hall::new();
    let broken = hall.file("broken.c", "int main(void) { return x; }\n");
    let unfit = hall.file("unfit", "no program\n");
    // Whoever opens it waits for ever.
    let pipe = hall.path("pipe.c").to_str().unwrap().to_owned();
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let players = [&FOUR[..], &[&broken, &unfit, &pipe]].concat();
    let report = hall.found(&begin(&players));
    let without = hall.found(
        &[
            &["tournament", "intensity", "--rounds", "1", "--seed", "4"],
            &FOUR[..],
        ]
        .concat(),
    );
    assert_eq!(report["standings"], without["standings"]);
    let lines = report["unusable"].as_array().unwrap();
    let remarks: Vec<_> = lines
        .iter()
        .map(|line| (&line["name"], &line["remark"]))
        .collect();
    let expected = [
        (&Value::from("broken"), &Value::from("does not compile")),
        (&Value::from("pipe"), &Value::from("cannot be used")),
        (&Value::from("unfit"), &Value::from("cannot be used")),
    ];
    assert_eq!(remarks, expected);
    let faults = report["faults"].as_array().unwrap();
    let fault = faults
        .iter()
        .find(|fault| fault["kind"] == "compile")
        .unwrap();
    let detail = fault["detail"].as_str().unwrap();
    assert!(detail.contains("undeclared"), "{detail}");
    let id = fault["id"].as_str().unwrap();
    let again = hall.refused_with(&["repro", "results", id]);
    assert!(again.contains("undeclared"), "{again}");

    let output = hall.run(&["tournament", "--resume", "results", "--quiet"]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("– broken   does not compile"), "{table}");
    assert!(
        table.contains("1 compile, for instance: it does not compile"),
        "{table}"
    );
    let page = fs::read_to_string(hall.path("results/report.html")).unwrap();
    // Of one who has not played nothing is known but that.
    let nothing = "<td><b></b><td><td><td><td>0<td><td><td><td></tr>";
    let row = format!("broken <small>does not compile</small>{nothing}");
    assert!(page.contains(&row), "{page}");
    let table = fs::read_to_string(hall.path("results/standings.csv")).unwrap();
    let row = ",broken,0,0,,0,0,,,,0,,,,,,,,0,0,0,0,does not compile";
    assert!(table.lines().any(|line| line == row), "{table}");

    let said = hall.refused_with(&[&begin(&players)[..], &["--strict-entry"]].concat());
    assert!(
        said.contains("unfit, pipe cannot be used, and neither can this one: "),
        "{said}"
    );
    let strict = ["tournament", "--resume", "results", "--strict-entry"];
    assert!(hall.refused_with(&strict).contains("does not compile"));

    // Repaired, it plays.
    called(&hall, "broken.c", "Whole");
    let report = hall.found(&["tournament", "--resume", "results"]);
    assert_eq!(report["games"], 5 * 4);
    assert_eq!(
        standing(&report, "broken")["games"],
        4 * 4,
        "it keeps its name"
    );
    assert_eq!(report["unusable"].as_array().unwrap().len(), 2);
    let faults = report["faults"].as_array().unwrap();
    assert!(faults.iter().all(|fault| fault["kind"] != "compile"));
}

/// A file that was spoiled by mistake costs no games.
#[test]
fn a_program_that_cannot_be_used_for_a_while_finds_its_games_again() {
    let hall = Hall::new();
    let bot = noting(&hall, "bot.c", "");
    let sound = fs::read_to_string(&bot).unwrap();
    let contest = [
        "tournament",
        "intensity",
        &bot,
        "--rounds",
        "1",
        "--seed",
        "4",
    ];
    let kept = ["--sandbox", "none", "--out", "results"];
    let whole = hall.found(&[&contest[..], &FOUR, &kept].concat());
    assert_eq!(whole["games"], 5 * 4);
    let played = runs(&hall, "bot.c");
    hall.file("bot.c", "spoiled");
    let without = hall.found(&["tournament", "--resume", "results"]);
    assert_eq!(without["games"], 4);
    assert_eq!(without["unusable"][0]["name"], "Low C");
    hall.file("bot.c", &sound);
    assert_eq!(hall.found(&["tournament", "--resume", "results"]), whole);
    assert_eq!(runs(&hall, "bot.c"), played);
}

#[test]
fn a_file_says_how_programs_that_fail_are_dealt_with() {
    let hall = Hall::new();
    hall.file("broken.c", "int main(void) { return x; }\n");
    let contest = |line: &str| {
        let text = format!(
            "game = \"intensity\"\nrounds = 1\n{line}\n\
             players = [\"broken.c\", \"careful\", \"random\", \"random\", \"random\"]\n"
        );
        hall.file("contest.toml", &text);
        ["tournament", "--config", "contest.toml"]
    };
    let report = hall.found(&contest("suspend-after = 7\nstrict-entry = false"));
    assert_eq!(report["suspend_after"], 7);
    let report = hall.found(&contest("suspend-after = \"never\""));
    assert_eq!(report["suspend_after"], Value::Null);
    let said = hall.refused_with(&contest("strict-entry = true"));
    assert!(said.contains("broken.c does not compile"), "{said}");
}

/// Whatever has no value on the command line is true or false in a file.
#[test]
fn a_file_says_yes_and_no_to_every_flag() {
    let hall = Hall::new();
    let flags = "fresh-processes strict-entry penalties quiet audit-programs audit-goes-on";
    for flag in flags.split(' ') {
        for is in ["true", "false"] {
            let text = format!(
                "game = \"uno\"\nrounds = 1\n{flag} = {is}\n\
                 players = [\"careful\", \"naive\", \"random\", \"b=random\"]\n"
            );
            hall.file("contest.toml", &text);
            let contest = ["tournament", "--config", "contest.toml"];
            if is == "true" && flag.starts_with("audit") {
                let said = hall.refused(&contest);
                assert!(said.contains("--nats"), "{said}");
            } else {
                hall.found(&contest);
            }
        }
    }
}

#[test]
fn programs_are_called_what_they_call_themselves() {
    let hall = Hall::new();
    let players = [
        called(&hall, "duck.c", "Duck"),
        called(&hall, "clone.c", "\\033[31m<Duck>"),
        called(&hall, "liar.c", "Careful"),
        called(&hall, "ann/src/bot.c", ""),
        called(&hall, "bob/src/bot.c", "   \\n"),
        format!("named={}", called(&hall, "other.c", "Other")),
        called(&hall, "long.c", &"long name ".repeat(9)),
        hall.spoiled("hangs.c", "for (;;);"),
    ];
    let players: Vec<&str> = players.iter().map(String::as_str).collect();
    let quick = [
        "--format",
        "gauntlet",
        "--start-limit",
        "1s",
        "--time-limit",
        "1s",
    ];
    let report = hall.found(&[&begin(&players)[..], &quick].concat());
    let expected = [
        "31mDuck",
        "Duck",
        "ann/bot",
        "bob/bot",
        "hangs",
        "liar",
        "long name long name long name lo",
        "named",
    ];
    assert_eq!(names(&report), expected);
    // Whatever they say later.
    called(&hall, "duck.c", "Goose");
    let resumed = hall.found(&["tournament", "--resume", "results"]);
    assert_eq!(names(&resumed), expected);
    let again = hall.found(&[&begin(&players)[..], &quick].concat());
    assert_eq!(names(&again), expected);
}

#[test]
fn every_command_calls_a_program_by_its_own_name() {
    let hall = Hall::new();
    let duck = called(&hall, "duck.c", "Duck");
    let goose = hall.file(
        "goose.py",
        "import json, sys\n\
         for line in sys.stdin:\n\
         \x20   said = json.loads(line)\n\
         \x20   answer = {'hello': {'type': 'ready', 'name': 'Grey\\nGoose!'}}.get(said['type'])\n\
         \x20   if said['type'] == 'turn':\n\
         \x20       answer = {'type': 'move', 'id': said['id'], 'move': said['legal'][0]}\n\
         \x20   if answer: print(json.dumps(answer), flush=True)\n",
    );
    let goose = format!("json:{goose}");
    let told = |arguments: &[&str]| {
        let output = hall.run(arguments);
        String::from_utf8(output.stdout).unwrap()
    };
    let table = told(&[
        "match",
        "intensity",
        &duck,
        &goose,
        "--seed",
        "1",
        "--quiet",
    ]);
    assert!(
        table.contains("  Duck ") && table.contains("  Goose "),
        "{table}"
    );
    let table = told(&["check", "intensity", &goose, "--seed", "1"]);
    assert!(table.starts_with("Goose at Intensity"), "{table}");
    let compared = hall.run(&[
        "compare",
        "intensity",
        &duck,
        &goose,
        "--games",
        "4",
        "--json",
    ]);
    let compared: Value = serde_json::from_slice(&compared.stdout).unwrap();
    assert_eq!(
        (&compared["a"], &compared["b"]),
        (&"Duck".into(), &"Goose".into())
    );
}
