//! Who has which batch, and what to do when nobody has it.
//!
//! From the pulses of the workers it is known who has which batch. Nothing on the server has to be believed:
//! when it was away, was restored from an older copy or has lost everything, and when a batch is out that
//! nobody has while somebody waits for work, streams and consumers are made anew and what is missing is
//! published again.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use async_nats::connection::State;
use croupier_arena::{ClusterStatus, Contest, Store, Upheld, Who};
use croupier_bots::{Limits, Speech, Tier};
use tokio::sync::mpsc;

use super::desk::{Desk, TRIES_AGAIN};
use super::latency::Latencies;
use super::round::{Load, Out, Round, Setbacks};
use super::taking::MOST_SETBACKS;
use super::{Ended, Holding};
use crate::audit::{Again, Draw};
use crate::crew::Crew;
use crate::link::ClusterError;
use crate::wire::Need;

/// The most blocks in a batch.
const MOST_BLOCKS: usize = 50_000;

/// If nobody has a batch for so long while somebody waits for work, the server does not deliver it.
const STALL: Duration = Duration::from_secs(12);

/// How often is looked for what does not happen by itself.
const TICK: Duration = Duration::from_millis(200);

/// A coordinator that had no time for so long, as with a slow disk, may not have heard its workers.
const DEAF: Duration = Duration::from_secs(1);

/// How often it is kept how the contest stands, for those who look on.
const KEEPS_STATUS: Duration = Duration::from_secs(2);

/// So many different things are remembered to have been said.
const MOST_SAID: usize = 1000;

/// How long is waited for a worker before that is mentioned.
const FIRST_WORKER: Duration = Duration::from_secs(10);

/// All that a coordinator keeps in mind.
pub(super) struct Floor<'a> {
    pub(super) desk: &'a Desk<'a>,
    pub(super) holding: &'a Holding<'a>,
    pub(super) draw: Option<Draw>,
    pub(super) crew: Crew,
    pub(super) out: HashMap<String, Out>,
    /// Loads that have to go out again.
    pub(super) again: VecDeque<(Load, Setbacks)>,
    /// Audits that are to go out, those of them that are not written down yet, and those that are done and
    /// still written down.
    pub(super) audits: Vec<Again>,
    pub(super) begun_audits: Vec<Again>,
    pub(super) done_audits: Vec<String>,
    pub(super) audited: u64,
    /// How many batches there were; with a random beginning, so that no two runs use the same names.
    pub(super) batches: u64,
    pub(super) run: String,
    /// How many seconds a block takes.
    pub(super) pace: Option<f64>,
    /// How often batches were late.
    pub(super) backups: u32,
    pub(super) largest: usize,
    pub(super) set_aside: Vec<String>,
    /// When objects were stored anew last that somebody did not get.
    pub(super) renewed: HashMap<String, Instant>,
    pub(super) stopped: BTreeSet<String>,
    pub(super) begun: Instant,
    /// Where the programs that take part lie here, and how they are spoken to.
    pub(super) programs: Vec<Option<(PathBuf, Speech)>>,
    /// How they are held.
    pub(super) sandbox: Tier,
    pub(super) limits: Limits,
    pub(super) seats: usize,
    pub(super) games: usize,
    pub(super) said: BTreeMap<String, Instant>,
    pub(super) repair: Option<Instant>,
    pub(super) rates: VecDeque<(Instant, u64)>,
    pub(super) latencies: Latencies,
    ticked: Instant,
    kept_status: Instant,
}

impl<'a> Floor<'a> {
    pub(super) fn new(
        desk: &'a Desk<'a>,
        holding: &'a Holding<'a>,
        contest: &Contest,
    ) -> Floor<'a> {
        let mut run = [0; 4];
        // Names of an earlier run would only be taken for this one's.
        let _ = getrandom::fill(&mut run);
        let programs = contest.entrants().iter().map(|one| match &one.who {
            Who::Program(program, speech) => Some((program.source.clone(), *speech)),
            _ => None,
        });
        let settings = contest.settings();
        Floor {
            desk,
            holding,
            draw: holding.auditing.clone().map(Draw::new),
            crew: Crew::default(),
            out: HashMap::new(),
            again: VecDeque::new(),
            audits: Vec::new(),
            begun_audits: Vec::new(),
            done_audits: Vec::new(),
            audited: 0,
            batches: 0,
            run: format!("{:08x}", u32::from_le_bytes(run)),
            pace: None,
            backups: 0,
            largest: MOST_BLOCKS,
            set_aside: Vec::new(),
            renewed: HashMap::new(),
            stopped: BTreeSet::new(),
            begun: Instant::now(),
            programs: programs.collect(),
            sandbox: settings.sandbox,
            limits: settings.limits.clone(),
            seats: settings.seats,
            games: settings.games_of_a_block() as usize,
            said: BTreeMap::new(),
            repair: None,
            rates: VecDeque::new(),
            latencies: Latencies::default(),
            ticked: Instant::now(),
            kept_status: Instant::now(),
        }
    }

    /// Says something, and not again for a minute.
    pub(super) fn tell(&mut self, text: String) {
        let again = Duration::from_secs(60);
        let is_new = self
            .said
            .get(&text)
            .is_none_or(|said| said.elapsed() > again);
        if is_new {
            if self.said.len() >= MOST_SAID {
                self.said.clear();
            }
            (self.holding.tell)(&text);
            self.said.insert(text, Instant::now());
        }
    }

    pub(super) async fn hold(
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
            if self.draw.is_some() {
                self.audits = Again::begun(store)?;
            }
            loop {
                let missing = contest.missing(store)?;
                look(contest, store);
                let is_over = missing.is_empty() && self.has_no_audits();
                if is_over || (missing.is_empty() && !self.set_aside.is_empty()) {
                    break;
                }
                self.out.clear();
                self.again.retain(|(load, _)| load.is_audit());
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
                    self.write_down_audits(store)?;
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
                    self.keep_status(contest);
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
        if let Some(folder) = self.holding.folder {
            ClusterStatus::forget(folder);
        }
        held
    }

    fn has_no_audits(&self) -> bool {
        self.audits.is_empty()
            && !self.out.values().any(|out| out.load.is_audit())
            && !self.again.iter().any(|(load, _)| load.is_audit())
    }

    /// Has the store remember which audits are open, so that they outlast the coordinator.
    fn write_down_audits(&mut self, store: &mut Store) -> Result<(), Ended> {
        let (begun, done) = (&self.begun_audits, &self.done_audits);
        if begun.is_empty() && done.is_empty() {
            return Ok(());
        }
        let begun = begun
            .iter()
            .map(|again| (again.key.as_str(), again.to_json()));
        store.audit(begun, done.iter().map(String::as_str))?;
        self.audits.append(&mut self.begun_audits);
        self.done_audits.clear();
        Ok(())
    }

    /// Keeps how the contest stands beside its store, from time to time.
    fn keep_status(&mut self, contest: &Contest) {
        if let Some(folder) = self.holding.folder
            && self.kept_status.elapsed() > KEEPS_STATUS
        {
            self.kept_status = Instant::now();
            // Nobody who looks on is a reason to stop.
            let _ = self.status(contest).keep(folder);
        }
    }

    /// Looks for what does not happen by itself.
    async fn tick(&mut self, round: &mut Round<'_>, is_quiet: bool) -> Result<(), Ended> {
        let link = self.desk.link;
        let ticked = std::mem::replace(&mut self.ticked, Instant::now());
        if ticked.elapsed() > DEAF {
            self.crew.excuse_all();
        }
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
            self.back_up_late(round);
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
        let is_stalled = |out: &Out| {
            out.holder.is_none()
                && out.seen.elapsed() > STALL
                && self.crew.is_anyone_free(self.desk.need, out.not_by())
        };
        let stalled = self.out.iter().filter(|(_, out)| is_stalled(out));
        let stalled: Vec<String> = stalled.map(|(id, _)| id.clone()).collect();
        if !stalled.is_empty() && self.repair.is_none() {
            self.blame(&stalled, round).await;
            self.repair = Some(Instant::now());
        }
        if self.repair.is_some_and(|due| due <= Instant::now()) {
            match self.desk.set_up(!stalled.is_empty()).await {
                Ok(()) => {
                    self.repair = None;
                    self.publish_again(round).await;
                }
                Err(error @ ClusterError::Wrong(_)) => return Err(error.into()),
                Err(error) => {
                    let error = link.with_health(error).await;
                    self.tell(format!("{error}; trying again"));
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
                out.let_go();
                self.out.insert(id, out);
            }
        }
    }

    /// Tells of batches that nobody has and of which nothing has come. Whoever had one has failed.
    async fn blame(&mut self, stalled: &[String], round: &mut Round<'_>) {
        self.tell(format!(
            "{} of the batches that are out have reached nobody, or nothing came of them; publishing what is \
             missing again",
            stalled.len()
        ));
        let mut blamed = BTreeSet::new();
        for id in stalled {
            let out = self.out.get_mut(id);
            if let Some(worker) = out.and_then(|out| out.left_by.take())
                && blamed.insert(worker.instance.clone())
            {
                let fault = "it has sent nothing".to_owned();
                self.take_fault(id, None, &worker, fault, round).await;
            }
        }
    }

    /// Puts all batches that nobody has back into the queue, which has just been cleared.
    async fn publish_again(&mut self, round: &mut Round<'_>) {
        let unheld = self.out.extract_if(|_, out| out.holder.is_none());
        let unheld: Vec<Out> = unheld.map(|(_, out)| out).collect();
        for out in unheld {
            self.requeue(out, round).await;
        }
        let now = Instant::now();
        self.out.values_mut().for_each(|out| out.seen = now);
    }

    /// An audit needs somebody else.
    fn want_a_second_worker(&mut self, round: &Round<'_>) {
        if round.open > 0 {
            return;
        }
        let out = self.out.values().filter(|out| out.holder.is_none());
        let out = out.filter_map(Out::not_by);
        let mut waits = out.chain(self.audits.iter().map(|audit| audit.first.as_str()));
        let alone = waits.find(|first| !self.crew.is_anyone_else(first));
        if let Some(name) = alone.map(str::to_owned) {
            self.tell(format!(
                "blocks that {name} has played wait to be audited: that takes a worker with another name"
            ));
        }
    }

    fn open_audits(&self) -> u64 {
        let loads = self.out.values().map(|out| &out.load);
        let loads = loads.chain(self.again.iter().map(|(load, _)| load));
        let out = loads.map(|load| match load {
            Load::Audit(blocks) => blocks.len(),
            Load::Blocks(_) => 0,
        });
        (out.sum::<usize>() + self.audits.len() + self.begun_audits.len()) as u64
    }

    pub(super) fn status(&mut self, contest: &Contest) -> ClusterStatus {
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
        ClusterStatus {
            contest: self.desk.contest.clone(),
            game: self.desk.game.clone(),
            games: progress.games,
            of: progress.of,
            seconds: self.begun.elapsed().as_secs_f64(),
            rate: (progress.games - games) as f64 / (now - then).as_secs_f64().max(0.001),
            waiting: self.out.len() - held + self.again.len(),
            playing: held,
            set_aside: self.set_aside.len(),
            audited: (self.audited, self.open_audits()),
            latency: self.latencies.summary(),
            workers: self.crew.status(),
        }
    }
}
