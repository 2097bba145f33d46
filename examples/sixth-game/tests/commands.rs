//! One registration, and everything that croupier does with a game it does with this one.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What `croupier` prints when it is run in this folder with this input, and its exit status.
fn croupier(folder: &Path, input: &str, arguments: &str) -> (String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sixth-game"))
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("it was built");
    // Who does not read its input may have ended before.
    let _ = child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    (
        String::from_utf8_lossy(&output.stdout).into_owned(),
        output.status.code(),
    )
}

fn json(folder: &Path, arguments: &str) -> Value {
    let (text, status) = croupier(folder, "", arguments);
    assert_eq!(status, Some(0), "{arguments}: {text}");
    serde_json::from_str(&text).expect("one JSON document")
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::copy("bot.py", folder.path().join("bot.py")).expect("the bot");
    folder
}

#[test]
fn it_is_listed_with_its_rules_and_simulated() {
    let folder = folder();
    let games = json(folder.path(), "games --json");
    let names: Vec<_> = games["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| &game["name"])
        .collect();
    assert_eq!(
        names,
        ["war", "intensity", "friday13", "uno", "austerity", "tide"]
    );
    assert!(
        croupier(folder.path(), "", "rules tide")
            .0
            .contains("wins as many points")
    );
    let found = json(
        folder.path(),
        "simulate tide rising random random --games 2000 --seed 1 --json",
    );
    assert_eq!(found["games"], 2000);
    let better = json(
        folder.path(),
        "compare tide rising random --games 3000 --seed 1 --json",
    );
    assert!(better["games"].as_u64().unwrap() > 0, "{better}");
}

#[test]
fn a_program_plays_a_match_that_is_recorded_and_told_again() {
    let folder = folder();
    let played = json(
        folder.path(),
        "match tide ./bot.py rising --seed 5 --out kept --json",
    );
    assert_eq!(played["players"][0]["name"], "Middle");
    assert_eq!(played["games"][0]["faults"], serde_json::json!([]));
    let (told, status) = croupier(folder.path(), "", "replay kept/records/1.jsonl");
    assert_eq!(status, Some(0), "{told}");
    assert_eq!(told.matches("turned up: ").count(), 7, "{told}");
    // Whoever sits in a seat hears that the others chose, and not what.
    let (seen, _) = croupier(
        folder.path(),
        "",
        "replay kept/records/1.jsonl --seat Middle",
    );
    assert_eq!(seen.matches("rising has chosen").count(), 7, "{seen}");
    assert!(!seen.contains("rising: play"), "{seen}");
}

#[test]
fn a_contest_ranks_programs_and_players() {
    let folder = folder();
    let held = json(
        folder.path(),
        "tournament tide ./bot.py rising random --rounds 4 --seed 2 --sandbox limits --out held --json",
    );
    assert_eq!(held["standings"].as_array().unwrap().len(), 3, "{held}");
    assert!(folder.path().join("held/report.html").exists());
    let (report, status) = croupier(
        folder.path(),
        "",
        "check tide ./bot.py --situations 200 --seed 1",
    );
    assert_eq!(status, Some(0), "{report}");
}

#[test]
fn a_person_plays_at_the_prompt() {
    let folder = folder();
    let (told, status) = croupier(folder.path(), &"1\n".repeat(7), "play tide --seed 3");
    assert_eq!(status, Some(0), "{told}");
    assert!(told.contains("hand: ["), "{told}");
    assert!(told.contains("places, with points"), "{told}");
    let (told, _) = croupier(folder.path(), "play 99\nquit\n", "play tide --seed 3");
    assert!(told.contains("the 99 is not in the hand"), "{told}");
}

#[test]
fn what_cannot_be_is_refused_in_one_line() {
    let folder = folder();
    for wrong in [
        "match tide a b c d e",
        "simulate tide --players 9",
        "match tied rising",
    ] {
        assert_eq!(croupier(folder.path(), "", wrong).1, Some(2), "{wrong}");
    }
}
