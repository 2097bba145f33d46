//! The arguments that several commands have in common.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ValueHint, value_parser};
use croupier_console::number_flag;
use croupier_core::{Entry, Seed};

/// The same players at a table at which empty seats are filled.
pub(crate) fn seated(players: Arg) -> Arg {
    let help = players.get_help().map(ToString::to_string);
    players.help(help.unwrap_or_default() + "; empty seats are filled with random")
}

/// Who plays, programs or not.
pub(crate) fn players_argument(entry: &Entry) -> Arg {
    let help = format!(
        "Built-in players ({}) and programs; put NAME= before a player to name it, json: before the \
         path of a program that speaks JSON lines",
        built_in(entry)
    );
    built_in_argument(entry)
        .value_hint(ValueHint::FilePath)
        .help(help)
}

/// Who plays where no programs do.
pub(crate) fn built_in_argument(entry: &Entry) -> Arg {
    Arg::new("player")
        .value_name("PLAYER")
        .num_args(0..)
        .help(format!(
            "Built-in players ({}); put NAME= before a player to name it",
            built_in(entry)
        ))
}

/// The names of the players that come with a game.
fn built_in(entry: &Entry) -> String {
    let names: Vec<_> = entry.players().into_iter().map(|(name, _)| name).collect();
    names.join(", ")
}

/// A program among as many others as sit at a table.
pub(crate) fn example_table(entry: &Entry) -> String {
    let others = vec!["random"; usual_seats(entry).saturating_sub(1)];
    [&[entry.profile.example_program], &others[..]]
        .concat()
        .join(" ")
}

/// How many sit at a table if nobody says otherwise.
pub(crate) fn usual_seats(entry: &Entry) -> usize {
    let defaults = entry.profile.options.iter().filter_map(|option| {
        let default = option.default?;
        Some((option.name.to_owned(), default.to_owned()))
    });
    let setup = entry.setup(&defaults.collect());
    let dealt = setup.and_then(|setup| entry.deal(&setup, Seed(0)));
    dealt.expect("a game can be dealt as it is").seats()
}

pub(crate) fn threads_flag() -> Arg {
    number_flag::<u16>("threads", 1..=1024)
        .help("How many threads to use; the results do not depend on it [default: all cores]")
}

/// The same where only one thing is done at a time: taken as everywhere, and changing nothing.
pub(crate) fn idle_threads_flag() -> Arg {
    threads_flag()
        .help("Accepted as in other commands, but without effect: decisions follow one another")
}

pub(crate) fn games_flag(default: &'static str) -> Arg {
    number_flag::<u64>("games", 1..=u64::MAX)
        .default_value(default)
        .help("How many games to play")
}

pub(crate) fn json_flag() -> Arg {
    Arg::new("json")
        .long("json")
        .action(ArgAction::SetTrue)
        .help("Print one JSON document and nothing else")
}

pub(crate) fn quiet_flag(help: &'static str) -> Arg {
    Arg::new("quiet")
        .long("quiet")
        .action(ArgAction::SetTrue)
        .help(help)
}

pub(crate) fn out_flag(help: &'static str) -> Arg {
    Arg::new("out")
        .long("out")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::DirPath)
        .help(help)
}
