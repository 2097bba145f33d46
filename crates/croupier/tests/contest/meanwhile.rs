//! While a contest runs, others can read what it has found so far.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::hall::Hall;

/// A contest in which a program waits in the second round until it is let go on.
struct Running<'a> {
    hall: &'a Hall,
    contest: Child,
    gate: PathBuf,
}

impl<'a> Running<'a> {
    fn new(hall: &'a Hall, more: &[&str]) -> Running<'a> {
        let (gate, count) = (hall.path("gate"), hall.path("count"));
        // Each run adds a byte; after the forty-four decisions of the first block it waits.
        let waits = format!(
            "FILE *count = fopen({count:?}, \"a\"); fputc('x', count); fflush(count);
             while (ftell(count) > 46) {{ FILE *gate = fopen({gate:?}, \"r\"); if (gate) break; }}"
        );
        let waits = hall.spoiled("waits.c", &waits);
        let crashes = hall.spoiled("crashes.c", "abort();");
        let contest = hall
            .command(&["tournament", "intensity", &waits, &crashes, "careful"])
            .args(["random", "--rounds", "3", "--seed", "5", "--out", "results"])
            .args([
                "--sandbox",
                "none",
                "--threads",
                "1",
                "--time-limit",
                "3600s",
            ])
            .args(["--cpu-limit", "3600s"])
            .args(more)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Running {
            hall,
            contest,
            gate,
        }
    }

    /// The report that is there although the contest goes on.
    fn report(&mut self) -> Value {
        // It is written file by file, and this is the last one.
        while !self.hall.path("results/pairs.csv").exists() {
            if self.contest.try_wait().unwrap().is_some() {
                let said = std::io::read_to_string(self.contest.stderr.take().unwrap());
                panic!("it is over: {}", said.unwrap());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let report = fs::read(self.hall.path("results/report.json")).unwrap();
        serde_json::from_slice(&report).unwrap()
    }

    /// Lets the program go on, and gives what the contest says in the end.
    fn ends(self) -> (Value, String) {
        fs::write(&self.gate, "").unwrap();
        let output = self.contest.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{said}");
        (serde_json::from_slice(&output.stdout).unwrap(), said)
    }
}

#[test]
fn reports_replays_and_repros_come_while_it_runs() {
    let hall = Hall::new();
    let mut running = Running::new(&hall, &["--json"]);
    let report = running.report();
    assert_eq!(report["games"], 4);
    for file in ["report.html", "standings.csv", "pairs.csv"] {
        assert!(hall.path("results").join(file).exists(), "{file}");
    }
    let fault = report["faults"][0]["id"].as_str().unwrap();
    let output = hall.run(&["repro", "results", fault]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("It was killed by signal 6."), "{said}");
    let (game, _) = fault.rsplit_once('-').unwrap();
    let output = hall.run(&["replay", &format!("results/{game}"), "--quiet"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    // There is one who writes, and no other.
    let said = hall.refused(&["tournament", "--resume", "results"]);
    assert!(
        said.contains("another croupier is at work in results"),
        "{said}"
    );
    let (end, _) = running.ends();
    assert_eq!(end["games"], 12);
    assert_eq!(
        hall.found(&["tournament", "--resume", "results"])["games"],
        12
    );
}

/// What a killed contest has left is read as it is, also before it goes on.
#[test]
fn a_contest_that_was_killed_can_be_read() {
    let hall = Hall::new();
    let mut running = Running::new(&hall, &["--json"]);
    let report = running.report();
    running.contest.kill().unwrap();
    running.contest.wait().unwrap();
    // So that the program that waits ends too.
    fs::write(&running.gate, "").unwrap();
    assert!(hall.path("results/contest.sqlite-wal").exists());
    let fault = report["faults"][0]["id"].as_str().unwrap();
    let output = hall.run(&["repro", "results", fault]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("It was killed by signal 6."), "{said}");
    assert_eq!(
        hall.found(&["tournament", "--resume", "results"])["games"],
        12
    );
}

/// The first line comes when the contest has run for ten seconds.
#[test]
fn without_a_terminal_a_line_tells_how_far_it_is() {
    let hall = Hall::new();
    let slow = hall.spoiled("slow.c", "#include <unistd.h>\n usleep(30000);");
    let mut contest = hall
        .command(&[
            "tournament",
            "intensity",
            &slow,
            "random",
            "b=random",
            "c=random",
        ])
        .args(["--rounds", "1000", "--sandbox", "none", "--threads", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut told = BufReader::new(contest.stderr.take().unwrap());
    told.read_line(&mut line).unwrap();
    contest.kill().unwrap();
    contest.wait().unwrap();
    let (games, rest) = line
        .split_once(" of 4,000 games, about ")
        .unwrap_or_default();
    assert!(games.starts_with("croupier: "), "{line}");
    assert!(rest.ends_with(" left\n"), "{line}");
}
