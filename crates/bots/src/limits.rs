//! How much a foreign program may use, and how tightly it is held.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How much a foreign program may use.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Time for one decision. A program that is started for every decision starts inside it.
    pub decision: Duration,
    /// Time for a program that lives on to start and say that it is ready.
    pub start: Duration,
    /// Time for all decisions of a game together, if there is such a limit.
    pub bank: Option<Duration>,
    /// Processor time of all its processes together in one decision.
    pub cpu: Duration,
    /// Bytes of memory, for each process and for all together.
    pub memory: u64,
    /// Processes and threads at one time.
    pub processes: u32,
    /// Open files of a process.
    pub files: u64,
    /// Bytes of a file it writes. Where all files together can be limited, they have room for four of these.
    pub file_size: u64,
    /// Bytes on the standard output in one decision.
    pub output: usize,
    /// Bytes on the standard error in one decision.
    pub errors: usize,
}

impl Limits {
    /// How much a compiler may use; the time for a decision is the time for a source.
    pub const COMPILING: Limits = Limits {
        decision: Duration::from_secs(60),
        start: Duration::from_secs(60),
        bank: None,
        cpu: Duration::from_secs(60),
        memory: 1 << 30,
        processes: 64,
        files: 256,
        file_size: 64 << 20,
        output: 1 << 20,
        errors: 1 << 20,
    };
}

/// What is there besides the files that a program writes, such as those that it is given.
const GIVEN: u64 = 4 << 20;

impl Limits {
    /// Bytes of all files in a folder that the program has to itself.
    pub(crate) fn room(&self) -> u64 {
        self.file_size.saturating_mul(4).saturating_add(GIVEN)
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            decision: Duration::from_secs(2),
            start: Duration::from_secs(5),
            bank: None,
            cpu: Duration::from_secs(60),
            memory: 512 << 20,
            processes: 16,
            files: 256,
            file_size: 16 << 20,
            output: 64 << 10,
            errors: 1 << 20,
        }
    }
}

/// How tightly a foreign program is held. Recorded with every result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// Not at all: the program is trusted like one that is typed into a shell.
    None,
    /// Limits on what it uses, a clean environment, and nothing of it survives it.
    Limits,
    /// In addition no network, no files but its own and the system's to read, no sight of other
    /// processes, no privileges to gain.
    Strict,
}

impl Tier {
    /// All tiers, loosest first.
    pub const ALL: [Tier; 3] = [Tier::None, Tier::Limits, Tier::Strict];
}

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Tier::None => "none",
            Tier::Limits => "limits",
            Tier::Strict => "strict",
        })
    }
}

impl FromStr for Tier {
    type Err = String;
    fn from_str(text: &str) -> Result<Tier, String> {
        let found = Tier::ALL.into_iter().find(|tier| tier.to_string() == text);
        found.ok_or_else(|| format!("'{text}' is no sandbox tier: none, limits or strict"))
    }
}
