//! Contests: how they stand, who beats whom, and every fault of every program, also while they are
//! played.
//!
//! - `watch`: one contest, looked at from time to time and never by two at once;
//! - `snapshot`: how it stood at a moment; all pages are made from it;
//! - `wish`: what a reader wants to see of it, in the address;
//! - `page`, `player`, `fault`: the pages;
//! - `listed`: what the lobby shows of the shelf.

mod charts;
mod crew;
mod fault;
mod listed;
mod page;
mod player;
mod snapshot;
mod text;
mod umpire;
mod watch;
mod wish;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use croupier_arena::{Store, StoreError};

pub(crate) use fault::{find as find_fault, repeat};
use listed::Looked;
pub(crate) use listed::{contests as listed, shelf};
pub(crate) use snapshot::Row;
pub(crate) use text::{both_ends, name as short_name, plain, segment};
pub use umpire::Umpire;
pub(crate) use watch::Seen;
use watch::Watch;

use crate::Room;
use crate::refusal::Refusal;
use crate::routes::Routes;

/// So many contests are kept in mind; the others are read again when somebody asks.
const MOST_WATCHED: usize = 64;

/// Whoever looks at a contest that is played asks more often.
const OF_LATE: Duration = Duration::from_secs(5);

/// All pages about contests.
pub(crate) fn routes(routes: Routes) -> Routes {
    routes
        .get("/contest/{name}", page::show)
        .get("/contest/{name}/present", page::present)
        .get("/contest/{name}/player/{player}", player::show)
        .get("/contest/{name}/player/{player}/present", player::present)
        .get("/contest/{name}/fault/{id}", fault::show)
}

/// The contests that somebody looks at.
pub(crate) struct Contests {
    umpires: Arc<Vec<Umpire>>,
    watched: Mutex<HashMap<PathBuf, Arc<Watch>>>,
    looked: Looked,
}

impl Contests {
    /// Contests of the games that these know.
    pub(crate) fn new(umpires: Vec<Umpire>) -> Contests {
        Contests {
            umpires: Arc::new(umpires),
            watched: Mutex::default(),
            looked: Looked::default(),
        }
    }

    /// The one who knows this game.
    pub(crate) fn umpire(&self, game: &str) -> Option<Umpire> {
        umpire::find(&self.umpires, game)
    }

    /// The contest in this folder, as it stands.
    pub(crate) async fn at(&self, folder: &Path) -> Result<Seen, Refusal> {
        let watch = self.watch(folder);
        watch.look().await
    }

    /// Whether somebody has asked for one of late.
    pub(crate) fn is_watched(&self) -> bool {
        let watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let mut watched = watched.values();
        watched.any(|watch| watch.last_asked().elapsed() < OF_LATE)
    }

    fn watch(&self, folder: &Path) -> Arc<Watch> {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        if !watched.contains_key(folder) && watched.len() >= MOST_WATCHED {
            let oldest = watched.iter().min_by_key(|(_, watch)| watch.last_asked());
            let oldest = oldest.map(|(folder, _)| folder.clone());
            oldest.map(|oldest| watched.remove(&oldest));
        }
        let watch = watched.entry(folder.to_owned()).or_insert_with(|| {
            let umpires = Arc::clone(&self.umpires);
            Arc::new(Watch::new(folder.to_owned(), umpires))
        });
        Arc::clone(watch)
    }
}

/// The contest with this name, as it stands.
pub(crate) async fn contest(room: &Room, name: &str) -> Result<Seen, Refusal> {
    let folder = room.shelf.contest(name).await?;
    room.contests.at(&folder).await
}

/// Reads something from the store of a contest, where it may take its time.
pub(crate) async fn read<T: Send + 'static>(
    seen: &Seen,
    read: impl FnOnce(&Seen, &Store) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, Refusal> {
    let seen = seen.clone();
    let read = tokio::task::spawn_blocking(move || {
        let store = Store::find_to_watch(&seen.folder)?;
        let store = store.ok_or_else(|| StoreError::Missing(seen.folder.clone()))?;
        read(&seen, &store)
    });
    let read = read.await;
    let read = read.map_err(|error| Refusal::machine("read a contest", &error))?;
    read.map_err(|error| unreadable(&error))
}

/// A contest that cannot be read: what is wrong is told, as whoever looks is who can do something
/// about it.
pub(crate) fn unreadable(error: &StoreError) -> Refusal {
    let status = match error {
        StoreError::Machine { .. } | StoreError::Locked(_) => {
            axum::http::StatusCode::SERVICE_UNAVAILABLE
        }
        _ => axum::http::StatusCode::CONFLICT,
    };
    Refusal::new(status, format!("This contest cannot be shown: {error}."))
}
