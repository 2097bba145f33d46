//! Random and mutated requests to every route: none of them a 500, none of them a panic, no card of
//! another seat.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use croupier_core::{Rng, Seed};
use croupier_games::GAMES;
use croupier_server::{Route, Settings, routes};

use crate::hall::{Guest, Hall, PANICS, count_panics, is_complete, offered};
use crate::held::{HOSTILE, hold, umpires};
use crate::replay::{record, shown_at};

/// How many requests; `CROUPIER_REQUESTS=100000` for the full number.
fn requests() -> u64 {
    let given = std::env::var("CROUPIER_REQUESTS");
    given
        .ok()
        .and_then(|given| given.parse().ok())
        .unwrap_or(2000)
}

/// So many ask at once.
const AT_ONCE: usize = 8;

const WORDS: [&str; 22] = [
    "",
    "0",
    "-1",
    "1",
    "99999999999999999999",
    "18446744073709551615",
    "null",
    "[]",
    "{}",
    "\"",
    "%00",
    "%ff",
    "../..",
    "//",
    "?",
    "&",
    "=",
    ";",
    "a b",
    "é\u{202e}",
    "you",
    "open",
];

fn mutated(rng: &mut Rng, request: &[u8]) -> Vec<u8> {
    let mut bytes = request.to_vec();
    for _ in 0..=rng.below(3) {
        let place = rng
            .below(bytes.len().max(1))
            .min(bytes.len().saturating_sub(1));
        match rng.below(6) {
            0 => bytes[place] = rng.below(256) as u8,
            1 => {
                bytes.remove(place);
            }
            2 => {
                let word = WORDS[rng.below(WORDS.len())].as_bytes();
                bytes.splice(place..place, word.iter().copied());
            }
            3 => {
                let end = (place + rng.below(20)).min(bytes.len());
                let part = bytes[place..end].to_vec();
                bytes.splice(place..place, part);
            }
            4 => {
                let end = (place + rng.below(12)).min(bytes.len());
                bytes.drain(place..end);
            }
            _ => bytes.truncate(place.max(1)),
        }
        if bytes.is_empty() {
            bytes.push(b'\n');
        }
    }
    bytes
}

/// What there is to be asked for.
struct World {
    hall: Hall,
    tables: [String; 2],
    contest: String,
    player: String,
    fault: String,
    game: String,
    dropped: String,
    cookies: [String; 3],
}

/// A request before it is mutated.
struct Base {
    method: &'static str,
    path: String,
    kind: &'static str,
    body: &'static str,
}

const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";

/// Something of everything that any page takes in its address.
const QUERIES: [&str; 3] = [
    "",
    "?at=1&seat=1&from=0&count=3&version=0&card=red%207&skip=1&kind=crash&page=2&sort=name&pick=a",
    "?seat=all&at=0&games=100000&seed=1&short-war=loses&winnings=transcript&opt-players=4&watch=1\
     &inaccuracy=0.1&mistake=0.2&blunder=9&records=1&search=a&order=reversed&faults=any&player=1",
];

/// What is sent to a route. A route that is not here has been forgotten.
fn bodies(path: &str) -> Vec<(&'static str, &'static str)> {
    let base = path.replace("/{game}", "");
    match base.as_str() {
        "/play" => vec![
            (
                FORM,
                "opt-players=3&opt-values=1,2&seed=1&seat-1=open&name=x",
            ),
            (FORM, "opt-deck=P:1:1,0,0,0&look=1"),
        ],
        "/table/{id}/move" => vec![(FORM, "version=0&nonce=a&move=discard+10+11+12")],
        "/table/{id}/hint" => vec![(FORM, "version=0")],
        "/table/{id}/seat" => vec![(FORM, "seat=1&how=give"), (FORM, "seat=0&how=back")],
        "/table/{id}/again" => vec![(FORM, "how=deal")],
        "/table/{id}/join/{token}" => vec![(FORM, "name=x")],
        "/replay" => vec![
            (
                "text/plain",
                "{\"line\":\"game\",\"format\":2,\"game\":\"war\",\"version\":1,\"setup\":{},\"seed\":\"7\",\"players\":[\"a\",\"b\"]}\n{\"line\":\"outcome\",\"scores\":[1,0],\"places\":[1,2]}\n",
            ),
            (
                "multipart/form-data; boundary=x",
                "--x\r\ncontent-disposition: form-data; name=\"r\"; filename=\"r\"\r\n\r\n{}\r\n--x--\r\n",
            ),
        ],
        "/replay/{kind}/{name}/try" => vec![(FORM, "move=play+12")],
        "/replay/{kind}/{name}/play-on" => vec![(FORM, "at=0&seat=0&name=x")],
        "/api/tables" => vec![
            (
                JSON,
                "{\"game\":\"uno\",\"seats\":[\"you\"],\"options\":{\"mode\":\"casual\"}}",
            ),
            (JSON, "{\"game\":\"friday13\",\"seed\":\"3\"}"),
        ],
        "/api/tables/{id}/moves" => {
            vec![(JSON, "{\"version\":0,\"nonce\":\"z\",\"move\":\"play 1\"}")]
        }
        "/api/tables/{id}/hint" => vec![(JSON, "{\"version\":0}")],
        "/api/tables/{id}/seats/{seat}" => vec![
            (
                JSON,
                "{\"how\":\"join\",\"invitation\":\"0123\",\"name\":\"x\"}",
            ),
            (JSON, "{\"how\":\"give\"}"),
        ],
        path => panic!("this test does not know what to send to {path}"),
    }
}

impl World {
    fn new(data: &std::path::Path) -> (World, Guest) {
        let shelf = data.join("shelf");
        hold(&shelf.join("cup"), 1, HOSTILE, |_| {});
        let war = record("war", &[], "", &["South", "North"]);
        std::fs::write(shelf.join("kept.jsonl"), &war).expect("a record");
        let hall = Hall::with(Settings {
            umpires: umpires(),
            folders: vec![shelf],
            ..Settings::new(GAMES.clone(), data.join("tables"))
        });
        let (mut ann, mut ben) = (hall.stranger(), hall.stranger());
        let tables = [
            ann.sit_down_at("intensity", 1),
            ben.sit_down_at("friday13", 2),
        ];
        let cookie = |guest: &Guest| guest.cookie.clone().expect("a cookie");
        let faults = ann.get("/api/contests/cup/faults").json();
        let fault = faults["faults"][0]["id"].as_str().expect("a fault");
        let player = ann.get("/contest/cup/player/careful").expect(200).body;
        let game = player.split("/replay/contest/cup/").nth(1);
        let game = game.and_then(|rest| rest.split('"').next());
        let world = World {
            tables,
            contest: "cup".to_owned(),
            player: "careful".to_owned(),
            fault: fault.to_owned(),
            game: game.expect("a record").to_owned(),
            dropped: shown_at(&ann, &war).replace("/replay/dropped/", ""),
            cookies: [cookie(&ann), cookie(&ben), "croupier=1".to_owned()],
            hall,
        };
        (world, ann)
    }

    /// The paths of a route, with everything that can stand for its parts.
    fn paths(&self, route: &Route) -> Vec<String> {
        let path = route.path.as_str();
        let sets: Vec<Vec<(&str, &str)>> = if path.contains("{kind}") && path.contains("{game}") {
            vec![vec![
                ("kind", "contest"),
                ("name", &self.contest),
                ("game", &self.game),
            ]]
        } else if path.contains("{kind}") {
            let [first, second] = &self.tables;
            let all = [
                ("table", first.as_str()),
                ("table", second),
                ("record", "kept"),
                ("dropped", &self.dropped),
                ("war", "7~loses~transcript"),
            ];
            let all = all.map(|(kind, name)| vec![("kind", kind), ("name", name)]);
            all.to_vec()
        } else if path.contains("/contest") {
            vec![vec![
                ("name", &self.contest),
                ("player", &self.player),
                ("id", &self.fault),
            ]]
        } else {
            let set = |table| vec![("id", table), ("name", "site.css")];
            self.tables
                .iter()
                .map(|table| set(table.as_str()))
                .collect()
        };
        let always = [
            ("seat", "1"),
            ("number", "0"),
            ("hash", "0123456789abcdef"),
            ("token", "0123456789abcdef0123456789abcdef"),
            ("game", "austerity"),
        ];
        let filled = sets.iter().map(|set| {
            let parts = set.iter().chain(&always);
            let path = parts.fold(path.to_owned(), |path, (name, value)| {
                path.replace(&format!("{{{name}}}"), value)
            });
            assert!(
                !path.contains('{'),
                "this test does not know what {path} is"
            );
            path
        });
        let mut paths: Vec<String> = filled.collect();
        paths.dedup();
        paths
    }

    /// All routes as they are asked for.
    fn bases(&self) -> Vec<Base> {
        let mut bases = Vec::new();
        for route in routes() {
            for path in self.paths(&route) {
                let method = route.method;
                match method {
                    "GET" => bases.extend(QUERIES.map(|query| Base {
                        method,
                        path: format!("{path}{query}"),
                        kind: FORM,
                        body: "",
                    })),
                    _ => bases.extend(bodies(&route.path).into_iter().map(|(kind, body)| Base {
                        method,
                        path: path.clone(),
                        kind,
                        body,
                    })),
                }
            }
        }
        bases
    }

    fn request(&self, base: &Base, cookie: &str) -> Vec<u8> {
        let Base {
            method,
            path,
            kind,
            body,
        } = base;
        let host = self.hall.address;
        let connection = match path.contains("/socket") {
            true => {
                "upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                     sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=="
            }
            false => "close",
        };
        format!(
            "{method} {path} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\n\
             connection: {connection}\r\ncookie: {cookie}\r\ncontent-type: {kind}\r\n\
             content-length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes()
    }
}

/// Whether nothing is missing of a request, so that it has to be answered or refused.
fn is_whole(bytes: &[u8]) -> bool {
    let Some(end) = bytes.windows(4).position(|part| part == b"\r\n\r\n") else {
        return false;
    };
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let length = head
        .split("content-length:")
        .nth(1)
        .and_then(|rest| rest.lines().next());
    let length = length.and_then(|length| length.trim().parse::<usize>().ok());
    length.unwrap_or(0) <= bytes.len() - end - 4
        && !head.contains("transfer-encoding")
        && !head.starts_with("head")
}

/// Whether an answer is there, or the beginning of a stream, which has no end.
fn is_enough(text: &[u8]) -> bool {
    let end = text.windows(4).position(|part| part == b"\r\n\r\n");
    let head = String::from_utf8_lossy(&text[..end.unwrap_or(0)]);
    is_complete(text) || head.contains("text/event-stream")
}

#[test]
fn whatever_is_sent_is_answered_or_refused() {
    count_panics();
    let data = tempfile::tempdir().expect("a folder");
    let (world, ann) = World::new(data.path());
    let table = &world.tables[0];
    let bases = world.bases();
    // The cards of a seat are in no answer to anybody else: neither its view nor its hand, nor the moves
    // that it may make, of which each names three of its cards.
    let seen = ann.get(&format!("/api/tables/{table}")).json();
    let moves = offered(&ann.get(&format!("/table/{table}")).body);
    let [Some(first), Some(last)] = [moves.first(), moves.last()] else {
        panic!("it is the turn of who has sat down");
    };
    let cards = [
        seen["view"].to_string(),
        seen["view"]["hand"].to_string(),
        first.clone(),
        last.clone(),
    ];
    assert!(cards.iter().all(|card| card.len() > 8), "{cards:?}");
    let tells = |body: &str| cards.iter().any(|card| body.contains(card));
    assert!(tells(&ann.get(&format!("/table/{table}")).body));
    let own = &world.cookies[0];
    let stranger = world.hall.stranger();
    // Each as it is, and then as it is not.
    let plain = bases.iter().flat_map(|base| {
        let requests = world.cookies.iter();
        requests.map(|cookie| world.request(base, cookie))
    });
    let plain: Vec<Vec<u8>> = plain.collect();
    // What is cut off is waited for, so several ask at once.
    let ask = &|part: u64| {
        let mut rng = Seed(13).deal(part).rng();
        let mut answered: BTreeMap<u16, u64> = BTreeMap::new();
        for number in (part..requests()).step_by(AT_ONCE) {
            let known = usize::try_from(number).ok().and_then(|n| plain.get(n));
            let bytes = known.cloned().unwrap_or_else(|| {
                let base = &bases[rng.below(bases.len())];
                let cookie = &world.cookies[rng.below(world.cookies.len())];
                mutated(&mut rng, &world.request(base, cookie))
            });
            let has_own = bytes.windows(own.len()).any(|part| part == own.as_bytes());
            let Some(answer) = stranger.raw_until(&bytes, is_whole(&bytes), is_enough) else {
                continue;
            };
            *answered.entry(answer.status).or_default() += 1;
            let sent = String::from_utf8_lossy(&bytes).into_owned();
            assert_ne!(answer.status, 500, "{sent}\n{}", answer.body);
            assert!(has_own || !tells(&answer.body), "{sent}\n{}", answer.body);
        }
        answered
    };
    let mut answered: BTreeMap<u16, u64> = BTreeMap::new();
    std::thread::scope(|scope| {
        let parts = (0..AT_ONCE as u64).map(|part| scope.spawn(move || ask(part)));
        for part in parts.collect::<Vec<_>>() {
            for (status, count) in part.join().expect("nothing is wrong with its answers") {
                *answered.entry(status).or_default() += count;
            }
        }
    });
    println!("{} routes, answers by status: {answered:?}", routes().len());
    let all: u64 = answered.values().sum();
    assert!(all > requests() / 2, "most are answered: {all}");
    assert!(
        answered.get(&200) > Some(&100),
        "and many are served: {answered:?}"
    );
    assert_eq!(PANICS.load(Ordering::Relaxed), 0);
    ann.get(&format!("/table/{table}")).expect(200);
}
