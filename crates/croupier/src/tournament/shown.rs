//! How a contest looks in the terminal.

use std::fmt::Write as _;

use croupier_arena::{Contest, Entrant, Format, Line, RankBy, Ranking, Report, Standings, shown};
use croupier_bots::Hosted;
use croupier_console::harmless;

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
    let lines = report.all();
    let widest = width(lines.iter().map(|line| line.entrant.name.as_str()));
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
    let by = settings.rank_by;
    let beside = match by {
        RankBy::Points => "score",
        RankBy::Score => "points",
    };
    let _ = writeln!(
        text,
        "        {:<widest$}  {:>8}  {:<15}  {:<7}  {:>7}  {:>6}  {:>6}  {:<13}  {:>6}",
        "player", "a game", "95 %", "group", beside, "wins", "rating", "95 %", "faults"
    );
    for line in &lines {
        let remark = report.remark(line);
        if line.entrant.fault().is_some() {
            let remark = remark.unwrap_or_default();
            let _ = writeln!(text, "      – {:<widest$}  {remark}", line.entrant.name);
            continue;
        }
        let Line {
            rank,
            entrant,
            standing,
            rating,
            ..
        } = line;
        let rank = rank.map_or("house".to_owned(), |rank| format!("{rank}."));
        let interval = line.interval(by).map(|interval| shown(interval, 2));
        let beside = match by {
            RankBy::Points => standing.score.to_string(),
            RankBy::Score => standing.points().to_string(),
        };
        let _ = writeln!(
            text,
            "  {rank:>5} {:<widest$}  {:>8.3}  {:<15}  {:<7}  {beside:>7}  {:>6}  {:>6.0}  {:<13}  {:>6}{}",
            entrant.name,
            contest.ranking().mean(standing),
            interval.unwrap_or_default(),
            line.shown_group(),
            standing.wins,
            rating.rating,
            shown(rating.interval, 0),
            standing.faults,
            remark.map_or(String::new(), |remark| format!("   {remark}")),
        );
    }
    let _ = writeln!(
        text,
        "\n  {DIM}Ranked by {by} a game; group: the ranks that cannot be told apart from this one. {}{DIM:#}",
        report.scale(),
    );
    if let Some(test) = report.equal_shares() {
        let _ = writeln!(text, "  {}", test.told());
    }
    for faults in report.faults() {
        let _ = writeln!(text, "\n  {}: {}", faults.entrant.name, faults.told());
        for fault in faults.kept {
            let detail = harmless(fault.detail.lines().next().unwrap_or_default());
            let _ = writeln!(
                text,
                "    {} {}, for instance: {detail}",
                grouped(fault.count),
                harmless(&fault.kind)
            );
            if let Some(repeat) = &report.repeat {
                let _ = writeln!(text, "      {DIM}{repeat} {}{DIM:#}", fault.id);
            }
        }
    }
    text
}

fn width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    let longest = names.map(|name| name.chars().count()).max();
    longest.unwrap_or(0).max("player".len())
}
