//! The web table in a real browser: Chromium, driven through WebDriver.
//!
//! Without Chromium and its driver these tests are left out, and say so; with `CROUPIER_BROWSER=must`
//! that is an error.

use std::future::Future;
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use croupier_games::GAMES;
use croupier_server::{Server, Settings};
use thirtyfour::prelude::*;
use tokio::net::TcpListener;

/// A driver that is ended with the test.
struct Driver(Child, u16);

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The driver, if there is one here.
fn driver() -> Option<Driver> {
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = free.local_addr().expect("an address").port();
    drop(free);
    let started = Command::new("chromedriver")
        .arg(format!("--port={port}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(child) = started else {
        let is_needed = std::env::var("CROUPIER_BROWSER").is_ok_and(|value| value == "must");
        assert!(
            !is_needed,
            "chromedriver is missing: apt install chromium chromium-driver"
        );
        eprintln!("left out: there is no chromedriver here");
        return None;
    };
    let driver = Driver(child, port);
    let begin = Instant::now();
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "chromedriver does not listen"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
    Some(driver)
}

/// A browser of this size.
async fn browser(driver: &Driver, width: u32, height: u32) -> WebDriverResult<WebDriver> {
    let mut chrome = DesiredCapabilities::chrome();
    let size = format!("--window-size={width},{height}");
    for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", &size] {
        chrome.add_arg(argument)?;
    }
    chrome.add_arg("--force-prefers-reduced-motion")?;
    WebDriver::new(format!("http://127.0.0.1:{}", driver.1), chrome).await
}

/// Does something with a server and a driver, if there is one.
fn with_a_browser<F: Future<Output = WebDriverResult<()>>>(test: impl FnOnce(Driver, String) -> F) {
    let Some(driver) = driver() else { return };
    let data = tempfile::tempdir().expect("a folder");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let settings = Settings::new(GAMES.clone(), data.path().to_owned());
        let server = Server::open(settings, listener).expect("a server");
        tokio::spawn(server.serve(std::future::pending()));
        test(driver, address)
            .await
            .expect("the browser does as it is told");
    });
}

/// Clicks the first piece that can be picked, if there is one.
const CLICK: &str = r"
    if (document.querySelector('.result')) return 'over';
    const can = [...document.querySelectorAll('#live button[data-piece]')]
        .filter((piece) => piece.dataset.state === 'next' && !piece.disabled);
    if (can.length === 0) return 'waits';
    can[0].click();
    return 'picked';
";

/// What a page has run out of: it must not be wider than the window.
const FITS: &str = "return document.documentElement.scrollWidth <= innerWidth;";

/// Sits down at a table of a game with the usual players.
async fn sit_down(page: &WebDriver, address: &str, game: &str) -> WebDriverResult<()> {
    page.goto(format!("{address}/play/{game}")).await?;
    // Nobody looks, so nothing has to be slow enough to follow.
    let at_once = "localStorage.setItem('croupier-speed', '0');";
    page.execute(at_once, vec![]).await?;
    let seed = page.find(By::Id("seed")).await?;
    seed.send_keys("7").await?;
    page.find(By::Css("#wanted button.main"))
        .await?
        .click()
        .await
}

/// Plays until the game is over.
async fn play(page: &WebDriver, game: &str) -> WebDriverResult<()> {
    let begin = Instant::now();
    loop {
        let done = page.execute(CLICK, vec![]).await?;
        match done.json().as_str() {
            Some("over") => return Ok(()),
            Some("picked") => {}
            _ => tokio::time::sleep(Duration::from_millis(10)).await,
        }
        if begin.elapsed() > Duration::from_secs(240) {
            let text = page.find(By::Id("live")).await?.text().await?;
            panic!("{game} does not end: {text}");
        }
    }
}

#[test]
fn a_game_is_played_on_a_phone_and_fits() {
    with_a_browser(async |driver, address| {
        let page = browser(&driver, 500, 800).await?;
        page.set_window_rect(0, 0, 360, 800).await?;
        for place in ["/", "/play/intensity", "/rules/uno", "/war"] {
            page.goto(format!("{address}{place}")).await?;
            assert_eq!(page.execute(FITS, vec![]).await?.json(), &true, "{place}");
        }
        sit_down(&page, &address, "friday13").await?;
        assert_eq!(page.execute(FITS, vec![]).await?.json(), &true);
        play(&page, "friday13").await?;
        assert_eq!(page.execute(FITS, vec![]).await?.json(), &true);
        page.quit().await
    });
}
