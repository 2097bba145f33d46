//! Recorded games: step by step, through one pair of eyes, reviewed, tried again and played on.

use std::time::{Duration, Instant};

use croupier_core::{Audience, Cancel, Event, Options, Seed};
use croupier_games::GAMES;
use serde_json::{Value, json};

use crate::hall::{Answer, Guest, Hall, offered, unescaped};

/// The record of a game that this built-in player plays alone.
pub(crate) fn record(game: &str, options: &[(&str, &str)], player: &str, names: &[&str]) -> String {
    let entry = GAMES.find(game).expect("a game");
    let mut all = Options::new();
    for option in entry.profile.options {
        if let Some(default) = option.default {
            all.insert(option.name.to_owned(), default.to_owned());
        }
    }
    all.extend(options.iter().map(|&(n, v)| (n.to_owned(), v.to_owned())));
    let setup = entry.setup(&all).expect("a setup");
    let mut game = entry.deal(&setup, Seed(5)).expect("a deal");
    while game.to_move().is_some() {
        let chance = Seed(game.steps() as u64);
        let choice = match player {
            "" => game.legal()[0].clone(),
            player => {
                game.ask(player, chance, &Cancel::new())
                    .expect("a move")
                    .choice
            }
        };
        game.play(&choice).expect("a legal move");
    }
    let names = (0..game.seats()).map(|seat| names.get(seat).unwrap_or(&"Somebody").to_string());
    let lines = game.events(Audience::Referee);
    let lines: String = lines.iter().map(Event::to_line).collect();
    format!("{}{lines}", game.header(names.collect()).to_line())
}

/// Drops a record as a script does.
fn drop_it(guest: &Guest, record: &str) -> Answer {
    let origin = format!("http://{}", guest.address);
    let headers = [("origin", origin.as_str()), ("content-type", "text/plain")];
    guest.ask("POST", "/replay", &headers, record)
}

/// The address at which a record is shown that was dropped.
pub(crate) fn shown_at(guest: &Guest, record: &str) -> String {
    let answer = drop_it(guest, record).expect(303);
    answer.header("location").expect("it is shown").to_owned()
}

/// Asks for a review until it is done.
fn review_of(guest: &Guest, address: &str) -> Value {
    let begin = Instant::now();
    loop {
        let told = guest.get(address).expect(200).json();
        if told["done"] == true {
            return told;
        }
        assert!(begin.elapsed() < Duration::from_secs(200), "{told}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_dropped_record_is_shown_moment_by_moment() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let guest = hall.stranger();
    let hostile = "<script>alert(1)</script>";
    let record = record(
        "friday13",
        &[("players", "3")],
        "",
        &["Ann", hostile, "Cat"],
    );
    let last = record.lines().count() - 2;
    let place = shown_at(&guest, &record);
    for at in [0, 1, last / 2, last] {
        let page = guest.get(&format!("{place}?at={at}")).expect(200).body;
        assert!(page.contains(&format!("{at} of {last}")), "{at}");
        assert!(!page.contains(hostile), "names are text");
        assert!(page.contains(&format!("?at={}", at.saturating_sub(1))));
    }
    guest.get(&format!("{place}?at={}", last + 1)).expect(404);
    guest.get(&format!("{place}?seat=9")).expect(404);
    guest.get(&format!("{place}?seat=x")).expect(400);
    guest.get(&format!("{place}?at=-1")).expect(400);
    let some = guest
        .get(&format!("{place}/moments?from=3&count=999"))
        .expect(200)
        .json();
    let some = some.as_array().expect("moments");
    assert!(some.len() > 5 && some.len() <= 24 && some[0]["at"] == 3);
    let end = guest.get(&format!("{place}?at={last}")).body;
    assert!(end.contains("class=\"result\""));
    // A form without scripts sends the file like this.
    let form = format!(
        "--xyz\r\ncontent-disposition: form-data; name=\"record\"; filename=\"a.jsonl\"\r\n\r\n{record}\r\n--xyz--\r\n"
    );
    let origin = format!("http://{}", guest.address);
    let kind = "multipart/form-data; boundary=xyz";
    let headers = [("origin", origin.as_str()), ("content-type", kind)];
    let answer = guest.ask("POST", "/replay", &headers, &form).expect(303);
    guest
        .get(answer.header("location").expect("it is shown"))
        .expect(200);
    let elsewhere = [("origin", "http://evil.example"), ("content-type", kind)];
    guest.ask("POST", "/replay", &elsewhere, &form).expect(403);
}

#[test]
fn what_is_no_record_gets_a_clear_page() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let guest = hall.stranger();
    let good = record("uno", &[], "", &[]);
    let cases = [
        ("no JSON", "hello".to_owned(), 422, "line 1"),
        (
            "another game",
            good.replace("\"uno\"", "\"chess\""),
            422,
            "no game 'chess'",
        ),
        (
            "another version",
            good.replacen("\"version\":1", "\"version\":77", 1),
            422,
            "version 77",
        ),
        (
            "a later format",
            good.replacen("\"format\":2", "\"format\":99", 1),
            422,
            "format 99",
        ),
        (
            "cut off",
            good[..good.len() / 2]
                .rsplit_once('\n')
                .expect("lines")
                .0
                .to_owned(),
            422,
            "before the game does",
        ),
        (
            "an impossible move",
            good.replacen(
                "\"line\":\"move\",\"seat\":0",
                "\"line\":\"move\",\"seat\":3",
                1,
            ),
            422,
            "turn of seat",
        ),
        (
            "another outcome",
            good.replace("\"places\":[", "\"places\":[9,"),
            422,
            "outcome",
        ),
        (
            "a setup of nonsense",
            good.replacen("\"mode\":\"tournament\"", "\"mode\":7", 1),
            422,
            "setup",
        ),
        (
            "names for other seats",
            good.replacen("\"players\":[", "\"players\":[\"x\",", 1),
            422,
            "5 players",
        ),
        ("nothing", " ".repeat(0), 400, "Choose a record"),
        (
            "control codes",
            "\u{0}\u{1b}[2J<script>".to_owned(),
            422,
            "no record",
        ),
        (
            "too long",
            "x".repeat(5 << 20),
            413,
            "more than the server takes",
        ),
    ];
    for (what, text, status, said) in cases {
        let answer = drop_it(&guest, &text);
        assert_eq!(answer.status, status, "{what}: {}", answer.body);
        let page = unescaped(&answer.body);
        assert!(page.contains(said), "{what}: {page}");
        assert!(!answer.body.contains("<script>"), "{what}");
    }
    for path in [
        "/replay/dropped/0123",
        "/replay/record/none",
        "/replay/record/..%2f..%2fetc%2fpasswd",
        "/replay/contest/none/1-1",
        "/replay/contest/none",
        "/replay/table/ffffffffffffffff",
        "/replay/war/x",
        "/replay/war/1~loses~no-such",
        "/replay/other/thing",
    ] {
        guest.get(path).expect(404);
    }
}

/// In Austerity the order of the deck is hidden from everybody. The cards that nobody came to see are
/// laid in another order: not a byte changes of what a seat gets, the review and the file too.
#[test]
fn what_a_seat_did_not_see_is_in_no_byte() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let guest = hall.stranger();
    let cards: Vec<String> = (0..70)
        .map(|n| {
            format!(
                "{}:{}:{},{},{},0",
                ["P", "B", "Y", "R"][n % 4],
                3 + n % 2,
                n % 2,
                (n / 2) % 2,
                n % 3
            )
        })
        .collect();
    let hidden = ["P:9:7,7,7,7", "R:8:6,6,6,6", "Y:7:5,5,5,5"];
    let of = |hidden: [&str; 3]| {
        let deck = cards.join("\n") + "\n" + &hidden.join("\n") + "\n";
        record(
            "austerity",
            &[("players", "2"), ("deck", &deck)],
            "shenzi",
            &["Ann", "Bob"],
        )
    };
    let records = [of(hidden), of([hidden[2], hidden[0], hidden[1]])];
    assert_ne!(records[0], records[1], "the decks differ");
    let moves = |record: &str| {
        record
            .lines()
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        moves(&records[0]),
        moves(&records[1]),
        "nobody came to see the last cards"
    );
    let seen = records.map(|record| {
        let place = shown_at(&guest, &record);
        let last = record.lines().count() - 2;
        let review = review_of(&guest, &format!("{place}/review?seat=1")).to_string();
        let mut all = vec![review];
        for path in [
            format!("?seat=1&at={}&review=on", last / 2),
            "?seat=1".to_owned(),
            "?seat=open".to_owned(),
            "/moments?seat=1&from=0&count=24".to_owned(),
            "/saved?seat=1&review=on".to_owned(),
        ] {
            all.push(guest.get(&format!("{place}{path}")).expect(200).body);
        }
        let id = place.trim_start_matches("/replay/dropped/").to_owned();
        all.into_iter()
            .map(|text| text.replace(&id, "ID"))
            .collect::<Vec<_>>()
    });
    for (a, b) in seen[0].iter().zip(&seen[1]) {
        assert!(a == b, "the bytes differ:\n{a}\n\n{b}");
        assert!(!a.contains("7,7,7,7"), "no hidden card is told");
    }
}

/// In Intensity the cards of others are hidden: a page for one seat holds no hand of another.
#[test]
fn the_cards_of_others_are_shown_to_who_asks_for_them() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let guest = hall.stranger();
    let record = record("intensity", &[], "", &["Ann", "Bob", "Cat", "Dan"]);
    let place = shown_at(&guest, &record);
    let passed = |seat: usize| {
        let line = record.lines().nth(seat + 1).expect("a move");
        line.split("\"move\":\"discard ").nth(1).expect("cards")[..8].to_owned()
    };
    let at_deal = |eyes: &str| guest.get(&format!("{place}?at=4{eyes}")).expect(200).body;
    let own = at_deal("&seat=2");
    assert!(
        own.contains("has chosen"),
        "what the others passed on is not told"
    );
    let all = at_deal("&seat=all");
    assert!(!all.contains("has chosen"));
    let told = |page: &str, cards: &str| {
        let cards: Vec<&str> = cards.split(' ').collect();
        page.contains(&format!(
            "passes on {}, {} and {}",
            cards[0], cards[1], cards[2]
        ))
    };
    assert!(
        told(&all, &passed(0)) && told(&all, &passed(1)),
        "{}",
        passed(0)
    );
    assert!(!told(&own, &passed(0)) && !told(&own, &passed(1)));
}

#[test]
fn who_looks_at_a_game_of_others_is_not_taken_for_one_of_them() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let guest = hall.stranger();
    let record = record("intensity", &[], "", &["Ann", "Bob", "Cat", "Dan"]);
    let place = shown_at(&guest, &record);
    for at in [0, 5, 20, 44] {
        let page = guest.get(&format!("{place}?at={at}&seat=0")).expect(200);
        let board = page.body.split("id=\"moment\"").nth(1).expect("a board");
        let board = board.split("class=\"onward\"").next().expect("its end");
        for word in ["You ", "you ", "You<", "Your turn", "Your hand", "you<"] {
            assert!(!board.contains(word), "{word} after {at} moves: {board}");
        }
        assert!(board.contains("The hand of Ann") || at == 44, "{board}");
    }
    // Whoever tries a decision again sits in that seat for the moment.
    let tried = guest.get(&format!("{place}/try?at=0&seat=0")).expect(200);
    assert!(tried.body.contains("Your turn") && tried.body.contains("before the first move"));
    let later = guest.get(&format!("{place}/try?at=1&seat=1")).expect(200);
    assert!(later.body.contains("after 1 move "), "{}", later.body);
    // Who sits at a table is spoken to, and whoever else looks at it is not. Nobody can move here.
    let mut ann = hall.stranger();
    let table = ann.sit_down_at("intensity", 3);
    let own = ann
        .get(&format!("/replay/table/{table}?seat=0&at=0"))
        .expect(200);
    assert!(own.body.contains("You are to move"), "{}", own.body);
    assert!(!own.body.contains("Your turn"), "{}", own.body);
    let other = guest
        .get(&format!("/replay/table/{table}"))
        .expect(200)
        .body;
    assert!(!other.contains("You are to move"), "{other}");
    assert!(!other.contains("Your turn"), "{other}");
    // The same holds for a moment of the table that is past.
    let page = ann.get(&format!("/table/{table}")).expect(200).body;
    assert!(page.contains("Your turn"), "{page}");
    let choice = offered(&page).remove(0);
    let fields = [("version", "0"), ("nonce", "n"), ("move", choice.as_str())];
    ann.post(&format!("/table/{table}/move"), &fields)
        .expect(303);
    let past = ann.get(&format!("/table/{table}?at=0")).expect(200).body;
    assert!(past.contains("You are to move"), "{past}");
    assert!(!past.contains("Your turn"), "{past}");
}

#[test]
fn of_a_running_game_a_seat_sees_its_own_cards_alone() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    let table = ann.sit_down_at("intensity", 3);
    let place = format!("/replay/table/{table}");
    ann.get(&place).expect(200);
    ann.get(&format!("{place}?seat=0")).expect(200);
    for eyes in ["1", "all"] {
        ann.get(&format!("{place}?seat={eyes}")).expect(403);
        ann.get(&format!("{place}/moments?seat={eyes}&from=0&count=1"))
            .expect(403);
    }
    let stranger = hall.stranger();
    let open = stranger.get(&place).expect(200).body;
    assert!(!open.contains("in-hand"), "an onlooker sees no hand");
    stranger.get(&format!("{place}?seat=0")).expect(403);
    ann.get(&format!("{place}/saved")).expect(409);
    ann.get(&format!("{place}/review")).expect(409);
    ann.get(&format!("{place}/try?at=0")).expect(409);
    ann.get(&format!("/api/records/table/{table}")).expect(409);
    ann.post(&format!("{place}/play-on"), &[("at", "0"), ("seat", "0")])
        .expect(409);
}

#[test]
fn curve_counts_and_list_tell_the_same() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let guest = hall.stranger();
    let record = record("intensity", &[], "random", &["Ann", "Bob", "Cat", "Dan"]);
    let place = shown_at(&guest, &record);
    // Without being asked for, there is none.
    assert!(
        !guest
            .get(&place)
            .expect(200)
            .body
            .contains("class=\"curve\"")
    );
    let told = review_of(&guest, &format!("{place}/review?seat=1"));
    let html = told["html"].as_str().expect("a review");
    let signs = told["signs"].as_object().expect("signs").len();
    assert!(signs > 0, "a random player makes mistakes");
    assert_eq!(html.matches("class=\"sign ").count(), signs, "{html}");
    assert_eq!(html.matches("<li class=\"").count() - 3, signs, "{html}");
    assert_eq!(html.matches("way decided ").count(), signs, "{html}");
    for word in [
        "Luck: cards and opponents",
        "Decisions",
        "in 10 decisions",
        "expert of Croupier",
    ] {
        let found = html.contains(word) || word.starts_with("in 1");
        assert!(found, "{word}: {html}");
    }
    let (at, _) = told["signs"]
        .as_object()
        .and_then(|s| s.iter().next())
        .expect("one");
    let verdict = told["verdicts"][at].as_str().expect("a verdict");
    assert!(
        verdict.contains(" of ") && verdict.contains("was played"),
        "{verdict}"
    );
    let page = guest
        .get(&format!("{place}?seat=1&at={at}&review=on"))
        .expect(200)
        .body;
    assert!(
        page.contains(verdict),
        "the page tells the same without scripts"
    );
    // Thresholds are in the address.
    let strict = review_of(
        &guest,
        &format!("{place}/review?seat=1&inaccuracy=9&mistake=9&blunder=9"),
    );
    assert_eq!(
        strict["signs"].as_object().map(serde_json::Map::len),
        Some(0)
    );
    for wrong in [
        "inaccuracy=-1",
        "mistake=nan",
        "blunder=0.01",
        "inaccuracy=x",
    ] {
        guest
            .get(&format!("{place}/review?seat=1&{wrong}"))
            .expect(400);
    }
    // The review of a player whose cards are not shown would tell of them.
    guest.get(&format!("{place}/review?seat=open")).expect(409);
}

#[test]
fn a_review_of_austerity_names_the_cards_themselves() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let guest = hall.stranger();
    let record = record("austerity", &[("points", "3")], "shenzi", &[]);
    let place = shown_at(&guest, &record);
    let told = review_of(&guest, &format!("{place}/review?seat=0"));
    let verdicts = told["verdicts"].as_object().expect("verdicts");
    let all: String = verdicts.values().filter_map(Value::as_str).collect();
    assert!(all.contains(" that costs "), "somebody could buy: {all}");
    let html = told["html"].as_str().expect("a review");
    assert!(!html.contains("buy the "), "{html}");
    assert!(!all.contains(": buy the "), "{all}");
}

#[test]
fn a_decision_is_tried_again_without_the_answer() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut guest = hall.stranger();
    let record = record("uno", &[], "careful", &["Ann", "Bob", "Cat", "Dan"]);
    let place = shown_at(&guest, &record);
    let told = review_of(&guest, &format!("{place}/review?seat=0"));
    let verdicts = told["verdicts"].as_object().expect("verdicts");
    let at: usize = verdicts
        .keys()
        .next()
        .expect("a decision")
        .parse()
        .expect("a number");
    let address = format!("{place}/try?at={}", at - 1);
    let page = guest.get(&address).expect(200).body;
    assert!(
        !page.contains("In the game:") && !page.contains("id=\"log\""),
        "no answer yet"
    );
    let moves = offered(&page);
    assert!(moves.len() > 1, "{moves:?}");
    let mut counted = 0;
    for choice in &moves {
        let answer = guest.post(&address, &[("move", choice)]).expect(200).body;
        assert!(answer.contains("In the game:"));
        counted += usize::from(answer.contains("<h2>Yes: "));
    }
    assert!(counted > 0, "the best move counts");
    guest.post(&address, &[("move", "sing")]).expect(400);
    guest.get(&format!("{place}/try?at=999999")).expect(404);
}

#[test]
fn a_game_is_played_on_from_a_moment() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut guest = hall.stranger();
    let record = record("austerity", &[("players", "2")], "shenzi", &["Ann", "Bob"]);
    let place = shown_at(&guest, &record);
    let fields = [("at", "6"), ("seat", "1"), ("name", "Eve")];
    let answer = guest.post(&format!("{place}/play-on"), &fields).expect(303);
    let table = crate::hall::id(&answer);
    let seen = guest
        .get(&format!("/api/tables/{table}"))
        .expect(200)
        .json();
    assert_eq!(seen["seat"], 1);
    assert_eq!(seen["seats"][1]["name"], "Eve");
    assert!(seen["version"].as_u64() >= Some(6));
    // What was played before is the same, also after a restart.
    hall.close();
    let hall = Hall::open(data.path());
    let mut guest = Guest {
        address: hall.address,
        ..guest
    };
    guest.cookie = guest.cookie.map(|cookie| {
        let (_, secret) = cookie.split_once('=').expect("a cookie");
        format!("croupier-{}={secret}", hall.address.port())
    });
    let begun = guest
        .get(&format!("/replay/table/{table}?at=6"))
        .expect(200)
        .body;
    assert!(begun.contains("6 of "));
    let stranger = hall.stranger();
    let place = shown_at(&stranger, &record);
    let last = record.lines().count() - 2;
    let at_end = [("at", last.to_string()), ("seat", "0".to_owned())];
    let at_end: Vec<(&str, &str)> = at_end.iter().map(|(n, v)| (*n, v.as_str())).collect();
    guest.post(&format!("{place}/play-on"), &at_end).expect(409);
    guest
        .post(&format!("{place}/play-on"), &[("at", "1"), ("seat", "7")])
        .expect(404);
}

#[test]
fn a_saved_game_needs_nothing_else() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let guest = hall.stranger();
    let record = record(
        "friday13",
        &[("players", "2")],
        "",
        &["</script><b>", "Bob"],
    );
    let place = shown_at(&guest, &record);
    let answer = guest.get(&format!("{place}/saved?seat=1")).expect(200);
    let told = answer.header("content-disposition").expect("a file");
    assert_eq!(told, "attachment; filename=\"friday13.html\"");
    let file = answer.body;
    let last = record.lines().count() - 2;
    assert_eq!(
        file.matches("<section class=\"moment\" id=\"m").count(),
        last + 1
    );
    for other in [
        "src=",
        "href=\"/",
        "href=\"http",
        "url(",
        "@import",
        "</script><b>",
    ] {
        assert!(!file.contains(other), "{other}");
    }
    let policy = file
        .split("Security-Policy\" content=\"")
        .nth(1)
        .expect("a policy");
    let policy = unescaped(policy.split('"').next().unwrap_or_default());
    assert!(
        policy.starts_with("default-src 'none'; script-src 'sha256-"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"), "{policy}");
    // With its review, too: nothing in it leads to the server.
    review_of(&guest, &format!("{place}/review?seat=1"));
    let reviewed = guest.get(&format!("{place}/saved?seat=1&review=on"));
    let reviewed = reviewed.expect(200).body;
    assert!(reviewed.contains("class=\"verdict "), "{reviewed}");
    assert!(!reviewed.contains("href=\"/"), "{reviewed}");
}

/// Records in a folder are shown, and are in the API as the document says.
#[test]
fn a_record_on_the_shelf_is_shown_and_listed() {
    let data = tempfile::tempdir().expect("a folder");
    let folder = tempfile::tempdir().expect("a folder");
    let text = record("intensity", &[], "", &["Ann", "Bob", "Cat", "Dan"]);
    std::fs::write(folder.path().join("final.jsonl"), &text).expect("a file");
    let mut settings = croupier_server::Settings::new(GAMES.clone(), data.path().to_owned());
    settings.folders = vec![folder.path().to_owned()];
    let hall = Hall::with(settings);
    let guest = hall.stranger();
    guest.get("/replay/record/final?at=7").expect(200);
    let all = guest.get("/api/records").expect(200).json();
    assert_eq!(
        all[0],
        json!({"id": "record/final", "game": "intensity", "players": ["Ann", "Bob", "Cat", "Dan"]})
    );
    let one = guest.get("/api/records/record/final").expect(200).json();
    assert_eq!(one["steps"], 44);
    let own = guest.get("/api/records/record/final/text").expect(200).body;
    assert_eq!(own, text, "the record comes back as it was");
    let heard = guest
        .get("/api/records/record/final/seats/2/events")
        .expect(200)
        .json();
    assert_eq!(
        heard[0],
        json!({"line": "move", "seat": 0, "move": null}),
        "a secret choice"
    );
    let known = guest
        .get("/api/records/record/final/events")
        .expect(200)
        .json();
    assert!(known[0]["move"].is_string());
    let document = guest.get("/api/openapi.json").expect(200).json();
    for (path, place, status) in [
        ("/api/records", "/api/records", 200),
        (
            "/api/records/{kind}/{name}",
            "/api/records/record/final",
            200,
        ),
        (
            "/api/records/{kind}/{name}",
            "/api/records/record/none",
            404,
        ),
        (
            "/api/records/{kind}/{name}/events",
            "/api/records/record/final/events",
            200,
        ),
        (
            "/api/records/{kind}/{name}/seats/{seat}/events",
            "/api/records/record/final/seats/0/events",
            200,
        ),
        (
            "/api/records/{kind}/{name}/seats/{seat}/events",
            "/api/records/record/final/seats/9/events",
            404,
        ),
        (
            "/api/records/{kind}/{name}/{game}",
            "/api/records/contest/none/1-2",
            404,
        ),
    ] {
        let answer = guest.get(place).expect(status).json();
        let response = &document["paths"][path]["get"]["responses"][status.to_string()];
        let schema = &response["content"]["application/json"]["schema"];
        let found = crate::api::wrong(&document, schema, &answer, path);
        assert!(!schema.is_null() && found.is_empty(), "{path}: {found:?}");
    }
}
