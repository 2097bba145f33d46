//! A hint: what the expert thinks of each move, with how sure it is, and why.

use std::sync::Arc;

use askama::Template;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use croupier_core::{Advice, AnyGame, NoAdvice, Seat, Thought};
use serde::Deserialize;

use super::log::as_you;
use super::moving::{own_seat, wants_fragment};
use super::table::with;
use crate::Room;
use crate::person::Asker;
use crate::refusal::{Refusal, plain};
use crate::tables::Table;

/// So long thinks the expert who is asked by a person.
const EXPERT: &str = "expert:time=700ms";

/// So many moves are shown.
const SHOWN: usize = 12;

#[derive(Template)]
#[template(path = "hint.html")]
struct Shown {
    advice: String,
    counted_in: String,
    thoughts: Vec<Bar>,
    more: usize,
}

/// What the expert thinks of a move, drawn as a bar with its uncertainty.
pub(crate) struct Bar {
    /// The move as text.
    pub(crate) choice: String,
    /// The move in words.
    pub(crate) label: String,
    pub(crate) estimate: String,
    pub(crate) error: String,
    pub(crate) reason: String,
    /// From 0 to 100.
    pub(crate) length: String,
    pub(crate) low: String,
    pub(crate) doubt: String,
}

#[derive(Deserialize)]
pub(super) struct HintForm {
    version: usize,
}

pub(super) async fn ask(
    State(room): State<Arc<Room>>,
    Path(id): Path<String>,
    asker: Asker,
    headers: HeaderMap,
    Form(form): Form<HintForm>,
) -> Result<Response, Refusal> {
    let table = room.tables.find(&id)?;
    let (person, seat) = own_seat(&table, &asker)?;
    let advice = advice(&room, &table, seat, form.version).await?;
    let html = drawn(&*table.standing().game.after(form.version), &advice)?;
    if wants_fragment(&headers) {
        let body = serde_json::json!({"version": form.version, "html": html});
        return Ok(plain("application/json", body.to_string()));
    }
    with(&table, &person, StatusCode::OK, |fragment| {
        fragment.hint = Some(html);
    })
}

/// What the expert would do in the turn of this seat.
pub(crate) async fn advice(
    room: &Room,
    table: &Table,
    seat: Seat,
    version: usize,
) -> Result<Advice, Refusal> {
    let standing = table.standing();
    if standing.version() != version || standing.game.to_move() != Some(seat) {
        return Err(Refusal::conflict(
            "The expert is asked when it is your turn, about the present.",
        ));
    }
    let chance = standing.game.header(Vec::new()).seed.player(seat);
    let pool = room.tables.pool();
    let _asked = pool.question()?;
    let advice = pool.advice(standing.game.copy(), EXPERT, chance);
    advice.await.map_err(refused)
}

/// Why the expert does not say what it thinks.
pub(crate) fn refused(error: NoAdvice) -> Refusal {
    match error {
        NoAdvice::Player(_) => Refusal::missing("There is no expert for this game."),
        NoAdvice::Over => Refusal::conflict("The game is over."),
        NoAdvice::Cancelled => Refusal::busy("The expert was interrupted. Ask again."),
        NoAdvice::Illegal => Refusal::bad("That is no legal move here."),
    }
}

/// A move of this turn in words, as it is said to somebody who could make it: play the 23. Its text if
/// the game has no words for it.
pub(crate) fn in_words(game: &dyn AnyGame, choice: &str) -> String {
    let words = game.recalled(choice);
    words.map_or_else(|| choice.to_owned(), |words| as_you(&words))
}

/// What the numbers of the expert are, at a table of so many seats. They are not the game's own points,
/// of which few may be good.
pub(crate) fn counted_in(seats: usize) -> String {
    let most = seats.saturating_sub(1);
    format!("in points for the place: {most} for the first, 0 for the last")
}

/// What the expert thinks of these moves, as bars of one scale.
pub(crate) fn bars(in_words: impl Fn(&str) -> String, thoughts: &[Thought<String>]) -> Vec<Bar> {
    let best = thoughts
        .iter()
        .map(|t| t.estimate + t.error)
        .fold(0.0_f64, f64::max);
    let worst = thoughts
        .iter()
        .map(|t| t.estimate - t.error)
        .fold(f64::MAX, f64::min);
    let least = worst.clamp(0.0, best);
    let scale = 100.0 / (best - least * 0.8).max(0.01);
    let place = |points: f64| ((points - least * 0.8) * scale).clamp(0.0, 100.0);
    let bar = |thought: &Thought<String>| {
        let (low, high) = (
            thought.estimate - thought.error,
            thought.estimate + thought.error,
        );
        Bar {
            choice: thought.choice.clone(),
            label: in_words(&thought.choice),
            estimate: format!("{:.2}", thought.estimate),
            error: format!("{:.2}", thought.error),
            // A number keeps its sign beside it.
            reason: thought.reason.replace(" %", "\u{a0}%"),
            length: format!("{:.1}", place(thought.estimate)),
            low: format!("{:.1}", place(low)),
            doubt: format!("{:.1}", (place(high) - place(low)).max(0.5)),
        }
    };
    thoughts.iter().map(bar).collect()
}

fn drawn(game: &dyn AnyGame, advice: &Advice) -> Result<String, Refusal> {
    let thoughts = &advice.thoughts;
    let mut bars = bars(|choice| in_words(game, choice), thoughts);
    bars.truncate(SHOWN);
    let shown = Shown {
        counted_in: counted_in(game.seats()),
        advice: format!("It would choose: {}.", in_words(game, &advice.choice)),
        thoughts: bars,
        more: thoughts.len().saturating_sub(SHOWN),
    };
    let html = shown.render();
    html.map_err(|error| Refusal::machine("render a hint", &error))
}
