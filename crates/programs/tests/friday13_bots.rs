//! Friday the 13th's programs at croupier's table: each has a folder and a copy of the state file of
//! its own, and nothing but that file counts.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use croupier_bots::{
    Entries, Fault, House, Ledger, Limits, NoMinder, NotTaken, Preparation, Program, Seating,
    Speech, Tier,
};
use croupier_core::{FoulKind, Game, Outcome, Player, Seed, play};
use croupier_games::friday13::{Friday13, Setup, Terms};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_friday13");

/// Ten cards, of which the first of two players has five.
fn small() -> Setup {
    Setup::try_from(Terms {
        players: 2,
        colours: 2,
        greens: 2,
        values: vec![1, 2, 4, 7],
        rounds: 1,
        ..Terms::default()
    })
    .unwrap()
}

fn house(tier: Tier) -> House {
    let mut house = House::new(tier, Limits::default());
    house.minder = PathBuf::from(PROGRAM);
    house
}

fn built_in(name: &str) -> Box<dyn Player<Friday13>> {
    croupier_core::built_in(name).unwrap()
}

/// A program in the first seat against `optimal`; none if the machine cannot hold it like that.
fn match_of(program: &Path, setup: &Setup, tier: Tier) -> Option<(Outcome, Vec<Fault>)> {
    let ledger = Ledger::default();
    let (house, entries) = (house(tier), Entries::default());
    let preparation = Preparation::new(&house, &entries);
    let program = Program::prepare(program, &preparation).unwrap();
    let seating = Seating::new(&ledger, &house);
    let seated = match seating.seat::<Friday13>(program, Speech::Own, setup) {
        Err(NotTaken::NoMinder(NoMinder::Refused { reason, .. })) => {
            eprintln!("skipped: {reason}");
            return None;
        }
        seated => seated.unwrap(),
    };
    let mut players = vec![seated, built_in("optimal")];
    let outcome = play::<Friday13, _, _>(setup, Seed(3), &mut players, &mut ());
    Some((outcome.unwrap(), ledger.take()))
}

/// A shell script that may make an honest move with `$PLAY`.
fn script(text: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bot");
    let text = format!("#!/bin/sh\nPLAY='{PROGRAM} play --strategy smallest'\n{text}\n");
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    (folder, path)
}

/// The kinds and details of what a script does wrong in tier limits.
fn faults_of(text: &str) -> Vec<(FoulKind, String)> {
    let (_folder, path) = script(text);
    let (_, faults) = match_of(&path, &small(), Tier::Limits).unwrap();
    let told = faults.into_iter().map(|fault| (fault.kind, fault.detail));
    told.collect()
}

#[test]
fn the_example_plays_whole_matches_in_every_tier() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/friday13/bot.c");
    let setup = Setup::try_from(Terms {
        players: 2,
        ..Terms::default()
    })
    .unwrap();
    let played: Vec<_> = Tier::ALL
        .into_iter()
        .filter_map(|tier| match_of(&source, &setup, tier))
        .collect();
    assert!(played.len() >= 2);
    for (outcome, faults) in &played {
        assert_eq!(faults, &[], "{outcome:?}");
        assert_eq!(outcome, &played[0].0, "how it is held changes nothing");
    }
}

#[test]
fn our_own_player_does_what_the_built_in_one_does() {
    let (_folder, path) = script(&format!("exec {PROGRAM} play --strategy majority \"$@\""));
    let setup = small();
    let (outcome, faults) = match_of(&path, &setup, Tier::Limits).unwrap();
    assert_eq!(faults, []);
    let mut players = [built_in("majority"), built_in("optimal")];
    let expected = play::<Friday13, _, _>(&setup, Seed(3), &mut players, &mut ()).unwrap();
    assert_eq!(outcome, expected);
}

#[test]
fn nothing_but_the_state_file_is_in_the_folder() {
    let alone = "[ \"$(ls -A)\" = game_state.txt ] || exit 9";
    let notes = "echo mine > notes; mkdir -p deep/er; ln -s / root";
    assert_eq!(faults_of(&format!("{alone}; {notes}; $PLAY \"$@\"")), []);
}

#[test]
fn a_program_cannot_make_a_match_void() {
    let gone = "game_state.txt: the file is gone".to_owned();
    let malformed = |detail: &str| vec![(FoulKind::Malformed, detail.to_owned()); 5];
    assert_eq!(faults_of("rm game_state.txt"), malformed(&gone));
    assert_eq!(
        faults_of("rm game_state.txt; mkfifo game_state.txt"),
        malformed("game_state.txt: the file cannot be read: it is no ordinary file")
    );
    assert_eq!(
        faults_of("rm game_state.txt; mkdir -p game_state.txt/deep; chmod 0 game_state.txt").len(),
        5
    );
    assert_eq!(
        faults_of("$PLAY \"$@\"; chmod 0 .").len() % 5,
        0,
        "all its turns are alike"
    );
    assert_eq!(faults_of("rm -r \"$PWD\""), malformed(&gone));
    let moved =
        faults_of("mv \"$PWD\" \"$PWD-moved\"; ln -s /dev/null \"$PWD\"; rm -r \"$PWD-moved\"");
    assert_eq!(moved.len(), 5);
}

#[test]
fn a_fault_holds_what_is_needed_to_see_it_again() {
    let (_folder, path) = script("echo oops >&2; echo half > \"$1\"");
    let (_, faults) = match_of(&path, &small(), Tier::Limits).unwrap();
    let Fault { exchange, kind, .. } = &faults[0];
    assert_eq!(*kind, FoulKind::Malformed);
    assert_eq!(exchange.file.as_deref(), Some("game_state.txt"));
    assert_eq!(
        exchange.arguments.join(" "),
        "game_state.txt 2 2 13 2 4 4 1 2 4 7"
    );
    let opening = Friday13::opening(&small(), Seed(3), 0);
    assert_eq!(exchange.input.0, opening.to_string().as_bytes());
    assert_eq!(exchange.answer.0, b"half\n");
    assert_eq!(exchange.errors, "oops\n");
    let mut legal = Vec::new();
    Friday13::deal(&small(), Seed(3)).legal(&mut legal);
    assert_eq!(exchange.legal.len(), legal.len());
}
