//! Tables on the disk: one file each, to which lines are added.
//!
//! ```text
//! {"line":"table","format":1,"host":"…","made":1700000000,"pace_ms":0,"chairs":[…]}
//! {"line":"game", …}                                        the record of the game, as in any other
//! {"line":"move","seat":0,"move":"play 12"}
//! {"line":"answered","seat":0,"version":0,"nonce":"…","move":"play 12"}
//! {"line":"chair","seat":1,"chair":{…}}
//! {"line":"fault","seat":1,"version":8,"fault":{…}}
//! ```
//!
//! What is not on the disk has not happened: lines are synced before anybody is shown what they
//! tell. A last line that was cut off by a crash is one that nobody was shown.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use croupier_bots::{Fault, is_locked, lock};
use croupier_core::{Event, Header, Reading, Seat, json_trouble};
use nix::fcntl::Flock;
use serde::{Deserialize, Serialize};

use super::chair::Chair;
use crate::files;
use crate::person::Person;

/// The file in the folder of all tables that the server keeps locked.
const LOCK: &str = "lock";

/// The format that is written.
const FORMAT: u32 = 1;

/// No file of a table is longer: the longest games have some ten thousand moves.
const LONGEST: u64 = 64 << 20;

/// No table is begun when all together take more: the disk is needed for those that are played.
const MOST_KEPT: u64 = 4 << 30;

/// The folder of all tables. Two servers do not share one.
#[derive(Debug)]
pub(crate) struct Store {
    folder: PathBuf,
    /// How many bytes all tables take.
    kept: Arc<AtomicU64>,
    _lock: Flock<File>,
}

/// The first line of a table's file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Founding {
    /// Who has made the table.
    pub(crate) host: Person,
    /// When, in seconds since 1970.
    pub(crate) made: u64,
    /// How long built-in players pause before each move, so that people can follow.
    pub(crate) pace_ms: u64,
    /// Who sits where at first.
    pub(crate) chairs: Vec<Chair>,
}

/// A move that was sent and made, to be answered in the same way when it is sent again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Answered {
    pub(crate) seat: Seat,
    pub(crate) version: usize,
    pub(crate) nonce: String,
    #[serde(rename = "move")]
    pub(crate) choice: String,
}

/// A fault of a program at the table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KeptFault {
    pub(crate) seat: Seat,
    /// The version of the table after the foul.
    pub(crate) version: usize,
    pub(crate) fault: Fault,
}

/// A line that is ours and not of the record.
#[derive(Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "lowercase")]
enum Own {
    Table {
        format: u32,
        #[serde(flatten)]
        founding: Founding,
    },
    Chair {
        seat: Seat,
        chair: Chair,
    },
    Answered(Answered),
    Fault(Box<KeptFault>),
}

#[derive(Deserialize)]
struct Sort {
    line: String,
}

/// What a file tells of a table.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) founding: Founding,
    pub(crate) chairs: Vec<Chair>,
    pub(crate) answered: Vec<Answered>,
    pub(crate) faults: Vec<KeptFault>,
    pub(crate) reading: Reading,
}

/// The open file of a table.
#[derive(Clone, Debug)]
pub(crate) struct TableFile {
    file: Arc<File>,
    length: u64,
    /// How many bytes all tables take.
    kept: Arc<AtomicU64>,
}

fn line(own: &Own) -> String {
    let text = serde_json::to_string(own);
    text.expect("our own lines are plain JSON") + "\n"
}

/// A line that tells of a chair that has changed.
pub(crate) fn chair_line(seat: Seat, chair: Chair) -> String {
    line(&Own::Chair { seat, chair })
}

/// A line that tells of a move that was sent and made.
pub(crate) fn answered_line(answered: &Answered) -> String {
    line(&Own::Answered(answered.clone()))
}

/// A line that tells of a fault.
pub(crate) fn fault_line(fault: &KeptFault) -> String {
    line(&Own::Fault(Box::new(fault.clone())))
}

impl Store {
    /// Opens the folder, which is made if it is not there, for this server alone.
    pub(crate) fn open(folder: &Path) -> io::Result<Store> {
        fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(folder.join(LOCK));
        let lock = lock(file?)?;
        let lock = lock.ok_or_else(|| io::Error::other("another server keeps its tables there"))?;
        let sizes = fs::read_dir(folder)?
            .flatten()
            .filter_map(|entry| entry.metadata().ok())
            .filter(fs::Metadata::is_file)
            .map(|about| about.len());
        Ok(Store {
            folder: folder.to_owned(),
            kept: Arc::new(AtomicU64::new(sizes.sum())),
            _lock: lock,
        })
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.jsonl"))
    }

    /// The identifiers of all tables, those that changed last first, and not more than so many.
    pub(crate) fn latest(&self, most: usize) -> io::Result<Vec<String>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let Ok(entry) = entry else { continue };
            let name = entry.file_name();
            let id = name.to_str().and_then(|name| name.strip_suffix(".jsonl"));
            // One file that cannot be looked at does not hide the others.
            let changed = entry.metadata().and_then(|about| about.modified()).ok();
            if let Some((id, changed)) = id.filter(|id| super::is_id(id)).zip(changed) {
                found.push((changed, id.to_owned()));
            }
        }
        found.sort();
        let ids = found.into_iter().rev().take(most).map(|(_, id)| id);
        Ok(ids.collect())
    }

    /// Begins the file of a new table, at which this has been played before.
    pub(crate) fn found(
        &self,
        id: &str,
        founding: &Founding,
        header: &Header,
        begun: &[Event],
    ) -> io::Result<TableFile> {
        if self.kept.load(Ordering::Relaxed) > MOST_KEPT {
            let folder = self.folder.display();
            let most = MOST_KEPT >> 30;
            return Err(io::Error::other(format!(
                "the tables in {folder} take {most} GiB; move old ones away and start the server again"
            )));
        }
        let mut options = OpenOptions::new();
        let file = options.create_new(true).append(true).mode(0o600);
        let file = file.open(self.path(id))?;
        let mut file = TableFile {
            file: Arc::new(file),
            length: 0,
            kept: Arc::clone(&self.kept),
        };
        let own = Own::Table {
            format: FORMAT,
            founding: founding.clone(),
        };
        let begun: String = begun.iter().map(Event::to_line).collect();
        let lines = line(&own) + &header.to_line() + &begun;
        // The name in the folder must be there after a crash too.
        let kept = file
            .add(&lines)
            .and_then(|()| File::open(&self.folder)?.sync_all());
        if let Err(error) = kept {
            // Nobody has been told of this table.
            let _ = fs::remove_file(self.path(id));
            return Err(error);
        }
        Ok(file)
    }

    /// Reads the file of a table; none if there is no such table.
    pub(crate) fn read(&self, id: &str) -> io::Result<Option<(Stored, TableFile)>> {
        let mut options = OpenOptions::new();
        let file = match files::open(options.append(true).read(true), &self.path(id)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        if file.metadata()?.len() > LONGEST {
            return Err(io::Error::other("the file is longer than any game"));
        }
        let mut text = Vec::new();
        (&file).take(LONGEST).read_to_end(&mut text)?;
        // What was cut off may end within a letter.
        let whole = text.iter().rposition(|&byte| byte == b'\n');
        let whole = whole.map_or(0, |end| end + 1);
        let stored = std::str::from_utf8(&text[..whole]).map_err(io::Error::other)?;
        let stored = parse(stored).map_err(io::Error::other)?;
        let file = TableFile {
            file: Arc::new(file),
            length: whole as u64,
            kept: Arc::clone(&self.kept),
        };
        Ok(Some((stored, file)))
    }
}

/// Whether a server keeps its tables in this folder at the moment.
pub fn keeps_tables(folder: &Path) -> bool {
    is_locked(&folder.join(LOCK))
}

fn parse(text: &str) -> Result<Stored, String> {
    let mut founding = None;
    let mut chairs: Vec<Chair> = Vec::new();
    let mut answered = Vec::new();
    let mut faults = Vec::new();
    let mut reading = Reading::default();
    for (number, text) in text.lines().enumerate() {
        let wrong = |error| format!("line {}: {}", number + 1, json_trouble(&error));
        let sort: Sort = serde_json::from_str(text).map_err(wrong)?;
        if !matches!(sort.line.as_str(), "table" | "chair" | "answered" | "fault") {
            reading.line(text).map_err(|error| error.to_string())?;
            continue;
        }
        match serde_json::from_str(text).map_err(wrong)? {
            Own::Table { format, .. } if format > FORMAT => {
                return Err(format!("the table has format {format}, this is {FORMAT}"));
            }
            Own::Table { founding: own, .. } => {
                chairs.clone_from(&own.chairs);
                founding = Some(own);
            }
            Own::Chair { seat, chair } => {
                let place = chairs.get_mut(seat.index());
                *place.ok_or_else(|| format!("line {}: there is no such seat", number + 1))? =
                    chair;
            }
            Own::Answered(own) => answered.push(own),
            Own::Fault(own) => faults.push(*own),
        }
    }
    Ok(Stored {
        founding: founding.ok_or("the first line of the table is missing")?,
        chairs,
        answered,
        faults,
        reading,
    })
}

impl TableFile {
    /// Adds lines, and comes back when they are on the disk. If that fails, none of them is there, or
    /// is taken away before the next ones are added.
    pub(crate) fn add(&mut self, lines: &str) -> io::Result<()> {
        self.cut_off()?;
        let longer = self.length + lines.len() as u64;
        if longer > LONGEST {
            return Err(io::Error::other("the table's file is as long as it may be"));
        }
        let written = (&*self.file)
            .write_all(lines.as_bytes())
            .and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => {
                self.kept.fetch_add(longer - self.length, Ordering::Relaxed);
                self.length = longer;
                Ok(())
            }
            Err(error) => {
                let _ = self.cut_off();
                Err(error)
            }
        }
    }

    /// Takes away what is left of lines that were not written whole: others would be added to them.
    fn cut_off(&self) -> io::Result<()> {
        match self.file.metadata()?.len() > self.length {
            true => self.file.set_len(self.length),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0123456789abcdef";

    fn founding() -> Founding {
        Founding {
            host: Person::with("secret"),
            made: 0,
            pace_ms: 0,
            chairs: vec![Chair::open("J\u{fc}rgen".to_owned(), "link".to_owned())],
        }
    }

    fn begun(folder: &Path) -> (Store, TableFile) {
        let store = Store::open(folder).expect("a folder");
        let game = croupier_games::GAMES.find("war").expect("a game");
        let setup = game.setup(&croupier_core::Options::new()).expect("a setup");
        let game = game.deal(&setup, croupier_core::Seed(1)).expect("a deal");
        let header = game.header(vec!["a".to_owned(), "b".to_owned()]);
        let file = store.found(ID, &founding(), &header, &[]);
        (store, file.expect("a table"))
    }

    /// Written down to any byte: what is whole is there, and lines are added behind it.
    #[test]
    fn a_file_that_was_cut_off_anywhere_is_read_as_far_as_it_is_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let (store, mut file) = begun(folder.path());
        let whole = file.length;
        let chair = || chair_line(Seat(0), founding().chairs[0].clone());
        file.add(&chair()).expect("room on the disk");
        let all = fs::read(store.path(ID)).expect("a file");
        for length in usize::try_from(whole).expect("short")..all.len() {
            let mut bytes = all[..length].to_vec();
            if length % 2 == 0 {
                // As some file systems leave it.
                bytes.extend([0; 7]);
            }
            fs::write(store.path(ID), bytes).expect("room on the disk");
            let (stored, mut file) = store.read(ID).expect("a table").expect("it is there");
            assert_eq!((stored.chairs.len(), file.length), (1, whole), "{length}");
            file.add(&chair()).expect("room on the disk");
            assert_eq!(fs::read(store.path(ID)).expect("a file"), all, "{length}");
        }
    }

    #[test]
    fn what_is_no_file_is_no_table() {
        let folder = tempfile::tempdir().expect("a folder");
        let (store, _) = begun(folder.path());
        let (other, pipe, link) = ("0000000000000001", "0000000000000002", "0000000000000003");
        fs::create_dir(store.path(other)).expect("a folder");
        nix::unistd::mkfifo(&store.path(pipe), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        std::os::unix::fs::symlink("/dev/zero", store.path(link)).expect("a link");
        for id in [other, pipe, link] {
            assert!(store.read(id).is_err(), "{id}");
        }
        let huge = File::create(store.path("0000000000000004")).expect("a file");
        huge.set_len(1 << 40).expect("a file with holes");
        assert!(store.read("0000000000000004").is_err());
        assert_eq!(store.latest(9).expect("a folder").len(), 5);
        assert!(store.read(ID).expect("a table").is_some());
    }

    #[test]
    fn when_all_tables_take_too_much_none_is_begun_and_the_others_go_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let (store, mut file) = begun(folder.path());
        let header = store.read(ID).expect("a table").expect("a table");
        let header = header.0.reading.header().expect("a game").clone();
        drop(store);
        let old = File::create(folder.path().join("old.jsonl")).expect("a file");
        old.set_len(MOST_KEPT).expect("a file with holes");
        let store = Store::open(folder.path()).expect("a folder");
        let begun = store.found("0000000000000001", &founding(), &header, &[]);
        let told = begun.expect_err("it is full").to_string();
        assert!(told.contains("4 GiB"), "{told}");
        let chair = chair_line(Seat(0), founding().chairs[0].clone());
        file.add(&chair).expect("it goes on");
    }

    /// The disk is full when a table is begun: nothing is left of it.
    #[test]
    fn a_table_that_cannot_be_kept_leaves_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let (store, _) = begun(folder.path());
        let game = Header {
            setup: "x".repeat(usize::try_from(LONGEST).expect("a size")).into(),
            ..store
                .read(ID)
                .expect("a table")
                .expect("a table")
                .0
                .reading
                .header()
                .expect("a game")
                .clone()
        };
        let failed = store.found("0000000000000001", &founding(), &game, &[]);
        assert!(failed.is_err());
        assert_eq!(store.latest(9).expect("a folder").len(), 1);
    }
}
