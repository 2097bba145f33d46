//! Who asks: a secret that a browser keeps in a cookie, or a program sends along.
//!
//! There are no accounts. Whoever sits down is given a secret; the server keeps only its hash, which
//! is enough to know the one who holds a seat again.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::sync::Arc;

use crate::Room;
use crate::refusal::Refusal;

/// How long a browser keeps its secret: a year.
const KEPT: u32 = 365 * 24 * 3600;

/// A secret that nobody can guess: 128 bits as hexadecimal digits.
pub(crate) fn secret() -> Result<String, Refusal> {
    let mut bytes = [0; 16];
    let drawn = getrandom::fill(&mut bytes);
    drawn.map_err(|error| Refusal::machine("draw a secret", &error))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn is_secret(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// A person or a program, by the hash of its secret.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Person(String);

impl Person {
    /// The one who has this secret.
    pub(crate) fn with(secret: &str) -> Person {
        let hash = blake3::hash(secret.as_bytes());
        Person(hash.to_hex()[..32].to_owned())
    }
}

/// Who asks, if it has said so.
#[derive(Clone, Debug)]
pub(crate) struct Asker {
    secret: Option<String>,
}

impl Asker {
    /// The one who asks, if it is known.
    pub(crate) fn person(&self) -> Option<Person> {
        self.secret.as_deref().map(Person::with)
    }

    /// The one who asks, with a new secret if it has none.
    pub(crate) fn known(self) -> Result<Known, Refusal> {
        let is_new = self.secret.is_none();
        let secret = self.secret.map_or_else(secret, Ok)?;
        Ok(Known { secret, is_new })
    }
}

/// Somebody with a secret.
pub(crate) struct Known {
    secret: String,
    is_new: bool,
}

impl Known {
    /// The one who has the secret.
    pub(crate) fn person(&self) -> Person {
        Person::with(&self.secret)
    }

    /// The secret itself, for its owner.
    pub(crate) fn secret(&self) -> &str {
        &self.secret
    }

    /// Hands the secret to the browser, if it has none yet.
    pub(crate) fn remember(&self, room: &Room, mut response: Response) -> Response {
        if self.is_new {
            let secure = match room.gate.is_secure() {
                true => "; Secure",
                false => "",
            };
            let cookie = format!(
                "{}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age={KEPT}{secure}",
                room.cookie_name(),
                self.secret
            );
            let cookie = HeaderValue::from_str(&cookie);
            let headers = response.headers_mut();
            headers.extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
        }
        response
    }
}

impl FromRequestParts<Arc<Room>> for Asker {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, room: &Arc<Room>) -> Result<Asker, Infallible> {
        let headers = &parts.headers;
        let secret = bearer(headers).or_else(|| cookie(headers, &room.cookie_name()));
        Ok(Asker {
            secret: secret.map(str::to_owned),
        })
    }
}

/// The secret that a program sends along.
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let given = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, secret) = given.split_once(' ')?;
    let secret = secret.trim();
    (scheme.eq_ignore_ascii_case("bearer") && is_secret(secret)).then_some(secret)
}

/// The secret in the cookie of this name.
fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter();
    let cookies = cookies.filter_map(|value| value.to_str().ok());
    let mut pairs = cookies
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    let found = pairs.find(|(own, secret)| *own == name && is_secret(secret));
    found.map(|(_, secret)| secret)
}
