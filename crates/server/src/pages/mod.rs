//! What a person sees. Every page works without scripts, by forms and links.

mod fault;
mod fragment;
mod hint;
mod join;
mod lobby;
mod log;
pub(crate) mod moving;
mod new;
mod rules;
mod table;

use std::sync::Arc;

use axum::Router;
use axum::routing::{get, post};
use croupier_core::Entry;

pub(crate) use fragment::{Fragment, Shown, ended};
pub(crate) use hint::{Bar, advice, bars, in_words, refused as unadvised};
pub(crate) use log::{LogEntry, told_of, told_to};
pub(crate) use new::{built_in_choices, name_of, seats_of, usual, want};
pub(crate) use table::record_of;

use crate::Room;
use crate::refusal::Refusal;

/// All pages.
pub(crate) fn router() -> Router<Arc<Room>> {
    Router::new()
        .route("/", get(lobby::show))
        .route("/play/{game}", get(new::show).post(new::found))
        .route("/table/{id}", get(table::show))
        .route("/table/{id}/present", get(table::present))
        .route("/table/{id}/record", get(table::record))
        .route("/table/{id}/move", post(moving::play))
        .route("/table/{id}/hint", post(hint::ask))
        .route("/table/{id}/fault/{number}", get(fault::show))
        .route("/table/{id}/card", get(table::card))
        .route("/table/{id}/seat", post(moving::reseat))
        .route("/table/{id}/again", post(moving::again))
        .route("/table/{id}/join/{token}", get(join::show).post(join::sit))
        .route("/rules/{game}", get(rules::show))
}

/// The game of this name.
pub(crate) fn game(room: &Room, name: &str) -> Result<Entry, Refusal> {
    let entry = room.games.find(name);
    entry
        .copied()
        .ok_or_else(|| Refusal::missing("There is no such game."))
}
