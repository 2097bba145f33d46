//! How often each length occurs, drawn in the terminal and as a picture.

use std::fmt::Write as _;

use croupier_games::war::Histogram;

use crate::style::{BAR, DIM, grouped};

/// The bars lying on their side, so many columns wide.
pub(super) fn text(histogram: &Histogram, columns: usize) -> String {
    let last = histogram.bars.len() * histogram.width;
    let digits = grouped(last as u64).len();
    let label = 2 * digits + 1;
    let most = histogram.highest();
    let count = grouped(most.max(histogram.beyond)).len();
    let room = columns.saturating_sub(label + count + 6).max(10);
    let mut text = String::new();
    for (from, to, bar) in histogram.spans() {
        let (from, to) = (grouped(from as u64), grouped(to as u64));
        let eighths = (bar * 8 * room as u64).div_ceil(most) as usize;
        let _ = writeln!(
            text,
            "  {from:>digits$}–{to:<digits$}  {BAR}{}{BAR:#} {DIM}{}{DIM:#}",
            blocks(eighths),
            grouped(bar),
        );
    }
    if histogram.beyond > 0 {
        let more = format!("{}+", grouped(last as u64));
        let _ = writeln!(
            text,
            "  {more:<label$}  {DIM}{}{DIM:#}",
            grouped(histogram.beyond)
        );
    }
    text
}

/// A picture for a page: one SVG file without anything from elsewhere.
pub(super) fn svg(histogram: &Histogram, title: &str, subtitle: &str) -> String {
    let (width, height) = (900.0, 420.0);
    let (left, right, top, bottom) = (70.0, 20.0, 70.0, 50.0);
    let (across, down) = (width - left - right, height - top - bottom);
    let most = histogram.highest() as f64;
    let step = across / histogram.bars.len().max(1) as f64;
    let mut bars = String::new();
    for (place, (from, to, bar)) in histogram.spans().enumerate() {
        let tall = down * bar as f64 / most;
        let (x, y) = (left + place as f64 * step, top + down - tall);
        let _ = writeln!(
            bars,
            r#"  <rect x="{x:.2}" y="{y:.2}" width="{:.2}" height="{tall:.2}"><title>{from}–{to} turns: {} games</title></rect>"#,
            (step - 1.0).max(0.5),
            grouped(bar),
        );
    }
    let mut marks = String::new();
    let every = histogram.bars.len().div_ceil(10).max(1);
    for place in (0..=histogram.bars.len()).step_by(every) {
        let x = left + place as f64 * step;
        let _ = writeln!(
            marks,
            r#"  <text x="{x:.2}" y="{:.2}" text-anchor="middle">{}</text>"#,
            height - bottom + 18.0,
            grouped((place * histogram.width) as u64),
        );
    }
    for quarter in 0..=4 {
        let share = f64::from(quarter) / 4.0;
        let y = top + down * (1.0 - share);
        let _ = writeln!(
            marks,
            r##"  <line x1="{left}" x2="{:.2}" y1="{y:.2}" y2="{y:.2}" stroke="#ddd"/><text x="{:.2}" y="{:.2}" text-anchor="end">{}</text>"##,
            width - right,
            left - 8.0,
            y + 4.0,
            grouped((most * share).round() as u64),
        );
    }
    let beyond = match histogram.beyond {
        0 => String::new(),
        beyond => format!("; {} longer games are not shown", grouped(beyond)),
    };
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" fill="#333">
 <rect width="100%" height="100%" fill="#fff"/>
 <text x="{left}" y="28" font-size="18">{title}</text>
 <text x="{left}" y="48" fill="#777">{subtitle}</text>
 <g>
{marks} </g>
 <g fill="#2a7f8f">
{bars} </g>
 <text x="{:.2}" y="{:.2}" text-anchor="middle">turns{beyond}</text>
</svg>
"##,
        left + across / 2.0,
        height - 10.0,
    )
}

/// A bar of so many eighths of a column.
fn blocks(eighths: usize) -> String {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    "█".repeat(eighths / 8) + PARTS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_games_make_no_bars_but_no_trouble_either() {
        let histogram = Histogram::new(&[], 20);
        assert_eq!(text(&histogram, 80), "");
        assert!(svg(&histogram, "none", "").starts_with("<svg"));
    }
}
