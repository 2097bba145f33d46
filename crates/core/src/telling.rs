//! A game told in sentences, to the player in a seat or to somebody who may know everything.

use std::fmt::Display;

use crate::{Audience, Event, Game, Instead, Seat};

/// A game of which it can be told what came of a move.
pub trait Told: Game {
    /// What the scores of an outcome are.
    const SCORE: &'static str = "points";

    /// What a foul costs, if that does not show on the table.
    const FOUL: Option<&'static str> = None;

    /// What comes of a move, in sentences, as it shows in what one seat sees before and after it. A
    /// move that this seat is not told, or that was not made because of a foul, is none.
    fn aftermath(
        _before: &Self::View,
        _mover: Seat,
        _choice: Option<Self::Move>,
        _after: &Self::View,
        _company: Company<'_>,
    ) -> Vec<String> {
        Vec::new()
    }
}

/// The players at a table, as they are spoken of.
#[derive(Clone, Copy, Debug)]
pub struct Company<'a> {
    /// The names of the seats; who reads this is "you".
    names: &'a [String],
    /// The seat of who reads this, if that is a player.
    reader: Option<Seat>,
    /// Whether they are shown at a moment that is only looked at.
    looks_back: bool,
}

impl<'a> Company<'a> {
    /// The players with these names, of whom one may be the reader.
    pub fn new(names: &'a [String], reader: Option<Seat>) -> Company<'a> {
        Company {
            names,
            reader,
            looks_back: false,
        }
    }

    /// The players with these names, as they are spoken of to this audience: a seat reads of itself.
    pub fn spoken_to(names: &'a [String], audience: Audience) -> Company<'a> {
        let reader = match audience {
            Audience::Seat(seat) => Some(seat),
            Audience::Referee | Audience::Onlooker => None,
        };
        Company::new(names, reader)
    }

    /// The same players at a moment that is only looked at: nobody is called upon to move.
    pub fn looking_back(self) -> Company<'a> {
        Company {
            looks_back: true,
            ..self
        }
    }

    /// Whether this is who reads it and can do something now, if it is the turn of that seat.
    pub fn is_called_upon(self, seat: Seat) -> bool {
        self.is_reader(seat) && !self.looks_back
    }

    /// The names of the seats.
    pub fn names(self) -> &'a [String] {
        self.names
    }

    /// All seats.
    pub fn seats(self) -> impl DoubleEndedIterator<Item = Seat> {
        (0..self.names.len()).map(Seat::from)
    }

    /// How many there are.
    pub fn count(self) -> usize {
        self.names.len()
    }

    /// The name of a player.
    pub fn name(self, seat: Seat) -> &'a str {
        &self.names[seat.index()]
    }

    /// Whether this is who reads it.
    pub fn is_reader(self, seat: Seat) -> bool {
        self.reader == Some(seat)
    }

    /// The seat of who reads this, if that is a player.
    pub fn reader(self) -> Option<Seat> {
        self.reader
    }

    /// Somebody does something, in the two forms of the verb: "ann takes" or "you take".
    pub fn does(self, seat: Seat, takes: &str, take: &str) -> String {
        let verb = if self.is_reader(seat) { take } else { takes };
        format!("{} {verb}", self.name(seat))
    }

    /// What there is to say of every player: "you 4, ann 2".
    pub fn each<T: std::fmt::Display>(self, of: impl Fn(Seat) -> T) -> String {
        let told = self
            .seats()
            .map(|seat| format!("{} {}", self.name(seat), of(seat)));
        told.collect::<Vec<_>>().join(", ")
    }
}

/// What somebody did, in a sentence; nothing of a moment in which nobody did anything.
pub fn deed<M: Display>(event: &Event<M>, company: Company<'_>) -> Option<String> {
    match event {
        Event::Played { seat, choice } => Some(match choice {
            Some(choice) => format!("{}: {choice}", company.name(*seat)),
            None => company.does(*seat, "has chosen", "have chosen"),
        }),
        Event::Fouled {
            seat,
            foul,
            instead,
        } => {
            let instead = match instead {
                Instead::Move(choice) => format!("; the house chooses: {choice}"),
                Instead::Secret => "; the house chooses".to_owned(),
                Instead::Nothing => String::new(),
            };
            let fouls = company.does(*seat, "fouls", "foul");
            Some(format!("{fouls}: {}{instead}", foul.detail))
        }
        Event::Dealt | Event::Asked { .. } | Event::Weighed { .. } | Event::Over(_) => None,
    }
}

/// What came of a move or a foul, as it shows in what one seat sees before and after it. So nothing
/// is told that this seat does not see.
pub fn aftermath<G: Told>(
    event: &Event<G::Move>,
    before: &G::View,
    after: &G::View,
    company: Company<'_>,
) -> Vec<String> {
    let (mover, choice, foul) = match event {
        Event::Played { seat, choice } => (*seat, *choice, None),
        Event::Fouled { seat, instead, .. } => match instead {
            Instead::Move(choice) => (*seat, Some(*choice), G::FOUL),
            Instead::Secret | Instead::Nothing => (*seat, None, G::FOUL),
        },
        _ => return Vec::new(),
    };
    let came = G::aftermath(before, mover, choice, after, company);
    foul.map(str::to_owned).into_iter().chain(came).collect()
}
