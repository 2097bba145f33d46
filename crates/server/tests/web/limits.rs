//! What is bounded, what happens at the bound, and that it goes on afterwards.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use croupier_games::GAMES;
use croupier_server::Settings;
use serde_json::json;

use crate::hall::{Guest, Hall};

/// Tries until it is so; a machine may be slow.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Opens a socket at a table, and leaves it open; none if there is no place for it.
fn socket(guest: &Guest, table: &str) -> Option<TcpStream> {
    let host = guest.address;
    let mut stream = TcpStream::connect(host).expect("a connection");
    let head = format!(
        "GET /table/{table}/socket HTTP/1.1\r\nhost: {host}\r\nconnection: upgrade\r\n\
         upgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    let _ = stream.write_all(head.as_bytes());
    let mut line = String::new();
    let mut reader = BufReader::new(stream);
    // Who is turned away may find the connection closed.
    let read = reader.read_line(&mut line);
    (read.is_ok() && line.contains(" 101 ")).then(|| reader.into_inner())
}

#[test]
fn a_socket_keeps_its_place_among_the_connections() {
    let data = tempfile::tempdir().expect("a folder");
    let mut settings = Settings::new(GAMES.clone(), data.path().to_owned());
    settings.most_connections = 4;
    let hall = Hall::with(settings);
    let mut ann = hall.stranger();
    let table = ann.sit_down_at("war", 1);
    let mut sockets = Vec::new();
    until("there are four places", || {
        sockets.extend(socket(&ann, &table));
        sockets.len() == 4
    });
    let refused = ann.get("/rules/war").expect(503);
    assert!(refused.header("retry-after").is_some());
    assert!(socket(&ann, &table).is_none());
    sockets.pop();
    until("the place is free again", || socket(&ann, &table).is_some());
}

/// However many are asked for, so many are simulated, and not one more for each that is refused.
#[test]
fn simulations_do_not_push_each_other_out() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let guest = hall.stranger();
    let ask = |seed: u64| {
        let path = format!("/war/simulation?seed={seed}&games=100000000");
        guest.get(&path).status
    };
    let first: Vec<u16> = (0..4).map(ask).collect();
    assert_eq!(first, [200; 4]);
    for seed in 4..40 {
        assert_eq!(ask(seed), 503, "{seed}");
        // As long as somebody asks for them, the first ones go on.
        assert_eq!(ask(seed % 4), 200);
    }
}

/// One thread for all who think: the tables for which there is none say so, and get their turn.
#[test]
fn tables_whose_players_find_no_thread_wait_and_say_so() {
    let data = tempfile::tempdir().expect("a folder");
    let mut settings = Settings::new(GAMES.clone(), data.path().to_owned());
    settings.threads = 1;
    let hall = Hall::with(settings);
    let mut ann = hall.stranger();
    let mut seats = ["built-in:expert:time=1s"; 4];
    seats[3] = "you";
    let wanted = json!({"game": "intensity", "seats": seats});
    let tables: Vec<String> = (0..3)
        .map(|_| {
            let made = ann.post_json("/api/tables", &wanted).expect(201).json();
            made["table"]["id"].as_str().expect("an id").to_owned()
        })
        .collect();
    until("somebody waits", || {
        let mut pages = tables
            .iter()
            .map(|id| ann.get(&format!("/table/{id}")).body);
        pages.any(|page| page.contains("waits for a free place to think, one of 2."))
    });
    until("all get their turn", || {
        let mut seen = tables
            .iter()
            .map(|id| ann.get(&format!("/api/tables/{id}")));
        seen.all(|seen| seen.json()["to_move"] == 3)
    });
}

#[test]
fn players_without_people_play_for_those_who_look_on() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    let seats = ["built-in:random", "built-in:random"];
    let wanted = json!({"game": "friday13", "seats": seats, "options": {"players": "2"}});
    let made = ann.post_json("/api/tables", &wanted).expect(201).json();
    let table = made["table"]["id"].as_str().expect("an id").to_owned();
    // The first move would have been made by now.
    std::thread::sleep(Duration::from_millis(1300));
    let lobby = ann.get("/").body;
    assert!(lobby.contains("about to begin"), "nobody looks on");
    let path = format!("/api/tables/{table}");
    until("they play", || ann.get(&path).json()["version"] != 0);
}

#[test]
fn a_move_is_not_as_long_as_one_likes() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    let table = ann.sit_down_at("intensity", 1);
    let path = format!("/api/tables/{table}");
    let seen = ann.get(&path).json();
    let choice = seen["legal"][0].as_str().expect("a move");
    let padded = choice.replacen(' ', &" ".repeat(100_000), 1);
    let sent = json!({"version": 0, "nonce": "n", "move": padded});
    ann.post_json(&format!("{path}/moves"), &sent).expect(400);
    let sent = json!({"version": 0, "nonce": "n", "move": choice});
    ann.post_json(&format!("{path}/moves"), &sent).expect(200);
}

/// Who sends too much is told so, even one who first sends everything and then listens, as proxies do.
#[test]
fn who_sends_too_much_hears_of_it() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let host = hall.address;
    let elsewhere = "http://elsewhere.example";
    let here = format!("http://{host}");
    for (origin, status) in [(here.as_str(), "413"), (elsewhere, "403")] {
        let mut stream = TcpStream::connect(host).expect("a connection");
        let length = 8 << 20;
        let head = format!(
            "POST /play/uno HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\n\
             content-type: application/x-www-form-urlencoded\r\ncontent-length: {length}\r\n\r\n"
        );
        let sent = stream.write_all(&[head.as_bytes(), &vec![b'x'; length]].concat());
        sent.expect("everything is taken");
        let mut line = String::new();
        let read = BufReader::new(stream).read_line(&mut line);
        read.expect("an answer");
        assert!(line.contains(status), "{line}");
    }
}

/// The file of a table says that nobody sits where the game has a seat.
#[test]
fn a_table_with_too_few_chairs_is_not_set_up() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    let table = ann.sit_down_at("war", 1);
    hall.close();
    let file = data.path().join(format!("{table}.jsonl"));
    let text = std::fs::read_to_string(&file).expect("a file");
    let (first, rest) = text.split_once('\n').expect("lines");
    let mut first: serde_json::Value = serde_json::from_str(first).expect("JSON");
    first["chairs"].as_array_mut().expect("chairs").pop();
    std::fs::write(&file, format!("{first}\n{rest}")).expect("a file");
    let hall = Hall::open(data.path());
    let ann = Guest {
        address: hall.address,
        ..ann
    };
    ann.get(&format!("/table/{table}")).expect(503);
    ann.get(&format!("/table/{}", table.to_uppercase()))
        .expect(404);
    ann.get("/").expect(200);
}
