//! `/play/GAME`: a new table. The form is made from what the game declares about its setup.

use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use croupier_core::{AnyGame, Entry, OptionKind, Options, Seat, Seed, read_name};
use serde_json::Value;

use super::game;
use super::moving::entered_seed;
use crate::Room;
use crate::person::{Asker, Person, secret};
use crate::refusal::{Refusal, render, render_with, see};
use crate::tables::{Chair, Sitter, Wanted};

/// More players do not fit on a page.
const MOST_SEATS: usize = 12;

/// The pause before each move at a table where nobody but built-in players and programs sits.
const PACE_MS: u64 = 900;

/// How long an expert thinks who takes its time.
const THOROUGH: &str = ":time=1s";

/// The levels of an expert, as `level=3` in its options.
const LEVELS: std::ops::RangeInclusive<u32> = 1..=10;

/// What a seat sees at first is not longer, as JSON: a table has to fit on a page.
const LONGEST_VIEW: usize = 24 << 10;

#[derive(Template)]
#[template(path = "new.html")]
struct Page {
    name: &'static str,
    title: &'static str,
    aim: &'static str,
    wrong: Option<String>,
    chairs: Vec<Row>,
    options: Vec<Field>,
    person: String,
    seed: String,
    /// Whether options and seed are unfolded: something was entered there.
    is_open: bool,
}

/// A chair in the form.
struct Row {
    choices: Vec<Choice>,
    chosen: String,
}

/// Somebody who can be chosen for a chair.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) label: String,
}

/// An option of the game in the form.
struct Field {
    name: &'static str,
    label: String,
    input: Input,
    value: String,
    help: &'static str,
}

/// How an option is entered.
enum Input {
    Choice(&'static [(&'static str, &'static str)]),
    Number(u64, u64),
    Text,
    Long,
}

/// What somebody has entered, by the names of the fields.
struct Entered(Vec<(String, String)>);

impl Entered {
    fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.trim())
    }

    fn options(&self, entry: Entry) -> Options {
        let options = entry.profile.options.iter().filter_map(|option| {
            let given = self.get(&format!("opt-{}", option.name));
            let given = given.filter(|given| !given.is_empty());
            let value = given.or(option.default)?;
            // A browser ends the lines of a text as it likes.
            Some((option.name.to_owned(), value.replace("\r\n", "\n")))
        });
        options.collect()
    }
}

/// The setup that these options describe, and how many seats it has.
pub(crate) fn seats_of(entry: Entry, options: &Options) -> Result<(Value, usize), String> {
    let too_many = || format!("A table on the web has at most {MOST_SEATS} seats.");
    let players = options.get("players").and_then(|text| text.parse().ok());
    if players.is_some_and(|players: usize| players > MOST_SEATS) {
        return Err(too_many());
    }
    let setup = entry.setup(options);
    let setup = setup.map_err(|wrong| on_a_page(entry, &wrong.to_string()))?;
    let game = entry
        .deal(&setup, Seed(0))
        .map_err(|wrong| wrong.to_string())?;
    let seats = game.seats();
    if seats > MOST_SEATS {
        return Err(too_many());
    }
    if !fits_on_a_page(&*game) {
        let title = entry.profile.title;
        return Err(format!(
            "So large a table of {title} does not fit on a page: choose fewer cards."
        ));
    }
    Ok((setup, seats))
}

/// What is wrong with the options, which have other names on a page than on a command line.
fn on_a_page(entry: Entry, wrong: &str) -> String {
    let options = entry.profile.options.iter();
    options.fold(wrong.to_owned(), |wrong, option| {
        wrong.replace(&format!("--{}", option.name), &label(option.name))
    })
}

/// The name of an option in the form.
fn label(option: &str) -> String {
    capital(&option.replace('-', " "))
}

/// Whether a table with this deal fits on a page.
pub(crate) fn fits_on_a_page(deal: &dyn AnyGame) -> bool {
    deal.view(Seat(0)).to_string().len() <= LONGEST_VIEW
}

/// The built-in player that sits down where nobody is named: the last of the game's opponents.
pub(crate) fn usual(entry: Entry) -> &'static str {
    entry.opponents.last().copied().unwrap_or_default()
}

/// Who is chosen for a chair where nobody is named: the person, unless it only watches, and the
/// opponents of the game, one after the other.
fn usual_at(entry: Entry, place: usize, watch: bool) -> String {
    let opponents = entry.opponents;
    let Some(number) = place.checked_sub(usize::from(!watch)) else {
        return "you".to_owned();
    };
    let around = number % opponents.len().max(1);
    let player = opponents.get(around).copied().unwrap_or_default();
    format!("built-in:{player}")
}

/// A player that comes with a game, and how strong it is: `careful (good)`.
pub(super) fn with_strength(entry: Entry, player: &str) -> String {
    match entry.strength(player) {
        Some(strength) => format!("{player} ({strength})"),
        None => player.to_owned(),
    }
}

/// The players that come with a game, as they are chosen for a chair: the weaker first. How strong
/// they are is said at once, as a small screen shows no more than the beginning.
pub(crate) fn built_in_choices(entry: Entry) -> Vec<Choice> {
    let mut players = entry.players();
    players.sort_by_key(|(name, _)| entry.strength(name));
    if players.is_empty() {
        let value = "built-in:".to_owned();
        let label = "the dealer".to_owned();
        return vec![Choice { value, label }];
    }
    let mut choices = Vec::new();
    for (name, about) in players {
        choices.push(Choice {
            value: format!("built-in:{name}"),
            label: format!("{}: {about}", with_strength(entry, name)),
        });
        if name == "expert" {
            choices.push(Choice {
                value: format!("built-in:{name}{THOROUGH}"),
                label: format!("{name} who takes a second for each move"),
            });
            choices.extend(LEVELS.map(|level| {
                let end = match level {
                    _ if level == *LEVELS.start() => ", the weakest",
                    _ if level == *LEVELS.end() => ", the strongest",
                    _ => "",
                };
                Choice {
                    value: format!("built-in:{name}:level={level}"),
                    label: format!("{name}, level {level} of {}{end}", LEVELS.end()),
                }
            }));
        }
    }
    choices
}

fn choices(room: &Room, entry: Entry) -> Vec<Choice> {
    let choice = |value: &str, label: &str| Choice {
        value: value.to_owned(),
        label: label.to_owned(),
    };
    let mut choices = vec![
        choice("you", "You"),
        choice("open", "Another person, by a link"),
    ];
    choices.extend(built_in_choices(entry));
    let guests = room.tables.pool().guests(entry.profile.name);
    choices.extend(guests.map(|guest| Choice {
        value: format!("program:{}", guest.name),
        label: format!("{} (program)", guest.name),
    }));
    choices
}

/// A name that a person gives itself, or one for who gives none.
pub(crate) fn name_of(given: Option<&str>) -> String {
    let read = given.and_then(|given| read_name(given.as_bytes()));
    read.unwrap_or_else(|| "Guest".to_owned())
}

/// What a seat is called as long as nobody has sat there: what the form calls it.
pub(super) fn name_of_nobody(place: usize) -> String {
    format!("Seat {}", place + 1)
}

fn form(room: &Room, entry: Entry, entered: &Entered, wrong: Option<String>) -> Page {
    let profile = entry.profile;
    let options = entered.options(entry);
    let (seats, wrong) = match (seats_of(entry, &options), wrong) {
        (Ok((_, seats)), wrong) => (seats, wrong),
        (Err(reason), wrong) => (*profile.seats.start(), wrong.or(Some(reason))),
    };
    let watch = entered.get("watch").is_some();
    let chair = |place: usize| {
        let chosen = entered.get(&format!("seat-{place}")).map(str::to_owned);
        Row {
            choices: choices(room, entry),
            chosen: chosen.unwrap_or_else(|| usual_at(entry, place, watch)),
        }
    };
    let differs = |option: &croupier_core::SetupOption| {
        let given = entered.get(&format!("opt-{}", option.name));
        given.is_some_and(|given| given != option.default.unwrap_or_default())
    };
    let is_open = wrong.is_some()
        || profile.options.iter().any(differs)
        || entered.get("seed").is_some_and(|seed| !seed.is_empty());
    let field = |option: &'static croupier_core::SetupOption| {
        let typed = entered.get(&format!("opt-{}", option.name));
        Field {
            name: option.name,
            label: label(option.name),
            input: match &option.kind {
                OptionKind::OneOf(words) => Input::Choice(words),
                OptionKind::Number(range) => Input::Number(*range.start(), *range.end()),
                OptionKind::Text(_) | OptionKind::Scores(_) => Input::Text,
                OptionKind::File => Input::Long,
            },
            value: typed.or(option.default).unwrap_or_default().to_owned(),
            help: option.help,
        }
    };
    Page {
        name: profile.name,
        title: profile.title,
        aim: profile.aim,
        wrong,
        chairs: (0..seats).map(chair).collect(),
        options: profile.options.iter().map(field).collect(),
        person: entered.get("name").unwrap_or("Guest").to_owned(),
        seed: entered.get("seed").unwrap_or_default().to_owned(),
        is_open,
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

pub(super) async fn show(
    State(room): State<Arc<Room>>,
    Path(name): Path<String>,
    Query(fields): Query<Vec<(String, String)>>,
) -> Result<Response, Refusal> {
    let entry = game(&room, &name)?;
    render(&form(&room, entry, &Entered(fields), None))
}

pub(super) async fn found(
    State(room): State<Arc<Room>>,
    Path(name): Path<String>,
    asker: Asker,
    Form(fields): Form<Vec<(String, String)>>,
) -> Result<Response, Refusal> {
    let entry = game(&room, &name)?;
    let entered = Entered(fields);
    if entered.get("look").is_some() {
        return render(&form(&room, entry, &entered, None));
    }
    let known = asker.known()?;
    let wanted = match wanted(&room, entry, &entered, known.person()) {
        Ok(wanted) => wanted,
        Err(wrong) if wrong.status() == StatusCode::BAD_REQUEST => {
            let wrong = Some(wrong.reason().to_owned());
            let page = form(&room, entry, &entered, wrong);
            return render_with(StatusCode::BAD_REQUEST, &page);
        }
        Err(wrong) => return Err(wrong),
    };
    let table = room.tables.found(wanted).await?;
    Ok(known.remember(&room, see(&format!("/table/{}", table.id))))
}

fn wanted(room: &Room, entry: Entry, entered: &Entered, host: Person) -> Result<Wanted, Refusal> {
    let (setup, seats) = seats_of(entry, &entered.options(entry)).map_err(Refusal::bad)?;
    let chosen = (0..seats).map(|place| {
        let chosen = entered.get(&format!("seat-{place}")).map(str::to_owned);
        chosen.unwrap_or_else(|| usual_at(entry, place, false))
    });
    let chosen: Vec<String> = chosen.collect();
    let name = name_of(entered.get("name"));
    want(
        room,
        entry,
        setup,
        &chosen,
        &name,
        entered.get("seed"),
        host,
    )
}

/// The table at which these are to sit: `you`, `open`, `built-in:NAME` or `program:NAME`.
pub(crate) fn want(
    room: &Room,
    entry: Entry,
    setup: Value,
    chosen: &[String],
    name: &str,
    seed: Option<&str>,
    host: Person,
) -> Result<Wanted, Refusal> {
    let seed = entered_seed(seed)?;
    let known = choices(room, entry);
    let mut chairs: Vec<Chair> = Vec::new();
    for chosen in chosen {
        if !known.iter().any(|choice| choice.value == *chosen) {
            return Err(Refusal::bad("There is no such player for a seat."));
        }
        let chair = match chosen.split_once(':') {
            Some(("built-in", player)) => Chair {
                name: name_of_built_in(player),
                sitter: Sitter::BuiltIn {
                    player: player.to_owned(),
                },
            },
            Some((_, program)) => Chair {
                name: program.to_owned(),
                sitter: Sitter::Program {
                    program: program.to_owned(),
                },
            },
            None if chosen == "open" => Chair::open(name_of_nobody(chairs.len()), secret()?),
            None if chairs.iter().any(|chair| chair.is_held_by(&host)) => {
                return Err(Refusal::bad("You can sit in one seat only."));
            }
            None => Chair::held(name.to_owned(), host.clone()),
        };
        chairs.push(chair);
    }
    tell_apart(&mut chairs);
    let with_people = chairs.iter().any(Chair::is_for_a_person);
    Ok(Wanted {
        entry,
        setup,
        seed,
        host,
        chairs,
        pace_ms: if with_people { 0 } else { PACE_MS },
    })
}

/// What a built-in player is called at a table.
fn name_of_built_in(player: &str) -> String {
    let (name, options) = player.split_once(':').unwrap_or((player, ""));
    match (name, options.strip_prefix("level=")) {
        ("", _) => "dealer".to_owned(),
        (name, Some(level)) => format!("{name} (level {level})"),
        (name, None) => name.to_owned(),
    }
}

/// Players of the same name get numbers.
fn tell_apart(chairs: &mut [Chair]) {
    for later in 0..chairs.len() {
        let (before, rest) = chairs.split_at_mut(later);
        let others: Vec<&str> = before.iter().map(|chair| chair.name.as_str()).collect();
        rest[0].name = name_beside(&rest[0].name, &others);
    }
}

/// What somebody is called beside these others: with a number if the name is taken. "You" always is,
/// as every reader is called so.
pub(crate) fn name_beside(name: &str, others: &[&str]) -> String {
    let is_free = |name: &String| {
        let mut taken = others.iter().chain([&"you"]);
        !taken.any(|other| name.eq_ignore_ascii_case(other))
    };
    let numbered = (2..).map(|number: usize| format!("{name} {number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(is_free).unwrap_or_else(|| name.to_owned())
}
