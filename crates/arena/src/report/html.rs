//! The report as one self-contained page.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::{Line, Report, seal, shown};
use crate::{Format, Seatings};

/// How many players the matrix and the plot show: the first ones.
const MOST_SHOWN: usize = 40;

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; --ink: #1a5fb4; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.5rem; }
.lead { opacity: .7; margin-top: .25rem; }
table { border-collapse: collapse; } .wide { overflow-x: auto; }
th, td { padding: .25rem .75rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child, .text { text-align: left; }
td.name, th.name { text-align: left; font-weight: 600; }
code { font-size: .9em; word-break: break-all; }
svg { width: 100%; height: auto; } svg text { font: 13px system-ui, sans-serif; fill: currentColor; }
.staff { opacity: .6; }
";

impl Report<'_> {
    /// The report as one page of HTML that needs nothing else.
    pub fn html(&self, title: &str) -> String {
        let settings = self.contest.settings();
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}: contest</title>\n<style>{STYLE}</style>\n\
             <h1>{title}</h1>\n<p class=\"lead\">{}, {} players, {} games</p>\n",
            match settings.format {
                Format::RoundRobin => "Round robin",
                Format::Swiss => "Swiss",
                Format::Gauntlet => "Gauntlet",
            },
            self.contest.players(),
            self.standings().games(),
            title = escaped(title),
        );
        self.table(&mut page);
        self.plot(&mut page);
        self.matrix(&mut page);
        self.seats(&mut page);
        self.fault_list(&mut page);
        self.conditions(&mut page);
        page + "</html>\n"
    }

    fn table(&self, page: &mut String) {
        *page += "<h2>Standings</h2>\n<div class=\"wide\"><table>\n<tr><th>rank<th class=\"name\">player\
                  <th>points a game<th>points<th>games<th>score<th>wins<th>rating<th>95 % interval\
                  <th>faults</tr>\n";
        for line in self.lines().iter().chain(&self.staff()) {
            let standing = line.standing;
            let _ = writeln!(
                page,
                "<tr{}><td>{}<td class=\"name\">{}<td>{:.3}<td>{}<td>{}<td>{}<td>{}<td>{:.0}<td>{}\
                 <td>{}</tr>",
                if line.rank.is_none() {
                    " class=\"staff\""
                } else {
                    ""
                },
                line.rank
                    .map_or("staff".to_owned(), |rank| rank.to_string()),
                escaped(&line.entrant.name),
                standing.mean_points(),
                standing.points(),
                standing.games,
                standing.score,
                standing.wins,
                line.rating.rating,
                shown(line.rating.interval),
                standing.faults,
            );
        }
        *page += "</table></div>\n<p>Points are for finishing places: one for every player left \
                  behind, shared by those who tie. The score is the game's own. 400 points of \
                  rating are ten games above for one below; the interval holds the true rating in \
                  95 of 100 contests.</p>\n";
        if let Some(test) = self.equal_shares() {
            let _ = writeln!(
                page,
                "<p>Are all equal? {}. If they were, scores as unequal as these would come up with a \
                 probability of {} (chi-square {:.2}, {} degrees of freedom).</p>",
                test.verdict(),
                match test.p {
                    p if p < 0.0001 => "less than 0.0001".to_owned(),
                    p => format!("{p:.4}"),
                },
                test.chi_square,
                test.freedom
            );
        }
    }

    /// The ratings with their intervals, side by side.
    fn plot(&self, page: &mut String) {
        let lines = self.lines();
        let lines = &lines[..lines.len().min(MOST_SHOWN)];
        let ends = || lines.iter().flat_map(|line| line.rating.interval);
        let low = ends().fold(f64::INFINITY, f64::min);
        let high = ends().fold(f64::NEG_INFINITY, f64::max);
        let room = (high - low).max(1.0);
        let x = |rating: f64| 210.0 + 760.0 * (rating - low) / room;
        let height = 26 * lines.len() + 30;
        let _ = write!(
            page,
            "<h2>Ratings</h2>\n<svg viewBox=\"0 0 1000 {height}\" role=\"img\" \
             aria-label=\"Ratings with their intervals\">\n"
        );
        for (row, line) in lines.iter().enumerate() {
            let y = 26 * row + 18;
            let [from, to] = line.rating.interval.map(x);
            let _ = writeln!(
                page,
                "<text x=\"195\" y=\"{}\" text-anchor=\"end\">{}</text>\
                 <line x1=\"{from:.1}\" x2=\"{to:.1}\" y1=\"{y}\" y2=\"{y}\" stroke=\"var(--ink)\" \
                 stroke-width=\"3\" stroke-opacity=\".45\"/>\
                 <circle cx=\"{:.1}\" cy=\"{y}\" r=\"5\" fill=\"var(--ink)\"><title>{:.0}, {}</title>\
                 </circle>",
                y + 4,
                escaped(&shortened(&line.entrant.name)),
                x(line.rating.rating),
                line.rating.rating,
                shown(line.rating.interval),
            );
        }
        for end in [low, high] {
            let _ = writeln!(
                page,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{end:.0}</text>",
                x(end).clamp(220.0, 970.0),
                height - 4
            );
        }
        *page += "</svg>\n";
        self.tell_the_rest(page);
    }

    fn tell_the_rest(&self, page: &mut String) {
        let players = self.contest.players();
        if players > MOST_SHOWN {
            let _ = writeln!(
                page,
                "<p>The first {MOST_SHOWN} of {players} players; the others are in the files beside \
                 this one.</p>"
            );
        }
    }

    /// How often who finished above whom.
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
        *page += "<h2>Pair by pair</h2>\n<p>In how many of 100 games the player of the row finished \
                  above the one of the column; ties count half.</p>\n<div class=\"wide\"><table>\n\
                  <tr><th>";
        for number in 1..=lines.len() {
            let _ = write!(page, "<th>{number}");
        }
        *page += "</tr>\n";
        for (row, line) in lines.iter().enumerate() {
            let _ = write!(page, "<tr><td>{} {}", row + 1, escaped(&line.entrant.name));
            for other in lines {
                let _ = match shares.get(&(line.number, other.number)) {
                    Some(share) => write!(
                        page,
                        "<td style=\"background: rgb(26 95 180 / {:.2})\">{:.0}",
                        share * 0.5,
                        100.0 * share
                    ),
                    None => write!(page, "<td>"),
                };
            }
            *page += "</tr>\n";
        }
        *page += "</table></div>\n";
    }

    /// The points of a game in each seat.
    fn seats(&self, page: &mut String) {
        *page += "<h2>Seat by seat</h2>\n<p>Points a game in each seat.</p>\n\
                  <div class=\"wide\"><table>\n<tr><th class=\"name\">player";
        for seat in 1..=self.contest.settings().seats {
            let _ = write!(page, "<th>seat {seat}");
        }
        *page += "</tr>\n";
        for line in self.lines() {
            let _ = write!(
                page,
                "<tr><td class=\"name\">{}",
                escaped(&line.entrant.name)
            );
            for &(games, halves) in &line.standing.by_seat {
                let _ = match games {
                    0 => write!(page, "<td>"),
                    _ => write!(page, "<td>{:.3}", halves as f64 / 2.0 / games as f64),
                };
            }
            *page += "</tr>\n";
        }
        *page += "</table></div>\n";
    }

    fn fault_list(&self, page: &mut String) {
        let mut faults = self.faults().peekable();
        if faults.peek().is_none() {
            *page += "<h2>Faults</h2>\n<p>None.</p>\n";
            return;
        }
        *page += "<h2>Faults</h2>\n<div class=\"wide\"><table>\n<tr><th class=\"name\">player\
                  <th class=\"text\">kind<th>kept<th class=\"text\">for instance\
                  <th class=\"text\">again</tr>\n";
        for (entrant, fault) in faults {
            let again = self.repeat.as_ref();
            let again =
                again.map(|repeat| format!("<code>{} {}</code>", escaped(repeat), fault.id));
            let _ = writeln!(
                page,
                "<tr><td class=\"name\">{}<td class=\"text\">{}<td>{}<td class=\"text\">{}\
                 <td class=\"text\">{}</tr>",
                escaped(&entrant.name),
                escaped(&fault.kind),
                fault.count,
                escaped(fault.detail.lines().next().unwrap_or_default()),
                again.unwrap_or_default(),
            );
        }
        *page += "</table></div>\n";
    }

    /// Under which conditions all this was found.
    fn conditions(&self, page: &mut String) {
        let settings = self.contest.settings();
        let seatings = match settings.seatings {
            Seatings::Rotations => "every deal once with everybody in each seat",
            Seatings::All => "every deal in all orders of seating",
        };
        let limits = serde_json::to_string(&settings.limits).unwrap_or_default();
        let lines = [
            (
                "game",
                format!(
                    "{}, version {} of its rules",
                    settings.game, settings.version
                ),
            ),
            ("setup", settings.setup.to_string()),
            ("rounds", settings.rounds.to_string()),
            ("seating", seatings.to_owned()),
            ("sandbox", settings.sandbox.to_string()),
            ("limits", limits),
            ("seed", settings.seed.to_string()),
            ("SHA-256 of the seed, shown before", seal(self.contest)),
        ];
        *page += "<h2>Conditions</h2>\n<div class=\"wide\"><table>\n";
        for (name, value) in lines {
            let _ = writeln!(
                page,
                "<tr><td>{name}<td class=\"text\"><code>{}</code></tr>",
                escaped(&value)
            );
        }
        *page += "</table></div>\n<h2>Players</h2>\n<div class=\"wide\"><table>\n";
        for Line { entrant, .. } in self.lines().iter().chain(&self.staff()) {
            let _ = writeln!(
                page,
                "<tr><td>{}<td class=\"text\"><code>{}</code><td class=\"text\"><code>{}</code></tr>",
                escaped(&entrant.name),
                escaped(&entrant.spec),
                entrant.identity,
            );
        }
        *page += "</table></div>\n";
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

/// A name that fits beside a plot.
fn shortened(name: &str) -> String {
    const FITS: usize = 26;
    match name.chars().count() > FITS {
        true => format!("{}…", name.chars().take(FITS - 1).collect::<String>()),
        false => name.to_owned(),
    }
}
