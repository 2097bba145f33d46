//! Every row of the hub's status table, and the order in which its arguments are looked at.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt;

use super::table::{Ended, Table};
use super::{FOUR_GIFTS, SHENZI};

const USAGE: &str = "Usage: austerity tokens points deck player player [player ...]\n";
const BAD_ARGUMENT: &str = "Bad argument\n";
const NO_DECK: &str = "Cannot access deck file\n";
const BAD_DECK: &str = "Invalid deck file contents\n";
const BAD_START: &str = "Bad start\n";

/// A table whose player `noted` leaves a note if it is ever started.
fn noted() -> Table {
    let table = Table::with_gifts();
    table.player("noted", ": >started; until_eog");
    table
}

fn nobody_was_started(table: &Table) {
    assert!(!table.path("started").exists());
}

#[test]
fn status_1_for_a_table_that_is_too_small_or_too_large() {
    let table = noted();
    for players in [0, 1, 27, 40] {
        let mut arguments = vec!["3", "2", "deck"];
        arguments.extend(vec!["./noted"; players]);
        table.play(&arguments).is(1, "", USAGE);
    }
    for few in [&[][..], &["3"], &["3", "2"]] {
        table.play(few).is(1, "", USAGE);
    }
    nobody_was_started(&table);
}

#[test]
fn two_and_twenty_six_players_are_neither_too_few_nor_too_many() {
    let table = Table::with_gifts();
    let everyone: Vec<String> = ('A'..='Z').map(String::from).collect();
    for players in [2, 26] {
        let mut arguments = vec!["3", "0", "deck"];
        arguments.extend(vec![SHENZI; players]);
        let winners = format!("{FOUR_GIFTS}Winner(s) {}\n", everyone[..players].join(","));
        table.play(&arguments).is(0, &winners, "");
    }
}

#[test]
fn status_2_for_what_strtol_would_not_take_whole() {
    let table = noted();
    for wrong in [
        "",
        " 1",
        "1 ",
        "1x",
        "x",
        "+",
        "-",
        "-1",
        "--1",
        "+-1",
        "0x1",
        "1.0",
        "\t1",
        "1\n",
        "2147483648",
        "4294967296",
        "18446744073709551617",
        "-2147483648",
    ] {
        let tokens = table.play(&[wrong, "2", "deck", "./noted", "./noted"]);
        tokens.is(2, "", BAD_ARGUMENT);
        let points = table.play(&["3", wrong, "deck", "./noted", "./noted"]);
        points.is(2, "", BAD_ARGUMENT);
    }
    let odd = OsString::from_vec(vec![b'3', 0xff]);
    let rest = ["2", "deck", "./noted", "./noted"].map(OsString::from);
    let arguments: Vec<OsString> = [odd].into_iter().chain(rest).collect();
    table.play(&arguments).is(2, "", BAD_ARGUMENT);
    nobody_was_started(&table);
}

#[test]
fn a_sign_leading_zeros_and_the_largest_number_are_fine() {
    let table = Table::with_gifts();
    let over = format!("{FOUR_GIFTS}Winner(s) A,B\n");
    for tokens in ["+1", "-0", "007", "2147483647", "00000000000000000000001"] {
        for points in ["0", "-0", "+0", "000"] {
            let ended = table.play(&[tokens, points, "deck", SHENZI, SHENZI]);
            ended.is(0, &over, "");
        }
    }
    let far = table.play(&["3", "2147483647", "deck", SHENZI, SHENZI]);
    assert_eq!(far.status, Some(0), "the cards run out long before");
}

#[test]
fn status_3_for_a_deck_that_cannot_be_read() {
    let table = noted();
    std::fs::create_dir(table.path("folder")).unwrap();
    // A file that can be opened but not read, for whoever asks.
    let unreadable = "/proc/self/mem";
    for deck in ["missing", "", "folder", "deck/deck", unreadable] {
        let ended = table.play(&["3", "2", deck, "./noted", "./noted"]);
        ended.is(3, "", NO_DECK);
    }
    nobody_was_started(&table);
}

#[test]
fn status_4_for_a_file_that_is_no_deck() {
    let table = noted();
    let card = "B:1:1,0,0,0";
    for text in [
        "",
        "\n",
        "\n\n",
        &format!("{card}\n\n"),
        &format!("{card}\n\n{card}\n"),
        &format!("\n{card}\n"),
        &format!("{card}\r\n"),
        &format!("{card}\r"),
        &format!("{card}\0\n"),
        &format!("{card} \n"),
        &format!(" {card}\n"),
        &format!("{card}\n{card},0\n"),
        &format!("{card}:0\n"),
        &format!("{card}\nB:1:1,0,0\n"),
        "B:1\n",
        "B\n",
        "B:1:1, 0,0,0\n",
        "B::1,0,0,0\n",
        "B:1:1,,0,0\n",
        "B:1:1,0,0,\n",
        "B:-1:1,0,0,0\n",
        "B:1:1,0,0,-2\n",
        "B:2147483648:1,0,0,0\n",
        "B:1:1,0,0,2147483648\n",
        "B:1x:1,0,0,0\n",
        "W:1:1,0,0,0\n",
        "b:1:1,0,0,0\n",
        "BB:1:1,0,0,0\n",
        ":1:1,0,0,0\n",
    ] {
        table.file("deck", text);
        let ended = table.play(&["3", "2", "deck", "./noted", "./noted"]);
        assert_eq!(
            (ended.status, ended.err.as_str()),
            (Some(4), BAD_DECK),
            "{text:?}"
        );
        assert_eq!(ended.out, "");
    }
    nobody_was_started(&table);
}

#[test]
fn the_last_line_of_a_deck_may_lack_its_newline_and_numbers_may_have_signs() {
    let table = Table::new();
    table.file("deck", "R:+1:-0,007,0,0\nB:0:0,0,0,2147483647");
    let ended = table.play(&["3", "0", "deck", SHENZI, SHENZI]);
    let out = "\
New card = Bonus R, worth 1, costs 0,7,0,0
New card = Bonus B, worth 0, costs 0,0,0,2147483647
Winner(s) A,B
";
    ended.is(0, out, "");
}

#[test]
fn status_5_for_a_player_that_cannot_be_started() {
    let table = noted();
    table.file("plain", "#!/bin/sh\n");
    table.player("lost", "");
    table.file("lost", "#!/no/such/interpreter\n");
    for player in [
        "./missing",
        "",
        "no-such-command-anywhere",
        "./plain",
        "/",
        "./lost",
    ] {
        table
            .play_for_gifts(&[player, "./noted"])
            .is(5, "", BAD_START);
        nobody_was_started(&table);
    }
}

/// Those who were started before are sent home, and how they went is not told.
#[test]
fn status_5_after_others_were_started() {
    let table = Table::with_gifts();
    table.player("parting", "until_eog; : >told; exit 3");
    for late in 1..4 {
        let mut players = vec!["./parting"; late];
        players.extend(["./missing", "./parting"]);
        table.play_for_gifts(&players).is(5, "", BAD_START);
        std::fs::remove_file(table.path("told")).unwrap();
    }
}

#[test]
fn players_are_found_on_the_path_as_execvp_finds_them() {
    let table = Table::with_gifts();
    table.player("hyena", "until_eog");
    let ended = |path: Option<&OsStr>, player: &str| -> Ended {
        let mut command = table.command(&["3", "2", "deck", SHENZI, player]);
        match path {
            Some(path) => command.env("PATH", path),
            None => command.env_remove("PATH"),
        };
        table.start_command(&mut command).end()
    };
    let folder = table.path("");
    let mut path = folder.clone().into_os_string();
    path.push(":/usr/bin:/bin");
    assert_eq!(ended(Some(&path), "hyena").status, Some(0));
    let without = OsStr::new("/usr/bin:/bin");
    assert_eq!(ended(Some(without), "hyena").status, Some(5));
    assert_eq!(ended(Some(without), "./hyena").status, Some(0));
    assert_eq!(
        ended(None, "hyena").status,
        Some(5),
        "only the system's folders"
    );
}

/// `execvp` gives it to the shell.
#[test]
fn a_script_need_not_name_its_interpreter() {
    let table = Table::with_gifts();
    let player = table.player("script", "");
    table.file(
        "script",
        "while read -r line; do case $line in dowhat) echo wild ;; eog) exit 3 ;; esac; done\n",
    );
    for name in ["./script", player.to_str().unwrap()] {
        let ended = table.play_for_gifts(&[SHENZI, name]);
        let (status, err) = (ended.status, ended.err.as_str());
        assert_eq!((status, err), (Some(0), "Player B ended with status 3\n"));
    }
    let mut command = table.command(&["3", "2", "deck", SHENZI, "script"]);
    let ended = table.start_command(command.env("PATH", table.path("")));
    assert_eq!(ended.end().status, Some(0));
}

#[test]
fn names_of_players_and_folders_are_any_bytes() {
    let table = Table::with_gifts();
    let odd = |name: &str| OsString::from_vec([b"./", name.as_bytes(), b"\xff"].concat());
    table.player(odd("hyena"), "until_eog");
    let folder = table.path(odd("folder"));
    std::fs::create_dir(&folder).unwrap();
    let ended = table.play_for_gifts(&[OsString::from(SHENZI), odd("hyena")]);
    assert_eq!((ended.status, ended.err.as_str()), (Some(0), ""));
    let mut command = table.command(&["3", "2", "../deck", SHENZI, SHENZI]);
    let ended = table.start_command(command.current_dir(folder)).end();
    assert_eq!((ended.status, ended.err.as_str()), (Some(0), ""));
}

#[test]
fn a_player_is_told_how_many_play_and_who_it_is_and_nobody_reads_its_errors() {
    let table = Table::with_gifts();
    table.player(
        "told",
        "echo lost >&2; echo \"$# $1 $2\" >\"arguments$2\"; until_eog",
    );
    let ended = table.play(&["3", "0", "deck", "./told", "./told", "./told"]);
    ended.is(0, &format!("{FOUR_GIFTS}Winner(s) A,B,C\n"), "");
    for seat in 0..3 {
        let arguments = std::fs::read_to_string(table.path(format!("arguments{seat}")));
        assert_eq!(arguments.unwrap(), format!("2 3 {seat}\n"));
    }
}

/// With everything wrong at once, what is looked at first is told.
#[test]
fn arguments_come_before_numbers_before_the_deck_before_the_players() {
    let table = Table::new();
    table.file("broken", "rubbish");
    let told = |arguments: &[&str]| table.play(arguments).err;
    assert_eq!(told(&["x", "x", "missing", "./missing"]), USAGE);
    assert_eq!(
        told(&["x", "2", "missing", "./missing", "./missing"]),
        BAD_ARGUMENT
    );
    assert_eq!(
        told(&["3", "x", "broken", "./missing", "./missing"]),
        BAD_ARGUMENT
    );
    assert_eq!(
        told(&["3", "2", "missing", "./missing", "./missing"]),
        NO_DECK
    );
    assert_eq!(
        told(&["3", "2", "broken", "./missing", "./missing"]),
        BAD_DECK
    );
    table.file("deck", super::GIFT);
    assert_eq!(
        told(&["3", "2", "deck", "./missing", "./missing"]),
        BAD_START
    );
}
