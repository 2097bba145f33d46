//! A game as the referee tells it.

use std::ops::ControlFlow;

use croupier_core::{Audience, Event, Foul, FoulKind, Instead, Moment, Observer, Outcome, Seat};

use crate::intensity::rules::FOUL;
use crate::intensity::table;
use crate::intensity::{Card, Cards, Intensity, Move, SEATS};

/// The players that take empty chairs, in this order.
pub const SYSTEM_PLAYERS: [&str; SEATS] = ["Lulu", "Morgan", "Amy", "Rat"];

/// The name of the person at the terminal.
pub const PERSON: &str = "Interactive Player";

/// Asks the person for three cards to pass on.
pub const ENTER_DISCARDS: &str = "Enter cards to discard: ";

/// Asks the person for a card to play.
pub const ENTER_PLAY: &str = "Enter card to play: ";

/// Tells the person that it has to pass cards on, and asks for them.
pub fn ask_for_discards(hand: Cards) -> String {
    format!("{PERSON} must choose discards.\nHand: {hand}\n{ENTER_DISCARDS}")
}

/// Tells the person that it has to play, and asks for the card.
pub fn ask_for_play(hand: Cards) -> String {
    format!("{PERSON} turn to play.\nHand: {hand}\n{ENTER_PLAY}")
}

/// Refuses what the person entered, with the rule, and asks again.
pub fn ask_again(rule: &str, enter: &str) -> String {
    format!("{rule}\n{enter}")
}

/// Position, name and points of everybody with tabs between them, best first.
pub fn summary(names: &[String; SEATS], outcome: &Outcome) -> String {
    let lines = standings(outcome).map(|(place, seat, points)| {
        let name = &names[seat];
        format!("{place}\t{name}\t{points}\n")
    });
    lines.collect()
}

/// How much is told of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Telling {
    /// Everything: the deal, what is passed on, and the hands.
    Open,
    /// No deal and no hands.
    Quiet,
    /// What a person at the table may know.
    AtTheTable,
}

/// Tells a game in the format of the referee.
///
/// The text of each moment goes to `tell`, which may stop the game.
#[derive(Debug)]
pub struct Narrator<F> {
    names: [String; SEATS],
    telling: Telling,
    tell: F,
}

impl<F: FnMut(&str) -> ControlFlow<()>> Narrator<F> {
    /// A narrator who calls the seats by these names and speaks through `tell`.
    pub fn new(names: [String; SEATS], telling: Telling, tell: F) -> Narrator<F> {
        Narrator {
            names,
            telling,
            tell,
        }
    }
}

impl<F: FnMut(&str) -> ControlFlow<()>> Observer<Intensity> for Narrator<F> {
    const CURIOUS: bool = false;

    fn see(&mut self, game: &Intensity, moment: &Moment<'_, Intensity>) -> ControlFlow<()> {
        let audience = match self.telling {
            Telling::Open | Telling::Quiet => Audience::Referee,
            Telling::AtTheTable => Audience::Onlooker,
        };
        let text = match moment.heard_by(audience) {
            Some(Event::Dealt) => self.deal(game),
            Some(Event::Played { seat, choice }) => self.choice(game, seat, choice),
            Some(Event::Fouled {
                seat,
                foul,
                instead,
            }) => {
                let choice = match instead {
                    Instead::Move(choice) => Some(choice),
                    Instead::Secret | Instead::Nothing => None,
                };
                self.foul(seat, &foul, choice) + &self.choice(game, seat, choice)
            }
            Some(Event::Over(outcome)) => self.standings(&outcome),
            Some(Event::Asked { .. } | Event::Weighed { .. }) | None => String::new(),
        };
        (self.tell)(&text)
    }
}

impl<F> Narrator<F> {
    fn deal(&self, game: &Intensity) -> String {
        let mut text = String::new();
        if self.telling == Telling::Open {
            let longest = self.names.iter().map(|name| name.chars().count()).max();
            let width = longest.unwrap_or_default();
            text += "Deal:\n";
            for (seat, (name, hand)) in self.names.iter().zip(game.hands()).enumerate() {
                text += &format!("Table position {seat}: {name:<width$}: {hand}\n");
            }
            text += "\n";
        }
        text + "Discards:\n"
    }

    /// What was played; of cards that are passed on in secret only that it was done.
    fn choice(&self, game: &Intensity, seat: Seat, choice: Option<Move>) -> String {
        match choice.and_then(Move::card) {
            None => self.discards(game, seat, choice.map(Move::cards)),
            Some(card) => self.play(game, seat, card),
        }
    }

    fn discards(&self, game: &Intensity, seat: Seat, cards: Option<Cards>) -> String {
        let name = &self.names[seat.index()];
        let told = cards.map_or(String::new(), |cards| format!("{name} {cards}\n"));
        told + if game.is_discarding() { "" } else { "\n" }
    }

    fn play(&self, game: &Intensity, seat: Seat, card: Card) -> String {
        let name = &self.names[seat.index()];
        let round = (game.played().len() - 1) / SEATS;
        let holding = match self.telling {
            Telling::Open => format!(" holding {}", game.hands()[seat.index()] | card.into()),
            Telling::Quiet | Telling::AtTheTable => String::new(),
        };
        let mut text = format!("Round {round}: {name}{holding} plays the {card}\n");
        if let (true, Some(cards)) = (
            game.played().len().is_multiple_of(SEATS),
            game.played().last_chunk::<SEATS>(),
        ) {
            let winner = &self.names[game.table().turn()];
            let contents = match table::points(cards) {
                0 => String::new(),
                points => format!(" which contains {points} penalty points"),
            };
            text += &format!("{winner} wins the round{contents}\n\n");
        }
        text
    }

    /// Who fouled, what happened, and what was done instead; below it whatever more there is to
    /// say, such as the first lines of what a program wrote before it died.
    fn foul(&self, seat: Seat, foul: &Foul, instead: Option<Move>) -> String {
        let name = &self.names[seat.index()];
        let kind = match foul.kind {
            FoulKind::Illegal => "illegal",
            FoulKind::Malformed => "unreadable",
            FoulKind::Timeout => "time-out",
            FoulKind::Crash => "crash",
            FoulKind::Memory => "memory",
            FoulKind::Output => "output",
            FoulKind::Start => "start",
            FoulKind::Compile => "compile",
        };
        let mut lines = foul.detail.lines().map(plain);
        let what = match lines.next() {
            // What is passed on is none of the others' business, and the kind has been told.
            Some(_) if instead.is_none() && foul.kind.is_about_the_answer() => String::new(),
            Some(what) => format!(": {what}"),
            None => String::new(),
        };
        let instead = match instead.map(|choice| (choice.card(), choice.cards())) {
            Some((Some(card), _)) => format!("the {card} is played instead"),
            Some((None, cards)) => format!("{cards} are passed on instead"),
            None => "three random cards are passed on instead".to_owned(),
        };
        let mut text = format!(
            "Foul by {name} ({kind}){what}; {instead}, and it costs {FOUL} penalty points\n"
        );
        for line in lines {
            text += &format!("    {line}\n");
        }
        text
    }

    fn standings(&self, outcome: &Outcome) -> String {
        let mut text = "Finishing Positions\n".to_owned();
        for (place, seat, points) in standings(outcome) {
            let name = &self.names[seat];
            text += &format!("#{place} with {points} penalty points {name}\n");
        }
        text
    }
}

/// Place, seat and points of everybody, best first; who ties goes by the position at the table.
fn standings(outcome: &Outcome) -> impl Iterator<Item = (u16, usize, i64)> {
    let places = outcome.places.iter().zip(&outcome.scores).enumerate();
    let mut rows: Vec<_> = places
        .map(|(seat, (&place, &points))| (place, seat, points))
        .collect();
    rows.sort_unstable();
    rows.into_iter()
}

/// The line without anything that would move the cursor of a terminal or change its colours.
fn plain(line: &str) -> String {
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    line.chars().map(shown).collect()
}
