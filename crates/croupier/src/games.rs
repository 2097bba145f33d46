//! `croupier games` and `croupier rules`.

use clap::ArgMatches;
use croupier_console::{Failure, print};
use croupier_games::GAMES;

use crate::style::BOLD;

/// Lists the games.
pub(crate) fn list() -> Result<(), Failure> {
    let mut text = format!(
        "{BOLD}{:<12}{:<8}{:<44}built-in players{BOLD:#}\n",
        "game", "seats", "how programs take part"
    );
    for entry in GAMES.0 {
        let profile = entry.profile;
        let (least, most) = (profile.seats.start(), profile.seats.end());
        let seats = if least == most {
            least.to_string()
        } else {
            format!("{least}–{most}")
        };
        let players: Vec<_> = entry.players().into_iter().map(|(name, _)| name).collect();
        let players = if players.is_empty() {
            "none needed".to_owned()
        } else {
            players.join(", ")
        };
        text += &format!(
            "{:<12}{seats:<8}{:<44}{players}\n",
            profile.name, profile.programs
        );
    }
    print(&text)
}

/// Prints the rules of a game.
pub(crate) fn rules(matches: &ArgMatches) -> Result<(), Failure> {
    let entry = matches
        .get_one::<String>("game")
        .and_then(|name| GAMES.find(name))
        .expect("clap lets only games through");
    print(entry.profile.rules)
}
