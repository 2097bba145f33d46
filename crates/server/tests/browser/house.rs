//! The browser, and the people in front of it.

use std::future::Future;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use thirtyfour::LoggingPrefsLogLevel;
use thirtyfour::common::types::WindowHandle;
use thirtyfour::prelude::*;
use tokio_tungstenite::tungstenite::Message;

use crate::served::Hall;

/// What a test gives back.
pub(crate) type Done = WebDriverResult<()>;

/// A test that runs.
pub(crate) type Running<'a> = Pin<Box<dyn Future<Output = Done> + 'a>>;

/// The width and height of a phone.
pub(crate) const PHONE: (u32, u32) = (360, 800);

/// The width and height of a window on a desk.
pub(crate) const DESK: (u32, u32) = (1400, 900);

/// So long something is waited for that must come.
const PATIENCE: Duration = Duration::from_secs(120);

/// The rules of axe that have to hold: WCAG 2.2 up to AA (which has the size of targets), and what is
/// good practice.
const AXE: &str = r"
    const done = arguments[arguments.length - 1];
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    axe.run(document, { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] })
        .then((found) => done(found.violations.map((one) =>
            one.id + ': ' + one.help + '\n' + one.nodes.slice(0, 3).map((node) =>
                '    ' + node.html.slice(0, 200) + '\n    ' + node.failureSummary).join('\n'))),
            (error) => done([String(error)]));
";

/// A browser that is shared by all tests.
pub(crate) struct Browser {
    driver: WebDriver,
    process: Mutex<Child>,
    /// Where the browser itself, and not one of its pages, is spoken to.
    devtools: String,
    axe: Option<String>,
    /// The tab that the driver looks at.
    in_front: Mutex<Option<WindowHandle>>,
    contexts: Mutex<Vec<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Browser {
    /// Starts Chromium; what is missing, if it cannot be.
    pub(crate) async fn open() -> Result<Browser, String> {
        let axe = axe()?;
        let free = std::net::TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let port = free.local_addr().map_err(|error| error.to_string())?.port();
        drop(free);
        let started = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let mut process = started.map_err(|error| {
            format!("chromedriver: {error}; apt install chromium chromium-driver")
        })?;
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            if begin.elapsed() > PATIENCE {
                let _ = process.kill();
                let _ = process.wait();
                return Err("chromedriver does not listen".to_owned());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        let driver = session(port).await;
        let driver = match driver {
            Ok(driver) => driver,
            Err(error) => {
                let _ = process.kill();
                let _ = process.wait();
                return Err(format!("Chromium does not start: {error}"));
            }
        };
        let told = driver.capabilities().get("goog:chromeOptions");
        let debugger = told.and_then(|told| told["debuggerAddress"].as_str());
        let devtools = devtools(debugger.unwrap_or_default()).await?;
        Ok(Browser {
            driver,
            process: Mutex::new(process),
            devtools,
            axe,
            in_front: Mutex::default(),
            contexts: Mutex::default(),
        })
    }

    /// Somebody new, with cookies of their own, in a window of this width and height.
    pub(crate) async fn person(&self, hall: &Hall, (width, height): (u32, u32)) -> Person<'_> {
        let made = self.tell("Target.createBrowserContext", &json!({})).await;
        let context = made["browserContextId"].as_str().expect("a context");
        let context = context.to_owned();
        lock(&self.contexts).push(context.clone());
        let address = format!("http://{}", hall.address);
        let person = Person::in_context(self, context, address).await;
        person.size(width, height).await.expect("a window");
        person
    }

    /// Speaks to the browser itself.
    async fn tell(&self, method: &str, parameters: &Value) -> Value {
        let connected = tokio_tungstenite::connect_async(&self.devtools).await;
        let (mut socket, _) = connected.expect("the browser listens");
        let message = json!({"id": 1, "method": method, "params": parameters}).to_string();
        let sent = socket.send(Message::text(message)).await;
        sent.expect("the browser hears it");
        while let Some(Ok(heard)) = socket.next().await {
            let heard: Value = serde_json::from_slice(&heard.into_data()).unwrap_or_default();
            if heard["id"] == 1 {
                assert!(heard["error"].is_null(), "{method}: {heard}");
                return heard["result"].clone();
            }
        }
        panic!("{method}: the browser says nothing");
    }

    /// Keeps what the browser shows when a test has failed.
    pub(crate) async fn show_failure(&self, test: &str) {
        let place = target().join(format!("{}.png", test.replace(':', "-")));
        if self.driver.screenshot(&place).await.is_ok() {
            eprintln!("    it shows {}", place.display());
        }
    }

    /// Closes the windows of all people, with their cookies.
    pub(crate) async fn send_all_home(&self) {
        let contexts = std::mem::take(&mut *lock(&self.contexts));
        for context in contexts {
            let gone = json!({"browserContextId": context});
            self.tell("Target.disposeBrowserContext", &gone).await;
        }
        *lock(&self.in_front) = None;
        let windows = self.driver.windows().await.unwrap_or_default();
        if let Some(window) = windows.first() {
            let _ = self.driver.switch_to_window(window.clone()).await;
        }
        let _ = self.driver.browser_log().await;
    }

    /// Ends the browser.
    pub(crate) async fn close(self) {
        let _ = self.driver.quit().await;
        let mut process = lock(&self.process);
        let _ = process.kill();
        let _ = process.wait();
    }
}

/// Where things of these tests are kept that do not belong to the project.
fn target() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/browser")
}

/// The script of axe; none if it may be missing.
fn axe() -> Result<Option<String>, String> {
    let place = target().join("axe.min.js");
    match std::fs::read_to_string(&place) {
        Ok(script) => Ok(Some(script)),
        Err(_) if std::env::var("CROUPIER_BROWSER").is_ok_and(|value| value == "must") => {
            let place = place.display();
            Err(format!("{place} is missing; cargo xtask test gets it"))
        }
        Err(_) => {
            eprintln!("left out: what axe finds: target/browser/axe.min.js is missing");
            Ok(None)
        }
    }
}

async fn session(port: u16) -> WebDriverResult<WebDriver> {
    let mut chrome = DesiredCapabilities::chrome();
    for argument in [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--force-prefers-reduced-motion",
        // A name that was rebound to this machine.
        "--host-resolver-rules=MAP rebound.example 127.0.0.1",
    ] {
        chrome.add_arg(argument)?;
    }
    chrome.set_browser_log_level(LoggingPrefsLogLevel::All)?;
    WebDriver::new(format!("http://127.0.0.1:{port}"), chrome).await
}

/// The address at which the browser itself is spoken to.
async fn devtools(debugger: &str) -> Result<String, String> {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let failed = |error: std::io::Error| format!("Chromium at {debugger}: {error}");
    let stream = tokio::net::TcpStream::connect(debugger).await;
    let mut stream = stream.map_err(failed)?;
    let request =
        format!("GET /json/version HTTP/1.1\r\nhost: {debugger}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(failed)?;
    let mut answer = String::new();
    while !answer.contains('}') {
        let mut part = [0; 4096];
        let read = stream.read(&mut part).await.map_err(failed)?;
        if read == 0 {
            break;
        }
        answer += &String::from_utf8_lossy(&part[..read]);
    }
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    let told: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
    let place = told["webSocketDebuggerUrl"].as_str();
    place
        .map(str::to_owned)
        .ok_or_else(|| format!("Chromium at {debugger} cannot be spoken to"))
}

/// Somebody in front of the browser, with one tab. All wait for their turn: a driver looks at one tab
/// at a time.
pub(crate) struct Person<'a> {
    browser: &'a Browser,
    context: String,
    window: WindowHandle,
    pub(crate) address: String,
}

impl<'a> Person<'a> {
    async fn in_context(browser: &'a Browser, context: String, address: String) -> Person<'a> {
        let wanted = json!({"url": "about:blank", "browserContextId": context, "newWindow": true});
        let made = browser.tell("Target.createTarget", &wanted).await;
        let window = made["targetId"].as_str().expect("a window").to_owned();
        let person = Person {
            browser,
            context,
            window: WindowHandle::from(window),
            address,
        };
        // Keys reach a window that is not the active one of the screen only if it believes that it is.
        let focused = person.emulate(
            "Emulation.setFocusEmulationEnabled",
            json!({"enabled": true}),
        );
        focused.await.expect("a window");
        person
    }

    /// Another tab of the same person.
    pub(crate) async fn another_tab(&self) -> Person<'a> {
        Person::in_context(self.browser, self.context.clone(), self.address.clone()).await
    }

    /// The page, in front of everything else.
    pub(crate) async fn page(&self) -> WebDriverResult<&WebDriver> {
        let driver = &self.browser.driver;
        let is_in_front = *lock(&self.browser.in_front) == Some(self.window.clone());
        if !is_in_front {
            driver.switch_to_window(self.window.clone()).await?;
            *lock(&self.browser.in_front) = Some(self.window.clone());
        }
        Ok(driver)
    }

    /// Sets what the page takes for the size of the window.
    pub(crate) async fn size(&self, width: u32, height: u32) -> Done {
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.emulate("Emulation.setDeviceMetricsOverride", size)
            .await
    }

    /// Sets whether the system likes it `light` or `dark`.
    pub(crate) async fn colours(&self, scheme: &str) -> Done {
        let features = json!({"features": [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]});
        self.emulate("Emulation.setEmulatedMedia", features).await
    }

    /// Lets things move, which pages else do not do in these tests.
    pub(crate) async fn allow_motion(&self) -> Done {
        let features =
            json!({"features": [{"name": "prefers-reduced-motion", "value": "no-preference"}]});
        self.emulate("Emulation.setEmulatedMedia", features).await
    }

    /// Hides the page behind another tab, or brings it back, as far as the page can tell.
    pub(crate) async fn hide(&self, is_hidden: bool) -> Done {
        let state = if is_hidden { "hidden" } else { "visible" };
        let script = format!(
            "Object.defineProperty(document, 'hidden', {{ value: {is_hidden}, configurable: true }});
             Object.defineProperty(document, 'visibilityState', {{ value: '{state}', configurable: true }});
             document.dispatchEvent(new Event('visibilitychange'));"
        );
        self.script(&script).await.map(drop)
    }

    /// Lets a script run before those of every page that is opened from now on.
    pub(crate) async fn before_pages(&self, script: &str) -> Done {
        let source = json!({"source": script});
        self.emulate("Page.addScriptToEvaluateOnNewDocument", source)
            .await
    }

    /// Takes scripts away from pages that are opened from now on.
    pub(crate) async fn without_scripts(&self) -> Done {
        let disabled = json!({"value": true});
        self.emulate("Emulation.setScriptExecutionDisabled", disabled)
            .await
    }

    async fn emulate(&self, method: &str, parameters: Value) -> Done {
        let page = self.page().await?;
        page.cdp().send_raw(method, parameters).await?;
        Ok(())
    }

    /// Opens a page of the server.
    pub(crate) async fn open(&self, path: &str) -> Done {
        let address = format!("{}{path}", self.address);
        self.page().await?.goto(address).await
    }

    /// Clicks what is there by this selector, once it is there.
    pub(crate) async fn click(&self, selector: &str) -> Done {
        self.wait_for(selector).await?;
        let page = self.page().await?;
        page.find(By::Css(selector)).await?.click().await
    }

    /// Types into a field, instead of what stands there.
    pub(crate) async fn type_into(&self, selector: &str, text: &str) -> Done {
        let field = self.page().await?.find(By::Css(selector)).await?;
        field.clear().await?;
        field.send_keys(text).await
    }

    /// Chooses in a list.
    pub(crate) async fn choose(&self, selector: &str, value: &str) -> Done {
        let option = format!("{selector} option[value=\"{value}\"]");
        let page = self.page().await?;
        page.find(By::Css(option)).await?.click().await
    }

    /// Presses keys, whatever has the focus.
    pub(crate) async fn press(&self, keys: impl Into<thirtyfour::TypingData>) -> Done {
        let page = self.page().await?;
        page.action_chain().send_keys(keys).perform().await
    }

    /// What a script returns.
    pub(crate) async fn script(&self, script: &str) -> WebDriverResult<Value> {
        let page = self.page().await?;
        Ok(page.execute(script, Vec::new()).await?.json().clone())
    }

    /// The text of what is there by this selector.
    pub(crate) async fn text(&self, selector: &str) -> WebDriverResult<String> {
        let page = self.page().await?;
        page.find(By::Css(selector)).await?.text().await
    }

    /// Waits until there is something by this selector.
    pub(crate) async fn wait_for(&self, selector: &str) -> Done {
        let wanted = serde_json::to_string(selector)?;
        self.wait_until(&format!("document.querySelector({wanted}) !== null"))
            .await
    }

    /// Waits until an expression is true on the page.
    pub(crate) async fn wait_until(&self, condition: &str) -> Done {
        let begin = Instant::now();
        loop {
            let found = self.script(&format!("return Boolean({condition});")).await;
            // While a page gives way to another there is nothing to ask.
            if matches!(found, Ok(Value::Bool(true))) {
                return Ok(());
            }
            if begin.elapsed() > PATIENCE {
                let text = self.text("body").await.unwrap_or_default();
                panic!("it does not come: {condition}\n{text}");
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Makes sure that a page is as pages have to be: nothing wider than the window, no error in the
    /// console, nothing that axe finds.
    pub(crate) async fn check(&self) -> Done {
        let page = self.page().await?;
        let address = page.current_url().await?;
        let fits = "return document.documentElement.scrollWidth - innerWidth;";
        let wider = self.script(fits).await?;
        let beyond = "return [...document.querySelectorAll('main *')]
            .filter(part => !part.closest('.wide') && part.getBoundingClientRect().right > innerWidth + 1)
            .slice(0, 3).map(part => part.outerHTML.slice(0, 200)).join('\\n');";
        assert!(
            wider.as_i64().is_some_and(|wider| wider <= 0),
            "{address} is wider than the window by {wider}: {}",
            self.script(beyond).await?
        );
        if let Some(axe) = &self.browser.axe {
            page.execute(axe.as_str(), Vec::new()).await?;
            let found = page.execute_async(AXE, Vec::new()).await?;
            let found: Vec<String> = serde_json::from_value(found.json().clone())?;
            assert!(found.is_empty(), "{address}: axe: {}", found.join("\n"));
        }
        self.console().await
    }

    /// Makes sure that no page has complained since it was last looked.
    pub(crate) async fn console(&self) -> Done {
        let complaints = self.complaints().await?;
        assert!(complaints.is_empty(), "in the console: {complaints:#?}");
        Ok(())
    }

    /// What pages have complained of since it was last looked.
    pub(crate) async fn complaints(&self) -> WebDriverResult<Vec<String>> {
        let page = self.page().await?;
        let said = page.browser_log().await?;
        let loud = said
            .into_iter()
            .filter(|entry| ["SEVERE", "WARNING"].contains(&entry.level.as_str()));
        Ok(loud.map(|entry| entry.message).collect())
    }

    /// A picture of the page for the documentation, and others to be looked at, if they are wanted.
    pub(crate) async fn picture(&self, name: &str) -> Done {
        if let Some(folder) = std::env::var_os("CROUPIER_PICTURES") {
            // The shades of the felt make a lossless picture several times as large.
            let wanted = json!({"format": "webp", "quality": 85});
            let bytes = self.capture(wanted).await?;
            std::fs::create_dir_all(&folder).expect("a folder");
            let place = Path::new(&folder).join(format!("{name}.webp"));
            std::fs::write(place, bytes).expect("a picture");
        }
        self.look(name).await
    }

    /// A picture of the page, taken as the browser is told to.
    async fn capture(&self, wanted: Value) -> WebDriverResult<Vec<u8>> {
        let page = self.page().await?;
        let taken = page
            .cdp()
            .send_raw("Page.captureScreenshot", wanted)
            .await?;
        Ok(from_base64(taken["data"].as_str().unwrap_or_default()))
    }

    /// Pictures of the page at three widths, light and dark, if somebody wants to look at them.
    pub(crate) async fn look(&self, name: &str) -> Done {
        let Some(folder) = std::env::var_os("CROUPIER_LOOK") else {
            return Ok(());
        };
        let folder = PathBuf::from(folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let size = self.script("return [innerWidth, innerHeight];").await?;
        for (width, height) in [PHONE, (768, 1024), (1440, 900)] {
            for colours in ["light", "dark"] {
                self.size(width, height).await?;
                self.colours(colours).await?;
                self.script("scrollTo(0, 0)").await?;
                // The whole page, also what is below the window, as people come to it by and by.
                let wanted = json!({"format": "png", "captureBeyondViewport": true});
                let place = folder.join(format!("{name}-{width}-{colours}.png"));
                std::fs::write(place, self.capture(wanted).await?).expect("a picture");
            }
        }
        let size: (u32, u32) = serde_json::from_value(size)?;
        self.colours("light").await?;
        self.size(size.0, size.1).await
    }
}

/// The bytes that a browser sends as a text.
fn from_base64(text: &str) -> Vec<u8> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        b'a'..=b'z' => letter - b'a' + 26,
        b'0'..=b'9' => letter - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let letters: Vec<u8> = text.bytes().filter(|letter| *letter != b'=').collect();
    let bytes = letters.chunks(4).flat_map(|four| {
        let bits = (four.iter()).fold(0_u32, |bits, letter| bits << 6 | u32::from(value(*letter)));
        let missing = 4 - four.len();
        let bytes = (bits << (6 * missing)).to_be_bytes();
        bytes.into_iter().skip(1).take(3 - missing)
    });
    bytes.collect()
}
