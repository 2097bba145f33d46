//! A game told move by move, to somebody who may know everything or to the player in a seat.

use croupier_console::harmless;
use croupier_core::{Audience, Company, Event, Outcome, Seat, Told, deed, in_words};

use crate::style::{filled, wrapped};

/// Who is told: the player in a seat, or somebody who may know everything.
pub(crate) fn audience(reader: Option<Seat>) -> Audience {
    reader.map_or(Audience::Referee, Audience::Seat)
}

/// What is told of what somebody has heard.
pub(crate) fn told<G: Told>(event: &Event<G::Move>, company: Company<'_>) -> String {
    match event {
        Event::Over(outcome) => over::<G>(outcome, company),
        event => {
            let deed = deed(event, company);
            deed.map_or_else(String::new, |deed| format!("  {}\n", harmless(&deed)))
        }
    }
}

/// What came of a move or a foul, as it shows in what one seat sees before and after it.
pub(crate) fn aftermath<G: Told>(
    event: &Event<G::Move>,
    before: &G::View,
    after: &G::View,
    company: Company<'_>,
) -> String {
    let lines = croupier_core::aftermath::<G>(event, before, after, company);
    lines.iter().map(|line| filled("    ", 6, line)).collect()
}

/// How a game ended: who won, and everybody's place and score.
fn over<G: Told>(outcome: &Outcome, company: Company<'_>) -> String {
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
        all if all.len() == company.count() => "  all share first place\n".to_owned(),
        several => {
            let names = several.iter().map(|&seat| company.name(seat));
            let names = in_words(names.map(str::to_owned), "and");
            format!("  {names} share first place\n")
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
    use croupier_core::{Foul, FoulKind, Moment, NoMove, Offered, Options, Seed, Stepper};
    use croupier_games::austerity::Austerity;
    use croupier_games::friday13::Friday13;
    use croupier_games::intensity::Intensity;
    use croupier_games::uno::Uno;
    use croupier_games::war::War;

    use super::*;

    /// A random game with a foul now and then, as this reader is told it, with one name a seat.
    fn random_game<G: Told + Offered>(seed: u64, reader: Option<Seat>) -> (String, Vec<String>) {
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

    fn for_every_reader<G: Told + Offered>(games: u64, check: impl Fn(&str, Option<Seat>)) {
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
            "    you have one card left\n",
            "    the discards are shuffled and become the deck\n",
            "  ann fouls: late\n    ann draws 2 cards\n",
            "    you go out\n  you win\n",
        ] {
            assert!(told.contains(sentence), "{sentence}");
        }
    }
}
