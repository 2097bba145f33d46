//! The web table from the command line: programs at tables, and a table for one person.

#[path = "../../server/tests/web/guest.rs"]
#[allow(dead_code)]
mod guest;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use guest::Guest;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

/// A `croupier` that serves, and what it has printed so far.
struct Served {
    process: Child,
    said: String,
}

impl Served {
    fn start(data: &Path, arguments: &[&str]) -> Served {
        let mut process = Command::new(env!("CARGO_BIN_EXE_croupier"))
            .args(arguments)
            .env("XDG_DATA_HOME", data)
            // No browser is opened.
            .env("PATH", "/usr/bin:/bin")
            .env_remove("DISPLAY")
            .stdout(Stdio::piped())
            .spawn()
            .expect("croupier");
        let mut said = String::new();
        let mut lines = BufReader::new(process.stdout.take().expect("a pipe"));
        while !said.contains("Ctrl-C ends it") {
            let read = lines.read_line(&mut said).expect("text");
            assert!(read > 0, "it ended: {said}");
        }
        Served { process, said }
    }

    /// The path of the page that it names, and somebody who asks there.
    fn guest(&self) -> (Guest, String) {
        let rest = self.said.split("http://").nth(1).expect("an address");
        let place = rest.split_whitespace().next().expect("an address");
        let (address, path) = place.split_once('/').expect("a path");
        let address: SocketAddr = address.parse().expect("an address");
        let cookie = None;
        (Guest { address, cookie }, format!("/{path}"))
    }

    /// Ends it by Ctrl-C; it has to end well.
    fn interrupt(mut self) {
        let pid = Pid::from_raw(self.process.id().try_into().expect("a process"));
        kill(pid, Signal::SIGINT).expect("it runs");
        let status = self.process.wait().expect("it ends");
        assert!(status.success(), "{status}");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn where_it_listens_may_be_localhost_and_a_wrong_address_says_what_a_right_one_is_like() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["serve", "--listen", "localhost:0"]);
    assert!(served.said.contains("http://127.0.0.1:"), "{}", served.said);
    served.interrupt();
    for wrong in [
        "8080",
        "localhost",
        "cards.example.org:80",
        "127.0.0.1:99999",
    ] {
        let refused = Command::new(env!("CARGO_BIN_EXE_croupier"))
            .args(["serve", "--listen", wrong])
            .output()
            .expect("croupier");
        assert_eq!(refused.status.code(), Some(2), "{wrong}");
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(said.contains("like 127.0.0.1:8080"), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

/// A program that always answers what no rule allows.
const STUBBORN: &str = "#!/usr/bin/env python3
import sys
sys.stderr.write('I <b>insist</b>')
print(999)
";

#[test]
fn a_fault_of_a_program_at_a_table_can_be_read_after_the_game() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("stubborn.py");
    std::fs::write(&program, STUBBORN).expect("a file");
    let named = format!("stubborn=intensity:{}", program.display());
    let serve = ["serve", "--listen", "127.0.0.1:0", "--program", &named];
    let served = Served::start(folder.path(), &serve);
    let (mut ann, _) = served.guest();
    let seats = [
        "you",
        "program:stubborn",
        "built-in:careful",
        "built-in:careful",
    ];
    let wanted = json!({"game": "intensity", "seats": seats, "seed": "1"});
    let made = ann.post_json("/api/tables", &wanted).expect(201).json();
    let table = made["table"]["id"].as_str().expect("an id").to_owned();
    let begin = Instant::now();
    let mut was_closed = false;
    loop {
        assert!(
            begin.elapsed() < Duration::from_secs(300),
            "it does not end"
        );
        let seen = ann.get(&format!("/api/tables/{table}")).expect(200).json();
        if seen["to_move"].is_null() {
            break;
        }
        // What the program was given tells its cards: nobody reads that while they matter.
        let early = ann.get(&format!("/table/{table}/fault/0"));
        assert!(early.status == 404 || early.status == 409, "{early:?}");
        was_closed |= early.status == 409;
        let Some(choice) = seen["legal"].as_array().and_then(|legal| legal.first()) else {
            std::thread::sleep(Duration::from_millis(10));
            continue;
        };
        let sent = json!({"version": seen["version"], "nonce": "n", "move": choice});
        ann.post_json(&format!("/api/tables/{table}/moves"), &sent);
    }
    assert!(was_closed, "a fault was there before the end");
    let page = ann.get(&format!("/table/{table}")).expect(200).body;
    let link = format!("/table/{table}/fault/0");
    assert!(page.contains(&link), "{page}");
    let fault = ann.get(&link).expect(200).body;
    for told in [
        "its answer could not be read",
        "999",
        "I &#60;b&#62;insist",
        "What it was given",
    ] {
        assert!(fault.contains(told), "{told}: {fault}");
    }
    served.interrupt();
    // It is still there after a restart.
    let served = Served::start(folder.path(), &serve);
    let (ann, _) = served.guest();
    assert_eq!(ann.get(&link).expect(200).body, fault);
    served.interrupt();
}

#[test]
fn a_person_plays_at_a_table_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let play = [
        "play",
        "friday13",
        "--web",
        "--against",
        "smallest,optimal",
        "--seed",
        "5",
    ];
    let served = Served::start(folder.path(), &play);
    let (mut ann, seat) = served.guest();
    let offered = ann.get(&seat).expect(200).body;
    assert!(offered.contains("Friday the 13th"), "{offered}");
    let seated = ann.post(&seat, &[("name", "Ann")]).expect(303);
    let table = seated.header("location").expect("a table").to_owned();
    let page = ann.get(&table).expect(200).body;
    for name in ["Ann", "smallest", "optimal"] {
        assert!(page.contains(name), "{name}: {page}");
    }
    served.interrupt();
}

/// An expert thinks, somebody listens at a socket, somebody at a stream, and somebody has not asked yet.
#[test]
fn it_ends_with_everything_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let served = Served::start(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    let (mut ann, _) = served.guest();
    let seats = ["built-in:expert:time=1s", "you"];
    let wanted = json!({"game": "friday13", "seats": seats, "options": {"players": "2"}});
    let made = ann.post_json("/api/tables", &wanted).expect(201).json();
    let table = made["table"]["id"].as_str().expect("an id").to_owned();
    let host = ann.address;
    let heads = [
        format!("GET /api/tables/{table}/events HTTP/1.1\r\nhost: {host}\r\n\r\n"),
        format!(
            "GET /table/{table}/socket HTTP/1.1\r\nhost: {host}\r\nconnection: upgrade\r\n\
             upgrade: websocket\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        ),
        format!("GET / HTTP/1.1\r\nhost: {host}\r\n"),
    ];
    let mut streams = heads.map(|head| {
        let mut stream = TcpStream::connect(host).expect("a connection");
        stream.write_all(head.as_bytes()).expect("it is sent");
        stream
    });
    // The stream and the socket are answered.
    for stream in &mut streams[..2] {
        stream.read_exact(&mut [0; 12]).expect("an answer");
    }
    served.interrupt();
    let rests = streams.map(|mut stream| {
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        rest
    });
    assert!(rests[0].ends_with(b"0\r\n\r\n"), "the stream is whole");
    assert!(rests[1].ends_with(b"the server ends"), "the socket is told");
}

#[test]
fn a_player_that_does_not_exist_is_refused_before_anything_is_served() {
    let folder = tempfile::tempdir().expect("a folder");
    let refused = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["play", "friday13", "--web", "--against", "expert:level=11"])
        .env("XDG_DATA_HOME", folder.path())
        .output()
        .expect("croupier");
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("level"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
}
