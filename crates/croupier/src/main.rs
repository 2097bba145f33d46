//! `croupier`: the command line over the libraries.

mod arguments;
mod check;
mod cli;
mod compare;
mod doctor;
mod entrants;
mod explain;
mod games;
mod house;
mod manual;
mod play;
mod players;
mod progress;
mod replay;
mod repro;
mod review;
mod serve;
mod shown;
mod simulate;
mod style;
mod table;
mod telling;
mod tournament;

use std::process::ExitCode;

use croupier_console::{Failure, parse, print, run};

fn main() -> ExitCode {
    croupier_bots::mind_if_asked();
    run("croupier", croupier)
}

fn croupier() -> Result<(), Failure> {
    let mut arguments: Vec<_> = std::env::args_os().collect();
    if arguments.len() == 1 {
        return print(&cli::guide());
    }
    cli::reject_unknown_game(&arguments)?;
    arguments[0] = "croupier".into();
    let Some(matches) = parse(&mut cli::command(), arguments)? else {
        return Ok(());
    };
    match matches.subcommand() {
        Some(("games", matches)) => games::list(matches),
        Some(("rules", matches)) => games::rules(matches),
        Some(("simulate", matches)) => simulate::simulate(matches),
        Some(("match", matches)) => table::play_match(matches),
        Some(("play", matches)) => play::play(matches),
        Some(("compare", matches)) => compare::compare(matches),
        Some(("tournament", matches)) => tournament::tournament(matches),
        Some(("serve", matches)) => serve::serve(matches),
        Some(("check", matches)) => check::check(matches),
        Some(("replay", matches)) => replay::replay_record(matches),
        Some(("repro", matches)) => repro::repro(matches),
        Some(("doctor", matches)) => doctor::doctor(matches),
        Some(("completions", matches)) => manual::completions(matches),
        Some(("man", matches)) => manual::man(matches),
        _ => unreachable!("clap knows no other command"),
    }
}
