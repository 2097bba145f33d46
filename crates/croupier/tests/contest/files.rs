//! Contests that a file describes, and the files that they leave.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::hall::Hall;

#[test]
fn the_example_of_a_file_can_be_held() {
    let hall = Hall::new();
    let example = hall.run(&["tournament", "--example"]);
    fs::create_dir(hall.path("there")).unwrap();
    fs::write(hall.path("there/contest.toml"), &example.stdout).unwrap();
    let report = hall.found(&[
        "tournament",
        "--config",
        "there/contest.toml",
        "--threads",
        "2",
    ]);
    assert_eq!(report["games"], 5 * 20 * 4);
    assert_eq!(report["sandbox"], "strict");
    // Paths start from the folder of the file.
    for name in ["report.html", "report.json", "standings.csv", "pairs.csv"] {
        assert!(hall.path("there/results").join(name).exists(), "{name}");
    }
    let page = fs::read_to_string(hall.path("there/results/report.html")).unwrap();
    for part in [
        "Standings",
        "Ratings",
        "Pair by pair",
        "Seat by seat",
        "Faults",
        "Conditions",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(
        !page.contains("http"),
        "the page needs nothing from elsewhere"
    );
    let elsewhere = hall.found(&[
        "tournament",
        "--config",
        "there/contest.toml",
        "--out",
        "here",
    ]);
    assert_eq!(elsewhere["games"], 400);
    assert!(Path::new(&hall.path("here/report.html")).exists());
}

/// What is printed for whoever reads it is right in the reader's folder and is one word of a
/// command.
#[test]
fn a_contest_from_a_file_tells_how_to_repeat_a_fault_from_here() {
    let hall = Hall::new();
    fs::create_dir(hall.path("my contest")).unwrap();
    hall.spoiled("my contest/bot.c", "abort();");
    hall.file(
        "my contest/contest.toml",
        "game = \"intensity\"\nrounds = 1\nout = \"results\"\nrecords = true\n\
         quiet = true\nplayers = [\"./bot.c\", \"random\", \"random\", \"random\"]\n",
    );
    let output = hall.run(&[
        "tournament",
        "--config",
        "my contest/contest.toml",
        "--quiet",
    ]);
    let told = String::from_utf8(output.stdout).unwrap();
    let again = told.lines().find(|line| line.contains("croupier repro"));
    let again = again.unwrap_or_else(|| panic!("{told}")).trim();
    let script = again.replace("croupier", env!("CARGO_BIN_EXE_croupier"));
    let mut shell = Command::new("sh");
    let shell = shell.current_dir(hall.path(".")).args(["-c", &script]);
    let output = shell.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.stdout.len() > 100, "{again}: {said}");
}

/// As in `croupier tournament … | head -1`.
#[test]
fn the_reports_are_written_also_when_nobody_reads_the_table() {
    let hall = Hall::new();
    let mut child = hall
        .command(&["tournament", "uno", "random", "random", "random", "random"])
        .args(["--rounds", "2", "--out", "results", "--quiet"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(hall.path("results/report.html").exists());
}
