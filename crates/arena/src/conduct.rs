//! How those who take part behave, and when one of them is suspended.
//!
//! A program that only fails costs the others time and tells nothing new. It is suspended after the
//! first block, in the order of the plan, with which it has failed long enough. From then on its
//! chair is played as the rules of the game say for a player that fouls: as it would be if the
//! program were asked and failed again. So nobody gains or loses by its suspension, neither those
//! who met it before nor those who meet it later.
//!
//! The order of the plan is not the order in which blocks are finished: the same one is suspended
//! after the same block with any number of threads, and also if the contest was stopped on the way.

use crate::BlockResult;

/// When an entrant was suspended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Suspension {
    /// After so many of its games, in the order of the plan.
    pub games: u64,
    /// After so many faults in them.
    pub faults: u64,
}

/// What is known of how one of them behaves, after some of its blocks in the order of the plan.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Conduct {
    games: u64,
    faults: u64,
    /// Its faults in the blocks that it has failed since the last one that it has not.
    failing: u64,
    suspended: Option<Suspension>,
}

/// What one of them did in a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct InBlock {
    pub(crate) games: u64,
    pub(crate) decisions: u64,
    pub(crate) faults: u64,
}

impl InBlock {
    /// What the one at this place of the table did.
    pub(crate) fn of(played: &BlockResult, place: usize) -> InBlock {
        InBlock {
            games: played.games.len() as u64,
            decisions: played.decisions[place],
            faults: played.faults[place],
        }
    }

    /// Whether nine of ten decisions were faults, or more. Where nothing was to be decided nothing
    /// was done right.
    pub(crate) fn is_failed(self) -> bool {
        10 * self.faults >= 9 * self.decisions
    }
}

impl Conduct {
    /// Takes the next block, where whoever fails block after block is suspended after so many
    /// faults. Tells whether it is suspended now and was not before.
    pub(crate) fn take(&mut self, block: InBlock, limit: Option<u64>) -> bool {
        self.games += block.games;
        self.faults += block.faults;
        self.failing = match block.is_failed() {
            true => self.failing + block.faults,
            false => 0,
        };
        let is_enough = limit.is_some_and(|limit| self.failing >= limit);
        if self.suspended.is_some() || !is_enough {
            return false;
        }
        self.suspended = Some(Suspension {
            games: self.games,
            faults: self.faults,
        });
        true
    }

    /// Its suspension, if it is suspended.
    pub(crate) fn suspended(&self) -> Option<Suspension> {
        self.suspended
    }
}

impl BlockResult {
    /// Whether somebody failed who was asked.
    pub(crate) fn is_failed_by_anyone(&self) -> bool {
        let mut asked = (0..self.faults.len()).filter(|&place| !self.suspended[place]);
        asked.any(|place| self.faults[place] > 0 && InBlock::of(self, place).is_failed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After which of these blocks, each with so many decisions and faults, who has made 100 faults
    /// is suspended.
    fn suspended_after(blocks: &[(u64, u64)]) -> Option<usize> {
        let mut conduct = Conduct::default();
        blocks.iter().position(|&(decisions, faults)| {
            let block = InBlock {
                games: 4,
                decisions,
                faults,
            };
            conduct.take(block, Some(100))
        })
    }

    #[test]
    fn who_only_fails_is_suspended_when_the_faults_are_enough() {
        assert_eq!(suspended_after(&[(44, 44); 9]), Some(2));
        assert_eq!(suspended_after(&[(100, 100)]), Some(0));
        assert_eq!(suspended_after(&[(44, 40); 9]), Some(2), "nine of ten");
        assert_eq!(suspended_after(&[(44, 39); 99]), None, "hardly nine of ten");
    }

    #[test]
    fn a_block_that_was_not_failed_makes_up_for_those_before() {
        let blocks = [(44, 44), (44, 44), (44, 0), (44, 44), (44, 44), (44, 44)];
        assert_eq!(suspended_after(&blocks), Some(5));
        let idle = [(44, 44), (0, 0), (44, 44), (0, 0), (44, 44)];
        assert_eq!(suspended_after(&idle), Some(4), "doing nothing does not");
    }

    #[test]
    fn without_a_limit_nobody_is() {
        let mut conduct = Conduct::default();
        let block = InBlock {
            games: 4,
            decisions: 44,
            faults: 44,
        };
        assert!(!(0..1000).any(|_| conduct.take(block, None)));
        assert_eq!(conduct.suspended(), None);
    }
}
