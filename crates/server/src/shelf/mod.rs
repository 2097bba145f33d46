//! The shelf: the contests and the records in the folders that the server was given.
//!
//! Each has a name by which it is found in an address. The folders are looked through again when
//! somebody asks and some time has passed, so what is put there later is found too. Nothing in them is
//! trusted: a file that cannot be read, or is something else, gets a line that says so.

mod names;
mod record;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use crate::refusal::Refusal;

/// How long what was found is good for.
const GOOD_FOR: Duration = Duration::from_secs(2);

/// So much longer than it takes to look through the folders is waited until that is done again.
const WORTH_A_LOOK: u32 = 20;

/// How deep folders are looked into.
const DEEPEST: usize = 6;

/// At so many files and folders is looked.
const MOST_SEEN: usize = 100_000;

/// So many lines are kept about what cannot be shown.
const MOST_TROUBLES: usize = 50;

/// The file by which the folder of a contest is known.
const CONTEST: &str = "contest.sqlite";

/// The end of the name of a record.
const RECORD: &str = "jsonl";

/// Folders with contests and records.
pub(crate) struct Shelf {
    folders: Vec<PathBuf>,
    seen: Mutex<Seen>,
}

/// What was found the last time.
#[derive(Default)]
struct Seen {
    found: Arc<Found>,
    good_until: Option<Instant>,
    /// What was found out about records, which is good as long as they do not change.
    examined: HashMap<PathBuf, Examined>,
}

/// What was found out about a file: its length, when it was changed, and what it is.
#[derive(Clone)]
struct Examined {
    stamp: (u64, Option<SystemTime>),
    result: Result<RecordFacts, String>,
}

pub(crate) use record::RecordFacts;

/// Everything on the shelf.
#[derive(Clone, Default, Debug)]
pub(crate) struct Found {
    /// The folders of contests, by name.
    pub(crate) contests: BTreeMap<String, PathBuf>,
    /// The records, by name.
    pub(crate) records: BTreeMap<String, FoundRecord>,
    /// What cannot be shown, each in a line.
    pub(crate) troubles: Vec<String>,
    /// How many more there are that cannot be shown.
    pub(crate) more_troubles: usize,
}

/// A record on the shelf.
#[derive(Clone, Debug)]
pub(crate) struct FoundRecord {
    /// Where it is.
    pub(crate) file: PathBuf,
    /// What its first line says.
    pub(crate) facts: RecordFacts,
}

impl Shelf {
    /// A shelf with these folders.
    pub(crate) fn new(folders: Vec<PathBuf>) -> Shelf {
        Shelf {
            folders,
            seen: Mutex::default(),
        }
    }

    /// Everything on it, as it was found a moment ago or is found now.
    pub(crate) async fn found(self: &Arc<Shelf>) -> Arc<Found> {
        if self.folders.is_empty() {
            return Arc::default();
        }
        let shelf = Arc::clone(self);
        let looked = tokio::task::spawn_blocking(move || shelf.look()).await;
        looked.unwrap_or_default()
    }

    /// The folder of the contest with this name.
    pub(crate) async fn contest(self: &Arc<Shelf>, name: &str) -> Result<PathBuf, Refusal> {
        let found = self.found().await;
        let folder = found.contests.get(name).cloned();
        folder.ok_or_else(|| Refusal::missing("There is no such contest."))
    }

    /// The record with this name.
    pub(crate) async fn record(self: &Arc<Shelf>, name: &str) -> Result<FoundRecord, Refusal> {
        let found = self.found().await;
        let record = found.records.get(name).cloned();
        record.ok_or_else(|| Refusal::missing("There is no such record."))
    }

    /// The name of the contest in this folder.
    pub(crate) fn name_of(&self, folder: &Path) -> Option<String> {
        let found = self.look();
        let mut contests = found.contests.iter();
        let found = contests.find(|(_, place)| place.as_path() == folder);
        found.map(|(name, _)| name.clone())
    }

    fn look(&self) -> Arc<Found> {
        // Whoever comes while somebody looks waits for what is found.
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let begin = Instant::now();
        if seen.good_until.is_none_or(|until| until <= begin) {
            let mut search = Search {
                before: std::mem::take(&mut seen.examined),
                ..Search::default()
            };
            for folder in &self.folders {
                search.look_into(folder, 0);
            }
            seen.examined = std::mem::take(&mut search.examined);
            seen.found = Arc::new(search.named());
            let rest = begin.elapsed() * WORTH_A_LOOK;
            seen.good_until = Some(Instant::now() + rest.max(GOOD_FOR));
        }
        Arc::clone(&seen.found)
    }
}

/// A walk through the folders.
#[derive(Default)]
struct Search {
    /// How many files and folders were looked at.
    count: usize,
    /// The folders that were looked into, by their true paths: one may be given twice.
    visited: HashSet<PathBuf>,
    contests: Vec<PathBuf>,
    records: Vec<FoundRecord>,
    troubles: Vec<String>,
    more_troubles: usize,
    before: HashMap<PathBuf, Examined>,
    examined: HashMap<PathBuf, Examined>,
}

impl Search {
    fn look_into(&mut self, folder: &Path, depth: usize) {
        let listed = fs::canonicalize(folder).and_then(|true_path| {
            let listed = fs::read_dir(folder)?;
            Ok((true_path, listed))
        });
        let (true_path, listed) = match listed {
            Ok(listed) => listed,
            Err(error) => {
                return self.trouble(folder, &format!("the folder cannot be read: {error}"));
            }
        };
        if !self.visited.insert(true_path) {
            return;
        }
        let mut inside: Vec<PathBuf> = Vec::new();
        for entry in listed.flatten() {
            self.count += 1;
            if self.count > MOST_SEEN {
                if self.count == MOST_SEEN + 1 {
                    self.trouble(
                        folder,
                        "there are too many files here to look at all of them",
                    );
                }
                break;
            }
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if !is_hidden {
                inside.push(entry.path());
            }
        }
        // The same order on every machine.
        inside.sort();
        for path in inside {
            // A link could lead anywhere, and in circles.
            let Ok(metadata) = fs::symlink_metadata(&path) else {
                continue;
            };
            if metadata.is_dir() && depth < DEEPEST {
                self.look_into(&path, depth + 1);
            } else if metadata.is_file() {
                self.look_at(path, &metadata);
            }
        }
    }

    fn look_at(&mut self, path: PathBuf, metadata: &Metadata) {
        if path.file_name().is_some_and(|name| name == CONTEST) {
            self.contests.extend(path.parent().map(Path::to_owned));
        } else if path.extension().is_some_and(|end| end == RECORD) {
            let stamp = (metadata.len(), metadata.modified().ok());
            let known = self.before.remove(&path);
            let known = known.filter(|known| known.stamp == stamp);
            let examined = known.unwrap_or_else(|| Examined {
                stamp,
                result: record::examine(&path, metadata.len()),
            });
            match examined.result.clone() {
                Ok(facts) => self.records.push(FoundRecord {
                    file: path.clone(),
                    facts,
                }),
                Err(wrong) => self.trouble(&path, &wrong),
            }
            self.examined.insert(path, examined);
        }
    }

    fn trouble(&mut self, path: &Path, wrong: &str) {
        match self.troubles.len() < MOST_TROUBLES {
            true => self.troubles.push(format!("{}: {wrong}", path.display())),
            false => self.more_troubles += 1,
        }
    }

    /// What was found, each with a name of its own.
    fn named(self) -> Found {
        let contests = self.contests.iter().map(|folder| names::of(folder));
        let contests = names::tell_apart(contests);
        let records = names::tell_apart(self.records.iter().map(FoundRecord::name_parts));
        Found {
            contests: contests.into_iter().zip(self.contests).collect(),
            records: records.into_iter().zip(self.records).collect(),
            troubles: self.troubles,
            more_troubles: self.more_troubles,
        }
    }
}

impl FoundRecord {
    /// What it can be called by, the last part first. The records of a match are numbered in a folder
    /// of their own, so they are called by the folder of the match too.
    fn name_parts(&self) -> Vec<String> {
        let mut parts = names::of(&self.file.with_extension(""));
        if parts.get(1).is_some_and(|folder| folder == "records") {
            parts.remove(1);
            if parts.len() > 1 {
                let of_match = parts.remove(1);
                parts[0] = format!("{of_match}-{}", parts[0]);
            }
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "{\"line\":\"game\",\"format\":2,\"game\":\"war\",\"version\":1,\"setup\":{},\
        \"seed\":\"7\",\"players\":[\"a\",\"b\"]}\n{\"line\":\"outcome\",\"scores\":[1,0],\"places\":[1,2]}\n";

    fn write(place: PathBuf, text: &[u8]) {
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        fs::write(place, text).expect("a file");
    }

    #[test]
    fn two_of_the_same_name_are_told_apart() {
        let place = tempfile::tempdir().expect("a folder");
        for year in ["2025", "2026"] {
            write(place.path().join(year).join("uno/contest.sqlite"), b"");
            write(
                place.path().join(year).join("final/records/1.jsonl"),
                WHOLE.as_bytes(),
            );
        }
        write(place.path().join("2026/other/contest.sqlite"), b"");
        write(place.path().join("alone.jsonl"), WHOLE.as_bytes());
        let twice = vec![place.path().to_owned(), place.path().join("2026")];
        let found = Shelf::new(twice).look();
        let contests: Vec<&String> = found.contests.keys().collect();
        assert_eq!(contests, ["2025~uno", "2026~uno", "other"]);
        assert!(found.contests["2025~uno"].ends_with("2025/uno"));
        let records: Vec<&String> = found.records.keys().collect();
        assert_eq!(records, ["2025~final-1", "2026~final-1", "alone"]);
        assert_eq!(found.records["alone"].facts.players, ["a", "b"]);
        assert!(found.troubles.is_empty(), "{:?}", found.troubles);
    }

    #[test]
    fn what_is_no_record_gets_one_line() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path();
        let half = WHOLE.lines().next().expect("a line");
        write(folder.join("empty.jsonl"), b"");
        write(folder.join("half.jsonl"), half.as_bytes());
        write(folder.join("other.jsonl"), b"{\"a\": 1}\n");
        write(folder.join("binary.jsonl"), &[0xff, 0, 0xfe, b'\n']);
        write(
            folder.join("later.jsonl"),
            half.replace("\"format\":2", "\"format\":99").as_bytes(),
        );
        write(folder.join("long.jsonl"), &[b'x'; 1 << 20]);
        write(folder.join(".hidden/a.jsonl"), b"?");
        let huge = fs::File::create(folder.join("huge.jsonl")).expect("a file");
        huge.set_len(1 << 40).expect("a file with holes");
        std::os::unix::fs::symlink(folder, folder.join("circle")).expect("a link");
        nix::unistd::mkfifo(&folder.join("pipe.jsonl"), nix::sys::stat::Mode::S_IRWXU)
            .expect("a pipe");
        let missing = folder.join("missing");
        let found = Shelf::new(vec![folder.to_owned(), missing]).look();
        assert!(found.records.is_empty() && found.contests.is_empty());
        let told: Vec<String> = found
            .troubles
            .iter()
            .map(|line| {
                let (path, wrong) = line.split_once(": ").expect("a path and what is wrong");
                assert!(!wrong.contains('\n') && wrong.len() < 300, "{wrong}");
                format!(
                    "{}: {wrong}",
                    Path::new(path).file_name().expect("a name").display()
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                "binary.jsonl: this is no record: it is not text",
                "empty.jsonl: this is no record: the file is empty",
                "half.jsonl: the record has no end: the game is still played, or was not finished",
                "huge.jsonl: the record is too long (1,048,576 MiB; at most 64 MiB)",
                "later.jsonl: this is no record: the record has format 99, only formats up to 2 can be read",
                "long.jsonl: this is no record: its first line is too long",
                "other.jsonl: this is no record: missing field `line` at column 8",
                "missing: the folder cannot be read: No such file or directory (os error 2)",
            ]
        );
    }

    #[test]
    fn a_record_that_is_finished_later_is_found_then() {
        let place = tempfile::tempdir().expect("a folder");
        let file = place.path().join("game.jsonl");
        let half = WHOLE.lines().next().expect("a line");
        write(file.clone(), half.as_bytes());
        let shelf = Shelf::new(vec![place.path().to_owned()]);
        assert_eq!(shelf.look().troubles.len(), 1);
        write(file, WHOLE.as_bytes());
        assert_eq!(shelf.look().records.len(), 0, "a moment ago is good enough");
        shelf.seen.lock().expect("nobody looks").good_until = None;
        assert_eq!(shelf.look().records.len(), 1);
        assert!(shelf.look().troubles.is_empty());
    }
}
