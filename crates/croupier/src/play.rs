//! `croupier play`: a person at the table, line by line.

use std::fmt::Write as _;
use std::io::{self, BufRead};

use clap::ArgMatches;
use croupier_bots::Hosted;
use croupier_console::{Failure, print};
use croupier_core::{Failure as NoMove, Game, Player, Seat, Seed, Turn};
use croupier_games::austerity::Austerity;
use croupier_games::austerity::wire::{seat_letter, table_lines};
use croupier_games::friday13::Friday13;
use croupier_games::intensity::{Intensity, View};
use croupier_games::uno::Uno;
use serde_json::Value;

use crate::style::{BOLD, DIM};

/// What a game is void for when the person has left.
pub(crate) const LEFT: &str = "the input ended before the game did";

/// A game that is shown to a person.
pub(crate) trait Shown: Game {
    /// What the person sees, as lines.
    fn shown(view: &Self::View, names: &[String]) -> String {
        let _ = names;
        fields(view)
    }

    /// What the person may do, and the question for it.
    fn choices(view: &Self::View, legal: &[Self::Move]) -> String {
        let _ = view;
        let mut text = String::new();
        for (number, choice) in legal.iter().enumerate() {
            let _ = writeln!(text, "  {DIM}{:>3}{DIM:#} {choice}", number + 1);
        }
        text + "Your move"
    }

    /// The move that an entry means: its number in the list, or its text.
    fn entered(view: &Self::View, legal: &[Self::Move], entry: &str) -> Option<Self::Move> {
        let _ = view;
        let number = || legal.get(entry.parse::<usize>().ok()?.checked_sub(1)?);
        number().copied().or_else(|| entry.parse().ok())
    }
}

impl Shown for Friday13 {}

impl Shown for Uno {}

impl Shown for Austerity {
    fn shown(view: &Self::View, names: &[String]) -> String {
        let mut text = String::from("\n");
        table_lines(&mut text, &view.table);
        let [p, b, y, r] = view.table.piles;
        let _ = writeln!(text, "Piles: {p} purple, {b} brown, {y} yellow, {r} red");
        for (seat, name) in Seat::all(names.len()).zip(names) {
            let _ = write!(
                text,
                "{}{} is {name}",
                if seat.0 > 0 { ", " } else { "" },
                seat_letter(seat)
            );
        }
        text + "\n"
    }
}

impl Shown for Intensity {
    fn shown(view: &View, names: &[String]) -> String {
        let View::Playing(view) = view else {
            return String::new();
        };
        let mut text = String::new();
        let round = view.earlier().len() / names.len() + 1;
        let me = view.position().index();
        let taken: Vec<String> = Seat::all(names.len())
            .map(|seat| match seat.index() == me {
                true => format!("you {}", view.taken()[me]),
                false => format!("{} {}", names[seat.index()], view.taken()[seat.index()]),
            })
            .collect();
        let _ = writeln!(
            text,
            "\n{BOLD}Round {round} of 10{BOLD:#}  points: {}",
            taken.join(", ")
        );
        let leader = (me + names.len() - view.round().len()) % names.len();
        for (place, card) in view.round().iter().enumerate() {
            let name = &names[(leader + place) % names.len()];
            let _ = writeln!(text, "  {name} plays the {card}");
        }
        text
    }

    fn choices(view: &View, _: &[Self::Move]) -> String {
        match view {
            View::Discarding(view) => format!("Your hand: {}\nThree cards to pass on", view.hand()),
            View::Playing(view) => {
                let hand: Vec<String> = view
                    .hand()
                    .iter()
                    .map(|card| match view.legal().contains(card) {
                        true => format!("{BOLD}[{card}]{BOLD:#}"),
                        false => format!(" {DIM}{card}{DIM:#} "),
                    })
                    .collect();
                format!(
                    "Your hand: {}  (the marked cards may be played)\nThe card to play",
                    hand.join(" ")
                )
            }
        }
    }

    /// The cards alone are enough.
    fn entered(view: &View, _: &[Self::Move], entry: &str) -> Option<Self::Move> {
        let verb = match view {
            View::Discarding(_) => "discard",
            View::Playing(_) => "play",
        };
        let cards: Vec<&str> = entry
            .split([' ', ',', '\t'])
            .filter(|card| !card.is_empty())
            .collect();
        let by_cards = format!("{verb} {}", cards.join(" ")).parse().ok();
        by_cards.or_else(|| entry.parse().ok())
    }
}

/// A view as lines, one field each.
fn fields(view: &impl serde::Serialize) -> String {
    let mut text = String::from("\n");
    if let Ok(Value::Object(fields)) = serde_json::to_value(view) {
        for (name, value) in fields {
            let _ = writeln!(text, "  {DIM}{name:<12}{DIM:#} {value}");
        }
    }
    text
}

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
}

impl Person {
    /// A person who plays with these, itself first.
    pub(crate) fn new(players: Vec<String>) -> Person {
        Person {
            seated: players.clone(),
            players,
        }
    }
}

impl<G: Shown> Player<G> for Person {
    fn start(&mut self, seat: Seat, _: Seed) {
        self.seated.clone_from(&self.players);
        self.seated.rotate_right(seat.index());
    }

    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        let left = || NoMove::Void(LEFT.to_owned());
        let view = turn.view();
        let mut legal = Vec::new();
        turn.legal(&mut legal);
        let asked = G::shown(&view, &self.seated) + &G::choices(&view, &legal);
        let mut prompt = asked + ": ";
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

/// What the others at the table see of a move.
pub(crate) fn seen<G: Game>(name: &str, choice: G::Move) -> String {
    match G::is_open(choice) {
        true => format!("  {name}: {choice}\n"),
        false => format!("  {name} has chosen\n"),
    }
}
