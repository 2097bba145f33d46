//! `/contest/NAME/player/P`: one player, its results against each other, its rating as the contest
//! went on, its games, and every fault of it.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query, State as Extract};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use croupier_arena::{FaultHead, GameOf, Page as Part, RankBy, Rating, measured, shown};
use croupier_core::{grouped, ordinal};

use super::charts::{Scale, WIDTH};
use super::page::{Fields, Head, Pages, fragment, game_title, head, is_known, paged};
use super::snapshot::{Row, Snapshot, State};
use super::text::{first_line, name as short, segment};
use super::{Seen, contest, read};
use crate::Room;
use crate::refusal::{Refusal, render};

/// So many faults are on a page.
const FAULTS: usize = 1000;

/// So many blocks of games are on a page.
const BLOCKS: u64 = 25;

/// So much of what happened is shown in a list.
const DETAIL: usize = 240;

#[derive(Template)]
#[template(path = "contest_player.html")]
struct Page {
    contest: String,
    name: String,
    title: String,
    is_live: bool,
    version: u64,
    live: String,
}

#[derive(Template)]
#[template(path = "contest_player_live.html")]
struct Live {
    address: String,
    contest: String,
    head: Head,
    name: String,
    spec: String,
    remark: Option<String>,
    facts: Vec<(&'static str, String, String)>,
    course: Option<Course>,
    others: Vec<Other>,
    others_left_out: usize,
    places: Vec<(String, String, f64)>,
    seats: Vec<(String, String, f64)>,
    games: Vec<Game>,
    game_pages: Pages,
    fault_count: String,
    kinds: Vec<KindLink>,
    faults: Vec<Fault>,
    fault_pages: Pages,
}

struct Course {
    line: String,
    band: String,
    y_labels: Vec<String>,
    y_lines: Vec<f64>,
    x_labels: Vec<String>,
    words: String,
    dots: Vec<(f64, f64)>,
}

struct Other {
    name: String,
    href: String,
    won: String,
    tied: String,
    lost: String,
    share: String,
    /// The lengths of the bar's parts.
    bar: [f64; 3],
}

struct Game {
    round: String,
    seats: Vec<Seated>,
    note: Option<String>,
    replay: Option<String>,
}

struct Seated {
    name: String,
    is_own: bool,
    place: String,
    score: i64,
}

struct KindLink {
    word: String,
    count: String,
    link: String,
    is_chosen: bool,
}

struct Fault {
    href: String,
    kind: String,
    at: String,
    detail: String,
}

/// What a reader wants to see of a player.
struct Wish {
    kind: String,
    faults: usize,
    games: usize,
}

impl Wish {
    fn read(fields: &[(String, String)]) -> Wish {
        let get = |name: &str| {
            let found = fields.iter().find(|(own, _)| own == name);
            found.map_or("", |(_, value)| value.as_str())
        };
        let page = |name: &str| get(name).parse().unwrap_or(1).clamp(1, 1 << 20);
        Wish {
            kind: get("kind").chars().take(16).collect(),
            faults: page("faults"),
            games: page("games"),
        }
    }

    fn query(&self, kind: &str, faults: usize, games: usize) -> String {
        let mut fields = Vec::new();
        if !kind.is_empty() {
            fields.push(format!("kind={}", segment(kind)));
        }
        if faults > 1 {
            fields.push(format!("faults={faults}"));
        }
        if games > 1 {
            fields.push(format!("games={games}"));
        }
        format!("?{}", fields.join("&"))
    }
}

pub(super) async fn show(
    Extract(room): Extract<Arc<Room>>,
    Path((contest_name, player)): Path<(String, String)>,
    Query(fields): Fields,
) -> Result<Response, Refusal> {
    let seen = contest(&room, &contest_name).await?;
    let name = found(&seen, &player)?.name.clone();
    let live = live(&room, &contest_name, &seen, &player, &fields).await?;
    render(&Page {
        title: game_title(&room, &seen.snapshot.game),
        contest: contest_name,
        name,
        is_live: seen.snapshot.state != State::Over,
        version: seen.snapshot.version,
        live,
    })
}

pub(super) async fn present(
    Extract(room): Extract<Arc<Room>>,
    Path((name, player)): Path<(String, String)>,
    Query(fields): Fields,
) -> Result<Response, Refusal> {
    let seen = contest(&room, &name).await?;
    if is_known(&fields, &seen) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let live = live(&room, &name, &seen, &player, &fields).await?;
    fragment(&seen, live)
}

fn found<'a>(seen: &'a Seen, handle: &str) -> Result<&'a Row, Refusal> {
    let row = seen.snapshot.find(handle);
    row.ok_or_else(|| Refusal::missing("Nobody of that name takes part in this contest."))
}

/// What the store tells of a player.
struct Told {
    course: Vec<(u64, Rating)>,
    games: Vec<GameOf>,
    faults: Vec<FaultHead>,
}

async fn live(
    room: &Room,
    name: &str,
    seen: &Seen,
    player: &str,
    fields: &[(String, String)],
) -> Result<String, Refusal> {
    let row = found(seen, player)?.clone();
    let wish = Wish::read(fields);
    let kind = (!wish.kind.is_empty()).then(|| wish.kind.clone());
    let (number, identity) = (row.number, row.identity.clone());
    let games = Part {
        skip: (wish.games as u64 - 1) * BLOCKS,
        most: BLOCKS,
    };
    let faults = Part {
        skip: (wish.faults as u64 - 1) * FAULTS as u64,
        most: FAULTS as u64,
    };
    let told = read(seen, move |seen, store| {
        Ok(Told {
            games: seen.contest.games_of(store, number, games)?,
            faults: store.fault_heads(Some(&identity), kind.as_deref(), faults)?,
            course: seen.course(number),
        })
    });
    let told = told.await?;
    let live = Live::of(room, name, &seen.snapshot, &row, &wish, told);
    live.render()
        .map_err(|error| Refusal::machine("render a page", &error))
}

impl Live {
    fn of(
        room: &Room,
        name: &str,
        snapshot: &Snapshot,
        row: &Row,
        wish: &Wish,
        told: Told,
    ) -> Live {
        let address = format!("/contest/{}", segment(name));
        let kept: u64 = match wish.kind.as_str() {
            "" => row.kept.values().sum(),
            kind => row.kept.get(kind).copied().unwrap_or_default(),
        };
        let blocks = row.standing.games / snapshot.games_of_a_block.max(1);
        let (others, others_left_out) = others(&address, snapshot, row);
        Live {
            contest: name.to_owned(),
            head: head(room, snapshot),
            name: row.name.clone(),
            spec: short(&row.spec),
            remark: row.remark.clone(),
            facts: facts(snapshot, row),
            course: course(&told.course),
            others,
            others_left_out,
            places: places(row),
            seats: seats(snapshot, row),
            games: told
                .games
                .into_iter()
                .map(|game| self::game(name, snapshot, row, game))
                .collect(),
            game_pages: paged(wish.games, blocks as usize, BLOCKS as usize, |page| {
                wish.query(&wish.kind, wish.faults, page) + "#games"
            })
            .in_words("blocks"),
            fault_count: count_of_faults(row),
            kinds: kinds(row, wish),
            faults: told
                .faults
                .iter()
                .map(|head| fault(&address, head))
                .collect(),
            fault_pages: paged(wish.faults, kept as usize, FAULTS, |page| {
                wish.query(&wish.kind, page, wish.games) + "#faults"
            }),
            address,
        }
    }
}

impl Pages {
    fn in_words(mut self, what: &str) -> Pages {
        if !self.shown.is_empty() {
            self.shown = format!("{what} {}", self.shown);
        }
        self
    }
}

fn facts(snapshot: &Snapshot, row: &Row) -> Vec<(&'static str, String, String)> {
    let mut facts = Vec::new();
    if let Some(rank) = row.rank {
        let group = row.group.filter(|(first, last)| first != last);
        let group = group.map(|(first, last)| format!("cannot be told apart from {first}–{last}"));
        facts.push(("Rank", rank.to_string(), group.unwrap_or_default()));
    }
    if row.standing.games == 0 {
        return facts;
    }
    let standing = &row.standing;
    let interval =
        |interval: Option<[f64; 2]>| interval.map_or(String::new(), |interval| shown(interval, 2));
    let points = (
        "Points a game",
        format!("{:.3}", standing.mean_points()),
        interval(row.points_interval),
    );
    let score = (
        "Score a game",
        format!("{:.3}", standing.mean_score()),
        interval(row.score_interval),
    );
    match snapshot.rank_by {
        RankBy::Points => facts.extend([points, score]),
        RankBy::Score => facts.extend([score, points]),
    }
    let rating = row.rating;
    facts.push((
        "Rating",
        format!("{:.0}", rating.rating),
        shown(rating.interval, 0),
    ));
    facts.push((
        "Games",
        grouped(standing.games),
        format!("{} won alone", grouped(standing.wins)),
    ));
    facts.push(("Faults", grouped(row.faults), String::new()));
    if let Some((decisions, median, slowest)) = row.times {
        let words = format!(
            "median of {} decisions; slowest {}",
            grouped(decisions),
            measured(slowest)
        );
        facts.push(("Time", measured(median), words));
    }
    facts
}

fn course(course: &[(u64, Rating)]) -> Option<Course> {
    let (&(last, now), &(first, _)) = (course.last()?, course.first()?);
    if course.len() < 2 {
        return None;
    }
    let y = Scale::over(course.iter().flat_map(|(_, rating)| rating.interval), 4.0);
    let along = |games: u64| WIDTH * (games - first) as f64 / (last - first).max(1) as f64;
    let point =
        |(games, value): (u64, f64)| format!("{:.1},{:.1}", along(games), y.below_top(value));
    let points =
        |values: Vec<(u64, f64)>| values.into_iter().map(point).collect::<Vec<_>>().join(" ");
    let line = points(
        course
            .iter()
            .map(|(games, rating)| (*games, rating.rating))
            .collect(),
    );
    let upper = course
        .iter()
        .map(|(games, rating)| (*games, rating.interval[1]));
    let lower = course
        .iter()
        .rev()
        .map(|(games, rating)| (*games, rating.interval[0]));
    let mut y_labels = y.labels();
    y_labels.reverse();
    Some(Course {
        line,
        band: points(upper.chain(lower).collect()),
        y_lines: y.lines(),
        y_labels,
        x_labels: vec![
            format!("{} games", grouped(first)),
            grouped(first + (last - first) / 2),
            grouped(last),
        ],
        words: format!(
            "The rating after {} to {} games, with its 95 % interval. Now it is {:.0}, {}.",
            grouped(first),
            grouped(last),
            now.rating,
            shown(now.interval, 0)
        ),
        dots: course
            .iter()
            .map(|(games, rating)| (along(*games).round(), y.below_top(rating.rating)))
            .collect(),
    })
}

/// So many others are listed; the best first.
const OTHERS: usize = 300;

fn others(address: &str, snapshot: &Snapshot, row: &Row) -> (Vec<Other>, usize) {
    let met = snapshot.rows.iter().filter_map(|other| {
        let meeting = snapshot.meeting(row.number, other.number)?;
        let games = (meeting.won + meeting.tied + meeting.lost).max(1.0);
        let part = |count: f64| (WIDTH * count / games * 10.0).round() / 10.0;
        Some(Other {
            name: other.name.clone(),
            href: format!("{address}/player/{}", segment(&other.handle)),
            won: grouped(meeting.won as u64),
            tied: grouped(meeting.tied as u64),
            lost: grouped(meeting.lost as u64),
            share: format!("{:.0}", 100.0 * (meeting.won + meeting.tied / 2.0) / games),
            bar: [part(meeting.won), part(meeting.tied), part(meeting.lost)],
        })
    });
    let mut others: Vec<Other> = met.collect();
    let left_out = others.len().saturating_sub(OTHERS);
    others.truncate(OTHERS);
    (others, left_out)
}

/// How often it finished in each place, and how long that is drawn.
fn places(row: &Row) -> Vec<(String, String, f64)> {
    let most = row
        .standing
        .places
        .iter()
        .copied()
        .max()
        .unwrap_or(0)
        .max(1);
    let places = row.standing.places.iter().enumerate();
    let places = places.map(|(place, &times)| {
        let length = WIDTH * times as f64 / most as f64;
        (ordinal(place + 1), grouped(times), length.round())
    });
    places.filter(|_| row.standing.games > 0).collect()
}

fn seats(snapshot: &Snapshot, row: &Row) -> Vec<(String, String, f64)> {
    let best = snapshot.seats.saturating_sub(1).max(1) as f64;
    let seats = row.standing.by_seat.iter().enumerate();
    let seats = seats.filter(|(_, (games, _))| *games > 0);
    let seats = seats.map(|(seat, &(games, halves))| {
        let points = halves as f64 / 2.0 / games as f64;
        let length = (WIDTH * points / best).clamp(0.0, WIDTH);
        (
            format!("{} seat", ordinal(seat + 1)),
            format!("{points:.3}"),
            length.round(),
        )
    });
    seats.collect()
}

fn game(contest: &str, snapshot: &Snapshot, row: &Row, game: GameOf) -> Game {
    let seats = game
        .seated
        .iter()
        .enumerate()
        .map(|(seat, &number)| Seated {
            name: snapshot
                .row_of(number)
                .map_or(String::new(), |row| row.name.clone()),
            is_own: number == row.number,
            place: game
                .outcome
                .places
                .get(seat)
                .map_or(String::new(), ToString::to_string),
            score: game.outcome.scores.get(seat).copied().unwrap_or_default(),
        });
    Game {
        round: grouped(game.round + 1),
        seats: seats.collect(),
        note: game
            .outcome
            .note
            .as_deref()
            .map(|note| first_line(note, DETAIL)),
        replay: game
            .is_recorded
            .then(|| format!("/replay/contest/{}/{}", segment(contest), segment(&game.id))),
    }
}

fn count_of_faults(row: &Row) -> String {
    let kept: u64 = row.kept.values().sum();
    match (row.faults, kept) {
        (0, _) => "None.".to_owned(),
        (1, 1) => "One fault.".to_owned(),
        (all, kept) if kept < all => format!(
            "{} faults, of which {} are kept with everything that repeats them.",
            grouped(all),
            grouped(kept)
        ),
        (all, _) => format!("{} faults.", grouped(all)),
    }
}

fn kinds(row: &Row, wish: &Wish) -> Vec<KindLink> {
    let all = ("", row.kept.values().sum::<u64>());
    let each = row.kept.iter().map(|(kind, count)| (kind.as_str(), *count));
    let links = std::iter::once(all)
        .chain(each)
        .map(|(kind, count)| KindLink {
            word: if kind.is_empty() { "all" } else { kind }.to_owned(),
            count: grouped(count),
            link: wish.query(kind, 1, wish.games) + "#faults",
            is_chosen: wish.kind == kind,
        });
    // With one kind there is nothing to choose.
    match row.kept.len() {
        0 | 1 => Vec::new(),
        _ => links.collect(),
    }
}

fn fault(address: &str, head: &FaultHead) -> Fault {
    Fault {
        href: format!("{address}/fault/{}", segment(&head.id)),
        kind: short(&head.kind),
        at: where_in(head),
        detail: first_line(&head.detail, DETAIL),
    }
}

/// In which round, game and seat a fault was.
pub(super) fn where_in(head: &FaultHead) -> String {
    match head.round {
        None => "before the first game".to_owned(),
        Some(round) => format!(
            "round {}, game {}, {} seat",
            grouped(round.saturating_add(1)),
            grouped(head.game.saturating_add(1)),
            ordinal(
                usize::try_from(head.seat)
                    .unwrap_or_default()
                    .saturating_add(1)
            )
        ),
    }
}
