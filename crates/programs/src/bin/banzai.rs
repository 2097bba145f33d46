//! `banzai`: a player of Austerity.

use std::process::ExitCode;

use croupier_games::austerity::BANZAI;
use croupier_programs::austerity_player::run;

fn main() -> ExitCode {
    run(&BANZAI)
}
