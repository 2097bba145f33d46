//! A worker is told to end (SIGTERM), and a coordinator is stopped (Ctrl-C), whatever they are doing.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::lab::{Lab, Running};
use crate::raw::Raw;

const PROGRAM: &str = include_str!("../../../../examples/intensity/bot.c");
const IN_PYTHON: &str = include_str!("../../../../examples/intensity/bot.py");

/// Waits for something that comes soon.
fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_there() {
        assert!(begun.elapsed() < Duration::from_secs(120), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Ends a worker, which has to go soon and by itself.
fn ends(lab: &Lab, mut worker: Running, name: &str) {
    let begun = Instant::now();
    worker.terminate();
    let status = worker.end().status;
    assert_eq!(status.code(), Some(0), "{status}: {}", lab.said(name));
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
fn while_it_connects() {
    let Some(lab) = Lab::closed() else { return };
    let mute = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("nats://{}", mute.local_addr().unwrap());
    let worker = lab.start(&["work", "--nats", &url], "worker");
    let _connection = mute.accept().unwrap();
    ends(&lab, worker, "worker");
}

/// A contest with this program, on one machine and then with a coordinator.
fn contest(lab: &Lab, program: &str) -> Running {
    let program = format!("c={program}");
    let players = ["tournament", "intensity", &program, "careful", "a=careful"];
    let rest = ["random", "--rounds", "3", "--seed", "3", "--quiet"];
    let contest = [&players[..], &rest].concat();
    lab.do_it(&[&contest[..], &["--out", "one"]].concat());
    let url = lab.url();
    let many = [&contest[..], &["--out", "many", "--nats", &url]].concat();
    lab.start(&many, "coordinator")
}

/// Another plays what the first has given back, and nobody was lost.
fn another_ends_it(lab: &Lab, coordinator: Running) {
    let _bob = lab.worker("bob");
    let status = coordinator.end().status;
    let said = lab.said("coordinator");
    assert_eq!(status.code(), Some(0), "{said}");
    assert!(!said.contains("lost"), "{said}");
    assert_eq!(lab.results("many"), lab.results("one"));
}

/// Whether a worker has a batch, as far as the coordinator knows.
fn is_held(lab: &Lab) -> bool {
    let status = lab.run(&["cluster", "status", "--json", "--nats", &lab.url()]);
    let status: serde_json::Value = serde_json::from_slice(&status.stdout).unwrap_or_default();
    status["contests"][0]["playing"]
        .as_u64()
        .is_some_and(|playing| playing > 0)
}

/// The server does not answer this worker when it asks for programs.
#[test]
fn while_it_fetches() {
    const USERS: &str = "\
authorization {
  users: [
    { user: all, password: all }
    { user: ann, password: ann, permissions: { publish: { deny: \"$JS.API.STREAM.MSG.GET.OBJ_CROUPIER\" } } }
  ]
}
no_auth_user: all
";
    let Some(lab) = Lab::with(USERS) else { return };
    let coordinator = contest(&lab, &lab.file("bot.c", PROGRAM));
    let (url, cache) = (lab.url().replace("//", "//ann:ann@"), lab.path("cache"));
    let ann = ["work", "--nats", &url, "--cache", cache.to_str().unwrap()];
    let ann = lab.start(&ann, "ann");
    wait_for("a batch", || is_held(&lab));
    ends(&lab, ann, "ann");
    assert!(!cache.join("objects").exists());
    another_ends_it(&lab, coordinator);
}

/// A worker that holds a batch as long as it lives: its compiler takes longer than any test.
fn compiling(lab: &Lab) -> Running {
    let slow = lab.file("slow/bin/cc", "#!/bin/sh\nsleep 1000\n");
    let may_run = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&slow, may_run).unwrap();
    let mut ann = Command::new(env!("CARGO_BIN_EXE_croupier"));
    ann.env("CC", slow);
    let ann = lab.start_worker(ann, "ann", &[]);
    wait_for("a batch", || is_held(lab));
    ann
}

#[test]
fn while_it_compiles() {
    let Some(lab) = Lab::open() else { return };
    let coordinator = contest(&lab, &lab.file("bot.c", PROGRAM));
    let ann = compiling(&lab);
    std::thread::sleep(Duration::from_secs(1));
    ends(&lab, ann, "ann");
    another_ends_it(&lab, coordinator);
}

/// A program that takes so long that a block takes seconds.
fn slow(lab: &Lab) -> String {
    lab.file(
        "bot.py",
        &format!("import time; time.sleep(0.05)\n{IN_PYTHON}"),
    )
}

#[test]
fn while_programs_play() {
    let Some(lab) = Lab::open() else { return };
    let coordinator = contest(&lab, &slow(&lab));
    let ann = lab.worker("ann");
    wait_for("a batch", || is_held(&lab));
    ends(&lab, ann, "ann");
    another_ends_it(&lab, coordinator);
}

/// The server takes nothing while it stands still.
#[test]
fn while_it_sends_results() {
    let Some(mut lab) = Lab::open() else { return };
    let coordinator = contest(&lab, &slow(&lab));
    let mut ann = Some(lab.worker("ann"));
    wait_for("a batch", || is_held(&lab));
    let said = lab.path("ann");
    lab.while_the_server_stands_still(|_| {
        let told = || std::fs::read_to_string(&said).unwrap_or_default();
        wait_for("a failure to publish", || told().contains("trying again"));
        let mut ann = ann.take().unwrap();
        ann.terminate();
        assert_eq!(ann.end().status.code(), Some(0), "{}", told());
    });
    let _bob = lab.worker("bob");
    let status = coordinator.end().status;
    assert_eq!(status.code(), Some(0), "{}", lab.said("coordinator"));
    assert_eq!(lab.results("many"), lab.results("one"));
}

#[test]
fn a_coordinator_that_was_stopped_goes_on() {
    let Some(lab) = Lab::open() else { return };
    let mut coordinator = contest(&lab, &lab.file("bot.c", PROGRAM));
    let ann = compiling(&lab);
    coordinator.interrupt();
    assert_eq!(coordinator.end().status.code(), Some(130));
    let said = lab.said("coordinator");
    let told = "croupier tournament --resume many";
    assert!(said.contains(told), "{said}");
    // Nothing is left behind that workers would play for nobody.
    let mut raw = Raw::connect(lab.port, None).unwrap();
    wait_for("an empty queue", || {
        let queue = raw.request("$JS.API.STREAM.INFO.CROUPIER_WORK", "{}");
        queue["state"]["messages"] == 0
    });
    ends(&lab, ann, "ann");
    let _bob = lab.worker("bob");
    let url = lab.url();
    lab.do_it(&["tournament", "--resume", "many", "--quiet", "--nats", &url]);
    assert_eq!(lab.results("many"), lab.results("one"));
}
