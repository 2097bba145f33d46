//! Games and tables.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use croupier_core::Options;

use super::types::{
    Founded, Game, Hint, HintAsked, MoveSent, NewTable, NotMadeSeen, SeatChange, TableSeen,
};
use crate::Room;
use crate::pages::{self, moving};
use crate::person::{Asker, Known};
use crate::refusal::{Refusal, Shown, plain};
use crate::tables::Table;

/// A body, or what is wrong with it.
type Body<T> = Result<Json<T>, JsonRejection>;

fn read<T>(body: Body<T>) -> Result<T, Refusal> {
    let Json(body) = body.map_err(|wrong| {
        let status = match wrong.status() {
            StatusCode::UNPROCESSABLE_ENTITY => StatusCode::BAD_REQUEST,
            status => status,
        };
        Refusal::new(status, croupier_core::quoted(&wrong.body_text(), 300))
    })?;
    Ok(body)
}

/// So many tables are listed.
const LISTED: usize = 100;

pub(super) async fn games(State(room): State<Arc<Room>>) -> Json<Vec<Game>> {
    let games = room.games.0.iter().map(|entry| Game::of(&room, *entry));
    Json(games.collect())
}

pub(super) async fn all(
    State(room): State<Arc<Room>>,
    asker: Asker,
) -> Result<Json<Vec<TableSeen>>, Refusal> {
    let person = asker.person();
    let tables = room.tables.all().into_iter().take(LISTED);
    let seen = tables.map(|table| TableSeen::of(&table, person.as_ref()));
    Ok(Json(seen.collect::<Result<_, _>>()?))
}

pub(super) async fn found(
    State(room): State<Arc<Room>>,
    asker: Asker,
    body: Body<NewTable>,
) -> Result<Response, Refusal> {
    let wanted = read(body)?;
    let entry = pages::game(&room, &wanted.game)?;
    let known = asker.known()?;
    let mut options: Options = wanted.options.unwrap_or_default();
    for option in entry.profile.options {
        if let Some(default) = option.default {
            let given = options.entry(option.name.to_owned());
            given.or_insert_with(|| default.to_owned());
        }
    }
    let (setup, seats) = pages::seats_of(entry, &options).map_err(Refusal::bad)?;
    let usual = format!("built-in:{}", pages::usual(entry));
    let chosen = wanted.seats.unwrap_or_else(|| {
        let others = std::iter::repeat_n(usual, seats.saturating_sub(1));
        std::iter::once("you".to_owned()).chain(others).collect()
    });
    if chosen.len() != seats {
        let given = chosen.len();
        return Err(Refusal::bad(format!(
            "This table has {seats} seats, and {given} are given."
        )));
    }
    let name = pages::name_of(wanted.name.as_deref());
    let seed = wanted.seed.as_deref();
    let wanted = pages::want(&room, entry, setup, &chosen, &name, seed, known.person())?;
    let table = room.tables.found(wanted).await?;
    let founded = seen(&table, &known)?;
    Ok(known.remember(&room, (StatusCode::CREATED, Json(founded)).into_response()))
}

fn seen(table: &Table, known: &Known) -> Result<Founded, Refusal> {
    Ok(Founded {
        token: known.secret().to_owned(),
        table: TableSeen::of(table, Some(&known.person()))?,
    })
}

pub(super) async fn show(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
    asker: Asker,
) -> Result<Json<TableSeen>, Refusal> {
    let table = room.tables.visit(&id)?;
    let person = asker.person();
    if let Some(person) = &person {
        table.come(person, 0).await;
    }
    Ok(Json(TableSeen::of(&table, person.as_ref())?))
}

pub(super) async fn play(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
    asker: Asker,
    body: Body<MoveSent>,
) -> Result<Response, Refusal> {
    let table = room.tables.find(&id)?;
    let (person, seat) = moving::own_seat(&table, &asker)?;
    let sent = read(body)?;
    let sent = moving::sent(sent.version, sent.nonce, sent.choice)?;
    let made = moving::make(&room, &table, seat, sent).await;
    let seen = TableSeen::of(&table, Some(&person))?;
    let Err(error) = made else {
        return Ok(Json(seen).into_response());
    };
    let told = NotMadeSeen {
        error: moving::sentence(&error),
        table: seen,
    };
    let mut response = (moving::status_of(&error), Json(told)).into_response();
    response.extensions_mut().insert(Shown);
    Ok(response)
}

pub(super) async fn hint(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
    asker: Asker,
    body: Body<HintAsked>,
) -> Result<Json<Hint>, Refusal> {
    let table = room.tables.find(&id)?;
    let (_, seat) = moving::own_seat(&table, &asker)?;
    let asked = read(body)?;
    let advice = pages::advice(&room, &table, seat, asked.version).await?;
    Ok(Json(advice.into()))
}

pub(super) async fn reseat(
    State(room): State<Arc<Room>>,
    Path((id, seat)): Path<(String, usize)>,
    asker: Asker,
    body: Body<SeatChange>,
) -> Result<Response, Refusal> {
    let table = room.tables.find(&id)?;
    let change = read(body)?;
    let wanted = moving::seat_of(&table, seat)?;
    let known = match change.how.as_str() {
        "give" => {
            moving::give(&room, &table, &asker, seat).await?;
            asker.known()?
        }
        "back" => {
            moving::take_back(&room, &table, &asker, seat).await?;
            asker.known()?
        }
        "join" => {
            let known = asker.known()?;
            let token = change.invitation.unwrap_or_default();
            if !table.standing().chairs[wanted.index()].is_kept_by(&token) {
                return Err(Refusal::forbidden("That is no invitation to this seat."));
            }
            let name = pages::name_of(change.name.as_deref());
            moving::sit_down(&table, &token, name, known.person()).await?;
            known
        }
        _ => return Err(Refusal::bad("The change must be join, give or back.")),
    };
    let response = Json(seen(&table, &known)?).into_response();
    Ok(known.remember(&room, response))
}

pub(super) async fn record(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let table = room.tables.find(&id)?;
    Ok(plain("application/x-ndjson", pages::record_of(&table)?))
}
