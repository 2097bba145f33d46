//! Contests on the web: a real one with real faults, looked at from outside while it is played.

use std::fs;
use std::path::Path;
use std::sync::mpsc;

use croupier_arena::{
    BlockResult, ClusterStatus, Contest, Entrant, Format, KeptFault, Store, Who, WorkerStatus,
};
use croupier_bots::{Bytes, Culprit, Exchange, Fault, Limits, Speech, Tier};
use croupier_core::{FoulKind, Outcome, Seat};
use croupier_games::GAMES;
use croupier_games::intensity::Intensity;
use croupier_server::Settings;
use serde_json::Value;

use crate::api::wrong;
use crate::hall::{self, Guest, Hall};
use crate::held::{BUILT_IN, EVIL, HOSTILE, LONG, TURNED, hold, settings, umpires};

fn open(data: &Path, folder: &Path) -> Hall {
    Hall::with(Settings {
        umpires: umpires(),
        folders: vec![folder.to_owned()],
        ..Settings::new(GAMES.clone(), data.to_owned())
    })
}

/// What a page says, as text.
fn unescaped(page: &str) -> String {
    hall::unescaped(&page.replace("&#60;", "<").replace("&#62;", ">"))
}

/// All addresses that a page links to.
fn links(page: &str) -> Vec<String> {
    let links = page.split("href=\"").skip(1);
    let links = links.filter_map(|rest| rest.split('"').next());
    links.map(unescaped).collect()
}

/// What others wrote must reach no page as anything but text.
fn is_harmless(page: &str) {
    for wrong in [
        "<img src=x",
        "<script>alert",
        "<svg onload",
        "<b>no such",
        "onerror=alert(1)>'\"",
        "</pre><script",
        "\u{202e}",
        "\u{2066}",
        "\u{1b}",
        "\u{7}",
        " style=\"",
        "javascript:",
    ] {
        assert!(!page.contains(wrong), "{wrong:?} in {page}");
    }
    let is_control = |letter: char| letter.is_control() && !"\n\t".contains(letter);
    assert!(!page.contains(is_control), "{page}");
}

fn seen(guest: &Guest, path: &str) -> String {
    let page = guest.get(path).expect(200).body;
    is_harmless(&page);
    page
}

#[test]
fn a_contest_is_shown_and_a_fault_is_found_from_the_standings() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("spring cup");
    hold(&folder, 3, HOSTILE, |_| {});
    let data = tempfile::tempdir().expect("a folder");
    let hall = open(data.path(), place.path());
    let ann = hall.stranger();

    let lobby = seen(&ann, "/");
    assert!(lobby.contains("href=\"/contest/spring-cup\""), "{lobby}");
    assert!(lobby.contains("Swiss, 7 players, 3 rounds"), "{lobby}");

    let page = seen(&ann, "/contest/spring-cup");
    assert!(page.contains("24 games, all played"), "{page}");
    assert!(
        unescaped(&page).contains(EVIL) && page.contains(LONG),
        "{page}"
    );
    for section in ["standings", "ratings", "matrix", "seats", "faults"] {
        assert!(page.contains(&format!("id=\"{section}\"")), "{section}");
    }
    assert!(
        page.contains("id=\"sort-1\"") && page.contains(">staff<"),
        "{page}"
    );
    // Every link of the page leads somewhere.
    for link in links(&page) {
        if link.starts_with("/contest/") {
            seen(&ann, link.split('#').next().unwrap_or_default());
        }
    }

    let player = links(&page)
        .into_iter()
        .find(|link| link.ends_with("#faults") && link.contains("%3Cimg"));
    let player = player.expect("a link to the faults of the one that talks");
    let page = seen(&ann, player.trim_end_matches("#faults"));
    assert!(unescaped(&page).contains(EVIL), "{page}");
    for section in ["course", "others", "places", "games", "faults"] {
        assert!(
            page.contains(&format!("id=\"{section}\"")),
            "{section}: {page}"
        );
    }
    assert!(page.contains("/replay/contest/spring-cup/"), "{page}");
    let faults: Vec<String> = links(&page)
        .into_iter()
        .filter(|link| link.contains("/fault/"))
        .collect();
    assert!(faults.len() > 5, "every fault that is kept: {faults:?}");

    let page = unescaped(&seen(&ann, &faults[0]));
    for told in [
        "What it was given",
        "What it answered",
        "alert(2)",
        "it went wrong",
        "\\u{202e}",
        "\\u{1b}[2J",
        "for a decision",
        "An answer has to be written",
        "croupier repro",
        "/replay/contest/spring-cup/",
    ] {
        assert!(page.contains(told), "{told}: {page}");
    }
    let id = faults[0].rsplit('/').next().expect("a number");
    assert!(
        page.contains(&format!("'{}' {id}", folder.display())),
        "{page}"
    );
}

#[test]
fn every_kind_of_fault_has_its_page() {
    let place = tempfile::tempdir().expect("a folder");
    hold(&place.path().join("cup"), 3, HOSTILE, |_| {});
    let data = tempfile::tempdir().expect("a folder");
    let hall = open(data.path(), place.path());
    let ann = hall.stranger();
    for (name, kind, told) in [
        (EVIL, "malformed", "alert(2)"),
        (TURNED, "crash", "Traceback: <b>no such card</b>"),
        ("alice/cheats", "", "99"),
    ] {
        let faults = ann.get("/api/contests/cup/faults").expect(200).json();
        let own = faults["faults"].as_array().expect("a list").iter();
        let own: Vec<&Value> = own.filter(|fault| fault["name"] == name).collect();
        let of_kind = |fault: &&&Value| kind.is_empty() || fault["kind"] == kind;
        let id = own
            .iter()
            .find(of_kind)
            .and_then(|fault| fault["id"].as_str());
        let page = seen(
            &ann,
            &format!("/contest/cup/fault/{}", id.expect("a number")),
        );
        assert!(unescaped(&page).contains(told), "{page}");
    }
    // The rarer kinds can be asked for alone.
    let page = seen(&ann, "/contest/cup?faults=crash");
    assert!(page.contains("\\u{202e}"), "{page}");
    let page = seen(&ann, "/contest/cup?faults=memory");
    assert!(page.contains("No player matches"), "{page}");
}

#[test]
fn sorting_filters_and_selection_are_in_the_address_and_survive_an_update() {
    let place = tempfile::tempdir().expect("a folder");
    hold(&place.path().join("cup"), 2, BUILT_IN, |_| {});
    let data = tempfile::tempdir().expect("a folder");
    let hall = open(data.path(), place.path());
    let ann = hall.stranger();
    let names = |page: &str| -> Vec<String> {
        let body = page.split("<tbody>").nth(1).expect("a table");
        let rows = body
            .split("</tbody>")
            .next()
            .expect("its end")
            .split("class=\"name\"")
            .skip(1);
        let name = |row: &str| {
            row.split("<bdi>")
                .nth(1)?
                .split("</bdi>")
                .next()
                .map(str::to_owned)
        };
        rows.filter_map(name).collect()
    };
    let by_name = "?sort=name&pick=careful&pick=random";
    let page = seen(&ann, &format!("/contest/cup{by_name}"));
    let sorted = names(&page);
    assert_eq!(sorted, ["..", "careful", "random", LONG]);
    assert!(page.contains("2 selected"), "{page}");
    assert!(page.contains("aria-sort=\"ascending\""));
    // Who is selected is drawn, and nobody else.
    let plot = page.split("id=\"ratings\"").nth(1).expect("a drawing");
    let plot = plot.split("</section>").next().expect("its end");
    assert_eq!(
        plot.matches("plot-row\"").count() + plot.matches("plot-row picked").count(),
        2
    );
    let update = ann
        .get(&format!("/contest/cup/present{by_name}"))
        .expect(200)
        .json();
    let html = update["html"].as_str().expect("a fragment");
    assert_eq!(names(html), sorted);
    assert!(html.contains("2 selected"));
    let version = update["version"].as_u64().expect("a version");
    ann.get(&format!("/contest/cup/present{by_name}&version={version}"))
        .expect(204);
    let reversed = seen(&ann, "/contest/cup?sort=name&order=reversed");
    assert_eq!(names(&reversed), [LONG, "random", "careful", ".."]);
    assert_eq!(names(&seen(&ann, "/contest/cup?search=CARE")), ["careful"]);
    let nobody = seen(&ann, "/contest/cup?search=nobody");
    assert!(nobody.contains("No player matches."), "{nobody}");
    assert!(!nobody.contains("Faults by kind"), "{nobody}");
    for odd in [
        "?sort=%00",
        "?page=99999999999999999999",
        "?page=7",
        "?pick=%F0%9F%98%80",
        "?search=%ff",
        "?faults=%3Cb%3E",
        "?a",
        "?&&=&",
    ] {
        let answer = ann.get(&format!("/contest/cup{odd}"));
        assert!(
            answer.status == 200 || answer.status == 400,
            "{odd}: {}",
            answer.body
        );
    }
    // A name of dots has an address that no browser shortens.
    let dots = links(&page)
        .into_iter()
        .find(|link| link.contains("/player/.."))
        .expect("a link");
    assert!(!dots.ends_with("/.."), "{dots}");
    assert!(seen(&ann, &dots).contains("<bdi>..</bdi>"));
}

/// A coordinator keeps beside the store who plays; the page shows it until the contest is over.
#[test]
fn the_workers_of_a_contest_are_shown_while_it_is_played() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("cup");
    let data = tempfile::tempdir().expect("a folder");
    let hall = open(data.path(), place.path());
    let ann = hall.stranger();
    let worker = |name: &str| WorkerStatus {
        name: name.to_owned(),
        threads: 8,
        holds: 5,
        blocks: 12_345,
        rate: 67.89,
        machine_faults: 3,
        heard: 1.0,
    };
    let status = ClusterStatus {
        contest: "c".to_owned(),
        game: "intensity".to_owned(),
        games: 1,
        of: 1201,
        seconds: 10.0,
        rate: 20.0,
        waiting: 2,
        playing: 5,
        set_aside: 1,
        audited: (7, 2),
        latency: None,
        workers: [worker(EVIL), worker(TURNED)].into(),
    };
    let mut page = String::new();
    hold(&folder, 2, BUILT_IN, |contest| {
        if contest.progress().games > 0 && page.is_empty() {
            status.keep(&folder).expect("it is kept");
            page = seen(&ann, "/contest/cup");
        }
    });
    let told = "2 workers; batches: 5 being played, 2 waiting; 20 games a second; about 60 s left; 1 set \
                aside; 7 blocks audited, 2 to be.";
    assert!(page.contains(told), "{page}");
    for cell in ["12,345", "67.9", ">8<", ">3<"] {
        assert!(page.contains(cell), "{page}");
    }
    let over = loop {
        let over = seen(&ann, "/contest/cup");
        if over.contains("pill finished") {
            break over;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    assert!(!over.contains("id=\"workers\""), "{over}");
}

#[test]
fn a_contest_is_watched_while_it_is_played() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("cup");
    let data = tempfile::tempdir().expect("a folder");
    let hall = open(data.path(), place.path());
    let ann = hall.stranger();
    let (begun, begin) = mpsc::channel();
    let (go_on, wait) = mpsc::channel::<()>();
    let play = std::thread::spawn(move || {
        let mut looks = 0;
        hold(&folder, 40, BUILT_IN, |contest| {
            looks += 1;
            if contest.progress().games > 0 && looks < 30 {
                let _ = begun.send(contest.progress().games);
                let _ = wait.recv();
            }
        });
    });
    let mut before = 0;
    let mut lives = 0;
    for _ in 0..3 {
        let games = begin.recv().expect("it is played");
        // What was seen a moment ago is shown until it is old.
        let seen = loop {
            let seen = ann.get("/api/contests/cup").expect(200).json();
            if seen["games"].as_u64().expect("a number") >= games {
                break seen;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        };
        assert_eq!(seen["state"], "live");
        assert_eq!(seen["games"], games, "as many as are written, and no more");
        assert!(games >= before);
        before = games;
        let page = ann.get("/contest/cup").expect(200).body;
        assert!(
            page.contains("data-live=\"true\"") && page.contains("pill live"),
            "{page}"
        );
        assert!(
            ann.get("/")
                .expect(200)
                .body
                .contains("class=\"state live\"")
        );
        lives += 1;
        go_on.send(()).expect("it goes on");
    }
    drop(go_on);
    drop(begin);
    play.join().expect("nobody was kept from playing");
    assert_eq!(lives, 3);
    let over = loop {
        let seen = ann.get("/api/contests/cup").expect(200).json();
        if seen["state"] == "finished" {
            break seen;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    assert_eq!(over["games"], over["of"]);
    let player = ann.get("/contest/cup/player/careful").expect(200).body;
    assert!(player.contains("Rating as the contest went on"), "{player}");
    assert!(player.contains("class=\"band\""), "{player}");
}

#[test]
fn the_api_tells_of_contests_what_it_says_it_does() {
    let place = tempfile::tempdir().expect("a folder");
    hold(&place.path().join("cup"), 2, HOSTILE, |_| {});
    let data = tempfile::tempdir().expect("a folder");
    let hall = open(data.path(), place.path());
    let ann = hall.stranger();
    let document = ann.get("/api/openapi.json").expect(200).json();
    let faults = ann.get("/api/contests/cup/faults").expect(200).json();
    let id = faults["faults"][0]["id"]
        .as_str()
        .expect("a number")
        .to_owned();
    for (path, given, status) in [
        ("/api/contests", "/api/contests".to_owned(), 200),
        ("/api/contests/{name}", "/api/contests/cup".to_owned(), 200),
        ("/api/contests/{name}", "/api/contests/none".to_owned(), 404),
        (
            "/api/contests/{name}/faults",
            "/api/contests/cup/faults?player=careful".to_owned(),
            200,
        ),
        (
            "/api/contests/{name}/faults",
            "/api/contests/cup/faults?kind=crash&skip=1".to_owned(),
            200,
        ),
        (
            "/api/contests/{name}/faults",
            "/api/contests/cup/faults?player=nobody".to_owned(),
            404,
        ),
        (
            "/api/contests/{name}/faults",
            "/api/contests/cup/faults?skip=x".to_owned(),
            400,
        ),
        (
            "/api/contests/{name}/faults/{id}",
            format!("/api/contests/cup/faults/{id}"),
            200,
        ),
        (
            "/api/contests/{name}/faults/{id}",
            "/api/contests/cup/faults/none".to_owned(),
            404,
        ),
    ] {
        let answer = ann.get(&given).expect(status);
        let operation = &document["paths"][path]["get"];
        let schema =
            &operation["responses"][status.to_string()]["content"]["application/json"]["schema"];
        assert!(!schema.is_null(), "{given} {status} is described");
        let found = wrong(&document, schema, &answer.json(), &given);
        assert!(found.is_empty(), "{found:#?}");
    }
    let listed = ann.get("/api/contests").expect(200).json();
    assert_eq!(listed[0]["name"], "cup");
    assert_eq!(listed[0]["live"], false);
}

#[test]
fn what_is_no_contest_gets_a_line_and_nothing_crashes() {
    let place = tempfile::tempdir().expect("a folder");
    let make = |name: &str, contents: &[u8]| {
        fs::create_dir_all(place.path().join(name)).expect("a folder");
        fs::write(place.path().join(name).join("contest.sqlite"), contents).expect("a file");
    };
    make(
        "text",
        b"this is not a database, and not a short one either",
    );
    make("empty", b"");
    make("zeros", &[0; 8192]);
    make(
        "<b>evil</b>",
        b"SQLite format 3\0 but then something else entirely",
    );
    hold(&place.path().join("whole"), 1, BUILT_IN, |_| {});
    let whole = fs::read(place.path().join("whole/contest.sqlite")).expect("a contest");
    make("half", &whole[..whole.len() / 2 / 4096 * 4096]);
    make("head", &whole[..100]);
    let mut changed = whole.clone();
    for byte in changed.iter_mut().skip(4096).step_by(97) {
        *byte ^= 0x55;
    }
    make("changed", &changed);
    fs::write(
        place.path().join("other.jsonl"),
        "{\"some\": \"<script>alert(1)</script>\"}\n",
    )
    .expect("a file");
    let data = tempfile::tempdir().expect("a folder");
    let hall = open(data.path(), place.path());
    let ann = hall.stranger();
    let lobby = seen(&ann, "/");
    assert!(lobby.contains("/contest/whole\""), "{lobby}");
    assert!(lobby.contains("What cannot be shown"), "{lobby}");
    assert!(lobby.contains("other.jsonl: this is no record"), "{lobby}");
    for name in [
        "text",
        "zeros",
        "-b-evil--b-",
        "half",
        "head",
        "changed",
        "empty",
    ] {
        for path in ["", "/present", "/player/careful", "/fault/x"] {
            let answer = ann.get(&format!("/contest/{name}{path}"));
            assert!(
                [200, 404, 409, 503].contains(&answer.status),
                "{name}{path}: {}",
                answer.body
            );
            assert!(
                answer.status != 200 || name == "changed",
                "{name}{path}: {}",
                answer.body
            );
            is_harmless(&answer.body);
        }
        let answer = ann.get(&format!("/api/contests/{name}"));
        assert!(answer.status != 500, "{}", answer.body);
    }
    for odd in [
        "/contest/",
        "/contest/..",
        "/contest/%2e%2e%2fwhole",
        "/contest/none",
        "/contest/whole/player/none",
        "/contest/whole/fault/%00",
        "/contest/whole/fault/'%20OR%201=1",
        "/contest/whole%00",
    ] {
        ann.get(odd).expect(404);
    }
}

/// A fault that nobody has made, with a great deal in it.
fn fault() -> Fault {
    Fault {
        kind: FoulKind::Malformed,
        culprit: Culprit::Bot,
        detail: "it wrote 'x'".to_owned(),
        exchange: Exchange {
            input: Bytes(vec![b'x'; 200]),
            ..Exchange::default()
        },
        tier: Tier::None,
        limits: Limits::default(),
        program: "bot".into(),
        speech: Speech::Own,
    }
}

#[test]
fn three_hundred_players_and_a_hundred_thousand_faults_come_in_pages() {
    let place = tempfile::tempdir().expect("a folder");
    let settings = settings(1, Format::Swiss);
    let player = |number: usize| Entrant {
        name: format!("player {number:03}"),
        spec: "random".to_owned(),
        who: Who::BuiltIn("random".to_owned()),
        identity: String::new(),
        added: false,
    };
    let mut players: Vec<Entrant> = (0..300).map(player).collect();
    Entrant::identify::<Intensity>(&mut players, &[]);
    let mut store = Store::create(&place.path().join("large")).expect("a store");
    store
        .enter(&settings, &players, &[], &[])
        .expect("they enter");
    let mut contest = Contest::new::<Intensity>(settings, players, Vec::new()).expect("a contest");
    let missing = contest.missing(&mut store).expect("what is missing");
    let mut played: Vec<(usize, BlockResult)> = (0..missing.len())
        .map(|number| {
            let outcome = Outcome::lowest_wins(vec![1, 2, 3, 4]);
            let kept = |_| KeptFault {
                game: 0,
                player: 0,
                seat: Seat::from(0),
                fault: fault(),
            };
            let many = if number == 0 { 100_000 } else { 3 };
            let result = BlockResult {
                games: vec![outcome; 4],
                faults: vec![many, 0, 0, 0],
                kept: (0..many).map(kept).collect(),
                decisions: vec![100_001, 9, 9, 9],
                suspended: vec![false; 4],
                ..BlockResult::default()
            };
            (number, result)
        })
        .collect();
    let worst = contest.entrants()[missing.plan(0).table[0]].name.clone();
    contest
        .keep(&mut store, &missing, &mut played)
        .expect("kept");
    drop(store);
    let data = tempfile::tempdir().expect("a folder");
    let hall = open(data.path(), place.path());
    let ann = hall.stranger();
    let short = |path: &str| {
        let page = seen(&ann, path);
        assert!(page.len() < 700_000, "{path}: {}", page.len());
        page
    };
    let page = short("/contest/large");
    assert!(page.contains("1 to 100 of 300"), "{page}");
    assert!(short("/contest/large?page=3").contains("201 to 300 of 300"));
    let all: String = (1..=3)
        .map(|page| short(&format!("/contest/large?page={page}&sort=name")))
        .collect();
    for number in 0..300 {
        assert!(all.contains(&format!("player {number:03}")), "{number}");
    }
    let place = format!("/contest/large/player/{}", worst.replace(' ', "%20"));
    let page = short(&place);
    assert!(
        page.contains("100,000 faults") && page.contains("1 to 1,000 of 100,000"),
        "{page}"
    );
    assert_eq!(page.matches("/contest/large/fault/").count(), 1000);
    let last = short(&format!("{place}?faults=100"));
    assert!(last.contains("99,001 to 100,000 of 100,000"), "{last}");
    assert!(short(&format!("{place}?faults=5000")).contains("of 100,000"));
    let mut skip = Some(0);
    let mut told = 0;
    while let Some(from) = skip.filter(|skip| *skip < 5000) {
        let part = ann
            .get(&format!("/api/contests/large/faults?skip={from}"))
            .expect(200)
            .json();
        told += part["faults"].as_array().expect("a list").len();
        skip = part["next"].as_u64();
    }
    assert_eq!(told, 5000);
}
