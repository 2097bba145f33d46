//! The workers that a coordinator has heard of: what each holds, how fast it is, and how it fails.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use croupier_arena::WorkerStatus;

use crate::wire::{Need, Pulse, Worker};

/// A worker that was silent for so long is lost.
pub(crate) const LOST: Duration = Duration::from_secs(6);

/// After so many machine faults in a row, and no block in between, a worker is told to stop.
pub(crate) const MOST_FAULTS: u32 = 3;

/// All workers.
#[derive(Debug, Default)]
pub(crate) struct Crew {
    members: HashMap<String, Member>,
    faults: BTreeMap<String, Faults>,
}

#[derive(Debug)]
struct Member {
    worker: Worker,
    threads: usize,
    needs: Vec<Need>,
    holds: Vec<String>,
    heard: Instant,
    blocks: u64,
    since: Instant,
}

/// How often the machine of a worker failed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Faults {
    all: u64,
    in_a_row: u32,
}

impl Crew {
    /// Takes what a worker tells of itself, and tells which batches it had and has no more.
    pub(crate) fn hear(&mut self, pulse: &Pulse) -> Vec<String> {
        let instance = pulse.worker.instance.clone();
        if pulse.leaves {
            let gone = self.members.remove(&instance);
            return gone.map_or_else(Vec::new, |member| member.holds);
        }
        let now = Instant::now();
        let member = self.members.entry(instance).or_insert_with(|| Member {
            worker: pulse.worker.clone(),
            threads: 0,
            needs: Vec::new(),
            holds: Vec::new(),
            heard: now,
            blocks: 0,
            since: now,
        });
        member.threads = pulse.threads.min(4096);
        member.needs.clone_from(&pulse.needs);
        member.heard = now;
        let mut before = std::mem::replace(&mut member.holds, pulse.holds.clone());
        before.retain(|id| !pulse.holds.contains(id));
        before
    }

    /// A worker has played so many blocks.
    pub(crate) fn played(&mut self, worker: &Worker, blocks: u64) {
        if let Some(member) = self.members.get_mut(&worker.instance) {
            member.blocks += blocks;
        }
        if blocks > 0
            && let Some(faults) = self.faults.get_mut(&worker.name)
        {
            faults.in_a_row = 0;
        }
    }

    /// The machine of a worker has failed. Tells whether it does nothing else.
    pub(crate) fn failed(&mut self, worker: &Worker) -> bool {
        let faults = self.faults.entry(worker.name.clone()).or_default();
        faults.all += 1;
        faults.in_a_row += 1;
        faults.in_a_row >= MOST_FAULTS
    }

    /// The workers that were lost since this was asked last.
    pub(crate) fn lost(&mut self) -> Vec<Worker> {
        let lost = |member: &mut Member| member.heard.elapsed() > LOST;
        let lost = self.members.extract_if(|_, member| lost(member));
        lost.map(|(_, member)| member.worker).collect()
    }

    /// Nobody was heard because nobody could be.
    pub(crate) fn excuse_all(&mut self) {
        let now = Instant::now();
        self.members
            .values_mut()
            .for_each(|member| member.heard = now);
    }

    /// The name of the worker with this instance.
    pub(crate) fn name_of(&self, instance: &str) -> Option<&str> {
        let member = self.members.get(instance);
        member.map(|member| member.worker.name.as_str())
    }

    /// How many threads there are for what needs this.
    pub(crate) fn threads(&self, need: Need) -> usize {
        let members = self.members.values();
        let able = members.filter(|member| member.needs.contains(&need));
        able.map(|member| member.threads).sum()
    }

    /// Whether somebody has a thread free for what needs this, and is not the one with this name.
    pub(crate) fn is_anyone_free(&self, need: Need, not: Option<&str>) -> bool {
        self.members.values().any(|member| {
            member.needs.contains(&need)
                && member.holds.len() < member.threads
                && not != Some(&member.worker.name)
        })
    }

    /// Whether there is a worker with another name than this.
    pub(crate) fn is_anyone_else(&self, name: &str) -> bool {
        let mut members = self.members.values();
        members.any(|member| member.worker.name != name)
    }

    /// What is known of each, by name.
    pub(crate) fn status(&self) -> Vec<WorkerStatus> {
        let mut all: Vec<WorkerStatus> = (self.members.values())
            .map(|member| {
                let faults = self.faults.get(&member.worker.name);
                let seconds = member.since.elapsed().as_secs_f64();
                WorkerStatus {
                    name: member.worker.name.clone(),
                    threads: member.threads,
                    holds: member.holds.len(),
                    blocks: member.blocks,
                    rate: member.blocks as f64 / seconds.max(1.0),
                    machine_faults: faults.map_or(0, |faults| faults.all),
                    heard: member.heard.elapsed().as_secs_f64(),
                }
            })
            .collect();
        all.sort_by(|one, other| one.name.cmp(&other.name));
        all
    }
}
