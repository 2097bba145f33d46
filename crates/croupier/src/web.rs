//! `croupier play GAME --web`: one table, in the browser.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::ArgMatches;
use croupier_console::{Failure, game_options, print, seed};
use croupier_core::Seed;
use croupier_server::{Booked, Booking, Guest, Settings, keeps_tables};

use crate::offer::{Offer, Offers};
use crate::players::{self, Kind, Named};
use crate::style::BOLD;
use crate::{cli, serve};

/// The folder for the table: beside the usual one if another server keeps its tables there.
fn free_folder(usual: PathBuf) -> PathBuf {
    let others = (2..100).map(|number| usual.with_file_name(format!("tables-{number}")));
    let mut all = std::iter::once(usual.clone()).chain(others);
    let free = all.find(|folder| !keeps_tables(folder));
    free.unwrap_or(usual)
}

/// Sets up the table that the command line describes, opens the browser, and serves until Ctrl-C.
pub(crate) fn play(games: &Offers, game: &Offer, matches: &ArgMatches) -> Result<(), Failure> {
    let profile = game.entry.profile;
    let usage = |error: croupier_core::BadSetup| Failure::Usage(error.to_string());
    let against = matches.get_many::<String>("against").unwrap_or_default();
    let mut specs: Vec<String> = against.cloned().collect();
    let options = game_options(profile, matches)?;
    let options = cli::with_enough_seats(profile, options, matches, specs.len() + 1);
    let setup = game.entry.setup(&options).map_err(usage)?;
    let seats = game.entry.deal(&setup, Seed(0)).map_err(usage)?.seats();
    let empty = seats.saturating_sub(specs.len() + 1);
    let opponents = game.entry.opponents.iter().cycle().take(empty);
    specs.extend(opponents.map(|name| (*name).to_owned()));
    let players = players::read(vec![Named::person()], &specs, seats)?;
    if players.len() > seats {
        let wrong = cli::wrong_number(profile, seats, players.len());
        return Err(Failure::Usage(wrong));
    }
    // Whether there are such built-in players is found out here, where it can still be said.
    let usual = game.entry.opponents.first().copied().unwrap_or_default();
    let built_in = players.iter().map(|player| match &player.kind {
        Kind::BuiltIn(spec) => spec.as_str(),
        Kind::Person | Kind::Program(..) => usual,
    });
    let built_in: Vec<&str> = built_in.collect();
    game.entry.table(&setup, &built_in).map_err(usage)?;
    let mut programs: Vec<Guest> = Vec::new();
    let mut booked = Vec::new();
    for player in players {
        let sitter = match player.kind {
            Kind::Person => Booked::Person,
            Kind::BuiltIn(spec) => Booked::BuiltIn(spec),
            Kind::Program(path, speech) => {
                let named = serve::Named {
                    name: player.name.clone(),
                    game: profile.name.to_owned(),
                    path,
                    speech,
                };
                programs.push(game.commands.guest(&named, matches)?);
                Booked::Program(player.name.clone())
            }
        };
        booked.push((player.name, sitter));
    }
    let booking = Booking {
        game: profile.name,
        setup,
        seed: seed(matches)?,
        seats: booked,
    };
    let settings = Settings {
        programs,
        ..Settings::new(games.registry(), free_folder(serve::tables_folder()?))
    };
    let anywhere = SocketAddr::from(([127, 0, 0, 1], 0));
    serve::run(settings, anywhere, true, async |server, lobby| {
        let path = server.book(booking).await.map_err(Failure::Usage)?;
        let url = format!("{}{path}", lobby.trim_end_matches('/'));
        print(&format!(
            "{BOLD}Your seat{BOLD:#} is at {url}\nCtrl-C ends it.\n"
        ))?;
        Ok(url)
    })
}
