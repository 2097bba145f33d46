//! The cache: what was made of programs is kept in a folder of the user's, and made again when it is gone.
//!
//! Anybody may empty it at any time, and several may fill it at once. So what is put there comes whole or not
//! at all, under a name made from what it was made of, and is never replaced.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use nix::sys::statvfs::{FsFlags, statvfs};
use nix::unistd::geteuid;

use crate::folder::{self, Left};
use crate::lodging::Lodging;
use crate::own::OwnFiles;
use crate::program::Unusable;
use crate::template;

/// A folder with these files of a program, named after what is in them.
pub(crate) fn unpacked(own: &OwnFiles) -> Result<PathBuf, Unusable> {
    let place = place(&own.source, &own.hash("a folder"))?;
    if place.exists() {
        return Ok(place);
    }
    let scratch = scratch(place.parent().unwrap_or(Path::new("/")))?;
    for (name, text) in &own.files {
        folder::put(&scratch.path().join(name), text).map_err(machine("copy a program"))?;
    }
    match fs::rename(scratch.path(), &place) {
        // Somebody else may have been faster, with the same files.
        Err(error) if !place.exists() => Err(machine("keep a copy of a program")(error)),
        _ => Ok(place),
    }
}

/// Puts a compiled program into its place: whole, so that two who compile the same do not meet half
/// of it. What is there already stays: whoever put it there may be playing with it, and a program that
/// changes while it plays is not started again.
pub(crate) fn keep(program: &[u8], place: &Path) -> Result<(), Unusable> {
    let scratch = scratch(place.parent().unwrap_or(Path::new("/")))?;
    let file = scratch.path().join("program");
    let kept = fs::write(&file, program)
        .and_then(|()| fs::set_permissions(&file, fs::Permissions::from_mode(0o755)))
        .and_then(|()| fs::hard_link(&file, place));
    match kept {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            Err(machine("keep a compiled program")(error))
        }
        _ => Ok(()),
    }
}

/// Where the library for templates in Python is kept; nowhere if that cannot be, or is not what we put there.
pub(crate) fn library() -> Option<PathBuf> {
    let hash = blake3::hash(template::LIBRARY).to_hex();
    let place = cache().ok()?.join(format!("template-{}.so", &hash[..16]));
    keep(template::LIBRARY, &place).ok()?;
    let kept = folder::read(&place, template::LIBRARY.len());
    (kept == Left::Contents(template::LIBRARY.to_vec())).then_some(place)
}

fn machine(doing: &str) -> impl Fn(io::Error) -> Unusable + '_ {
    move |error| Unusable::Machine(format!("{doing}: {error}"))
}

/// A folder to work in before what is made there is moved into place.
fn scratch(folder: &Path) -> Result<Lodging, Unusable> {
    // No program is kept under a name that begins with a point.
    Lodging::new(folder, ".compile-").map_err(machine("make a folder to compile in"))
}

/// Where what was made of this source in this way is kept.
pub(crate) fn place(source: &Path, way: &str) -> Result<PathBuf, Unusable> {
    let stem = source.file_stem().unwrap_or_default().to_string_lossy();
    let plain = |letter: char| match letter.is_ascii_alphanumeric() || letter == '_' {
        true => letter,
        false => '-',
    };
    let stem: String = stem.chars().take(40).map(plain).collect();
    let key = blake3::hash(way.as_bytes()).to_hex();
    Ok(cache()?.join(format!("{stem}-{}", &key[..32])))
}

/// What the folder of compiled programs is called.
pub(crate) const CACHE: &str = "compiled";

/// The folder of compiled programs.
fn cache() -> Result<PathBuf, Unusable> {
    let folder = user_cache(CACHE).and_then(|folder| {
        fs::create_dir_all(&folder)?;
        Ok(folder)
    });
    folder.map_err(machine("make a folder for compiled programs"))
}

/// Makes sure that compiled programs can be run where they are kept. Where they cannot, that is not their
/// fault, and nothing to be found out in their first game.
pub(crate) fn runs_programs() -> Result<(), Unusable> {
    let folder = cache()?;
    match lies_where_nothing_runs(&folder) {
        false => Ok(()),
        true => Err(Unusable::Machine(format!(
            "run programs from {}: {NOTHING_RUNS}; name another folder in the variable XDG_CACHE_HOME",
            folder.display()
        ))),
    }
}

/// Whether no program is started from the file system in which this lies.
pub(crate) fn lies_where_nothing_runs(path: &Path) -> bool {
    statvfs(path).is_ok_and(|found| found.flags().contains(FsFlags::ST_NOEXEC))
}

/// What is said of such a file system.
pub(crate) const NOTHING_RUNS: &str = "its file system is mounted with noexec";

/// A folder of ours among those in which programs keep for a user what they can make again: in the user's
/// cache, or where there is none, among temporary files.
pub fn user_cache(name: &str) -> io::Result<PathBuf> {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(home);
    let ours = match cache.filter(|folder| folder.is_absolute()) {
        Some(cache) => cache.join("croupier"),
        None => among_others()?,
    };
    Ok(ours.join(name))
}

/// A folder of our own where everybody can make folders. In one that somebody else has made, or can write in,
/// there may be programs that only seem to be those that we have compiled.
fn among_others() -> io::Result<PathBuf> {
    let user = geteuid();
    let folder = std::env::temp_dir().join(format!("croupier-{user}"));
    match DirBuilder::new().mode(0o700).create(&folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found = fs::symlink_metadata(&folder)?;
    match found.is_dir() && found.uid() == user.as_raw() && found.mode() & 0o022 == 0 {
        true => Ok(folder),
        false => Err(io::Error::other(format!(
            "{} is not ours alone; remove it, or name another folder in the variable XDG_CACHE_HOME",
            folder.display()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_plays_with_is_not_replaced_by_whoever_compiles_the_same() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("bot-1");
        for compiled in ["first", "second"] {
            keep(compiled.as_bytes(), &place).expect("it is kept");
        }
        assert_eq!(fs::read(&place).expect("it is there"), b"first");
    }
}
