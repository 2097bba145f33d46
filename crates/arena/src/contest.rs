//! A contest from its first block to its table.
//!
//! All that a contest depends on is in its [`Settings`] and in the identities of those who take
//! part. Which blocks it has follows from them alone, or in a Swiss contest from them and the
//! results so far; each block has a key, and what the store already holds under that key is not
//! played again. So a contest that was stopped goes on where it was, and one to which a player was
//! added plays that player's blocks.
//!
//! The blocks have an order: the plan, round by round and table by table. They are finished in any
//! order, and written down at once, but counted in the order of the plan, because who is suspended
//! depends on the blocks before. A block that was begun too early, with somebody at the table who
//! should have been suspended by then, does not count and is played again.

use std::collections::{BTreeMap, HashMap};
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use croupier_bots::{Hosted, House};
use croupier_core::Seed;
use serde::Deserialize as _;

use crate::conduct::{Conduct, InBlock};
use crate::store::Entry;
use crate::swiss::{Meetings, Ranked, pair};
use crate::{
    BlockPlan, BlockResult, Dealer, DealerTerms, Entrant, Format, Ranking, SeatOrders, Seatings,
    Settings, Standings, Store, StoreError, Suspension, Unplayed, work_at_tables,
};

/// The most tables that a round may have.
pub const MOST_TABLES: u64 = 1_000_000;

/// The largest table at which all orders of seating can be played: there are 720 of them.
const MOST_IN_ALL_ORDERS: usize = 6;

/// How many blocks are looked up before they are played: a list of a billion would fill the memory.
const MOST_AT_ONCE: u64 = 100_000;

/// How long finished blocks may wait until they are written together.
const WRITES_AFTER: Duration = Duration::from_millis(200);

/// How many may wait at most.
const MOST_WAITING: usize = 4096;

/// How many faults of one player in one block are kept with everything that belongs to them.
pub(crate) const KEPT_FAULTS: u64 = 10;

/// A contest that cannot be held; the text says what is wrong and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadContest(pub String);

/// Why a contest ended before its time. What was finished is kept.
#[derive(Debug, thiserror::Error)]
pub enum CutShort {
    /// A block was not played.
    #[error(transparent)]
    Unplayed(#[from] Unplayed),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What a contest needs from the house to be played.
#[derive(Debug)]
pub struct Hosting<'a> {
    /// How foreign programs are held.
    pub house: &'a House,
    /// At how many tables is played at the same time.
    pub threads: usize,
    /// Whether every fault is kept, not only some of each player in a block.
    pub keeps_all_faults: bool,
}

/// A contest that is being held.
#[derive(Debug)]
pub struct Contest {
    field: Arc<Field>,
    /// The tables of every round; in a Swiss contest each round has its own.
    tables: Arc<Vec<Vec<usize>>>,
    books: Books,
}

/// What changes with every block.
#[derive(Debug)]
struct Books {
    standings: Standings,
    /// How many decisions were made this time.
    decided: u64,
    /// What was scored so far at each table, if the game shows it.
    scores: HashMap<Vec<usize>, Vec<i64>>,
    /// How everybody has behaved.
    conduct: Vec<Conduct>,
    /// How many games are finished and wait for others that come before them.
    ahead: u64,
}

/// What does not change while a contest is held.
#[derive(Debug)]
struct Field {
    settings: Settings,
    /// The players in order of their identities, then the staff, then those who cannot play.
    entrants: Vec<Entrant>,
    /// How many of them are players.
    players: usize,
    /// How many of them have a seat: the players and the staff.
    seated: usize,
    /// Who is better than whom.
    ranking: Ranking,
    /// The limits of programs, as they stand in the keys of blocks.
    limits: String,
    /// Whether players are shown what they have scored so far.
    shows_scores: bool,
}

/// How far a contest has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// How many games were played, now or before.
    pub games: u64,
    /// How many there will have been.
    pub of: u64,
}

impl Contest {
    /// A contest between these players. The staff sits with them in a gauntlet, and fills the
    /// weakest table of a Swiss round. Players who cannot play are listed, and no more.
    pub fn new<G: Hosted>(
        settings: Settings,
        players: Vec<Entrant>,
        staff: Vec<Entrant>,
    ) -> Result<Contest, BadContest> {
        let (unusable, players): (Vec<_>, Vec<_>) = players
            .into_iter()
            .partition(|player| player.fault().is_some());
        let (seats, count) = (settings.seats, players.len());
        if settings.seatings == Seatings::All && seats > MOST_IN_ALL_ORDERS {
            return Err(BadContest(format!(
                "all orders of seating are for tables of up to {MOST_IN_ALL_ORDERS} players, \
                 not {seats}: use rotations"
            )));
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
        Ok(Contest {
            books: Books {
                standings: Standings::new(entrants.len(), seats),
                decided: 0,
                scores: HashMap::new(),
                conduct: vec![Conduct::default(); entrants.len()],
                ahead: 0,
            },
            tables: Arc::new(tables),
            field: Arc::new(Field {
                shows_scores: shows_scores::<G>(&settings)?,
                ranking: Ranking::new::<G>(settings.rank_by),
                limits: serde_json::to_string(&settings.limits).expect("limits are plain numbers"),
                settings,
                entrants,
                players: count,
                seated,
            }),
        })
    }

    /// What the contest depends on.
    pub fn settings(&self) -> &Settings {
        &self.field.settings
    }

    /// All who take part: the players, then the staff, then those who cannot play.
    pub fn entrants(&self) -> &[Entrant] {
        &self.field.entrants
    }

    /// How many of them are players.
    pub fn players(&self) -> usize {
        self.field.players
    }

    /// Who is better than whom in it.
    pub fn ranking(&self) -> Ranking {
        self.field.ranking
    }

    /// How many of them have a seat: the players and the staff.
    pub fn seated(&self) -> usize {
        self.field.seated
    }

    /// Whether and when this one was suspended.
    pub fn suspension(&self, number: usize) -> Option<Suspension> {
        self.books.conduct[number].suspended()
    }

    /// How it stands.
    pub fn standings(&self) -> &Standings {
        &self.books.standings
    }

    /// How many decisions were made since it was begun or resumed.
    pub fn decided(&self) -> u64 {
        self.books.decided
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        let Settings {
            format,
            seats,
            rounds,
            seatings,
            ..
        } = self.field.settings;
        let tables = match format {
            Format::Swiss => self.field.players.div_ceil(seats),
            Format::RoundRobin | Format::Gauntlet => self.tables.len(),
        };
        Progress {
            games: self.books.standings.games() + self.books.ahead,
            of: tables as u64 * rounds * seatings.games(seats),
        }
    }

    /// Plays all blocks that the store does not hold yet. `look` is shown the contest as it stands
    /// from time to time, and the store.
    pub fn play<G: Hosted>(
        &mut self,
        setup: &G::Setup,
        store: &mut Store,
        hosting: &Hosting<'_>,
        mut look: impl FnMut(&Contest, &Store),
    ) -> Result<(), CutShort> {
        let Settings { format, rounds, .. } = self.field.settings;
        let mut meetings = Meetings::new(self.field.players);
        // Who meets whom, and what players are shown, may depend on the rounds before.
        let step = match format == Format::Swiss || self.field.shows_scores {
            true => 1,
            false => (MOST_AT_ONCE / self.tables.len().max(1) as u64).max(1),
        };
        for first in (0..rounds).step_by(step as usize) {
            if format == Format::Swiss {
                self.tables = Arc::new(self.pair_round(first, &mut meetings, store)?);
            }
            let some = first..rounds.min(first + step);
            self.play_rounds::<G>(some, setup, store, hosting, &mut look)?;
        }
        Ok(())
    }

    /// The tables of a Swiss round. Those that were paired before stay as they are, so long as all
    /// who sat there take part; everybody else is paired now.
    fn pair_round(
        &self,
        round: u64,
        meetings: &mut Meetings,
        store: &mut Store,
    ) -> Result<Vec<Vec<usize>>, StoreError> {
        let Field {
            settings,
            entrants,
            players,
            ranking,
            ..
        } = &*self.field;
        let names = entrants[..*players]
            .iter()
            .map(|entrant| entrant.name.as_str());
        let numbers: HashMap<&str, usize> = names.zip(0..).collect();
        let known = |names: Vec<String>| -> Option<Vec<usize>> {
            let numbers = names.iter().map(|name| numbers.get(name.as_str()).copied());
            numbers.collect()
        };
        let mut tables: Vec<Vec<usize>> = store
            .pairing(round)?
            .into_iter()
            .filter_map(known)
            .collect();
        let mut free = vec![true; *players];
        tables
            .iter()
            .flatten()
            .for_each(|&player| free[player] = false);
        let free = (0..*players)
            .filter(|&player| free[player])
            .map(|player| Ranked {
                player,
                worth: ranking.total(self.books.standings.of(player)),
                lot: self.field.lot(round, player),
            });
        let free: Vec<Ranked> = free.collect();
        if !free.is_empty() {
            tables.extend(pair(free, settings.seats, meetings));
            let name = |&player: &usize| entrants[player].name.as_str();
            let named = tables.iter().map(|table| table.iter().map(name).collect());
            store.pair(round, &named.collect::<Vec<Vec<&str>>>())?;
        }
        for table in &mut tables {
            meetings.meet(table, settings.seats);
            table.sort_unstable();
            let staff = settings.seats - table.len();
            table.extend(*players..players + staff);
        }
        Ok(tables)
    }

    /// Plays the blocks of some rounds.
    fn play_rounds<G: Hosted>(
        &mut self,
        rounds: Range<u64>,
        setup: &G::Setup,
        store: &mut Store,
        hosting: &Hosting<'_>,
        look: &mut impl FnMut(&Contest, &Store),
    ) -> Result<(), CutShort> {
        let (field, tables) = (Arc::clone(&self.field), Arc::clone(&self.tables));
        let slice = Slice {
            field: &field,
            tables: &tables,
            rounds,
        };
        let mut queue = Queue::default();
        // Another turn is taken only when somebody has been suspended.
        loop {
            let left = self.look_up(&slice, &mut queue, store)?;
            look(self, store);
            if left.is_empty() {
                return Ok(());
            }
            let played =
                self.play_pieces::<G>(&slice, &left, &mut queue, setup, store, hosting, look);
            if played.is_err() {
                // It ends here: what is finished stands in the table, whatever is missing before it.
                for (piece, played) in queue.finished {
                    self.books.take(&field, &slice.block(piece), &played);
                }
                self.books.ahead = 0;
                return played;
            }
        }
    }

    /// Counts what the store holds of some rounds, and tells which pieces of them are left to play.
    fn look_up(
        &mut self,
        slice: &Slice<'_>,
        queue: &mut Queue,
        store: &Store,
    ) -> Result<Vec<u64>, StoreError> {
        let mut left = Vec::new();
        for piece in queue.counted..slice.count() {
            if queue.finished.contains_key(&piece) {
                continue;
            }
            let block = slice.block(piece);
            let suspended = self.books.suspended(block.table);
            match store.played(&block.key)? {
                Some(played) if played.suspended == suspended => {
                    self.books.finish(slice, queue, piece, played);
                }
                _ => left.push(piece),
            }
        }
        Ok(left)
    }

    /// Plays the pieces that are left, until all are played or somebody is suspended.
    #[expect(clippy::too_many_arguments, reason = "they have nothing in common")]
    fn play_pieces<G: Hosted>(
        &mut self,
        slice: &Slice<'_>,
        left: &[u64],
        queue: &mut Queue,
        setup: &G::Setup,
        store: &mut Store,
        hosting: &Hosting<'_>,
        look: &mut impl FnMut(&Contest, &Store),
    ) -> Result<(), CutShort> {
        let field = slice.field;
        let terms = DealerTerms::<G> {
            entrants: &field.entrants,
            setup,
            house: hosting.house,
            records: field.keeps_records(),
            faults: match hosting.keeps_all_faults {
                true => u64::MAX,
                false => KEPT_FAULTS,
            },
        };
        let shown = self.books.scores.clone();
        let everybody: Vec<usize> = (0..field.entrants.len()).collect();
        let suspended = self.books.suspended(&everybody);
        let anew = AtomicBool::new(false);
        let mut waiting = Vec::new();
        let mut written = Instant::now();
        let mut failed = Ok(());
        let result = work_at_tables(
            left.len() as u64,
            hosting.threads,
            |thread| Dealer::new(&terms, thread),
            |dealer, number| {
                if anew.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                let block = slice.block(left[number as usize]);
                let shown = shown.get(block.table).cloned();
                let played = dealer.play(&BlockPlan {
                    table: block.table.to_vec(),
                    deal: block.deal,
                    orders: field.orders(&block),
                    scores: shown.unwrap_or_else(|| vec![0; block.table.len()]),
                    suspended: block
                        .table
                        .iter()
                        .map(|&player| suspended[player])
                        .collect(),
                });
                played.map(Some)
            },
            |number, played| {
                // Whether somebody is suspended should be known before the next block is begun.
                let is_urgent = played
                    .as_ref()
                    .is_some_and(BlockResult::is_failed_by_anyone);
                waiting.extend(played.map(|played| (left[number as usize], played)));
                if waiting.len() >= MOST_WAITING || written.elapsed() >= WRITES_AFTER || is_urgent {
                    failed = self.keep(slice, queue, &mut waiting, store, &anew);
                    written = Instant::now();
                    look(self, store);
                }
                match failed {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            },
        );
        failed?;
        self.keep(slice, queue, &mut waiting, store, &anew)?;
        look(self, store);
        Ok(result?)
    }

    /// Writes finished blocks down, then counts those whose turn it is. If that suspends somebody,
    /// the rest is begun anew.
    fn keep(
        &mut self,
        slice: &Slice<'_>,
        queue: &mut Queue,
        waiting: &mut Vec<(u64, BlockResult)>,
        store: &mut Store,
        anew: &AtomicBool,
    ) -> Result<(), StoreError> {
        let field = slice.field;
        waiting.retain(|(piece, played)| {
            played.suspended == self.books.suspended(slice.table(*piece))
        });
        let blocks: Vec<_> = waiting
            .iter()
            .map(|(piece, played)| (slice.block(*piece), played))
            .collect();
        store.write(blocks.iter().map(|(block, played)| {
            Entry {
                key: &block.key,
                round: block.round,
                deal: block.deal.0,
                players: block
                    .table
                    .iter()
                    .map(|&player| &field.entrants[player])
                    .collect(),
                played,
            }
        }))?;
        for (piece, mut played) in waiting.drain(..) {
            self.books.decided += played.decisions.iter().sum::<u64>();
            // They are written, and nobody counts them.
            (played.records, played.kept) = Default::default();
            if self.books.finish(slice, queue, piece, played) {
                anew.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

/// The blocks of some rounds, numbered in the order of the plan.
struct Slice<'a> {
    field: &'a Field,
    tables: &'a [Vec<usize>],
    rounds: Range<u64>,
}

impl Slice<'_> {
    fn count(&self) -> u64 {
        (self.rounds.end - self.rounds.start) * self.tables.len() as u64
    }

    fn table(&self, piece: u64) -> &[usize] {
        &self.tables[(piece % self.tables.len() as u64) as usize]
    }

    fn block(&self, piece: u64) -> Block<'_> {
        let round = self.rounds.start + piece / self.tables.len() as u64;
        self.field.block(round, self.table(piece))
    }
}

/// The blocks of a slice that have been counted, and those that wait for their turn.
#[derive(Debug, Default)]
struct Queue {
    /// The first so many have been counted.
    counted: u64,
    /// Finished ones that wait for others before them.
    finished: BTreeMap<u64, BlockResult>,
}

impl BlockResult {
    /// Whether somebody failed who was asked.
    fn is_failed_by_anyone(&self) -> bool {
        let mut asked = (0..self.faults.len()).filter(|&place| !self.suspended[place]);
        asked.any(|place| self.faults[place] > 0 && InBlock::of(self, place).is_failed())
    }
}

impl Books {
    /// Takes a finished block, and counts all whose turn it is. Tells whether somebody was suspended
    /// by that, so that blocks which come later are to be played otherwise.
    fn finish(
        &mut self,
        slice: &Slice<'_>,
        queue: &mut Queue,
        piece: u64,
        played: BlockResult,
    ) -> bool {
        // It may have been begun before it was known who is suspended.
        if played.suspended != self.suspended(slice.table(piece)) {
            return false;
        }
        let mut is_anyone_suspended = false;
        self.ahead += played.games.len() as u64;
        queue.finished.insert(piece, played);
        while let Some(played) = queue.finished.remove(&queue.counted) {
            self.ahead -= played.games.len() as u64;
            let block = slice.block(queue.counted);
            self.take(slice.field, &block, &played);
            queue.counted += 1;
            if self.judge(slice.field, &block, &played) {
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
    fn suspended(&self, table: &[usize]) -> Vec<bool> {
        let is_suspended = |&player: &usize| self.conduct[player].suspended().is_some();
        table.iter().map(is_suspended).collect()
    }

    /// Counts a block.
    fn take(&mut self, field: &Field, block: &Block<'_>, played: &BlockResult) {
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

/// One block of a contest.
struct Block<'a> {
    round: u64,
    table: &'a [usize],
    deal: Seed,
    key: String,
}

impl Field {
    fn keeps_records(&self) -> bool {
        let foreign = || self.entrants.iter().any(Entrant::is_foreign);
        self.settings.records.unwrap_or_else(foreign)
    }

    /// The block of a table in a round.
    fn block<'a>(&self, round: u64, table: &'a [usize]) -> Block<'a> {
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

    fn orders(&self, block: &Block<'_>) -> SeatOrders {
        let Settings {
            seatings, seats, ..
        } = self.settings;
        seatings.orders(seats, block.deal)
    }

    /// What decides between players with equal points in a round.
    fn lot(&self, round: u64, player: usize) -> u64 {
        let lots = self.settings.seed.deal(number("lots")).deal(round);
        lots.deal(number(&self.entrants[player].identity)).0
    }
}

fn shows_scores<G: Hosted>(settings: &Settings) -> Result<bool, BadContest> {
    let setup = G::Setup::deserialize(&settings.setup);
    let setup = setup.map_err(|error| BadContest(format!("this is no setup: {error}")))?;
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
        return Err(BadContest(format!(
            "a round robin of {players} players has {} of {seats}, more than {MOST_TABLES}: use \
             the format swiss",
            if count > 1 << 64 {
                "far too many tables".to_owned()
            } else {
                format!("{count} tables")
            },
        )));
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
