//! From what a person names to what can be run: executables, scripts, C files.

use std::ffi::OsStr;
use std::fmt::Debug;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::sanitizer::is_sanitized;

/// A program that can be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The file that the person named.
    pub source: PathBuf,
    /// What is started.
    pub command: Vec<PathBuf>,
    /// What it needs to read: itself, its interpreter.
    pub readable: Vec<PathBuf>,
    /// The hash of the file, and of all that a C file includes: the same program has the same.
    pub hash: String,
    /// Whether it watches its own memory, for which it takes address space without end.
    pub(crate) is_sanitized: bool,
    /// The file that is run and the hash of its text; none for a name that is looked up when it is
    /// started.
    stamp: Option<(Stamp, blake3::Hash)>,
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
    /// The compiler refused it; with the compiler's words.
    #[error("{path} does not compile:\n{said}")]
    Compile {
        /// The file.
        path: PathBuf,
        /// What the compiler said.
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
    /// Something that is needed to run it is not there.
    #[error("failed to {0}")]
    Machine(String),
}

/// The flags with which a C file is compiled unless somebody wants others.
pub const OPTIMISED: &[&str] = &["-O2"];

/// A file that a person named, as it was when it was read.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    hash: String,
}

impl Source {
    /// Reads a file that is run as it is.
    pub(crate) fn read(file: PathBuf) -> Result<Source, Unusable> {
        let text = fs::read(&file).map_err(unusable(&file))?;
        Ok(Source {
            path: file,
            hash: blake3::hash(&text).to_hex().to_string(),
        })
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

fn unusable(path: &Path) -> impl Fn(io::Error) -> Unusable + '_ {
    move |error| Unusable::File {
        path: path.to_owned(),
        error,
    }
}

impl Program {
    /// Gets a program ready: a `.c` file is compiled, a `.py` file gets its interpreter, anything
    /// else is run as it is. A name without a slash is a file in this folder.
    pub fn prepare(path: &Path) -> Result<Program, Unusable> {
        Program::prepare_with(path, OPTIMISED)
    }

    /// The same, with these flags for the C compiler.
    pub fn prepare_with(path: &Path, flags: &[&str]) -> Result<Program, Unusable> {
        let file = found(path)?;
        match file.extension().and_then(|end| end.to_str()) {
            Some("c") => {
                let (source, program) = compile(&file, flags)?;
                Program::new(source, vec![program.clone()], vec![program])
            }
            Some("py") => {
                let (python, mut readable) = python()?;
                let command = vec![python, file.clone()];
                readable.extend(command.iter().cloned());
                Program::new(Source::read(file)?, command, readable)
            }
            _ => {
                let mode = fs::metadata(&file).map_err(unusable(path))?.mode();
                if mode & 0o111 == 0 {
                    let error = io::Error::other("it is not executable (chmod +x)");
                    return Err(unusable(path)(error));
                }
                let readable = vec![file.clone()];
                Program::new(Source::read(file)?, readable.clone(), readable)
            }
        }
    }

    /// A program that is started with this command, the last word of which is the file that makes
    /// it what it is.
    pub(crate) fn new(
        source: Source,
        command: Vec<PathBuf>,
        readable: Vec<PathBuf>,
    ) -> Result<Program, Unusable> {
        let run = command.last().unwrap_or(&source.path);
        let stamp = Stamp::of(run).map_err(unusable(run))?;
        let text = fs::read(run).map_err(unusable(run))?;
        Ok(Program {
            is_sanitized: is_sanitized(&text),
            stamp: Some((stamp, blake3::hash(&text))),
            source: source.path,
            command,
            readable,
            hash: source.hash,
        })
    }

    /// A program that is looked up like a command in a shell when it is started; to be trusted.
    pub fn command(name: &OsStr) -> Program {
        Program {
            source: PathBuf::from(name),
            command: vec![PathBuf::from(name)],
            readable: Vec::new(),
            hash: String::new(),
            is_sanitized: false,
            stamp: None,
        }
    }

    /// Whether the program is still what it was when it was prepared. A bot could write into its
    /// own file between two decisions; whoever only links it, or changes its mode, has not changed
    /// it, as its text shows.
    pub(crate) fn is_unchanged(&mut self) -> bool {
        let run = self.command.last().unwrap_or(&self.source);
        let Some((stamp, hash)) = &mut self.stamp else {
            return true;
        };
        let Ok(now) = Stamp::of(run) else {
            return false;
        };
        let is_unchanged =
            now == *stamp || fs::read(run).is_ok_and(|text| blake3::hash(&text) == *hash);
        if is_unchanged {
            *stamp = now;
        }
        is_unchanged
    }
}

/// A compiler of C, and the flags that it is given.
struct Compiler<'a, F> {
    /// Its name, after which flags may follow, or it may follow another: `ccache gcc`.
    name: String,
    flags: &'a [F],
}

impl<F: AsRef<OsStr> + Debug> Compiler<'_, F> {
    fn command(&self) -> Command {
        let mut words = self.name.split_whitespace();
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).args(self.flags);
        // Or else a program that tells when it was compiled is another one every second.
        command.env("SOURCE_DATE_EPOCH", "0");
        command
    }

    /// What the compiler prints, unless it refuses the file.
    fn run(&self, command: &mut Command, file: &Path) -> Result<Vec<u8>, Unusable> {
        let output = command
            .output()
            .map_err(machine(&format!("run the C compiler '{}'", self.name)))?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(Unusable::Compile {
            path: file.to_owned(),
            said: said
                .trim_end()
                .replace("<stdin>", &file.display().to_string()),
        })
    }

    /// A C file with all that it includes. It is read without its name and in its own folder, so
    /// that this is the same wherever the files are.
    fn whole_text(&self, file: &Path) -> Result<Vec<u8>, Unusable> {
        let text = fs::File::open(file).map_err(unusable(file))?;
        let mut command = self.command();
        command.args(["-E", "-x", "c", "-"]).stdin(text);
        command.current_dir(file.parent().unwrap_or(Path::new("/")));
        self.run(&mut command, file)
    }
}

/// The hash of a C file with all that it includes. The compiler puts lines between that tell where
/// the others come from: they are no part of the program.
fn hash_of_c(text: &[u8]) -> String {
    let mut hash = blake3::Hasher::new();
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    for line in lines.filter(|line| !line.starts_with(b"# ")) {
        hash.update(line);
    }
    hash.finalize().to_hex().to_string()
}

/// Compiles a C file, unless the same text was compiled the same way before. Gives the file as it
/// was read, and the program.
pub(crate) fn compile<F: AsRef<OsStr> + Debug>(
    file: &Path,
    flags: &[F],
) -> Result<(Source, PathBuf), Unusable> {
    let name = std::env::var("CC").ok();
    let name = name.filter(|name| !name.trim().is_empty());
    let compiler = Compiler {
        name: name.unwrap_or("cc".to_owned()),
        flags,
    };
    let text = compiler.whole_text(file)?;
    let source = Source {
        path: file.to_owned(),
        hash: hash_of_c(&text),
    };
    let way = format!("{} {} {flags:?}", blake3::hash(&text), compiler.name);
    let key = blake3::hash(way.as_bytes()).to_hex();
    let folder = cache()?;
    let stem = file.file_stem().unwrap_or_default();
    let place = folder.join(format!("{}-{}", stem.to_string_lossy(), &key[..16]));
    if place.exists() {
        return Ok((source, place));
    }
    let scratch = scratch(&folder)?;
    let result = scratch.path().join("program");
    let mut command = compiler.command();
    command.arg("-o").arg(&result).arg(file).arg("-lm");
    compiler.run(&mut command, file)?;
    // Moved into place whole, so that two who compile the same do not meet half a program.
    fs::rename(&result, &place).map_err(machine("keep a compiled program"))?;
    Ok((source, place))
}

/// A folder with these files of our own, named after what is in them.
pub(crate) fn unpacked(name: &str, files: &[(&str, &str)]) -> Result<PathBuf, Unusable> {
    let folder = cache()?;
    let key = blake3::hash(format!("{files:?}").as_bytes()).to_hex();
    let place = folder.join(format!("{name}-{}", &key[..16]));
    if place.exists() {
        return Ok(place);
    }
    let scratch = scratch(&folder)?;
    for (name, text) in files {
        let path = scratch.path().join(name);
        fs::write(path, text).map_err(machine("write a file to compile with"))?;
    }
    match fs::rename(scratch.keep(), &place) {
        // Somebody else may have been faster, with the same files.
        Err(error) if !place.exists() => Err(machine("keep files to compile with")(error)),
        _ => Ok(place),
    }
}

fn machine(doing: &str) -> impl Fn(io::Error) -> Unusable + '_ {
    move |error| Unusable::Machine(format!("{doing}: {error}"))
}

/// A folder to work in before what is made there is moved into place.
fn scratch(folder: &Path) -> Result<TempDir, Unusable> {
    tempfile::Builder::new()
        .prefix("compile-")
        .tempdir_in(folder)
        .map_err(machine("make a folder to compile in"))
}

/// The folder of compiled programs: the user's cache, or a place for temporary files.
fn cache() -> Result<PathBuf, Unusable> {
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(home);
    let folder = cache
        .filter(|folder| folder.is_absolute())
        .unwrap_or_else(std::env::temp_dir)
        .join("croupier/compiled");
    fs::create_dir_all(&folder).map_err(machine("make a folder for compiled programs"))?;
    Ok(folder)
}

/// The Python interpreter and the folders it lives in.
fn python() -> Result<(PathBuf, Vec<PathBuf>), Unusable> {
    let ask = "import sys; print(sys.executable); print(sys.base_prefix); print(sys.prefix)";
    let output = Command::new("python3")
        .args(["-c", ask])
        .output()
        .map_err(|error| Unusable::Machine(format!("run python3: {error}")))?;
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
