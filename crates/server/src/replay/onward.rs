//! "Play on from here": a table that goes on from a moment of a recorded game.
//!
//! The cards lie as they lay: the table has the deal of the record and its moves up to the moment. So one
//! finds out what would have happened. Whoever plays on sees what its seat sees, and the experts in the
//! other seats know no more than theirs could know. Of a game that is not over nobody plays on: it
//! would show what is still hidden.

use std::sync::Arc;

use axum::Form;
use axum::extract::State;
use axum::response::Response;
use croupier_core::{REVIEWER, Seat};
use serde::Deserialize;

use super::source::{Key, Recorded};
use crate::Room;
use crate::pages::{name_beside, name_of, usual};
use crate::person::Asker;
use crate::refusal::{Refusal, see};
use crate::tables::{Chair, Sitter, Wanted};

/// From where on, and in which seat.
#[derive(Deserialize)]
pub(super) struct Moment {
    at: usize,
    seat: usize,
    name: Option<String>,
}

pub(super) async fn play_on(
    State(room): State<Arc<Room>>,
    key: Key,
    asker: Asker,
    Form(moment): Form<Moment>,
) -> Result<Response, Refusal> {
    let recorded = Recorded::find(&room, key, asker.person().as_ref()).await?;
    if !recorded.is_over() {
        return Err(Refusal::conflict(
            "The game is not over. It can be played on from any moment when it is.",
        ));
    }
    let entry = recorded.played.entry;
    let game = recorded.played.game.after(moment.at);
    if !entry.profile.decisions || game.to_move().is_none() {
        return Err(Refusal::conflict("There is nothing left to decide here."));
    }
    if moment.seat >= game.seats() {
        return Err(Refusal::missing("There is no such seat in this game."));
    }
    let has_expert = entry.players().iter().any(|(name, _)| *name == REVIEWER);
    let player = if has_expert { REVIEWER } else { usual(entry) };
    let known = asker.known()?;
    let own = Seat::from(moment.seat);
    let name = name_beside(&name_of(moment.name.as_deref()), &[]);
    let chair = |seat: Seat| match seat == own {
        true => Chair::held(name.clone(), known.person()),
        false => Chair {
            name: format!("{player} {}", seat.index() + 1),
            sitter: Sitter::BuiltIn {
                player: player.to_owned(),
            },
        },
    };
    let header = game.header(Vec::new());
    let wanted = Wanted {
        entry,
        setup: header.setup,
        seed: header.seed,
        host: known.person(),
        chairs: Seat::all(game.seats()).map(chair).collect(),
        pace_ms: 0,
    };
    let table = room.tables.found_from(wanted, game).await?;
    Ok(known.remember(&room, see(&format!("/table/{}", table.id))))
}
