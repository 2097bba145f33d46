//! `friday13`: the tasks of the course, and a player and an arbiter for its tournament.
//!
//! - `arbiter.rs` — `arbiter`: runs the programs of a match and verifies every turn;
//! - `tasks.rs` — one command a task, from the standard input to the standard output;
//! - `single.rs` — `play`: one move in a state file;
//! - `mind.rs` — who decides in it: a fixed rule, or the expert;
//! - `shared.rs` — `play --me P`: a whole match over a file that other programs share;
//! - `place.rs` — where the state file is.

mod arbiter;
mod mind;
mod place;
mod shared;
mod single;
mod tasks;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use croupier_bots::mind_if_asked;
use croupier_console::{Failure, WholeFile, number_flag, parse, run, seed_flag};
use croupier_core::parse_duration;
use croupier_games::friday13::report::Language;
use croupier_games::friday13::{Setup, State, Strategy, Terms};

use crate::mind::{EXPERT, Mind};

fn main() -> ExitCode {
    mind_if_asked();
    run("friday13", || {
        let Some(matches) = parse(&mut command(), std::env::args_os())? else {
            return Ok(());
        };
        match matches.subcommand() {
            Some(("play", matches)) if matches.contains_id("me") => shared::play(matches),
            Some(("play", matches)) => single::play(matches),
            Some(("arbiter", matches)) => arbiter::arbitrate(matches),
            Some((task, matches)) => tasks::run(task, matches),
            None => unreachable!("clap asks for a command"),
        }
    })
}

fn command() -> Command {
    let check = Command::new("check")
        .about("Checks the cards of a state, or the state itself")
        .arg(
            Arg::new("what")
                .value_name("WHAT")
                .required(true)
                .value_parser(["greens", "counts", "values", "state"])
                .help("What is checked"),
        );
    Command::new("friday13")
        .version(env!("CARGO_PKG_VERSION"))
        .about(
            "Friday the 13th: the tasks of the course, a player and an arbiter for its tournament",
        )
        .after_help(
            "Example:\n  \
             echo 4 3 8 4 14 1 1 1 2 2 2 4 4 5 5 5 7 7 7 | friday13 deal --shuffle --threshold 13 \
             > game_state.txt\n  \
             friday13 play game_state.txt 4 3 13 8 4 14 1 1 1 2 2 2 4 4 5 5 5 7 7 7\n\n\
             Exit status: 0 done; 2 usage, or no (consistent) state; 3 the machine failed, or \
             another player kept us waiting.",
        )
        .subcommand_required(true)
        .subcommand(
            Command::new("deck")
                .about("Reads k g gv o and the o values, prints the deck before it is shuffled"),
        )
        .subcommand(
            Command::new("deal")
                .about("Reads n k g gv o and the o values, prints the state after dealing")
                .arg(
                    Arg::new("shuffle")
                        .long("shuffle")
                        .action(ArgAction::SetTrue)
                        .help("Shuffle the deck first"),
                )
                .arg(seed_flag().requires("shuffle"))
                .arg(
                    number_flag::<u32>("threshold", 1..=u32::MAX.into())
                        .value_name("E")
                        .help("Write this explosion threshold into the state"),
                ),
        )
        .subcommand(
            Command::new("hands").about("Reads a state, prints how many cards the players have"),
        )
        .subcommand(Command::new("piles").about("The same, and how many cards lie on the piles"))
        .subcommand(check)
        .subcommand(
            Command::new("move")
                .about("Reads a state, makes a simple move, prints the state after it")
                .arg(
                    Arg::new("no-explosion")
                        .long("no-explosion")
                        .action(ArgAction::SetTrue)
                        .help("Leave the cards on the pile, whatever their sum"),
                ),
        )
        .subcommand(
            Command::new("score")
                .about("Reads a state, prints what the collected cards cost")
                .arg(language_flag()),
        )
        .subcommand(
            Command::new("round")
                .about("The same if the round is over")
                .arg(language_flag()),
        )
        .subcommand(play_command())
        .subcommand(arbiter_command())
}

fn play_command() -> Command {
    let strategies: Vec<_> = Strategy::ALL.iter().map(|(name, _)| *name).collect();
    Command::new("play")
        .about("Makes one move in a state file; with --me, plays a whole match over it")
        .after_help(
            "Example:\n  \
             friday13 play --strategy optimal game_state.txt 2 3 13 8 4 14 1 1 1 2 2 2 4 4 5 5 5 7 \
             7 7\n\n\
             With --me every program of the match is started like this at any time, each with its \
             own number; a missing file is dealt by player 1.",
        )
        .arg(
            Arg::new("strategy")
                .long("strategy")
                .value_name("NAME")
                .default_value(EXPERT)
                .value_parser(Mind::named)
                .help(format!(
                    "How to play: {}, or {EXPERT}, which may be told how long to think as in \
                     {EXPERT}:time=1s",
                    strategies.join(", ")
                )),
        )
        .arg(language_flag())
        // A move is told in the file and nowhere else, so neither is the seed.
        .arg(seed_flag().help("The seed of all randomness [default: drawn at random]"))
        .arg(
            Arg::new("lenient")
                .long("lenient")
                .action(ArgAction::SetTrue)
                .help("Go on when hands have wrong sizes because somebody had to pass"),
        )
        .arg(
            number_flag::<u32>("me", 1..=u32::MAX.into())
                .value_name("P")
                .help("Play the whole match, in chair P of the first round"),
        )
        .arg(rounds_flag().help("How many rounds the match has, with --me"))
        .arg(
            Arg::new("time-limit")
                .long("time-limit")
                .value_name("TIME")
                .default_value("5m")
                .value_parser(duration)
                .help("How long to wait for the others, with --me: 500ms, 10s, 5m"),
        )
        .arg(
            Arg::new("pause")
                .long("pause")
                .value_name("TIME")
                .default_value("1s")
                .value_parser(duration)
                .help("How long the end of a round is left to be seen by all, with --me"),
        )
        .arg(file_argument())
        .arg(numbers_argument())
}

fn arbiter_command() -> Command {
    Command::new("arbiter")
        .about("Deals a match, runs a program for every turn, and verifies what it has done")
        .after_help(
            "Example:\n  \
             friday13 arbiter --seed 7 game_state.txt 2 3 13 8 4 14 1 1 1 2 2 2 4 4 5 5 5 7 7 7 -- \
             ./mine ./other.c\n\n\
             The programs are started in the folder that holds the file, each with the time limit \
             and the limits of croupier's sandbox tier 'limits'. A program that needs words of its \
             own is written in quotes: './friday13 play --strategy optimal'.",
        )
        .arg(language_flag())
        .arg(seed_flag())
        .arg(rounds_flag().help("How many rounds the match has"))
        .arg(
            Arg::new("lenient")
                .long("lenient")
                .action(ArgAction::SetTrue)
                .help("Let a colour be put on a second pile"),
        )
        .arg(
            Arg::new("time-limit")
                .long("time-limit")
                .value_name("TIME")
                .default_value("2s")
                .value_parser(parse_duration)
                .help("How long a program may take for a turn: 500ms, 10s, 5m"),
        )
        .arg(file_argument())
        .arg(numbers_argument())
        .arg(
            Arg::new("program")
                .value_name("PROGRAM")
                .last(true)
                .num_args(1..)
                .required(true)
                .value_hint(ValueHint::FilePath)
                .help("The programs, one for each player; a .c file is compiled first"),
        )
}

fn file_argument() -> Arg {
    Arg::new("file")
        .value_name("FILE")
        .required(true)
        .value_parser(value_parser!(PathBuf))
        .value_hint(ValueHint::FilePath)
        .help("The state file")
}

fn numbers_argument() -> Arg {
    Arg::new("numbers")
        .value_name("n k e g gv o ov…")
        .num_args(1..)
        .required(true)
        .allow_negative_numbers(true)
        .help("Players, colours, threshold, greens, their value, and the other values")
}

fn rounds_flag() -> Arg {
    number_flag::<u32>("rounds", 1..=u32::MAX.into())
        .value_name("R")
        .default_value("3")
}

fn language_flag() -> Arg {
    Arg::new("lang")
        .long("lang")
        .value_name("LANG")
        .default_value("pl")
        .value_parser(["pl", "en"])
        .help("The language of the score")
}

fn language(matches: &ArgMatches) -> Language {
    match matches.get_one::<String>("lang").map(String::as_str) {
        Some("en") => Language::English,
        _ => Language::Polish,
    }
}

/// A length of time with its unit.
fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}' is no length of time: write 500ms, 10s or 5m");
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(digits);
    let number: u32 = number.parse().map_err(|_| wrong())?;
    match unit {
        "ms" => Ok(Duration::from_millis(number.into())),
        "s" => Ok(Duration::from_secs(number.into())),
        "m" => Ok(Duration::from_secs(u64::from(number) * 60)),
        _ => Err(wrong()),
    }
}

/// The parameters that `play` was given.
fn setup(matches: &ArgMatches, rounds: u32) -> Result<Setup, Failure> {
    let numbers = matches.get_many::<String>("numbers").unwrap_or_default();
    let terms = Terms::for_program(numbers.map(String::as_str))
        .map_err(|error| Failure::Usage(error.to_string()))?;
    Setup::try_from(Terms { rounds, ..terms }).map_err(|error| Failure::Usage(error.to_string()))
}

/// The state file, which is there or can be.
fn file(matches: &ArgMatches) -> Result<PathBuf, Failure> {
    let named: &PathBuf = matches.get_one("file").expect("clap asks for the file");
    place::of(named)
}

fn mind(matches: &ArgMatches) -> Mind {
    *matches.get_one("strategy").expect("it has a default")
}

/// Why a state is refused, or nothing.
fn refusal(state: &State, setup: &Setup, lenient: bool) -> Option<String> {
    // Who has no card left passes, and the sizes of the hands say nothing.
    let passes = state.hands[state.active].is_empty();
    let checked = if lenient || passes {
        state.check_cards(setup)
    } else {
        state.check(setup)
    };
    checked.err().map(|reason| reason.to_string())
}

/// Replaces the state file: whoever reads it finds the old state or the new one.
fn replace(file: &Path, state: &State) -> Result<(), Failure> {
    WholeFile::create(file)?.finish(state.to_string().as_bytes())
}
