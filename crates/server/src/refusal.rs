//! What is not done, and why: as a page, or as JSON under `/api/`.

use std::io::{self, Write as _};

use askama::Template;
use axum::Json;
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use croupier_core::quoted;
use serde::Serialize;

/// No line of the log is longer.
const LONGEST_LINE: usize = 1000;

/// A request that is refused: the status, and what was wrong in a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    reason: String,
}

/// A refusal as JSON.
#[derive(Serialize)]
pub(crate) struct Told {
    /// What was wrong, in a sentence.
    error: String,
}

#[derive(Template)]
#[template(path = "refusal.html")]
struct Page<'a> {
    heading: &'a str,
    reason: &'a str,
}

/// The page under a name that the server does not have: whatever it fetched or led to under that name
/// would be refused as well.
#[derive(Template)]
#[template(path = "misdirected.html")]
struct Bare<'a> {
    heading: &'a str,
    reason: &'a str,
}

impl Refusal {
    /// Refuses with this status for this reason.
    pub(crate) fn new(status: StatusCode, reason: impl Into<String>) -> Refusal {
        Refusal {
            status,
            reason: reason.into(),
        }
    }

    /// What was asked for makes no sense.
    pub(crate) fn bad(reason: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, reason)
    }

    /// There is no such thing.
    pub(crate) fn missing(what: &str) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, what)
    }

    /// It is not for this one to do or to see.
    pub(crate) fn forbidden(reason: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, reason)
    }

    /// It cannot be done as things are now.
    pub(crate) fn conflict(reason: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::CONFLICT, reason)
    }

    /// There is no room for it.
    pub(crate) fn busy(reason: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, reason)
    }

    /// The machine failed, which is written to the log of the server and not told to others.
    pub(crate) fn machine(doing: &str, error: &dyn std::fmt::Display) -> Refusal {
        // What a file is called, and what is wrong with it, may be somebody else's words.
        let told = quoted(&format!("failed to {doing}: {error}"), LONGEST_LINE);
        // A server whose log cannot be written goes on.
        let _ = writeln!(io::stderr(), "croupier: {told}");
        Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            format!("The server failed to {doing}; its log tells why."),
        )
    }

    /// The status.
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// What was wrong.
    pub(crate) fn reason(&self) -> &str {
        &self.reason
    }
}

/// The sentence is kept beside the answer until it is known how it is to be told.
impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// A page that is shown with a status of its own, and is not replaced by a page about that status.
#[derive(Clone, Copy)]
pub(crate) struct Shown;

/// An answer in which every refusal, also one that was made on the way to a page, is told in words.
pub(crate) fn told(response: Response, as_json: bool) -> Response {
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    if !is_error || response.extensions().get::<Shown>().is_some() {
        return response;
    }
    let refusal = response.extensions().get::<Refusal>().cloned();
    let refusal = refusal.unwrap_or_else(|| Refusal::new(status, in_words(status)));
    let allow = response.headers().get(header::ALLOW).cloned();
    let mut response = match as_json {
        true => (
            status,
            Json(Told {
                error: refusal.reason,
            }),
        )
            .into_response(),
        false => page(status, &refusal.reason),
    };
    if let Some(allow) = allow {
        response.headers_mut().insert(header::ALLOW, allow);
    }
    response
}

fn page(status: StatusCode, reason: &str) -> Response {
    let heading = heading(status);
    let html = match status {
        StatusCode::MISDIRECTED_REQUEST => Bare { heading, reason }.render(),
        _ => Page { heading, reason }.render(),
    };
    match html {
        Ok(html) => (status, Html(html)).into_response(),
        Err(_) => status.into_response(),
    }
}

fn heading(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "There is nothing here",
        StatusCode::FORBIDDEN | StatusCode::MISDIRECTED_REQUEST => "This is not for you",
        StatusCode::CONFLICT => "This cannot be done now",
        StatusCode::SERVICE_UNAVAILABLE => "Not at the moment",
        _ => "This did not work",
    }
}

fn in_words(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "There is no such page.",
        StatusCode::METHOD_NOT_ALLOWED => "This cannot be done with this page.",
        StatusCode::PAYLOAD_TOO_LARGE => "That is more than the server takes.",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "The server does not read this kind of content.",
        StatusCode::REQUEST_TIMEOUT => "The request took too long.",
        _ => "The request cannot be understood.",
    }
}

/// A refusal of a connection before anything is read from it.
pub(crate) const NO_ROOM: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\n\
    content-length: 51\r\nretry-after: 5\r\nconnection: close\r\n\r\n\
    The server has as many connections as it can bear.\n";

/// A page that can be rendered, with its status.
pub(crate) fn render(page: &impl Template) -> Result<Response, Refusal> {
    let html = page.render();
    let html = html.map_err(|error| Refusal::machine("render a page", &error))?;
    Ok(Html(html).into_response())
}

/// The same with a status that tells of a mistake, which the page itself shows.
pub(crate) fn render_with(status: StatusCode, page: &impl Template) -> Result<Response, Refusal> {
    let mut response = render(page)?;
    *response.status_mut() = status;
    response.extensions_mut().insert(Shown);
    Ok(response)
}

/// Sends a browser on to another page of this server, to be looked at.
pub(crate) fn see(path: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    // Paths are made of our own words and of identifiers, so this is always a header.
    if let Ok(location) = HeaderValue::from_str(path) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}

/// A text that is handed out as it is.
pub(crate) fn plain(content_type: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
