//! Scripts, styles and pictures, all of them inside the program.
//!
//! Each is known by its name and by its content: pages ask for `/assets/HASH/site.css`, which never
//! changes and is kept by browsers for good. Modules import each other by relative names, so all of
//! them share one hash, of all assets together.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::refusal::{Refusal, plain};

/// One file.
struct Asset {
    name: &'static str,
    kind: &'static str,
    contents: &'static [u8],
}

macro_rules! assets {
    ($($name:literal: $kind:expr,)*) => {
        const ASSETS: &[Asset] = &[$(Asset {
            name: $name,
            kind: $kind,
            contents: include_bytes!(concat!("../assets/", $name)),
        }),*];
    };
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

assets! {
    "contest.css": STYLE,
    "contest.js": SCRIPT,
    "drop.js": SCRIPT,
    "icon.svg": PICTURE,
    "icon-turn.svg": PICTURE,
    "pieces.js": SCRIPT,
    "replay.css": STYLE,
    "replay.js": SCRIPT,
    "saved.js": SCRIPT,
    "site.css": STYLE,
    "site.js": SCRIPT,
    "table.css": STYLE,
    "table.js": SCRIPT,
    "try.js": SCRIPT,
    "war.js": SCRIPT,
}

/// The hash of all assets, which is part of their addresses.
static HASH: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = blake3::Hasher::new();
    for asset in ASSETS {
        hasher.update(asset.name.as_bytes()).update(&[0]);
        hasher.update(asset.contents).update(&[0]);
    }
    hasher.finalize().to_hex()[..16].to_owned()
});

/// The address of an asset, for templates.
pub(crate) fn asset(name: &str) -> String {
    debug_assert!(ASSETS.iter().any(|asset| asset.name == name), "{name}");
    format!("/assets/{}/{name}", *HASH)
}

/// Hands out an asset. One of an earlier version of the program is not there any more.
pub(crate) async fn show(
    Path((hash, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let found = ASSETS.iter().find(|asset| asset.name == name);
    let found = found.filter(|_| hash == *HASH);
    let asset = found.ok_or_else(|| Refusal::missing("There is no such file."))?;
    let tag = format!("\"{hash}\"");
    let known = headers.get(header::IF_NONE_MATCH);
    let mut response = match known.is_some_and(|known| known == tag.as_str()) {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => plain(asset.kind, asset.contents),
    };
    let headers = response.headers_mut();
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static("public, max-age=31536000, immutable"),
    );
    headers.extend(HeaderValue::from_str(&tag).map(|tag| (header::ETAG, tag)));
    Ok(response)
}
