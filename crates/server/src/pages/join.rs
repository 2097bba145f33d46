//! `/table/ID/join/TOKEN`: a seat for another person, by link. Following the link takes nothing:
//! the seat is taken by a click.

use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use croupier_core::Audience;
use serde::Deserialize;

use super::moving::sit_down;
use super::new::{name_of, name_of_nobody};
use crate::Room;
use crate::person::Asker;
use crate::refusal::{Refusal, render, render_with, see};
use crate::tables::Table;

#[derive(Template)]
#[template(path = "join.html")]
struct Page {
    id: String,
    token: String,
    game: &'static str,
    title: &'static str,
    host: String,
    name: String,
    /// Why nobody can sit down here any more.
    taken: Option<&'static str>,
}

pub(super) async fn show(
    State(room): State<Arc<Room>>,
    Path((id, token)): Path<(String, String)>,
    asker: Asker,
) -> Result<Response, Refusal> {
    let table = room.tables.find(&id)?;
    let standing = table.standing();
    let mut chairs = standing.chairs.iter().enumerate();
    let chair = chairs.find(|(_, chair)| chair.is_kept_by(&token));
    let (place, chair) = chair.ok_or_else(|| Refusal::missing("There is no such seat."))?;
    let person = asker.person();
    if chair.holder().is_some() && chair.holder() == person.as_ref() {
        return Ok(see(&format!("/table/{id}")));
    }
    let taken = match (standing.audience(person.as_ref()), chair.holder()) {
        (Audience::Seat(_), _) => Some("You sit at this table already."),
        (_, Some(_)) => Some("Somebody sits there already."),
        (_, None) => None,
    };
    let page = Page {
        game: table.entry.profile.name,
        title: table.entry.profile.title,
        host: host(&table),
        // Who sat here in the deal before need not type the name again.
        name: match &chair.name {
            name if *name == name_of_nobody(place) => name_of(None),
            name => name.clone(),
        },
        taken,
        id,
        token,
    };
    match taken {
        Some(_) => render_with(StatusCode::CONFLICT, &page),
        None => render(&page),
    }
}

fn host(table: &Table) -> String {
    let standing = table.standing();
    let own = standing
        .chairs
        .iter()
        .find(|chair| chair.is_held_by(&table.founding.host));
    own.map_or_else(|| "Somebody".to_owned(), |chair| chair.name.clone())
}

#[derive(Deserialize)]
pub(super) struct SitForm {
    name: Option<String>,
}

pub(super) async fn sit(
    State(room): State<Arc<Room>>,
    Path((id, token)): Path<(String, String)>,
    asker: Asker,
    Form(form): Form<SitForm>,
) -> Result<Response, Refusal> {
    let table = room.tables.find(&id)?;
    let known = asker.known()?;
    let name = name_of(form.name.as_deref());
    sit_down(&table, &token, name, known.person()).await?;
    Ok(known.remember(&room, see(&format!("/table/{id}"))))
}
