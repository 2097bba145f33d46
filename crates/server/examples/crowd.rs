//! Many tables with many who look on: what a table costs, and how long a move takes to reach them.
//!
//! `crowd PID ADDRESS TABLES LISTENERS MOVES` speaks to the server that runs as PID and listens at
//! ADDRESS, and prints figures as JSON. At each table a person plays against a built-in player; each
//! move is timed from when it is sent to its arrival at everybody who looks on at that table.
//! Everybody who looks on is an open file of this process: as many have to be allowed.

use std::error::Error;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Anyhow<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// A table and the secret of the one who plays there.
struct Table {
    id: String,
    token: String,
}

/// Somebody who looks on has heard of a version at a table.
struct Heard {
    table: usize,
    version: u64,
    when: Instant,
}

#[tokio::main]
async fn main() -> Anyhow<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [pid, address, tables, listeners, moves] = &words[..] else {
        return Err("usage: crowd PID ADDRESS TABLES LISTENERS MOVES".into());
    };
    let (tables, listeners, moves): (usize, usize, usize) =
        (tables.parse()?, listeners.parse()?, moves.parse()?);
    let (_, allowed) = getrlimit(Resource::RLIMIT_NOFILE)?;
    setrlimit(Resource::RLIMIT_NOFILE, allowed, allowed)?;
    let empty = memory(pid)?;
    let mut open = Vec::new();
    for _ in 0..tables {
        open.push(found(address).await?);
    }
    let with_tables = memory(pid)?;
    let (hear, mut heard) = mpsc::unbounded_channel();
    for place in 0..listeners {
        let table = place % tables;
        let url = format!("ws://{address}/table/{}/socket", open[table].id);
        let (socket, _) = connect_async(url).await?;
        tokio::spawn(listen(socket, table, hear.clone()));
    }
    // Everybody is told the present first.
    tokio::time::sleep(Duration::from_secs(2)).await;
    while heard.try_recv().is_ok() {}
    let with_listeners = memory(pid)?;
    let each = listeners / tables;
    let mut times: Vec<f64> = Vec::new();
    for turn in 0..moves {
        let place = turn % tables;
        let (version, begin) = play(address, &open[place]).await?;
        let mut arrived = 0;
        while arrived < each {
            let next = tokio::time::timeout(Duration::from_secs(30), heard.recv()).await?;
            let next = next.ok_or("nobody listens")?;
            if next.table == place && next.version == version {
                times.push(next.when.duration_since(begin).as_secs_f64() * 1000.0);
                arrived += 1;
            }
        }
    }
    times.sort_by(f64::total_cmp);
    let quantile = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    let told = json!({
        "tables": tables,
        "listeners": listeners,
        "moves": moves,
        "kib_per_table": (with_tables - empty) / tables as f64,
        "kib_per_listener": (with_listeners - with_tables) / listeners as f64,
        "median_ms": quantile(0.5),
        "p99_ms": quantile(0.99),
        "longest_ms": quantile(1.0),
    });
    println!("{told}");
    Ok(())
}

/// Passes on which versions somebody is told of.
async fn listen(
    mut socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    table: usize,
    hear: mpsc::UnboundedSender<Heard>,
) {
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else {
            continue;
        };
        let when = Instant::now();
        // Every message begins with its version; the rest is not looked at.
        let version = text.strip_prefix("{\"version\":");
        let version = version.and_then(|rest| rest.split(',').next()?.parse().ok());
        if let Some(version) = version {
            let heard = Heard {
                table,
                version,
                when,
            };
            if hear.send(heard).is_err() {
                return;
            }
        }
    }
}

/// Sets up a table for one person and one built-in player.
async fn found(address: &str) -> Anyhow<Table> {
    let wanted = json!({
        "game": "friday13",
        "seats": ["you", "built-in:smallest"],
        "options": {"players": "2", "rounds": "1000"},
    });
    let made = ask(address, "POST", "/api/tables", None, Some(&wanted)).await?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    Ok(Table {
        id: text(&made["table"]["id"]).ok_or("no table")?,
        token: text(&made["token"]).ok_or("no token")?,
    })
}

/// Makes a move as soon as it is the person's turn; gives the version after it, and when it was sent.
async fn play(address: &str, table: &Table) -> Anyhow<(u64, Instant)> {
    let path = format!("/api/tables/{}", table.id);
    loop {
        let seen = ask(address, "GET", &path, Some(&table.token), None).await?;
        let choice = seen["legal"].as_array().and_then(|legal| legal.first());
        let Some(choice) = choice else {
            tokio::time::sleep(Duration::from_millis(1)).await;
            continue;
        };
        let version = seen["version"].as_u64().ok_or("no version")?;
        let sent = json!({"version": version, "nonce": "n", "move": choice});
        let path = format!("{path}/moves");
        let begin = Instant::now();
        ask(address, "POST", &path, Some(&table.token), Some(&sent)).await?;
        return Ok((version + 1, begin));
    }
}

async fn ask(
    address: &str,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: Option<&Value>,
) -> Anyhow<Value> {
    let body = body.map(Value::to_string).unwrap_or_default();
    let token = token.map(|token| format!("authorization: Bearer {token}\r\n"));
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\n{}\
         connection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        token.unwrap_or_default(),
        body.len()
    );
    let mut stream = TcpStream::connect(address).await?;
    stream.write_all(head.as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("no answer")?;
    match head.starts_with("HTTP/1.1 2") {
        true => Ok(serde_json::from_str(body)?),
        false => Err(format!("{method} {path}: {answer}").into()),
    }
}

/// The memory of a process, in KiB.
fn memory(pid: &str) -> Anyhow<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next());
    Ok(number.ok_or("no memory")?.parse()?)
}
