//! Many games between built-in players, and how they fared.

use croupier_core::{BadSetup, Cancel, Entry, Seed};
use serde_json::{Value, json};

use crate::{Swept, share_interval, sweep};

/// Games between built-in players, who move on by one seat from game to game.
#[derive(Debug)]
pub struct HouseGames<'a> {
    entry: &'a Entry,
    setup: &'a Value,
    /// The players of the first game, by seat.
    names: Vec<&'a str>,
}

/// What is counted: whole numbers, so that the order of adding does not matter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// How many games were played.
    pub games: u64,
    /// How many decisions were made in them.
    pub decisions: u64,
    /// How each of the players fared.
    pub players: Vec<Fared>,
}

/// How a player fared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fared {
    scores: i128,
    half_points: u64,
    /// How often it was first, alone or with others.
    pub wins: u64,
}

impl<'a> HouseGames<'a> {
    /// Games with this setup between these players, as many as there are seats.
    pub fn new(
        entry: &'a Entry,
        setup: &'a Value,
        names: Vec<&'a str>,
    ) -> Result<HouseGames<'a>, BadSetup> {
        entry.table(setup, &names)?;
        Ok(HouseGames {
            entry,
            setup,
            names,
        })
    }

    /// Plays so many games on so many threads: see [`sweep`].
    pub fn play(
        &self,
        games: u64,
        seed: Seed,
        threads: usize,
        stop: &Cancel,
        progress: impl Fn(u64) + Sync,
    ) -> Swept<Tally> {
        let seats = self.names.len();
        sweep(
            games,
            threads,
            stop,
            |deals| {
                let mut tally = Tally::default();
                let mut tables: Vec<_> = (0..seats)
                    .map(|moved| {
                        let mut names = self.names.clone();
                        names.rotate_right(moved);
                        let table = self.entry.table(self.setup, &names);
                        table.expect("it was made before")
                    })
                    .collect();
                for deal in deals {
                    let moved = (deal % seats as u64) as usize;
                    let (outcome, decisions) = tables[moved].play(seed.deal(deal));
                    let points = outcome.points();
                    tally.games += 1;
                    tally.decisions += decisions;
                    tally.players.resize(seats, Fared::default());
                    for (number, fared) in tally.players.iter_mut().enumerate() {
                        let seat = (number + moved) % seats;
                        fared.scores += i128::from(outcome.scores[seat]);
                        fared.half_points += (2.0 * points[seat]).round() as u64;
                        fared.wins += u64::from(outcome.places[seat] == 1);
                    }
                }
                tally
            },
            Tally::merge,
            progress,
        )
    }
}

impl Tally {
    fn merge(&mut self, other: Tally) {
        self.games += other.games;
        self.decisions += other.decisions;
        self.players.resize(
            self.players.len().max(other.players.len()),
            Fared::default(),
        );
        for (mine, theirs) in self.players.iter_mut().zip(other.players) {
            mine.scores += theirs.scores;
            mine.half_points += theirs.half_points;
            mine.wins += theirs.wins;
        }
    }
}

impl Fared {
    /// The mean of the game's own score.
    pub fn mean_score(&self, games: u64) -> f64 {
        self.scores as f64 / games as f64
    }

    /// The mean of the points for places.
    pub fn mean_points(&self, games: u64) -> f64 {
        self.half_points as f64 / 2.0 / games as f64
    }

    /// How it fared in so many games, as JSON.
    pub fn json(&self, games: u64) -> Value {
        json!({
            "mean_score": self.mean_score(games),
            "mean_points": self.mean_points(games),
            "win_share": self.wins as f64 / games as f64,
            "win_share_ci95": share_interval(self.wins, games),
        })
    }
}
