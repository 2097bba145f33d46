//! `shenzi`: a player of Austerity.

use std::process::ExitCode;

use croupier_games::austerity::SHENZI;
use croupier_programs::austerity_player::run;

fn main() -> ExitCode {
    run(&SHENZI)
}
