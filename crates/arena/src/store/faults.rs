//! What a store tells of faults, and of the time that decisions took.

use std::collections::BTreeMap;

use croupier_bots::Times;
use rusqlite::OptionalExtension as _;

use super::{Store, StoreError, count};

/// A fault as it is listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultLine {
    /// The identity of the player whose fault it is.
    pub player: String,
    /// Its kind.
    pub kind: String,
    /// How many like it are kept.
    pub count: u64,
    /// One of them.
    pub id: String,
    /// What happened in that one.
    pub detail: String,
}

/// A fault as it is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultRow {
    /// In which round, from 0.
    pub round: u64,
    /// In which game of its block, from 0.
    pub game: u64,
    /// In which seat.
    pub seat: u64,
    /// The name of the player.
    pub name: String,
    /// What happened, as JSON.
    pub fault: String,
}

impl Store {
    /// The faults that are kept: for every player and kind how many, and the first.
    pub fn faults(&self) -> Result<Vec<FaultLine>, StoreError> {
        let read = || -> rusqlite::Result<Vec<FaultLine>> {
            let mut query = self.connection.prepare(
                "SELECT player, kind, count(*), min(id), detail FROM faults
                 GROUP BY player, kind ORDER BY player, kind",
            )?;
            let rows = query.query_map((), |row| {
                Ok(FaultLine {
                    player: row.get(0)?,
                    kind: row.get(1)?,
                    count: count(row, 2)?,
                    id: row.get(3)?,
                    detail: row.get(4)?,
                })
            })?;
            rows.collect()
        };
        read().map_err(|error| self.failure(&error))
    }

    pub(super) fn has_times(&self) -> rusqlite::Result<bool> {
        let named = "SELECT count(*) FROM sqlite_schema WHERE name = 'times'";
        let found: i64 = self.connection.query_row(named, (), |row| row.get(0))?;
        Ok(found > 0)
    }

    /// How long the decisions of every program took, by its identity. Contests of before did not
    /// measure it.
    pub fn times(&self) -> Result<BTreeMap<String, Times>, StoreError> {
        if !self.has_times().map_err(|error| self.failure(&error))? {
            return Ok(BTreeMap::new());
        }
        let read = || -> rusqlite::Result<BTreeMap<String, Times>> {
            let mut times: BTreeMap<String, Times> = BTreeMap::new();
            let mut query = self
                .connection
                .prepare("SELECT player, micros, decisions FROM times")?;
            let mut rows = query.query(())?;
            while let Some(row) = rows.next()? {
                let own = times.entry(row.get(0)?).or_default();
                own.add_many(count(row, 1)?, count(row, 2)?);
            }
            Ok(times)
        };
        read().map_err(|error| self.failure(&error))
    }

    /// All faults that are kept, in the order of the contest.
    pub fn all_faults(&self) -> Result<Vec<FaultRow>, StoreError> {
        let read = || -> rusqlite::Result<Vec<FaultRow>> {
            let mut query = self.connection.prepare(
                "SELECT blocks.round, game, seat, name, fault FROM faults
                 JOIN blocks ON blocks.key = faults.block
                 ORDER BY blocks.round, faults.block, game, faults.rowid",
            )?;
            let rows = query.query_map((), |row| {
                Ok(FaultRow {
                    round: count(row, 0)?,
                    game: count(row, 1)?,
                    seat: count(row, 2)?,
                    name: row.get(3)?,
                    fault: row.get(4)?,
                })
            })?;
            rows.collect()
        };
        read().map_err(|error| self.failure(&error))
    }

    /// A fault that is kept, by its number: the name of its player, and what happened as JSON.
    pub fn fault(&self, id: &str) -> Result<Option<(String, String)>, StoreError> {
        self.connection
            .query_row(
                "SELECT name, fault FROM faults WHERE id = ?1",
                [id],
                |row| Ok((row.get(0)?, row.get(1)?)),
            )
            .optional()
            .map_err(|error| self.failure(&error))
    }
}
