//! The pages around the table.

use crate::house::{Browser, DESK, Done, PHONE};
use crate::served::Hall;

pub(crate) async fn every_page_fits_and_can_be_used_by_all(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, PHONE).await;
    let pages = [
        ("/", "lobby"),
        ("/play/intensity", "new-intensity"),
        ("/play/austerity", "new-austerity"),
        ("/rules/uno", "rules"),
        ("/war", "war-page"),
        ("/nowhere", "refusal"),
    ];
    for ((width, height), colours) in [(PHONE, "dark"), (DESK, "light")] {
        ann.size(width, height).await?;
        ann.colours(colours).await?;
        for (path, name) in pages {
            ann.open(path).await?;
            if path == "/nowhere" {
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
