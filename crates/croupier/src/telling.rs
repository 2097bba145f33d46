//! A game told move by move, to somebody who may know everything or to the player in a seat.

use croupier_console::harmless;
use croupier_core::{Audience, Event, Instead, Outcome, Seat};

use crate::shown::Shown;
use crate::style::{filled, in_words, wrapped};

/// Who is told: the player in a seat, or somebody who may know everything.
pub(crate) fn audience(reader: Option<Seat>) -> Audience {
    reader.map_or(Audience::Referee, Audience::Seat)
}

/// The players at a table, as they are spoken of.
#[derive(Clone, Copy)]
pub(crate) struct Company<'a> {
    /// The names of the seats; who reads this is "you".
    names: &'a [String],
    /// The seat of who reads this, if that is a player.
    reader: Option<Seat>,
}

impl<'a> Company<'a> {
    /// The players with these names, of whom one may be the reader.
    pub(crate) fn new(names: &'a [String], reader: Option<Seat>) -> Company<'a> {
        Company { names, reader }
    }

    /// All seats.
    pub(crate) fn seats(self) -> impl DoubleEndedIterator<Item = Seat> {
        (0..self.names.len()).map(Seat::from)
    }

    /// How many there are.
    pub(crate) fn count(self) -> usize {
        self.names.len()
    }

    /// The name of a player.
    pub(crate) fn name(self, seat: Seat) -> &'a str {
        &self.names[seat.index()]
    }

    /// Whether this is who reads it.
    pub(crate) fn is_reader(self, seat: Seat) -> bool {
        self.reader == Some(seat)
    }

    /// The seat of who reads this, if that is a player.
    pub(crate) fn reader(self) -> Option<Seat> {
        self.reader
    }

    /// Somebody does something, in the two forms of the verb: "ann takes" or "you take".
    pub(crate) fn does(self, seat: Seat, takes: &str, take: &str) -> String {
        let verb = if self.is_reader(seat) { take } else { takes };
        format!("{} {verb}", self.name(seat))
    }

    /// What there is to say of every player: "you 4, ann 2".
    pub(crate) fn each<T: std::fmt::Display>(self, of: impl Fn(Seat) -> T) -> String {
        let told = self
            .seats()
            .map(|seat| format!("{} {}", self.name(seat), of(seat)));
        told.collect::<Vec<_>>().join(", ")
    }
}

/// What is told of what somebody has heard.
pub(crate) fn told<G: Shown>(event: &Event<G::Move>, company: Company<'_>) -> String {
    match event {
        Event::Dealt | Event::Asked { .. } | Event::Weighed { .. } => String::new(),
        Event::Played { seat, choice } => match choice {
            Some(choice) => format!("  {}: {choice}\n", company.name(*seat)),
            None => format!("  {} chosen\n", company.does(*seat, "has", "have")),
        },
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
            let detail = harmless(&foul.detail);
            format!("  {fouls}: {detail}{instead}\n")
        }
        Event::Over(outcome) => over::<G>(outcome, company),
    }
}

/// What came of a move or a foul, as it shows in what one seat sees before and after it. So nothing
/// is told that this seat does not see.
pub(crate) fn aftermath<G: Shown>(
    event: &Event<G::Move>,
    before: &G::View,
    after: &G::View,
    company: Company<'_>,
) -> String {
    let (mover, choice) = match event {
        Event::Played { seat, choice } => (*seat, *choice),
        Event::Fouled { seat, instead, .. } => match instead {
            Instead::Move(choice) => (*seat, Some(*choice)),
            Instead::Secret | Instead::Nothing => (*seat, None),
        },
        _ => return String::new(),
    };
    let foul = G::FOUL.filter(|_| matches!(event, Event::Fouled { .. }));
    let lines = G::aftermath(before, mover, choice, after, company);
    let lines = foul.into_iter().chain(lines.iter().map(String::as_str));
    lines.map(|line| filled("    ", 6, line)).collect()
}

/// How a game ended: who won, and everybody's place and score.
fn over<G: Shown>(outcome: &Outcome, company: Company<'_>) -> String {
    let mut text = String::new();
    if let Some(note) = &outcome.note {
        // A note cannot know the names of the players.
        let named = company.seats().rev().fold(note.clone(), |note, seat| {
            note.replace(&format!("seat {seat}"), company.name(seat))
        });
        text += &format!("  {named}\n");
    }
    let mut seats: Vec<Seat> = company.seats().collect();
    seats.sort_by_key(|seat| outcome.places[seat.index()]);
    let first = |seat: &&Seat| outcome.places[seat.index()] == 1;
    let first: Vec<Seat> = seats.iter().filter(first).copied().collect();
    text += &match first.as_slice() {
        [winner] => format!("  {}\n", company.does(*winner, "wins", "win")),
        all if all.len() == company.count() => "  all share the first place\n".to_owned(),
        several => {
            let names = several.iter().map(|&seat| company.name(seat));
            let names = in_words(names.map(str::to_owned), "and");
            format!("  {names} share the first place\n")
        }
    };
    let last = seats.len() - 1;
    let places = seats.iter().enumerate().map(|(number, &seat)| {
        let (place, score) = (outcome.places[seat.index()], outcome.scores[seat.index()]);
        let comma = if number == last { "" } else { "," };
        // In one piece, so that a line does not end after the place.
        format!("{place}.\u{a0}{}\u{a0}{score}{comma}", company.name(seat))
    });
    let label = format!("  places, with {}", G::SCORE);
    text + &wrapped(&label, 3, places) + "\n"
}

#[cfg(test)]
mod tests {
    use croupier_core::{Foul, FoulKind, Moment, NoMove, Options, Seed, Stepper};
    use croupier_games::austerity::Austerity;
    use croupier_games::friday13::Friday13;
    use croupier_games::intensity::Intensity;
    use croupier_games::uno::Uno;
    use croupier_games::war::War;

    use super::*;

    /// A random game with a foul now and then, as this reader is told it, with one name a seat.
    fn random_game<G: Shown>(seed: u64, reader: Option<Seat>) -> (String, Vec<String>) {
        let setup = G::setup(&Options::new()).expect("the usual game");
        let mut stepper = Stepper::<G>::deal(&setup, Seed(seed));
        let names = ["ann", "bob", "cat", "dan"][..stepper.game().seats()].iter();
        let mut names: Vec<String> = names.map(|&name| name.to_owned()).collect();
        if let Some(seat) = reader {
            names[seat.index()] = "you".to_owned();
        }
        let company = Company::new(&names, reader);
        let mut rng = Seed(seed).rng();
        let mut text = String::new();
        while let Some(turn) = stepper.turn() {
            let answer = match rng.below(40) {
                0 => Err(NoMove::Foul(Foul {
                    kind: FoulKind::Timeout,
                    detail: "late".to_owned(),
                })),
                _ => Ok(turn.random_move(&mut rng)),
            };
            let viewer = reader.unwrap_or(turn.seat());
            let before = stepper.game().view(viewer);
            let step = stepper.answer(answer).expect("nobody stops it");
            let after = stepper.game().view(viewer);
            let event = step.moment::<G>().heard_by(audience(reader));
            let event = event.expect("everybody hears of moves");
            text += &told::<G>(&event, company);
            text += &aftermath::<G>(&event, &before, &after, company);
        }
        let outcome = stepper.outcome().expect("it is over");
        let over = Moment::<G>::Over(&outcome).heard_by(audience(reader));
        text += &told::<G>(&over.expect("everybody hears of it"), company);
        (text, names)
    }

    /// Every verb of the sentences: as others do it, and as you do it.
    const VERBS: [[&str; 2]; 12] = [
        ["takes", "take"],
        ["draws", "draw"],
        ["has", "have"],
        ["is", "are"],
        ["wins", "win"],
        ["goes", "go"],
        ["pays", "pay"],
        ["loses", "lose"],
        ["begins", "begin"],
        ["reaches", "reach"],
        ["fouls", "foul"],
        ["gets", "get"],
    ];

    fn for_every_reader<G: Shown>(games: u64, check: impl Fn(&str, Option<Seat>)) {
        let setup = G::setup(&Options::new()).expect("the usual game");
        let seats = G::deal(&setup, Seed(0)).seats();
        for seed in 0..games {
            for reader in Seat::all(seats).map(Some).chain([None]) {
                let (text, names) = random_game::<G>(seed, reader);
                let sentences = text.replace("\n      ", " ").replace(" alone ", " ");
                for name in &names {
                    let is_you = name == "you";
                    for [others, you] in VERBS {
                        let wrong = if is_you { others } else { you };
                        for end in [" ", "\n"] {
                            let wrong = format!(" {name} {wrong}{end}");
                            assert!(!sentences.contains(&wrong), "{wrong}: {text}");
                        }
                    }
                }
                assert!(!text.contains("seat "), "seats are named: {text}");
                check(&text, reader);
            }
        }
    }

    #[test]
    fn sentences_about_you_and_about_others_are_right() {
        for_every_reader::<War>(3, |text, _| {
            assert!(text.contains("the turn: "), "{text}");
        });
        for_every_reader::<Intensity>(20, |text, reader| {
            assert_eq!(text.matches(" the round with the ").count(), 10, "{text}");
            let seen = if reader.is_some() { 0..=1 } else { 0..=4 };
            let discards = text.matches(": discard ").count();
            assert!(seen.contains(&discards), "{text}");
            let got = text.matches("    you get ").count();
            assert_eq!(got, usize::from(reader.is_some()), "{text}");
        });
        for_every_reader::<Friday13>(20, |text, _| {
            for number in 1..=3 {
                let over = format!("    round {number} is over\n");
                assert_eq!(text.matches(&over).count(), 1, "{text}");
            }
            assert!(text.contains(" explodes, "), "{text}");
        });
        for_every_reader::<Uno>(60, |text, reader| {
            assert_eq!(text.matches(" out\n").count(), 1, "{text}");
            let others = text.contains(" draws the ");
            assert!(!others || reader.is_none(), "nobody sees that: {text}");
        });
        for_every_reader::<Austerity>(10, |text, _| {
            let bought = text.matches(": purchase ").count();
            assert_eq!(text.matches(" for the card (").count(), bought, "{text}");
        });
    }

    #[test]
    fn all_that_can_come_of_a_card_of_uno_is_told_in_some_game() {
        let told: String = (0..60)
            .map(|seed| random_game::<Uno>(seed, Some(Seat(1))).0)
            .collect();
        for sentence in [
            "    you draw the ",
            "    ann draws a card\n",
            "    cat draws 2 cards and loses the turn\n",
            "    cat draws 4 cards and loses the turn\n",
            " and lose the turn\n",
            "    you are skipped\n",
            "    cat is skipped\n",
            "    play goes the other way round: you are next\n",
            "    play goes the other way round: dan is next\n",
            "    red is called\n",
            "    you have one card left\n",
            "    the discards are shuffled and become the deck\n",
            "  ann fouls: late\n    ann draws 2 cards\n",
            "    you go out\n  you win\n",
        ] {
            assert!(told.contains(sentence), "{sentence}");
        }
    }
}
