//! Functions that come out the same to the last bit on every machine, because they are made of
//! operations that all machines round in the same way. What the system's library finds may differ in
//! the last bit from one to the other, and one bit can decide between two moves.

use std::f64::consts::{LN_2, SQRT_2};

/// The natural logarithm.
///
/// # Panics
/// If `number` is 0.
#[inline]
pub fn ln(number: u32) -> f64 {
    let mut twos = number.ilog2();
    let mut rest = f64::from(number) / (1u64 << twos) as f64;
    if rest > SQRT_2 {
        rest /= 2.0;
        twos += 1;
    }
    // ln x = 2 artanh t, and the powers of t² vanish quickly.
    let t = (rest - 1.0) / (rest + 1.0);
    let powers = (0..9).rev().fold(0.0, |sum, power| {
        sum * t * t + 2.0 / f64::from(2 * power + 1)
    });
    f64::from(twos) * LN_2 + t * powers
}

/// The exponential function. What is too large or too small for it counts as e^700 or e^-700.
#[inline]
pub fn exp(power: f64) -> f64 {
    let power = power.clamp(-700.0, 700.0);
    let twos = (power / LN_2).round();
    let rest = power - twos * LN_2;
    let series = (1..=13)
        .rev()
        .fold(1.0, |sum, term| 1.0 + sum * rest / f64::from(term));
    series * f64::from_bits(((1023 + twos as i64) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_what_they_should_be() {
        for number in (1..2000).chain([65_535, 65_536, 1 << 30, u32::MAX]) {
            let known = f64::from(number).ln();
            assert!((ln(number) - known).abs() <= 1e-13, "{number}");
        }
        for tenths in -7000..=7000 {
            let power = f64::from(tenths) / 10.0;
            assert!((exp(power) / power.exp() - 1.0).abs() < 1e-12, "{power}");
        }
        assert_eq!((ln(1), exp(0.0)), (0.0, 1.0));
        assert_eq!(exp(f64::INFINITY), exp(700.0));
    }

    /// The bits, so that a machine on which they differ is found out.
    #[test]
    fn they_are_the_same_everywhere() {
        let bits = |value: f64| value.to_bits();
        assert_eq!(
            [bits(ln(3)), bits(ln(1000)), bits(exp(1.0)), bits(exp(-2.5))],
            [
                4_607_626_529_066_517_258,
                4_619_463_459_452_485_536,
                4_613_303_445_314_885_482,
                4_590_579_268_170_609_700
            ]
        );
    }
}
