//! Recorded games: which there are, and what a seat may hear of one.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use croupier_core::{Audience, Event, Seat};
use serde_json::{Value, json};

use super::described::described;
use crate::Room;
use crate::person::Asker;
use crate::refusal::{Refusal, plain};
use crate::replay::{Key, Recorded};

described! {
    /// A recorded game.
    RecordSeen {
        /// Its address under `/api/records/` and under `/replay/`: `record/NAME`, `table/ID`,
        /// `contest/NAME/GAME` or `dropped/ID`.
        id: String,
        /// The game.
        game: String,
        /// Who played, by seat.
        players: Vec<String>,
    }
}

described! {
    /// A recorded game with how it ended.
    RecordWhole {
        /// Its address under `/api/records/` and under `/replay/`.
        id: String,
        /// The game.
        game: String,
        /// The version of the game's rules.
        version: u64,
        /// Who played, by seat.
        players: Vec<String>,
        /// How many moves and fouls there were.
        steps: usize,
        /// How it ended.
        outcome: Value,
    }
}

/// The records on the shelf, and the games of tables that are over.
pub(super) async fn all(State(room): State<Arc<Room>>) -> Json<Vec<RecordSeen>> {
    let found = room.shelf.found().await;
    let records = found.records.iter().map(|(name, record)| RecordSeen {
        id: format!("record/{name}"),
        game: record.facts.game.clone(),
        players: record.facts.players.clone(),
    });
    let tables = room.tables.all().into_iter();
    let over = tables.filter_map(|table| {
        let standing = table.standing();
        standing.game.to_move().is_none().then(|| RecordSeen {
            id: format!("table/{}", table.id),
            game: table.entry.profile.name.to_owned(),
            players: standing.names(Audience::Onlooker),
        })
    });
    Json(records.chain(over).collect())
}

async fn find(room: &Arc<Room>, key: Key, asker: &Asker) -> Result<Recorded, Refusal> {
    let recorded = Recorded::find(room, key, asker.person().as_ref()).await?;
    match recorded.played.game.to_move() {
        None => Ok(recorded),
        Some(_) => Err(Refusal::conflict(
            "The record can be had when the game is over.",
        )),
    }
}

pub(super) async fn show(
    State(room): State<Arc<Room>>,
    key: Key,
    asker: Asker,
) -> Result<Json<RecordWhole>, Refusal> {
    let recorded = find(&room, key, &asker).await?;
    let game = &recorded.played.game;
    let header = game.header(Vec::new());
    Ok(Json(RecordWhole {
        id: recorded.key.to_string().replacen("/replay/", "", 1),
        game: header.game,
        version: header.version.into(),
        players: recorded.played.names.clone(),
        steps: game.steps(),
        outcome: json!(game.outcome()),
    }))
}

fn events_for(recorded: &Recorded, audience: Audience) -> Json<Vec<Event>> {
    Json(recorded.played.game.events(audience))
}

/// Everything that happened.
pub(super) async fn events(
    State(room): State<Arc<Room>>,
    key: Key,
    asker: Asker,
) -> Result<Json<Vec<Event>>, Refusal> {
    let recorded = find(&room, key, &asker).await?;
    Ok(events_for(&recorded, Audience::Referee))
}

/// What a seat heard of it.
pub(super) async fn heard(
    State(room): State<Arc<Room>>,
    key: Key,
    Path(path): Path<Vec<(String, String)>>,
    asker: Asker,
) -> Result<Json<Vec<Event>>, Refusal> {
    let recorded = find(&room, key, &asker).await?;
    let given = path.iter().find(|(name, _)| name == "seat");
    let seat = given.and_then(|(_, seat)| seat.parse::<usize>().ok());
    let seat = seat.filter(|&seat| seat < recorded.played.game.seats());
    let seat = seat.ok_or_else(|| Refusal::missing("There is no such seat in this game."))?;
    Ok(events_for(&recorded, Audience::Seat(Seat::from(seat))))
}

/// The record itself.
pub(super) async fn text(
    State(room): State<Arc<Room>>,
    key: Key,
    asker: Asker,
) -> Result<Response, Refusal> {
    let recorded = find(&room, key, &asker).await?;
    Ok(plain("application/x-ndjson", recorded.text()))
}
