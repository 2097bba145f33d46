//! `croupier check` and programs that are wrong in one rare situation.
//!
//! Each is the example of a game with one thing changed; `check/mistakes.toml` lists them. Two seeds
//! are tried as a rule. All ten, with a table of how many found each:
//!
//! ```sh
//! cargo test -p croupier --test check -- --ignored --nocapture
//! ```

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, thread};

use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Mistakes {
    mistake: Vec<Mistake>,
}

/// The example of a game with one thing changed.
#[derive(Deserialize)]
struct Mistake {
    game: String,
    /// What the program does wrong.
    name: String,
    from: String,
    to: String,
}

/// How many situations are tried: what a check without options tries in a second or two. Where a
/// program lives on, that is more.
fn situations(game: &str) -> &'static str {
    if game == "austerity" { "6000" } else { "600" }
}

fn mistakes() -> Vec<Mistake> {
    let list = include_str!("check/mistakes.toml");
    let list: Mistakes = toml::from_str(list).unwrap();
    list.mistake
}

fn example(game: &str) -> PathBuf {
    let file = if game == "uno" {
        "exam001_proj2.c"
    } else {
        "bot.c"
    };
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    examples.join(game).join(file)
}

/// What a check says about a program.
fn check(game: &str, program: &Path, seed: u64, more: &[&str]) -> Value {
    check_in(situations(game), game, program, seed, more)
}

/// The same for a check of so many situations.
fn check_in(situations: &str, game: &str, program: &Path, seed: u64, more: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["check", game])
        .arg(program)
        .args(["--json", "--seed", &seed.to_string()])
        .args(["--situations", situations])
        .args(more)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(said, "", "{}", program.display());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// With how many of these seeds each mistake is found.
fn found(seeds: std::ops::RangeInclusive<u64>) -> Vec<(Mistake, u64)> {
    let folder = tempfile::tempdir().unwrap();
    let mut found = Vec::new();
    for (number, mistake) in mistakes().into_iter().enumerate() {
        let text = fs::read_to_string(example(&mistake.game)).unwrap();
        assert_eq!(text.matches(&mistake.from).count(), 1, "{}", mistake.name);
        let file = folder.path().join(format!("mistake-{number}.c"));
        // Room for twenty thousand cards has to be cleared at every start, which takes its time.
        let text = text.replace("MOST_CARDS 20000", "MOST_CARDS 500");
        fs::write(&file, text.replace(&mistake.from, &mistake.to)).unwrap();
        let checks: Vec<Value> = thread::scope(|scope| {
            let check = |seed| {
                let (mistake, file) = (&mistake, &file);
                scope.spawn(move || check(&mistake.game, file, seed, &[]))
            };
            let running: Vec<_> = seeds.clone().map(check).collect();
            running.into_iter().map(|one| one.join().unwrap()).collect()
        });
        // None of them hangs: to be late would be the machine's doing.
        let is_found = |report: &&Value| {
            let failures = report["failures"].as_array().unwrap();
            failures.iter().any(|failure| failure["kind"] != "timeout")
        };
        let count = checks.iter().filter(is_found).count();
        found.push((mistake, count as u64));
    }
    found
}

#[test]
fn every_mistake_is_found() {
    for (mistake, count) in found(1..=2) {
        assert_eq!(count, 2, "{}: {}", mistake.game, mistake.name);
    }
}

#[test]
#[ignore = "takes several minutes"]
fn every_mistake_is_found_at_ten_seeds() {
    let found = found(1..=10);
    for (mistake, count) in &found {
        println!("{count:>2} of 10  {:<10} {}", mistake.game, mistake.name);
    }
    assert!(found.iter().all(|(_, count)| *count == 10));
}

/// A program in JSON lines that chooses a move by chance, and answers with this.
fn in_json_lines(folder: &Path, answer: &str) -> String {
    let file = folder.join("bot.py");
    let text = format!(
        r#"
import json, random, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        asked = 0
        print('{{"type":"ready"}}', flush=True)
    elif message["type"] == "turn":
        asked += 1
        move = random.choice(message["legal"])
        print(json.dumps({{"type": "move", "id": message["id"], "move": {answer}}}), flush=True)
"#
    );
    fs::write(&file, text).unwrap();
    format!("json:{}", file.display())
}

/// Who lives on from turn to turn has to play whole games too.
#[test]
fn a_mistake_after_the_first_turn_of_a_game_is_found() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["intensity", "friday13", "uno", "austerity"] {
        let check = |answer| {
            let program = in_json_lines(folder.path(), answer);
            // The first games come after the first batch of turns.
            check_in("200", game, Path::new(&program), 1, &[])
        };
        let right = check("move");
        assert_eq!(right["failures"], serde_json::json!([]), "{game}");
        let wrong = check("move if asked < 3 else 'none'");
        assert_eq!(wrong["failures"][0]["kind"], "malformed", "{game}: {wrong}");
    }
}

#[test]
fn a_program_without_a_mistake_is_told_what_was_tried() {
    for game in ["intensity", "friday13", "uno", "austerity"] {
        let report = check(game, &example(game), 3, &[]);
        assert_eq!(report["ok"], true, "{report}");
        let situations = report["situations"].as_u64().unwrap();
        assert!(situations >= 600, "{report}");
        let kinds = report["kinds"].as_object().unwrap();
        for (kind, count) in kinds {
            let count = count.as_u64().unwrap();
            assert!(count > 0 && count <= situations, "{game}, {kind}: {count}");
        }
    }
}

/// The same seed and the same number give the same report, on however many threads.
#[test]
fn a_check_can_be_made_again() {
    for game in ["austerity", "friday13"] {
        let again = |threads| check(game, &example(game), 5, &["--threads", threads]);
        assert_eq!(again("1"), again("3"), "{game}");
    }
}

/// What the command line fixes stays as it is; everything else is varied.
#[test]
fn what_is_fixed_is_not_varied() {
    let report = check("austerity", &example("austerity"), 3, &["--players", "3"]);
    assert_eq!(report["kinds"]["a tenth player or a later one"], 0);
    assert_ne!(
        report["kinds"]["all piles empty"], 0,
        "there may be no tokens"
    );
}

/// Also where it is up before anything was asked: then one situation is.
#[test]
fn time_ends_a_check_too() {
    for (game, time) in [("intensity", "300ms"), ("austerity", "1ms")] {
        let output = Command::new(env!("CARGO_BIN_EXE_croupier"))
            .args(["check", game])
            .arg(example(game))
            .args(["--for", time, "--json"])
            .output()
            .unwrap();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["ok"], true, "{report}");
        assert!(report["situations"].as_u64().unwrap() > 0, "{report}");
    }
}
