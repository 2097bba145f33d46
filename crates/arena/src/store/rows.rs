//! Blocks, faults and times as rows of the tables.

use croupier_bots::Fault;
use rusqlite::types::Value;
use rusqlite::{Row, Statement, Transaction, params, params_from_iter};

use super::{Entry, SHORT, json};
use crate::{BlockResult, Entrant};

// What is there already stays, but for times, which are added up. A sum that is too large for SQLite would
// become another kind of number.
pub(super) const BLOCK_ROW: &str =
    "INSERT OR IGNORE INTO blocks VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
pub(super) const FAULT_ROW: &str =
    "INSERT OR IGNORE INTO faults VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
pub(super) const TIME_ROW: &str = "INSERT INTO times VALUES (?1, ?2, ?3)
    ON CONFLICT DO UPDATE SET decisions = min(decisions + ?3, 9223372036854775807)";

impl Entry<'_> {
    /// Writes the block, unless one with its key is there; tells whether it has.
    pub(super) fn write(&self, block_row: &mut Statement<'_>) -> rusqlite::Result<bool> {
        let BlockResult {
            games,
            faults,
            decisions,
            suspended,
            records,
            ..
        } = self.played;
        let identities: Vec<&str> = self.players.iter().map(|p| p.identity.as_str()).collect();
        let scores: Vec<&[i64]> = games.iter().map(|game| &game.scores[..]).collect();
        let places: Vec<&[u16]> = games.iter().map(|game| &game.places[..]).collect();
        let notes: Vec<&Option<String>> = games.iter().map(|game| &game.note).collect();
        let has_notes = notes.iter().any(|note| note.is_some());
        let rows = block_row.execute(params![
            self.key,
            self.round as i64,
            self.deal as i64,
            json(&identities),
            json(&scores),
            json(&places),
            has_notes.then(|| json(&notes)),
            json(faults),
            json(decisions),
            suspended.contains(&true).then(|| json(suspended)),
            (!records.is_empty()).then_some(records),
        ])?;
        Ok(rows > 0)
    }

    pub(super) fn write_faults(&self, fault_row: &mut Statement<'_>) -> rusqlite::Result<()> {
        for (number, kept) in self.played.kept.iter().enumerate() {
            let player = self.players[kept.player];
            let kind = serde_json::to_value(kept.fault.kind).unwrap_or_default();
            fault_row.execute(params![
                format!("{}-{}-{}", &self.key[..SHORT], kept.game + 1, number + 1),
                self.key,
                kept.game as i64,
                player.identity,
                player.name,
                kept.seat.0,
                kind.as_str(),
                kept.fault.detail,
                json(&kept.fault),
            ])?;
        }
        Ok(())
    }

    pub(super) fn write_times(&self, time_row: &mut Statement<'_>) -> rusqlite::Result<()> {
        for (player, times) in self.players.iter().zip(&self.played.times) {
            for (micros, decisions) in times.counts() {
                time_row.execute(params![player.identity, micros as i64, decisions as i64])?;
            }
        }
        Ok(())
    }
}

/// Inserts a row of another store as it is; tells whether anything has changed.
pub(super) fn insert(
    change: &Transaction<'_>,
    command: &str,
    row: &Row<'_>,
) -> rusqlite::Result<bool> {
    let columns = 0..row.as_ref().column_count();
    let values = columns.map(|column| row.get(column));
    let values: Vec<Value> = values.collect::<rusqlite::Result<_>>()?;
    let mut insert = change.prepare_cached(command)?;
    Ok(insert.execute(params_from_iter(values))? > 0)
}

/// Enough of an identity to tell it from others; in what somebody else has written it may be anything.
fn short(identity: &str) -> &str {
    identity.get(..SHORT).unwrap_or(identity)
}

/// Keeps what is wrong with an entrant that cannot play. There is no block to which it belongs.
pub(super) fn write_unusable(
    change: &Transaction<'_>,
    entrant: &Entrant,
    fault: &Fault,
) -> rusqlite::Result<usize> {
    let kind = serde_json::to_value(fault.kind).unwrap_or_default();
    change.execute(
        "INSERT OR REPLACE INTO faults VALUES (?1, '', 0, ?2, ?3, 0, ?4, ?5, ?6)",
        params![
            format!("{}-0", short(&entrant.identity)),
            entrant.identity,
            entrant.name,
            kind.as_str(),
            fault.detail,
            json(fault),
        ],
    )
}
