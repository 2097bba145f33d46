//! Audits that outlast the coordinator who has begun them.

use std::time::{Duration, Instant};

use crate::lab::{CONTEST, Lab, Running};

/// A contest whose blocks were all played by ann, and wait for somebody else who plays them again.
fn played_by_ann_alone(lab: &Lab, rounds: &str) {
    let words = contest(rounds, &["--out", "many"]);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut coordinator = audited(lab, &words);
    let _ann = lab.worker("ann");
    let begun = Instant::now();
    while !lab.said("coordinator").contains("wait to be audited") {
        assert!(begun.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(50));
    }
    coordinator.kill();
}

fn contest(rounds: &str, more: &[&str]) -> Vec<String> {
    let words = [
        &CONTEST[..6],
        &["--rounds", rounds, "--seed", "3", "--quiet"],
        more,
    ]
    .concat();
    words.into_iter().map(str::to_owned).collect()
}

fn audited(lab: &Lab, words: &[&str]) -> Running {
    let url = lab.url();
    let words = [words, &["--nats", &url, "--audit", "100%"]].concat();
    lab.start(&words, "coordinator")
}

/// The first batches are small, and show how fast blocks are. All others would fit into one.
#[test]
fn audits_are_split_where_a_message_may_not_be_long() {
    let Some(lab) = Lab::with("max_payload: 4096\n") else {
        return;
    };
    played_by_ann_alone(&lab, "600");
    let _bob = lab.worker("bob");
    let ended = audited(&lab, &["tournament", "--resume", "many", "--quiet"]).end();
    let said = lab.said("coordinator");
    assert_eq!(ended.status.code(), Some(0), "{said}");
    assert!(!said.contains("trying again"), "{said}");
}

/// Whoever goes on without audits is told what was left of them, and can still have them done.
#[test]
fn audits_that_are_left_are_told() {
    let Some(lab) = Lab::open() else { return };
    played_by_ann_alone(&lab, "40");
    let resume = ["tournament", "--resume", "many", "--quiet"];
    let told = || String::from_utf8(lab.do_it(&resume).stderr).unwrap();
    assert_eq!(
        told(),
        "croupier: 40 blocks still wait to be audited: croupier tournament --resume many --nats URL --audit 0% \
         goes on with that\n"
    );
    let _bob = lab.worker("bob");
    let url = lab.url();
    lab.do_it(&[&resume[..], &["--nats", &url, "--audit", "0%"]].concat());
    assert_eq!(told(), "");
}
