//! What is wrong is told in one line, with the documented status, and nothing is lost.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;

use crate::lab::{CONTEST, Lab};

/// The configuration that the documentation shows.
const CONFIG: &str = include_str!("../../../../examples/nats/server.conf");

#[test]
fn a_server_that_cannot_be_used_is_named() {
    let Some(mut lab) = Lab::closed() else { return };
    let url = lab.url();
    for command in [
        &["work", "--nats", &url][..],
        &["cluster", "status", "--nats", &url],
        &[&CONTEST[..], &["--nats", &url]].concat(),
    ] {
        let (said, status) = lab.refused(command);
        let named = said.contains("cannot reach the NATS server");
        assert!(status == 3 && named, "{said}");
    }
    let (said, status) = lab.refused(&["cluster", "status", "--nats", "http://a:b@host"]);
    assert!(status == 2 && !said.contains("a:b"), "{said}");
    lab.start_server(false);
    let (said, status) = lab.refused(&["cluster", "status", "--nats", &url]);
    assert!(status == 2 && said.contains("without JetStream"), "{said}");
}

#[test]
fn an_old_server_is_refused_by_its_version() {
    let Some(lab) = Lab::closed() else { return };
    let old = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("nats://{}", old.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut client, _) = old.accept().unwrap();
        let info = r#"INFO {"server_id":"x","version":"2.9.10","max_payload":1048576,"jetstream":true,"headers":true,"proto":1}"#;
        client.write_all(format!("{info}\r\n").as_bytes()).unwrap();
        let lines = BufReader::new(client.try_clone().unwrap()).lines();
        for line in lines.map_while(Result::ok) {
            if line.starts_with("PING") {
                client.write_all(b"PONG\r\n").unwrap();
            }
        }
    });
    let (said, status) = lab.refused(&["cluster", "status", "--nats", &url]);
    assert_eq!(status, 2);
    assert!(
        said.contains("has version 2.9.10; 2.10.23 or newer is needed"),
        "{said}"
    );
}

#[test]
fn a_worker_can_be_stopped_while_its_server_says_nothing() {
    let Some(lab) = Lab::closed() else { return };
    let mute = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("nats://{}", mute.local_addr().unwrap());
    let mut worker = lab.start(&["work", "--nats", &url], "worker");
    let _connection = mute.accept().unwrap();
    worker.interrupt();
    let output = worker.end();
    let said = lab.said("worker");
    assert_eq!(output.status.code(), Some(130), "{said}");
}

/// With the configuration of the documentation a worker can work, and nobody without its password can do
/// anything.
#[test]
fn workers_have_credentials_of_their_own() {
    let (_, users) = CONFIG.split_once("\nauthorization").unwrap();
    let Some(lab) = Lab::with(&format!("authorization{users}")) else {
        return;
    };
    let (said, status) = lab.refused(&["cluster", "status", "--nats", &lab.url()]);
    assert!(status == 2 && said.contains("does not let us in"), "{said}");
    let as_user = |user: &str| format!("nats://{user}@127.0.0.1:{}", lab.port);
    let (worker, lead) = (
        as_user("worker:change-me-too"),
        as_user("coordinator:change-me"),
    );
    let cache = lab.path("cache-ann");
    let work = [
        "work",
        "--nats",
        &worker,
        "--threads",
        "1",
        "--cache",
        cache.to_str().unwrap(),
    ];
    let _ann = lab.start(&work, "ann");
    let program = lab.file(
        "bot.c",
        include_str!("../../../../examples/intensity/bot.c"),
    );
    let contest = [&CONTEST[..], &[&program, "--out", "many"]].concat();
    lab.do_it(&[&contest[..], &["--nats", &lead]].concat());
    // A worker may not hold contests.
    let output = lab.run(&[&CONTEST[..], &["--nats", &worker]].concat());
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_worker_that_is_told_to_end_gives_back_what_it_has() {
    let Some(lab) = Lab::open() else { return };
    let slow = [
        "tournament",
        "intensity",
        "expert:iterations=300",
        "random",
        "a=random",
        "b=random",
    ];
    let rest = ["--rounds", "10", "--seed", "1", "--quiet"];
    let slow = [&slow[..], &rest].concat();
    lab.do_it(&[&slow[..], &["--out", "one"]].concat());
    let mut ann = lab.worker("ann");
    let url = lab.url();
    let coordinator = lab.start(
        &[&slow[..], &["--out", "many", "--nats", &url]].concat(),
        "coordinator",
    );
    std::thread::sleep(std::time::Duration::from_secs(2));
    ann.terminate();
    assert_eq!(ann.end().status.code(), Some(0));
    let _bob = lab.worker("bob");
    assert_eq!(coordinator.end().status.code(), Some(0));
    assert_eq!(lab.results("many"), lab.results("one"));
    assert!(!lab.said("coordinator").contains("lost"));
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let Some(lab) = Lab::open() else { return };
    lab.file("file", "");
    let url = lab.url();
    let output = lab.run(&["work", "--nats", &url, "--cache", "file/cache"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("failed to keep programs in file/cache: "),
        "{said}"
    );
}

/// Who logs in with a password never reads it again, however it is written.
#[test]
fn passwords_are_understood_and_not_shown() {
    let users = "authorization { users: [{ user: lead, password: \"s%c/r et\" }] }\n";
    let Some(lab) = Lab::with(users) else { return };
    let place = format!("127.0.0.1:{}", lab.port);
    let url = |password: &str| format!("nats://lead:{password}@{place}");
    lab.do_it(&["cluster", "status", "--nats", &url("s%25c%2Fr%20et")]);
    for wrong in [
        url("hidden"),
        "lead:hidden@".to_owned(),
        "x://lead:hidden@host".to_owned(),
    ] {
        let (said, status) = lab.refused(&["cluster", "status", "--nats", &wrong]);
        assert!(status == 2 && !said.contains("hidden"), "{said}");
    }
}

#[test]
fn audits_agree_between_honest_workers() {
    let Some(lab) = Lab::open() else { return };
    let _workers = [lab.worker("ann"), lab.worker("bob")];
    let url = lab.url();
    let audited = ["--audit", "50%", "--nats", &url, "--out", "many"];
    lab.do_it(&[&CONTEST[..], &audited].concat());
}
