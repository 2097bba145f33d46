//! Who meets whom: the blocks of a contest, and those that are missing.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use croupier_bots::Hosted;
use croupier_core::Seed;
use serde::Deserialize as _;

use crate::{
    BadContest, BlockPlan, Entrant, Format, Ranking, SeatOrders, Seatings, Settings, Shard,
};

/// The most tables that a round may have.
pub const MOST_TABLES: u64 = 1_000_000;

/// The largest table at which all orders of seating can be played: there are 720 of them.
const MOST_IN_ALL_ORDERS: usize = 6;

/// What does not change while a contest is held.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) settings: Settings,
    /// The players in order of their identities, then the staff, then those who cannot play.
    pub(crate) entrants: Vec<Entrant>,
    /// How many of them are players.
    pub(crate) players: usize,
    /// How many of them have a seat: the players and the staff.
    pub(crate) seated: usize,
    /// Who is better than whom.
    pub(crate) ranking: Ranking,
    /// The limits of programs, as they stand in the keys of blocks.
    limits: String,
    /// Whether players are shown what they have scored so far.
    pub(crate) shows_scores: bool,
}

/// The tables of a round, each with the numbers of the entrants who sit there.
pub(crate) type Tables = Vec<Vec<usize>>;

impl Field {
    /// The field of a contest between these players, and the tables of each of its rounds. In a
    /// Swiss contest every round has its own.
    pub(crate) fn new<G: Hosted>(
        settings: Settings,
        players: Vec<Entrant>,
        staff: Vec<Entrant>,
    ) -> Result<(Field, Tables), BadContest> {
        let shows_scores = shows_scores::<G>(&settings)?;
        let ranking = Ranking::new::<G>(settings.rank_by);
        Field::of(settings, players, staff, ranking, shows_scores)
    }

    /// The same for whoever does not know the types of the game.
    pub(crate) fn of(
        settings: Settings,
        players: Vec<Entrant>,
        staff: Vec<Entrant>,
        ranking: Ranking,
        shows_scores: bool,
    ) -> Result<(Field, Tables), BadContest> {
        let (unusable, players): (Vec<_>, Vec<_>) = players
            .into_iter()
            .partition(|player| player.fault().is_some());
        let (seats, count) = (settings.seats, players.len());
        if settings.seatings == Seatings::All && seats > MOST_IN_ALL_ORDERS {
            return Err(BadContest::TooManyOrders { seats });
        }
        let empty = match settings.format {
            Format::RoundRobin => 0,
            Format::Swiss => count.next_multiple_of(seats) - count,
            Format::Gauntlet => seats - 1,
        };
        if staff.len() < empty {
            return Err(BadContest::TooFewStaff { seats, empty });
        }
        let tables = match settings.format {
            Format::RoundRobin => all_tables(count, seats)?,
            Format::Swiss => Vec::new(),
            Format::Gauntlet => {
                let with_staff = |player| [vec![player], (count..count + seats - 1).collect()];
                (0..count)
                    .map(|player| with_staff(player).concat())
                    .collect()
            }
        };
        let mut entrants = players;
        entrants.sort_by(|one, other| one.identity.cmp(&other.identity));
        entrants.extend(staff);
        let seated = entrants.len();
        entrants.extend(unusable);
        let field = Field {
            shows_scores,
            ranking,
            limits: serde_json::to_string(&settings.limits).expect("limits are plain numbers"),
            settings,
            entrants,
            players: count,
            seated,
        };
        Ok((field, tables))
    }

    /// Whether the records of all games are kept.
    pub(crate) fn keeps_records(&self) -> bool {
        let foreign = || self.entrants.iter().any(Entrant::is_foreign);
        self.settings.records.unwrap_or_else(foreign)
    }

    /// The block of a table in a round.
    pub(crate) fn block<'a>(&self, round: u64, table: &'a [usize]) -> Block<'a> {
        let Settings {
            game,
            version,
            setup,
            seatings,
            seed,
            format,
            sandbox,
            ..
        } = &self.settings;
        let limits = &self.limits;
        let identities = |players: &[usize]| {
            let identities = players
                .iter()
                .map(|&player| self.entrants[player].identity.as_str());
            identities.collect::<Vec<_>>().join(" ")
        };
        // In a gauntlet all players get the same deals against the same staff.
        let dealt_to = match format {
            Format::RoundRobin | Format::Swiss => table,
            Format::Gauntlet => &table[1..],
        };
        let deal = seed.deal(number(&identities(dealt_to))).deal(round);
        let everything = format!(
            "{game} {version} {setup} {seatings:?} {sandbox} {limits} {deal} {}",
            identities(table)
        );
        Block {
            round,
            table,
            deal,
            key: blake3::hash(everything.as_bytes()).to_hex()[..32].to_owned(),
        }
    }

    pub(crate) fn orders(&self, block: &Block<'_>) -> SeatOrders {
        let Settings {
            seatings, seats, ..
        } = self.settings;
        seatings.orders(seats, block.deal)
    }

    /// What decides between players with equal points in a round.
    pub(crate) fn lot(&self, round: u64, player: usize) -> u64 {
        let lots = self.settings.seed.deal(number("lots")).deal(round);
        lots.deal(number(&self.entrants[player].identity)).0
    }
}

/// One block of a contest.
pub(crate) struct Block<'a> {
    pub(crate) round: u64,
    pub(crate) table: &'a [usize],
    pub(crate) deal: Seed,
    pub(crate) key: String,
}

/// The blocks of some rounds, numbered in the order of the plan.
#[derive(Clone, Debug)]
pub(crate) struct Slice {
    pub(crate) field: Arc<Field>,
    pub(crate) tables: Arc<Tables>,
    pub(crate) rounds: Range<u64>,
}

impl Slice {
    pub(crate) fn count(&self) -> u64 {
        (self.rounds.end - self.rounds.start) * self.tables.len() as u64
    }

    pub(crate) fn table(&self, piece: u64) -> &[usize] {
        &self.tables[(piece % self.tables.len() as u64) as usize]
    }

    fn round(&self, piece: u64) -> u64 {
        self.rounds.start + piece / self.tables.len() as u64
    }

    pub(crate) fn block(&self, piece: u64) -> Block<'_> {
        self.field.block(self.round(piece), self.table(piece))
    }

    /// Whether the block belongs to the share that is played here.
    pub(crate) fn is_ours(&self, piece: u64) -> bool {
        let tables = self.tables.len() as u64;
        let shard = self.field.settings.shard;
        shard.is_none_or(|shard| shard.has(self.round(piece), piece % tables, tables))
    }
}

/// The blocks that a contest needs now and its store does not hold, in the order of the plan.
///
/// They may be played in any order, here or elsewhere, until [`Contest::keep`](crate::Contest::keep)
/// says that what is missing has to be looked up anew.
#[derive(Debug)]
pub struct Missing {
    pub(crate) slice: Slice,
    pub(crate) pieces: Vec<u64>,
    /// What was scored so far at each table, if the game shows it.
    pub(crate) scores: HashMap<Vec<usize>, Vec<i64>>,
    /// Who is suspended.
    pub(crate) suspended: Vec<bool>,
}

impl Missing {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.pieces.len()
    }

    /// Whether there are none: the contest is over.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The key under which one of them is kept: everything that its result depends on.
    pub fn key(&self, number: usize) -> String {
        self.slice.block(self.pieces[number]).key
    }

    /// What is to be played in one of them.
    pub fn plan(&self, number: usize) -> BlockPlan {
        let block = self.slice.block(self.pieces[number]);
        let scores = self.scores.get(block.table).cloned();
        BlockPlan {
            table: block.table.to_vec(),
            deal: block.deal,
            orders: self.slice.field.orders(&block),
            scores: scores.unwrap_or_else(|| vec![0; block.table.len()]),
            suspended: block
                .table
                .iter()
                .map(|&player| self.suspended[player])
                .collect(),
        }
    }
}

impl Settings {
    /// The same contest, of which this share of the blocks is played.
    pub fn sharded<G: Hosted>(mut self, shard: Shard) -> Result<Settings, BadContest> {
        if self.format == Format::Swiss {
            return Err(BadContest::SwissShard);
        }
        self.shard = Some(match shows_scores::<G>(&self)? {
            true => shard.by_table(),
            false => shard,
        });
        Ok(self)
    }
}

fn shows_scores<G: Hosted>(settings: &Settings) -> Result<bool, BadContest> {
    let setup = G::Setup::deserialize(&settings.setup);
    let setup = setup.map_err(|error| BadContest::Setup(error.to_string()))?;
    Ok(G::carry_on(&setup, &vec![0; settings.seats]).is_some())
}

/// A number that stands for a text.
fn number(text: &str) -> u64 {
    let hash = *blake3::hash(text.as_bytes()).as_bytes();
    let (first, _) = hash.split_first_chunk().expect("a hash is longer");
    u64::from_le_bytes(*first)
}

/// All tables that so many players can form.
fn all_tables(players: usize, seats: usize) -> Result<Vec<Vec<usize>>, BadContest> {
    let mut count: u128 = 1;
    for seat in 0..seats.min(players) as u128 {
        count = count * (players as u128 - seat) / (seat + 1);
        if count > 1 << 100 {
            break;
        }
    }
    if count > u128::from(MOST_TABLES) {
        let tables = u64::try_from(count).ok();
        return Err(BadContest::TooManyTables {
            players,
            seats,
            tables,
        });
    }
    let mut tables: Vec<Vec<usize>> = vec![Vec::new()];
    for seat in 0..seats {
        let mut longer = Vec::new();
        for table in &tables {
            let first = table.last().map_or(0, |last| last + 1);
            for player in first..=(players + seat).saturating_sub(seats) {
                longer.push([&table[..], &[player]].concat());
            }
        }
        tables = longer;
    }
    Ok(tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_robin_has_every_table_once() {
        let tables = all_tables(6, 3).expect("twenty tables");
        assert_eq!(tables.len(), 20);
        assert!(tables.is_sorted());
        assert!(tables.iter().all(|table| table.is_sorted_by(|a, b| a < b)));
        assert_eq!(tables[0], [0, 1, 2]);
        assert_eq!(tables[19], [3, 4, 5]);
        assert_eq!(all_tables(4, 4), Ok(vec![vec![0, 1, 2, 3]]));
        assert_eq!(all_tables(1_000, 2).map(|tables| tables.len()), Ok(499_500));
        assert_eq!(
            all_tables(1_000, 4).unwrap_err().to_string(),
            "a round robin of 1000 players has 41417124750 tables of 4, more than 1000000: use the \
             format swiss"
        );
    }
}
