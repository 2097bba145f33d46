//! What coordinator and workers send each other, with a version in front.
//!
//! Every message is a line that names its version, then JSON, compressed (deflate). What cannot be read,
//! is of another version or grows beyond all measure is refused, whoever has sent it.

use std::io::{Read as _, Write as _};

use croupier_arena::{BlockPlan, BlockResult};
use croupier_bots::{Limits, Speech, Tier};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version in which coordinator and workers speak, and the only one that is understood.
pub const VERSION: u32 = 1;

/// What a message begins with, before its version.
const BEGINS: &str = "croupier cluster ";

/// The longest JSON in a message: no part of a longer one would surely fit into a store.
const MOST_BYTES: u64 = 48 << 20;

/// Why a message is not taken.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// It is of another version.
    #[error(
        "it speaks version {0} of the cluster's messages, and this croupier speaks version {VERSION}"
    )]
    OtherVersion(String),
    /// It is something else, or damaged.
    #[error("it cannot be read: {0}")]
    Damaged(String),
}

/// A message as it is sent.
pub fn packed(message: &impl Serialize) -> Vec<u8> {
    compressed(&json(message))
}

/// The same if it is no longer than `most`, and if whoever gets it would unpack it.
pub fn packed_within(message: &impl Serialize, most: usize) -> Option<Vec<u8>> {
    let json = json(message);
    let bytes = (json.len() as u64 <= MOST_BYTES).then(|| compressed(&json));
    bytes.filter(|bytes| bytes.len() <= most)
}

fn json(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages have string keys and plain values")
}

fn compressed(json: &[u8]) -> Vec<u8> {
    let mut bytes = format!("{BEGINS}{VERSION}\n").into_bytes();
    let mut encoder = DeflateEncoder::new(&mut bytes, Compression::fast());
    encoder
        .write_all(json)
        .expect("memory takes what is written");
    encoder.finish().expect("memory takes what is written");
    bytes
}

/// Reads a message.
pub fn unpacked<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unread> {
    let damaged = |reason: &dyn std::fmt::Display| Unread::Damaged(reason.to_string());
    let none = || Unread::Damaged("it is no message of a croupier".to_owned());
    let rest = bytes.strip_prefix(BEGINS.as_bytes()).ok_or_else(none)?;
    let end = rest.iter().take(12).position(|&byte| byte == b'\n');
    let (version, rest) = rest.split_at(end.ok_or_else(none)?);
    if version != VERSION.to_string().as_bytes() {
        let version = String::from_utf8_lossy(version).escape_debug().to_string();
        return Err(Unread::OtherVersion(version));
    }
    let mut json = Vec::new();
    DeflateDecoder::new(&rest[1..])
        .take(MOST_BYTES + 1)
        .read_to_end(&mut json)
        .map_err(|error| damaged(&error))?;
    if json.len() as u64 > MOST_BYTES {
        return Err(damaged(&format!(
            "it is longer than {} MiB",
            MOST_BYTES >> 20
        )));
    }
    serde_json::from_slice(&json).map_err(|error| damaged(&error))
}

/// The terms on which the blocks of a contest are played: all that its batches have in common.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// The name of the game.
    pub game: String,
    /// The version of its rules.
    pub version: u32,
    /// Its setup.
    pub setup: Value,
    /// How programs are held.
    pub sandbox: Tier,
    /// What they may use.
    pub limits: Limits,
    /// Whether each of their processes is started anew.
    pub fresh_processes: bool,
    /// Whether records are kept.
    pub records: bool,
    /// How many faults of one player in one block are kept.
    pub faults: u64,
    /// All who take part, by number.
    pub players: Vec<Player>,
}

/// One who takes part.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Player {
    /// The name in tables.
    pub name: String,
    /// What tells it apart from all others.
    pub identity: String,
    /// Who plays.
    pub plays: Plays,
}

/// Who plays for one who takes part.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Plays {
    /// A player that comes with the game.
    BuiltIn(String),
    /// A program.
    Program {
        /// The object with its files, by the hash of its contents.
        pack: String,
        /// What the program is known by.
        hash: String,
        /// How it is spoken to.
        speech: Speech,
    },
    /// Nobody: it cannot be used, and has no seat.
    Nobody,
}

/// Some blocks for one thread of a worker: about two seconds of work.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Batch {
    /// What it is known by.
    pub id: String,
    /// The contest to which it belongs.
    pub contest: String,
    /// The object with the terms of the contest, by the hash of its contents.
    pub terms: String,
    /// The blocks, each with its key.
    pub blocks: Vec<(String, BlockPlan)>,
    /// The worker who may not play it, because it has played these blocks before (audit).
    pub not_by: Option<String>,
}

/// What came of a batch, or of a part of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The batch.
    pub batch: String,
    /// Who played it.
    pub worker: Worker,
    /// The blocks that were played, each with its key.
    pub blocks: Vec<(String, BlockResult)>,
    /// The object that holds one more block as a pair of key and result, if that is too large for a message.
    pub large: Option<String>,
    /// How the batch ended, if this is its last report.
    pub end: Option<End>,
}

/// How a worker ended with a batch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct End {
    /// How many seconds were played.
    pub seconds: f64,
    /// How many blocks were played.
    pub played: u64,
    /// Why the rest was not, if any is left.
    pub machine_fault: Option<String>,
    /// The object that could not be had, if that was the reason.
    pub object: Option<String>,
}

/// One worker process.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Worker {
    /// The name by which people know it: that of its machine, if none was given.
    pub name: String,
    /// What tells this process apart from all others, also of the same name.
    pub instance: String,
}

/// What a worker tells from time to time, and whenever it takes a batch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Pulse {
    /// Who it is.
    pub worker: Worker,
    /// How many threads play.
    pub threads: usize,
    /// What it asks for: see [`Need`].
    pub needs: Vec<Need>,
    /// The batches that it has taken and not finished.
    pub holds: Vec<String>,
    /// Whether it goes.
    pub leaves: bool,
}

/// What a batch needs of a machine. Each has a subject and a consumer of its own, so that a worker asks
/// only for what it can give.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Need {
    /// Nothing: no programs play.
    BuiltIn,
    /// Programs that are held in this tier.
    Tier(Tier),
}

impl std::fmt::Display for Need {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Need::BuiltIn => formatter.write_str("built-in"),
            Need::Tier(tier) => tier.fmt(formatter),
        }
    }
}

/// What a coordinator tells one worker.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Order {
    /// It is to end, for this reason.
    Leave(String),
}

#[cfg(test)]
mod tests {
    use croupier_arena::rotations;
    use croupier_core::Seed;
    use proptest::prelude::*;

    use super::*;

    fn batch() -> Batch {
        let plan = BlockPlan {
            table: vec![0, 1],
            deal: Seed(7),
            orders: rotations(2),
            scores: vec![0; 2],
            suspended: vec![false; 2],
        };
        Batch {
            id: "1".to_owned(),
            contest: "c".to_owned(),
            terms: "t".to_owned(),
            blocks: vec![("k".to_owned(), plan); 100],
            not_by: None,
        }
    }

    #[test]
    fn another_version_is_named() {
        let bytes = packed(&batch());
        assert_eq!(unpacked::<Batch>(&bytes).unwrap(), batch());
        let text = [b"croupier cluster 2\n", &bytes[19..]].concat();
        let error = unpacked::<Batch>(&text).unwrap_err();
        assert!(matches!(&error, Unread::OtherVersion(version) if version == "2"));
    }

    #[test]
    fn what_grows_beyond_all_measure_is_refused() {
        let bomb = vec![b' '; (MOST_BYTES + 10) as usize];
        let mut bytes = b"croupier cluster 1\n".to_vec();
        let mut encoder = DeflateEncoder::new(&mut bytes, Compression::fast());
        encoder.write_all(&bomb).unwrap();
        encoder.finish().unwrap();
        let error = unpacked::<Batch>(&bytes).unwrap_err().to_string();
        assert_eq!(error, "it cannot be read: it is longer than 48 MiB");
    }

    proptest! {
        #[test]
        fn no_bytes_break_it(at in 0usize..2000, to: u8, cut in 0usize..2000) {
            let mut bytes = packed(&batch());
            let at = at % bytes.len();
            bytes[at] = to;
            let _ = unpacked::<Batch>(&bytes);
            let _ = unpacked::<Report>(&bytes[..cut.min(bytes.len())]);
        }
    }
}
