//! A worker: asks for batches, plays them, and sends what came of them.
//!
//! It needs no shared file system, no root and no inbound port. A batch that it holds when it is killed is
//! delivered to another; one that it cannot finish because it is told to stop, it gives back.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::jetstream::{AckKind, Message};
use croupier_arena::BlockResult;
use croupier_bots::{Interrupt, Pack};
use futures_util::StreamExt as _;

use crate::bench::{Bench, Played, Programs};
use crate::link::{
    Address, ClusterError, LARGE, Link, PROGRAMS, PULSE, Role, WORK, orders_subject, raised_for,
    results_subject, work_consumer,
};
use crate::objects::{LARGEST_RESULT, name_of};
use crate::table::{Job, Table};
use crate::wire::{Batch, End, Need, Order, Player, Plays, Pulse, Report, Terms, Unread, Worker};
use crate::wire::{packed, packed_within, unpacked};

/// How often a worker tells that it lives and that its batches are in progress.
pub(crate) const PULSES: Duration = Duration::from_secs(2);

/// How long is waited for a batch before it is asked for again: a consumer may have been made meanwhile.
const ASKS_FOR: Duration = Duration::from_secs(1);

/// How long is waited before something that failed is tried again.
const TRIES_AGAIN: Duration = Duration::from_secs(1);

/// How long a worker that is to stop tries to hand over what it has.
const FAREWELL: Duration = Duration::from_secs(5);

/// How soon a batch of another version comes back, of which others may know more.
const GIVEN_BACK: Duration = Duration::from_secs(1);

/// How long a worker lets others go first after a batch that it may not play.
const STANDS_BACK: Duration = Duration::from_millis(200);

/// The longest program, or terms, that are fetched.
const MOST_BYTES: usize = 256 << 20;

/// How a worker is hired.
pub struct Hiring {
    /// The server.
    pub address: Address,
    /// The name by which people know the worker.
    pub name: String,
    /// How many threads play.
    pub threads: usize,
    /// What it can give.
    pub needs: Vec<Need>,
    /// The games that it knows.
    pub benches: Vec<Bench>,
    /// Where programs are kept.
    pub folder: PathBuf,
    /// What is raised when it is to stop.
    pub interrupt: Interrupt,
    /// Where it says what a person should know.
    pub tell: fn(&str),
}

/// Works until it is told to stop, with threads of its own.
pub fn work(hiring: Hiring) -> Result<(), ClusterError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| ClusterError::Failed(format!("failed to begin: {error}")))?;
    let worked = runtime.block_on(working(hiring));
    runtime.shutdown_background();
    worked
}

/// Works until it is told to stop.
pub async fn working(hiring: Hiring) -> Result<(), ClusterError> {
    Shop::open(hiring).await
}

/// What all chairs of a worker share.
struct Shop {
    hiring: Hiring,
    link: Link,
    worker: Worker,
    programs: Arc<Programs>,
    terms: Mutex<HashMap<String, Arc<Terms>>>,
    holds: Mutex<Vec<String>>,
    /// What was said last, so that it is not said again and again.
    said: Mutex<String>,
}

/// Why a batch was not played.
struct Hindrance {
    reason: String,
    /// The object that the server did not give, if it is one.
    object: Option<String>,
}

impl From<String> for Hindrance {
    fn from(reason: String) -> Hindrance {
        let object = None;
        Hindrance { reason, object }
    }
}

impl Shop {
    async fn open(hiring: Hiring) -> Result<(), ClusterError> {
        let link = tokio::select! {
            link = Link::open(&hiring.address, Role::Worker) => link?,
            () = raised_for(&hiring.interrupt, Duration::ZERO) => return Ok(()),
        };
        let machine = |error: std::io::Error| {
            let folder = hiring.folder.display();
            ClusterError::Failed(format!("failed to keep programs in {folder}: {error}"))
        };
        let programs = Programs::kept_in(&hiring.folder.join("packs")).map_err(machine)?;
        let mut number = [0; 8];
        // Two workers with the same number would only be counted as one.
        let _ = getrandom::fill(&mut number);
        let worker = Worker {
            name: hiring.name.clone(),
            instance: format!("{:016x}", u64::from_le_bytes(number)),
        };
        let orders = link
            .client
            .subscribe(orders_subject(&worker.instance))
            .await;
        let mut orders = orders.map_err(|error| link.failed("listen to orders", &error))?;
        let shop = Arc::new(Shop {
            programs: Arc::new(programs),
            worker,
            terms: Mutex::default(),
            holds: Mutex::default(),
            said: Mutex::default(),
            link,
            hiring,
        });
        shop.tell(&format!(
            "worker {} waits for games, {} at a time; Ctrl-C ends it",
            shop.worker.name, shop.hiring.threads
        ));
        let mut chairs = tokio::task::JoinSet::new();
        for number in 0..shop.hiring.threads {
            let shop = Arc::clone(&shop);
            chairs.spawn(async move { shop.chair(number).await });
        }
        let mut pulses = tokio::time::interval(PULSES);
        let mut ended = Ok(());
        while !chairs.is_empty() {
            tokio::select! {
                _ = pulses.tick() => shop.pulse(false).await,
                Some(order) = orders.next() => {
                    if let Ok(Order::Leave(reason)) = unpacked(&order.payload) {
                        ended = Err(ClusterError::Failed(format!(
                            "the coordinator has told this worker to stop: {reason}"
                        )));
                        shop.hiring.interrupt.raise();
                    }
                }
                Some(done) = chairs.join_next() => {
                    if let Ok(Err(error)) = done {
                        ended = Err(error);
                        shop.hiring.interrupt.raise();
                    }
                }
            }
        }
        shop.pulse(true).await;
        // Whoever waits for this batch finds out by itself.
        let _ = tokio::time::timeout(FAREWELL, shop.link.client.flush()).await;
        ended
    }

    fn holds(&self) -> MutexGuard<'_, Vec<String>> {
        self.holds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopped(&self) -> bool {
        self.hiring.interrupt.is_raised()
    }

    /// Says something, once.
    fn tell(&self, text: &str) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if *said != text {
            text.clone_into(&mut said);
            (self.hiring.tell)(text);
        }
    }

    async fn pulse(&self, leaves: bool) {
        let pulse = Pulse {
            worker: self.worker.clone(),
            threads: self.hiring.threads,
            needs: self.hiring.needs.clone(),
            holds: self.holds().clone(),
            leaves,
        };
        // The next one comes in two seconds.
        let _ = self.link.client.publish(PULSE, packed(&pulse).into()).await;
    }

    async fn stopped(&self) {
        raised_for(&self.hiring.interrupt, Duration::ZERO).await;
    }

    /// One who asks for batches and plays them, one after the other.
    async fn chair(&self, number: usize) -> Result<(), ClusterError> {
        let (place, _lock) = own_number(&self.hiring.folder, number);
        let mut table = Table::new(place);
        let done = self.work_at(&mut table).await;
        table.leave().await;
        done
    }

    async fn work_at(&self, table: &mut Table) -> Result<(), ClusterError> {
        let needs = self.hiring.needs.iter();
        let mut consumers: Vec<String> = needs.map(|&need| work_consumer(need).0).collect();
        while !self.is_stopped() {
            // No contest waits until another is over.
            consumers.rotate_left(1);
            table.send_idle_home();
            let next = tokio::select! {
                next = self.link.next(WORK, &consumers, ASKS_FOR) => next,
                () = self.stopped() => break,
            };
            match next {
                Ok(Some(message)) => self.take(message, table).await?,
                Ok(None) => {}
                Err(_) => {
                    // No coordinator has made the streams yet, or the server is away.
                    tokio::select! {
                        () = tokio::time::sleep(TRIES_AGAIN) => {}
                        () = self.stopped() => {}
                    }
                }
            }
        }
        Ok(())
    }

    /// Plays a batch, sends what came of it, and acknowledges it.
    async fn take(&self, message: Message, table: &mut Table) -> Result<(), ClusterError> {
        let batch: Batch = match unpacked(&message.payload) {
            Ok(batch) => batch,
            Err(error @ Unread::OtherVersion(_)) => {
                let _ = message.ack_with(AckKind::Nak(Some(GIVEN_BACK))).await;
                let _ = self.link.client.flush().await;
                return Err(ClusterError::Wrong(format!(
                    "a contest at {} is held by another version of croupier: {error}",
                    self.link.server
                )));
            }
            Err(error) => {
                // The coordinator finds out that nobody has it, and publishes it again.
                let _ = message.ack_with(AckKind::Term).await;
                self.tell(&format!("a batch was thrown away: {error}"));
                return Ok(());
            }
        };
        if batch.not_by.as_ref() == Some(&self.worker.name) {
            // Whoever else waits gets it at once.
            let _ = message.ack_with(AckKind::Nak(None)).await;
            tokio::time::sleep(STANDS_BACK).await;
            return Ok(());
        }
        self.holds().push(batch.id.clone());
        self.pulse(false).await;
        let done = {
            let doing = self.play_and_send(&batch, table);
            let overdue = raised_for(&self.hiring.interrupt, 2 * FAREWELL);
            tokio::pin!(doing, overdue);
            let mut beat = tokio::time::interval(PULSES);
            loop {
                tokio::select! {
                    done = &mut doing => break done,
                    // What is fetched from a server that does not answer is not waited for.
                    () = &mut overdue => break false,
                    _ = beat.tick() => {
                        let _ = message.ack_with(AckKind::Progress).await;
                    }
                }
            }
        };
        let _ = message
            .ack_with(match done {
                true => AckKind::Ack,
                false => AckKind::Nak(None),
            })
            .await;
        self.holds().retain(|held| *held != batch.id);
        Ok(())
    }

    /// Whether all that could be done with the batch is done.
    async fn play_and_send(&self, batch: &Batch, table: &mut Table) -> bool {
        let begun = Instant::now();
        let (mut played, mut object) = self.get_ready_and_play(batch, table).await;
        if played.machine_fault.is_some() && object.is_none() && self.has_programs(batch) {
            // Somebody may have emptied the cache, at any time: then what was in it is fetched again.
            self.programs.forget();
            (played, object) = self.get_ready_and_play(batch, table).await;
        }
        if let Some(fault) = &played.machine_fault {
            self.tell(&format!("a game could not be played: {fault}"));
        }
        let end = End {
            seconds: begun.elapsed().as_secs_f64(),
            played: played.blocks.len() as u64,
            machine_fault: played.machine_fault,
            object,
        };
        let end = (!played.is_stopped).then_some(end);
        if end.is_none() && played.blocks.is_empty() {
            return false;
        }
        let is_whole = end.is_some();
        self.send(batch, played.blocks, end).await && is_whole
    }

    /// Whether programs take part in the contest of a batch.
    fn has_programs(&self, batch: &Batch) -> bool {
        let all = self.terms.lock().unwrap_or_else(PoisonError::into_inner);
        let terms = all.get(&batch.terms);
        let is_program = |player: &Player| matches!(player.plays, Plays::Program { .. });
        terms.is_some_and(|terms| terms.players.iter().any(is_program))
    }

    /// What came of a batch, and the object that could not be had for it, if that was the reason.
    async fn get_ready_and_play(
        &self,
        batch: &Batch,
        table: &mut Table,
    ) -> (Played, Option<String>) {
        match self.get_ready(batch).await {
            Ok(terms) => (self.play(batch, terms, table).await, None),
            Err(hindrance) => (Played::nothing(hindrance.reason), hindrance.object),
        }
    }

    /// Fetches what is needed for a batch and is not here.
    async fn get_ready(&self, batch: &Batch) -> Result<Arc<Terms>, Hindrance> {
        let known = |terms: &str| {
            let all = self.terms.lock().unwrap_or_else(PoisonError::into_inner);
            all.get(terms).cloned()
        };
        let terms = match known(&batch.terms) {
            Some(terms) => terms,
            None => {
                let bytes = self.fetched(&batch.terms).await?;
                let terms: Terms = unpacked(&bytes).map_err(|error| error.to_string())?;
                let terms = Arc::new(terms);
                let mut all = self.terms.lock().unwrap_or_else(PoisonError::into_inner);
                all.insert(batch.terms.clone(), Arc::clone(&terms));
                terms
            }
        };
        let mut seated: Vec<usize> = (batch.blocks.iter())
            .flat_map(|(_, plan)| plan.table.iter().copied())
            .collect();
        seated.sort_unstable();
        seated.dedup();
        let plays = |player: &usize| terms.players.get(*player).map(|player| &player.plays);
        let is_program = |player| matches!(plays(player), Some(Plays::Program { .. }));
        let tier = terms.sandbox;
        if seated.iter().any(is_program) && !self.hiring.needs.contains(&Need::Tier(tier)) {
            // Whatever came by the way of another tier.
            let reason = format!("this worker runs no programs in the tier {tier}");
            return Err(reason.into());
        }
        for player in seated {
            let Some(Plays::Program { pack, .. }) = plays(&player) else {
                continue;
            };
            if self.programs.has(pack) {
                continue;
            }
            let bytes = self.fetched(pack).await?;
            let files = Pack::from_bytes(&bytes)
                .ok_or_else(|| format!("the object {pack} is no program"))?;
            let kept = self.programs.keep(pack, &files);
            kept.map_err(|error| format!("failed to keep a program: {error}"))?;
        }
        Ok(terms)
    }

    /// An object by the hash of its contents: from the disk, or fetched to a temporary file there that gets
    /// its name when it is whole.
    async fn fetched(&self, name: &str) -> Result<Vec<u8>, Hindrance> {
        let is_name = name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_name {
            return Err("an object is named that cannot exist".to_owned().into());
        }
        let folder = self.hiring.folder.join("objects");
        let place = folder.join(name);
        if let Ok(bytes) = fs::read(&place)
            && name_of(&bytes) == name
        {
            return Ok(bytes);
        }
        let bytes = self.link.get(PROGRAMS, name, MOST_BYTES).await;
        let bytes = bytes.map_err(|error| Hindrance {
            reason: error.to_string(),
            object: Some(name.to_owned()),
        })?;
        let kept = fs::create_dir_all(&folder).and_then(|()| {
            let mut file = tempfile::NamedTempFile::new_in(&folder)?;
            file.write_all(&bytes)?;
            file.persist(&place).map_err(|error| error.error)
        });
        kept.map_err(|error| format!("failed to keep an object: {error}"))?;
        Ok(bytes)
    }

    /// Plays a batch at this table.
    async fn play(&self, batch: &Batch, terms: Arc<Terms>, table: &mut Table) -> Played {
        let mut benches = self.hiring.benches.iter();
        let is_its = |bench: &&Bench| (bench.game, bench.version) == (&terms.game, terms.version);
        let Some(bench) = benches.find(is_its).cloned() else {
            return Played::nothing(format!(
                "this croupier does not know version {} of the game {}",
                terms.version, terms.game
            ));
        };
        let job = Job {
            bench,
            terms,
            batch: batch.clone(),
            programs: Arc::clone(&self.programs),
            interrupt: self.hiring.interrupt.clone(),
        };
        table.play(job).await
    }

    /// Sends what came of a batch, in as many messages as it takes.
    async fn send(
        &self,
        batch: &Batch,
        blocks: Vec<(String, BlockResult)>,
        end: Option<End>,
    ) -> bool {
        let most = self.link.most_bytes();
        let mut parts = vec![(blocks, end)];
        let mut too_large = Vec::new();
        while let Some((blocks, end)) = parts.pop() {
            let mut report = Report {
                batch: batch.id.clone(),
                worker: self.worker.clone(),
                blocks,
                large: None,
                end,
            };
            leave_out(&mut report.end, &mut too_large);
            let bytes = match packed_within(&report, most) {
                Some(bytes) => bytes,
                None if report.blocks.len() > 1 => {
                    let later = report.blocks.split_off(report.blocks.len() / 2);
                    parts.push((later, report.end));
                    parts.push((report.blocks, None));
                    continue;
                }
                None => {
                    let block = report.blocks.pop();
                    match packed_within(&block, LARGEST_RESULT) {
                        Some(object) => {
                            let put = || self.link.put(LARGE, &object, false);
                            report.large = self.insist(put).await;
                            if report.large.is_none() {
                                return false;
                            }
                        }
                        None => {
                            too_large.extend(block.map(|(key, _)| key));
                            leave_out(&mut report.end, &mut too_large);
                        }
                    }
                    packed(&report)
                }
            };
            let publish = || {
                let subject = results_subject(&batch.contest);
                self.link.publish(subject, bytes.clone())
            };
            if self.insist(publish).await.is_none() {
                return false;
            }
        }
        true
    }

    /// Tries until it works, or until there is no more time.
    async fn insist<T, F: Future<Output = Result<T, ClusterError>>>(
        &self,
        attempt: impl Fn() -> F,
    ) -> Option<T> {
        let mut stopped = None;
        loop {
            match attempt().await {
                Ok(done) => return Some(done),
                Err(error) => {
                    let error = self.link.with_health(error).await;
                    self.tell(&format!("{error}; trying again"));
                }
            }
            if self.is_stopped() {
                let since = *stopped.get_or_insert_with(Instant::now);
                if since.elapsed() > FAREWELL {
                    return None;
                }
            }
            tokio::time::sleep(TRIES_AGAIN).await;
        }
    }
}

/// At its end a batch is told to lack the blocks whose results are too large for anybody to take.
fn leave_out(end: &mut Option<End>, too_large: &mut Vec<String>) {
    let Some(end) = end else { return };
    for key in too_large.drain(..) {
        end.played = end.played.saturating_sub(1);
        end.machine_fault = Some(format!(
            "the result of the block {key:.32} is too large to be sent"
        ));
    }
}

/// A number for a thread that no other worker on this machine has, so that each plays on a core of its own;
/// and the lock that keeps it.
fn own_number(folder: &Path, number: usize) -> (usize, Option<File>) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let locked = |number: usize| {
        let file = File::create(folder.join(format!("thread-{number}.lock"))).ok()?;
        file.try_lock().is_ok().then_some((number, Some(file)))
    };
    (0..threads).find_map(locked).unwrap_or((number, None))
}
