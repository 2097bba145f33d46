//! The page of a recorded game: the board at one moment, the moves, and the steps between them.

use std::sync::Arc;

use askama::Template;
use axum::Json;
use axum::extract::{Query, State};
use axum::response::{IntoResponse as _, Response};
use croupier_core::{Audience, Company, Seat, quoted};
use serde::{Deserialize, Serialize};

use super::looking::{Asked, Looking};
use super::source::{Key, Recorded};
use super::verdict::{Sign, Told};
use crate::Room;
use crate::contests::segment;
use crate::pages::{LogEntry, Shown, ended, told_of};
use crate::person::Asker;
use crate::refusal::{Refusal, render};

/// Of a longer game the list shows the moves around the moment.
const LISTED: usize = 1200;

/// So many moments are sent at a time.
const MOST_MOMENTS: usize = 24;

/// No line of the list is longer.
const LONGEST_LINE: usize = 300;

#[derive(Template)]
#[template(path = "replay/page.html")]
struct Page {
    title: &'static str,
    game: &'static str,
    origin: String,
    back: Option<String>,
    board: String,
}

/// The board with everything that belongs to a moment.
#[derive(Template)]
#[template(path = "replay/board.html")]
struct Board {
    looking: Looking,
    /// Where moments and reviews are asked for.
    source: String,
    /// What is asked for there besides the moment.
    words: String,
    seen_by: Vec<Eyes>,
    moment: String,
    first: Option<String>,
    before: Option<String>,
    after: Option<String>,
    end: Option<String>,
    costly_before: Option<String>,
    costly_after: Option<String>,
    log: Vec<Line>,
    is_part: bool,
    is_over: bool,
    can_review: bool,
    is_reviewed: bool,
    review_address: String,
    review: String,
    verdict: Option<String>,
    onward: Option<Onward>,
    saved: Option<String>,
    record: Option<String>,
    form: Vec<(String, String)>,
}

/// A way to look at the game.
struct Eyes {
    label: String,
    address: String,
    is_current: bool,
}

/// A line of the list.
struct Line {
    at: usize,
    address: String,
    is_current: bool,
    entry: LogEntry,
    sign: Option<Sign>,
}

/// The game from this moment on, against the experts.
struct Onward {
    seats: Vec<(usize, String)>,
    has_seen_all: bool,
}

/// The board at one moment.
#[derive(Template)]
#[template(path = "replay/moment.html")]
struct Moment {
    at: usize,
    last: usize,
    line: String,
    more: Vec<String>,
    drawing: String,
    result: Option<Shown>,
}

/// A moment as a script gets it.
#[derive(Serialize)]
struct Sent {
    at: usize,
    html: String,
}

/// The moves up to a moment, in words.
fn log(recorded: &Recorded, audience: Audience) -> Vec<LogEntry> {
    let played = &recorded.played;
    let reader = recorded.reader(audience);
    let names = recorded.names(reader);
    let log = told_of(
        played.entry,
        &*played.game,
        Company::new(&names, reader),
        audience,
        0,
        played.game.steps(),
    );
    let short = |text: String| quoted(&text, LONGEST_LINE);
    log.into_iter()
        .map(|entry| LogEntry {
            version: entry.version,
            line: short(entry.line),
            more: entry.more.into_iter().map(short).collect(),
        })
        .collect()
}

/// The board at a moment, as HTML.
pub(super) fn moment(
    recorded: &Recorded,
    audience: Audience,
    log: &[LogEntry],
    at: usize,
) -> Result<String, Refusal> {
    let game = recorded.played.game.after(at);
    let reader = recorded.reader(audience);
    let names = recorded.names(reader);
    let company = Company::new(&names, reader);
    let last = recorded.played.game.steps();
    let entry = at.checked_sub(1).and_then(|place| log.get(place));
    let is_end = at == last && game.to_move().is_none();
    let moment = Moment {
        at,
        last,
        line: entry.map_or("The cards are dealt.".to_owned(), |entry| {
            entry.line.clone()
        }),
        more: entry.map_or(Vec::new(), |entry| entry.more.clone()),
        drawing: game.drawn(audience, company.looking_back()).html,
        result: is_end.then(|| ended(recorded.played.entry, game.outcome(), company)),
    };
    let html = moment.render();
    html.map_err(|error| Refusal::machine("render a moment", &error))
}

/// All moments of a game, each as HTML.
pub(super) fn all_moments(
    recorded: &Recorded,
    audience: Audience,
) -> Result<(Vec<LogEntry>, Vec<String>), Refusal> {
    let log = log(recorded, audience);
    let moments = 0..=recorded.played.game.steps();
    let moments = moments.map(|at| moment(recorded, audience, &log, at));
    let moments = moments.collect::<Result<_, _>>()?;
    Ok((log, moments))
}

/// Does something that takes its time on a thread where that is no matter.
pub(super) async fn aside<T: Send + 'static>(
    room: &Room,
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let desk = Arc::clone(&room.replays.desks).acquire_owned().await;
    let done = tokio::task::spawn_blocking(move || {
        // It is taken as long as somebody works there, also if nobody waits for it any more.
        let _desk = desk;
        work()
    });
    let done = done.await;
    done.unwrap_or_else(|error| Err(Refusal::machine("show a game", &error)))
}

impl Board {
    /// The board, whatever the page around it.
    fn of(room: &Room, recorded: &Recorded, looking: Looking) -> Result<Board, Refusal> {
        let audience = looking.audience;
        let (at, last) = (looking.at, looking.last);
        let entries = log(recorded, audience);
        let moment = moment(recorded, audience, &entries, at)?;
        let player = looking.player.filter(|_| looking.review);
        let reviewed = player
            .map(|player| room.replays.reviews.ask(recorded, player))
            .transpose()?;
        let told = player.zip(reviewed.as_ref());
        let told = told.map(|(player, reviewed)| Told {
            recorded,
            looking: &looking,
            player,
            reviewed,
        });
        let signs = told.as_ref().map(Told::signs).unwrap_or_default();
        let review = told.as_ref().map(Told::of_game).transpose()?;
        let verdict = told.as_ref().map(|told| told.of_move(at)).transpose()?;
        let is_part = entries.len() > LISTED;
        let near = |entry: &LogEntry| entry.version.abs_diff(at) <= LISTED / 2;
        let lines = entries.into_iter().filter(|entry| !is_part || near(entry));
        let lines = lines.map(|entry| Line {
            at: entry.version,
            address: looking.address(entry.version),
            is_current: entry.version == at,
            sign: signs.get(&entry.version).cloned(),
            entry,
        });
        let step = |to: Option<usize>| to.map(|to| looking.address(to));
        let costly_before = signs.range(..at).next_back().map(|(&at, _)| at);
        let costly_after = signs.range(at + 1..).next().map(|(&at, _)| at);
        let is_over = recorded.is_over();
        let decides = recorded.played.entry.profile.decisions;
        let is_saved = !matches!(recorded.key, Key::War(_));
        Ok(Board {
            source: recorded.key.to_string(),
            words: looking.words(),
            seen_by: eyes(recorded, &looking),
            moment,
            first: step((at > 0).then_some(0)),
            before: step(at.checked_sub(1)),
            after: step((at < last).then_some(at + 1)),
            end: step((at < last).then_some(last)),
            costly_before: step(costly_before),
            costly_after: step(costly_after),
            log: lines.collect(),
            is_part,
            is_over,
            can_review: looking.player.is_some(),
            is_reviewed: told.is_some(),
            review_address: looking.reviewed().address(at),
            review: review.unwrap_or_default(),
            verdict: verdict.flatten(),
            onward: (is_over && decides && at < last).then(|| onward(recorded, audience)),
            saved: (is_over && is_saved).then(|| looking.page("/saved", "")),
            record: is_over.then(|| recorded.record_address()).flatten(),
            form: looking.form_words(),
            looking,
        })
    }
}

/// The ways to look at a game.
fn eyes(recorded: &Recorded, looking: &Looking) -> Vec<Eyes> {
    if !recorded.played.entry.profile.decisions {
        return Vec::new();
    }
    let eyes = |label: String, audience: Audience, player: Option<Seat>| Eyes {
        label,
        address: looking.seen_by(audience, player).address(looking.at),
        is_current: looking.audience == audience,
    };
    let mut all = Vec::new();
    for (place, name) in recorded.played.names.iter().enumerate() {
        let seat = Seat::from(place);
        if recorded.is_over() || recorded.own == Some(seat) {
            all.push(eyes(name.clone(), Audience::Seat(seat), Some(seat)));
        }
    }
    if recorded.is_over() {
        all.push(eyes(
            "All cards".to_owned(),
            Audience::Referee,
            looking.player,
        ));
    } else {
        all.push(eyes("What lies open".to_owned(), Audience::Onlooker, None));
    }
    all
}

fn onward(recorded: &Recorded, audience: Audience) -> Onward {
    let names = recorded.played.names.iter().cloned().enumerate();
    let may = |place: usize| match audience {
        Audience::Seat(seat) => seat.index() == place,
        Audience::Referee | Audience::Onlooker => true,
    };
    Onward {
        seats: names.filter(|(place, _)| may(*place)).collect(),
        has_seen_all: audience == Audience::Referee,
    }
}

/// The board of a recorded game, for a page of its own or within another.
pub(crate) async fn board(
    room: &Arc<Room>,
    recorded: Recorded,
    looking: Looking,
) -> Result<String, Refusal> {
    let own = Arc::clone(room);
    let runtime = tokio::runtime::Handle::current();
    aside(room, move || {
        // A review that is begun here runs on the same runtime.
        let _inside = runtime.enter();
        let board = Board::of(&own, &recorded, looking)?;
        let html = board.render();
        html.map_err(|error| Refusal::machine("render a game", &error))
    })
    .await
}

pub(super) async fn show(
    State(room): State<Arc<Room>>,
    key: Key,
    Query(asked): Query<Asked>,
    asker: Asker,
) -> Result<Response, Refusal> {
    let recorded = Recorded::find(&room, key, asker.person().as_ref()).await?;
    let looking = Looking::of(&recorded, &asked)?;
    let profile = recorded.played.entry.profile;
    let back = match &recorded.key {
        Key::Table(id) => Some(format!("/table/{id}")),
        Key::Contest(name, _) => Some(format!("/contest/{}", segment(name))),
        _ => None,
    };
    let page = Page {
        title: profile.title,
        game: profile.name,
        origin: recorded.origin.clone(),
        back,
        board: board(&room, recorded, looking).await?,
    };
    render(&page)
}

/// Which moments are wanted.
#[derive(Deserialize)]
pub(super) struct Range {
    from: usize,
    count: usize,
}

/// Some moments, for a script that has them ready before they are wanted.
pub(super) async fn moments(
    State(room): State<Arc<Room>>,
    key: Key,
    Query(asked): Query<Asked>,
    Query(range): Query<Range>,
    asker: Asker,
) -> Result<Response, Refusal> {
    let recorded = Recorded::find(&room, key, asker.person().as_ref()).await?;
    let looking = Looking::of(&recorded, &asked)?;
    let sent = aside(&room, move || {
        let log = log(&recorded, looking.audience);
        let wanted = (range.from..).take(range.count.min(MOST_MOMENTS));
        let wanted = wanted.take_while(|&at| at <= looking.last);
        wanted
            .map(|at| {
                let html = moment(&recorded, looking.audience, &log, at)?;
                Ok(Sent { at, html })
            })
            .collect::<Result<Vec<_>, Refusal>>()
    });
    Ok(Json(sent.await?).into_response())
}

/// The review as far as it has come, for a script that asks from time to time.
pub(super) async fn review(
    State(room): State<Arc<Room>>,
    key: Key,
    Query(asked): Query<Asked>,
    asker: Asker,
) -> Result<Response, Refusal> {
    let recorded = Recorded::find(&room, key, asker.person().as_ref()).await?;
    let looking = Looking::of(&recorded, &asked)?.reviewed();
    let player = looking.player.ok_or_else(|| {
        Refusal::conflict(
            "There is a review when the game is over, of a player whose cards are shown, if the \
             game has an expert.",
        )
    })?;
    let reviewed = room.replays.reviews.ask(&recorded, player)?;
    let message = aside(&room, move || {
        let told = Told {
            recorded: &recorded,
            looking: &looking,
            player,
            reviewed: &reviewed,
        };
        told.message()
    });
    Ok(Json(message.await?).into_response())
}
