//! Swiss pairing, checked by a second reading of its rules.

use std::collections::HashMap;

use croupier_arena::{Meetings, Ranked, pair};
use croupier_core::{Rng, Seed};
use proptest::prelude::*;

/// What the checker knows: all tables of all rounds so far.
#[derive(Default)]
struct History {
    met: HashMap<(usize, usize), u32>,
    with_house: HashMap<usize, u32>,
}

impl History {
    fn repeats(&self, tables: &[Vec<usize>], seats: usize) -> u32 {
        let at = |table: &Vec<usize>| {
            let mut repeats = 0;
            for (place, &one) in table.iter().enumerate() {
                for &other in &table[place + 1..] {
                    let pair = (one.min(other), one.max(other));
                    repeats += self.met.get(&pair).copied().unwrap_or(0);
                }
                let house = (seats - table.len()) as u32;
                repeats += house * self.with_house.get(&one).copied().unwrap_or(0);
            }
            repeats
        };
        tables.iter().map(at).sum()
    }

    fn add(&mut self, tables: &[Vec<usize>], seats: usize) {
        for table in tables {
            for (place, &one) in table.iter().enumerate() {
                for &other in &table[place + 1..] {
                    let pair = (one.min(other), one.max(other));
                    *self.met.entry(pair).or_default() += 1;
                }
                *self.with_house.entry(one).or_default() += (seats - table.len()) as u32;
            }
        }
    }
}

/// Everybody sits once, every table but the last is full, and the last is not empty.
fn is_whole(tables: &[Vec<usize>], players: usize, seats: usize) {
    let mut all: Vec<usize> = tables.iter().flatten().copied().collect();
    all.sort_unstable();
    assert!(all.into_iter().eq(0..players), "everybody sits once");
    let (last, others) = tables.split_last().expect("there is a table");
    assert!(others.iter().all(|table| table.len() == seats));
    assert!(!last.is_empty() && last.len() <= seats);
}

/// No two players could change places and have fewer repeated meetings.
fn cannot_be_mended(tables: &[Vec<usize>], seats: usize, history: &History) {
    let found = history.repeats(tables, seats);
    for one in 0..tables.len() {
        for other in one + 1..tables.len() {
            for first in 0..tables[one].len() {
                for second in 0..tables[other].len() {
                    let mut changed = tables.to_vec();
                    let moved = changed[one][first];
                    changed[one][first] = changed[other][second];
                    changed[other][second] = moved;
                    assert!(history.repeats(&changed, seats) >= found);
                }
            }
        }
    }
}

/// Plays so many rounds in which the stronger tend to win; tells the repeats of each round.
fn contest(
    players: usize,
    seats: usize,
    rounds: usize,
    rng: &mut Rng,
    mut check: impl FnMut(&[Vec<usize>], &History, &[i64]),
) -> Vec<u32> {
    let mut halves = vec![0i64; players];
    let mut meetings = Meetings::new(players);
    let mut history = History::default();
    let round = |_| {
        let ranked = (0..players).map(|player| Ranked {
            player,
            worth: halves[player],
            lot: rng.bits(),
        });
        let tables = pair(ranked.collect(), seats, &meetings);
        is_whole(&tables, players, seats);
        check(&tables, &history, &halves);
        let repeats = history.repeats(&tables, seats);
        history.add(&tables, seats);
        for table in &tables {
            meetings.meet(table, seats);
            for &player in table {
                let beaten = table.iter().filter(|&&other| {
                    other != player && player + rng.below(players) > other + rng.below(players)
                });
                halves[player] += 2 * beaten.count() as i64;
            }
        }
        repeats
    };
    (0..rounds).map(round).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn rounds_are_whole_and_cannot_be_mended(
        players in 2usize..30, seats in 2usize..7, seed in any::<u64>(),
    ) {
        contest(players.max(seats), seats, 6, &mut Seed(seed).rng(), |tables, history, _| {
            cannot_be_mended(tables, seats, history);
        });
    }

    /// In whatever order the players are given, the round is the same.
    #[test]
    fn the_order_of_the_players_does_not_matter(seed in any::<u64>()) {
        let mut rng = Seed(seed).rng();
        let mut ranked: Vec<Ranked> = (0..21)
            .map(|player| Ranked { player, worth: rng.below(5) as i64, lot: rng.bits() })
            .collect();
        let mut meetings = Meetings::new(21);
        for _ in 0..4 {
            rng.shuffle(&mut ranked);
            let table: Vec<usize> = ranked[..4].iter().map(|ranked| ranked.player).collect();
            meetings.meet(&table, 4);
        }
        let before = pair(ranked.clone(), 4, &meetings);
        rng.shuffle(&mut ranked);
        prop_assert_eq!(pair(ranked, 4, &meetings), before);
    }
}

/// The fewest repeats that any round of tables for these players has.
fn fewest(left: &mut Vec<usize>, seats: usize, history: &History) -> u32 {
    let Some(first) = left.pop() else { return 0 };
    let mut best = u32::MAX;
    let others = left.clone();
    let mut chosen = vec![first];
    choose(&others, 0, seats, &mut chosen, &mut |table| {
        let mut rest: Vec<usize> = others.clone();
        rest.retain(|player| !table.contains(player));
        let here = history.repeats(&[table.to_vec()], seats);
        best = best.min(here + fewest(&mut rest, seats, history));
    });
    left.push(first);
    best
}

fn choose(
    from: &[usize],
    start: usize,
    seats: usize,
    chosen: &mut Vec<usize>,
    found: &mut dyn FnMut(&[usize]),
) {
    if chosen.len() == seats {
        return found(chosen);
    }
    for place in start..from.len() {
        chosen.push(from[place]);
        choose(from, place + 1, seats, chosen, found);
        chosen.pop();
    }
}

/// Against all possible rounds of a few players.
#[test]
fn repeats_are_as_few_as_possible_for_a_few_players() {
    for (players, seats) in [(8, 4), (9, 3), (10, 2)] {
        let (mut rounds, mut too_many) = (0, 0);
        for seed in 0..40 {
            contest(
                players,
                seats,
                6,
                &mut Seed(seed).rng(),
                |tables, history, _| {
                    let mut all = (0..players).collect();
                    rounds += 1;
                    too_many += history.repeats(tables, seats) - fewest(&mut all, seats, history);
                },
            );
        }
        assert!(
            too_many == 0,
            "{players} at {seats}: {too_many} in {rounds} rounds"
        );
    }
}

/// 300 players at tables of four meet three new ones in each of thirty rounds, and those at one
/// table have similar points.
#[test]
fn a_large_contest_has_no_repeats_and_similar_points() {
    let players = 300;
    let mut spreads = Vec::new();
    let repeats = contest(players, 4, 30, &mut Seed(30).rng(), |tables, _, halves| {
        let at = |table: &Vec<usize>| {
            let points = || table.iter().map(|&player| halves[player]);
            points().max().unwrap_or(0) - points().min().unwrap_or(0)
        };
        let within: i64 = tables.iter().map(at).sum();
        let all = halves.iter().max().unwrap_or(&0) - halves.iter().min().unwrap_or(&0);
        spreads.push((within as f64 / tables.len() as f64, all as f64));
    });
    assert!(repeats.iter().all(|&repeats| repeats == 0), "{repeats:?}");
    for (within, all) in &spreads[2..] {
        assert!(within * 4.0 < *all, "{within} of {all}");
    }
}
