//! Ratings: one number for every player from all results at once.
//!
//! The model is Bradley and Terry's over the finishing places, with ties in the manner of
//! Davidson: of two players at a table, the first finishes above the second, shares its place, or
//! finishes below it with probabilities in the proportion `a : ν√(ab) : b`, where `a` and `b` are
//! their strengths and `ν` says how common ties are in this game. The strengths that make all
//! results most probable do not depend on the order of the games. A light prior, one tie with an
//! average player for everyone, keeps the strength of those finite who always or never win.
//!
//! What two games over the same deal say is not independent, so the intervals come from resampling
//! whole blocks, together with all others over the same deal: the fit is repeated with as many
//! deals as there were, drawn at random. Where all deals went the same way, drawing them again shows
//! nothing of what else may happen: so the tie of the prior counts as unsure too, which matters only
//! where there are few games.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::thread;

use croupier_core::Seed;

use crate::sheet::{Block, Meeting, Sheet};
use crate::stats::{Interval, Z, t_quantile};

/// Where the average player stands.
pub const AVERAGE: f64 = 1500.0;

/// The points on the scale for a factor of e in strength: 400 points are ten wins for one loss.
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// By how much the result of one game is unsure, as a standard deviation.
const UNSURE: f64 = 0.5;

/// A few deals of one player do not show well how far its results spread: what is usual in this contest
/// counts for as much as so many deals.
const SHARED: f64 = 3.0;

/// How often the fit is repeated for the intervals.
const RESAMPLES: u64 = 400;

/// How near the fit must come to the best strengths, in factors of e.
const NEAR: f64 = 1e-9;

/// The same for the repeated fits, where a thousandth of a point is near enough.
const NEAR_ENOUGH: f64 = 1e-5;

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
    let spreads = model.spreads(&meetings, &strengths, ties, chance, threads);
    let rated = strengths.iter().zip(spreads).map(|(strength, spread)| {
        let rating = AVERAGE + SCALE * strength;
        Rating {
            rating,
            interval: [rating - SCALE * spread, rating + SCALE * spread],
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
        let met = |block: Block<'a>| block.meetings().map(|(a, b, _)| (a, b));
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

    /// Finds the strengths, as logarithms, and how common ties are.
    fn fit(&self, meetings: &[Meeting], strengths: &mut [f64]) -> f64 {
        let mut ties = 1.0;
        // The two are found by turns. Each turn makes the results more probable, and they hardly
        // depend on each other, so a few are enough.
        for _ in 0..200 {
            let before = strengths.to_vec();
            ties = self.how_common_ties_are(meetings, strengths, ties);
            self.climb(meetings, ties, strengths, NEAR);
            if apart(&before, strengths) < NEAR {
                break;
            }
        }
        ties
    }

    /// The strengths that make these results most probable, by Newton's method: each step goes to
    /// where the slope would be level if it went on falling as it falls here.
    fn climb(&self, meetings: &[Meeting], ties: f64, strengths: &mut [f64], near: f64) {
        for _ in 0..200 {
            let (slope, falls) = self.slope(meetings, ties, strengths);
            let mut step = falls.divide(slope, near);
            // A step of more than a factor of e is a guess from too far away.
            let longest = step.iter().fold(1.0f64, |most, part| most.max(part.abs()));
            step.iter_mut().for_each(|part| *part /= longest);
            for (strength, part) in strengths.iter_mut().zip(&step) {
                *strength += part;
            }
            if step.iter().all(|part| part.abs() < near) {
                break;
            }
        }
    }

    /// How much more than expected each player has scored, and how fast that falls with the
    /// strengths.
    fn slope(&self, meetings: &[Meeting], ties: f64, strengths: &[f64]) -> (Vec<f64>, Falls<'_>) {
        let average = |own: &f64| Chances::of(*own, 0.0);
        let mut slope: Vec<f64> = strengths
            .iter()
            .map(|own| 0.5 - average(own).expected())
            .collect();
        let mut alone: Vec<f64> = strengths
            .iter()
            .map(|own| average(own).variance())
            .collect();
        let mut together = Vec::with_capacity(self.pairs.len());
        for (&(a, b), meeting) in self.pairs.iter().zip(meetings) {
            let chances = Chances::of(strengths[a] - strengths[b], ties);
            let more = meeting.scored() - meeting.games() * chances.expected();
            slope[a] += more;
            slope[b] -= more;
            let falls = meeting.games() * chances.variance();
            alone[a] += falls;
            alone[b] += falls;
            together.push(falls);
        }
        let pairs = &self.pairs;
        (
            slope,
            Falls {
                pairs,
                alone,
                together,
            },
        )
    }

    /// The share of ties that makes as many ties expected as there were.
    fn how_common_ties_are(&self, meetings: &[Meeting], strengths: &[f64], mut ties: f64) -> f64 {
        let tied: f64 = meetings.iter().map(|meeting| meeting.tied).sum();
        for _ in 0..200 {
            let expected = |(&(a, b), meeting): (&(usize, usize), &Meeting)| {
                meeting.games() * Chances::of(strengths[a] - strengths[b], ties).tie
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
            if step <= NEAR * ties {
                break;
            }
        }
        ties
    }

    /// Puts the average of those who count for it at nothing.
    fn centre(&self, strengths: &mut [f64]) {
        let counted = || self.is_average.iter().filter(|&&counts| counts);
        let sum: f64 = std::iter::zip(&*strengths, self.is_average)
            .filter_map(|(strength, counts)| counts.then_some(strength))
            .sum();
        let average = sum / counted().count().max(1) as f64;
        strengths.iter_mut().for_each(|own| *own -= average);
    }

    /// Half of the width of the interval around each player's strength.
    fn spreads(
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
            self.climb(&meetings, ties, &mut refitted, NEAR_ENOUGH);
            self.centre(&mut refitted);
            refitted
        };
        let refitted = on_threads(RESAMPLES, threads, &refit);
        let (_, falls) = self.slope(meetings, ties, strengths);
        let averaged = self.is_average.iter().filter(|&&counts| counts).count();
        let averaged = averaged.max(1) as f64;
        let spread = |player: usize| {
            let sat = f64::from(self.sat[player]);
            let mut own = vec![0.0; strengths.len()];
            own[player] = 1.0;
            if sat < 2.0 {
                // From one deal nothing can be drawn again: each game is taken for itself.
                let single = falls.divide(own, NEAR_ENOUGH)[player];
                return Spread {
                    single,
                    ..Spread::default()
                };
            }
            for (part, is_average) in own.iter_mut().zip(self.is_average) {
                *part -= f64::from(u8::from(*is_average)) / averaged;
            }
            // How much the strength depends on what each player scores.
            let depends = falls.divide(own.clone(), NEAR_ENOUGH);
            let squares = refitted.iter().map(|refitted| {
                let off: f64 = refitted[player] - strengths[player];
                off * off
            });
            Spread {
                // What is drawn again from a few blocks varies less than what is played anew.
                drawn: squares.sum::<f64>() / RESAMPLES as f64 * sat / (sat - 1.0),
                single: std::iter::zip(&own, &depends)
                    .map(|(one, other)| one * other)
                    .sum(),
                prior: depends.iter().map(|part| (UNSURE * part).powi(2)).sum(),
            }
        };
        let spreads: Vec<Spread> = (0..strengths.len()).map(spread).collect();
        let sum = |part: fn(&Spread) -> f64| {
            let several = spreads.iter().zip(&self.sat).filter(|(_, sat)| **sat > 1);
            several.map(|(spread, _)| part(spread)).sum::<f64>()
        };
        let usual = sum(|spread| spread.drawn) / sum(|spread| spread.single).max(f64::MIN_POSITIVE);
        let half = |(spread, &sat): (&Spread, &u32)| {
            if sat < 2 {
                return Z * spread.single.sqrt();
            }
            let known = f64::from(sat - 1);
            let drawn = (known * spread.drawn + SHARED * usual * spread.single) / (known + SHARED);
            // A deal is a few games, and what is usual is known from all players.
            t_quantile(3 * (sat - 1) + 8) * (drawn + spread.prior).sqrt()
        };
        spreads.iter().zip(&self.sat).map(half).collect()
    }
}

/// How far off the strength of a player may be, as variances.
#[derive(Clone, Copy, Default)]
struct Spread {
    /// As deals that are drawn again show.
    drawn: f64,
    /// If every game were a deal of its own.
    single: f64,
    /// Because of the prior.
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

/// What is likely between two players.
struct Chances {
    win: f64,
    tie: f64,
}

impl Chances {
    /// For players whose strengths differ by so many factors of e.
    fn of(difference: f64, ties: f64) -> Chances {
        let (win, tie, lose) = ((difference / 2.0).exp(), ties, (-difference / 2.0).exp());
        let all = win + tie + lose;
        Chances {
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

/// How fast the slope falls: a matrix in which hardly any two of a thousand players have an entry.
struct Falls<'a> {
    pairs: &'a [(usize, usize)],
    /// With the player's own strength.
    alone: Vec<f64>,
    /// With the strength of the other of a pair.
    together: Vec<f64>,
}

impl Falls<'_> {
    /// The matrix times a vector.
    fn times(&self, step: &[f64]) -> Vec<f64> {
        let alone = self.alone.iter().zip(step);
        let mut sum: Vec<f64> = alone.map(|(alone, part)| alone * part).collect();
        for (&(a, b), together) in self.pairs.iter().zip(&self.together) {
            sum[a] -= together * step[b];
            sum[b] -= together * step[a];
        }
        sum
    }

    /// What the matrix turns into `sums`, to a share of `near`: conjugate gradients, first divided
    /// by the matrix's own diagonal.
    fn divide(&self, mut sums: Vec<f64>, near: f64) -> Vec<f64> {
        let divided = |sums: &[f64]| -> Vec<f64> {
            let divided = sums.iter().zip(&self.alone).map(|(sum, own)| sum / own);
            divided.collect()
        };
        let mut solution = vec![0.0; sums.len()];
        let mut ahead = divided(&sums);
        let mut left = dot(&sums, &ahead);
        let enough = left * near * near;
        for _ in 0..2 * sums.len() {
            if left <= enough {
                break;
            }
            let turned = self.times(&ahead);
            let far = left / dot(&ahead, &turned);
            for (index, part) in ahead.iter().enumerate() {
                solution[index] += far * part;
                sums[index] -= far * turned[index];
            }
            let next = divided(&sums);
            let before = std::mem::replace(&mut left, dot(&sums, &next));
            for (part, next) in ahead.iter_mut().zip(next) {
                *part = next + left / before * *part;
            }
        }
        solution
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    let parts = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    parts.fold(0.0, f64::max)
}
