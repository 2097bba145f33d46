//! The files that make up a program: its source, and what that names from its own folder.
//!
//! They are what a source is compiled from, what a strictly held program may read of its own, and
//! what it is known by, so all three agree. They are found in the text alone, by the lines that
//! include or import something, and never by asking a compiler: what a program is must not depend
//! on the machine. What is not found like that is not there when the program is compiled.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use crate::folder::{Left, take_back};
use crate::program::{Unusable, contents};

/// How many files a program may have, and how long they may be together.
pub(crate) const MOST_FILES: usize = 1000;
const MOST_BYTES: usize = 64 << 20;

/// The files of all who take part. None of them is part of another's program, under whatever name
/// it is found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Entries(BTreeSet<(u64, u64)>);

impl Entries {
    /// Those who are named like this; names under which there is no file are left out.
    pub fn of<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Entries {
        Entries(paths.into_iter().filter_map(inode).collect())
    }
}

fn inode(path: &Path) -> Option<(u64, u64)> {
    let file = fs::metadata(path).ok()?;
    Some((file.dev(), file.ino()))
}

/// The files of one program, as they were when they were read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OwnFiles {
    /// The file that a person named.
    pub(crate) path: PathBuf,
    /// The same from the folder in which all of them lie.
    pub(crate) source: PathBuf,
    /// The contents of each, by its path from that folder.
    pub(crate) files: BTreeMap<PathBuf, Vec<u8>>,
    /// What the source asks for and is not its own, with the reason.
    pub(crate) strangers: BTreeSet<String>,
}

impl OwnFiles {
    /// A program of one file.
    pub(crate) fn alone(path: &Path) -> Result<OwnFiles, Unusable> {
        let text = contents(path)?;
        Ok(OwnFiles::from_memory(path, text))
    }

    /// A program of one file with this text.
    pub(crate) fn from_memory(path: &Path, text: impl Into<Vec<u8>>) -> OwnFiles {
        let source = PathBuf::from(path.file_name().unwrap_or_default());
        OwnFiles {
            path: path.to_owned(),
            files: BTreeMap::from([(source.clone(), text.into())]),
            source,
            strangers: BTreeSet::new(),
        }
    }

    /// A program in C or C++: what its lines include or take in as data.
    pub(crate) fn of_c(path: &Path, entries: &Entries) -> Result<OwnFiles, Unusable> {
        let found = Search::in_folder_of(path, entries)?;
        found.all(|search, file, text| {
            let folder = file.parent().unwrap_or(Path::new(""));
            for name in included(text) {
                let name = Path::new(OsStr::from_bytes(&name)).to_owned();
                search.take(&folder.join(name));
            }
        })
    }

    /// A program in Python: the modules it imports, and all of the packages.
    pub(crate) fn of_python(path: &Path, entries: &Entries) -> Result<OwnFiles, Unusable> {
        let found = Search::in_folder_of(path, entries)?;
        found.all(|search, file, text| {
            if file.extension() != Some(OsStr::new("py")) {
                return;
            }
            for name in imported(text) {
                let name = Path::new(OsStr::from_bytes(&name));
                search.take(&name.with_extension("py"));
                search.take_package(name);
            }
        })
    }

    /// What the program is known by, wherever its files lie and whatever the source is called:
    /// their contents, and how they are made into a program.
    pub(crate) fn hash(&self, how: &str) -> String {
        let mut hash = blake3::Hasher::new();
        let mut add = |part: &[u8]| {
            hash.update(&(part.len() as u64).to_le_bytes());
            hash.update(part);
        };
        add(how.as_bytes());
        add(self.text());
        for (name, contents) in self.files.iter().filter(|(name, _)| **name != self.source) {
            add(name.as_os_str().as_bytes());
            add(contents);
        }
        hash.finalize().to_hex().to_string()
    }

    /// The contents of the source.
    pub(crate) fn text(&self) -> &[u8] {
        self.files.get(&self.source).map_or(&[], Vec::as_slice)
    }
}

/// A search for the files of a program, which begins with its source.
struct Search<'a> {
    entries: &'a Entries,
    folder: PathBuf,
    own: OwnFiles,
    bytes: usize,
    unread: VecDeque<PathBuf>,
    is_too_large: bool,
}

impl<'a> Search<'a> {
    fn in_folder_of(path: &Path, entries: &'a Entries) -> Result<Search<'a>, Unusable> {
        let mut search = Search {
            entries,
            folder: path.parent().unwrap_or(Path::new("/")).to_owned(),
            own: OwnFiles::from_memory(path, Vec::new()),
            bytes: 0,
            unread: VecDeque::new(),
            is_too_large: false,
        };
        let source = search.own.source.clone();
        match take_back(path, MOST_BYTES) {
            Left::Contents(text) => search.add(source, text),
            Left::TooLong => search.is_too_large = true,
            // The system's own words for it.
            Left::Nothing | Left::Unreadable(_) => search.add(source, contents(path)?),
        }
        Ok(search)
    }

    /// All files that `look` finds in those that were found before.
    fn all(mut self, look: impl Fn(&mut Search<'a>, &Path, &[u8])) -> Result<OwnFiles, Unusable> {
        while let Some(file) = self.unread.pop_front() {
            let text = self.own.files.get(&file).cloned().unwrap_or_default();
            look(&mut self, &file, &text);
        }
        match self.is_too_large {
            false => Ok(self.own),
            true => Err(Unusable::Unfit {
                path: self.own.path,
                reason: format!(
                    "it has more than {MOST_FILES} files, or more than {} MiB of them",
                    MOST_BYTES >> 20
                ),
            }),
        }
    }

    fn add(&mut self, name: PathBuf, contents: Vec<u8>) {
        self.bytes += contents.len();
        self.own.files.insert(name.clone(), contents);
        self.unread.push_back(name);
        self.is_too_large |= self.bytes > MOST_BYTES || self.own.files.len() > MOST_FILES;
    }

    /// Takes the file with this path from the folder, if there is one and it is the program's own.
    fn take(&mut self, named: &Path) {
        let shown = || named.display().to_string();
        let Some(name) = without_dots(named) else {
            if self.folder.join(named).exists() {
                self.own
                    .strangers
                    .insert(format!("{} lies outside of its folder", shown()));
            }
            return;
        };
        if self.own.files.contains_key(&name) || self.is_too_large {
            return;
        }
        let Ok(file) = fs::canonicalize(self.folder.join(&name)) else {
            return;
        };
        let is_own_source = inode(&file) == inode(&self.own.path);
        let is_entry = inode(&file).is_some_and(|file| self.entries.0.contains(&file));
        let reason = if !file.starts_with(&self.folder) {
            "leads out of its folder".to_owned()
        } else if is_entry && !is_own_source {
            "is another player's program".to_owned()
        } else {
            match take_back(&file, MOST_BYTES) {
                Left::Contents(contents) => return self.add(name, contents),
                Left::Nothing => return,
                Left::TooLong => {
                    self.is_too_large = true;
                    return;
                }
                Left::Unreadable(_) if file.is_dir() => return,
                Left::Unreadable(reason) => format!("cannot be read: {reason}"),
            }
        };
        self.own.strangers.insert(format!("{} {reason}", shown()));
    }

    /// Takes all files of a package, as its modules find each other by more names than one. Hidden
    /// ones and what the interpreter leaves there are no part of it.
    fn take_package(&mut self, name: &Path) {
        let place = self.folder.join(name);
        let is_folder = |path: &Path| fs::symlink_metadata(path).is_ok_and(|file| file.is_dir());
        if !is_folder(&place) {
            return;
        }
        let mut inside: Vec<PathBuf> = fs::read_dir(&place)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| name.join(entry.file_name()))
            .collect();
        inside.sort();
        for path in inside {
            let last = path.file_name().unwrap_or_default().as_bytes();
            if last.starts_with(b".") || last == b"__pycache__" || self.is_too_large {
                continue;
            }
            match is_folder(&self.folder.join(&path)) {
                true => self.take_package(&path),
                false => self.take(&path),
            }
        }
    }
}

/// A path without `.` and `..`, unless it leads out of where it begins.
pub(crate) fn without_dots(path: &Path) -> Option<PathBuf> {
    let mut whole = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => whole.push(name),
            Component::CurDir => {}
            Component::ParentDir if whole.pop() => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (whole != Path::new("")).then_some(whole)
}

/// What stands in quotes on the lines of a C file that take something in: `#include`, `#embed` and
/// their kin, and `.incbin` of the assembler. Where the name after `#include` is a macro, what the
/// lines that define macros have in quotes is meant too.
fn included(text: &[u8]) -> Vec<Vec<u8>> {
    let text = whole_lines(text);
    let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    let is_computed = |line: &&[u8]| {
        directive(line) == Some(b"include") && !line.contains(&b'"') && !line.contains(&b'<')
    };
    let with_macros = lines.iter().any(is_computed);
    let takes_in = |line: &&&[u8]| match directive(line) {
        Some(b"include" | b"include_next" | b"import" | b"embed") => true,
        Some(b"define") if with_macros => true,
        _ => has_word(line, b"__has_include") || has_word(line, b"incbin"),
    };
    let names = lines.iter().filter(takes_in).flat_map(|line| {
        let parts: Vec<&[u8]> = line.split(|&byte| byte == b'"').collect();
        let inner = parts.len().saturating_sub(1).max(1);
        parts[1..inner].to_vec()
    });
    // A quote inside a string of the assembler is `\"`.
    names
        .map(|name| name.strip_suffix(b"\\").unwrap_or(name).to_vec())
        .filter(|name| !name.is_empty() && !name.contains(&0))
        .collect()
}

/// The text with each line that goes on after a backslash in one piece.
fn whole_lines(text: &[u8]) -> Vec<u8> {
    let mut whole: Vec<u8> = Vec::with_capacity(text.len());
    for &byte in text.iter().filter(|&&byte| byte != b'\r') {
        if byte == b'\n' && whole.last() == Some(&b'\\') {
            whole.pop();
        } else {
            whole.push(byte);
        }
    }
    whole
}

/// The word after the `#` of a line of the preprocessor.
fn directive(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii_start();
    let rest = line.strip_prefix(b"#").or(line.strip_prefix(b"%:"))?;
    let rest = rest.trim_ascii_start();
    let end = rest.iter().position(|&byte| !is_letter(byte));
    Some(&rest[..end.unwrap_or(rest.len())])
}

fn has_word(line: &[u8], word: &[u8]) -> bool {
    line.windows(word.len())
        .any(|part| part.eq_ignore_ascii_case(word))
}

fn is_letter(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || !byte.is_ascii()
}

/// All names on the lines of a Python file that import something. That some of them are no modules
/// does no harm: there is no such file.
fn imported(text: &[u8]) -> BTreeSet<Vec<u8>> {
    let text = whole_lines(text);
    let lines = text.split(|&byte| byte == b'\n');
    let words = |line| <[u8]>::split(line, |&byte| !is_letter(byte));
    lines
        .filter(|line| words(line).any(|word| word == b"import"))
        .flat_map(words)
        .filter(|word| !word.is_empty())
        .map(<[u8]>::to_vec)
        .collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn names(text: &str) -> Vec<String> {
        let names = included(text.as_bytes()).into_iter();
        names
            .map(|name| String::from_utf8(name).expect("a name"))
            .collect()
    }

    #[test]
    fn what_a_line_of_c_takes_in() {
        assert_eq!(
            names("#include \"a.h\"\n  # include\t\"b/c.h\" // d\n"),
            ["a.h", "b/c.h"]
        );
        assert_eq!(
            names("#include <a.h>\nputs(\"a.h\");\n#define A \"a.h\"\n"),
            [""; 0]
        );
        assert_eq!(
            names("#inc\\\nlude \"a.h\"\r\n%:include \"b.h\""),
            ["a.h", "b.h"]
        );
        assert_eq!(names("#define A \"a.h\"\n#include A\n"), ["a.h"]);
        assert_eq!(names("#embed \"net.bin\" limit(4)\n"), ["net.bin"]);
        assert_eq!(names("#if __has_include(\"a.h\")\n"), ["a.h"]);
        assert!(names("__asm__(\".incbin \\\"net.bin\\\"\");").contains(&"net.bin".to_owned()));
        assert!(names("INCBIN(net, \"net.bin\");").contains(&"net.bin".to_owned()));
    }

    #[test]
    fn no_bytes_break_the_search() {
        for text in [
            "#",
            "#include",
            "#include \"",
            "\"\"\"#include\"\"\"",
            "\\",
            "%:\\\n\\\n",
        ] {
            names(text);
            imported(text.as_bytes());
        }
    }

    #[test]
    fn what_a_line_of_python_imports() {
        let text =
            b"import a, b.c as d, \\\r\n    i\ntry: from e import f\nx = 'g'\nimportant = h\n";
        let found = imported(text);
        for name in ["a", "b", "e", "i"] {
            assert!(found.contains(name.as_bytes()), "{name}");
        }
        assert!(!found.contains("g".as_bytes()) && !found.contains("h".as_bytes()));
    }

    /// A folder with these files; names that end with a slash are folders.
    fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let place = tempfile::tempdir().expect("a folder");
        let folder = fs::canonicalize(place.path()).expect("it is there");
        for (name, text) in files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("it has one")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        (place, folder)
    }

    fn found(own: &OwnFiles) -> Vec<&str> {
        own.files.keys().filter_map(|name| name.to_str()).collect()
    }

    #[test]
    fn what_is_included_by_what_is_included_is_own_too() {
        let (_place, folder) = folder(&[
            (
                "bot/bot.c",
                "#include \"deep/a.h\"\n#include \"none.h\"\n#include \"../other.h\"",
            ),
            ("bot/deep/a.h", "#include \"b.h\"\n#include \"../c.h\"\n"),
            ("bot/deep/b.h", ""),
            ("bot/c.h", "#include \"bot.c\""),
            ("bot/not.h", ""),
            ("other.h", ""),
        ]);
        let own = OwnFiles::of_c(&folder.join("bot/bot.c"), &Entries::default());
        let own = own.expect("files");
        assert_eq!(found(&own), ["bot.c", "c.h", "deep/a.h", "deep/b.h"]);
        let strangers: Vec<_> = own.strangers.into_iter().collect();
        assert_eq!(strangers, ["../other.h lies outside of its folder"]);
    }

    #[test]
    fn what_is_somebody_elses_is_not_own() {
        let text = "#include \"rival.c\"\n#include \"same.h\"\n#include \"out.h\"\n\
                    #include \"in.h\"\n#include \"pipe.h\"\n#include \"me.h\"\n";
        let (_place, folder) = folder(&[
            ("bots/bot.c", text),
            ("bots/rival.c", "int rival;"),
            ("bots/real.h", ""),
            ("secret", ""),
        ]);
        let bots = folder.join("bots");
        fs::hard_link(bots.join("rival.c"), bots.join("same.h")).expect("a link");
        fs::hard_link(bots.join("bot.c"), bots.join("me.h")).expect("a link");
        symlink("../secret", bots.join("out.h")).expect("a link");
        symlink("real.h", bots.join("in.h")).expect("a link");
        nix::unistd::mkfifo(&bots.join("pipe.h"), nix::sys::stat::Mode::S_IRWXU).expect("a pipe");
        let entries = [
            bots.join("bot.c"),
            bots.join("rival.c"),
            bots.join("gone.c"),
        ];
        let entries = Entries::of(entries.iter().map(PathBuf::as_path));
        let own = OwnFiles::of_c(&bots.join("bot.c"), &entries).expect("files");
        assert_eq!(found(&own), ["bot.c", "in.h", "me.h"]);
        let strangers: Vec<_> = own.strangers.into_iter().collect();
        assert_eq!(
            strangers,
            [
                "out.h leads out of its folder",
                "pipe.h cannot be read: it is no ordinary file",
                "rival.c is another player's program",
                "same.h is another player's program",
            ]
        );
    }

    #[test]
    fn modules_and_packages_are_own() {
        let (_place, folder) = folder(&[
            (
                "bot.py",
                "import sys\nfrom deep.down import x\nimport util\n",
            ),
            ("util.py", "import more\n"),
            ("more.py", ""),
            ("other.py", ""),
            ("deep/__init__.py", ""),
            ("deep/down.py", ""),
            ("deep/net.json", "{}"),
            ("deep/__pycache__/down.pyc", ""),
        ]);
        let own = OwnFiles::of_python(&folder.join("bot.py"), &Entries::default());
        let own = own.expect("files");
        assert_eq!(
            found(&own),
            [
                "bot.py",
                "deep/__init__.py",
                "deep/down.py",
                "deep/net.json",
                "more.py",
                "util.py"
            ]
        );
    }

    #[test]
    fn a_program_is_known_by_its_files_and_not_by_its_name_or_place() {
        let files = |source: &str, helper: &str| {
            let include = "#include \"a.h\"\n";
            let (place, folder) = folder(&[(source, include), ("a.h", helper)]);
            let own = OwnFiles::of_c(&folder.join(source), &Entries::default());
            drop(place);
            own.expect("files")
        };
        let hash = files("one.c", "x").hash("c");
        assert_eq!(files("two.c", "x").hash("c"), hash);
        assert_ne!(files("one.c", "y").hash("c"), hash);
        assert_ne!(files("one.c", "x").hash("c++"), hash);
    }

    #[test]
    fn a_program_without_end_is_refused() {
        let text = (0..=MOST_FILES).map(|number| format!("#include \"{number}.h\"\n"));
        let text: String = text.collect();
        let (_place, folder) = folder(&[("bot.c", &text)]);
        for number in 0..=MOST_FILES {
            fs::write(folder.join(format!("{number}.h")), "").expect("a file");
        }
        let own = OwnFiles::of_c(&folder.join("bot.c"), &Entries::default());
        assert!(matches!(own, Err(Unusable::Unfit { .. })), "{own:?}");
    }
}
