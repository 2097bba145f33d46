//! `ed`: a player of Austerity.

use std::process::ExitCode;

use croupier_games::austerity::ED;
use croupier_programs::austerity_player::run;

fn main() -> ExitCode {
    run(&ED)
}
