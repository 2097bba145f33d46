//! `/rules/GAME`: the rules and the protocols, and who else plays.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use croupier_core::REVIEWER;

use super::game;
use super::new::with_strength;
use crate::Room;
use crate::refusal::{Refusal, render};

#[derive(Template)]
#[template(path = "rules.html")]
struct Page {
    name: &'static str,
    title: &'static str,
    aim: &'static str,
    /// What there is on the table.
    legend: String,
    rules: Vec<Block>,
    protocol: Vec<Block>,
    decisions: bool,
    players: Vec<(String, &'static str)>,
    has_expert: bool,
}

/// What rules are made of.
#[derive(PartialEq, Debug)]
enum Block {
    /// Words that flow; every second piece stood between backquotes.
    Words(Vec<String>),
    /// What each of several things means.
    Terms(Vec<(String, String)>),
    /// Lines that stay as they are.
    Lines(String),
}

pub(super) async fn show(
    State(room): State<Arc<Room>>,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let entry = game(&room, &name)?;
    let players = entry.players().into_iter();
    render(&Page {
        name: entry.profile.name,
        title: entry.profile.title,
        legend: entry.legend().into(),
        aim: entry.profile.aim,
        rules: blocks(entry.profile.rules_for_people()),
        protocol: blocks(entry.profile.rules_for_programs()),
        decisions: entry.profile.decisions,
        has_expert: entry.players().iter().any(|(name, _)| *name == REVIEWER),
        players: players
            .map(|(name, about)| (with_strength(entry, name), about))
            .collect(),
    })
}

/// Lines flow, up to an empty one; those that are set in are terms, or stay as they are.
fn blocks(rules: &str) -> Vec<Block> {
    let lines: Vec<&str> = rules.lines().collect();
    let paragraphs = lines.chunk_by(|line, next| {
        is_blank(line) == is_blank(next) && line.starts_with(' ') == next.starts_with(' ')
    });
    let paragraphs = paragraphs.filter(|lines| !is_blank(lines[0]));
    paragraphs
        .map(|lines| match lines[0].starts_with(' ') {
            true => terms(lines).map_or_else(|| Block::Lines(lines.join("\n")), Block::Terms),
            false => Block::Words(lines.join(" ").split('`').map(str::to_owned).collect()),
        })
        .collect()
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// What is written in two columns: a term, and what it means, over several lines perhaps. A window may
/// be narrower than such lines, which then have to flow.
fn terms(lines: &[&str]) -> Option<Vec<(String, String)>> {
    let mut terms: Vec<(String, String)> = Vec::new();
    for line in lines {
        let is_new = line.len() - line.trim_start().len() == 2;
        match (is_new, terms.last_mut()) {
            (true, _) => {
                let (term, meaning) = line.trim_start().split_once("  ")?;
                terms.push((term.to_owned(), meaning.trim_start().to_owned()));
            }
            (false, Some((_, meaning))) => {
                *meaning += " ";
                *meaning += line.trim_start();
            }
            (false, None) => return None,
        }
    }
    // Another gap: there are more columns than two.
    let are_two = terms.iter().all(|(_, meaning)| !meaning.contains("  "));
    are_two.then_some(terms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_columns_are_terms_and_everything_else_that_is_set_in_stays_as_it_is() {
        let rules = "Play `23`\nor pass.\n  skip    the next one\n          waits\n  draw    a card\n\n  red 7    blue 8    draw\n";
        let term = |term: &str, meaning: &str| (term.to_owned(), meaning.to_owned());
        let expected = [
            Block::Words(["Play ", "23", " or pass."].map(str::to_owned).to_vec()),
            Block::Terms(vec![
                term("skip", "the next one waits"),
                term("draw", "a card"),
            ]),
            Block::Lines("  red 7    blue 8    draw".to_owned()),
        ];
        assert_eq!(blocks(rules), expected);
    }
}
