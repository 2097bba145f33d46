//! The definition of the command line. Parser, help, man pages and completions all come from here.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Command, ValueHint, value_parser};
use clap_complete::Shell;
use croupier_console::{Failure, game_flags, seed_flag};
use croupier_core::Entry;
use croupier_games::GAMES;

use crate::style::BOLD;

/// What `croupier` alone prints.
pub(crate) fn guide() -> String {
    format!(
        "\
{BOLD}Croupier{BOLD:#}: the table, the referee and the scoreboard for card-playing programs.

Three commands to try:
  croupier games                           which games there are
  croupier rules war                       how one of them is played
  croupier simulate war --games 1000000    how long does a game of War take?

croupier --help tells the rest.
"
    )
}

/// The whole command line.
pub(crate) fn command() -> Command {
    Command::new("croupier")
        .version(env!("CARGO_PKG_VERSION"))
        .about("The table, the referee and the scoreboard for card-playing programs")
        .after_help(
            "Exit status: 0 done; 1 the answer is no; 2 usage or bad input; 3 the machine failed; \
             130 stopped by Ctrl-C.",
        )
        .subcommand_required(true)
        .subcommand(
            Command::new("games")
                .about("The games: seats, how programs take part, built-in players")
                .after_help("Example:\n  croupier games"),
        )
        .subcommand(
            Command::new("rules")
                .about("The rules of a game in brief, and how programs play it")
                .after_help("Example:\n  croupier rules war")
                .arg(
                    Arg::new("game")
                        .value_name("GAME")
                        .required(true)
                        .value_parser(GAMES.names().collect::<Vec<_>>())
                        .help("The game"),
                ),
        )
        .subcommand(simulate())
        .subcommand(
            Command::new("completions")
                .about("Prints the completions for a shell")
                .after_help(
                    "Example:\n  croupier completions bash > \
                     ~/.local/share/bash-completion/completions/croupier",
                )
                .arg(
                    Arg::new("shell")
                        .value_name("SHELL")
                        .required(true)
                        .value_parser(value_parser!(Shell))
                        .help("The shell"),
                ),
        )
        .subcommand(
            Command::new("man")
                .about("Writes the manual pages into a folder")
                .after_help("Example:\n  croupier man man1 && man -l man1/croupier-simulate.1")
                .arg(
                    Arg::new("folder")
                        .value_name("DIR")
                        .required(true)
                        .value_parser(value_parser!(PathBuf))
                        .value_hint(ValueHint::DirPath)
                        .help("The folder; it is made if it is not there"),
                ),
        )
}

/// `croupier simulate`, with a subcommand for each game, because each has options of its own.
fn simulate() -> Command {
    Command::new("simulate")
        .about("Plays many games as fast as the machine can, and counts")
        .after_help("Example:\n  croupier simulate war --games 1000000 --plot war.svg")
        .subcommand_value_name("GAME")
        .subcommand_help_heading("Games")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands(GAMES.0.iter().map(simulate_game))
}

fn simulate_game(entry: &'static Entry) -> Command {
    let profile = entry.profile;
    Command::new(profile.name)
        .about(format!("Plays many games of {}", profile.title))
        .after_help(format!(
            "Example:\n  croupier simulate {} --games 1000000",
            profile.name
        ))
        .arg(
            Arg::new("games")
                .long("games")
                .value_name("N")
                .default_value("100000")
                .value_parser(value_parser!(u64).range(1..))
                .help("How many games"),
        )
        .arg(
            Arg::new("plot")
                .long("plot")
                .value_name("FILE.svg")
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help("Write the histogram as a picture"),
        )
        .arg(seed_flag())
        .arg(
            Arg::new("threads")
                .long("threads")
                .value_name("N")
                .value_parser(value_parser!(u16).range(1..=1024))
                .help("How many threads play; the results are the same [default: all cores]"),
        )
        .arg(
            Arg::new("json")
                .long("json")
                .action(ArgAction::SetTrue)
                .help("Print one JSON document and nothing else"),
        )
        .arg(
            Arg::new("quiet")
                .long("quiet")
                .action(ArgAction::SetTrue)
                .help("No progress bar"),
        )
        .args(game_flags(profile))
}

/// A word where a game should stand is told which games there are, not that it is no subcommand.
pub(crate) fn reject_unknown_game(arguments: &[OsString]) -> Result<(), Failure> {
    let [_, command, game, ..] = arguments else {
        return Ok(());
    };
    let takes_a_game = ["rules", "simulate"].iter().any(|name| command == name);
    let game = game.to_string_lossy();
    if !takes_a_game || game.starts_with('-') || GAMES.find(&game).is_some() {
        return Ok(());
    }
    let games: Vec<_> = GAMES.names().collect();
    Err(Failure::Usage(format!(
        "there is no game '{game}'; the games are: {}",
        games.join(", ")
    )))
}
