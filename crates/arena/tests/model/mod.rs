//! Contests between players whose true strengths are known.

use croupier_core::{Outcome, Rng};

/// How many sit at a table.
pub(crate) const SEATS: usize = 4;

/// A number from 0 to 1.
pub(crate) fn share(rng: &mut Rng) -> f64 {
    (rng.bits() >> 11) as f64 / (1u64 << 53) as f64
}

/// A performance whose comparisons make a contest follow the model of Plackett and Luce.
fn luck(rng: &mut Rng) -> f64 {
    -(-(share(rng).max(1e-300)).ln()).ln()
}

/// The outcome of performances: the highest wins, and what it scores is left to chance, as in Uno,
/// where all others score nothing.
fn outcome(performances: &[f64], rng: &mut Rng) -> Outcome {
    let place = |own: &f64| 1 + performances.iter().filter(|&other| other > own).count() as u16;
    let places: Vec<u16> = performances.iter().map(place).collect();
    let won = 1 + rng.below(MEAN_WON * 2 - 1) as i64;
    let score = |&place: &u16| if place == 1 { won } else { 0 };
    Outcome::new(places.iter().map(score).collect(), places)
}

/// What the winner of a game scores on average.
pub(crate) const MEAN_WON: usize = 100;

/// A block of four games in which luck is partly the same, as over one deal: half of the games
/// repeat the luck of the game before.
pub(crate) fn block(strengths: &[f64], table: &[usize], rng: &mut Rng) -> Vec<Outcome> {
    let mut lucks: Vec<f64> = table.iter().map(|_| luck(rng)).collect();
    (0..SEATS)
        .map(|_| {
            if rng.below(2) == 0 {
                lucks.iter_mut().for_each(|own| *own = luck(rng));
            }
            let performances = table.iter().zip(&lucks);
            let performances = performances.map(|(&player, luck)| strengths[player] + luck);
            outcome(&performances.collect::<Vec<_>>(), rng)
        })
        .collect()
}
