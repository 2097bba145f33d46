//! The definition of the command line. Parser, help, man pages and completions all come from here.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use clap_complete::Shell;
use croupier_arena::{Anchor, RankBy, Shard};
use croupier_bots::Tier;
use croupier_console::{Failure, contest_flags, game_flags, number_flag, seed_flag};
use croupier_core::{Options, Profile};

use crate::arguments::{
    built_in_argument, example_table, games_flag, idle_threads_flag, json_flag, out_flag,
    players_argument, quiet_flag, seated, threads_flag,
};
use crate::offer::{Offer, Offers};
use crate::style::BOLD;
use crate::{check, cluster, house, serve};

/// What `croupier` alone prints.
pub(crate) fn guide(games: &Offers) -> String {
    let (first, decided) = (games.first(), games.first_decided());
    let table = format!(
        "croupier match {} {}",
        decided.entry.profile.name,
        decided.entry.opponents.join(" ")
    );
    format!(
        "\
{BOLD}Croupier{BOLD:#}: the table, the referee and the scoreboard for card-playing programs.

Three commands to try:
  {:<width$}   the games that it knows
  {:<width$}   the rules of one of them
  {table:<width$}   a game, shown move by move

croupier --help lists all commands.
",
        "croupier games",
        format!("croupier rules {}", first.entry.profile.name),
        width = table.len(),
    )
}

/// The whole command line.
pub(crate) fn command(games: &Offers) -> Command {
    let first = games.first().entry.profile.name;
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
                .about("Lists the games: seats, how programs take part, built-in players")
                .after_help("Example:\n  croupier games")
                .arg(json_flag()),
        )
        .subcommand(
            Command::new("rules")
                .about("Prints the rules of a game in brief, and how programs play it")
                .after_help(format!("Example:\n  croupier rules {first}"))
                .arg(
                    Arg::new("game")
                        .value_name("GAME")
                        .required(true)
                        .value_parser(games.names())
                        .help("The game"),
                ),
        )
        .subcommand(simulate(games))
        .subcommand(play_match(games))
        .subcommand(play(games))
        .subcommand(compare(games))
        .subcommand(tournament(games))
        .subcommand(check(games))
        .subcommand(replay())
        .subcommand(serve::command())
        .subcommand(cluster::work_command())
        .subcommand(cluster::cluster_command())
        .subcommand(
            Command::new("repro")
                .about("Repeats the one decision in which a program failed")
                .after_help("Example:\n  croupier repro results 3-1")
                .arg(
                    Arg::new("folder")
                        .value_name("DIR")
                        .required(true)
                        .value_parser(value_parser!(PathBuf))
                        .value_hint(ValueHint::DirPath)
                        .help("The folder written by match --out or tournament --out"),
                )
                .arg(
                    Arg::new("fault")
                        .value_name("FAULT-ID")
                        .required(true)
                        .help("The ID of the fault, as shown by the match or the report"),
                )
                .arg(json_flag()),
        )
        .subcommand(
            Command::new("doctor")
                .about(
                    "Shows what this machine can enforce for untrusted programs, and what it can \
                     compile",
                )
                .after_help("Example:\n  croupier doctor")
                .arg(json_flag()),
        )
        .subcommand(
            Command::new("completions")
                .about("Prints the completion script for a shell")
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
                        .help("The folder; it is created if it does not exist"),
                ),
        )
}

/// A command that is followed by one of these games, because each has options of its own.
fn by_game<'a>(
    command: Command,
    games: impl Iterator<Item = &'a Offer>,
    of_game: fn(&Offer) -> Command,
) -> Command {
    command
        .subcommand_value_name("GAME")
        .subcommand_help_heading("Games")
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands(games.map(of_game))
}

/// `croupier simulate`.
fn simulate(games: &Offers) -> Command {
    by_game(
        Command::new("simulate")
            .about("Plays many games as fast as the machine can, and prints statistics")
            .after_help(format!(
                "Example:\n  croupier simulate {} --games 1000000",
                games.first().entry.profile.name
            )),
        games.0.iter(),
        simulate_game,
    )
}

fn simulate_game(game: &Offer) -> Command {
    let profile = game.entry.profile;
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
        .arg(quiet_flag("Do not show a progress bar"))
        .args(game_flags(profile));
    match game.simulation {
        Some(simulation) => command.args((simulation.flags)()),
        None => command.arg(seated(built_in_argument(&game.entry))),
    }
}

/// `croupier match`.
fn play_match(games: &Offers) -> Command {
    let decided = games.first_decided();
    by_game(
        Command::new("match")
            .about("Plays one or more games between players of any kind, shown move by move")
            .after_help(format!(
                "Example:\n  croupier match {} {} json:bot.py --out results",
                decided.entry.profile.name, decided.entry.profile.example_program
            )),
        games.with_decisions(),
        |game| {
            let profile = game.entry.profile;
            Command::new(profile.name)
                .about(format!("Plays {}", profile.title))
                .after_help(format!(
                    "Example:\n  croupier match {} {} --games 10 --out results",
                    profile.name, profile.example_program
                ))
                .arg(seated(players_argument(&game.entry)))
                .arg(games_flag("1"))
                .arg(out_flag(
                    "Keep records and faults in this folder, replacing those of an earlier match",
                ))
                .arg(seed_flag())
                .arg(idle_threads_flag())
                .arg(json_flag())
                .arg(quiet_flag("Do not show every move"))
                .arg(
                    Arg::new("explain")
                        .long("explain")
                        .action(ArgAction::SetTrue)
                        .conflicts_with_all(["json", "quiet"])
                        .help("Also show what experts think of each of their moves"),
                )
                .args(game_flags(profile))
                .args(house::flags(Tier::Limits))
        },
    )
}

/// `croupier play`.
fn play(games: &Offers) -> Command {
    let decided = games.first_decided();
    by_game(
        Command::new("play")
            .about("Lets you play in the terminal, or with --web in the browser")
            .after_help(format!(
                "At the prompt, type help for what you can enter, hint to ask the expert, quit to \
                 leave.\n\n\
                 Example:\n  croupier play {} --against {}",
                decided.entry.profile.name,
                decided.entry.opponents.join(",")
            )),
        games.with_decisions(),
        |game| {
            let profile = game.entry.profile;
            let opponents = game.entry.opponents.join(", ");
            Command::new(profile.name)
                .about(format!("Lets you play {}", profile.title))
                .after_help(format!("Example:\n  croupier play {}", profile.name))
                .arg(
                    Arg::new("against")
                        .long("against")
                        .value_name("PLAYER,…")
                        .value_delimiter(',')
                        .help(format!(
                            "Your opponents, named as for match; empty seats are filled with {opponents}"
                        )),
                )
                .arg(games_flag("1"))
                .arg(seed_flag())
                .arg(idle_threads_flag())
                .arg(quiet_flag("Do not show what the others play"))
                .arg(
                    Arg::new("web")
                        .long("web")
                        .action(ArgAction::SetTrue)
                        .conflicts_with_all(["games", "quiet"])
                        .help("Play in the browser, which is opened"),
                )
                .args(game_flags(profile))
                .args(house::flags(Tier::Limits))
        },
    )
}

/// `croupier compare`.
fn compare(games: &Offers) -> Command {
    let decided = games.first_decided();
    by_game(
        Command::new("compare")
            .about(
                "Finds out which of two players is better; stops when that is clear, and says how \
                 sure it is",
            )
            .after_help(format!(
                "Example:\n  croupier compare {} {} {}",
                decided.entry.profile.name,
                decided.entry.profile.example_program,
                decided.entry.opponents.join(" ")
            )),
        games.with_decisions(),
        |game| {
            let profile = game.entry.profile;
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
                profile.example_program
            ))
            .arg(
                players_argument(&game.entry)
                    .value_names(["A", "B"])
                    .num_args(2)
                    .required(true),
            )
            .arg(games_flag("10000").help(
                "How many games to play at most; it stops earlier when the answer is clear",
            ))
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
                    .help("Play all games, even if the answer is clear earlier"),
            )
            .arg(seed_flag())
            .arg(threads_flag())
            .arg(json_flag())
            .arg(quiet_flag("Do not show a progress bar"))
            .args(contest_flags(profile))
            .args(house::flags(Tier::Limits))
        },
    )
}

/// `croupier tournament`: a game and players, or a file, or a folder to go on in.
fn tournament(games: &Offers) -> Command {
    let decided = games.first_decided();
    by_game(
        Command::new("tournament")
            .about("Holds a contest between many players, and ranks them")
            .after_help(format!(
                "Example:\n  croupier tournament {} a.c b.py {} random --rounds 20 --out results\n  \
                 croupier tournament --example > contest.toml\n  croupier tournament --config \
                 contest.toml\n  croupier tournament --resume results",
                decided.entry.profile.name,
                decided.entry.opponents.join(" ")
            )),
        games.with_decisions(),
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
            .help("Print an example of such a file, with comments"),
    )
    .arg(
        Arg::new("resume")
            .long("resume")
            .value_name("DIR")
            .conflicts_with_all(["config", "out"])
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::DirPath)
            .help(
                "Continue the contest in this folder; programs that have changed play their games \
                 again",
            ),
    )
    .arg(
        Arg::new("merge")
            .long("merge")
            .value_name("DIR")
            .num_args(1..)
            .conflicts_with_all(["config", "resume"])
            .value_parser(value_parser!(PathBuf))
            .value_hint(ValueHint::DirPath)
            .help("Unite what was played of one contest in several folders; --out keeps it"),
    )
    .arg(
        Arg::new("add")
            .long("add")
            .value_name("PLAYER")
            .requires("resume")
            .action(ArgAction::Append)
            .help("Add another player to the contest"),
    )
    .arg(
        Arg::new("withdraw")
            .long("withdraw")
            .value_name("NAME")
            .requires("resume")
            .action(ArgAction::Append)
            .help("Remove a player and its games"),
    )
    .arg(
        rounds_flag()
            .requires("resume")
            .help("Play this many rounds in all; it can be more than before, not fewer"),
    )
    .arg(strict_entry_flag().requires("resume"))
    .arg(house::fresh_processes_flag().requires("resume"))
    .args(cluster::contest_flags().into_iter().map(|flag| match flag.get_id() == "nats" {
        true => flag.requires("resume"),
        false => flag,
    }))
    .arg(out_flag("Keep results and reports in this folder"))
    .arg(threads_flag())
    .arg(json_flag())
    .arg(quiet_flag("Do not show standings while it runs"))
    .arg(web_flag())
}

/// `--web` of a contest.
fn web_flag() -> Arg {
    Arg::new("web")
        .long("web")
        .action(ArgAction::SetTrue)
        .help("Show the contest in a browser while it runs; the address is printed")
}

fn tournament_game(game: &Offer) -> Command {
    let profile = game.entry.profile;
    Command::new(profile.name)
        .about(format!("Holds a contest of {}", profile.title))
        .after_help(format!(
            "Example:\n  croupier tournament {} {} --rounds 20 --out results --web",
            profile.name,
            example_table(&game.entry)
        ))
        .arg(players_argument(&game.entry))
        .arg(
            Arg::new("format")
                .long("format")
                .value_name("FORMAT")
                .value_parser(["round-robin", "swiss", "gauntlet"])
                .help("Who meets whom [default: round-robin]")
                .hide_possible_values(true)
                .long_help(
                    "Who meets whom. round-robin: all tables that the players can form; swiss: in \
                     every round, players with similar points; gauntlet: each player alone against \
                     the staff [default: round-robin]",
                ),
        )
        .arg(rounds_flag().default_value("10").help(
            "Swiss: how many rounds; round robin and gauntlet: how many blocks for every \
                     table",
        ))
        .arg(
            Arg::new("shard")
                .long("shard")
                .value_name("K/N")
                .requires("out")
                .conflicts_with("nats")
                .value_parser(value_parser!(Shard))
                .help("Play the K-th of N shares of the blocks; --merge unites them"),
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
                    "rotations: everybody sits in each seat once; all: every seating order \
                     [default: the game's own]",
                ),
        )
        .arg(
            Arg::new("rank-by")
                .long("rank-by")
                .value_name("points|score")
                .value_parser(value_parser!(RankBy))
                .help(
                    "Rank by points for places or by the game's own score [default: the game's \
                     choice]",
                ),
        )
        .arg(
            Arg::new("anchor")
                .long("anchor")
                .value_name("NAME=RATING")
                .value_parser(value_parser!(Anchor))
                .help(
                    "Fix the rating of one player [default: the mean of all players, or of the \
                     staff, is 1500]",
                ),
        )
        .arg(
            Arg::new("records")
                .long("records")
                .value_name("yes|no")
                .value_parser(["yes", "no"])
                .hide_possible_values(true)
                .help("Keep the record of every game [default: yes if programs play]"),
        )
        .arg(
            Arg::new("penalties")
                .long("penalties")
                .action(ArgAction::SetTrue)
                .help("Show every fault with the seat, the answer and what the program was given"),
        )
        .arg(out_flag(
            "Keep results and reports in this folder, so that the contest can be resumed",
        ))
        .arg(seed_flag())
        .arg(threads_flag())
        .arg(json_flag())
        .arg(quiet_flag("Do not show standings while it runs"))
        .arg(web_flag())
        // A game may have rounds of its own.
        .args(contest_flags(profile).map(|flag| match flag.get_long() {
            Some("rounds") => flag.long("game-rounds"),
            _ => flag,
        }))
        .args(cluster::contest_flags())
        .args(house::flags(Tier::Strict))
        .arg(
            Arg::new("suspend-after")
                .long("suspend-after")
                .value_name("N|never")
                .default_value("100")
                .value_parser(suspend_after)
                .help_heading("Options for foreign programs")
                .help("Suspend a program that does nothing but fail after this many faults"),
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
        .help("Play only if every program can be used, instead of leaving out those that cannot")
}

/// After how many faults a program is suspended; none for never.
fn suspend_after(text: &str) -> Result<Option<u64>, String> {
    match text.parse() {
        _ if text == "never" => Ok(None),
        Ok(0) | Err(_) => Err("it must be a whole number, 1 or more, or never".to_owned()),
        Ok(faults) => Ok(Some(faults)),
    }
}

/// The options of a contest of this game.
pub(crate) fn tournament_options(game: &Offer) -> Vec<Arg> {
    let command = tournament_game(game);
    let options = command
        .get_arguments()
        .filter(|option| option.get_long().is_some());
    options.cloned().collect()
}

/// `croupier replay`.
fn replay() -> Command {
    Command::new("replay")
        .about("Shows a recorded game again, whole or as one seat saw it")
        .after_help("Example:\n  croupier replay results/records/1.jsonl --review")
        .arg(
            Arg::new("record")
                .value_name("RECORD")
                .required(true)
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help("The record, as kept by match --out"),
        )
        .arg(Arg::new("seat").long("seat").value_name("NAME").help(
            "Show only what this player saw, given by name or by seat number from 0; with --review, \
             review only its moves",
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
                .help("How many games the expert simulates for each move [default: 1000]"),
        )
        .arg(
            Arg::new("time")
                .long("time")
                .value_name("TIME")
                .allow_hyphen_values(true)
                .requires("review")
                .help("How long the expert thinks about each move, instead of --iterations"),
        )
        .arg(json_flag())
        .arg(quiet_flag("Do not show every move"))
}

/// `croupier check`.
fn check(games: &Offers) -> Command {
    let decided = games.first_decided();
    by_game(
        Command::new("check")
            .about(
                "Checks whether a program follows the protocol; shows the input that made it fail",
            )
            .after_help(format!(
                "Example:\n  croupier check {} {} --for 60s",
                decided.entry.profile.name, decided.entry.profile.example_program
            )),
        games.with_decisions(),
        |game| {
            let profile = game.entry.profile;
            Command::new(profile.name)
                .about(format!("Checks a program that plays {}", profile.title))
                .after_help(format!(
                    "Example:\n  croupier check {} {} --for 60s",
                    profile.name, profile.example_program
                ))
                .arg(
                    Arg::new("player")
                        .value_name("PROGRAM")
                        .required(true)
                        .value_hint(ValueHint::FilePath)
                        .help("The program; put json: before its path if it speaks JSON lines"),
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
        (true, _) => format!("--players {named} makes a table for that many"),
        (false, true) => "there are no more seats".to_owned(),
        (false, false) => "it needs that many".to_owned(),
    };
    let title = profile.title;
    format!("a table of {title} seats {seats} players, not {named}; {rest}")
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
pub(crate) fn reject_unknown_game(games: &Offers, arguments: &[OsString]) -> Result<(), Failure> {
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
    let found = games.known(&game)?;
    let alone = |word: &&OsString| {
        let word = word.to_string_lossy();
        let option = word.split('=').next().unwrap_or_default();
        ["--resume", "--config", "--merge"].contains(&option)
    };
    if let Some(option) = arguments
        .iter()
        .filter(|_| *command == "tournament")
        .find(alone)
    {
        let option = option.to_string_lossy();
        return Err(Failure::Usage(format!(
            "{option} already says which game it is: croupier tournament {option}, without {game}"
        )));
    }
    if *has_decisions && !found.entry.profile.decisions {
        return Err(Failure::Usage(format!(
            "nobody decides anything in {game}, so {command} cannot be used with it; \
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
        let games = Offers(crate::five_games());
        let examples = examples(&command(&games));
        assert!(examples.len() > 30, "{examples:?}");
        for example in examples {
            let words = example.split_whitespace();
            let matches = command(&games).try_get_matches_from(words);
            let matches = matches.unwrap_or_else(|error| panic!("{example}: {error}"));
            let (name, matches) = matches.subcommand().expect("a command");
            let game = matches.subcommand().filter(|_| name != "cluster");
            let Some((game, matches)) = game else {
                continue;
            };
            let seats = usual_seats(&games.find(game).expect("a game").entry);
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
