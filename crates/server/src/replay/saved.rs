//! A recorded game in one HTML file that needs nothing else.
//!
//! The file holds what one reader may see and nothing more. It works without scripts, by links within
//! it; its own policy allows the one script and the one style that are in it, known by their hashes.

use std::convert::Infallible;
use std::sync::Arc;

use askama::Template;
use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use croupier_core::Audience;
use futures_util::stream;
use sha2::{Digest as _, Sha256};
use tokio::sync::OwnedSemaphorePermit;

use super::looking::{Asked, Looking};
use super::page::{all_moments, aside};
use super::source::{Key, Recorded};
use super::verdict::Told;
use crate::Room;
use crate::pages::LogEntry;
use crate::person::Asker;
use crate::refusal::{Refusal, plain};

/// Longer games would make a file that no browser likes to open.
const MOST_MOMENTS: usize = 1500;

/// So much of a file is handed over at a time.
const PART: usize = 64 << 10;

const SCRIPT: &str = include_str!("../../assets/saved.js");
const STYLES: [&str; 3] = [
    include_str!("../../assets/site.css"),
    crate::DRAWN,
    include_str!("../../assets/replay.css"),
];

#[derive(Template)]
#[template(path = "replay/saved.html")]
struct File {
    title: &'static str,
    players: String,
    seen: String,
    policy: String,
    style: String,
    script: &'static str,
    moments: Vec<Moment>,
    log: Vec<LogEntry>,
    review: Option<String>,
    last: usize,
}

struct Moment {
    at: usize,
    html: String,
    verdict: Option<String>,
}

/// The hash of a script or a style, as a content policy names it.
fn hash(text: &str) -> String {
    format!("'sha256-{}'", base64(&Sha256::digest(text.as_bytes())))
}

/// Base64 with padding (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let bits = three
            .iter()
            .chain(&[0; 2])
            .take(3)
            .fold(0_u32, |bits, &byte| bits << 8 | u32::from(byte));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place <= three.len() {
                letter.into()
            } else {
                '='
            });
        }
    }
    text
}

pub(super) async fn save(
    State(room): State<Arc<Room>>,
    key: Key,
    Query(asked): Query<Asked>,
    asker: Asker,
) -> Result<Response, Refusal> {
    let recorded = Recorded::find(&room, key, asker.person().as_ref()).await?;
    let looking = Looking::of(&recorded, &asked)?;
    if !recorded.is_over() {
        return Err(Refusal::conflict("A game is saved when it is over."));
    }
    if looking.last > MOST_MOMENTS {
        return Err(Refusal::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            format!("A game of more than {MOST_MOMENTS} moves does not fit into one file."),
        ));
    }
    let player = looking.player.filter(|_| looking.review);
    let reviewed = player
        .map(|player| room.replays.reviews.ask(&recorded, player))
        .transpose()?;
    let name = recorded.played.entry.profile.name;
    let copy = Arc::clone(&room.replays.copies).try_acquire_owned();
    let copy =
        copy.map_err(|_| Refusal::busy("Many games are being saved. Try again in a moment."))?;
    let html = aside(&room, move || {
        // Within a file, a moment has an address within it.
        let looking = looking.within_a_file();
        let told = player
            .zip(reviewed.as_ref())
            .map(|(player, reviewed)| Told {
                recorded: &recorded,
                looking: &looking,
                player,
                reviewed,
            });
        file(&recorded, &looking, told.as_ref())
    });
    let body = in_parts(html.await?.into(), copy);
    let mut response = plain("text/html; charset=utf-8", body);
    let disposition = format!("attachment; filename=\"{name}.html\"");
    let headers = response.headers_mut();
    headers.extend(
        HeaderValue::from_str(&disposition).map(|value| (header::CONTENT_DISPOSITION, value)),
    );
    Ok(response.into_response())
}

/// A body that is handed over bit by bit, and gives back the right to be sent when the reader has it.
fn in_parts(html: Bytes, copy: OwnedSemaphorePermit) -> Body {
    Body::from_stream(stream::unfold((html, copy), async |(mut html, copy)| {
        let part = html.split_to(html.len().min(PART));
        (!part.is_empty()).then_some((Ok::<Bytes, Infallible>(part), (html, copy)))
    }))
}

fn file(
    recorded: &Recorded,
    looking: &Looking,
    told: Option<&Told<'_>>,
) -> Result<String, Refusal> {
    let (log, moments) = all_moments(recorded, looking.audience)?;
    let style = STYLES.concat();
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; \
         form-action 'none'",
        hash(SCRIPT),
        hash(&style),
    );
    let mut shown = Vec::new();
    for (at, html) in moments.into_iter().enumerate() {
        let verdict = told.map(|told| told.of_move(at)).transpose()?.flatten();
        shown.push(Moment { at, html, verdict });
    }
    let names = &recorded.played.names;
    let file = File {
        title: recorded.played.entry.profile.title,
        players: names.join(", "),
        seen: match looking.audience {
            Audience::Seat(seat) => format!("Seen by {}", names[seat.index()]),
            Audience::Referee => "With all cards".to_owned(),
            Audience::Onlooker => "What lies open".to_owned(),
        },
        policy,
        style,
        script: SCRIPT,
        moments: shown,
        log,
        review: told.map(Told::of_game).transpose()?,
        last: looking.last,
    };
    let html = file.render();
    html.map_err(|error| Refusal::machine("render a file", &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_written_as_browsers_read_them() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        let known = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";
        assert_eq!(hash(""), known);
    }
}
