//! `/`: the games, and the tables that are open.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use croupier_core::Audience;

use crate::Room;
use crate::person::Asker;
use crate::refusal::{Refusal, render};
use crate::tables::Table;

/// So many tables are listed.
const LISTED: usize = 30;

#[derive(Template)]
#[template(path = "lobby.html")]
struct Page {
    games: Vec<Offer>,
    own: Vec<Listed>,
    others: Vec<Listed>,
    shelf: String,
}

struct Offer {
    name: &'static str,
    title: &'static str,
    aim: &'static str,
    seats: String,
    picture: String,
}

struct Listed {
    id: String,
    title: &'static str,
    players: String,
    state: String,
}

pub(super) async fn show(
    State(room): State<Arc<Room>>,
    Query(fields): Query<Vec<(String, String)>>,
    asker: Asker,
) -> Result<Response, Refusal> {
    let games = room.games.0.iter().map(|entry| {
        let profile = entry.profile;
        let (least, most) = (profile.seats.start(), profile.seats.end());
        Offer {
            name: profile.name,
            title: profile.title,
            aim: profile.aim,
            seats: match (least, most) {
                (least, most) if least == most => format!("{least} players"),
                (least, most) if *most > 100 => format!("{least}+ players"),
                (least, most) => format!("{least} to {most} players"),
            },
            picture: entry.picture().into(),
        }
    });
    let person = asker.person();
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for table in room.tables.all() {
        let audience = table.standing().audience(person.as_ref());
        let is_own =
            matches!(audience, Audience::Seat(_)) || person.as_ref() == Some(&table.founding.host);
        let list = if is_own { &mut own } else { &mut others };
        if list.len() < LISTED {
            list.push(listed(&table, audience));
        }
    }
    render(&Page {
        games: games.collect(),
        own,
        others,
        shelf: crate::contests::shelf(&room, &fields).await?,
    })
}

fn listed(table: &Table, audience: Audience) -> Listed {
    let standing = table.standing();
    let state = match standing.game.to_move() {
        None => "over".to_owned(),
        Some(seat) if audience == Audience::Seat(seat) => "your turn".to_owned(),
        Some(_) if standing.version() == 0 => "about to begin".to_owned(),
        Some(_) => format!("{} moves", standing.version()),
    };
    Listed {
        id: table.id.clone(),
        title: table.entry.profile.title,
        players: standing.names(audience).join(", "),
        state,
    }
}
