//! How often each length occurs, drawn in the terminal and as a picture.

use std::fmt::Write as _;

use crate::style::{BAR, DIM, grouped};

/// Lengths put together into bars of equal width, and what lies beyond the last one.
pub(super) struct Histogram {
    width: usize,
    bars: Vec<u64>,
    beyond: u64,
}

impl Histogram {
    /// Puts `counts[length]` together into about so many bars. The longest lengths, half a percent
    /// of all, stay outside, or the rest would be squeezed into a few bars.
    pub(super) fn new(counts: &[u64], about: usize) -> Histogram {
        let all: u64 = counts.iter().sum();
        let mut so_far = 0;
        let shown = counts.iter().position(|count| {
            so_far += count;
            so_far * 200 >= all * 199
        });
        let shown = shown.unwrap_or(0) + 1;
        let width = round_up(shown.div_ceil(about));
        let bars: Vec<u64> = counts
            .chunks(width)
            .take(shown.div_ceil(width))
            .map(|chunk| chunk.iter().sum())
            .collect();
        let beyond = all - bars.iter().sum::<u64>();
        Histogram {
            width,
            bars,
            beyond,
        }
    }

    /// The bars lying on their side, so many columns wide.
    pub(super) fn text(&self, columns: usize) -> String {
        let last = self.bars.len() * self.width;
        let digits = grouped(last as u64).len();
        let label = 2 * digits + 1;
        let most = self.bars.iter().copied().max().unwrap_or(1).max(1);
        let count = grouped(most.max(self.beyond)).len();
        let room = columns.saturating_sub(label + count + 6).max(10);
        let mut text = String::new();
        for (place, &bar) in self.bars.iter().enumerate() {
            let from = grouped((place * self.width) as u64);
            let to = grouped(((place + 1) * self.width - 1) as u64);
            let eighths = (bar * 8 * room as u64).div_ceil(most) as usize;
            let _ = writeln!(
                text,
                "  {from:>digits$}–{to:<digits$}  {BAR}{}{BAR:#} {DIM}{}{DIM:#}",
                blocks(eighths),
                grouped(bar),
            );
        }
        if self.beyond > 0 {
            let more = format!("{}+", grouped(last as u64));
            let _ = writeln!(
                text,
                "  {more:<label$}  {DIM}{}{DIM:#}",
                grouped(self.beyond)
            );
        }
        text
    }

    /// A picture for a page: one SVG file without anything from elsewhere.
    pub(super) fn svg(&self, title: &str, subtitle: &str) -> String {
        let (width, height) = (900.0, 420.0);
        let (left, right, top, bottom) = (70.0, 20.0, 70.0, 50.0);
        let (across, down) = (width - left - right, height - top - bottom);
        let most = self.bars.iter().copied().max().unwrap_or(1).max(1) as f64;
        let step = across / self.bars.len().max(1) as f64;
        let mut bars = String::new();
        for (place, &bar) in self.bars.iter().enumerate() {
            let tall = down * bar as f64 / most;
            let (x, y) = (left + place as f64 * step, top + down - tall);
            let (from, to) = (place * self.width, (place + 1) * self.width - 1);
            let _ = writeln!(
                bars,
                r#"  <rect x="{x:.2}" y="{y:.2}" width="{:.2}" height="{tall:.2}"><title>{from}–{to} turns: {} games</title></rect>"#,
                (step - 1.0).max(0.5),
                grouped(bar),
            );
        }
        let mut marks = String::new();
        let every = self.bars.len().div_ceil(10).max(1);
        for place in (0..=self.bars.len()).step_by(every) {
            let x = left + place as f64 * step;
            let _ = writeln!(
                marks,
                r#"  <text x="{x:.2}" y="{:.2}" text-anchor="middle">{}</text>"#,
                height - bottom + 18.0,
                grouped((place * self.width) as u64),
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
        let beyond = match self.beyond {
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
}

/// The next round number: 1, 2, 5, 10, 20, 50, …
fn round_up(number: usize) -> usize {
    let mut round = 1;
    for factor in [2, 5].iter().cycle() {
        if round >= number {
            break;
        }
        round = if *factor == 2 {
            round * 2
        } else {
            round / 2 * 5
        };
        if round >= number {
            break;
        }
        if *factor == 5 {
            round *= 2;
        }
    }
    round
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
    fn bars_are_as_wide_as_a_round_number() {
        let rounded: Vec<usize> = [1, 2, 3, 5, 6, 11, 23, 51, 101].map(round_up).to_vec();
        assert_eq!(rounded, [1, 2, 5, 5, 10, 20, 50, 100, 200]);
    }

    #[test]
    fn no_game_is_lost_between_the_bars() {
        for length in [1, 7, 100, 3_000] {
            let counts: Vec<u64> = (0..length).map(|n| n % 13).collect();
            let histogram = Histogram::new(&counts, 20);
            let shown: u64 = histogram.bars.iter().sum();
            assert_eq!(shown + histogram.beyond, counts.iter().sum::<u64>());
        }
    }

    #[test]
    fn no_games_make_no_bars_but_no_trouble_either() {
        let histogram = Histogram::new(&[], 20);
        assert_eq!(histogram.text(80), "");
        assert!(histogram.svg("none", "").starts_with("<svg"));
    }
}
