//! Who is answered, and what an answer holds.

use crate::hall::{Hall, id};

#[test]
fn a_name_that_was_rebound_to_this_machine_is_not_answered() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let stranger = hall.stranger();
    for path in [
        "/",
        "/api/games",
        "/assets/x/site.css",
        "/no-such-page",
        "/table/x/socket",
    ] {
        for host in [
            "evil.example",
            "evil.example:80",
            "127.0.0.1.evil.example",
            "",
            "a b",
        ] {
            let answer = stranger.ask("GET", path, &[("host", host)], "");
            assert!(
                [400, 421].contains(&answer.status),
                "{path} {host}: {}",
                answer.status
            );
            assert!(!answer.body.contains("Intensity"), "{path} {host}");
            let leads = ["href", "src"].map(|word| answer.body.contains(word));
            let is_bare = answer.status == 400 || leads == [false; 2];
            assert!(is_bare, "{path} {host}: it leads to what is refused too");
        }
    }
    for host in ["localhost", "LOCALHOST:1", "[::1]:8080", "192.168.1.7"] {
        let answer = stranger.ask("GET", "/", &[("host", host)], "");
        assert_eq!(answer.status, 200, "{host}");
    }
    let two = stranger.raw(
        b"GET / HTTP/1.1\r\nhost: localhost\r\nhost: evil\r\nconnection: close\r\n\r\n",
        true,
    );
    assert_eq!(two.map(|answer| answer.status), Some(400));
    let none = stranger.raw(b"GET / HTTP/1.1\r\nconnection: close\r\n\r\n", true);
    assert_eq!(none.map(|answer| answer.status), Some(400));
    let other = format!(
        "GET http://evil.example/ HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
        hall.address
    );
    let other = stranger.raw(other.as_bytes(), true);
    let other = other.expect("an answer");
    assert_eq!(other.status, 421);
    assert!(
        other.body.contains("<nobr>--public-url</nobr>")
            || other.body.contains("<nobr>--public-url.</nobr>")
    );
}

#[test]
fn a_page_elsewhere_can_change_nothing() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    let table = ann.sit_down_at("intensity", 1);
    let own = format!("http://{}", hall.address);
    let form = ("content-type", "application/x-www-form-urlencoded");
    let paths = [
        "/play/uno".to_owned(),
        format!("/table/{table}/move"),
        "/api/tables".to_owned(),
    ];
    for path in &paths {
        for origin in [
            "http://evil.example",
            "null",
            "https://localhost",
            "http://127.0.0.1:1",
        ] {
            let answer = ann.ask("POST", path, &[("origin", origin), form], "seed=1");
            assert_eq!(answer.status, 403, "{path} from {origin}");
        }
        // A browser that does not tell the origin, but sends the cookie.
        assert_eq!(
            ann.ask("POST", path, &[form], "seed=1").status,
            403,
            "{path}"
        );
        let cross = [("sec-fetch-site", "cross-site"), form];
        assert_eq!(
            ann.ask("POST", path, &cross, "seed=1").status,
            403,
            "{path}"
        );
        let stranger = hall.stranger();
        assert_eq!(
            stranger.ask("POST", path, &cross, "seed=1").status,
            403,
            "{path}"
        );
    }
    let upgrade = [
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ];
    let socket = format!("/table/{table}/socket");
    for origin in ["http://evil.example", "null"] {
        let mut headers = upgrade.to_vec();
        headers.push(("origin", origin));
        assert_eq!(ann.ask("GET", &socket, &headers, "").status, 403);
    }
    assert_eq!(ann.ask("GET", &socket, &upgrade, "").status, 403);
    let kept = ann.ask("POST", "/play/uno", &[("origin", &own), form], "seed=1");
    assert_eq!(kept.status, 303);
    // A program has neither.
    let stranger = hall.stranger();
    assert_eq!(
        stranger.ask("POST", "/play/uno", &[form], "seed=1").status,
        303
    );
}

/// A picture or a script of a page elsewhere would let the server work, and its answer would tell.
#[test]
fn a_page_elsewhere_has_nothing_of_this_server_within_itself() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let guest = hall.stranger();
    let ask = |path: &str, site: &str, mode: &str, dest: &str| {
        let headers = [
            ("sec-fetch-site", site),
            ("sec-fetch-mode", mode),
            ("sec-fetch-dest", dest),
        ];
        guest.ask("GET", path, &headers, "").status
    };
    for path in [
        "/",
        "/war/simulation?games=100000",
        "/api/tables",
        "/assets/x/y",
    ] {
        for site in ["cross-site", "same-site"] {
            for (mode, dest) in [
                ("no-cors", "image"),
                ("no-cors", "script"),
                ("cors", "empty"),
                ("navigate", "iframe"),
                ("navigate", "object"),
                ("websocket", "empty"),
            ] {
                assert_eq!(
                    ask(path, site, mode, dest),
                    403,
                    "{path} {site} {mode} {dest}"
                );
            }
        }
    }
    for site in ["cross-site", "same-site", "same-origin", "none"] {
        assert_eq!(ask("/", site, "navigate", "document"), 200, "{site}");
    }
    assert_eq!(ask("/api/tables", "same-origin", "cors", "empty"), 200);
}

#[test]
fn every_answer_has_a_content_policy_and_is_not_kept_in_a_cache() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    let table = ann.sit_down_at("uno", 1);
    let paths = [
        "/".to_owned(),
        "/play/uno".to_owned(),
        "/rules/uno".to_owned(),
        "/war".to_owned(),
        "/no-such-page".to_owned(),
        format!("/table/{table}"),
        format!("/table/{table}/present"),
        format!("/api/tables/{table}"),
        "/api/no-such-thing".to_owned(),
    ];
    for path in &paths {
        let answer = ann.get(path);
        let policy = answer.header("content-security-policy").unwrap_or_default();
        assert!(
            policy.starts_with("default-src 'none'; "),
            "{path}: {policy}"
        );
        assert!(
            !policy.contains("unsafe") && !policy.contains('*'),
            "{policy}"
        );
        assert_eq!(
            answer.header("x-content-type-options"),
            Some("nosniff"),
            "{path}"
        );
        assert_eq!(
            answer.header("referrer-policy"),
            Some("same-origin"),
            "{path}"
        );
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{path}");
        for forbidden in ["<style", " style=", " onclick", "<script>", "javascript:"] {
            assert!(!answer.body.contains(forbidden), "{path}: {forbidden}");
        }
        let is_json = path.starts_with("/api/") || path.ends_with("present");
        let kind = answer.header("content-type").unwrap_or_default();
        assert_eq!(
            kind.starts_with("application/json"),
            is_json,
            "{path}: {kind}"
        );
    }
    let page = ann.get("/").body;
    let style = page
        .split("href=\"")
        .find(|rest| rest.starts_with("/assets/"))
        .expect("a style");
    let style = style.split('"').next().expect("an address");
    let asset = ann.get(style).expect(200);
    assert_eq!(
        asset.header("cache-control"),
        Some("public, max-age=31536000, immutable")
    );
    let tag = asset.header("etag").expect("a tag").to_owned();
    let again = ann.ask("GET", style, &[("if-none-match", &tag)], "");
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[test]
fn the_cookie_is_for_this_port_and_out_of_reach_of_scripts() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    assert_eq!(
        ann.get("/").header("set-cookie"),
        None,
        "who only looks needs none"
    );
    let answer = ann.post("/play/uno", &[]).expect(303);
    let cookie = answer.header("set-cookie").expect("a cookie");
    let name = format!("croupier-{}=", hall.address.port());
    assert!(cookie.starts_with(&name), "{cookie}");
    for part in ["; HttpOnly", "; SameSite=Lax", "; Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "{cookie}");
    let mut settings =
        croupier_server::Settings::new(croupier_games::GAMES.clone(), data.path().join("b"));
    settings.public_url = Some("https://cards.example.org".parse().expect("an address"));
    let behind_a_proxy = Hall::with(settings);
    let ben = behind_a_proxy.stranger();
    let headers = [
        ("host", "cards.example.org"),
        ("origin", "https://cards.example.org"),
        ("content-type", "application/x-www-form-urlencoded"),
    ];
    let answer = ben.ask("POST", "/play/uno", &headers, "seed=1").expect(303);
    let cookie = answer.header("set-cookie").expect("a cookie");
    // Browsers take a cookie of this name from this host alone.
    assert!(cookie.starts_with("__Host-croupier-"), "{cookie}");
    assert!(cookie.ends_with("; Secure"), "{cookie}");
}

const HOSTILE: &str = "\"><script>alert(1)</script><img src=x onerror=alert(1)>'`{{7*7}}\u{202e}";

#[test]
fn nothing_that_somebody_wrote_becomes_markup() {
    let data = tempfile::tempdir().expect("a folder");
    let hall = Hall::open(data.path());
    let mut ann = hall.stranger();
    let mut pages = Vec::new();
    let seats = [("seat-1", "open"), ("name", HOSTILE), ("seed", "1")];
    let table = id(&ann.post("/play/uno", &seats).expect(303));
    for path in ["", "/present", "/socket"] {
        pages.push(ann.get(&format!("/table/{table}{path}")));
    }
    let fields = [("version", "0"), ("nonce", HOSTILE), ("move", HOSTILE)];
    pages.push(
        ann.post(&format!("/table/{table}/move"), &fields)
            .expect(400),
    );
    let fields = [("version", "0"), ("nonce", "1"), ("move", HOSTILE)];
    pages.push(
        ann.post(&format!("/table/{table}/move"), &fields)
            .expect(422),
    );
    let fields = [
        ("opt-values", HOSTILE),
        ("name", HOSTILE),
        ("seed", HOSTILE),
        ("seat-0", HOSTILE),
    ];
    pages.push(ann.post("/play/friday13", &fields).expect(400));
    let query =
        "/play/austerity?opt-deck=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&seed=%3Cscript%3E";
    pages.push(ann.get(query));
    pages.push(ann.get("/play/%3Cscript%3Ealert(1)%3C%2Fscript%3E"));
    pages.push(ann.get("/api/tables/%3Cscript%3Ealert(1)"));
    pages.push(ann.get("/"));
    for page in &pages {
        for markup in ["<script>", "<img src=x", "onerror=alert(1)>"] {
            assert!(!page.body.contains(markup), "{markup}: {}", page.body);
        }
    }
    let typed = &pages[5].body;
    assert!(
        typed.contains("&#60;script&#62;") || typed.contains("&lt;script&gt;"),
        "it is kept: {typed}"
    );
}
