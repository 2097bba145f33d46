//! A share of a contest, to be played by somebody who sees nothing of the other shares.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The most shards that a contest can be split into.
const MOST: u64 = 1_000_000;

/// One of so many shares of the blocks of a contest. Together they are all blocks, and each block
/// belongs to one of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// Which of them it is, from 1.
    number: u64,
    /// How many there are.
    of: u64,
    /// Whether all blocks of a table belong together, because each goes on from the one before.
    by_table: bool,
}

/// What follows a shard of whole tables.
const OF_TABLES: &str = " of the tables";

impl Shard {
    /// The same share of the tables instead of the blocks.
    #[must_use]
    pub fn by_table(self) -> Shard {
        Shard {
            by_table: true,
            ..self
        }
    }

    /// All shards into which the contest is split if this is one of them.
    pub fn all(self) -> impl Iterator<Item = Shard> {
        (1..=self.of).map(move |number| Shard { number, ..self })
    }

    /// Whether it has the block of a table in a round, of so many tables.
    pub(crate) fn has(self, round: u64, table: u64, tables: u64) -> bool {
        let piece = match self.by_table {
            true => table,
            false => round.wrapping_mul(tables).wrapping_add(table),
        };
        piece % self.of == self.number - 1
    }

    /// How many blocks it has of so many rounds with so many tables.
    pub(crate) fn blocks(self, rounds: u64, tables: u64) -> u64 {
        let share = |count: u64| count.saturating_add(self.of - self.number) / self.of;
        match self.by_table {
            true => share(tables).saturating_mul(rounds),
            false => share(tables.saturating_mul(rounds)),
        }
    }
}

impl FromStr for Shard {
    type Err = String;
    /// Reads what the command line says: `3/64`.
    fn from_str(text: &str) -> Result<Shard, String> {
        let shard = text.strip_suffix(OF_TABLES);
        let by_table = shard.is_some();
        let read = |(number, of): (&str, &str)| {
            let (number, of) = (number.parse().ok()?, of.parse().ok()?);
            let is_one = (1..=MOST).contains(&of) && (1..=of).contains(&number);
            is_one.then_some(Shard {
                number,
                of,
                by_table,
            })
        };
        let shard = shard.unwrap_or(text).split_once('/').and_then(read);
        shard.ok_or_else(|| {
            format!("'{text}' is no shard: its number and how many there are, as in 3/64")
        })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_tables = if self.by_table { OF_TABLES } else { "" };
        write!(f, "{}/{}{of_tables}", self.number, self.of)
    }
}

impl TryFrom<String> for Shard {
    type Error = String;
    fn try_from(text: String) -> Result<Shard, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_block_belongs_to_one_shard(
            of in 1u64..9, rounds in 1u64..12, tables in 1u64..12, by_table: bool,
        ) {
            let shard = Shard { number: 1, of, by_table };
            let mut counts = vec![0; of as usize];
            for round in 0..rounds {
                for table in 0..tables {
                    let has = |shard: &Shard| shard.has(round, table, tables);
                    let mine: Vec<Shard> = shard.all().filter(has).collect();
                    prop_assert_eq!(mine.len(), 1);
                    counts[mine[0].number as usize - 1] += 1;
                }
            }
            let blocks = shard.all().map(|shard| shard.blocks(rounds, tables));
            prop_assert!(blocks.eq(counts));
        }

        #[test]
        fn a_shard_is_read_as_it_is_written(number in 1u64..100, more in 0u64..100, by_table: bool) {
            let shard = Shard { number, of: number + more, by_table };
            prop_assert_eq!(shard.to_string().parse(), Ok(shard));
        }

        #[test]
        fn what_is_no_shard_is_refused(text in "[0-9/ -]{0,12}") {
            if let Ok(shard) = text.parse::<Shard>() {
                prop_assert!((1..=shard.of).contains(&shard.number));
            }
        }
    }
}
