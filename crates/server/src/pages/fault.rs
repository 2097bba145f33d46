//! `/table/ID/fault/NUMBER`: what a program did wrong at a table, once the game is over.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;

use crate::Room;
use crate::contests::short_name;
use crate::faults::FaultTold;
use crate::refusal::{Refusal, render};

#[derive(Template)]
#[template(path = "fault.html")]
struct Page {
    table: String,
    title: &'static str,
    name: String,
    version: usize,
    what: &'static str,
    fault: FaultTold,
}

pub(super) async fn show(
    State(room): State<Arc<Room>>,
    Path((id, number)): Path<(String, usize)>,
) -> Result<Response, Refusal> {
    let table = room.tables.find(&id)?;
    let kept = table.faults().get(number).cloned();
    let kept = kept.ok_or_else(|| Refusal::missing("There was no such fault at this table."))?;
    let standing = table.standing();
    if standing.game.to_move().is_some() {
        return Err(Refusal::conflict(
            "A fault shows what the program was given: it can be read when the game is over.",
        ));
    }
    let profile = table.entry.profile;
    let chair = standing.chairs.get(kept.seat.index());
    render(&Page {
        title: profile.title,
        name: chair.map_or_else(String::new, |chair| short_name(&chair.name)),
        version: kept.version,
        what: kept.fault.kind.in_brief(),
        fault: FaultTold::of(&kept.fault, room.contests.umpire(profile.name)),
        table: id,
    })
}
