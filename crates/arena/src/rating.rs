//! Ratings: one number for every player from all results at once.
//!
//! The model is Bradley and Terry's over the finishing places, with ties in the manner of
//! Davidson: of two players at a table, the first finishes above the second, shares its place, or
//! finishes below it with probabilities in the proportion `a : ν√(ab) : b`, where `a` and `b` are
//! their strengths and `ν` says how common ties are in this game. The maximum-likelihood strengths
//! do not depend on the order of the games. A light prior, one tie with an average player for
//! everyone, keeps the strength of those finite who always or never win.
//!
//! Games over the same deal are not independent, so the intervals come from a cluster bootstrap over
//! deals: the fit is repeated with as many deals as there were, drawn with replacement. Where all
//! deals went the same way, the bootstrap shows no variance at all. So the result of the prior's tie
//! is taken as uncertain too, which matters only where there are few games.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::thread;

use croupier_core::Seed;

use crate::sheet::{BlockRow, Meeting, Sheet};
use crate::stats::{Interval, Z, t_quantile};

/// Where the average player stands.
pub const AVERAGE: f64 = 1500.0;

/// The points on the scale for a factor of e in strength: 400 points are ten wins for one loss.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The standard deviation of the result of the prior's tie, where a win is one.
const PRIOR_SD: f64 = 0.5;

/// The bootstrap variance of a player with few deals is itself uncertain. It is shrunk towards the
/// pooled estimate of all players, which has the weight of so many deals.
const POOLED_WEIGHT: f64 = 3.0;

/// How many bootstrap samples the intervals come from.
const RESAMPLES: u64 = 400;

/// The tolerance of the fit, in log-strength.
const TOLERANCE: f64 = 1e-9;

/// The tolerance of the bootstrap fits, where a thousandth of a rating point is enough.
const BOOTSTRAP_TOLERANCE: f64 = 1e-5;

/// What the ratings of a contest say about a player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// The rating.
    pub rating: f64,
    /// Its 95 % interval.
    pub interval: Interval,
}

/// The rating of every player. The average of those for whom `is_average` says so is put at
/// [`AVERAGE`]; `chance` decides what is resampled.
pub fn rate(sheet: &Sheet, is_average: &[bool], chance: Seed, threads: usize) -> Vec<Rating> {
    let model = Model::new(sheet, is_average);
    let meetings = model.weighted(&vec![1.0; model.different]);
    let mut strengths = vec![0.0; sheet.players()];
    let ties = model.fit(&meetings, &mut strengths);
    model.centre(&mut strengths);
    let margins = model.margins(&meetings, &strengths, ties, chance, threads);
    let rated = strengths.iter().zip(margins).map(|(strength, margin)| {
        let rating = AVERAGE + SCALE * strength;
        Rating {
            rating,
            interval: [rating - SCALE * margin, rating + SCALE * margin],
        }
    });
    rated.collect()
}

struct Model<'a> {
    sheet: &'a Sheet,
    is_average: &'a [bool],
    /// The number of the deal of every block.
    deals: Vec<u32>,
    /// How many different deals were played.
    different: usize,
    /// The pairs of players who have met.
    pairs: Vec<(usize, usize)>,
    /// The number of the pair of every meeting, block by block.
    met: Vec<u32>,
    /// In how many deals each player sat.
    sat: Vec<u32>,
}

impl<'a> Model<'a> {
    fn new(sheet: &'a Sheet, is_average: &'a [bool]) -> Model<'a> {
        // Sorted, so that nothing depends on the order in which blocks were entered.
        let mut different: Vec<u64> = sheet.blocks().map(|block| block.deal).collect();
        different.sort_unstable();
        different.dedup();
        let met = |block: BlockRow<'a>| block.meetings().map(|(a, b, _)| (a, b));
        let pairs: BTreeSet<(usize, usize)> = sheet.blocks().flat_map(met).collect();
        let pairs: Vec<(usize, usize)> = pairs.into_iter().collect();
        let numbers: HashMap<_, _> = pairs.iter().copied().zip(0..).collect();
        let (mut deals, mut met) = (Vec::new(), Vec::new());
        let mut sat = HashSet::new();
        for block in sheet.blocks() {
            let deal = different.partition_point(|&deal| deal < block.deal) as u32;
            deals.push(deal);
            met.extend(block.meetings().map(|(a, b, _)| numbers[&(a, b)]));
            sat.extend(block.table.iter().map(|&player| (player, deal)));
        }
        let mut times = vec![0; sheet.players()];
        for (player, _) in sat {
            times[usize::from(player)] += 1;
        }
        Model {
            sheet,
            is_average,
            deals,
            different: different.len(),
            pairs,
            met,
            sat: times,
        }
    }

    /// What happened between every pair, each deal counted as often as `weights` says.
    fn weighted(&self, weights: &[f64]) -> Vec<Meeting> {
        let mut sums = vec![Meeting::default(); self.pairs.len()];
        let mut met = self.met.iter();
        for (block, &deal) in self.sheet.blocks().zip(&self.deals) {
            let weight = weights[deal as usize];
            for ((_, _, meeting), &pair) in block.meetings().zip(&mut met) {
                let sum = &mut sums[pair as usize];
                sum.won += weight * meeting.won;
                sum.tied += weight * meeting.tied;
                sum.lost += weight * meeting.lost;
            }
        }
        sums
    }

    /// Finds the maximum-likelihood log-strengths, and ν.
    fn fit(&self, meetings: &[Meeting], strengths: &mut [f64]) -> f64 {
        let mut ties = 1.0;
        // Coordinate ascent: each turn raises the likelihood, and the two hardly depend on each
        // other, so that a few turns are enough.
        for _ in 0..200 {
            let before = strengths.to_vec();
            ties = self.fit_ties(meetings, strengths, ties);
            self.fit_strengths(meetings, ties, strengths, TOLERANCE);
            if largest_change(&before, strengths) < TOLERANCE {
                break;
            }
        }
        ties
    }

    /// The maximum-likelihood log-strengths for this ν, by Newton's method from where they are.
    fn fit_strengths(
        &self,
        meetings: &[Meeting],
        ties: f64,
        strengths: &mut [f64],
        tolerance: f64,
    ) {
        for _ in 0..200 {
            let (gradient, hessian) = self.derivatives(meetings, ties, strengths);
            let mut step = hessian.solve(gradient, tolerance);
            // A damped Newton step: no strength changes by more than a factor of e at a time.
            let longest = step.iter().fold(1.0f64, |most, part| most.max(part.abs()));
            step.iter_mut().for_each(|part| *part /= longest);
            for (strength, part) in strengths.iter_mut().zip(&step) {
                *strength += part;
            }
            if step.iter().all(|part| part.abs() < tolerance) {
                break;
            }
        }
    }

    /// The gradient of the log-likelihood and its negative Hessian. A part of the gradient is how
    /// much more than expected a player has scored.
    fn derivatives(
        &self,
        meetings: &[Meeting],
        ties: f64,
        strengths: &[f64],
    ) -> (Vec<f64>, Hessian<'_>) {
        let against_average = |own: &f64| Probabilities::of(*own, 0.0);
        let mut gradient: Vec<f64> = strengths
            .iter()
            .map(|own| 0.5 - against_average(own).expected())
            .collect();
        let mut diagonal: Vec<f64> = strengths
            .iter()
            .map(|own| against_average(own).variance())
            .collect();
        let mut off_diagonal = Vec::with_capacity(self.pairs.len());
        for (&(a, b), meeting) in self.pairs.iter().zip(meetings) {
            let probabilities = Probabilities::of(strengths[a] - strengths[b], ties);
            let excess = meeting.scored() - meeting.games() * probabilities.expected();
            gradient[a] += excess;
            gradient[b] -= excess;
            let curvature = meeting.games() * probabilities.variance();
            diagonal[a] += curvature;
            diagonal[b] += curvature;
            off_diagonal.push(curvature);
        }
        let hessian = Hessian {
            pairs: &self.pairs,
            diagonal,
            off_diagonal,
        };
        (gradient, hessian)
    }

    /// The maximum-likelihood ν for these strengths: the one with which as many ties are expected as
    /// there were, by fixed-point iteration.
    fn fit_ties(&self, meetings: &[Meeting], strengths: &[f64], mut ties: f64) -> f64 {
        let tied: f64 = meetings.iter().map(|meeting| meeting.tied).sum();
        for _ in 0..200 {
            let expected = |(&(a, b), meeting): (&(usize, usize), &Meeting)| {
                meeting.games() * Probabilities::of(strengths[a] - strengths[b], ties).tie
            };
            let expected: f64 = self.pairs.iter().zip(meetings).map(expected).sum();
            // If nothing but ties has happened, nothing but ties is expected, up to a limit.
            let better = if expected > 0.0 {
                (ties * tied / expected).min(1e6)
            } else {
                0.0
            };
            let step = (better - ties).abs();
            ties = better;
            if step <= TOLERANCE * ties {
                break;
            }
        }
        ties
    }

    /// Shifts the log-strengths so that those who count for the average have a mean of zero.
    fn centre(&self, strengths: &mut [f64]) {
        let counted = || self.is_average.iter().filter(|&&counts| counts);
        let sum: f64 = std::iter::zip(&*strengths, self.is_average)
            .filter_map(|(strength, counts)| counts.then_some(strength))
            .sum();
        let average = sum / counted().count().max(1) as f64;
        strengths.iter_mut().for_each(|own| *own -= average);
    }

    /// Half of the width of the 95 % interval around each player's log-strength.
    fn margins(
        &self,
        meetings: &[Meeting],
        strengths: &[f64],
        ties: f64,
        chance: Seed,
        threads: usize,
    ) -> Vec<f64> {
        let refit = |number: u64| {
            let mut rng = chance.deal(number).rng();
            let mut weights = vec![0.0; self.different];
            for _ in 0..self.different {
                weights[rng.below(self.different)] += 1.0;
            }
            let mut refitted = strengths.to_vec();
            let meetings = self.weighted(&weights);
            self.fit_strengths(&meetings, ties, &mut refitted, BOOTSTRAP_TOLERANCE);
            self.centre(&mut refitted);
            refitted
        };
        let refitted = on_threads(RESAMPLES, threads, &refit);
        let (_, hessian) = self.derivatives(meetings, ties, strengths);
        let averaged = self.is_average.iter().filter(|&&counts| counts).count();
        let averaged = averaged.max(1) as f64;
        let variances = |player: usize| {
            let sat = f64::from(self.sat[player]);
            // The strength as a contrast: the player's own, less the average.
            let mut contrast = vec![0.0; strengths.len()];
            contrast[player] = 1.0;
            if sat < 2.0 {
                // One deal cannot be resampled: its games are taken as independent.
                let independent = hessian.solve(contrast, BOOTSTRAP_TOLERANCE)[player];
                return Variances {
                    independent,
                    ..Variances::default()
                };
            }
            for (part, is_average) in contrast.iter_mut().zip(self.is_average) {
                *part -= f64::from(u8::from(*is_average)) / averaged;
            }
            // The derivative of the fitted strength by each player's score (the influence).
            let influence = hessian.solve(contrast.clone(), BOOTSTRAP_TOLERANCE);
            let squares = refitted.iter().map(|refitted| {
                let off: f64 = refitted[player] - strengths[player];
                off * off
            });
            Variances {
                // The bootstrap variance is too small by this factor (Bessel's correction).
                bootstrap: squares.sum::<f64>() / RESAMPLES as f64 * sat / (sat - 1.0),
                independent: dot(&contrast, &influence),
                prior: influence.iter().map(|part| (PRIOR_SD * part).powi(2)).sum(),
            }
        };
        let variances: Vec<Variances> = (0..strengths.len()).map(variances).collect();
        let sum = |part: fn(&Variances) -> f64| {
            let several = variances.iter().zip(&self.sat).filter(|(_, sat)| **sat > 1);
            several.map(|(own, _)| part(own)).sum::<f64>()
        };
        // The pooled overdispersion: how much more than independent games the deals vary.
        let pooled = sum(|own| own.bootstrap) / sum(|own| own.independent).max(f64::MIN_POSITIVE);
        let margin = |(own, &sat): (&Variances, &u32)| {
            if sat < 2 {
                return Z * own.independent.sqrt();
            }
            let freedom = f64::from(sat - 1);
            let shrunk = (freedom * own.bootstrap + POOLED_WEIGHT * pooled * own.independent)
                / (freedom + POOLED_WEIGHT);
            // The degrees of freedom are more than those of the deals alone: a deal is a few games,
            // and the pooled part is known from all players.
            t_quantile(3 * (sat - 1) + 8) * (shrunk + own.prior).sqrt()
        };
        variances.iter().zip(&self.sat).map(margin).collect()
    }
}

/// Variances of a player's log-strength.
#[derive(Clone, Copy, Default)]
struct Variances {
    /// By the bootstrap over deals.
    bootstrap: f64,
    /// By the inverse of the Hessian, as if all games were independent.
    independent: f64,
    /// From the uncertain result of the prior's tie.
    prior: f64,
}

/// Does something with every number below `count`, on so many threads; the results are in order.
fn on_threads<T: Send>(count: u64, threads: usize, work: &(impl Fn(u64) -> T + Sync)) -> Vec<T> {
    let threads = threads.clamp(1, 64) as u64;
    let share = |thread: u64| (thread..count).step_by(threads as usize).map(work);
    thread::scope(|scope| {
        let begin = |thread: u64| {
            let work = move || share(thread).collect::<Vec<T>>();
            thread::Builder::new().spawn_scoped(scope, work)
        };
        let others: Vec<_> = (1..threads).map(begin).collect();
        let mut shares = vec![share(0).collect::<Vec<T>>().into_iter()];
        shares.extend(others.into_iter().zip(1..).map(|(other, thread)| {
            let share = match other {
                Ok(other) => other.join().expect("the fit does not panic"),
                // A machine that gives no more threads does the work with those that it gave.
                Err(_) => share(thread).collect(),
            };
            share.into_iter()
        }));
        (0..count)
            .map(|number| {
                let share = &mut shares[(number % threads) as usize];
                share.next().expect("every number is in one share")
            })
            .collect()
    })
}

impl Meeting {
    fn games(&self) -> f64 {
        self.won + self.tied + self.lost
    }

    /// A win counts one, a tie half.
    fn scored(&self) -> f64 {
        self.won + self.tied / 2.0
    }
}

/// The probabilities of a result between two players.
struct Probabilities {
    win: f64,
    tie: f64,
}

impl Probabilities {
    /// For players whose log-strengths differ by so much.
    fn of(difference: f64, ties: f64) -> Probabilities {
        let (win, tie, lose) = ((difference / 2.0).exp(), ties, (-difference / 2.0).exp());
        let all = win + tie + lose;
        Probabilities {
            win: win / all,
            tie: tie / all,
        }
    }

    fn expected(&self) -> f64 {
        self.win + self.tie / 2.0
    }

    fn variance(&self) -> f64 {
        self.win + self.tie / 4.0 - self.expected().powi(2)
    }
}

/// The negative Hessian of the log-likelihood, as a sparse matrix: it is positive definite, and off
/// the diagonal only pairs who have met have an entry.
struct Hessian<'a> {
    pairs: &'a [(usize, usize)],
    diagonal: Vec<f64>,
    /// For every pair, with the sign turned: in the matrix they are negative.
    off_diagonal: Vec<f64>,
}

impl Hessian<'_> {
    /// The product of the matrix and a vector.
    fn times(&self, vector: &[f64]) -> Vec<f64> {
        let diagonal = self.diagonal.iter().zip(vector);
        let mut product: Vec<f64> = diagonal.map(|(own, part)| own * part).collect();
        for (&(a, b), entry) in self.pairs.iter().zip(&self.off_diagonal) {
            product[a] -= entry * vector[b];
            product[b] -= entry * vector[a];
        }
        product
    }

    /// Solves `self × solution = right` by the conjugate-gradient method with the diagonal as
    /// preconditioner (Jacobi's), to a relative tolerance.
    fn solve(&self, right: Vec<f64>, tolerance: f64) -> Vec<f64> {
        let precondition = |residual: &[f64]| -> Vec<f64> {
            let parts = residual.iter().zip(&self.diagonal);
            parts.map(|(part, own)| part / own).collect()
        };
        let mut solution = vec![0.0; right.len()];
        let mut residual = right;
        let mut direction = precondition(&residual);
        // The square of the residual's norm, as the preconditioner measures it.
        let mut norm = dot(&residual, &direction);
        let enough = norm * tolerance * tolerance;
        for _ in 0..2 * residual.len() {
            if norm <= enough {
                break;
            }
            let product = self.times(&direction);
            let step_length = norm / dot(&direction, &product);
            for (index, part) in direction.iter().enumerate() {
                solution[index] += step_length * part;
                residual[index] -= step_length * product[index];
            }
            let steepest = precondition(&residual);
            let before = std::mem::replace(&mut norm, dot(&residual, &steepest));
            for (part, steepest) in direction.iter_mut().zip(steepest) {
                *part = steepest + norm / before * *part;
            }
        }
        solution
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The largest change of any part (the maximum norm of the difference).
fn largest_change(a: &[f64], b: &[f64]) -> f64 {
    let parts = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    parts.fold(0.0, f64::max)
}
