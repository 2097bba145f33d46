//! Audits: a share of the blocks is played again by another worker, and must come out the same to the byte.

use croupier_arena::{BlockPlan, BlockResult, Store, StoreError};
use croupier_bots::{Fault, Times};
use serde::{Deserialize, Serialize};

/// What is audited.
#[derive(Clone, PartialEq, Debug)]
pub struct Auditing {
    /// The share of the blocks, from 0 to 1.
    pub share: f64,
    /// Whether each of those who take part plays the same from the same seed, by number.
    pub deterministic: Vec<bool>,
    /// Whether the contest goes on after a difference.
    pub goes_on: bool,
}

/// A block that another worker is to play again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Again {
    pub(crate) key: String,
    pub(crate) plan: BlockPlan,
    /// What came out the first time: the digest of it.
    pub(crate) digest: String,
    /// Who played it the first time.
    pub(crate) first: String,
}

impl Again {
    /// The audits that an earlier coordinator of this contest has begun and not finished.
    pub(crate) fn begun(store: &Store) -> Result<Vec<Again>, StoreError> {
        let kept = store.audits()?.into_iter();
        // What cannot be read was written by another version, which would have to go on with it.
        let kept = kept.filter_map(|(_, audit)| serde_json::from_str(&audit).ok());
        Ok(kept.collect())
    }

    /// As it is kept in the store.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an audit is plain JSON")
    }
}

/// Draws which blocks are audited. Nobody but the coordinator knows the salt, so no worker can tell.
#[derive(Debug)]
pub(crate) struct Draw {
    salt: [u8; 32],
    auditing: Auditing,
}

impl Draw {
    pub(crate) fn new(auditing: Auditing) -> Draw {
        let mut salt = [0; 32];
        // Without chance the draw would still be fair, only known beforehand.
        let _ = getrandom::fill(&mut salt);
        Draw { salt, auditing }
    }

    pub(crate) fn goes_on(&self) -> bool {
        self.auditing.goes_on
    }

    /// Whether this block is played again.
    pub(crate) fn draws(&self, key: &str, plan: &BlockPlan) -> bool {
        let is_sure = |&player: &usize| self.auditing.deterministic.get(player) == Some(&true);
        let hash = *blake3::keyed_hash(&self.salt, key.as_bytes()).as_bytes();
        let (first, _) = hash.split_first_chunk::<8>().expect("a hash is longer");
        let drawn = u64::from_le_bytes(*first) as f64 / u64::MAX as f64;
        plan.table.iter().all(is_sure) && drawn < self.auditing.share
    }
}

/// What two results of one block must have in common: everything but times and where programs lay.
pub(crate) fn digest(played: &BlockResult) -> String {
    let mut played = played.clone();
    played.times = vec![Times::default(); played.times.len()];
    for kept in &mut played.kept {
        let Fault {
            exchange, program, ..
        } = &mut kept.fault;
        exchange.took = std::time::Duration::ZERO;
        exchange.ended = None;
        *program = std::path::PathBuf::new();
    }
    let json = serde_json::to_vec(&played).expect("results have string keys and plain values");
    blake3::hash(&json).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use croupier_arena::rotations;
    use croupier_core::Seed;

    use super::*;

    fn plan(table: Vec<usize>) -> BlockPlan {
        BlockPlan {
            orders: rotations(table.len()),
            scores: vec![0; table.len()],
            suspended: vec![false; table.len()],
            deal: Seed(7),
            table,
        }
    }

    /// The number drawn of 10,000 lies within five standard deviations; a fair draw fails in fewer than 1 of
    /// a million runs.
    #[test]
    fn so_many_are_drawn_as_were_asked_for_and_only_of_the_deterministic() {
        let draw = Draw::new(Auditing {
            share: 0.02,
            deterministic: vec![true, true, false],
            goes_on: false,
        });
        let drawn = |table: &[usize]| {
            let keys = (0..10_000).map(|key: u32| key.to_string());
            keys.filter(|key| draw.draws(key, &plan(table.to_vec())))
                .count()
        };
        assert!((130..270).contains(&drawn(&[0, 1])));
        assert_eq!(drawn(&[0, 2]), 0);
        assert_eq!(drawn(&[0, 3]), 0);
    }

    #[test]
    fn times_may_differ_and_nothing_else() {
        let mut played = BlockResult {
            decisions: vec![3, 4],
            times: vec![Times::default(); 2],
            ..BlockResult::default()
        };
        let first = digest(&played);
        played.times[0].add_many(7, 3);
        assert_eq!(digest(&played), first);
        played.decisions[1] = 5;
        assert_ne!(digest(&played), first);
    }
}
