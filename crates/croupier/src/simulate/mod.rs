//! `croupier simulate`: many games, as fast as the machine can.

mod histogram;
mod players;
mod war;

use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use clap::ArgMatches;
use croupier_console::Failure;
use croupier_games::GAMES;
use signal_hook::consts::SIGINT;
use signal_hook::{flag, low_level::pipe};

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
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let asked = matches.get_one::<u16>("threads");
    asked.map_or_else(cores, |&threads| usize::from(threads))
}

/// How long after the first Ctrl-C a second one is taken for the same: a shell or `timeout` may
/// tell the program and then its whole group.
const SAME_CTRL_C: Duration = Duration::from_millis(500);

/// A flag that the first Ctrl-C raises, so that what is finished is kept; the second one ends the
/// program on the spot.
pub(crate) fn stop_on_ctrl_c() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let second = Arc::new(AtomicBool::new(false));
    let prepare = || -> io::Result<()> {
        flag::register_conditional_shutdown(SIGINT, 130, Arc::clone(&second))?;
        flag::register(SIGINT, Arc::clone(&stop))?;
        let (mut first, signal) = UnixStream::pair()?;
        pipe::register(SIGINT, signal)?;
        let wait = move || {
            // Only this program holds the other end, and it keeps it.
            let _ = first.read_exact(&mut [0]);
            thread::sleep(SAME_CTRL_C);
            second.store(true, Ordering::Relaxed);
        };
        thread::Builder::new().spawn(wait).map(drop)
    };
    prepare().map_err(|error| Failure::machine("prepare for Ctrl-C", &error))?;
    Ok(stop)
}
