//! The bar that shows how far long work has come.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on the standard error with rate and time left; nothing where that is no terminal.
pub(crate) fn bar(games: u64, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    with_style(games, BAR)
}

/// The same below the standings of a contest, which are its message.
pub(crate) fn contest(games: u64, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    with_style(games, &format!("{{msg}}{BAR}"))
}

/// A bar for work that tells itself how much it has done.
pub(crate) fn work(length: u64, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    with_style(length, "{wide_bar} {percent:>3} %  {msg} ")
}

const BAR: &str =
    "{wide_bar} {percent:>3} %  {human_pos} of {human_len} games, {per_sec:>9}, {eta} left ";

fn with_style(games: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template)
        .expect("the template is a constant")
        .with_key(
            "per_sec",
            |state: &indicatif::ProgressState, text: &mut dyn std::fmt::Write| {
                let rate = crate::style::grouped(state.per_sec() as u64);
                let _ = write!(text, "{rate} a second");
            },
        );
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr_with_hz(10));
    bar.set_style(style);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
