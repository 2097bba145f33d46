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
use croupier_arena::{Contest, Store, Upheld, Who};
use tokio::sync::mpsc;

use super::desk::{Desk, TRIES_AGAIN};
use super::round::{Load, Out, Round, Setbacks};
use super::taking::MOST_SETBACKS;
use super::{Ended, Holding};
use crate::audit::{Again, Draw};
use crate::crew::Crew;
use crate::link::ClusterError;
use crate::wire::{Need, Status};

/// The most blocks in a batch.
const MOST_BLOCKS: usize = 50_000;

/// If nobody has a batch for so long while somebody waits for work, the server does not deliver it.
const STALL: Duration = Duration::from_secs(12);

/// How often is looked for what does not happen by itself.
const TICK: Duration = Duration::from_millis(200);

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
    pub(super) audits: Vec<Again>,
    pub(super) audited: u64,
    /// How many batches there were; with a random beginning, so that no two runs use the same names.
    pub(super) batches: u64,
    pub(super) run: String,
    /// How many seconds a block takes.
    pub(super) pace: Option<f64>,
    pub(super) largest: usize,
    pub(super) set_aside: Vec<String>,
    pub(super) objects: BTreeSet<String>,
    pub(super) stopped: BTreeSet<String>,
    pub(super) begun: Instant,
    pub(super) sources: Vec<Option<PathBuf>>,
    pub(super) seats: usize,
    pub(super) games: usize,
    pub(super) said: BTreeMap<String, Instant>,
    pub(super) repair: Option<Instant>,
    pub(super) rates: VecDeque<(Instant, u64)>,
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
    pub(super) fn tell(&mut self, text: String) {
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

    pub(super) fn status(&mut self, contest: &Contest) -> Status {
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
