//! Whole games, byte for byte: the recorded one, the ends a game can have, and games that a second
//! hub plays as well, which was written from the rules alone.

use std::process::Command;

use croupier_core::Seed;
use croupier_games::austerity::Deck;

use super::table::{Ended, Table};
use super::{BANZAI, ED, FOUR_GIFTS, GIFT, SHENZI};

const DECK30: &str = include_str!("../vectors/austerity/deck30");

#[test]
fn three_shenzis_play_the_recorded_game_byte_for_byte() {
    let table = Table::new();
    table.file("deck30", DECK30);
    let ended = table.play(&["7", "15", "deck30", SHENZI, SHENZI, SHENZI]);
    let recorded = include_str!("../vectors/austerity/hub-7-15-deck30-shenzi-shenzi-shenzi.stdout");
    ended.is(0, recorded, "");
}

#[test]
fn with_a_target_of_0_the_cards_are_shown_and_everyone_wins() {
    let table = Table::new();
    table.file("deck", DECK30);
    table.player("unasked", "until_asked; exit 1");
    let ended = table.play(&["7", "0", "deck", "./unasked", "./unasked"]);
    assert_eq!((ended.status, ended.err.as_str()), (Some(0), ""));
    let lines: Vec<&str> = ended.out.lines().collect();
    assert_eq!(lines.len(), 9);
    assert!(
        lines[..8]
            .iter()
            .all(|line| line.starts_with("New card = "))
    );
    assert_eq!(lines[8], "Winner(s) A,B");
}

#[test]
fn the_last_card_ends_the_game_in_the_middle_of_a_round() {
    let table = Table::new();
    table.file("deck", GIFT);
    table.player("unasked", "until_asked; exit 1");
    let out = "\
New card = Bonus P, worth 1, costs 0,0,0,0
Player A purchased 0 using 0,0,0,0,0
Winner(s) A
";
    table
        .play(&["3", "9", "deck", SHENZI, "./unasked"])
        .is(0, out, "");
}

#[test]
fn a_round_is_played_to_its_end_and_several_may_win() {
    let table = Table::with_gifts();
    let ended = table.play(&["3", "1", "deck", SHENZI, SHENZI, BANZAI]);
    let turns = "\
Player A purchased 3 using 0,0,0,0,0
Player B purchased 2 using 0,0,0,0,0
Player C drew 1,1,1,0
Winner(s) A,B
";
    ended.is(0, &format!("{FOUR_GIFTS}{turns}"), "");
}

/// A line is there when it has happened, not when the game is over.
#[test]
fn what_happens_is_printed_as_it_happens() {
    use std::io::{BufRead as _, BufReader};
    let table = Table::with_gifts();
    table.player(
        "waiting",
        "until_asked; while ! [ -e go ]; do sleep 0.01; done; echo wild; until_eog",
    );
    let mut command = table.command(&["3", "1", "deck", SHENZI, "./waiting"]);
    let mut hub = command
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(hub.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let before: Vec<String> = lines.by_ref().take(5).collect();
    assert_eq!(before[4], "Player A purchased 3 using 0,0,0,0,0");
    table.file("go", "");
    assert_eq!(
        lines.collect::<Vec<_>>(),
        ["Player B took a wild", "Winner(s) A"]
    );
    assert!(hub.wait().unwrap().success());
}

/// Nobody has to listen to the hub.
#[test]
fn a_closed_output_does_not_stop_the_game() {
    let table = Table::with_gifts();
    let hub = env!("CARGO_BIN_EXE_austerity");
    for gone in [">&-", ">&- 2>&- <&-", "| true"] {
        let script = format!("set -o pipefail; {hub} 3 2 deck {SHENZI} {BANZAI} {gone}");
        let mut command = Command::new("bash");
        command.args(["-c", &script]).current_dir(table.path(""));
        let ended: Ended = table.start_command(&mut command).end();
        assert_eq!(ended.status, Some(0), "{gone}: {}", ended.err);
    }
}

/// Tables of 2, 3, 5 and 26 players, with decks of every kind.
#[test]
fn a_second_hub_plays_the_same_games() {
    let python = Command::new("python3").arg("--version").output();
    if !python.is_ok_and(|output| output.status.success()) {
        eprintln!("there is no python3, so no second hub to compare with");
        return;
    }
    let made_up = |players, seed: u64| Deck::make_up(players, &mut Seed(seed).rng()).to_string();
    let gifts_and_riddles = format!("{}R:5:3,0,0,0\nB:0:0,2,0,1\n", GIFT.repeat(9));
    let hyenas = [SHENZI, BANZAI, ED];
    let mix = |players: usize, turn: usize| -> Vec<&str> {
        (0..players)
            .map(|seat| hyenas[(seat * turn + seat / 3 + turn) % 3])
            .collect()
    };
    let mut games = vec![
        ("7", "15", DECK30.to_owned(), vec![SHENZI, BANZAI]),
        ("4", "15", DECK30.to_owned(), vec![ED, SHENZI, BANZAI]),
        ("1", "10", DECK30.to_owned(), vec![SHENZI, ED]),
        ("0", "3", DECK30.to_owned(), vec![SHENZI, SHENZI, ED]),
        ("2", "8", gifts_and_riddles, mix(5, 1)),
        ("30", "4", DECK30.to_owned(), mix(26, 2)),
    ];
    for (players, seed) in [
        (2, 1),
        (2, 2),
        (3, 3),
        (3, 4),
        (5, 5),
        (5, 6),
        (26, 7),
        (26, 8),
    ] {
        let deck = made_up(players, seed);
        games.push(("7", "15", deck, mix(players, seed as usize % 3)));
    }
    for (index, (tokens, points, deck, players)) in games.into_iter().enumerate() {
        let table = Table::new();
        table.file("deck", deck);
        let second = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/austerity_hub/second_hub.py"
        );
        let mut arguments = vec![tokens, points, "deck"];
        arguments.extend(&players);
        let ours = table.play(&arguments);
        let mut command = Command::new("python3");
        command
            .arg(second)
            .args(&arguments)
            .current_dir(table.path(""));
        let theirs = table.start_command(&mut command).end();
        assert_eq!(
            (ours.status, ours.err.as_str()),
            (Some(0), ""),
            "game {index}"
        );
        assert_eq!(
            (theirs.status, theirs.err.as_str()),
            (Some(0), ""),
            "game {index}"
        );
        assert!(
            ours.out == theirs.out,
            "game {index}:\n{}\n\n{}",
            ours.out,
            theirs.out
        );
        assert!(
            ours.out.lines().count() > players.len(),
            "game {index} is a game"
        );
    }
}
