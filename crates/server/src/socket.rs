//! How a table in a browser stays up to date: a socket on which the server sends and the page only
//! listens. Moves are sent by POST.
//!
//! Nothing waits for a slow reader: a socket knows what it has sent, and takes what is missing from
//! the table. Who is too far behind gets the present instead of everything in between.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::Extension;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;

use crate::Room;
use crate::connections::Place;
use crate::pages::Fragment;
use crate::person::{Asker, Person};
use crate::refusal::Refusal;
use crate::routes::Routes;
use crate::tables::Table;

/// Who is behind by more moves than this gets the present at once.
const MOST_BEHIND: usize = 40;

/// How long a reader may take for one message.
const SLOWEST: Duration = Duration::from_secs(10);

/// How often something is said when nothing happens, so that silence means a lost connection.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Nothing that a page sends on its socket is longer.
const LONGEST: usize = 1024;

/// The code that says that the server goes away.
const GOING_AWAY: u16 = 1001;

pub(crate) fn routes(routes: Routes) -> Routes {
    routes.get("/table/{id}/socket", open)
}

#[derive(Deserialize)]
struct Since {
    /// The version that the page shows.
    version: Option<usize>,
}

async fn open(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
    Query(since): Query<Since>,
    Extension(place): Extension<Place>,
    asker: Asker,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    let table = room.tables.visit(&id)?;
    let upgrade = upgrade
        .max_message_size(LONGEST)
        .max_frame_size(LONGEST)
        // The usual buffers are of 128 KiB, for each who looks on.
        .read_buffer_size(LONGEST)
        .write_buffer_size(0)
        .max_write_buffer_size(1 << 20);
    Ok(upgrade.on_upgrade(async move |socket| {
        let listener = Listener {
            person: asker.person(),
            shown: since.version,
            sent: None,
            table,
            room,
            _place: place,
        };
        listener.attend(socket).await;
    }))
}

/// Somebody who is shown a table.
struct Listener {
    room: Arc<Room>,
    table: Arc<Table>,
    person: Option<Person>,
    /// The version that the page showed when it opened the socket.
    shown: Option<usize>,
    /// The last version that was sent, and the notices with it.
    sent: Option<(usize, u64)>,
    /// Its place among the connections.
    _place: Place,
}

/// Why a socket ends.
enum End {
    /// The reader is gone, or too slow.
    Gone,
    /// The server ends.
    Closing,
}

impl Listener {
    async fn attend(mut self, mut socket: WebSocket) {
        let person = self.person.clone();
        if let Some(person) = &person {
            self.table.come(person, 1).await;
        }
        if let Err(End::Closing) = self.listen(&mut socket).await {
            let frame = CloseFrame {
                code: GOING_AWAY,
                reason: "the server ends".into(),
            };
            let _ = say(&mut socket, Message::Close(Some(frame))).await;
        }
        if let Some(person) = &person {
            self.table.come(person, -1).await;
        }
    }

    async fn listen(&mut self, socket: &mut WebSocket) -> Result<(), End> {
        let mut changed = self.table.watch();
        let mut closing = self.room.closing.clone();
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        loop {
            changed.borrow_and_update();
            self.catch_up(socket).await?;
            tokio::select! {
                changed = changed.changed() => changed.map_err(|_| End::Gone)?,
                message = socket.recv() => match message {
                    // Nothing that a page says here means anything but that it is there.
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(End::Gone),
                    Some(Ok(_)) => {}
                },
                _ = heartbeat.tick() => say(socket, Message::Text("{}".into())).await?,
                () = closed(&mut closing) => return Err(End::Closing),
            }
        }
    }

    /// Sends what the reader has not seen yet.
    async fn catch_up(&mut self, socket: &mut WebSocket) -> Result<(), End> {
        let standing = self.table.standing();
        let now = (standing.version(), standing.notices);
        if self.sent == Some(now) {
            return Ok(());
        }
        let sent = self.sent.map(|(sent, _)| sent).or(self.shown);
        let first = match sent {
            Some(sent) if (1..=MOST_BEHIND).contains(&now.0.saturating_sub(sent)) => sent + 1,
            _ => now.0,
        };
        for version in first..=now.0 {
            let fragment = Fragment::of(&self.table, &standing, self.person.as_ref(), version);
            let text = fragment.map_err(|_| End::Gone)?.in_passing().json();
            say(socket, Message::Text(text.into())).await?;
        }
        self.sent = Some(now);
        Ok(())
    }
}

/// Comes back when the server is about to end.
pub(crate) async fn closed(closing: &mut tokio::sync::watch::Receiver<bool>) {
    // If nobody can say so any more, it has ended.
    let _ = closing.wait_for(|closing| *closing).await;
}

async fn say(socket: &mut WebSocket, message: Message) -> Result<(), End> {
    let said = tokio::time::timeout(SLOWEST, socket.send(message)).await;
    match said {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(End::Gone),
    }
}
