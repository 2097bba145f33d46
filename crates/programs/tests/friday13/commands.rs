//! Every command, word for word.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use croupier_core::Seed;
use croupier_games::friday13::{Friday13, Setup};

use crate::PROGRAM;

fn run(arguments: &str, input: &str) -> Output {
    let mut child = Command::new(PROGRAM)
        .args(arguments.split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that is not interested in its input may have closed it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// What is printed by a command that ends well.
pub(crate) fn said(arguments: &str, input: &str) -> String {
    let output = run(arguments, input);
    assert_eq!(output.status.code(), Some(0), "{arguments}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one line with which a command refuses its input.
fn refused(arguments: &str, input: &str) -> String {
    let output = run(arguments, input);
    assert_eq!(output.status.code(), Some(2), "{arguments}: {output:?}");
    assert_eq!(output.stdout, b"");
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

const STATE: &str = "\
active player = 2
players number = 3
explosion threshold = 13
1 player hand cards: 1 red
1 player deck cards: 7 blue 7 blue 4 green
2 player hand cards: 7 red 4 green
2 player deck cards: 2 violet 2 violet
3 player hand cards: 5 blue
3 player deck cards: 2 violet 5 violet
1 pile cards: 4 green
2 pile cards: 7 red
3 pile cards:
";

#[test]
fn deck_prints_all_cards_on_one_line() {
    assert_eq!(
        said("deck", "3 2 4 3\n1 2 7\n"),
        "4 green 4 green 1 blue 2 blue 7 blue 1 red 2 red 7 red 1 violet 2 violet 7 violet \n"
    );
    assert_eq!(said("deck", "1 0 4 1 5"), "5 blue \n");
    assert_eq!(
        said("deck", "8 0 1 1 3"),
        "3 blue 3 red 3 violet 3 yellow 3 white 3 black 3 colour7 3 colour8 \n"
    );
    assert!(refused("deck", "0 2 4 1 1").contains("at least one colour"));
    assert!(refused("deck", "3 2 4 3 1 2").contains("value 3 of the 3"));
    assert!(refused("deck", "3 2 4 1 1 2").contains("a '2' after the 1 values"));
    assert!(refused("deck", "3 -2 4 1 1").contains("'-2' is no number for g"));
    assert!(refused("deck", "3 2 1000 1 1").contains("at most 999, not 1000"));
    assert!(refused("deck", "9 0 4 18446744073709551615 1").contains("no number for value 2"));
    assert!(refused("deck", "1000000 1 4 1 1").contains("at most 1000000 cards"));
}

#[test]
fn deal_goes_round_robin() {
    assert_eq!(
        said("deal", "3 2 3 4 3 1 2 7"),
        "\
active player = 1
players number = 3
1 player hand cards: 4 green 1 blue 1 red
1 player deck cards:
2 player hand cards: 4 green 2 blue 2 red
2 player deck cards:
3 player hand cards: 4 green 7 blue 7 red
3 player deck cards:
1 pile cards:
2 pile cards:
"
    );
    assert_eq!(
        said("deal --threshold 13", "2 1 1 4 2 1 2"),
        "\
active player = 1
players number = 2
explosion threshold = 13
1 player hand cards: 4 green 2 blue
1 player deck cards:
2 player hand cards: 1 blue
2 player deck cards:
1 pile cards:
"
    );
    assert!(refused("deal", "10 2 3 4 3 1 2 7").contains("10 players need at least 10 cards"));
    assert!(refused("deal", "1 2 3 4 3 1 2 7").contains("2 to 65535 players"));
    assert!(refused("deal", "").contains("no number for n"));
}

/// Without cards of its own a colour still has a pile, and a pile takes memory.
#[test]
fn colours_without_cards_have_an_end_too() {
    let most = said("deal", "2 1000000 5 4 0");
    assert!(most.ends_with("\n1000000 pile cards:\n"));
    assert_eq!(said("deck", "1000000 2 4 0"), "4 green 4 green \n");
    for colours in [
        "1000001",
        "60000000",
        "4294967295",
        "9223372036854775807",
        "18446744073709551615",
    ] {
        let reason = format!("at most 1000000 colours besides green, not {colours}");
        assert!(refused("deck", &format!("{colours} 5 4 0")).contains(&reason));
        assert!(refused("deal", &format!("2 {colours} 5 4 0")).contains(&reason));
        let play = format!("play game_state.txt 2 {colours} 13 5 4 0");
        assert!(refused(&play, "").contains(&reason));
        let arbiter = format!("arbiter game_state.txt 2 {colours} 13 5 4 0 -- true true");
        assert!(refused(&arbiter, "").contains(&reason));
    }
}

#[test]
fn a_shuffled_deal_is_the_round_that_the_arena_plays() {
    let numbers = "4 3 8 4 14 1 1 1 2 2 2 4 4 5 5 5 7 7 7";
    let dealt = said("deal --shuffle --seed 7 --threshold 13", numbers);
    let opening = Friday13::opening(&Setup::default(), Seed(7), 0);
    assert_eq!(dealt, opening.to_string());
    let other = said("deal --shuffle --seed 8 --threshold 13", numbers);
    assert_ne!(dealt, other);
    assert_eq!(
        said("check state", &dealt),
        "Current state of the game is ok\n"
    );
    let drawn = run("deal --shuffle", numbers).stderr;
    assert!(
        drawn.starts_with(b"friday13: --seed "),
        "a drawn seed is told"
    );
}

#[test]
fn hands_and_piles_are_counted() {
    let hands = "\
1 player has 1 cards on hand
1 player has 3 cards in front of him
2 player has 2 cards on hand
2 player has 2 cards in front of him
3 player has 1 cards on hand
3 player has 2 cards in front of him
";
    let piles = "\
there are 1 cards on 1 pile
there are 1 cards on 2 pile
there are 0 cards on 3 pile
";
    assert_eq!(said("hands", STATE), hands);
    assert_eq!(said("piles", STATE), hands.to_owned() + piles);
}

#[test]
fn cards_are_checked() {
    assert_eq!(
        said("check greens", STATE),
        "Found 3 green cards, all with 4 value\n"
    );
    assert_eq!(
        said("check counts", STATE),
        "At least two colors with a different number of cards were found:\n\
         blue cards are 3\nred cards are 3\nviolet cards are 4\n"
    );
    assert_eq!(
        said("check values", STATE),
        "The values of cards of all colors are not identical:\n\
         blue cards values: 5 7 7 \nred cards values: 1 7 7 \nviolet cards values: 2 2 2 5 \n"
    );
    let dealt = said("deal", "3 2 0 4 3 7 2 1");
    assert_eq!(said("check greens", &dealt), "Green cards does not exist\n");
    assert_eq!(
        said("check counts", &dealt),
        "The number cards of all colors is equal: 3\n"
    );
    assert_eq!(
        said("check values", &dealt),
        "The values of cards of all colors are identical:\n1 2 7 \n"
    );
    let other = STATE.replacen("4 green", "3 green", 1);
    assert_eq!(
        said("check greens", &other),
        "Different green cards values occurred\n"
    );
}

#[test]
fn the_state_is_checked() {
    assert_eq!(
        said("check state", STATE),
        "The number of players cards on hand is wrong\n"
    );
    // 12 cards, four each: the first player has played, the second is next.
    let ok = STATE
        .replace("hand cards: 7 red 4 green", "hand cards: 7 red 1 red")
        .replace("hand cards: 5 blue", "hand cards: 5 blue 1 blue")
        .replace("deck cards: 2 violet 5 violet", "deck cards: 2 violet")
        .replace("1 pile cards: 4 green", "1 pile cards:");
    assert_eq!(
        said("check state", &ok),
        "Current state of the game is ok\n"
    );
    let wrong = ok
        .replace("1 pile cards:", "1 pile cards: 7 blue 7 violet")
        .replace("2 pile cards: 7 red", "2 pile cards: 14 red");
    assert_eq!(
        said("check state", &wrong),
        "The number of players cards on hand is wrong\n\
         Two different colors were found on the 1 pile\n\
         Pile number 1 should explode earlier\n\
         Pile number 2 should explode earlier\n"
    );
    let without = ok.replace("explosion threshold = 13\n", "");
    assert!(refused("check state", &without).contains("explosion threshold"));
    assert!(refused("move", &without).contains("explosion threshold"));
}

#[test]
fn a_simple_move_with_and_without_explosion() {
    let laid = STATE
        .replace("active player = 2", "active player = 3")
        .replace("hand cards: 7 red 4 green", "hand cards: 4 green");
    assert_eq!(
        said("move", STATE),
        laid.replace("2 violet 2 violet", "2 violet 2 violet 7 red 7 red")
            .replace("2 pile cards: 7 red", "2 pile cards:")
    );
    let left = laid.replace("2 pile cards: 7 red", "2 pile cards: 7 red 7 red");
    assert_eq!(said("move --no-explosion", STATE), left);
}

#[test]
fn the_score_is_printed_in_the_language_of_the_course_or_in_english() {
    let score = "\
Na kolor blue odporny jest gracz 1
Wynik gracza 1 = 2
Wynik gracza 2 = 2
Wynik gracza 3 = 2
";
    assert_eq!(said("score", STATE), score);
    assert_eq!(
        said("score --lang en", STATE),
        "\
Player 1 is immune to blue
Score of player 1 = 2
Score of player 2 = 2
Score of player 3 = 2
"
    );
    assert_eq!(said("round", STATE), "The round is not over\n");
    let over = STATE
        .replace("hand cards: 1 red", "hand cards:")
        .replace("hand cards: 7 red 4 green", "hand cards:")
        .replace("hand cards: 5 blue", "hand cards:");
    assert_eq!(said("round", &over), score);
    assert!(said("round --lang en", &over).starts_with("Player 1 is immune"));
}

#[test]
fn what_is_no_state_is_refused_with_line_and_reason() {
    let azure = STATE.replace("5 blue", "5 azure");
    for task in [
        "hands",
        "piles",
        "check greens",
        "check counts",
        "check values",
        "check state",
        "move",
        "score",
        "round",
    ] {
        assert_eq!(refused(task, ""), "friday13: line 1: the file is empty\n");
        assert!(refused(task, &azure).contains("line 8: 'azure' is no colour"));
    }
    assert!(refused("check reds", STATE).contains("reds"));
}

/// The numbers may come from a file that an editor has changed: that is told, not what it did to the
/// first of them.
#[test]
fn what_an_editor_did_to_the_numbers_is_told() {
    for task in ["deck", "deal"] {
        assert!(refused(task, "\u{feff}2 1 1 4 2 1 2").contains("byte order mark (BOM)"));
    }
}
