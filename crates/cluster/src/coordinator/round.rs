//! The blocks that are missing, and the batches in which they go out.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use croupier_arena::{BlockResult, Missing};

use crate::audit::Again;
use crate::wire::{End, Worker};

/// A batch that is out.
#[derive(Debug)]
pub(super) struct Out {
    pub(super) load: Load,
    pub(super) published: Instant,
    /// When a worker first told that it has it.
    pub(super) taken: Option<Instant>,
    /// The instance of the worker who has it, as far as is known.
    pub(super) holder: Option<String>,
    /// Who had it and has it no more, if nobody has taken it since.
    pub(super) left_by: Option<Worker>,
    /// When that was known last.
    pub(super) seen: Instant,
    /// The number of its message.
    pub(super) sequence: u64,
    pub(super) setbacks: Setbacks,
    /// How many results have come. Reports overtake each other.
    pub(super) came: u64,
    /// What was told at its end, if that was told.
    pub(super) end: Option<End>,
}

impl Out {
    /// A batch that has just gone out.
    pub(super) fn new(load: Load, setbacks: Setbacks, sequence: u64) -> Out {
        let now = Instant::now();
        Out {
            load,
            published: now,
            taken: None,
            holder: None,
            left_by: None,
            seen: now,
            sequence,
            setbacks,
            came: 0,
            end: None,
        }
    }

    /// Nobody has it for now.
    pub(super) fn let_go(&mut self) {
        self.holder = None;
        self.seen = Instant::now();
    }

    /// The worker who may not play it, because it has played these blocks before.
    pub(super) fn not_by(&self) -> Option<&str> {
        self.load.not_by()
    }
}

/// What a batch consists of.
#[derive(Clone, Debug)]
pub(super) enum Load {
    /// Missing blocks, by number.
    Blocks(Vec<usize>),
    /// Blocks that are played once more, and not by the one who played them first.
    Audit(Vec<Again>),
}

impl Load {
    pub(super) fn not_by(&self) -> Option<&str> {
        match self {
            Load::Blocks(_) => None,
            Load::Audit(blocks) => blocks.first().map(|block| block.first.as_str()),
        }
    }

    /// How many blocks it has.
    pub(super) fn len(&self) -> usize {
        match self {
            Load::Blocks(blocks) => blocks.len(),
            Load::Audit(blocks) => blocks.len(),
        }
    }

    /// Both halves of it, if there is more than one block.
    pub(super) fn halves(&self) -> Option<[Load; 2]> {
        let half = self.len() / 2;
        (half > 0).then(|| match self {
            Load::Blocks(blocks) => {
                let (first, rest) = blocks.split_at(half);
                [first, rest].map(|half| Load::Blocks(half.to_vec()))
            }
            Load::Audit(blocks) => {
                let (first, rest) = blocks.split_at(half);
                [first, rest].map(|half| Load::Audit(half.to_vec()))
            }
        })
    }

    pub(super) fn is_audit(&self) -> bool {
        matches!(self, Load::Audit(_))
    }
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

    pub(super) fn is_open(&self, number: usize) -> bool {
        self.fates[number] == Fate::Open
    }

    /// Whether something of a batch is still to be played.
    pub(super) fn is_left(&self, load: &Load) -> bool {
        match load {
            Load::Blocks(blocks) => blocks.iter().any(|&number| self.is_open(number)),
            Load::Audit(blocks) => !blocks.is_empty(),
        }
    }

    pub(super) fn settle(&mut self, number: usize, fate: Fate) {
        if std::mem::replace(&mut self.fates[number], fate) == Fate::Open {
            self.open -= 1;
        }
    }
}
