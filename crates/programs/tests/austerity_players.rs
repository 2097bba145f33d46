//! The player programs of Austerity, run as a hub runs them.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use croupier_core::Seat;
use croupier_games::austerity::{BANZAI, ED, SHENZI, View};
use croupier_programs::austerity_player::{Trouble, play, sit_down};
use proptest::prelude::*;

const PROGRAMS: [(&str, &str); 3] = [
    ("shenzi", env!("CARGO_BIN_EXE_shenzi")),
    ("banzai", env!("CARGO_BIN_EXE_banzai")),
    ("ed", env!("CARGO_BIN_EXE_ed")),
];

/// Runs a program with all of its input at once.
fn run(program: &str, arguments: &[&OsStr], input: &[u8]) -> Output {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends early does not read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// The status and the standard error of a program that answers nothing.
fn end(program: &str, arguments: &[&str], input: &[u8]) -> (i32, String) {
    let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
    let output = run(program, &arguments, input);
    assert_eq!(output.stdout, b"");
    let status = output.status.code().unwrap();
    (status, String::from_utf8(output.stderr).unwrap())
}

#[test]
fn shenzi_plays_the_recorded_game_byte_for_byte() {
    let input = include_bytes!("vectors/austerity/shenzi-3-1.stdin");
    let arguments = ["3", "1"].map(OsStr::new);
    let output = run(PROGRAMS[0].1, &arguments, input);
    let told = String::from_utf8(output.stderr).unwrap();
    let answers = String::from_utf8(output.stdout).unwrap();
    assert_eq!(answers, include_str!("vectors/austerity/shenzi-3-1.stdout"));
    assert_eq!(told, include_str!("vectors/austerity/shenzi-3-1.stderr"));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn status_1_for_a_wrong_number_of_arguments() {
    for (name, program) in PROGRAMS {
        for arguments in [&[][..], &["3"], &["x"], &["3", "1", "1"]] {
            let usage = format!("Usage: {name} pcount myid\n");
            assert_eq!(end(program, arguments, b"eog\n"), (1, usage));
        }
    }
}

#[test]
fn status_2_for_a_table_that_is_too_small_or_too_large_or_no_number() {
    let wrong = (2, "Invalid player count\n".to_owned());
    for (_, program) in PROGRAMS {
        for count in [
            "0",
            "1",
            "27",
            "-2",
            "2x",
            " 2",
            "",
            "3000000000",
            "4294967298",
        ] {
            assert_eq!(end(program, &[count, "0"], b"eog\n"), wrong, "{count}");
        }
        let both_wrong = end(program, &["1", "x"], b"eog\n");
        assert_eq!(both_wrong, wrong, "the count is looked at first");
    }
}

#[test]
fn status_3_for_a_player_who_does_not_sit_there() {
    let wrong = (3, "Invalid player ID\n".to_owned());
    for (_, program) in PROGRAMS {
        for id in ["3", "-1", "1x", " 1", "", "4294967297"] {
            assert_eq!(end(program, &["3", id], b"eog\n"), wrong, "{id}");
        }
    }
}

#[test]
fn status_0_at_the_end_of_the_game_whatever_follows() {
    let over = |winners| (0, format!("Game over. Winners are {winners}\n"));
    for (_, program) in PROGRAMS {
        assert_eq!(end(program, &["3", "1"], b"eog\n"), over("A,B,C"));
        assert_eq!(end(program, &["+2", "-0"], b"eog\nrubbish"), over("A,B"));
    }
    let all: Vec<String> = ('A'..='Z').map(String::from).collect();
    assert_eq!(
        end(PROGRAMS[2].1, &["26", "25"], b"eog\n"),
        over(&all.join(","))
    );
}

#[test]
fn status_6_when_the_hub_is_gone_or_talks_nonsense() {
    let players = "\
Player A:0:Discounts=0,0,0,0:Tokens=0,0,0,0,0
Player B:0:Discounts=0,0,0,0:Tokens=0,0,0,0,0
";
    let error = "Communication Error\n";
    for (_, program) in PROGRAMS {
        for input in [
            "", "\n", "eog", "eog\r\n", " eog\n", "eog \n", "hello\n", "tokens\n",
        ] {
            let ended = end(program, &["2", "0"], input.as_bytes());
            assert_eq!(ended, (6, error.to_owned()), "{input:?}");
        }
        for input in [
            "tokens7\n",
            "tokens7\ntokens8",
            "tokens7\nwildC\n",
            "tokens7\n\0\n",
        ] {
            let ended = end(program, &["2", "0"], input.as_bytes());
            assert_eq!(ended, (6, format!("{players}{error}")), "{input:?}");
        }
    }
}

#[test]
fn a_letter_a_place_or_a_ninth_card_that_cannot_be_is_an_error() {
    let card = "newcardB:1:1,0,0,0\n";
    for (input, good) in [
        ("wildB\n".to_owned(), true),
        ("wildC\n".to_owned(), false),
        ("tookZ:1,1,1,0\n".to_owned(), false),
        (format!("{card}purchasedA:0:0,0,0,0,0\n"), true),
        (format!("{card}purchasedA:1:0,0,0,0,0\n"), false),
        (format!("{card}purchasedC:0:0,0,0,0,0\n"), false),
        ("purchasedA:0:0,0,0,0,0\n".to_owned(), false),
        (card.repeat(8), true),
        (card.repeat(9), false),
    ] {
        for (_, program) in PROGRAMS {
            let (status, _) = end(program, &["2", "0"], (input.clone() + "eog\n").as_bytes());
            assert_eq!(status, if good { 0 } else { 6 }, "{input}");
        }
    }
}

#[test]
fn odd_but_well_formed_messages_are_taken_as_they_come() {
    let input = "tookA:2147483647,0,0,0\ntookA:2147483647,0,0,0\nnewcardR:2147483647:0,0,0,0\n\
        purchasedB:0:1,0,0,0,5\ntokens+3\neog\n";
    let (status, told) = end(PROGRAMS[1].1, &["2", "0"], input.as_bytes());
    assert_eq!(status, 0);
    let last = "\
Player A:0:Discounts=0,0,0,0:Tokens=4294967294,0,0,0,0
Player B:2147483647:Discounts=0,0,0,1:Tokens=-1,0,0,0,-5
Game over. Winners are B
";
    assert!(told.ends_with(last), "{told}");
}

#[test]
fn an_endless_line_ends_the_program_and_not_the_memory() {
    let mut input = b"tokens".to_vec();
    input.resize(8 << 20, b'0');
    let error = (6, "Communication Error\n".to_owned());
    assert_eq!(end(PROGRAMS[0].1, &["2", "0"], &input), error);
    assert_eq!(end(PROGRAMS[0].1, &["2", "0"], &[b'x'; 8 << 20]), error);
}

#[test]
fn an_answer_comes_while_the_hub_waits_for_it() {
    use std::io::{BufRead as _, BufReader};
    let mut child = Command::new(PROGRAMS[2].1)
        .args(["2", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut hub = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    hub.write_all(b"tokens1\ndowhat\n").unwrap();
    assert_eq!(answers.next().unwrap().unwrap(), "take0,1,1,1");
    hub.write_all(b"tookB:0,1,1,1\ndowhat\n").unwrap();
    assert_eq!(answers.next().unwrap().unwrap(), "wild");
    hub.write_all(b"eog\n").unwrap();
    assert!(child.wait().unwrap().success());
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_no_numbers() {
    use std::os::unix::ffi::OsStringExt as _;
    let odd = || OsString::from_vec(vec![b'2', 0xff]);
    let count = sit_down(&[odd(), "0".into()]);
    assert_eq!(count, Err(Trouble::PlayerCount));
    let id = sit_down(&["2".into(), odd()]);
    assert_eq!(id, Err(Trouble::PlayerId));
}

/// Well-formed messages about four players, whether they make sense or not, and something odd at
/// the end. There are cards to buy, and for a long time room for more.
fn chatter() -> impl Strategy<Value = Vec<u8>> {
    let number = "(0|1|2|3|7|2147483647)";
    let four = format!("{number},{number},{number},{number}");
    let line = format!(
        "(dowhat|dowhat|tokens{number}|newcard[PBYR]:{number}:{four}|took[A-D]:{four}|wild[A-D]|\
         purchased[A-D]:0:{four},{number})\n"
    );
    let line = proptest::string::string_regex(&line).unwrap();
    let lines = prop::collection::vec(line, 0..60);
    let opening = "newcardB:5:0,1,0,1\n".repeat(4);
    (
        lines,
        "(|wildE\n|took|dowhat|tokens-1\n|purchasedA:8:0,0,0,0,0\n)",
    )
        .prop_map(move |(lines, odd)| (opening.clone() + &lines.concat() + &odd).into_bytes())
}

fn no_input_breaks_a_player(input: &[u8]) -> Result<(), TestCaseError> {
    for strategy in [SHENZI, BANZAI, ED] {
        let (mut answers, mut shown) = (Vec::new(), Vec::new());
        let view = View::new(4, Seat(2));
        let ended = play(&strategy, view, input, &mut answers, &mut shown);
        prop_assert_eq!(ended, Err(Trouble::Communication), "there is no eog");
        let asked = String::from_utf8(shown).unwrap().matches("dowhat").count();
        let answered = answers.iter().filter(|&&byte| byte == b'\n').count();
        prop_assert_eq!(answered, asked);
    }
    Ok(())
}

proptest! {
    #[test]
    fn no_bytes_break_a_player(input in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assume!(!input.starts_with(b"eog\n"));
        no_input_breaks_a_player(&input)?;
    }

    #[test]
    fn no_chatter_breaks_a_player(input in chatter()) {
        no_input_breaks_a_player(&input)?;
    }
}
