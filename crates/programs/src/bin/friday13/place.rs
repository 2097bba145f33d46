//! Where the state file is. That is found out once, before anything is dealt or written: through
//! links, so that afterwards the file itself is read and replaced and never a link to it.

use std::ffi::OsStr;
use std::fmt::Display;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use croupier_console::Failure;

/// The place to which a name leads. An ordinary file is there, or nothing yet.
pub(crate) fn of(named: &Path) -> Result<PathBuf, Failure> {
    let refused = |reason: &dyn Display| {
        let named = named.display();
        Err(Failure::Usage(format!(
            "the state file cannot be {named}: {reason}"
        )))
    };
    match fs::metadata(named) {
        Ok(found) if !found.is_file() => return refused(&"it is no ordinary file"),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return refused(&error),
        _ => {}
    }
    // Had the links gone round in circles, that would have been an error.
    let mut file = named.to_owned();
    while let Ok(target) = fs::read_link(&file) {
        file = parts(&file).0.join(target);
    }
    if names_a_folder(&file) {
        return refused(&"that is the name of a folder");
    }
    Ok(file)
}

/// The folder that holds a file, and the name of the file there.
pub(crate) fn parts(file: &Path) -> (&Path, &OsStr) {
    let folder = match file.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    (folder, file.file_name().unwrap_or_default())
}

/// Whether nothing but a folder can have this name, like `states/` or `..`.
fn names_a_folder(named: &Path) -> bool {
    let mut words = named.as_os_str().as_bytes().rsplit(|&byte| byte == b'/');
    matches!(words.next(), None | Some(b"" | b"." | b".."))
}
