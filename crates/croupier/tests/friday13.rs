//! Programs at a table of Friday the 13th, as `croupier` runs them.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/friday13/bot.c");

fn croupier(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(arguments.split_whitespace())
        .output()
        .unwrap()
}

/// What is printed as JSON by a command that ends with this status.
fn json(arguments: &str, status: i32) -> Value {
    let output = croupier(arguments);
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn script(folder: &Path, text: &str) -> String {
    let path = folder.join("bot");
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn the_example_plays_in_tiers_limits_and_strict_alike() {
    let tiers = json("doctor --json", 0)["tiers"].clone();
    let mut games = Vec::new();
    for tier in ["limits", "strict"] {
        if tiers[tier] != true {
            eprintln!("skipped: this machine has no tier {tier}");
            continue;
        }
        let arguments =
            format!("match friday13 {EXAMPLE} optimal --seed 1 --sandbox {tier} --json");
        let played = json(&arguments, 0);
        assert_eq!(played["sandbox"], tier);
        assert_eq!(played["games"][0]["faults"], Value::Array(vec![]));
        games.push(played["games"].clone());
    }
    assert!(games.windows(2).all(|pair| pair[0] == pair[1]));
    assert!(!games.is_empty());
}

#[test]
fn the_example_keeps_the_protocol() {
    let small = "--players 2 --colours 2 --greens 2 --values 1,2,4,7 --rounds 1";
    let checked = json(
        &format!("check friday13 {EXAMPLE} {small} --situations 100 --seed 1 --json"),
        0,
    );
    assert_eq!(checked["ok"], true);
    assert_eq!(checked["situations"], 100);
    assert_eq!(
        checked["kinds"]["ten players or more"], 0,
        "--players is kept"
    );
}

#[test]
fn a_bot_may_speak_json_lines() {
    let folder = tempfile::tempdir().unwrap();
    let bot = script(
        folder.path(),
        r#"while read -r line; do case "$line" in
            *'"type":"hello"'*) echo '{"type":"ready","name":"First"}' ;;
            *'"type":"turn"'*)
                id=$(echo "$line" | sed 's/.*"id":\([0-9]*\).*/\1/')
                first=$(echo "$line" | sed 's/.*"legal":\["\([^"]*\)".*/\1/')
                echo "{\"type\":\"move\",\"id\":$id,\"move\":\"$first\"}" ;;
        esac; done"#,
    );
    let arguments = format!("match friday13 json:{bot} optimal --rounds 1 --seed 1 --json");
    let played = json(&arguments, 0);
    assert_eq!(played["games"][0]["faults"], Value::Array(vec![]));
}

#[test]
fn a_fault_in_the_state_file_is_kept_and_seen_again() {
    let folder = tempfile::tempdir().unwrap();
    let bot = script(
        folder.path(),
        "sed -i 's/threshold = 13/threshold = 1/' game_state.txt",
    );
    let checked = json(
        &format!("check friday13 {bot} --players 2 --situations 20 --seed 1 --json"),
        1,
    );
    let rule = "the explosion threshold must stay 13, and was made 1";
    assert_eq!(checked["failures"][0]["kind"], "illegal");
    assert_eq!(checked["failures"][0]["detail"], rule);
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let arguments = format!("match friday13 {bot} optimal --rounds 1 --seed 1 --out {out} --json");
    let played = json(&arguments, 0);
    assert_eq!(played["games"][0]["faults"][0]["detail"], rule);
    let output = croupier(&format!("repro {out} 1-1"));
    let shown = String::from_utf8(output.stdout).unwrap();
    let (then, now) = shown.split_once("It answers now").unwrap();
    assert!(then.contains("explosion threshold = 13\n"), "{shown}");
    assert!(then.contains("explosion threshold = 1\n"), "{shown}");
    assert!(now.contains("explosion threshold = 1\n"), "{shown}");
}

#[test]
fn a_program_that_always_hangs_is_not_asked_for_long() {
    let folder = tempfile::tempdir().unwrap();
    let bot = script(folder.path(), "sleep 60");
    let report = json(
        &format!("check friday13 {bot} --time-limit 100ms --threads 1 --situations 80 --json"),
        1,
    );
    assert_eq!(report["situations"], 3, "{report}");
}
