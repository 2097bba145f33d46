//! The coordinator: publishes what the store does not hold, and writes down what comes back.
//!
//! ```text
//! missing blocks → batches → CROUPIER_WORK → workers → CROUPIER_RESULTS → kept in the store → acknowledged
//! ```
//!
//! It knows which batches are out, and from the pulses of the workers who has them. Nothing on the server has
//! to be believed: when it was away, was restored from an older copy or has lost everything, and when a batch
//! is out that nobody has while somebody waits for work, streams and consumers are made anew and what is
//! missing is published again.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::jetstream::Message;
use croupier_arena::{
    BlockResult, Contest, KEPT_FAULTS, Missing, Settings, Store, StoreError, Upheld, Who,
};
use croupier_bots::{Entries, Interrupt, Pack};
use futures_util::{StreamExt as _, future::join_all};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;

use crate::audit::{Again, Auditing, Draw, digest};
use crate::crew::Crew;
use crate::link::{
    Address, ClusterError, LARGE, Link, PROGRAMS, PULSE, RESULTS, Role, STATUS, WORK, name_of,
    orders_subject, results_subject, work_consumer, work_subject,
};
use crate::wire::{
    Batch, Need, Order, Player, Plays, Pulse, Report, Status, Terms, Worker, packed, unpacked,
};

/// So long a batch should take.
const BATCH: f64 = 2.0;

/// The most blocks in a batch.
const MOST_BLOCKS: usize = 50_000;

/// A batch is lost for good when so many different workers were lost with it, or failed at it.
const MOST_SETBACKS: usize = 3;

/// If nobody has a batch for so long while somebody waits for work, the server does not deliver it.
const STALL: Duration = Duration::from_secs(12);

/// How often is looked for what does not happen by itself.
const TICK: Duration = Duration::from_millis(200);

/// How long is waited before something that failed is tried again.
const TRIES_AGAIN: Duration = Duration::from_secs(1);

/// How long is waited for a worker before that is mentioned.
const FIRST_WORKER: Duration = Duration::from_secs(10);

/// How many results are asked for at once.
const PULLERS: usize = 4;

/// How long an answer of another coordinator may take.
const OTHERS: Duration = Duration::from_secs(2);

/// The longest result that is fetched from the bucket.
const MOST_BYTES: usize = 64 << 20;

/// How a contest is held over a server.
pub struct Holding<'a> {
    /// Whether programs are loaded for every process.
    pub fresh_processes: bool,
    /// Whether every fault is kept, not only some of each player in a block.
    pub keeps_all_faults: bool,
    /// What is audited, if anything is.
    pub auditing: Option<Auditing>,
    /// What is raised when it is to stop.
    pub interrupt: &'a Interrupt,
    /// Where it says what a person should know.
    pub tell: fn(&str),
}

/// Why a contest ended before its time. What was finished is kept.
#[derive(Debug, thiserror::Error)]
pub enum Ended {
    /// Somebody wanted to stop.
    #[error("the contest was stopped")]
    Stopped,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The server cannot be used.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// Some blocks were played nowhere.
    #[error("{0}")]
    SetAside(String),
    /// Two workers got different results from the same block.
    #[error("{0}")]
    Differs(String),
}

/// A coordinator that is connected to its server.
pub struct Coordinator {
    runtime: Runtime,
    link: Link,
}

impl Coordinator {
    /// Connects to a server.
    pub fn connect(address: &Address) -> Result<Coordinator, ClusterError> {
        let runtime = Runtime::new()
            .map_err(|error| ClusterError::Failed(format!("failed to begin: {error}")))?;
        let link = runtime.block_on(Link::open(address, Role::Coordinator))?;
        Ok(Coordinator { runtime, link })
    }

    /// Holds a contest: has all blocks played that the store does not hold yet. `look` is shown the contest
    /// as it stands from time to time, and the store.
    pub fn hold(
        &self,
        contest: &mut Contest,
        store: &mut Store,
        holding: Holding<'_>,
        look: impl FnMut(&Contest, &Store),
    ) -> Result<(), Ended> {
        let held = self.runtime.block_on(async {
            let desk = Desk::new(&self.link, contest, &holding)?;
            desk.must_be_alone().await?;
            desk.set_up(false).await?;
            let mut floor = Floor::new(&desk, &holding, contest);
            let held = floor.hold(contest, store, look).await;
            desk.close().await;
            held
        });
        if held.is_err() {
            contest.cut_short();
        }
        held
    }
}

/// What a contest has on the server.
struct Desk<'a> {
    link: &'a Link,
    contest: String,
    game: String,
    need: Need,
    terms: Vec<u8>,
    /// The packs of all programs, by name, with their sources.
    packs: BTreeMap<String, PathBuf>,
    entries: Entries,
}

impl<'a> Desk<'a> {
    fn new(link: &'a Link, contest: &Contest, holding: &Holding<'_>) -> Result<Desk<'a>, Ended> {
        let settings = contest.settings();
        let sources = contest.entrants().iter().filter_map(|one| match &one.who {
            Who::Program(program, _) => Some(program.source.as_path()),
            _ => None,
        });
        let entries = Entries::of(sources);
        let mut packs = BTreeMap::new();
        let mut players = Vec::new();
        for entrant in contest.entrants() {
            let plays = match &entrant.who {
                Who::BuiltIn(spec) => Plays::BuiltIn(spec.clone()),
                Who::Program(program, speech) => {
                    let pack = packed_program(&program.source, &entries)?;
                    let name = name_of(&pack);
                    packs.insert(name.clone(), program.source.clone());
                    Plays::Program {
                        pack: name,
                        hash: program.hash.clone(),
                        speech: *speech,
                    }
                }
                Who::Guest(_) => {
                    return Err(Ended::Cluster(ClusterError::Wrong(format!(
                        "{} is a player of this process alone, whom no worker can seat",
                        entrant.name
                    ))));
                }
                Who::Unusable { .. } | Who::Elsewhere => Plays::Nobody,
            };
            players.push(Player {
                name: entrant.name.clone(),
                identity: entrant.identity.clone(),
                plays,
            });
        }
        let need = match packs.is_empty() {
            true => Need::BuiltIn,
            false => Need::Tier(settings.sandbox),
        };
        let terms = Terms {
            game: settings.game.clone(),
            version: settings.version,
            setup: settings.setup.clone(),
            sandbox: settings.sandbox,
            limits: settings.limits.clone(),
            fresh_processes: holding.fresh_processes,
            records: contest.keeps_records(),
            faults: match holding.keeps_all_faults {
                true => u64::MAX,
                false => KEPT_FAULTS,
            },
            players,
        };
        // A contest that is resumed is the same one, also with more rounds.
        let same = Settings {
            rounds: 0,
            ..settings.clone()
        };
        let same = serde_json::to_vec(&same).expect("settings are plain JSON");
        Ok(Desk {
            link,
            contest: blake3::hash(&same).to_hex()[..16].to_owned(),
            game: settings.game.clone(),
            need,
            terms: packed(&terms),
            packs,
            entries,
        })
    }

    /// Nobody else may hold this contest at the same time: each would miss what the other takes.
    async fn must_be_alone(&self) -> Result<(), Ended> {
        let subject = format!("{STATUS}.{}", self.contest);
        let asked = self.link.client.request(subject, "".into());
        if let Ok(Ok(_)) = tokio::time::timeout(OTHERS, asked).await {
            return Err(Ended::Cluster(ClusterError::Wrong(format!(
                "another coordinator holds this contest at {} already",
                self.link.server
            ))));
        }
        Ok(())
    }

    /// Makes everything that is needed, and takes out of the queue what is left of before.
    async fn set_up(&self, anew: bool) -> Result<(), ClusterError> {
        self.link.set_up().await?;
        let (consumer, subject) = work_consumer(self.need);
        self.link.consumer(WORK, &consumer, &subject, anew).await?;
        let subject = results_subject(&self.contest);
        self.link
            .consumer(RESULTS, &self.contest, &subject, anew)
            .await?;
        self.clear().await?;
        self.link.put(PROGRAMS, &self.terms, false).await?;
        for (name, source) in &self.packs {
            self.put_program(name, source, false).await?;
        }
        Ok(())
    }

    /// Takes all batches out of the queue.
    async fn clear(&self) -> Result<(), ClusterError> {
        let work = self.link.stream(WORK).await?;
        let own = work_subject(&self.contest, self.need);
        let purged = work.purge().filter(own).await;
        purged
            .map(drop)
            .map_err(|error| self.link.failed("clear the queue", &error))
    }

    async fn put_program(
        &self,
        name: &str,
        source: &std::path::Path,
        anew: bool,
    ) -> Result<(), ClusterError> {
        let pack = packed_program(source, &self.entries)?;
        if name_of(&pack) != name {
            return Err(ClusterError::Wrong(format!(
                "{} has changed since the contest began",
                source.display()
            )));
        }
        self.link.put(PROGRAMS, &pack, anew).await.map(drop)
    }

    /// Stores an object anew that a worker could not use.
    async fn put_again(&self, name: &str) -> Result<(), ClusterError> {
        if name == name_of(&self.terms) {
            return self.link.put(PROGRAMS, &self.terms, true).await.map(drop);
        }
        match self.packs.get(name) {
            Some(source) => self.put_program(name, source, true).await,
            None => Ok(()),
        }
    }

    /// Leaves nothing behind that somebody would play.
    async fn close(&self) {
        let closing = async {
            let _ = self.clear().await;
            if let Ok(results) = self.link.stream(RESULTS).await {
                let _ = results.delete_consumer(&self.contest).await;
            }
            let _ = self.link.client.flush().await;
        };
        // What stays is gone in a few days.
        let _ = tokio::time::timeout(OTHERS, closing).await;
    }
}

fn packed_program(source: &std::path::Path, entries: &Entries) -> Result<Vec<u8>, ClusterError> {
    let pack = Pack::of(source, entries);
    let pack = pack.map_err(|error| ClusterError::Wrong(error.to_string()))?;
    Ok(pack.to_bytes())
}

/// What happens to a coordinator.
enum Happens {
    Came(Box<Message>, Result<Report, String>),
    Beat(Pulse),
    Asked(async_nats::Subject),
    /// Something that a person should know.
    Heard(String),
}

/// A batch that is out.
#[derive(Debug)]
struct Out {
    load: Load,
    /// The instance of the worker who has it, as far as is known.
    holder: Option<String>,
    /// When that was known last.
    seen: Instant,
    /// The number of its message.
    sequence: u64,
    setbacks: Setbacks,
}

/// What a batch consists of.
#[derive(Clone, Debug)]
enum Load {
    /// Missing blocks, by number.
    Blocks(Vec<usize>),
    /// Blocks that are played once more, and not by the one who played them first.
    Audit(Vec<Again>),
}

/// The workers that were lost with a batch or failed at it, with the reasons.
type Setbacks = BTreeMap<String, String>;

/// What has become of a missing block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Open,
    Done,
    Aside,
}

/// The blocks that are missing, and what has become of each.
struct Round<'m> {
    missing: &'m Missing,
    numbers: HashMap<String, usize>,
    fates: Vec<Fate>,
    /// The first one that was in no batch yet.
    next: usize,
    open: usize,
    finished: Vec<(usize, BlockResult)>,
}

impl<'m> Round<'m> {
    fn new(missing: &'m Missing) -> Round<'m> {
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

    fn settle(&mut self, number: usize, fate: Fate) {
        if std::mem::replace(&mut self.fates[number], fate) == Fate::Open {
            self.open -= 1;
        }
    }
}

/// All that a coordinator keeps in mind.
struct Floor<'a> {
    desk: &'a Desk<'a>,
    holding: &'a Holding<'a>,
    draw: Option<Draw>,
    crew: Crew,
    out: HashMap<String, Out>,
    /// Loads that have to go out again.
    again: VecDeque<(Load, Setbacks)>,
    audits: Vec<Again>,
    audited: u64,
    /// How many batches there were; with a random beginning, so that no two runs use the same names.
    batches: u64,
    run: String,
    /// How many seconds a block takes.
    pace: Option<f64>,
    largest: usize,
    set_aside: Vec<String>,
    objects: BTreeSet<String>,
    stopped: BTreeSet<String>,
    begun: Instant,
    sources: Vec<Option<PathBuf>>,
    seats: usize,
    games: usize,
    said: BTreeMap<String, Instant>,
    repair: Option<Instant>,
    rates: VecDeque<(Instant, u64)>,
}

impl<'a> Floor<'a> {
    fn new(desk: &'a Desk<'a>, holding: &'a Holding<'a>, contest: &Contest) -> Floor<'a> {
        let mut run = [0; 4];
        // Names of an earlier run would only be taken for this one's.
        let _ = getrandom::fill(&mut run);
        let sources = contest.entrants().iter().map(|one| match &one.who {
            Who::Program(program, _) => Some(program.source.clone()),
            _ => None,
        });
        Floor {
            desk,
            holding,
            draw: holding.auditing.clone().map(Draw::new),
            crew: Crew::default(),
            out: HashMap::new(),
            again: VecDeque::new(),
            audits: Vec::new(),
            audited: 0,
            batches: 0,
            run: format!("{:08x}", u32::from_le_bytes(run)),
            pace: None,
            largest: MOST_BLOCKS,
            set_aside: Vec::new(),
            objects: BTreeSet::new(),
            stopped: BTreeSet::new(),
            begun: Instant::now(),
            sources: sources.collect(),
            seats: contest.settings().seats,
            games: contest.settings().games_of_a_block() as usize,
            said: BTreeMap::new(),
            repair: None,
            rates: VecDeque::new(),
        }
    }

    /// Says something, and not again for a minute.
    fn tell(&mut self, text: String) {
        let again = Duration::from_secs(60);
        let is_new = self
            .said
            .get(&text)
            .is_none_or(|said| said.elapsed() > again);
        if is_new {
            (self.holding.tell)(&text);
            self.said.insert(text, Instant::now());
        }
    }

    async fn hold(
        &mut self,
        contest: &mut Contest,
        store: &mut Store,
        mut look: impl FnMut(&Contest, &Store),
    ) -> Result<(), Ended> {
        let (tell, mut happens) = mpsc::channel(256);
        let listeners = self.desk.listen(tell);
        let mut connected = self.desk.link.connected.clone();
        connected.mark_unchanged();
        let held = async {
            loop {
                let missing = contest.missing(store)?;
                look(contest, store);
                let is_over = missing.is_empty() && self.has_no_audits();
                if is_over || (missing.is_empty() && !self.set_aside.is_empty()) {
                    break;
                }
                self.out.clear();
                self.again
                    .retain(|(load, _)| matches!(load, Load::Audit(_)));
                let mut round = Round::new(&missing);
                let is_last = missing.is_empty();
                loop {
                    self.publish(&mut round).await;
                    let mut acks = Vec::new();
                    let first = tokio::time::timeout(TICK, happens.recv()).await;
                    let mut next = first.ok().flatten();
                    let mut is_quiet = true;
                    while let Some(event) = next {
                        self.take(event, &mut round, contest, store, &mut acks)
                            .await?;
                        is_quiet = acks.len() < 256;
                        next = is_quiet.then(|| happens.try_recv().ok()).flatten();
                    }
                    let upheld = match round.finished.is_empty() {
                        true => Upheld::Yes,
                        false => {
                            let upheld = contest.keep(store, round.missing, &mut round.finished)?;
                            look(contest, store);
                            upheld
                        }
                    };
                    // Only what is on the disk is acknowledged.
                    for message in acks {
                        let _ = message.ack().await;
                    }
                    if self.holding.interrupt.is_raised() {
                        return Err(Ended::Stopped);
                    }
                    if connected.has_changed().unwrap_or(false) {
                        connected.mark_unchanged();
                        self.crew.excuse_all();
                        self.repair = Some(Instant::now());
                    }
                    self.tick(&mut round, is_quiet).await?;
                    if upheld == Upheld::No {
                        if let Err(error) = self.desk.clear().await {
                            self.tell(error.to_string());
                        }
                        break;
                    }
                    if round.open == 0 && (!is_last || self.has_no_audits()) {
                        break;
                    }
                }
                if !self.set_aside.is_empty() && round.open == 0 {
                    break;
                }
            }
            match self.set_aside.is_empty() {
                true => Ok(()),
                false => Err(Ended::SetAside(self.set_aside.join("; "))),
            }
        }
        .await;
        listeners.into_iter().for_each(|listener| listener.abort());
        held
    }

    fn has_no_audits(&self) -> bool {
        let is_audit = |load: &Load| matches!(load, Load::Audit(_));
        self.audits.is_empty()
            && !self.out.values().any(|out| is_audit(&out.load))
            && !self.again.iter().any(|(load, _)| is_audit(load))
    }

    /// Publishes as many batches as keep all workers busy.
    async fn publish(&mut self, round: &mut Round<'_>) {
        let is_away = self.desk.link.client.connection_state() != State::Connected;
        if is_away || self.repair.is_some() {
            return;
        }
        let threads = self.crew.threads(self.desk.need).max(1);
        let mut going = Vec::new();
        while self.out.len() + going.len() < 2 * threads + 2 {
            let Some((load, setbacks)) = self.next_load(round, threads) else {
                break;
            };
            let id = format!("{}-{}", self.run, self.batches);
            self.batches += 1;
            let bytes = self.batch(&id, &load, round);
            let most = self.desk.link.client.server_info().max_payload * 3 / 4;
            if let Load::Blocks(blocks) = &load
                && bytes.len() > most
                && blocks.len() > 1
            {
                let (first, rest) = blocks.split_at(blocks.len() / 2);
                self.largest = self.largest.min(first.len().max(1));
                for half in [rest, first] {
                    let half = Load::Blocks(half.to_vec());
                    self.again.push_front((half, setbacks.clone()));
                }
                continue;
            }
            going.push((id, load, setbacks, bytes));
        }
        self.send(going).await;
    }

    async fn send(&mut self, going: Vec<(String, Load, Setbacks, Vec<u8>)>) {
        let link = self.desk.link;
        let subject = work_subject(&self.desk.contest, self.desk.need);
        let sent = going.into_iter().map(|(id, load, setbacks, bytes)| {
            let subject = subject.clone();
            async move {
                let sent = link.publish(subject, bytes).await;
                (id, load, setbacks, sent)
            }
        });
        for (id, load, setbacks, sent) in join_all(sent).await {
            match sent {
                Ok(sequence) => {
                    let out = Out {
                        load,
                        holder: None,
                        seen: Instant::now(),
                        sequence,
                        setbacks,
                    };
                    self.out.insert(id, out);
                }
                Err(error) => {
                    self.again.push_back((load, setbacks));
                    self.tell(format!("{error}; trying again"));
                    self.repair = Some(Instant::now() + TRIES_AGAIN);
                }
            }
        }
    }

    /// What goes out next, if anything is left.
    fn next_load(&mut self, round: &mut Round<'_>, threads: usize) -> Option<(Load, Setbacks)> {
        while let Some((load, setbacks)) = self.again.pop_front() {
            let load = match load {
                Load::Blocks(mut blocks) => {
                    blocks.retain(|&number| round.fates[number] == Fate::Open);
                    Load::Blocks(blocks)
                }
                audit => audit,
            };
            if !matches!(&load, Load::Blocks(blocks) if blocks.is_empty()) {
                return Some((load, setbacks));
            }
        }
        let size = self.size();
        if let Some(first) = self.audits.first().map(|audit| audit.first.clone()) {
            let mut same = Vec::new();
            self.audits.retain(|audit| {
                let is_taken = audit.first == first && same.len() < size;
                if is_taken {
                    same.push(audit.clone());
                }
                !is_taken
            });
            return Some((Load::Audit(same), Setbacks::new()));
        }
        let left = round.fates.len() - round.next;
        if left == 0 {
            return None;
        }
        // Near the end the batches get smaller, so that all workers end together.
        let size = size.min(left.div_ceil(2 * threads)).max(1);
        let first = round.next;
        round.next += size;
        let blocks = first..round.next;
        let blocks = blocks.filter(|&number| round.fates[number] == Fate::Open);
        Some((Load::Blocks(blocks.collect()), Setbacks::new()))
    }

    /// How many blocks make a batch.
    fn size(&self) -> usize {
        let size = self
            .pace
            .map_or(1.0, |pace| (BATCH / pace.max(1e-9)).floor());
        (size as usize).clamp(1, self.largest)
    }

    fn batch(&self, id: &str, load: &Load, round: &Round<'_>) -> Vec<u8> {
        let missing = round.missing;
        let blocks = match load {
            Load::Blocks(blocks) => blocks
                .iter()
                .map(|&number| (missing.key(number), missing.plan(number)))
                .collect(),
            Load::Audit(blocks) => blocks
                .iter()
                .map(|block| (block.key.clone(), block.plan.clone()))
                .collect(),
        };
        packed(&Batch {
            id: id.to_owned(),
            contest: self.desk.contest.clone(),
            terms: name_of(&self.desk.terms),
            blocks,
            not_by: match load {
                Load::Blocks(_) => None,
                Load::Audit(blocks) => blocks.first().map(|block| block.first.clone()),
            },
        })
    }

    async fn take(
        &mut self,
        event: Happens,
        round: &mut Round<'_>,
        contest: &Contest,
        store: &Store,
        acks: &mut Vec<Message>,
    ) -> Result<(), Ended> {
        match event {
            Happens::Came(message, report) => {
                match report {
                    Ok(report) => self.take_report(report, round, store).await?,
                    Err(reason) => self.tell(format!("a result was thrown away: {reason}")),
                }
                acks.push(*message);
            }
            Happens::Beat(pulse) => self.take_pulse(&pulse),
            Happens::Heard(text) => self.tell(text),
            Happens::Asked(reply) => {
                let status = packed(&self.status(contest));
                let _ = self.desk.link.client.publish(reply, status.into()).await;
            }
        }
        Ok(())
    }

    async fn take_report(
        &mut self,
        report: Report,
        round: &mut Round<'_>,
        store: &Store,
    ) -> Result<(), Ended> {
        let Report {
            batch,
            worker,
            blocks,
            end,
            ..
        } = report;
        self.crew.played(&worker, blocks.len() as u64);
        let audited = match self.out.get_mut(&batch) {
            Some(Out {
                load: Load::Audit(audit),
                ..
            }) => Some(audit),
            _ => None,
        };
        if let Some(audit) = audited {
            let mut found = Vec::new();
            for (key, played) in &blocks {
                let Some(place) = audit.iter().position(|block| block.key == *key) else {
                    continue;
                };
                if audit[place].first == worker.name {
                    continue;
                }
                found.push((audit.swap_remove(place), digest(played)));
            }
            for (first, again) in found {
                self.compare(&first, again, &worker)?;
            }
        } else {
            for (key, played) in blocks {
                self.take_block(key, played, &worker, round, store)?;
            }
        }
        let Some(end) = end else {
            return Ok(());
        };
        if end.played > 0 && end.seconds.is_finite() {
            let pace = (end.seconds / end.played as f64).max(1e-6);
            let before = self.pace.unwrap_or(pace);
            // One batch with a compiler in it, or one easy table, does not change everything.
            self.pace = Some(match pace > before {
                true => pace.min(before * 4.0),
                false => pace.max(before / 4.0),
            });
        }
        let out = self.out.remove(&batch);
        if let Some(fault) = end.machine_fault {
            let name = worker.name.clone();
            self.objects.extend(end.object);
            self.tell(format!("worker {name} could not play: {fault}"));
            let only_fails = self.crew.failed(&worker);
            if let Some(mut out) = out {
                out.setbacks.insert(name, fault.clone());
                self.requeue(out, round).await;
            }
            if only_fails {
                self.send_away(&worker, &fault).await;
            }
        } else if let Some(out) = out {
            // A worker that has left something out is asked again.
            self.requeue(out, round).await;
        }
        Ok(())
    }

    /// Takes what came of a block, if it is missing and can have come of it.
    fn take_block(
        &mut self,
        key: String,
        mut played: BlockResult,
        worker: &Worker,
        round: &mut Round<'_>,
        store: &Store,
    ) -> Result<(), Ended> {
        let Some(&number) = round.numbers.get(&key) else {
            if store.played(&key)?.is_none() {
                let name = &worker.name;
                self.tell(format!(
                    "worker {name} has sent the result of a block that this contest does not have: {key:.32}"
                ));
            }
            return Ok(());
        };
        if round.fates[number] != Fate::Open {
            return Ok(());
        }
        if !played.fits(self.seats, self.games) {
            let name = &worker.name;
            self.tell(format!(
                "worker {name} has sent a result that cannot come of its block: {key:.32}"
            ));
            return Ok(());
        }
        let plan = round.missing.plan(number);
        if played.suspended != plan.suspended {
            // It was begun before somebody was suspended.
            return Ok(());
        }
        if self
            .draw
            .as_ref()
            .is_some_and(|draw| draw.draws(&key, &plan))
        {
            self.audits.push(Again {
                digest: digest(&played),
                first: worker.name.clone(),
                plan: plan.clone(),
                key,
            });
        }
        for kept in &mut played.kept {
            let entrant = plan.table[kept.player];
            if let Some(source) = self.sources.get(entrant).and_then(Option::as_ref) {
                // Where the program lies here, so that the fault can be repeated.
                kept.fault.program.clone_from(source);
            }
        }
        round.settle(number, Fate::Done);
        round.finished.push((number, played));
        Ok(())
    }

    /// Compares what came of a block the second time.
    fn compare(
        &mut self,
        first: &Again,
        again: blake3::Hash,
        worker: &Worker,
    ) -> Result<(), Ended> {
        self.audited += 1;
        if again == first.digest {
            return Ok(());
        }
        let differs = format!(
            "the workers {} and {} got different results from the same block ({}): one of them cannot be \
             trusted",
            first.first, worker.name, first.key
        );
        match self.draw.as_ref().is_some_and(Draw::goes_on) {
            true => {
                self.tell(differs);
                Ok(())
            }
            false => Err(Ended::Differs(differs)),
        }
    }

    /// What is left of a batch goes out again, unless too many have failed at it.
    async fn requeue(&mut self, out: Out, round: &mut Round<'_>) {
        let Out {
            load,
            setbacks,
            sequence,
            ..
        } = out;
        if setbacks.len() < MOST_SETBACKS {
            let is_left = match &load {
                Load::Blocks(blocks) => blocks
                    .iter()
                    .any(|&number| round.fates[number] == Fate::Open),
                Load::Audit(blocks) => !blocks.is_empty(),
            };
            if is_left {
                self.again.push_back((load, setbacks));
            }
            return;
        }
        if let Ok(work) = self.desk.link.stream(WORK).await {
            // It may have been acknowledged.
            let _ = work.delete_message(sequence).await;
        }
        let left: Vec<usize> = match load {
            Load::Blocks(blocks) => blocks,
            Load::Audit(_) => Vec::new(),
        };
        let left: Vec<usize> = left
            .into_iter()
            .filter(|&number| round.fates[number] == Fate::Open)
            .collect();
        let Some(&first) = left.first() else {
            return;
        };
        for &number in &left {
            round.settle(number, Fate::Aside);
        }
        let workers = setbacks.iter();
        let workers: Vec<String> = workers
            .map(|(name, reason)| format!("{name} ({reason})"))
            .collect();
        let text = format!(
            "{} were set aside, from {} on, because three workers were lost with them or failed at them: {}",
            croupier_core::counted(left.len(), "block"),
            round.missing.key(first),
            workers.join(", ")
        );
        self.tell(text.clone());
        self.set_aside.push(text);
    }

    /// Tells a worker to stop whose machine only fails.
    async fn send_away(&mut self, worker: &Worker, reason: &str) {
        let order = packed(&Order::Leave(reason.to_owned()));
        let subject = orders_subject(&worker.instance);
        let _ = self.desk.link.client.publish(subject, order.into()).await;
        if self.stopped.insert(worker.instance.clone()) {
            let name = &worker.name;
            self.tell(format!(
                "worker {name} was told to stop: it does nothing but fail: {reason}"
            ));
        }
    }

    fn take_pulse(&mut self, pulse: &Pulse) {
        self.crew.hear(pulse);
        let instance = &pulse.worker.instance;
        for id in &pulse.holds {
            if let Some(out) = self.out.get_mut(id) {
                out.holder = Some(instance.clone());
                out.seen = Instant::now();
            }
        }
        for (id, out) in &mut self.out {
            if out.holder.as_ref() == Some(instance) && !pulse.holds.contains(id) {
                // It is finished, and its result on the way, or it was given back.
                out.holder = None;
                out.seen = Instant::now();
            }
        }
    }

    /// Looks for what does not happen by itself.
    async fn tick(&mut self, round: &mut Round<'_>, is_quiet: bool) -> Result<(), Ended> {
        let link = self.desk.link;
        if link.client.connection_state() != State::Connected {
            self.crew.excuse_all();
            self.tell(format!(
                "the NATS server at {} does not answer; waiting for it",
                link.server
            ));
            return Ok(());
        }
        if is_quiet {
            self.look_for_lost(round).await;
        }
        if self.crew.threads(self.desk.need) == 0 && self.begun.elapsed() > FIRST_WORKER {
            let need = match self.desk.need {
                Need::BuiltIn => String::new(),
                Need::Tier(tier) => format!(" --sandbox {tier}"),
            };
            self.tell(format!(
                "no worker is there; start some: croupier work --nats {}{need}",
                link.server
            ));
        }
        for name in std::mem::take(&mut self.objects) {
            if let Err(error) = self.desk.put_again(&name).await {
                self.tell(error.to_string());
            }
        }
        let is_stalled = |out: &Out| {
            let not = match &out.load {
                Load::Blocks(_) => None,
                Load::Audit(blocks) => blocks.first().map(|block| block.first.as_str()),
            };
            out.holder.is_none()
                && out.seen.elapsed() > STALL
                && self.crew.is_anyone_free(self.desk.need, not)
        };
        let is_stalled = self.out.values().any(is_stalled);
        if is_stalled {
            self.repair.get_or_insert_with(Instant::now);
        }
        if self.repair.is_some_and(|due| due <= Instant::now()) {
            match self.desk.set_up(is_stalled).await {
                Ok(()) => {
                    self.repair = None;
                    self.publish_again().await;
                }
                Err(error @ ClusterError::Wrong(_)) => return Err(error.into()),
                Err(error) => {
                    self.tell(error.to_string());
                    self.repair = Some(Instant::now() + TRIES_AGAIN);
                }
            }
        }
        self.want_a_second_worker(round);
        Ok(())
    }

    async fn look_for_lost(&mut self, round: &mut Round<'_>) {
        for worker in self.crew.lost() {
            self.tell(format!("worker {} is lost", worker.name));
            let held = |out: &mut Out| out.holder.as_ref() == Some(&worker.instance);
            let lost: Vec<(String, Out)> = self.out.extract_if(|_, out| held(out)).collect();
            for (id, mut out) in lost {
                out.setbacks
                    .insert(worker.name.clone(), "it was lost".to_owned());
                if out.setbacks.len() >= MOST_SETBACKS {
                    self.requeue(out, round).await;
                    continue;
                }
                // The server delivers it again.
                out.holder = None;
                out.seen = Instant::now();
                self.out.insert(id, out);
            }
        }
    }

    /// Puts all batches that nobody has back into the queue, which has just been cleared.
    async fn publish_again(&mut self) {
        let unheld: Vec<String> = (self.out.iter())
            .filter(|(_, out)| out.holder.is_none())
            .map(|(id, _)| id.clone())
            .collect();
        for id in unheld {
            if let Some(out) = self.out.remove(&id) {
                self.again.push_back((out.load, out.setbacks));
            }
        }
        let now = Instant::now();
        self.out.values_mut().for_each(|out| out.seen = now);
    }

    /// An audit needs somebody else.
    fn want_a_second_worker(&mut self, round: &Round<'_>) {
        if round.open > 0 {
            return;
        }
        let waits = self.out.values().find_map(|out| match &out.load {
            Load::Audit(blocks) if out.holder.is_none() => blocks.first(),
            _ => None,
        });
        if let Some(block) = waits
            && !self.crew.is_anyone_else(&block.first)
        {
            let name = block.first.clone();
            self.tell(format!(
                "blocks that {name} has played wait to be audited: that takes a worker with another name"
            ));
        }
    }

    fn status(&mut self, contest: &Contest) -> Status {
        let progress = contest.progress();
        let now = Instant::now();
        self.rates.push_back((now, progress.games));
        let recent = |(then, _): &(Instant, u64)| now - *then < Duration::from_secs(60);
        while self.rates.len() > 2 && !self.rates.front().is_some_and(recent) {
            self.rates.pop_front();
        }
        let first = self.rates.front().copied();
        let (then, games) = first
            .filter(|(then, _)| now - *then > TICK)
            .unwrap_or((self.begun, 0));
        let held = self.out.values().filter(|out| out.holder.is_some()).count();
        Status {
            contest: self.desk.contest.clone(),
            game: self.desk.game.clone(),
            games: progress.games,
            of: progress.of,
            seconds: self.begun.elapsed().as_secs_f64(),
            rate: (progress.games - games) as f64 / (now - then).as_secs_f64().max(0.001),
            waiting: self.out.len() - held + self.again.len(),
            playing: held,
            set_aside: self.set_aside.len(),
            audited: (self.audited, self.audits.len() as u64),
            workers: self.crew.status(),
        }
    }
}

impl Desk<'_> {
    /// Listens for results, pulses and questions.
    fn listen(&self, tell: mpsc::Sender<Happens>) -> Vec<tokio::task::JoinHandle<()>> {
        let mut tasks = Vec::new();
        for _ in 0..PULLERS {
            let (link, contest, tell) = (self.link.clone(), self.contest.clone(), tell.clone());
            tasks.push(tokio::spawn(async move {
                pull_results(&link, &contest, &tell).await;
            }));
        }
        let (link, pulses) = (self.link.clone(), tell.clone());
        tasks.push(tokio::spawn(async move {
            // Subscriptions come back with the connection.
            let Ok(mut subscription) = link.client.subscribe(PULSE).await else {
                return;
            };
            while let Some(message) = subscription.next().await {
                let event = match unpacked(&message.payload) {
                    Ok(pulse) => Happens::Beat(pulse),
                    Err(error) => Happens::Heard(format!("a worker is not understood: {error}")),
                };
                if pulses.send(event).await.is_err() {
                    return;
                }
            }
        }));
        for subject in [STATUS.to_owned(), format!("{STATUS}.{}", self.contest)] {
            let (link, tell) = (self.link.clone(), tell.clone());
            tasks.push(tokio::spawn(async move {
                let Ok(mut subscription) = link.client.subscribe(subject).await else {
                    return;
                };
                while let Some(message) = subscription.next().await {
                    if let Some(reply) = message.reply
                        && tell.send(Happens::Asked(reply)).await.is_err()
                    {
                        return;
                    }
                }
            }));
        }
        tasks
    }
}

/// Takes results from their stream, one after the other.
async fn pull_results(link: &Link, contest: &str, tell: &mpsc::Sender<Happens>) {
    loop {
        match link.next(RESULTS, contest, Duration::from_secs(5)).await {
            Ok(Some(message)) => {
                let report = read_report(link, &message).await;
                if tell
                    .send(Happens::Came(Box::new(message), report))
                    .await
                    .is_err()
                {
                    return;
                }
            }
            Ok(None) => {}
            // The stream may have to be made anew, which others do.
            Err(_) => tokio::time::sleep(TRIES_AGAIN).await,
        }
    }
}

async fn read_report(link: &Link, message: &Message) -> Result<Report, String> {
    let mut report: Report = unpacked(&message.payload).map_err(|error| error.to_string())?;
    if let Some(name) = report.large.take() {
        let bytes = link.get(LARGE, &name, MOST_BYTES).await;
        let bytes = bytes.map_err(|error| error.to_string())?;
        let block = unpacked(&bytes).map_err(|error| error.to_string())?;
        report.blocks.push(block);
        link.remove(LARGE, &name).await;
    }
    Ok(report)
}
