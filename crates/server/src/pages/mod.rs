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

use croupier_core::Entry;

pub(crate) use fragment::{Fragment, Shown, ended};
pub(crate) use hint::{Bar, advice, bars, counted_in, in_words, refused as unadvised};
pub(crate) use log::{LogEntry, told_of, told_to};
pub(crate) use new::{
    built_in_choices, fits_on_a_page, name_beside, name_of, seats_of, usual, want,
};
pub(crate) use table::record_of;

use crate::Room;
use crate::refusal::Refusal;
use crate::routes::Routes;

/// All pages.
pub(crate) fn routes(routes: Routes) -> Routes {
    routes
        .get("/", lobby::show)
        .get("/play/{game}", new::show)
        .post("/play/{game}", new::found)
        .get("/table/{id}", table::show)
        .get("/table/{id}/present", table::present)
        .get("/table/{id}/record", table::record)
        .post("/table/{id}/move", moving::play)
        .post("/table/{id}/hint", hint::ask)
        .get("/table/{id}/fault/{number}", fault::show)
        .get("/table/{id}/card", table::card)
        .post("/table/{id}/seat", moving::reseat)
        .post("/table/{id}/again", moving::again)
        .get("/table/{id}/join/{token}", join::show)
        .post("/table/{id}/join/{token}", join::sit)
        .get("/rules/{game}", rules::show)
}

/// The game of this name.
pub(crate) fn game(room: &Room, name: &str) -> Result<Entry, Refusal> {
    let entry = room.games.find(name);
    entry
        .copied()
        .ok_or_else(|| Refusal::missing("There is no such game."))
}
