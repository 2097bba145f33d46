//! How programs end, and what they leave behind.

use std::fs;
use std::time::{Duration, Instant};

use croupier_bots::{HowEnded, Silence, Tier};
use nix::sys::signal::Signal;

use crate::stage::{HELD, Spoken, Stage, fouls, is_foul, is_kept_from_it, small};

const SIGNALS: [Signal; 8] = [
    Signal::SIGABRT,
    Signal::SIGSEGV,
    Signal::SIGFPE,
    Signal::SIGILL,
    Signal::SIGBUS,
    Signal::SIGKILL,
    Signal::SIGTERM,
    Signal::SIGPIPE,
];

#[test]
fn death_by_each_common_signal_is_a_crash_that_names_it() {
    for signal in SIGNALS {
        let flag = format!("-DSIGNAL={}", signal as i32);
        let stage = Stage::new();
        let bot = stage.bot_with("dies", &flag);
        for tier in HELD {
            for spoken in [Spoken::Own, Spoken::Json] {
                let played = stage.play(tier, spoken, &bot, &[]);
                let name = format!("signal {} ({signal})", signal as i32);
                is_foul(&format!("{signal} {tier}"), &played, "crash", &name);
            }
        }
        for tier in Tier::ALL {
            let mut bot = stage.take_on(tier, small(), &bot);
            let run = bot.run(&[], b"dowhat\n", Duration::from_secs(5)).unwrap();
            assert_eq!(run.silence, None);
            let ended = run.ended.unwrap();
            assert_eq!(ended.how, HowEnded::Signal(signal as i32), "{tier}");
            assert_eq!(ended.overrun, None, "{tier}");
        }
    }
}

#[test]
fn a_status_other_than_0_without_an_answer_is_a_crash() {
    fouls("status", &Tier::ALL, &[], "crash", "status 3");
}

#[test]
fn an_answer_stands_whatever_the_status() {
    let stage = Stage::new();
    let bot = stage.bot("status_after_answer");
    for tier in Tier::ALL {
        let mut one_shot = stage.take_on(tier, small(), &bot);
        let run = one_shot
            .run(&[], b"dowhat\n", Duration::from_secs(5))
            .unwrap();
        assert_eq!((run.output.as_slice(), run.silence), (&b"wild\n"[..], None));
        assert_eq!(run.ended.unwrap().how, HowEnded::Status(1), "{tier}");
        // At a table it has answered once, and is missing when it is asked again.
        let played = stage.play(tier, Spoken::Own, &bot, &[]);
        is_foul(&tier.to_string(), &played, "crash", "status 1");
        let out = stage.path("out");
        let more = ["--out", out.to_str().unwrap()];
        stage.play(tier, Spoken::Own, &bot, &more);
        let record = std::fs::read_to_string(out.join("records/1.jsonl")).unwrap();
        let first = record.lines().find(|line| line.contains(r#""seat":0"#));
        assert!(first.unwrap().contains("wild"), "{tier}: {record}");
    }
}

#[test]
fn who_sleeps_in_its_exit_handler_has_played_and_is_killed() {
    is_kept_from_it("exit_handler", &Tier::ALL, &[]);
    let stage = Stage::new();
    let bot = stage.bot("exit_handler");
    for tier in Tier::ALL {
        let mut bot = stage.take_on(tier, small(), &bot);
        let run = bot
            .run(&[], b"dowhat\n", Duration::from_millis(300))
            .unwrap();
        assert_eq!(run.silence, Some(Silence::Late), "{tier}");
        assert_eq!(run.output, b"wild\n", "{tier}");
    }
    stage.is_clean("an exit handler");
}

#[test]
fn who_ignores_every_signal_is_killed_all_the_same() {
    fouls("deaf", &Tier::ALL, &[], "timeout", "400 ms");
}

#[test]
fn a_daemon_that_has_left_everything_does_not_outlive_the_game() {
    is_kept_from_it("daemon", &Tier::ALL, &[]);
}

#[test]
fn a_daemon_does_not_outlive_its_decision() {
    let stage = Stage::new();
    let bot = stage.bot("daemon");
    for tier in Tier::ALL {
        let mut bot = stage.take_on(tier, small(), &bot);
        for _ in 0..3 {
            let run = bot.run(&[], b"dowhat\n", Duration::from_secs(5)).unwrap();
            assert_eq!((run.output.as_slice(), run.silence), (&b"wild\n"[..], None));
            assert_eq!(run.ended.unwrap().left_behind, 1, "{tier}");
            let left = stage.left_after(Duration::from_secs(1));
            assert!(left.is_empty(), "{tier}: {left:?}");
        }
    }
}

#[test]
fn a_pipe_that_a_grandchild_keeps_open_is_not_waited_for() {
    fouls(
        "pipe_holder",
        &Tier::ALL,
        &["--time-limit", "20s"],
        "malformed",
        "closed its output",
    );
}

#[test]
fn an_answer_is_taken_although_a_grandchild_keeps_the_pipe_open() {
    let stage = Stage::new();
    let bot = stage.bot("answer_and_pipe_holder");
    for tier in Tier::ALL {
        let mut bot = stage.take_on(tier, small(), &bot);
        let asked = Instant::now();
        let run = bot.run(&[], b"dowhat\n", Duration::from_secs(30)).unwrap();
        assert_eq!((run.output.as_slice(), run.silence), (&b"wild\n"[..], None));
        assert_eq!(run.ended.unwrap().left_behind, 1, "{tier}");
        assert!(asked.elapsed() < Duration::from_secs(15), "{tier}");
    }
    stage.is_clean("a grandchild");
}

/// Each stays until all others have been told that the game is over, or is killed.
#[test]
fn all_at_a_table_are_told_the_end_at_the_same_time() {
    let stage = Stage::new();
    let told = stage.path("told");
    fs::create_dir(&told).unwrap();
    let script = format!(
        "#!/bin/sh\n\
         while read -r line; do\n\
             case $line in dowhat) echo wild ;; eog) break ;; esac\n\
         done\n\
         cd {}; : > $2\n\
         until [ -e 0 ] && [ -e 1 ] && [ -e 2 ]; do :; done\n\
         : > stayed-$2\n",
        told.display()
    );
    let bot = stage.script("lingers", &script);
    let bot = bot.to_str().unwrap();
    let arguments = ["match", "austerity", bot, bot, bot, "--points", "0"];
    let mut command = stage.croupier(&arguments);
    command.args(["--seed", "7", "--json", "--sandbox", "limits"]);
    stage.finish(command, "lingers");
    for seat in 0..3 {
        assert!(told.join(format!("stayed-{seat}")).exists(), "seat {seat}");
    }
}

/// There is no right payment for a card that cannot be paid for.
#[test]
fn a_card_that_is_too_dear_is_told_as_such() {
    let stage = Stage::new();
    let script = "#!/bin/sh\n\
        while read -r line; do case $line in dowhat) echo purchase0:9,9,9,9,0 ;; esac; done\n";
    let bot = stage.script("spends", script);
    let played = stage.play(Tier::Limits, Spoken::Own, &bot, &["--time-limit", "5s"]);
    is_foul(
        "spends",
        &played,
        "illegal",
        "costs more than the player has",
    );
}
