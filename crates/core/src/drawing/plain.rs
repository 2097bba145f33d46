//! The drawing of a game that has none of its own: tables of what is seen, a button for each move.

use serde_json::Value;

use crate::registry::to_json;

use super::{Drawing, Drawn, Element, Markup, Pieces, Scene, Way, element};

/// Draws any game.
pub(super) fn drawn<G: Drawn>(scene: &Scene<'_, G>) -> Drawing {
    let way = |(number, &choice): (usize, &G::Move)| {
        Way::new(choice, vec![format!("move-{number}")], choice.to_string())
    };
    let pieces = Pieces::new(scene.legal().iter().enumerate().map(way).collect());
    let button = |(number, choice): (usize, &G::Move)| {
        let text = element("span").class("word").text(choice);
        pieces.piece(
            &format!("move-{number}"),
            "word-piece",
            &choice.to_string(),
            text,
        )
    };
    let moves = element("div")
        .class("choices")
        .all(scene.legal().iter().enumerate().map(button));
    let seats = scene.seats().map(|seat| {
        let state = match scene.to_move() == Some(seat) {
            true => "to move",
            false => "",
        };
        element("tr")
            .with(
                element("th")
                    .attr("scope", "row")
                    .with(scene.name_tag(seat)),
            )
            .with(element("td").text(state))
    });
    let part = |title: String, value: &Value| {
        element("div")
            .with(element("strong").text(title))
            .with(told(value))
    };
    let views = scene.seats().filter_map(|seat| {
        let view = to_json(scene.view(seat)?);
        Some(part(format!("What {} sees", scene.name(seat)), &view))
    });
    let open = to_json(scene.open());
    let table = element("div")
        .class("table plain")
        .with(element("table").class("told").all(seats))
        .with((!open.is_null()).then(|| part("On the table".to_owned(), &open)))
        .all(views)
        .with(moves);
    pieces.into_drawing(table)
}

/// A value as a table, or as a word.
fn told(value: &Value) -> Element {
    match value {
        Value::Object(fields) => {
            let row = |(name, value): (&String, &Value)| {
                let name = name.replace('_', " ");
                element("tr")
                    .with(element("th").attr("scope", "row").text(name))
                    .with(element("td").with(told(value)))
            };
            element("table").class("told").all(fields.iter().map(row))
        }
        Value::Array(values) if values.iter().any(|v| v.is_object() || v.is_array()) => {
            let item = |value| element("li").with(told(value));
            element("ol").all(values.iter().map(item))
        }
        Value::Array(values) => {
            let words: Vec<String> = values.iter().map(word).collect();
            element("span").text(words.join(", "))
        }
        _ => element("span").text(word(value)),
    }
}

fn word(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        _ => value.to_string(),
    }
}

/// A card with the first letter of the game's name.
pub(super) fn picture(title: &str) -> Markup {
    let letter = title.chars().next().unwrap_or('?').to_uppercase();
    let card = element("rect")
        .class("paper")
        .attr("x", 60)
        .attr("y", 18)
        .attr("width", 60)
        .attr("height", 84)
        .attr("rx", 6);
    let letter = element("text")
        .class("ink big")
        .attr("x", 90)
        .attr("y", 74)
        .attr("text-anchor", "middle")
        .text(letter);
    element("svg")
        .class("picture")
        .attr("viewBox", "0 0 180 120")
        .attr("aria-hidden", "true")
        .with(card)
        .with(letter)
        .into()
}
