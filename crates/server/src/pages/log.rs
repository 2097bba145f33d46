//! What has happened at a table, in words, as one audience may hear it.
//!
//! This is the one place where events become sentences for pages, the socket and the API.

use croupier_core::{AnyGame, Audience, Company, Entry, Event, Instead, Seat};
use serde::Serialize;

use crate::tables::Standing;

/// What is told of one move or foul.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct LogEntry {
    /// The version of the table after it.
    pub(crate) version: usize,
    /// The move itself.
    pub(crate) line: String,
    /// What came of it.
    pub(crate) more: Vec<String>,
}

/// What is told of all moves and fouls after the version `since` and up to `until`.
pub(crate) fn told_to(
    entry: Entry,
    standing: &Standing,
    audience: Audience,
    since: usize,
    until: usize,
) -> Vec<LogEntry> {
    let names = standing.names(audience);
    let company = Company::spoken_to(&names, audience);
    told_of(entry, &*standing.game, company, audience, since, until)
}

/// The same for any game, told to this company.
pub(crate) fn told_of(
    entry: Entry,
    game: &dyn AnyGame,
    company: Company<'_>,
    audience: Audience,
    since: usize,
    until: usize,
) -> Vec<LogEntry> {
    let name = |seat: Seat| {
        let name = company.names().get(seat.index());
        name.map_or("?", String::as_str)
    };
    // In the middle of a sentence, the reader is written small.
    let mut names = company.names().to_vec();
    if let Some(reader) = company.reader() {
        names[reader.index()] = "you".to_owned();
    }
    let within = Company::new(&names, company.reader());
    // What came of a move is told to those whose view shows it.
    let came = match audience {
        Audience::Seat(seat) => game.told(Some(seat), within, since),
        Audience::Referee => game.told(None, within, since),
        Audience::Onlooker => Vec::new(),
    };
    let mut came = came.into_iter();
    let events = game.events(audience);
    let events = events.iter().enumerate().take(until).skip(since);
    let told = events.filter_map(|(place, event)| {
        let came = came.next().unwrap_or_default();
        let (line, mut more) = match event {
            Event::Played { seat, choice } => {
                let chosen = choice.as_deref();
                let words = chosen.map_or("has chosen".to_owned(), |choice| {
                    entry.in_words(choice).unwrap_or_else(|| choice.to_owned())
                });
                let words = match company.is_reader(*seat) {
                    true => as_you(&words),
                    false => words,
                };
                (format!("{} {words}", name(*seat)), came)
            }
            Event::Fouled {
                seat,
                foul,
                instead,
            } => {
                let instead = match instead {
                    Instead::Move(choice) => {
                        let words = entry.in_words(choice);
                        let words = words.unwrap_or_else(|| format!("chooses: {choice}"));
                        Some(format!("the house {words}"))
                    }
                    Instead::Secret => Some("the house chooses".to_owned()),
                    Instead::Nothing => None,
                };
                let detail = &foul.detail;
                let fouls = company.does(*seat, "fouls", "foul");
                let line = format!("{fouls}: {detail}");
                (line, instead.into_iter().chain(came).collect())
            }
            _ => return None,
        };
        // Of a card that somebody else draws, there is no more to tell.
        more.retain(|told| *told != line);
        Some(LogEntry {
            version: place + 1,
            line,
            more,
        })
    });
    told.collect()
}

/// What somebody does, as it is said to that one: plays the 23, play the 23.
pub(crate) fn as_you(words: &str) -> String {
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    let verb = match verb {
        "has" => "have",
        "is" => "are",
        verb if ["sses", "shes", "ches", "oes"]
            .iter()
            .any(|end| verb.ends_with(end)) =>
        {
            &verb[..verb.len() - 2]
        }
        verb => verb.strip_suffix('s').unwrap_or(verb),
    };
    format!("{verb} {rest}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn you_are_spoken_to_and_others_are_spoken_of() {
        for (others, you) in [
            ("plays the 23", "play the 23"),
            ("passes on 10, 11 and 12", "pass on 10, 11 and 12"),
            ("buys a card", "buy a card"),
            ("has chosen", "have chosen"),
            ("goes out", "go out"),
            ("shows", "show"),
            ("show", "show"),
        ] {
            assert_eq!(as_you(others), you);
        }
    }

    #[test]
    fn a_foul_is_told_in_words_to_who_made_it_and_to_the_others() {
        use croupier_core::{Foul, FoulKind, Options, Seed};
        let entry = croupier_games::GAMES.find("intensity").expect("a game");
        let setup = entry.setup(&Options::new()).expect("a setup");
        let mut game = entry.deal(&setup, Seed(3)).expect("a deal");
        let own = game.to_move().expect("somebody is to move");
        game.foul(Foul {
            kind: FoulKind::Timeout,
            detail: "it took too long".to_owned(),
        });
        let names = ["You"; 4].map(str::to_owned);
        let line = |audience| {
            let company = Company::spoken_to(&names, audience);
            told_of(*entry, &*game, company, audience, 0, 1).swap_remove(0)
        };
        let told = line(Audience::Seat(own));
        assert_eq!(told.line, "You foul: it took too long");
        assert!(told.more[0].starts_with("the house "), "{told:?}");
        assert!(!told.more[0].contains("chooses:"), "{told:?}");
        let others = line(Audience::Onlooker).line;
        assert_eq!(
            others, "You fouls: it did not answer in time",
            "of somebody else"
        );
    }
}
