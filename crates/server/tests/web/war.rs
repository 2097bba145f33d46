//! War before one's eyes, and how long it takes.

use std::time::{Duration, Instant};

use crate::hall::Hall;

#[test]
fn war_is_dealt_and_played_from_a_seed() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let guest = hall.stranger();
    let page = guest.get("/war?seed=7").expect(200).body;
    assert_eq!(
        page.replace(|c: char| c.is_ascii_digit(), ""),
        guest
            .get("/war?seed=7")
            .body
            .replace(|c: char| c.is_ascii_digit(), ""),
        "the same deal every time, but for the link to another one"
    );
    let later = guest.get("/war?seed=7&at=20").expect(200).body;
    assert!(
        later.contains("20 of ") && later.contains("/war?seed=7&#38;"),
        "{later}"
    );
    let some = guest.get("/replay/war/7~loses~transcript/moments?from=0&count=5");
    assert_eq!(some.expect(200).json().as_array().map(Vec::len), Some(5));
    let refused = guest.get("/war?seed=x").expect(400).body;
    assert!(
        refused.contains("The seed must be a whole number"),
        "{refused}"
    );
    for wrong in [
        "/war/simulation?seed=x&games=100000",
        "/war?games=5",
        "/war/simulation",
        "/war?at=x",
    ] {
        guest.get(wrong).expect(400);
    }
    for wrong in [
        "/war?winnings=none",
        "/war/simulation?games=100000&short-war=none",
        "/war?at=9999999",
    ] {
        guest.get(wrong).expect(404);
    }
}

#[test]
fn a_simulation_grows_while_somebody_asks() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let guest = hall.stranger();
    let page = guest.get("/war?seed=1&games=100000").expect(200).body;
    assert!(page.contains("of 100,000 games played"), "{page}");
    let begin = Instant::now();
    let html = loop {
        let told = guest
            .get("/war/simulation?seed=1&games=100000")
            .expect(200)
            .json();
        if told["done"] == true {
            break told["html"].as_str().expect("a survey").to_owned();
        }
        assert!(begin.elapsed() < Duration::from_secs(200));
        std::thread::sleep(Duration::from_millis(30));
    };
    assert!(
        html.contains("100,000 of 100,000 games played: all of them"),
        "{html}"
    );
    assert!(html.contains("<svg class=\"histogram\"") && html.contains("Turns a game, mean"));
    // Without scripts the page itself shows the same.
    let page = guest.get("/war?seed=1&games=100000").expect(200).body;
    assert!(page.contains(&html) && !page.contains("http-equiv=\"refresh\""));
}
