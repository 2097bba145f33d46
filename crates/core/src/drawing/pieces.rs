//! What can be touched in a drawing, and what it is good for.

use std::collections::HashMap;
use std::fmt::Display;

use serde::Serialize;

use super::{Drawing, Forbidden, Markup, element};

/// How a person makes a move: by picking these pieces, in any order.
///
/// No two ways have the same pieces, and none has all pieces of another: whoever has picked the
/// pieces of a way has made its move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Way {
    /// The text of the move.
    #[serde(rename = "move")]
    pub choice: String,
    /// The ids of the pieces.
    pub pieces: Vec<String>,
    /// The move in words: `Play the 23`.
    pub label: String,
}

impl Way {
    /// A way to make this move.
    pub fn new(choice: impl Display, pieces: Vec<String>, label: String) -> Way {
        Way {
            choice: choice.to_string(),
            pieces,
            label,
        }
    }
}

/// What a piece is good for.
enum Use {
    /// It makes this move alone; the place of its way.
    Move(usize),
    /// It makes a move together with others.
    Part,
    /// It may not be played; the place of the rule.
    Forbidden(usize),
}

/// The pieces of a drawing that is being made: those that can be picked, and those that may not.
pub struct Pieces {
    ways: Vec<Way>,
    forbidden: Vec<Forbidden>,
    uses: HashMap<String, Use>,
}

impl Pieces {
    /// The pieces of these ways. To be drawn, each piece of a way goes through
    /// [`piece`](Pieces::piece) once.
    pub fn new(ways: Vec<Way>) -> Pieces {
        let mut uses = HashMap::new();
        for (place, way) in ways.iter().enumerate() {
            for piece in &way.pieces {
                let purpose = match way.pieces.len() {
                    1 => Use::Move(place),
                    _ => Use::Part,
                };
                uses.insert(piece.clone(), purpose);
            }
        }
        Pieces {
            ways,
            forbidden: Vec::new(),
            uses,
        }
    }

    /// Whether a piece can be picked.
    pub fn can(&self, piece: &str) -> bool {
        matches!(self.uses.get(piece), Some(Use::Move(_) | Use::Part))
    }

    /// Forbids a piece by a rule, unless it can be picked.
    pub fn forbid(&mut self, piece: String, rule: impl Display) {
        if !self.uses.contains_key(&piece) {
            let place = self.forbidden.len();
            self.uses.insert(piece.clone(), Use::Forbidden(place));
            let (pieces, rule) = (vec![piece], rule.to_string());
            self.forbidden.push(Forbidden { pieces, rule });
        }
    }

    /// Forbids pieces together by a rule, of which each can be picked with others.
    pub fn forbid_together(&mut self, pieces: Vec<String>, rule: impl Display) {
        if pieces.iter().all(|piece| self.can(piece)) {
            let rule = rule.to_string();
            self.forbidden.push(Forbidden { pieces, rule });
        }
    }

    /// Draws a piece: a button if it can be picked or is forbidden, else a picture. `class` says what
    /// it is for the style sheet, `label` what a screen reader calls it.
    pub fn piece(&self, id: &str, class: &str, label: &str, face: impl Into<Markup>) -> Markup {
        let button = |state: &str| element("button").class(format_args!("piece {class} {state}"));
        let piece = match self.uses.get(id) {
            None => element("span")
                .class(format_args!("piece {class}"))
                .attr("role", "img")
                .attr("aria-label", label),
            Some(Use::Move(place)) => button("can")
                .attr("type", "submit")
                .attr("name", "move")
                .attr("value", &self.ways[*place].choice)
                .attr("title", &self.ways[*place].label)
                .attr("aria-label", format_args!("{label}, can be played")),
            Some(Use::Part) => button("can")
                .attr("type", "button")
                .attr("aria-pressed", "false")
                .attr("aria-label", format_args!("{label}, can be picked")),
            Some(Use::Forbidden(place)) => {
                let rule = &self.forbidden[*place].rule;
                button("cannot")
                    .attr("type", "button")
                    .attr("aria-disabled", "true")
                    .attr("title", rule)
                    .attr(
                        "aria-label",
                        format_args!("{label}, may not be played: {rule}"),
                    )
            }
        };
        piece.attr("data-piece", id).with(face).into()
    }

    /// The drawing with this HTML, in which the pieces have been drawn.
    pub fn into_drawing(self, html: impl Into<Markup>) -> Drawing {
        Drawing {
            html: html.into().into(),
            ways: self.ways,
            forbidden: self.forbidden,
        }
    }
}
