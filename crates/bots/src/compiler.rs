//! Compiling: a source is as foreign as the program that it becomes.
//!
//! A compiler does what its input says: it reads any file that the source names, waits for a pipe,
//! and takes time, memory and disk without end. So it is minded like a bot, with limits of its own
//! in every tier. It works in a folder of its own with copies of the program's files; in the
//! strictest tier it can read nothing else but the system's headers and libraries.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use croupier_core::quoted;

use crate::bot::{Bot, House, Run};
use crate::cache::{keep, library, place, runs_programs, unpacked};
use crate::fault::blame;
use crate::folder::{self, Folder, Left};
use crate::minder::{HowEnded, SYSTEM};
use crate::own::{OwnFiles, without_dots};
use crate::program::{Program, Unusable};
use crate::{Silence, Tier, template};

/// A language whose sources are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cpp,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 2] = [Language::C, Language::Cpp];

    /// The language of a source file, by the end of its name.
    pub fn of(source: &Path) -> Option<Language> {
        match source.extension()?.to_str()? {
            "c" => Some(Language::C),
            "cpp" | "cc" | "cxx" | "c++" => Some(Language::Cpp),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Language::C => "C",
            Language::Cpp => "C++",
        }
    }

    /// The variable that names a compiler, and the usual one.
    fn compiler(self) -> (&'static str, &'static str) {
        match self {
            Language::C => ("CC", "cc"),
            Language::Cpp => ("CXX", "c++"),
        }
    }

    /// What the compiler calls it.
    pub(crate) fn option(self) -> &'static str {
        match self {
            Language::C => "c",
            Language::Cpp => "c++",
        }
    }

    /// Where this machine's compiler is, or what to do about it, or about the place for what it makes.
    pub fn compiler_here(self) -> Result<PathBuf, Unusable> {
        let compiler = Compiler::of(self)?;
        runs_programs()?;
        Ok(PathBuf::from(&compiler.words[0]))
    }
}

/// The names of files in the folder in which the compiler works: files of ours, the object, the result,
/// and the list of what the compiler has read.
const HEADERS: &str = ".croupier";
const OBJECT: &str = ".croupier-object";
const RESULT: &str = ".croupier-program";
const HAS_READ: &str = ".croupier-read";

/// How much is shown of what a compiler says: the last lines. And how many of the files that the
/// source asks for and is not given.
const LINES: usize = 40;
const LETTERS: usize = 200;
const STRANGERS: usize = 10;

/// What is compiled, and how.
pub(crate) struct Work<'a> {
    pub(crate) own: &'a OwnFiles,
    pub(crate) language: Language,
    /// Flags of ours.
    pub(crate) flags: &'a [&'a str],
    /// Headers of ours that the source may include, with their texts.
    pub(crate) headers: &'a [(&'a str, &'a str)],
}

impl Work<'_> {
    /// Compiles the source to what its flags say, unless the same files were compiled the same way
    /// before.
    pub(crate) fn done(&self, house: &House) -> Result<PathBuf, Unusable> {
        let compiler = Compiler::of(self.language)?;
        let house = compiling(house);
        let place = place(&self.own.source, &self.way(&compiler, &house, ""))?;
        runs_programs()?;
        if !place.exists() {
            let mut bench = self.bench(&compiler, &house)?;
            let source = [
                self.option_for_source(),
                vec!["-o".to_owned(), RESULT.to_owned()],
            ];
            bench.run(&[source.concat(), self.source(), words(&["-lm"])].concat())?;
            bench.check_what_was_read()?;
            keep(&bench.made(RESULT)?, &place)?;
        }
        Ok(place)
    }

    /// Compiles the source to a program, unless the same files were compiled the same way before; tells
    /// whether the program can be forked from a template.
    pub(crate) fn program(&self, house: &House) -> Result<(PathBuf, bool), Unusable> {
        let compiler = Compiler::of(self.language)?;
        let house = compiling(house);
        let place = place(
            &self.own.source,
            &self.way(&compiler, &house, template::PIECE),
        )?;
        runs_programs()?;
        let with_piece = place.with_extension("template");
        if with_piece.exists() {
            return Ok((with_piece, true));
        }
        if place.exists() {
            return Ok((place, false));
        }
        let mut bench = self.bench(&compiler, &house)?;
        let compile = [self.option_for_source(), words(&["-c", "-o", OBJECT])];
        bench.run(&[compile.concat(), self.source()].concat())?;
        bench.check_what_was_read()?;
        if let Some(program) = bench.linked_with_piece()? {
            keep(&program, &with_piece)?;
            return Ok((with_piece, true));
        }
        bench.run(&words(&["-o", RESULT, OBJECT, "-lm"]))?;
        keep(&bench.made(RESULT)?, &place)?;
        Ok((place, false))
    }

    /// What of all this makes it another program.
    pub(crate) fn how(&self) -> String {
        format!("{} {}", self.language.option(), self.flags.join(" "))
    }

    /// What of all this makes another file of it.
    fn way(&self, compiler: &Compiler, house: &House, piece: &str) -> String {
        // What was compiled in a looser tier may hold what a stricter one keeps from it.
        format!(
            "{} {} {:?} {:?} {:?} {:?} {piece}",
            self.own.hash(&self.how()),
            house.tier,
            self.option_for_source(),
            self.headers,
            compiler.words,
            compiler.versions
        )
    }

    fn option_for_source(&self) -> Vec<String> {
        let language = self.language.option();
        words(&["-x", language, "-I", HEADERS, "-MD", "-MF", HAS_READ])
    }

    fn source(&self) -> Vec<String> {
        // A name that begins with a dot and a slash is never taken for an option.
        let source = Path::new(".").join(&self.own.source);
        vec![source.to_string_lossy().into_owned()]
    }

    /// A place to compile in, with the program's files.
    fn bench<'a>(
        &'a self,
        compiler: &'a Compiler,
        house: &'a House,
    ) -> Result<Bench<'a>, Unusable> {
        let words = compiler.words.iter().map(PathBuf::from);
        let command = words.chain(self.flags.iter().map(PathBuf::from));
        let mut program = Program::tool(command.collect(), compiler.readable());
        program.environment = vec![
            // Or else a program that tells when it was compiled is another one every time.
            ("SOURCE_DATE_EPOCH".to_owned(), "0".to_owned()),
            ("TMPDIR".to_owned(), ".".to_owned()),
            // It has a place of its own for what it keeps, and may not write there.
            ("CCACHE_DISABLE".to_owned(), "1".to_owned()),
        ];
        let bench = Bench {
            work: self,
            compiler,
            house,
            bot: Bot::take_on_in(Folder::Own, program, house)?,
        };
        let own = self.own.files.iter();
        let own = own.map(|(name, text)| (name.clone(), text.as_slice()));
        let ours = self.headers.iter();
        let ours = ours.map(|(name, text)| (Path::new(HEADERS).join(name), text.as_bytes()));
        for (name, text) in own.chain(ours) {
            bench.put(&name, text)?;
        }
        // Arguments are text; a file need not have a name that is.
        if self.own.source.to_str().is_none()
            && let Some(text) = self.own.files.get(&self.own.source)
        {
            bench.put(Path::new(&self.source()[0]), text)?;
        }
        Ok(bench)
    }

    fn refused(&self, said: String) -> Unusable {
        Unusable::Compile {
            path: self.own.path.clone(),
            said,
        }
    }

    /// What a compiler says that has not succeeded: why it was stopped, if it was, and the end of
    /// its own words, in which files have the names that their author knows.
    fn said(&self, run: &Run, house: &House) -> String {
        let limits = &house.limits;
        let mut words = run.errors.text();
        for name in self.own.files.keys() {
            let place = self.own.path.with_file_name(name);
            words = words.replace(
                &format!("./{}:", name.display()),
                &format!("{}:", place.display()),
            );
        }
        let lines: Vec<&str> = words
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let left_out = lines.len().saturating_sub(LINES);
        let mut said: Vec<String> = Vec::new();
        if left_out > 0 {
            said.push(format!("[… {left_out} lines left out …]"));
        }
        said.extend(lines[left_out..].iter().map(|line| quoted(line, LETTERS)));
        let ended = run.ended.as_ref();
        let by_itself = matches!(ended.map(|ended| ended.how), Some(HowEnded::Status(_)));
        if run.silence.is_some() || !by_itself {
            let foul = blame(run.silence.as_ref(), ended, limits, limits.decision, "");
            said.push(format!("the compiler was stopped: {}", foul.detail));
        }
        let strangers = self.own.strangers.iter().take(STRANGERS);
        said.extend(strangers.map(|stranger| format!("note: {}", quoted(stranger, LETTERS))));
        said.join("\n")
    }
}

/// What we have made of a program's own files and keep among what is compiled, where anybody may clear up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Made {
    /// A program, compiled with these flags.
    Program(Arc<OwnFiles>, Language, Vec<String>),
    /// Something else, compiled with these flags and headers of ours.
    Object(Arc<OwnFiles>, Language, Vec<String>, Headers),
    /// A folder with copies.
    Copies(Arc<OwnFiles>),
}

/// Headers of ours, with their texts.
pub(crate) type Headers = &'static [(&'static str, &'static str)];

impl Made {
    /// Makes it once more, if it is gone.
    pub(crate) fn again(&self, house: &House) -> Result<(), Unusable> {
        let (own, language, flags, headers): (_, _, _, Headers) = match self {
            Made::Program(own, language, flags) => (own, language, flags, &[]),
            Made::Object(own, language, flags, headers) => (own, language, flags, headers),
            Made::Copies(own) => {
                library();
                return unpacked(own).map(drop);
            }
        };
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let work = Work {
            own,
            language: *language,
            flags: &flags,
            headers,
        };
        match self {
            Made::Program(..) => work.program(house).map(drop),
            _ => work.done(house).map(drop),
        }
    }
}

/// How a compiler is held: limits hold for it even where the program is trusted.
fn compiling(house: &House) -> House {
    House {
        tier: match house.tier {
            Tier::None | Tier::Limits => Tier::Limits,
            Tier::Strict => Tier::Strict,
        },
        limits: house.compiling.clone(),
        ..house.clone()
    }
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Where a source is compiled: a compiler that is minded, in a folder with the program's files.
struct Bench<'a> {
    work: &'a Work<'a>,
    compiler: &'a Compiler,
    house: &'a House,
    bot: Bot,
}

impl Bench<'_> {
    fn put(&self, name: &Path, text: &[u8]) -> Result<(), Unusable> {
        let place = self.bot.place_of(name);
        let put = place.and_then(|place| folder::put(&place, text));
        put.map_err(|error| match folder::is_scarcity(&error) {
            true => self.machine(&error),
            // Such as a path that is too long: the author's choice.
            false => {
                let name = quoted(&name.to_string_lossy(), LETTERS);
                self.work.refused(format!("{name} cannot be used: {error}"))
            }
        })
    }

    fn machine(&self, error: &dyn std::fmt::Display) -> Unusable {
        Unusable::Machine(format!("compile {}: {error}", self.work.own.path.display()))
    }

    /// Runs the compiler with these arguments after the usual ones; it must succeed.
    fn run(&mut self, arguments: &[String]) -> Result<Run, Unusable> {
        let run = self.bot.run(arguments, b"", self.house.limits.decision);
        let run = run.map_err(|error| self.machine(&error))?;
        match &run.silence {
            Some(Silence::Interrupted) => return Err(Unusable::Interrupted),
            Some(Silence::NotStarted(reason)) => return Err(self.machine(reason)),
            // No source can do that.
            Some(silence @ Silence::KilledItsMinder) => return Err(self.machine(silence)),
            _ => {}
        }
        let succeeded = run.silence.is_none()
            && run.ended.as_ref().map(|ended| ended.how) == Some(HowEnded::Status(0));
        match succeeded {
            true => Ok(run),
            false => Err(self.work.refused(self.work.said(&run, self.house))),
        }
    }

    /// All that the compiler has read is the program's own or the system's.
    fn check_what_was_read(&mut self) -> Result<(), Unusable> {
        let most = self.house.limits.output;
        let read = folder::take_back(&self.bot.folder().join(HAS_READ), most);
        let Left::Contents(list) = read else {
            let said = "it includes so much that the list of it cannot be read";
            return Err(self.work.refused(said.to_owned()));
        };
        let list = String::from_utf8_lossy(&list);
        let mut places = self.compiler.places();
        let mut stranger = stranger_in(&list, &places);
        if stranger.is_some() {
            // The system's headers may be anywhere.
            places.extend(self.places_of_headers()?);
            stranger = stranger_in(&list, &places);
        }
        match stranger {
            Some(stranger) => Err(self.work.refused(format!(
                "it includes {}, which is neither in its own folder nor the system's",
                quoted(stranger, LETTERS)
            ))),
            None => Ok(()),
        }
    }

    /// Where the compiler looks for headers by itself. It lists these places, one a line after a blank.
    fn places_of_headers(&mut self) -> Result<Vec<PathBuf>, Unusable> {
        let nothing = format!("{HEADERS}/nothing.c");
        self.put(Path::new(&nothing), template::NOTHING.as_bytes())?;
        let ask = ["-x", self.work.language.option(), "-E", "-v", &nothing];
        let run = self.run(&words(&ask))?;
        let text = run.errors.text();
        let places = text.lines().filter_map(|line| line.strip_prefix(" /"));
        let places = places.filter_map(|place| fs::canonicalize(format!("/{place}")).ok());
        Ok(places.filter(|place| place.is_dir()).collect())
    }

    /// What the compiler has made under this name.
    fn made(&self, name: &str) -> Result<Vec<u8>, Unusable> {
        let most = self.house.limits.file_size as usize;
        match folder::take_back(&self.bot.folder().join(name), most) {
            Left::Contents(made) => Ok(made),
            _ => {
                let said = "the compiler has left no program".to_owned();
                Err(self.work.refused(said))
            }
        }
    }

    /// The program, if it fits into a template and can be linked with what makes one of it.
    fn linked_with_piece(&mut self) -> Result<Option<Vec<u8>>, Unusable> {
        let mut flags = self.work.flags.iter();
        if flags.any(|flag| flag.starts_with("-fsanitize")) {
            return Ok(None);
        }
        let file = |name: &str| format!("{HEADERS}/{name}");
        let (piece, nothing) = (file("template.c"), file("nothing.c"));
        self.put(Path::new(&piece), template::PIECE.as_bytes())?;
        self.put(Path::new(&nothing), template::NOTHING.as_bytes())?;
        // The linker warns of what does not work as usual when it is linked statically. All that is only read
        // is to fill huge pages of its own.
        let linked = [
            "-static",
            "-Wl,--fatal-warnings",
            "-Wl,-z,max-page-size=0x200000,-z,noseparate-code,-z,norelro",
            "-ffreestanding",
            "-fno-stack-protector",
        ];
        let linked = [&linked[..], &["-o", RESULT, "-x", "c", &piece]].concat();
        let Some(bare) = self.linked(&[&linked[..], &[&nothing]].concat())? else {
            return Ok(None);
        };
        let beginning = template::names(&bare).unwrap_or_default();
        match template::fits(&self.made(OBJECT)?, &beginning) {
            true => self.linked(&[&linked[..], &["-x", "none", OBJECT]].concat()),
            false => Ok(None),
        }
    }

    /// What these arguments make, if they can be linked.
    fn linked(&mut self, arguments: &[&str]) -> Result<Option<Vec<u8>>, Unusable> {
        match self.run(&words(&[arguments, &["-lm"]].concat())) {
            Ok(_) => self.made(RESULT).map(Some),
            Err(Unusable::Compile { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// A compiler of this machine.
struct Compiler {
    /// Its place; flags may follow, or another compiler: `ccache gcc`.
    words: Vec<OsString>,
    /// What changes when one of the words comes to mean another program: sizes and times.
    versions: Vec<(u64, i64)>,
}

impl Compiler {
    fn of(language: Language) -> Result<Compiler, Unusable> {
        let (variable, usual) = language.compiler();
        let name = std::env::var(variable).ok();
        let name = name.filter(|name| !name.trim().is_empty());
        let name = name.unwrap_or(usual.to_owned());
        let mut words: Vec<OsString> = name.split_whitespace().map(OsString::from).collect();
        let missing = || {
            Unusable::Machine(format!(
                "compile {}: there is no compiler '{name}' on this machine; install one, or name \
                 one in the variable {variable}",
                language.name()
            ))
        };
        let first = words.first_mut().ok_or_else(missing)?;
        *first = on_the_path(first).ok_or_else(missing)?.into_os_string();
        let programs = words.iter().filter_map(|word| on_the_path(word));
        let versions = programs.filter_map(|program| {
            let file = fs::metadata(program).ok()?;
            Some((file.size(), file.mtime()))
        });
        let versions = versions.collect();
        Ok(Compiler { words, versions })
    }

    /// What it needs to read that may lie outside of the system's folders: what it was installed
    /// with, and the folders that its flags name.
    fn readable(&self) -> Vec<PathBuf> {
        let program = fs::canonicalize(&self.words[0]).ok();
        let prefix = program
            .iter()
            .filter_map(|program| program.parent()?.parent());
        let parts = ["bin", "include", "lib", "lib32", "lib64", "libexec"];
        let installed = prefix.flat_map(|prefix| parts.map(|part| prefix.join(part)));
        let named = self.named_folders();
        program
            .iter()
            .cloned()
            .chain(installed)
            .chain(named)
            .collect()
    }

    /// The folders in flags such as `-I/opt/course/include`.
    fn named_folders(&self) -> Vec<PathBuf> {
        let flags = self.words[1..].iter().filter_map(|word| word.to_str());
        let begin = ["-I", "-isystem", "-L", "-B", "--sysroot="];
        let path = |flag: &str| {
            let path = begin.iter().find_map(|begin| flag.strip_prefix(begin));
            PathBuf::from(path.unwrap_or(flag))
        };
        let paths = flags.map(path);
        paths
            .filter(|path| path.is_absolute() && path.is_dir())
            .collect()
    }

    /// Where the files lie that every program may include: the system's, what the compiler was
    /// installed with, and what it was told of.
    fn places(&self) -> Vec<PathBuf> {
        let system = SYSTEM.iter().map(PathBuf::from);
        let places = system.chain(self.readable());
        places
            .filter_map(|place| fs::canonicalize(place).ok())
            .collect()
    }
}

/// A file in a list of those that were read, in the form of a makefile, that is neither in the folder
/// of the compiler nor in one of these places. All are listed: a source can say of any file that it is
/// the system's (`#pragma GCC system_header`). A name with a blank is taken for several, and refused
/// if one of them leads out.
fn stranger_in<'a>(list: &'a str, places: &[PathBuf]) -> Option<&'a str> {
    let (_, names) = list.split_once(": ")?;
    let is_strange = |name: &&str| {
        let path = Path::new(name);
        if path.is_relative() {
            return without_dots(path).is_none();
        }
        let file = fs::canonicalize(path);
        !file.is_ok_and(|file| places.iter().any(|place| file.starts_with(place)))
    };
    names.split_whitespace().find(is_strange)
}

/// The program that this word starts in a shell.
fn on_the_path(word: &OsStr) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| {
        let file = fs::metadata(path);
        file.is_ok_and(|file| file.is_file() && file.mode() & 0o111 != 0)
    };
    if Path::new(word).components().count() > 1 {
        return std::path::absolute(word).ok().filter(is_program);
    }
    let path = std::env::var_os("PATH")?;
    let places = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    places.map(|folder| folder.join(word)).find(is_program)
}
