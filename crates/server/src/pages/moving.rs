//! What a person does at a table: moves, changes of chairs, another game.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use axum::{Form, http::HeaderMap};
use croupier_core::{Audience, Seat, Seed};
use serde::Deserialize;

use super::fragment::{Fragment, substitute};
use super::new::name_beside;
use super::table::with;
use crate::Room;
use crate::person::{Asker, Person, secret};
use crate::refusal::{Refusal, plain, see};
use crate::tables::{Chair, Invitation, NotMade, NotSeated, Sent, Sitter, Table, Wanted};

/// A move as a form sends it.
#[derive(Deserialize)]
pub(super) struct MoveForm {
    version: usize,
    nonce: String,
    #[serde(rename = "move")]
    choice: String,
}

/// No nonce is longer.
const LONGEST_NONCE: usize = 64;

/// No move is longer, as text.
const LONGEST_MOVE: usize = 1000;

/// The seat that somebody holds at a table.
pub(crate) fn own_seat(table: &Table, asker: &Asker) -> Result<(Person, Seat), Refusal> {
    let person = asker.person();
    let seat = table.standing().audience(person.as_ref());
    match (person, seat) {
        (Some(person), Audience::Seat(seat)) => Ok((person, seat)),
        _ => Err(Refusal::forbidden("You have no seat at this table.")),
    }
}

/// Makes the move that somebody sends, and lets those go on who decide by themselves.
pub(crate) async fn make(
    room: &Room,
    table: &Arc<Table>,
    seat: Seat,
    sent: Sent,
) -> Result<(), NotMade> {
    if table.standing().chairs[seat.index()].stand_in().is_some() {
        return Err(NotMade::NotYours);
    }
    let made = table.play(seat, sent).await;
    room.tables.drive(table);
    made
}

/// Whether it is a script that asks, which wants the fragment and not the page.
pub(super) fn wants_fragment(headers: &HeaderMap) -> bool {
    let accepts = headers.get("accept").and_then(|value| value.to_str().ok());
    accepts.is_some_and(|accepts| accepts.starts_with("application/json"))
}

pub(super) async fn play(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
    asker: Asker,
    headers: HeaderMap,
    Form(form): Form<MoveForm>,
) -> Result<Response, Refusal> {
    let table = room.tables.find(&id)?;
    let (person, seat) = own_seat(&table, &asker)?;
    let sent = sent(form.version, form.nonce, form.choice)?;
    let made = make(&room, &table, seat, sent).await;
    let (status, wrong) = match made {
        Ok(()) if wants_fragment(&headers) => (StatusCode::OK, None),
        Ok(()) => return Ok(see(&format!("/table/{id}"))),
        Err(error) => (status_of(&error), Some(sentence(&error))),
    };
    if wants_fragment(&headers) {
        let standing = table.standing();
        let mut fragment = Fragment::of(&table, &standing, Some(&person), usize::MAX)?;
        fragment.wrong = wrong;
        let mut response = plain("application/json", fragment.json());
        *response.status_mut() = status;
        response.extensions_mut().insert(crate::refusal::Shown);
        return Ok(response);
    }
    with(&table, &person, status, |fragment| fragment.wrong = wrong)
}

/// A move that somebody sends, if its parts are not longer than any.
pub(crate) fn sent(version: usize, nonce: String, choice: String) -> Result<Sent, Refusal> {
    if nonce.is_empty() || nonce.len() > LONGEST_NONCE {
        return Err(Refusal::bad("The nonce must have 1 to 64 letters."));
    }
    if choice.len() > LONGEST_MOVE {
        return Err(Refusal::bad("The move is longer than any."));
    }
    Ok(Sent {
        version,
        choice,
        nonce,
    })
}

/// The status that tells why a move was not made.
pub(crate) fn status_of(error: &NotMade) -> StatusCode {
    match error {
        NotMade::Stale | NotMade::NotYours | NotMade::Endless => StatusCode::CONFLICT,
        NotMade::Refused(_) => StatusCode::UNPROCESSABLE_ENTITY,
        NotMade::Machine(_) => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// Why a move was not made, as a sentence.
pub(crate) fn sentence(error: &NotMade) -> String {
    let text = match error {
        NotMade::Machine(error) => Refusal::machine("keep a move", error).reason().to_owned(),
        error => croupier_core::quoted(&error.to_string(), 300),
    };
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    let text = first.unwrap_or_default() + letters.as_str();
    text.trim_end_matches('.').to_owned() + "."
}

/// A change of a chair as a form sends it.
#[derive(Deserialize)]
pub(super) struct SeatForm {
    seat: usize,
    how: String,
}

pub(super) async fn reseat(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
    asker: Asker,
    Form(form): Form<SeatForm>,
) -> Result<Response, Refusal> {
    let table = room.tables.find(&id)?;
    match form.how.as_str() {
        "give" => give(&room, &table, &asker, form.seat).await?,
        "back" => take_back(&room, &table, &asker, form.seat).await?,
        _ => return Err(Refusal::bad("A seat is given or taken back.")),
    }
    Ok(see(&format!("/table/{id}")))
}

fn refused(error: NotSeated) -> Refusal {
    match error {
        NotSeated::Refused(reason) => Refusal::conflict(reason),
        NotSeated::Machine(error) => Refusal::machine("keep a change of chairs", &error),
    }
}

/// Reads a seat of a table.
pub(crate) fn seat_of(table: &Table, number: usize) -> Result<Seat, Refusal> {
    let seats = table.standing().chairs.len();
    let there = (number < seats).then(|| Seat::from(number));
    there.ok_or_else(|| Refusal::missing("There is no such seat at this table."))
}

/// Gives the seat of somebody who is away to a built-in player.
pub(crate) async fn give(
    room: &Room,
    table: &Arc<Table>,
    asker: &Asker,
    seat: usize,
) -> Result<(), Refusal> {
    let seat = seat_of(table, seat)?;
    let person = asker.person();
    let may = person.as_ref() == Some(&table.founding.host) || own_seat(table, asker).is_ok();
    if !may {
        return Err(Refusal::forbidden(
            "Only those who sit at the table can give a seat away.",
        ));
    }
    if !table.entry.profile.decisions {
        return Err(Refusal::conflict("Nobody decides anything in this game."));
    }
    let player = substitute(table).to_owned();
    let watched = Arc::clone(table);
    let changed = table.reseat(seat, move |standing, chair| {
        if standing.game.to_move().is_none() {
            return Err("The game is over.");
        }
        if chair
            .holder()
            .is_some_and(|holder| watched.is_there(holder))
        {
            return Err("Whoever holds that seat is there.");
        }
        let mut chair = chair.clone();
        match &mut chair.sitter {
            Sitter::Person { stand_in, .. } => *stand_in = Some(player),
            _ => return Err("No person sits there."),
        }
        Ok(chair)
    });
    changed.await.map_err(refused)?;
    table.rethink(seat);
    room.tables.drive(table);
    Ok(())
}

/// Takes the own seat back from a built-in player.
pub(crate) async fn take_back(
    room: &Room,
    table: &Arc<Table>,
    asker: &Asker,
    seat: usize,
) -> Result<(), Refusal> {
    let seat = seat_of(table, seat)?;
    let (_, own) = own_seat(table, asker)?;
    if own != seat {
        return Err(Refusal::forbidden("That is not your seat."));
    }
    let changed = table.reseat(seat, |_, chair| {
        let mut chair = chair.clone();
        if let Sitter::Person { stand_in, .. } = &mut chair.sitter {
            *stand_in = None;
        }
        Ok(chair)
    });
    changed.await.map_err(refused)?;
    table.rethink(seat);
    room.tables.drive(table);
    Ok(())
}

/// Sits down in the chair that is kept by this secret.
pub(crate) async fn sit_down(
    table: &Arc<Table>,
    token: &str,
    name: String,
    person: Person,
) -> Result<Seat, Refusal> {
    let standing = table.standing();
    let mut chairs = standing.chairs.iter();
    let place = chairs.position(|chair| chair.is_kept_by(token));
    let seat = place.map(Seat::from);
    let seat = seat.ok_or_else(|| Refusal::missing("There is no such seat."))?;
    if let Audience::Seat(own) = standing.audience(Some(&person)) {
        return match own == seat {
            true => Ok(seat),
            false => Err(Refusal::conflict("You sit at this table already.")),
        };
    }
    let newcomer = person.clone();
    let changed = table.reseat(seat, move |standing, chair| {
        if matches!(standing.audience(Some(&person)), Audience::Seat(_)) {
            return Err("You sit at this table already.");
        }
        let mut chair = chair.clone();
        match &mut chair.sitter {
            Sitter::Person { holder, .. } if holder.is_some() => return Err("The seat is taken."),
            Sitter::Person {
                holder, stand_in, ..
            } => {
                *holder = Some(person);
                *stand_in = None;
            }
            _ => return Err("No person sits there."),
        }
        let others = standing.chairs.iter().enumerate();
        let others = others.filter(|(place, _)| *place != seat.index());
        let others: Vec<&str> = others.map(|(_, chair)| chair.name.as_str()).collect();
        chair.name = name_beside(&name, &others);
        Ok(chair)
    });
    changed.await.map_err(refused)?;
    table.rethink(seat);
    table.come(&newcomer, 0).await;
    Ok(seat)
}

/// Which game comes next, as a form sends it.
#[derive(Deserialize)]
pub(super) struct AgainForm {
    how: String,
}

pub(super) async fn again(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
    asker: Asker,
    Form(form): Form<AgainForm>,
) -> Result<Response, Refusal> {
    let table = room.tables.find(&id)?;
    let (person, _) = own_seat(&table, &asker)?;
    let standing = table.standing();
    if standing.game.to_move().is_some() {
        return Err(Refusal::conflict("The game is not over."));
    }
    let header = standing.game.header(Vec::new());
    let mut chairs = Vec::new();
    for chair in &standing.chairs {
        chairs.push(kept(chair, &person)?);
    }
    let seats = standing.chairs.iter().zip(&chairs);
    let secrets: Vec<(Person, String)> = seats
        .filter_map(|(chair, next)| Some((chair.holder()?.clone(), next.invitation()?.to_owned())))
        .collect();
    let seed = match form.how.as_str() {
        "deal" => drawn_seed()?,
        "same" => header.seed,
        "seat" => {
            chairs.rotate_right(1);
            header.seed
        }
        _ => return Err(Refusal::bad("The next game is deal, same or seat.")),
    };
    let wanted = Wanted {
        entry: table.entry,
        setup: header.setup,
        seed,
        host: person,
        chairs,
        pace_ms: table.founding.pace_ms,
    };
    let dealer = standing
        .chairs
        .iter()
        .find(|chair| chair.is_held_by(&wanted.host));
    let dealer = dealer.map_or_else(String::new, |chair| chair.name.clone());
    let next = room.tables.found(wanted).await?;
    let invited = secrets.into_iter().map(|(person, secret)| {
        let dealer = dealer.clone();
        let link = format!("/table/{}/join/{secret}", next.id);
        (person, Invitation { dealer, link })
    });
    table.invite(invited.collect()).await;
    Ok(see(&format!("/table/{}", next.id)))
}

/// The same chair at the next table: other people are invited anew.
fn kept(chair: &Chair, person: &Person) -> Result<Chair, Refusal> {
    Ok(match &chair.sitter {
        Sitter::Person { .. } if chair.is_held_by(person) => {
            Chair::held(chair.name.clone(), person.clone())
        }
        Sitter::Person { .. } => Chair::open(chair.name.clone(), secret()?),
        _ => chair.clone(),
    })
}

/// The seed that somebody has entered, or one that nobody has chosen.
pub(crate) fn entered_seed(entered: Option<&str>) -> Result<Seed, Refusal> {
    match entered.filter(|seed| !seed.is_empty()) {
        None => drawn_seed(),
        Some(seed) => seed.parse().map_err(|_| {
            let most = u64::MAX;
            Refusal::bad(format!("The seed must be a whole number from 0 to {most}."))
        }),
    }
}

/// A seed that nobody has chosen; below 2^48, so that it is easily typed again.
pub(crate) fn drawn_seed() -> Result<Seed, Refusal> {
    let drawn = getrandom::u64();
    let drawn = drawn.map_err(|error| Refusal::machine("draw a seed", &error))?;
    Ok(Seed(drawn >> 16))
}
