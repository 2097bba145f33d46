//! `croupier repro`: what the author of a program is shown of its failure.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder with programs and a match that was kept.
struct Bench(TempDir);

impl Bench {
    fn new() -> Bench {
        Bench(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    fn script(&self, name: &str, text: &str) {
        let path = self.0.path().join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn croupier(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_croupier"))
            .args(arguments)
            .current_dir(self.0.path())
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }

    /// What is shown of the first fault of a program in a match, and all of it in JSON.
    fn shown(&self, game: &str, player: &str) -> (String, serde_json::Value) {
        let kept = ["--seed", "7", "--quiet", "--out", "kept"];
        self.croupier(&[&["match", game, player], &kept[..]].concat());
        let shown = self.croupier(&["repro", "kept", "1-1"]);
        let whole = self.croupier(&["repro", "kept", "1-1", "--json"]);
        let here = self.0.path().canonicalize().unwrap();
        let shown = String::from_utf8(shown.stdout).unwrap();
        (
            shown.replace(here.to_str().unwrap(), "[folder]"),
            serde_json::from_slice(&whole.stdout).unwrap(),
        )
    }

    fn refused(&self, folder: &str, id: &str) -> String {
        let output = self.croupier(&["repro", folder, id]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    }
}

/// It would complain about the end of its input, but the input does not end when it is asked again.
#[test]
fn a_program_that_lives_on_is_not_blamed_for_the_end_of_its_input() {
    let bench = Bench::new();
    bench.script(
        "greedy",
        "while read -r line; do
            case $line in dowhat) seq 100 >&2; echo take3,0,0,0 ;; eog) exit 0 ;; esac
        done
        echo 'Communication Error' >&2
        exit 6",
    );
    let (shown, whole) = bench.shown("austerity", "./greedy");
    insta::assert_snapshot!("illegal", shown);
    assert_eq!(whole["ended"], serde_json::Value::Null);
    let errors = whole["errors"].as_str().unwrap();
    assert_eq!(errors.lines().count(), 100, "{errors}");
}

#[test]
fn a_crash_is_shown_as_it_happened() {
    let bench = Bench::new();
    bench.script(
        "brittle",
        "while read -r line; do
            case $line in dowhat) echo why >&2; exit 3 ;; esac
        done",
    );
    let (shown, whole) = bench.shown("austerity", "./brittle");
    assert_eq!(whole["ended"], "It ended with status 3.");
    assert!(
        shown.contains("and says on its standard error\n  why\n"),
        "{shown}"
    );
}

/// What it answered to earlier questions is no answer to the last one.
#[test]
fn only_the_last_answer_is_shown() {
    let bench = Bench::new();
    let turns = "turn=0; while read -r line; do case $line in dowhat)
            turn=$((turn + 1)); [ $turn = 3 ] && LAST; echo wild ;;
        esac; done";
    bench.script(
        "illegal",
        &turns.replace("LAST", "echo take3,0,0,0 && continue"),
    );
    let (_, whole) = bench.shown("austerity", "./illegal");
    assert_eq!(
        (&whole["answer_then"], &whole["answer"]),
        (&"take3,0,0,0".into(), &"take3,0,0,0".into())
    );
    bench.script("dies", &turns.replace("LAST", "exit 3"));
    let (_, whole) = bench.shown("austerity", "./dies");
    assert_eq!(
        (&whole["answer_then"], &whole["answer"]),
        (&"".into(), &"".into())
    );
    assert_eq!(whole["ended"], "It ended with status 3.");
}

#[test]
fn an_answer_without_its_newline_is_shown() {
    let bench = Bench::new();
    bench.script(
        "hasty",
        "while read -r line; do case $line in dowhat) printf wild; exit 0 ;; esac; done",
    );
    let (shown, whole) = bench.shown("austerity", "./hasty");
    assert_eq!(
        whole["detail"],
        "it closed its output without an answer; \
         it wrote 'wild' without the newline that ends an answer"
    );
    assert!(
        shown.contains("It answered then\n  wild\nIt answers now\n  wild\n"),
        "{shown}"
    );
}

#[test]
fn who_only_fails_to_go_is_told_to_go_again() {
    let bench = Bench::new();
    bench.script(
        "stays",
        "while read -r line; do
            case $line in dowhat) echo wild ;; eog) exec sleep 1000 ;; esac
        done",
    );
    let (_, whole) = bench.shown("austerity", "./stays");
    assert_eq!(whole["detail"], "after eog: it did not end within 2 s");
    assert_eq!(whole["ended"], "It did not end in time.");
    bench.script(
        "fails",
        "while read -r line; do
            case $line in dowhat) echo wild ;; eog) exit 3 ;; esac
        done",
    );
    let (_, whole) = bench.shown("austerity", "./fails");
    assert_eq!(whole["detail"], "after eog: it ended with status 3");
    assert_eq!(whole["ended"], "It ended with status 3.");
}

/// Ten cards of which three are given away: 120 choices.
#[test]
fn many_choices_are_shown_in_lines_that_can_be_read() {
    let bench = Bench::new();
    bench.script("silent", "exit 0");
    let (shown, whole) = bench.shown("intensity", "./silent");
    insta::assert_snapshot!("discard", shown);
    assert_eq!(whole["legal"].as_array().unwrap().len(), 120);
    assert!(
        shown.lines().all(|line| line.chars().count() <= 100),
        "{shown}"
    );
}

/// Whoever has made a folder says what is put into which file, but not outside the program's own folder.
#[test]
fn a_fault_overwrites_no_file_elsewhere() {
    let bench = Bench::new();
    bench.script("silent", "exit 0");
    let (_, whole) = bench.shown("friday13", "./silent");
    assert_eq!(whole["kind"], "malformed");
    let kept = bench.0.path().join("kept/faults/1-1.json");
    let sound = fs::read_to_string(&kept).unwrap();
    let victim = bench.0.path().join("victim");
    for place in [victim.to_str().unwrap(), "../victim", "..", "a/b"] {
        fs::write(&victim, "mine").unwrap();
        let mut fault: serde_json::Value = serde_json::from_str(&sound).unwrap();
        fault["exchange"]["file"] = place.into();
        fs::write(&kept, fault.to_string()).unwrap();
        assert_eq!(
            bench.refused("kept", "1-1"),
            format!(
                "croupier: the fault cannot be repeated: '{place}' is no file in the program's own folder\n"
            )
        );
        assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
    }
}

#[test]
fn what_a_folder_tells_of_a_fault_moves_no_cursor() {
    let bench = Bench::new();
    bench.script("silent", "exit 0");
    bench.shown("intensity", "./silent");
    let kept = bench.0.path().join("kept/faults/1-1.json");
    let text = fs::read_to_string(&kept).unwrap();
    let mut fault: serde_json::Value = serde_json::from_str(&text).unwrap();
    fault["detail"] = "\u{1b}[2J".into();
    fault["exchange"]["legal"] = serde_json::json!(["\u{1b}[2J"]);
    fs::write(&kept, fault.to_string()).unwrap();
    let shown = bench.croupier(&["repro", "kept", "1-1"]).stdout;
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains("as recorded: \\u{1b}[2J\n"), "{shown}");
    assert!(shown.contains("legal: \\u{1b}[2J\n"), "{shown}");
    assert!(!shown.contains('\u{1b}'), "{shown:?}");
}

#[test]
fn a_folder_that_is_none_is_told_as_such() {
    let bench = Bench::new();
    assert_eq!(
        bench.refused("none", "x"),
        "croupier: the folder none does not exist\n"
    );
    fs::write(bench.0.path().join("file"), "").unwrap();
    assert_eq!(
        bench.refused("file", "1-1"),
        "croupier: file is not a folder\n"
    );
    assert_eq!(
        bench.refused(".", "1-1"),
        "croupier: there is no fault '1-1' in .: no match or contest is kept there\n"
    );
    fs::create_dir_all(Path::new(bench.0.path()).join("kept/faults")).unwrap();
    assert_eq!(
        bench.refused("kept", "1-1"),
        "croupier: there is no fault '1-1' in kept: the match kept no fault with this ID\n"
    );
}

#[test]
fn of_a_long_answer_both_ends_are_shown() {
    let bench = Bench::new();
    bench.script(
        "bot",
        "seq 1000 2000; head -c 5000 /dev/zero | tr '\\0' x; echo; echo end",
    );
    let (shown, whole) = bench.shown("intensity", "./bot");
    assert!(
        shown.contains("\n  1049\n  [… 903 lines; --json shows them …]\n  1953\n"),
        "{shown}"
    );
    let long = format!("\n  {}…\n  end\n", "x".repeat(2000));
    assert!(shown.contains(&long), "{shown}");
    assert_eq!(whole["answer"].as_str().unwrap().lines().count(), 1003);
}

/// A name of a file is bytes; a folder from another system may have one that is no text.
#[test]
fn a_fault_is_kept_wherever_the_program_lies() {
    let bench = Bench::new();
    let folder = bench.0.path().join(OsStr::from_bytes(b"\xdcbung"));
    fs::create_dir(&folder).unwrap();
    bench.script("bot", "echo none");
    fs::rename(bench.0.path().join("bot"), folder.join("bot")).unwrap();
    let croupier = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_croupier"));
        let output = command.args(arguments).current_dir(&folder).output();
        let output = output.unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let kept = ["--seed", "7", "--quiet", "--out", "kept"];
    croupier(&[&["match", "intensity", "./bot"], &kept[..]].concat());
    assert!(croupier(&["repro", "kept", "1-1"]).contains("It answers now\n  none\n"));
    assert!(croupier(&["repro", "kept", "1-1", "--json"]).contains("\"answer\":\"none\\n\""));
    let contest = ["--rounds", "1", "--out", "contest"];
    let players = ["./bot", "careful", "random", "random"];
    croupier(&[&["tournament", "intensity"], &players[..], &contest].concat());
    croupier(&["tournament", "--resume", "contest", "--rounds", "2"]);
}

#[test]
fn the_command_that_repeats_a_fault_can_be_copied() {
    let bench = Bench::new();
    bench.script("bot", "echo none");
    let shown = bench.croupier(&["match", "intensity", "./bot", "--quiet", "--out=-kept"]);
    let shown = String::from_utf8(shown.stdout).unwrap();
    let again = shown.lines().find(|line| line.contains("repro")).unwrap();
    assert_eq!(again.trim(), "croupier repro ./-kept 1-1");
    assert!(
        bench
            .croupier(&["repro", "./-kept", "1-1"])
            .status
            .success()
    );
}
