//! The program `friday13`: every command word for word, moves in files, matches without an arbiter.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use croupier_core::Seed;
use croupier_games::friday13::{Friday13, Placing, Setup, State, Terms, TurnMade, report};

const PROGRAM: &str = env!("CARGO_BIN_EXE_friday13");

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
fn said(arguments: &str, input: &str) -> String {
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
        assert_eq!(
            refused(task, ""),
            "friday13: line 1: the file ends where 'active player = …' should be\n"
        );
        assert!(refused(task, &azure).contains("line 8: 'azure' is no colour"));
    }
    assert!(refused("check reds", STATE).contains("reds"));
}

/// A folder with a state file, and the parameters of its game.
struct Table {
    folder: tempfile::TempDir,
    setup: Setup,
}

impl Table {
    fn new(terms: Terms) -> Table {
        Table {
            folder: tempfile::tempdir().unwrap(),
            setup: Setup::try_from(terms).unwrap(),
        }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("game_state.txt")
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    fn state(&self) -> State {
        self.text().parse().unwrap()
    }

    fn write(&self, text: &str) {
        fs::write(self.file(), text).unwrap();
    }

    /// A program of the tournament, ready to be started.
    fn program(&self, program: &Path, options: &str) -> Command {
        let mut command = Command::new(program);
        command
            .args(options.split_whitespace())
            .arg("game_state.txt")
            .args(self.setup.program_arguments())
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn ours(&self, options: &str) -> Command {
        self.program(Path::new(PROGRAM), &format!("play {options}"))
    }

    /// Plays a round with these programs in turn, checking every turn; the number of turns.
    fn round(&self, seed: u64, programs: &[(&Path, &str)]) -> usize {
        let mut state = Friday13::opening(&self.setup, Seed(seed), 0);
        self.write(&state.to_string());
        let mut turns = 0;
        while !state.is_final() {
            let (program, options) = programs[state.active % programs.len()];
            let output = self.program(program, options).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            let after = self.state();
            let turn = state.verify(&after, self.setup.threshold, Placing::Strict);
            assert!(
                matches!(turn, Ok(TurnMade::Laid { .. })),
                "{turn:?}\n{state}"
            );
            if program == Path::new(PROGRAM) {
                let score = report::score(&after, report::Language::Polish);
                let score = if after.is_final() {
                    score
                } else {
                    String::new()
                };
                assert_eq!(String::from_utf8(output.stdout).unwrap(), score);
            }
            state = after;
            turns += 1;
        }
        turns
    }
}

fn original(players: usize) -> Terms {
    Terms {
        players,
        ..Terms::default()
    }
}

/// Two players, one green of value 4, one blue of value 9.
fn tiny(threshold: u32) -> Terms {
    Terms {
        players: 2,
        colours: 1,
        greens: 1,
        values: vec![9],
        threshold,
        ..Terms::default()
    }
}

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
    assert!(seed.ends_with("[default: drawn]"), "{seed}");
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

/// Half a file may be one that is being written: it is not touched, and not waited for for ever.
#[test]
fn half_a_file_is_looked_at_again() {
    let table = Table::new(original(2));
    let whole = Friday13::opening(&table.setup, Seed(5), 0).to_string();
    let half = &whole[..whole.len() / 2];
    table.write(half);
    let player = table.ours("--me 1 --time-limit 1s").spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(table.text(), half);
    table.write(&whole);
    let output = player.wait_with_output().unwrap();
    assert_eq!(
        output.status.code(),
        Some(3),
        "the other player never moves"
    );
    assert_eq!(table.state().active, 1);
    table.write(half);
    let output = table.ours("--me 1 --time-limit 60s").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(table.text(), half);
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
