//! Flags: those of every program, and those that a game declares.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read as _;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use croupier_core::{OptionKind, Options, Profile, Seed, SetupOption, encoding_trouble};

use crate::{Failure, print};

/// Reads the command line. Help and version go to the standard output; an error becomes one line.
pub fn parse(
    command: &mut Command,
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<Option<ArgMatches>, Failure> {
    match command.try_get_matches_from_mut(arguments) {
        Ok(matches) => Ok(Some(matches)),
        Err(error) if error.use_stderr() => Err(Failure::Usage(one_line(&error))),
        Err(help) => print(&help.render().ansi().to_string()).map(|()| None),
    }
}

/// What clap says in several lines, in one: what was wrong, what would be right, where to look.
fn one_line(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "a command or an argument is missing; see --help".to_owned();
    }
    let text = error.render().to_string();
    let said: Vec<&str> = text
        .lines()
        .take_while(|line| !line.starts_with("Usage:"))
        .map(|line| line.trim().trim_start_matches("error: "))
        .filter(|line| !line.is_empty() && !line.starts_with("For more information"))
        // A word with a dash in front of it is never meant as a value here.
        .filter(|line| !line.starts_with("tip: to pass '"))
        .collect();
    let said = said.join(" ").replace("tip: ", "— ");
    match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(_)) => format!("{said}; see --help"),
        _ => said,
    }
}

/// A flag that takes a whole number in this range. Whatever stands there instead, also a negative
/// number, is told what would be right.
pub fn number_flag<N>(name: &'static str, range: RangeInclusive<u64>) -> Arg
where
    N: TryFrom<u64> + Clone + Send + Sync + 'static,
{
    let read = move |text: &str| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| N::try_from(number).ok());
        let (least, most) = (range.start(), range.end());
        number.ok_or_else(|| format!("it must be a whole number from {least} to {most}"))
    };
    Arg::new(name)
        .long(name)
        .value_name("N")
        .allow_hyphen_values(true)
        .value_parser(read)
}

/// The flag `--seed`.
pub fn seed_flag() -> Arg {
    number_flag::<u64>("seed", 0..=u64::MAX)
        .help("The seed of all randomness [default: drawn at random, and printed]")
}

/// The seed that was given, or one that is drawn now.
pub fn seed(matches: &ArgMatches) -> Result<Seed, Failure> {
    match matches.get_one::<u64>("seed") {
        Some(&seed) => Ok(Seed(seed)),
        None => drawn_seed(),
    }
}

/// A seed that nobody has chosen, from the machine's own chance; below 2^48, so that it is easily
/// typed again.
fn drawn_seed() -> Result<Seed, Failure> {
    let bits = getrandom::u64().map_err(|error| {
        let error = std::io::Error::other(error.to_string());
        Failure::machine("draw a seed", &error)
    })?;
    Ok(Seed(bits >> 16))
}

/// The flags for the options that a game declares.
pub fn game_flags(profile: &'static Profile) -> impl Iterator<Item = Arg> {
    let options = profile.options.iter();
    options.map(|option| game_flag(profile.title, option))
}

/// The same for a contest.
pub fn contest_flags(profile: &'static Profile) -> impl Iterator<Item = Arg> {
    open_in_contests(profile).map(|option| game_flag(profile.title, option))
}

/// A contest counts itself what the players bring from the games before.
fn open_in_contests(profile: &'static Profile) -> impl Iterator<Item = &'static SetupOption> {
    let options = profile.options.iter();
    options.filter(|option| !matches!(option.kind, OptionKind::Scores(_)))
}

fn game_flag(title: &str, option: &'static SetupOption) -> Arg {
    let flag = || Arg::new(option.name).long(option.name);
    let flag = match &option.kind {
        OptionKind::OneOf(words) => flag().value_name("HOW").value_parser(
            words
                .iter()
                .map(|&(word, meaning)| PossibleValue::new(word).help(meaning))
                .collect::<Vec<_>>(),
        ),
        OptionKind::Number(range) => number_flag::<u64>(option.name, range.clone()),
        OptionKind::Text(name) | OptionKind::Scores(name) => flag().value_name(name),
        OptionKind::File => flag()
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::FilePath),
    };
    let flag = flag
        .help(option.help)
        .help_heading(format!("Options for {title}"));
    match option.default {
        Some(default) => flag.default_value(default),
        None => flag,
    }
}

/// The options of a game as they were given; files are read here.
pub fn game_options(profile: &'static Profile, matches: &ArgMatches) -> Result<Options, Failure> {
    given(profile.options.iter(), matches)
}

/// The same for a contest.
pub fn contest_options(
    profile: &'static Profile,
    matches: &ArgMatches,
) -> Result<Options, Failure> {
    given(open_in_contests(profile), matches)
}

fn given(
    options: impl Iterator<Item = &'static SetupOption>,
    matches: &ArgMatches,
) -> Result<Options, Failure> {
    let mut given = Options::new();
    for option in options {
        let name = option.name;
        let value = match option.kind {
            OptionKind::OneOf(_) | OptionKind::Text(_) | OptionKind::Scores(_) => {
                matches.get_one::<String>(name).cloned()
            }
            OptionKind::Number(_) => matches.get_one::<u64>(name).map(u64::to_string),
            OptionKind::File => {
                let path = matches.get_one::<PathBuf>(name);
                path.map(|path| contents(path)).transpose()?
            }
        };
        given.extend(value.map(|value| (name.to_owned(), value)));
    }
    Ok(given)
}

/// No deck, record or contest is longer, but a device may have no end.
const LONGEST: u64 = 256 << 20;

/// The text in a file, or why there is none.
pub fn text_file(path: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST).read_to_end(&mut bytes));
    let length = read.map_err(|error| error.to_string())?;
    if length as u64 == LONGEST {
        return Err(format!("it has more than {} MiB", LONGEST >> 20));
    }
    String::from_utf8(bytes).map_err(|error| {
        let trouble = encoding_trouble(error.as_bytes());
        trouble.unwrap_or("it is not written in UTF-8").to_owned()
    })
}

fn contents(path: &Path) -> Result<String, Failure> {
    text_file(path).map_err(|reason| {
        Failure::Usage(format!("cannot read the file {}: {reason}", path.display()))
    })
}
