//! Killed, changed, cut short: a contest goes on, and nothing is lost.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use croupier_core::Seed;
use serde_json::Value;

use crate::hall::{Hall, standing, timeless};

/// Whatever the moment, a contest that is killed goes on where it was, and its table is the one
/// of a contest that nobody has killed.
fn survives_kills(format: &str, seed: u64) {
    let hall = Hall::new();
    let sound = hall.spoiled("sound.c", "");
    let crashes = hall.spoiled("crashes.c", "abort();");
    let contest = [
        "tournament",
        "intensity",
        &sound,
        &crashes,
        "careful",
        "random",
        "last=random",
        "--format",
        format,
        "--rounds",
        "12",
        "--seed",
        "31",
        "--sandbox",
        "limits",
        // Who crashes is suspended after its second block.
        "--suspend-after",
        "60",
    ];
    let alone = ["--threads", "1", "--out", "undisturbed"];
    let undisturbed = hall.found(&[&contest[..], &alone].concat());
    let remark = &standing(&undisturbed, "crashes")["remark"];
    assert_eq!(remark, "suspended after 8 games");
    assert_eq!(standing(&undisturbed, "careful")["faults"], 0);
    assert!(
        standing(&undisturbed, "crashes")["faults"]
            .as_u64()
            .unwrap()
            > 100
    );

    let mut rng = Seed(seed).rng();
    let begin = [&contest[..], &["--out", "killed", "--quiet"]].concat();
    for _ in 0..20 {
        // The same command goes on, also if it was killed before there was anything to resume.
        let mut command = hall.command(&begin);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(rng.below(420) as u64));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.is_empty(), "{said}");
    }
    let resumed = hall.found(&["tournament", "--resume", "killed"]);
    assert_eq!(resumed, undisturbed);
    let kept = |folder: &str| {
        let text = fs::read_to_string(hall.path(folder).join("report.json")).unwrap();
        timeless(&serde_json::from_str(&text).unwrap())
    };
    assert_eq!(kept("killed"), kept("undisturbed"));
}

#[test]
fn a_round_robin_that_is_killed_twenty_times_ends_in_the_same_table() {
    survives_kills("round-robin", 1);
}

#[test]
fn a_swiss_contest_that_is_killed_twenty_times_ends_in_the_same_table() {
    survives_kills("swiss", 2);
}

/// A program that notes each of its runs beside itself; one of them is for its name.
pub(crate) fn noting(hall: &Hall, name: &str, extra: &str) -> String {
    let notes = hall.path(name).with_extension("runs");
    let first = format!(
        "{extra} FILE *notes = fopen(\"{}\", \"a\"); fputc('x', notes); fclose(notes);",
        notes.display()
    );
    hall.spoiled(name, &first)
}

pub(crate) fn runs(hall: &Hall, name: &str) -> u64 {
    let notes = hall.path(name).with_extension("runs");
    fs::metadata(notes).map_or(0, |file| file.len())
}

/// Of six tables with two of these programs each, only those of the changed one are played again.
#[test]
fn only_the_blocks_of_a_changed_program_are_played_again() {
    let hall = Hall::new();
    let (one, two) = (noting(&hall, "one.c", ""), noting(&hall, "two.c", ""));
    let contest = [
        "tournament",
        "intensity",
        &one,
        &two,
        "careful",
        "random",
        "b=random",
        "--rounds",
        "1",
        "--seed",
        "2",
        "--sandbox",
        "none",
        "--out",
        "results",
        "--json",
    ];
    let before = hall.found(&contest[..contest.len() - 1]);
    assert_eq!(before["games"], 20);
    let named = 1;
    let (first, second) = (runs(&hall, "one.c"), runs(&hall, "two.c"));
    assert_eq!(hall.found(&["tournament", "--resume", "results"]), before);
    assert_eq!(
        (runs(&hall, "one.c"), runs(&hall, "two.c")),
        (first, second)
    );

    // What a program is does not depend on who compiles it.
    let mut elsewhere = hall.command(&["tournament", "--resume", "results", "--json"]);
    let output = elsewhere.env("CC", "cc -DANOTHER=1").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(
        (runs(&hall, "one.c"), runs(&hall, "two.c")),
        (first, second)
    );

    // Four tables have the second one; one of them has not the first.
    noting(&hall, "two.c", "(void)1;");
    let after = hall.found(&["tournament", "--resume", "results"]);
    assert_eq!(
        runs(&hall, "two.c"),
        2 * second - named,
        "it keeps its name"
    );
    assert_eq!(4 * (runs(&hall, "one.c") - first), 3 * (first - named));
    assert_eq!(after["games"], 20);

    // One that is added plays its own six tables, and one that is withdrawn takes its games along.
    let total = runs(&hall, "one.c");
    let more = hall.found(&["tournament", "--resume", "results", "--add", "c=random"]);
    assert_eq!(more["games"], 15 * 4);
    assert_eq!(4 * (runs(&hall, "one.c") - total), 6 * (first - named));
    let total = runs(&hall, "one.c");
    let less = hall.found(&["tournament", "--resume", "results", "--withdraw", "c"]);
    assert_eq!(less, after);
    assert_eq!(runs(&hall, "one.c"), total);
}

/// In a Swiss contest the rounds that were played stay as they are for those who stay.
#[test]
fn a_swiss_contest_goes_on_with_others() {
    let hall = Hall::new();
    let contest = [
        "tournament",
        "intensity",
        "careful",
        "random",
        "b=random",
        "c=random",
        "d=random",
        "e=careful",
        "f=random",
        "g=random",
        "--format",
        "swiss",
        "--rounds",
        "4",
        "--seed",
        "2",
        "--out",
        "results",
    ];
    let before = hall.found(&contest);
    assert_eq!(before["games"], 2 * 4 * 4);
    let after = hall.found(&[
        "tournament",
        "--resume",
        "results",
        "--withdraw",
        "g",
        "--add",
        "h=random",
    ]);
    let games = |report: &Value, name: &str| standing(report, name)["games"].as_u64().unwrap();
    for name in ["careful", "b", "e", "h"] {
        assert_eq!(games(&after, name), 16, "{name}");
    }
    // Every round the table that lost a player found another with the new one, and no more.
    assert_eq!(after["games"], 2 * 4 * 4);
    assert!(
        after["standings"]
            .as_array()
            .unwrap()
            .iter()
            .all(|line| line["name"] != "g")
    );
}

/// On a disk that gets full, what was finished is kept, and the command that goes on is told.
#[test]
fn a_full_disk_is_the_machines_fault_and_loses_nothing() {
    let hall = Hall::new();
    let script = "mkdir small && mount -t tmpfs -o size=256k none small || exit 77
        \"$0\" tournament intensity random random random random --rounds 20000 --seed 1 \
            --out small/results --quiet
        echo $? > status; mount -o remount,size=64m small
        \"$0\" tournament --resume small/results --json > report";
    let mut command = Command::new("unshare");
    let command = command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
    let output = command
        .arg(env!("CARGO_BIN_EXE_croupier"))
        .current_dir(hall.path("."))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(77) || said.contains("unshare") {
        eprintln!("this machine lets nobody mount a small disk: {said}");
        return;
    }
    assert_eq!(
        fs::read_to_string(hall.path("status")).unwrap().trim(),
        "3",
        "{said}"
    );
    assert!(
        said.contains("croupier tournament --resume small/results goes on"),
        "{said}"
    );
    let report: Value = serde_json::from_slice(&fs::read(hall.path("report")).unwrap()).unwrap();
    assert_eq!(report["games"], 80_000);
    let whole = hall.found(&[
        "tournament",
        "intensity",
        "random",
        "random",
        "random",
        "random",
        "--rounds",
        "20000",
        "--seed",
        "1",
    ]);
    assert_eq!(timeless(&report)["standings"], whole["standings"]);
}

/// The first block is not over, and still there is one document.
#[test]
fn a_comparison_that_is_stopped_at_once_tells_that_nothing_is_decided() {
    let hall = Hall::new();
    let began = hall.path("began");
    let slow = format!("fopen({began:?}, \"w\"); for (;;);");
    let slow = hall.spoiled("slow.c", &slow);
    let mut child = hall
        .command(&["compare", "intensity", &slow, "random", "--json"])
        .args(["--sandbox", "none"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !began.exists() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    let told = Command::new("kill").args(["-INT", &pid]).status();
    assert!(told.unwrap().success());
    let status = child.wait().unwrap();
    let report: Value = serde_json::from_reader(child.stdout.take().unwrap()).unwrap();
    assert_eq!(status.code(), Some(130));
    assert_eq!(report["verdict"], "undecided");
    assert_eq!(report["games"], 0);
    assert_eq!(report["points"]["a"], Value::Null);
    assert_eq!(report["difference"]["ci95"], serde_json::json!([-2.0, 2.0]));
}

/// A billion rounds need no more memory than a few, and are stopped as soon.
#[test]
fn a_contest_with_a_billion_rounds_begins_at_once_and_can_be_stopped() {
    let hall = Hall::new();
    let child = hall
        .command(&["tournament", "friday13", "random", "random", "--players"])
        .args(["2", "--rounds", "1000000000", "--out", "results", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // As soon as blocks are written, games are played.
    while !fs::metadata(hall.path("results/contest.sqlite-wal"))
        .is_ok_and(|file| file.len() > 200_000)
    {
        std::thread::sleep(Duration::from_millis(20));
    }
    let pid = child.id().to_string();
    let told = Command::new("kill").args(["-INT", &pid]).status();
    assert!(told.unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["games"].as_u64() > Some(0), "{report}");
}

/// Nobody has to name the staff again, and with another one it would be another contest.
#[test]
fn the_staff_of_a_contest_stays() {
    let hall = Hall::new();
    let contest = [
        "tournament",
        "friday13",
        "majority",
        "smallest",
        "--players",
    ];
    let contest = [
        &contest[..],
        &["2", "--format", "gauntlet", "--rounds", "2"],
    ]
    .concat();
    let held = [&contest[..], &["--out", "results"]].concat();
    let before = hall.found(&[&held[..], &["--staff", "optimal"]].concat());
    assert_eq!(hall.found(&held), before);
    let said = hall.refused(&[&held[..], &["--staff", "random"]].concat());
    assert!(said.contains("the staff is optimal, not random"), "{said}");
}

/// Nobody has said whether records are kept, and it depends on who plays.
#[test]
fn a_program_may_join_a_contest_of_built_in_players() {
    let hall = Hall::new();
    let contest = ["tournament", "intensity", "careful", "random", "b=random"];
    let contest = [&contest[..], &["c=random", "--rounds", "1"]].concat();
    let held = [&contest[..], &["--sandbox", "limits", "--out", "results"]].concat();
    hall.found(&held);
    let crashes = hall.spoiled("crashes.c", "abort();");
    let report = hall.found(&[&held[..], &[&crashes]].concat());
    let id = report["faults"][0]["id"].as_str().unwrap();
    let (game, _) = id.rsplit_once('-').unwrap();
    let output = hall.run(&["replay", &format!("results/{game}")]);
    assert_eq!(output.status.code(), Some(0), "its games are recorded");
}

/// The folder of compiled programs may be deleted at any time: what is needed is made again, and no program is
/// blamed.
#[test]
fn a_cache_that_is_deleted_costs_no_program_anything() {
    for sandbox in ["strict", "limits"] {
        let hall = Hall::new();
        let slow = hall.spoiled("slow.c", "usleep(2000);");
        let text = fs::read_to_string(&slow).unwrap();
        fs::write(&slow, format!("#include <unistd.h>\n{text}")).unwrap();
        let cache = hall.path("cache");
        let players = [
            "tournament",
            "intensity",
            &slow,
            "careful",
            "random",
            "b=random",
        ];
        let rest = [
            "--rounds",
            "60",
            "--seed",
            "5",
            "--quiet",
            "--sandbox",
            sandbox,
        ];
        let held = |arguments: &[&str]| {
            let mut command = hall.command(arguments);
            command.env("XDG_CACHE_HOME", &cache).stdout(Stdio::null());
            command.stderr(Stdio::piped()).spawn().unwrap()
        };
        let contest = held(&[&players[..], &rest, &["--out", "results"]].concat());
        let begun = std::time::Instant::now();
        while !hall.path("results/report.json").exists() {
            assert!(
                begun.elapsed() < Duration::from_secs(120),
                "nothing is played"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
        fs::remove_dir_all(&cache).unwrap();
        let ended = contest.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(0), "{said}");
        let report = fs::read_to_string(hall.path("results/report.json")).unwrap();
        let report: Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["games"], 60 * 4);
        assert_eq!(standing(&report, "Low C")["faults"], 0);
    }
}
