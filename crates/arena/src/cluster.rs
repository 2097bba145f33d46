//! How a contest stands that is played on many machines: what its coordinator tells whoever asks.
//!
//! The coordinator keeps it in a file beside the store, so that whoever shows the contest need not know
//! where the others are.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

/// The name of the file in the contest's folder.
const FILE: &str = "cluster.json";

/// A file that is older was left by a coordinator that is gone.
const GOOD_FOR: Duration = Duration::from_secs(15);

/// No status is longer: tens of thousands of workers.
const MOST_BYTES: u64 = 16 << 20;

/// How a contest on many machines stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ClusterStatus {
    /// What the contest is known by.
    pub contest: String,
    /// The name of the game.
    pub game: String,
    /// How many games were played.
    pub games: u64,
    /// How many there will have been.
    pub of: u64,
    /// How many seconds it has been held, this time.
    pub seconds: f64,
    /// How many games a second there were lately.
    pub rate: f64,
    /// How many batches wait for a worker.
    pub waiting: usize,
    /// How many are being played.
    pub playing: usize,
    /// How many batches were set aside.
    pub set_aside: usize,
    /// How many blocks were audited, and how many still are to be.
    pub audited: (u64, u64),
    /// How long batches took lately.
    pub latency: Option<Latency>,
    /// The workers that were heard of.
    pub workers: Vec<WorkerStatus>,
}

/// How many seconds batches took lately: the median, and what 99 % of them took at most.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Latency {
    /// From the publication to the commit.
    pub whole: [f64; 2],
    /// From the publication until a worker had it.
    pub queued: [f64; 2],
    /// The time that the worker played.
    pub played: [f64; 2],
    /// The rest: the ways to and fro, and the commit.
    pub overhead: [f64; 2],
}

/// What is known of a worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// How many threads it plays with.
    pub threads: usize,
    /// How many batches it has.
    pub holds: usize,
    /// How many blocks it has played.
    pub blocks: u64,
    /// How many blocks it plays in a second.
    pub rate: f64,
    /// How many machine faults it has reported.
    pub machine_faults: u64,
    /// How many seconds ago it was heard of.
    pub heard: f64,
}

impl ClusterStatus {
    /// How many seconds the contest will still take, if that can be told.
    pub fn seconds_left(&self) -> Option<f64> {
        let left = self.of.saturating_sub(self.games) as f64;
        (self.rate > 0.0).then(|| (left / self.rate).round())
    }

    /// Keeps it beside the store of the contest, in the place of the one before.
    pub fn keep(&self, folder: &Path) -> io::Result<()> {
        let json = serde_json::to_vec(self).map_err(io::Error::other)?;
        let coming = folder.join(format!(".{FILE}"));
        let mut file = fs::File::create(&coming)?;
        file.write_all(&json)?;
        fs::rename(coming, folder.join(FILE))
    }

    /// The one that a coordinator keeps in this folder; none if it does not any more.
    pub fn find(folder: &Path) -> Option<ClusterStatus> {
        let place = folder.join(FILE);
        let file = fs::symlink_metadata(&place).ok()?;
        let age = SystemTime::now().duration_since(file.modified().ok()?);
        let is_good =
            file.is_file() && file.len() <= MOST_BYTES && age.is_ok_and(|age| age < GOOD_FOR);
        let json = is_good.then(|| fs::read(place).ok()).flatten()?;
        serde_json::from_slice(&json).ok()
    }

    /// The contest is held no longer.
    pub fn forget(folder: &Path) {
        // What cannot be removed is soon too old.
        let _ = fs::remove_file(folder.join(FILE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status() -> ClusterStatus {
        ClusterStatus {
            contest: "c".to_owned(),
            game: "war".to_owned(),
            games: 100,
            of: 400,
            seconds: 10.0,
            rate: 15.0,
            waiting: 2,
            playing: 3,
            set_aside: 0,
            audited: (0, 0),
            latency: None,
            workers: Vec::new(),
        }
    }

    #[test]
    fn what_is_kept_is_found_until_it_is_forgotten_or_old() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(ClusterStatus::find(folder.path()), None);
        status().keep(folder.path()).unwrap();
        assert_eq!(ClusterStatus::find(folder.path()), Some(status()));
        let file = fs::File::options()
            .write(true)
            .open(folder.path().join(FILE))
            .unwrap();
        file.set_modified(SystemTime::now() - 2 * GOOD_FOR).unwrap();
        assert_eq!(ClusterStatus::find(folder.path()), None);
        fs::write(folder.path().join(FILE), "{}").unwrap();
        assert_eq!(ClusterStatus::find(folder.path()), None);
        status().keep(folder.path()).unwrap();
        ClusterStatus::forget(folder.path());
        assert_eq!(ClusterStatus::find(folder.path()), None);
    }

    #[test]
    fn the_end_is_estimated_from_the_rate() {
        assert_eq!(status().seconds_left(), Some(20.0));
        let stalled = ClusterStatus {
            rate: 0.0,
            ..status()
        };
        assert_eq!(stalled.seconds_left(), None);
    }
}
