//! `croupier simulate`: many games, as fast as the machine can.

mod histogram;
mod players;
mod war;

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::ArgMatches;
use croupier_console::Failure;
use croupier_games::GAMES;
use signal_hook::consts::SIGINT;
use signal_hook::flag;

/// Plays the games that the command line asks for.
pub(crate) fn simulate(matches: &ArgMatches) -> Result<(), Failure> {
    let (game, matches) = matches.subcommand().expect("clap asks for a game");
    let entry = GAMES.find(game).expect("clap lets only games through");
    if entry.profile.decisions {
        players::simulate(entry, matches)
    } else {
        war::simulate(matches)
    }
}

/// How many threads to play on.
pub(crate) fn threads(matches: &ArgMatches) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let asked = matches.get_one::<u16>("threads");
    asked.map_or_else(cores, |&threads| usize::from(threads))
}

/// A flag that the first Ctrl-C raises, so that what is finished is kept; the second one ends the
/// program on the spot.
pub(crate) fn stop_on_ctrl_c() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let failed = |error: io::Error| Failure::machine("prepare for Ctrl-C", &error);
    flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&stop)).map_err(failed)?;
    flag::register(SIGINT, Arc::clone(&stop)).map_err(failed)?;
    Ok(stop)
}
