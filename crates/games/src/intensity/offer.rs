//! What Intensity offers: players. It leaves no options.

use croupier_core::{BadSetup, BuiltIn, Contested, Game as _, Offered, Options, Profile};

use super::players;
use super::{Intensity, SEATS, Setup};

impl Offered for Intensity {
    const PROFILE: Profile = Profile {
        name: Intensity::NAME,
        title: "Intensity",
        aim: "Follow suit, and leave the calves and the buffalo to the others.",
        seats: SEATS..=SEATS,
        decisions: true,
        programs: "a process per decision, integers on stdin",
        example_program: "./mybot",
        rules: include_str!("rules.txt"),
        options: &[],
    };
    const PLAYERS: &'static [BuiltIn<Intensity>] = players::PLAYERS;
    const OPPONENTS: &'static [&'static str] = &["careful"];

    fn setup(options: &Options) -> Result<Setup, BadSetup> {
        match options.first_key_value() {
            None => Ok(Setup {}),
            Some((name, _)) => Err(BadSetup::unknown_option::<Intensity>(name)),
        }
    }
}

impl Contested for Intensity {
    /// Scores are penalty points.
    const LOWEST_WINS: bool = true;
}
