//! `croupier simulate`: many games, as fast as the machine can.

mod histogram;
mod players;
mod war;

use std::thread;

use clap::ArgMatches;
use croupier_console::Failure;
use croupier_games::GAMES;

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
