//! How work is given out: batches of about two seconds, as many as keep all workers busy.

use std::time::{Duration, Instant};

use async_nats::connection::State;
use futures_util::future::join_all;

use super::desk::TRIES_AGAIN;
use super::floor::Floor;
use super::round::{Load, Out, Round, Setbacks};
use crate::link::work_subject;
use crate::objects::name_of;
use crate::wire::{Batch, packed};

/// So many seconds a batch should take.
const BATCH: f64 = 2.0;

/// No more batches should come back in a second: with more than a thousand threads each takes longer.
const MOST_A_SECOND: f64 = 500.0;

/// A batch is late if somebody has had it for so long, and for so many times as long as it should take. Each
/// time some were late, twice as long is waited: there are games that just take long.
const LATE: Duration = Duration::from_secs(30);
const LATE_BY: f64 = 10.0;
const MOST_DOUBLINGS: u32 = 10;

impl Floor<'_> {
    /// Gives late batches to others too who have nothing else to do (backup tasks): a worker may hang, and
    /// still tell that it lives. What comes first counts.
    pub(super) fn back_up_late(&mut self, round: &Round<'_>) {
        let Some(pace) = self.pace else { return };
        if round.next < round.fates.len() || !self.again.is_empty() {
            return;
        }
        let patience = LATE * (1 << self.backups.min(MOST_DOUBLINGS));
        let is_late = |out: &Out| {
            let Some(held) = out.taken.map(|taken| taken.elapsed()) else {
                return false;
            };
            out.holder.is_some()
                && held > patience
                && held.as_secs_f64() > LATE_BY * pace * out.load.len() as f64
                && self.crew.is_anyone_free(self.desk.need, out.not_by())
        };
        // Whoever has it is not waited for any more; what comes from there is still taken.
        let late = self.out.extract_if(|_, out| is_late(out));
        let late: Vec<Out> = late.map(|(_, out)| out).collect();
        self.backups += u32::from(!late.is_empty());
        for out in late {
            let worker = out
                .holder
                .as_deref()
                .and_then(|holder| self.crew.name_of(holder));
            let worker = worker.unwrap_or_default().to_owned();
            self.tell(format!(
                "worker {worker} has had a batch for much longer than it should take; another gets it too"
            ));
            self.again.push_back((out.load, out.setbacks));
        }
    }

    /// Publishes as many batches as keep all workers busy.
    pub(super) async fn publish(&mut self, round: &mut Round<'_>) {
        let is_away = self.desk.link.client.connection_state() != State::Connected;
        if is_away || self.repair.is_some() {
            return;
        }
        let threads = self.crew.threads(self.desk.need).max(1);
        let most = 2 * threads + 2;
        let audits = self.out.values().filter(|out| out.load.is_audit());
        let mut audits = audits.count();
        // Audits that wait for somebody else keep no blocks from being played.
        let mut blocks_out = self.out.len() - audits;
        let mut going = Vec::new();
        while blocks_out < most {
            let Some((load, setbacks)) = self.next_load(round, threads, audits < most) else {
                break;
            };
            let id = format!("{}-{}", self.run, self.batches);
            self.batches += 1;
            let bytes = self.batch(&id, &load, round);
            if bytes.len() > self.desk.link.most_bytes()
                && let Some([first, rest]) = load.halves()
            {
                self.largest = self.largest.min(first.len());
                for half in [rest, first] {
                    self.again.push_front((half, setbacks.clone()));
                }
                continue;
            }
            match load.is_audit() {
                true => audits += 1,
                false => blocks_out += 1,
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
                    self.out.insert(id, Out::new(load, setbacks, sequence));
                }
                Err(error) => {
                    self.again.push_back((load, setbacks));
                    let error = link.with_health(error).await;
                    self.tell(format!("{error}; trying again"));
                    self.repair = Some(Instant::now() + TRIES_AGAIN);
                }
            }
        }
    }

    /// What goes out next, if anything is left.
    fn next_load(
        &mut self,
        round: &mut Round<'_>,
        threads: usize,
        may_audit: bool,
    ) -> Option<(Load, Setbacks)> {
        while let Some((load, setbacks)) = self.again.pop_front() {
            let load = match load {
                Load::Blocks(mut blocks) => {
                    blocks.retain(|&number| round.is_open(number));
                    Load::Blocks(blocks)
                }
                audit => audit,
            };
            if !matches!(&load, Load::Blocks(blocks) if blocks.is_empty()) {
                return Some((load, setbacks));
            }
        }
        let size = self.size(threads);
        let mut audits = self.audits.iter().filter(|_| may_audit);
        let audit = audits.find(|audit| self.crew.is_anyone_else(&audit.first));
        if let Some(first) = audit.map(|audit| audit.first.clone()) {
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
        let blocks = blocks.filter(|&number| round.is_open(number));
        Some((Load::Blocks(blocks.collect()), Setbacks::new()))
    }

    /// How many blocks make a batch.
    fn size(&self, threads: usize) -> usize {
        let seconds = BATCH.max(threads as f64 / MOST_A_SECOND);
        let size = self.pace.map_or(1.0, |pace| (seconds / pace).floor());
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
            not_by: load.not_by().map(str::to_owned),
        })
    }
}
