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
    /// Bytes of a file it writes.
    pub file_size: u64,
    /// Bytes on the standard output in one decision.
    pub output: usize,
    /// Bytes on the standard error in one decision.
    pub errors: usize,
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
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

/// Reads a time with its unit: `100ms`, `2s`, `1.5s`, `1m`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}' is no time: a number and ms, s or m, as in 500ms or 2s");
    let (number, seconds) = [("ms", 0.001), ("s", 1.0), ("m", 60.0)]
        .into_iter()
        .find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)))
        .ok_or_else(wrong)?;
    let number: f64 = plain_number(number).ok_or_else(wrong)?;
    let duration = Duration::try_from_secs_f64(number * seconds).map_err(|_| wrong())?;
    let possible = Duration::from_millis(1)..=Duration::from_secs(7 * 24 * 3600);
    if !possible.contains(&duration) {
        return Err(format!(
            "'{text}' is no time limit: it must be from 1ms to a week"
        ));
    }
    Ok(duration)
}

/// Reads a size with its unit: `64K`, `512M`, `2G`; a number alone is bytes.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is no size: a number and K, M or G, as in 512M");
    let (number, unit) = [("K", 10), ("M", 20), ("G", 30)]
        .into_iter()
        .find_map(|(unit, bits)| Some((text.strip_suffix(unit)?, 1u64 << bits)))
        .unwrap_or((text, 1));
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(wrong());
    }
    let number: u64 = number.parse().map_err(|_| wrong())?;
    match number.checked_mul(unit) {
        Some(0) => Err(format!("'{text}' leaves nothing; {}", wrong())),
        Some(size) if size < 1 << 60 => Ok(size),
        _ => Err(format!("'{text}' is more than any machine has")),
    }
}

/// A number of digits and at most one point, nothing else that `f64` would read.
fn plain_number(text: &str) -> Option<f64> {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    if plain { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(parse_duration("100ms"), Ok(Duration::from_millis(100)));
        assert_eq!(parse_duration("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(parse_duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("1m"), Ok(Duration::from_secs(60)));
        for text in [
            "",
            "2",
            "s",
            "-1s",
            "1e3s",
            "infs",
            "0s",
            "nans",
            "99999999m",
            "1h",
            " 1s",
        ] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("64K"), Ok(64 << 10));
        assert_eq!(parse_size("512M"), Ok(512 << 20));
        assert_eq!(parse_size("2G"), Ok(2 << 30));
        assert_eq!(parse_size("100"), Ok(100));
        for text in [
            "",
            "K",
            "0",
            "0M",
            "-1",
            "1.5G",
            "99999999999G",
            "1KB",
            "+5",
        ] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }
}
