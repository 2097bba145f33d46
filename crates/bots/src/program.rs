//! From what a person names to what can be run: executables, scripts, C files.

use std::ffi::OsStr;
use std::fmt::Debug;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A program that can be started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The file that the person named.
    pub source: PathBuf,
    /// What is started.
    pub command: Vec<PathBuf>,
    /// What it needs to read: itself, its interpreter.
    pub readable: Vec<PathBuf>,
    /// The hash of the file: the same program has the same.
    pub hash: String,
    /// None for a name that is looked up when it is started.
    stamp: Option<Stamp>,
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
    /// Reads a file. A name without a slash is a file in this folder.
    pub(crate) fn read(path: &Path) -> Result<Source, Unusable> {
        let unusable = |error| Unusable::File {
            path: path.to_owned(),
            error,
        };
        let text = fs::read(path).map_err(unusable)?;
        Ok(Source {
            path: fs::canonicalize(path).map_err(unusable)?,
            hash: blake3::hash(&text).to_hex().to_string(),
        })
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
        let unusable = |error| Unusable::File {
            path: path.to_owned(),
            error,
        };
        let source = Source::read(path)?;
        let file = &source.path;
        let (command, mut readable) = match file.extension().and_then(|end| end.to_str()) {
            Some("c") => (vec![compile(&source, flags)?], vec![]),
            Some("py") => {
                let (python, home) = python()?;
                (vec![python, file.clone()], home)
            }
            _ => {
                let mode = fs::metadata(file).map_err(unusable)?.mode();
                if mode & 0o111 == 0 {
                    let error = io::Error::other("it is not executable (chmod +x)");
                    return Err(unusable(error));
                }
                (vec![file.clone()], vec![])
            }
        };
        readable.extend(command.iter().cloned());
        Program::new(source, command, readable)
    }

    /// A program that is started with this command, the last word of which is the file that makes
    /// it what it is.
    pub(crate) fn new(
        source: Source,
        command: Vec<PathBuf>,
        readable: Vec<PathBuf>,
    ) -> Result<Program, Unusable> {
        let run = command.last().unwrap_or(&source.path);
        let stamp = Stamp::of(run).map_err(|error| Unusable::File {
            path: run.clone(),
            error,
        })?;
        Ok(Program {
            stamp: Some(stamp),
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
            stamp: None,
        }
    }

    /// Whether the program is still what it was when it was prepared. A bot could write into its
    /// own file between two decisions.
    pub(crate) fn is_unchanged(&self) -> bool {
        let run = self.command.last().unwrap_or(&self.source);
        let now = || Stamp::of(run).ok();
        self.stamp.is_none() || self.stamp == now()
    }
}

/// Compiles a C file, unless the same file was compiled the same way before.
pub(crate) fn compile<F: AsRef<OsStr> + Debug>(
    source: &Source,
    flags: &[F],
) -> Result<PathBuf, Unusable> {
    let compiler = std::env::var("CC").unwrap_or("cc".to_owned());
    let key = blake3::hash(format!("{} {compiler} {flags:?}", source.hash).as_bytes()).to_hex();
    let folder = cache()?;
    let stem = source.path.file_stem().unwrap_or_default();
    let place = folder.join(format!("{}-{}", stem.to_string_lossy(), &key[..16]));
    if place.exists() {
        return Ok(place);
    }
    let scratch = scratch(&folder)?;
    let result = scratch.path().join("program");
    let output = Command::new(&compiler)
        .args(flags)
        .arg("-o")
        .arg(&result)
        .arg(&source.path)
        .arg("-lm")
        .output()
        .map_err(machine(&format!("run the C compiler '{compiler}'")))?;
    if !output.status.success() {
        return Err(Unusable::Compile {
            path: source.path.clone(),
            said: String::from_utf8_lossy(&output.stderr)
                .trim_end()
                .to_owned(),
        });
    }
    // Moved into place whole, so that two who compile the same do not meet half a program.
    fs::rename(&result, &place).map_err(machine("keep a compiled program"))?;
    Ok(place)
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
