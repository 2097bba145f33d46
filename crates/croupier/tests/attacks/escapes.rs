//! Programs that reach for what is not theirs.

use std::fs;
use std::os::unix::fs::MetadataExt;

use croupier_bots::{Silence, Tier};

use crate::stage::{HELD, LONG, Spoken, Stage, ends_soon, is_kept_from_it, plays_on, small};

const STRICT: [Tier; 1] = [Tier::Strict];

#[test]
fn no_socket_can_be_opened() {
    is_kept_from_it("socket", &STRICT, &[]);
}

#[test]
fn proc_tells_nothing_of_the_referee() {
    is_kept_from_it("spy_proc", &STRICT, &[]);
}

#[test]
fn neither_the_referee_nor_anybody_else_can_be_signalled() {
    is_kept_from_it("signals_all", &STRICT, &[]);
}

#[test]
fn nothing_can_be_traced() {
    is_kept_from_it("traces", &STRICT, &[]);
}

#[test]
fn there_are_no_privileges_to_gain() {
    is_kept_from_it("privileges", &STRICT, &[]);
}

#[test]
fn nobody_hears_what_happens_in_the_folders_of_others() {
    is_kept_from_it("watches", &STRICT, &[]);
}

#[test]
fn the_file_of_another_bot_can_neither_be_read_nor_changed() {
    for name in ["spy", "writes_outside"] {
        for spoken in [Spoken::Own, Spoken::Json] {
            let stage = Stage::new();
            let victim = stage.script("victim", "#!/bin/sh\nexit 0\n");
            let before = fs::metadata(&victim).unwrap();
            let played = stage.play(Tier::Strict, spoken, &stage.bot(name), &[]);
            plays_on(name, &played);
            let after = fs::metadata(&victim).unwrap();
            let stamp = |file: &fs::Metadata| (file.ctime(), file.ctime_nsec(), file.mode());
            assert_eq!(stamp(&before), stamp(&after), "{name}");
            assert_eq!(fs::read_dir(stage.path("bots")).unwrap().count(), 2);
        }
    }
}

#[test]
fn neither_open_files_nor_the_environment_are_inherited() {
    for tier in HELD {
        let stage = Stage::new();
        let bot = stage.bot("inherited");
        let secret = stage.script("secret", "of the house");
        // A shell hands its open files on to what it starts.
        let command = stage.match_command(tier, Spoken::Own, &bot, &[]);
        let mut words = vec![command.get_program().to_owned()];
        words.extend(command.get_args().map(ToOwned::to_owned));
        let mut shell = std::process::Command::new("sh");
        shell
            .args([
                "-c",
                &format!("exec 7<{}; exec \"$@\"", secret.display()),
                "sh",
            ])
            .args(words)
            .envs(
                command
                    .get_envs()
                    .filter_map(|(key, value)| Some((key, value?))),
            );
        let played = stage.finish(shell, "inherited");
        plays_on(&format!("{tier}"), &played);
    }
}

#[test]
fn who_changes_its_own_file_is_not_started_again() {
    let stage = Stage::new();
    let bot = stage.bot("changes_itself");
    let mut one_shot = stage.take_on(Tier::Limits, small(), &bot);
    let run = one_shot.run(&[], b"dowhat\n", LONG).unwrap();
    assert_eq!((run.output.as_slice(), run.silence), (&b"wild\n"[..], None));
    assert_eq!(run.errors.text(), "changed\n");
    let run = one_shot.run(&[], b"dowhat\n", LONG).unwrap();
    assert_eq!(run.silence, Some(Silence::Changed));
    assert_eq!((run.output.as_slice(), run.ended), (&b""[..], None));
}

#[test]
fn who_changes_its_own_file_is_not_started_for_the_next_game() {
    let stage = Stage::new();
    let bot = stage.bot("changes_itself");
    let played = stage.play(Tier::Limits, Spoken::Own, &bot, &["--games", "2"]);
    plays_on("the first game", &played);
    let faults = played.faults(1);
    assert_eq!(faults.len(), 1, "{faults:?}");
    for (seat, kind, culprit, detail) in faults {
        assert_eq!((seat, kind.as_str(), culprit.as_str()), (0, "start", "bot"));
        assert!(detail.contains("changed"), "{detail}");
    }
}

/// Whether its file has changed is found out without waiting for somebody to write into it.
#[test]
fn who_puts_a_pipe_in_place_of_its_own_file_keeps_nobody_waiting() {
    for tier in [Tier::None, Tier::Limits] {
        let stage = Stage::new();
        let text = "#!/bin/sh\nrm \"$0\"\nmkfifo -m 755 \"$0\"\necho 10\n";
        let bot = stage.script("pipe", text);
        let mut command = stage.croupier(&["match", "intensity", "--json", "--seed", "1"]);
        command.args(["--sandbox", &tier.to_string()]).arg(&bot);
        command.stdout(std::process::Stdio::piped());
        let output = ends_soon(command.spawn().unwrap(), LONG);
        assert_eq!(output.status.code(), Some(0), "{tier}: {output:?}");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let faults = report["games"][0]["faults"].as_array().unwrap();
        let detail = |fault: &serde_json::Value| fault["detail"].as_str().unwrap().to_owned();
        let has_changed = |fault| detail(fault).contains("changed");
        assert!(faults[1..].iter().all(has_changed), "{tier}: {faults:?}");
        assert_eq!(faults.len(), 11, "{tier}: {faults:?}");
        stage.is_clean("a pipe");
    }
}

#[test]
fn nobody_can_change_its_own_file_where_nothing_can_be_written() {
    is_kept_from_it("changes_itself", &STRICT, &["--games", "2"]);
    let stage = Stage::new();
    let mut bot = stage.take_on(Tier::Strict, small(), &stage.bot("changes_itself"));
    for _ in 0..2 {
        let run = bot.run(&[], b"dowhat\n", LONG).unwrap();
        assert_eq!((run.output.as_slice(), run.silence), (&b"wild\n"[..], None));
        assert_eq!(run.errors.text(), "");
    }
}
