//! Who may ask for what, before any page is looked for.
//!
//! - **Host**: a page elsewhere whose name was rebound to this machine (DNS rebinding) sends its own
//!   name. So only IP literals, `localhost` and names that the server was given are answered.
//! - **Origin**: whatever changes something or opens a socket must come from a page of this server, or
//!   from a program that sends neither an origin nor a cookie.
//! - **What it is for**: browsers say for which site they ask, and what for (Fetch Metadata). A page
//!   elsewhere may link to this server; it may neither have anything of it within itself nor let it work.
//! - **Headers** on every answer: a content policy without exceptions, no sniffing, no referrer
//!   for other sites.

use std::net::{IpAddr, Ipv6Addr};
use std::str::FromStr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, BodyDataStream};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;
use futures_util::stream::poll_fn;

use crate::Room;
use crate::refusal::Refusal;

/// Nothing from anywhere, but what a page needs from this server itself.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The headers of every answer.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // With no-referrer, browsers would send the origin of our own forms as null.
    (header::REFERRER_POLICY, "same-origin"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// How long a request that changes something may take, with everything that is sent along.
const PATIENCE: Duration = Duration::from_secs(30);

/// So much of what was sent is read even if nobody wants it.
const LONGEST_REST: usize = 16 << 20;

/// The address under which a proxy shows the server: a scheme, a host, perhaps a port.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicUrl {
    origin: String,
    host: String,
    secure: bool,
}

impl PublicUrl {
    /// Whether it is reached by HTTPS, so that cookies may demand it.
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    /// The address without a slash at its end.
    pub fn as_str(&self) -> &str {
        &self.origin
    }
}

/// What is wrong with a public address.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no public address: it must be like https://cards.example.org, without a path")]
pub struct BadUrl(String);

impl FromStr for PublicUrl {
    type Err = BadUrl;

    fn from_str(text: &str) -> Result<PublicUrl, BadUrl> {
        let wrong = || BadUrl(text.to_owned());
        let (secure, rest) = match text.split_once("://").ok_or_else(wrong)? {
            ("https", rest) => (true, rest),
            ("http", rest) => (false, rest),
            _ => return Err(wrong()),
        };
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        // Browsers leave the usual port out.
        let usual = if secure { ":443" } else { ":80" };
        let authority = authority.strip_suffix(usual).unwrap_or(authority);
        let host = host_of(authority).ok_or_else(wrong)?;
        let scheme = if secure { "https" } else { "http" };
        Ok(PublicUrl {
            origin: format!("{scheme}://{}", authority.to_ascii_lowercase()),
            host,
            secure,
        })
    }
}

/// The names under which the server is asked for, and where its pages come from.
#[derive(Debug)]
pub(crate) struct Gate {
    hosts: Vec<String>,
    public: Option<PublicUrl>,
}

impl Gate {
    pub(crate) fn new(hosts: &[String], public: Option<PublicUrl>) -> Gate {
        Gate {
            hosts: hosts.iter().map(|host| host.to_ascii_lowercase()).collect(),
            public,
        }
    }

    /// Whether the server is reached by HTTPS, so that cookies may demand it.
    pub(crate) fn is_secure(&self) -> bool {
        self.public.as_ref().is_some_and(PublicUrl::is_secure)
    }

    /// Whether this is a name of the server.
    fn knows(&self, host: &str) -> bool {
        host == "localhost"
            || is_address(host)
            || self.hosts.iter().any(|known| known == host)
            || self.public.as_ref().is_some_and(|url| url.host == host)
    }

    /// The authority that a request is meant for, if it is this server.
    fn authority<'a>(&self, request: &'a Request) -> Result<&'a str, Refusal> {
        let mut given = request.headers().get_all(header::HOST).iter();
        let (Some(host), None) = (given.next(), given.next()) else {
            return Err(Refusal::bad("The request does not name one host."));
        };
        let authority = host.to_str().ok();
        let named = authority.and_then(host_of);
        let also = request
            .uri()
            .authority()
            .map(axum::http::uri::Authority::as_str);
        let agree =
            also.is_none_or(|also| authority.is_some_and(|host| host.eq_ignore_ascii_case(also)));
        match (authority, named) {
            (Some(authority), Some(host)) if agree && self.knows(&host) => Ok(authority),
            _ => Err(Refusal::new(
                StatusCode::MISDIRECTED_REQUEST,
                "This server does not answer to that name. It answers to IP addresses, to localhost, \
                 and to names given with --host or --public-url.",
            )),
        }
    }

    /// Whether a request that changes something, or opens a socket, comes from a page of this
    /// server or from no page at all.
    fn is_ours(&self, headers: &HeaderMap, authority: &str) -> bool {
        let mut origins = headers.get_all(header::ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (Some(origin), None) => origin.to_str().is_ok_and(|origin| {
                let public = self.public.as_ref().map(PublicUrl::as_str);
                let own = origin.strip_prefix("http://");
                public == Some(origin) || own.is_some_and(|own| own.eq_ignore_ascii_case(authority))
            }),
            // Browsers send an origin with whatever changes something; some, and all when they open
            // a page, say instead from what kind of site a request comes.
            (None, _) => match headers.get("sec-fetch-site") {
                Some(site) => site == "same-origin",
                None => !headers.contains_key(header::COOKIE),
            },
            (Some(_), Some(_)) => false,
        }
    }
}

/// The host in `host`, `host:port` or `[address]:port`, in small letters.
fn host_of(authority: &str) -> Option<String> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (address, rest) = rest.split_once(']')?;
            address.parse::<Ipv6Addr>().ok()?;
            (
                address,
                rest.strip_prefix(':').or(rest.is_empty().then_some("0"))?,
            )
        }
        None => authority.split_once(':').unwrap_or((authority, "0")),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-._:".contains(c);
    port.parse::<u16>().ok()?;
    (!host.is_empty() && host.len() < 254 && host.chars().all(is_name))
        .then(|| host.to_ascii_lowercase())
}

/// Whether this can be the name of a host, without a port.
pub fn is_host_name(text: &str) -> bool {
    host_of(text).is_some_and(|host| host.eq_ignore_ascii_case(text))
}

/// Whether a host is an address, which no name server can rebind.
fn is_address(host: &str) -> bool {
    host.parse::<IpAddr>().is_ok()
}

/// Whether the server can be reached from this machine alone when it listens there.
pub fn is_loopback(address: IpAddr) -> bool {
    address.to_canonical().is_loopback()
}

/// Lets a request through to the pages, or refuses it; and gives every answer its headers.
pub(crate) async fn guard(State(room): State<Arc<Room>>, request: Request, next: Next) -> Response {
    let as_json = request.uri().path().starts_with("/api/");
    let path = request.uri().path().to_owned();
    let admitted = admit(&room.gate, &request);
    let response = match changes_something(&request) {
        // Whoever sends something has only so long for it; who looks may look on for hours.
        true => {
            let (request, rest) = Rest::of(request);
            let heard = async {
                let response = answer(admitted, request, next).await;
                rest.read().await;
                response
            };
            let heard = tokio::time::timeout(PATIENCE, heard).await;
            heard.unwrap_or_else(|_| StatusCode::REQUEST_TIMEOUT.into_response())
        }
        false => answer(admitted, request, next).await,
    };
    let mut response = crate::refusal::told(response, as_json);
    let headers = response.headers_mut();
    for (name, value) in &HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    if !path.starts_with("/assets/") {
        // What one seat sees must not be found in a cache by whoever sits there next.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(
            header::VARY,
            HeaderValue::from_static("Cookie, Authorization"),
        );
    }
    response
}

async fn answer(admitted: Result<(), Refusal>, request: Request, next: Next) -> Response {
    match admitted {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    }
}

/// What is left of the body of a request when it has been answered.
///
/// A connection that is closed with something unread in it takes the answer back: a proxy that still
/// sends would tell of a bad gateway, and not of what was refused.
struct Rest(Arc<Mutex<BodyDataStream>>);

impl Rest {
    /// The same request, and what will be left of it.
    fn of(request: Request) -> (Request, Rest) {
        let (head, body) = request.into_parts();
        let rest = Arc::new(Mutex::new(body.into_data_stream()));
        let lent = Arc::clone(&rest);
        let body = poll_fn(move |context| lock(&lent).poll_next_unpin(context));
        (
            Request::from_parts(head, Body::from_stream(body)),
            Rest(rest),
        )
    }

    /// Reads it, unless it is longer than anything that anybody sends by mistake.
    async fn read(self) {
        let mut left = LONGEST_REST;
        while let Some(Ok(part)) = poll_fn(|context| lock(&self.0).poll_next_unpin(context))
            .next()
            .await
        {
            match left.checked_sub(part.len()) {
                Some(less) => left = less,
                None => return,
            }
        }
    }
}

fn lock(body: &Mutex<BodyDataStream>) -> MutexGuard<'_, BodyDataStream> {
    body.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a browser asks because of a page of another site, and not to show a page of this one
/// instead. Other ports of this machine are the same site, but not the same server.
fn is_for_a_page_elsewhere(headers: &HeaderMap) -> bool {
    let says = |name: &str, word: &str| headers.get(name).is_some_and(|value| value == word);
    let is_elsewhere = ["cross-site", "same-site"]
        .iter()
        .any(|site| says("sec-fetch-site", site));
    let is_followed = says("sec-fetch-mode", "navigate") && says("sec-fetch-dest", "document");
    is_elsewhere && !is_followed
}

fn changes_something(request: &Request) -> bool {
    !matches!(*request.method(), Method::GET | Method::HEAD)
}

fn admit(gate: &Gate, request: &Request) -> Result<(), Refusal> {
    let authority = gate.authority(request)?;
    let headers = request.headers();
    if is_for_a_page_elsewhere(headers) {
        return Err(Refusal::forbidden(
            "This was asked for by a page of another site.",
        ));
    }
    if !changes_something(request) && !headers.contains_key(header::UPGRADE) {
        return Ok(());
    }
    match gate.is_ours(headers, authority) {
        true => Ok(()),
        false => Err(Refusal::new(
            StatusCode::FORBIDDEN,
            "This was sent from a page of another site.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_with_and_without_a_port() {
        for (authority, host) in [
            ("localhost", Some("localhost")),
            ("LOCALHOST:8080", Some("localhost")),
            ("127.0.0.1:1", Some("127.0.0.1")),
            ("[::1]:8080", Some("::1")),
            ("[::1]", Some("::1")),
            ("cards.example.org", Some("cards.example.org")),
            ("", None),
            (":80", None),
            ("[::1", None),
            ("[evil.example]", None),
            ("a:b", None),
            ("a:80:80", None),
            ("user@localhost", None),
            ("localhost/x", None),
        ] {
            assert_eq!(host_of(authority).as_deref(), host, "{authority}");
        }
    }

    #[test]
    fn names_that_can_be_rebound_are_not_known_unless_given() {
        let public = "https://Cards.example.org"
            .parse()
            .expect("a public address");
        let gate = Gate::new(&["Table.lan".to_owned()], Some(public));
        for host in [
            "localhost",
            "127.0.0.1",
            "::1",
            "192.168.0.7",
            "table.lan",
            "cards.example.org",
        ] {
            assert!(gate.knows(host), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.nip.io",
            "0x7f.1",
        ] {
            assert!(!gate.knows(host), "{host}");
        }
    }

    #[test]
    fn only_this_machine_is_loopback() {
        for (address, is_this) in [
            ("127.0.0.1", true),
            ("127.1.2.3", true),
            ("::1", true),
            ("::ffff:127.0.0.1", true),
            ("0.0.0.0", false),
            ("::", false),
            ("192.168.0.7", false),
        ] {
            let address: IpAddr = address.parse().expect("an address");
            assert_eq!(is_loopback(address), is_this, "{address}");
        }
    }

    #[test]
    fn a_host_name_has_neither_port_nor_scheme() {
        for name in ["localhost", "Table.lan", "cards.example.org", "127.0.0.1"] {
            assert!(is_host_name(name), "{name}");
        }
        for other in [
            "",
            "a:80",
            "http://a",
            "a/b",
            "a b",
            "*.example.org",
            "[::1]",
        ] {
            assert!(!is_host_name(other), "{other}");
        }
    }

    #[test]
    fn a_public_address_is_an_origin() {
        let url: PublicUrl = "https://cards.example.org/".parse().expect("one");
        assert_eq!(url.as_str(), "https://cards.example.org");
        assert!(url.is_secure());
        for (given, origin) in [
            (
                "https://Cards.example.org:443/",
                "https://cards.example.org",
            ),
            ("http://cards.example.org:80", "http://cards.example.org"),
            (
                "https://cards.example.org:80",
                "https://cards.example.org:80",
            ),
            ("https://[::1]:443", "https://[::1]"),
        ] {
            let url: PublicUrl = given.parse().expect("one");
            assert_eq!(url.as_str(), origin);
        }
        for wrong in [
            "cards.example.org",
            "ftp://a",
            "https://",
            "https://a/b",
            "https://a b",
        ] {
            assert!(wrong.parse::<PublicUrl>().is_err(), "{wrong}");
        }
    }
}
