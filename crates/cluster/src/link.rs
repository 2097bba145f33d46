//! The way to the NATS server: connecting, streams, messages, and what can go wrong with them.
//!
//! ```text
//! croupier.work.CONTEST.NEED   stream CROUPIER_WORK, a work queue; a consumer for every need
//! croupier.results.CONTEST     stream CROUPIER_RESULTS, a work queue; a consumer for every contest
//! croupier.pulse               what workers tell of themselves; not kept
//! croupier.orders.INSTANCE     what a coordinator tells one worker; not kept
//! croupier.status              who asks here is told how contests stand
//! CROUPIER                     object bucket: programs and terms, by the hash of their contents
//! CROUPIER_LARGE               object bucket: results that are too large for a message
//! ```

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::{self, AckPolicy, pull};
use async_nats::jetstream::context::Context;
use async_nats::jetstream::object_store;
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, AckKind, Message};
use async_nats::{
    Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr, StatusCode, Subscriber,
};
use croupier_bots::Interrupt;
use futures_util::StreamExt as _;
use percent_encoding::percent_decode_str;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::watch;
use tokio::time::{Instant, timeout_at};

use crate::wire::Need;

pub(crate) const WORK: &str = "CROUPIER_WORK";
pub(crate) const RESULTS: &str = "CROUPIER_RESULTS";
pub(crate) const PULSE: &str = "croupier.pulse";
pub(crate) const STATUS: &str = "croupier.status";

/// The bucket of programs and terms, to which the coordinator writes alone.
pub(crate) const PROGRAMS: &str = "CROUPIER";

/// The bucket of large results, to which workers write.
pub(crate) const LARGE: &str = "CROUPIER_LARGE";

/// The oldest server on which all that is needed works.
const OLDEST: [u64; 3] = [2, 10, 23];

/// How the server says that a bucket or a stream has no room left.
const NO_ROOM: &str = "maximum bytes exceeded";

/// How the client, and we, say that nothing has answered in time.
pub(crate) const TIMED_OUT: &str = "timed out";

/// How long a request may take.
pub(crate) const REQUEST: Duration = Duration::from_secs(10);

/// After this time a batch that nobody has finished, and of which nobody says that it is in progress, is
/// delivered again.
pub(crate) const ACK_WAIT: Duration = Duration::from_secs(8);

/// How long results wait for the coordinator that has taken them.
const RESULTS_ACK_WAIT: Duration = Duration::from_secs(60);

/// How many may ask for work at once, and how many batches may be played at once: the server's own numbers
/// (512 and 1,000) are too small for a thousand workers.
const MOST_WAITING: i64 = 100_000;

/// How large each of the streams and buckets may become, for which the server reserves the room. What does
/// not fit is refused, never dropped.
const MOST_BYTES: i64 = 1 << 30;

/// The port at which servers tell of their health, by convention.
const MONITORING: u16 = 8222;

/// How long the health endpoint may take to answer.
const HEALTH: Duration = Duration::from_secs(2);

/// How long messages are kept that nobody takes, as those of a contest that was given up.
const MESSAGES_KEPT: Duration = Duration::from_secs(3 * 24 * 3600);

/// How long objects are kept that nobody has removed.
const OBJECTS_KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// How a server is reached.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Address {
    /// Where it is: `nats://HOST:PORT`, or `tls://HOST:PORT`.
    pub url: String,
    /// A file with credentials.
    pub creds: Option<PathBuf>,
    /// A file with certificates of those who vouch for the server.
    pub ca: Option<PathBuf>,
    /// Our own certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// Where the server tells of its health: `http://HOST:PORT`. If none is given, port 8222 is tried.
    pub monitoring: Option<String>,
}

/// Why something with a server did not work.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClusterError {
    /// What was asked for makes no sense: another address, other credentials or another server are needed.
    #[error("{0}")]
    Wrong(String),
    /// The server or the way to it failed.
    #[error("{0}")]
    Failed(String),
}

impl ClusterError {
    /// Whether there was no room left for something on the server.
    pub(crate) fn is_for_want_of_room(&self) -> bool {
        let (ClusterError::Failed(text) | ClusterError::Wrong(text)) = self;
        text.contains(NO_ROOM)
    }
}

/// Whose side of the table somebody is on. Each has inboxes of its own, so that the server can keep workers
/// from listening to the coordinator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    Coordinator,
    Worker,
}

/// A connection that comes back by itself.
#[derive(Clone)]
pub(crate) struct Link {
    pub(crate) client: Client,
    pub(crate) context: Context,
    /// How often it was connected.
    pub(crate) connected: watch::Receiver<u64>,
    /// What the server complained of last.
    complaint: Arc<Mutex<Option<String>>>,
    /// The server's name in messages.
    pub(crate) server: String,
    /// Host and port of its health endpoint.
    monitoring: String,
}

impl Link {
    /// Connects to a server that can be used.
    pub(crate) async fn open(address: &Address, role: Role) -> Result<Link, ClusterError> {
        let parsed: ServerAddr = address.url.parse().map_err(|error| {
            ClusterError::Wrong(format!(
                "'{}' is no address of a NATS server: {error}; it would be nats://HOST:4222 or tls://HOST:4222",
                without_secret(&address.url)
            ))
        })?;
        let server = format!("{}:{}", parsed.host(), parsed.port());
        if !matches!(parsed.scheme(), "nats" | "tls") || parsed.host().is_empty() {
            return Err(ClusterError::Wrong(format!(
                "'{}' is no address of a NATS server; it would be nats://HOST:4222 or tls://HOST:4222",
                without_secret(&address.url)
            )));
        }
        let monitoring = match &address.monitoring {
            None => format!("{}:{MONITORING}", parsed.host()),
            Some(url) => {
                let place = url
                    .strip_prefix("http://")
                    .map(|rest| rest.trim_end_matches('/'));
                let place =
                    place.filter(|place| place.contains(':') && !place.contains(['/', '@']));
                let place = place.ok_or_else(|| {
                    ClusterError::Wrong(format!(
                        "'{url}' is no monitoring address; it would be http://HOST:{MONITORING}"
                    ))
                })?;
                place.to_owned()
            }
        };
        let (connects, connected) = watch::channel(0u64);
        let complaint = Arc::new(Mutex::new(None));
        let complains = Arc::clone(&complaint);
        let connects = Arc::new(connects);
        let mut options = ConnectOptions::new()
            .name("croupier")
            .custom_inbox_prefix(match role {
                Role::Coordinator => "_INBOX.coordinator",
                Role::Worker => "_INBOX.worker",
            })
            .connection_timeout(Duration::from_secs(5))
            .request_timeout(Some(REQUEST))
            .ping_interval(Duration::from_secs(10))
            .reconnect_delay_callback(|attempts| {
                Duration::from_millis((100 * attempts as u64).min(2000))
            })
            .max_reconnects(None)
            .event_callback(move |event| {
                match event {
                    Event::Connected => connects.send_modify(|count| *count += 1),
                    Event::ServerError(error) => {
                        let mut complaint =
                            complains.lock().unwrap_or_else(PoisonError::into_inner);
                        *complaint = Some(error.to_string());
                    }
                    _ => {}
                }
                std::future::ready(())
            });
        let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        options = match (parsed.username(), parsed.password()) {
            (Some(user), Some(password)) => options.user_and_password(plain(user), plain(password)),
            (Some(token), None) => options.token(plain(token)),
            (None, _) => options,
        };
        if let Some(file) = &address.creds {
            options = options.credentials_file(file).await.map_err(|error| {
                let file = file.display();
                ClusterError::Wrong(format!("cannot use the credentials in {file}: {error}"))
            })?;
        }
        if let Some(file) = &address.ca {
            options = options.add_root_certificates(file.clone());
        }
        if let Some((certificate, key)) = &address.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        let connecting = options.connect(parsed).await;
        let client = connecting.map_err(|error| not_connected(&server, &error))?;
        let info = client.server_info();
        if version(&info.version) < OLDEST {
            return Err(ClusterError::Wrong(format!(
                "the NATS server at {server} has version {}; {} or newer is needed",
                info.version,
                OLDEST.map(|number| number.to_string()).join(".")
            )));
        }
        if !info.jetstream {
            return Err(ClusterError::Wrong(format!(
                "the NATS server at {server} runs without JetStream; start it with nats-server -js -sd DIR"
            )));
        }
        let mut context = jetstream::new(client.clone());
        context.set_timeout(REQUEST);
        Ok(Link {
            client,
            context,
            connected,
            complaint,
            server,
            monitoring,
        })
    }

    /// How long a message may be: with room for what the server adds.
    pub(crate) fn most_bytes(&self) -> usize {
        self.client.server_info().max_payload * 3 / 4
    }

    /// The error together with what the server's health endpoint says. A full disk shows as time-outs only,
    /// and nowhere else is told what is wrong.
    pub(crate) async fn with_health(&self, error: ClusterError) -> ClusterError {
        let (ClusterError::Failed(text) | ClusterError::Wrong(text)) = &error;
        if !text.contains(TIMED_OUT) {
            return error;
        }
        let asked = tokio::time::timeout(HEALTH, complaint_at(&self.monitoring)).await;
        ClusterError::Failed(match asked.ok().flatten() {
            Some(complaint) => format!("{text} (its health endpoint says: {complaint})"),
            None => format!(
                "{text} (its disk may be full or slow: http://{}/healthz would tell)",
                self.monitoring
            ),
        })
    }

    /// What was tried failed, for this reason and what the server complained of.
    pub(crate) fn failed(&self, doing: &str, error: &dyn std::fmt::Display) -> ClusterError {
        let mut complaint = self
            .complaint
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let error = error.to_string();
        let hint = match complaint.take() {
            Some(complaint) => format!(" (the server says: {complaint})"),
            None => String::new(),
        };
        ClusterError::Failed(format!(
            "failed to {doing} at {}: {error}{hint}",
            self.server
        ))
    }

    /// A stream or bucket was not made, which may be for want of room.
    fn not_made(&self, what: &str, error: &dyn std::fmt::Display) -> ClusterError {
        let mut error = error.to_string();
        if error.contains("insufficient storage") {
            error += "; it must have room for two streams and two buckets of 1 GiB each: see max_file_store in \
                      its configuration";
        }
        self.failed(&format!("make a {what}"), &error)
    }

    /// Makes the streams and buckets that are missing.
    pub(crate) async fn set_up(&self) -> Result<(), ClusterError> {
        let queue = |name: &str, subject: &str| stream::Config {
            name: name.to_owned(),
            subjects: vec![subject.to_owned()],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            storage: StorageType::File,
            max_bytes: MOST_BYTES,
            max_age: MESSAGES_KEPT,
            num_replicas: 1,
            allow_direct: true,
            ..stream::Config::default()
        };
        for config in [
            queue(WORK, "croupier.work.>"),
            queue(RESULTS, "croupier.results.>"),
        ] {
            let made = self.context.get_or_create_stream(config).await;
            made.map_err(|error| self.not_made("stream", &error))?;
        }
        for bucket in [PROGRAMS, LARGE] {
            if self.context.get_object_store(bucket).await.is_err() {
                let config = object_store::Config {
                    bucket: bucket.to_owned(),
                    max_age: OBJECTS_KEPT,
                    max_bytes: MOST_BYTES,
                    num_replicas: 1,
                    ..object_store::Config::default()
                };
                let made = self.context.create_object_store(config).await;
                made.map_err(|error| self.not_made("bucket", &error))?;
            }
        }
        Ok(())
    }

    pub(crate) async fn stream(&self, name: &str) -> Result<Stream, ClusterError> {
        let found = self.context.get_stream(name).await;
        found.map_err(|error| self.failed(&format!("find the stream {name}"), &error))
    }

    /// Makes a consumer, or makes it anew: if that is wanted, or if it has counted more messages than the
    /// stream has, as after a restore from an older copy. Such a consumer would deliver nothing for ever.
    pub(crate) async fn consumer(
        &self,
        stream: &str,
        name: &str,
        subject: &str,
        anew: bool,
    ) -> Result<(), ClusterError> {
        let found = self.stream(stream).await?;
        let known = found.consumer_info(name).await.ok();
        let last = found.cached_info().state.last_sequence;
        let is_sound = known.as_ref().is_some_and(|known: &consumer::Info| {
            known.delivered.stream_sequence <= last
                && known.ack_floor.stream_sequence <= last
                && known.config.filter_subject == subject
        });
        if is_sound && !anew {
            return Ok(());
        }
        if known.is_some() {
            let gone = found.delete_consumer(name).await;
            gone.map_err(|error| self.failed("renew a consumer", &error))?;
        }
        let config = pull::Config {
            durable_name: Some(name.to_owned()),
            filter_subject: subject.to_owned(),
            ack_policy: AckPolicy::Explicit,
            ack_wait: match stream {
                WORK => ACK_WAIT,
                _ => RESULTS_ACK_WAIT,
            },
            max_waiting: MOST_WAITING,
            max_ack_pending: MOST_WAITING,
            ..pull::Config::default()
        };
        let made = found.create_consumer(config).await;
        made.map(drop)
            .map_err(|error| self.failed("make a consumer", &error))
    }

    /// Waits for the next message of any of these consumers; none if there is none in this time.
    pub(crate) async fn next(
        &self,
        stream: &str,
        consumers: &[String],
        patience: Duration,
    ) -> Result<Option<Message>, ClusterError> {
        let failed = |error: &dyn std::fmt::Display| self.failed("ask for messages", error);
        let inbox = self.client.new_inbox();
        let answers = self.client.subscribe(inbox.clone()).await;
        let mut answers = answers.map_err(|error| failed(&error))?;
        let wish = format!("{{\"batch\":1,\"expires\":{}}}", patience.as_nanos());
        for consumer in consumers {
            let subject = format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}");
            let wish = wish.clone().into();
            let asked = self.client.publish_with_reply(subject, inbox.clone(), wish);
            asked.await.map_err(|error| failed(&error))?;
        }
        let end = Instant::now() + patience + Duration::from_secs(2);
        let (mut open, mut refused) = (consumers.len(), 0);
        while open > 0 {
            let Ok(Some(message)) = timeout_at(end, answers.next()).await else {
                // A process that stood still finds its time over, and the answers still to be read.
                tokio::spawn(give_back(
                    answers,
                    open,
                    end + REQUEST,
                    self.context.clone(),
                ));
                return Err(failed(&TIMED_OUT));
            };
            open -= 1;
            match message.status {
                None => {
                    let context = self.context.clone();
                    if open > 0 {
                        tokio::spawn(give_back(answers, open, end, context.clone()));
                    }
                    return Ok(Some(Message { message, context }));
                }
                Some(StatusCode::TIMEOUT | StatusCode::NOT_FOUND) => {}
                Some(_) => refused += 1,
            }
        }
        // Whoever was refused by all has not waited.
        match refused == consumers.len() {
            true => Err(failed(&"there is no such consumer")),
            false => Ok(None),
        }
    }

    /// Publishes to a stream, and tells the number under which it keeps the message.
    pub(crate) async fn publish(
        &self,
        subject: String,
        bytes: Vec<u8>,
    ) -> Result<u64, ClusterError> {
        let failed = |error: &dyn std::fmt::Display| self.failed("publish", error);
        let sent = self.context.publish(subject, bytes.into()).await;
        let kept = sent.map_err(|error| failed(&error))?.await;
        Ok(kept.map_err(|error| failed(&error))?.sequence)
    }
}

/// Waits until somebody has wanted to stop for so long.
pub(crate) async fn raised_for(interrupt: &Interrupt, patience: Duration) {
    while !interrupt.is_raised() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::time::sleep(patience).await;
}

/// Gives back at once what the other consumers that were asked still send.
async fn give_back(mut answers: Subscriber, open: usize, end: Instant, context: Context) {
    for _ in 0..open {
        let Ok(Some(message)) = timeout_at(end, answers.next()).await else {
            return;
        };
        if message.status.is_none() {
            let context = context.clone();
            let message = Message { message, context };
            // If this is lost it comes back after a while.
            let _ = message.ack_with(AckKind::Nak(None)).await;
        }
    }
}

/// What the health endpoint at this place complains of; nothing if all is well, or if it cannot be asked.
async fn complaint_at(place: &str) -> Option<String> {
    let mut stream = tokio::net::TcpStream::connect(place).await.ok()?;
    let request = format!("GET /healthz HTTP/1.0\r\nhost: {place}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    stream.take(64 << 10).read_to_end(&mut answer).await.ok()?;
    let answer = String::from_utf8(answer).ok()?;
    let (_, body) = answer.split_once("\r\n\r\n")?;
    let health: serde_json::Value = serde_json::from_str(body).ok()?;
    health["error"].as_str().map(str::to_owned)
}

pub(crate) fn work_subject(contest: &str, need: Need) -> String {
    format!("croupier.work.{contest}.{need}")
}

pub(crate) fn results_subject(contest: &str) -> String {
    format!("croupier.results.{contest}")
}

pub(crate) fn orders_subject(instance: &str) -> String {
    format!("croupier.orders.{instance}")
}

/// The consumer of what needs this, for all contests.
pub(crate) fn work_consumer(need: Need) -> (String, String) {
    (need.to_string(), format!("croupier.work.*.{need}"))
}

fn not_connected(server: &str, error: &async_nats::ConnectError) -> ClusterError {
    let said = std::error::Error::source(error).map_or_else(
        || error.to_string(),
        |source| format!("{}: {source}", error.kind()),
    );
    match error.kind() {
        ConnectErrorKind::ServerParse | ConnectErrorKind::Dns => ClusterError::Wrong(format!(
            "cannot find the NATS server {server}: {said}; check the address"
        )),
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            ClusterError::Wrong(format!(
                "the NATS server at {server} does not let us in: {said}; give credentials with --creds or \
                 in the URL"
            ))
        }
        // A certificate that is not believed is told as a failure to read.
        kind if kind == ConnectErrorKind::Tls || said.contains("certificate") => {
            ClusterError::Wrong(format!(
                "cannot speak TLS with the NATS server at {server}: {said}; see --tls-ca"
            ))
        }
        _ => ClusterError::Failed(format!(
            "cannot reach the NATS server at {server}: {said}; is it running there?"
        )),
    }
}

/// An address without the password that may be in it.
fn without_secret(url: &str) -> String {
    let Some((secret, place)) = url.rsplit_once('@') else {
        return url.to_owned();
    };
    let scheme = secret.find("://").map_or("", |end| &secret[..end + 3]);
    format!("{scheme}…@{place}")
}

fn version(text: &str) -> [u64; 3] {
    let plain = text.split(['-', '+']).next().unwrap_or_default();
    let mut numbers = plain.trim_start_matches('v').split('.').map(str::parse);
    [(); 3].map(|()| numbers.next().and_then(Result::ok).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(version("2.10.22") < OLDEST);
        assert!(version("2.9.25") < OLDEST);
        assert!(version("2.10.23") >= OLDEST);
        assert!(version("v2.15.1-RC.1") >= OLDEST);
        assert!(version("nonsense") < OLDEST);
    }

    #[test]
    fn a_password_is_not_shown() {
        let shown = without_secret("nats://lead:secret@host:4222");
        assert_eq!(shown, "nats://…@host:4222");
        assert_eq!(without_secret("lead:secret@"), "…@");
        assert_eq!(without_secret("http://host"), "http://host");
    }
}
