//! What becomes of bots when the referee is stopped, or killed.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use croupier_bots::Tier;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;

use crate::stage::{LONG, Spoken, Stage, ends_soon, soon};

/// So much time that only who is stopped ends.
const FOR_EVER: [&str; 4] = ["--time-limit", "10m", "--start-limit", "10m"];

#[test]
fn nothing_of_the_bots_survives_a_referee_that_is_killed() {
    for name in ["daemon", "deaf"] {
        for tier in Tier::ALL {
            let stage = Stage::new();
            let bot = stage.bot(name);
            let path = bot.to_str().unwrap().to_owned();
            let slow = stage.script("slow", "#!/bin/sh\nsleep 1000\n");
            let second = slow.to_str().unwrap();
            let more = [second, "--players", "4"];
            let mut referee = stage
                .match_command(tier, Spoken::Own, &bot, &more)
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            // It, its daemon if it has one, the other one and what that one has started.
            let expected = if name == "daemon" { 2 } else { 1 };
            soon("the game", || {
                let running = stage.processes();
                let bots = running.values().filter(|words| words.starts_with(&path));
                bots.count() == expected && running.values().any(|words| words.starts_with("sleep"))
            });
            referee.kill().unwrap();
            referee.wait().unwrap();
            let left = stage.left_after(LONG);
            assert!(left.is_empty(), "{name} {tier}: {left:?}");
        }
    }
}

/// What it had no time to remove is removed by whoever comes next, and nothing of anybody alive.
#[test]
fn the_folders_of_a_referee_that_is_killed_go_when_the_next_one_starts() {
    let folders = |stage: &Stage| std::fs::read_dir(stage.path("tmp")).unwrap().count();
    let stage = Stage::new();
    let bot = stage.bot("silent");
    let begin = || {
        let before = folders(&stage);
        let mut command = stage.match_command(Tier::Limits, Spoken::Own, &bot, &FOR_EVER);
        let referee = command.stdout(Stdio::null()).spawn().unwrap();
        soon("a folder", || folders(&stage) > before);
        referee
    };
    let mut alive = begin();
    for _ in 0..3 {
        let mut killed = begin();
        killed.kill().unwrap();
        killed.wait().unwrap();
        assert_eq!(folders(&stage), 2, "one of it, one of who is alive");
        // The one who starts next removes the one.
        let honest = stage.bot("honest");
        let mut command = stage.match_command(Tier::Limits, Spoken::Own, &honest, &[]);
        assert!(command.stdout(Stdio::null()).status().unwrap().success());
        assert_eq!(folders(&stage), 1, "the one of who is alive");
    }
    alive.kill().unwrap();
    alive.wait().unwrap();
    stage.play(Tier::Limits, Spoken::Own, &stage.bot("honest"), &[]);
}

/// What a referee says that is run by a shell which has mounted a file system with these options in the first of
/// these places; with the status. None where that cannot be done.
fn with_a_file_system(options: &str, script: &str, places: &[&Path]) -> Option<(i32, String)> {
    let script = format!("mount -t tmpfs -o {options} none \"$2\" || exit 77\n{script}");
    let mut shell = std::process::Command::new("unshare");
    shell.args(["-rm", "sh", "-c", &script, "sh"]);
    shell.arg(env!("CARGO_BIN_EXE_croupier")).args(places);
    let Ok(output) = shell.output() else {
        eprintln!("unshare is missing: this test has tested nothing");
        return None;
    };
    let said = String::from_utf8(output.stderr).unwrap();
    if output.status.code() == Some(77) || said.contains("unshare failed") {
        eprintln!("no file system can be mounted here: this test has tested nothing");
        return None;
    }
    Some((output.status.code().unwrap(), said))
}

/// A folder for temporary files that is full when the program is to be given its file.
#[test]
fn a_full_disk_is_nobodys_fault() {
    let stage = Stage::new();
    let bot = stage.script("bot", "#!/bin/sh\nexit 0\n");
    let script = "head -c 70000 /dev/zero >\"$2/full\" 2>/dev/null\n\
                  TMPDIR=$2 exec \"$1\" match friday13 \"$3\" optimal --seed 1 --quiet";
    let places = [&*stage.path("tmp"), &bot];
    if let Some((status, said)) = with_a_file_system("size=64k", script, &places) {
        assert_eq!(status, 3, "{said}");
        let wrong = "write a file for a bot: No space left";
        assert!(said.contains(wrong), "{said}");
    }
}

#[test]
fn a_place_where_nothing_can_be_run_is_no_fault_of_what_is_compiled_there() {
    let stage = Stage::new();
    let bot = stage.source("bot.c", "int main(void) { return 0; }\n");
    for tier in Tier::ALL {
        let script = format!(
            "XDG_CACHE_HOME=$2 exec \"$1\" match intensity \"$3\" careful --quiet --sandbox {tier}"
        );
        let places = [&*stage.path("home"), &bot];
        if let Some((status, said)) = with_a_file_system("size=9m,noexec", &script, &places) {
            assert_eq!(status, 3, "{said}");
            assert!(
                said.contains("is mounted with noexec; name another"),
                "{said}"
            );
        }
    }
}

#[test]
fn ctrl_c_in_the_middle_of_a_decision_stops_the_match_cleanly() {
    for tier in Tier::ALL {
        for spoken in [Spoken::Own, Spoken::Json] {
            let stage = Stage::new();
            let bot = stage.bot("silent");
            let referee = stage
                .match_command(tier, spoken, &bot, &FOR_EVER)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let path = bot.to_str().unwrap();
            soon("the game", || {
                stage
                    .processes()
                    .values()
                    .any(|words| words.starts_with(path))
            });
            std::thread::sleep(Duration::from_millis(200));
            kill(Pid::from_raw(referee.id() as i32), Signal::SIGINT).unwrap();
            let output = ends_soon(referee, LONG);
            assert_eq!(output.status.code(), Some(130), "{tier} {spoken:?}");
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(
                said,
                "croupier: stopped in game 1 of 1; --seed 7 plays the match again\n"
            );
            stage.is_clean("a match that was stopped");
        }
    }
}

/// Looks whether a child has ended, and leaves it to be waited for.
const ENDED: WaitPidFlag = WaitPidFlag::WEXITED
    .union(WaitPidFlag::WNOHANG)
    .union(WaitPidFlag::WNOWAIT);

/// A second Ctrl-C ends the referee on the spot; even then nothing is left running.
#[test]
fn nothing_of_the_bots_survives_a_second_ctrl_c() {
    let stage = Stage::new();
    let bot = stage.bot("exit_handler");
    let referee = stage
        .match_command(Tier::Limits, Spoken::Own, &bot, &["--games", "1000"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let path = bot.to_str().unwrap();
    soon("the game", || {
        stage
            .processes()
            .values()
            .any(|words| words.starts_with(path))
    });
    // Two that come together are one, so it is told until it has ended.
    let pid = Pid::from_raw(referee.id() as i32);
    soon("the end", || {
        let _ = kill(pid, Signal::SIGINT);
        std::thread::sleep(Duration::from_millis(50));
        waitid(Id::Pid(pid), ENDED).unwrap() != WaitStatus::StillAlive
    });
    ends_soon(referee, LONG);
    let left = stage.left_after(LONG);
    assert!(left.is_empty(), "{left:?}");
}
