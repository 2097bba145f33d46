//! `/table/ID/fault/NUMBER`: what a program did wrong at a table, once the game is over.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use croupier_core::print_duration;

use crate::Room;
use crate::refusal::{Refusal, render};

#[derive(Template)]
#[template(path = "fault.html")]
struct Page {
    table: String,
    player: String,
    version: usize,
    kind: &'static str,
    detail: String,
    given: String,
    answer: String,
    errors: String,
    took: String,
    limit: String,
    tier: String,
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
    let fault = &kept.fault;
    let player = standing.chairs.get(kept.seat.index());
    render(&Page {
        player: player.map_or_else(String::new, |chair| chair.name.clone()),
        version: kept.version,
        kind: fault.kind.in_brief(),
        detail: harmless(&fault.detail),
        given: harmless(&String::from_utf8_lossy(&fault.exchange.input.0)),
        answer: harmless(&String::from_utf8_lossy(&fault.exchange.answer.0)),
        errors: harmless(&fault.exchange.errors),
        took: print_duration(fault.exchange.took),
        limit: print_duration(fault.limits.decision),
        tier: fault.tier.to_string(),
        table: id,
    })
}

/// Text without letters that nobody sees or that turn the direction of what follows.
fn harmless(text: &str) -> String {
    let turns = |letter: char| matches!(letter, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let shown = text.chars().map(|letter| match letter {
        '\n' | '\t' => letter,
        letter if letter.is_control() || turns(letter) => '\u{fffd}',
        letter => letter,
    });
    shown.collect()
}
