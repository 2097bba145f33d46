//! Contests that are played in shares, each by somebody who sees nothing of the others.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::hall::{Hall, timeless};

/// The report in a folder, but for what belongs to a run.
fn report(hall: &Hall, folder: &str) -> Value {
    let text = fs::read_to_string(hall.path(folder).join("report.json")).unwrap();
    timeless(&serde_json::from_str(&text).unwrap())
}

/// Plays a contest as a whole and in three shards.
fn in_shards(hall: &Hall, contest: &[&str]) {
    hall.found(&[contest, &["--out", "whole"]].concat());
    for shard in 1..=3 {
        let (shard, folder) = (format!("{shard}/3"), format!("shard{shard}"));
        hall.found(&[contest, &["--out", &folder, "--shard", &shard]].concat());
    }
}

const MERGE: [&str; 5] = ["tournament", "--merge", "shard1", "shard2", "shard3"];

#[test]
fn shards_united_are_the_whole_contest() {
    for contest in [
        &[
            "intensity",
            "careful",
            "random",
            "a=careful",
            "b=random",
            "c=random",
        ][..],
        // Here every block of a table goes on from the one before.
        &["uno", "careful", "naive", "random", "a=naive", "b=careful"],
        &[
            "austerity",
            "ed",
            "random",
            "shenzi",
            "--format",
            "gauntlet",
            "--staff",
            "ed,banzai",
        ],
    ] {
        let hall = Hall::new();
        let contest = [&["tournament"], contest, &["--rounds", "8", "--seed", "5"]].concat();
        in_shards(&hall, &contest);
        hall.found(&[&MERGE[..], &["--out", "all"]].concat());
        assert_eq!(report(&hall, "all"), report(&hall, "whole"));
        for file in ["standings.csv", "pairs.csv"] {
            let [all, whole] =
                ["all", "whole"].map(|folder| fs::read(hall.path(folder).join(file)).unwrap());
            assert_eq!(all, whole, "{file}");
        }
        let passing = hall.found(&MERGE);
        assert_eq!(passing["missing"], 0);
        assert_eq!(passing["standings"], report(&hall, "whole")["standings"]);
    }
}

#[test]
fn what_is_missing_is_told_and_can_be_played() {
    let hall = Hall::new();
    let bot = hall.spoiled("bot.c", "");
    // Who is suspended depends on all blocks before: the shards find it out too late.
    let fails = hall.spoiled("fails.c", "return 3;");
    let contest = [
        "tournament",
        "intensity",
        &bot,
        &fails,
        "careful",
        "random",
        "a=random",
        "--rounds",
        "3",
        "--seed",
        "5",
        "--sandbox",
        "limits",
        "--suspend-after",
        "6",
    ];
    in_shards(&hall, &contest);
    let some = ["tournament", "--merge", "shard1", "shard3", "--out", "some"];
    let output = hall.run(&some);
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stdout).unwrap();
    let told = "games are missing; no folder was given of the shards 2/3; croupier tournament --resume some";
    assert!(said.contains(told), "{said}");
    assert_ne!(report(&hall, "some"), report(&hall, "whole"));
    hall.found(&["tournament", "--resume", "some"]);
    assert_eq!(report(&hall, "some"), report(&hall, "whole"));
}

#[test]
fn a_shard_goes_on_as_a_shard() {
    let hall = Hall::new();
    let contest = [
        "tournament",
        "intensity",
        "careful",
        "random",
        "a=random",
        "b=random",
    ];
    let shard = [
        "--rounds", "9", "--seed", "5", "--out", "shard", "--shard", "2/4",
    ];
    let begun = hall.found(&[&contest[..], &shard].concat());
    assert_eq!(hall.found(&["tournament", "--resume", "shard"]), begun);
    let other = [
        "--rounds", "9", "--seed", "5", "--out", "shard", "--shard", "1/4",
    ];
    let said = hall.refused(&[&contest[..], &other].concat());
    assert!(said.contains("shard is 2/4, not 1/4"), "{said}");
    let whole = ["--rounds", "9", "--seed", "5", "--out", "shard"];
    let said = hall.refused(&[&contest[..], &whole].concat());
    assert!(said.contains("shard is 2/4, not none"), "{said}");
}

#[test]
fn what_does_not_belong_together_is_not_united() {
    let hall = Hall::new();
    let play = |folder: &str, more: &[&str]| {
        let contest = ["tournament", "intensity", "careful", "random", "a=random"];
        let out = ["--rounds", "2", "--out", folder];
        hall.found(&[&contest[..], &out, more].concat());
    };
    play("one", &["b=random", "--seed", "5", "--shard", "1/2"]);
    play("seed", &["b=random", "--seed", "6", "--shard", "2/2"]);
    play("other", &["c=random", "--seed", "5", "--shard", "2/2"]);
    let merge = |folders: &[&str]| {
        let said = hall.refused(&[&["tournament", "--merge"], folders].concat());
        said.trim_end().to_owned()
    };
    insta::assert_snapshot!(merge(&["one", "seed"]), @"croupier: seed belongs to another contest than one: seed is 6, not 5");
    insta::assert_snapshot!(merge(&["one", "other"]), @"croupier: other belongs to another contest than one: this c does not take part in one");
    insta::assert_snapshot!(merge(&["one", "nowhere"]), @"croupier: there is no contest in nowhere");
    insta::assert_snapshot!(merge(&["one", "--out", "seed"]), @"croupier: there is a contest in seed already; choose another folder");
    let contest = [
        "tournament",
        "intensity",
        "careful",
        "random",
        "a=random",
        "b=random",
    ];
    let begin = |more: &[&str]| {
        hall.refused(&[&contest[..], more].concat())
            .trim_end()
            .to_owned()
    };
    insta::assert_snapshot!(begin(&["--shard", "5/4", "--out", "x"]), @"croupier: invalid value '5/4' for '--shard <K/N>': '5/4' is no shard: its number and how many there are, as in 3/64");
    insta::assert_snapshot!(begin(&["--shard", "1/4"]), @"croupier: the following required arguments were not provided: --out <DIR>; see --help");
    let swiss = ["--shard", "1/4", "--out", "x", "--format", "swiss"];
    insta::assert_snapshot!(begin(&swiss), @"croupier: a Swiss contest cannot be split into shards: who meets whom depends on all results");
    assert!(!hall.path("x").exists());
}

/// Whoever gives the same folder twice, or shards of another number that overlap, counts nothing twice.
#[test]
fn what_comes_twice_counts_once() {
    let hall = Hall::new();
    let bot = hall.spoiled("bot.c", "");
    let players = ["tournament", "intensity", &bot, "careful", "random"];
    let rest = ["a=random", "b=random", "--rounds", "4", "--seed", "5"];
    let contest = [&players[..], &rest, &["--sandbox", "limits"]].concat();
    in_shards(&hall, &contest);
    hall.found(&[&contest[..], &["--out", "half", "--shard", "1/2"]].concat());
    let once = hall.run(&[&MERGE[..], &["--json"]].concat());
    let twice = ["shard2", "shard1", "shard2", "--json"];
    let twice = hall.run(&[&MERGE[..], &twice].concat());
    assert_eq!(once.status.code(), Some(0));
    assert_eq!(
        String::from_utf8_lossy(&twice.stdout),
        String::from_utf8_lossy(&once.stdout)
    );
    let overlapping = ["shard1", "shard2", "shard3", "half", "--out", "all"];
    hall.found(&[&["tournament", "--merge"], &overlapping[..]].concat());
    assert_eq!(report(&hall, "all"), report(&hall, "whole"));
}

/// A folder that was damaged, or written to deceive, is refused by its name, and nothing is made of it.
#[test]
fn a_folder_that_cannot_be_read_is_named() {
    let hall = Hall::new();
    let fails = hall.spoiled("fails.c", "return 3;");
    let players = ["tournament", "intensity", &fails, "careful", "random"];
    let rest = ["a=random", "--rounds", "4", "--seed", "5"];
    let contest = [&players[..], &rest, &["--sandbox", "limits"]].concat();
    in_shards(&hall, &contest);
    let place = hall.path("shard2/contest.sqlite");
    let sound = fs::read(&place).unwrap();
    let merge = || {
        let said = hall.refused(&["tournament", "--merge", "shard1", "shard2", "--out", "all"]);
        assert!(said.contains("shard2"), "{said}");
        assert!(!hall.path("all").exists());
        said
    };
    fs::write(&place, &sound[..sound.len() / 2]).unwrap();
    merge();
    fs::write(&place, "nonsense".repeat(1000)).unwrap();
    merge();
    for change in [
        "UPDATE blocks SET scores = '[[1, 2]'",
        "UPDATE blocks SET scores = '[[1, 2]]'",
        "UPDATE blocks SET scores = '[[9223372036854775807,9223372036854775807,0,0]]'",
        "UPDATE blocks SET places = '[[0, 0, 0, 0]]'",
        "UPDATE blocks SET faults = '[1]'",
        "UPDATE blocks SET decisions = '[-1, 1, 1, 1]'",
        "UPDATE blocks SET suspended = '[true]'",
        "UPDATE blocks SET round = 'first'",
        "UPDATE faults SET fault = x'ff', detail = x'ff', kind = x'ff'",
        "UPDATE times SET decisions = 'many'",
        "UPDATE contest SET settings = '{}'",
        "DELETE FROM contest",
        "DROP TABLE blocks",
        "DROP TABLE faults",
        "ALTER TABLE blocks ADD COLUMN more TEXT",
        "ALTER TABLE blocks DROP COLUMN records",
        "UPDATE players SET identity = 'x' WHERE named = 0",
        "INSERT INTO faults SELECT 'x-' || named, '', 0, identity, name, 0, 'crash', '', 'x' FROM players",
    ] {
        fs::write(&place, &sound).unwrap();
        let script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()";
        let mut python = Command::new("python3");
        let changed = python.args(["-c", script]).arg(&place).arg(change);
        assert!(changed.status().unwrap().success(), "{change}");
        eprintln!("{change}: {}", merge());
    }
}
