//! Those who decide by themselves: built-in players and programs, on a bounded number of threads.
//!
//! While somebody of them is to move, one task drives the table; while a person is, nothing does. Who
//! finds no free thread waits in a queue, and the table says so.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use croupier_bots::Interrupt;
use croupier_core::{Advice, AnyGame, Audience, Cancel, NoAdvice, Seat, Seed};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use super::chair::Robot;
use super::table::{NotMade, Table};
use crate::programs::{Guest, Seated, Unanswered};
use crate::refusal::Refusal;

/// So long after something has failed it is tried again when somebody looks.
const RETRY: Duration = Duration::from_secs(5);

/// So many programs stay at tables while others move. More of them are started anew for each of their
/// moves, and told everything again.
const MOST_SEATED: usize = 32;

/// So many people may wait for an answer of the expert at one time: tables wait in the same queue.
const MOST_QUESTIONS: usize = 16;

/// The threads on which is thought, and the programs that may sit at tables.
pub(crate) struct Pool {
    threads: Semaphore,
    questions: Semaphore,
    seats: Arc<Semaphore>,
    waiting: AtomicUsize,
    guests: Vec<Guest>,
    /// What ends all thoughts when the server ends.
    closing: Mutex<Vec<Stop>>,
    closed: Cancel,
}

/// What a table is waiting for.
#[derive(Default)]
pub(crate) struct Thinking {
    /// Whether a task drives the table.
    driven: bool,
    /// Whose thought it waits for, and what ends the thought.
    thought: Option<(Seat, Stop)>,
    /// How many wait for a thread together with it; none if it does not wait.
    queue: Option<usize>,
    /// Why a player that decides by itself cannot play on.
    trouble: Option<Trouble>,
}

/// A player that decides by itself and cannot play on.
struct Trouble {
    seat: Seat,
    reason: String,
    since: Instant,
}

/// A program that stays at a table while others move.
pub(super) struct AtTable {
    seated: Box<dyn Seated>,
    _place: OwnedSemaphorePermit,
}

/// What ends a thought.
#[derive(Clone)]
enum Stop {
    Cancel(Cancel),
    Interrupt(Interrupt),
}

impl Stop {
    fn stop(&self) {
        match self {
            Stop::Cancel(cancel) => cancel.cancel(),
            Stop::Interrupt(interrupt) => interrupt.raise(),
        }
    }
}

/// What a table says of those who decide by themselves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Progress {
    /// It waits for a person, or for nobody.
    Still,
    /// A player thinks.
    Thinks,
    /// It waits for a free thread, with so many.
    Queues(usize),
    /// A player cannot play on, for this reason.
    Trouble(String),
}

impl Pool {
    /// A pool with so many threads.
    pub(crate) fn new(threads: usize, guests: Vec<Guest>) -> Pool {
        Pool {
            threads: Semaphore::new(threads),
            questions: Semaphore::new(MOST_QUESTIONS),
            seats: Arc::new(Semaphore::new(MOST_SEATED)),
            waiting: AtomicUsize::new(0),
            guests,
            closing: Mutex::default(),
            closed: Cancel::new(),
        }
    }

    /// The programs that may sit at tables of this game.
    pub(crate) fn guests(&self, game: &str) -> impl Iterator<Item = &Guest> {
        self.guests.iter().filter(move |guest| guest.game == game)
    }

    /// Ends all thoughts, now and from now on.
    pub(crate) fn close(&self) {
        self.closed.cancel();
        let stops = std::mem::take(&mut *lock(&self.closing));
        stops.iter().for_each(Stop::stop);
    }

    fn remember(&self, stop: &Stop) {
        let mut closing = lock(&self.closing);
        closing.push(stop.clone());
        if self.closed.is_cancelled() {
            stop.stop();
        }
    }

    fn forget(&self, stop: &Stop) {
        lock(&self.closing).retain(|other| match (other, stop) {
            (Stop::Cancel(a), Stop::Cancel(b)) => !Arc::ptr_eq(&a.flag(), &b.flag()),
            (Stop::Interrupt(a), Stop::Interrupt(b)) => {
                !Arc::ptr_eq(&a.cancel().flag(), &b.cancel().flag())
            }
            _ => true,
        });
    }

    /// A thread, if one is free.
    fn free_thread(&self) -> Option<SemaphorePermit<'_>> {
        self.threads.try_acquire().ok()
    }

    /// Waits for a thread in the queue.
    async fn thread(&self) -> Option<SemaphorePermit<'_>> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let permit = self.threads.acquire().await.ok();
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        permit
    }

    /// The right to ask the expert something, as long as it is held.
    pub(crate) fn question(&self) -> Result<SemaphorePermit<'_>, Refusal> {
        let question = self.questions.try_acquire();
        question.map_err(|_| Refusal::busy("Many ask the expert. Ask again in a moment."))
    }

    /// Asks a built-in player what it would do, on one of the threads. The thought ends when nobody
    /// waits for it any more.
    pub(crate) async fn advice(
        &self,
        game: Box<dyn AnyGame>,
        player: &str,
        chance: Seed,
    ) -> Result<Advice, NoAdvice> {
        let player = player.to_owned();
        let advice = self.think(move |cancel| game.ask(&player, chance, cancel));
        advice.await.unwrap_or(Err(NoAdvice::Cancelled))
    }

    /// Thinks on one of the threads, until nobody waits for it any more or the server ends; none if
    /// the thought came to nothing.
    pub(crate) async fn think<T: Send + 'static>(
        &self,
        thought: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Option<T> {
        let cancel = Cancel::new();
        let _thread = self.thread().await?;
        let stop = Stop::Cancel(cancel.clone());
        self.remember(&stop);
        let _given_up = GivenUp { pool: self, stop };
        let thought = tokio::task::spawn_blocking(move || thought(&cancel));
        thought.await.ok()
    }
}

/// Ends a thought when whoever waited for it is gone.
struct GivenUp<'a> {
    pool: &'a Pool,
    stop: Stop,
}

impl Drop for GivenUp<'_> {
    fn drop(&mut self) {
        self.stop.stop();
        self.pool.forget(&self.stop);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Table {
    /// Sees to it that those who decide by themselves are asked, if one of them is to move.
    pub(crate) fn drive(self: &Arc<Table>, pool: &Arc<Pool>) {
        let mut thinking = lock(&self.thinking);
        if thinking.driven || self.robot().is_none() {
            return;
        }
        thinking.driven = true;
        thinking.trouble = None;
        let (table, pool) = (Arc::clone(self), Arc::clone(pool));
        tokio::spawn(async move {
            table.let_them_play(&pool).await;
        });
    }

    /// The same because somebody looks: what has just failed is not tried again at once.
    pub(crate) fn drive_on(self: &Arc<Table>, pool: &Arc<Pool>) {
        let has_just_failed = |trouble: &Trouble| trouble.since.elapsed() < RETRY;
        let is_pointless = lock(&self.thinking)
            .trouble
            .as_ref()
            .is_some_and(has_just_failed);
        if !is_pointless {
            self.drive(pool);
        }
    }

    /// Ends the thought of this seat, because somebody else decides for it now.
    pub(crate) fn rethink(&self, seat: Seat) {
        let mut thinking = lock(&self.thinking);
        thinking.trouble.take_if(|trouble| trouble.seat == seat);
        if let Some((_, stop)) = thinking.thought.as_ref().filter(|(own, _)| *own == seat) {
            stop.stop();
        }
    }

    /// What is to be said of those who decide by themselves.
    pub(crate) fn progress(&self) -> Progress {
        let thinking = lock(&self.thinking);
        match (&thinking.trouble, thinking.queue, thinking.driven) {
            (Some(trouble), ..) => Progress::Trouble(trouble.reason.clone()),
            (None, Some(waiting), _) => Progress::Queues(waiting),
            (None, None, true) => Progress::Thinks,
            (None, None, false) => Progress::Still,
        }
    }

    /// Lets programs go that nobody waits for.
    pub(crate) fn rest(&self) {
        if !lock(&self.thinking).driven {
            lock(&self.programs).clear();
        }
    }

    /// The seat to move and who decides there, if that is not a person.
    fn robot(&self) -> Option<(Seat, Robot)> {
        let standing = self.standing();
        let seat = standing.game.to_move()?;
        let robot = standing.chairs.get(seat.index())?.robot()?;
        Some((seat, robot))
    }

    async fn let_them_play(self: &Arc<Table>, pool: &Arc<Pool>) {
        loop {
            let Some((seat, robot)) = self.robot() else {
                let mut thinking = lock(&self.thinking);
                // A chair may have changed since it was looked at.
                if self.robot().is_none() {
                    thinking.driven = false;
                    return;
                }
                continue;
            };
            if self.is_a_show() {
                let mut thinking = lock(&self.thinking);
                // Who comes now waits until it is known that nobody plays, and begins it again.
                if !self.is_attended() {
                    thinking.driven = false;
                    return;
                }
            }
            if let Err(trouble) = self.one_move(pool, seat, &robot).await {
                self.give_up(seat, trouble);
                self.notice().await;
                return;
            }
        }
    }

    fn give_up(&self, seat: Seat, reason: String) {
        *lock(&self.thinking) = Thinking {
            trouble: Some(Trouble {
                seat,
                reason,
                since: Instant::now(),
            }),
            ..Thinking::default()
        };
    }

    async fn one_move(
        self: &Arc<Table>,
        pool: &Arc<Pool>,
        seat: Seat,
        robot: &Robot,
    ) -> Result<(), String> {
        if self.founding.pace_ms > 0 {
            tokio::time::sleep(Duration::from_millis(self.founding.pace_ms)).await;
        }
        let mut thread = pool.free_thread();
        if thread.is_none() {
            let waiting = pool.waiting.load(Ordering::Relaxed) + 1;
            lock(&self.thinking).queue = Some(waiting);
            self.notice().await;
            thread = pool.thread().await;
            lock(&self.thinking).queue = None;
            self.notice().await;
        }
        let _thread = thread.ok_or("the server is closing")?;
        if pool.closed.is_cancelled() {
            return Err("the server is closing".to_owned());
        }
        let version = self.standing().version();
        let answer = match robot {
            Robot::BuiltIn(player) => self.built_in(pool, seat, player).await,
            Robot::Program(name) => self.program(pool, seat, name).await,
        };
        lock(&self.thinking).thought = None;
        let answer = match answer {
            Ok(choice) => Ok(choice),
            Err(Unanswered::Foul(foul)) => Err(foul),
            // Somebody else may decide for the seat now.
            Err(Unanswered::Trouble(_)) if self.robot() != Some((seat, robot.clone())) => {
                return Ok(());
            }
            Err(Unanswered::Trouble(reason)) => return Err(reason),
        };
        let has_fouled = answer.is_err();
        match self.answer(seat, version, answer).await {
            Ok(()) if has_fouled => {
                self.note_faults(pool, seat).await;
                Ok(())
            }
            Ok(()) | Err(NotMade::Stale) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Keeps what a program has just done wrong: it is noted when the program hears of its foul.
    async fn note_faults(&self, pool: &Pool, seat: Seat) {
        let seated = lock(&self.programs).remove(&seat);
        let Some(AtTable { mut seated, .. }) = seated else {
            return;
        };
        let standing = self.standing();
        let events = standing.game.events(Audience::Referee);
        let told = tokio::task::spawn_blocking(move || seated.hear(&events).map(|()| seated));
        // Who cannot follow any more is seated anew when it is asked again.
        let Ok(Ok(seated)) = told.await else { return };
        let faults = seated.faults();
        self.let_stay(pool, seat, seated).await;
        self.blame(seat, standing.version(), faults).await;
    }

    /// Lets a program stay until it is asked again, if there is room for it.
    async fn let_stay(&self, pool: &Pool, seat: Seat, seated: Box<dyn Seated>) {
        match Arc::clone(&pool.seats).try_acquire_owned() {
            Ok(place) => {
                let at_table = AtTable {
                    seated,
                    _place: place,
                };
                lock(&self.programs).insert(seat, at_table);
            }
            // It may take its time to go.
            Err(_) => drop(tokio::task::spawn_blocking(move || drop(seated)).await),
        }
    }

    async fn built_in(&self, pool: &Pool, seat: Seat, player: &str) -> Result<String, Unanswered> {
        let standing = self.standing();
        if !self.entry.profile.decisions {
            let only = standing.game.legal().into_iter().next();
            return only.ok_or_else(|| Unanswered::Trouble("the game is over".to_owned()));
        }
        let cancel = Cancel::new();
        let stop = Stop::Cancel(cancel.clone());
        lock(&self.thinking).thought = Some((seat, stop.clone()));
        pool.remember(&stop);
        let game = standing.game.copy();
        // Each of its decisions has chance of its own, and the same one when it is asked again.
        let chance = game.header(Vec::new()).seed.deal(standing.version() as u64);
        let player = player.to_owned();
        let advice = tokio::task::spawn_blocking(move || game.ask(&player, chance, &cancel)).await;
        pool.forget(&stop);
        match advice {
            Ok(Ok(advice)) => Ok(advice.choice),
            Ok(Err(error)) => Err(Unanswered::Trouble(error.to_string())),
            Err(_) => Err(Unanswered::Trouble("the player failed".to_owned())),
        }
    }

    async fn program(
        self: &Arc<Table>,
        pool: &Pool,
        seat: Seat,
        name: &str,
    ) -> Result<String, Unanswered> {
        let mut guests = pool.guests(self.entry.profile.name);
        let guest = guests.find(|guest| guest.name == name).cloned();
        let Some(guest) = guest else {
            let reason = format!("the server was started without the program {name}");
            return Err(Unanswered::Trouble(reason));
        };
        let standing = self.standing();
        let seated = lock(&self.programs).remove(&seat);
        let header = standing.game.header(Vec::new());
        let seated: Box<dyn Seated> = match seated {
            Some(at_table) => at_table.seated,
            None => {
                let sit = tokio::task::spawn_blocking(move || guest.seat(&header, seat)).await;
                let sit = sit.map_err(|error| Unanswered::Trouble(error.to_string()))?;
                sit.map_err(Unanswered::Trouble)?
            }
        };
        let stop = Stop::Interrupt(seated.interrupt());
        lock(&self.thinking).thought = Some((seat, stop.clone()));
        pool.remember(&stop);
        let events = standing.game.events(Audience::Referee);
        let asked = tokio::task::spawn_blocking(move || {
            let mut seated = seated;
            let answer = seated.decide(&events);
            (seated, answer)
        });
        let asked = asked.await;
        pool.forget(&stop);
        let (seated, answer) = asked.map_err(|error| Unanswered::Trouble(error.to_string()))?;
        if !matches!(answer, Err(Unanswered::Trouble(_))) {
            self.let_stay(pool, seat, seated).await;
        }
        answer
    }
}
