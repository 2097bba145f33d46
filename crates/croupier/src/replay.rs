//! `croupier replay`: a recorded game again, whole or as one seat saw it.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use croupier_arena::Store;
use croupier_console::{Failure, harmless, print, text_file};
use croupier_core::{
    Company, Decision, Event, Game, Instead, Moment, Record, ReplayError, Retold, Review, Seat,
    Thresholds, Turn, Verdict, encoding_trouble, replay,
};
use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::explain::words;
use crate::offer::Offers;
use crate::review::Reviewer;
use crate::shown::Shown;
use crate::style::{BOLD, DIM, wrapped};
use crate::telling::{aftermath, audience, told};
use crate::tournament::store_failure;

/// How many of the costliest moves are listed at the end of a review.
const WORST: usize = 5;

/// Tells the recorded game again.
pub(crate) fn replay_record(games: &Offers, matches: &ArgMatches) -> Result<(), Failure> {
    let path = matches
        .get_one::<PathBuf>("record")
        .expect("clap asks for it");
    let wrong = |reason: String| Failure::Usage(format!("{}: {reason}", path.display()));
    let text = match of_contest(path)? {
        Some(text) => text,
        None => text_file(path)
            .map_err(|reason| wrong(format!("the record cannot be read: {reason}")))?,
    };
    if let Some(trouble) = encoding_trouble(text.as_bytes()) {
        return Err(wrong(format!("the record cannot be read: {trouble}")));
    }
    let record = Record::parse(&text).map_err(|error| wrong(error.to_string()))?;
    // From here on the record is known to be a true one.
    let outcome = record.replay(&games.registry());
    let outcome = outcome.map_err(|error| wrong(error.to_string()))?;
    let (seats, names) = (outcome.scores.len(), record.header.players.len());
    if seats != names {
        return Err(wrong(format!(
            "the record names {names} players for {seats} seats"
        )));
    }
    let game = games.find(&record.header.game).expect("it was replayed");
    game.commands.replay(record, matches)
}

/// The record of a game in a contest, where the folder is that of a contest and no file.
fn of_contest(path: &Path) -> Result<Option<String>, Failure> {
    let (Some(folder), Some(id)) = (path.parent(), path.file_name()) else {
        return Ok(None);
    };
    match Store::find_to_read(folder).map_err(store_failure)? {
        Some(store) if !path.exists() => {
            let id = id.to_string_lossy();
            let record = store.record(&id).map_err(store_failure)?;
            let none = || {
                let folder = folder.display();
                Failure::Usage(format!(
                    "the contest in {folder} keeps no record of a game '{id}'"
                ))
            };
            record.map(Some).ok_or_else(none)
        }
        _ => Ok(None),
    }
}

/// Tells the recorded game again, of which the types are known.
pub(crate) fn again<G: Shown>(record: Record, matches: &ArgMatches) -> Result<(), Failure> {
    let named = record.header.players.iter();
    let mut names: Vec<String> = named.map(|name| harmless(name)).collect();
    let seat = matches.get_one::<String>("seat");
    let seat = seat.map(|named| seat_of(named, &names)).transpose()?;
    if let Some(seat) = seat {
        "you".clone_into(&mut names[seat.index()]);
    }
    let reviewer = Reviewer::read(matches, seat)?;
    let retelling = Retelling::<G> {
        record,
        names,
        seat,
        reviewer,
        quiet: matches.get_flag("quiet"),
    };
    match matches.get_flag("json") {
        true => retelling.json(),
        false => retelling.text(),
    }
}

/// The seat of the player with this name, or the one with this number.
fn seat_of(named: &str, names: &[String]) -> Result<Seat, Failure> {
    let by_name = names.iter().position(|name| name == named);
    let by_number = || named.parse().ok().filter(|&seat| seat < names.len());
    let seat = by_name.or_else(by_number).map(Seat::from);
    seat.ok_or_else(|| {
        let seated = names.iter().enumerate();
        let seated: Vec<String> = seated
            .map(|(seat, name)| format!("{name} ({seat})"))
            .collect();
        let seated = seated.join(", ");
        Failure::Usage(format!(
            "nobody at this table is called '{named}'; the players are {seated}"
        ))
    })
}

/// A true record that is told again.
struct Retelling<G: Game> {
    record: Record,
    /// The players by seat; who reads this is "you".
    names: Vec<String>,
    /// The seat that reads this, if it is not told everything.
    seat: Option<Seat>,
    reviewer: Option<Reviewer<G>>,
    /// Whether moves are not told, but only how it ended.
    quiet: bool,
}

impl<G: Shown> Retelling<G> {
    fn setup(&self) -> G::Setup {
        let setup = G::Setup::deserialize(&self.record.header.setup);
        setup.expect("the record has been dealt before")
    }

    /// Plays the game again. Each moment is shown as the reader may hear it, with the game as it was
    /// before and after it, and with what the expert thinks of the move.
    fn play(
        &mut self,
        mut see: impl FnMut([&G; 2], &Event<G::Move>, Option<Verdict<G::Move>>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let audience = audience(self.seat);
        let reviewer = &mut self.reviewer;
        let replayed = replay::<G, Interrupted>(
            &self.record,
            |Retold {
                 before,
                 moment,
                 after,
             }| {
                let verdict = match (reviewer.as_mut(), Turn::of(before), &moment) {
                    (Some(reviewer), Some(turn), Moment::Played(_, choice)) => {
                        reviewer.look_at(&turn, *choice)
                    }
                    _ => None,
                };
                match moment.heard_by(audience) {
                    None | Some(Event::Dealt) => Ok(()),
                    Some(event) => see([before, after], &event, verdict).map_err(Interrupted),
                }
            },
        );
        replayed.map(drop).map_err(|Interrupted(failure)| failure)
    }

    fn text(mut self) -> Result<(), Failure> {
        let (names, seat, quiet) = (self.names.clone(), self.seat, self.quiet);
        print(&format!(
            "{BOLD}{}{BOLD:#}: {}\n",
            G::PROFILE.title,
            names.join(", ")
        ))?;
        let thresholds = Thresholds::default();
        let mut lines: Vec<String> = Vec::new();
        let mut review = Review::default();
        let company = Company::new(&names, seat);
        self.play(|[before, after], event, verdict| {
            let mut text = seat.map_or(String::new(), |seat| sight(before, seat, company));
            let line = told::<G>(event, company);
            match verdict
                .as_ref()
                .filter(|own| thresholds.grade(own).is_some())
            {
                None => text += &line,
                Some(verdict) => {
                    let (best, loss) = (verdict.best.choice, verdict.loss());
                    let line = line.trim_end();
                    text += &format!("{line}  {DIM}? {best} is better by {loss:.2}{DIM:#}\n");
                }
            }
            if let (Some(verdict), Some(seat)) = (verdict, before.to_move()) {
                let step = lines.len();
                review.decisions.push(Decision {
                    step,
                    seat,
                    verdict,
                });
            }
            lines.push(line.trim().to_owned());
            // Who may know everything looks over the shoulder of the one who moves.
            if let Some(viewer) = seat.or(before.to_move()) {
                let views = [before.view(viewer), after.view(viewer)];
                text += &aftermath::<G>(event, &views[0], &views[1], company);
            }
            match event {
                Event::Over(_) => print(&text),
                _ if quiet => Ok(()),
                _ => print(&text),
            }
        })?;
        if self.reviewer.is_none() {
            return Ok(());
        }
        let costliest = review.costliest(&thresholds);
        let listed = costliest.iter().take(WORST).map(|(_, decision)| {
            let Decision { step, verdict, .. } = decision;
            let (best, made) = (&verdict.best, &lines[*step]);
            let label = format!(
                "  {:>4} {made}: {:.2} ± {:.2} less than {}",
                step + 1,
                verdict.loss(),
                verdict.error(),
                best.choice,
            );
            wrapped(&label, 6, words(&best.reason))
        });
        let heading = match costliest.is_empty() {
            true => "No move was certainly worse than what the expert would have played.",
            false => "The moves that cost most, in expected points for places:",
        };
        print(&format!("{heading}\n{}", listed.collect::<String>()))
    }

    fn json(mut self) -> Result<(), Failure> {
        let seat = self.seat;
        let mut moves = Vec::new();
        self.play(|[before, _], event, verdict| {
            let mut line = match event.map(ToString::to_string) {
                Event::Played { seat, choice } => json!({ "seat": seat, "move": choice }),
                Event::Fouled {
                    seat,
                    foul,
                    instead,
                } => {
                    let instead = match instead {
                        Instead::Move(choice) => Some(choice),
                        Instead::Secret | Instead::Nothing => None,
                    };
                    json!({ "seat": seat, "foul": foul, "instead": instead })
                }
                _ => return Ok(()),
            };
            if let Some(seat) = seat.filter(|&seat| before.to_move() == Some(seat)) {
                line["view"] = json!(before.view(seat));
            }
            if let Some(verdict) = verdict {
                line["review"] = json!({
                    "best": verdict.best.choice.to_string(),
                    "reason": verdict.best.reason,
                    "expected": verdict.best.estimate,
                    "loss": verdict.loss(),
                    "error": verdict.error(),
                    "rank": verdict.rank(),
                    "legal": verdict.legal,
                });
            }
            moves.push(line);
            Ok(())
        })?;
        let mut document = json!({
            "game": G::NAME,
            "players": self.record.header.players,
            "seat": seat,
            "setup": self.record.header.setup,
            "seed": self.record.header.seed,
            "moves": moves,
            "scores": self.record.outcome.scores,
            "places": self.record.outcome.places,
            "note": self.record.outcome.note,
        });
        if seat.is_some() {
            // What the seed and a hidden deck would tell, no seat has seen.
            document["setup"] = G::open_setup(&self.setup());
            document["seed"] = Value::Null;
        }
        print(&format!("{document}\n"))
    }
}

/// Why the telling of a true record ended before the game did.
struct Interrupted(Failure);

impl From<ReplayError> for Interrupted {
    fn from(error: ReplayError) -> Interrupted {
        Interrupted(Failure::Usage(error.to_string()))
    }
}

/// What a seat sees in its turn, as lines.
fn sight<G: Shown>(game: &G, seat: Seat, company: Company<'_>) -> String {
    if game.to_move() != Some(seat) {
        return String::new();
    }
    G::shown(&game.view(seat), &game.legal_moves(), company)
}
