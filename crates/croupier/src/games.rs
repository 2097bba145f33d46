//! `croupier games` and `croupier rules`.

use clap::ArgMatches;
use croupier_console::{Failure, print};
use croupier_core::Entry;
use serde_json::{Value, json};

use crate::offer::{Offer, Offers};
use crate::style::BOLD;

/// Lists the games.
pub(crate) fn list(games: &Offers, matches: &ArgMatches) -> Result<(), Failure> {
    if matches.get_flag("json") {
        let games: Value = games.0.iter().map(|game| as_json(&game.entry)).collect();
        return print(&format!("{}\n", json!({"games": games})));
    }
    let mut text = format!(
        "{BOLD}{:<12}{:<8}{:<44}built-in players{BOLD:#}\n",
        "game", "seats", "how programs take part"
    );
    for Offer { entry, .. } in &games.0 {
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

fn as_json(entry: &Entry) -> Value {
    let profile = entry.profile;
    let players = entry.players().into_iter();
    json!({
        "name": profile.name,
        "title": profile.title,
        "seats": [profile.seats.start(), profile.seats.end()],
        "decisions": profile.decisions,
        "programs": profile.programs,
        "players": players
            .map(|(name, about)| json!({"name": name, "about": about}))
            .collect::<Vec<_>>(),
    })
}

/// Prints the rules of a game.
pub(crate) fn rules(games: &Offers, matches: &ArgMatches) -> Result<(), Failure> {
    let game = matches
        .get_one::<String>("game")
        .and_then(|name| games.find(name))
        .expect("clap lets only games through");
    print(game.entry.profile.rules)
}
