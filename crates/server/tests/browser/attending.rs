//! Who is there and who looks: seats of people who are away, tabs that nobody sees, what a page asks
//! before it plays.

use crate::house::{Browser, DESK, Done, PHONE};
use crate::playing::{
    Hand, VERSION, invitation, make_a_move, pick, sit_down, table_for_two, version,
};
use crate::served::Hall;

const OWN_TURN: &str = "document.querySelector('.status.turn')";

/// Whether the title and the icon say that it is the reader's turn.
const CALLS: &str = "document.title.startsWith('Your turn')
    && document.querySelector('#icon').href.includes('icon-turn')";

pub(crate) async fn an_absent_persons_seat_is_given_away_and_taken_back(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, DESK).await;
    let ben = browser.person(&hall, PHONE).await;
    table_for_two(&ann).await?;
    let free = "[...document.querySelectorAll('.company li')].at(-1).textContent";
    ann.wait_until(&format!("{free}.includes('free')")).await?;
    ann.look("invitation").await?;
    // Whoever copies the link still sees who sits down meanwhile.
    ann.click(".invitation input").await?;
    // What is typed into a field is no command.
    ann.press("?").await?;
    assert!(
        ann.script("return document.querySelector('#keys[open]');")
            .await?
            .is_null()
    );
    ben.open(&invitation(&ann).await?).await?;
    ben.type_into("#name", "Ben").await?;
    ben.click("button.main").await?;
    ben.wait_for("#live").await?;
    ann.wait_until(&format!(
        "{free}.includes('Ben') && {free}.includes('here')"
    ))
    .await?;
    assert!(
        ann.script("return document.querySelector('.invitation');")
            .await?
            .is_null()
    );
    make_a_move(&ann).await?;
    ann.wait_until("document.querySelector('#status').textContent === 'Ben is to move.'")
        .await?;
    ann.look("waiting").await?;
    // On a phone, where the log is far below, what happened last stands above the table.
    ben.wait_for(".status.turn").await?;
    assert!(ben.text(".latest").await?.starts_with("Ann lays "));
    assert_eq!(
        ann.text(".latest").await?,
        "",
        "the log is beside the table"
    );

    // Ben goes away while he is awaited.
    let path = ben.script("return location.pathname;").await?;
    let path = path.as_str().expect("a path");
    ben.open("/").await?;
    ann.wait_until("document.querySelector('#status').textContent.includes('is away')")
        .await?;
    ann.check().await?;
    ann.picture("away").await?;
    // Who is awaited and away is said in full also where there is little room.
    ann.size(PHONE.0, PHONE.1).await?;
    let cut_off = "const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.querySelector('#status');
        return scrollWidth > clientWidth || scrollHeight > clientHeight + 1;";
    assert_eq!(ann.script(cut_off).await?, false);
    ann.size(DESK.0, DESK.1).await?;
    ann.click("#give-1").await?;
    ann.wait_until(&format!(
        "{OWN_TURN} && {VERSION} === 2 && {free}.includes('plays')"
    ))
    .await?;

    // He looks on in his own seat until he takes it back.
    ben.open(path).await?;
    ben.wait_for("#back-1").await?;
    ben.check().await?;
    ben.click("#back-1").await?;
    ben.wait_until("document.querySelector('#back-1') === null")
        .await?;
    // Ann looks back, and is not pulled forward by what happens.
    make_a_move(&ann).await?;
    ann.press("[").await?;
    ann.wait_until("document.querySelector('#status').textContent.includes('look back')")
        .await?;
    let seen = version(&ann).await?;
    ben.wait_until(OWN_TURN).await?;
    make_a_move(&ben).await?;
    ann.wait_until("document.querySelector('[data-step=now]').textContent.includes('4')")
        .await?;
    assert_eq!(version(&ann).await?, seen);
    ann.wait_until(CALLS).await?;
    ann.press(thirtyfour::Key::Escape).await?;
    ann.wait_until(&format!("{OWN_TURN} && {VERSION} === 4"))
        .await?;
    ann.console().await
}

pub(crate) async fn a_hidden_tab_shows_the_present_and_says_whose_turn_it_is(
    browser: &Browser,
) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, DESK).await;
    ann.allow_motion().await?;
    sit_down(&ann, "intensity", &[]).await?;
    ann.wait_until(OWN_TURN).await?;
    assert_eq!(
        ann.script(&format!("return {CALLS};")).await?,
        true,
        "on a page that has just been opened"
    );
    // So slow that nothing but the own move is shown as long as the test runs.
    ann.script("document.querySelector('#speed').options[0].value = '3600000';")
        .await?;
    ann.choose("#speed", "3600000").await?;
    make_a_move(&ann).await?;
    assert_eq!(version(&ann).await?, 1);
    // All others have moved: another page of the same person shows it.
    let other = ann.another_tab().await;
    let path = ann.script("return location.pathname;").await?;
    other.open(path.as_str().expect("a path")).await?;
    other
        .wait_until(&format!("{OWN_TURN} && {VERSION} > 1"))
        .await?;
    let present = version(&other).await?;
    assert_eq!(
        version(&ann).await?,
        1,
        "they are shown one after the other"
    );
    assert_eq!(ann.script(&format!("return {CALLS};")).await?, false);

    ann.hide(true).await?;
    ann.wait_until(&format!("{VERSION} === {present} && {OWN_TURN} && {CALLS}"))
        .await?;
    let told = "return document.querySelectorAll('#log li').length;";
    assert_eq!(ann.script(told).await?, present, "the log has all moves");
    // What happens while nobody looks is there at once when somebody does.
    make_a_move(&other).await?;
    other
        .wait_until(&format!("{OWN_TURN} && {VERSION} > {present} + 1"))
        .await?;
    let present = version(&other).await?;
    ann.wait_until(&format!("{VERSION} === {present}")).await?;
    ann.hide(false).await?;
    ann.wait_until(&format!("{VERSION} === {present} && {OWN_TURN}"))
        .await?;

    // The speed is kept, and at once is at once.
    ann.choose("#speed", "0").await?;
    ann.page().await?.refresh().await?;
    ann.wait_until("document.querySelector('#speed').value === '0'")
        .await?;
    make_a_move(&ann).await?;
    ann.wait_until(&format!("{OWN_TURN} && {VERSION} > {present} + 1"))
        .await?;
    ann.console().await
}

pub(crate) async fn a_move_is_asked_about_before_it_is_made(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, PHONE).await;
    sit_down(&ann, "friday13", &[("opt-rounds", "1")]).await?;
    ann.wait_until(OWN_TURN).await?;
    ann.click("#confirm").await?;
    ann.page().await?.refresh().await?;
    ann.wait_until("document.querySelector('#confirm').checked")
        .await?;
    let begin = version(&ann).await?;
    let asked = "document.querySelector('.said button')";
    let choose = async || -> Done {
        pick(&ann, Hand::Mouse).await?;
        // What is still to be picked is said.
        let asks = "document.querySelector('.turn-line').textContent === 'Now pick a card'";
        ann.wait_until(asks).await?;
        ann.look("half-chosen").await?;
        pick(&ann, Hand::Mouse).await?;
        ann.wait_until(asked).await
    };
    choose().await?;
    ann.check().await?;
    ann.look("confirm").await?;
    ann.click(".said button:last-child").await?;
    ann.wait_until(&format!(
        "!{asked} && !document.querySelector('[data-state=picked]')"
    ))
    .await?;
    choose().await?;
    ann.press(thirtyfour::Key::Escape).await?;
    ann.wait_until(&format!(
        "!{asked} && !document.querySelector('[data-state=picked]')"
    ))
    .await?;
    assert_eq!(version(&ann).await?, begin, "nothing has been played");
    choose().await?;
    ann.press(thirtyfour::Key::Enter).await?;
    ann.wait_until(&format!("{VERSION} > {begin}")).await?;
    ann.console().await
}

pub(crate) async fn a_card_that_was_played_leads_to_its_moment(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, DESK).await;
    sit_down(&ann, "intensity", &[]).await?;
    ann.wait_until(OWN_TURN).await?;
    pick(&ann, Hand::Mouse).await?;
    pick(&ann, Hand::Mouse).await?;
    ann.look("half-passed").await?;
    // Three cards are passed on, then somebody leads.
    for _ in 0..3 {
        ann.wait_until(OWN_TURN).await?;
        make_a_move(&ann).await?;
    }
    ann.wait_until(OWN_TURN).await?;
    let present = version(&ann).await?;
    // What happened last stays in sight when the window changes.
    let is_in_sight =
        "const last = document.querySelector('#log li:last-child').getBoundingClientRect();
        return last.bottom <= document.querySelector('#told').getBoundingClientRect().bottom;";
    for (width, height) in [DESK, PHONE, (DESK.0, 400)] {
        ann.size(width, height).await?;
        assert_eq!(ann.script(is_in_sight).await?, true, "{width} × {height}");
    }
    ann.size(DESK.0, DESK.1).await?;
    ann.click(".trick [data-card]").await?;
    ann.wait_until(&format!("{VERSION} < {present}")).await?;
    ann.wait_until("new URL(location).searchParams.has('at')")
        .await?;
    // What can be heard again by keys.
    for (key, words) in [("l", "plays|play"), ("c", "\\\\d"), ("s", "points?")] {
        ann.press(key).await?;
        ann.wait_until(&format!(
            "new RegExp('{words}').test(document.querySelector('#again')?.textContent)"
        ))
        .await?;
    }
    ann.press(thirtyfour::Key::Escape).await?;
    ann.wait_until(&format!("{VERSION} === {present}")).await?;
    // The list of keys opens by a key, and hears keys itself.
    ann.press("?").await?;
    ann.wait_for("#keys[open]").await?;
    ann.check().await?;
    ann.look("keys").await?;
    ann.press(thirtyfour::Key::Escape).await?;
    ann.wait_until("!document.querySelector('#keys[open]')")
        .await?;
    // A hint: what the expert thinks of every card.
    ann.press("h").await?;
    ann.wait_for(".hint .bar").await?;
    ann.check().await?;
    ann.picture("hint").await?;
    // On a phone it is scrolled to, so far that the cards are still seen whole.
    ann.size(PHONE.0, PHONE.1).await?;
    ann.script("scrollTo(0, 0); addEventListener('scrollend', () => { window.settled = true; });")
        .await?;
    ann.press("h").await?;
    ann.wait_until("window.settled && scrollY > 0").await?;
    let room = "return document.querySelector('#live .fan').getBoundingClientRect().top
        - document.querySelector('.latest').getBoundingClientRect().bottom;";
    let room = ann.script(room).await?.as_f64().expect("a number");
    assert!(
        room >= -1.0,
        "{room}: the cards lie below what happened last"
    );
    ann.console().await
}

/// A browser or a proxy that knows no sockets.
const NO_SOCKETS: &str = "
    window.WebSocket = class extends EventTarget {
        static OPEN = 1;
        readyState = 3;
        close() {}
    };
    const usual = window.fetch;
    window.sent = [];
    window.fetch = async (address, options) => {
        window.sent.push(String(address).split('/').pop());
        if (String(address).endsWith('/present')) await window.held;
        return usual(address, options);
    };";

pub(crate) async fn the_way_back_stays_under_the_mouse(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, DESK).await;
    sit_down(&ann, "uno", &[]).await?;
    ann.wait_until(OWN_TURN).await?;
    make_a_move(&ann).await?;
    ann.wait_until(OWN_TURN).await?;
    let place = "return document.querySelector('[data-step=back]').getBoundingClientRect().x;";
    let before = ann.script(place).await?;
    ann.click("[data-step=back]").await?;
    ann.wait_for("[data-step=forward]").await?;
    ann.check().await?;
    ann.look("look-back").await?;
    assert_eq!(ann.script(place).await?, before);
    ann.console().await
}

pub(crate) async fn a_table_without_a_socket_asks_from_time_to_time(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, DESK).await;
    ann.before_pages(NO_SOCKETS).await?;
    sit_down(&ann, "intensity", &[]).await?;
    // The cards that are passed on are the one choice of several pieces.
    make_a_move(&ann).await?;
    ann.wait_until(&format!("{OWN_TURN} && {VERSION} > 1"))
        .await?;

    // A second click before the table has changed is no second move.
    let before = version(&ann).await?;
    ann.script("window.sent = []; window.held = new Promise((done) => { window.letGo = done; });")
        .await?;
    let click = "document.querySelector('#live [data-state=next]').click()";
    ann.script(click).await?;
    // The move is made, and what came of it is asked for.
    let asked = "window.sent.lastIndexOf('present') > window.sent.indexOf('move')";
    ann.wait_until(&format!("window.sent.includes('move') && {asked}"))
        .await?;
    ann.script(click).await?;
    ann.script("window.letGo();").await?;
    ann.wait_until(&format!("{OWN_TURN} && {VERSION} > {before}"))
        .await?;
    let moves = "return window.sent.filter((place) => place === 'move').length;";
    assert_eq!(ann.script(moves).await?, 1);
    ann.console().await?;

    // A page that comes back from the back button asks at once, and not when it is its time.
    ann.hide(true).await?;
    let other = ann.another_tab().await;
    let path = ann.script("return location.pathname;").await?;
    other.open(path.as_str().expect("a path")).await?;
    other.wait_until(OWN_TURN).await?;
    make_a_move(&other).await?;
    other.wait_until(OWN_TURN).await?;
    let present = version(&other).await?;
    assert!(version(&ann).await? < present, "nobody has looked");
    ann.script("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        .await?;
    ann.wait_until(&format!("{VERSION} === {present}")).await?;
    ann.console().await
}

pub(crate) async fn what_may_not_be_played_says_which_rule_forbids_it(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, PHONE).await;
    sit_down(&ann, "uno", &[]).await?;
    let forbidden = "document.querySelector('#live .in-hand.cannot')";
    loop {
        ann.wait_until(OWN_TURN).await?;
        if !ann.script(&format!("return {forbidden};")).await?.is_null() {
            break;
        }
        make_a_move(&ann).await?;
    }
    let before = version(&ann).await?;
    ann.click("#live .in-hand.cannot").await?;
    ann.wait_until(&format!(
        "document.querySelector('.turn-line').textContent.slice(1) === {forbidden}.title.slice(1)"
    ))
    .await?;
    assert!(ann.text(".turn-line").await?.contains("match"));
    assert_eq!(version(&ann).await?, before);
    ann.look("forbidden").await?;
    // A wild card, the last in the hand, waits for its colour.
    let wild = "[...document.querySelectorAll('#live .in-hand[data-state=next]')].at(-1)";
    let first =
        "return document.querySelector('#live .fan .piece').getBoundingClientRect().left + ' '
        + document.querySelector('#live .fan').getBoundingClientRect().top;";
    let before = ann.script(first).await?;
    ann.script(&format!("{wild}.click();")).await?;
    ann.wait_for(".calls [data-state=next]").await?;
    assert_eq!(ann.script(first).await?, before, "the hand stays");
    let seen = "return [...document.querySelectorAll('.calls button')]
        .every((call) => call.getBoundingClientRect().bottom <= innerHeight);";
    assert_eq!(ann.script(seen).await?, true, "all colours can be seen");
    ann.check().await?;
    ann.look("calls").await?;
    ann.console().await
}

pub(crate) async fn a_cauldron_into_which_a_card_may_not_go_leaves_it_picked(
    browser: &Browser,
) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, PHONE).await;
    sit_down(&ann, "friday13", &[]).await?;
    // A card that goes into one cauldron only, as its colour lies there.
    let bound = r"
        const ways = [...document.querySelectorAll('[data-way]')].map((way) => way.dataset.way.split(' ')[0]);
        return ways.find((card) => ways.filter((other) => other === card).length === 1) ?? null;";
    let card = loop {
        ann.wait_until(OWN_TURN).await?;
        if let Some(card) = ann.script(bound).await?.as_str() {
            break card.to_owned();
        }
        make_a_move(&ann).await?;
    };
    let before = version(&ann).await?;
    ann.click(&format!("[data-piece='{card}']")).await?;
    ann.click(".cauldron[data-state=off]").await?;
    // The rule: its colour lies in another cauldron, or another colour in this one.
    ann.wait_until("/ lies in .*cauldron/.test(document.querySelector('.turn-line').textContent)")
        .await?;
    let picked = format!("[data-piece='{card}'][data-state=picked]");
    ann.wait_for(&picked).await?;
    assert_eq!(version(&ann).await?, before);
    ann.console().await
}

/// What comes to a plate, or to the line of news, finds room that was there before.
pub(crate) async fn a_table_on_a_phone_stays_where_it_is(browser: &Browser) -> Done {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let ann = browser.person(&hall, PHONE).await;
    // How high something is before and after a change.
    let around = |what: &str, change: &str| {
        format!(
            "const height = () => document.querySelector('{what}').getBoundingClientRect().height;
            const before = height();
            {change}
            return height() - before;"
        )
    };
    sit_down(&ann, "friday13", &[]).await?;
    ann.wait_until(OWN_TURN).await?;
    let own_turn = around(
        "#live .near > .seat",
        "document.querySelector('#live .near .to-move').remove();",
    );
    let chips = around(
        "#live .others .seat",
        "const chip = (words) => `<span class='chip t-red'><svg class='icon'></svg>${words}</span>`;
        document.querySelector('#live .others .collected').innerHTML =
            \"<span class='title'>took</span>\" + chip('3') + chip('9 free');",
    );
    let news = around(
        "#live .latest, .latest",
        "document.querySelector('.latest').textContent = 'majority lays the red 7 into cauldron 2; '
            + 'cauldron 2 explodes, 20 is more than 13: majority takes 1 × green and 3 × red';",
    );
    for change in [&own_turn, &chips, &news] {
        assert_eq!(ann.script(change).await?, 0, "{change}");
    }
    sit_down(&ann, "austerity", &[]).await?;
    ann.wait_until(OWN_TURN).await?;
    // All sorts of tokens and discounts, as the own plate shows them.
    let tokens = around(
        "#live .others .seat",
        "const rows = (of) => [...document.querySelector(of).querySelectorAll('.holding')];
        const own = rows('#live .near > .seat');
        rows('#live .others .seat').forEach((row, place) => { row.innerHTML = own[place].innerHTML; });",
    );
    for change in [&own_turn, &tokens] {
        assert_eq!(ann.script(change).await?, 0, "{change}");
    }
    ann.console().await
}
