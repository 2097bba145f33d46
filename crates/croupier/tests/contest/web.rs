//! `tournament --web`: the contest is shown while it runs, and ends as it would without.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

fn begin(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args([
            "tournament",
            "intensity",
            "careful",
            "careful",
            "random",
            "random",
        ])
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// The address that is told on the standard error.
fn address(errors: &mut impl std::io::BufRead) -> String {
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    let told = line.strip_prefix("croupier: the contest is shown at http://");
    let told = told.and_then(|told| told.strip_suffix(" while it runs\n"));
    told.unwrap_or_else(|| panic!("{line}")).to_owned()
}

fn get(address: &str) -> String {
    let (host, path) = address.split_once('/').unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(
        stream,
        "GET /{path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_contest_is_shown_while_it_runs_and_ctrl_c_ends_it_as_usual() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("cup");
    let out = out.to_str().unwrap();
    for kept in [vec!["--out", out], vec![]] {
        let arguments = [&["--rounds", "1000000", "--web", "--quiet"], &kept[..]].concat();
        let mut contest = begin(&arguments);
        let mut errors = BufReader::new(contest.stderr.take().unwrap());
        let address = address(&mut errors);
        let name = if kept.is_empty() { "intensity" } else { "cup" };
        assert!(address.starts_with("127.0.0.1:"), "{address}");
        assert!(address.ends_with(&format!("/contest/{name}")), "{address}");
        let page = get(&address);
        assert!(page.starts_with("HTTP/1.1 200"), "{page}");
        assert!(page.contains("pill live"), "{page}");
        kill(Pid::from_raw(contest.id() as i32), Signal::SIGINT).unwrap();
        let status = contest.wait().unwrap();
        assert_eq!(status.code(), Some(130));
        let rest: String = errors.lines().map(Result::unwrap).collect();
        assert!(rest.contains("stopped after"), "{rest}");
    }
}

#[test]
fn a_contest_that_nobody_looks_at_ends_by_itself() {
    let contest = begin(&["--rounds", "2", "--web", "--json"]);
    let done = contest.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(0));
    let report: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(report["games"], 8);
}
