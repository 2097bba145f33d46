//! A person at the table, and Ctrl-C in the middle of a game.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Starts `croupier` with a hand on its input.
fn started(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What `croupier play` prints, and how it ends, for these entries.
fn played(arguments: &[&str], entries: &str) -> (String, Option<i32>) {
    let mut child = started(&[&["play"], arguments].concat());
    // The game may be over before all of it is read.
    let _ = child.stdin.take().unwrap().write_all(entries.as_bytes());
    let output = child.wait_with_output().unwrap();
    (stdout(&output), output.status.code())
}

/// How a program ends that is told to stop once; it has a few seconds for it.
fn stopped(mut child: Child) -> Output {
    let pid = child.id().to_string();
    let told = Command::new("kill").args(["-INT", &pid]).status();
    assert!(told.unwrap().success());
    let told = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if told.elapsed() > Duration::from_secs(10) {
            child.kill().unwrap();
            panic!("it goes on after Ctrl-C");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

/// Starts `croupier` with a hand on its input, and waits until it has printed this.
fn begun(arguments: &[&str], last: &str) -> (Child, ChildStdin) {
    let mut child = started(arguments);
    let mut told = Vec::new();
    while !String::from_utf8_lossy(&told).contains(last) {
        let mut byte = [0];
        child
            .stdout
            .as_mut()
            .unwrap()
            .read_exact(&mut byte)
            .unwrap();
        told.extend(byte);
    }
    let input = child.stdin.take().unwrap();
    (child, input)
}

#[test]
fn ctrl_c_ends_a_game_at_once_while_a_person_is_asked() {
    for half_a_line in ["", "25 2"] {
        let (child, mut input) = begun(&["play", "intensity", "--seed", "4"], "pass on: ");
        input.write_all(half_a_line.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(100));
        let output = stopped(child);
        assert_eq!(output.status.code(), Some(130));
        assert_eq!(
            stderr(&output),
            "croupier: stopped in game 1 of 1; --seed 4 plays the match again\n"
        );
        assert_eq!(stdout(&output), "\n", "the prompt's line is ended");
    }
}

#[test]
fn ctrl_c_ends_a_game_while_a_built_in_player_thinks() {
    for (game, budget) in [
        ("austerity", "time=10m"),
        ("intensity", "time=10m"),
        ("intensity", "iterations=100000000000"),
        ("uno", "iterations=100000000000"),
    ] {
        let expert = format!("expert:{budget}");
        let (child, _input) = begun(&["match", game, &expert, "--seed", "4"], "Game 1: ");
        let output = stopped(child);
        assert_eq!(output.status.code(), Some(130), "{game} {budget}");
        assert_eq!(
            stderr(&output),
            "croupier: stopped in game 1 of 1; --seed 4 plays the match again\n"
        );
    }
}

#[test]
fn a_person_plays_intensity_and_is_told_the_rule_that_an_entry_breaks() {
    let entries = "rubbish\n10 11\n10 11 12\n25 29, 30\n99\n33\nplay 21\n";
    let (told, status) = played(
        &[
            "intensity",
            "--against",
            "careful,careful,careful",
            "--seed",
            "4",
        ],
        entries,
    );
    insta::assert_snapshot!("intensity", told);
    assert_eq!(status, Some(2), "the input ended before the game");
}

#[test]
fn a_person_can_play_every_game_to_its_end_by_the_first_choice() {
    for game in ["austerity", "uno", "friday13"] {
        let (told, status) = played(&[game, "--seed", "4"], &"1\n".repeat(2_000));
        assert_eq!(status, Some(0), "{game}");
        assert!(told.contains("  you "), "{game}: {told}");
    }
}

#[test]
fn nobody_is_told_what_the_others_pass_on() {
    let (told, _) = played(&["intensity", "--seed", "4"], "25 29 30\n");
    assert_eq!(told.matches(" has chosen\n").count(), 3);
    assert!(!told.contains("discard"), "{told}");
}

#[test]
fn a_person_who_asks_is_given_a_hint_and_asked_again() {
    for game in ["friday13", "austerity", "uno"] {
        let (told, _) = played(&[game, "--seed", "6"], "hint\n?\n1\n");
        assert_eq!(told.matches("expected points").count(), 2, "{told}");
        assert_eq!(told.matches("Your move").count(), 4, "{told}");
        assert!(told.matches(" ± ").count() <= 10, "{told}");
        assert!(!told.contains("no move of this game"), "{told}");
    }
}

/// As in `croupier play … | head`.
#[test]
fn a_game_that_nobody_reads_any_more_is_over_without_a_word() {
    let (mut child, mut input) = begun(&["play", "intensity", "--quiet"], "pass on: ");
    drop(child.stdout.take());
    input.write_all(b"rubbish\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_person_can_do_without_being_told_what_the_others_play() {
    let arguments = ["austerity", "--seed", "4", "--threads", "2", "--quiet"];
    let (told, status) = played(&arguments, &"1\n".repeat(2_000));
    assert_eq!(status, Some(0));
    assert!(!told.contains("\n  random: "), "{told}");
}
