//! Programs against the process that minds them, and minders under load.

use std::time::{Duration, Instant};

use croupier_bots::{Bot, HowEnded, Interrupt, Limits, Silence, Tier};
use nix::sys::signal::{Signal, raise};

use crate::stage::{HASTE, HELD, LONG, Spoken, Stage, house, is_foul, prepared, small, soon};

/// Nothing keeps a bot of the looser tiers from its minder; that is why it is no use to it.
#[test]
fn who_kills_its_minder_goes_with_it() {
    for tier in [Tier::None, Tier::Limits] {
        for spoken in [Spoken::Own, Spoken::Json] {
            let stage = Stage::new();
            let bot = stage.bot("kills_minder");
            let played = stage.play(tier, spoken, &bot, &[]);
            is_foul(&format!("{tier}"), &played, "crash", "minds it");
        }
    }
}

#[test]
fn who_kills_its_minder_is_given_another_and_nothing_is_left_of_it() {
    let stage = Stage::new();
    let path = stage.bot("kills_minder");
    for tier in [Tier::None, Tier::Limits] {
        let mut bot = stage.take_on(tier, small(), &path);
        for _ in 0..2 {
            let run = bot.run(&[], b"dowhat\n", LONG).unwrap();
            assert_eq!(run.silence, Some(Silence::KilledItsMinder), "{tier}");
        }
        drop(bot);
        stage.is_clean("a killer");
    }
}

#[test]
fn who_stops_its_minder_goes_with_it() {
    for tier in [Tier::None, Tier::Limits] {
        let stage = Stage::new();
        let bot = stage.bot("stops_minder");
        let played = stage.play(tier, Spoken::Own, &bot, &HASTE);
        is_foul(&format!("{tier}"), &played, "crash", "minds it");
    }
}

#[test]
fn where_minders_are_out_of_sight_nobody_reaches_one() {
    for name in ["kills_minder", "stops_minder"] {
        let stage = Stage::new();
        let mut bot = stage.take_on(Tier::Strict, small(), &stage.bot(name));
        let run = bot.run(&[], b"dowhat\n", LONG).unwrap();
        assert_eq!((run.output.as_slice(), run.silence), (&b"wild\n"[..], None));
    }
}

#[test]
fn twenty_bots_at_once_do_not_get_mixed_up() {
    let stage = Stage::new();
    let script = stage.script("echo", "#!/bin/sh\nread word\necho \"$word $1\"\n");
    std::thread::scope(|scope| {
        for number in 0..20 {
            let (stage, script) = (&stage, &script);
            scope.spawn(move || {
                let tier = Tier::ALL[number % 3];
                let mut bot = stage.take_on(tier, Limits::default(), script);
                for turn in 0..5 {
                    let arguments = [turn.to_string()];
                    let question = format!("{number}\n");
                    let run = bot.run(&arguments, question.as_bytes(), LONG).unwrap();
                    let answer = String::from_utf8(run.output).unwrap();
                    assert_eq!(answer, format!("{number} {turn}\n"), "{tier}");
                    assert_eq!(run.silence, None);
                    assert_eq!(run.ended.unwrap().how, HowEnded::Status(0));
                }
            });
        }
    });
    stage.is_clean("twenty bots");
}

#[test]
fn a_bot_that_is_dropped_in_the_middle_of_a_decision_is_gone_at_once() {
    let stage = Stage::new();
    let path = stage.bot("daemon");
    for tier in Tier::ALL {
        let mut bot = stage.take_on(tier, small(), &path);
        let folder = bot.folder().to_owned();
        let mut process = bot.open(&[], true).unwrap();
        process.send(b"dowhat\n");
        assert_eq!(process.line(LONG, None).unwrap(), Ok(b"wild".to_vec()));
        assert!(stage.processes().len() >= 2, "it and its daemon");
        drop(bot);
        drop(process);
        let left = stage.left_after(Duration::ZERO);
        assert!(left.is_empty(), "{tier}: {left:?}");
        assert_eq!(folder.exists(), tier == Tier::None, "{tier}");
    }
}

#[test]
fn a_process_can_be_dropped_before_it_has_even_started() {
    let stage = Stage::new();
    let path = stage.bot("silent");
    for tier in Tier::ALL {
        let mut bot = stage.take_on(tier, small(), &path);
        for _ in 0..10 {
            drop(bot.open(&[], true).unwrap());
        }
        let left = stage.left_after(Duration::ZERO);
        assert!(left.is_empty(), "{tier}: {left:?}");
    }
}

#[test]
fn an_interruption_ends_a_decision_at_once() {
    let stage = Stage::new();
    let program = prepared(&stage.bot("silent"), &house(Tier::None, small())).unwrap();
    for tier in Tier::ALL {
        let mut house = house(tier, small());
        house.interrupt = Some(Interrupt::install(&[Signal::SIGUSR1 as i32]).unwrap());
        let mut bot = Bot::take_on(program.clone(), &house).unwrap();
        let asked = Instant::now();
        let run = std::thread::scope(|scope| {
            scope.spawn(|| {
                soon("the start", || !stage.processes().is_empty());
                raise(Signal::SIGUSR1).unwrap();
            });
            bot.run(&[], b"dowhat\n", 10 * LONG).unwrap()
        });
        assert_eq!(run.silence, Some(Silence::Interrupted), "{tier}");
        assert!(asked.elapsed() < LONG);
        drop(bot);
        stage.is_clean("an interruption");
    }
}

/// Nobody reads it, so most of it stays with us: that must neither block nor lose the answer.
#[test]
fn a_question_that_is_not_read_does_not_block() {
    let stage = Stage::new();
    let script = stage.script("deaf", "#!/bin/sh\necho wild\n");
    let question = vec![b'q'; 3 << 20];
    for tier in HELD {
        let mut bot = stage.take_on(tier, small(), &script);
        let run = bot.run(&[], &question, LONG).unwrap();
        assert_eq!((run.output.as_slice(), run.silence), (&b"wild\n"[..], None));
    }
}

/// A long question, a long answer, both at once.
#[test]
fn a_long_question_is_given_whole() {
    let stage = Stage::new();
    let script = stage.script("count", "#!/bin/sh\nexec wc -c\n");
    let question = vec![b'q'; 3 << 20];
    for tier in Tier::ALL {
        let mut bot = stage.take_on(tier, small(), &script);
        let run = bot.run(&[], &question, LONG).unwrap();
        assert_eq!(run.output, b"3145728\n", "{tier}");
    }
}

#[test]
fn a_tier_that_cannot_be_given_is_refused_and_not_lowered() {
    let stage = Stage::new();
    let program = prepared(&stage.bot("honest"), &house(Tier::None, small())).unwrap();
    // No limit of the kernel's can be above what it allows at most, even for root.
    let limits = Limits {
        files: 1 << 40,
        ..small()
    };
    for tier in HELD {
        let error = Bot::take_on(program.clone(), &house(tier, limits.clone())).unwrap_err();
        let said = error.to_string();
        assert!(said.contains(&format!("'{tier}'")), "{said}");
        assert!(said.contains("RLIMIT_NOFILE"), "{said}");
    }
}
