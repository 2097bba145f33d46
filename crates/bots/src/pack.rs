//! A program that travels: its own files in one piece.
//!
//! ```text
//! croupier pack 1\n
//! the name of the source: its length, then its bytes
//! for every file: 1 if it is executable, or 0; the length of its name, its name; its length, its bytes
//! ```
//!
//! Lengths are numbers of 64 bits, the least significant byte first.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::compiler::Language;
use crate::folder;
use crate::own::{Entries, MOST_FILES, OwnFiles, without_dots};
use crate::program::{Unusable, found, started_as, unusable};

/// What a pack begins with.
const BEGINS: &[u8] = b"croupier pack 1\n";

/// The files of one program, to be sent to another machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pack {
    source: PathBuf,
    files: Vec<Packed>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Packed {
    name: PathBuf,
    is_executable: bool,
    contents: Vec<u8>,
}

impl Pack {
    /// The files of the program that a person named, and none of the others who take part.
    pub fn of(path: &Path, entries: &Entries) -> Result<Pack, Unusable> {
        let file = found(path)?;
        let own = if Language::of(&file).is_some() {
            OwnFiles::of_c(&file, entries)?
        } else if file.extension() == Some(OsStr::new("py")) {
            OwnFiles::of_python(&file, entries)?
        } else {
            OwnFiles::alone(&started_as(path, &file)?)?
        };
        let mode = fs::metadata(&file).map_err(unusable(path))?.permissions();
        let files = own.files.into_iter().map(|(name, contents)| Packed {
            is_executable: name == own.source && mode.mode() & 0o111 != 0,
            name,
            contents,
        });
        Ok(Pack {
            files: files.collect(),
            source: own.source,
        })
    }

    /// The pack as it is sent.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = BEGINS.to_vec();
        let mut add = |part: &[u8], flag: Option<bool>| {
            bytes.extend(flag.map(u8::from));
            bytes.extend((part.len() as u64).to_le_bytes());
            bytes.extend(part);
        };
        add(self.source.as_os_str().as_bytes(), None);
        for file in &self.files {
            add(file.name.as_os_str().as_bytes(), Some(file.is_executable));
            add(&file.contents, None);
        }
        bytes
    }

    /// Reads a pack that another machine has sent; none if it is not one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Pack> {
        let mut rest = bytes.strip_prefix(BEGINS)?;
        let source = own_name(part(&mut rest)?)?;
        let mut files = Vec::new();
        while !rest.is_empty() && files.len() <= MOST_FILES {
            let (flag, after) = rest.split_first()?;
            rest = after;
            files.push(Packed {
                is_executable: *flag == 1,
                name: own_name(part(&mut rest)?)?,
                contents: part(&mut rest)?.to_vec(),
            });
        }
        let has_source = files.iter().any(|file| file.name == source);
        (has_source && rest.is_empty()).then_some(Pack { source, files })
    }

    /// Writes the files into a folder, and tells where the source is in it.
    pub fn unpack(&self, folder: &Path) -> std::io::Result<()> {
        for file in &self.files {
            let place = folder.join(&file.name);
            folder::put(&place, &file.contents)?;
            let mode = if file.is_executable { 0o755 } else { 0o644 };
            fs::set_permissions(&place, fs::Permissions::from_mode(mode))?;
        }
        Ok(())
    }

    /// The name of the source from the folder of all files.
    pub fn source(&self) -> &Path {
        &self.source
    }
}

/// The next part, which comes after its length.
fn part<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, after) = rest.split_first_chunk::<8>()?;
    let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
    let (part, after) = after.split_at_checked(length)?;
    *rest = after;
    Some(part)
}

/// A name that leads to a file within the folder.
fn own_name(name: &[u8]) -> Option<PathBuf> {
    let name = Path::new(OsStr::from_bytes(name));
    without_dots(name).filter(|plain| plain == name && !name.as_os_str().as_bytes().contains(&0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pack(name: &str) -> Pack {
        let file = |name: &str, is_executable| Packed {
            name: PathBuf::from(name),
            is_executable,
            contents: name.bytes().cycle().take(1000).collect(),
        };
        Pack {
            source: PathBuf::from(name),
            files: vec![file("deep/a.h", false), file(name, true)],
        }
    }

    #[test]
    fn what_is_packed_comes_out() {
        let pack = pack("bot.c");
        assert_eq!(Pack::from_bytes(&pack.to_bytes()).as_ref(), Some(&pack));
        let folder = tempfile::tempdir().expect("a folder");
        pack.unpack(folder.path()).expect("it is written");
        let read = Pack::of(&folder.path().join("bot.c"), &Entries::default());
        let read = read.expect("it is found");
        assert_eq!(read.files[0], pack.files[1], "it includes nothing");
    }

    #[test]
    fn an_executable_behind_a_link_is_packed_under_the_name_of_the_link() {
        let folder = tempfile::tempdir().expect("a folder");
        pack("players")
            .unpack(folder.path())
            .expect("it is written");
        for (link, packed) in [("shenzi", "shenzi"), ("shenzi.py", "players")] {
            let link = folder.path().join(link);
            std::os::unix::fs::symlink("players", &link).expect("a link");
            let read = Pack::of(&link, &Entries::default()).expect("it is found");
            assert_eq!(read.source(), Path::new(packed));
            assert!(read.files[0].is_executable, "{packed}");
        }
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        for name in [
            "/bot.c",
            "../bot.c",
            "a/../../bot.c",
            "a/../bot.c",
            "./bot.c",
            "",
        ] {
            assert_eq!(Pack::from_bytes(&pack(name).to_bytes()), None, "{name}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_break_it(cut in 0usize..3000, at in 0usize..3000, to: u8) {
            let mut bytes = pack("bot.c").to_bytes();
            let cut = cut.min(bytes.len());
            prop_assert!(Pack::from_bytes(&bytes[..cut]).is_none() || cut == bytes.len());
            let at = at.min(bytes.len() - 1);
            bytes[at] = to;
            let _ = Pack::from_bytes(&bytes);
        }
    }
}
