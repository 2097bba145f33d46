//! `/contest/NAME/fault/ID`: one fault of a program: what it was given, what it answered, which rule it
//! broke, and the command that repeats it.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State as Extract};
use axum::response::Response;
use croupier_arena::FaultHead;
use croupier_bots::Fault;
use croupier_core::{shell_path, shell_word};

use super::page::game_title;
use super::player::where_in;
use super::text::{name as short, plain, segment};
use super::{Seen, contest, read};
use crate::Room;
use crate::faults::FaultTold;
use crate::refusal::{Refusal, render};

#[derive(Template)]
#[template(path = "contest_fault.html")]
struct Page {
    contest: String,
    address: String,
    title: String,
    id: String,
    name: String,
    player: Option<String>,
    kind: String,
    at: String,
    fault: FaultTold,
    repeat: String,
    replay: Option<String>,
}

/// A fault with all that belongs to it.
pub(crate) struct WholeFault {
    pub(crate) head: FaultHead,
    pub(crate) fault: Fault,
    /// The number of its game, if the record of it is kept.
    pub(crate) game: Option<String>,
}

/// Finds a fault of a contest.
pub(crate) async fn find(seen: &Seen, id: &str) -> Result<WholeFault, Refusal> {
    let wanted = id.to_owned();
    let found = read(seen, move |_, store| {
        let Some((head, fault)) = store.whole_fault(&wanted)? else {
            return Ok(None);
        };
        let game = wanted.rsplit_once('-').map(|(game, _)| game.to_owned());
        let game = game.filter(|_| head.round.is_some());
        let record = game.as_deref().map(|game| store.record(game)).transpose()?;
        Ok(Some(WholeFault {
            head,
            fault,
            game: game.filter(|_| record.flatten().is_some()),
        }))
    });
    let found = found.await?;
    found.ok_or_else(|| Refusal::missing("This contest keeps no such fault."))
}

/// The command that repeats a fault.
pub(crate) fn repeat(seen: &Seen, id: &str) -> String {
    format!(
        "croupier repro {} {}",
        shell_path(&seen.folder),
        shell_word(id.as_ref())
    )
}

pub(super) async fn show(
    Extract(room): Extract<Arc<Room>>,
    Path((name, id)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let seen = contest(&room, &name).await?;
    let WholeFault { head, fault, game } = find(&seen, &id).await?;
    let umpire = room.contests.umpire(&seen.snapshot.game);
    let address = format!("/contest/{}", segment(&name));
    let player = seen
        .snapshot
        .rows
        .iter()
        .find(|row| row.identity == head.player);
    render(&Page {
        title: game_title(&room, &seen.snapshot.game),
        id: short(&head.id),
        name: short(&head.name),
        player: player.map(|row| format!("{address}/player/{}", segment(&row.handle))),
        kind: short(&head.kind),
        at: where_in(&head),
        fault: FaultTold::of(&fault, umpire),
        repeat: plain(&repeat(&seen, &head.id)),
        replay: game.map(|game| format!("/replay/contest/{}/{}", segment(&name), segment(&game))),
        contest: name,
        address,
    })
}
