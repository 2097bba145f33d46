//! Finding, making and opening the file of a contest, whoever wrote it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use croupier_bots::{is_locked, lock};
use nix::fcntl::Flock;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, Row};

use super::{APPLICATION, FORMAT, Store, StoreError, failure};

/// The name of the file in the contest's folder.
const FILE: &str = "contest.sqlite";

/// The file beside it that whoever writes keeps locked. The lock ends with the process.
const LOCK: &str = "contest.lock";

/// How long is waited for another program that has locked the file, such as an SQLite shell.
const WAITS_FOR_OTHERS: Duration = Duration::from_secs(10);

/// The same for those who will come back anyway.
const WAITS_TO_LOOK: Duration = Duration::from_secs(1);

/// What a contest holds is kept in tables. A view, a trigger, a generated column or a table of a module
/// would be computed when somebody reads it, for as long and at any length as whoever wrote the file
/// likes.
const COMPUTED: &str = "
    SELECT (SELECT count(*) FROM sqlite_schema
            WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%')
         + (SELECT count(*) FROM sqlite_schema AS kept, pragma_table_xinfo(kept.name) AS field
            WHERE kept.type = 'table' AND kept.sql NOT LIKE 'CREATE VIRTUAL%' AND field.hidden <> 0)";

/// No text and no blob in a contest is longer.
const LONGEST_VALUE: i32 = 64 << 20;

impl Store {
    /// A store that is gone when it is dropped. It lives on the disk, so it may grow.
    pub fn passing() -> Result<Store, StoreError> {
        let place = PathBuf::from("a temporary file");
        let connection = Connection::open("").map_err(|error| failure(&place, &error))?;
        Ok(Store {
            connection,
            place,
            _lock: None,
        })
    }

    /// A store for a new contest in this folder, which is made if it is not there. Nothing is
    /// written before somebody [enters](Store::enter).
    pub fn create(folder: &Path) -> Result<Store, StoreError> {
        std::fs::create_dir_all(folder).map_err(|error| StoreError::NoFolder {
            folder: folder.to_owned(),
            reason: error.to_string(),
        })?;
        Store::to_write(folder)
    }

    /// The contest in this folder, if there is one that anybody has entered.
    pub fn find(folder: &Path) -> Result<Option<Store>, StoreError> {
        match folder.join(FILE).exists() {
            true => Store::to_write(folder)?.examined(),
            false => Ok(None),
        }
    }

    /// The same to be read alone, also while somebody writes to it, and by somebody who may write
    /// nothing there.
    pub fn find_to_read(folder: &Path) -> Result<Option<Store>, StoreError> {
        match Store::to_read(folder)? {
            Some(store) => store.examined(),
            None => Ok(None),
        }
    }

    /// The same for somebody who comes back again and again, as it is at this moment. It is not
    /// checked from end to end, which takes long; what is damaged is found when it is read.
    pub fn find_to_watch(folder: &Path) -> Result<Option<Store>, StoreError> {
        let Some(store) = Store::to_read(folder)? else {
            return Ok(None);
        };
        // Whoever comes back needs no patience. All that is read is of one moment; in the write-ahead log
        // this keeps nobody from writing.
        let begun = store.connection.busy_timeout(WAITS_TO_LOOK);
        let begun = begun.and_then(|()| store.connection.execute_batch("BEGIN"));
        begun.map_err(|error| store.failure(&error))?;
        store.recognised()
    }

    /// Whether somebody is at work in this folder.
    pub fn is_in_use(folder: &Path) -> bool {
        is_locked(&folder.join(LOCK))
    }

    /// The store in this folder for somebody who writes nothing to it.
    fn to_read(folder: &Path) -> Result<Option<Store>, StoreError> {
        let place = folder.join(FILE);
        if !place.exists() {
            return Ok(None);
        }
        let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let is_in_use = place.with_extension("sqlite-wal").exists();
        let connection = match place.to_str().filter(|_| !is_in_use) {
            Some(path) => {
                let path = path.replace('%', "%25");
                let path = path.replace('?', "%3f").replace('#', "%23");
                // Nobody writes to it, so there is nothing to be locked.
                let address = format!("file:{path}?immutable=1");
                Connection::open_with_flags(address, read_only | OpenFlags::SQLITE_OPEN_URI)
            }
            None => Connection::open_with_flags(&place, read_only),
        };
        let connection = connection.and_then(|connection| {
            connection.busy_timeout(WAITS_FOR_OTHERS)?;
            connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
            Ok(connection)
        });
        Ok(Some(Store {
            connection: connection.map_err(|error| failure(&place, &error))?,
            place,
            _lock: None,
        }))
    }

    /// The store in this folder for the one who writes to it.
    fn to_write(folder: &Path) -> Result<Store, StoreError> {
        let place = folder.join(FILE);
        let lock = locked(&folder.join(LOCK))?;
        let connection = Connection::open(&place).and_then(|connection| {
            connection.busy_timeout(WAITS_FOR_OTHERS)?;
            connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
            Ok(connection)
        });
        Ok(Store {
            connection: connection.map_err(|error| failure(&place, &error))?,
            place,
            _lock: Some(lock),
        })
    }

    /// The store, if somebody has entered, and if it is sound.
    fn examined(self) -> Result<Option<Store>, StoreError> {
        let Some(store) = self.recognised()? else {
            return Ok(None);
        };
        let sound: String = store
            .connection
            .query_row("PRAGMA quick_check(1)", (), |row| row.get(0))
            .map_err(|error| store.failure(&error))?;
        match sound.as_str() {
            "ok" => Ok(Some(store)),
            wrong => Err(store.damaged(wrong)),
        }
    }

    /// The store, if somebody has entered, and if this is a store that can be read.
    fn recognised(self) -> Result<Option<Store>, StoreError> {
        if self.number("SELECT count(*) FROM sqlite_schema")? == 0 {
            return Ok(None);
        }
        if self.number("PRAGMA application_id")? != APPLICATION {
            return Err(self.damaged("it is not the results of a contest"));
        }
        let found = self.number("PRAGMA user_version")?;
        if found != FORMAT {
            return Err(StoreError::Version {
                place: self.place,
                found,
            });
        }
        if self.number(COMPUTED)? != 0 {
            return Err(self.damaged("it holds more than tables"));
        }
        Ok(Some(self))
    }

    /// The contest in this folder.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let found = Store::find(folder)?;
        found.ok_or_else(|| StoreError::Missing(folder.to_owned()))
    }

    /// Removes a store that was [created](Store::create) and is not to be, and its folder if that holds
    /// nothing else.
    pub fn discard(self) {
        let Store {
            connection,
            place,
            _lock,
        } = self;
        let is_on_disk = _lock.is_some();
        drop(connection);
        if is_on_disk && let Some(folder) = place.parent() {
            // What stays is no contest that anybody would go on with.
            let _ = std::fs::remove_file(&place);
            let _ = std::fs::remove_file(folder.join(LOCK));
            let _ = std::fs::remove_dir(folder);
        }
    }

    pub(super) fn number(&self, query: &str) -> Result<i32, StoreError> {
        let read = |row: &Row<'_>| row.get(0);
        let number = self.connection.query_row(query, (), read);
        number.map_err(|error| self.failure(&error))
    }
}

/// The file at this place, made if it is not there, locked until it is closed.
fn locked(place: &Path) -> Result<Flock<File>, StoreError> {
    let machine = |error: std::io::Error| StoreError::Machine {
        place: place.to_owned(),
        reason: error.to_string(),
    };
    let file = File::options().create(true).append(true).open(place);
    let locked = file.and_then(lock).map_err(machine)?;
    locked.ok_or_else(|| StoreError::InUse(place.with_file_name(FILE)))
}
