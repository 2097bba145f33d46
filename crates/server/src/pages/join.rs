//! `/table/ID/join/TOKEN`: a seat for another person, by link. Following the link takes nothing:
//! the seat is taken by a click.

use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::response::Response;
use serde::Deserialize;

use super::moving::sit_down;
use super::new::name_of;
use crate::Room;
use crate::person::Asker;
use crate::refusal::{Refusal, render, see};
use crate::tables::{Sitter, Table};

#[derive(Template)]
#[template(path = "join.html")]
struct Page {
    id: String,
    token: String,
    title: &'static str,
    host: String,
    name: String,
    wrong: Option<&'static str>,
}

pub(super) async fn show(
    State(room): State<Arc<Room>>,
    Path((id, token)): Path<(String, String)>,
    asker: Asker,
) -> Result<Response, Refusal> {
    let table = room.tables.find(&id)?;
    let standing = table.standing();
    let chair = standing.chairs.iter().find(|chair| match &chair.sitter {
        Sitter::Person { invitation, .. } => invitation.as_deref() == Some(token.as_str()),
        _ => false,
    });
    let chair = chair.ok_or_else(|| Refusal::missing("There is no such seat."))?;
    let person = asker.person();
    if chair.holder().is_some() && chair.holder() == person.as_ref() {
        return Ok(see(&format!("/table/{id}")));
    }
    render(&Page {
        title: table.entry.profile.title,
        host: host(&table),
        name: chair.name.clone(),
        wrong: chair.holder().map(|_| "Somebody has taken this seat."),
        id,
        token,
    })
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
