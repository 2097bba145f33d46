//! Built-in players against each other, as fast as the machine can.

use std::fmt::Write as _;
use std::time::Instant;

use clap::ArgMatches;
use croupier_arena::{HouseGames, Tally, share_interval};
use croupier_console::{Failure, game_options, print, seed};
use croupier_core::{Entry, Seed};
use serde_json::{Value, json};

use super::threads;
use crate::players::{self, Kind, Named};
use crate::style::{self, BOLD, DIM, grouped};
use crate::{house, progress};

/// Plays many games between built-in players and prints how they fared.
pub(super) fn simulate(entry: &Entry, matches: &ArgMatches) -> Result<(), Failure> {
    let usage = |error: croupier_core::BadSetup| Failure::Usage(error.to_string());
    let specs: Vec<String> = matches
        .get_many("player")
        .unwrap_or_default()
        .cloned()
        .collect();
    let options = game_options(entry.profile, matches)?;
    let options = crate::cli::with_enough_seats(entry.profile, options, matches, specs.len());
    let setup = entry.setup(&options).map_err(usage)?;
    let seats = entry.deal(&setup, Seed(0)).map_err(usage)?.seats();
    let players = players::read(Vec::new(), &specs, seats)?;
    let names = built_in(&players)?;
    let house_games = HouseGames::new(entry, &setup, names).map_err(usage)?;

    let games = *matches.get_one("games").expect("it has a default");
    let seed = seed(matches)?;
    let threads = threads(matches);
    let interrupt = house::interrupt()?;
    let bar = progress::bar(games, matches.get_flag("quiet") || matches.get_flag("json"));
    let start = Instant::now();
    let swept = house_games.play(games, seed, threads, interrupt.cancel(), |played| {
        bar.set_position(played);
    });
    let seconds = start.elapsed().as_secs_f64();
    bar.finish_and_clear();
    let report = Report {
        entry,
        setup,
        players,
        seed,
        threads,
        seconds,
        tally: swept.found,
    };
    if matches.get_flag("json") {
        print(&format!("{}\n", report.json()))?;
    } else {
        print(&report.text())?;
    }
    if swept.played < games {
        return Err(Failure::Interrupted(format!(
            "stopped after {} of {games} games, which are shown; --seed {seed} plays them again",
            swept.played,
        )));
    }
    Ok(())
}

fn built_in(players: &[Named]) -> Result<Vec<&str>, Failure> {
    fn name(player: &Named) -> Result<&str, Failure> {
        match &player.kind {
            Kind::BuiltIn(name) => Ok(name),
            Kind::Program(..) | Kind::Person => Err(Failure::Usage(format!(
                "simulate is for built-in players; for the program {} use: croupier match",
                player.spec
            ))),
        }
    }
    players.iter().map(name).collect()
}

struct Report<'a> {
    entry: &'a Entry,
    setup: Value,
    players: Vec<Named>,
    seed: Seed,
    threads: usize,
    seconds: f64,
    tally: Tally,
}

impl Report<'_> {
    fn rate(&self, count: u64) -> f64 {
        count as f64 / self.seconds.max(1e-9)
    }

    fn text(&self) -> String {
        let Tally {
            games,
            decisions,
            players,
        } = &self.tally;
        let mut text = format!(
            "{BOLD}{}{BOLD:#}, {} in {:.2} s: {} games and {} decisions a second on {} thread{}\n{DIM}--seed {}{DIM:#}\n\n",
            self.entry.profile.title,
            style::games(*games),
            self.seconds,
            grouped(self.rate(*games) as u64),
            grouped(self.rate(*decisions) as u64),
            self.threads,
            if self.threads == 1 { "" } else { "s" },
            self.seed,
        );
        let widest = self
            .players
            .iter()
            .map(|player| player.name.chars().count())
            .max();
        let widest = widest.unwrap_or(0).max("player".len());
        let _ = writeln!(
            text,
            "  {:<widest$}  {:>12}  {:>12}  {:>9}   95 % interval",
            "player", "mean points", "mean score", "first"
        );
        for (player, fared) in self.players.iter().zip(players) {
            let games = *games;
            let [low, high] = share_interval(fared.wins, games);
            let _ = writeln!(
                text,
                "  {:<widest$}  {:>12.4}  {:>12.3}  {:>7.3} %   {:.3} – {:.3} %",
                player.name,
                fared.mean_points(games),
                fared.mean_score(games),
                100.0 * fared.wins as f64 / games as f64,
                100.0 * low,
                100.0 * high,
            );
        }
        text
    }

    fn json(&self) -> Value {
        let players = self.players.iter().zip(&self.tally.players);
        let players = players.map(|(player, fared)| {
            let mut json = json!({"name": player.name, "spec": player.spec});
            if let (Value::Object(json), Value::Object(fared)) =
                (&mut json, fared.json(self.tally.games))
            {
                json.extend(fared);
            }
            json
        });
        json!({
            "game": self.entry.profile.name,
            "games": self.tally.games,
            "seed": self.seed,
            "threads": self.threads,
            "setup": self.setup,
            "seconds": self.seconds,
            "games_per_second": self.rate(self.tally.games),
            "decisions": self.tally.decisions,
            "decisions_per_second": self.rate(self.tally.decisions),
            "players": players.collect::<Vec<_>>(),
        })
    }
}
