//! `croupier` with the games that come with it.

use std::process::ExitCode;

fn main() -> ExitCode {
    croupier::run(croupier::five_games())
}
