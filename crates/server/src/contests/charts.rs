//! Numbers as they are drawn: where they lie on a scale of round steps.

/// A scale from one round number to another.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

/// The width of what is drawn on a scale, in units of the drawing.
pub(super) const WIDTH: f64 = 1000.0;

impl Scale {
    /// A scale that holds these numbers, of about so many steps.
    pub(super) fn over(numbers: impl Iterator<Item = f64>, steps: f64) -> Scale {
        let numbers: Vec<f64> = numbers.filter(|number| number.is_finite()).collect();
        let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let high = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let wanted = ((high - low) / steps)
            .max(1e-3 * low.abs().max(high.abs()))
            .max(1e-3);
        let power = 10f64.powf(wanted.log10().floor());
        let round = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter();
        let step = round
            .map(|times| times * power)
            .find(|&step| step >= wanted);
        let step = step.unwrap_or(10.0 * power);
        let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        Scale {
            low,
            high: high.max(low + step),
            step,
        }
    }

    /// Where a number lies, from 0 to [`WIDTH`].
    pub(super) fn at(&self, number: f64) -> f64 {
        let share = (number - self.low) / (self.high - self.low);
        let place = (share * WIDTH).clamp(0.0, WIDTH);
        (place * 10.0).round() / 10.0
    }

    /// The same from the top, for what is drawn upwards.
    pub(super) fn below_top(&self, number: f64) -> f64 {
        WIDTH - self.at(number)
    }

    /// The round numbers on it.
    fn ticks(&self) -> impl Iterator<Item = f64> {
        let (low, step) = (self.low, self.step);
        let count = ((self.high - low) / step).round() as usize;
        (0..=count.min(50)).map(move |number| low + step * number as f64)
    }

    /// Where lines are drawn.
    pub(super) fn lines(&self) -> Vec<f64> {
        self.ticks().map(|tick| self.at(tick)).collect()
    }

    /// What is written at them.
    pub(super) fn labels(&self) -> Vec<String> {
        let decimals = (0..4usize).find(|&decimals| {
            let shifted = self.step * 10f64.powi(decimals as i32);
            (shifted - shifted.round()).abs() < 1e-6
        });
        let decimals = decimals.unwrap_or(4);
        self.ticks()
            .map(|tick| format!("{:.decimals$}", tick + 0.0))
            .collect()
    }
}

/// An interval and the number in it, as they are drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Mark {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) at: f64,
}

impl Mark {
    pub(super) fn on(scale: &Scale, number: f64, interval: [f64; 2]) -> Mark {
        Mark {
            from: scale.at(interval[0]),
            to: scale.at(interval[1]),
            at: scale.at(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_has_round_steps_and_holds_everything() {
        let scale = Scale::over([1388.0, 1612.0].into_iter(), 5.0);
        assert_eq!(
            scale.labels(),
            ["1350", "1400", "1450", "1500", "1550", "1600", "1650"]
        );
        assert_eq!((scale.at(1350.0), scale.at(1650.0)), (0.0, WIDTH));
        assert_eq!(scale.at(1500.0), WIDTH / 2.0);
        let scale = Scale::over([0.13, 0.91].into_iter(), 4.0);
        assert_eq!(
            scale.labels(),
            ["0.00", "0.20", "0.40", "0.60", "0.80", "1.00"].map(|l| l[..3].to_owned())
        );
    }

    #[test]
    fn a_scale_over_nothing_or_one_number_is_a_scale() {
        for numbers in [
            vec![],
            vec![7.0],
            vec![f64::NAN, f64::INFINITY],
            vec![-1e15, 1e15],
            vec![0.0; 3],
        ] {
            let scale = Scale::over(numbers.iter().copied(), 5.0);
            assert!(scale.labels().len() >= 2, "{numbers:?}");
            assert!(
                numbers
                    .iter()
                    .all(|&number| (0.0..=WIDTH).contains(&scale.at(number)) || number.is_nan())
            );
        }
    }
}
