//! One move in a file.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use croupier_core::Seed;
use croupier_games::friday13::{Friday13, Terms};

use crate::PROGRAM;
use crate::commands::said;
use crate::table::{Table, original, tiny};

#[test]
fn one_move_at_a_time_plays_a_round_by_the_rules() {
    let ours = Path::new(PROGRAM);
    let programs = [
        (ours, "play --strategy random"),
        (ours, "play --strategy smallest"),
        (ours, "play --strategy drop-biggest"),
        (ours, "play --strategy optimal"),
        (ours, "play --strategy majority"),
        (ours, "play --strategy expert:iterations=20"),
    ];
    assert_eq!(Table::new(original(5)).round(1, &programs), 50);
    let many = Terms {
        players: 20,
        colours: 9,
        threshold: 9,
        ..Terms::default()
    };
    assert_eq!(Table::new(many).round(2, &programs), 8 + 9 * 14);
}

#[test]
fn a_final_state_is_scored_and_left_untouched() {
    let table = Table::new(tiny(8));
    table.write(
        "active player = 2\nplayers number = 2\nexplosion threshold = 8\n\
         1 player hand cards:\n1 player deck cards:\n2 player hand cards: 9 blue\n\
         2 player deck cards:\n1 pile cards: 4 green\n",
    );
    let output = table.ours("").output().unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "Na kolor blue odporny jest gracz 2\nWynik gracza 1 = 0\nWynik gracza 2 = 2\n"
    );
    let over = table.text();
    assert_eq!(
        over,
        "active player = 1\nplayers number = 2\nexplosion threshold = 8\n\
         1 player hand cards:\n1 player deck cards:\n2 player hand cards:\n\
         2 player deck cards: 4 green 9 blue\n1 pile cards:\n"
    );
    let sloppy = over.replace('\n', " \r\n");
    table.write(&sloppy);
    let output = table.ours("--lang en").output().unwrap();
    assert!(output.status.success());
    assert!(output.stdout.starts_with(b"Player 2 is immune to blue\n"));
    assert_eq!(table.text(), sloppy, "to the byte");
}

#[test]
fn with_an_empty_hand_only_the_next_player_becomes_active() {
    let table = Table::new(tiny(18));
    let state = "active player = 1\nplayers number = 2\nexplosion threshold = 18\n\
                 1 player hand cards:\n1 player deck cards:\n2 player hand cards: 9 blue\n\
                 2 player deck cards:\n1 pile cards: 4 green\n";
    table.write(state);
    let output = table.ours("").output().unwrap();
    assert!(output.status.success());
    assert_eq!(output.stdout, b"");
    assert_eq!(table.text(), state.replacen("= 1", "= 2", 1));
}

#[test]
fn an_inconsistent_state_is_an_error_and_stays_as_it_is() {
    let table = Table::new(original(4));
    let good = Friday13::opening(&table.setup, Seed(3), 0).to_string();
    let swap = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}\n{good}");
        good.replacen(from, to, 1)
    };
    for (state, reason) in [
        (String::new(), "line 1"),
        (good[..good.len() - 40].to_owned(), "should be"),
        (
            swap("player = 1", "player = 2"),
            "the numbers of cards in the hands",
        ),
        (swap("player = 1", "player = 5"), "there is no player 5"),
        (
            swap("threshold = 13", "threshold = 14"),
            "threshold 14, the game 13",
        ),
        (
            swap("3 pile cards:\n", ""),
            "the state has 2 piles, the game 3",
        ),
        (swap("4 green", "5 green"), "the card 4 green is missing"),
        (swap(" 7 red", ""), "the card 7 red is missing"),
        (swap(" 7 red", " 7 black"), "the card 7 red is missing"),
        (
            swap(" 7 red", " 7 red 7 red"),
            "there is a card 7 red too many",
        ),
        (
            swap("1 pile cards:", "1 pile cards: 7 pink"),
            "'pink' is no colour",
        ),
    ] {
        table.write(&state);
        let output = table.ours("").output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{reason}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains(reason), "{reason}: {error}");
        assert_eq!(table.text(), state);
    }
    fs::remove_file(table.file()).unwrap();
    let output = table.ours("").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let files = fs::read_dir(table.folder.path()).unwrap().count();
    assert_eq!(files, 0, "nothing is made, nothing is left lying about");
}

#[test]
fn what_is_no_ordinary_file_is_refused_and_not_waited_for() {
    let table = Table::new(original(2));
    for make in ["mkfifo", "mkdir", "ln -s game_state.txt"] {
        let mut words = make.split_whitespace();
        let mut maker = Command::new(words.next().unwrap());
        let made = maker.args(words).arg(table.file()).status().unwrap();
        assert!(made.success());
        for options in ["", "--me 1", "--me 2"] {
            let output = table.ours(options).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{make}: {output:?}");
            let error = String::from_utf8(output.stderr).unwrap();
            let start = "friday13: the state file cannot be game_state.txt: ";
            assert!(error.starts_with(start), "{make}: {error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
        let gone = Command::new("rm").arg("-r").arg(table.file()).status();
        assert!(gone.unwrap().success());
    }
}

#[test]
fn parameters_that_make_no_game_are_refused() {
    let table = Table::new(tiny(8));
    let refused = |numbers: &str| {
        let mut command = Command::new(PROGRAM);
        command
            .args(["play", "game_state.txt"])
            .current_dir(table.folder.path());
        let output = command.args(numbers.split_whitespace()).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused("3 1 8 1 4 1 9").contains("3 players need at least 3 cards"));
    assert!(refused("2 0 8 1 4 1 9").contains("at least one colour"));
    assert!(refused("2 1 0 1 4 1 9").contains("the threshold must be at least 1"));
    assert!(refused("2 1 8 1 4 2 9").contains("value 2 of the 2"));
    assert!(refused("2 1 8 1 -4 1 9").contains("'-4' is no number for gv"));
}

/// The file shows all hands, but the expert thinks only about what its chair would see.
#[test]
fn the_move_does_not_change_with_the_hands_of_the_others() {
    let table = Table::new(original(3));
    let expert = "--seed 1 --strategy expert:iterations=300";
    for seed in 0..5 {
        let state = Friday13::opening(&table.setup, Seed(seed), 0);
        let mut other = state.clone();
        let (second, third) = other.hands.split_at_mut(2);
        std::mem::swap(&mut second[1][0], &mut third[0][0]);
        std::mem::swap(&mut second[1][5], &mut third[0][9]);
        let after = [state, other].map(|state| {
            table.write(&state.to_string());
            assert!(table.ours(expert).status().unwrap().success());
            table.state()
        });
        assert_eq!(after[0].piles, after[1].piles);
        assert_eq!(after[0].hands[0], after[1].hands[0]);
        assert_ne!(after[0].hands, after[1].hands);
    }
}

/// With one game in its mind the expert's choice is a matter of luck too.
#[test]
fn the_seed_fixes_the_chance_of_every_strategy() {
    let table = Table::new(original(2));
    let opening = Friday13::opening(&table.setup, Seed(1), 0).to_string();
    let after = |options: &str| {
        table.write(&opening);
        assert!(table.ours(options).status().unwrap().success());
        table.text()
    };
    for strategy in ["random", "expert:iterations=1"] {
        let with = |seed: u32| after(&format!("--seed {seed} --strategy {strategy}"));
        let first = with(0);
        assert_eq!(with(0), first, "{strategy}");
        assert!((1..20).any(|seed| with(seed) != first), "{strategy}");
    }
    // There are more than ten moves: the same one in all draws comes up once in 10^19 tests.
    let drawn = || after("--strategy random");
    let first = drawn();
    assert!((0..19).any(|_| drawn() != first), "a seed is drawn");
    let help = said("play --help", "");
    let seed = help.lines().find(|line| line.contains("--seed")).unwrap();
    assert!(seed.ends_with("[default: drawn at random]"), "{seed}");
}

#[test]
fn the_file_keeps_its_permissions() {
    let table = Table::new(original(2));
    table.write(&Friday13::opening(&table.setup, Seed(1), 0).to_string());
    for mode in [0o600, 0o640, 0o666] {
        fs::set_permissions(table.file(), fs::Permissions::from_mode(mode)).unwrap();
        assert!(table.ours("--strategy optimal").status().unwrap().success());
        let found = fs::metadata(table.file()).unwrap().permissions();
        assert_eq!(found.mode() & 0o777, mode);
    }
}

#[test]
fn a_huge_game_gets_its_move_too() {
    let table = Table::new(Terms {
        players: 20,
        colours: 500,
        values: (1..=20).collect(),
        ..Terms::default()
    });
    table.write(&Friday13::opening(&table.setup, Seed(1), 0).to_string());
    assert!(table.ours("").status().unwrap().success());
    assert_eq!(table.state().active, 1);
}

#[test]
fn a_strategy_that_there_is_not_is_refused() {
    let table = Table::new(original(2));
    for (name, reason) in [
        (
            "clever",
            "random, smallest, drop-biggest, optimal, majority, expert",
        ),
        ("expert:iterations=none", "a whole number"),
        ("expert:patience=9", "no option 'patience'"),
    ] {
        let output = table.ours(&format!("--strategy {name}")).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(reason), "{said}");
    }
}

/// Others may put a colour on a second pile, and then somebody has to pass: our player goes on.
#[test]
fn our_player_lives_with_a_colour_on_two_piles() {
    let table = Table::new(Terms {
        players: 2,
        colours: 2,
        greens: 0,
        values: vec![1, 2],
        threshold: 9,
        ..Terms::default()
    });
    let state = "active player = 1\nplayers number = 2\nexplosion threshold = 9\n\
                 1 player hand cards: 1 red\n1 player deck cards:\n2 player hand cards: 2 red\n\
                 2 player deck cards:\n1 pile cards: 1 blue\n2 pile cards: 2 blue\n";
    table.write(state);
    assert!(table.ours("").status().unwrap().success());
    assert_eq!(table.text(), state.replacen("= 1", "= 2", 1));
    let refused = table.ours("").output().unwrap();
    assert_eq!(
        refused.status.code(),
        Some(2),
        "the hands do not fit any more"
    );
    assert!(table.ours("--lenient").status().unwrap().success());
    assert_eq!(table.text(), state);
}
