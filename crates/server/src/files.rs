//! Files in folders that others may write to.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use nix::fcntl::OFlag;

/// Opens what is a file and nothing else: a link could lead anywhere, and whoever opens a pipe waits for
/// its other end. That it was a file when it was found says nothing.
pub(crate) fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK;
    let file = options.custom_flags(flags.bits()).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("this is no file")),
    }
}

/// The same to be read.
pub(crate) fn open_to_read(path: &Path) -> io::Result<File> {
    open(OpenOptions::new().read(true), path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_not_opened() {
        let folder = tempfile::tempdir().expect("a folder");
        let [file, pipe, link] = ["file", "pipe", "link"].map(|name| folder.path().join(name));
        std::fs::write(&file, "x").expect("a file");
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        assert!(open_to_read(&file).is_ok());
        for other in [&pipe, &link, &folder.path().to_owned()] {
            assert!(open_to_read(other).is_err(), "{}", other.display());
        }
    }
}
