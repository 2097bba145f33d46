//! How a contest looks in the terminal.

use std::fmt::Write as _;

use croupier_arena::{Contest, Entrant, Format, Line, Ranking, Report, Standings, shown};
use croupier_bots::Hosted;

use crate::style::{BOLD, DIM, grouped};

/// How many lines are shown while it runs.
const MOST_LINES: usize = 12;

/// How it stands while it runs.
pub(super) fn so_far(entrants: &[Entrant], standings: &Standings, ranking: Ranking) -> String {
    let widest = width(entrants.iter().map(|entrant| entrant.name.as_str()));
    let mut text = String::new();
    let ranked = standings.ranked(entrants.len(), ranking);
    for &(rank, player) in ranked.iter().take(MOST_LINES) {
        let standing = standings.of(player);
        let _ = writeln!(
            text,
            "{rank:>4}.  {:<widest$}  {:>8.3} {} a game  {:>8} faults",
            entrants[player].name,
            ranking.mean(standing),
            ranking.by,
            grouped(standing.faults),
        );
    }
    text
}

/// The table at the end.
pub(super) fn table<G: Hosted>(contest: &Contest, report: &Report<'_>) -> String {
    let settings = contest.settings();
    let (lines, staff) = (report.lines(), report.staff());
    let names = lines
        .iter()
        .chain(&staff)
        .map(|line| line.entrant.name.as_str());
    let widest = width(names);
    let progress = contest.progress();
    let played = match progress.games < progress.of {
        true => format!("{} of {}", grouped(progress.games), grouped(progress.of)),
        false => grouped(progress.games),
    };
    let mut text = format!(
        "{BOLD}{}{BOLD:#}, {}, {played} games in {} round{}, sandbox {}\n{DIM}--seed {}{DIM:#}\n\n",
        G::PROFILE.title,
        match settings.format {
            Format::RoundRobin => "round robin",
            Format::Swiss => "Swiss",
            Format::Gauntlet => "gauntlet",
        },
        grouped(settings.rounds),
        if settings.rounds == 1 { "" } else { "s" },
        settings.sandbox,
        settings.seed,
    );
    let _ = writeln!(
        text,
        "        {:<widest$}  {:>8}  {:>8}  {:>9}  {:>6}  {:>6}   {:<13}  {:>6}",
        "player", "a game", "points", "score", "wins", "rating", "95 %", "faults"
    );
    for line in lines.iter().chain(&staff) {
        let Line {
            rank,
            entrant,
            standing,
            rating,
            ..
        } = line;
        let rank = rank.map_or("house".to_owned(), |rank| format!("{rank}."));
        let _ = writeln!(
            text,
            "  {rank:>5} {:<widest$}  {:>8.3}  {:>8}  {:>9}  {:>6}  {:>6.0}   {:<13}  {:>6}",
            entrant.name,
            standing.mean_points(),
            standing.points(),
            standing.score,
            standing.wins,
            rating.rating,
            shown(rating.interval),
            standing.faults,
        );
    }
    if let Some(test) = report.equal_shares() {
        let p = match test.p {
            p if p < 0.0001 => "p < 0.0001".to_owned(),
            p => format!("p = {p:.4}"),
        };
        let _ = writeln!(
            text,
            "\n  Are all equal? {}: chi-square {:.2} with {} degrees of freedom, {p}.",
            test.verdict(),
            test.chi_square,
            test.freedom,
        );
    }
    for (number, (entrant, fault)) in report.faults().enumerate() {
        let detail = fault.detail.lines().next().unwrap_or_default();
        let again = report.repeat.as_ref();
        let again = again.map(|repeat| format!("\n    {DIM}{repeat} {}{DIM:#}", fault.id));
        let _ = writeln!(
            text,
            "{}  {} fouled ({}), for instance: {detail}{}",
            if number == 0 { "\n" } else { "" },
            entrant.name,
            fault.kind,
            again.unwrap_or_default(),
        );
    }
    text
}

fn width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    let longest = names.map(|name| name.chars().count()).max();
    longest.unwrap_or(0).max("player".len())
}
