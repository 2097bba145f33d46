//! How a contest stood at one moment: everything that its pages show, taken from one report.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use croupier_arena::{
    ClusterStatus, Contest, Format, Interval, Line, Meeting, Progress, RankBy, Rating, Report,
    Standing,
};

use super::text::name;

/// Whether a contest goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    /// Somebody plays it.
    Played,
    /// Nobody does, and games are missing.
    Stopped,
    /// All games were played.
    Over,
}

impl State {
    pub(crate) fn word(self) -> &'static str {
        match self {
            State::Played => "live",
            State::Stopped => "stopped",
            State::Over => "finished",
        }
    }
}

/// How a contest stood.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// A greater one is later.
    pub(crate) version: u64,
    pub(crate) state: State,
    /// How long it takes until the end, if that can be said.
    pub(crate) left: Option<Duration>,
    /// Who plays it, if that is done on many machines.
    pub(crate) cluster: Option<ClusterStatus>,
    pub(crate) game: String,
    pub(crate) format: Format,
    pub(crate) seats: usize,
    pub(crate) rounds: u64,
    pub(crate) rank_by: RankBy,
    pub(crate) lowest_wins: bool,
    pub(crate) progress: Progress,
    pub(crate) decisions: u64,
    pub(crate) games_of_a_block: u64,
    /// The players, the best first, then the staff, then those who cannot play.
    pub(crate) rows: Vec<Row>,
    /// Where a number stands in the rows.
    places: HashMap<usize, usize>,
    /// What happened between two of them, by their numbers, seen by the first.
    meetings: HashMap<(usize, usize), Meeting>,
    /// What the ratings are measured by.
    pub(crate) scale: String,
    /// Whether all are equal, in words, where all sit at one table.
    pub(crate) equal: Option<String>,
}

/// One of those who take part.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The number in the contest.
    pub(crate) number: usize,
    /// What it is called by in addresses: no two are called the same.
    pub(crate) handle: String,
    /// The name, fit to be shown.
    pub(crate) name: String,
    /// The words by which it was called for.
    pub(crate) spec: String,
    pub(crate) identity: String,
    pub(crate) kind: Kind,
    pub(crate) rank: Option<usize>,
    /// The ranks from which its own cannot be told apart.
    pub(crate) group: Option<(usize, usize)>,
    pub(crate) standing: Standing,
    /// The interval of what is ranked by.
    pub(crate) interval: Option<Interval>,
    pub(crate) points_interval: Option<Interval>,
    pub(crate) score_interval: Option<Interval>,
    pub(crate) rating: Rating,
    pub(crate) remark: Option<String>,
    /// Faults that are kept, by kind.
    pub(crate) kept: BTreeMap<String, u64>,
    /// How many faults there were.
    pub(crate) faults: u64,
    /// How many decisions were measured, their median and the slowest.
    pub(crate) times: Option<(u64, Duration, Duration)>,
}

/// As what somebody takes part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Player,
    Staff,
    Unusable,
}

impl Kind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Player => "player",
            Kind::Staff => "staff",
            Kind::Unusable => "unusable",
        }
    }
}

impl Snapshot {
    /// What a report tells.
    pub(super) fn of(contest: &Contest, report: &Report<'_>) -> Snapshot {
        let settings = contest.settings();
        let mut rows: Vec<Row> = report
            .all()
            .iter()
            .map(|line| row(report, line, settings.rank_by))
            .collect();
        for (row, line) in rows.iter_mut().zip(report.all()) {
            row.kind = match line.rank {
                Some(_) => Kind::Player,
                None if line.entrant.fault().is_some() => Kind::Unusable,
                None => Kind::Staff,
            };
        }
        for faults in report.faults() {
            let own = rows
                .iter_mut()
                .find(|row| row.identity == faults.entrant.identity);
            if let Some(row) = own {
                row.faults = faults.all;
                let kept = faults
                    .kept
                    .iter()
                    .map(|line| (line.kind.clone(), line.count));
                row.kept = kept.collect();
            }
        }
        for (entrant, times) in report.times() {
            let own = rows.iter_mut().find(|row| row.identity == entrant.identity);
            if let (Some(row), Some(median), Some(slowest)) = (own, times.median(), times.slowest())
            {
                row.times = Some((times.decisions(), median, slowest));
            }
        }
        tell_apart(&mut rows);
        let both_ways = report.pairs().flat_map(|(one, other, meeting)| {
            let Meeting { won, tied, lost } = meeting;
            let back = Meeting {
                won: lost,
                tied,
                lost: won,
            };
            [((one, other), meeting), ((other, one), back)]
        });
        Snapshot {
            version: 0,
            state: State::Over,
            left: None,
            cluster: None,
            game: settings.game.clone(),
            format: settings.format,
            seats: settings.seats,
            rounds: settings.rounds,
            rank_by: settings.rank_by,
            lowest_wins: contest.ranking().lowest_wins,
            progress: contest.progress(),
            decisions: contest.standings().decisions(),
            games_of_a_block: settings.games_of_a_block(),
            places: rows.iter().map(|row| row.number).zip(0..).collect(),
            rows,
            meetings: both_ways.collect(),
            scale: report.scale(),
            equal: report.equal_shares().map(|test| test.told()),
        }
    }

    /// The one with this handle.
    pub(crate) fn find(&self, handle: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.handle == handle)
    }

    /// The one with this number.
    pub(crate) fn row_of(&self, number: usize) -> Option<&Row> {
        self.rows.get(self.place_of(number)?)
    }

    /// Where in the rows it stands.
    pub(crate) fn place_of(&self, number: usize) -> Option<usize> {
        self.places.get(&number).copied()
    }

    /// What happened between two of them, seen by the first.
    pub(crate) fn meeting(&self, one: usize, other: usize) -> Option<Meeting> {
        self.meetings.get(&(one, other)).copied()
    }

    /// The players.
    pub(crate) fn players(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|row| row.kind == Kind::Player)
    }

    /// What is ranked by, of one of them.
    pub(crate) fn mean(&self, row: &Row) -> f64 {
        match self.rank_by {
            RankBy::Points => row.standing.mean_points(),
            RankBy::Score => row.standing.mean_score(),
        }
    }

    /// What it is called.
    pub(crate) fn measure(&self) -> &'static str {
        match self.rank_by {
            RankBy::Points => "Points a game",
            RankBy::Score => "Score a game",
        }
    }

    /// The format in words.
    pub(crate) fn format_word(&self) -> &'static str {
        match self.format {
            Format::RoundRobin => "Round robin",
            Format::Swiss => "Swiss",
            Format::Gauntlet => "Gauntlet",
        }
    }

    /// Faults that are kept, by kind, of all together.
    pub(crate) fn kinds(&self) -> BTreeMap<&str, u64> {
        let mut kinds = BTreeMap::new();
        for (kind, count) in self.rows.iter().flat_map(|row| &row.kept) {
            *kinds.entry(kind.as_str()).or_default() += count;
        }
        kinds
    }
}

fn row(report: &Report<'_>, line: &Line<'_>, by: RankBy) -> Row {
    Row {
        number: line.number,
        handle: String::new(),
        name: name(&line.entrant.name),
        spec: line.entrant.spec.clone(),
        identity: line.entrant.identity.clone(),
        kind: Kind::Player,
        rank: line.rank,
        group: line.group,
        standing: line.standing.clone(),
        interval: line.interval(by),
        points_interval: line.points,
        score_interval: line.score,
        rating: line.rating,
        remark: report.remark(line),
        kept: BTreeMap::new(),
        faults: line.standing.faults,
        times: None,
    }
}

/// Gives everybody a handle: the name, and a number if it is taken. A name of dots alone would lead
/// out of a folder.
fn tell_apart(rows: &mut [Row]) {
    let mut taken = HashSet::new();
    for row in rows {
        let is_path = row.name.chars().all(|letter| letter == '.');
        let plain = (!is_path).then(|| row.name.clone());
        let numbered = (2..).map(|number| format!("{}~{number}", row.name));
        let mut all = plain.into_iter().chain(numbered);
        let free = all.find(|handle| !taken.contains(handle));
        row.handle = free.unwrap_or_default();
        taken.insert(row.handle.clone());
    }
}
