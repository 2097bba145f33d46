//! Parts of a store for those who look at a contest page by page: the faults of one player, its games.

use croupier_bots::Fault;
use croupier_core::{Outcome, Seed};
use rusqlite::types::ValueRef;
use rusqlite::{Row, params};

use crate::store::{SHORT, count};
use crate::{Contest, Store, StoreError};

/// Which rows are shown: so many after the first ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Page {
    /// How many are left out before.
    pub skip: u64,
    /// How many there are at most.
    pub most: u64,
}

/// A fault in a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultHead {
    /// Its number.
    pub id: String,
    /// The identity of the player whose fault it is.
    pub player: String,
    /// The name of the player.
    pub name: String,
    /// In which round it was, from 0; none if it keeps the player from taking part.
    pub round: Option<u64>,
    /// The game in its block, from 0.
    pub game: u64,
    /// The seat in which the player sat.
    pub seat: u64,
    /// Its kind.
    pub kind: String,
    /// What happened.
    pub detail: String,
}

/// A game of a player, all in the order of the seats.
#[derive(Clone, PartialEq, Debug)]
pub struct GameOf {
    /// What its record is called by: see [`Store::record`].
    pub id: String,
    /// In which round it was, from 0.
    pub round: u64,
    /// Who sat where, by their numbers in the contest.
    pub seated: Vec<usize>,
    /// How it ended.
    pub outcome: Outcome,
    /// Whether its record is kept.
    pub is_recorded: bool,
}

const HEADS: &str = "SELECT faults.id, faults.player, faults.name, blocks.round, faults.game, \
    faults.seat, faults.kind, faults.detail FROM faults LEFT JOIN blocks ON blocks.key = faults.block";

impl FaultHead {
    fn of(row: &Row<'_>) -> rusqlite::Result<FaultHead> {
        // A fault that keeps its player from taking part is in no round.
        let round = match row.get_ref(3)? {
            ValueRef::Null => None,
            _ => Some(count(row, 3)?),
        };
        Ok(FaultHead {
            id: row.get(0)?,
            player: row.get(1)?,
            name: row.get(2)?,
            round,
            game: count(row, 4)?,
            seat: count(row, 5)?,
            kind: row.get(6)?,
            detail: row.get(7)?,
        })
    }
}

impl Store {
    /// Faults that are kept, in the order of the contest: of this player alone, and of this kind
    /// alone, if they are given.
    pub fn fault_heads(
        &self,
        player: Option<&str>,
        kind: Option<&str>,
        page: Page,
    ) -> Result<Vec<FaultHead>, StoreError> {
        let read = || -> rusqlite::Result<Vec<FaultHead>> {
            let mut query = self.connection.prepare(&format!(
                "{HEADS} WHERE (?1 IS NULL OR faults.player = ?1) AND (?2 IS NULL OR faults.kind = ?2)
                 ORDER BY blocks.round, faults.block, faults.game, faults.rowid LIMIT ?3 OFFSET ?4"
            ))?;
            let most = i64::try_from(page.most).unwrap_or(i64::MAX);
            let skip = i64::try_from(page.skip).unwrap_or(i64::MAX);
            let rows = query.query_map(params![player, kind, most, skip], FaultHead::of)?;
            rows.collect()
        };
        read().map_err(|error| self.failure(&error))
    }

    /// The fault with this number, and everything that is kept of it.
    pub fn whole_fault(&self, id: &str) -> Result<Option<(FaultHead, Fault)>, StoreError> {
        let read = || -> rusqlite::Result<Option<FaultHead>> {
            let mut query = self
                .connection
                .prepare(&format!("{HEADS} WHERE faults.id = ?1"))?;
            let mut rows = query.query_map([id], FaultHead::of)?;
            rows.next().transpose()
        };
        let head = read().map_err(|error| self.failure(&error))?;
        match (head, self.fault(id)?) {
            (Some(head), Some((_, fault))) => Ok(Some((head, self.json(&fault)?))),
            _ => Ok(None),
        }
    }

    /// What keeps players from taking part, by their identities.
    pub(crate) fn unusable(&self) -> Result<Vec<(String, Fault)>, StoreError> {
        let read = || -> rusqlite::Result<Vec<(String, String)>> {
            let mut query = self
                .connection
                .prepare("SELECT player, fault FROM faults WHERE block = ''")?;
            let rows = query.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.collect()
        };
        let rows = read().map_err(|error| self.failure(&error))?;
        let parsed = rows
            .into_iter()
            .map(|(player, fault)| Ok((player, self.json(&fault)?)));
        parsed.collect()
    }
}

impl Contest {
    /// Games of one of them, block by block, those of the last round first. What is counted on the page
    /// are blocks.
    pub fn games_of(
        &self,
        store: &Store,
        number: usize,
        page: Page,
    ) -> Result<Vec<GameOf>, StoreError> {
        let identity = &self.entrants()[number].identity;
        let settings = self.settings();
        let mut games = Vec::new();
        for block in store.blocks_of(identity, page)? {
            let played = store.played(&block.key)?.unwrap_or_default();
            let orders = settings.seatings.orders(settings.seats, Seed(block.deal));
            let number_of = |identity: &String| {
                let mut entrants = self.entrants().iter();
                entrants.position(|entrant| entrant.identity == *identity)
            };
            let table: Option<Vec<usize>> = block.players.iter().map(number_of).collect();
            let table = table.filter(|table| {
                table.len() == settings.seats && played.fits(table.len(), orders.len())
            });
            let table = table.ok_or_else(|| store.damaged("a block is of another contest"))?;
            for (game, (order, outcome)) in orders.iter().zip(played.games).enumerate() {
                let scores = order.iter().map(|&player| outcome.scores[player]).collect();
                let places = order.iter().map(|&player| outcome.places[player]).collect();
                games.push(GameOf {
                    id: format!(
                        "{}-{}",
                        block.key.get(..SHORT).unwrap_or(&block.key),
                        game + 1
                    ),
                    round: block.round,
                    seated: order.iter().map(|&player| table[player]).collect(),
                    outcome: Outcome {
                        note: outcome.note,
                        ..Outcome::new(scores, places)
                    },
                    is_recorded: block.is_recorded,
                });
            }
        }
        Ok(games)
    }
}

/// A block, without its results.
pub(crate) struct BlockHead {
    key: String,
    round: u64,
    deal: u64,
    players: Vec<String>,
    is_recorded: bool,
}

impl Store {
    pub(crate) fn blocks_of(
        &self,
        identity: &str,
        page: Page,
    ) -> Result<Vec<BlockHead>, StoreError> {
        let read = || -> rusqlite::Result<Vec<(String, BlockHead)>> {
            let mut query = self.connection.prepare(
                "SELECT players, key, round, deal, records IS NOT NULL FROM blocks
                 WHERE instr(players, ?1) > 0 ORDER BY round DESC, key LIMIT ?2 OFFSET ?3",
            )?;
            let quoted = format!("\"{identity}\"");
            let most = i64::try_from(page.most).unwrap_or(i64::MAX);
            let skip = i64::try_from(page.skip).unwrap_or(i64::MAX);
            let rows = query.query_map(params![quoted, most, skip], |row| {
                let head = BlockHead {
                    key: row.get(1)?,
                    round: count(row, 2)?,
                    // Any 64 bits.
                    deal: row.get::<_, i64>(3)? as u64,
                    players: Vec::new(),
                    is_recorded: row.get(4)?,
                };
                Ok((row.get(0)?, head))
            })?;
            rows.collect()
        };
        let rows = read().map_err(|error| self.failure(&error))?;
        let heads = rows.into_iter().map(|(players, head)| {
            Ok(BlockHead {
                players: self.json(&players)?,
                ..head
            })
        });
        heads.collect()
    }
}
