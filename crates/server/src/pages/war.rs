//! `/war`: War before one's eyes, and how long it takes.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::game;
use crate::Room;
use crate::refusal::{Refusal, render};

#[derive(Template)]
#[template(path = "war.html")]
struct Page {
    picture: String,
}

pub(super) async fn show(State(room): State<Arc<Room>>) -> Result<Response, Refusal> {
    let entry = game(&room, "war")?;
    render(&Page {
        picture: entry.picture().into(),
    })
}
