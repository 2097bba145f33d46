//! Bad workers and bad messages: each is told in a line, and nothing is lost.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use croupier_arena::{BlockPlan, BlockResult};
use croupier_bots::{Interrupt, Tier, Times};
use croupier_cluster::wire::{Batch, Need, Pulse, Report, Worker, packed, unpacked};
use croupier_cluster::{Address, Bench, ClusterError, Hiring, work};
use croupier_core::{Game as _, Outcome};
use croupier_games::intensity::Intensity;

use crate::lab::{Lab, Running, has_small_disks};
use crate::raw::Raw;

/// A contest of one table.
pub(crate) const CONTEST: [&str; 11] = [
    "tournament",
    "intensity",
    "careful",
    "random",
    "a=careful",
    "b=random",
    "--seed",
    "3",
    "--quiet",
    "--rounds",
    "60",
];

/// A worker in this process that does not play but answers in its own way.
pub(crate) struct Impostor {
    interrupt: Interrupt,
    thread: Option<std::thread::JoinHandle<Result<(), ClusterError>>>,
}

pub(crate) type Answer = fn(&str, &BlockPlan) -> Result<BlockResult, String>;

impl Impostor {
    pub(crate) fn hire(lab: &Lab, name: &str, answer: Answer) -> Impostor {
        let interrupt = Interrupt::new().unwrap();
        let hiring = Hiring {
            address: Address {
                url: lab.url(),
                ..Address::default()
            },
            name: name.to_owned(),
            threads: 1,
            needs: vec![Need::BuiltIn, Need::Tier(Tier::Limits)],
            benches: vec![Bench::answering(
                Intensity::NAME,
                Intensity::VERSION,
                answer,
            )],
            folder: lab.path(&format!("cache-{name}")),
            interrupt: interrupt.clone(),
            tell: |_| {},
        };
        Impostor {
            interrupt,
            thread: Some(std::thread::spawn(|| work(hiring))),
        }
    }

    /// How it ended, which it must do by itself.
    pub(crate) fn end(mut self) -> Result<(), ClusterError> {
        let thread = self.thread.take().unwrap();
        let begun = Instant::now();
        while !thread.is_finished() {
            assert!(begun.elapsed() < Duration::from_secs(120), "it works on");
            std::thread::sleep(Duration::from_millis(20));
        }
        thread.join().unwrap()
    }
}

impl Drop for Impostor {
    fn drop(&mut self) {
        self.interrupt.raise();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What could have come of a block, and did not: everybody is first.
pub(crate) fn lie(_: &str, plan: &BlockPlan) -> Result<BlockResult, String> {
    let seats = plan.table.len();
    let game = Outcome::new(vec![0; seats], vec![1; seats]);
    Ok(BlockResult {
        games: vec![game; plan.orders.len()],
        faults: vec![0; seats],
        decisions: vec![1; seats],
        suspended: plan.suspended.clone(),
        times: vec![Times::default(); seats],
        ..BlockResult::default()
    })
}

/// The same with records of so many bytes that no compression makes shorter.
fn recorded(key: &str, plan: &BlockPlan, bytes: usize) -> Result<BlockResult, String> {
    let mut state = 1u64;
    let byte = |_| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
        (state >> 56) as u8
    };
    Ok(BlockResult {
        records: (0..bytes).map(byte).collect(),
        ..lie(key, plan)?
    })
}

fn forger() -> Worker {
    Worker {
        name: "forger".to_owned(),
        instance: "0".to_owned(),
    }
}

pub(crate) fn start(lab: &Lab, more: &[&str]) -> Running {
    let url = lab.url();
    let words = [&CONTEST[..], &["--out", "many", "--nats", &url], more];
    lab.start(&words.concat(), "coordinator")
}

/// Waits until the coordinator holds its contest, and tells what that is known by.
pub(crate) fn held(lab: &Lab) -> String {
    let begun = Instant::now();
    loop {
        let status = lab.run(&["cluster", "status", "--json", "--nats", &lab.url()]);
        let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap();
        if let Some(contest) = status["contests"][0]["contest"].as_str() {
            return contest.to_owned();
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{status}");
    }
}

#[test]
fn a_worker_that_never_sends_what_can_be_is_told_to_stop_and_named() {
    let Some(lab) = Lab::open() else { return };
    lab.do_it(&[&CONTEST[..], &["--out", "one"]].concat());
    let coordinator = start(&lab, &[]);
    let worse: [(&str, Answer, &str); 3] = [
        (
            "fails",
            |_, _| Err("the disk is gone".to_owned()),
            "the disk is gone",
        ),
        (
            "nonsense",
            |_, _| Ok(BlockResult::default()),
            "its result cannot come of the block",
        ),
        (
            "endless",
            |key, plan| recorded(key, plan, 30 << 20),
            "is too large to be sent",
        ),
    ];
    for (name, answer, reason) in worse {
        let ended = Impostor::hire(&lab, name, answer).end();
        let told = ended.unwrap_err().to_string();
        assert!(told.contains("has told this worker to stop"), "{told}");
        assert!(told.contains(reason), "{told}");
        let said = lab.said("coordinator");
        let named = format!("worker {name} was told to stop: it does nothing but fail: ");
        assert!(said.contains(&named), "{said}");
    }
    // All three may have failed at the same batch, which was set aside then. Nothing is lost.
    let _ann = lab.worker("ann");
    if coordinator.end().status.code() == Some(3) {
        let rest = start(&lab, &[]).end();
        assert_eq!(rest.status.code(), Some(0), "{}", lab.said("coordinator"));
    }
    assert_eq!(lab.results("many"), lab.results("one"));
}

#[test]
fn a_batch_at_which_three_workers_fail_is_set_aside_and_named() {
    let Some(lab) = Lab::open() else { return };
    let url = lab.url();
    let one_block = ["--rounds", "1", "--out", "many", "--nats", &url];
    let one_block = [&CONTEST[..9], &one_block].concat();
    let coordinator = lab.start(&one_block, "coordinator");
    let names = ["x", "y", "z"];
    let fails: Answer = |_, _| Err("the disk is gone".to_owned());
    let workers = names.map(|name| Impostor::hire(&lab, name, fails));
    let ended = coordinator.end();
    let said = lab.said("coordinator");
    assert_eq!(ended.status.code(), Some(3), "{said}");
    assert!(said.contains("set aside: 1 block, from "), "{said}");
    for name in names {
        assert!(
            said.contains(&format!("{name} (the disk is gone)")),
            "{said}"
        );
    }
    assert!(
        said.contains("croupier tournament --resume many goes on"),
        "{said}"
    );
    drop(workers);
    // Nothing is lost: who comes later plays it.
    let _ann = lab.worker("ann");
    lab.do_it(&["tournament", "--resume", "many", "--quiet", "--nats", &url]);
}

#[test]
fn results_too_large_for_a_message_come_by_the_bucket() {
    let Some(lab) = Lab::open() else { return };
    let _large = Impostor::hire(&lab, "large", |key, plan| recorded(key, plan, 1 << 20));
    let few = ["--rounds", "3"];
    let words = [&CONTEST[..9], &few, &["--out", "many", "--nats"]].concat();
    lab.do_it(&[&words[..], &[&lab.url()]].concat());
}

/// Batches and results are split where a message may not be long.
#[test]
fn short_messages_are_enough() {
    let Some(lab) = Lab::with("max_payload: 4096\n") else {
        return;
    };
    let records = ["--records", "yes", "--rounds", "200"];
    let contest = [&CONTEST[..9], &records].concat();
    lab.do_it(&[&contest[..], &["--out", "one"]].concat());
    let _workers = [lab.worker("ann"), lab.worker("bob")];
    lab.do_it(&[&contest[..], &["--out", "many", "--nats", &lab.url()]].concat());
    assert_eq!(lab.results("many"), lab.results("one"));
}

#[test]
fn a_liar_is_caught_by_an_audit_and_both_are_named() {
    for (goes_on, status) in [(false, 3), (true, 0)] {
        let Some(lab) = Lab::open() else { return };
        let coordinator = match goes_on {
            false => start(&lab, &["--audit", "100%"]),
            true => start(&lab, &["--audit", "100%", "--audit-goes-on"]),
        };
        let _liar = Impostor::hire(&lab, "liar", lie);
        let _ann = lab.worker("ann");
        let ended = coordinator.end();
        let said = lab.said("coordinator");
        assert_eq!(ended.status.code(), Some(status), "{said}");
        let [one, other] = [
            "the workers ann and liar got",
            "the workers liar and ann got",
        ];
        assert!(said.contains(one) || said.contains(other), "{said}");
    }
}

/// The blocks of a liar that wait for somebody else outlast the coordinator.
#[test]
fn a_coordinator_that_was_killed_does_not_forget_its_audits() {
    let Some(lab) = Lab::open() else { return };
    let mut coordinator = start(&lab, &["--audit", "100%"]);
    let liar = Impostor::hire(&lab, "liar", lie);
    let begun = Instant::now();
    while !lab.said("coordinator").contains("wait to be audited") {
        assert!(begun.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(50));
    }
    coordinator.kill();
    drop(liar);
    let coordinator = start(&lab, &["--audit", "100%"]);
    let _ann = lab.worker("ann");
    let ended = coordinator.end();
    let said = lab.said("coordinator");
    assert_eq!(ended.status.code(), Some(3), "{said}");
    assert!(
        said.contains("the workers liar and ann got different"),
        "{said}"
    );
}

/// What it has taken is acknowledged, so the server does not deliver it again.
#[test]
fn a_worker_that_takes_a_batch_and_sends_nothing_is_named() {
    let Some(lab) = Lab::open() else { return };
    lab.do_it(&[&CONTEST[..], &["--out", "one"]].concat());
    let coordinator = start(&lab, &[]);
    held(&lab);
    let mut raw = Raw::connect(lab.port, None).unwrap();
    let batch: Batch = unpacked(&raw.steal("CROUPIER_WORK", "built-in")).unwrap();
    for holds in [vec![batch.id], Vec::new()] {
        let pulse = packed(&Pulse {
            worker: forger(),
            threads: 1,
            needs: vec![Need::BuiltIn],
            holds,
            leaves: false,
        });
        raw.publish("croupier.pulse", &pulse).unwrap();
    }
    let _ann = lab.worker("ann");
    let ended = coordinator.end();
    let said = lab.said("coordinator");
    assert_eq!(ended.status.code(), Some(0), "{said}");
    let named = "worker forger could not play: it has sent nothing";
    assert!(said.contains(named), "{said}");
    assert_eq!(lab.results("many"), lab.results("one"));
}

/// It may hang, and still tell that it lives. Whoever has nothing else to do gets what it has.
#[test]
fn a_batch_that_somebody_has_for_ever_is_given_to_others_too() {
    let Some(lab) = Lab::open() else { return };
    lab.do_it(&[&CONTEST[..], &["--out", "one"]].concat());
    let mut coordinator = start(&lab, &[]);
    held(&lab);
    let mut raw = Raw::connect(lab.port, None).unwrap();
    let batch: Batch = unpacked(&raw.steal("CROUPIER_WORK", "built-in")).unwrap();
    let _ann = lab.worker("ann");
    let begun = Instant::now();
    while !coordinator.is_over() {
        let pulse = packed(&Pulse {
            worker: forger(),
            threads: 1,
            needs: vec![Need::BuiltIn],
            holds: vec![batch.id.clone()],
            leaves: false,
        });
        raw.publish("croupier.pulse", &pulse).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(240));
        std::thread::sleep(Duration::from_secs(1));
    }
    let said = lab.said("coordinator");
    assert_eq!(coordinator.end().status.code(), Some(0), "{said}");
    let named = "worker forger has had a batch for much longer than it should take";
    assert!(said.contains(named), "{said}");
    assert_eq!(lab.results("many"), lab.results("one"));
}

#[test]
fn messages_that_are_none_are_thrown_away() {
    let Some(lab) = Lab::open() else { return };
    lab.do_it(&[&CONTEST[..], &["--out", "one"]].concat());
    let coordinator = start(&lab, &[]);
    let contest = held(&lab);
    let results = format!("croupier.results.{contest}");
    let mut raw = Raw::connect(lab.port, None).unwrap();
    let report = packed(&Report {
        batch: "none".to_owned(),
        worker: forger(),
        blocks: vec![("f".repeat(64), BlockResult::default())],
        large: None,
        end: None,
    });
    let newer = [b"croupier cluster 2\n", &report[19..]].concat();
    let pulse = packed(&Pulse {
        worker: forger(),
        threads: 1,
        needs: vec![Need::BuiltIn],
        holds: Vec::new(),
        leaves: false,
    });
    let pulse = [b"croupier cluster 2\n", &pulse[19..]].concat();
    for (subject, message) in [
        (results.as_str(), &report[..]),
        (&results, &newer),
        (&results, b"nonsense"),
        ("croupier.pulse", &pulse),
    ] {
        raw.publish(subject, message).unwrap();
    }
    // Whoever works for another version says so and ends.
    let batch = packed(&Batch {
        id: "newer".to_owned(),
        contest: contest.clone(),
        terms: String::new(),
        blocks: Vec::new(),
        not_by: None,
    });
    let batch = [b"croupier cluster 2\n", &batch[19..]].concat();
    let work = format!("croupier.work.{contest}.built-in");
    raw.publish(&work, &batch).unwrap();
    let mut early = None;
    for _ in 0..3 {
        // The batch of the other version may not be the first that a worker gets.
        let ann = lab.worker("ann");
        let ended = ann.end();
        early = Some((ended.status.code(), lab.said("ann")));
        if early.as_ref().is_some_and(|(status, _)| *status == Some(2)) {
            break;
        }
    }
    let (status, said) = early.unwrap();
    assert_eq!(status, Some(2), "{said}");
    assert!(
        said.contains("is held by another version of croupier"),
        "{said}"
    );
    // What nobody understands is gone when the coordinator clears its queue.
    raw.request("$JS.API.STREAM.PURGE.CROUPIER_WORK", "{}");
    let _bob = lab.worker("bob");
    let ended = coordinator.end();
    let said = lab.said("coordinator");
    assert_eq!(ended.status.code(), Some(0), "{said}");
    for line in [
        "worker forger has sent the result of a block that this contest does not have: ffff",
        "a result was thrown away: it speaks version 2 of the cluster's messages",
        "a result was thrown away: it cannot be read",
        "a worker is not understood: it speaks version 2",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert_eq!(lab.results("many"), lab.results("one"));
}

/// A worker that has no room for the programs says so, and is told to stop; the others play on.
#[test]
fn a_worker_without_room_for_programs_is_told_to_stop() {
    let Some(lab) = Lab::open() else { return };
    if !has_small_disks() {
        return;
    }
    let c = include_str!("../../../../examples/intensity/bot.c");
    let bot = format!("c={}", lab.file("bot.c", c));
    let players = [
        "tournament",
        "intensity",
        &bot,
        "careful",
        "a=careful",
        "random",
    ];
    let contest = [&players[..], &["--rounds", "4", "--seed", "3", "--quiet"]].concat();
    lab.do_it(&[&contest[..], &["--out", "one"]].concat());
    let full = lab.worker_on_small_disk("full", "4k");
    let url = lab.url();
    let contest = [&contest[..], &["--out", "many", "--nats", &url]].concat();
    let many = lab.start(&contest, "coordinator");
    let ended = full.end();
    let said = lab.said("full");
    assert_eq!(ended.status.code(), Some(3), "{said}");
    assert!(said.contains("No space left on device"), "{said}");
    let _bob = lab.worker("bob");
    assert_eq!(
        many.end().status.code(),
        Some(0),
        "{}",
        lab.said("coordinator")
    );
    assert!(lab.said("coordinator").contains("full"));
    assert_eq!(lab.results("many"), lab.results("one"));
}

/// Whoever can publish work still cannot have a worker run programs in a tier that it does not offer.
#[test]
fn a_worker_runs_no_programs_in_a_tier_that_it_does_not_offer() {
    let Some(lab) = Lab::open() else { return };
    let c = include_str!("../../../../examples/intensity/bot.c");
    let bot = format!("c={}", lab.file("bot.c", c));
    let players = [
        "tournament",
        "intensity",
        &bot,
        "careful",
        "a=careful",
        "random",
    ];
    let rest = [
        "--sandbox",
        "none",
        "--rounds",
        "2",
        "--seed",
        "3",
        "--quiet",
    ];
    let contest = [&players[..], &rest].concat();
    lab.do_it(&[&contest[..], &["--out", "one"]].concat());
    let url = lab.url();
    let contest = [&contest[..], &["--out", "many", "--nats", &url]].concat();
    let coordinator = lab.start(&contest, "coordinator");
    let contest = held(&lab);
    let mut raw = Raw::connect(lab.port, None).unwrap();
    let batch = raw.steal("CROUPIER_WORK", "none");
    let consumer = "{\"stream_name\":\"CROUPIER_WORK\",\"config\":{\"durable_name\":\"built-in\",\
                    \"filter_subject\":\"croupier.work.*.built-in\",\"ack_policy\":\"explicit\"}}";
    raw.request(
        "$JS.API.CONSUMER.DURABLE.CREATE.CROUPIER_WORK.built-in",
        consumer,
    );
    raw.publish(&format!("croupier.work.{contest}.built-in"), &batch)
        .unwrap();
    let _ann = lab.worker("ann");
    let begun = Instant::now();
    let told = "worker ann could not play: this worker runs no programs in the tier none";
    while !lab.said("coordinator").contains(told) {
        assert!(begun.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(50));
    }
    let _bob = lab.worker_with("bob", &["--sandbox", "none"]);
    let ended = coordinator.end();
    let said = lab.said("coordinator");
    assert_eq!(ended.status.code(), Some(0), "{said}");
    assert_eq!(lab.results("many"), lab.results("one"));
}

/// A batch that takes longer than the server waits for it is not given to anybody else.
#[test]
fn a_batch_that_takes_long_is_delivered_once() {
    static PLAYED: AtomicUsize = AtomicUsize::new(0);
    let slow: Answer = |key, plan| {
        PLAYED.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(Duration::from_secs(12));
        lie(key, plan)
    };
    let Some(lab) = Lab::open() else { return };
    let _workers = ["x", "y"].map(|name| Impostor::hire(&lab, name, slow));
    let url = lab.url();
    let one_block = ["--rounds", "1", "--out", "many", "--nats", &url];
    lab.do_it(&[&CONTEST[..9], &one_block].concat());
    assert_eq!(PLAYED.load(Ordering::Relaxed), 1);
}
