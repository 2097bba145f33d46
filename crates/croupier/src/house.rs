//! How foreign programs are held: the options for it, and Ctrl-C.

use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::{Arg, ArgMatches};
use croupier_bots::{House, Limits, Tier};
use croupier_console::{Failure, number_flag};
use croupier_core::{parse_duration, parse_size};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use signal_hook::consts::SIGINT;

use crate::simulate::stop_on_ctrl_c;

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
            "How tightly they are held: none, limits or strict",
            &tier.to_string(),
        )
        .value_parser(["none", "limits", "strict"])
        .hide_possible_values(true),
        time("time-limit", "Time for a decision", "the game's own"),
        time(
            "start-limit",
            "Time for a program that lives on to start",
            "5s",
        ),
        time(
            "time-bank",
            "Time for all decisions of a game together",
            "none",
        ),
        time(
            "cpu-limit",
            "Processor time of all its processes together",
            "60s",
        ),
        size("memory-limit", "Memory", "512M").value_parser(memory),
        size("output-limit", "Output in a decision", "64K"),
        size("error-limit", "Standard error in a decision", "1M"),
        size("file-limit", "Size of a file it writes", "16M"),
        described(
            number_flag::<u64>("open-files-limit", 8..=1_048_576),
            "Open files of a process",
            "256",
        ),
        described(
            number_flag::<u32>("process-limit", 1..=4096),
            "Processes and threads at one time",
            "16",
        ),
    ]
}

/// With less memory than this no program starts.
const LEAST_MEMORY: u64 = 1 << 20;

fn memory(text: &str) -> Result<u64, String> {
    match parse_size(text)? {
        size if size < LEAST_MEMORY => Err("no program starts with less than 1M".to_owned()),
        size => Ok(size),
    }
}

/// How programs are to be held by these flags.
pub(crate) fn read(matches: &ArgMatches, tier: Tier, decision: Duration) -> Result<House, Failure> {
    Ok(read_with_stop(matches, tier, decision)?.0)
}

/// The same, with the flag that Ctrl-C raises.
pub(crate) fn read_with_stop(
    matches: &ArgMatches,
    tier: Tier,
    decision: Duration,
) -> Result<(House, Arc<AtomicBool>), Failure> {
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
    let mut house = House::new(tier, limits);
    let stop = stop(&mut house)?;
    Ok((house, stop))
}

/// The flag that Ctrl-C raises, after which nobody in this house waits for a program any more.
pub(crate) fn stop(house: &mut House) -> Result<Arc<AtomicBool>, Failure> {
    let stop = stop_on_ctrl_c()?;
    house.interrupt = Some(Arc::new(interrupt()?));
    Ok(stop)
}

/// What becomes readable at the first Ctrl-C.
fn interrupt() -> Result<OwnedFd, Failure> {
    let failed = |error| Failure::machine("prepare for Ctrl-C", &error);
    let (end, signal) = UnixStream::pair().map_err(failed)?;
    signal_hook::low_level::pipe::register(SIGINT, signal).map_err(failed)?;
    Ok(end.into())
}

/// Whether Ctrl-C was pressed.
pub(crate) fn is_stopped(house: &House) -> bool {
    house.interrupt.as_ref().is_some_and(|end| {
        let mut end = [PollFd::new(end.as_fd(), PollFlags::POLLIN)];
        poll(&mut end, PollTimeout::ZERO).is_ok_and(|ready| ready > 0)
    })
}

/// Waits until there is something to be read here; false if Ctrl-C comes first.
pub(crate) fn wait_for(input: BorrowedFd<'_>, house: &House) -> bool {
    let interrupt = house.interrupt.as_ref().map(|end| end.as_fd());
    let ends = interrupt.into_iter().chain([input]);
    let mut ends: Vec<PollFd<'_>> = ends
        .map(|end| PollFd::new(end, PollFlags::POLLIN))
        .collect();
    // A signal cuts the waiting short, and what it means is asked below.
    while poll(&mut ends, PollTimeout::NONE) == Err(Errno::EINTR) {}
    !is_stopped(house)
}
