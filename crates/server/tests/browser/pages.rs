//! The pages around the table.

use croupier_games::GAMES;
use croupier_server::Settings;

use crate::house::{Browser, DESK, Done, PHONE};
use crate::playing::sit_down;
use crate::served::Hall;

pub(crate) async fn every_page_fits_and_can_be_used_by_all(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, PHONE).await;
    let pages = [
        ("/", "lobby"),
        ("/play/war", "new-war"),
        ("/play/intensity", "new-intensity"),
        ("/play/friday13?opt-players=99", "new-friday13"),
        ("/play/uno?watch=1", "new-uno"),
        ("/play/austerity", "new-austerity"),
        ("/rules/uno", "rules"),
        ("/war", "war-page"),
        ("/nowhere", "refusal"),
    ];
    // What is the same kind of page as another is not in the documentation.
    let more = [
        ("/rules/war", "rules-war"),
        ("/rules/intensity", "rules-intensity"),
        ("/rules/friday13", "rules-friday13"),
        ("/rules/austerity", "rules-austerity"),
        ("/war?seed=x", "refusal-bad"),
        ("/table/ffffffffffffffff", "table-gone"),
    ];
    for ((width, height), colours) in [(PHONE, "dark"), (DESK, "light")] {
        ann.size(width, height).await?;
        ann.colours(colours).await?;
        for (path, name) in pages.into_iter().chain(more) {
            ann.open(path).await?;
            if ["refusal", "refusal-bad", "table-gone"].contains(&name) {
                // A page that is not there is a complaint in the console.
                ann.complaints().await?;
            }
            ann.check().await?;
            match colours == "light" {
                true if pages.contains(&(path, name)) => ann.picture(name).await?,
                true => ann.look(name).await?,
                false => (),
            }
        }
    }
    Ok(())
}

/// Also where a bar for scrolling takes some of the window.
pub(crate) async fn play_and_watch_stand_side_by_side(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, DESK).await;
    ann.open("/").await?;
    let apart = "return [...document.querySelectorAll('.game .acts')].filter((acts) =>
        new Set([...acts.children].map((button) => button.offsetTop)).size > 1
            || acts.scrollWidth > acts.clientWidth).length;";
    for width in [320, 360, 480, 500, 753, 768, 1024, 1440] {
        ann.size(width, 900).await?;
        assert_eq!(ann.script(apart).await?, 0, "in a window {width} px wide");
    }
    ann.console().await
}

/// What goes wrong in a form, and pages that are refused.
pub(crate) async fn what_is_refused_is_said_on_a_page(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, PHONE).await;
    ann.open("/play/uno").await?;
    ann.click("#more summary").await?;
    ann.type_into("#seed", "tomorrow").await?;
    ann.click("#wanted button.main").await?;
    ann.wait_for(".wrong").await?;
    // What is refused is a complaint in the console.
    ann.complaints().await?;
    ann.check().await?;
    ann.look("new-wrong").await?;

    // A move for another moment than the present one, by the form of somebody without scripts.
    let ben = browser.person(&hall, PHONE).await;
    ben.without_scripts().await?;
    sit_down(&ben, "intensity", &[]).await?;
    ben.script("document.querySelector('#moving').elements.version.value = 7;")
        .await?;
    ben.click(".moves summary").await?;
    ben.click(".moves button").await?;
    ben.wait_for(".wrong").await?;
    ben.complaints().await?;
    ben.look("stale").await?;

    // Another name: nothing is given, not even the style, so nothing is asked for.
    let port = hall.address.port();
    let elsewhere = format!("http://rebound.example:{port}/");
    ann.page().await?.goto(elsewhere).await?;
    assert!(
        ann.text("main")
            .await?
            .contains("does not answer to that name")
    );
    ann.look("foreign-host").await?;
    ann.complaints().await?;
    Ok(())
}

pub(crate) async fn who_has_no_seat_looks_on(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, DESK).await;
    let ben = browser.person(&hall, PHONE).await;
    for game in ["intensity", "friday13", "uno", "austerity"] {
        sit_down(&ann, game, &[]).await?;
        ann.wait_for(".status.turn").await?;
        let table = ann.script("return location.pathname;").await?;
        ben.open(table.as_str().expect("a path")).await?;
        ben.wait_for("#live .table").await?;
        let touched =
            "return document.querySelectorAll('#live button[data-piece], .moves').length;";
        assert_eq!(ben.script(touched).await?, 0, "{game}");
        assert!(ben.text("#status").await?.contains("is to move"), "{game}");
        ben.check().await?;
        ben.picture(&format!("onlooker-{game}")).await?;
    }
    ben.open("/").await?;
    ben.click(".tables a").await?;
    ben.wait_for("#live .table").await?;
    ben.console().await
}

pub(crate) async fn a_house_that_is_full_says_so(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::with(Settings {
        most_tables: 1,
        ..Settings::new(GAMES.clone(), data.path().to_owned())
    });
    let ann = browser.person(&hall, DESK).await;
    let ben = browser.person(&hall, PHONE).await;
    sit_down(&ann, "uno", &[]).await?;
    ann.wait_for(".status.turn").await?;
    ben.open("/play/uno").await?;
    ben.click("#wanted button.main").await?;
    ben.wait_until("document.body.textContent.includes('All tables are taken')")
        .await?;
    // What is refused is a complaint in the console.
    ben.complaints().await?;
    ben.check().await?;
    ben.look("full").await
}
