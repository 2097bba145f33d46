//! `friday13 arbiter`: whole matches, and programs that do everything they must not do.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use croupier_core::{Player, Seed, built_in, play};
use croupier_games::friday13::{Friday13, Setup, State, Terms};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_friday13");

/// Ten cards: two colours with the values 1 2 4 7, two greens of 4.
const SMALL: &str = "2 2 13 2 4 4 1 2 4 7";

/// A folder with a state file and the programs of a match.
struct Table(TempDir);

impl Table {
    fn new() -> Table {
        Table(tempfile::tempdir().unwrap())
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("game_state.txt")
    }

    /// A program that is this shell script; `$PLAY` makes an honest move.
    fn script(&self, name: &str, text: &str) -> String {
        let path = self.0.path().join(name);
        let text = format!("#!/bin/sh\nPLAY='{PROGRAM} play --strategy smallest'\n{text}\n");
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn arbiter(&self, options: &str, numbers: &str, programs: &[&str]) -> Output {
        Command::new(PROGRAM)
            .arg("arbiter")
            .args(options.split_whitespace())
            .arg(self.file())
            .args(numbers.split_whitespace())
            .arg("--")
            .args(programs)
            .output()
            .unwrap()
    }

    /// What the arbiter tells of a match that it brings to its end.
    fn told(&self, options: &str, numbers: &str, programs: &[&str]) -> String {
        let output = self.arbiter(options, numbers, programs);
        let told = String::from_utf8(output.stdout).unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), &*said), (Some(0), ""), "{told}");
        told
    }
}

/// Our own player as a program.
fn ours(strategy: &str) -> String {
    format!("{PROGRAM} play --strategy {strategy}")
}

fn numbers(setup: &Setup) -> String {
    setup.program_arguments().join(" ")
}

/// The numbers at the end of the lines that start like this.
fn figures(told: &str, start: &str) -> Vec<i64> {
    let lines = told.lines().filter(|line| line.starts_with(start));
    lines
        .map(|line| line.rsplit(' ').next().unwrap().parse().unwrap())
        .collect()
}

/// The same match with the built-in players, played without any file.
fn in_the_house(setup: &Setup, seed: u64, names: &[&str]) -> Vec<i64> {
    let players = names.iter().map(|name| built_in(name).unwrap());
    let mut players: Vec<Box<dyn Player<Friday13>>> = players.collect();
    let outcome = play::<Friday13, _, _>(setup, Seed(seed), &mut players, &mut ());
    outcome.unwrap().scores
}

#[test]
fn any_number_of_copies_finish_a_match_with_the_totals_of_the_house() {
    let strategies = ["optimal", "smallest", "majority", "drop-biggest"];
    for players in [2, 3, 6, 20] {
        let rounds = if players == 20 { 2 } else { 3 };
        let setup = Setup::try_from(Terms {
            players,
            rounds,
            ..Terms::default()
        })
        .unwrap();
        let names: Vec<&str> = strategies.into_iter().cycle().take(players).collect();
        let programs: Vec<String> = names.iter().map(|name| ours(name)).collect();
        let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
        let table = Table::new();
        let options = format!("--seed 13 --lang en --rounds {rounds}");
        let told = table.told(&options, &numbers(&setup), &programs);
        let totals = figures(&told, "Total of player");
        assert_eq!(totals, in_the_house(&setup, 13, &names));
        let mut sums = vec![0; players];
        let scores = figures(&told, "Score of player");
        assert_eq!(scores.len(), players * rounds as usize);
        for (place, score) in scores.into_iter().enumerate() {
            // In round j the program p sits in chair p - j.
            sums[(place % players + place / players) % players] += score;
        }
        assert_eq!(sums, totals);
        let moves = told.lines().filter(|line| line.contains(" on ")).count();
        assert_eq!(moves, 50 * rounds as usize);
        assert!(!told.contains("is charged"), "{told}");
        let last: State = fs::read_to_string(table.file()).unwrap().parse().unwrap();
        assert!(last.is_final());
        assert_eq!(last.check(&setup), Ok(()));
    }
}

#[test]
fn a_match_reads_like_this() {
    let table = Table::new();
    let honest = table.script("honest", "$PLAY \"$@\" >&2");
    let idle = table.script("idle", "echo tired >&2; exit 3");
    let numbers = "2 1 4 1 4 3 1 2 3";
    let told = table.told("--seed 5 --rounds 2", numbers, &[&honest, &idle]);
    insta::assert_snapshot!("friday13_arbiter", told);
}

/// Plays one round of a program against an honest one and gives what is told of its breaches.
fn breaches_of(cheat: &str, options: &str, numbers: &str) -> Vec<String> {
    let table = Table::new();
    let cheat = table.script("cheat", cheat);
    let options = format!("--seed 2 --rounds 1 --lang en {options}");
    let told = table.told(&options, numbers, &[&cheat, &ours("smallest")]);
    let lines = told.lines();
    let breaches: Vec<String> = lines
        .clone()
        .zip(lines.clone().skip(1))
        .filter(|(_, next)| next.starts_with("  made for it: "))
        .map(|(line, _)| line.strip_prefix("1 cheat: ").unwrap().to_owned())
        .collect();
    let charged = match breaches.len() {
        0 => String::new(),
        1 => "1 cheat is charged with 1 breach".to_owned(),
        many => format!("1 cheat is charged with {many} breaches"),
    };
    let last = lines.last().unwrap();
    assert!(
        last == charged || (charged.is_empty() && last.starts_with("Total")),
        "{told}"
    );
    let state: State = fs::read_to_string(table.file()).unwrap().parse().unwrap();
    assert!(state.is_final(), "the match goes on to its end: {told}");
    let points = state.scores().points;
    assert_eq!(figures(&told, "Total of player"), points);
    breaches
}

/// The cheat fouls in all five of its turns, and this is told each time.
fn always(cheat: &str, expected: &str) {
    assert_eq!(breaches_of(cheat, "", SMALL), [expected; 5], "{cheat}");
}

#[test]
fn a_file_that_is_no_state_is_told_with_the_reason() {
    always(
        "echo nonsense > game_state.txt",
        "breach: game_state.txt: line 1: here 'active player = ' and a number should be",
    );
    always(
        "rm game_state.txt",
        "breach: game_state.txt: the file is gone",
    );
    always(
        "rm game_state.txt; mkdir -p game_state.txt/deep",
        "breach: game_state.txt: the file cannot be read: it is no ordinary file",
    );
    always(
        "$PLAY \"$@\"; mv \"$1\" real; ln -s real \"$1\"",
        "breach: game_state.txt: the file cannot be read: it is no ordinary file",
    );
    always(
        "head -c 1000000 /dev/zero > \"$1\"",
        "breach: game_state.txt: the file is too long for a state",
    );
    always(
        "true",
        "breach: nothing was changed: the active player must lay a card",
    );
}

#[test]
fn what_a_program_writes_does_nothing_to_the_screen() {
    always(
        r#"printf 'active player = \033[2J\007\n' > "$1""#,
        "breach: game_state.txt: line 1: '\\u{1b}[2J\\u{7}' is no number that active player can \
         have",
    );
}

#[test]
fn a_broken_rule_is_named() {
    always(
        "$PLAY \"$@\"; sed -i 's/threshold = 13/threshold = 99/' \"$1\"",
        "breach: the explosion threshold must stay 13, and was made 99",
    );
    always(
        "sed -i 's/^active player = 1/active player = 2/' \"$1\"; $PLAY --lenient \"$@\"
         sed -i 's/^active player = 1/active player = 2/' \"$1\"",
        "breach: the hand of player 2 was changed in the turn of player 1",
    );
    always(
        "$PLAY \"$@\"; sed -i 's/^active player = 2/active player = 1/' \"$1\"",
        "breach: player 2 must be active next, not player 1",
    );
    always(
        "$PLAY \"$@\"; sed -i 's/^2 pile cards:/2 pile cards: 9 green/' \"$1\"",
        "breach: no card may be added or lost: there is a card 9 green too many",
    );
    let two_cards = breaches_of(
        "$PLAY \"$@\"; sed -i 's/^active player = 2/active player = 1/' \"$1\"
         $PLAY --lenient \"$@\"",
        "",
        SMALL,
    );
    let expected = "breach: one card must be laid, and 2 were";
    assert_eq!(two_cards, [expected; 4], "a last card has no second one");
    let hidden = breaches_of(
        &format!("{PROGRAM} move --no-explosion < \"$1\" > new; mv new \"$1\""),
        "",
        "2 1 3 2 4 2 4 4",
    );
    let expected = "breach: pile 1 explodes: its sum is 4, more than 3, and the player must take \
                    its cards";
    assert_eq!(hidden, [expected; 2]);
}

#[test]
fn a_program_that_fails_is_told_apart_from_one_that_cheats() {
    always(
        "kill -SEGV $$",
        "crash: it was killed by signal 11 (SIGSEGV)",
    );
    always("exit 3", "crash: it ended with status 3");
    always(
        "exec head -c 1000000000 /dev/zero > \"$1\"",
        "crash: it was killed by signal 25 (SIGXFSZ)",
    );
    always(
        "head -c 1000000000 /dev/zero",
        "too much output: it wrote more than 65536 bytes",
    );
    let late = breaches_of("$PLAY \"$@\"; sleep 60", "--time-limit 500ms", SMALL);
    assert_eq!(late, ["time-out: it did not end within 500 ms"; 5]);
}

#[test]
fn a_program_that_harms_itself_is_not_started_again() {
    let breaches = breaches_of("echo '#' >> \"$0\"; $PLAY \"$@\"", "", SMALL);
    let expected = "not started: its file has changed since the match began, so it is not started";
    assert_eq!(breaches, [expected; 4], "its first turn stands");
}

#[test]
fn a_folder_that_a_program_takes_away_is_made_again() {
    for cheat in ["rm -r \"$PWD\"", "mv \"$PWD\" \"$0-$$\""] {
        let table = Table::new();
        let cheat = table.script("cheat", cheat);
        let folder = table.0.path().join("states");
        fs::create_dir(&folder).unwrap();
        let output = match_over(&folder.join("game_state.txt"), &cheat);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let told = String::from_utf8(output.stdout).unwrap();
        let gone = "1 cheat: breach: game_state.txt: the file is gone\n";
        assert_eq!(told.matches(gone).count(), 5, "{told}");
        let charged = told.lines().filter(|line| line.contains("is charged"));
        assert_eq!(charged.count(), 1, "the other one is not");
    }
}

#[test]
fn a_legal_change_stands_however_it_is_written() {
    let reversed = "$PLAY \"$@\"; awk '/(hand|deck) cards:/ { \
                    printf \"%s %s %s %s\", $1, $2, $3, $4; \
                    for (i = NF - 1; i > 4; i -= 2) printf \" %s %s\", $i, $(i + 1); \
                    print \"\"; next } { print }' \"$1\" > new; mv new \"$1\"";
    for sloppy in [
        reversed,
        "$PLAY \"$@\"; sed -i 's/ /   /g; s/: */:/; s/$/  \\r/' \"$1\"",
        "$PLAY \"$@\"; exit 7",
        "$PLAY \"$@\"; kill -9 $$",
        "shift; $PLAY game_state.txt \"$@\"",
        "$PLAY \"$@\"; echo notes > notes.txt; echo hello",
    ] {
        assert_eq!(breaches_of(sloppy, "", SMALL), [""; 0], "{sloppy}");
    }
}

/// Lays its first card on the last pile on which no other colour lies, even if that is a second
/// pile for the colour; passes if there is none.
const SECOND_PILE: &str = r#"awk '
    NR == 1 { me = $4; print "active player = " me % 2 + 1; next }
    $2 == "player" && $3 == "hand" && $1 == me {
        value = $5; colour = $6; hand = NR
    }
    $2 == "pile" {
        free = 1
        for (i = 5; i <= NF; i += 2) if ($i != colour) free = 0
        if (free && value != "") on = NR
    }
    { lines[NR] = $0 }
    END {
        for (i = 2; i <= NR; i++) {
            if (on && i == hand) sub(" " value " " colour, "", lines[i])
            if (i == on) lines[i] = lines[i] " " value " " colour
            print lines[i]
        }
    }' "$1" > new && mv new "$1""#;

/// Two colours without green: each has two cards of value 1, and nothing ever explodes.
const NO_GREEN: &str = "2 2 99 0 4 2 1 1";

#[test]
fn a_second_pile_for_a_colour_is_a_breach_unless_lenient() {
    let numbers = "2 2 99 0 4 4 1 1 1 1";
    let table = Table::new();
    let cheat = table.script("cheat", SECOND_PILE);
    let told = table.told("--seed 1 --rounds 1", numbers, &[&ours("smallest"), &cheat]);
    let breach =
        "2 cheat: breach: the card 1 blue may not be laid on pile 2: blue lies on pile 1\n";
    assert!(told.contains(breach), "{told}");
    let ours = ours("smallest --lenient");
    let told = table.told("--seed 1 --rounds 1 --lenient", numbers, &[&ours, &cheat]);
    assert!(!told.contains("may not be laid"), "{told}");
    assert!(
        told.contains("1 friday13: 1 blue on 1\n2 cheat: 1 blue on 2\n"),
        "{told}"
    );
}

#[test]
fn a_lenient_round_ends_when_nobody_can_lay_a_card() {
    let table = Table::new();
    let cheat = table.script("cheat", SECOND_PILE);
    let outcome = |seed: u32| {
        let options = format!("--seed {seed} --rounds 1 --lenient --lang en");
        table.told(&options, NO_GREEN, &[&ours("smallest --lenient"), &cheat])
    };
    let stuck = (0..40).map(outcome).find(|told| told.contains("Nobody"));
    let stuck = stuck.unwrap();
    let end = "1 friday13: passes\n2 cheat: passes\nNobody can lay a card: the round is over\n";
    assert!(stuck.contains(end), "{stuck}");
    assert_eq!(figures(&stuck, "Total of player"), [0, 0]);
    assert!(!stuck.contains("is charged"), "{stuck}");
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_played() {
    let table = Table::new();
    let honest = ours("smallest");
    let refused = |options: &str, numbers: &str, programs: &[&str]| {
        let output = table.arbiter(options, numbers, programs);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(output.stdout, b"");
        assert!(!table.file().exists());
        String::from_utf8(output.stderr).unwrap()
    };
    let two = [honest.as_str(); 2];
    assert_eq!(
        refused("", SMALL, &[&honest]),
        "friday13: 2 players need 2 programs after '--', not 1\n"
    );
    assert!(
        refused("", "3 1 8 1 4 1 9", &[&*honest; 3]).contains("3 players need at least 3 cards")
    );
    assert!(refused("", "2 0 8 1 4 1 9", &two).contains("at least one colour"));
    assert!(refused("", "2 1 0 1 4 1 9", &two).contains("the threshold must be at least 1"));
    assert!(refused("", "2 1 8 1 4 2 9", &two).contains("value 2 of the 2"));
    assert!(refused("", "2 1 8 1 -4 1 9", &two).contains("'-4' is no number for gv"));
    assert!(refused("--rounds 0", SMALL, &two).contains("--rounds"));
    assert!(refused("--time-limit 0s", SMALL, &two).contains("time limit"));
    assert!(refused("", SMALL, &[&honest, "./no-such-program"]).contains("no-such-program"));
    assert!(refused("", SMALL, &[]).contains("PROGRAM"));
}

/// This program and an honest one over this file.
fn match_over(file: &Path, program: &str) -> Output {
    Command::new(PROGRAM)
        .args(["arbiter", "--rounds", "1"])
        .arg(file)
        .args(SMALL.split_whitespace())
        .args(["--", program, &ours("smallest")])
        .output()
        .unwrap()
}

#[test]
fn a_place_where_no_file_can_be_written_is_refused_before_anything_is_dealt() {
    let table = Table::new();
    let place = |name: &str| table.0.path().join(name);
    fs::create_dir(place("folder")).unwrap();
    fs::write(place("file"), "mine").unwrap();
    nix::unistd::mkfifo(&place("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let _socket = UnixListener::bind(place("socket")).unwrap();
    symlink("pipe", place("to-pipe")).unwrap();
    symlink("circle", place("circle")).unwrap();
    symlink("new/", place("to-folder")).unwrap();
    let strange = table.0.path().join(OsStr::from_bytes(b"state\xff"));
    fs::write(&strange, "mine").unwrap();
    let mut files: Vec<PathBuf> = [
        "folder",
        "folder/",
        "folder/..",
        "file/",
        "new/",
        "new/.",
        "new/file",
        "pipe",
        "to-pipe",
        "socket",
        "circle",
        "to-folder",
    ]
    .map(place)
    .into();
    files.push(strange.clone());
    for file in files {
        let output = match_over(&file, &ours("optimal"));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(output.stdout, b"", "nothing is dealt");
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    for file in [&place("file"), &strange] {
        assert_eq!(fs::read_to_string(file).unwrap(), "mine");
    }
    assert_eq!(fs::read_dir(table.0.path()).unwrap().count(), 8);
}

#[test]
fn a_link_leads_to_the_file_and_stays() {
    for there_already in [true, false] {
        let table = Table::new();
        let place = |name: &str| table.0.path().join(name);
        fs::create_dir(place("states")).unwrap();
        symlink("states/current", place("link")).unwrap();
        symlink("real", place("states/current")).unwrap();
        if there_already {
            fs::write(place("states/real"), "old").unwrap();
        }
        let output = match_over(&place("link"), &ours("optimal"));
        assert!(output.status.success(), "{output:?}");
        for (link, target) in [("link", "states/current"), ("states/current", "real")] {
            assert_eq!(fs::read_link(place(link)).unwrap(), Path::new(target));
        }
        let last = fs::read_to_string(place("states/real")).unwrap();
        assert!(last.parse::<State>().unwrap().is_final());
    }
}
