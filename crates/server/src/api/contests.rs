//! Contests: how they stand, and every fault in them.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use croupier_arena::{Page, Rating};

use super::described::described;
use crate::Room;
use crate::contests::{self, Row, Seen};
use crate::faults;
use crate::refusal::Refusal;

/// So many faults are sent at once.
const MOST_FAULTS: u64 = 1000;

described! {
    /// A contest in a list.
    ContestListed {
        /// The name in its address.
        name: String,
        /// The game.
        game: String,
        /// `round-robin`, `swiss` or `gauntlet`.
        format: String,
        /// How many players take part.
        players: usize,
        /// How many rounds it has.
        rounds: u64,
        /// Whether it is played at this moment.
        live: bool,
    }
}

described! {
    /// A contest as it stands.
    ContestSeen {
        /// The name in its address.
        name: String,
        /// The game.
        game: String,
        /// `round-robin`, `swiss` or `gauntlet`.
        format: String,
        /// `live`, `stopped` or `finished`.
        state: String,
        /// A greater one is later.
        version: u64,
        /// How many rounds it has.
        rounds: u64,
        /// How many sit at a table.
        seats: usize,
        /// `points` or `score`.
        rank_by: String,
        /// How many games were played.
        games: u64,
        /// How many there will have been.
        of: u64,
        /// How many decisions were made.
        decisions: u64,
        /// In how many seconds it will be over, if that can be said.
        seconds_left: Option<f64>,
        /// The players, the best first, then the staff, then those who cannot play.
        standings: Vec<StandingSeen>,
    }
}

described! {
    /// How one of those who take part stands.
    StandingSeen {
        /// What it is called by in addresses.
        handle: String,
        /// Its name.
        name: String,
        /// `player`, `staff` or `unusable`.
        kind: String,
        /// Its rank; equal players share one, and the staff has none.
        rank: Option<usize>,
        /// The ranks of the first and the last from whom it cannot be told apart.
        group: Option<Vec<usize>>,
        /// How many games it played.
        games: u64,
        /// How many it won alone.
        wins: u64,
        /// Its points for places, a game.
        mean_points: f64,
        /// The 95 % interval of that.
        mean_points_ci95: Option<Vec<f64>>,
        /// The game's own score, a game.
        mean_score: f64,
        /// The 95 % interval of that.
        mean_score_ci95: Option<Vec<f64>>,
        /// Its rating; none if it has not played.
        rating: Option<f64>,
        /// The 95 % interval of that.
        rating_ci95: Option<Vec<f64>>,
        /// How many faults it made.
        faults: u64,
        /// How many of each kind are kept.
        kept_faults: BTreeMap<String, u64>,
        /// What else is to be said of it.
        remark: Option<String>,
    }
}

described! {
    /// Some faults of a contest, in its order.
    FaultsSeen {
        /// The faults.
        faults: Vec<FaultListed>,
        /// What to ask for as `skip` to get the next ones, if there may be more.
        next: Option<u64>,
    }
}

described! {
    /// A fault in a list.
    FaultListed {
        /// Its number.
        id: String,
        /// The name of the player whose fault it is.
        name: String,
        /// Its kind.
        kind: String,
        /// What happened.
        detail: String,
        /// In which round it was, from 1; none if it keeps the player from taking part.
        round: Option<u64>,
        /// The game in its block, from 1.
        game: u64,
        /// The seat, from 0.
        seat: u64,
    }
}

described! {
    /// A fault with everything that belongs to it.
    FaultSeen {
        /// Its number.
        id: String,
        /// The name of the player whose fault it is.
        name: String,
        /// Its kind.
        kind: String,
        /// The rule that faults of this kind break.
        rule: String,
        /// What happened.
        detail: String,
        /// In which round it was, from 1; none if it keeps the player from taking part.
        round: Option<u64>,
        /// The game in its block, from 1.
        game: u64,
        /// The seat, from 0.
        seat: u64,
        /// What the program was given, as a person reads it.
        given: String,
        /// What would have been legal, as far as the game says so in text.
        legal: Vec<String>,
        /// What it answered.
        answer: String,
        /// What it wrote to its standard error.
        errors: String,
        /// How long it took, in seconds.
        seconds: f64,
        /// How long it had.
        limit_seconds: f64,
        /// The command that repeats it.
        repeat: String,
        /// The number of its game, if the record of it is kept.
        record: Option<String>,
    }
}

pub(super) async fn all(
    State(room): State<Arc<Room>>,
) -> Result<Json<Vec<ContestListed>>, Refusal> {
    let listing = contests::listed(&room).await?;
    let listed = listing.contests.iter().map(|contest| ContestListed {
        format: word(&contest.format),
        name: contest.name.clone(),
        game: contest.game.clone(),
        players: contest.players,
        rounds: contest.rounds,
        live: contest.is_played,
    });
    Ok(Json(listed.collect()))
}

pub(super) async fn show(
    State(room): State<Arc<Room>>,
    Path(name): Path<String>,
) -> Result<Json<ContestSeen>, Refusal> {
    let seen = contests::contest(&room, &name).await?;
    let snapshot = &seen.snapshot;
    Ok(Json(ContestSeen {
        name,
        game: snapshot.game.clone(),
        format: word(&snapshot.format),
        state: snapshot.state.word().to_owned(),
        version: snapshot.version,
        rounds: snapshot.rounds,
        seats: snapshot.seats,
        rank_by: snapshot.rank_by.to_string(),
        games: snapshot.progress.games,
        of: snapshot.progress.of,
        decisions: snapshot.decisions,
        seconds_left: snapshot.left.map(|left| left.as_secs_f64().round()),
        standings: snapshot.rows.iter().map(StandingSeen::of).collect(),
    }))
}

pub(super) async fn faults(
    State(room): State<Arc<Room>>,
    Path(name): Path<String>,
    Query(fields): Query<BTreeMap<String, String>>,
) -> Result<Json<FaultsSeen>, Refusal> {
    let seen = contests::contest(&room, &name).await?;
    let player = match fields.get("player") {
        Some(handle) => Some(identity(&seen, handle)?),
        None => None,
    };
    let kind = fields.get("kind").cloned();
    let skip = match fields.get("skip") {
        None => 0,
        Some(skip) => skip
            .parse()
            .map_err(|_| Refusal::bad("The number after skip must be a whole number."))?,
    };
    let page = Page {
        skip,
        most: MOST_FAULTS,
    };
    let heads = contests::read(&seen, move |_, store| {
        store.fault_heads(player.as_deref(), kind.as_deref(), page)
    });
    let faults = heads.await?.into_iter().map(|head| FaultListed {
        id: head.id,
        name: head.name,
        kind: head.kind,
        detail: head.detail,
        round: head.round.map(|round| round.saturating_add(1)),
        game: head.game.saturating_add(1),
        seat: head.seat,
    });
    let faults: Vec<FaultListed> = faults.collect();
    let next = skip.saturating_add(faults.len() as u64);
    Ok(Json(FaultsSeen {
        next: (faults.len() as u64 == MOST_FAULTS).then_some(next),
        faults,
    }))
}

pub(super) async fn fault(
    State(room): State<Arc<Room>>,
    Path((name, id)): Path<(String, String)>,
) -> Result<Json<FaultSeen>, Refusal> {
    let seen = contests::contest(&room, &name).await?;
    let found = contests::find_fault(&seen, &id).await?;
    let (head, fault) = (found.head, found.fault);
    let umpire = room.contests.umpire(&seen.snapshot.game);
    Ok(Json(FaultSeen {
        rule: faults::rule(fault.kind).to_owned(),
        given: faults::given(umpire, &fault),
        repeat: contests::repeat(&seen, &head.id),
        id: head.id,
        name: head.name,
        kind: head.kind,
        detail: fault.detail,
        round: head.round.map(|round| round.saturating_add(1)),
        game: head.game.saturating_add(1),
        seat: head.seat,
        legal: fault.exchange.legal,
        answer: String::from_utf8_lossy(&fault.exchange.answer.0).into_owned(),
        errors: fault.exchange.errors,
        seconds: fault.exchange.took.as_secs_f64(),
        limit_seconds: fault.limits.decision.as_secs_f64(),
        record: found.game,
    }))
}

fn identity(seen: &Seen, handle: &str) -> Result<String, Refusal> {
    let row = seen.snapshot.find(handle);
    let row = row.ok_or_else(|| Refusal::missing("Nobody of that name takes part."))?;
    Ok(row.identity.clone())
}

/// A value that is written as a word.
fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

impl StandingSeen {
    fn of(row: &Row) -> StandingSeen {
        let Rating { rating, interval } = row.rating;
        let has_played = row.standing.games > 0;
        StandingSeen {
            handle: row.handle.clone(),
            name: row.name.clone(),
            kind: row.kind.word().to_owned(),
            rank: row.rank,
            group: row.group.map(|(first, last)| vec![first, last]),
            games: row.standing.games,
            wins: row.standing.wins,
            mean_points: row.standing.mean_points(),
            mean_points_ci95: row.points_interval.map(Vec::from),
            mean_score: row.standing.mean_score(),
            mean_score_ci95: row.score_interval.map(Vec::from),
            rating: has_played.then_some(rating),
            rating_ci95: has_played.then(|| interval.to_vec()),
            faults: row.faults,
            kept_faults: row.kept.clone(),
            remark: row.remark.clone(),
        }
    }
}
