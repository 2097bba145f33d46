//! The report as one self-contained page.

use std::collections::HashMap;
use std::fmt::Write as _;

use croupier_bots::Limits;
use croupier_core::{Drawn, Markup, grouped, ordinal, print_duration, print_size};

use super::run::measured;
use super::{Line, Report, seal, shown};
use crate::{Format, Interval, RankBy, Seatings};

/// How many players the matrix and the plots show: the first ones.
const MOST_SHOWN: usize = 40;

const STYLE: &str = include_str!("style.css");

/// What the page of a report begins with.
#[derive(Clone, Debug)]
pub struct Cover {
    /// The name of the game.
    pub title: &'static str,
    /// A picture of the game.
    picture: Markup,
    /// The style sheet with which games are drawn.
    drawn: &'static str,
}

impl Cover {
    /// The cover for the contests of a game, whose drawings have this style sheet.
    pub fn of<G: Drawn>(drawn: &'static str) -> Cover {
        Cover {
            title: G::PROFILE.title,
            picture: G::picture(),
            drawn,
        }
    }
}

impl Report<'_> {
    /// The report as one page of HTML that needs nothing else.
    pub fn html(&self, cover: &Cover) -> String {
        let settings = self.contest.settings();
        let Cover {
            title,
            picture,
            drawn,
        } = cover;
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}: contest</title>\n<style>\n{drawn}{STYLE}</style>\n\
             <header><div class=\"face\" aria-hidden=\"true\">{picture}</div>\n\
             <div><h1>{title}</h1>\n<p class=\"lead\">{}, {} players, {} games, ranked by {}</p></div>\
             </header>\n",
            match settings.format {
                Format::RoundRobin => "Round robin",
                Format::Swiss => "Swiss",
                Format::Gauntlet => "Gauntlet",
            },
            grouped(self.contest.players() as u64),
            grouped(self.standings().games()),
            match settings.rank_by {
                RankBy::Points => "points for places",
                RankBy::Score => "the game’s own score",
            },
            title = escaped(title),
            picture = picture.as_str(),
        );
        self.table(&mut page);
        self.plots(&mut page);
        self.matrix(&mut page);
        self.places(&mut page);
        self.seats(&mut page);
        self.fault_list(&mut page);
        self.conditions(&mut page);
        self.this_run(&mut page);
        page + "</html>\n"
    }

    fn table(&self, page: &mut String) {
        let by = self.contest.settings().rank_by;
        let (counts, beside) = match by {
            RankBy::Points => ("Points a game", "Score a game"),
            RankBy::Score => ("Score a game", "Points a game"),
        };
        let _ = writeln!(
            page,
            "<h2>Standings</h2>\n<div class=\"wide\"><table>\n<tr><th>Rank<th class=\"name\">Player\
             <th>{counts}<th>95 % interval<th>Group<th>{beside}<th>Games<th>Wins<th>Rating\
             <th>95 % interval<th>Faults</tr>"
        );
        for line in self.all() {
            let standing = line.standing;
            let remark = self.remark(&line);
            let remark = remark.map(|remark| format!(" <small>{}</small>", escaped(&remark)));
            // Of those who have not played nothing is known.
            let if_played = |found: String| match standing.games {
                0 => String::new(),
                _ => found,
            };
            let (mean, other) = match by {
                RankBy::Points => (standing.mean_points(), standing.mean_score()),
                RankBy::Score => (standing.mean_score(), standing.mean_points()),
            };
            let _ = writeln!(
                page,
                "<tr{}><td>{}<td class=\"name\">{}{}<td><b>{}</b><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}\
                 <td>{}<td>{}</tr>",
                if line.rank.is_none() {
                    " class=\"staff\""
                } else {
                    ""
                },
                match line.rank {
                    Some(rank) => rank.to_string(),
                    None if line.entrant.fault().is_some() => "–".to_owned(),
                    None => "staff".to_owned(),
                },
                escaped(&line.entrant.name),
                remark.unwrap_or_default(),
                if_played(format!("{mean:.3}")),
                line.interval(by)
                    .map_or(String::new(), |interval| shown(interval, 2)),
                line.shown_group(),
                if_played(format!("{other:.3}")),
                grouped(standing.games),
                if_played(grouped(standing.wins)),
                if_played(format!("{:.0}", line.rating.rating)),
                if_played(shown(line.rating.interval, 0)),
                if_played(grouped(standing.faults)),
            );
        }
        let _ = writeln!(
            page,
            "</table></div>\n<p class=\"note\">Points are for finishing places: one for every player \
             left behind, shared by those who tie. The score is the game’s own. A 95 % interval \
             holds the true value in about 95 of 100 contests. The <b>group</b> of a player is the \
             ranks of those from whom it cannot be told apart: the probability that any two equal \
             players are told apart, of all pairs, is about 5 %. 400 points of rating are ten games \
             above for one below. {}</p>",
            escaped(&self.scale()),
        );
        if let Some(test) = self.equal_shares() {
            let _ = writeln!(page, "<p>{}</p>", escaped(&test.told()));
        }
    }

    /// What the contest ranks by, and the ratings, with their intervals.
    fn plots(&self, page: &mut String) {
        let by = self.contest.settings().rank_by;
        let ranking = self.contest.ranking();
        let (title, digits) = match by {
            RankBy::Points => ("Points a game", 2),
            RankBy::Score => ("Score a game", 1),
        };
        self.plot(page, title, digits, |line| {
            let mean = ranking.mean(line.standing);
            (mean, line.interval(by).unwrap_or([mean, mean]))
        });
        self.plot(page, "Ratings", 0, |line| {
            (line.rating.rating, line.rating.interval)
        });
        self.tell_the_rest(page);
    }

    fn plot(
        &self,
        page: &mut String,
        title: &str,
        digits: usize,
        found: impl Fn(&Line<'_>) -> (f64, Interval),
    ) {
        let lines = self.lines();
        let lines = &lines[..lines.len().min(MOST_SHOWN)];
        let ends = || lines.iter().flat_map(|line| found(line).1);
        let low = ends().fold(f64::INFINITY, f64::min);
        let high = ends().fold(f64::NEG_INFINITY, f64::max);
        let room = (high - low).max(1e-9);
        let share = |value: f64| 100.0 * (value - low) / room;
        let _ = writeln!(page, "<h2>{title}</h2>\n<div class=\"plot\">");
        for line in lines {
            let (value, interval) = found(line);
            let [from, to] = interval.map(share);
            let _ = writeln!(
                page,
                "<div><span>{}</span><span class=\"track\" title=\"{value:.digits$}, {}\">\
                 <i style=\"left: {from:.2}%; width: {:.2}%\"></i><b style=\"left: {:.2}%\"></b>\
                 </span></div>",
                escaped(&line.entrant.name),
                shown(interval, digits),
                to - from,
                share(value),
            );
        }
        let _ = writeln!(
            page,
            "<div class=\"ends\"><span></span><span>{low:.digits$}<span>{high:.digits$}</span></span>\
             </div>\n</div>"
        );
    }

    fn tell_the_rest(&self, page: &mut String) {
        let players = self.contest.players();
        if players > MOST_SHOWN {
            let _ = writeln!(
                page,
                "<p class=\"note\">The first {MOST_SHOWN} of {players} players; the others are in the \
                 files beside this one.</p>"
            );
        }
    }

    /// How often who finished above whom. There is a column for everybody whom somebody has met: in
    /// a gauntlet for the staff alone.
    fn matrix(&self, page: &mut String) {
        let shares: HashMap<(usize, usize), f64> = self
            .pairs()
            .flat_map(|(one, other, meeting)| {
                let games = meeting.won + meeting.tied + meeting.lost;
                let share = (meeting.won + meeting.tied / 2.0) / games;
                [((one, other), share), ((other, one), 1.0 - share)]
            })
            .collect();
        let lines = self.lines();
        let lines = &lines[..lines.len().min(MOST_SHOWN)];
        let staff = self.staff();
        let others = lines.iter().chain(&staff).enumerate().filter(|(_, other)| {
            let has_met = |line: &Line<'_>| shares.contains_key(&(line.number, other.number));
            lines.iter().any(has_met)
        });
        let others: Vec<(usize, &Line<'_>)> = others.collect();
        *page += "<h2>Pair by pair</h2>\n<p class=\"note\">In how many of 100 games the player of the \
                  row finished above the one of the column; ties count half.</p>\n\
                  <div class=\"wide\"><table class=\"matrix\">\n<tr><th>";
        for (number, other) in &others {
            let name = escaped(&other.entrant.name);
            let _ = match other.rank {
                Some(_) => write!(page, "<th title=\"{name}\">{}", number + 1),
                None => write!(page, "<th>{name}"),
            };
        }
        *page += "</tr>\n";
        for (row, line) in lines.iter().enumerate() {
            let _ = write!(
                page,
                "<tr><td class=\"name\">{} {}",
                row + 1,
                escaped(&line.entrant.name)
            );
            for (_, other) in &others {
                let _ = match shares.get(&(line.number, other.number)) {
                    Some(share) => write!(
                        page,
                        "<td style=\"--share: {:.0}%\">{:.0}",
                        100.0 * share,
                        100.0 * share
                    ),
                    None if line.number == other.number => write!(page, "<td class=\"self\">"),
                    None => write!(page, "<td>"),
                };
            }
            *page += "</tr>\n";
        }
        *page += "</table></div>\n";
    }

    /// How often everybody finished in each place.
    fn places(&self, page: &mut String) {
        *page += "<h2>Finishing places</h2>\n<p class=\"note\">How many games everybody finished in each \
                  place; those who tie share the best of their places.</p>\n";
        let head = |seat: usize| ordinal(seat + 1);
        self.by_seats(page, head, |line, number| {
            let times = line.standing.places[number];
            grouped(times)
        });
    }

    /// The points of a game in each seat.
    fn seats(&self, page: &mut String) {
        *page += "<h2>Seat by seat</h2>\n<p class=\"note\">Points a game in each seat.</p>\n";
        let head = |seat: usize| format!("{} seat", ordinal(seat + 1));
        self.by_seats(page, head, |line, seat| match line.standing.by_seat[seat] {
            (0, _) => String::new(),
            (games, halves) => format!("{:.3}", halves as f64 / 2.0 / games as f64),
        });
    }

    /// A table with a column for every seat.
    fn by_seats(
        &self,
        page: &mut String,
        head: impl Fn(usize) -> String,
        cell: impl Fn(&Line<'_>, usize) -> String,
    ) {
        let seats = self.contest.settings().seats;
        *page += "<div class=\"wide\"><table>\n<tr><th class=\"name\">Player";
        for seat in 0..seats {
            let _ = write!(page, "<th>{}", head(seat));
        }
        *page += "</tr>\n";
        for line in self.lines() {
            let _ = write!(
                page,
                "<tr><td class=\"name\">{}",
                escaped(&line.entrant.name)
            );
            for seat in 0..seats {
                let _ = write!(page, "<td>{}", cell(&line, seat));
            }
            *page += "</tr>\n";
        }
        *page += "</table></div>\n";
    }

    fn fault_list(&self, page: &mut String) {
        *page += "<h2>Faults</h2>\n";
        let faults = self.faults();
        if faults.is_empty() {
            *page += "<p>None.</p>\n";
            return;
        }
        for faults in faults {
            let _ = writeln!(
                page,
                "<h3>{}</h3>\n<p>{}.</p>\n<ul>",
                escaped(&faults.entrant.name),
                escaped(&faults.told())
            );
            for fault in &faults.kept {
                let again = self.repeat.as_ref();
                let again = again
                    .map(|repeat| format!("<br><code>{} {}</code>", escaped(repeat), fault.id));
                let _ = writeln!(
                    page,
                    "<li>{} <b>{}</b>, for instance: {}{}</li>",
                    grouped(fault.count),
                    escaped(&fault.kind),
                    escaped(fault.detail.lines().next().unwrap_or_default()),
                    again.unwrap_or_default(),
                );
            }
            *page += "</ul>\n";
        }
    }

    /// Under which conditions all this was found.
    fn conditions(&self, page: &mut String) {
        let settings = self.contest.settings();
        let seatings = match settings.seatings {
            Seatings::Rotations => "every deal once with everybody in each seat",
            Seatings::All => "every deal in all orders of seating",
        };
        let suspended_after = match settings.suspend_after {
            Some(faults) => format!("{faults} faults and nothing else"),
            None => "never".to_owned(),
        };
        let mut lines = vec![
            (
                "game",
                format!(
                    "{}, version {} of its rules",
                    settings.game, settings.version
                ),
            ),
            ("setup", in_words(&settings.setup)),
            ("rounds", grouped(settings.rounds)),
            ("seating", seatings.to_owned()),
            ("ranked by", settings.rank_by.to_string()),
            ("ratings", self.scale()),
            ("sandbox", settings.sandbox.to_string()),
            ("suspended after", suspended_after),
        ];
        lines.extend(limits(&settings.limits));
        lines.push(("seed", settings.seed.to_string()));
        lines.push(("SHA-256 of the seed, shown before", seal(self.contest)));
        *page += "<h2>Conditions</h2>\n";
        pairs_of_words(page, &lines);
        *page += "<h2>Players</h2>\n<div class=\"wide\"><table>\n";
        for Line { entrant, .. } in self.all() {
            let _ = writeln!(
                page,
                "<tr><td class=\"name\">{}<td class=\"text\"><code>{}</code><td class=\"text\">\
                 <code>{}</code></tr>",
                escaped(&entrant.name),
                escaped(&entrant.spec),
                entrant.identity,
            );
        }
        *page += "</table></div>\n";
    }

    /// What another run of the same contest would not find again.
    fn this_run(&self, page: &mut String) {
        let Some(run) = &self.run else {
            return;
        };
        *page += "<h2>This run</h2>\n<p class=\"note\">All above is the same in every run of this contest; \
                  this is not.</p>\n";
        let date = run.date().replace('T', " ").replace('Z', " UTC");
        let mut lines = vec![("date", date), ("time", measured(run.took))];
        if run.decisions > 0 {
            let speed = run.decisions_per_second().round() as u64;
            let decisions = grouped(run.decisions);
            lines.push((
                "decisions",
                format!("{decisions}, {} a second", grouped(speed)),
            ));
        }
        pairs_of_words(page, &lines);
        let times = self.times();
        if times.is_empty() {
            return;
        }
        *page += "<div class=\"wide\"><table>\n<tr><th class=\"name\">Program<th>Decisions<th>Median time\
                  <th>Slowest</tr>\n";
        for (entrant, times) in times {
            let [median, slowest] =
                [times.median(), times.slowest()].map(|took| took.map_or(String::new(), measured));
            let _ = writeln!(
                page,
                "<tr><td class=\"name\">{}<td>{}<td>{median}<td>{slowest}</tr>",
                escaped(&entrant.name),
                grouped(times.decisions()),
            );
        }
        *page += "</table></div>\n";
    }
}

/// A table of names and what they stand for.
fn pairs_of_words(page: &mut String, lines: &[(&str, String)]) {
    *page += "<table class=\"facts\">\n";
    for (name, value) in lines {
        let _ = writeln!(
            page,
            "<tr><td class=\"text\">{name}<td class=\"text value\">{}</tr>",
            escaped(value)
        );
    }
    *page += "</table>\n";
}

/// What a program may use, in words.
fn limits(limits: &Limits) -> Vec<(&'static str, String)> {
    let Limits {
        decision,
        start,
        bank,
        cpu,
        memory,
        processes,
        files,
        file_size,
        output,
        errors,
    } = limits;
    let mut time = format!(
        "{} a decision, {} to start",
        print_duration(*decision),
        print_duration(*start)
    );
    if let Some(bank) = bank {
        let _ = write!(time, ", {} a game", print_duration(*bank));
    }
    let _ = write!(time, "; {} of processor time", print_duration(*cpu));
    vec![
        ("time", time),
        (
            "memory",
            format!("{} in {processes} processes", print_size(*memory)),
        ),
        (
            "files",
            format!("{files} open, of up to {}", print_size(*file_size)),
        ),
        (
            "output of a decision",
            format!(
                "{}, and {} to the standard error",
                print_size(*output as u64),
                print_size(*errors as u64)
            ),
        ),
    ]
}

/// A setup as one would say it: `players 4, threshold 13`.
fn in_words(setup: &serde_json::Value) -> String {
    match setup.as_object() {
        Some(fields) if fields.is_empty() => "nothing to choose".to_owned(),
        Some(fields) => {
            let field = |(name, value): (&String, &serde_json::Value)| match value.as_str() {
                Some(text) => format!("{name} {text}"),
                None => format!("{name} {value}"),
            };
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        None => setup.to_string(),
    }
}

/// Text that says what it says, whatever is in it.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            '"' => escaped += "&quot;",
            letter => escaped.push(letter),
        }
    }
    escaped
}
