//! Programs that take their time.

use std::time::Duration;

use croupier_bots::{Overrun, Silence, Tier};

use crate::stage::{A_LITTLE, HASTE, HELD, LONG, Spoken, Stage, fouls, is_foul, small};

#[test]
fn who_sleeps_for_ever_is_late() {
    fouls("silent", &Tier::ALL, &HASTE, "timeout", "within 2 s");
}

#[test]
fn who_computes_for_ever_is_late() {
    fouls("busy", &HELD, &HASTE, "timeout", "within 2 s");
}

/// Time for which the machine kept a program waiting is given back to it, but not time for which
/// it was kept waiting by itself: on whatever machine, all cores together have no more for it than it was
/// given on each (and what it gets until it is put down).
#[test]
fn threads_that_keep_each_other_waiting_gain_no_time() {
    fouls("busy_threads", &HELD, &HASTE, "timeout", "within 2 s");
    let stage = Stage::new();
    let cores = std::thread::available_parallelism().unwrap().get() as u32;
    for tier in HELD {
        let mut bot = stage.take_on(tier, small(), &stage.bot("busy_threads"));
        let run = bot.run(&[], b"dowhat\n", A_LITTLE).unwrap();
        assert_eq!(run.silence, Some(Silence::Late), "{tier}");
        let cpu = run.ended.unwrap().cpu;
        assert!(cpu < 3 * cores * A_LITTLE, "{tier}: {cpu:?}");
    }
}

#[test]
fn who_has_orphans_compute_is_charged_for_them() {
    let limits = ["--cpu-limit", "300ms", "--process-limit", "4096"];
    let detail = "300 ms of processor time";
    fouls("orphans_compute", &HELD, &limits, "timeout", detail);
}

#[test]
fn processor_time_is_limited() {
    let stage = Stage::new();
    let limits = croupier_bots::Limits {
        cpu: Duration::from_millis(300),
        ..small()
    };
    for tier in HELD {
        let mut bot = stage.take_on(tier, limits.clone(), &stage.bot("busy"));
        let run = bot.run(&[], b"dowhat\n", LONG).unwrap();
        assert_eq!(run.silence, Some(Silence::TooMuch(Overrun::Cpu)), "{tier}");
    }
    let more = ["--cpu-limit", "300ms"];
    let played = stage.play(Tier::Limits, Spoken::Own, &stage.bot("busy"), &more);
    is_foul("busy", &played, "timeout", "processor time");
}
