//! Contests: one is watched while it is played, and a fault is found from the standings by clicks.

use std::sync::mpsc;

use croupier_arena::{ClusterStatus, WorkerStatus};
use croupier_games::GAMES;
use croupier_server::Settings;

use crate::held::{BUILT_IN, Field, HOSTILE, Plays, hold, umpires};
use crate::house::{Browser, DESK, Done, PHONE};
use crate::playing::sit_down;
use crate::served::Hall;

/// A contest as there are many: nobody means harm, and two programs have errors.
const COURSE: Field = &[
    ("careful", Plays::BuiltIn("careful")),
    ("random", Plays::BuiltIn("random")),
    ("ada", Plays::BuiltIn("careful")),
    ("edsger", Plays::BuiltIn("careful")),
    ("grace", Plays::BuiltIn("random")),
    ("linus", Plays::Program("linus", HASTY)),
    ("maya", Plays::Program("maya", UNSURE)),
];

/// Plays its first card, whatever was led.
const HASTY: &str = "#!/bin/sh\n\
    set -- $(cat)\n\
    case $1 in 0) echo linus;; 1) echo $2 $3 $4;; 2) echo $5;; *) echo ok;; esac\n";

/// The same; it has not thought of the last cards of a hand.
const UNSURE: &str = "#!/bin/sh\n\
    set -- $(cat)\n\
    if [ $1 = 2 ] && [ $2 -lt 3 ]; then\n\
        echo 'IndexError: list index out of range' >&2; exit 1\n\
    fi\n\
    case $1 in 0) echo maya;; 1) echo $2 $3 $4;; 2) echo $5;; *) echo ok;; esac\n";

fn open(data: &std::path::Path, folder: &std::path::Path) -> Hall {
    Hall::with(Settings {
        umpires: umpires(),
        folders: vec![folder.to_owned()],
        ..Settings::new(GAMES.clone(), data.to_owned())
    })
}

pub(crate) async fn a_contest_is_watched_while_it_is_played(browser: &Browser) -> Done {
    let place = tempfile::tempdir().expect("a folder");
    let data = tempfile::tempdir().expect("a folder");
    let hall = open(data.path(), place.path());
    let folder = place.path().join("cup");
    let (begun, begin) = mpsc::channel();
    let (go_on, wait) = mpsc::channel::<()>();
    let play = std::thread::spawn(move || {
        let mut told = 0;
        hold(&folder, 30, BUILT_IN, |contest| {
            let games = contest.progress().games;
            if games > told && begun.send(()).is_ok() {
                told = games;
                let _ = wait.recv();
            }
        });
    });
    begin.recv().expect("it is played");
    // Others play for it as well.
    let worker = |name: &str, rate: f64| WorkerStatus {
        name: name.to_owned(),
        threads: 4,
        holds: 2,
        blocks: 1215,
        rate,
        machine_faults: 0,
        heard: 0.5,
    };
    let crew = ClusterStatus {
        contest: "cup".to_owned(),
        game: "intensity".to_owned(),
        games: 4,
        of: 120,
        seconds: 60.0,
        rate: 17.2,
        waiting: 3,
        playing: 4,
        set_aside: 0,
        audited: (12, 3),
        latency: None,
        workers: vec![worker("lab-1", 9.4), worker("lab-2", 7.8)],
    };
    let keep = || {
        crew.keep(&place.path().join("cup"))
            .expect("room on the disk");
    };
    keep();
    let ann = browser.person(&hall, DESK).await;
    ann.open("/").await?;
    ann.click("a[href='/contest/cup']").await?;
    ann.wait_for(".pill.live").await?;
    // What was sorted and selected stays so while games are finished.
    ann.click("#sort-2").await?;
    ann.wait_until("location.search === '?sort=name'").await?;
    ann.wait_for("th[aria-sort='ascending'].name").await?;
    ann.click("#pick-2").await?;
    ann.wait_for("tr.picked").await?;
    ann.check().await?;
    ann.picture("contest-live").await?;
    keep();
    ann.wait_for("#workers").await?;
    ann.check().await?;
    ann.look("contest-workers").await?;
    ann.script("window.before = document.getElementById('progress').textContent")
        .await?;
    go_on.send(()).expect("it goes on");
    begin.recv().expect("it is played");
    ann.wait_until("document.getElementById('progress').textContent !== window.before")
        .await?;
    ann.wait_until("document.querySelector('tr.picked') && location.search.includes('pick=')")
        .await?;
    drop((go_on, begin));
    play.join().expect("it is played to the end");
    ann.wait_for(".pill.finished").await?;
    ann.wait_for("th[aria-sort='ascending'].name").await?;
    // Back to before it was selected, and to before it was sorted.
    ann.script("history.back()").await?;
    ann.wait_until("!document.querySelector('tr.picked')")
        .await?;
    ann.console().await
}

pub(crate) async fn a_fault_is_found_from_the_standings(browser: &Browser) -> Done {
    let place = tempfile::tempdir().expect("a folder");
    let data = tempfile::tempdir().expect("a folder");
    hold(&place.path().join("cup"), 3, HOSTILE, |_| {});
    hold(&place.path().join("spring-cup"), 12, COURSE, |_| {});
    let record = place.path().join("friday-evening.jsonl");
    std::fs::write(record, crate::replay::record()).expect("room on the disk");
    let hall = open(data.path(), place.path());
    let ann = browser.person(&hall, DESK).await;
    let ben = browser.person(&hall, PHONE).await;
    sit_down(&ben, "friday13", &[]).await?;
    sit_down(&ann, "uno", &[]).await?;
    ann.open("/").await?;
    ann.check().await?;
    ann.look("lobby-full").await?;
    for (cup, size, colours) in [
        ("cup", DESK, "light"),
        ("cup", PHONE, "dark"),
        ("spring-cup", DESK, "light"),
    ] {
        let is_shown = cup == "spring-cup";
        ann.size(size.0, size.1).await?;
        ann.colours(colours).await?;
        ann.open(&format!("/contest/{cup}")).await?;
        ann.check().await?;
        if is_shown {
            ann.picture("contest").await?;
            for (wish, name) in [
                ("sort=name&pick=linus&pick=maya&pick=ada", "contest-picked"),
                ("search=nobody", "contest-nobody"),
            ] {
                ann.open(&format!("/contest/{cup}?{wish}")).await?;
                ann.check().await?;
                ann.look(name).await?;
            }
            ann.open(&format!("/contest/{cup}")).await?;
        } else if size == DESK {
            ann.look("contest-hostile").await?;
        }
        ann.click("td .fault-link").await?;
        ann.wait_for(".fault-list a").await?;
        ann.check().await?;
        if is_shown {
            ann.script("scrollTo(0, 0)").await?;
            ann.picture("contest-player").await?;
        }
        ann.click(".fault-list a").await?;
        ann.wait_for(".command").await?;
        ann.check().await?;
        let command = ann.text(".command").await?;
        assert!(command.starts_with("croupier repro "), "{command}");
        if is_shown {
            ann.picture("contest-fault").await?;
        }
    }
    Ok(())
}

pub(crate) async fn a_game_of_a_contest_is_looked_back_at(browser: &Browser) -> Done {
    let place = tempfile::tempdir().expect("a folder");
    let data = tempfile::tempdir().expect("a folder");
    hold(&place.path().join("cup"), 1, HOSTILE, |_| {});
    let hall = open(data.path(), place.path());
    let ann = browser.person(&hall, DESK).await;
    ann.open("/contest/cup").await?;
    ann.click("td .fault-link").await?;
    ann.click(".fault-list a").await?;
    ann.wait_for(".command").await?;
    ann.click("a[href^='/replay/contest/cup/']").await?;
    ann.wait_for("#moment .table").await?;
    let at = |moment: &str| {
        format!(
            "new URL(location).searchParams.get('at') === '{moment}' && \
             document.querySelector('#moment .count').textContent.startsWith('{moment} of ')"
        )
    };
    ann.click("#after").await?;
    ann.wait_until(&at("1")).await?;
    ann.click("#first").await?;
    ann.wait_until(&at("0")).await?;
    ann.press(thirtyfour::Key::Right).await?;
    ann.wait_until(&at("1")).await?;
    ann.script("const s = document.querySelector('#slider'); s.value = 14; s.dispatchEvent(new Event('input'));")
        .await?;
    ann.wait_until(&at("14")).await?;
    ann.check().await?;
    // The other seats see other cards.
    let hand = "return [...document.querySelectorAll('#moment .fan [data-card]')].map((card) => card.dataset.card);";
    let own = ann.script(hand).await?;
    ann.click(".eyes a:nth-of-type(3)").await?;
    ann.wait_until("document.querySelector('.eyes a:nth-of-type(3)').ariaCurrent === 'true'")
        .await?;
    assert_ne!(ann.script(hand).await?, own);
    // A name that turns the direction of writing shows that it does, and turns nothing.
    let page = ann.text("body").await?;
    assert!(
        page.contains("\\u{202e}") && !page.contains('\u{202e}'),
        "{page}"
    );
    ann.size(PHONE.0, PHONE.1).await?;
    ann.check().await?;
    ann.look("replay-hostile").await?;
    ann.click(".of-what a").await?;
    ann.wait_for(".standings").await?;
    ann.console().await
}
