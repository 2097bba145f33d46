//! All tables: found by their identifier, in memory or on the disk.

pub(crate) mod chair;
mod store;
mod table;
pub(crate) mod think;

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use croupier_core::{AnyGame, Audience, BadSetup, Entry, Registry, Seed, counted};
use serde_json::Value;

pub(crate) use chair::{Chair, Sitter};
pub use store::keeps_tables;
use store::{Founding, Store};
pub(crate) use table::{Change, Invitation, NotMade, NotSeated, Sent, Standing, Table};
use think::Pool;

use crate::person::{Person, secret};
use crate::refusal::Refusal;

/// So many tables of earlier days are set up again when the server begins.
const SET_UP: usize = 200;

/// All tables.
pub(crate) struct Tables {
    store: Store,
    games: Registry,
    pool: Arc<Pool>,
    open: Mutex<HashMap<String, Arc<Table>>>,
    most: usize,
}

/// A table that somebody wants.
pub(crate) struct Wanted {
    pub(crate) entry: Entry,
    pub(crate) setup: Value,
    pub(crate) seed: Seed,
    pub(crate) host: Person,
    pub(crate) chairs: Vec<Chair>,
    pub(crate) pace_ms: u64,
}

/// Whether a text can be the identifier of a table.
pub(crate) fn is_id(text: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    text.len() == 16 && text.bytes().all(is_digit)
}

impl Tables {
    /// The tables in this folder, of which the last are set up again.
    pub(crate) fn open(
        folder: &Path,
        games: Registry,
        pool: Arc<Pool>,
        most: usize,
    ) -> io::Result<Tables> {
        Ok(Tables {
            store: Store::open(folder)?,
            games,
            pool,
            open: Mutex::default(),
            most,
        })
    }

    /// Sets the last tables up again, and lets those play on who decide by themselves.
    pub(crate) fn set_up(&self) {
        let latest = self.store.latest(SET_UP.min(self.most));
        for id in latest.unwrap_or_default() {
            // A table that cannot be set up says why when somebody asks for it.
            let _ = self.find(&id);
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Arc<Table>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All tables that are set up, the newest first.
    pub(crate) fn all(&self) -> Vec<Arc<Table>> {
        let mut all: Vec<Arc<Table>> = self.lock().values().cloned().collect();
        all.sort_by(|a, b| {
            let key = |table: &Table| (table.founding.made, table.id.clone());
            key(b).cmp(&key(a))
        });
        all
    }

    /// The table with this identifier.
    pub(crate) fn find(&self, id: &str) -> Result<Arc<Table>, Refusal> {
        let missing = || Refusal::missing("There is no such table.");
        if !is_id(id) {
            return Err(missing());
        }
        // While it is read from the disk nobody else may read it, or there would be two of it.
        let mut open = self.lock();
        if let Some(table) = open.get(id) {
            return Ok(Arc::clone(table));
        }
        let failed = |error: &dyn std::fmt::Display| {
            Refusal::machine(&format!("set up the table {id} again"), error)
        };
        let found = self.store.read(id).map_err(|error| failed(&error))?;
        let (stored, file) = found.ok_or_else(missing)?;
        let game = self.games.resume(&stored.reading);
        let game = game.map_err(|error| failed(&error))?;
        let header = stored.reading.header();
        let entry = header.and_then(|header| self.games.find(&header.game));
        let entry = *entry.ok_or_else(missing)?;
        let (seats, chairs) = (game.seats(), stored.chairs.len());
        if seats != chairs {
            let (chairs, seats) = (counted(chairs, "chair"), counted(seats, "seat"));
            return Err(failed(&format_args!("{chairs} for {seats}")));
        }
        make_room(&mut open, self.most)?;
        let table = Arc::new(Table::back(id.to_owned(), entry, stored, game, file));
        open.insert(id.to_owned(), Arc::clone(&table));
        drop(open);
        table.drive(&self.pool);
        Ok(table)
    }

    /// The table with this identifier, for somebody who looks at it: those who decide by themselves go
    /// on if they have stopped.
    pub(crate) fn visit(&self, id: &str) -> Result<Arc<Table>, Refusal> {
        let table = self.find(id)?;
        table.look();
        table.drive_on(&self.pool);
        Ok(table)
    }

    /// Sets up a new table.
    pub(crate) async fn found(self: &Arc<Tables>, wanted: Wanted) -> Result<Arc<Table>, Refusal> {
        let game = wanted.entry.deal(&wanted.setup, wanted.seed);
        let game = game.map_err(|wrong: BadSetup| Refusal::bad(wrong.to_string()))?;
        self.found_from(wanted, game).await
    }

    /// Sets up a table that goes on from a game which was begun elsewhere.
    pub(crate) async fn found_from(
        self: &Arc<Tables>,
        wanted: Wanted,
        game: Box<dyn AnyGame>,
    ) -> Result<Arc<Table>, Refusal> {
        make_room(&mut self.lock(), self.most)?;
        let tables = Arc::clone(self);
        let made = tokio::task::spawn_blocking(move || tables.make(wanted, game));
        let table = made
            .await
            .map_err(|error| Refusal::machine("set up a table", &error))??;
        self.lock().insert(table.id.clone(), Arc::clone(&table));
        table.drive(&self.pool);
        Ok(table)
    }

    fn make(&self, wanted: Wanted, game: Box<dyn AnyGame>) -> Result<Arc<Table>, Refusal> {
        let made = SystemTime::now().duration_since(UNIX_EPOCH);
        let founding = Founding {
            host: wanted.host,
            made: made.map_or(0, |time| time.as_secs()),
            pace_ms: wanted.pace_ms,
            chairs: wanted.chairs,
        };
        let names = founding.chairs.iter().map(|chair| chair.name.clone());
        let header = game.header(names.collect());
        let id = secret()?[..16].to_owned();
        let begun = game.events(Audience::Referee);
        let file = self.store.found(&id, &founding, &header, &begun);
        let file = file.map_err(|error| Refusal::machine("set up a table", &error))?;
        Ok(Arc::new(Table::new(id, wanted.entry, founding, game, file)))
    }

    /// Whatever a change of a table asks for: those who decide by themselves are asked.
    pub(crate) fn drive(&self, table: &Arc<Table>) {
        table.drive(&self.pool);
    }

    /// The threads on which is thought.
    pub(crate) fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }

    /// Sends programs home that sit at tables where nobody looks.
    pub(crate) fn rest(&self) {
        for table in self.all() {
            if !table.is_watched() {
                table.rest();
            }
        }
    }
}

/// Makes room for one more table: those at which nobody looks and nobody thinks are on the disk.
fn make_room(open: &mut HashMap<String, Arc<Table>>, most: usize) -> Result<(), Refusal> {
    if open.len() < most {
        return Ok(());
    }
    open.retain(|_, table| {
        let in_use = Arc::strong_count(table) > 1 || table.is_watched();
        in_use || table.progress() == think::Progress::Thinks
    });
    match open.len() < most {
        true => Ok(()),
        false => Err(Refusal::busy(
            "All tables are taken. Try again when a game is over.",
        )),
    }
}
