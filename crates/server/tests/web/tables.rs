//! Tables: played by forms, sent twice, joined, given away, and brought back.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::hall::{Guest, Hall, id, offered, version};

const GAMES: [&str; 5] = ["war", "intensity", "friday13", "uno", "austerity"];

/// Waits until the others have moved; gives the page.
fn own_turn(ann: &Guest, table: &str) -> String {
    let begin = Instant::now();
    loop {
        let page = ann.get(&format!("/table/{table}")).expect(200).body;
        if !offered(&page).is_empty() || page.contains("class=\"result\"") {
            return page;
        }
        assert!(
            begin.elapsed() < Duration::from_secs(120),
            "nobody moves: {page}"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Makes the first move that the page offers; false if the game is over.
fn one_move(ann: &mut Guest, table: &str, nonce: &str) -> bool {
    let page = own_turn(ann, table);
    let Some(choice) = offered(&page).into_iter().next() else {
        return false;
    };
    let version = version(&page);
    let fields = [
        ("version", version.as_str()),
        ("nonce", nonce),
        ("move", &choice),
    ];
    ann.post(&format!("/table/{table}/move"), &fields)
        .expect(303);
    true
}

#[test]
fn every_game_can_be_played_by_forms_alone() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    for game in GAMES {
        let mut ann = hall.stranger();
        let table = ann.sit_down_at(game, 7);
        let mut moves = 0;
        while one_move(&mut ann, &table, "form") {
            moves += 1;
            assert!(moves < 5000, "{game} does not end");
        }
        let page = own_turn(&ann, &table);
        assert!(page.contains("The game is over."), "{game}");
        assert!(page.contains("Next deal"), "{game}");
        // The record of it can be replayed.
        let record = ann.get(&format!("/table/{table}/record")).expect(200).body;
        let record = croupier_core::Record::parse(&record).expect("a record");
        record.replay(&croupier_games::GAMES).expect("a true one");
        for how in ["deal", "same", "seat"] {
            let next = ann
                .post(&format!("/table/{table}/again"), &[("how", how)])
                .expect(303);
            ann.get(&format!("/table/{}", id(&next))).expect(200);
        }
        // One can look back at any moment, and touch nothing there.
        let back = ann.get(&format!("/table/{table}?at=1")).expect(200).body;
        assert!(back.contains("<fieldset disabled>"), "{game}");
        // Which move is shown, and only there of how many.
        let count = version(&page);
        assert!(back.contains(&format!(">1 of {count}<")), "{game}");
        assert!(page.contains(&format!(">Move {count}<")), "{game}");
    }
}

#[test]
fn a_move_is_made_once_and_for_the_moment_for_which_it_was_chosen() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    let table = ann.sit_down_at("friday13", 3);
    let page = own_turn(&ann, &table);
    let at = version(&page);
    let moves = offered(&page);
    let path = format!("/table/{table}/move");
    let first = [
        ("version", at.as_str()),
        ("nonce", "a"),
        ("move", moves[0].as_str()),
    ];
    ann.post(&path, &first).expect(303);
    ann.post(&path, &first).expect(303);
    let other = [
        ("version", at.as_str()),
        ("nonce", "a"),
        ("move", moves[1].as_str()),
    ];
    ann.post(&path, &other).expect(409);
    let late = [
        ("version", at.as_str()),
        ("nonce", "b"),
        ("move", moves[0].as_str()),
    ];
    let told = ann.post(&path, &late).expect(409);
    assert!(
        told.body.contains("The table has moved on"),
        "{}",
        told.body
    );
    assert!(told.body.contains("id=\"moving\""), "with the present");
    own_turn(&ann, &table);
    let seen = ann.get(&format!("/api/tables/{table}")).json();
    let log = seen["log"].as_array().expect("a log");
    let own = log
        .iter()
        .filter(|line| line.as_str().is_some_and(|line| line.starts_with("You")));
    assert_eq!(own.count(), 1, "{log:?}");
    // After a restart the answer is still known.
    hall.close();
    let hall = Hall::open(data.path());
    ann.address = hall.address;
    ann.cookie = ann.cookie.map(|cookie| {
        let secret = cookie.split('=').nth(1).unwrap_or_default().to_owned();
        format!("croupier-{}={secret}", hall.address.port())
    });
    ann.post(&path, &first).expect(303);
    ann.post(&path, &late).expect(409);
}

#[test]
fn a_restarted_server_shows_the_same_and_the_game_goes_on() {
    let data = tempfile::tempdir().expect("a folder");
    let mut hall = Hall::open(data.path());
    let token = |answer: &Value| answer["token"].as_str().expect("a token").to_owned();
    for game in ["intensity", "friday13", "uno", "austerity"] {
        let mut ann = hall.stranger();
        let made = ann
            .post_json("/api/tables", &json!({"game": game, "seed": "5"}))
            .expect(201)
            .json();
        let (table, secret) = (
            made["table"]["id"].as_str().expect("an id").to_owned(),
            token(&made),
        );
        for _ in 0..3 {
            one_move(&mut ann, &table, "x");
        }
        let before = own_turn(&ann, &table);
        hall.close();
        if game == "uno" {
            // A line that was cut off was never shown.
            let file = data.path().join(format!("{table}.jsonl"));
            let mut text = fs::read_to_string(&file).expect("a file");
            text += "{\"line\":\"move\",\"seat\":0,\"mo";
            fs::write(&file, text).expect("written");
        }
        hall = Hall::open(data.path());
        ann.address = hall.address;
        ann.cookie = Some(format!("croupier-{}={secret}", hall.address.port()));
        let after = own_turn(&ann, &table);
        let without_port = |page: &str| page.replace("here", "").replace("away", "");
        assert_eq!(without_port(&before), without_port(&after), "{game}");
        while one_move(&mut ann, &table, "y") {}
    }
}

#[test]
fn a_link_to_a_seat_takes_it_by_a_click_and_once() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let (mut ann, mut ben, mut cid) = (hall.stranger(), hall.stranger(), hall.stranger());
    let table = id(&ann
        .post("/play/friday13", &[("seat-1", "open"), ("name", "Ann")])
        .expect(303));
    let page = ann.get(&format!("/table/{table}")).body;
    let link = linked(&page, "readonly value=\"");
    // Who has no seat sees no link and no cards.
    let seen = cid.get(&format!("/table/{table}")).body;
    assert!(!seen.contains("/join/") && offered(&seen).is_empty());
    assert!(
        seen.contains("Seat 2") && !seen.contains("Guest"),
        "nobody sits there yet"
    );
    let before = fs::read_to_string(data.path().join(format!("{table}.jsonl"))).expect("a file");
    assert!(ben.get(&link).expect(200).body.contains("Sit down"));
    let after = fs::read_to_string(data.path().join(format!("{table}.jsonl"))).expect("a file");
    assert_eq!(before, after, "looking takes nothing");
    ben.post(&link, &[("name", "Ben")]).expect(303);
    ben.post(&link, &[("name", "Ben")]).expect(303);
    cid.post(&link, &[("name", "Cid")]).expect(409);
    ann.post(&link, &[("name", "Ann")]).expect(409);
    // Whoever comes too late is offered nothing that would be refused, and the API answers the same.
    for late in [&mut cid, &mut ann] {
        let page = late.get(&link).expect(409).body;
        assert!(
            page.contains("already") && !page.contains("Sit down"),
            "{page}"
        );
    }
    let token = link.rsplit('/').next().expect("a secret");
    let seat = format!("/api/tables/{table}/seats/1");
    let join = |secret: &str| json!({"how": "join", "invitation": secret, "name": "Cid"});
    cid.post_json(&seat, &join(token)).expect(409);
    cid.post_json(&seat, &join("another")).expect(403);
    let fields = [("version", "0"), ("nonce", "x"), ("move", "anything")];
    cid.post(&format!("/table/{table}/move"), &fields)
        .expect(403);
    let api = ben.get(&format!("/api/tables/{table}")).json();
    assert_eq!(
        (&api["seat"], &api["seats"][0]["name"]),
        (&json!(1), &json!("Ann"))
    );
    let (mut turn, mut moves) = (0, 0);
    let begin = Instant::now();
    while moves < 6 {
        let guest = [&mut ann, &mut ben][turn % 2].clone();
        let page = guest.get(&format!("/table/{table}")).body;
        turn += 1;
        assert!(
            begin.elapsed() < Duration::from_secs(120),
            "somebody is to move: {page}"
        );
        if let Some(choice) = offered(&page).into_iter().next() {
            let version = version(&page);
            let fields = [
                ("version", version.as_str()),
                ("nonce", "n"),
                ("move", &choice),
            ];
            guest
                .clone()
                .post(&format!("/table/{table}/move"), &fields)
                .expect(303);
            moves += 1;
        }
    }
}

#[test]
fn nobody_is_called_you_nor_like_somebody_else() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let (mut ann, mut ben, mut cid) = (hall.stranger(), hall.stranger(), hall.stranger());
    let fields = [("seat-1", "open"), ("seat-2", "open"), ("name", "You")];
    let table = id(&ann.post("/play/friday13", &fields).expect(303));
    for (guest, name) in [(&mut ben, "majority"), (&mut cid, "YOU")] {
        let page = ann.get(&format!("/table/{table}")).body;
        let link = linked(&page, "readonly value=\"");
        guest.post(&link, &[("name", name)]).expect(303);
    }
    let seats = ann.get(&format!("/api/tables/{table}")).json()["seats"].clone();
    let names = seats.as_array().expect("seats").iter();
    let names: Vec<&Value> = names.map(|seat| &seat["name"]).collect();
    assert_eq!(names, ["You 2", "majority 2", "YOU 3", "majority"]);
}

#[test]
fn who_played_along_is_invited_to_the_next_deal() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let (mut ann, mut ben, cid) = (hall.stranger(), hall.stranger(), hall.stranger());
    // Two cards in all.
    let fields = [
        ("opt-players", "2"),
        ("opt-colours", "1"),
        ("opt-greens", "1"),
        ("opt-values", "1"),
        ("opt-rounds", "1"),
        ("seat-1", "open"),
        ("name", "Ann"),
    ];
    let table = id(&ann.post("/play/friday13", &fields).expect(303));
    let page = ann.get(&format!("/table/{table}")).body;
    let link = linked(&page, "readonly value=\"");
    ben.post(&link, &[("name", "Ben")]).expect(303);
    for guest in [&mut ann, &mut ben] {
        assert!(one_move(guest, &table, "n"));
    }
    let deals_again = "<bdi>Ann</bdi> has dealt again.";
    let over = format!("/table/{table}");
    assert!(!ben.get(&over).body.contains(deals_again));
    let next = ann.post(&format!("{over}/again"), &[("how", "deal")]);
    let next = id(&next.expect(303));
    let page = ben.get(&over).body;
    assert!(page.contains(deals_again), "{page}");
    let seat = linked(
        &page,
        "has dealt again.</span> <a class=\"button main\" href=\"",
    );
    assert!(seat.starts_with(&format!("/table/{next}/join/")), "{seat}");
    for other in [&ann, &cid] {
        assert!(!other.get(&over).body.contains("/join/"));
    }
    assert!(ben.get(&seat).expect(200).body.contains("value=\"Ben\""));
    ben.post(&seat, &[("name", "Ben")]).expect(303);
    let api = ben.get(&format!("/api/tables/{next}")).json();
    assert_eq!(api["seat"], json!(1));
}

/// The address that follows these words on a page.
fn linked(page: &str, words: &str) -> String {
    let rest = page.split(words).nth(1);
    let link = rest.and_then(|rest| rest.split('"').next());
    link.expect("a link").to_owned()
}

#[test]
fn the_seat_of_somebody_who_is_away_can_be_given_away_and_taken_back() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let (mut ann, mut ben) = (hall.stranger(), hall.stranger());
    let made = json!({"game": "friday13", "seats": ["open", "you"], "options": {"players": "2"}, "seed": "2"});
    let made = ann.post_json("/api/tables", &made).expect(201).json();
    let table = made["table"]["id"].as_str().expect("an id").to_owned();
    let invitation = made["table"]["seats"][0]["invitation"].clone();
    ben.post(
        &format!("/table/{table}/seat"),
        &[("seat", "0"), ("how", "give")],
    )
    .expect(403);
    ann.post(
        &format!("/table/{table}/seat"),
        &[("seat", "0"), ("how", "give")],
    )
    .expect(303);
    assert!(
        one_move(&mut ann, &table, "a"),
        "a built-in player has moved before"
    );
    let path = format!("/api/tables/{table}/seats/0");
    ben.post_json(&path, &json!({"how": "join", "invitation": "no"}))
        .expect(403);
    let joined = json!({"how": "join", "invitation": invitation, "name": "Ben"});
    ben.post_json(&path, &joined).expect(200);
    // Ben is there now.
    ann.post(
        &format!("/table/{table}/seat"),
        &[("seat", "0"), ("how", "give")],
    )
    .expect(409);
    // From now on nobody moves for Ben: both move in turn.
    let api = format!("/api/tables/{table}");
    for number in 0..4 {
        let seen = ann.get(&api).json();
        let mover = if seen["to_move"] == json!(0) {
            &mut ben
        } else {
            &mut ann
        };
        assert!(one_move(mover, &table, &number.to_string()));
    }
}

#[test]
fn a_socket_tells_every_move_and_where_the_table_stands() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    let table = ann.sit_down_at("friday13", 3);
    own_turn(&ann, &table);
    for _ in 0..2 {
        one_move(&mut ann, &table, "x");
    }
    own_turn(&ann, &table);
    let now: Value = ann.get(&format!("/table/{table}/present")).json();
    let latest = now["version"].as_u64().expect("a version");
    let heard = ann.listen(
        &format!("/table/{table}/socket?version=1"),
        latest as usize - 1,
    );
    for (place, text) in heard.iter().enumerate() {
        let fragment: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(fragment["version"], json!(place + 2));
        assert_eq!(fragment["log"][0]["version"], json!(place + 2));
    }
    let last: Value = serde_json::from_str(&heard[heard.len() - 1]).expect("JSON");
    assert_eq!(last["live"], now["live"]);
}

/// A reader who has missed more than can be followed gets the present, and not everything before it.
#[test]
fn who_is_far_behind_is_shown_the_present() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    let table = ann.sit_down_at("intensity", 3);
    while one_move(&mut ann, &table, "x") {}
    let heard = ann.listen(&format!("/table/{table}/socket?version=1"), 1);
    let fragment: Value = serde_json::from_str(&heard[0]).expect("JSON");
    assert_eq!(fragment["version"], 44);
}

#[test]
fn a_hint_is_for_whose_turn_it_is() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    let table = ann.sit_down_at("intensity", 3);
    let page = own_turn(&ann, &table);
    let at = version(&page);
    let path = format!("/table/{table}/hint");
    let told = ann.post(&path, &[("version", &at)]).expect(200);
    assert!(
        told.body.contains("What the expert thinks"),
        "{}",
        told.body
    );
    assert!(told.body.contains(" ± "));
    ann.post(&path, &[("version", "77")]).expect(409);
    hall.stranger().post(&path, &[("version", &at)]).expect(403);
}

#[test]
fn two_servers_do_not_share_a_folder() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let settings =
        croupier_server::Settings::new(croupier_games::GAMES.clone(), data.path().to_owned());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let second = runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port");
        croupier_server::Server::open(settings, listener)
    });
    let reason = second.err().expect("refused").to_string();
    assert_eq!(reason, "another server keeps its tables there");
    hall.close();
}

/// Every player in the form can sit down, at every level, and plays.
#[test]
fn every_level_of_an_expert_can_be_chosen_and_plays() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    for (game, seats) in [
        ("intensity", 4),
        ("friday13", 4),
        ("uno", 4),
        ("austerity", 3),
    ] {
        let mut ann = hall.stranger();
        let form = ann.get(&format!("/play/{game}")).expect(200).body;
        for level in [1, 10] {
            let player = format!("built-in:expert:level={level}");
            assert!(form.contains(&format!("value=\"{player}\"")), "{game}");
            let mut chosen = vec![player; seats];
            chosen[0] = "you".to_owned();
            let made = ann.post_json("/api/tables", &json!({"game": game, "seats": chosen}));
            let made = made.expect(201).json();
            let table = made["table"]["id"].as_str().expect("an id");
            assert!(one_move(&mut ann, table, "form"), "{game}");
            own_turn(&ann, table);
            let page = ann.get(&format!("/table/{table}")).expect(200).body;
            assert!(page.contains(&format!("expert (level {level})")), "{game}");
        }
    }
}

#[test]
fn a_table_that_fits_on_no_page_is_refused_in_a_line() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    for (option, value, line) in [
        ("players", "60000", "at most 12 seats"),
        ("greens", "900000", "does not fit on a page"),
        ("colours", "70000", "does not fit on a page"),
        ("greens", "9000000", "at most 1000000 cards"),
        ("green-value", "x", "is no number that Green value can take"),
    ] {
        let name = format!("opt-{option}");
        let told = ann.post("/play/friday13", &[(&name, value)]).expect(400);
        assert!(told.body.contains(line), "{option}: {}", told.body);
        let kept = format!("value=\"{value}\"");
        assert!(
            told.body.contains(&kept),
            "{option}: it keeps what was typed"
        );
        let wanted = json!({"game": "friday13", "seats": ["you"], "options": {option: value}});
        let told = ann.post_json("/api/tables", &wanted).expect(400);
        assert!(told.body.contains(line), "{option}: {}", told.body);
    }
}

#[test]
fn a_form_that_is_refused_keeps_what_was_typed() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    let fields = [
        ("seat-0", "open"),
        ("seat-3", "built-in:expert:level=3"),
        ("name", "J\u{fc}rgen \"<b>\""),
        ("opt-rounds", "2"),
        ("seed", "seven"),
    ];
    let told = ann.post("/play/friday13", &fields).expect(400).body;
    assert!(told.contains("The seed must be a whole number"), "{told}");
    for kept in [
        "value=\"open\" selected",
        "value=\"built-in:expert:level=3\" selected",
        "name=\"name\" value=\"J\u{fc}rgen &#34;&#60;b&#62;&#34;\"",
        "value=\"2\"",
        "value=\"seven\"",
    ] {
        assert!(told.contains(kept), "{kept}: {told}");
    }
}

/// A card that lies on the table is found in the move that brought it there.
#[test]
fn a_card_leads_to_the_moment_at_which_it_was_played() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    let table = ann.sit_down_at("uno", 7);
    for _ in 0..3 {
        one_move(&mut ann, &table, "form");
    }
    let page = own_turn(&ann, &table);
    let latest: usize = version(&page).parse().expect("a version");
    let mut found = 0;
    for at in 1..=latest {
        let open = |at: usize| {
            let seen = hall
                .stranger()
                .get(&format!("/table/{table}/present?at={at}"));
            let html = seen.json()["live"].as_str().expect("a table").to_owned();
            let cards = html.split("data-card=\"").skip(1);
            let cards = cards.filter_map(|rest| rest.split('"').next().map(str::to_owned));
            cards.collect::<Vec<String>>()
        };
        let (before, after) = (open(at - 1), open(at));
        for card in &after {
            let count = |cards: &[String]| cards.iter().filter(|own| *own == card).count();
            if count(&after) > count(&before) {
                let card = card.replace(' ', "%20");
                let path = format!("/table/{table}/card?card={card}&at={at}");
                let told = ann.get(&path).expect(200).json();
                assert_eq!(told["version"], at, "{card}");
                found += 1;
            }
        }
    }
    assert!(found > 0, "somebody has played a card");
    let path = format!("/table/{table}/card?card=nothing&at={latest}");
    ann.get(&path).expect(404);
}

#[test]
fn who_chooses_opponents_is_told_how_strong_they_are() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let guest = hall.stranger();
    let form = guest.get("/play/austerity").expect(200).body;
    let labels = [
        ">random (weak): ",
        ">banzai (weak): ",
        ">ed (fair): ",
        ">shenzi (good): ",
        ">expert (strong): ",
        ">expert, level 1 of 10, the weakest<",
        ">expert, level 10 of 10, the strongest<",
    ];
    let places = labels.map(|label| form.find(label).expect(label));
    assert!(places.is_sorted(), "{places:?}");
    let rules = guest.get("/rules/austerity").expect(200).body;
    assert!(rules.contains("banzai (weak)"), "{rules}");
}

#[test]
fn who_watches_sees_all_opponents_of_the_game() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let guest = hall.stranger();
    let chosen = |address: &str| {
        let form = guest.get(address).expect(200).body;
        let chosen = form.split("\" selected>").skip(1);
        let chosen = chosen.filter_map(|rest| rest.split([' ', '<']).next().map(str::to_owned));
        chosen.take(3).collect::<Vec<_>>()
    };
    assert_eq!(chosen("/play/austerity"), ["You", "shenzi", "banzai"]);
    assert_eq!(
        chosen("/play/austerity?watch=1"),
        ["shenzi", "banzai", "ed"]
    );
}
