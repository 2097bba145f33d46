//! Objects on the server that are long, damaged or gone.

use std::time::{Duration, Instant};

use crate::hostile::{CONTEST, held, start};
use crate::lab::Lab;
use crate::raw::Raw;

/// After so many failures in a row a worker is told to stop.
const MOST_FAULTS: u64 = 3;

/// Waits until a stream has so many messages.
fn wait_for_messages(raw: &mut Raw, stream: &str, count: u64) {
    let begun = Instant::now();
    loop {
        let info = raw.request(&format!("$JS.API.STREAM.INFO.{stream}"), "{}");
        if info["state"]["messages"].as_u64() >= Some(count) {
            return;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{info}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Holds a contest in which somebody does this to the only chunk of an object, and tells what the
/// coordinator said.
fn damaged(lab: &Lab, damage: impl FnOnce(&mut Raw, &str)) -> String {
    lab.do_it(&[&CONTEST[..], &["--out", "one"]].concat());
    let mut coordinator = start(lab, &[]);
    held(lab);
    let mut raw = Raw::connect(lab.port, None).unwrap();
    wait_for_messages(&mut raw, "CROUPIER_WORK", MOST_FAULTS);
    let chunk = raw.request(
        "$JS.API.STREAM.MSG.GET.OBJ_CROUPIER",
        "{\"seq\":1,\"next_by_subj\":\"$O.CROUPIER.C.>\"}",
    );
    damage(&mut raw, chunk["message"]["subject"].as_str().unwrap());
    // She fails at everything that is out before the coordinator hears of the first failure: that is
    // the object's fault, and not hers.
    coordinator.pause();
    let _ann = lab.worker("ann");
    wait_for_messages(&mut raw, "CROUPIER_RESULTS", MOST_FAULTS);
    coordinator.resume();
    let status = coordinator.end().status.code();
    let said = lab.said("coordinator");
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(lab.results("many"), lab.results("one"));
    said
}

fn purge(raw: &mut Raw, chunk: &str) {
    let purged = raw.request(
        "$JS.API.STREAM.PURGE.OBJ_CROUPIER",
        &format!("{{\"filter\":\"{chunk}\"}}"),
    );
    assert_eq!(purged["purged"], 1, "{purged}");
}

#[test]
fn an_object_that_was_damaged_is_stored_again() {
    let Some(lab) = Lab::open() else { return };
    let said = damaged(&lab, |raw, chunk| {
        purge(raw, chunk);
        raw.publish(chunk, &[0; 1 << 16]).unwrap();
    });
    let told = "worker ann could not play: failed to fetch the object";
    assert!(said.contains(told), "{said}");
    assert!(
        said.contains("its contents are not what its name says"),
        "{said}"
    );
}

/// Whoever waits for chunks that are gone would wait for ever.
#[test]
fn an_object_whose_chunks_are_gone_is_stored_again() {
    let Some(lab) = Lab::open() else { return };
    let said = damaged(&lab, purge);
    let told = "worker ann could not play: failed to fetch the object";
    assert!(said.contains(told), "{said}");
    assert!(said.contains("parts of it are missing"), "{said}");
}

/// A program is stored in pieces that are no longer than a message may be.
#[test]
fn a_long_program_comes_in_short_messages() {
    let Some(lab) = Lab::with("max_payload: 4096\n") else {
        return;
    };
    let c = include_str!("../../../../examples/intensity/bot.c");
    let text = (0..3000).fold(String::new(), |text, line| format!("{text}// {line}\n"));
    let bot = lab.file("bot.c", &format!("{c}\n{text}"));
    let _ann = lab.worker("ann");
    let contest = ["tournament", "intensity", &bot, "careful", "a=careful"];
    let rest = ["random", "--rounds", "2", "--seed", "3", "--quiet"];
    let contest = [&contest[..], &rest].concat();
    lab.do_it(&[&contest[..], &["--out", "one"]].concat());
    lab.do_it(&[&contest[..], &["--out", "many", "--nats", &lab.url()]].concat());
    assert_eq!(lab.results("many"), lab.results("one"));
}
