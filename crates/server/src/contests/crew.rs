//! The machines on which a contest is played, as they are shown while they play.

use std::time::Duration;

use croupier_arena::{ClusterStatus, WorkerStatus};
use croupier_core::{counted, grouped};

use super::page::{LISTED, about};
use super::text::name;

/// The machines on which a contest is played.
pub(super) struct Crew {
    pub(super) summary: String,
    pub(super) workers: Vec<[String; 6]>,
    pub(super) left_out: usize,
}

impl Crew {
    /// Who plays, how fast, and what waits.
    pub(super) fn of(status: &ClusterStatus) -> Crew {
        let mut summary = format!(
            "{}; batches: {} being played, {} waiting; {} games a second",
            counted(status.workers.len(), "worker"),
            status.playing,
            status.waiting,
            grouped(status.rate.round() as u64),
        );
        if let Some(seconds) = status.seconds_left().filter(|&seconds| seconds < 1e9) {
            summary += &format!("; {} left", about(Duration::from_secs_f64(seconds)));
        }
        if status.set_aside > 0 {
            summary += &format!("; {} set aside", status.set_aside);
        }
        let (audited, open) = status.audited;
        if audited + open > 0 {
            summary += &format!(
                "; {} blocks audited, {} to be",
                grouped(audited),
                grouped(open)
            );
        }
        let row = |worker: &WorkerStatus| {
            [
                name(&worker.name),
                worker.threads.to_string(),
                worker.holds.to_string(),
                grouped(worker.blocks),
                format!("{:.1}", worker.rate),
                grouped(worker.machine_faults),
            ]
        };
        Crew {
            summary,
            workers: status.workers.iter().take(LISTED).map(row).collect(),
            left_out: status.workers.len().saturating_sub(LISTED),
        }
    }
}
