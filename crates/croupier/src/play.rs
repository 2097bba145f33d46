//! `croupier play`: a person at the table, line by line.

use std::io::{self, BufRead};

use clap::ArgMatches;
use croupier_bots::Hosted;
use croupier_console::{Failure, print};
use croupier_core::{Failure as NoMove, Player, Seat, Seed, Turn};

use crate::explain;
use crate::shown::Shown;

/// What a game is void for when the person has left.
pub(crate) const LEFT: &str = "the input ended before the game did";

/// Plays the games that the command line asks for, with a person in the first seat.
pub(crate) fn play(matches: &ArgMatches) -> Result<(), Failure> {
    crate::table::with_game(matches, PlayWithPerson)
}

struct PlayWithPerson;

impl crate::table::ForGame for PlayWithPerson {
    fn run<G: Hosted + Shown>(self, matches: &ArgMatches) -> Result<(), Failure> {
        crate::table::Match::<G>::with_a_person(matches)?.play()
    }
}

/// The person at the terminal.
pub(crate) struct Person {
    /// All players, in the order in which they were named, the person first.
    players: Vec<String>,
    /// The same in the order of the seats.
    seated: Vec<String>,
    /// The chance of the one who is asked for a hint.
    chance: Seed,
}

impl Person {
    /// A person who plays with these, itself first.
    pub(crate) fn new(players: Vec<String>) -> Person {
        Person {
            seated: players.clone(),
            players,
            chance: Seed(0),
        }
    }
}

impl<G: Shown> Player<G> for Person {
    fn start(&mut self, seat: Seat, chance: Seed) {
        self.chance = chance;
        self.seated.clone_from(&self.players);
        self.seated.rotate_right(seat.index());
    }

    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        let left = || NoMove::Void(LEFT.to_owned());
        let view = turn.view();
        let mut legal = Vec::new();
        turn.legal(&mut legal);
        let asked = G::choices(&view, &legal);
        let mut prompt = G::shown(&view, &legal, &self.seated) + &asked + ": ";
        loop {
            print(&prompt).map_err(|_| left())?;
            let mut line = String::new();
            match io::stdin().lock().read_line(&mut line) {
                Ok(0) => return Err(left()),
                Ok(_) => {}
                // What is no text is no move either.
                Err(error) if error.kind() == io::ErrorKind::InvalidData => line.clear(),
                Err(_) => return Err(left()),
            }
            let entry = line.trim();
            if ["hint", "?"].contains(&entry) {
                prompt = format!("{}{asked}: ", explain::hint(turn, self.chance));
                continue;
            }
            let refused = match G::entered(&view, &legal, entry) {
                None => "that is no move of this game".to_owned(),
                Some(choice) => match turn.check(choice) {
                    Ok(()) => return Ok(choice),
                    Err(rule) => rule.to_string(),
                },
            };
            prompt = format!("{refused}; once more: ");
        }
    }
}
