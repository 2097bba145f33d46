//! How text looks on a terminal. Elsewhere the styles are left out when it is printed.

use anstyle::{AnsiColor, Style};

pub(crate) use croupier_core::grouped;

/// What is most important.
pub(crate) const BOLD: Style = Style::new().bold();
/// What is there for those who look for it.
pub(crate) const DIM: Style = Style::new().dimmed();
/// The bars of a histogram.
pub(crate) const BAR: Style = AnsiColor::Cyan.on_default();

/// How many columns the terminal has.
pub(crate) fn width() -> usize {
    let columns = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.unwrap_or(80).clamp(40, 120)
}

/// A label and words after it, in as many lines as they need; all but the first are indented.
pub(crate) fn wrapped(label: &str, indent: usize, words: impl Iterator<Item = String>) -> String {
    let text = label.trim_start();
    let start = &label[..label.len() - text.len()];
    let label = format!("{text}:");
    let mut label = label.split(' ').map(str::to_owned);
    let first = label.next().unwrap_or_default();
    in_lines(format!("{start}{first}"), indent + 1, label.chain(words))
}

/// A sentence after a beginning that is not broken, in as many lines as it needs.
pub(crate) fn filled(start: &str, indent: usize, sentence: &str) -> String {
    let mut words = sentence.split(' ').map(str::to_owned);
    let first = words.next().unwrap_or_default();
    in_lines(format!("{start}{first}"), indent, words)
}

/// Words in lines; a space that does not break is one where it is printed.
fn in_lines(start: String, indent: usize, words: impl Iterator<Item = String>) -> String {
    let mut text = start;
    let mut column = visible(&text);
    for word in words {
        let length = visible(&word);
        if column + 1 + length > width() {
            text.push('\n');
            text += &" ".repeat(indent);
            column = indent;
        } else {
            text.push(' ');
            column += 1;
        }
        column += length;
        text += &word;
    }
    text.replace('\u{a0}', " ") + "\n"
}

/// How many columns a text takes: its styles take none.
fn visible(text: &str) -> usize {
    let mut styled = false;
    let shown = text.chars().filter(|&letter| {
        styled |= letter == '\x1b';
        let shown = !styled;
        styled &= letter != 'm';
        shown
    });
    shown.count()
}

/// So many games, in words.
pub(crate) fn games(number: u64) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} game{ending}", grouped(number))
}
