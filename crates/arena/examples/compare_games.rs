//! How many games `compare` needs, beside the test that it used before and beside bets that are set
//! anew after every block, and how often it errs.
//!
//! Real blocks are played between three pairs: A weaker than B, A equal to B, A stronger. Drawn from
//! these in the right proportion, they make comparisons with any true difference that is wanted,
//! and all tests see the same ones. The least is a bound for every test that errs in one of forty
//! comparisons on each side: the logarithm of 40, over the growth of a bet whose stake was chosen by
//! somebody who knows the whole distribution (Wald's inequality).
//!
//! `cargo run --release -p croupier-arena --example compare_games`

use std::ops::ControlFlow;

use croupier_arena::{
    BlockPlan, Dealer, DealerTerms, Entrant, Evidence, Unplayed, Who, rotations, work_at_tables,
};
use croupier_bots::{Hosted, House, Limits, Tier};
use croupier_core::{Options, Rng, Seed};
use croupier_games::friday13::Friday13;
use croupier_games::intensity::Intensity;
use croupier_games::uno::Uno;

#[path = "../tests/evidence/baseline.rs"]
mod baseline;
use baseline::Baseline;

/// How many blocks of every pair are played.
const PLAYED: u64 = 20_000;

/// The differences in points a game for which games are counted, and in how many comparisons.
const DIFFERENCES: [f64; 4] = [0.02, 0.05, 0.1, 0.25];
const COMPARISONS: u64 = 2_000;

/// How many comparisons are made to see how often it errs, and of how many blocks.
const TRIALS: u64 = 2_000;
const BLOCKS: u64 = 2_500;

fn main() -> Result<(), Unplayed> {
    println!("| game | difference | games before | plug-in | games now | fewer | the least |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let tables = [
        Table::played::<Intensity>("careful", "random")?,
        Table::played::<Uno>("careful", "naive")?,
        Table::played::<Friday13>("smallest", "random")?,
    ];
    for table in &tables {
        for difference in DIFFERENCES {
            table.count_games(difference);
        }
    }
    println!("\n| game | false alarms before | plug-in | now | intervals that missed |");
    println!("| --- | --- | --- | --- | --- |");
    for table in &tables {
        table.count_errors();
    }
    Ok(())
}

/// What blocks are like at a table: how probable every sum of half points is.
struct Table {
    title: &'static str,
    seats: usize,
    weaker: Vec<f64>,
    equal: Vec<f64>,
    stronger: Vec<f64>,
}

impl Table {
    /// Plays the blocks of the better player among worse ones, and so on.
    fn played<G: Hosted>(better: &str, worse: &str) -> Result<Table, Unplayed> {
        let setup = G::setup(&Options::new()).expect("no options are good options");
        Ok(Table {
            title: G::PROFILE.title,
            seats: G::deal(&setup, Seed(0)).seats(),
            weaker: play::<G>(&setup, [worse, better])?,
            equal: play::<G>(&setup, [worse, worse])?,
            stronger: play::<G>(&setup, [better, worse])?,
        })
    }

    /// How probable every sum is when A is better by so many points a game.
    fn distribution(&self, difference: f64) -> Vec<f64> {
        let wanted = 0.5 + difference / self.seats as f64;
        let found = mean(&self.equal);
        let other = if found < wanted {
            &self.stronger
        } else {
            &self.weaker
        };
        let share = (wanted - found) / (mean(other) - found);
        let mixed = self.equal.iter().zip(other);
        mixed
            .map(|(equal, other)| equal + share * (other - equal))
            .collect()
    }

    fn count_games(&self, difference: f64) {
        let distribution = self.distribution(difference);
        let mut sums = [0; 3];
        for number in 0..COMPARISONS {
            let mut comparison = Tests::new(&distribution, Seed(number));
            while comparison.decided_after.contains(&None) {
                comparison.observe();
            }
            for (sum, blocks) in sums.iter_mut().zip(comparison.decided_after) {
                *sum += blocks.expect("all have decided");
            }
        }
        let games = |blocks: f64| blocks * self.seats as f64;
        let [before, plug_in, now] = sums.map(|blocks| games(blocks as f64 / COMPARISONS as f64));
        println!(
            "| {} | {difference} | {before:.0} | {plug_in:.0} | {now:.0} | {:.0} % | {:.0} |",
            self.title,
            100.0 * (1.0 - now / before),
            games(40f64.ln() / best_growth(&distribution)),
        );
    }

    /// How often equals are told apart within so many blocks, and how often the interval ever
    /// misses a difference of a quarter.
    fn count_errors(&self) {
        let mut alarms = [0; 3];
        let equals = self.distribution(0.0);
        for number in 0..TRIALS {
            let mut comparison = Tests::new(&equals, Seed(number));
            for _ in 0..BLOCKS {
                comparison.observe();
            }
            for (alarms, decided) in alarms.iter_mut().zip(comparison.decided_after) {
                *alarms += u64::from(decided.is_some());
            }
        }
        let quarter = self.distribution(0.25);
        let truth = mean(&quarter);
        let misses = |number: &u64| {
            let mut comparison = Tests::new(&quarter, Seed(*number));
            (1..=BLOCKS).any(|block| {
                comparison.observe();
                // Less and less often, because an interval takes its time.
                let is_looked_at = block % (1 + block / 20) == 0;
                let [low, high] = match is_looked_at {
                    true => comparison.evidence.interval(),
                    false => [0.0, 1.0],
                };
                truth < low || high < truth
            })
        };
        let missed = (0..TRIALS).filter(misses).count() as u64;
        let share = |count: u64| format!("{:.2} %", 100.0 * count as f64 / TRIALS as f64);
        let [before, plug_in, now] = alarms.map(share);
        println!(
            "| {} | {before} | {plug_in} | {now} | {} |",
            self.title,
            share(missed)
        );
    }
}

/// The same observations for all tests.
struct Tests<'a> {
    distribution: &'a [f64],
    rng: Rng,
    baseline: Baseline,
    plug_in: PlugIn,
    evidence: Evidence,
    /// After how many blocks each of them had decided.
    decided_after: [Option<u64>; 3],
}

impl Tests<'_> {
    fn new(distribution: &[f64], seed: Seed) -> Tests<'_> {
        Tests {
            distribution,
            rng: seed.rng(),
            baseline: Baseline::default(),
            plug_in: PlugIn::default(),
            evidence: Evidence::new(distribution.len() - 1),
            decided_after: [None; 3],
        }
    }

    fn observe(&mut self) {
        let mut left = self.rng.bits() as f64 / 2f64.powi(64);
        let drawn = self.distribution.iter().position(|probability| {
            left -= probability;
            left < 0.0
        });
        let most = self.distribution.len() - 1;
        let drawn = drawn.unwrap_or(most);
        self.baseline.observe(drawn as f64 / most as f64);
        self.plug_in.observe(drawn as f64 / most as f64);
        self.evidence.observe(drawn);
        let now = [
            self.baseline.is_decided(),
            self.plug_in.log_capital >= 20f64.ln(),
            self.evidence.is_decided(),
        ];
        for (after, now) in self.decided_after.iter_mut().zip(now) {
            *after = after.or(now.then(|| self.evidence.count()));
        }
    }
}

/// Predictable plug-in bets: the stake that would have been best so far, approximately and at most
/// one half (aGRAPA of Waudby-Smith and Ramdas).
#[derive(Default)]
struct PlugIn {
    count: f64,
    /// The sums of the distances from one half, and of their squares.
    sum: f64,
    squares: f64,
    log_capital: f64,
}

impl PlugIn {
    fn observe(&mut self, x: f64) {
        // As if there had been one observation before, with the largest variance.
        let mean = self.sum / (self.count + 1.0);
        let square = (self.squares + 0.25) / (self.count + 1.0);
        let bet = (mean / square).clamp(-1.0, 1.0);
        let distance = x - 0.5;
        self.log_capital += (1.0 + bet * distance).ln();
        self.count += 1.0;
        self.sum += distance;
        self.squares += distance * distance;
    }
}

fn play<G: Hosted>(setup: &G::Setup, players: [&str; 2]) -> Result<Vec<f64>, Unplayed> {
    let seats = G::deal(setup, Seed(0)).seats();
    let terms = DealerTerms::<G> {
        entrants: &players.map(|spec| Entrant {
            name: spec.to_owned(),
            spec: spec.to_owned(),
            who: Who::BuiltIn(spec.to_owned()),
            identity: String::new(),
            added: false,
        }),
        setup,
        house: &House::new(Tier::None, Limits::default()),
        records: false,
        faults: 0,
    };
    let table: Vec<usize> = (0..seats).map(|place| place.min(1)).collect();
    let mut counts = vec![0.0; 2 * seats * (seats - 1) + 1];
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    work_at_tables(
        PLAYED,
        threads,
        Dealer::new,
        |dealer, block| {
            let plan = BlockPlan {
                table: table.clone(),
                deal: Seed(1).deal(block),
                orders: rotations(seats),
                scores: vec![0; seats],
                suspended: vec![false; seats],
            };
            dealer.play(&terms, &plan)
        },
        |_, played| {
            let points: f64 = played.games.iter().map(|game| game.points()[0]).sum();
            counts[(2.0 * points).round() as usize] += 1.0 / PLAYED as f64;
            ControlFlow::Continue(())
        },
    )?;
    Ok(counts)
}

/// Between 0 and 1.
fn mean(distribution: &[f64]) -> f64 {
    expected(distribution, |x| x)
}

fn expected(distribution: &[f64], value: impl Fn(f64) -> f64) -> f64 {
    let most = (distribution.len() - 1) as f64;
    let numbers = distribution.iter().enumerate();
    // What never happens may have a value that is not finite.
    let possible = numbers.filter(|(_, probability)| **probability > 0.0);
    possible
        .map(|(number, probability)| probability * value(number as f64 / most))
        .sum()
}

/// How fast the logarithm of the capital grows with the best of all stakes against one half.
fn best_growth(distribution: &[f64]) -> f64 {
    let growth = |stake: f64| expected(distribution, |x| (1.0 + stake * (2.0 * x - 1.0)).ln());
    (1..=1_000)
        .map(|stake| growth(f64::from(stake) / 1_000.0))
        .fold(0.0, f64::max)
}
