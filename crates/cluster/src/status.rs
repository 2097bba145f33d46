//! How contests and workers stand, for whoever asks.

use std::collections::BTreeMap;
use std::time::Duration;

use croupier_arena::ClusterStatus;
use futures_util::StreamExt as _;
use tokio::time::{Instant, timeout_at};

use crate::link::{Address, ClusterError, Link, PULSE, Role, STATUS};
use crate::wire::{Pulse, unpacked};
use crate::worker::PULSES;

/// How long answers of coordinators are waited for.
const ANSWERS: Duration = Duration::from_secs(1);

/// What is going on at a server.
#[derive(Clone, PartialEq, Debug)]
pub struct Overview {
    /// The contests that are held.
    pub contests: Vec<ClusterStatus>,
    /// The workers that wait where no contest is held, by name, with their threads.
    pub idle: BTreeMap<String, usize>,
}

/// Asks all coordinators how their contests stand. If there are none, listens for workers.
pub fn overview(address: &Address) -> Result<Overview, ClusterError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| ClusterError::Failed(format!("failed to begin: {error}")))?;
    runtime.block_on(async {
        let link = Link::open(address, Role::Coordinator).await?;
        let failed = |error: &dyn std::fmt::Display| link.failed("ask for the status", error);
        let inbox = link.client.new_inbox();
        let answers = link.client.subscribe(inbox.clone()).await;
        let mut answers = answers.map_err(|error| failed(&error))?;
        let pulses = link.client.subscribe(PULSE).await;
        let mut pulses = pulses.map_err(|error| failed(&error))?;
        let begun = Instant::now();
        let asked = link.client.publish_with_reply(STATUS, inbox, "".into());
        asked.await.map_err(|error| failed(&error))?;
        let mut contests: Vec<ClusterStatus> = Vec::new();
        while let Ok(Some(answer)) = timeout_at(begun + ANSWERS, answers.next()).await {
            if answer.status.is_some() {
                break;
            }
            contests.extend(unpacked(&answer.payload));
        }
        contests.sort_by(|one, other| one.contest.cmp(&other.contest));
        let mut idle = BTreeMap::new();
        let end = begun + PULSES + PULSES / 4;
        while contests.is_empty()
            && let Ok(Some(message)) = timeout_at(end, pulses.next()).await
        {
            if let Ok(pulse) = unpacked::<Pulse>(&message.payload) {
                idle.insert(pulse.worker.name, pulse.threads);
            }
        }
        Ok(Overview { contests, idle })
    })
}
