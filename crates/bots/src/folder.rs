//! The folder in which a program is started, and the file there that it is asked to change.
//!
//! Nothing in the folder is trusted. A program may have left anything under the name of the file —
//! a folder, a pipe, a link to somewhere else, a file without an end — and may have made the folder
//! itself unusable. What it left is looked at without following or waiting for anything, and what
//! it spoiled for itself is its own fault, not the machine's.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Where a program is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Folder {
    /// In an empty folder of its own, in which it has nothing to write; a trusted program where we
    /// are.
    Plain,
    /// In a folder of its own, in which it may write. Between two decisions everything in it is
    /// taken away.
    Own,
    /// In this folder, which it shares with others, and in which it may write.
    Shared(PathBuf),
}

/// What a program has left of the file that it was to change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Left {
    /// A file with these contents.
    Contents(Vec<u8>),
    /// A file that is longer than anything that makes sense.
    TooLong,
    /// Nothing.
    Nothing,
    /// Something that cannot be read, for this reason.
    Unreadable(String),
}

/// Takes everything out of a program's own folder. What resists stays: it does not matter.
pub(crate) fn clear(folder: &Path) -> io::Result<()> {
    // A link in its place would lead to what is not ours to clear.
    match fs::symlink_metadata(folder) {
        Ok(found) if !found.is_dir() => remove(folder),
        _ => {}
    }
    match fs::create_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?,
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        remove(&entry.path());
    }
    Ok(())
}

/// Removes whatever is there under this name. What resists stays: it does not matter.
///
/// Folders that a program has made may be deeper than we have stack, open files, or room in a path, and
/// locked against their owner. So none is gone into: the folders in it are brought up before it goes.
pub(crate) fn remove(path: &Path) {
    if !is_folder(path) {
        let _ = fs::remove_file(path);
        return;
    }
    let mut number = 0;
    while unlocked(path).fold(false, |is_less, found| {
        is_less | remove_inner(&found, path, &mut number)
    }) {}
    let _ = fs::remove_dir(path);
}

/// Removes what was found in this folder, and brings up what was in it and is a folder too. Tells
/// whether it is gone.
fn remove_inner(found: &Path, folder: &Path, number: &mut u64) -> bool {
    if !is_folder(found) {
        return fs::remove_file(found).is_ok();
    }
    for inner in unlocked(found) {
        if !is_folder(&inner) {
            let _ = fs::remove_file(&inner);
            continue;
        }
        // Where a folder lies is written in itself.
        unlock(&inner);
        // The program may have used this name already.
        for _ in 0..TRIES {
            *number += 1;
            if fs::rename(&inner, folder.join(number.to_string())).is_ok() {
                break;
            }
        }
    }
    fs::remove_dir(found).is_ok()
}

/// How often another name is tried for a folder.
const TRIES: usize = 1000;

fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

fn unlock(folder: &Path) {
    let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
}

/// What is in this folder, which is made readable and writable if it was not.
fn unlocked(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    unlock(folder);
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path())
}

/// Puts a file in place, whole, whatever is there under its name, and even if the folder is gone.
pub(crate) fn put(path: &Path, contents: &[u8]) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    // An error that names a path, as this crate's do, does not tell its number any more.
    let mut number = None;
    let file = tempfile::Builder::new()
        .prefix(".croupier-")
        .make_in(folder, |path| {
            let made = fs::File::options().write(true).create_new(true).open(path);
            made.inspect_err(|error| number = error.raw_os_error())
        });
    let file = file.map_err(|error| number.map_or(error, io::Error::from_raw_os_error))?;
    file.as_file().write_all(contents)?;
    file.as_file()
        .set_permissions(fs::Permissions::from_mode(0o644))?;
    if is_folder(path) {
        remove(path);
    }
    file.persist(path).map(drop).map_err(|error| error.error)
}

/// Reads at most `most` bytes of what was left under this name.
pub(crate) fn take_back(path: &Path, most: usize) -> Left {
    // A link is not followed.
    look(path, most, libc::O_NOFOLLOW)
}

/// Reads at most `most` bytes of a file that somebody may have put something else in place of. That a
/// link leads to it does not matter.
pub(crate) fn read(path: &Path, most: usize) -> Left {
    look(path, most, 0)
}

fn look(path: &Path, most: usize, flags: i32) -> Left {
    let extraordinary = || Left::Unreadable("it is no ordinary file".to_owned());
    let unreadable = |error: io::Error| match error.raw_os_error() {
        Some(libc::ENOENT) => Left::Nothing,
        // That is how a link is told which must not be followed.
        Some(libc::ELOOP) => extraordinary(),
        _ => Left::Unreadable(error.to_string()),
    };
    // A pipe with nobody at its other end is not waited for.
    let opened = fs::File::options()
        .read(true)
        .custom_flags(flags | libc::O_NONBLOCK)
        .open(path);
    let file = match opened {
        Ok(file) => file,
        Err(error) => return unreadable(error),
    };
    match file.metadata() {
        Ok(found) if !found.is_file() => return extraordinary(),
        Ok(found) if found.len() > most as u64 => return Left::TooLong,
        Ok(_) => {}
        Err(error) => return unreadable(error),
    }
    let mut contents = Vec::new();
    match file.take(most as u64 + 1).read_to_end(&mut contents) {
        Err(error) => unreadable(error),
        Ok(_) if contents.len() > most => Left::TooLong,
        Ok(_) => Left::Contents(contents),
    }
}

/// Whether an error tells that the machine has run out of something, and not that somebody has
/// spoiled a folder.
pub(crate) fn is_scarcity(error: &io::Error) -> bool {
    let scarce = [
        libc::ENOSPC,
        libc::EDQUOT,
        libc::EIO,
        libc::EMFILE,
        libc::ENFILE,
        libc::ENOMEM,
        libc::EROFS,
    ];
    error
        .raw_os_error()
        .is_some_and(|code| scarce.contains(&code))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn whatever_is_left_is_read_without_waiting_or_following() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("state");
        assert_eq!(take_back(&file, 10), Left::Nothing);
        put(&file, b"0123456789").expect("a file");
        assert_eq!(take_back(&file, 10), Left::Contents(b"0123456789".to_vec()));
        assert_eq!(take_back(&file, 9), Left::TooLong);
        fs::remove_file(&file).expect("it is there");
        let extraordinary = Left::Unreadable("it is no ordinary file".to_owned());
        symlink("/dev/zero", &file).expect("a link");
        assert_eq!(take_back(&file, 10), extraordinary);
        put(&file, b"1").expect("the link is replaced");
        assert_eq!(take_back(&file, 10), Left::Contents(b"1".to_vec()));
        fs::remove_file(&file).expect("it is there");
        nix::unistd::mkfifo(&file, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        assert_eq!(take_back(&file, 10), extraordinary);
        fs::remove_file(&file).expect("it is there");
        fs::create_dir_all(file.join("deep")).expect("a folder");
        assert_eq!(take_back(&file, 10), extraordinary);
        put(&file, b"2").expect("the folder is replaced");
        assert_eq!(take_back(&file, 10), Left::Contents(b"2".to_vec()));
    }

    #[test]
    fn a_folder_is_cleared_and_made_usable_again() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("own");
        clear(&folder).expect("a folder is made");
        put(&folder.join("notes"), b"mine").expect("a file");
        fs::create_dir(folder.join("more")).expect("a folder");
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o000)).expect("it is ours");
        clear(&folder).expect("it is ours");
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0);
    }

    /// As deep as a path cannot be, and deeper than there are open files or stack for.
    #[test]
    fn a_deep_folder_is_removed_with_all_that_is_locked_in_it() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("own");
        for number in 0..1000 {
            // Another floor above all others.
            let above = place.path().join("above");
            fs::create_dir(&above).expect("a folder");
            if number % 100 == 0 {
                fs::create_dir(above.join("locked")).expect("a folder");
                fs::write(above.join("locked/notes"), "mine").expect("a file");
                let nobody = fs::Permissions::from_mode(0o000);
                fs::set_permissions(above.join("locked"), nobody).expect("it is ours");
            }
            if number > 0 {
                fs::rename(&folder, above.join(number.to_string())).expect("it is ours");
            }
            fs::rename(&above, &folder).expect("it is ours");
        }
        symlink("/", folder.join("link")).expect("a link");
        let little = std::thread::Builder::new().stack_size(64 << 10);
        let removed = little.spawn(move || remove(&folder)).expect("a thread");
        removed.join().expect("it is done");
        assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn a_link_in_place_of_the_folder_does_not_lead_to_what_is_cleared() {
        let place = tempfile::tempdir().expect("a folder");
        let (folder, other) = (place.path().join("own"), place.path().join("other"));
        fs::create_dir(&other).expect("a folder");
        put(&other.join("letters"), b"dear").expect("a file");
        symlink(&other, &folder).expect("a link");
        clear(&folder).expect("a folder takes the place of the link");
        assert!(other.join("letters").exists());
        assert!(fs::symlink_metadata(&folder).expect("it is there").is_dir());
    }
}
