//! From what a person names to what can be run: executables, scripts, sources in C and C++.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use crate::cache::{CACHE, NOTHING_RUNS, library, lies_where_nothing_runs, unpacked, user_cache};
use crate::compiler::{Language, Made, Work};
use crate::folder::{self, Left};
use crate::own::{Entries, OwnFiles};
use crate::sanitizer::is_sanitized;
use crate::{House, NotTaken, Tier, template};

/// A program that can be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The file that the person named.
    pub source: PathBuf,
    /// What is started.
    pub command: Vec<PathBuf>,
    /// What it needs to read: itself, its interpreter.
    pub readable: Vec<PathBuf>,
    /// What a template of it is started with, if it can be forked instead of being started anew.
    pub(crate) template: Option<Vec<OsString>>,
    /// The hash of its own files, and of how they are compiled: the same program has the same on
    /// every machine.
    pub hash: String,
    /// What is added to the environment that every program is given.
    pub(crate) environment: Vec<(String, String)>,
    /// Whether it watches its own memory, for which it takes address space without end.
    pub(crate) is_sanitized: bool,
    /// The files that are run, as they were; none for a name that is looked up when it is started.
    stamps: Vec<(PathBuf, Stamp, blake3::Hash)>,
    /// Those of them that we have made.
    pub(crate) made: Vec<Made>,
    /// Whether we have put all of them where they are.
    is_copy: bool,
}

/// What has become of the files of a program since it was prepared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Files {
    /// They are what they were.
    Same,
    /// One of them is not. The program is not started any more, whoever has changed it.
    Changed,
    /// This one, which we had put into our cache, is not what it was, and that was not the program.
    Lost(PathBuf),
}

/// What changes whenever a file changes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Stamp {
    device: u64,
    inode: u64,
    size: u64,
    changed: (i64, i64),
}

impl Stamp {
    fn of(path: &Path) -> io::Result<Stamp> {
        let file = fs::metadata(path)?;
        Ok(Stamp {
            device: file.dev(),
            inode: file.ino(),
            size: file.size(),
            changed: (file.ctime(), file.ctime_nsec()),
        })
    }
}

/// Why a program cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// There is no such file, or it cannot be read.
    #[error("cannot use the program {path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: io::Error,
    },
    /// The compiler refused it, or was stopped; with the end of the compiler's words.
    #[error("{path} does not compile:\n{said}")]
    Compile {
        /// The file.
        path: PathBuf,
        /// What the compiler said, and why it was stopped.
        said: String,
    },
    /// It is a program, but not one that can play this game.
    #[error("{path} cannot play: {reason}")]
    Unfit {
        /// The file.
        path: PathBuf,
        /// What it lacks.
        reason: String,
    },
    /// Its compiler cannot be held as the program would be.
    #[error(transparent)]
    NotTaken(#[from] NotTaken),
    /// Somebody wanted to stop while it was compiled.
    #[error("stopped while programs were compiled")]
    Interrupted,
    /// Something that is needed to run it is not there.
    #[error("failed to {0}")]
    Machine(String),
}

/// The flags with which a source is compiled unless somebody wants others.
pub const OPTIMISED: &[&str] = &["-O2"];

/// What a program is got ready for.
#[derive(Clone, Copy, Debug)]
pub struct Preparation<'a> {
    /// How it will be held. Its source is compiled under the same sandbox.
    pub house: &'a House,
    /// The files of all who take part.
    pub entries: &'a Entries,
    /// The flags with which a source is compiled.
    pub flags: &'a [&'a str],
}

impl<'a> Preparation<'a> {
    /// For a match in this house among these.
    pub fn new(house: &'a House, entries: &'a Entries) -> Preparation<'a> {
        Preparation {
            house,
            entries,
            flags: OPTIMISED,
        }
    }
}

/// The file that a person means. A name without a slash is a file in this folder.
pub(crate) fn found(path: &Path) -> Result<PathBuf, Unusable> {
    let file = fs::canonicalize(path).map_err(unusable(path))?;
    match fs::metadata(&file).map_err(unusable(path))?.file_type() {
        found if found.is_file() => Ok(file),
        found if found.is_dir() => Err(unusable(path)(io::ErrorKind::IsADirectory.into())),
        _ => Err(unusable(path)(io::Error::other("it is no ordinary file"))),
    }
}

/// The name by which a person means a file, from the root. A link keeps its name: a program that has
/// several may ask by which of them it was started.
pub fn whole_name(path: &Path) -> io::Result<PathBuf> {
    let whole = std::path::absolute(path)?;
    match (whole.parent(), whole.file_name()) {
        (Some(folder), Some(name)) => Ok(fs::canonicalize(folder)?.join(name)),
        _ => fs::canonicalize(whole),
    }
}

/// The name by which an executable is started. Its kind is told by the file itself, and a name that
/// tells of another kind would mislead where there is nothing but the name.
pub(crate) fn started_as(path: &Path, file: &Path) -> Result<PathBuf, Unusable> {
    let name = whole_name(path).map_err(unusable(path))?;
    let is_source = Language::of(&name).is_some() || name.extension() == Some(OsStr::new("py"));
    Ok(if is_source { file.to_owned() } else { name })
}

pub(crate) fn unusable(path: &Path) -> impl Fn(io::Error) -> Unusable + '_ {
    move |error| Unusable::File {
        path: path.to_owned(),
        error,
    }
}

/// How much is read of a file that does not start.
const BEGINNING: u64 = 256;

/// What is wrong with a file that the system does not start, if its beginning tells: its own words for
/// it are the same as for a file that is not there.
pub(crate) fn wrong_with(file: &Path) -> Option<String> {
    let mut beginning = Vec::new();
    // A name without a folder is looked up, and not in this folder.
    if !file.is_absolute() || !fs::metadata(file).ok()?.is_file() {
        return None;
    }
    if lies_where_nothing_runs(file) {
        return Some(NOTHING_RUNS.to_owned());
    }
    // Somebody may have put a pipe in its place.
    let mut options = fs::File::options();
    let options = options.read(true).custom_flags(libc::O_NONBLOCK);
    let file = options.open(file).ok()?;
    file.take(BEGINNING).read_to_end(&mut beginning).ok()?;
    let line = beginning.split(|&byte| byte == b'\n').next()?;
    let Some(interpreter) = line.strip_prefix(b"#!") else {
        let is_text = std::str::from_utf8(&beginning).is_ok();
        let wrong = "it is no program for this machine, and no script that begins with #!";
        return is_text.then(|| wrong.to_owned());
    };
    if line.ends_with(b"\r") {
        return Some("its first line has the line ending of Windows (CRLF)".to_owned());
    }
    let interpreter = String::from_utf8_lossy(interpreter.trim_ascii()).into_owned();
    let interpreter = interpreter.split_ascii_whitespace().next()?;
    let is_missing = !Path::new(interpreter).exists();
    is_missing.then(|| format!("its first line asks for {interpreter}, which does not exist"))
}

/// How long an executable may be.
const LONGEST: usize = 1 << 30;

/// What is in a file that is run. Whoever plays may have put a pipe in its place, or a file without an
/// end: nothing is waited for, and what is too long is not read.
pub(crate) fn contents(path: &Path) -> Result<Vec<u8>, Unusable> {
    let error = match folder::read(path, LONGEST) {
        Left::Contents(contents) => return Ok(contents),
        Left::TooLong => {
            return Err(Unusable::Unfit {
                path: path.to_owned(),
                reason: format!("it has more than {} MiB", LONGEST >> 20),
            });
        }
        Left::Nothing => io::Error::from_raw_os_error(libc::ENOENT),
        Left::Unreadable(reason) => io::Error::other(reason),
    };
    Err(unusable(path)(error))
}

impl Program {
    /// Gets a program ready: a source in C or C++ is compiled, a `.py` file gets its interpreter,
    /// anything else is run as it is. A name without a slash is a file in this folder.
    pub fn prepare(path: &Path, preparation: &Preparation<'_>) -> Result<Program, Unusable> {
        let file = found(path)?;
        if let Some(language) = Language::of(&file) {
            let own = OwnFiles::of_c(&file, preparation.entries)?;
            let work = Work {
                own: &own,
                language,
                flags: preparation.flags,
                headers: &[],
            };
            let (place, can_fork) = work.program(preparation.house)?;
            let hash = own.hash(&work.how());
            let mut program = Program::new(file, hash, vec![place.clone()], vec![place.clone()])?;
            program.template = can_fork.then(|| vec![place.into_os_string()]);
            let flags = preparation.flags.iter().map(ToString::to_string);
            program.made = vec![Made::Program(Arc::new(own), language, flags.collect())];
            return Ok(program);
        }
        if file.extension() == Some(OsStr::new("py")) {
            return Program::in_python(&file, preparation);
        }
        let mode = fs::metadata(&file).map_err(unusable(path))?.mode();
        if let Some(way) = other_way(&file, mode & 0o111 != 0) {
            return Err(unusable(path)(io::Error::other(way)));
        }
        let hash = OwnFiles::alone(&file)?.hash("");
        let name = started_as(path, &file)?;
        Program::new(name.clone(), hash, vec![name], vec![file])
    }

    /// A program for the interpreter. Strictly held it is run from a copy, beside which there is
    /// nothing but its own modules.
    fn in_python(file: &Path, preparation: &Preparation<'_>) -> Result<Program, Unusable> {
        let own = OwnFiles::of_python(file, preparation.entries)?;
        let (python, mut readable) = python()?;
        let folder = match preparation.house.tier {
            Tier::Strict => unpacked(&own)?,
            Tier::None | Tier::Limits => file.parent().unwrap_or(Path::new("/")).to_owned(),
        };
        readable.extend([python.clone(), folder.clone()]);
        let source = folder.join(&own.source);
        let library = library();
        readable.extend(library.clone());
        let template = library.map(|library| {
            let words = [
                python.as_os_str(),
                OsStr::new("-c"),
                OsStr::new(template::IN_PYTHON),
                library.as_os_str(),
                source.as_os_str(),
            ];
            words.map(OsStr::to_owned).into()
        });
        let command = vec![python, source];
        let mut program = Program::new(file.to_owned(), own.hash("python"), command, readable)?;
        program.template = template;
        if preparation.house.tier != Tier::None {
            // Its home is the folder in which it is started. What one process leaves there is not run at
            // the start of the next, before it is limited to its own decision.
            program.environment = vec![("PYTHONNOUSERSITE".to_owned(), "1".to_owned())];
        }
        let is_module = |name: &&PathBuf| name.extension() == Some(OsStr::new("py"));
        for module in own.files.keys().filter(is_module) {
            program.watch(folder.join(module))?;
        }
        if preparation.house.tier == Tier::Strict {
            program.made = vec![Made::Copies(Arc::new(own))];
        }
        Ok(program)
    }

    /// A program that is started with this command, the last word of which is the file that makes
    /// it what it is.
    pub(crate) fn new(
        source: PathBuf,
        hash: String,
        command: Vec<PathBuf>,
        readable: Vec<PathBuf>,
    ) -> Result<Program, Unusable> {
        let run = command.last().unwrap_or(&source).clone();
        let mut program = Program {
            source,
            hash,
            ..Program::tool(command, readable)
        };
        program.is_sanitized = is_sanitized(&program.watch(run)?);
        Ok(program)
    }

    /// A program of the system's, to be trusted.
    pub(crate) fn tool(command: Vec<PathBuf>, readable: Vec<PathBuf>) -> Program {
        Program {
            source: command.first().cloned().unwrap_or_default(),
            command,
            readable,
            template: None,
            hash: String::new(),
            environment: Vec::new(),
            is_sanitized: false,
            stamps: Vec::new(),
            made: Vec::new(),
            is_copy: false,
        }
    }

    /// Makes this one of the files that must not change, and gives its contents.
    pub(crate) fn watch(&mut self, file: PathBuf) -> Result<Vec<u8>, Unusable> {
        let stamp = Stamp::of(&file).map_err(unusable(&file))?;
        let contents = contents(&file)?;
        self.stamps.push((file, stamp, blake3::hash(&contents)));
        Ok(contents)
    }

    /// A program that is looked up like a command in a shell when it is started; to be trusted.
    pub fn command(name: &OsStr) -> Program {
        Program::tool(vec![PathBuf::from(name)], Vec::new())
    }

    /// The same, whose files are all copies in a cache of ours: what is missing there is not its fault.
    #[must_use]
    pub fn as_copy(self) -> Program {
        Program {
            is_copy: true,
            ..self
        }
    }

    /// Whether its processes can be forked from a template, in place of being started anew.
    pub fn can_fork(&self) -> bool {
        self.template.is_some()
    }

    /// Makes what is gone of the files that we have made, as the folder in which they are kept may be cleared at
    /// any time. Whether anything was made: it is another file then, with the same contents.
    pub(crate) fn is_made_again(&self, house: &House) -> bool {
        let mut run = self.stamps.iter().map(|(file, ..)| file);
        let is_gone = !self.made.is_empty() && run.any(|file| !file.exists());
        // What cannot be made again is found to be lost.
        is_gone && self.made.iter().all(|made| made.again(house).is_ok())
    }

    /// What has become of its files, if it is held in this tier. A bot could write into its own files between
    /// two decisions; whoever only links them, or changes their mode, has not changed them, as their text
    /// shows.
    pub(crate) fn files(&mut self, tier: Tier) -> Files {
        for (file, stamp, hash) in &mut self.stamps {
            let now = Stamp::of(file).ok();
            let has_same_text = || match folder::read(file, stamp.size as usize) {
                Left::Contents(text) => blake3::hash(&text) == *hash,
                _ => false,
            };
            match now {
                Some(now) if now == *stamp || now.size == stamp.size && has_same_text() => {
                    *stamp = now;
                }
                // The cache may be emptied at any time, and who is held strictly writes nothing there.
                now if now.is_none() || tier == Tier::Strict => {
                    let cache = user_cache(CACHE);
                    let is_cached = cache.is_ok_and(|cache| file.starts_with(cache));
                    return match self.is_copy || is_cached {
                        true => Files::Lost(file.clone()),
                        false => Files::Changed,
                    };
                }
                _ => return Files::Changed,
            }
        }
        Files::Same
    }
}

/// What to do with a file that cannot be run as it is; none if it can.
fn other_way(file: &Path, is_executable: bool) -> Option<String> {
    let end = file.extension().and_then(OsStr::to_str).unwrap_or_default();
    let begins_with = |magic: &[u8]| {
        let mut start = vec![0; magic.len()];
        let read =
            fs::File::open(file).and_then(|mut file| io::Read::read_exact(&mut file, &mut start));
        read.is_ok() && start == magic
    };
    let can_start = begins_with(b"#!") || begins_with(b"\x7fELF");
    let compiled = match end {
        "rs" => Some(("Rust", "rustc -O")),
        "go" => Some(("Go", "go build")),
        "hs" => Some(("Haskell", "ghc -O2")),
        "ml" => Some(("OCaml", "ocamlfind ocamlopt")),
        "pas" => Some(("Pascal", "fpc")),
        "swift" => Some(("Swift", "swiftc -O")),
        "zig" => Some(("Zig", "zig build-exe")),
        _ => None,
    };
    let interpreted = match end {
        "js" | "mjs" => Some("node"),
        "ts" => Some("deno"),
        "rb" => Some("ruby"),
        "pl" => Some("perl"),
        "lua" => Some("lua"),
        "php" => Some("php"),
        "sh" | "bash" => Some("bash"),
        _ => None,
    };
    if let Some((language, how)) = compiled.filter(|_| !can_start) {
        return Some(format!(
            "it is a source in {language}; compile it ({how}) and name the program that comes of it"
        ));
    }
    if matches!(end, "java" | "kt" | "cs" | "scala") && !can_start {
        return Some(
            "it is a source for a virtual machine; compile it, and name an executable script that \
             starts it, with #!/bin/sh in its first line"
                .to_owned(),
        );
    }
    if is_executable {
        return None;
    }
    Some(match interpreted {
        Some(program) if !can_start => format!(
            "it is not executable; write #!/usr/bin/env {program} into its first line, and \
             chmod +x it"
        ),
        _ => "it is not executable (chmod +x), and no source in C (.c), C++ (.cpp, .cc, .cxx) or \
              Python (.py)"
            .to_owned(),
    })
}

/// Where this machine's Python interpreter is, or what to do about it.
pub fn python_here() -> Result<PathBuf, Unusable> {
    python().map(|(python, _)| python)
}

/// The Python interpreter and the folders it lives in.
fn python() -> Result<(PathBuf, Vec<PathBuf>), Unusable> {
    let ask = "import sys; print(sys.executable); print(sys.base_prefix); print(sys.prefix)";
    let output = Command::new("python3").args(["-c", ask]).output();
    let output = output.map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::NotFound => "it is not on this machine; install it".to_owned(),
            _ => error.to_string(),
        };
        Unusable::Machine(format!("run python3: {reason}"))
    })?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut lines = text.lines().map(PathBuf::from);
    match lines.next() {
        Some(python) if output.status.success() && python.is_absolute() => {
            Ok((python, lines.collect()))
        }
        _ => Err(Unusable::Machine(
            "find out where python3 is; is it installed?".to_owned(),
        )),
    }
}
