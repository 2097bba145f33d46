//! What comes back: results, which count once and are compared if they are audited; and who has failed.

use std::time::Instant;

use async_nats::jetstream::Message;
use croupier_arena::{BlockResult, Contest, Store};

use super::Ended;
use super::desk::{Came, Happens, TRIES_AGAIN};
use super::floor::Floor;
use super::round::{Fate, Load, Out, Round};
use crate::audit::{Again, Draw, digest};
use crate::link::{WORK, orders_subject};
use crate::wire::{End, Order, Pulse, Worker, packed};

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
                    Ok(came) => self.take_report(came, round, store).await?,
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
        came: Came,
        round: &mut Round<'_>,
        store: &Store,
    ) -> Result<(), Ended> {
        let Came { report, lost } = came;
        let (batch, worker) = (report.batch, report.worker);
        let results = report.blocks.len() as u64 + u64::from(lost.is_some());
        let (fitting, misfit) = match self.out.get(&batch).is_some_and(|out| out.load.is_audit()) {
            true => (self.take_audit(&batch, &report.blocks, &worker)?, None),
            false => self.take_blocks(report.blocks, &worker, round, store)?,
        };
        self.crew.played(&worker, fitting);
        // A large result that is lost, or one that cannot be, is as good as none.
        let mut fault = lost.or(misfit);
        let ended = match self.out.get_mut(&batch) {
            None => None,
            Some(out) => {
                out.came += results;
                out.end = report.end.or(out.end.take());
                let is_complete = |end: &mut End| end.played <= out.came;
                out.end.take_if(|end| is_complete(end))
            }
        };
        let out = ended.is_some().then(|| self.out.remove(&batch)).flatten();
        if let (Some(end), Some(out)) = (&ended, &out) {
            self.learn_pace(end);
            self.latencies.commit(out, end.seconds);
            if fault.is_none() {
                fault = end.machine_fault.clone();
            }
            if fault.is_none() && end.played == out.came && round.is_left(&out.load) {
                fault = Some("it has left out blocks of its batch".to_owned());
            }
        }
        let is_excused = match (&ended, &out) {
            (Some(end), Some(out)) => self.renew(end.object.as_deref(), out).await,
            _ => false,
        };
        match (fault, out) {
            (Some(fault), Some(out)) if is_excused => {
                self.tell(could_not_play(&worker, &fault));
                self.requeue(out, round).await;
            }
            (Some(fault), out) => {
                self.take_fault(&batch, out, &worker, fault, round).await;
            }
            (None, Some(out)) => self.requeue(out, round).await,
            (None, None) => {}
        }
        Ok(())
    }

    /// Stores an object anew that the server did not give to the worker who had this batch. Tells whether
    /// that was not the worker's fault: when the batch went out, the object had not been stored anew yet.
    async fn renew(&mut self, object: Option<&str>, out: &Out) -> bool {
        let Some(object) = object.filter(|object| self.desk.has(object)) else {
            return false;
        };
        let renewed = self.renewed.get(object).copied();
        let is_renewed_since = renewed.is_some_and(|renewed| out.published < renewed);
        if is_renewed_since {
            return true;
        }
        match self.desk.put_again(object).await {
            Ok(()) => {
                self.renewed.insert(object.to_owned(), Instant::now());
                renewed.is_none()
            }
            Err(error) => {
                let error = self.desk.link.with_health(error).await;
                self.tell(format!("{error}; trying again"));
                self.repair = Some(Instant::now() + TRIES_AGAIN);
                true
            }
        }
    }

    /// A worker could not play a batch, or has sent what cannot be: another has to try.
    pub(super) async fn take_fault(
        &mut self,
        batch: &str,
        ended: Option<Out>,
        worker: &Worker,
        fault: String,
        round: &mut Round<'_>,
    ) {
        let name = worker.name.clone();
        self.tell(could_not_play(worker, &fault));
        let only_fails = self.crew.failed(worker);
        match ended {
            Some(mut out) => {
                out.setbacks.insert(name, fault.clone());
                self.requeue(out, round).await;
            }
            None => {
                if let Some(out) = self.out.get_mut(batch) {
                    out.setbacks.insert(name, fault.clone());
                }
            }
        }
        if only_fails {
            self.send_away(worker, &fault).await;
        }
    }

    /// Sizes batches by the time that this one took.
    fn learn_pace(&mut self, end: &End) {
        if end.played == 0 || !end.seconds.is_finite() {
            return;
        }
        let pace = (end.seconds / end.played as f64).max(1e-6);
        let before = self.pace.unwrap_or(pace);
        // One batch with a compiler in it, or one easy table, does not change everything.
        self.pace = Some(match pace > before {
            true => pace.min(before * 4.0),
            false => pace.max(before / 4.0),
        });
    }

    /// Compares what came of blocks the second time. Tells how many were compared.
    fn take_audit(
        &mut self,
        batch: &str,
        blocks: &[(String, BlockResult)],
        worker: &Worker,
    ) -> Result<u64, Ended> {
        let mut found = Vec::new();
        if let Some(Out {
            load: Load::Audit(audit),
            ..
        }) = self.out.get_mut(batch)
        {
            for (key, played) in blocks {
                let is_it = |block: &Again| block.key == *key && block.first != worker.name;
                if let Some(place) = audit.iter().position(is_it) {
                    found.push((audit.swap_remove(place), digest(played)));
                }
            }
        }
        for (first, again) in &found {
            self.compare(first, again, worker)?;
        }
        Ok(found.len() as u64)
    }

    /// Takes what came of some blocks. Tells how many can be what came of a block, and what was wrong with
    /// another.
    fn take_blocks(
        &mut self,
        blocks: Vec<(String, BlockResult)>,
        worker: &Worker,
        round: &mut Round<'_>,
        store: &Store,
    ) -> Result<(u64, Option<String>), Ended> {
        let (mut fitting, mut misfit) = (0, None);
        for (key, played) in blocks {
            let Some(&number) = round.numbers.get(&key) else {
                if store.played(&key)?.is_none() {
                    let name = &worker.name;
                    self.tell(format!(
                        "worker {name} has sent the result of a block that this contest does not have: {key:.32}"
                    ));
                }
                continue;
            };
            match played.fits(self.seats, self.games)
                && self.has_programs_fail(number, &played, round)
            {
                true => {
                    fitting += 1;
                    self.take_block(number, key, played, worker, round);
                }
                false => misfit = Some(format!("its result cannot come of the block {key:.32}")),
            }
        }
        Ok((fitting, misfit))
    }

    /// Whether nobody has failed in a block but programs.
    fn has_programs_fail(&self, number: usize, played: &BlockResult, round: &Round<'_>) -> bool {
        let is_program = |entrant: usize| self.programs.get(entrant).is_some_and(Option::is_some);
        // Most blocks are without a fault, and planning one takes time.
        played.kept.is_empty() || {
            let table = round.missing.plan(number).table;
            let mut kept = played.kept.iter();
            kept.all(|kept| is_program(table[kept.player]))
        }
    }

    /// Takes what came of a block, if it is missing.
    fn take_block(
        &mut self,
        number: usize,
        key: String,
        mut played: BlockResult,
        worker: &Worker,
        round: &mut Round<'_>,
    ) {
        if !round.is_open(number) {
            return;
        }
        let plan = round.missing.plan(number);
        if played.suspended != plan.suspended {
            // It was begun before somebody was suspended.
            return;
        }
        let is_drawn = |draw: &Draw| draw.draws(&key, &plan);
        if self.draw.as_ref().is_some_and(is_drawn) {
            self.begun_audits.push(Again {
                digest: digest(&played),
                first: worker.name.clone(),
                plan: plan.clone(),
                key,
            });
        }
        for kept in &mut played.kept {
            let entrant = plan.table[kept.player];
            if let Some((source, speech)) = self.programs.get(entrant).and_then(Option::as_ref) {
                // Whoever repeats the fault here starts the program where it lies, and as this contest
                // does: a worker has no say in that.
                kept.fault.program.clone_from(source);
                kept.fault.speech = *speech;
                kept.fault.tier = self.sandbox;
                kept.fault.limits.clone_from(&self.limits);
            }
        }
        round.settle(number, Fate::Done);
        round.finished.push((number, played));
    }

    /// Compares what came of a block the second time.
    fn compare(&mut self, first: &Again, again: &str, worker: &Worker) -> Result<(), Ended> {
        self.audited += 1;
        if again == first.digest {
            self.done_audits.push(first.key.clone());
            return Ok(());
        }
        let differs = format!(
            "the workers {} and {} got different results from the same block ({}): one of them cannot be \
             trusted",
            first.first, worker.name, first.key
        );
        match self.draw.as_ref().is_some_and(Draw::goes_on) {
            true => {
                self.done_audits.push(first.key.clone());
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
        if !round.is_left(&load) {
            return;
        }
        if setbacks.len() < MOST_SETBACKS {
            self.again.push_back((load, setbacks));
            return;
        }
        if let Ok(work) = self.desk.link.stream(WORK).await {
            // It may have been acknowledged.
            let _ = work.delete_message(sequence).await;
        }
        let workers = setbacks.iter();
        let workers: Vec<String> = workers
            .map(|(name, reason)| format!("{name} ({reason})"))
            .collect();
        let (verdict, keys) = match load {
            Load::Blocks(mut blocks) => {
                blocks.retain(|&number| round.is_open(number));
                for &number in &blocks {
                    round.settle(number, Fate::Aside);
                }
                let keys = blocks.iter().map(|&number| round.missing.key(number));
                ("set aside", keys.collect::<Vec<_>>())
            }
            Load::Audit(blocks) => {
                let keys = blocks.into_iter().map(|block| block.key);
                ("not audited", keys.collect())
            }
        };
        let text = format!(
            "{verdict}: {}, from {} on, with which three workers were lost or at which they failed: {}",
            croupier_core::counted(keys.len(), "block"),
            keys.first().map_or("", String::as_str),
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
        let instance = &pulse.worker.instance;
        for id in &pulse.holds {
            if let Some(out) = self.out.get_mut(id) {
                out.let_go();
                out.taken.get_or_insert(out.seen);
                out.holder = Some(instance.clone());
                out.left_by = None;
            }
        }
        for id in self.crew.hear(pulse) {
            let out = self.out.get_mut(&id);
            if let Some(out) = out.filter(|out| out.holder.as_ref() == Some(instance)) {
                // It is finished, and its result on the way, or it was given back.
                out.let_go();
                out.left_by = (!pulse.leaves).then(|| pulse.worker.clone());
            }
        }
    }
}

fn could_not_play(worker: &Worker, fault: &str) -> String {
    format!("worker {} could not play: {fault}", worker.name)
}
