//! `/contest/NAME`: how it stands, and how sure that is; live while it is played.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::Json;
use axum::extract::{Path, Query, State as Extract};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use croupier_arena::{RankBy, shown};
use croupier_core::{grouped, ordinal};
use serde_json::json;

use super::charts::{Mark, Scale, WIDTH};
use super::crew::Crew;
use super::snapshot::{Kind, Row, Snapshot, State};
use super::text::segment;
use super::wish::{Sort, Wish};
use super::{Seen, contest};
use crate::Room;
use crate::refusal::{Refusal, render};

/// So many are listed on a page.
pub(super) const LISTED: usize = 100;

/// So many are drawn, and compared with each other.
const DRAWN: usize = 30;

/// More lines that join those who cannot be told apart would not be read.
const MOST_LANES: usize = 8;

/// The fields of an address.
pub(super) type Fields = Query<Vec<(String, String)>>;

#[derive(Template)]
#[template(path = "contest.html")]
struct Page {
    name: String,
    title: String,
    is_live: bool,
    version: u64,
    live: String,
}

/// What changes while the contest is played.
#[derive(Template)]
#[template(path = "contest_live.html")]
struct Live {
    address: String,
    name: String,
    head: Head,
    crew: Option<Crew>,
    wish: Wish,
    kinds: Vec<(String, bool)>,
    columns: Vec<Column>,
    /// How many lines beside the ranks join those who cannot be told apart.
    lanes: bool,
    rows: Vec<TableRow>,
    nobody: bool,
    pages: Pages,
    clear: Option<String>,
    equal: Option<String>,
    scale: String,
    ratings: Vec<Drawn>,
    rating_labels: Vec<String>,
    rating_lines: Vec<f64>,
    not_drawn: usize,
    matrix: Option<Matrix>,
    seats: Vec<String>,
    by_seat: Vec<(String, Vec<String>)>,
    fault_kinds: Vec<String>,
    faults: Vec<FaultRow>,
    faults_left_out: usize,
}

/// How far a contest has come, in words.
pub(super) struct Head {
    pub(super) title: String,
    pub(super) about: String,
    pub(super) state: &'static str,
    pub(super) progress: String,
    /// Out of [`WIDTH`].
    pub(super) share: f64,
}

struct Column {
    title: &'static str,
    link: String,
    direction: &'static str,
    class: &'static str,
}

struct TableRow {
    rank: String,
    lanes: Vec<&'static str>,
    name: String,
    href: String,
    remark: Option<String>,
    toggle: String,
    is_picked: bool,
    class: &'static str,
    mean: String,
    interval: String,
    mark: Option<Mark>,
    rating: String,
    rating_interval: String,
    beside: String,
    wins: String,
    games: String,
    faults: String,
    fault_link: Option<String>,
}

pub(super) struct Pages {
    pub(super) shown: String,
    pub(super) before: Option<String>,
    pub(super) after: Option<String>,
}

struct Drawn {
    name: String,
    href: String,
    value: String,
    interval: String,
    mark: Mark,
    is_picked: bool,
}

struct Matrix {
    columns: Vec<String>,
    rows: Vec<MatrixRow>,
}

struct MatrixRow {
    name: String,
    href: String,
    cells: Vec<Cell>,
}

enum Cell {
    Own,
    Never,
    /// Of 100 games, in steps of ten, and in words.
    Share(u32, u32, String),
}

struct FaultRow {
    name: String,
    href: String,
    all: String,
    counts: Vec<Option<(String, String)>>,
}

pub(super) async fn show(
    Extract(room): Extract<Arc<Room>>,
    Path(name): Path<String>,
    Query(fields): Fields,
) -> Result<Response, Refusal> {
    let seen = contest(&room, &name).await?;
    let live = live(&room, &name, &seen, &fields)?;
    render(&Page {
        title: game_title(&room, &seen.snapshot.game),
        name,
        is_live: seen.snapshot.state != State::Over,
        version: seen.snapshot.version,
        live,
    })
}

pub(super) async fn present(
    Extract(room): Extract<Arc<Room>>,
    Path(name): Path<String>,
    Query(fields): Fields,
) -> Result<Response, Refusal> {
    let seen = contest(&room, &name).await?;
    if is_known(&fields, &seen) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    fragment(&seen, live(&room, &name, &seen, &fields)?)
}

/// Whether a page has this version already.
pub(super) fn is_known(fields: &[(String, String)], seen: &Seen) -> bool {
    let known = fields.iter().find(|(name, _)| name == "version");
    let known = known.and_then(|(_, version)| version.parse().ok());
    known == Some(seen.snapshot.version)
}

/// What a page that is open puts in the place of what it shows.
pub(super) fn fragment(seen: &Seen, html: String) -> Result<Response, Refusal> {
    let snapshot = &seen.snapshot;
    Ok(Json(json!({
        "version": snapshot.version,
        "live": snapshot.state != State::Over,
        "html": html,
    }))
    .into_response())
}

/// The game's name as one would write it.
pub(super) fn game_title(room: &Room, game: &str) -> String {
    let entry = room.games.find(game);
    entry.map_or_else(|| game.to_owned(), |entry| entry.profile.title.to_owned())
}

/// How far a contest has come.
pub(super) fn head(room: &Room, snapshot: &Snapshot) -> Head {
    let players = snapshot.players().count() as u64;
    let (games, of) = (snapshot.progress.games, snapshot.progress.of);
    let mut progress = match snapshot.state {
        State::Over => format!("{} games, all played", grouped(games)),
        _ => format!("{} of {} games", grouped(games), grouped(of)),
    };
    match (snapshot.state, snapshot.left) {
        (State::Played, Some(left)) => progress += &format!(", {} left", about(left)),
        (State::Stopped, _) => progress += ", nobody plays it now",
        _ => {}
    }
    Head {
        title: game_title(room, &snapshot.game),
        about: format!(
            "{}, {} players, {} round{}, tables of {}, ranked by {}",
            snapshot.format_word(),
            grouped(players),
            grouped(snapshot.rounds),
            if snapshot.rounds == 1 { "" } else { "s" },
            snapshot.seats,
            match (snapshot.rank_by, snapshot.lowest_wins) {
                (RankBy::Points, _) => "points for places",
                (RankBy::Score, true) => "the game’s own score, the lowest first",
                (RankBy::Score, false) => "the game’s own score",
            }
        ),
        state: snapshot.state.word(),
        progress,
        share: (WIDTH * games as f64 / of.max(1) as f64)
            .clamp(0.0, WIDTH)
            .round(),
    }
}

/// So much time, as one would say it.
pub(super) fn about(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1.0 => "less than a second".to_owned(),
        seconds if seconds < 100.0 => format!("about {seconds:.0} s"),
        seconds if seconds < 6_000.0 => format!("about {:.0} min", seconds / 60.0),
        seconds => format!("about {:.0} h", seconds / 3600.0),
    }
}

fn live(
    room: &Room,
    name: &str,
    seen: &Seen,
    fields: &[(String, String)],
) -> Result<String, Refusal> {
    let wish = Wish::read(fields);
    let live = Live::of(room, name, &seen.snapshot, wish);
    live.render()
        .map_err(|error| Refusal::machine("render a page", &error))
}

impl Live {
    fn of(room: &Room, name: &str, snapshot: &Snapshot, wish: Wish) -> Live {
        let address = format!("/contest/{}", segment(name));
        let all = wish.rows(snapshot);
        let skip = (wish.page - 1).saturating_mul(LISTED);
        let listed: Vec<&Row> = all.iter().skip(skip).take(LISTED).copied().collect();
        let lanes = match wish.is_plain() {
            true => lanes(snapshot),
            false => Vec::new(),
        };
        let scale = interval_scale(snapshot, &listed);
        let rows = listed
            .iter()
            .map(|row| table_row(&address, snapshot, &wish, row, &lanes, &scale));
        let rows: Vec<TableRow> = rows.collect();
        let drawn = drawn(&wish, &all);
        let (ratings, rating_labels, rating_lines) = ratings(&address, &wish, &drawn);
        let kinds = snapshot.kinds();
        let (faults, faults_left_out) = faults(&address, &kinds, &all);
        let players = all.iter().filter(|row| row.kind == Kind::Player).count();
        Live {
            head: head(room, snapshot),
            crew: snapshot.cluster.as_ref().map(Crew::of),
            kinds: std::iter::once("any")
                .chain(kinds.keys().copied())
                .map(|kind| (kind.to_owned(), wish.kind == kind))
                .collect(),
            columns: columns(snapshot, &wish),
            lanes: lanes.iter().any(|lanes| !lanes.is_empty()),
            nobody: rows.is_empty(),
            rows,
            pages: pages(&wish, all.len(), LISTED),
            clear: (!wish.picks.is_empty()).then(|| wish.but(|wish| wish.picks.clear())),
            equal: snapshot.equal.clone(),
            scale: snapshot.scale.clone(),
            not_drawn: if wish.picks.is_empty() {
                players.saturating_sub(drawn.len())
            } else {
                0
            },
            ratings,
            rating_labels,
            rating_lines,
            matrix: matrix(&address, snapshot, &drawn),
            seats: (1..=snapshot.seats).map(ordinal).collect(),
            by_seat: by_seat(snapshot, &drawn),
            fault_kinds: kinds.keys().map(|kind| (*kind).to_owned()).collect(),
            faults,
            faults_left_out,
            name: name.to_owned(),
            address,
            wish,
        }
    }
}

fn columns(snapshot: &Snapshot, wish: &Wish) -> Vec<Column> {
    let beside = match snapshot.rank_by {
        RankBy::Points => (Sort::Score, "Score"),
        RankBy::Score => (Sort::Points, "Points"),
    };
    let columns = [
        (Sort::Rank, "Rank", "rank"),
        (Sort::Name, "Player", "name"),
        (Wish::ranked(snapshot.rank_by), snapshot.measure(), "mean"),
        (Sort::Rating, "Rating", "number rated"),
        (beside.0, beside.1, "number wide-only"),
        (Sort::Wins, "Wins", "number wide-only"),
        (Sort::Games, "Games", "number wide-only"),
        (Sort::Faults, "Faults", "number"),
    ];
    let column = |(sort, title, class)| Column {
        title,
        link: wish.sorted_by(sort),
        direction: wish.direction(sort),
        class,
    };
    columns.map(column).into()
}

/// The scale of the intervals in the table.
fn interval_scale(snapshot: &Snapshot, rows: &[&Row]) -> Scale {
    let played = rows.iter().filter(|row| row.standing.games > 0);
    let ends = played.flat_map(|row| {
        let mean = snapshot.mean(row);
        row.interval.unwrap_or([mean, mean])
    });
    Scale::over(ends, 5.0)
}

fn table_row(
    address: &str,
    snapshot: &Snapshot,
    wish: &Wish,
    row: &Row,
    lanes: &[Vec<&'static str>],
    scale: &Scale,
) -> TableRow {
    let standing = &row.standing;
    let has_played = standing.games > 0;
    let if_played = |text: String| if has_played { text } else { String::new() };
    let mean = snapshot.mean(row);
    let beside = match snapshot.rank_by {
        RankBy::Points => standing.mean_score(),
        RankBy::Score => standing.mean_points(),
    };
    let href = format!("{address}/player/{}", segment(&row.handle));
    let place = row.rank.and_then(|_| snapshot.place_of(row.number));
    TableRow {
        rank: match (row.rank, row.kind) {
            (Some(rank), _) => rank.to_string(),
            (None, Kind::Staff) => "staff".to_owned(),
            (None, _) => "–".to_owned(),
        },
        lanes: place
            .and_then(|place| lanes.get(place))
            .cloned()
            .unwrap_or_default(),
        name: row.name.clone(),
        remark: row.remark.clone(),
        toggle: wish.toggled(row),
        is_picked: wish.has_picked(row),
        class: match row.kind {
            Kind::Player => "",
            Kind::Staff => "staff",
            Kind::Unusable => "staff unusable",
        },
        mean: if_played(format!("{mean:.3}")),
        interval: row
            .interval
            .map_or(String::new(), |interval| shown(interval, 2)),
        mark: has_played.then(|| Mark::on(scale, mean, row.interval.unwrap_or([mean, mean]))),
        rating: if_played(format!("{:.0}", row.rating.rating)),
        rating_interval: if_played(shown(row.rating.interval, 0)),
        beside: if_played(format!("{beside:.2}")),
        wins: if_played(grouped(standing.wins)),
        games: grouped(standing.games),
        faults: grouped(row.faults),
        fault_link: (row.faults > 0).then(|| format!("{href}#faults")),
        href,
    }
}

/// For every player, in the order of the ranks, how the lines run through its row that join those who
/// cannot be told apart.
fn lanes(snapshot: &Snapshot) -> Vec<Vec<&'static str>> {
    let last = |(place, row): (usize, &Row)| row.group.map_or(place, |(_, last)| last - 1);
    let lasts: Vec<usize> = snapshot.players().enumerate().map(last).collect();
    // Each group takes the first lane that is free from its beginning on.
    let mut ends: Vec<usize> = Vec::new();
    let mut lanes: Vec<Vec<(usize, usize)>> = Vec::new();
    for group in together(&lasts) {
        let free = ends.iter().position(|&end| end < group.0);
        match free {
            Some(lane) => {
                ends[lane] = group.1;
                lanes[lane].push(group);
            }
            None if lanes.len() < MOST_LANES => {
                ends.push(group.1);
                lanes.push(vec![group]);
            }
            None => {}
        }
    }
    let piece = |place: usize, lane: &Vec<(usize, usize)>| {
        let group = lane
            .iter()
            .find(|group| group.0 <= place && place <= group.1);
        match group {
            None => "none",
            Some(group) if group.0 == place => "first",
            Some(group) if group.1 == place => "last",
            Some(_) => "between",
        }
    };
    let row = |place: usize| lanes.iter().map(|lane| piece(place, lane)).collect();
    (0..lasts.len()).map(row).collect()
}

/// The first and the last place of every line that joins players of whom no two can be told apart, if the
/// last place from which each cannot be told apart is this. The places from which somebody cannot be told
/// apart need not be such a line: somebody in the middle may be like the first and like the last, who are
/// not alike.
fn together(lasts: &[usize]) -> Vec<(usize, usize)> {
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (place, &last) in lasts.iter().enumerate() {
        let is_more = joined.last().is_none_or(|&(_, end)| end < last);
        if place < last && is_more {
            joined.push((place, last));
        }
    }
    joined
}

/// Those who are drawn: who is selected, or the first.
fn drawn<'a>(wish: &Wish, all: &[&'a Row]) -> Vec<&'a Row> {
    let has_played = |row: &&&Row| row.standing.games > 0;
    let played = all.iter().filter(has_played).copied();
    match wish.picks.is_empty() {
        true => played
            .filter(|row| row.kind == Kind::Player)
            .take(DRAWN)
            .collect(),
        false => played.filter(|row| wish.has_picked(row)).collect(),
    }
}

fn ratings(address: &str, wish: &Wish, rows: &[&Row]) -> (Vec<Drawn>, Vec<String>, Vec<f64>) {
    let scale = Scale::over(rows.iter().flat_map(|row| row.rating.interval), 5.0);
    let mut sorted: Vec<&Row> = rows.to_vec();
    sorted.sort_by(|a, b| b.rating.rating.total_cmp(&a.rating.rating));
    let drawn = sorted.iter().map(|row| Drawn {
        name: row.name.clone(),
        href: format!("{address}/player/{}", segment(&row.handle)),
        value: format!("{:.0}", row.rating.rating),
        interval: shown(row.rating.interval, 0),
        mark: Mark::on(&scale, row.rating.rating, row.rating.interval),
        is_picked: wish.has_picked(row),
    });
    (drawn.collect(), scale.labels(), scale.lines())
}

/// Who finished above whom. The staff has columns if somebody has met it.
fn matrix(address: &str, snapshot: &Snapshot, rows: &[&Row]) -> Option<Matrix> {
    let staff = snapshot.rows.iter().filter(|row| row.kind == Kind::Staff);
    let staff = staff.filter(|row| rows.iter().all(|shown| shown.number != row.number));
    let others: Vec<&Row> = rows.iter().copied().chain(staff).collect();
    let has_met = |other: &&&Row| {
        let met = |row: &&Row| snapshot.meeting(row.number, other.number).is_some();
        rows.iter().any(met)
    };
    let others: Vec<&Row> = others.iter().filter(has_met).copied().collect();
    let cell = |row: &Row, other: &Row| match snapshot.meeting(row.number, other.number) {
        _ if row.number == other.number => Cell::Own,
        None => Cell::Never,
        Some(meeting) => {
            let games = meeting.won + meeting.tied + meeting.lost;
            let share = (meeting.won + meeting.tied / 2.0) / games.max(1.0);
            let percent = (100.0 * share).round() as u32;
            let words = format!(
                "{} above, {} level, {} below {}",
                meeting.won, meeting.tied, meeting.lost, other.name
            );
            Cell::Share(percent, (percent + 5) / 10, words)
        }
    };
    (!others.is_empty()).then(|| Matrix {
        columns: others.iter().map(|row| row.name.clone()).collect(),
        rows: rows
            .iter()
            .map(|row| MatrixRow {
                name: row.name.clone(),
                href: format!("{address}/player/{}", segment(&row.handle)),
                cells: others.iter().map(|other| cell(row, other)).collect(),
            })
            .collect(),
    })
}

/// Points a game in every seat: of everybody together, then of each.
fn by_seat(snapshot: &Snapshot, rows: &[&Row]) -> Vec<(String, Vec<String>)> {
    let points = |&(games, halves): &(u64, i64)| match games {
        0 => String::new(),
        games => format!("{:.3}", halves as f64 / 2.0 / games as f64),
    };
    let all = (0..snapshot.seats).map(|seat| {
        let seats = snapshot
            .rows
            .iter()
            .filter_map(|row| row.standing.by_seat.get(seat));
        points(&seats.fold((0, 0), |sum, seat| (sum.0 + seat.0, sum.1 + seat.1)))
    });
    let everybody = ("Everybody".to_owned(), all.collect());
    let each = rows.iter().map(|row| {
        let seats = row.standing.by_seat.iter().map(points);
        (row.name.clone(), seats.collect())
    });
    std::iter::once(everybody).chain(each).collect()
}

fn faults(address: &str, kinds: &BTreeMap<&str, u64>, rows: &[&Row]) -> (Vec<FaultRow>, usize) {
    let faulty = rows.iter().filter(|row| row.faults > 0);
    let count = faulty.clone().count();
    let row = |row: &&Row| {
        let href = format!("{address}/player/{}", segment(&row.handle));
        let kept = |kind: &&str| {
            let count = row.kept.get(*kind)?;
            Some((
                grouped(*count),
                format!("{href}?kind={}#faults", segment(kind)),
            ))
        };
        FaultRow {
            name: row.name.clone(),
            all: grouped(row.faults),
            counts: kinds.keys().map(kept).collect(),
            href: format!("{href}#faults"),
        }
    };
    (
        faulty.take(LISTED).map(row).collect(),
        count.saturating_sub(LISTED),
    )
}

/// Which part of a list is shown, and the links to the parts around it.
fn pages(wish: &Wish, count: usize, most: usize) -> Pages {
    paged(wish.page, count, most, |page| {
        wish.but(|wish| wish.page = page)
    })
}

/// The same for any list.
pub(super) fn paged(
    page: usize,
    count: usize,
    most: usize,
    link: impl Fn(usize) -> String,
) -> Pages {
    let first = (page - 1).saturating_mul(most).min(count);
    let last = (first + most).min(count);
    let is_whole = first == 0 && last == count;
    Pages {
        shown: match is_whole {
            true => String::new(),
            false => {
                let [first, last, count] =
                    [(first + 1).min(last), last, count].map(|n| grouped(n as u64));
                format!("{first} to {last} of {count}")
            }
        },
        before: (page > 1).then(|| link((page - 1).min(count.div_ceil(most).max(1)))),
        after: (last < count).then(|| link(page + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fourth of six is like everybody, but the first three are not like the last two.
    #[test]
    fn a_line_joins_nobody_who_is_told_apart_from_another_on_it() {
        assert_eq!(together(&[3, 3, 3, 5, 5, 5]), [(0, 3), (3, 5)]);
        assert_eq!(together(&[0, 2, 2]), [(1, 2)]);
        assert_eq!(together(&[0, 1, 2]), []);
    }
}
