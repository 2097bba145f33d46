//! `/rules/GAME`: the rules and the protocols, and who else plays.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;
use croupier_core::REVIEWER;

use super::game;
use crate::Room;
use crate::refusal::{Refusal, render};

#[derive(Template)]
#[template(path = "rules.html")]
struct Page {
    name: &'static str,
    title: &'static str,
    /// What there is on the table.
    legend: String,
    blocks: Vec<Block>,
    decisions: bool,
    programs: &'static str,
    players: Vec<(&'static str, &'static str)>,
    has_expert: bool,
}

/// A paragraph, or lines that stay as they are.
struct Block {
    is_code: bool,
    text: String,
}

impl Block {
    /// The words of a paragraph, and between them what one types: whether it is that, and the text.
    fn words(&self) -> impl Iterator<Item = (bool, &str)> {
        let parts = self.text.split('`').enumerate();
        parts.map(|(place, part)| (place % 2 == 1, part))
    }
}

pub(super) async fn show(
    State(room): State<Arc<Room>>,
    Path(name): Path<String>,
) -> Result<Response, Refusal> {
    let entry = game(&room, &name)?;
    render(&Page {
        name: entry.profile.name,
        title: entry.profile.title,
        legend: entry.legend().into(),
        blocks: blocks(entry.profile.rules),
        decisions: entry.profile.decisions,
        programs: entry.profile.programs,
        has_expert: entry.players().iter().any(|(name, _)| *name == REVIEWER),
        players: entry.players(),
    })
}

/// Lines that are set in stay as they are; others flow.
fn blocks(rules: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut follows = false;
    for line in rules.lines() {
        if line.trim().is_empty() {
            follows = false;
            continue;
        }
        let is_code = line.starts_with(' ');
        let (between, line) = match is_code {
            true => ("\n", line),
            false => (" ", line.trim()),
        };
        match blocks.last_mut() {
            Some(last) if follows && last.is_code == is_code => {
                last.text += between;
                last.text += line;
            }
            _ => blocks.push(Block {
                is_code,
                text: line.to_owned(),
            }),
        }
        follows = true;
    }
    blocks
}
