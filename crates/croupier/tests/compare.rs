//! `croupier compare` as its users run it.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::process::{Command, Output};

use serde_json::Value;

fn compare(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
    command.arg("compare").args(arguments).output().unwrap()
}

fn printed(arguments: &[&str]) -> String {
    let output = compare(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

const CAREFUL: [&str; 7] = [
    "uno",
    "careful",
    "naive",
    "--seed",
    "5",
    "--sandbox",
    "none",
];

#[test]
fn points_decide_unless_it_is_told_otherwise_and_both_are_shown() {
    insta::assert_snapshot!("by-points", printed(&CAREFUL));
    let by_score = printed(&[&CAREFUL[..], &["--rank-by", "score"]].concat());
    insta::assert_snapshot!("by-score", by_score);
}

#[test]
fn for_programs_all_of_it_is_told() {
    let scores = ["--rank-by", "score", "--json"];
    let told: Value = serde_json::from_str(&printed(&[&CAREFUL[..], &scores].concat())).unwrap();
    assert_eq!(told["rank_by"], "score");
    assert_eq!(told["verdict"], "a");
    let number = |value: &Value| value.as_f64().unwrap();
    let by_score = &told["by_score"]["difference"];
    assert!(number(&by_score["ci95"][0]) > 0.0);
    assert!(number(&by_score["estimate"]) < number(&by_score["ci95"][1]));
    let lead = number(&told["score"]["a"]) - number(&told["score"]["b"]);
    assert!((number(&told["score_difference"]["estimate"]) - lead).abs() < 1e-9);
    assert!(number(&told["score_difference"]["standard_error"]) > 0.0);
    assert!(number(&told["difference"]["ci95"][1]) > number(&told["difference"]["estimate"]));
}

#[test]
fn there_is_nothing_else_to_rank_by() {
    let output = compare(&[&CAREFUL[..], &["--rank-by", "places"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("'places' is nothing to rank by: points or score"),
        "{said}"
    );
    assert_eq!(said.lines().count(), 1, "{said}");
}
