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

/// How a program ends that is told to stop once; it has a minute for it, and would go on for longer.
fn stopped(mut child: Child) -> Output {
    let pid = child.id().to_string();
    let told = Command::new("kill").args(["-INT", &pid]).status();
    assert!(told.unwrap().success());
    let told = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if told.elapsed() > Duration::from_secs(60) {
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
        ("austerity", "time=60m"),
        ("intensity", "time=60m"),
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

/// Whole games at the prompt, read as somebody reads them who has never seen the game: entries that
/// are wrong, shortened and ambiguous, and then a plain game.
#[test]
fn a_whole_game_of_each_kind_reads_well() {
    let plain = "1\n".repeat(200);
    for (game, options, entries) in [
        (
            "intensity",
            &[][..],
            "help\nrubbish\n10 11\n10 11 12\n25 29, 30\n99\n33\nplay 19\n43\n37\n44\n42\n39\n33\n48\n36\n38\n",
        ),
        (
            "friday13",
            &["--rounds", "2", "--greens", "3", "--values", "1,2,4,5,7"],
            "what?\n7 red\n7 RED on 2\nblue\n1 b\n4 violet on 1\n4 g 3\n",
        ),
        ("uno", &[], "help\nblue 6\nred\nDRAW-TWO\n0\ndraw\nlog\n"),
        (
            "austerity",
            &["--points", "5"],
            "sell\ntake RYB\nbuy 3\ntake PP\nW\nbuy 4\n",
        ),
    ] {
        let (told, status) = played(
            &[&[game, "--seed", "4"], options].concat(),
            &format!("{entries}{plain}"),
        );
        insta::assert_snapshot!(format!("whole-{game}"), told);
        assert_eq!(status, Some(0), "{game}");
        assert!(told.contains("  places, with "), "{game}: {told}");
    }
}

#[test]
fn a_person_can_play_every_game_to_its_end_by_the_first_choice() {
    for game in ["austerity", "uno", "friday13"] {
        let (told, status) = played(&[game, "--seed", "4"], &"1\n".repeat(2_000));
        assert_eq!(status, Some(0), "{game}");
        assert!(told.contains("  you "), "{game}: {told}");
    }
}

/// The end of the input, Ctrl-D at a terminal, is one way to leave.
#[test]
fn a_person_may_leave_and_can_have_the_same_cards_again() {
    for entries in ["", "quit\n", "25 29 30\n19\nQuit\n"] {
        let (told, status) = played(&["intensity"], entries);
        assert_eq!(status, Some(0), "{entries:?}");
        let (_, end) = told.split_once("You have left the table: ").unwrap();
        assert!(end.starts_with("game 1 of 1 does not count."), "{end}");
        let (_, again) = end.split_once("\n  croupier play ").unwrap();
        let again: Vec<&str> = again.split_whitespace().collect();
        assert_eq!(again[..2], ["intensity", "--seed"], "{end}");
        let hand = |told: &str| {
            let mut lines = told.lines();
            lines.find_map(|line| line.strip_prefix("Your hand: ").map(str::to_owned))
        };
        assert!(hand(&told).is_some());
        assert_eq!(hand(&told), hand(&played(&again, "quit\n").0));
    }
}

#[test]
fn games_that_were_finished_before_somebody_leaves_count() {
    let entries = "1\n".repeat(7) + "quit\n";
    let options = ["friday13", "--values", "1,2,3,4,5", "--rounds", "1"];
    let options = [&options[..], &["--games", "2", "--seed", "4"]].concat();
    let (told, status) = played(&options, &entries);
    assert_eq!(status, Some(0), "{told}");
    assert!(
        told.contains("game 2 of 2 does not count. To play the same games again from the first:")
    );
    assert!(
        told.contains("\nFriday the 13th, 1 game, sandbox limits\n"),
        "{told}"
    );
}

#[test]
fn the_prompt_tells_the_rules_and_what_has_happened() {
    let entries = "log\nRULES\n25 29 30\n19\nlog\nlog all\n";
    let (told, _) = played(&["intensity", "--seed", "4", "--quiet"], entries);
    assert!(
        told.contains("pass on: log\n  nothing has happened yet\n"),
        "{told}"
    );
    assert!(
        told.contains("\nIntensity, for four players and 40 cards"),
        "{told}"
    );
    assert!(
        !told.contains("read integers from stdin"),
        "not for people: {told}"
    );
    let log = "  you: discard 25 29 30\n    they go to careful\n  careful has chosen\n";
    assert_eq!(
        told.matches(log).count(),
        2,
        "only when it is asked for: {told}"
    );
}

/// A mistyped word is neither a move nor the end.
#[test]
fn a_line_of_rubbish_without_end_is_refused_like_any_other() {
    let rubbish = "\u{1b}[2J".to_owned() + &"x".repeat(5_000_000) + "\n";
    let (told, status) = played(&["uno", "--seed", "4"], &(rubbish + "hel\n"));
    assert_eq!(status, Some(0));
    assert_eq!(told.matches("is not a move here").count(), 2);
    assert!(!told.contains('\u{1b}'));
    assert!(told.len() < 20_000, "{}", told.len());
}

#[test]
fn good_opponents_take_the_empty_seats() {
    for (game, names) in [
        ("intensity", "you, careful, careful-2, careful-3"),
        ("friday13", "you, majority, majority-2, majority-3"),
        ("uno", "you, careful, careful-2, careful-3"),
        ("austerity", "you, shenzi, banzai"),
    ] {
        let (told, _) = played(&[game], "");
        assert!(told.starts_with(&format!("Game 1: {names}\n")), "{told}");
        let (help, _) = played(&[game, "--help"], "");
        let first = names.split(", ").nth(1).unwrap();
        let filled = format!("empty seats are filled with {first}");
        assert!(help.contains(&filled), "{help}");
    }
    let (told, _) = played(&["austerity", "--against", "random", "--players", "4"], "");
    assert!(
        told.starts_with("Game 1: you, random, shenzi, banzai\n"),
        "{told}"
    );
}

#[test]
fn ctrl_c_ends_a_game_while_the_expert_is_asked_for_a_hint() {
    let (child, mut input) = begun(&["play", "uno", "--seed", "4"], "Your move: ");
    input.write_all(b"hint\n").unwrap();
    let output = stopped(child);
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(
        stderr(&output),
        "croupier: stopped in game 1 of 1; --seed 4 plays the match again\n"
    );
    assert!(!stdout(&output).contains("the expert does not know"));
}

#[test]
fn nobody_is_told_what_the_others_pass_on() {
    let (told, _) = played(&["intensity", "--seed", "4"], "25 29 30\n");
    assert_eq!(told.matches(" has chosen\n").count(), 3);
    assert_eq!(told.matches(": discard").count(), 1, "its own: {told}");
}

#[test]
fn a_person_who_asks_is_given_a_hint_and_asked_again() {
    for game in ["friday13", "austerity", "uno"] {
        let (told, _) = played(&[game, "--seed", "6"], "hint\n?\n1\n");
        assert_eq!(told.matches("expected points").count(), 2, "{told}");
        assert_eq!(told.matches("Your move").count(), 4, "{told}");
        assert!(told.matches(" ± ").count() <= 10, "{told}");
        assert!(!told.contains("is not a move here"), "{told}");
    }
}

/// As in `croupier play … | head`.
#[test]
fn a_game_that_nobody_reads_any_more_is_over_without_a_word() {
    let (mut child, mut input) = begun(&["play", "intensity", "--quiet"], "pass on: ");
    drop(child.stdout.take());
    // A program that another test is just starting may still hold the pipe, so one line may not be
    // enough to find out that nobody reads.
    while child.try_wait().unwrap().is_none() {
        let _ = input.write_all(b"rubbish\n");
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(stderr(&output), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_person_can_do_without_being_told_what_the_others_play() {
    let arguments = ["austerity", "--seed", "4", "--threads", "2", "--quiet"];
    let (told, status) = played(&arguments, &"1\n".repeat(2_000));
    assert_eq!(status, Some(0));
    assert!(!told.contains("\n  shenzi: take"), "{told}");
}
