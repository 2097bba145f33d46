//! The example players of the guide, compiled and asked as a referee asks them.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use croupier_core::{Game, Seed};
use croupier_games::intensity::wire::{Question, read_discards, read_name, read_play};
use croupier_games::intensity::{Intensity, Setup};
use tempfile::TempDir;

fn source(file: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/intensity");
    folder.join(file)
}

/// A folder for a compiled program.
fn folder() -> TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

/// The tool that a variable names, or the usual one; none, with a message, if it is not here.
fn tool(variable: &str, usual: &str) -> Option<String> {
    let tool = std::env::var(variable).unwrap_or(usual.to_owned());
    let found = Command::new(&tool).arg("--version").output();
    if found.is_ok_and(|output| output.status.success()) {
        return Some(tool);
    }
    eprintln!("skipped: there is no {tool} on this machine");
    None
}

fn compile(command: &mut Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{said}");
}

fn ask(bot: &[&Path], question: Question) -> Vec<u8> {
    let mut child = Command::new(bot[0])
        .args(&bot[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input = question.to_string();
    // The bot may answer and end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{question}");
    output.stdout
}

/// Lets the bot make all 44 decisions of some games, in every seat.
fn plays_legally(bot: &[&Path], games: u64) {
    assert!(read_name(&ask(bot, Question::Name)).is_some());
    assert_eq!(ask(bot, Question::Tests), b"ok\n");
    for deal in 0..games {
        let mut game = Intensity::deal(&Setup {}, Seed(deal));
        while let Some(seat) = game.to_move() {
            let question = Question::from(game.view(seat));
            let read = if game.is_discarding() {
                read_discards
            } else {
                read_play
            };
            let choice = read(&ask(bot, question)).unwrap();
            let played = game.play(choice);
            assert_eq!(played, Ok(()), "{choice} in answer to\n{question}");
        }
    }
}

#[test]
fn the_bot_in_c_plays_legally() {
    let Some(cc) = tool("CC", "cc") else { return };
    let folder = folder();
    let bot = folder.path().join("bot");
    compile(
        Command::new(cc)
            .args(["-O2", "-Wall", "-Wextra", "-o"])
            .args([&bot, &source("bot.c")]),
    );
    plays_legally(&[&bot], 5);
}

#[test]
fn the_bot_in_python_plays_legally() {
    let Some(python) = tool("PYTHON", "python3") else {
        return;
    };
    plays_legally(&[Path::new(&python), &source("bot.py")], 1);
}

#[test]
fn the_bot_in_rust_plays_legally() {
    let Some(rustc) = tool("RUSTC", "rustc") else {
        return;
    };
    let folder = folder();
    let bot = folder.path().join("bot");
    compile(
        Command::new(rustc)
            .args(["-O", "-D", "warnings", "-o"])
            .args([&bot, &source("bot.rs")]),
    );
    plays_legally(&[&bot], 5);
}
