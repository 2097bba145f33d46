//! The web table in a real browser: Chromium, driven through WebDriver.
//!
//! There is one browser for all tests, with a context for each person: cookies and what a page keeps
//! belong to that person alone. So the tests are called one after the other, by the list below;
//! `cargo test --test browser -- NAME…` calls those whose names contain one of these words.
//!
//! What is missing on this machine (Chromium, its driver, axe) is said, and what needs it is left out;
//! with `CROUPIER_BROWSER=must` that is an error. `cargo xtask test` gets what is missing.
//! `CROUPIER_PICTURES=DIR` writes the pictures of the documentation into that folder; `CROUPIER_LOOK=DIR`
//! writes a picture of every kind of page at three widths, light and dark, to be looked at.

mod attending;
mod contests;
#[path = "../held/mod.rs"]
mod held;
mod house;
mod pages;
mod playing;
mod replay;
#[path = "../served/mod.rs"]
mod served;

use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::time::Instant;

use house::{Browser, Running};

/// A test, by its name.
type Test = (&'static str, for<'a> fn(&'a Browser) -> Running<'a>);

/// Names tests as `module::function`.
macro_rules! tests {
    ($($module:ident :: $name:ident,)*) => {
        &[$((
            concat!(stringify!($module), "::", stringify!($name)),
            |browser| Box::pin($module::$name(browser)),
        )),*]
    };
}

const TESTS: &[Test] = tests![
    pages::every_page_fits_and_can_be_used_by_all,
    pages::play_and_watch_stand_side_by_side,
    pages::what_is_refused_is_said_on_a_page,
    pages::who_has_no_seat_looks_on,
    pages::a_house_that_is_full_says_so,
    playing::war_by_clicks,
    playing::intensity_by_clicks,
    playing::friday_by_clicks_on_a_phone,
    playing::uno_by_clicks,
    playing::austerity_by_clicks,
    playing::intensity_by_keys_alone,
    playing::friday_without_scripts,
    playing::two_people_play_each_other,
    playing::a_table_survives_reload_back_and_restart,
    playing::eight_tabs_show_the_same_table,
    attending::an_absent_persons_seat_is_given_away_and_taken_back,
    attending::a_hidden_tab_shows_the_present_and_says_whose_turn_it_is,
    attending::a_move_is_asked_about_before_it_is_made,
    attending::a_card_that_was_played_leads_to_its_moment,
    attending::the_way_back_stays_under_the_mouse,
    attending::a_table_without_a_socket_asks_from_time_to_time,
    attending::what_may_not_be_played_says_which_rule_forbids_it,
    attending::a_cauldron_into_which_a_card_may_not_go_leaves_it_picked,
    attending::a_table_on_a_phone_stays_where_it_is,
    contests::a_contest_is_watched_while_it_is_played,
    contests::a_fault_is_found_from_the_standings,
    contests::a_game_of_a_contest_is_looked_back_at,
    replay::a_replay_is_stepped_through,
    replay::a_decision_is_tried_again,
    replay::a_saved_game_is_looked_at_without_the_server,
    replay::war_is_watched_and_simulated,
];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let is_wanted =
        |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let wanted: Vec<&Test> = TESTS.iter().filter(|(name, _)| is_wanted(name)).collect();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let browser = match runtime.block_on(Browser::open()) {
        Ok(browser) => browser,
        Err(missing) => {
            let is_needed = std::env::var("CROUPIER_BROWSER").is_ok_and(|value| value == "must");
            eprintln!("left out: the tests in a browser: {missing}");
            return ExitCode::from(u8::from(is_needed));
        }
    };
    let mut failed = Vec::new();
    for (name, test) in &wanted {
        let begin = Instant::now();
        let done = std::panic::catch_unwind(AssertUnwindSafe(|| runtime.block_on(test(&browser))));
        let done = match done {
            Ok(Ok(())) => "ok".to_owned(),
            Ok(Err(error)) => format!("FAILED: {error}"),
            Err(_) => "FAILED".to_owned(),
        };
        println!(
            "test {name} ... {done} ({:.1} s)",
            begin.elapsed().as_secs_f64()
        );
        if done != "ok" {
            failed.push(*name);
            runtime.block_on(browser.show_failure(name));
        }
        runtime.block_on(browser.send_all_home());
    }
    runtime.block_on(browser.close());
    println!(
        "\n{} tests in a browser, {} failed",
        wanted.len(),
        failed.len()
    );
    ExitCode::from(u8::from(!failed.is_empty()))
}
