//! Servers that are full, that speak TLS, and that let nobody in.

use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use croupier_arena::BlockResult;
use croupier_cluster::wire::{Report, Worker, packed};
use serde_json::{Value, json};

use crate::lab::{CONTEST, Lab};
use crate::raw::Raw;

/// A disk without room shows as time-outs alone: the health endpoint is asked what is wrong.
#[test]
fn a_full_disk_is_named() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let health = free.local_addr().unwrap();
    drop(free);
    let Some(lab) = Lab::with_small_disk("3m", &format!("http: \"{health}\"\n")) else {
        return;
    };
    let (health, url) = (format!("http://{health}"), lab.url());
    let contest = [&CONTEST[..], &["--out", "many", "--nats", &url]].concat();
    let contest = [&contest[..], &["--nats-monitoring", &health]].concat();
    let mut coordinator = lab.start(&contest, "coordinator");
    let begun = Instant::now();
    while !lab.said("coordinator").contains("no worker is there") {
        assert!(begun.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(50));
    }
    let mut raw = Raw::connect(lab.port, None).unwrap();
    for _ in 0..8 {
        raw.publish("croupier.work.junk.none", &[b'x'; 500_000])
            .unwrap();
        raw.publish("croupier.results.junk", &[b'x'; 500_000])
            .unwrap();
    }
    let ann = lab.worker_with("ann", &["--nats-monitoring", &health]);
    let begun = Instant::now();
    loop {
        let said = lab.said("ann") + &lab.said("coordinator");
        if said.contains("its health endpoint says: ") && said.contains("no space left on device") {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(120), "{said}");
        std::thread::sleep(Duration::from_millis(50));
    }
    coordinator.kill();
    drop(ann);
    // Nothing is lost: here it is played alone.
    lab.do_it(&["tournament", "--resume", "many", "--quiet"]);
}

#[test]
fn a_store_that_may_not_grow_is_named() {
    let Some(mut lab) = Lab::closed() else { return };
    let store = lab.path("store");
    lab.config = format!(
        "jetstream {{ store_dir: {:?}, max_file_store: 1GB }}\n",
        store.to_str().unwrap()
    );
    lab.start_server(false);
    let url = lab.url();
    let (said, status) = lab.refused(&[&CONTEST[..], &["--nats", &url]].concat());
    assert_eq!(status, 3, "{said}");
    assert!(said.contains("insufficient storage resources"), "{said}");
    assert!(said.contains("1 GiB each: see max_file_store"), "{said}");
}

/// Who finds a queue full says so and tries again, until there is room.
#[test]
fn a_queue_that_is_full_is_named_and_loses_nothing() {
    let Some(lab) = Lab::open() else { return };
    lab.do_it(&[&CONTEST[..], &["--seed", "3", "--out", "one"]].concat());
    let mut raw = Raw::connect(lab.port, None).unwrap();
    let queues = [("CROUPIER_WORK", "work"), ("CROUPIER_RESULTS", "results")];
    for (stream, sort) in queues {
        let queue = json!({
            "name": stream, "subjects": [format!("croupier.{sort}.>")], "retention": "workqueue",
            "discard": "new", "storage": "file", "max_bytes": 100_000, "allow_direct": true,
        });
        let made = raw.request(
            &format!("$JS.API.STREAM.CREATE.{stream}"),
            &queue.to_string(),
        );
        assert_eq!(made["error"], Value::Null, "{made}");
        for size in [90_000, 9_000, 900] {
            let subject = format!("croupier.{sort}.junk.none");
            raw.publish(&subject, &vec![b'x'; size]).unwrap();
        }
    }
    let url = lab.url();
    let contest = ["--seed", "3", "--out", "many", "--nats", &url];
    let coordinator = lab.start(&[&CONTEST[..], &contest].concat(), "coordinator");
    let _ann = lab.worker("ann");
    for ((stream, _), who) in queues.into_iter().zip(["coordinator", "ann"]) {
        let begun = Instant::now();
        while !lab.said(who).contains("maximum bytes exceeded") {
            assert!(
                begun.elapsed() < Duration::from_secs(120),
                "{}",
                lab.said(who)
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        raw.request(&format!("$JS.API.STREAM.PURGE.{stream}"), "{}");
    }
    let ended = coordinator.end();
    assert_eq!(ended.status.code(), Some(0), "{}", lab.said("coordinator"));
    assert_eq!(lab.results("many"), lab.results("one"));
}

/// Whoever has no password gets nothing in, and a worker only what is a worker's.
/// A program of this name that has so many bytes.
fn large(lab: &Lab, name: &str, bytes: usize) -> String {
    let mut state = bytes as u64 + u64::from(name.as_bytes()[0]);
    let digit = |_| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
        char::from(b'a' + (state >> 60) as u8)
    };
    let comment: String = (0..bytes).map(digit).collect();
    let bot = include_str!("../../../../examples/intensity/bot.py");
    let bot = lab.file(&format!("{name}/bot.py"), &format!("{bot}\n# {comment}\n"));
    format!("{name}={bot}")
}

/// Programs are kept for a month: those of earlier contests go when there is no room for more.
#[test]
fn earlier_programs_make_room_for_those_of_this_contest() {
    let Some(lab) = Lab::open() else { return };
    let bucket = json!({
        "name": "OBJ_CROUPIER",
        "subjects": ["$O.CROUPIER.C.>", "$O.CROUPIER.M.>"],
        "max_bytes": 300_000,
        "discard": "new",
        "allow_rollup_hdrs": true,
        "allow_direct": true,
        "storage": "file",
    });
    let mut raw = Raw::connect(lab.port, None).unwrap();
    raw.request("$JS.API.STREAM.CREATE.OBJ_CROUPIER", &bucket.to_string());
    raw.publish("$O.CROUPIER.C.earlier", &[b'x'; 200_000])
        .unwrap();
    let url = lab.url();
    let _ann = lab.worker("ann");
    let contest = |out, bytes| {
        let bots = ["a", "b"].map(|name| large(&lab, name, bytes));
        let words = [
            "tournament",
            "intensity",
            &bots[0],
            &bots[1],
            "careful",
            "random",
        ];
        let rest = ["--rounds", "1", "--quiet", "--out", out, "--nats", &url];
        lab.run(&[&words[..], &rest].concat())
    };
    let held = contest("fits", 60_000);
    let said = String::from_utf8(held.stderr).unwrap();
    assert_eq!(held.status.code(), Some(0), "{said}");
    let refused = contest("too large", 200_000);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    let told = "the programs of this contest are too large for the bucket CROUPIER at ";
    assert!(said.contains(told), "{said}");
}

#[test]
fn forged_results_do_not_come_through() {
    const CONFIG: &str = include_str!("../../../../examples/nats/server.conf");
    let (_, users) = CONFIG.split_once("\nauthorization").unwrap();
    let Some(lab) = Lab::with(&format!("authorization{users}")) else {
        return;
    };
    let told = Raw::connect(lab.port, None).map(drop).unwrap_err();
    assert!(told.contains("Authorization Violation"), "{told}");
    let forged = packed(&Report {
        batch: "none".to_owned(),
        worker: Worker {
            name: "forger".to_owned(),
            instance: "0".to_owned(),
        },
        blocks: vec![("f".repeat(64), BlockResult::default())],
        large: None,
        end: None,
    });
    let mut worker = Raw::connect(lab.port, Some(["worker", "change-me-too"])).unwrap();
    for subject in [
        "croupier.work.any.built-in",
        "$O.CROUPIER.C.any",
        "croupier.orders.any",
        "croupier.status",
        "$JS.API.STREAM.DELETE.CROUPIER_RESULTS",
        "$JS.API.CONSUMER.MSG.NEXT.CROUPIER_RESULTS.any",
        "$JS.ACK.CROUPIER_RESULTS.any.1.1.1.1.0",
    ] {
        let told = worker.publish(subject, &forged).unwrap_err();
        assert!(
            told.contains("Permissions Violation for Publish"),
            "{subject}: {told}"
        );
    }
    worker.publish("croupier.results.any", &forged).unwrap();
}

fn openssl(lab: &Lab, words: &str) -> bool {
    let status = Command::new("openssl")
        .args(words.split_whitespace())
        .current_dir(lab.path(""))
        .stderr(std::process::Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// The server and both sides show certificates, and believe only those that they are told to.
#[test]
fn tls_in_both_directions() {
    let Some(mut lab) = Lab::closed() else { return };
    lab.file("name", "subjectAltName=IP:127.0.0.1\n");
    let new = "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    let signed = "-CA ca.pem -CAkey ca.key -days 30";
    let made = openssl(
        &lab,
        &format!("{new} -x509 -days 30 -subj /CN=ca -keyout ca.key -out ca.pem"),
    ) && ["server", "client"].iter().all(|name| {
        openssl(
            &lab,
            &format!("{new} -subj /CN={name} -keyout {name}.key -out {name}.csr"),
        ) && openssl(
            &lab,
            &format!("x509 -req -in {name}.csr {signed} -extfile name -out {name}.pem"),
        )
    });
    if !made {
        eprintln!("left out: there is no openssl that makes certificates");
        return;
    }
    let [cert, key, ca] = ["server.pem", "server.key", "ca.pem"].map(|name| lab.path(name));
    lab.config = format!(
        "tls {{ cert_file: {cert:?}, key_file: {key:?}, ca_file: {ca:?}, verify: true }}\n"
    );
    lab.start_server(true);
    let url = format!("tls://127.0.0.1:{}", lab.port);
    let status = ["cluster", "status", "--nats", &url];
    let (said, code) = lab.refused(&status);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("TLS") && said.contains("see --tls-ca"),
        "{said}"
    );
    let shown = [
        "--tls-ca",
        "ca.pem",
        "--tls-cert",
        "client.pem",
        "--tls-key",
        "client.key",
    ];
    let work = [
        &["work", "--nats", &url, "--name", "ann", "--threads", "1"][..],
        &shown,
    ]
    .concat();
    let _ann = lab.start(&work, "ann");
    lab.do_it(&[&CONTEST[..], &["--nats", &url], &shown].concat());
}

/// Where an operator has given an account and its users keys.
#[test]
fn whoever_has_credentials_is_let_in() {
    let Some(lab) = Lab::with(include_str!("creds/server.conf")) else {
        return;
    };
    let url = lab.url();
    let (said, status) = lab.refused(&["cluster", "status", "--nats", &url]);
    assert!(status == 2 && said.contains("does not let us in"), "{said}");
    lab.file("us.creds", include_str!("creds/somebody.creds"));
    let creds = ["--creds", "us.creds"];
    let _ann = lab.worker_with("ann", &creds);
    lab.do_it(&[&CONTEST[..], &["--nats", &url], &creds].concat());
}

#[test]
fn credentials_that_cannot_be_read_are_named() {
    let Some(lab) = Lab::open() else { return };
    let url = lab.url();
    for (file, text) in [("none.creds", None), ("bad.creds", Some("nonsense\n"))] {
        if let Some(text) = text {
            lab.file(file, text);
        }
        let status = ["cluster", "status", "--nats", &url, "--creds", file];
        let (said, status) = lab.refused(&status);
        assert_eq!(status, 2, "{said}");
        let named = format!("cannot use the credentials in {file}: ");
        assert!(said.contains(&named), "{said}");
    }
}
