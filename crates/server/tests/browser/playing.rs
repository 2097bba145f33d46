//! Whole games, as people play them.

use std::time::{Duration, Instant};

use serde_json::Value;
use thirtyfour::error::WebDriverErrorInner;
use thirtyfour::prelude::*;

use crate::house::{Browser, DESK, Done, PHONE, Person};
use crate::served::Hall;

/// A game that takes longer hangs: no machine is as slow as that.
const ENDLESS: Duration = Duration::from_secs(600);

/// What a person sees who looks for the next card: the piece that can be picked next, with its number
/// among those that can be picked; or that the game is over, or that it is not the own turn. A card of
/// the market is bought rather than tokens taken, as games have to end.
const NEXT: &str = r"
    if (document.querySelector('.result')) return { over: true };
    const can = [...document.querySelectorAll('#live button[data-piece]')]
        .filter((piece) => ['next', 'picked'].includes(piece.dataset.state)
            && !piece.disabled && piece.getClientRects().length > 0);
    const isNext = (piece) => piece.dataset.state === 'next';
    const piece = can.find((piece) => isNext(piece) && piece.matches('.market-card')) ?? can.find(isNext);
    return piece ? { piece, place: can.indexOf(piece) } : {};
";

/// Sits down at a table of a game: `fields` are the fields of the form that are not left as they are.
pub(crate) async fn sit_down(person: &Person<'_>, game: &str, fields: &[(&str, &str)]) -> Done {
    person.open(&format!("/play/{game}")).await?;
    person.click("#more summary").await?;
    for (field, value) in fields {
        match field.starts_with("seat-") {
            true => person.choose(&format!("#{field}"), value).await?,
            false => person.type_into(&format!("#{field}"), value).await?,
        }
    }
    person.type_into("#seed", "7").await?;
    person.click("#wanted button.main").await?;
    person.wait_for("#live").await
}

/// Whether a person goes by the mouse or by the keys.
#[derive(Clone, Copy)]
pub(crate) enum Hand {
    Mouse,
    Keys,
}

/// Makes the next pick, if it is the own turn; whether the game is still on.
pub(crate) async fn pick(person: &Person<'_>, hand: Hand) -> WebDriverResult<bool> {
    pick_if(person, hand, "true").await
}

/// The same if a condition holds on the page; a piece of another moment is not touched.
async fn pick_if(person: &Person<'_>, hand: Hand, condition: &str) -> WebDriverResult<bool> {
    let next = format!("if (!({condition})) return {{}}; {NEXT}");
    let next = person.script(&next).await?;
    if next["over"] == true {
        return Ok(false);
    }
    let Some(place) = next["place"].as_u64() else {
        tokio::time::sleep(Duration::from_millis(5)).await;
        return Ok(true);
    };
    if let (Hand::Keys, 0..10) = (hand, place) {
        let number = (place + 1) % 10;
        person.press(number.to_string() + Key::Enter).await?;
        return Ok(true);
    }
    let page = person.page().await?;
    let piece = WebElement::from_json(next["piece"].clone(), page.handle().clone())?;
    match piece.click().await {
        // Somebody else has moved meanwhile.
        Err(error) if matches!(*error, WebDriverErrorInner::StaleElementReference(_)) => Ok(true),
        clicked => clicked.map(|()| true),
    }
}

/// The number of moves that the page shows.
pub(crate) const VERSION: &str = "Number(document.querySelector('#moving').dataset.version)";

/// The number of moves that somebody is shown.
pub(crate) async fn version(person: &Person<'_>) -> WebDriverResult<u64> {
    let version = person.script(&format!("return {VERSION};")).await?;
    Ok(version.as_u64().expect("a number"))
}

/// Makes one whole move, of as many picks as it takes.
pub(crate) async fn make_a_move(person: &Person<'_>) -> Done {
    let before = version(person).await?;
    let is_same = format!("{VERSION} === {before}");
    while version(person).await? == before {
        pick_if(person, Hand::Mouse, &is_same).await?;
    }
    Ok(())
}

/// Plays until the game is over.
async fn play(person: &Person<'_>, hand: Hand) -> Done {
    let begin = Instant::now();
    while pick(person, hand).await? {
        if begin.elapsed() > ENDLESS {
            panic!("the game does not end: {}", person.text("#live").await?);
        }
    }
    Ok(())
}

/// A whole game by clicks, on pages that are as they have to be before and after.
async fn whole_game(
    browser: &Browser,
    game: &str,
    size: (u32, u32),
    fields: &[(&str, &str)],
) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, size).await;
    sit_down(&ann, game, fields).await?;
    ann.check().await?;
    // Somewhere in the middle there is most to be seen.
    for _ in 0..9 {
        ann.wait_until("document.querySelector('.status.turn, .result')")
            .await?;
        pick(&ann, Hand::Mouse).await?;
    }
    ann.wait_until("document.querySelector('.status.turn, .result')")
        .await?;
    ann.picture(game).await?;
    play(&ann, Hand::Mouse).await?;
    ann.check().await?;
    ann.script("scrollTo(0, document.querySelector('.result').offsetTop - 80);")
        .await?;
    ann.picture(&format!("{game}-result")).await
}

pub(crate) async fn war_by_clicks(browser: &Browser) -> Done {
    whole_game(
        browser,
        "war",
        DESK,
        &[("opt-max-turns", "12"), ("seat-0", "you")],
    )
    .await
}

pub(crate) async fn intensity_by_clicks(browser: &Browser) -> Done {
    whole_game(browser, "intensity", DESK, &[]).await
}

pub(crate) async fn friday_by_clicks_on_a_phone(browser: &Browser) -> Done {
    whole_game(browser, "friday13", PHONE, &[("opt-rounds", "1")]).await
}

pub(crate) async fn uno_by_clicks(browser: &Browser) -> Done {
    whole_game(browser, "uno", DESK, &[]).await
}

pub(crate) async fn austerity_by_clicks(browser: &Browser) -> Done {
    whole_game(browser, "austerity", DESK, &[("opt-points", "3")]).await
}

pub(crate) async fn intensity_by_keys_alone(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, DESK).await;
    sit_down(&ann, "intensity", &[]).await?;
    stays_at_the_pieces(&ann).await?;
    play(&ann, Hand::Keys).await?;
    ann.console().await
}

/// While others move, there is no piece to be on. In the next own turn, whoever goes by keys is among
/// the cards again, and not at the top of the page.
async fn stays_at_the_pieces(person: &Person<'_>) -> Done {
    for _ in 0..2 {
        let before = version(person).await?;
        while version(person).await? == before {
            pick(person, Hand::Keys).await?;
        }
        person.wait_for(".status.turn").await?;
        person
            .wait_until("document.activeElement.matches('#live button[data-piece]')")
            .await?;
    }
    Ok(())
}

/// Every page works by links and forms alone.
pub(crate) async fn friday_without_scripts(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, PHONE).await;
    ann.without_scripts().await?;
    ann.open("/").await?;
    ann.click("a[href='/play/friday13'].main").await?;
    ann.click("#more summary").await?;
    ann.type_into("#opt-values", "2,5,7").await?;
    ann.type_into("#opt-rounds", "1").await?;
    ann.click("#wanted button.main").await?;
    ann.wait_for("#live").await?;
    let path = ann.script("return location.pathname;").await?;
    let path = path.as_str().expect("a path");
    let begin = Instant::now();
    loop {
        assert!(begin.elapsed() < ENDLESS, "it does not end");
        let state = "return document.querySelector('.result, .status.turn')?.className;";
        match ann.script(state).await?.as_str() {
            Some("result") => break,
            Some(_) => {
                let before = version(&ann).await?;
                ann.click(".moves summary").await?;
                ann.click(".moves button").await?;
                ann.wait_until(&format!("{VERSION} > {before}")).await?;
            }
            // The page would ask again by itself, some seconds later.
            None => ann.open(path).await?,
        }
    }
    ann.click(".result button.main").await?;
    ann.wait_for(".status").await?;
    ann.console().await
}

/// A table of Friday the 13th for this person in the first seat and somebody else in the second.
pub(crate) async fn table_for_two(ann: &Person<'_>) -> Done {
    ann.open("/play/friday13").await?;
    ann.click("#more summary").await?;
    ann.type_into("#opt-players", "2").await?;
    ann.type_into("#opt-rounds", "1").await?;
    ann.type_into("#opt-values", "2,5,7").await?;
    ann.click("button[name=look]").await?;
    ann.wait_until("document.querySelectorAll('.chairs li').length === 2")
        .await?;
    ann.choose("#seat-1", "open").await?;
    ann.type_into("#name", "Ann").await?;
    ann.click("#wanted button.main").await?;
    ann.wait_for(".invitation input").await
}

/// The path of the link to the seat that is free.
pub(crate) async fn invitation(host: &Person<'_>) -> WebDriverResult<String> {
    let link = host.script("return document.querySelector('.invitation input').value;");
    let link = link.await?;
    let path = link.as_str();
    let path = path.and_then(|link| link.strip_prefix(&host.address));
    Ok(path.expect("a link to this server").to_owned())
}

pub(crate) async fn two_people_play_each_other(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, DESK).await;
    let ben = browser.person(&hall, PHONE).await;
    table_for_two(&ann).await?;
    ben.open(&invitation(&ann).await?).await?;
    ben.check().await?;
    ben.picture("join").await?;
    ben.type_into("#name", "Ben").await?;
    ben.click("button.main").await?;
    ben.wait_for("#live").await?;
    ann.wait_until("document.querySelector('#company').textContent.includes('Ben')")
        .await?;
    let begin = Instant::now();
    while pick(&ann, Hand::Mouse).await? | pick(&ben, Hand::Mouse).await? {
        assert!(begin.elapsed() < ENDLESS, "it does not end");
    }
    assert!(ben.text(".result").await?.contains("Ann"));
    ann.console().await
}

/// What a person sees: whether it is the own turn, and every piece there is.
async fn seen(person: &Person<'_>) -> WebDriverResult<Value> {
    let seen = "return [document.querySelector('#status').textContent,
        [...document.querySelectorAll('#live [data-piece]')].map((piece) => piece.dataset.piece)];";
    person.script(seen).await
}

pub(crate) async fn a_table_survives_reload_back_and_restart(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, DESK).await;
    sit_down(&ann, "uno", &[]).await?;
    let own_turn = "document.querySelector('.status.turn')";
    ann.wait_until(own_turn).await?;
    let before = seen(&ann).await?;

    ann.page().await?.refresh().await?;
    ann.wait_until(own_turn).await?;
    assert_eq!(seen(&ann).await?, before, "after a reload");

    ann.click("header a.brand").await?;
    ann.wait_for(".games").await?;
    assert!(ann.text(".tables").await?.contains("your turn"));
    ann.page().await?.back().await?;
    ann.wait_until(own_turn).await?;
    assert_eq!(seen(&ann).await?, before, "after going back");
    ann.console().await?;

    let address = hall.address;
    hall.close();
    ann.wait_for(".offline").await?;
    ann.look("offline").await?;
    let settings =
        croupier_server::Settings::new(croupier_games::GAMES.clone(), data.path().into());
    let hall = Hall::at(settings, address);
    ann.wait_until("!document.querySelector('.offline')")
        .await?;
    assert_eq!(seen(&ann).await?, before, "after a restart");
    // A server that is away is a complaint in the console.
    ann.complaints().await?;
    play(&ann, Hand::Mouse).await?;
    let result = ann.text(".result table").await?;
    ann.page().await?.refresh().await?;
    assert_eq!(ann.text(".result table").await?, result, "after a reload");
    // The expert tells what cost most, or that nothing did.
    let told = "document.querySelector('.told-cost')?.textContent";
    ann.wait_until(&format!("{told} && !/looks at|cannot/.test({told})"))
        .await?;
    ann.console().await?;
    hall.close();
    Ok(())
}

pub(crate) async fn eight_tabs_show_the_same_table(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, DESK).await;
    sit_down(&ann, "friday13", &[("opt-rounds", "1")]).await?;
    let path = ann.script("return location.pathname;").await?;
    let path = path.as_str().expect("a path");
    let mut tabs = Vec::new();
    for _ in 1..8 {
        let tab = ann.another_tab().await;
        tab.open(path).await?;
        tabs.push(tab);
    }
    tabs.push(ann);
    for tab in &tabs {
        tab.wait_until("document.querySelector('.status.turn')")
            .await?;
    }
    // A move is made in one tab after the other, and all show what came of it.
    for place in [0, 7, 3] {
        let before = version(&tabs[place]).await?;
        make_a_move(&tabs[place]).await?;
        for tab in &tabs {
            tab.wait_until(&format!(
                "{VERSION} > {before} && document.querySelector('.status.turn')"
            ))
            .await?;
        }
    }
    tabs[0].console().await
}
