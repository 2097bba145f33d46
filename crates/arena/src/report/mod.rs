//! What a contest found, told once and shown in several ways.

mod equal;
mod html;
mod run;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use croupier_bots::Times;
use croupier_core::{FoulKind, counted, grouped};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::contest::KEPT_FAULTS;
use crate::{
    AVERAGE, Anchor, Averages, Contest, Entrant, FaultLine, Format, Interval, Meeting, RankBy,
    Rating, Sheet, Standing, Standings, Store, StoreError, rate,
};

pub use equal::EqualShares;
pub use html::Cover;
pub use run::{Run, measured};

/// What a contest found, so far or in the end.
#[derive(Debug)]
pub struct Report<'a> {
    contest: &'a Contest,
    /// The players, the best first, each with its rank.
    ranked: Vec<(usize, usize)>,
    /// For each of them the first and the last of these places from which it cannot be told apart.
    groups: Vec<(usize, usize)>,
    points: Averages,
    scores: Averages,
    ratings: Vec<Rating>,
    faults: Vec<FaultLine>,
    times: BTreeMap<String, Times>,
    /// How to repeat a fault: the command before its number, if the faults are kept.
    pub repeat: Option<String>,
    /// When and how fast it was played.
    pub run: Option<Run>,
}

/// One line of the table.
#[derive(Clone, Debug)]
pub struct Line<'a> {
    /// The rank; equal players share one. The staff has none.
    pub rank: Option<usize>,
    /// The ranks of the first and the last one from whom it cannot be told apart.
    pub group: Option<(usize, usize)>,
    /// Who it is.
    pub entrant: &'a Entrant,
    /// How it stands.
    pub standing: &'a Standing,
    /// The interval of its points a game; none from a single deal.
    pub points: Option<Interval>,
    /// The interval of its score a game.
    pub score: Option<Interval>,
    /// Its rating.
    pub rating: Rating,
    /// Its number among all who take part.
    pub number: usize,
}

impl Line<'_> {
    /// The interval of what the contest ranks by.
    pub fn interval(&self, by: RankBy) -> Option<Interval> {
        match by {
            RankBy::Points => self.points,
            RankBy::Score => self.score,
        }
    }

    /// The ranks from which its own cannot be told apart, as they are printed.
    pub fn shown_group(&self) -> String {
        match self.group {
            Some((first, last)) if first == last => first.to_string(),
            Some((first, last)) => format!("{first}–{last}"),
            None => String::new(),
        }
    }
}

/// The faults of one who takes part.
#[derive(Clone, Debug)]
pub struct Faults<'a> {
    /// Whose.
    pub entrant: &'a Entrant,
    /// How many there were.
    pub all: u64,
    /// Of every kind those that are kept with everything that repeats them.
    pub kept: Vec<&'a FaultLine>,
}

impl Faults<'_> {
    /// How many there were, and how many are kept.
    pub fn told(&self) -> String {
        let kept: u64 = self.kept.iter().map(|line| line.count).sum();
        let faults = if self.all == 1 { "fault" } else { "faults" };
        match kept < self.all {
            true => format!(
                "{} {faults}, {} of them kept to be repeated (the first {KEPT_FAULTS} of a block)",
                grouped(self.all),
                grouped(kept)
            ),
            false => format!("{} {faults}", grouped(self.all)),
        }
    }
}

/// What is shown of a master seed before the first game: whoever knows the seed afterwards can
/// check that it was not chosen to suit somebody. It is the SHA-256 of its digits.
pub fn seal(contest: &Contest) -> String {
    let digits = contest.settings().seed.to_string();
    let hash = Sha256::digest(digits.as_bytes());
    hash.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

impl<'a> Report<'a> {
    /// The report of a contest as it stands.
    pub fn new(
        contest: &'a Contest,
        store: &Store,
        threads: usize,
    ) -> Result<Report<'a>, StoreError> {
        let standings = contest.standings();
        let ranking = contest.ranking();
        let mut ranked = standings.ranked(contest.players(), ranking);
        // Equal ones by name, not by the accident of their contents.
        let name = |player: usize| &contest.entrants()[player].name;
        ranked.sort_by(|a, b| (a.0, name(a.1)).cmp(&(b.0, name(b.1))));
        let [points, scores] =
            [RankBy::Points, RankBy::Score].map(|by| Averages::new(&standings.sheet, by));
        let order: Vec<usize> = ranked.iter().map(|&(_, player)| player).collect();
        let groups = match ranking.by {
            RankBy::Points => points.groups(&order),
            RankBy::Score => scores.groups(&order),
        };
        Ok(Report {
            ratings: ratings(contest, &contest.standings().sheet, threads),
            faults: store.faults()?,
            times: store.times()?,
            contest,
            ranked,
            groups,
            points,
            scores,
            repeat: None,
            run: None,
        })
    }

    /// The table: the players, the best first.
    pub fn lines(&self) -> Vec<Line<'_>> {
        let places = self.ranked.iter().zip(&self.groups);
        let lines = places.map(|(&(rank, player), &(first, last))| Line {
            rank: Some(rank),
            group: Some((self.ranked[first].0, last + 1)),
            ..self.line(player)
        });
        lines.collect()
    }

    /// The staff that has played.
    pub fn staff(&self) -> Vec<Line<'_>> {
        let staff = self.contest.players()..self.contest.seated();
        let lines = staff.map(|number| self.line(number));
        lines.filter(|line| line.standing.games > 0).collect()
    }

    /// Those who cannot play.
    pub fn unusable(&self) -> Vec<Line<'_>> {
        let unusable = self.contest.seated()..self.contest.entrants().len();
        let mut lines: Vec<Line<'_>> = unusable.map(|number| self.line(number)).collect();
        lines.sort_by(|a, b| a.entrant.name.cmp(&b.entrant.name));
        lines
    }

    /// The players, the best first, then the staff, then those who cannot play.
    pub fn all(&self) -> Vec<Line<'_>> {
        [self.lines(), self.staff(), self.unusable()].concat()
    }

    /// What else is to be said of somebody: that it was suspended, or cannot play.
    pub fn remark(&self, line: &Line<'_>) -> Option<String> {
        if let Some(fault) = line.entrant.fault() {
            return Some(match fault.kind {
                FoulKind::Compile => "does not compile".to_owned(),
                _ => "cannot be used".to_owned(),
            });
        }
        let suspension = self.contest.suspension(line.number)?;
        let games = counted(suspension.games, "game");
        Some(format!("suspended after {games}"))
    }

    fn line(&self, number: usize) -> Line<'_> {
        Line {
            rank: None,
            group: None,
            entrant: &self.contest.entrants()[number],
            standing: self.standings().of(number),
            points: self.points.interval(number),
            score: self.scores.interval(number),
            rating: self.ratings[number],
            number,
        }
    }

    /// What the ratings are measured by, in a sentence.
    pub fn scale(&self) -> String {
        let settings = self.contest.settings();
        match &settings.anchor {
            Some(Anchor { name, rating }) => {
                format!("Ratings are anchored: {name} has {rating}.")
            }
            None if settings.format == Format::Gauntlet => {
                format!("A rating of {AVERAGE} is the mean of the staff.")
            }
            None => format!("A rating of {AVERAGE} is the mean of all players."),
        }
    }

    fn standings(&self) -> &'a Standings {
        self.contest.standings()
    }

    /// The faults of all who made any, in the order of the table.
    pub fn faults(&self) -> Vec<Faults<'_>> {
        let faults = self.all().into_iter().map(|line| {
            let own = |fault: &&FaultLine| fault.player == line.entrant.identity;
            let kept: Vec<&FaultLine> = self.faults.iter().filter(own).collect();
            let counted = kept.iter().map(|fault| fault.count).sum();
            Faults {
                entrant: line.entrant,
                // What keeps somebody from playing is a fault in no game.
                all: line.standing.faults.max(counted),
                kept,
            }
        });
        faults.filter(|faults| faults.all > 0).collect()
    }

    /// How long the decisions of the programs took, in the order of the table.
    pub fn times(&self) -> Vec<(&Entrant, &Times)> {
        let times = self.all().into_iter().map(|line| line.entrant);
        times
            .filter_map(|entrant| Some((entrant, self.times.get(&entrant.identity)?)))
            .collect()
    }

    /// Whether all are equal, where all sit at one table.
    pub fn equal_shares(&self) -> Option<EqualShares> {
        let players = self.contest.players();
        let settings = self.contest.settings();
        let one_table = settings.format == Format::RoundRobin && players == settings.seats;
        one_table.then(|| {
            let mut entrants = self.contest.entrants()[..players].iter();
            let first = entrants.next().map(Entrant::contents);
            EqualShares::new(
                self.standings().chi_square(players),
                self.standings().blocks(),
                entrants.all(|entrant| Some(entrant.contents()) == first),
            )
        })
    }

    /// Everything as one JSON document.
    pub fn json(&self) -> Value {
        let settings = self.contest.settings();
        let line = |line: &Line<'_>| {
            let mut json = line.json();
            json["remark"] = self.remark(line).into();
            json
        };
        let mut report = json!({
            "game": settings.game,
            "format": settings.format,
            "rounds": settings.rounds,
            "games": self.standings().games(),
            "seed": settings.seed,
            "seed_sha256": seal(self.contest),
            "sandbox": settings.sandbox,
            "limits": settings.limits,
            "suspend_after": settings.suspend_after,
            "seats": settings.seats,
            "seatings": settings.seatings,
            "rank_by": settings.rank_by,
            "scale": self.scale(),
            "setup": settings.setup,
            "decisions": self.standings().decisions(),
            "standings": self.lines().iter().map(line).collect::<Vec<_>>(),
        });
        let unusable = self.unusable();
        if !unusable.is_empty() {
            report["unusable"] = unusable.iter().map(line).collect();
        }
        let staff = self.staff();
        if !staff.is_empty() {
            report["staff"] = staff.iter().map(line).collect();
        }
        if let Some(test) = self.equal_shares() {
            report["equal_shares"] = json!({
                "chi_square": test.chi_square,
                "degrees_of_freedom": test.freedom,
                "p": test.p,
                "can_tell": test.blocks >= test.enough,
                "same_player": test.same_player,
                "told": test.told(),
            });
        }
        let faults = self.faults();
        let faults = faults.iter().flat_map(|faults| {
            faults.kept.iter().map(|fault| {
                json!({
                    "name": faults.entrant.name,
                    "kind": fault.kind,
                    "kept": fault.count,
                    "id": fault.id,
                    "detail": fault.detail,
                    "repeat": self.repeat.as_ref().map(|repeat| format!("{repeat} {}", fault.id)),
                })
            })
        });
        report["faults"] = faults.collect();
        if let Some(run) = &self.run {
            report["run"] = run.json();
            let times = self.times().into_iter();
            let times = times.map(|(entrant, times)| run::times_json(&entrant.name, times));
            report["run"]["decision_times"] = times.collect();
        }
        report
    }

    /// The table as comma-separated values.
    pub fn standings_csv(&self) -> String {
        let mut text =
            "rank,name,points,games,mean_points,score,wins,rating,rating_low,rating_high,faults,\
             group_first,group_last,mean_points_low,mean_points_high,mean_score,mean_score_low,\
             mean_score_high"
                .to_owned();
        for place in 1..=self.contest.settings().seats {
            let _ = write!(text, ",place_{place}");
        }
        text += ",remark\n";
        for line in &self.all() {
            let standing = line.standing;
            let Rating {
                rating,
                interval: [low, high],
            } = line.rating;
            // Of those who have not played nothing is known.
            let (mean_points, mean_score, ratings) = match standing.games {
                0 => (String::new(), String::new(), ",,".to_owned()),
                _ => (
                    standing.mean_points().to_string(),
                    standing.mean_score().to_string(),
                    format!("{rating:.1},{low:.1},{high:.1}"),
                ),
            };
            let [rank, first, last] = [
                line.rank,
                line.group.map(|(first, _)| first),
                line.group.map(|(_, last)| last),
            ]
            .map(|number| number.map_or(String::new(), |number| number.to_string()));
            let [points, score] = [line.points, line.score].map(|interval| match interval {
                Some([low, high]) => format!("{low:.4},{high:.4}"),
                None => ",".to_owned(),
            });
            let _ = write!(
                text,
                "{rank},{},{},{},{mean_points},{},{},{ratings},{},{first},{last},{points},{mean_score},\
                 {score}",
                field(&line.entrant.name),
                standing.points(),
                standing.games,
                standing.score,
                standing.wins,
                standing.faults,
            );
            for times in &standing.places {
                let _ = write!(text, ",{times}");
            }
            let _ = writeln!(text, ",{}", self.remark(line).unwrap_or_default());
        }
        text
    }

    /// Who finished above whom, as comma-separated values.
    pub fn pairs_csv(&self) -> String {
        let mut text = "name,other,above,level,below\n".to_owned();
        for (one, other, meeting) in self.pairs() {
            let name = |number: usize| field(&self.contest.entrants()[number].name);
            let Meeting { won, tied, lost } = meeting;
            let _ = writeln!(text, "{},{},{won},{tied},{lost}", name(one), name(other));
        }
        text
    }

    /// What happened between every two who have met.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize, Meeting)> {
        let mut pairs = std::collections::BTreeMap::new();
        for block in self.standings().sheet.blocks() {
            for (one, other, meeting) in block.meetings() {
                let sum: &mut Meeting = pairs.entry((one, other)).or_default();
                sum.won += meeting.won;
                sum.tied += meeting.tied;
                sum.lost += meeting.lost;
            }
        }
        let pairs = pairs.into_iter();
        pairs.map(|((one, other), meeting)| (one, other, meeting))
    }
}

/// The ratings after so many blocks, in the order in which they were counted.
pub fn ratings_after(contest: &Contest, blocks: usize, threads: usize) -> Vec<Rating> {
    let sheet = contest.standings().sheet.first(blocks);
    ratings(contest, &sheet, threads)
}

/// The ratings of all who take part: the anchor, if there is one, has the rating that was chosen, and
/// else the average is [`AVERAGE`].
fn ratings(contest: &Contest, sheet: &Sheet, threads: usize) -> Vec<Rating> {
    let settings = contest.settings();
    let staff = contest.players();
    // Who else is marked should matter little, so the staff is what marks are measured by.
    let by_staff = settings.format == Format::Gauntlet;
    let counts = |(number, entrant): (usize, &Entrant)| match &settings.anchor {
        Some(anchor) => entrant.name == anchor.name,
        None => number < contest.seated() && (number >= staff) == by_staff,
    };
    let counted: Vec<bool> = contest.entrants().iter().enumerate().map(counts).collect();
    let mut ratings = rate(sheet, &counted, settings.seed, threads);
    if let Some(Anchor { rating, .. }) = settings.anchor {
        for one in &mut ratings {
            one.rating += rating - AVERAGE;
            one.interval = one.interval.map(|end| end + rating - AVERAGE);
        }
    }
    ratings
}

impl Line<'_> {
    fn json(&self) -> Value {
        let Standing {
            games,
            score,
            wins,
            faults,
            ref places,
            ref by_seat,
            ..
        } = *self.standing;
        let seat = |&(games, halves): &(u64, i64)| {
            json!({
                "games": games,
                "mean_points": rounded(halves as f64 / 2.0 / games.max(1) as f64, 4),
            })
        };
        let ends =
            |interval: Option<Interval>| interval.map(|ends| ends.map(|end| rounded(end, 4)));
        json!({
            "rank": self.rank,
            "group": self.group.map(|_| self.shown_group().replace('–', "-")),
            "name": self.entrant.name,
            "spec": self.entrant.spec,
            "identity": self.entrant.identity,
            "points": self.standing.points(),
            "games": games,
            "mean_points": self.standing.mean_points(),
            "mean_points_ci95": ends(self.points),
            "score": score,
            "mean_score": self.standing.mean_score(),
            "mean_score_ci95": ends(self.score),
            "wins": wins,
            "places": places,
            "rating": rounded(self.rating.rating, 1),
            "rating_ci95": self.rating.interval.map(|end| rounded(end, 1)),
            "faults": faults,
            "by_seat": by_seat.iter().map(seat).collect::<Vec<_>>(),
        })
    }
}

/// A field of comma-separated values.
fn field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

fn rounded(number: f64, digits: i32) -> f64 {
    let shift = 10f64.powi(digits);
    (number * shift).round() / shift
}

/// An interval as it is printed, with so many digits after the point.
pub fn shown([low, high]: Interval, digits: usize) -> String {
    format!("{low:.digits$} – {high:.digits$}")
}
