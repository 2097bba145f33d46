//! The blocks that are missing, and the batches in which they go out.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use croupier_arena::{BlockResult, Missing};

use crate::audit::Again;

/// A batch that is out.
#[derive(Debug)]
pub(super) struct Out {
    pub(super) load: Load,
    /// The instance of the worker who has it, as far as is known.
    pub(super) holder: Option<String>,
    /// When that was known last.
    pub(super) seen: Instant,
    /// The number of its message.
    pub(super) sequence: u64,
    pub(super) setbacks: Setbacks,
}

/// What a batch consists of.
#[derive(Clone, Debug)]
pub(super) enum Load {
    /// Missing blocks, by number.
    Blocks(Vec<usize>),
    /// Blocks that are played once more, and not by the one who played them first.
    Audit(Vec<Again>),
}

/// The workers that were lost with a batch or failed at it, with the reasons.
pub(super) type Setbacks = BTreeMap<String, String>;

/// What has become of a missing block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    Open,
    Done,
    Aside,
}

/// The blocks that are missing, and what has become of each.
pub(super) struct Round<'m> {
    pub(super) missing: &'m Missing,
    pub(super) numbers: HashMap<String, usize>,
    pub(super) fates: Vec<Fate>,
    /// The first one that was in no batch yet.
    pub(super) next: usize,
    pub(super) open: usize,
    pub(super) finished: Vec<(usize, BlockResult)>,
}

impl<'m> Round<'m> {
    pub(super) fn new(missing: &'m Missing) -> Round<'m> {
        Round {
            numbers: (0..missing.len())
                .map(|number| (missing.key(number), number))
                .collect(),
            fates: vec![Fate::Open; missing.len()],
            next: 0,
            open: missing.len(),
            finished: Vec::new(),
            missing,
        }
    }

    pub(super) fn settle(&mut self, number: usize, fate: Fate) {
        if std::mem::replace(&mut self.fates[number], fate) == Fate::Open {
            self.open -= 1;
        }
    }
}
