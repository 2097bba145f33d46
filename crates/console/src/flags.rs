//! Flags: those of every program, and those that a game declares.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValue;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};
use croupier_core::{OptionKind, Options, Profile, Seed, SetupOption};

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
        return "something is missing; see --help".to_owned();
    }
    let text = error.render().to_string();
    let said: Vec<&str> = text
        .lines()
        .take_while(|line| !line.starts_with("Usage:"))
        .map(|line| line.trim().trim_start_matches("error: "))
        .filter(|line| !line.is_empty() && !line.starts_with("For more information"))
        .collect();
    let said = said.join(" ").replace("tip: ", "— ");
    match error.get(ContextKind::Usage) {
        Some(ContextValue::StyledStr(_)) => format!("{said}; see --help"),
        _ => said,
    }
}

/// The flag `--seed`.
pub fn seed_flag() -> Arg {
    Arg::new("seed")
        .long("seed")
        .value_name("N")
        .value_parser(value_parser!(u64))
        .help("The number that fixes all chance [default: drawn, and printed]")
}

/// The seed that was given, or one that is drawn now.
pub fn seed(matches: &ArgMatches) -> Result<Seed, Failure> {
    match matches.get_one::<u64>("seed") {
        Some(&seed) => Ok(Seed(seed)),
        None => {
            croupier_arena::drawn_seed().map_err(|error| Failure::machine("draw a seed", &error))
        }
    }
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
    let flag = Arg::new(option.name)
        .long(option.name)
        .help(option.help)
        .help_heading(format!("Options of {title}"));
    let flag = match &option.kind {
        OptionKind::OneOf(words) => flag.value_name("HOW").value_parser(
            words
                .iter()
                .map(|&(word, meaning)| PossibleValue::new(word).help(meaning))
                .collect::<Vec<_>>(),
        ),
        OptionKind::Number(range) => flag
            .value_name("N")
            .value_parser(value_parser!(u64).range(range.clone())),
        OptionKind::Text(name) | OptionKind::Scores(name) => flag.value_name(name),
        OptionKind::File => flag
            .value_name("FILE")
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::FilePath),
    };
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

fn contents(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| {
        Failure::Usage(format!("cannot read the file {}: {error}", path.display()))
    })
}
