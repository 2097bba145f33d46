//! Where the results of a contest are kept: an SQLite file in the contest's folder.
//!
//! ```text
//! contest   one row: the settings
//! players   who takes part: identity, name, words, place in the order of naming, staff or not, and
//!           whether it joined when the contest had begun
//! withdrawn who was taken out: name and words
//! pairings  the tables of every Swiss round, by name
//! blocks    one row for every block: its key, round, deal, players and all results, and who of them
//!           was suspended in it
//! faults    one row for every fault that is kept, with everything needed to repeat it
//! times     how many decisions of a program took how many microseconds; not part of any result
//! audits    blocks that are to be played again on another machine, and what is known of the first time
//! ```
//!
//! A block is written in one transaction with its faults and records: whole or not at all, however
//! the program ends. Only one croupier writes to a store at a time, which a lock on a file beside
//! it sees to. The write-ahead log lets everybody else read meanwhile: readers wait for nobody, and
//! nobody waits for them.

mod faults;
mod opening;
mod rows;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::path::{Path, PathBuf};

use croupier_core::Outcome;
use nix::fcntl::Flock;
use rusqlite::{Connection, ErrorCode, OptionalExtension as _, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub use self::faults::{FaultLine, FaultRow};
use self::rows::{BLOCK_ROW, FAULT_ROW, TIME_ROW, insert, write_unusable};
use crate::block::records;
use crate::{BlockResult, Enrolled, Entrant, Settings};

/// Says that an SQLite file is a contest of ours: `CRPR`.
const APPLICATION: i32 = 0x4352_5052;

/// The format that is written, and the only one that is read. In format 1 what a program was known
/// by depended on the machine.
const FORMAT: i32 = 2;

const LAYOUT: &str = "
    CREATE TABLE IF NOT EXISTS contest (settings TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS players (
        identity TEXT PRIMARY KEY, name TEXT NOT NULL, spec TEXT NOT NULL,
        staff INTEGER NOT NULL, named INTEGER NOT NULL, added INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS withdrawn (name TEXT NOT NULL, spec TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS pairings (
        round INTEGER NOT NULL, number INTEGER NOT NULL, names TEXT NOT NULL,
        PRIMARY KEY (round, number));
    CREATE TABLE IF NOT EXISTS blocks (
        key TEXT PRIMARY KEY, round INTEGER NOT NULL, deal INTEGER NOT NULL,
        players TEXT NOT NULL, scores TEXT NOT NULL, places TEXT NOT NULL, notes TEXT,
        faults TEXT NOT NULL, decisions TEXT NOT NULL, suspended TEXT,
        records BLOB) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS faults (
        id TEXT PRIMARY KEY, block TEXT NOT NULL, game INTEGER NOT NULL,
        player TEXT NOT NULL, name TEXT NOT NULL, seat INTEGER NOT NULL,
        kind TEXT NOT NULL, detail TEXT NOT NULL, fault TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS times (
        player TEXT NOT NULL, micros INTEGER NOT NULL, decisions INTEGER NOT NULL,
        PRIMARY KEY (player, micros)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS audits (block TEXT PRIMARY KEY, audit TEXT NOT NULL) WITHOUT ROWID;";

/// The results of one contest.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    place: PathBuf,
    /// What keeps other writers out, released after the connection is closed.
    _lock: Option<Flock<File>>,
}

/// Why a store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is none in this folder.
    #[error("there is no contest in {0}")]
    Missing(PathBuf),
    /// The folder cannot be made.
    #[error("cannot make the folder {folder}: {reason}")]
    NoFolder {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        reason: String,
    },
    /// The file is something else, or its end is missing.
    #[error("{place} cannot be read as a contest: {reason}")]
    Damaged {
        /// The file.
        place: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Written by another version.
    #[error(
        "{place} has format {found} of another version of croupier, and this one reads format \
         {FORMAT}; begin the contest anew in another folder"
    )]
    Version {
        /// The file.
        place: PathBuf,
        /// Its format.
        found: i32,
    },
    /// It is of a game that is not known here.
    #[error("{place} is a contest of the game '{game}', which is not known here")]
    UnknownGame {
        /// The file.
        place: PathBuf,
        /// The name of the game.
        game: String,
    },
    /// Somebody else is at work in it.
    #[error("another croupier is at work in {0}")]
    InUse(PathBuf),
    /// Another program keeps it locked.
    #[error("{0} is locked by another program; end that program's transaction and try again")]
    Locked(PathBuf),
    /// The machine failed.
    #[error("failed to use {place}: {reason}")]
    Machine {
        /// The file.
        place: PathBuf,
        /// What happened.
        reason: String,
    },
}

/// Somebody who was taken out of a contest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Withdrawn {
    /// The name in tables.
    pub name: String,
    /// The words by which it was called for.
    pub spec: String,
}

/// A block that is to be written.
#[derive(Debug)]
pub struct Entry<'a> {
    /// What the block is known by.
    pub key: &'a str,
    /// Its round, from 0.
    pub round: u64,
    /// The seed of its deal.
    pub deal: u64,
    /// Who sat at the table.
    pub players: Vec<&'a Entrant>,
    /// What came of it.
    pub played: &'a BlockResult,
}

impl Store {
    /// The settings of the contest.
    pub fn settings(&self) -> Result<Settings, StoreError> {
        let read = |row: &Row<'_>| row.get::<_, String>(0);
        let text = self
            .connection
            .query_row("SELECT settings FROM contest", (), read)
            .optional()
            .map_err(|error| self.failure(&error))?;
        let text = text.ok_or_else(|| self.damaged("it has no settings"))?;
        self.json(&text)
    }

    /// Writes down the settings and who takes part: names, words and identities, in the order in
    /// which they were named, the staff after the players, and who was withdrawn. The blocks of
    /// those who do not take part any more are dropped; but who cannot be used now may be itself
    /// again later, and finds its blocks then.
    pub fn enter(
        &mut self,
        settings: &Settings,
        players: &[Entrant],
        staff: &[Entrant],
        withdrawn: &[Withdrawn],
    ) -> Result<(), StoreError> {
        let settings = serde_json::to_string(settings).expect("settings are plain JSON");
        let place = self.place.clone();
        let mut write = || -> rusqlite::Result<()> {
            let change = self.connection.transaction()?;
            change.execute_batch(LAYOUT)?;
            change.pragma_update(None, "application_id", APPLICATION)?;
            change.pragma_update(None, "user_version", FORMAT)?;
            change.execute("DELETE FROM contest", ())?;
            change.execute("INSERT INTO contest VALUES (?1)", [&settings])?;
            let mut before: Vec<(String, String)> = {
                let mut read = change.prepare("SELECT identity, name FROM players")?;
                let rows = read.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
                rows.collect::<Result<_, _>>()?
            };
            change.execute("DELETE FROM withdrawn", ())?;
            for gone in withdrawn {
                let row = [&gone.name, &gone.spec];
                change.execute("INSERT INTO withdrawn VALUES (?1, ?2)", row)?;
            }
            change.execute("DELETE FROM players", ())?;
            for (named, entrant) in players.iter().chain(staff).enumerate() {
                before.retain(|(identity, name)| {
                    let waits = entrant.fault().is_some() && *name == entrant.name;
                    *identity != entrant.identity && !waits
                });
                change.execute(
                    "INSERT INTO players VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                    params![
                        entrant.identity,
                        entrant.name,
                        entrant.spec,
                        named >= players.len(),
                        named as i64,
                        entrant.added
                    ],
                )?;
                if let Some(fault) = entrant.fault() {
                    write_unusable(&change, entrant, fault)?;
                }
            }
            for (gone, _) in before {
                let quoted = format!("%\"{gone}\"%");
                change.execute(
                    "DELETE FROM faults WHERE block IN
                         (SELECT key FROM blocks WHERE players LIKE ?1)",
                    [&quoted],
                )?;
                change.execute("DELETE FROM blocks WHERE players LIKE ?1", [&quoted])?;
                change.execute("DELETE FROM faults WHERE player = ?1", [&gone])?;
                change.execute("DELETE FROM times WHERE player = ?1", [&gone])?;
            }
            change.commit()
        };
        write().map_err(|error| failure(&place, &error))
    }

    /// All players and the staff, in the order of naming.
    pub fn enrolled(&self) -> Result<[Vec<Enrolled>; 2], StoreError> {
        let read = || -> rusqlite::Result<_> {
            let mut named = [Vec::new(), Vec::new()];
            let mut query = self
                .connection
                .prepare("SELECT staff, name, spec, identity, added FROM players ORDER BY named")?;
            let mut rows = query.query(())?;
            while let Some(row) = rows.next()? {
                let staff: bool = row.get(0)?;
                named[usize::from(staff)].push(Enrolled {
                    name: row.get(1)?,
                    spec: row.get(2)?,
                    identity: row.get(3)?,
                    added: row.get(4)?,
                });
            }
            Ok(named)
        };
        read().map_err(|error| self.failure(&error))
    }

    /// Who was withdrawn from the contest.
    pub fn withdrawn(&self) -> Result<Vec<Withdrawn>, StoreError> {
        let read = || -> rusqlite::Result<_> {
            let mut query = self
                .connection
                .prepare("SELECT name, spec FROM withdrawn")?;
            let rows = query.query_map((), |row| {
                Ok(Withdrawn {
                    name: row.get(0)?,
                    spec: row.get(1)?,
                })
            })?;
            rows.collect()
        };
        read().map_err(|error| self.failure(&error))
    }

    /// The tables of a Swiss round, by name, if it was paired.
    pub fn pairing(&self, round: u64) -> Result<Vec<Vec<String>>, StoreError> {
        let read = || -> rusqlite::Result<Vec<String>> {
            let mut query = self
                .connection
                .prepare("SELECT names FROM pairings WHERE round = ?1 ORDER BY number")?;
            let rows = query.query_map([round as i64], |row| row.get(0))?;
            rows.collect()
        };
        let tables = read().map_err(|error| self.failure(&error))?;
        tables.iter().map(|names| self.json(names)).collect()
    }

    /// Writes down the tables of a Swiss round.
    pub fn pair(&mut self, round: u64, tables: &[Vec<&str>]) -> Result<(), StoreError> {
        let place = self.place.clone();
        let mut write = || -> rusqlite::Result<()> {
            let change = self.connection.transaction()?;
            change.execute("DELETE FROM pairings WHERE round = ?1", [round as i64])?;
            for (number, names) in tables.iter().enumerate() {
                let names = json(names);
                change.execute(
                    "INSERT INTO pairings VALUES (?1, ?2, ?3)",
                    params![round as i64, number as i64, names],
                )?;
            }
            change.commit()
        };
        write().map_err(|error| failure(&place, &error))
    }

    /// The results of a block, if it was played.
    pub fn played(&self, key: &str) -> Result<Option<BlockResult>, StoreError> {
        let read = || {
            let mut query = self
                .connection
                .prepare_cached(&format!("SELECT {RESULTS} FROM blocks WHERE key = ?1"))?;
            query.query_row([key], Results::of).optional()
        };
        let found = read().map_err(|error| self.failure(&error))?;
        let parse = |results: Results| self.parse(&results);
        found.map(parse).transpose()
    }

    fn parse(&self, results: &Results) -> Result<BlockResult, StoreError> {
        let scores: Vec<Vec<i64>> = self.json(&results.scores)?;
        let places: Vec<Vec<u16>> = self.json(&results.places)?;
        let notes: Vec<Option<String>> = match &results.notes {
            Some(notes) => self.json(notes)?,
            None => Vec::new(),
        };
        let faults: Vec<u64> = self.json(&results.faults)?;
        let suspended = match &results.suspended {
            Some(suspended) => self.json(suspended)?,
            None => vec![false; faults.len()],
        };
        let games = scores.into_iter().zip(places).enumerate();
        let games = games.map(|(game, (scores, places))| Outcome {
            note: notes.get(game).cloned().flatten(),
            ..Outcome::new(scores, places)
        });
        Ok(BlockResult {
            games: games.collect(),
            faults,
            decisions: self.json(&results.decisions)?,
            suspended,
            ..BlockResult::default()
        })
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, text: &str) -> Result<T, StoreError> {
        serde_json::from_str(text).map_err(|error| self.damaged(&error.to_string()))
    }

    /// The record of a game, if it was kept. It is called by the beginning of its block's key and
    /// its number in the block, as in the number of a fault: `3f2a94c0d1e5-2`.
    pub fn record(&self, id: &str) -> Result<Option<String>, StoreError> {
        let is_key = |(key, _): &(&str, &str)| key.len() >= SHORT;
        let Some((key, game)) = id.split_once('-').filter(is_key) else {
            return Ok(None);
        };
        let find = "SELECT records FROM blocks WHERE substr(key, 1, length(?1)) = ?1";
        let row = |row: &Row<'_>| row.get::<_, Option<Vec<u8>>>(0);
        let found = self.connection.query_row(find, [key], row).optional();
        let found = found.map_err(|error| self.failure(&error))?.flatten();
        let Some((kept, game)) = found.zip(game.parse::<usize>().ok()) else {
            return Ok(None);
        };
        let text = records(&kept).map_err(|error| self.damaged(&error.to_string()))?;
        Ok(text.into_iter().nth(game.wrapping_sub(1)))
    }

    /// Writes some blocks, all or none of them. A block that is there already, played while others
    /// were suspended than should have been, is replaced.
    pub fn write<'a>(&mut self, blocks: impl Iterator<Item = Entry<'a>>) -> Result<(), StoreError> {
        let place = self.place.clone();
        let write = || -> rusqlite::Result<()> {
            let change = self.connection.transaction()?;
            {
                let mut block_row = change.prepare_cached(BLOCK_ROW)?;
                let mut fault_row = change.prepare_cached(FAULT_ROW)?;
                let mut time_row = change.prepare_cached(TIME_ROW)?;
                for block in blocks {
                    if !block.write(&mut block_row)? {
                        change.execute("DELETE FROM faults WHERE block = ?1", [block.key])?;
                        change.execute("DELETE FROM blocks WHERE key = ?1", [block.key])?;
                        block.write(&mut block_row)?;
                    }
                    block.write_faults(&mut fault_row)?;
                    block.write_times(&mut time_row)?;
                }
            }
            change.commit()
        };
        write().map_err(|error| failure(&place, &error))
    }

    /// The audits that were begun and not finished: the keys of their blocks, and what was said of each.
    /// One whose block was not kept in the end is none.
    pub fn audits(&self) -> Result<Vec<(String, String)>, StoreError> {
        let read = || -> rusqlite::Result<_> {
            let mut query = self.connection.prepare(
                "SELECT block, audit FROM audits WHERE block IN (SELECT key FROM blocks)",
            )?;
            let rows = query.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        };
        read().map_err(|error| self.failure(&error))
    }

    /// Writes down which audits begin and which are finished. One begins before its block is written, so
    /// that none is forgotten.
    pub fn audit<'a>(
        &mut self,
        begun: impl Iterator<Item = (&'a str, String)>,
        done: impl Iterator<Item = &'a str>,
    ) -> Result<(), StoreError> {
        let place = self.place.clone();
        let write = || -> rusqlite::Result<()> {
            let change = self.connection.transaction()?;
            for (block, audit) in begun {
                change.execute(
                    "INSERT OR REPLACE INTO audits VALUES (?1, ?2)",
                    params![block, audit],
                )?;
            }
            for block in done {
                change.execute("DELETE FROM audits WHERE block = ?1", [block])?;
            }
            change.commit()
        };
        write().map_err(|error| failure(&place, &error))
    }

    /// Takes over the blocks of another store of the same contest, with their faults and times. What is
    /// here already stays as it is; from a store of which all blocks are here, as from one that comes twice,
    /// nothing is taken.
    pub fn unite(&mut self, other: &Store) -> Result<(), StoreError> {
        let place = self.place.clone();
        let mut unite = || -> rusqlite::Result<()> {
            let change = self.connection.transaction()?;
            let mut blocks = other.connection.prepare("SELECT * FROM blocks")?;
            let mut faults = other
                .connection
                .prepare("SELECT * FROM faults WHERE block = ?1")?;
            let mut rows = blocks.query(())?;
            let mut is_new = false;
            while let Some(row) = rows.next()? {
                if !insert(&change, BLOCK_ROW, row)? {
                    continue;
                }
                is_new = true;
                let mut rows = faults.query([row.get::<_, String>(0)?])?;
                while let Some(row) = rows.next()? {
                    insert(&change, FAULT_ROW, row)?;
                }
            }
            if is_new && other.has_times()? {
                let mut times = other.connection.prepare("SELECT * FROM times")?;
                let mut rows = times.query(())?;
                while let Some(row) = rows.next()? {
                    insert(&change, TIME_ROW, row)?;
                }
            }
            change.commit()
        };
        unite().map_err(|error| match failure(&place, &error) {
            // What is written here is sound.
            StoreError::Damaged { reason, .. } => other.damaged(&reason),
            failed => failed,
        })
    }

    pub(crate) fn failure(&self, error: &rusqlite::Error) -> StoreError {
        failure(&self.place, error)
    }

    pub(crate) fn unknown(&self, game: &str) -> StoreError {
        StoreError::UnknownGame {
            place: self.place.clone(),
            game: croupier_core::quoted(game, 40),
        }
    }

    pub(crate) fn damaged(&self, reason: &str) -> StoreError {
        StoreError::Damaged {
            place: self.place.clone(),
            reason: reason.to_owned(),
        }
    }
}

/// The columns of a block that hold its results.
const RESULTS: &str = "scores, places, notes, faults, decisions, suspended";

/// Those columns as they are written.
struct Results {
    scores: String,
    places: String,
    notes: Option<String>,
    faults: String,
    decisions: String,
    suspended: Option<String>,
}

impl Results {
    fn of(row: &Row<'_>) -> rusqlite::Result<Results> {
        Ok(Results {
            scores: row.get(0)?,
            places: row.get(1)?,
            notes: row.get(2)?,
            faults: row.get(3)?,
            decisions: row.get(4)?,
            suspended: row.get(5)?,
        })
    }
}

/// How much of a block's key is enough to tell it from all others in a contest.
pub(crate) const SHORT: usize = 12;

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("results are plain JSON")
}

/// A number of something, of which there cannot be fewer than none.
pub(crate) fn count(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let number: i64 = row.get(column)?;
    u64::try_from(number).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, number))
}

fn failure(place: &Path, error: &rusqlite::Error) -> StoreError {
    let place = place.to_owned();
    let reason = error.to_string();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Locked(place),
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt | ErrorCode::TooBig) => {
            StoreError::Damaged { place, reason }
        }
        // A table or a column that is not there, or that holds something else.
        None | Some(ErrorCode::Unknown) => StoreError::Damaged { place, reason },
        _ => StoreError::Machine { place, reason },
    }
}
