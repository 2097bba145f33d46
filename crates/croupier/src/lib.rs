//! The command line over the libraries, for whichever games it is given.
//!
//! A game of another crate takes part by being offered:
//!
//! ```no_run
//! # use croupier_games::war::War as Nim;
//! use std::process::ExitCode;
//!
//! fn main() -> ExitCode {
//!     let mut games = croupier::five_games();
//!     games.push(croupier::Offer::of::<Nim>());
//!     croupier::run(games)
//! }
//! ```
//!
//! Its rules, its players and its words are traits of `croupier-core`; how programs are spoken to is
//! [`Hosted`], how it looks in a terminal [`Shown`](shown::Shown). All but the
//! rules, the players and what an onlooker may see have defaults.

mod arguments;
mod check;
mod cli;
mod cluster;
mod compare;
mod doctor;
mod entrants;
mod explain;
mod games;
mod house;
mod manual;
mod offer;
mod play;
mod players;
mod progress;
mod replay;
mod repro;
mod review;
mod serve;
pub mod shown;
mod simulate;
mod style;
mod table;
mod telling;
mod tournament;
mod web;

use std::process::ExitCode;

use croupier_console::{Failure, parse, print};
use croupier_games::austerity::Austerity;
use croupier_games::friday13::Friday13;
use croupier_games::intensity::Intensity;
use croupier_games::uno::Uno;
use croupier_games::war::War;

pub use croupier_bots::Hosted;

pub use crate::offer::Offer;
use crate::offer::Offers;

/// The games that come with the program.
pub fn five_games() -> Vec<Offer> {
    vec![
        Offer::of::<War>().simulated(simulate::WAR),
        Offer::of::<Intensity>(),
        Offer::of::<Friday13>(),
        Offer::of::<Uno>(),
        Offer::of::<Austerity>(),
    ]
}

/// Does what the command line asks for, with these games.
pub fn run(games: Vec<Offer>) -> ExitCode {
    croupier_bots::mind_if_asked();
    croupier_console::run("croupier", || croupier(&Offers(games)))
}

fn croupier(games: &Offers) -> Result<(), Failure> {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    if arguments.len() == 1 {
        return print(&cli::guide(games));
    }
    cli::reject_unknown_game(games, &arguments)?;
    arguments[0] = "croupier".into();
    let Some(matches) = parse(&mut cli::command(games), arguments)? else {
        return Ok(());
    };
    let (command, matches) = matches.subcommand().expect("clap asks for a command");
    match command {
        "games" => games::list(games, matches),
        "rules" => games::rules(games, matches),
        "simulate" => games.with(matches, simulate::simulate),
        "match" => games.with(matches, |game, matches| game.commands.play_match(matches)),
        "play" => games.with(matches, |game, matches| match matches.get_flag("web") {
            true => web::play(games, game, matches),
            false => game.commands.play(matches),
        }),
        "compare" => games.with(matches, |game, matches| game.commands.compare(matches)),
        "check" => games.with(matches, |game, matches| game.commands.check(matches)),
        "tournament" => tournament::tournament(games, matches),
        "replay" => replay::replay_record(games, matches),
        "repro" => repro::repro(games, matches),
        "serve" => serve::serve(games, matches),
        "work" => cluster::work(games, matches),
        "cluster" => match matches.subcommand() {
            Some((_, matches)) => cluster::status(matches),
            None => unreachable!("clap asks for a command"),
        },
        "doctor" => doctor::doctor(matches),
        "completions" => manual::completions(games, matches),
        "man" => manual::man(games, matches),
        _ => unreachable!("clap knows no other command"),
    }
}
