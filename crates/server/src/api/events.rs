//! What happens at a table as server-sent events.
//!
//! A stream takes what is missing from the table, so nothing waits for a slow reader.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event as Sse, KeepAlive};
use axum::response::{IntoResponse as _, Response};
use croupier_core::Event;
use futures_util::stream;
use tokio::sync::watch;

use crate::Room;
use crate::person::{Asker, Person};
use crate::refusal::Refusal;
use crate::socket::closed;
use crate::tables::{Change, Table};

/// How often something is said when nothing happens.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// So many events are taken from the table at once.
const AT_ONCE: usize = 200;

/// A reader of a stream.
struct Reader {
    table: Arc<Table>,
    person: Option<Person>,
    /// How many events have been sent.
    sent: usize,
    /// Events that are to be sent next.
    ready: VecDeque<Event>,
    changed: watch::Receiver<Change>,
    closing: watch::Receiver<bool>,
    is_over: bool,
}

pub(super) async fn stream(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
    asker: Asker,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let table = room.tables.visit(&id)?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let reader = Reader {
        person: asker.person(),
        sent: last.and_then(|id| id.parse().ok()).unwrap_or(0),
        ready: VecDeque::new(),
        changed: table.watch(),
        closing: room.closing.clone(),
        is_over: false,
        table,
    };
    let events = stream::unfold(reader, |mut reader: Reader| async move {
        let event = reader.next().await?;
        Some((Ok::<Sse, Infallible>(event), reader))
    });
    let sse = axum::response::Sse::new(events);
    Ok(sse
        .keep_alive(KeepAlive::new().interval(HEARTBEAT))
        .into_response())
}

impl Reader {
    /// The next event; none when the game is over and everything has been sent.
    async fn next(&mut self) -> Option<Sse> {
        loop {
            if self.is_over {
                return None;
            }
            if let Some(event) = self.ready.pop_front() {
                self.sent = self.sent.saturating_add(1);
                self.is_over = matches!(event, Event::Over(_));
                let line = event.to_line();
                return Some(
                    Sse::default()
                        .id(self.sent.to_string())
                        .data(line.trim_end()),
                );
            }
            self.changed.borrow_and_update();
            let standing = self.table.standing();
            let audience = standing.audience(self.person.as_ref());
            let events = standing.game.events(audience).into_iter();
            self.ready.extend(events.skip(self.sent).take(AT_ONCE));
            if !self.ready.is_empty() {
                continue;
            }
            standing.game.to_move()?;
            tokio::select! {
                changed = self.changed.changed() => changed.ok()?,
                () = closed(&mut self.closing) => return None,
            }
        }
    }
}
