//! What a contest has come to: blocks are finished in any order, and counted in the order of the plan.

use std::collections::{BTreeMap, HashMap};

use crate::conduct::{Conduct, InBlock};
use crate::plan::{Block, Field, Slice};
use crate::{BlockResult, Standings};

/// What changes with every block.
#[derive(Clone, Debug)]
pub(crate) struct Books {
    pub(crate) standings: Standings,
    /// How many decisions were made this time.
    pub(crate) decided: u64,
    /// What was scored so far at each table, if the game shows it.
    pub(crate) scores: HashMap<Vec<usize>, Vec<i64>>,
    /// How everybody has behaved.
    pub(crate) conduct: Vec<Conduct>,
    /// How many games are finished and wait for others that come before them.
    pub(crate) ahead: u64,
}

/// The blocks of a slice that have been counted, and those that wait for their turn.
#[derive(Clone, Debug, Default)]
pub(crate) struct Queue {
    /// The first so many have been counted.
    pub(crate) counted: u64,
    /// Finished ones that wait for others before them.
    pub(crate) finished: BTreeMap<u64, BlockResult>,
}

impl Books {
    /// The books of a contest of which nothing has been played.
    pub(crate) fn new(field: &Field) -> Books {
        let entrants = field.entrants.len();
        Books {
            standings: Standings::new(entrants, field.settings.seats),
            decided: 0,
            scores: HashMap::new(),
            conduct: vec![Conduct::default(); entrants],
            ahead: 0,
        }
    }

    /// Takes a finished block, and counts all whose turn it is. Tells whether somebody was suspended
    /// by that, so that blocks which come later are to be played otherwise.
    pub(crate) fn finish(
        &mut self,
        slice: &Slice,
        queue: &mut Queue,
        piece: u64,
        played: BlockResult,
    ) -> bool {
        // It may have been begun before it was known who is suspended.
        if played.suspended != self.suspended(slice.table(piece)) {
            return false;
        }
        self.ahead += played.games.len() as u64;
        queue.finished.insert(piece, played);
        self.count(slice, queue)
    }

    /// Counts all blocks whose turn it is, and passes over those that others play.
    pub(crate) fn count(&mut self, slice: &Slice, queue: &mut Queue) -> bool {
        let mut is_anyone_suspended = false;
        while queue.counted < slice.count() {
            if !slice.is_ours(queue.counted) {
                queue.counted += 1;
                continue;
            }
            let Some(played) = queue.finished.remove(&queue.counted) else {
                break;
            };
            self.ahead -= played.games.len() as u64;
            let block = slice.block(queue.counted);
            self.take(&slice.field, &block, &played);
            queue.counted += 1;
            if self.judge(&slice.field, &block, &played) {
                is_anyone_suspended = true;
                queue.finished.retain(|&piece, played| {
                    played.suspended == self.suspended(slice.table(piece))
                });
                let finished = queue.finished.values();
                self.ahead = finished.map(|played| played.games.len() as u64).sum();
            }
        }
        is_anyone_suspended
    }

    /// Which of these are suspended.
    pub(crate) fn suspended(&self, table: &[usize]) -> Vec<bool> {
        let is_suspended = |&player: &usize| self.conduct[player].suspended().is_some();
        table.iter().map(is_suspended).collect()
    }

    /// Counts a block.
    pub(crate) fn take(&mut self, field: &Field, block: &Block<'_>, played: &BlockResult) {
        self.standings
            .take(block.deal, block.table, &field.orders(block), played);
        if field.shows_scores {
            let sums = self.scores.entry(block.table.to_vec());
            let sums = sums.or_insert_with(|| vec![0; block.table.len()]);
            for game in &played.games {
                for (sum, score) in sums.iter_mut().zip(&game.scores) {
                    *sum += score;
                }
            }
        }
    }

    /// Judges the players of a block that was counted; tells whether one of them is suspended now.
    fn judge(&mut self, field: &Field, block: &Block<'_>, played: &BlockResult) -> bool {
        let mut is_anyone_suspended = false;
        for (place, &player) in block.table.iter().enumerate() {
            let limit = field.settings.suspend_after;
            is_anyone_suspended |= self.conduct[player].take(InBlock::of(played, place), limit);
        }
        is_anyone_suspended
    }
}
