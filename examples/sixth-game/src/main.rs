//! Croupier with a sixth game: everything that it does with the others it does with this one.

mod tide;

use std::process::ExitCode;

use croupier::Offer;

fn main() -> ExitCode {
    let mut games = croupier::five_games();
    games.push(Offer::of::<tide::Tide>());
    croupier::run(games)
}
