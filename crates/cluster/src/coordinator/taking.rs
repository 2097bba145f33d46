//! What comes back: results, which count once and are compared if they are audited; and who has failed.

use std::time::Instant;

use async_nats::jetstream::Message;
use croupier_arena::{BlockResult, Contest, Store};

use super::Ended;
use super::desk::Happens;
use super::floor::Floor;
use super::round::{Fate, Load, Out, Round};
use crate::audit::{Again, Draw, digest};
use crate::link::{WORK, orders_subject};
use crate::wire::{Order, Pulse, Report, Worker, packed};

/// A batch is lost for good when so many different workers were lost with it, or failed at it.
pub(super) const MOST_SETBACKS: usize = 3;

impl Floor<'_> {
    /// Takes notice of something that happened.
    pub(super) async fn take(
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
    pub(super) async fn requeue(&mut self, out: Out, round: &mut Round<'_>) {
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
}
