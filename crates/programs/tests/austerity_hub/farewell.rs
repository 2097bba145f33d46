//! How the players are sent home: at once if they go, by force after two seconds if they do not.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use super::table::{Ended, PATIENCE, Table};
use super::{FOUR_GIFTS, SHENZI};

/// How long the players have after the end.
const FAREWELL: Duration = Duration::from_secs(2);

/// Those who are timed take turns.
static TIMED: Mutex<()> = Mutex::new(());

/// Plays until it has not taken this long. A hub that waits too long does so every time; a machine
/// that is busy with others does not.
#[track_caller]
fn sooner_than(most: Duration, play: impl Fn() -> Ended) -> Ended {
    let _turn = TIMED.lock().unwrap_or_else(PoisonError::into_inner);
    let fast = (0..10).find_map(|_| Some(play()).filter(|ended| ended.took < most));
    fast.expect("one in ten that does not take too long")
}

#[track_caller]
fn at_once(play: impl Fn() -> Ended) -> Ended {
    sooner_than(FAREWELL, play)
}

#[track_caller]
fn after_two_seconds(play: impl Fn() -> Ended) -> Ended {
    let ended = sooner_than(2 * FAREWELL, play);
    assert!(ended.took >= FAREWELL, "{:?}", ended.took);
    ended
}

fn winners(table: &Table, players: &[&str]) -> Ended {
    let mut arguments = vec!["3", "0", "deck"];
    arguments.extend(players);
    table.play(&arguments)
}

#[test]
fn a_player_who_ignores_the_end_is_killed_after_two_seconds() {
    let table = Table::with_gifts();
    table.player("deaf", "trap '' INT TERM HUP; while :; do sleep 1000; done");
    let ended = after_two_seconds(|| winners(&table, &["./deaf", SHENZI, "./deaf"]));
    let told = "\
Player A shutdown after receiving signal 9
Player C shutdown after receiving signal 9
";
    ended.is(0, &format!("{FOUR_GIFTS}Winner(s) A,B,C\n"), told);
}

#[test]
fn two_seconds_are_enough_for_twenty_six_who_ignore_the_end() {
    let table = Table::with_gifts();
    table.player("deaf", "exec sleep 1000");
    let ended = after_two_seconds(|| winners(&table, &["./deaf"; 26]));
    let told = ('A'..='Z').map(|who| format!("Player {who} shutdown after receiving signal 9\n"));
    assert_eq!(ended.err, told.collect::<String>());
}

#[test]
fn a_player_may_use_the_two_seconds() {
    let table = Table::with_gifts();
    table.player("slow", "until_eog; sleep 0.5; exit 5");
    let ended = at_once(|| winners(&table, &["./slow", SHENZI]));
    assert_eq!(ended.err, "Player A ended with status 5\n");
    assert!(ended.took >= Duration::from_millis(500), "{:?}", ended.took);
}

#[test]
fn the_hub_returns_as_soon_as_all_are_gone() {
    let table = Table::with_gifts();
    at_once(|| winners(&table, &[SHENZI; 26]));
    at_once(|| table.play_for_gifts(&[SHENZI, "false"]));
    at_once(|| table.play_for_gifts(&[SHENZI, "./missing"]));
}

#[test]
fn the_input_is_closed_after_eog_and_the_output_is_read_to_the_end() {
    let table = Table::with_gifts();
    table.player(
        "talker",
        "until_eog; cat; head -c 3000000 /dev/zero || exit 7; exit 8",
    );
    let ended = at_once(|| winners(&table, &["./talker", SHENZI]));
    assert_eq!(ended.err, "Player A ended with status 8\n");
}

#[test]
fn what_a_player_leaves_behind_goes_with_it() {
    let table = Table::with_gifts();
    table.player(
        "parent",
        "sleep 1000 & (setsid sleep 1000 &) ; until_eog; exit 0",
    );
    let ended = at_once(|| winners(&table, &["./parent", "./parent"]));
    ended.is(0, &format!("{FOUR_GIFTS}Winner(s) A,B\n"), "");
}

#[test]
fn how_players_ended_is_told_in_their_order_and_before_the_hubs_own_line() {
    let table = Table::with_gifts();
    table.player("a", "until_eog; sleep 0.2; exit 1");
    table.player("b", "until_eog; kill -SEGV $$");
    table.player("c", "until_eog; exit 0");
    table.player(
        "d",
        "until_asked; echo nonsense; until_asked; echo nonsense; cat >/dev/null; exit 42",
    );
    let both = "\
Player A ended with status 1
Player B shutdown after receiving signal 11
";
    let ended = at_once(|| table.play_for_gifts(&["./a", "./b", "./c", "./d"]));
    let told = format!("{both}Player D ended with status 42\nProtocol error by client\n");
    assert_eq!((ended.status, ended.err), (Some(7), told));
    let ended = at_once(|| table.play_for_gifts(&["./a", "./b", "./c", "false"]));
    let told = format!("{both}Player D ended with status 1\nClient disconnected\n");
    assert_eq!((ended.status, ended.err), (Some(6), told));
    assert!(
        ended
            .out
            .ends_with("Player C took a wild\nGame ended due to disconnect\n")
    );
}

/// Whoever starts the hub may not care how its own children end; the hub does.
#[test]
fn how_players_ended_is_told_where_the_ends_of_children_are_ignored() {
    let table = Table::with_gifts();
    table.player("a", "until_eog; exit 3");
    let hub = env!("CARGO_BIN_EXE_austerity");
    let ignoring = format!("trap '' CHLD; exec {hub} 3 0 deck ./a ./a");
    let output = table.command_of("sh", &["-c", &ignoring]).output().unwrap();
    let told = "Player A ended with status 3\nPlayer B ended with status 3\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), told);
}

/// Even a hub that cannot say goodbye takes its players along.
#[test]
fn a_hub_that_is_killed_leaves_nobody_behind() {
    let table = Table::with_gifts();
    table.player("waiting", "until_asked; : >asked; exec sleep 1000");
    for signal in [Signal::SIGKILL, Signal::SIGTERM] {
        let hub = table.start(&["3", "2", "deck", "./waiting", "./waiting"]);
        table.wait_for("asked");
        hub.send(signal);
        // Its minders have to notice first.
        let sent = Instant::now();
        while !table.still_there().is_empty() && sent.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(hub.end().status, None);
        std::fs::remove_file(table.path("asked")).unwrap();
    }
}
