//! Change the hidden cards: not a byte changes of what somebody gets who may not see them.

use serde_json::{Value, json};

use crate::hall::{Guest, Hall};

/// Everything that somebody can get of a table, without what tells one table from another.
fn everything(guest: &Guest, table: &str) -> Vec<(String, String)> {
    let paths = [
        format!("/table/{table}"),
        format!("/table/{table}?at=0"),
        format!("/table/{table}/present"),
        format!("/api/tables/{table}"),
        format!("/table/{table}/record"),
        format!("/table/{table}/card?card=red%207&at=1"),
        format!("/table/{table}/fault/0"),
        format!("/replay/table/{table}"),
        format!("/replay/table/{table}?at=0"),
        format!("/replay/table/{table}/moments?from=0&count=50"),
        format!("/replay/table/{table}?seat=0"),
        format!("/replay/table/{table}?seat=all"),
        format!("/replay/table/{table}/review"),
        format!("/replay/table/{table}/saved"),
    ];
    let mut all: Vec<(String, String)> = paths
        .iter()
        .map(|path| (path.replace(table, "ID"), guest.get(path)))
        .map(|(path, answer)| {
            (
                path,
                format!("{} {}", answer.status, answer.body).replace(table, "ID"),
            )
        })
        .collect();
    let heard = guest.listen(&format!("/table/{table}/socket"), 1).concat();
    all.push(("socket".to_owned(), heard.replace(table, "ID")));
    let version = guest.get(&format!("/api/tables/{table}")).json()["version"].clone();
    let version = version.as_u64().expect("a version");
    let events = guest.events(
        &format!("/api/tables/{table}/events"),
        usize::try_from(version).expect("a version"),
    );
    all.push(("events".to_owned(), events.concat()));
    all
}

struct Players {
    table: String,
    seats: Vec<Guest>,
}

/// A table at which people sit in all seats.
fn people(hall: &Hall, wanted: &Value) -> Players {
    let mut host = hall.stranger();
    let made = host.post_json("/api/tables", wanted).expect(201).json();
    let table = made["table"]["id"].as_str().expect("an id").to_owned();
    let mut seats = vec![host];
    let chairs = made["table"]["seats"].as_array().expect("seats").clone();
    for (seat, chair) in chairs.iter().enumerate().skip(1) {
        let mut guest = hall.stranger();
        let path = format!("/api/tables/{table}/seats/{seat}");
        let name = format!("Guest {seat}");
        let joined = json!({"how": "join", "invitation": chair["invitation"], "name": name});
        guest.post_json(&path, &joined).expect(200);
        seats.push(guest);
    }
    Players { table, seats }
}

/// What somebody gets who asks for a hint although it is not their turn.
fn hint(guest: &mut Guest, table: &str, version: &str) -> (String, String) {
    let told = guest.post(&format!("/table/{table}/hint"), &[("version", version)]);
    let told = format!("{} {}", told.status, told.body);
    ("hint".to_owned(), told.replace(table, "ID"))
}

fn play(players: &mut Players, seat: usize, pick: impl Fn(&[Value]) -> Value) {
    let table = &players.table;
    let seen = players.seats[seat]
        .get(&format!("/api/tables/{table}"))
        .json();
    let legal = seen["legal"].as_array().expect("moves").clone();
    let sent = json!({"version": seen["version"], "nonce": "n", "move": pick(&legal)});
    players.seats[seat]
        .post_json(&format!("/api/tables/{table}/moves"), &sent)
        .expect(200);
}

#[track_caller]
fn assert_same(game: &str, moment: &str, a: &[(String, String)], b: &[(String, String)]) {
    for ((path, a), (_, b)) in a.iter().zip(b) {
        assert_eq!(a, b, "{game}, {moment}: {path}");
    }
}

#[test]
fn an_onlooker_gets_the_same_bytes_whatever_the_hands_hold() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let onlooker = hall.stranger();
    let table = |wanted: &Value| {
        let players = people(&hall, wanted);
        everything(&onlooker, &players.table)
    };
    let cases = [
        ("war", json!({"game": "war", "seats": ["you", "open"]})),
        (
            "intensity",
            json!({"game": "intensity", "seats": ["you", "open", "open", "open"]}),
        ),
        (
            "friday13",
            json!({"game": "friday13", "seats": ["you", "open"], "options": {"players": "2"}}),
        ),
    ];
    for (game, wanted) in cases {
        let with_seed = |seed: u64| {
            let mut wanted = wanted.clone();
            wanted["seed"] = seed.to_string().into();
            table(&wanted)
        };
        let first = with_seed(1);
        for seed in 2..6 {
            assert_same(game, "the deal", &first, &with_seed(seed));
        }
    }
}

/// Uno lies a card open at the beginning: deals with the same one are compared.
#[test]
fn an_onlooker_of_uno_sees_the_open_card_alone() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let onlooker = hall.stranger();
    let mut by_card: std::collections::HashMap<String, Vec<(String, String)>> = Default::default();
    let mut compared = 0;
    for seed in 0..60_u64 {
        let seats = ["you", "open", "open", "open"];
        let wanted = json!({"game": "uno", "seats": seats, "seed": seed.to_string()});
        let players = people(&hall, &wanted);
        let seen = onlooker
            .get(&format!("/api/tables/{}", players.table))
            .json();
        let all = everything(&onlooker, &players.table);
        let open = format!("{} {}", seen["view"], seen["to_move"]);
        if let Some(before) = by_card.get(&open) {
            assert_same("uno", &open, before, &all);
            compared += 1;
        }
        by_card.insert(open, all);
        if compared == 6 {
            return;
        }
    }
    assert!(compared > 0, "some deals lie the same card open");
}

/// In Intensity three cards are passed on in secret.
#[test]
fn what_is_passed_on_in_secret_is_told_to_nobody_else() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let seats = json!({"game": "intensity", "seats": ["you", "open", "open", "open"], "seed": "9"});
    let tables = [0, 1].map(|choice| {
        let mut players = people(&hall, &seats);
        let first = move |legal: &[Value]| legal[choice * (legal.len() - 1)].clone();
        play(&mut players, 0, first);
        play(&mut players, 1, |legal| legal[0].clone());
        let mut seen = everything(&hall.stranger(), &players.table);
        // Seat 1 gets the cards of seat 0 when all have chosen; seats 2 and 3 never see them.
        for seat in [2, 3] {
            seen.extend(everything(&players.seats[seat], &players.table));
        }
        seen.push(hint(&mut players.seats[3], &players.table, "2"));
        seen.push(hint(&mut hall.stranger(), &players.table, "2"));
        seen
    });
    assert_same("intensity", "two have chosen", &tables[0], &tables[1]);
}

/// The order of the deck is hidden from everybody, the players too.
#[test]
fn the_deck_of_austerity_is_in_no_page() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let open = "P:1:1,0,0,0\nB:0:0,1,0,0\nY:2:0,0,2,0\nR:1:1,1,0,0\nP:0:0,0,0,1\nB:3:2,2,0,0\nY:1:0,1,1,0\nR:2:3,0,0,0\n";
    let rests = ["P:5:7,0,0,0\nB:4:0,6,0,0\n", "R:1:0,0,0,3\nY:0:1,1,1,0\n"];
    let tables = rests.map(|rest| {
        let wanted = json!({
            "game": "austerity", "seats": ["you", "open"], "seed": "1",
            "options": {"players": "2", "deck": format!("{open}{rest}")},
        });
        let players = people(&hall, &wanted);
        let mut seen = everything(&hall.stranger(), &players.table);
        seen.extend(everything(&players.seats[0], &players.table));
        seen.extend(everything(&players.seats[1], &players.table));
        seen
    });
    assert_same("austerity", "the deal", &tables[0], &tables[1]);
}
