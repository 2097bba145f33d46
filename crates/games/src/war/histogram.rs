//! Lengths of games put together into bars, for whoever draws them.

/// How often each length occurs, in bars of equal width.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Histogram {
    /// How many lengths each bar holds: 1, 2, 5, 10, 20, 50 and so on.
    pub width: usize,
    /// How many games are in each bar, beginning with those of 0 turns.
    pub bars: Vec<u64>,
    /// How many longer games are in no bar.
    pub beyond: u64,
}

impl Histogram {
    /// Puts `counts[length]` together into at most about so many bars. The longest lengths, half a
    /// percent of all, stay outside, or the rest would be squeezed into a few bars.
    pub fn new(counts: &[u64], about: usize) -> Histogram {
        let all: u64 = counts.iter().sum();
        let mut so_far = 0;
        let shown = counts.iter().position(|count| {
            so_far += count;
            so_far * 200 >= all * 199
        });
        let shown = shown.unwrap_or(0) + 1;
        let width = round_up(shown.div_ceil(about.max(1)));
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

    /// Each bar: its shortest and its longest length, and how many games it holds.
    pub fn spans(&self) -> impl Iterator<Item = (usize, usize, u64)> {
        let bars = self.bars.iter().enumerate();
        bars.map(|(place, &games)| (place * self.width, (place + 1) * self.width - 1, games))
    }

    /// How many games are in the highest bar; 1 if there is none.
    pub fn highest(&self) -> u64 {
        self.bars.iter().copied().max().unwrap_or(1).max(1)
    }
}

/// The next round number: 1, 2, 5, 10, 20, 50, …
fn round_up(number: usize) -> usize {
    let powers = std::iter::successors(Some(1_usize), |power| power.checked_mul(10));
    let mut round = powers.flat_map(|power| [1, 2, 5].map(|times| power.saturating_mul(times)));
    round.find(|&round| round >= number).unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_wide_as_a_round_number() {
        let rounded: Vec<usize> = [0, 1, 2, 3, 5, 6, 11, 23, 51, 101].map(round_up).to_vec();
        assert_eq!(rounded, [1, 1, 2, 5, 5, 10, 20, 50, 100, 200]);
        assert_eq!(round_up(usize::MAX), usize::MAX);
    }

    #[test]
    fn no_game_is_lost_between_the_bars() {
        for length in [1, 7, 100, 3_000] {
            let counts: Vec<u64> = (0..length).map(|n| n % 13).collect();
            let histogram = Histogram::new(&counts, 20);
            let all: u64 = counts.iter().sum();
            let shown: u64 = histogram.bars.iter().sum();
            assert_eq!(shown + histogram.beyond, all);
            assert!(histogram.beyond * 200 <= all, "at most half a percent");
            assert_eq!(histogram.spans().count(), histogram.bars.len());
        }
    }

    #[test]
    fn no_games_make_no_bars() {
        let histogram = Histogram::new(&[], 20);
        assert!(histogram.bars.is_empty());
        assert_eq!((histogram.beyond, histogram.highest()), (0, 1));
    }
}
