//! Benchmarks of the web table: requests a second beside a server that only says hello, and many tables
//! with many who look on.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::bench::{Bench, Row};

/// How long each server is asked in its turn.
const SPELL: Duration = Duration::from_secs(5);

/// A server that runs until it is dropped.
struct Served {
    process: Child,
    address: String,
}

impl Served {
    /// Starts a server that prints its address.
    fn start(command: &mut Command) -> Result<Served, String> {
        let failed = |error: std::io::Error| format!("failed to run a server: {error}");
        let mut process = command.stdout(Stdio::piped()).spawn().map_err(failed)?;
        let said = process.stdout.take().ok_or("a server says nothing")?;
        let mut line = String::new();
        let read = BufReader::new(said).read_line(&mut line);
        let address = line
            .split("http://")
            .nth(1)
            .and_then(|rest| rest.split('/').next());
        let served = Served {
            address: address.unwrap_or_default().to_owned(),
            process,
        };
        match read {
            Ok(_) if !served.address.is_empty() => Ok(served),
            _ => Err(format!("a server did not print its address, but: {line}")),
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Requests a second, and a crowd.
pub(crate) fn web(bench: &Bench) -> Result<(), String> {
    requests(bench, &served(bench)?)?;
    // A server of its own: what another one has freed would be filled first.
    crowd(bench, &served(bench)?)
}

/// A web table without tables.
fn served(bench: &Bench) -> Result<Served, String> {
    let data = bench.scratch.join("tables");
    let _ = std::fs::remove_dir_all(&data);
    let mut croupier = Command::new(bench.programs.join("croupier"));
    croupier
        .args(["serve", "--listen", "127.0.0.1:0", "--data"])
        .arg(&data);
    Served::start(&mut croupier)
}

/// Requests a second, as wrk counts them.
fn requests(bench: &Bench, server: &Served) -> Result<(), String> {
    if Command::new("wrk").arg("--version").output().is_err() {
        eprintln!("xtask: left out: requests a second of the web table: apt install wrk");
        return Ok(());
    }
    let hello = Served::start(&mut Command::new(
        bench.example("croupier-server", "hello")?,
    ))?;
    let table = found(&server.address)?;
    let tables: Vec<Table> = (0..8)
        .map(|_| found(&server.address))
        .collect::<Result<_, _>>()?;
    let seconds = bench.time(SPELL).as_secs().max(1);
    let page = format!("http://{}/table/{}", server.address, table.id);
    let greeting = format!("http://{}/", hello.address);
    let cookie = table.cookie.clone();
    let (place, script) = (
        format!("http://{}", server.address),
        bench.own_source("moves.lua"),
    );
    let rows: Vec<Row> = vec![
        ("axum: hello", Box::new(move || wrk(seconds, &greeting, ""))),
        (
            "the page of a table",
            Box::new(move || wrk(seconds, &page, &cookie)),
        ),
        (
            "moves at 8 tables, each on the disk",
            Box::new(move || moves(seconds, &place, &script, &tables)),
        ),
    ];
    let measured = bench.report("Web, requests a second", rows);
    drop(hello);
    measured
}

/// Requests a second of one address.
fn wrk(seconds: u64, url: &str, cookie: &str) -> Result<f64, String> {
    let mut wrk = Command::new("wrk");
    wrk.args([
        "-t2",
        "-c32",
        &format!("-d{seconds}"),
        "-H",
        &format!("cookie: {cookie}"),
        url,
    ]);
    let said = output(&mut wrk)?;
    if said.contains("Non-2xx") {
        return Err(format!("{url} was refused: {said}"));
    }
    number(&said, "Requests/sec:")
}

/// Moves a second, each kept on the disk before it is answered.
fn moves(seconds: u64, place: &str, script: &Path, tables: &[Table]) -> Result<f64, String> {
    let threads = format!("-t{}", tables.len());
    let connections = format!("-c{}", tables.len());
    let mut wrk = Command::new("wrk");
    wrk.args([&threads, &connections, &format!("-d{seconds}"), "-s"]);
    wrk.arg(script).args([place, "--"]);
    for table in tables {
        wrk.args([&table.id, &table.cookie]);
    }
    let said = output(&mut wrk)?;
    Ok(number(&said, "moves:")? / number(&said, "seconds:")?)
}

fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output();
    let output = output.map_err(|error| format!("failed to run {command:?}: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn number(said: &str, name: &str) -> Result<f64, String> {
    let line = said.lines().find_map(|line| line.trim().strip_prefix(name));
    let found = line.and_then(|line| line.trim().parse().ok());
    found.ok_or_else(|| format!("there is no '{name}' in: {said}"))
}

/// Many tables with many who look on.
fn crowd(bench: &Bench, server: &Served) -> Result<(), String> {
    let crowd = bench.example("croupier-server", "crowd")?;
    let part = |whole: u64| {
        bench
            .count(whole * 10)
            .parse::<u64>()
            .map_or(1, |part| part.min(whole))
    };
    let (tables, listeners, moves) = (part(500), part(5000), part(1000));
    let pid = server.process.id().to_string();
    let mut command = Command::new(crowd);
    command.args([&pid, &server.address]);
    command.args([tables, listeners.max(tables), moves].map(|number| number.to_string()));
    let output = command.output();
    let output = output.map_err(|error| format!("failed to run {command:?}: {error}"))?;
    let told: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
        format!(
            "the crowd said: {}",
            String::from_utf8_lossy(&output.stderr)
        )
    })?;
    let figure = |name: &str| told[name].as_f64().unwrap_or_default();
    println!(
        "Web, {tables} tables and {listeners} who look on\n  \
         memory a table {:.0} KiB, a listener {:.0} KiB\n  \
         from a move to its arrival: median {:.1} ms, 99 % within {:.1} ms, longest {:.1} ms",
        figure("kib_per_table"),
        figure("kib_per_listener"),
        figure("median_ms"),
        figure("p99_ms"),
        figure("longest_ms"),
    );
    Ok(())
}

/// A table, and the cookie of the one who plays there.
struct Table {
    id: String,
    cookie: String,
}

/// Sets up a table of a game that does not end soon.
fn found(address: &str) -> Result<Table, String> {
    let failed = |error: std::io::Error| format!("failed to ask {address}: {error}");
    let body = "{\"game\":\"friday13\",\"seats\":[\"you\",\"built-in:smallest\"],\
                \"options\":{\"players\":\"2\",\"rounds\":\"100000\"}}";
    let mut stream = TcpStream::connect(address).map_err(failed)?;
    let request = format!(
        "POST /api/tables HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).map_err(failed)?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(failed)?;
    let after = |sign: &str, end: char| {
        let rest = answer.split(sign).nth(1)?;
        rest.split(end).next().map(str::to_owned)
    };
    let table = after("set-cookie: ", ';').zip(after("\"id\":\"", '"'));
    let table = table.map(|(cookie, id)| Table { id, cookie });
    table.ok_or_else(|| format!("{address} set up no table: {answer}"))
}
