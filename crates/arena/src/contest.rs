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

//!
//! Holding a contest is three things: [finding](Contest::missing) the blocks that are missing,
//! [playing](crate::Dealer::play) them, and [keeping](Contest::keep) what came out.
//! [`Contest::play`] does all three on this machine.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use croupier_bots::{Hosted, House};
use croupier_core::counted;

use crate::books::{Books, Queue};
use crate::plan::{Field, MOST_TABLES, Slice, Tables};
use crate::store::Entry;
use crate::swiss::{Meetings, Ranked, pair};
use crate::{
    BlockResult, Dealer, DealerTerms, Entrant, Format, Missing, Ranking, Settings, Standings,
    Store, StoreError, Suspension, Unplayed, work_at_tables,
};

/// How many blocks are looked up before they are played: a list of a billion would fill the memory.
const MOST_AT_ONCE: u64 = 100_000;

/// How long finished blocks may wait until they are written together.
const WRITES_AFTER: Duration = Duration::from_millis(200);

/// How many may wait at most.
const MOST_WAITING: usize = 4096;

/// How many faults of one player in one block are kept with everything that belongs to them.
pub const KEPT_FAULTS: u64 = 10;

/// A contest that cannot be held.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadContest {
    /// There are too many orders in which so many can be seated.
    #[error("all orders of seating are for tables of up to 6 players, not {seats}: use rotations")]
    TooManyOrders {
        /// How many sit at a table.
        seats: usize,
    },
    /// There are too many tables in a round.
    #[error(
        "a round robin of {players} players has {} of {seats}, more than {MOST_TABLES}: use the \
         format swiss",
        tables.map_or("far too many tables".to_owned(), |tables| format!("{tables} tables"))
    )]
    TooManyTables {
        /// How many take part.
        players: usize,
        /// How many sit at a table.
        seats: usize,
        /// How many tables they can form, if that can be counted.
        tables: Option<u64>,
    },
    /// Nobody is there to sit where seats are empty.
    #[error("{} at a table of {seats} would be empty: add players", counted(*empty, "seat"))]
    TooFewStaff {
        /// How many sit at a table.
        seats: usize,
        /// How many seats the players leave empty at one table.
        empty: usize,
    },
    /// Who meets whom depends on what others have played.
    #[error("a Swiss contest cannot be split into shards: who meets whom depends on all results")]
    SwissShard,
    /// The setup cannot be read.
    #[error("this is no setup: {0}")]
    Setup(String),
}

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
#[derive(Clone, Debug)]
pub struct Contest {
    field: Arc<Field>,
    /// The tables of every round; in a Swiss contest those of the present one.
    tables: Arc<Tables>,
    /// The rounds that are played now.
    slice: Option<Slice>,
    queue: Queue,
    meetings: Meetings,
    /// How many rounds of a Swiss contest have been paired, and how many tables they have together.
    paired: (u64, u64),
    books: Books,
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
        let (field, tables) = Field::new::<G>(settings, players, staff)?;
        Ok(Contest::on(field, tables))
    }

    /// A contest of which nothing has been played.
    pub(crate) fn on(field: Field, tables: Tables) -> Contest {
        Contest {
            books: Books::new(&field),
            meetings: Meetings::new(field.players),
            paired: (0, 0),
            queue: Queue::default(),
            slice: None,
            tables: Arc::new(tables),
            field: Arc::new(field),
        }
    }

    /// What the contest depends on.
    pub fn settings(&self) -> &Settings {
        &self.field.settings
    }

    /// All who take part: the players, then the staff, then those who cannot play.
    pub fn entrants(&self) -> &[Entrant] {
        &self.field.entrants
    }

    /// Whether the records of all games are kept.
    pub fn keeps_records(&self) -> bool {
        self.field.keeps_records()
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
            shard,
            ..
        } = self.field.settings;
        let tables = self.tables.len() as u64;
        let blocks = match (format, shard) {
            // Rounds that others joined later have more tables than all could have sat at.
            (Format::Swiss, _) => {
                let (rounds_paired, tables) = self.paired;
                let to_come = self.field.players.div_ceil(seats) as u64;
                tables.saturating_add((rounds - rounds_paired).saturating_mul(to_come))
            }
            (_, Some(shard)) => shard.blocks(rounds, tables),
            (_, None) => rounds.saturating_mul(tables),
        };
        Progress {
            games: self.books.standings.games() + self.books.ahead,
            of: blocks.saturating_mul(seatings.games(seats)),
        }
    }

    /// Counts what the store holds, and finds the blocks that are to be played next: as many rounds
    /// at once as do not depend on each other. Nothing is missing when the contest is over.
    pub fn missing(&mut self, store: &mut Store) -> Result<Missing, StoreError> {
        while let Some(slice) =
            self.present_rounds(|contest, round| contest.pair_round(round, store))?
        {
            let left = self.look_up(&slice, store, u64::MAX)?;
            if !left.is_empty() {
                return Ok(self.missing_of(slice, left));
            }
        }
        let end = self.field.settings.rounds;
        Ok(self.missing_of(self.rounds(end..end), Vec::new()))
    }

    /// Counts what the store holds, and plans nothing: for whoever looks on while others play. After
    /// so many blocks in a row that are missing no more are looked for.
    pub(crate) fn catch_up(&mut self, store: &Store, patience: u64) -> Result<(), StoreError> {
        while let Some(slice) =
            self.present_rounds(|contest, round| contest.paired_round(round, store))?
        {
            if !self.look_up(&slice, store, patience)?.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// Counts everything that the store holds, whatever is missing before it.
    pub(crate) fn count_all(&mut self, store: &Store) -> Result<(), StoreError> {
        while let Some(slice) =
            self.present_rounds(|contest, round| contest.paired_round(round, store))?
        {
            self.look_up(&slice, store, u64::MAX)?;
            self.cut_short();
            self.queue.counted = slice.count();
            self.slice = Some(slice);
        }
        Ok(())
    }

    fn missing_of(&self, slice: Slice, pieces: Vec<u64>) -> Missing {
        let everybody: Vec<usize> = (0..self.field.entrants.len()).collect();
        Missing {
            slice,
            pieces,
            scores: self.books.scores.clone(),
            suspended: self.books.suspended(&everybody),
        }
    }

    fn rounds(&self, rounds: std::ops::Range<u64>) -> Slice {
        Slice {
            field: Arc::clone(&self.field),
            tables: Arc::clone(&self.tables),
            rounds,
        }
    }

    /// The rounds that are not counted to their end: those of before, or those after them, of which
    /// `pair` tells the tables in a Swiss contest. None if there are no more.
    fn present_rounds(
        &mut self,
        pair: impl FnOnce(&mut Contest, u64) -> Result<Tables, StoreError>,
    ) -> Result<Option<Slice>, StoreError> {
        let done = self.slice.take();
        let present = done
            .as_ref()
            .filter(|slice| self.queue.counted < slice.count());
        if let Some(present) = present.cloned() {
            self.slice = done;
            return Ok(Some(present));
        }
        let Settings { format, rounds, .. } = self.field.settings;
        let first = done.as_ref().map_or(0, |done| done.rounds.end);
        if first >= rounds {
            self.slice = Some(self.rounds(rounds..rounds));
            return Ok(None);
        }
        // Who meets whom, and what players are shown, may depend on the rounds before.
        let step = match format == Format::Swiss || self.field.shows_scores {
            true => 1,
            false => (MOST_AT_ONCE / self.tables.len().max(1) as u64).max(1),
        };
        if format == Format::Swiss {
            let tables = pair(self, first);
            if tables.is_err() {
                // What was counted is not counted again.
                self.slice = done;
                return tables.map(|_| None);
            }
            self.tables = Arc::new(tables?);
        }
        if self.tables.is_empty() {
            self.slice = done;
            return Ok(None);
        }
        if format == Format::Swiss {
            self.paired.0 = first + 1;
            self.paired.1 += self.tables.len() as u64;
        }
        let slice = self.rounds(first..rounds.min(first + step));
        self.queue = Queue::default();
        self.slice = Some(slice.clone());
        Ok(Some(slice))
    }

    /// The tables of a Swiss round. Those that were paired before stay as they are, so long as all
    /// who sat there take part; everybody else is paired now.
    fn pair_round(&mut self, round: u64, store: &mut Store) -> Result<Tables, StoreError> {
        let Field {
            settings,
            entrants,
            players,
            ranking,
            ..
        } = &*self.field;
        let mut tables = self.tables_before(round, store)?;
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
            tables.extend(pair(free, settings.seats, &self.meetings));
            let name = |&player: &usize| entrants[player].name.as_str();
            let named = tables.iter().map(|table| table.iter().map(name).collect());
            store.pair(round, &named.collect::<Vec<Vec<&str>>>())?;
        }
        Ok(self.seated_with_staff(tables))
    }

    /// The tables of a Swiss round as they were paired, if they were.
    fn paired_round(&mut self, round: u64, store: &Store) -> Result<Tables, StoreError> {
        let tables = self.tables_before(round, store)?;
        let Field {
            settings,
            players,
            seated,
            ..
        } = &*self.field;
        let fits = |table: &Vec<usize>| {
            (1..=settings.seats).contains(&table.len())
                && settings.seats - table.len() <= seated - players
        };
        match tables.iter().all(fits) {
            true => Ok(self.seated_with_staff(tables)),
            false => Err(store.damaged("a round has a table of another size")),
        }
    }

    /// The tables of a round that were paired before, and whose players all take part.
    fn tables_before(&self, round: u64, store: &Store) -> Result<Tables, StoreError> {
        let names = self.field.entrants[..self.field.players].iter();
        let names = names.map(|entrant| entrant.name.as_str());
        let numbers: HashMap<&str, usize> = names.zip(0..).collect();
        let known = |names: Vec<String>| -> Option<Vec<usize>> {
            let numbers = names.iter().map(|name| numbers.get(name.as_str()).copied());
            numbers.collect()
        };
        let tables = store.pairing(round)?;
        Ok(tables.into_iter().filter_map(known).collect())
    }

    /// Notes who meets whom at these tables, and fills the chairs that are free with the staff.
    fn seated_with_staff(&mut self, mut tables: Tables) -> Tables {
        let (seats, players) = (self.field.settings.seats, self.field.players);
        for table in &mut tables {
            self.meetings.meet(table, seats);
            table.sort_unstable();
            let staff = seats - table.len();
            table.extend(players..players + staff);
        }
        tables
    }

    /// Counts what the store holds of some rounds, and tells which pieces of them are left to play.
    /// After so many in a row that are missing no more are looked for.
    fn look_up(
        &mut self,
        slice: &Slice,
        store: &Store,
        patience: u64,
    ) -> Result<Vec<u64>, StoreError> {
        let mut left = Vec::new();
        let mut in_a_row = 0;
        for piece in self.queue.counted..slice.count() {
            // One that was missing before lets those be counted that waited for it.
            let is_known = piece < self.queue.counted || self.queue.finished.contains_key(&piece);
            if is_known || !slice.is_ours(piece) {
                continue;
            }
            let block = slice.block(piece);
            let suspended = self.books.suspended(block.table);
            let played = store.played(&block.key)?;
            let games = self.field.settings.seatings.games(block.table.len());
            let is_sound = |played: &BlockResult| played.fits(block.table.len(), games as usize);
            if played.as_ref().is_some_and(|played| !is_sound(played)) {
                return Err(store.damaged("a block has other results than its games can have"));
            }
            match played {
                Some(played) if played.suspended == suspended => {
                    in_a_row = 0;
                    self.books.finish(slice, &mut self.queue, piece, played);
                }
                _ => {
                    in_a_row += 1;
                    left.push(piece);
                    if in_a_row > patience {
                        break;
                    }
                }
            }
        }
        self.books.count(slice, &mut self.queue);
        Ok(left)
    }

    /// Writes finished blocks down, each with its number among the missing ones, then counts those
    /// whose turn it is. If that suspends somebody, what is missing has to be looked up anew.
    pub fn keep(
        &mut self,
        store: &mut Store,
        missing: &Missing,
        finished: &mut Vec<(usize, BlockResult)>,
    ) -> Result<Upheld, StoreError> {
        let (field, slice) = (&missing.slice.field, &missing.slice);
        finished.retain(|(number, played)| {
            played.suspended == self.books.suspended(slice.table(missing.pieces[*number]))
        });
        let blocks: Vec<_> = finished
            .iter()
            .map(|(number, played)| (slice.block(missing.pieces[*number]), played))
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
        let mut upheld = Upheld::Yes;
        for (number, mut played) in finished.drain(..) {
            self.books.decided += played.decisions.iter().sum::<u64>();
            // They are written, and nobody counts them.
            (played.records, played.kept) = Default::default();
            let piece = missing.pieces[number];
            if self.books.finish(slice, &mut self.queue, piece, played) {
                upheld = Upheld::No;
            }
        }
        Ok(upheld)
    }

    /// The contest ends here: what is finished stands in the table, whatever is missing before it.
    pub fn cut_short(&mut self) {
        if let Some(slice) = self.slice.take() {
            for (piece, played) in std::mem::take(&mut self.queue.finished) {
                self.books.take(&self.field, &slice.block(piece), &played);
            }
        }
        self.books.ahead = 0;
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
        loop {
            let missing = self.missing(store)?;
            look(self, store);
            if missing.is_empty() {
                return Ok(());
            }
            let played = self.play_missing::<G>(&missing, setup, store, hosting, &mut look);
            if played.is_err() {
                self.cut_short();
                return played;
            }
        }
    }

    /// Plays the blocks that are missing, until all are played or somebody is suspended.
    fn play_missing<G: Hosted>(
        &mut self,
        missing: &Missing,
        setup: &G::Setup,
        store: &mut Store,
        hosting: &Hosting<'_>,
        look: &mut impl FnMut(&Contest, &Store),
    ) -> Result<(), CutShort> {
        let field = Arc::clone(&self.field);
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
        let anew = AtomicBool::new(false);
        let mut waiting = Vec::new();
        let mut written = Instant::now();
        let mut failed = Ok(());
        let mut keep = |contest: &mut Contest, store: &mut Store, waiting: &mut Vec<_>| {
            if contest.keep(store, missing, waiting)? == Upheld::No {
                anew.store(true, Ordering::Relaxed);
            }
            look(contest, store);
            Ok::<(), StoreError>(())
        };
        let result = work_at_tables(
            missing.len() as u64,
            hosting.threads,
            Dealer::new,
            |dealer, number| match anew.load(Ordering::Relaxed) {
                true => Ok(None),
                false => dealer
                    .play(&terms, &missing.plan(number as usize))
                    .map(Some),
            },
            |number, played| {
                // Whether somebody is suspended should be known before the next block is begun.
                let is_urgent = played
                    .as_ref()
                    .is_some_and(BlockResult::is_failed_by_anyone);
                waiting.extend(played.map(|played| (number as usize, played)));
                if waiting.len() >= MOST_WAITING || written.elapsed() >= WRITES_AFTER || is_urgent {
                    failed = keep(self, store, &mut waiting);
                    written = Instant::now();
                }
                match failed {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            },
        );
        failed?;
        keep(self, store, &mut waiting)?;
        Ok(result?)
    }
}

/// Whether the blocks that were missing are still those that have to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Upheld {
    /// They are.
    Yes,
    /// Somebody was suspended: those with that player are played otherwise.
    No,
}
