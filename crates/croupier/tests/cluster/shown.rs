//! What people see of a contest on many machines while it is held.

use std::time::{Duration, Instant};

use croupier_arena::ClusterStatus;

use crate::lab::Lab;

/// The text with a `#` for every number, and no more spaces than one.
fn without_numbers(text: &str) -> String {
    let mut plain = String::new();
    for letter in text.chars() {
        match letter {
            '0'..='9' | '.' | ',' if plain.ends_with('#') => {}
            '0'..='9' => plain.push('#'),
            ' ' if plain.ends_with(' ') => {}
            letter => plain.push(letter),
        }
    }
    plain
}

#[test]
fn a_status_tells_of_workers_rates_batches_and_the_end() {
    let Some(lab) = Lab::open() else { return };
    let url = lab.url();
    let ask = ["cluster", "status", "--nats", &url];
    let asked = |what: &[&str]| {
        let begun = Instant::now();
        loop {
            let said = lab.do_it(&ask).stdout;
            let said = String::from_utf8(said).unwrap();
            if what.iter().all(|what| said.contains(what)) {
                return said;
            }
            assert!(begun.elapsed() < Duration::from_secs(120), "{said}");
        }
    };
    insta::assert_snapshot!(asked(&["No contest"]), @"No contest is held, and no worker waits.");
    let _ann = lab.worker("ann");
    insta::assert_snapshot!(asked(&["ann"]), @r"
    No contest is held. These workers wait:
      ann, 1 at a time
    ");
    let contest = [
        "tournament",
        "intensity",
        "expert:iterations=200",
        "random",
        "a=random",
        "b=random",
        "--rounds",
        "1000",
        "--quiet",
        "--out",
        "many",
        "--nats",
        &url,
    ];
    let mut coordinator = lab.start(&contest, "coordinator");
    let said = asked(&["a batch takes", " left\n"]);
    let said = without_numbers(&said);
    // How long it takes is the machine's affair.
    let said = ["min", "h"].iter().fold(said, |said, unit| {
        said.replace(&format!("# {unit} left"), "# s left")
    });
    let (head, rest) = said.split_once("\ncontest ").unwrap();
    let (_, rest) = rest.split_once('\n').unwrap();
    insta::assert_snapshot!(format!("{head}\n{rest}"), @r"
    intensity, # of # games, # a second, about # s left

     batches: # being played, # waiting
     a batch takes # s from its publication to the commit, # % at most # s

     worker threads batches blocks a second machine faults heard
     ann # # # # # # s
    ");
    // The same is kept beside the store for the contest's page, until the end.
    let begun = Instant::now();
    let kept = loop {
        if let Some(status) = ClusterStatus::find(&lab.path("many")) {
            break status;
        }
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(kept.workers[0].name, "ann");
    coordinator.interrupt();
    assert_eq!(coordinator.end().status.code(), Some(130));
    assert!(!lab.path("many/cluster.json").exists());
}
