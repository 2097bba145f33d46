//! Signals at different moments: the referee stops, and nothing is left of it.

use std::fs;
use std::io::Read as _;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use croupier_bots::is_ignored;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::bench::{Bench, Told, plays_low};

/// A program that makes the file `asked` and then sleeps when this is asked.
fn sleeps_when(asked: &str) -> String {
    let sleeps = format!("[ {asked} ] && {{ : >${{0%/*}}/asked; exec sleep 600; }}");
    plays_low("Sleepy", &sleeps)
}

/// Waits until the program has made its file.
fn until_asked(bench: &Bench) {
    let began = Instant::now();
    while !bench.path().join("asked").exists() {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "it is never asked"
        );
        thread::sleep(Duration::from_millis(10));
    }
}

/// Sends the signal and waits, but not for as long as the programs would sleep.
fn stopped(bench: &Bench, referee: Child, signal: Signal) -> Told {
    let sent = Instant::now();
    kill(Pid::from_raw(referee.id() as i32), signal).unwrap();
    let told = bench.end(referee);
    assert!(sent.elapsed() < Duration::from_secs(60), "{signal}");
    told
}

/// Waits until the referee has said what it does about a signal.
fn until_it_catches(referee: &Child, signal: Signal) {
    let status = format!("/proc/{}/status", referee.id());
    loop {
        let status = fs::read_to_string(&status).unwrap();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap().trim(), 16).unwrap();
        if caught >> (signal as i32 - 1) & 1 == 1 {
            return;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

fn is_stopped(told: &Told) {
    assert_eq!(
        (told.status, told.stderr.as_str()),
        (
            Some(130),
            "intensity_referee: stopped; --seed 7 deals this game again\n"
        )
    );
}

#[test]
fn while_a_program_thinks() {
    let signals = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP];
    // Where these tests outlive their terminal, so does the referee.
    let heeded = |signal: &Signal| !is_ignored(*signal as i32);
    for signal in signals.into_iter().filter(heeded) {
        for asked in ["$1 = 0", "$1 = 1", "$1$2 = 28"] {
            let bench = Bench::new();
            bench.program("sleepy", &sleeps_when(asked));
            let referee = bench.start(&["sleepy", "sleepy", "--seed", "7"]);
            until_asked(&bench);
            is_stopped(&stopped(&bench, referee, signal));
        }
    }
}

#[test]
fn while_the_person_thinks() {
    let bench = Bench::new();
    bench.program("shelly", &plays_low("Shelly", ""));
    let mut referee = bench.start(&["-i", "shelly", "--seed", "7"]);
    let person = referee.stdin.take();
    let mut told = String::new();
    while !told.ends_with("Enter cards to discard: ") {
        let mut byte = [0];
        let out = referee.stdout.as_mut().unwrap();
        out.read_exact(&mut byte).unwrap();
        told.push(char::from(byte[0]));
    }
    is_stopped(&stopped(&bench, referee, Signal::SIGINT));
    drop(person);
}

#[test]
fn while_nobody_reads_what_is_told() {
    let bench = Bench::new();
    let mut referee = bench.start(&["-i", "--seed", "7"]);
    let mut person = referee.stdin.take().unwrap();
    let typing = thread::spawn(move || {
        // Every empty line is refused, until the pipe to us is full, and then the one from us.
        std::io::Write::write_all(&mut person, &[b'\n'; 1 << 20])
    });
    // The longer it runs, the fuller the pipes; but at first it would not even hear the signal.
    until_it_catches(&referee, Signal::SIGTERM);
    thread::sleep(Duration::from_millis(500));
    is_stopped(&stopped(&bench, referee, Signal::SIGTERM));
    assert!(typing.join().unwrap().is_err());
}

/// As after `nohup`.
#[test]
fn a_hangup_that_is_to_be_ignored_is_ignored() {
    let bench = Bench::new();
    bench.program(
        "sleepy",
        &plays_low("Sleepy", ": >${0%/*}/asked; sleep 0.1"),
    );
    let script = format!(
        "trap '' HUP; exec {} sleepy --seed 7",
        env!("CARGO_BIN_EXE_intensity_referee")
    );
    let referee = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(bench.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    until_asked(&bench);
    kill(Pid::from_raw(referee.id() as i32), Signal::SIGHUP).unwrap();
    let output = referee.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
}
