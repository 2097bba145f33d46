//! The definition of the command line. Parser, help, man pages and completions all come from here.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use clap_complete::Shell;
use croupier_arena::{Anchor, RankBy};
use croupier_bots::Tier;
use croupier_console::{Failure, contest_flags, game_flags, number_flag, seed_flag};
use croupier_core::{Entry, Options, Profile};
use croupier_games::GAMES;

use crate::arguments::{
    built_in_argument, example_program, example_table, games_flag, idle_threads_flag, json_flag,
    out_flag, players_argument, quiet_flag, seated, threads_flag,
};
use crate::style::BOLD;
use crate::{check, house, table};

/// What `croupier` alone prints.
pub(crate) fn guide() -> String {
    format!(
        "\
{BOLD}Croupier{BOLD:#}: the table, the referee and the scoreboard for card-playing programs.

Three commands to try:
  croupier games                           which games there are
  croupier rules war                       how one of them is played
  croupier match austerity shenzi banzai   a game, told move by move

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
                .after_help("Example:\n  croupier games")
                .arg(json_flag()),
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
        .subcommand(play_match())
        .subcommand(play())
        .subcommand(compare())
        .subcommand(tournament())
        .subcommand(check())
        .subcommand(replay())
        .subcommand(
            Command::new("repro")
                .about("Runs the one decision in which a program failed again")
                .after_help("Example:\n  croupier repro results 3-1")
                .arg(
                    Arg::new("folder")
                        .value_name("DIR")
                        .required(true)
                        .value_parser(value_parser!(PathBuf))
                        .value_hint(ValueHint::DirPath)
                        .help("The folder that match --out or tournament --out has written"),
                )
                .arg(
                    Arg::new("fault")
                        .value_name("FAULT-ID")
                        .required(true)
                        .help("The fault, as the match or the report names it"),
                )
                .arg(json_flag()),
        )
        .subcommand(
            Command::new("doctor")
                .about(
                    "What this machine can enforce for untrusted programs, and what it can compile",
                )
                .after_help("Example:\n  croupier doctor")
                .arg(json_flag()),
        )
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

/// A command that is followed by one of these games, because each has options of its own.
fn by_game(
    command: Command,
    games: impl Iterator<Item = &'static Entry>,
    of_game: fn(&'static Entry) -> Command,
) -> Command {
    command
        .subcommand_value_name("GAME")
        .subcommand_help_heading("Games")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands(games.map(of_game))
}

/// The games in which something is decided.
fn with_decisions() -> impl Iterator<Item = &'static Entry> {
    table::HOSTED.iter().filter_map(|name| GAMES.find(name))
}

/// `croupier simulate`.
fn simulate() -> Command {
    by_game(
        Command::new("simulate")
            .about("Plays many games as fast as the machine can, and counts")
            .after_help("Example:\n  croupier simulate war --games 1000000 --plot war.svg"),
        GAMES.0.iter(),
        simulate_game,
    )
}

fn simulate_game(entry: &'static Entry) -> Command {
    let profile = entry.profile;
    let command = Command::new(profile.name)
        .about(format!("Plays many games of {}", profile.title))
        .after_help(format!(
            "Example:\n  croupier simulate {} --games 1000000",
            profile.name
        ))
        .arg(games_flag("100000"))
        .arg(seed_flag())
        .arg(threads_flag())
        .arg(json_flag())
        .arg(quiet_flag("No progress bar"))
        .args(game_flags(profile));
    if profile.decisions {
        return command.arg(seated(built_in_argument(entry)));
    }
    command.arg(
        Arg::new("plot")
            .long("plot")
            .value_name("FILE.svg")
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::FilePath)
            .help("Write the histogram as a picture"),
    )
}

/// `croupier match`.
fn play_match() -> Command {
    by_game(
        Command::new("match")
            .about("Plays a game, or some, between players of every kind, told move by move")
            .after_help(
                "Example:\n  croupier match austerity shenzi ./mybot json:bot.py --out results",
            ),
        with_decisions(),
        |entry| {
            let profile = entry.profile;
            Command::new(profile.name)
                .about(format!("Plays {}", profile.title))
                .after_help(format!(
                    "Example:\n  croupier match {} {} --games 10 --out results",
                    profile.name,
                    example_program(entry)
                ))
                .arg(seated(players_argument(entry)))
                .arg(games_flag("1"))
                .arg(out_flag(
                    "Keep records and faults in this folder, in place of an earlier match's",
                ))
                .arg(seed_flag())
                .arg(idle_threads_flag())
                .arg(json_flag())
                .arg(quiet_flag("Do not tell every move"))
                .arg(
                    Arg::new("explain")
                        .long("explain")
                        .action(ArgAction::SetTrue)
                        .conflicts_with_all(["json", "quiet"])
                        .help("Tell also what players who weigh their moves think of them"),
                )
                .args(game_flags(profile))
                .args(house::flags(Tier::Limits))
        },
    )
}

/// `croupier play`.
fn play() -> Command {
    by_game(
        Command::new("play")
            .about("You play in the terminal")
            .after_help(
                "At the prompt help tells what can be typed, hint asks the expert, quit leaves.\n\n\
                 Example:\n  croupier play intensity --against careful,careful,expert",
            ),
        with_decisions(),
        |entry| {
            let profile = entry.profile;
            let opponents = table::opponents(profile.name).join(", ");
            Command::new(profile.name)
                .about(format!("You play {}", profile.title))
                .after_help(format!("Example:\n  croupier play {}", profile.name))
                .arg(
                    Arg::new("against")
                        .long("against")
                        .value_name("PLAYER,…")
                        .value_delimiter(',')
                        .help(format!(
                            "Who else plays, as for match; empty seats are filled with {opponents}"
                        )),
                )
                .arg(games_flag("1"))
                .arg(seed_flag())
                .arg(idle_threads_flag())
                .arg(quiet_flag("Do not tell what the others play"))
                .args(game_flags(profile))
                .args(house::flags(Tier::Limits))
        },
    )
}

/// `croupier compare`.
fn compare() -> Command {
    by_game(
        Command::new("compare")
            .about(
                "Which of two players is better? Stops when that is clear, and says how sure it is",
            )
            .after_help("Example:\n  croupier compare intensity ./mybot careful"),
        with_decisions(),
        |entry| {
            let profile = entry.profile;
            Command::new(profile.name)
            .about(format!("Compares two players of {}", profile.title))
            .long_about(format!(
                "Compares two players of {}. Every deal is played with A in each seat in turn and \
                 B in all others.",
                profile.title
            ))
            .after_help(format!(
                "Example:\n  croupier compare {} {} random --games 1000",
                profile.name,
                example_program(entry)
            ))
            .arg(
                players_argument(entry)
                    .value_names(["A", "B"])
                    .num_args(2)
                    .required(true),
            )
            .arg(games_flag("10000").help("How many games at most, if it is not clear before"))
            .arg(
                Arg::new("rank-by")
                    .long("rank-by")
                    .value_name("points|score")
                    .value_parser(value_parser!(RankBy))
                    .default_value("points")
                    .help("Decide by points for places, or by the game's own score"),
            )
            .arg(
                Arg::new("to-the-end")
                    .long("to-the-end")
                    .action(ArgAction::SetTrue)
                    .help("Play all games, also when it is clear before"),
            )
            .arg(seed_flag())
            .arg(threads_flag())
            .arg(json_flag())
            .arg(quiet_flag("No progress bar"))
            .args(contest_flags(profile))
            .args(house::flags(Tier::Limits))
        },
    )
}

/// `croupier tournament`: a game and players, or a file, or a folder to go on in.
fn tournament() -> Command {
    by_game(
        Command::new("tournament")
            .about("Holds a contest between many players, and ranks them")
            .after_help(
                "Example:\n  croupier tournament intensity a.c b.py careful random --rounds 20 \
                 --out results\n  croupier tournament --example > contest.toml\n  croupier \
                 tournament --config contest.toml\n  croupier tournament --resume results",
            ),
        with_decisions(),
        tournament_game,
    )
    .subcommand_required(false)
    .args_conflicts_with_subcommands(true)
    .arg(
        Arg::new("config")
            .long("config")
            .value_name("FILE.toml")
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::FilePath)
            .help("Hold the contest that this file describes"),
    )
    .arg(
        Arg::new("example")
            .long("example")
            .action(ArgAction::SetTrue)
            .help("Print such a file, with comments"),
    )
    .arg(
        Arg::new("resume")
            .long("resume")
            .value_name("DIR")
            .conflicts_with_all(["config", "out"])
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::DirPath)
            .help("Go on with the contest in this folder; changed programs play their games again"),
    )
    .arg(
        Arg::new("add")
            .long("add")
            .value_name("PLAYER")
            .requires("resume")
            .action(ArgAction::Append)
            .help("Let another player take part from now on"),
    )
    .arg(
        Arg::new("withdraw")
            .long("withdraw")
            .value_name("NAME")
            .requires("resume")
            .action(ArgAction::Append)
            .help("Take a player out, and its games"),
    )
    .arg(
        rounds_flag()
            .requires("resume")
            .help("Play so many rounds in all, if that is more than before"),
    )
    .arg(strict_entry_flag().requires("resume"))
    .arg(house::fresh_processes_flag().requires("resume"))
    .arg(out_flag("Keep results and reports in this folder"))
    .arg(threads_flag())
    .arg(json_flag())
    .arg(quiet_flag("No standings while it runs"))
}

fn tournament_game(entry: &'static Entry) -> Command {
    let profile = entry.profile;
    Command::new(profile.name)
        .about(format!("Holds a contest of {}", profile.title))
        .after_help(format!(
            "Example:\n  croupier tournament {} {} --rounds 20 --out results",
            profile.name,
            example_table(entry)
        ))
        .arg(players_argument(entry))
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(["round-robin", "swiss", "gauntlet"])
                .help("Who meets whom [default: round-robin]")
                .hide_possible_values(true)
                .long_help(
                    "Who meets whom: round-robin, all tables that the players can form; swiss, in \
                     every round those with similar points; gauntlet, everybody alone against the \
                     staff [default: round-robin]",
                ),
        )
        .arg(
            rounds_flag()
                .default_value("10")
                .help("Swiss: rounds; round robin and gauntlet: blocks for every table"),
        )
        .arg(
            Arg::new("staff")
                .long("staff")
                .value_name("PLAYER,…")
                .value_delimiter(',')
                .help("Who fills empty seats [default: the built-in players in turn]"),
        )
        .arg(
            Arg::new("seatings")
                .long("seatings")
                .value_name("WHICH")
                .value_parser(["rotations", "all"])
                .hide_possible_values(true)
                .help(
                    "rotations: everybody in each seat once; all: all orders [default: the game's]",
                ),
        )
        .arg(
            Arg::new("rank-by")
                .long("rank-by")
                .value_name("points|score")
                .value_parser(value_parser!(RankBy))
                .help("By points for places or by the game's own score [default: the game's]"),
        )
        .arg(
            Arg::new("anchor")
                .long("anchor")
                .value_name("NAME=RATING")
                .value_parser(value_parser!(Anchor))
                .help("Put a player at this rating [default: the mean of all, or of the staff, at 1500]"),
        )
        .arg(
            Arg::new("records")
                .long("records")
                .value_name("yes|no")
                .value_parser(["yes", "no"])
                .hide_possible_values(true)
                .help("Keep the record of every game [default: if programs play]"),
        )
        .arg(
            Arg::new("penalties")
                .long("penalties")
                .action(ArgAction::SetTrue)
                .help("Tell of every fault the seat, the answer and what the program was given"),
        )
        .arg(out_flag(
            "Keep results and reports in this folder, to be resumed and taken away",
        ))
        .arg(seed_flag())
        .arg(threads_flag())
        .arg(json_flag())
        .arg(quiet_flag("No standings while it runs"))
        // A game may have rounds of its own.
        .args(contest_flags(profile).map(|flag| match flag.get_long() {
            Some("rounds") => flag.long("game-rounds"),
            _ => flag,
        }))
        .args(house::flags(Tier::Strict))
        .arg(
            Arg::new("suspend-after")
                .long("suspend-after")
                .value_name("N|never")
                .default_value("100")
                .value_parser(suspend_after)
                .help_heading("Options for foreign programs")
                .help("After so many faults a program that only fails is not asked any more"),
        )
        .arg(strict_entry_flag())
}

/// How many rounds a contest has. A game may have rounds of its own.
fn rounds_flag() -> Arg {
    number_flag::<u64>("contest-rounds", 1..=1_000_000_000).long("rounds")
}

fn strict_entry_flag() -> Arg {
    Arg::new("strict-entry")
        .long("strict-entry")
        .action(ArgAction::SetTrue)
        .help_heading("Options for foreign programs")
        .help("Play only if all programs can be used, instead of listing those that cannot")
}

/// After how many faults a program is suspended; none for never.
fn suspend_after(text: &str) -> Result<Option<u64>, String> {
    match text.parse() {
        _ if text == "never" => Ok(None),
        Ok(0) | Err(_) => Err("it is a number from 1 on, or never".to_owned()),
        Ok(faults) => Ok(Some(faults)),
    }
}

/// The options of a contest of this game; none if programs do not play it.
pub(crate) fn tournament_options(game: &str) -> Option<Vec<String>> {
    let known = table::HOSTED.contains(&game);
    let entry = GAMES.find(game).filter(|_| known)?;
    let command = tournament_game(entry);
    let options = command.get_arguments().filter_map(Arg::get_long);
    Some(options.map(str::to_owned).collect())
}

/// `croupier replay`.
fn replay() -> Command {
    Command::new("replay")
        .about("Tells a recorded game again, whole or as one seat saw it")
        .after_help("Example:\n  croupier replay results/records/1.jsonl --review")
        .arg(
            Arg::new("record")
                .value_name("RECORD")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help("The record, as match --out keeps it"),
        )
        .arg(Arg::new("seat").long("seat").value_name("NAME").help(
            "Tell what this player saw, by name or by the number of the seat, from 0; with \
                     --review, look at its moves alone",
        ))
        .arg(
            Arg::new("review")
                .long("review")
                .action(ArgAction::SetTrue)
                .help("Ask the expert about every move, and mark those that cost most"),
        )
        .arg(
            Arg::new("iterations")
                .long("iterations")
                .value_name("N")
                .allow_hyphen_values(true)
                .requires("review")
                .help("How many games the expert plays in its mind for a move [default: 1000]"),
        )
        .arg(
            Arg::new("time")
                .long("time")
                .value_name("TIME")
                .allow_hyphen_values(true)
                .requires("review")
                .help("How long the expert thinks about a move, instead of iterations"),
        )
        .arg(json_flag())
        .arg(quiet_flag("Do not tell every move"))
}

/// `croupier check`.
fn check() -> Command {
    by_game(
        Command::new("check")
            .about("Does this program keep the protocol? A report with the input that broke it")
            .after_help("Example:\n  croupier check austerity ./mybot --for 60s"),
        with_decisions(),
        |entry| {
            let profile = entry.profile;
            Command::new(profile.name)
                .about(format!("Checks a program that plays {}", profile.title))
                .after_help(format!(
                    "Example:\n  croupier check {} {} --for 60s",
                    profile.name,
                    example_program(entry)
                ))
                .arg(
                    Arg::new("player")
                        .value_name("PROGRAM")
                        .required(true)
                        .value_hint(ValueHint::FilePath)
                        .help("The program; json: before the path speaks JSON lines"),
                )
                .arg(seed_flag())
                .args(check::flags())
                .arg(json_flag())
                .arg(quiet_flag("Do not show what the program was given"))
                .args(game_flags(profile))
                .args(house::flags(Tier::Limits))
        },
    )
}

/// The options of a game with as many seats as players are named, where the game leaves that open
/// and nobody has said how many.
pub(crate) fn with_enough_seats(
    profile: &Profile,
    mut options: Options,
    matches: &ArgMatches,
    named: usize,
) -> Options {
    let open = profile
        .options
        .iter()
        .any(|option| option.name == "players");
    if open && matches.value_source("players") == Some(ValueSource::DefaultValue) {
        let usual = options
            .get("players")
            .and_then(|players| players.parse().ok());
        let seats = usual.unwrap_or(0).max(named);
        options.insert("players".to_owned(), seats.to_string());
    }
    options
}

/// Why so many players cannot sit at a table, and what to do about it.
pub(crate) fn wrong_number(profile: &Profile, seats: usize, named: usize) -> String {
    let is_open = profile
        .options
        .iter()
        .any(|option| option.name == "players");
    let rest = match (is_open, named > seats) {
        (true, _) => format!("--players {named} makes a table for as many"),
        (false, true) => "there is no seat for more".to_owned(),
        (false, false) => "it needs as many".to_owned(),
    };
    let title = profile.title;
    format!("a table of {title} seats {seats} players, and {named} take part; {rest}")
}

/// The commands that are followed by a game, and whether that must be one with decisions.
const BY_GAME: [(&str, bool); 7] = [
    ("rules", false),
    ("simulate", false),
    ("match", true),
    ("compare", true),
    ("tournament", true),
    ("check", true),
    ("play", true),
];

/// A word where a game should stand is told which games there are, not that it is no subcommand.
pub(crate) fn reject_unknown_game(arguments: &[OsString]) -> Result<(), Failure> {
    let [_, command, game, ..] = arguments else {
        return Ok(());
    };
    let Some((command, has_decisions)) = BY_GAME.iter().find(|(name, _)| command == name) else {
        return Ok(());
    };
    let game = game.to_string_lossy();
    if game.starts_with('-') {
        return Ok(());
    }
    let Some(entry) = GAMES.find(&game) else {
        let games: Vec<_> = GAMES.names().collect();
        return Err(Failure::Usage(format!(
            "there is no game '{game}'; the games are: {}",
            games.join(", ")
        )));
    };
    if *has_decisions && !entry.profile.decisions {
        return Err(Failure::Usage(format!(
            "nobody decides anything in {game}, so it is no game for {command}; \
             'croupier simulate {game}' plays it"
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::usual_seats;

    /// The commands in the help of this command and of those below it.
    fn examples(command: &Command) -> Vec<String> {
        let help = command.get_after_help().map(ToString::to_string);
        let help = help.unwrap_or_default();
        let lines = help.lines().filter_map(|line| line.strip_prefix("  "));
        let mut found: Vec<String> = lines
            // What a shell does with it is the shell's business.
            .filter_map(|line| line.split(['>', '&']).next())
            .map(str::to_owned)
            .collect();
        found.extend(command.get_subcommands().flat_map(examples));
        found
    }

    #[test]
    fn every_example_in_the_help_is_a_command_for_a_table_of_the_right_size() {
        let examples = examples(&command());
        assert!(examples.len() > 30, "{examples:?}");
        for example in examples {
            let words = example.split_whitespace();
            let matches = command().try_get_matches_from(words);
            let matches = matches.unwrap_or_else(|error| panic!("{example}: {error}"));
            let (name, matches) = matches.subcommand().expect("a command");
            let Some((game, matches)) = matches.subcommand() else {
                continue;
            };
            let seats = usual_seats(GAMES.find(game).expect("a game"));
            let named = |option: &str| match matches.ids().any(|id| id == option) {
                true => matches
                    .get_many::<String>(option)
                    .map_or(0, Iterator::count),
                false => 0,
            };
            let players = named("player") + named("against") + usize::from(name == "play");
            let is_enough = match name {
                "tournament" => players >= seats,
                _ => players <= seats,
            };
            assert!(is_enough, "{example}: {players} at a table of {seats}");
        }
    }
}
