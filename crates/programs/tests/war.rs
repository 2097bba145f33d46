//! `war` as its users run it.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs::File;
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn war(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_war"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end without reading all of it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_whole_game_is_told_in_the_format_of_the_handout() {
    let output = war(&["--seed", "3", "--no-pause"], "");
    assert_eq!(output.status.code(), Some(0));
    insta::assert_snapshot!("war-seed-3", stdout(&output));
    assert_eq!(
        stderr(&output),
        "war: --seed 3 --short-war loses --winnings transcript\n"
    );
}

#[test]
fn it_pauses_after_every_hundred_turns() {
    let whole = stdout(&war(&["--seed", "7", "--no-pause"], ""));
    assert!(whole.ends_with("player 0 wins the game after 160 turns\n"));
    let paused = stdout(&war(&["--seed", "7"], "ignored\n"));
    assert_eq!(paused.matches("press return to continue\n").count(), 1);
    assert_eq!(paused.replace("press return to continue\n", ""), whole);
    let before = paused.split("press").next().unwrap();
    let turns = before.lines().filter(|line| line.ends_with("wins")).count();
    assert_eq!(turns, 100);
}

#[test]
fn the_end_of_the_input_ends_it_at_the_pause() {
    let output = war(&["--seed", "7"], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).ends_with("press return to continue\n"));
}

#[test]
fn without_a_seed_one_is_drawn_and_told() {
    let first = war(&["--no-pause"], "");
    let told = stderr(&first);
    let seed = told.split_whitespace().nth(2).unwrap();
    let again = war(&["--no-pause", "--seed", seed], "");
    assert_eq!(stdout(&first), stdout(&again));
}

#[test]
fn what_makes_no_sense_is_refused_in_one_line() {
    for arguments in [
        &["--seed", "x"][..],
        &["--seed", "99999999999999999999"],
        &["--winnings", "none"],
        &["--max-turns", "0"],
        &["--nonsense"],
        &["word"],
    ] {
        let output = war(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(stderr(&output).lines().count(), 1, "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_full_disk_is_told_with_status_3() {
    let output = Command::new(env!("CARGO_BIN_EXE_war"))
        .args(["--seed", "3", "--no-pause"])
        .stdout(File::options().write(true).open("/dev/full").unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("failed to write the output"));
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let script = format!(
        "{} --seed 3 --no-pause 2>/dev/null | head -n 1; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_war")
    );
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stdout(&output).lines().count(), 1);
}
