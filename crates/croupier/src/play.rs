//! `croupier play`: a person at the table, line by line.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::os::fd::AsFd as _;

use clap::ArgMatches;
use croupier_bots::{Hosted, House, Interrupt};
use croupier_console::{Failure, print};
use croupier_core::{NoMove, Player, Seat, Seed, Turn};
use nix::poll::PollFlags;

use crate::explain;
use crate::shown::Shown;

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
    entries: Entries,
}

impl Person {
    /// A person who plays with these, itself first, in this house.
    pub(crate) fn new(players: Vec<String>, house: &House) -> Result<Person, Failure> {
        Ok(Person {
            seated: players.clone(),
            players,
            chance: Seed(0),
            entries: Entries::new(house)?,
        })
    }
}

impl<G: Shown> Player<G> for Person {
    fn start(&mut self, seat: Seat, chance: Seed) {
        self.chance = chance;
        self.seated.clone_from(&self.players);
        self.seated.rotate_right(seat.index());
    }

    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        let (view, legal) = (turn.view(), turn.legal_moves());
        let asked = G::choices(&view, &legal);
        let mut prompt = G::shown(&view, &legal, &self.seated) + &asked + ": ";
        loop {
            // If nobody reads it, nobody plays.
            print(&prompt).map_err(|_| NoMove::Stopped)?;
            let line = self.entries.next().ok_or(NoMove::Left)?;
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

/// What the person types, line by line. Nobody waits for it after Ctrl-C.
struct Entries {
    typed: BufReader<File>,
    interrupt: Option<Interrupt>,
}

impl Entries {
    fn new(house: &House) -> Result<Entries, Failure> {
        let typed = io::stdin().as_fd().try_clone_to_owned();
        let typed = typed.map_err(|error| Failure::machine("read the input", &error))?;
        Ok(Entries {
            typed: BufReader::new(typed.into()),
            interrupt: house.interrupt.clone(),
        })
    }

    /// The next line; none if there are no more, or after Ctrl-C. What is no text is no move
    /// either, so it does not matter how it is read.
    fn next(&mut self) -> Option<String> {
        let mut line = Vec::new();
        while !line.ends_with(b"\n") {
            if self.typed.buffer().is_empty() && !self.wait() {
                return None;
            }
            let more = self.typed.fill_buf().ok()?;
            let end = more.iter().position(|&byte| byte == b'\n');
            let length = end.map_or(more.len(), |end| end + 1);
            if length == 0 {
                break;
            }
            line.extend_from_slice(&more[..length]);
            self.typed.consume(length);
        }
        (!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned())
    }

    /// Waits until something is typed; false if Ctrl-C comes first.
    fn wait(&self) -> bool {
        let is_typed = self.interrupt.as_ref().is_none_or(|interrupt| {
            let typed = self.typed.get_ref().as_fd();
            !interrupt.is_raised() && interrupt.leaves_time_for(PollFlags::POLLIN, typed)
        });
        if !is_typed {
            // What is told next begins a line of its own, and not that of the prompt.
            let _ = print("\n");
        }
        is_typed
    }
}
