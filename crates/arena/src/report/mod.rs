//! What a contest found, told once and shown in several ways.

mod html;

use std::fmt::Write as _;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::{
    Contest, Entrant, FaultLine, Format, Interval, Meeting, Rating, Standing, Standings, Store,
    StoreError, chi_square_tail, rate,
};

/// What a contest found, so far or in the end.
#[derive(Debug)]
pub struct Report<'a> {
    contest: &'a Contest,
    ratings: Vec<Rating>,
    faults: Vec<FaultLine>,
    /// How to repeat a fault: the command before its number, if the faults are kept.
    pub repeat: Option<String>,
    /// How long was played for it, this time.
    pub seconds: f64,
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// The rank; equal players share one. The staff has none.
    pub rank: Option<usize>,
    /// Who it is.
    pub entrant: &'a Entrant,
    /// How it stands.
    pub standing: &'a Standing,
    /// Its rating.
    pub rating: Rating,
    /// Its number among all who take part.
    number: usize,
}

/// The test whether all players at the only table of a contest are equal.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EqualShares {
    /// How unequal their scores are.
    pub chi_square: f64,
    /// With so many degrees of freedom.
    pub freedom: usize,
    /// The probability that chance alone makes them so unequal.
    pub p: f64,
    /// After so many blocks.
    pub blocks: u64,
    /// After so many it could tell if they were not.
    pub enough: u64,
}

/// How improbable a difference must be before it is not put down to chance.
const IMPROBABLE: f64 = 0.001;

impl EqualShares {
    /// The test after so many blocks.
    fn new(chi_square: f64, freedom: usize, blocks: u64) -> EqualShares {
        let p = |chi_square| chi_square_tail(chi_square, freedom);
        // Even if every block came out the same, few blocks could be chance.
        let at_most = |blocks: u64| (blocks * freedom as u64) as f64;
        let tells = |blocks: &u64| p(at_most(*blocks)) < IMPROBABLE;
        EqualShares {
            chi_square,
            freedom,
            p: p(chi_square),
            blocks,
            enough: (1..).find(tells).unwrap_or(u64::MAX),
        }
    }

    /// What the test says, in a few words.
    pub fn verdict(&self) -> String {
        let (blocks, enough) = (self.blocks, self.enough);
        if blocks < enough {
            let rounds = if blocks == 1 { "round" } else { "rounds" };
            return format!("{blocks} {rounds} cannot tell, {enough} could");
        }
        match self.p < IMPROBABLE {
            true => "No, not by chance".to_owned(),
            false => "Within chance".to_owned(),
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
        let players = contest.players();
        // Who else is marked should matter little, so the staff is what marks are measured by.
        let by_staff = contest.settings().format == Format::Gauntlet;
        let is_average: Vec<bool> = (0..contest.entrants().len())
            .map(|number| (number >= players) == by_staff)
            .collect();
        let sheet = &contest.standings().sheet;
        Ok(Report {
            ratings: rate(sheet, &is_average, contest.settings().seed, threads),
            faults: store.faults()?,
            contest,
            repeat: None,
            seconds: 0.0,
        })
    }

    /// The table: the players, the best first.
    pub fn lines(&self) -> Vec<Line<'_>> {
        let ranked = self
            .contest
            .standings()
            .ranked(self.contest.players(), self.contest.ranking());
        let mut lines: Vec<Line<'_>> = ranked
            .into_iter()
            .map(|(rank, player)| self.line(Some(rank), player))
            .collect();
        // Equal ones by name, not by the accident of their contents.
        lines.sort_by(|a, b| (a.rank, &a.entrant.name).cmp(&(b.rank, &b.entrant.name)));
        lines
    }

    /// The staff that has played.
    pub fn staff(&self) -> Vec<Line<'_>> {
        let staff = self.contest.players()..self.contest.entrants().len();
        let lines = staff.map(|number| self.line(None, number));
        lines.filter(|line| line.standing.games > 0).collect()
    }

    fn line(&self, rank: Option<usize>, number: usize) -> Line<'_> {
        Line {
            rank,
            entrant: &self.contest.entrants()[number],
            standing: self.standings().of(number),
            rating: self.ratings[number],
            number,
        }
    }

    fn standings(&self) -> &'a Standings {
        self.contest.standings()
    }

    /// The faults that are kept: of every player and kind how many, and one of them.
    pub fn faults(&self) -> impl Iterator<Item = (&Entrant, &FaultLine)> {
        self.faults.iter().filter_map(|line| {
            let mut entrants = self.contest.entrants().iter();
            Some((entrants.find(|one| one.identity == line.player)?, line))
        })
    }

    /// Whether all are equal, where all sit at one table.
    pub fn equal_shares(&self) -> Option<EqualShares> {
        let players = self.contest.players();
        let settings = self.contest.settings();
        let one_table = settings.format == Format::RoundRobin && players == settings.seats;
        one_table.then(|| {
            let (chi_square, freedom) = self.standings().chi_square(players);
            EqualShares::new(chi_square, freedom, self.standings().blocks())
        })
    }

    /// Everything as one JSON document.
    pub fn json(&self) -> Value {
        let settings = self.contest.settings();
        let games = self.standings().games();
        let line = |line: &Line<'_>| {
            let Standing {
                games,
                score,
                wins,
                faults,
                ref by_seat,
                ..
            } = *line.standing;
            let seat = |&(games, halves): &(u64, i64)| {
                json!({
                    "games": games,
                    "mean_points": rounded(halves as f64 / 2.0 / games.max(1) as f64, 4),
                })
            };
            json!({
                "rank": line.rank,
                "name": line.entrant.name,
                "spec": line.entrant.spec,
                "identity": line.entrant.identity,
                "points": line.standing.points(),
                "games": games,
                "mean_points": line.standing.mean_points(),
                "score": score,
                "mean_score": line.standing.mean_score(),
                "wins": wins,
                "rating": rounded(line.rating.rating, 1),
                "rating_ci95": line.rating.interval.map(|end| rounded(end, 1)),
                "faults": faults,
                "by_seat": by_seat.iter().map(seat).collect::<Vec<_>>(),
            })
        };
        let mut report = json!({
            "game": settings.game,
            "format": settings.format,
            "rounds": settings.rounds,
            "games": games,
            "seed": settings.seed,
            "seed_sha256": seal(self.contest),
            "sandbox": settings.sandbox,
            "limits": settings.limits,
            "seats": settings.seats,
            "seatings": settings.seatings,
            "rank_by": settings.rank_by,
            "setup": settings.setup,
            "decisions": self.standings().decisions(),
            "seconds": self.seconds,
            "standings": self.lines().iter().map(line).collect::<Vec<_>>(),
        });
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
            });
        }
        let faults = self.faults().map(|(entrant, fault)| {
            json!({
                "name": entrant.name,
                "kind": fault.kind,
                "kept": fault.count,
                "id": fault.id,
                "detail": fault.detail,
                "repeat": self.repeat.as_ref().map(|repeat| format!("{repeat} {}", fault.id)),
            })
        });
        report["faults"] = faults.collect();
        report
    }

    /// The table as comma-separated values.
    pub fn standings_csv(&self) -> String {
        let mut text =
            "rank,name,points,games,mean_points,score,wins,rating,rating_low,rating_high,faults\n"
                .to_owned();
        for line in self.lines().iter().chain(&self.staff()) {
            let Rating {
                rating,
                interval: [low, high],
            } = line.rating;
            let rank = line.rank.map_or(String::new(), |rank| rank.to_string());
            let standing = line.standing;
            let _ = writeln!(
                text,
                "{rank},{},{},{},{},{},{},{rating:.1},{low:.1},{high:.1},{}",
                field(&line.entrant.name),
                standing.points(),
                standing.games,
                standing.mean_points(),
                standing.score,
                standing.wins,
                standing.faults,
            );
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
    fn pairs(&self) -> impl Iterator<Item = (usize, usize, Meeting)> {
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

/// An interval as it is printed.
pub fn shown([low, high]: Interval) -> String {
    format!("{low:.0} – {high:.0}")
}
