//! Where results go.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tempfile::NamedTempFile;

use crate::Failure;

/// Prints to the standard output, all of it now. Styles are left out where they would not be
/// understood, or are not wanted.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = anstream::AutoStream::auto(io::stdout().lock());
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Failure::output(&error))
}

/// A file that will be written whole or not at all.
///
/// It is opened before the work whose result it takes, so that a place where nothing can be
/// written is found out before hours have been spent.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    place: Place,
}

#[derive(Debug)]
enum Place {
    /// Written beside its final place and then moved there, with the permissions of the file that
    /// it replaces.
    Beside(NamedTempFile, Option<fs::Permissions>),
    /// A device or a pipe, which can only be written to.
    Special(fs::File),
}

impl WholeFile {
    /// Makes sure that the file can be written; nothing shows under its name yet.
    pub fn create(path: &Path) -> Result<WholeFile, Failure> {
        let refused = |error: io::Error| {
            Failure::Usage(format!("cannot write the file {}: {error}", path.display()))
        };
        // Through a link, the file itself is replaced and not the link.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let place = match fs::metadata(&target) {
            Ok(found) if found.is_dir() => {
                return Err(refused(io::Error::other("it is a folder")));
            }
            Ok(found) if !found.is_file() => Place::Special(
                fs::File::options()
                    .write(true)
                    .open(&target)
                    .map_err(refused)?,
            ),
            found => {
                if found.is_ok() {
                    fs::File::options()
                        .append(true)
                        .open(&target)
                        .map_err(refused)?;
                }
                let folder = match target.parent() {
                    Some(folder) if folder != Path::new("") => folder,
                    _ => Path::new("."),
                };
                fs::metadata(folder).map_err(refused)?;
                let mut file = tempfile::Builder::new();
                file.prefix(".croupier-").suffix(".part");
                let file = file.tempfile_in(folder).map_err(refused)?;
                Place::Beside(file, found.ok().map(|found| found.permissions()))
            }
        };
        Ok(WholeFile {
            path: target,
            place,
        })
    }

    /// Writes the file.
    pub fn finish(self, contents: &[u8]) -> Result<(), Failure> {
        let path = self.path;
        let written = match self.place {
            Place::Special(mut file) => file.write_all(contents),
            Place::Beside(mut file, permissions) => file
                .write_all(contents)
                .and_then(|()| match permissions {
                    Some(permissions) => file.as_file().set_permissions(permissions),
                    None => open_to_all(file.as_file()),
                })
                .and_then(|()| file.persist(&path).map(drop).map_err(|error| error.error)),
        };
        written.map_err(|error| Failure::machine(format!("write {}", path.display()), &error))
    }
}

/// Gives a file the usual permissions instead of those of a secret.
fn open_to_all(file: &fs::File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.set_permissions(fs::Permissions::from_mode(0o644))?;
    }
    Ok(())
}
