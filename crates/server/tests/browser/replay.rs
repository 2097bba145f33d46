//! Looking back at a game, and War.

use std::time::Duration;

use crate::house::{Browser, DESK, Done, PHONE, Person};
use crate::served::Hall;

/// Drops a record as a person does who chooses the file, and comes to its page.
const DROP: &str = r"
    const text = arguments[0];
    const files = new DataTransfer();
    files.items.add(new File([text], 'game.jsonl'));
    document.querySelector('#record').files = files.files;
    document.querySelector('.drop').requestSubmit();
";

/// A short game of Intensity in which everybody plays the first legal card.
pub(crate) fn record() -> String {
    use croupier_core::{Audience, Event, Options, Seed};
    let entry = croupier_games::GAMES.find("intensity").expect("a game");
    let setup = entry.setup(&Options::new()).expect("a setup");
    let mut game = entry.deal(&setup, Seed(3)).expect("a deal");
    while let Some(first) = game.legal().first() {
        game.play(first).expect("a legal move");
    }
    let names = ["Ann", "Bob", "Cat", "Dan"].map(str::to_owned);
    let lines = game.events(Audience::Referee);
    let lines: String = lines.iter().map(Event::to_line).collect();
    format!("{}{lines}", game.header(names.to_vec()).to_line())
}

/// Drops the record on the lobby.
async fn drop_it(person: &Person<'_>) -> Done {
    person.open("/").await?;
    let text = serde_json::to_string(&record()).expect("a text");
    person.script(&DROP.replace("arguments[0]", &text)).await?;
    person.wait_for("#moment .table").await
}

pub(crate) async fn a_replay_is_stepped_through(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, DESK).await;
    drop_it(&ann).await?;
    ann.check().await?;
    let at = |moment: usize| {
        format!(
            "new URL(location).searchParams.get('at') === '{moment}' && \
             document.querySelector('#moment .count').textContent === '{moment} of 44'"
        )
    };
    // By buttons, by keys, by the slider, by the list: the address is that of the moment.
    ann.click("#after").await?;
    ann.wait_until(&at(1)).await?;
    ann.press(thirtyfour::Key::Right).await?;
    ann.wait_until(&at(2)).await?;
    ann.press(thirtyfour::Key::Left).await?;
    ann.wait_until(&at(1)).await?;
    ann.click("#end").await?;
    ann.wait_until(&at(44)).await?;
    ann.click("#first").await?;
    ann.wait_until(&at(0)).await?;
    ann.script("const s = document.querySelector('#slider'); s.value = 20; s.dispatchEvent(new Event('input'));")
        .await?;
    ann.wait_until(&at(20)).await?;
    // The list has moved on to the twentieth move; a person scrolls back in it.
    ann.script(
        "document.querySelector(\"#log li[data-at='9']\").scrollIntoView({block: 'center'})",
    )
    .await?;
    ann.click("#log li[data-at='9'] a").await?;
    ann.wait_until(&at(9)).await?;
    ann.picture("replay").await?;
    // A reload shows the same moment.
    ann.script("location.reload()").await?;
    ann.wait_for("#moment .table").await?;
    ann.wait_until(&at(9)).await?;
    // It plays by itself, and stops when it is told to.
    ann.choose("#tempo", "120").await?;
    ann.click("#play").await?;
    ann.wait_until("Number(new URL(location).searchParams.get('at')) > 12")
        .await?;
    ann.click("#play").await?;
    ann.wait_until("document.querySelector('#play').getAttribute('aria-pressed') === 'false'")
        .await?;
    // The review: a curve, a list, and the next costly move.
    ann.click("#review-begin").await?;
    ann.wait_for(".balance").await?;
    ann.check().await?;
    ann.picture("review").await?;
    ann.click(".costly-moves a").await?;
    ann.wait_for("#verdict .verdict").await?;
    ann.check().await?;
    ann.look("replay-verdict").await?;
    // Another pair of eyes.
    ann.click(".eyes a:last-child").await?;
    ann.wait_until("location.search.includes('seat=all')")
        .await?;
    ann.wait_for("#moment .table").await?;
    ann.look("replay-all").await?;
    ann.press(thirtyfour::Key::End).await?;
    ann.wait_for("#moment .result").await?;
    ann.check().await?;
    ann.look("replay-end").await?;
    ann.console().await
}

pub(crate) async fn a_decision_is_tried_again(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, PHONE).await;
    drop_it(&ann).await?;
    ann.script("location.search = '?review=on'").await?;
    // While the expert looks at moves the list is drawn anew: what is to be clicked may be gone.
    ann.wait_until("document.querySelector('.reviewed') && !document.querySelector('.progress')")
        .await?;
    ann.click(".costly-moves .again").await?;
    ann.wait_for("#trying .table").await?;
    ann.check().await?;
    ann.picture("try").await?;
    while ann
        .script("return document.querySelector('.answer');")
        .await?
        .is_null()
    {
        ann.script("document.querySelector('#trying [data-state=next]')?.click();")
            .await?;
    }
    ann.check().await?;
    ann.picture("try-answer").await?;
    ann.click(".answer a.main").await?;
    ann.wait_for("#moment .table").await?;
    ann.console().await
}

/// The file is opened from the disk, and the server is gone.
pub(crate) async fn a_saved_game_is_looked_at_without_the_server(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, DESK).await;
    drop_it(&ann).await?;
    ann.script("location.search = '?review=on'").await?;
    ann.wait_for(".balance").await?;
    let saved =
        "return fetch(document.querySelector('.keep a').href).then((answer) => answer.text());";
    let saved = ann.script(saved).await?;
    let file = data.path().join("saved.html");
    std::fs::write(&file, saved.as_str().expect("a file")).expect("room on the disk");
    hall.close();
    ann.page()
        .await?
        .goto(format!("file://{}", file.display()))
        .await?;
    let shows = |moment: usize| {
        format!(
            "[...document.querySelectorAll('.moments > section')]
                .filter((section) => section.getClientRects().length > 0)
                .map((section) => section.id).join() === 'm{moment}'"
        )
    };
    ann.wait_until(&shows(0)).await?;
    ann.check().await?;
    ann.press(thirtyfour::Key::Right).await?;
    ann.wait_until(&shows(1)).await?;
    ann.press(thirtyfour::Key::End).await?;
    ann.wait_until(&shows(44)).await?;
    ann.script("document.querySelector(\"#log li[data-at='9'] a\").click()")
        .await?;
    ann.wait_until(&shows(9)).await?;
    ann.check().await?;
    ann.picture("saved").await?;
    ann.click(".costly-moves a").await?;
    ann.wait_until("document.querySelector('.moment:target .verdict')")
        .await?;
    ann.look("saved-verdict").await?;
    ann.console().await
}

pub(crate) async fn war_is_watched_and_simulated(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, PHONE).await;
    ann.open("/war?seed=7").await?;
    ann.check().await?;
    ann.choose("#tempo", "30").await?;
    ann.click("#play").await?;
    ann.wait_until("Number(new URL(location).searchParams.get('at')) > 10")
        .await?;
    ann.click("#play").await?;
    // Nobody who does not look asks for more; who looks again does.
    ann.choose("select[name='games']", "100000000").await?;
    ann.click("#simulate").await?;
    ann.wait_for(".histogram rect").await?;
    // The game that is watched stands where it stood.
    let stands = "return parseInt(document.querySelector('#moment .count').textContent) > 10;";
    assert_eq!(ann.script(stands).await?, true);
    ann.hide(true).await?;
    let asked = "performance.getEntriesByType('resource')
        .filter((entry) => entry.name.includes('/war/simulation')).length";
    // An answer may still be on its way.
    tokio::time::sleep(Duration::from_millis(1000)).await;
    let before = ann.script(&format!("return {asked};")).await?;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(ann.script(&format!("return {asked};")).await?, before);
    ann.hide(false).await?;
    ann.wait_until(&format!("{asked} > {before}")).await?;
    ann.choose("select[name='games']", "1000000").await?;
    ann.click("#simulate").await?;
    ann.wait_for(".histogram rect").await?;
    ann.wait_until("document.querySelector('#simulation').textContent.includes('all of them')")
        .await?;
    ann.check().await?;
    ann.look("war").await?;
    ann.console().await
}
