//! `/table/ID`: the table, now or at an earlier moment.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use croupier_core::{Audience, Company};
use serde::Deserialize;

use super::fragment::Fragment;
use crate::Room;
use crate::person::{Asker, Person};
use crate::refusal::{Refusal, plain, render, render_with};
use crate::tables::{Standing, Table};

/// The page.
#[derive(Template)]
#[template(path = "table.html")]
struct Page {
    fragment: Fragment,
    live: String,
}

#[derive(Deserialize)]
pub(super) struct Moment {
    /// The version to look at, if it is not the present.
    at: Option<usize>,
}

impl Moment {
    /// The version to look at, which may be later than the present.
    fn version(&self) -> usize {
        self.at.unwrap_or(usize::MAX)
    }
}

/// The table as it stands, and who asks for it; a person who has a seat there is known to be present.
async fn at_table(
    room: &Room,
    id: &str,
    asker: &Asker,
) -> Result<(Arc<Table>, Arc<Standing>, Option<Person>), Refusal> {
    let table = room.tables.visit(id)?;
    let person = asker.person();
    if let Some(person) = &person {
        table.come(person, 0).await;
    }
    let standing = table.standing();
    Ok((table, standing, person))
}

pub(super) async fn show(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
    Query(moment): Query<Moment>,
    asker: Asker,
) -> Result<Response, Refusal> {
    let (table, standing, person) = at_table(&room, &id, &asker).await?;
    let person = person.as_ref();
    let fragment = Fragment::told_since(&table, &standing, person, moment.version(), 0)?;
    render(&page(fragment)?)
}

/// The page with something that is to be said to the reader.
pub(super) fn with(
    table: &Table,
    person: &Person,
    status: StatusCode,
    say: impl FnOnce(&mut Fragment),
) -> Result<Response, Refusal> {
    let standing = table.standing();
    let mut fragment = Fragment::told_since(table, &standing, Some(person), usize::MAX, 0)?;
    say(&mut fragment);
    render_with(status, &page(fragment)?)
}

fn page(fragment: Fragment) -> Result<Page, Refusal> {
    Ok(Page {
        live: fragment.live()?,
        fragment,
    })
}

/// The fragment alone, for a page that has lost its socket or looks back.
pub(super) async fn present(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
    Query(moment): Query<Moment>,
    asker: Asker,
) -> Result<Response, Refusal> {
    let (table, standing, person) = at_table(&room, &id, &asker).await?;
    let fragment = Fragment::of(&table, &standing, person.as_ref(), moment.version())?;
    Ok(plain("application/json", fragment.json()))
}

/// The card whose moment is looked for.
#[derive(Deserialize)]
pub(super) struct Card {
    card: String,
    /// The version at which it is seen.
    at: usize,
}

/// So many moves back is looked for the moment at which a card came to lie where it lies.
const FARTHEST: usize = 400;

/// The moment at which a card was played that everybody sees. Only drawings for onlookers are
/// compared, so that nothing is found out about any hand.
pub(super) async fn card(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
    Query(Card { card, at }): Query<Card>,
) -> Result<Response, Refusal> {
    let standing = room.tables.find(&id)?.standing();
    let found = tokio::task::spawn_blocking(move || {
        let names = standing.names(Audience::Onlooker);
        let company = Company::spoken_to(&names, Audience::Onlooker);
        let sign = format!("data-card=\"{card}\"");
        let seen = |version: usize| {
            let drawing = standing
                .game
                .after(version)
                .drawn(Audience::Onlooker, company);
            drawing.html.matches(&sign).count()
        };
        let at = at.min(standing.version());
        let mut here = seen(at);
        for version in (at.saturating_sub(FARTHEST) + 1..=at).rev() {
            let before = seen(version - 1);
            if before < here {
                return Some(version);
            }
            here = before;
        }
        None
    });
    let found = found
        .await
        .map_err(|error| Refusal::machine("look for a card", &error))?;
    let found = found.ok_or_else(|| Refusal::missing("Nobody has played this card."))?;
    Ok(plain(
        "application/json",
        serde_json::json!({"version": found}).to_string(),
    ))
}

/// The record of a game that is over, from which it can be played again.
pub(super) async fn record(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let table = room.tables.find(&id)?;
    Ok(plain("application/x-ndjson", record_of(&table)?))
}

/// The record of a table's game, if it is over: until then it would tell the cards of others.
pub(crate) fn record_of(table: &Table) -> Result<String, Refusal> {
    let standing = table.standing();
    if standing.game.to_move().is_some() {
        return Err(Refusal::conflict(
            "The record can be had when the game is over.",
        ));
    }
    let names = standing.chairs.iter().map(|chair| chair.name.clone());
    let header = standing.game.header(names.collect());
    let events = standing.game.events(Audience::Referee);
    let lines = events.iter().map(croupier_core::Event::to_line);
    Ok(header.to_line() + &lines.collect::<String>())
}
