//! Folders of our own that are gone when nobody needs them any more, however we end.
//!
//! Whoever makes such a folder holds a lock on it (`flock`), which the kernel releases when the
//! process ends, even by SIGKILL. Whoever comes next removes the folders of that kind on which
//! nobody has a lock.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use nix::fcntl::{Flock, FlockArg};
use nix::unistd::geteuid;

use crate::folder;

/// A folder of our own, removed with this value.
#[derive(Debug)]
pub(crate) struct Lodging {
    folder: PathBuf,
    _lock: Flock<File>,
}

impl Lodging {
    /// Makes a folder in this place, the name of which begins like this, after those of the same
    /// kind have been removed that belong to nobody alive.
    pub(crate) fn new(place: &Path, kind: &str) -> io::Result<Lodging> {
        static SWEPT: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
        let mut swept = SWEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if swept.insert(place.join(kind)) {
            sweep(place, kind);
        }
        drop(swept);
        loop {
            let folder = tempfile::Builder::new().prefix(kind).tempdir_in(place)?;
            // Whoever sweeps at this moment may find it before it is locked.
            if let Some(_lock) = lock(folder.path()).filter(|_| folder.path().exists()) {
                let folder = folder.keep();
                return Ok(Lodging { folder, _lock });
            }
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Lodging {
    fn drop(&mut self) {
        folder::remove(&self.folder);
    }
}

/// Removes what is left of processes that were killed. What resists stays: it does not matter.
fn sweep(place: &Path, kind: &str) {
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let is_of_the_kind = entry.file_name().to_string_lossy().starts_with(kind);
        // This does not follow a link, and neither does anything below.
        let is_ours = |found: fs::Metadata| found.is_dir() && found.uid() == geteuid().as_raw();
        if is_of_the_kind
            && entry.metadata().is_ok_and(is_ours)
            && let Some(_lock) = lock(&entry.path())
        {
            folder::remove(&entry.path());
        }
    }
}

/// The lock on a folder; none if somebody else has it, or there is no such folder.
fn lock(folder: &Path) -> Option<Flock<File>> {
    let opened = File::options()
        .read(true)
        .custom_flags(libc::O_DIRECTORY | libc::O_NOFOLLOW)
        .open(folder);
    Flock::lock(opened.ok()?, FlockArg::LockExclusiveNonblock).ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const KIND: &str = "croupier-bot-";

    fn names(place: &Path) -> BTreeSet<String> {
        let entries = fs::read_dir(place).expect("a folder").flatten();
        let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.collect()
    }

    #[test]
    fn what_belongs_to_nobody_alive_is_removed_and_nothing_else() {
        let place = tempfile::tempdir().expect("a folder");
        let at = |name: &str| place.path().join(name);
        let alive = Lodging::new(place.path(), KIND).expect("a folder");
        fs::create_dir_all(at("croupier-bot-dead/deep")).expect("a folder");
        fs::write(at("croupier-bot-dead/deep/state"), "7").expect("a file");
        fs::write(at("croupier-bot-file"), "mine").expect("a file");
        fs::create_dir(at("letters")).expect("a folder");
        fs::write(at("letters/dear"), "you").expect("a file");
        symlink(at("letters"), at("croupier-bot-link")).expect("a link");
        symlink(at("letters"), at("croupier-bot-dead/letters")).expect("a link");
        sweep(place.path(), KIND);
        let name = |path: &Path| {
            path.file_name()
                .map(|name| name.to_string_lossy().into_owned())
        };
        let expected = ["croupier-bot-file", "croupier-bot-link", "letters"];
        let mut expected: BTreeSet<String> = expected.map(String::from).into();
        expected.extend(name(alive.path()));
        assert_eq!(names(place.path()), expected);
        assert!(at("letters/dear").exists());
        drop(alive);
        assert_eq!(names(place.path()).len(), 3);
    }

    /// Whoever lodges there may take the folder away, and leave something else.
    #[test]
    fn what_was_put_in_place_of_a_folder_goes_too() {
        let place = tempfile::tempdir().expect("a folder");
        let lodging = Lodging::new(place.path(), KIND).expect("a folder");
        fs::remove_dir(lodging.path()).expect("it is ours");
        fs::write(lodging.path(), "gone").expect("a file");
        drop(lodging);
        assert_eq!(names(place.path()), BTreeSet::new());
    }

    /// However the one who makes a folder and the one who sweeps meet, a folder that was made is
    /// there as long as it is needed.
    #[test]
    fn sweeping_does_not_disturb_those_who_are_alive() {
        let place = tempfile::tempdir().expect("a folder");
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..300 {
                        let lodging = Lodging::new(place.path(), KIND).expect("a folder");
                        fs::write(lodging.path().join("state"), "7").expect("it is there");
                        std::thread::yield_now();
                        assert!(lodging.path().join("state").exists());
                    }
                });
                scope.spawn(|| (0..300).for_each(|_| sweep(place.path(), KIND)));
            }
        });
        assert_eq!(names(place.path()), BTreeSet::new());
    }
}
