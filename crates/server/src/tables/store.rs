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
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use croupier_bots::Fault;
use croupier_core::{Event, Header, Reading, Seat};
use nix::fcntl::{Flock, FlockArg};
use serde::{Deserialize, Serialize};

use super::chair::Chair;
use crate::person::Person;

/// The format that is written.
const FORMAT: u32 = 1;

/// No file of a table is longer: the longest games have some ten thousand moves.
const LONGEST: u64 = 64 << 20;

/// The folder of all tables. Two servers do not share one.
#[derive(Debug)]
pub(crate) struct Store {
    folder: PathBuf,
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
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(folder.join("lock"))?;
        let lock = Flock::lock(lock, FlockArg::LockExclusiveNonblock).map_err(|(_, errno)| {
            match errno == nix::errno::Errno::EWOULDBLOCK {
                true => io::Error::other("another server keeps its tables there"),
                false => errno.into(),
            }
        })?;
        Ok(Store {
            folder: folder.to_owned(),
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
            let entry = entry?;
            let name = entry.file_name();
            let id = name.to_str().and_then(|name| name.strip_suffix(".jsonl"));
            if let Some(id) = id.filter(|id| super::is_id(id)) {
                found.push((entry.metadata()?.modified()?, id.to_owned()));
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
        let mut options = OpenOptions::new();
        let file = options.create_new(true).append(true).mode(0o600);
        let file = file.open(self.path(id))?;
        let mut file = TableFile {
            file: Arc::new(file),
            length: 0,
        };
        let own = Own::Table {
            format: FORMAT,
            founding: founding.clone(),
        };
        let begun: String = begun.iter().map(Event::to_line).collect();
        file.add(&(line(&own) + &header.to_line() + &begun))?;
        // The name in the folder must be there after a crash too.
        File::open(&self.folder)?.sync_all()?;
        Ok(file)
    }

    /// Reads the file of a table; none if there is no such table.
    pub(crate) fn read(&self, id: &str) -> io::Result<Option<(Stored, TableFile)>> {
        let mut options = OpenOptions::new();
        let file = match options.append(true).read(true).open(self.path(id)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        if file.metadata()?.len() > LONGEST {
            return Err(io::Error::other("the file is longer than any game"));
        }
        let mut text = String::new();
        io::Read::read_to_string(&mut &file, &mut text)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            file.set_len(whole as u64)?;
        }
        let stored = parse(&text[..whole]).map_err(io::Error::other)?;
        let file = TableFile {
            file: Arc::new(file),
            length: whole as u64,
        };
        Ok(Some((stored, file)))
    }
}

fn parse(text: &str) -> Result<Stored, String> {
    let mut founding = None;
    let mut chairs: Vec<Chair> = Vec::new();
    let mut answered = Vec::new();
    let mut faults = Vec::new();
    let mut reading = Reading::default();
    for (number, text) in text.lines().enumerate() {
        let wrong = |error: serde_json::Error| format!("line {}: {error}", number + 1);
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
    /// Adds lines, and comes back when they are on the disk. If that fails, none of them is there.
    pub(crate) fn add(&mut self, lines: &str) -> io::Result<()> {
        let written = (&*self.file)
            .write_all(lines.as_bytes())
            .and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => {
                self.length += lines.len() as u64;
                Ok(())
            }
            Err(error) => {
                self.file.set_len(self.length)?;
                Err(error)
            }
        }
    }
}
