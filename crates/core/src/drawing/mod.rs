//! How a game is drawn for a person: HTML with SVG, and what can be picked in it to make a move.
//!
//! A game says in [`Drawn`] what lies open to everybody and how a [`Scene`] is drawn. A scene holds
//! what its reader may see and nothing else, so that a drawing cannot give away a card. Front ends
//! know no game: they show the [`Drawing`], let a person pick pieces as far as its [`Way`]s go on, and
//! send the text of the move whose pieces have been picked.

mod markup;
mod pieces;
mod plain;
mod scene;

use std::fmt::Debug;

use serde::Serialize;

pub use markup::{Element, Markup, element};
pub use pieces::{Pieces, Way};
pub use scene::Scene;

use crate::{Offered, Told};

/// A game that can be drawn.
///
/// Only what lies open has to be declared. A game that says no more is drawn as plain tables, with a
/// button for every move.
pub trait Drawn: Offered + Told {
    /// What everybody sees, also somebody without a seat: no card of any hand, no order of a deck.
    type Open: Clone + PartialEq + Debug + Serialize;

    /// What everybody sees now.
    fn open(&self) -> Self::Open;

    /// Draws what the reader of the scene sees.
    fn drawn(scene: &Scene<'_, Self>) -> Drawing {
        plain::drawn(scene)
    }

    /// A move in words, as they follow a player's name: `plays the 23`. The text of the move unless the
    /// game knows better ones.
    fn in_words(choice: Self::Move) -> String {
        choice.to_string()
    }

    /// A move in words to somebody who no longer sees the table as it lay before the move. It differs from
    /// [`in_words`](Drawn::in_words) where a move names a thing by its place: `buys a red card`.
    fn recalled(_before: &Self::Open, choice: Self::Move) -> String {
        Self::in_words(choice)
    }

    /// A small picture of the game, for a list of games.
    fn picture() -> Markup {
        plain::picture(Self::PROFILE.title)
    }

    /// What there is on the table and what it means, for a page with the rules.
    fn legend() -> Markup {
        Markup::nothing()
    }
}

/// A drawn scene.
///
/// Whatever can be touched in `html` has an attribute `data-piece` with an id of its own. A piece that
/// makes a move alone is a button that submits the move's text as `move`. An element around pieces says
/// in `data-kind` what they are, in a word of the game: `card`, `token`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Drawing {
    /// The table as HTML, without scripts, styles and `id`s.
    pub html: String,
    /// One way for each legal move, if it is the reader's turn; otherwise none.
    pub ways: Vec<Way>,
    /// The pieces that may not be played now, alone or together, each with the rule that forbids it.
    pub forbidden: Vec<Forbidden>,
}

/// A piece that may not be played, or pieces that may not be played together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Forbidden {
    /// The ids of the pieces.
    pub pieces: Vec<String>,
    /// The rule that forbids it.
    pub rule: String,
}

impl Drawing {
    /// The table as one HTML page that needs nothing else, for a report or a notebook. `style` is the
    /// style sheet of the table.
    pub fn page(&self, title: &str, style: &'static str) -> String {
        let title: Markup = element("title").text(title).into();
        let html = &self.html;
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">{}\
             <style>{style}</style></head><body>{html}</body></html>",
            title.as_str()
        )
    }

    /// All moves in words, as a list of buttons that submit them, folded up. It works without
    /// scripts, and scripts find there which pieces make which move: `data-way` holds their ids. They
    /// also find, out of sight, the rules about pieces that do not go together: `data-refused` holds
    /// these. Nothing if there is no move to make.
    pub fn moves(&self) -> Markup {
        if self.ways.is_empty() {
            return Markup::nothing();
        }
        let button = |way: &Way| {
            let button = element("button")
                .attr("type", "submit")
                .attr("name", "move")
                .attr("value", &way.choice)
                .attr("data-way", way.pieces.join(" "))
                .text(&way.label);
            element("li").with(button)
        };
        let together = self.forbidden.iter().filter(|no| no.pieces.len() > 1);
        let mut rules = together.map(rule_together).peekable();
        let rules = rules.peek().is_some().then(|| {
            let list = element("ul").class("refused");
            list.all(rules)
        });
        element("details")
            .class("moves")
            .with(element("summary").text("All moves in words"))
            .with(element("ul").all(self.ways.iter().map(button)))
            .with(rules)
            .into()
    }
}

fn rule_together(refused: &Forbidden) -> Element {
    element("li")
        .attr("data-refused", refused.pieces.join(" "))
        .text(&refused.rule)
}
