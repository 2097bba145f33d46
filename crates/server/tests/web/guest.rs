//! Those who ask a server, without a browser.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// Somebody who asks, with the cookie that it was given.
#[derive(Clone)]
pub(crate) struct Guest {
    pub(crate) address: SocketAddr,
    pub(crate) cookie: Option<String>,
}

/// What was answered.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    pub(crate) fn json(&self) -> Value {
        let read = serde_json::from_str(&self.body);
        read.unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Makes sure of the status.
    #[track_caller]
    pub(crate) fn expect(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{}", self.body);
        self
    }
}

impl Guest {
    fn host(&self) -> String {
        self.address.to_string()
    }

    /// Asks with these headers besides the host and the cookie.
    pub(crate) fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        let mut head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            head += &format!("host: {}\r\n", self.host());
        }
        if let Some(cookie) = &self.cookie {
            head += &format!("cookie: {cookie}\r\n");
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() {
            head += &format!("content-length: {}\r\n", body.len());
        }
        let answer = self.raw(format!("{head}\r\n{body}").as_bytes(), true);
        answer.expect("an answer")
    }

    /// Sends bytes as they are; none if there is no answer that can be read. Whoever sends no whole
    /// request says that there is no more to come.
    pub(crate) fn raw(&self, bytes: &[u8], is_whole: bool) -> Option<Answer> {
        self.raw_until(bytes, is_whole, is_complete)
    }

    /// The same, of which no more is read than is enough.
    pub(crate) fn raw_until(
        &self,
        bytes: &[u8],
        is_whole: bool,
        is_enough: impl Fn(&[u8]) -> bool,
    ) -> Option<Answer> {
        let mut stream = TcpStream::connect(self.address).ok()?;
        let patience = if is_whole { 60 } else { 1 };
        let patience = Some(Duration::from_secs(patience));
        stream.set_read_timeout(patience).ok()?;
        // It may answer before it has read everything.
        let _ = stream.write_all(bytes);
        if !is_whole {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        let mut text = Vec::new();
        let mut part = [0; 16 << 10];
        while !is_enough(&text) {
            match stream.read(&mut part) {
                Ok(0) | Err(_) => break,
                Ok(read) => text.extend_from_slice(&part[..read]),
            }
        }
        let end = text.windows(4).position(|window| window == b"\r\n\r\n")?;
        let head = String::from_utf8_lossy(&text[..end]).into_owned();
        let mut lines = head.lines();
        let status = lines.next()?.split(' ').nth(1)?.parse().ok()?;
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_lowercase(), value.to_owned()))
            .collect();
        let body = &text[end + 4..];
        let is_chunked = headers.iter().any(|(_, value)| value == "chunked");
        let body = if is_chunked {
            unchunked(body)
        } else {
            body.to_vec()
        };
        Some(Answer {
            status,
            headers,
            body: String::from_utf8_lossy(&body).into_owned(),
        })
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[], "")
    }

    /// Sends a form as a browser does, and keeps the cookie.
    pub(crate) fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("{}={}", encoded(name), encoded(value)))
            .collect();
        let origin = format!("http://{}", self.host());
        let headers = [
            ("origin", origin.as_str()),
            ("content-type", "application/x-www-form-urlencoded"),
        ];
        let answer = self.ask("POST", path, &headers, &body.join("&"));
        self.keep(&answer);
        answer
    }

    /// Sends JSON as a browser does, and keeps the cookie.
    pub(crate) fn post_json(&mut self, path: &str, body: &Value) -> Answer {
        let origin = format!("http://{}", self.host());
        let headers = [
            ("origin", origin.as_str()),
            ("content-type", "application/json"),
        ];
        let answer = self.ask("POST", path, &headers, &body.to_string());
        self.keep(&answer);
        answer
    }

    fn keep(&mut self, answer: &Answer) {
        if let Some(cookie) = answer.header("set-cookie") {
            self.cookie = cookie.split(';').next().map(str::to_owned);
        }
    }

    /// Sets up a table, in the first seat of which it sits; gives its identifier.
    pub(crate) fn sit_down_at(&mut self, game: &str, seed: u64) -> String {
        let seed = seed.to_string();
        let answer = self
            .post(&format!("/play/{game}"), &[("seed", &seed)])
            .expect(303);
        id(&answer)
    }

    /// Reads so many events of a stream.
    pub(crate) fn events(&self, path: &str, count: usize) -> Vec<String> {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        let patience = Some(Duration::from_secs(60));
        stream.set_read_timeout(patience).expect("a socket");
        let cookie = self.cookie.as_ref();
        let cookie = cookie.map(|cookie| format!("cookie: {cookie}\r\n"));
        let host = self.host();
        let head = format!(
            "GET {path} HTTP/1.1\r\nhost: {host}\r\n{}\r\n",
            cookie.unwrap_or_default()
        );
        stream.write_all(head.as_bytes()).expect("sent");
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        let events = lines.filter(|line| line.starts_with("data:"));
        events.take(count).collect()
    }

    /// Opens a socket at a table and reads so many messages with something in them.
    pub(crate) fn listen(&self, path: &str, messages: usize) -> Vec<String> {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("a socket");
        let cookie = self
            .cookie
            .as_ref()
            .map(|cookie| format!("cookie: {cookie}\r\n"));
        let host = self.host();
        let head = format!(
            "GET {path} HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\n{}connection: upgrade\r\n\
             upgrade: websocket\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
            cookie.unwrap_or_default()
        );
        stream.write_all(head.as_bytes()).expect("sent");
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).expect("an answer");
        assert!(line.contains(" 101 "), "{line}");
        while line.trim() != "" || line.is_empty() {
            line.clear();
            reader.read_line(&mut line).expect("headers");
        }
        let mut heard = Vec::new();
        while heard.len() < messages {
            let mut head = [0; 2];
            reader.read_exact(&mut head).expect("a frame");
            let length = match head[1] & 0x7f {
                126 => {
                    let mut length = [0; 2];
                    reader.read_exact(&mut length).expect("a length");
                    u64::from(u16::from_be_bytes(length))
                }
                127 => {
                    let mut length = [0; 8];
                    reader.read_exact(&mut length).expect("a length");
                    u64::from_be_bytes(length)
                }
                short => u64::from(short),
            };
            let mut text = vec![0; usize::try_from(length).expect("a message")];
            reader.read_exact(&mut text).expect("a message");
            let text = String::from_utf8(text).expect("text");
            if head[0] & 0x0f == 1 && text != "{}" {
                heard.push(text);
            }
        }
        heard
    }
}

/// The identifier of the table to which somebody is sent on.
pub(crate) fn id(answer: &Answer) -> String {
    let place = answer.header("location").expect("it is sent on");
    place.trim_start_matches("/table/").to_owned()
}

fn encoded(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let letter = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    text.bytes().map(letter).collect()
}

/// Whether an answer is there as long as it says that it is.
pub(crate) fn is_complete(text: &[u8]) -> bool {
    let Some(end) = text.windows(4).position(|window| window == b"\r\n\r\n") else {
        return false;
    };
    let head = String::from_utf8_lossy(&text[..end]).to_lowercase();
    let length = head.split("content-length: ").nth(1);
    let length = length.and_then(|rest| rest.lines().next()?.parse::<usize>().ok());
    let bare = ["101", "204", "304"].map(|status| format!("http/1.1 {status}"));
    let is_bare = bare.iter().any(|begin| head.starts_with(begin));
    let is_chunked = head.contains("transfer-encoding: chunked");
    let has_ended = is_chunked && text.ends_with(b"\r\n0\r\n\r\n");
    is_bare || has_ended || length.is_some_and(|length| text.len() >= end + 4 + length)
}

fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = body.windows(2).position(|window| window == b"\r\n") {
        let length = String::from_utf8_lossy(&body[..end]);
        let Ok(length) = usize::from_str_radix(length.trim(), 16) else {
            break;
        };
        let start = end + 2;
        if length == 0 || body.len() < start + length {
            break;
        }
        whole.extend_from_slice(&body[start..start + length]);
        body = body.get(start + length + 2..).unwrap_or_default();
    }
    whole
}

/// The text of a page without its tags, for those who look for words.
pub(crate) fn unescaped(text: &str) -> String {
    let text = text
        .replace("&#39;", "'")
        .replace("&#38;", "&")
        .replace("&#34;", "\"");
    text.replace("&quot;", "\"")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

/// The moves that a page offers as buttons.
pub(crate) fn offered(page: &str) -> Vec<String> {
    let buttons = page.split("name=\"move\" value=\"").skip(1);
    let moves = buttons.filter_map(|rest| rest.split('"').next());
    moves.map(unescaped).collect()
}

/// The version that a page shows.
pub(crate) fn version(page: &str) -> String {
    let rest = page.split("name=\"version\" value=\"").nth(1);
    let version = rest.and_then(|rest| rest.split('"').next());
    version.expect("a table").to_owned()
}
