//! `intensity`, run as a referee runs it.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::io::{Read as _, Write as _};
use std::process::{Command, Output, Stdio};

const DISCARD: &str = "1\n13 19 24 25 29 32 39 44 46 49\n";
const PLAY: &str = "2\n9 2 0\n11 15 18 23 33 34 47 48 49\n24 26\n16 13 19 12\n37 38 39\n34 47 48\n";

fn intensity(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_intensity"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its input need not read all of it.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn answered(arguments: &[&str], input: &str) -> String {
    let output = intensity(arguments, input.as_bytes());
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn it_says_its_name() {
    assert_eq!(answered(&[], "0\n"), "Expert Croupier\n");
    for (strategy, name) in [
        ("expert", "Expert Croupier\n"),
        ("careful", "Careful Croupier\n"),
        ("random", "Random Croupier\n"),
    ] {
        assert_eq!(answered(&["--strategy", strategy], "0"), name);
    }
}

#[test]
fn it_passes_three_cards_of_the_hand_on() {
    for strategy in ["expert", "careful", "random"] {
        let answer = answered(&["--strategy", strategy], DISCARD);
        let hand: Vec<&str> = DISCARD.split_whitespace().skip(1).collect();
        let mut cards: Vec<&str> = answer.split_whitespace().collect();
        assert!(cards.iter().all(|card| hand.contains(card)), "{answer}");
        cards.dedup();
        assert_eq!(cards.len(), 3, "{answer}");
        assert_eq!(answer, cards.join(" ") + "\n");
    }
    assert_eq!(answered(&["--strategy", "careful"], DISCARD), "19 39 49\n");
}

#[test]
fn it_plays_the_only_legal_card() {
    for strategy in ["expert", "careful", "random"] {
        assert_eq!(answered(&["--strategy", strategy], PLAY), "23\n");
    }
}

#[test]
fn it_runs_its_own_tests() {
    assert_eq!(
        answered(&[], "3\n"),
        "all 4400 questions of 100 games understood and answered legally\n"
    );
}

#[test]
fn it_answers_without_waiting_for_the_end_of_the_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_intensity"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut open = child.stdin.take().unwrap();
    open.write_all(PLAY.as_bytes()).unwrap();
    let mut answer = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut answer)
        .unwrap();
    drop(open);
    assert_eq!(answer, "23\n");
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    for strategy in ["expert", "random"] {
        let arguments = ["--strategy", strategy, "--seed", "5"];
        assert_eq!(answered(&arguments, DISCARD), answered(&arguments, DISCARD));
    }
}

#[test]
fn bad_input_ends_with_one_line_and_status_1() {
    let cut = PLAY.trim_end().strip_suffix(" 48").unwrap();
    let huge = format!("1 {}", "9".repeat(100_000));
    let twice = DISCARD.replace("49", "13");
    let impossible = PLAY.replace("37 38 39", "11 38 39");
    let other_turn = PLAY.replace("9 2 0", "9 2 3");
    for (input, reason) in [
        ("", "there is no input; a question starts with 0, 1, 2 or 3"),
        (
            "  \n",
            "there is no input; a question starts with 0, 1, 2 or 3",
        ),
        (
            "7",
            "7 cannot be the question, which is a number from 0 to 3",
        ),
        (
            "name?",
            "'name?' is not a number; it stands for the question",
        ),
        (
            "1 13 19",
            "the input is cut off: card 3 of 10 in the hand is missing",
        ),
        (
            cut,
            "the input is cut off: card 3 of 3 in the cards received is missing",
        ),
        (
            "1 13 ten",
            "'ten' is not a number; it stands for card 2 of 10 in the hand",
        ),
        (
            "1 13 50",
            "50 cannot be card 2 of 10 in the hand, which is a number from 10 to 49",
        ),
        (
            "2 0 0 0",
            "0 cannot be the number of cards in hand, which is a number from 1 to 10",
        ),
        (
            &huge,
            "9999999999999999… cannot be card 1 of 10 in the hand, which is a number from 10 to 49",
        ),
        (&twice, "the card 13 is twice in the hand"),
        (
            &impossible,
            "the 11 was passed on, but this position still had it afterwards",
        ),
        (
            &other_turn,
            "after these cards it is the turn of position 0, not of position 3",
        ),
    ] {
        let output = intensity(&[], input.as_bytes());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said, format!("intensity: {reason}\n"));
        assert_eq!(output.status.code(), Some(1), "{input:?}");
        assert!(output.stdout.is_empty(), "{input:?}");
    }
    let output = intensity(&[], b"1 \xff\xfe\x00");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn an_unknown_strategy_is_a_matter_of_usage() {
    let output = intensity(&["--strategy", "reckless"], b"0");
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("reckless") && said.contains("careful"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1);
}
