//! Random and mutated requests: none of them a 500, none of them a panic.

use std::sync::atomic::Ordering;

use croupier_core::{Rng, Seed};
use serde_json::json;

use crate::hall::{Guest, Hall, PANICS, count_panics};

/// How many requests; `CROUPIER_REQUESTS=100000` for the full number.
fn requests() -> u64 {
    let given = std::env::var("CROUPIER_REQUESTS");
    given
        .ok()
        .and_then(|given| given.parse().ok())
        .unwrap_or(2000)
}

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

fn whole(hall: &Hall, method: &str, path: &str, cookie: &str, kind: &str, body: &str) -> Vec<u8> {
    let host = hall.address;
    format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\nconnection: close\r\n\
         cookie: {cookie}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
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
        && !head.contains("/events")
        && !head.starts_with("head")
}

#[test]
fn whatever_is_sent_is_answered_or_refused() {
    count_panics();
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let (mut ann, mut ben) = (hall.stranger(), hall.stranger());
    let table = ann.sit_down_at("intensity", 1);
    let other = ben.sit_down_at("friday13", 2);
    let cookie = |guest: &Guest| guest.cookie.clone().expect("a cookie");
    let cookies = [cookie(&ann), cookie(&ben), "croupier=1".to_owned()];
    let form = "application/x-www-form-urlencoded";
    let json = "application/json";
    let mut bases = Vec::new();
    for cookie in &cookies {
        for id in [&table, &other] {
            let gets = [
                "",
                "?at=1",
                "/present?at=0",
                "/record",
                "/join/0123",
                "/socket?version=0",
                "/card?card=red%207&at=1",
                "/fault/0",
            ];
            for end in [
                "",
                "?at=1&seat=1",
                "/moments?from=0&count=3",
                "/review",
                "/saved",
            ] {
                let path = format!("/replay/table/{id}{end}");
                bases.push(whole(&hall, "GET", &path, cookie, form, ""));
            }
            for path in gets.map(|end| format!("/table/{id}{end}")) {
                bases.push(whole(&hall, "GET", &path, cookie, form, ""));
            }
            for (end, body) in [
                ("move", "version=0&nonce=a&move=discard+10+11+12"),
                ("seat", "seat=1&how=give"),
                ("again", "how=deal"),
                ("join/0123456789abcdef0123456789abcdef", "name=x"),
            ] {
                let path = format!("/table/{id}/{end}");
                bases.push(whole(&hall, "POST", &path, cookie, form, body));
            }
            let sent = json!({"version": 0, "nonce": "z", "move": "play 1"}).to_string();
            let path = format!("/api/tables/{id}/moves");
            bases.push(whole(&hall, "POST", &path, cookie, json, &sent));
            let path = format!("/api/tables/{id}/seats/1");
            bases.push(whole(
                &hall,
                "POST",
                &path,
                cookie,
                json,
                "{\"how\":\"join\"}",
            ));
            bases.push(whole(
                &hall,
                "GET",
                &format!("/api/tables/{id}"),
                cookie,
                json,
                "",
            ));
        }
        for path in [
            "/",
            "/war",
            "/rules/uno",
            "/play/austerity?opt-players=4",
            "/api/games",
            "/api/tables",
        ] {
            bases.push(whole(&hall, "GET", path, cookie, form, ""));
        }
        bases.push(whole(
            &hall,
            "POST",
            "/play/friday13",
            cookie,
            form,
            "opt-players=3&opt-values=1,2&seed=1",
        ));
        bases.push(whole(
            &hall,
            "POST",
            "/play/austerity",
            cookie,
            form,
            "opt-deck=P:1:1,0,0,0&look=1",
        ));
        let wanted = "{\"game\":\"uno\",\"seats\":[\"you\"],\"options\":{\"mode\":\"casual\"}}";
        bases.push(whole(&hall, "POST", "/api/tables", cookie, json, wanted));
    }
    // The cards of a seat are in no answer to anybody else.
    let view = ann.get(&format!("/api/tables/{table}")).json()["view"].to_string();
    let own = cookie(&ann);
    let stranger = hall.stranger();
    let mut rng = Seed(13).rng();
    let mut answered = 0;
    for _ in 0..requests() {
        let base = &bases[rng.below(bases.len())];
        let bytes = mutated(&mut rng, base);
        let has_own = bytes.windows(own.len()).any(|part| part == own.as_bytes());
        let Some(answer) = stranger.raw(&bytes, is_whole(&bytes)) else {
            continue;
        };
        answered += 1;
        let sent = String::from_utf8_lossy(&bytes).into_owned();
        assert_ne!(answer.status, 500, "{sent}\n{}", answer.body);
        assert!(has_own || !answer.body.contains(&view), "{sent}");
    }
    assert!(answered > requests() / 2, "most are answered: {answered}");
    assert_eq!(PANICS.load(Ordering::Relaxed), 0);
    ann.get(&format!("/table/{table}")).expect(200);
}
