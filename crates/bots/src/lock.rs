//! Locks on files of our own (`flock`), which the kernel releases when the process ends, even by SIGKILL.
//!
//! Such a lock belongs to the open file, and not to the process. Whoever is killed while it starts a program
//! leaves a child that has its open files until it has become that program. So the lock of somebody dead
//! may last a moment longer, and on a busy machine the moment is long: it is waited for.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};

/// How long is waited for a lock that nobody alive has taken.
const LASTS: Duration = Duration::from_secs(10);

/// How long is waited before it is tried again.
const TRIES_AGAIN: Duration = Duration::from_millis(10);

/// Locks this file until it is closed; none if somebody else has locked it.
pub fn lock(mut file: File) -> io::Result<Option<Flock<File>>> {
    let until = Instant::now() + LASTS;
    loop {
        file = match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(lock) => return Ok(Some(lock)),
            Err((file, Errno::EWOULDBLOCK)) => file,
            Err((_, errno)) => return Err(errno.into()),
        };
        if is_taken(&file.metadata()?) || Instant::now() > until {
            return Ok(None);
        }
        std::thread::sleep(TRIES_AGAIN);
    }
}

/// Whether somebody who is alive has locked this file. The lock is looked up in the kernel's list: to try it
/// would keep out whoever begins at that moment.
pub fn is_locked(file: &Path) -> bool {
    file.metadata().is_ok_and(|file| is_taken(&file))
}

fn is_taken(file: &fs::Metadata) -> bool {
    let held = format!(":{}", file.ino());
    let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
    // 1: FLOCK  ADVISORY  WRITE 4711 00:2f:262153 0 EOF
    locks.lines().any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [_, "FLOCK", _, "WRITE", owner, place, ..] => {
                place.ends_with(&held) && Path::new("/proc").join(owner).exists()
            }
            _ => false,
        }
    })
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn the_lock_of_somebody_alive_is_not_waited_for() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let again = || lock(File::open(file.path()).expect("it is there")).expect("no failure");
        let first = again();
        assert!(first.is_some() && is_locked(file.path()));
        let begun = Instant::now();
        assert!(again().is_none());
        assert!(begun.elapsed() < LASTS);
        drop(first);
        assert!(!is_locked(file.path()));
        assert!(again().is_some());
    }

    /// `flock` takes the lock of a file that its parent has open, and ends.
    #[test]
    fn the_lock_of_somebody_dead_is_waited_for() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let script = "exec 9>\"$0\" && flock 9 && echo locked && sleep 0.5";
        let mut heir = Command::new("sh")
            .args(["-c", script])
            .arg(file.path())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let mut said = [0; 7];
        let stdout = heir.stdout.as_mut().expect("it is piped");
        io::Read::read_exact(stdout, &mut said).expect("it is locked");
        assert!(!is_locked(file.path()));
        let own = File::open(file.path()).expect("it is there");
        assert!(lock(own).expect("no failure").is_some());
        heir.wait().expect("it ends");
    }
}
