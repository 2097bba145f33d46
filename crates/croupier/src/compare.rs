//! `croupier compare`: which of two players is better, and how sure is that?

use std::cmp::Ordering;
use std::fmt::Write as _;

use clap::ArgMatches;
use croupier_arena::{Comparison, Course, DealerTerms, Entrant, RankBy, Unplayed};
use croupier_bots::{Hosted, Tier};
use croupier_console::{Failure, contest_options, print, seed};
use croupier_core::{BadSetup, Profile, Seed};
use serde_json::{Value, json};

use crate::entrants::Entry;
use crate::simulate::threads;
use crate::style::{self, BOLD, DIM, grouped};
use crate::table::not_taken;
use crate::{cli, house, players, progress};

/// Compares the two players that the command line names.
pub(crate) fn compare<G: Hosted>(matches: &ArgMatches) -> Result<(), Failure> {
    let usage = |error: BadSetup| Failure::Usage(error.to_string());
    let specs: Vec<String> = matches
        .get_many("player")
        .unwrap_or_default()
        .cloned()
        .collect();
    let options = contest_options(&G::PROFILE, matches)?;
    let options = cli::with_enough_seats(&G::PROFILE, options, matches, specs.len());
    let setup = G::setup(&options).map_err(usage)?;
    let seats = G::deal(&setup, Seed(0)).seats();
    let house = house::read(matches, Tier::Limits, G::DECISION)?;
    let entry = Entry::<G> {
        setup: &setup,
        house: &house,
        is_strict: true,
    };
    let entrants = entry.entrants(players::read(Vec::new(), &specs, 2)?, &[])?;
    let games: u64 = *matches.get_one("games").expect("it has a default");
    let blocks = games / seats as u64;
    if blocks == 0 {
        return Err(Failure::Usage(format!(
            "--games {games} is too few: at a table of {seats} every deal is played {seats} times"
        )));
    }
    let seed = seed(matches)?;
    let quiet = matches.get_flag("quiet") || matches.get_flag("json");
    let bar = progress::bar(blocks * seats as u64, quiet);
    let terms = DealerTerms::<G> {
        entrants: &entrants,
        setup: &setup,
        house: &house,
        records: false,
        faults: 0,
    };
    let course = Course {
        seats,
        seed,
        rank_by: *matches.get_one("rank-by").expect("it has a default"),
        blocks,
        to_the_end: matches.get_flag("to-the-end"),
        threads: threads(matches),
    };
    let (comparison, cut_short) = Comparison::run(&terms, course, |so_far| {
        bar.set_position(so_far.games());
    });
    bar.finish_and_clear();
    let as_json = matches.get_flag("json");
    let is_stopped = matches!(cut_short, Some(Unplayed::Stopped));
    if comparison.blocks() > 0 || as_json && is_stopped {
        let report = Report {
            profile: &G::PROFILE,
            lowest_wins: G::LOWEST_WINS,
            entrants: &entrants,
            seed,
            sandbox: house.tier,
            comparison: &comparison,
        };
        print(&match as_json {
            true => format!("{}\n", report.json()),
            false => report.text(),
        })?;
    }
    match cut_short {
        None => Ok(()),
        Some(Unplayed::Stopped | Unplayed::Left) => Err(Failure::Interrupted(format!(
            "stopped after {}; --seed {seed} repeats the comparison",
            style::games(comparison.games())
        ))),
        Some(Unplayed::NotTaken(error)) => Err(not_taken(error)),
        Some(error @ Unplayed::Machine(_)) => Err(Failure::Machine(error.to_string())),
    }
}

struct Report<'a> {
    profile: &'a Profile,
    lowest_wins: bool,
    entrants: &'a [Entrant],
    seed: Seed,
    sandbox: Tier,
    comparison: &'a Comparison,
}

impl Report<'_> {
    fn json(&self) -> Value {
        let comparison = self.comparison;
        // Before the first block is over there are no means.
        let mean = |mean: f64| (comparison.blocks() > 0).then_some(mean);
        let sides = |values: [f64; 2]| {
            let [a, b] = values.map(mean);
            json!({"a": a, "b": b})
        };
        let difference = |by: RankBy| {
            json!({
                "estimate": mean(comparison.difference(by)),
                "ci95": comparison.interval(by),
            })
        };
        let [a, b] = comparison.scores();
        json!({
            "game": self.profile.name,
            "a": self.entrants[0].name,
            "b": self.entrants[1].name,
            "specs": {"a": self.entrants[0].spec, "b": self.entrants[1].spec},
            "seed": self.seed,
            "sandbox": self.sandbox,
            "games": comparison.games(),
            "blocks": comparison.blocks(),
            "points": sides(comparison.points(RankBy::Points)),
            "difference": difference(RankBy::Points),
            "score": sides([a, b]),
            "score_difference": {
                "estimate": mean(a - b),
                "standard_error": comparison.score_error(),
            },
            "by_score": {
                "points": sides(comparison.points(RankBy::Score)),
                "difference": difference(RankBy::Score),
            },
            "rank_by": comparison.rank_by(),
            "verdict": match comparison.verdict() {
                Some(Ordering::Greater) => "a",
                Some(Ordering::Less) => "b",
                _ => "undecided",
            },
            "games_without_shared_deals": comparison.games_without_sharing(),
            "faults": {"a": comparison.faults[0], "b": comparison.faults[1]},
            "decisions": comparison.decisions,
        })
    }

    fn text(&self) -> String {
        let comparison = self.comparison;
        let [a, b] = [0, 1].map(|side| self.entrants[side].name.as_str());
        let mut text = format!(
            "{BOLD}{}{BOLD:#}: {a} against {b}, {} games over {} shared deals, sandbox {}\n\
             {DIM}--seed {}{DIM:#}\n\n",
            self.profile.title,
            grouped(comparison.games()),
            grouped(comparison.blocks()),
            self.sandbox,
            self.seed,
        );
        text += &self.table();
        let better = |better: &str, worse: &str| {
            let claim = match comparison.rank_by() {
                RankBy::Points => format!("{BOLD}{better} is better than {worse}.{BOLD:#}"),
                RankBy::Score => format!(
                    "{BOLD}{better} scores better than {worse}{BOLD:#}, by the places for the total \
                     scores of a deal."
                ),
            };
            format!("{claim} Equal players would be told apart in at most 1 of 20 comparisons.")
        };
        let verdict = match comparison.verdict() {
            Some(Ordering::Greater) => better(a, b),
            Some(Ordering::Less) => better(b, a),
            _ => format!(
                "{BOLD}Undecided{BOLD:#} after {} games: more games (--games) may decide it.",
                grouped(comparison.games())
            ),
        };
        let _ = writeln!(text, "  {verdict}");
        let by_points = comparison.rank_by() == RankBy::Points;
        if let Some(games) = comparison.games_without_sharing().filter(|_| by_points) {
            let saved = games - comparison.games() as f64;
            let _ = match saved >= 1.0 {
                true => writeln!(
                    text,
                    "  Shared deals saved about {} games: without them, the same precision would \
                     have taken {}.",
                    grouped(saved.round() as u64),
                    grouped(games.round() as u64),
                ),
                false => writeln!(text, "  Shared deals saved no games this time."),
            };
        }
        for (side, &faults) in comparison.faults.iter().enumerate() {
            if faults > 0 {
                let _ = writeln!(
                    text,
                    "  {} made {} fault{}; croupier check {} shows what is wrong.",
                    self.entrants[side].name,
                    grouped(faults),
                    if faults == 1 { "" } else { "s" },
                    self.profile.name,
                );
            }
        }
        text
    }

    /// How both did: what decides stands first.
    fn table(&self) -> String {
        let comparison = self.comparison;
        let [a, b] = [0, 1].map(|side| self.entrants[side].name.as_str());
        let [wide_a, wide_b] = [a, b].map(|name| name.chars().count().max(9));
        let lowest = if self.lowest_wins {
            ", lowest wins"
        } else {
            ""
        };
        let places = |by: RankBy| {
            let [low, high] = comparison.interval(by);
            let what = match by {
                RankBy::Points => "points a game".to_owned(),
                RankBy::Score => "points a deal, by score".to_owned(),
            };
            let sure = format!("95 % interval {low:+.3} to {high:+.3}");
            (what, comparison.points(by), sure)
        };
        let error = comparison.score_error();
        let score = (
            format!("score a game{lowest}"),
            comparison.scores(),
            error.map_or(String::new(), |error| format!("standard error {error:.3}")),
        );
        let rows = match comparison.rank_by() {
            RankBy::Points => [places(RankBy::Points), places(RankBy::Score), score],
            RankBy::Score => [places(RankBy::Score), places(RankBy::Points), score],
        };
        let mut text = format!("  {:<25}  {a:>wide_a$}  {b:>wide_b$}  difference\n", "");
        for (what, [of_a, of_b], sure) in rows {
            let _ = writeln!(
                text,
                "  {what:<25}  {of_a:>wide_a$.3}  {of_b:>wide_b$.3}  {:>+10.3}  {sure}",
                of_a - of_b,
            );
        }
        text + "\n"
    }
}
