//! Records that people bring along: dropped on the lobby, or chosen there as a file.
//!
//! They are kept in memory and for a while, under an address that nobody can guess. When there are too
//! many, the oldest go.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::Response;

use super::source::Played;
use crate::Room;
use crate::person::secret;
use crate::refusal::{Refusal, see};

/// No record is longer that is shown here.
pub(crate) const LONGEST_DROPPED: usize = 4 << 20;

/// So many are kept,
const MOST: usize = 100;

/// and so long.
const KEPT: Duration = Duration::from_secs(4 * 3600);

/// The records, the oldest first.
#[derive(Default)]
pub(super) struct Dropped(Mutex<VecDeque<Kept>>);

struct Kept {
    id: String,
    played: Played,
    since: Instant,
}

impl Dropped {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|kept| kept.since.elapsed() < KEPT);
        kept
    }

    fn keep(&self, played: Played) -> Result<String, Refusal> {
        let id = secret()?;
        let mut kept = self.lock();
        if kept.len() == MOST {
            kept.pop_front();
        }
        kept.push_back(Kept {
            id: id.clone(),
            played,
            since: Instant::now(),
        });
        Ok(id)
    }

    /// The game with this identifier, if it is still kept.
    pub(super) fn find(&self, id: &str) -> Result<Played, Refusal> {
        let found = self
            .lock()
            .iter()
            .find(|kept| kept.id == id)
            .map(|kept| kept.played.clone());
        found.ok_or_else(|| {
            Refusal::missing("This record is not kept any more. Drop it on the lobby again.")
        })
    }
}

/// Takes a record, as a form sends a file or as it is, and shows it.
pub(super) async fn take(
    State(room): State<Arc<Room>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Refusal> {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let file = match boundary(kind) {
        Some(boundary) => file_in(&body, boundary)
            .ok_or_else(|| Refusal::bad("There is no file in what was sent."))?,
        None => &body[..],
    };
    if file.is_empty() {
        return Err(Refusal::bad(
            "Choose a record first: a file that ends in .jsonl.",
        ));
    }
    if file.len() > LONGEST_DROPPED {
        let status = axum::http::StatusCode::PAYLOAD_TOO_LARGE;
        let most = LONGEST_DROPPED >> 20;
        let told = format!("The record is longer than {most} MiB.");
        return Err(Refusal::new(status, told));
    }
    let text = String::from_utf8_lossy(file).into_owned();
    let keeper = Arc::clone(&room);
    let kept = tokio::task::spawn_blocking(move || {
        let played = Played::read(&keeper.games, &text)?;
        keeper.replays.dropped.keep(played)
    });
    let id = kept
        .await
        .unwrap_or_else(|_| Err(Refusal::bad("This record cannot be played again.")))?;
    Ok(see(&format!("/replay/dropped/{id}")))
}

/// What stands between the parts of a form (RFC 7578), if it is one with a file.
fn boundary(kind: &str) -> Option<&str> {
    let mut parts = kind.split(';').map(str::trim);
    let is_form = parts.next()?.eq_ignore_ascii_case("multipart/form-data");
    let boundary = parts.find_map(|part| part.strip_prefix("boundary="))?;
    let boundary = boundary.trim_matches('"');
    (is_form && (1..=70).contains(&boundary.len())).then_some(boundary)
}

/// The contents of the first file in a form.
fn file_in<'a>(body: &'a [u8], boundary: &str) -> Option<&'a [u8]> {
    let line = format!("--{boundary}");
    let mut rest = &body[find(body, line.as_bytes())? + line.len()..];
    let between = format!("\r\n{line}");
    loop {
        let part = rest.strip_prefix(b"\r\n")?;
        let end = find(part, between.as_bytes())?;
        let head = find(&part[..end], b"\r\n\r\n")?;
        let about = String::from_utf8_lossy(&part[..head]);
        if about.contains("filename=") {
            return Some(&part[head + 4..end]);
        }
        rest = &part[end + between.len()..];
    }
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    // A first letter that is rare in records makes this fast enough for a file of this size.
    let first = *wanted.first()?;
    let mut from = 0;
    loop {
        let place = from + text[from..].iter().position(|&byte| byte == first)?;
        if text[place..].starts_with(wanted) {
            return Some(place);
        }
        from = place + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_a_form_is_found_and_nothing_else_is_trusted() {
        let kind = "multipart/form-data; boundary=----x";
        let boundary = boundary(kind).expect("a form");
        let form = "------x\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\nb\r\n------x\r\n\
            content-disposition: form-data; name=\"record\"; filename=\"r.jsonl\"\r\n\
            content-type: text/plain\r\n\r\nline 1\nline 2\r\n\n\r\n------x--\r\n";
        let file = file_in(form.as_bytes(), boundary);
        assert_eq!(file, Some(&b"line 1\nline 2\r\n\n"[..]));
        for length in 0..form.len() - 8 {
            // Cut off anywhere it is no file, and no panic.
            assert_eq!(file_in(&form.as_bytes()[..length], boundary), None);
        }
        for wrong in [
            "",
            "text/plain",
            "multipart/form-data",
            "multipart/form-data; boundary=",
        ] {
            assert_eq!(super::boundary(wrong), None, "{wrong}");
        }
    }
}
