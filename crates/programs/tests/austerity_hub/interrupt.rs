//! SIGINT at different moments.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, fcntl};
use nix::sys::signal::{Signal::SIGINT, kill};
use nix::sys::stat::Mode;
use nix::unistd::{Pid, mkfifo};

use super::table::{Ended, PATIENCE, Table};
use super::{BANZAI, FOUR_GIFTS, SHENZI};

const CAUGHT: &str = "SIGINT caught\n";

/// Plays until a player makes a file with this name, then interrupts.
fn interrupted_at(table: &Table, file: &str, players: &[impl AsRef<OsStr>]) -> Ended {
    let setup = ["3", "2", "deck"].map(OsStr::new);
    let players = players.iter().map(AsRef::as_ref);
    let hub = table.start(&setup.into_iter().chain(players).collect::<Vec<_>>());
    table.wait_for(file);
    hub.send(SIGINT);
    hub.end()
}

/// A deck that comes through a pipe: nobody has opened its other end yet, or somebody has and says
/// nothing, or the beginning has come and the rest has not.
#[test]
fn while_the_deck_is_still_being_read() {
    for begun in [None, Some(""), Some("P:1:0,0,0,0\nP:1")] {
        let table = Table::new();
        mkfifo(&table.path("deck"), Mode::S_IRWXU).unwrap();
        let hub = table.start(&["3", "2", "deck", SHENZI, SHENZI]);
        let mut writer = begun.map(|begun| {
            let mut deck = File::options()
                .write(true)
                .open(table.path("deck"))
                .unwrap();
            deck.write_all(begun.as_bytes()).unwrap();
            deck
        });
        hub.wait_until_it_catches(SIGINT);
        hub.send(SIGINT);
        hub.end().is(10, "", CAUGHT);
        drop(writer.take());
    }
}

#[test]
fn while_a_deck_without_end_is_read() {
    let table = Table::new();
    let hub = table.start(&["3", "2", "/dev/zero", SHENZI, SHENZI]);
    hub.wait_until_it_catches(SIGINT);
    hub.send(SIGINT);
    // It may have had enough of the deck before.
    let ended = hub.end();
    let either = [(Some(10), CAUGHT), (Some(3), "Cannot access deck file\n")];
    assert!(
        either.contains(&(ended.status, ended.err.as_str())),
        "{ended:?}"
    );
}

#[test]
fn while_the_hub_waits_for_a_player() {
    let table = Table::with_gifts();
    table.player(
        "thinking",
        "until_asked; : >asked; read -r eog; : >\"$eog\"; exit 3",
    );
    let ended = interrupted_at(&table, "asked", &[SHENZI, "./thinking"]);
    let bought = "Player A purchased 3 using 0,0,0,0,0\n";
    ended.is(10, &format!("{FOUR_GIFTS}{bought}"), CAUGHT);
    assert!(table.path("eog").exists(), "even then the players are told");
}

#[test]
fn while_the_hub_waits_for_a_second_answer() {
    let table = Table::with_gifts();
    let script = "until_asked; echo nonsense; until_asked; : >asked; exec sleep 1000";
    table.player("thinking", script);
    let ended = interrupted_at(&table, "asked", &["./thinking", SHENZI]);
    ended.is(10, FOUR_GIFTS, CAUGHT);
    assert!(ended.took >= Duration::from_secs(2));
}

#[test]
fn in_the_middle_of_a_word() {
    let table = Table::with_gifts();
    table.player(
        "slow",
        "until_asked; printf wil; : >asked; cat >/dev/null; exit 0",
    );
    let ended = interrupted_at(&table, "asked", &["./slow", SHENZI]);
    ended.is(10, FOUR_GIFTS, CAUGHT);
}

/// The first player sees to it while the others are still being started.
#[test]
fn while_the_players_are_being_started() {
    let table = Table::with_gifts();
    table.player("early", ": >started; cat >/dev/null; exit 3");
    let mut players = vec!["./early"];
    players.extend(["./early"; 25]);
    let ended = interrupted_at(&table, "started", &players);
    assert_eq!((ended.status, ended.err.as_str()), (Some(10), CAUGHT));
    assert!(
        ended.out.is_empty() || ended.out == FOUR_GIFTS,
        "{}",
        ended.out
    );
}

#[test]
fn during_the_shutdown_it_changes_nothing() {
    let table = Table::with_gifts();
    table.player("lasting", "until_eog; : >over; exec sleep 1000");
    table.player(
        "rude",
        "until_asked; echo nonsense; echo nonsense; until_eog; exit 4",
    );
    let lasting = "Player A shutdown after receiving signal 9\n";
    for (other, status, own) in [
        (SHENZI, 0, ""),
        (
            "false",
            6,
            "Player B ended with status 1\nClient disconnected\n",
        ),
        (
            "./rude",
            7,
            "Player B ended with status 4\nProtocol error by client\n",
        ),
    ] {
        let hub = table.start(&["3", "2", "deck", "./lasting", other]);
        table.wait_for("over");
        for _ in 0..20 {
            hub.send(SIGINT);
            thread::sleep(Duration::from_millis(10));
        }
        let ended = hub.end();
        assert_eq!(
            (ended.status, ended.err),
            (Some(status), format!("{lasting}{own}"))
        );
        std::fs::remove_file(table.path("over")).unwrap();
    }
}

/// An endless game, stopped after a little longer each time: between turns, while a message is
/// sent, while an answer is awaited.
#[test]
fn at_any_moment_of_a_game() {
    let table = Table::new();
    table.file("deck", "P:0:9,9,9,9\n");
    table.player("flood", ": >started; exec yes wild");
    table.player("banzai", &format!(": >started; exec {BANZAI} \"$@\""));
    for wait in 0..25 {
        let second = ["./flood", "./banzai", "./banzai", "./banzai", "./banzai"][wait as usize % 5];
        let hub = table.start(&["0", "9", "deck", BANZAI, second]);
        table.wait_for("started");
        thread::sleep(Duration::from_micros(700 * wait));
        hub.send(SIGINT);
        let ended = hub.end();
        let (status, err) = (ended.status, ended.err.as_str());
        assert_eq!((status, err), (Some(10), CAUGHT), "{wait}");
        assert!(!ended.out.contains("Winner"), "{wait}");
        std::fs::remove_file(table.path("started")).unwrap();
    }
}

/// The hub waits for its reader then, who has gone to sleep.
#[test]
fn while_nobody_reads_what_is_printed() {
    let table = Table::new();
    table.file("deck", "P:0:9,9,9,9\n");
    let mut command = table.command(&["0", "9", "deck", BANZAI, BANZAI]);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut hub = command.spawn().unwrap();
    let mut out = hub.stdout.take().unwrap();
    out.read_exact(&mut [0; 8]).unwrap();
    // A pipe for two hundred turns.
    fcntl(&out, FcntlArg::F_SETPIPE_SZ(4096)).unwrap();
    thread::sleep(Duration::from_millis(500));
    kill(Pid::from_raw(hub.id() as i32), SIGINT).unwrap();
    let sent = Instant::now();
    while hub.try_wait().unwrap().is_none() && sent.elapsed() < PATIENCE {
        thread::sleep(Duration::from_millis(1));
    }
    let is_stopped = hub.try_wait().unwrap().is_some();
    // A hub that still waits would go on now.
    drop(out);
    assert_eq!(hub.wait().unwrap().code(), Some(10));
    assert!(is_stopped, "it was not to be stopped");
}

#[test]
fn while_a_player_does_not_listen_any_more() {
    let table = Table::with_gifts();
    table.player("deaf", "exec <&-; : >closed; exec sleep 1000");
    let ended = interrupted_at(&table, "closed", &["./deaf", SHENZI]);
    assert_eq!((ended.status, ended.err.as_str()), (Some(10), CAUGHT));
}
