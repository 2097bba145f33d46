//! Somebody who knows the server's protocol, and keeps to no rule.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

pub(crate) struct Raw(BufReader<TcpStream>);

impl Raw {
    /// Connects, as this user with this password if there is one; what the server complained of.
    pub(crate) fn connect(port: u16, user: Option<[&str; 2]>) -> Result<Raw, String> {
        let stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let mut raw = Raw(BufReader::new(stream));
        let options = match user {
            None => "{\"verbose\":false}".to_owned(),
            Some([user, password]) => {
                format!("{{\"verbose\":false,\"user\":\"{user}\",\"pass\":\"{password}\"}}")
            }
        };
        raw.line();
        raw.write(format!("CONNECT {options}\r\nSUB _INBOX.worker.raw 1\r\nPING\r\n").as_bytes());
        raw.settle().map(|()| raw)
    }

    fn write(&mut self, bytes: &[u8]) {
        let _ = self.0.get_mut().write_all(bytes);
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let _ = self.0.read_line(&mut line);
        line
    }

    /// Waits until the server has seen everything; what it complained of.
    fn settle(&mut self) -> Result<(), String> {
        let mut complaint = Ok(());
        loop {
            match self.line() {
                line if line.starts_with("PONG") || line.is_empty() => return complaint,
                line if line.starts_with("-ERR") => complaint = Err(line),
                _ => {}
            }
        }
    }

    /// Publishes something; what the server complained of.
    pub(crate) fn publish(&mut self, subject: &str, bytes: &[u8]) -> Result<(), String> {
        self.write(format!("PUB {subject} {}\r\n", bytes.len()).as_bytes());
        self.write(bytes);
        self.write(b"\r\nPING\r\n");
        self.settle()
    }

    /// What the server answers to a request.
    pub(crate) fn request(&mut self, subject: &str, json: &str) -> Value {
        let (_, answer) = self.answer(subject, json);
        serde_json::from_slice(&answer).unwrap()
    }

    /// Takes the next message of a consumer, and acknowledges it.
    pub(crate) fn steal(&mut self, stream: &str, consumer: &str) -> Vec<u8> {
        let subject = format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}");
        let (reply, message) = self.answer(&subject, "{\"batch\":1}");
        self.publish(&reply, b"+ACK").unwrap();
        message
    }

    /// The first message that a request brings, and to whom an answer to it would go.
    fn answer(&mut self, subject: &str, json: &str) -> (String, Vec<u8>) {
        let length = json.len();
        self.write(format!("PUB {subject} _INBOX.worker.raw {length}\r\n{json}\r\n").as_bytes());
        loop {
            let line = self.line();
            assert!(!line.is_empty(), "the server has gone");
            if line.starts_with("PING") {
                self.write(b"PONG\r\n");
            }
            if let Some(message) = line.strip_prefix("MSG ") {
                let mut words = message.split_whitespace().rev();
                let length: usize = words.next().unwrap().parse().unwrap();
                let mut bytes = vec![0; length + 2];
                self.0.read_exact(&mut bytes).unwrap();
                bytes.truncate(length);
                return (words.next().unwrap().to_owned(), bytes);
            }
        }
    }
}
