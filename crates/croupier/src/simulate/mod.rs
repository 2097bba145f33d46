//! `croupier simulate`: many games, as fast as the machine can.

mod histogram;
mod players;
mod war;

use std::thread;

use clap::ArgMatches;
use croupier_console::Failure;

use crate::offer::Offer;

pub(crate) use war::SIMULATION as WAR;

/// Plays the games that the command line asks for.
pub(crate) fn simulate(game: &Offer, matches: &ArgMatches) -> Result<(), Failure> {
    match game.simulation {
        Some(simulation) => (simulation.run)(matches),
        None => players::simulate(&game.entry, matches),
    }
}

/// How many threads to play on.
pub(crate) fn threads(matches: &ArgMatches) -> usize {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let asked = matches.get_one::<u16>("threads");
    asked.map_or_else(cores, |&threads| usize::from(threads))
}
