//! Takes a program through the list, a seat for it on every thread.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use croupier_bots::{Fault, Hosted, House, Ledger, Program, Seating, Speech};
use croupier_console::Failure;
use croupier_core::{FoulKind, Moment, Player, Seat, Seed, Situations, Step, Stepper, Unfinished};
use indicatif::ProgressBar;

use super::situations::{Item, List, Sitting, What};
use super::stopped;
use crate::style::grouped;
use crate::table::not_taken;

/// After this many time-outs a program is asked no more: the answer is known, and a check with all
/// of them could take an hour.
const TIMEOUTS: usize = 3;

/// After so many of its own turns a program is told that the game is over: the rest is much the same.
const LONGEST: u64 = 300;

/// How much is asked, unless the program hangs: what comes first ends it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// So many situations.
    pub(super) situations: Option<u64>,
    /// Until then.
    pub(super) until: Option<Instant>,
    pub(super) threads: usize,
}

/// A program, and how it is asked.
#[derive(Clone, Debug)]
pub(super) struct Asking<'a> {
    pub(super) program: Program,
    pub(super) speech: Speech,
    pub(super) house: &'a House,
    pub(super) effort: Effort,
    pub(super) bar: &'a ProgressBar,
}

/// A fault, and where it happened.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) fault: Fault,
    /// The kinds of the situation, one bit each.
    pub(super) kinds: u64,
    /// The table.
    pub(super) table: usize,
}

/// What came of one entry of the list, or of several; of several, the faults have been told.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// How many situations there were.
    pub(super) situations: u64,
    /// How many of each kind.
    pub(super) kinds: Vec<u64>,
    /// How many at each table.
    pub(super) tables: Vec<u64>,
    found: Vec<Found>,
}

impl Asked {
    fn count(&mut self, kinds: u64, table: usize) {
        self.situations += 1;
        for kind in (0..64).filter(|kind| kinds >> kind & 1 == 1) {
            add(&mut self.kinds, kind, 1);
        }
        add(&mut self.tables, table, 1);
    }

    fn add(&mut self, situations: u64, kinds: &[u64], tables: &[u64]) {
        self.situations += situations;
        for (kind, &count) in kinds.iter().enumerate() {
            add(&mut self.kinds, kind, count);
        }
        for (table, &count) in tables.iter().enumerate() {
            add(&mut self.tables, table, count);
        }
    }
}

fn add(counts: &mut Vec<u64>, place: usize, more: u64) {
    if counts.len() <= place {
        counts.resize(place + 1, 0);
    }
    counts[place] += more;
}

/// What all threads share.
struct Shared<'a, G: Situations> {
    list: List<'a, G>,
    /// What came of entries that are done, but not all before them are: by their place in the list.
    early: BTreeMap<u64, Asked>,
    /// How many entries are done together with all before them.
    done: u64,
    /// What came of those, as far as so much was to be asked.
    all: Asked,
    most: Option<u64>,
    /// Is told of every fault.
    tell: &'a mut (dyn FnMut(Found) + Send),
    situations: u64,
    faults: usize,
    timeouts: usize,
    is_over: bool,
}

impl<G: Situations> Shared<'_, G> {
    fn note(&mut self, number: u64, asked: Asked) {
        let timeout = |found: &&Found| found.fault.kind == FoulKind::Timeout;
        self.timeouts += asked.found.iter().filter(timeout).count();
        self.faults += asked.found.len();
        self.situations += asked.situations;
        self.early.insert(number, asked);
        while let Some(asked) = self.early.remove(&self.done) {
            self.done += 1;
            // The threads may go on beyond what was asked for.
            if !self.is_enough() {
                asked.found.into_iter().for_each(&mut *self.tell);
                self.all.add(asked.situations, &asked.kinds, &asked.tables);
            }
        }
    }

    fn is_enough(&self) -> bool {
        self.most.is_some_and(|most| self.all.situations >= most)
    }
}

impl Asking<'_> {
    /// Takes the program through the list from its beginning, and tells of every fault.
    pub(super) fn ask<G: Hosted>(
        &self,
        list: List<'_, G>,
        tell: &mut (dyn FnMut(Found) + Send),
    ) -> Result<Asked, Failure> {
        let shared = Mutex::new(Shared {
            list,
            early: BTreeMap::new(),
            done: 0,
            all: Asked::default(),
            most: self.effort.situations,
            tell,
            situations: 0,
            faults: 0,
            timeouts: 0,
            is_over: false,
        });
        let results: Vec<Result<Vec<Found>, Failure>> = std::thread::scope(|scope| {
            let work = |_| scope.spawn(|| self.work(&shared));
            let threads: Vec<_> = (0..self.effort.threads).map(work).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
                let joined = thread.join();
                joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().map(join).collect()
        });
        let shared = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        for result in results {
            result?.into_iter().for_each(&mut *shared.tell);
        }
        Ok(shared.all)
    }

    /// What one thread does; gives the faults of which no situation is the cause.
    fn work<G: Hosted>(&self, shared: &Mutex<Shared<'_, G>>) -> Result<Vec<Found>, Failure> {
        let ledger = Ledger::default();
        let mut seated: Option<(usize, Box<dyn Player<G>>)> = None;
        let mut last = Vec::new();
        let gone = |ledger: &Ledger, table: usize| {
            let found = |fault| Found {
                fault,
                kinds: 0,
                table,
            };
            ledger.take().into_iter().map(found).collect::<Vec<_>>()
        };
        while let Some(item) = self.next(shared) {
            let mut player = match seated.take() {
                Some((table, player)) if table == item.table => player,
                other => {
                    let table = other.as_ref().map_or(0, |(table, _)| *table);
                    // Who lives on is told to go.
                    drop(other);
                    last.extend(gone(&ledger, table));
                    let setup = &locked(shared).list.table(item.table).setup;
                    let seating = Seating::new(&ledger, self.house);
                    let seated = seating.seat(self.program.clone(), self.speech, setup);
                    seated.map_err(not_taken).inspect_err(|_| end(shared))?
                }
            };
            let (number, table) = (item.number, item.table);
            let mut one = One {
                asking: self,
                ledger: &ledger,
                player: &mut player,
                table,
                asked: Asked::default(),
            };
            let done = match item.what {
                What::Turn(game) => one.decide(game, item.chance),
                What::Game(sitting, seat) => {
                    let setup = &locked(shared).list.table(table).setup;
                    one.play(setup, sitting, seat)
                }
            };
            let asked = one.asked;
            locked(shared).note(number, asked);
            if let Err(reason) = done {
                end(shared);
                return match reason {
                    Unfinished::Void(reason) => Err(Failure::Machine(reason)),
                    Unfinished::Stopped | Unfinished::Left => Err(stopped()),
                };
            }
            seated = Some((table, player));
        }
        let table = seated.as_ref().map_or(0, |(table, _)| *table);
        drop(seated);
        last.extend(gone(&ledger, table));
        Ok(last)
    }

    /// The next entry of the list, unless all is asked that is to be.
    fn next<G: Situations>(&self, shared: &Mutex<Shared<'_, G>>) -> Option<Item<G>> {
        let mut shared = locked(shared);
        let until = self.effort.until;
        let in_time = until.is_none_or(|until| Instant::now() < until) || shared.situations == 0;
        let hangs = shared.timeouts >= TIMEOUTS;
        self.show(&shared);
        if shared.is_over || !in_time || shared.is_enough() || hangs || self.house.is_stopped() {
            return None;
        }
        Some(shared.list.next())
    }

    fn show<G: Situations>(&self, shared: &Shared<'_, G>) {
        match (self.effort.until, self.effort.situations) {
            (Some(until), _) => {
                let left = until.saturating_duration_since(Instant::now());
                let length = self.bar.length().unwrap_or_default();
                let left = left.as_millis() as u64;
                self.bar.set_position(length.saturating_sub(left));
            }
            (None, _) => self.bar.set_position(shared.situations),
        }
        let faults = match shared.faults {
            0 => String::new(),
            1 => ", 1 fault".to_owned(),
            faults => format!(", {faults} faults"),
        };
        let situations = grouped(shared.situations);
        self.bar
            .set_message(format!("{situations} situations{faults}"));
    }
}

/// One entry of the list.
struct One<'a, G: Hosted> {
    asking: &'a Asking<'a>,
    ledger: &'a Ledger,
    player: &'a mut Box<dyn Player<G>>,
    table: usize,
    asked: Asked,
}

impl<G: Hosted> One<'_, G> {
    /// Asks the program about one turn.
    fn decide(&mut self, game: G, chance: Seed) -> Result<(), Unfinished> {
        let kinds = game.kinds();
        let mut stepper = Stepper::cancelled_by(game, self.asking.house.cancel());
        let Some(turn) = stepper.turn() else {
            return Ok(());
        };
        let seat = turn.seat();
        self.player.start(seat, chance);
        let answer = self.player.decide(&turn);
        let step = stepper.answer(answer)?;
        self.asked.count(kinds, self.table);
        if let Step::Fouled(..) = step {
            stepper.tell(seat, self.player, &step.moment());
        }
        if self.asking.speech == Speech::Json {
            // Who lives on has to bear the end of a game too; if not, that shows next time.
            let outcome = stepper.game().outcome();
            stepper.tell(seat, self.player, &Moment::Over(&outcome));
        }
        self.note(kinds);
        Ok(())
    }

    /// Plays a game with the program in this seat, to its end or until time is up.
    fn play(&mut self, setup: &G::Setup, sitting: Sitting, seat: Seat) -> Result<(), Unfinished> {
        let game: G = sitting.deal(setup);
        let mut others = sitting.players::<G>(game.seats());
        let mut stepper = Stepper::cancelled_by(game, self.asking.house.cancel());
        self.player.start(seat, sitting.seed.player(seat));
        stepper.tell(seat, self.player, &Moment::Dealt);
        while let Some(turn) = stepper.turn() {
            let (mover, mut kinds) = (turn.seat(), 0);
            let answer = if mover == seat {
                if self.asked.situations == LONGEST || self.is_late() {
                    break;
                }
                kinds = stepper.game().kinds();
                self.asked.count(kinds, self.table);
                self.player.decide(&turn)
            } else {
                others[mover.index()].decide(&turn)
            };
            let step = stepper.answer(answer)?;
            stepper.tell(seat, self.player, &step.moment());
            if mover == seat {
                self.note(kinds);
            }
        }
        let outcome = stepper.game().outcome();
        stepper.tell(seat, self.player, &Moment::Over(&outcome));
        self.player.leave();
        self.note(0);
        Ok(())
    }

    fn is_late(&self) -> bool {
        // A game that has begun is played on for a moment: how a program bears its end tells
        // something too. One situation is asked in any case: without any there would be another
        // game, and another, for ever.
        let until = self.asking.effort.until;
        let is_over = |until| Instant::now() > until + Duration::from_millis(500);
        self.asked.situations > 0 && until.is_some_and(is_over)
    }

    /// Notes the faults in a situation of these kinds.
    fn note(&mut self, kinds: u64) {
        let table = self.table;
        let found = |fault| Found {
            fault,
            kinds,
            table,
        };
        self.asked
            .found
            .extend(self.ledger.take().into_iter().map(found));
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Nobody asks on.
fn end<G: Situations>(shared: &Mutex<Shared<'_, G>>) {
    locked(shared).is_over = true;
}
