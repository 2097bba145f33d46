//! Matches without an arbiter.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use croupier_core::Seed;
use croupier_games::friday13::{Friday13, Terms};

use crate::PROGRAM;
use crate::table::{Table, original};

/// Starts our player for every chair and gives what each printed, and what it complained about.
fn match_without_arbiter(table: &Table, options: &str) -> Vec<(String, String)> {
    let start = |me| {
        let options = format!("--me {me} --pause 1s --time-limit 60s {options}");
        table.ours(&options).spawn().unwrap()
    };
    let players: Vec<_> = (1..=table.setup.players).map(start).collect();
    let told = players.into_iter().map(|player| {
        let output = player.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    });
    told.collect()
}

/// The same for a match in which there is nothing to complain about.
fn smooth_match(table: &Table, options: &str) -> Vec<String> {
    let told = match_without_arbiter(table, options).into_iter();
    let printed = told.map(|(printed, complaints)| {
        assert_eq!(complaints, "");
        printed
    });
    printed.collect()
}

#[test]
fn two_copies_finish_a_match_without_an_arbiter() {
    let table = Table::new(original(2));
    let told = smooth_match(&table, "--lang en --strategy expert:iterations=50");
    assert_eq!(told[0], told[1], "both saw the same match");
    let scores: Vec<i64> = told[0]
        .lines()
        .filter(|line| line.starts_with("Score") || line.starts_with("Total"))
        .map(|line| line.rsplit(' ').next().unwrap().parse().unwrap())
        .collect();
    let [a, b, c, d, e, f, first, second] = scores[..] else {
        panic!("three rounds and the totals: {}", told[0]);
    };
    let totals = [a + d + e, b + c + f];
    assert_eq!([first, second], totals, "the chairs change every round");
    assert!(table.state().is_final());
}

#[test]
fn a_match_may_start_from_a_dealt_file_or_over_an_old_one() {
    let table = Table::new(original(3));
    table.write(&Friday13::opening(&table.setup, Seed(1), 0).to_string());
    for (options, scores) in [
        ("--rounds 1 --strategy optimal", 3),
        ("--rounds 4 --strategy random", 12),
    ] {
        let told = smooth_match(&table, options);
        assert!(told.iter().all(|text| *text == told[0]));
        assert_eq!(told[0].matches("Wynik").count(), scores);
        assert_eq!(told[0].matches("Suma").count(), 3);
    }
}

/// With red on both piles nobody can lay a blue card. The round is over, whether it is found like
/// that or somebody's last red card has made it so, and the next one is dealt.
#[test]
fn a_match_goes_on_after_a_round_in_which_nobody_can_lay_a_card() {
    let table = Table::new(Terms {
        players: 2,
        colours: 2,
        greens: 0,
        values: vec![1, 1, 2, 3],
        threshold: 50,
        ..Terms::default()
    });
    let stuck = "active player = 1\nplayers number = 2\nexplosion threshold = 50\n\
                 1 player hand cards: 1 blue 1 blue\n1 player deck cards:\n\
                 2 player hand cards: 2 blue 3 blue\n2 player deck cards:\n\
                 1 pile cards: 1 red 2 red 1 red\n2 pile cards: 3 red\n";
    let nearly = stuck
        .replace(
            "hand cards: 1 blue 1 blue",
            "hand cards: 1 blue 1 red 1 blue",
        )
        .replace("1 red 2 red 1 red", "1 red 2 red");
    for start in [stuck, &nearly] {
        for (rounds, scores) in [(1, 2), (2, 4)] {
            table.write(start);
            let options = format!("--lenient --lang en --strategy optimal --rounds {rounds}");
            let told = match_without_arbiter(&table, &options);
            assert_eq!(told[0], told[1], "both saw the same match");
            let (printed, complaints) = &told[0];
            assert!(printed.starts_with("Score of player 1 = 0\nScore of player 2 = 0\n"));
            assert_eq!(printed.matches("Score of").count(), scores);
            assert_eq!(printed.matches("Total of").count(), 2);
            let complaint = "friday13: nobody can lay a card: the round is over\n";
            assert_eq!(complaints, complaint);
        }
        assert!(table.state().is_final(), "the second round was played");
    }
}

#[test]
fn who_is_left_alone_gives_up() {
    let table = Table::new(original(2));
    let alone = |me| {
        let options = format!("--me {me} --time-limit 200ms");
        table.ours(&options).output().unwrap()
    };
    assert_eq!(alone(2).status.code(), Some(3));
    assert!(!table.file().exists(), "only the first player deals");
    let first = alone(1);
    assert_eq!(first.status.code(), Some(3));
    let error = String::from_utf8(first.stderr).unwrap();
    assert!(error.contains("giving up in round 1 of 3"), "{error}");
    assert_eq!(table.state().active, 1, "dealt, and one move made");
    assert_eq!(alone(3).status.code(), Some(2), "there are only two chairs");
}

/// A round that is begun cannot go on without its file, and nobody deals it again.
#[test]
fn who_loses_the_file_says_so() {
    let table = Table::new(original(2));
    let mut player = table.ours("--me 1 --time-limit 60s");
    let player = player.stderr(Stdio::piped()).spawn().unwrap();
    // It deals and moves, and then it waits for the other one.
    let begun = Instant::now();
    while !table.file().exists() || table.state().active != 1 {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    fs::remove_file(table.file()).unwrap();
    let output = player.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("is gone in the middle of round 1 of 3: nobody can play on"),
        "{error}"
    );
    assert!(!table.file().exists());
}

/// Half a file may be one that is being written: it is not touched, and not waited for for ever.
#[test]
fn half_a_file_is_looked_at_again() {
    let table = Table::new(original(2));
    let whole = Friday13::opening(&table.setup, Seed(5), 0).to_string();
    let half = &whole[..whole.len() / 2];
    // It looks for two seconds. On a machine that lets us wait for longer the rest comes too late.
    assert!((0..10).any(|_| moves_when_the_rest_comes(&table, half, &whole)));
    table.write(half);
    let output = table.ours("--me 1 --time-limit 60s").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(table.text(), half);
}

fn moves_when_the_rest_comes(table: &Table, half: &str, whole: &str) -> bool {
    table.write(half);
    let player = table.ours("--me 1 --time-limit 1s").spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(table.text(), half);
    table.write(whole);
    let output = player.wait_with_output().unwrap();
    // The other player never moves.
    output.status.code() == Some(3) && table.state().active == 1
}

#[test]
fn the_example_bot_plays_with_ours() {
    let table = Table::new(original(4));
    let bot = table.folder.path().join("bot");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/friday13/bot.c");
    let compiler = std::env::var("CC").unwrap_or("cc".to_owned());
    let compiled = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Werror", "-o"])
        .args([&bot, &source])
        .status()
        .unwrap();
    assert!(compiled.success());
    let ours = (Path::new(PROGRAM), "play --strategy expert:iterations=50");
    let programs = [(bot.as_path(), ""), ours];
    for seed in 0..5 {
        assert_eq!(table.round(seed, &programs), 50);
    }
}
