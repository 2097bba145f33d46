//! The part of a table's page that changes: for the page itself, for the socket, and for those who ask
//! from time to time.

use askama::Template;
use croupier_core::{Audience, Entry, Outcome, Seat, in_words, ordinal};
use serde::Serialize;

use super::log::{LogEntry, told_to};
use super::new::capital;
use crate::person::Person;
use crate::refusal::Refusal;
use crate::tables::think::Progress;
use crate::tables::{Chair, Invitation, Standing, Table};

/// A table as somebody sees it at some moment.
#[derive(Template)]
#[template(path = "live.html")]
pub(crate) struct Fragment {
    pub(crate) id: String,
    pub(crate) game: &'static str,
    pub(crate) game_title: &'static str,
    pub(crate) aim: &'static str,
    /// The title of the page.
    pub(crate) title: String,
    /// The moment that is shown.
    pub(crate) version: usize,
    /// The present.
    pub(crate) latest: usize,
    pub(crate) is_past: bool,
    /// Whether the reader has chosen to look at an earlier moment.
    looks_back: bool,
    pub(crate) your_turn: bool,
    /// Whether something may happen without the reader.
    pub(crate) reloads: bool,
    pub(crate) status: String,
    /// Whether the status says what happened last.
    is_told: bool,
    pub(crate) drawing: String,
    moves: String,
    can_hint: bool,
    /// What the expert thinks, as HTML.
    pub(crate) hint: Option<String>,
    /// What was wrong with what the reader has just sent.
    pub(crate) wrong: Option<String>,
    result: Option<Shown>,
    /// What was told of the moment itself, or of all up to it.
    pub(crate) log: Vec<LogEntry>,
    /// Who sits at the table, as HTML.
    pub(crate) company: String,
}

/// How a game ended.
pub(crate) struct Shown {
    pub(crate) headline: String,
    pub(crate) note: Option<String>,
    pub(crate) rows: Vec<Row>,
    /// What the scores are called.
    pub(crate) score: String,
    /// The seat at the next deal to which the reader is invited.
    next: Option<Invitation>,
    can_go_on: bool,
}

/// How it ended for one player.
pub(crate) struct Row {
    pub(crate) place: u16,
    pub(crate) name: String,
    pub(crate) score: i64,
    /// Whether it is the reader.
    pub(crate) is_own: bool,
}

/// Who sits at the table.
#[derive(Template)]
#[template(path = "company.html")]
struct Company {
    id: String,
    seats: Vec<SeatShown>,
    substitute: &'static str,
}

struct SeatShown {
    name: String,
    state: String,
    to_move: bool,
    link: Option<String>,
    can_give: bool,
    can_take_back: bool,
    faults: Vec<FaultShown>,
    /// Whether faults can be looked at: they show the cards of the program.
    faults_open: bool,
}

/// A fault in the list of those at the table.
struct FaultShown {
    number: usize,
    version: usize,
}

/// A fragment as it is sent.
#[derive(Serialize)]
struct Message<'a> {
    version: usize,
    latest: usize,
    title: &'a str,
    turn: bool,
    live: String,
    company: &'a str,
    log: &'a [LogEntry],
}

impl Fragment {
    /// The table as this person sees it at this version.
    pub(crate) fn of(
        table: &Table,
        standing: &Standing,
        person: Option<&Person>,
        version: usize,
    ) -> Result<Fragment, Refusal> {
        let since = version.min(standing.version()).saturating_sub(1);
        Fragment::told_since(table, standing, person, version, since)
    }

    /// The same with everything that was told after the version `since`.
    pub(crate) fn told_since(
        table: &Table,
        standing: &Standing,
        person: Option<&Person>,
        version: usize,
        since: usize,
    ) -> Result<Fragment, Refusal> {
        let audience = standing.audience(person);
        let latest = standing.version();
        let version = version.min(latest);
        let is_past = version < latest;
        let names = standing.names(audience);
        let spoken_to = croupier_core::Company::spoken_to(&names, audience);
        let drawing = match audience {
            _ if is_past => {
                let company = spoken_to.looking_back();
                standing.game.after(version).drawn(audience, company)
            }
            Audience::Onlooker => standing.open().clone(),
            _ => standing.game.drawn(audience, spoken_to),
        };
        let profile = table.entry.profile;
        let to_move = standing.game.to_move();
        let own_turn = to_move.is_some_and(|seat| audience == Audience::Seat(seat));
        let stands_in = |seat: Seat| standing.chairs[seat.index()].stand_in().is_some();
        let your_turn = own_turn && !is_past && !to_move.is_some_and(stands_in);
        let is_over = to_move.is_none();
        let status = match is_past {
            true => "You look back at an earlier moment.".to_owned(),
            false => status(table, standing, audience, your_turn),
        };
        let title = match your_turn {
            true => format!("Your turn · {}", profile.title),
            false => format!("{} · Croupier", profile.title),
        };
        let has_expert = table
            .entry
            .players()
            .iter()
            .any(|(name, _)| *name == "expert");
        let log = told_to(table.entry, standing, audience, since, version);
        Ok(Fragment {
            id: table.id.clone(),
            game: profile.name,
            game_title: profile.title,
            aim: profile.aim,
            title,
            version,
            latest,
            is_past,
            looks_back: is_past,
            your_turn,
            reloads: !is_past && !your_turn && !is_over,
            status,
            is_told: false,
            moves: match your_turn {
                true => drawing.moves().as_str().to_owned(),
                false => String::new(),
            },
            drawing: drawing.html,
            can_hint: has_expert,
            hint: None,
            wrong: None,
            result: (is_over && !is_past).then(|| shown(table, standing, spoken_to, person)),
            log,
            company: company(table, standing, person)?,
        })
    }

    /// The same on the way to the present: it says what has just happened.
    pub(crate) fn in_passing(mut self) -> Fragment {
        self.looks_back = false;
        if self.is_past
            && let Some(entry) = self.log.first()
        {
            self.status.clone_from(&entry.line);
            self.is_told = true;
        }
        self
    }

    /// The part that changes, as HTML.
    pub(crate) fn live(&self) -> Result<String, Refusal> {
        let html = self.render();
        html.map_err(|error| Refusal::machine("render a table", &error))
    }

    /// The fragment as it is sent.
    pub(crate) fn json(&self) -> String {
        let message = Message {
            version: self.version,
            latest: self.latest,
            title: &self.title,
            turn: self.your_turn,
            live: self.live().unwrap_or_default(),
            company: &self.company,
            log: &self.log,
        };
        serde_json::to_string(&message).expect("a message is plain JSON")
    }
}

/// Who is awaited, in a sentence.
fn status(table: &Table, standing: &Standing, audience: Audience, your_turn: bool) -> String {
    let Some(seat) = standing.game.to_move() else {
        return "The game is over.".to_owned();
    };
    let chair = &standing.chairs[seat.index()];
    let name = &chair.name;
    if your_turn {
        return "Your turn".to_owned();
    }
    if audience == Audience::Seat(seat) {
        let substitute = chair.stand_in().unwrap_or("somebody else");
        return format!("{substitute} plays for you.");
    }
    // Whoever has just thought may not have put down the cards; a person is not waited for like that.
    let is_person = chair.is_for_a_person() && chair.stand_in().is_none();
    let progress = match is_person {
        true => Progress::Still,
        false => table.progress(),
    };
    match progress {
        Progress::Queues(1) => format!("{name} waits for a free place to think."),
        Progress::Queues(waiting) => {
            format!("{name} waits for a free place to think, one of {waiting}.")
        }
        Progress::Trouble(reason) => format!("{name} cannot play on: {reason}."),
        Progress::Thinks => format!("{name} is thinking …"),
        Progress::Still => match chair.holder() {
            Some(person) if table.is_there(person) => format!("{name} is to move."),
            Some(_) => format!("{name} is to move, but is away."),
            None if chair.is_for_a_person() => "A seat is still free.".to_owned(),
            None => format!("{name} is to move."),
        },
    }
}

fn shown(
    table: &Table,
    standing: &Standing,
    company: croupier_core::Company<'_>,
    person: Option<&Person>,
) -> Shown {
    let sits = |person| {
        standing
            .chairs
            .iter()
            .any(|chair: &Chair| chair.is_held_by(person))
    };
    Shown {
        next: person.and_then(|person| table.invitation(person)),
        can_go_on: person.is_some_and(sits),
        ..ended(table.entry, standing.game.outcome(), company)
    }
}

/// How a game ended, told to this company.
pub(crate) fn ended(entry: Entry, outcome: Outcome, company: croupier_core::Company<'_>) -> Shown {
    let names = company.names();
    let seats = names.iter().zip(&outcome.places).zip(&outcome.scores);
    let mut rows: Vec<Row> = (seats.enumerate())
        .map(|(seat, ((name, place), score))| Row {
            place: *place,
            name: name.clone(),
            score: *score,
            is_own: company.is_reader(Seat::from(seat)),
        })
        .collect();
    rows.sort_by_key(|row| row.place);
    let own = rows.iter().find(|row| row.is_own);
    let first: Vec<&Row> = rows.iter().filter(|row| row.place == 1).collect();
    let mut headline = match first.as_slice() {
        [winner] if winner.is_own => "You win!".to_owned(),
        [winner] => format!("{} wins.", winner.name),
        all if all.len() == rows.len() => "All share the first place.".to_owned(),
        _ => {
            let names = first.iter().map(|row| row.name.clone());
            format!("{} share the first place.", in_words(names, "and"))
        }
    };
    // Of two, who does not win is second.
    if let Some(own) = own.filter(|own| own.place > 1 && rows.len() > 2) {
        let place = ordinal(own.place.into());
        let alike = rows.iter().filter(|row| row.place == own.place).count();
        headline = match alike {
            1 => format!("{headline} You are {place}."),
            _ => format!("{headline} You share the {place} place."),
        };
    }
    // A note cannot know the names of the players.
    let named = |note: String| {
        let names = names.iter().enumerate().rev();
        names.fold(note, |note, (seat, name)| {
            note.replace(&format!("seat {seat}"), name)
        })
    };
    Shown {
        headline,
        note: outcome.note.map(named),
        rows,
        score: capital(entry.score),
        next: None,
        can_go_on: false,
    }
}

/// The built-in player that takes the seat of somebody who is away.
pub(crate) fn substitute(table: &Table) -> &'static str {
    super::usual(table.entry)
}

fn company(table: &Table, standing: &Standing, person: Option<&Person>) -> Result<String, Refusal> {
    let is_host = person == Some(&table.founding.host);
    let audience = standing.audience(person);
    let sits = matches!(audience, Audience::Seat(_)) || is_host;
    let is_over = standing.game.to_move().is_none();
    let faults = table.faults();
    let shown = |(place, chair): (usize, &Chair)| {
        let seat = Seat::from(place);
        let is_own = audience == Audience::Seat(seat);
        let holder = chair.holder();
        let is_away =
            chair.is_for_a_person() && !holder.is_some_and(|holder| table.is_there(holder));
        let state = match (&chair.sitter, chair.stand_in()) {
            (_, Some(substitute)) => format!("{substitute} plays"),
            (crate::tables::Sitter::BuiltIn { .. }, _) => "built-in".to_owned(),
            (crate::tables::Sitter::Program { .. }, _) => "program".to_owned(),
            _ if is_own => "you".to_owned(),
            _ if holder.is_none() => "free".to_owned(),
            _ if is_away => "away".to_owned(),
            _ => "here".to_owned(),
        };
        SeatShown {
            name: chair.name.clone(),
            state,
            to_move: standing.game.to_move() == Some(seat),
            link: (chair.invitation().filter(|_| is_host))
                .map(|token| format!("/table/{}/join/{token}", table.id)),
            can_give: sits
                && !is_own
                && is_away
                && !is_over
                && table.entry.profile.decisions
                && chair.stand_in().is_none(),
            can_take_back: is_own && chair.stand_in().is_some() && !is_over,
            faults: (faults.iter().enumerate())
                .filter(|(_, fault)| fault.seat == seat)
                .map(|(number, fault)| FaultShown {
                    number,
                    version: fault.version,
                })
                .collect(),
            faults_open: is_over,
        }
    };
    let company = Company {
        id: table.id.clone(),
        seats: standing.chairs.iter().enumerate().map(shown).collect(),
        substitute: substitute(table),
    };
    let html = company.render();
    html.map_err(|error| Refusal::machine("render a table", &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_reads_of_the_end_reads_of_the_own_place() {
        let entry = croupier_games::GAMES.find("uno").expect("a game");
        let names = ["Ann", "Bo", "Cid", "Dot"].map(str::to_owned);
        let headline = |places: [u16; 4], reader| {
            let outcome = Outcome {
                places: places.to_vec(),
                scores: vec![0; 4],
                note: None,
            };
            let mut names = names.clone();
            if let Some(Seat(own)) = reader {
                names[usize::from(own)] = "You".to_owned();
            }
            let company = croupier_core::Company::new(&names, reader);
            ended(*entry, outcome, company).headline
        };
        let (first, last) = (Some(Seat(0)), Some(Seat(3)));
        assert_eq!(headline([1, 2, 3, 4], None), "Ann wins.");
        assert_eq!(headline([1, 2, 3, 4], first), "You win!");
        assert_eq!(headline([1, 2, 3, 4], last), "Ann wins. You are fourth.");
        let shared = "Ann wins. You share the second place.";
        assert_eq!(headline([1, 2, 2, 2], last), shared);
        let shared = "You and Bo share the first place.";
        assert_eq!(headline([1, 1, 3, 4], first), shared);
    }
}
