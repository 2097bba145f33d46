//! Recorded games told again, reviewed, and what players think of their moves.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use croupier_core::{
    Foul, FoulKind, NoMove, Offered, Outcome, Player, RandomPlayer, Recorder, Seed, Turn, play,
};
use croupier_games::intensity::{Intensity, Move, Setup};
use croupier_games::war::War;
use serde_json::Value;
use tempfile::TempDir;

fn croupier(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(arguments)
        .output()
        .unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = croupier(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {errors}");
    assert_eq!(errors, "", "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A record may come from anybody.
#[test]
fn a_name_in_a_record_moves_no_cursor() {
    let folder = folder();
    let (_, record) = recorded(&folder, &["uno", "ann=careful"]);
    let good = fs::read_to_string(&record).unwrap();
    fs::write(&record, good.replacen("\"ann\"", r#""a\u0007n""#, 1)).unwrap();
    let told = printed(&["replay", text(&record)]);
    assert!(told.starts_with("Uno: a\\u{7}n, random"), "{told}");
}

/// One line on the standard error, nothing on the standard output, status 2.
fn refused(arguments: &[&str]) -> String {
    let output = croupier(arguments);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}

/// A game between built-in players: what the match told, and its record.
fn recorded(folder: &TempDir, arguments: &[&str]) -> (String, PathBuf) {
    let out = folder.path().to_str().unwrap();
    let told = printed(&[&["match"], arguments, &["--seed", "4", "--out", out]].concat());
    (told, folder.path().join("records").join("1.jsonl"))
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The lines that tell what was done and how it ended.
fn moves(told: &str) -> Vec<&str> {
    let told = told.lines().skip_while(|line| !line.starts_with("  "));
    told.take_while(|line| line.starts_with("  ")).collect()
}

#[test]
fn a_record_tells_the_game_in_the_words_of_the_match() {
    for game in [
        ["intensity", "careful", "random"],
        ["friday13", "majority", "random"],
        ["uno", "naive", "careful"],
        ["austerity", "shenzi", "ed"],
    ] {
        let folder = folder();
        let (told, record) = recorded(&folder, &game);
        let again = printed(&["replay", text(&record)]);
        assert!(moves(&told).len() > 20, "{told}");
        assert_eq!(moves(&told), moves(&again), "{game:?}");
    }
}

#[test]
fn a_record_is_told_as_one_seat_saw_it() {
    let folder = folder();
    let (_, record) = recorded(&folder, &["intensity", "careful", "careful", "random"]);
    let told = printed(&["replay", text(&record), "--seat", "2"]);
    let named = printed(&["replay", text(&record), "--seat", "random"]);
    assert_eq!(named, told);
    insta::assert_snapshot!("seat-intensity", told);
    assert_eq!(told.matches(" has chosen\n").count(), 3);
    assert_eq!(told.matches("discard").count(), 1, "its own: {told}");
    for game in ["friday13", "uno", "austerity"] {
        let folder = self::folder();
        let (_, record) = recorded(&folder, &[game]);
        let told = printed(&["replay", text(&record), "--seat", "1"]);
        let start: Vec<&str> = told.lines().take(40).collect();
        insta::assert_snapshot!(format!("seat-{game}"), start.join("\n"));
    }
}

#[test]
fn in_json_a_seat_is_told_what_it_saw_and_no_more() {
    let folder = folder();
    let (_, record) = recorded(&folder, &["intensity", "careful"]);
    let json = |arguments: &[&str]| -> Value {
        let told = printed(&[&["replay", text(&record), "--json"], arguments].concat());
        serde_json::from_str(&told).unwrap()
    };
    let (whole, seen) = (json(&[]), json(&["--seat", "0"]));
    assert_eq!(whole["game"], "intensity");
    assert!(whole["seed"].is_string());
    assert_eq!(whole["moves"].as_array().unwrap().len(), 44);
    assert_eq!(whole["scores"], seen["scores"]);
    assert_eq!(seen["seed"], Value::Null);
    for (place, (all, some)) in whole["moves"]
        .as_array()
        .unwrap()
        .iter()
        .zip(seen["moves"].as_array().unwrap())
        .enumerate()
    {
        let mine = all["seat"] == 0;
        assert_eq!(some["view"].is_object(), mine, "{some}");
        match !mine && place < 4 {
            true => assert_eq!(some["move"], Value::Null, "{some}"),
            false => assert_eq!(some["move"], all["move"], "{some}"),
        }
    }
}

/// A record of War, which no command writes.
fn war(players: usize) -> String {
    let setup = War::setup(&Default::default()).unwrap();
    let names = ["left", "right", "third"][..players]
        .iter()
        .map(ToString::to_string);
    let mut recorder = Recorder::new::<War>(&setup, Seed(7), names.collect());
    let mut seated = [RandomPlayer::default(), RandomPlayer::default()];
    let _: Outcome = play::<War, _, _>(&setup, Seed(7), &mut seated, &mut recorder).unwrap();
    recorder.into_text()
}

#[test]
fn a_game_of_war_can_be_told_too() {
    let folder = folder();
    let record = folder.path().join("war.jsonl");
    fs::write(&record, war(2)).unwrap();
    let told = printed(&["replay", text(&record)]);
    assert!(told.starts_with("War: left, right\n  left: "), "{told}");
    assert!(
        told.contains("\n  left wins\n  places, with games won: 1. left 1, 2. right 0\n")
            || told.contains("\n  right wins\n  places, with games won: 1. right 1, 2. left 0\n"),
        "{told}"
    );
    assert!(told.contains(" wins the turn: 27 cards to 25\n"), "{told}");
    assert!(printed(&["replay", text(&record), "--seat", "0"]).contains("you 26 cards, right 26"));
    let said = refused(&["replay", text(&record), "--review"]);
    assert!(said.contains("War has no expert to ask"), "{said}");
}

/// Somebody who never gives an answer.
struct Silent;

impl Player<Intensity> for Silent {
    fn decide(&mut self, _: &Turn<'_, Intensity>) -> Result<Move, NoMove> {
        Err(NoMove::Foul(Foul {
            kind: FoulKind::Timeout,
            detail: "no answer, with the 48 in hand".to_owned(),
        }))
    }
}

#[test]
fn fouls_are_told_but_not_what_the_house_chooses_in_secret() {
    let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    let mut recorder = Recorder::new::<Intensity>(&Setup {}, Seed(7), names);
    let mut players = [Silent, Silent, Silent, Silent];
    play::<Intensity, _, _>(&Setup {}, Seed(7), &mut players, &mut recorder).unwrap();
    let folder = folder();
    let record = folder.path().join("fouls.jsonl");
    fs::write(&record, recorder.into_text()).unwrap();
    let whole = printed(&["replay", text(&record)]);
    let house = "  a fouls: no answer, with the 48 in hand; the house chooses: discard ";
    assert!(whole.contains(house), "{whole}");
    let seen = printed(&["replay", text(&record), "--seat", "1"]);
    assert!(!seen.contains(house), "{seen}");
    let kept = "  a fouls: it did not answer in time; the house chooses\n";
    assert!(seen.contains(kept), "{seen}");
    assert_eq!(seen.matches("; the house chooses\n").count(), 3);
    for (who, does) in [("you foul", "discard"), ("a fouls", "play")] {
        let told = format!("  {who}: no answer, with the 48 in hand; the house chooses: {does} ");
        assert!(seen.contains(&told), "{seen}");
    }
    let seen = printed(&["replay", text(&record), "--seat", "1", "--json"]);
    let seen: Value = serde_json::from_str(&seen).unwrap();
    let details: Vec<&Value> = (0..4)
        .map(|number| &seen["moves"][number]["foul"]["detail"])
        .collect();
    let (open, kept) = (
        "no answer, with the 48 in hand",
        "it did not answer in time",
    );
    assert_eq!(details, [kept, open, kept, kept]);
}

#[test]
fn a_bad_record_is_told_in_one_line() {
    let folder = folder();
    let (_, record) = recorded(&folder, &["intensity", "careful"]);
    let good = fs::read_to_string(&record).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    let without = |line: usize| [&lines[..line], &lines[line + 1..]].concat().join("\n");
    let changed = |from: &str, to: &str| good.replacen(from, to, 1);
    for (bad, reason) in [
        (
            String::new(),
            "the record cannot be read: the file is empty",
        ),
        (
            "rubbish\n".to_owned(),
            "line 1 of the record: expected value",
        ),
        (good[..good.len() / 2].to_owned(), "line "),
        (
            without(lines.len() - 1),
            "the record ends before the game does",
        ),
        (without(20), "event "),
        (
            changed("\"intensity\"", "\"bridge\""),
            "there is no game 'bridge' here",
        ),
        (
            changed("\"version\":1", "\"version\":99"),
            "is of version 99",
        ),
        (changed("\"format\":2", "\"format\":3"), "has format 3"),
        (changed("\"play ", "\"play 1"), "event 5 of the record"),
        (changed("\"scores\":[", "\"scores\":[5"), "outcome"),
        (war(3), "the record names 3 players for 2 seats"),
    ] {
        let file = folder.path().join("bad.jsonl");
        fs::write(&file, bad).unwrap();
        let said = refused(&["replay", text(&file)]);
        assert!(said.contains(reason), "{reason}: {said}");
        assert!(said.contains("bad.jsonl"), "{said}");
    }
    refused(&["replay", text(folder.path())]);
    refused(&["replay", "nowhere.jsonl"]);
    let said = refused(&["replay", text(&record), "--seat", "4"]);
    assert!(
        said.contains("nobody at this table is called '4'; the players are "),
        "{said}"
    );
    for (bad, reason) in [
        (&b""[..], "the file is empty"),
        (
            b"\xef\xbb\xbf{}",
            "the file begins with a byte order mark (BOM)",
        ),
        (b"\xff\xfe{\0", "the file is written in UTF-16"),
        (b"{\xff", "it is not written in UTF-8"),
    ] {
        let file = folder.path().join("bad.jsonl");
        fs::write(&file, bad).unwrap();
        let said = refused(&["replay", text(&file)]);
        assert!(
            said.contains(&format!("bad.jsonl: the record cannot be read: {reason}")),
            "{said}"
        );
    }
    let said = refused(&["replay", text(&record), "--time", "1s"]);
    assert!(said.contains("--review"), "{said}");
}

#[test]
fn who_reads_only_the_first_line_ends_it_well() {
    let folder = folder();
    let (_, record) = recorded(&folder, &["friday13", "--rounds", "50"]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["replay", text(&record), "--seat", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    drop(out);
    assert!(line.starts_with("Friday the 13th: "), "{line}");
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}

/// What the tables of moves say: how many there are, and the first move of each.
fn first_choices(told: &str) -> Vec<String> {
    let lines: Vec<&str> = told.lines().collect();
    let tables = lines.iter().zip(&lines[1..]);
    let tables = tables.filter(|(line, _)| line.trim() == "expected points  tries  move");
    let choice = |line: &str| {
        let (_, choice) = line.split_once("±").unwrap();
        let words: Vec<&str> = choice
            .split(':')
            .next()
            .unwrap()
            .split_whitespace()
            .collect();
        words[2..].join(" ")
    };
    tables.map(|(_, best)| choice(best)).collect()
}

#[test]
fn a_player_who_weighs_its_moves_explains_them_and_others_are_silent() {
    for (game, moves) in [("friday13", 17), ("austerity", 5)] {
        let expert = "me=expert:iterations=60";
        let arguments = [
            game,
            expert,
            "random",
            "--players",
            "3",
            "--explain",
            "--seed",
            "6",
        ];
        let rounds = if game == "friday13" {
            &["--rounds", "1"][..]
        } else {
            &[]
        };
        let told = printed(&[&["match"], &arguments[..], rounds].concat());
        let played: Vec<&str> = told
            .lines()
            .filter_map(|line| line.strip_prefix("  me: "))
            .collect();
        assert!(played.len() >= moves, "{told}");
        assert_eq!(
            first_choices(&told),
            played,
            "the best comes first, and is played"
        );
    }
    let quiet = printed(&["match", "uno", "careful", "--explain", "--seed", "6"]);
    assert_eq!(first_choices(&quiet), Vec::<String>::new());
    refused(&["match", "uno", "careful", "--explain", "--json"]);
}

#[test]
fn a_review_finds_what_a_player_without_a_plan_has_lost() {
    let folder = folder();
    let (_, record) = recorded(
        &folder,
        &["austerity", "random", "shenzi", "--players", "2"],
    );
    let review = |arguments: &[&str]| {
        let budget = ["--review", "--iterations", "200"];
        printed(&[&["replay", text(&record)], &budget[..], arguments].concat())
    };
    let told = review(&[]);
    assert_eq!(told, review(&[]), "the same every time");
    let (game, worst) = told.split_once("\nThe moves that cost most").unwrap();
    assert!(
        game.contains("  ? ") && game.contains(" is better by "),
        "{game}"
    );
    assert!(worst.matches(" less than ").count() <= 5, "{worst}");

    let whole: Value = serde_json::from_str(&review(&["--json"])).unwrap();
    let mut lost = [0.0, 0.0];
    for line in whole["moves"].as_array().unwrap() {
        if let Some(loss) = line["review"]["loss"].as_f64() {
            assert!(loss >= 0.0);
            lost[line["seat"].as_u64().unwrap() as usize] += loss;
        }
    }
    assert!(lost[0] > lost[1], "{lost:?}");
    let one: Value = serde_json::from_str(&review(&["--json", "--seat", "1"])).unwrap();
    for line in one["moves"].as_array().unwrap() {
        assert!(line["seat"] == 1 || line["review"] == Value::Null, "{line}");
    }
    let said = refused(&["replay", text(&record), "--review", "--time", "long"]);
    assert!(said.contains("'long' is no time"), "{said}");
}

#[test]
fn every_legal_move_is_explained() {
    let expert = ["match", "intensity", "expert:iterations=200", "--explain"];
    let told = printed(&[&expert[..], &["--seed", "6"]].concat());
    let (discards, _) = told.split_once("  expert: discard ").unwrap();
    assert_eq!(discards.matches(" ± ").count(), 120, "{discards}");
}

/// Not all of them are worth the thought of one who chooses.
#[test]
fn a_review_looks_at_moves_that_the_expert_would_not_think_of() {
    let folder = folder();
    let (_, record) = recorded(&folder, &["intensity"]);
    let budget = ["--review", "--iterations", "300", "--json"];
    let told = printed(&[&["replay", text(&record)], &budget[..]].concat());
    let told: Value = serde_json::from_str(&told).unwrap();
    let discards = &told["moves"].as_array().unwrap()[..4];
    let losses = discards.iter().map(|line| line["review"]["loss"].as_f64());
    let losses: Vec<f64> = losses.collect::<Option<_>>().unwrap();
    assert!(losses.iter().any(|&loss| loss > 0.2), "{losses:?}");
}
