//! How programs end, and what they leave behind.

use std::fs;
use std::time::Instant;

use croupier_bots::{HowEnded, Silence, Tier};
use nix::sys::signal::Signal;
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

use crate::stage::{
    A_LITTLE, CLOSED, HASTE, HELD, LONG, Spoken, Stage, fouls, goes_badly, in_every, is_foul,
    is_kept_from_it, small,
};

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
            let run = bot.run(&[], b"dowhat\n", LONG).unwrap();
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
        let run = one_shot.run(&[], b"dowhat\n", LONG).unwrap();
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
    in_every("exit_handler", &Tier::ALL, &[], |tier, spoken, played| {
        let detail = match spoken {
            Spoken::Own => "after eog: it did not end within 2 s",
            Spoken::Json => "after quit: it did not end within 2 s",
        };
        goes_badly(&format!("{tier} {spoken:?}"), played, "timeout", detail);
    });
    let stage = Stage::new();
    let bot = stage.bot("exit_handler");
    for tier in Tier::ALL {
        let mut bot = stage.take_on(tier, small(), &bot);
        let run = bot.run(&[], b"dowhat\n", A_LITTLE).unwrap();
        assert_eq!(run.silence, Some(Silence::Late), "{tier}");
        assert_eq!(run.output, b"wild\n", "{tier}");
    }
    stage.is_clean("an exit handler");
}

#[test]
fn who_ignores_every_signal_is_killed_all_the_same() {
    fouls("deaf", &Tier::ALL, &HASTE, "timeout", "within 2 s");
}

#[test]
fn a_daemon_that_has_left_everything_does_not_outlive_the_game() {
    is_kept_from_it("daemon", &Tier::ALL, &[]);
}

#[test]
fn who_flees_from_process_to_process_does_not_outlive_the_game() {
    is_kept_from_it("flees", &Tier::ALL, &["--process-limit", "4096"]);
}

#[test]
fn a_daemon_does_not_outlive_its_decision() {
    let stage = Stage::new();
    let bot = stage.bot("daemon");
    for tier in Tier::ALL {
        let mut bot = stage.take_on(tier, small(), &bot);
        for _ in 0..3 {
            let run = bot.run(&[], b"dowhat\n", LONG).unwrap();
            assert_eq!((run.output.as_slice(), run.silence), (&b"wild\n"[..], None));
            assert_eq!(run.ended.unwrap().left_behind, 1, "{tier}");
            let left = stage.left_after(LONG);
            assert!(left.is_empty(), "{tier}: {left:?}");
        }
    }
}

#[test]
fn a_pipe_that_a_grandchild_keeps_open_is_not_waited_for() {
    fouls("pipe_holder", &Tier::ALL, &[], "malformed", CLOSED);
}

#[test]
fn an_answer_is_taken_although_a_grandchild_keeps_the_pipe_open() {
    let stage = Stage::new();
    let bot = stage.bot("answer_and_pipe_holder");
    for tier in Tier::ALL {
        let mut bot = stage.take_on(tier, small(), &bot);
        let asked = Instant::now();
        let run = bot.run(&[], b"dowhat\n", 10 * LONG).unwrap();
        assert_eq!((run.output.as_slice(), run.silence), (&b"wild\n"[..], None));
        assert_eq!(run.ended.unwrap().left_behind, 1, "{tier}");
        assert!(asked.elapsed() < LONG, "{tier}");
    }
    stage.is_clean("a grandchild");
}

/// A player of Austerity that takes wilds, and does this when it is told that the game is over.
fn leaving(stage: &Stage, name: &str, deed: &str) -> std::path::PathBuf {
    let script = format!(
        "#!/bin/sh\n\
         while read -r line; do\n\
             case $line in dowhat) echo wild ;; eog) break ;; esac\n\
         done\n\
         {deed}\n"
    );
    stage.script(name, &script)
}

/// What a program does wrong after the end of a game costs it nothing, but its author is told.
#[test]
fn how_a_program_goes_is_noted_and_does_not_change_the_game() {
    let stage = Stage::new();
    let well = leaving(&stage, "well", "exit 0");
    let expected = stage.play(Tier::Limits, Spoken::Own, &well, &[]).report["games"].clone();
    for (name, deed, kind, detail) in [
        (
            "stays",
            "exec sleep 1000",
            "timeout",
            "it did not end within 2 s",
        ),
        (
            "fails",
            "echo why >&2; exit 3",
            "crash",
            "it ended with status 3\nwhy",
        ),
        (
            "dies",
            "kill -SEGV $$",
            "crash",
            "it was killed by signal 11 (SIGSEGV)",
        ),
    ] {
        let bot = leaving(&stage, name, deed);
        let played = stage.play(Tier::Limits, Spoken::Own, &bot, &[]);
        goes_badly(name, &played, kind, &format!("after eog: {detail}"));
        let game = &played.report["games"][0];
        for what in ["scores", "places"] {
            assert_eq!(game[what], expected[0][what], "{name}");
        }
    }
}

/// Its output may be blocked while another one is waited for that does not go.
#[test]
fn who_has_much_to_say_in_the_end_does_not_pay_for_one_who_stays() {
    let stage = Stage::new();
    let stays = leaving(&stage, "stays", "exec sleep 1000");
    let talks = leaving(&stage, "talks", "seq 100000 >&2; seq 100000; exit 0");
    let [stays, talks] = [&stays, &talks].map(|bot| bot.to_str().unwrap());
    let arguments = ["match", "austerity", stays, stays, talks, "--points", "0"];
    let mut command = stage.croupier(&arguments);
    command.args(["--seed", "7", "--json", "--sandbox", "limits"]);
    let faults = stage.finish(command, "talks").faults(0);
    let seats: Vec<u64> = faults.iter().map(|(seat, ..)| *seat).collect();
    assert_eq!(seats, [0, 1], "{faults:?}");
}

#[test]
fn a_contest_counts_how_a_program_goes_once_a_game() {
    let stage = Stage::new();
    let bot = leaving(&stage, "fails", "exit 3");
    let players = [
        "tournament",
        "austerity",
        bot.to_str().unwrap(),
        "shenzi",
        "banzai",
    ];
    let mut command = stage.croupier(&players);
    command.args(["--rounds", "2", "--seed", "1", "--json"]);
    let report = stage.finish(command, "fails").report;
    let standings = report["standings"].as_array().unwrap();
    for player in standings {
        let (games, faults) = (&player["games"], &player["faults"]);
        match player["name"] == "fails" {
            true => assert_eq!(faults, games),
            false => assert_eq!(faults, 0),
        }
    }
}

#[test]
fn check_tells_how_a_program_goes_and_does_not_wait_for_it_again_and_again() {
    let stage = Stage::new();
    for (name, deed, told, games) in [
        (
            "stays",
            "exec sleep 1000",
            "timeout: after eog: it did not end within 2 s",
            3..=3,
        ),
        (
            "fails",
            "exit 3",
            "crash: after eog: it ended with status 3",
            4..=100,
        ),
    ] {
        let log = stage.path(name);
        let bot = leaving(&stage, name, &format!("echo >> {}; {deed}", log.display()));
        let mut command = stage.croupier(&["check", "austerity", bot.to_str().unwrap()]);
        command.args(["--seed", "1", "--situations", "100", "--threads", "1"]);
        let output = command.output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(told), "{said}");
        let played = fs::read(log).unwrap().len();
        assert!(games.contains(&played), "{name}: {played}");
    }
}

/// A referee that tells one after the other never has all of them stay; one that tells all at once
/// only if the machine keeps one of them waiting for all the time that they are given to go.
#[test]
fn all_at_a_table_are_told_the_end_at_the_same_time() {
    assert!((0..10).any(|_| all_stay_until_the_others_are_told()));
}

/// Each stays until all others have been told that the game is over, or is killed.
fn all_stay_until_the_others_are_told() -> bool {
    let stage = Stage::new();
    let told = stage.path("told");
    fs::create_dir(&told).unwrap();
    for seat in ["0", "1", "2"] {
        mkfifo(&told.join(seat), Mode::S_IRWXU).unwrap();
    }
    // A pipe that is open for reading as well takes a line although nobody reads yet; and who waits
    // for its own lines takes no processor time from the others.
    let script = format!(
        "#!/bin/sh\n\
         while read -r line; do\n\
             case $line in dowhat) echo wild ;; eog) break ;; esac\n\
         done\n\
         cd {}\n\
         exec 3<>0 4<>1 5<>2 6<>$2\n\
         echo told >&3; echo told >&4; echo told >&5\n\
         read -r line <&6 && read -r line <&6 && read -r line <&6 && : > stayed-$2\n",
        told.display()
    );
    let bot = stage.script("lingers", &script);
    let bot = bot.to_str().unwrap();
    let arguments = ["match", "austerity", bot, bot, bot, "--points", "0"];
    let mut command = stage.croupier(&arguments);
    command.args(["--seed", "7", "--json", "--sandbox", "limits"]);
    stage.finish(command, "lingers");
    (0..3).all(|seat| told.join(format!("stayed-{seat}")).exists())
}

/// There is no right payment for a card that cannot be paid for.
#[test]
fn a_card_that_is_too_dear_is_told_as_such() {
    let stage = Stage::new();
    let script = "#!/bin/sh\n\
        while read -r line; do case $line in dowhat) echo purchase0:9,9,9,9,0 ;; esac; done\n";
    let bot = stage.script("spends", script);
    let played = stage.play(Tier::Limits, Spoken::Own, &bot, &[]);
    is_foul(
        "spends",
        &played,
        "illegal",
        "costs more than the player has",
    );
}
