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
        ("/table/ffffffffffffffff", "table-gone"),
    ];
    for ((width, height), colours) in [(PHONE, "dark"), (DESK, "light")] {
        ann.size(width, height).await?;
        ann.colours(colours).await?;
        for (path, name) in pages {
            ann.open(path).await?;
            if ["refusal", "table-gone"].contains(&name) {
                // A page that is not there is a complaint in the console.
                ann.complaints().await?;
            }
            ann.check().await?;
            if colours == "light" {
                ann.picture(name).await?;
            }
        }
    }
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
