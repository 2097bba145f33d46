//! The test that `compare` used before: twelve stakes with equal shares of the capital, and a
//! threshold of forty for each side. It is kept to be measured against.

const STAKES: usize = 12;

/// Capitals against a mean of one half, as logarithms.
#[derive(Default)]
pub(crate) struct Baseline {
    up: [f64; STAKES],
    down: [f64; STAKES],
}

impl Baseline {
    /// Takes an observation between 0 and 1.
    pub(crate) fn observe(&mut self, x: f64) {
        for number in 0..STAKES {
            let stake = 0.9 * 0.5f64.powi(number as i32);
            self.up[number] += (1.0 - stake + stake * x / 0.5).ln();
            self.down[number] += (1.0 - stake + stake * (1.0 - x) / 0.5).ln();
        }
    }

    /// Whether it is decided that the mean is not one half.
    pub(crate) fn is_decided(&self) -> bool {
        [self.up, self.down].iter().any(|capitals| {
            let together: f64 = capitals.iter().map(|log| log.exp()).sum();
            together >= 40.0 * STAKES as f64
        })
    }
}
