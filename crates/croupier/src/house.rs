//! How foreign programs are held: the options for it, and Ctrl-C.

use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches};
use croupier_bots::{House, Interrupt, Limits, Tier};
use croupier_console::{Failure, number_flag};
use croupier_core::{parse_duration, parse_size};

/// The flags for foreign programs.
pub(crate) fn flags(tier: Tier) -> Vec<Arg> {
    let described = |flag: Arg, help: &str, default: &str| {
        flag.help(format!("{help} [default: {default}]"))
            .help_heading("Options for foreign programs")
    };
    let limit = |name: &'static str, value: &'static str, help: &str, default: &str| {
        let flag = Arg::new(name).long(name).value_name(value);
        described(flag, help, default)
    };
    // What cannot be read, a negative number too, is told what would be right.
    let time = |name, help, default| {
        let flag = limit(name, "TIME", help, default).allow_hyphen_values(true);
        flag.value_parser(parse_duration)
    };
    let size = |name, help, default| {
        let flag = limit(name, "SIZE", help, default).allow_hyphen_values(true);
        flag.value_parser(parse_size)
    };
    vec![
        limit(
            "sandbox",
            "TIER",
            "How tightly programs are confined: none, limits or strict",
            &tier.to_string(),
        )
        .value_parser(["none", "limits", "strict"])
        .hide_possible_values(true),
        time("time-limit", "Time for a decision", "the game's own"),
        time(
            "start-limit",
            "Time to start, for a program that keeps running",
            "5s",
        ),
        time(
            "time-bank",
            "Time for all decisions of a game together",
            "none",
        ),
        time(
            "cpu-limit",
            "Processor time of all processes of a program together",
            "60s",
        ),
        size("memory-limit", "Memory", "512M").value_parser(memory),
        size("output-limit", "Output for each decision", "64K"),
        size("error-limit", "Standard error for each decision", "1M"),
        size(
            "file-limit",
            "Size of each file that a program writes",
            "16M",
        ),
        described(
            number_flag::<u64>("open-files-limit", 8..=1_048_576),
            "Open files of each process",
            "256",
        ),
        described(
            number_flag::<u32>("process-limit", 1..=4096),
            "Processes and threads at any one time",
            "16",
        ),
        fresh_processes_flag(),
    ]
}

/// Whether processes are started anew, also where they could be forked.
pub(crate) fn fresh_processes_flag() -> Arg {
    Arg::new(FRESH_PROCESSES)
        .long(FRESH_PROCESSES)
        .action(ArgAction::SetTrue)
        .help_heading("Options for foreign programs")
        .help("Load a program for every process, instead of forking C, C++ and Python sources")
}

const FRESH_PROCESSES: &str = "fresh-processes";

/// With less memory than this no program starts.
const LEAST_MEMORY: u64 = 1 << 20;

fn memory(text: &str) -> Result<u64, String> {
    match parse_size(text)? {
        size if size < LEAST_MEMORY => Err("no program starts with less than 1M".to_owned()),
        size => Ok(size),
    }
}

/// How programs are to be held by these flags, in a house that is open until Ctrl-C.
pub(crate) fn read(matches: &ArgMatches, tier: Tier, decision: Duration) -> Result<House, Failure> {
    let house = read_uninterrupted(matches, tier, decision)?;
    open(house.tier, house.limits, matches)
}

/// The same for one that does not end with Ctrl-C.
pub(crate) fn read_uninterrupted(
    matches: &ArgMatches,
    tier: Tier,
    decision: Duration,
) -> Result<House, Failure> {
    let chosen = matches
        .get_one::<String>("sandbox")
        .map(|tier| tier.parse());
    let tier = chosen.transpose().map_err(Failure::Usage)?.unwrap_or(tier);
    let usual = Limits::default();
    let time = |name: &str| matches.get_one(name).copied();
    let size = |name: &str| matches.get_one::<u64>(name).copied();
    let limits = Limits {
        decision: time("time-limit").unwrap_or(decision),
        start: time("start-limit").unwrap_or(usual.start),
        bank: time("time-bank"),
        cpu: time("cpu-limit").unwrap_or(usual.cpu),
        memory: size("memory-limit").unwrap_or(usual.memory),
        output: size("output-limit").map_or(usual.output, |size| size as usize),
        errors: size("error-limit").map_or(usual.errors, |size| size as usize),
        file_size: size("file-limit").unwrap_or(usual.file_size),
        files: size("open-files-limit").unwrap_or(usual.files),
        processes: matches
            .get_one("process-limit")
            .copied()
            .unwrap_or(usual.processes),
    };
    Ok(House {
        fresh_processes: matches.get_flag(FRESH_PROCESSES),
        ..House::new(tier, limits)
    })
}

/// A house that is open until Ctrl-C.
pub(crate) fn open(tier: Tier, limits: Limits, matches: &ArgMatches) -> Result<House, Failure> {
    Ok(House {
        fresh_processes: matches.get_flag(FRESH_PROCESSES),
        interrupt: Some(interrupt()?),
        ..House::new(tier, limits)
    })
}

/// What the first Ctrl-C raises; the second one ends the program.
pub(crate) fn interrupt() -> Result<Interrupt, Failure> {
    Interrupt::on_ctrl_c().map_err(|error| Failure::machine("prepare for Ctrl-C", &error))
}
