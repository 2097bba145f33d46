//! What a contest has on the server: programs, the queue, the stream of results; and what is heard there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::jetstream::Message;
use croupier_arena::{BlockResult, Contest, KEPT_FAULTS, Settings, Who};
use croupier_bots::{Entries, Pack};
use futures_util::StreamExt as _;
use tokio::sync::mpsc;

use super::{Ended, Holding};
use crate::link::{
    ClusterError, LARGE, Link, PROGRAMS, PULSE, RESULTS, STATUS, WORK, results_subject,
    work_consumer, work_subject,
};
use crate::objects::{LARGEST_RESULT, name_of};
use crate::wire::{Need, Player, Plays, Pulse, Report, Terms, packed, unpacked};

/// How long is waited before something that failed is tried again.
pub(super) const TRIES_AGAIN: Duration = Duration::from_secs(1);

/// How many results are asked for at once.
const PULLERS: usize = 4;

/// How long an answer of another coordinator may take.
const OTHERS: Duration = Duration::from_secs(2);

/// What a contest has on the server.
pub(super) struct Desk<'a> {
    pub(super) link: &'a Link,
    pub(super) contest: String,
    pub(super) game: String,
    pub(super) need: Need,
    pub(super) terms: Vec<u8>,
    /// The packs of all programs, by name, with their sources.
    packs: BTreeMap<String, PathBuf>,
    entries: Entries,
}

impl<'a> Desk<'a> {
    pub(super) fn new(
        link: &'a Link,
        contest: &Contest,
        holding: &Holding<'_>,
    ) -> Result<Desk<'a>, Ended> {
        let settings = contest.settings();
        let sources = contest.entrants().iter().filter_map(|one| match &one.who {
            Who::Program(program, _) => Some(program.source.as_path()),
            _ => None,
        });
        let entries = Entries::of(sources);
        let mut packs = BTreeMap::new();
        let mut players = Vec::new();
        for entrant in contest.entrants() {
            let plays = match &entrant.who {
                Who::BuiltIn(spec) => Plays::BuiltIn(spec.clone()),
                Who::Program(program, speech) => {
                    let pack = packed_program(&program.source, &entries)?;
                    let name = name_of(&pack);
                    packs.insert(name.clone(), program.source.clone());
                    Plays::Program {
                        pack: name,
                        hash: program.hash.clone(),
                        speech: *speech,
                    }
                }
                Who::Guest(_) => {
                    return Err(Ended::Cluster(ClusterError::Wrong(format!(
                        "{} is a player of this process alone, whom no worker can seat",
                        entrant.name
                    ))));
                }
                Who::Unusable { .. } | Who::Elsewhere => Plays::Nobody,
            };
            players.push(Player {
                name: entrant.name.clone(),
                identity: entrant.identity.clone(),
                plays,
            });
        }
        let need = match packs.is_empty() {
            true => Need::BuiltIn,
            false => Need::Tier(settings.sandbox),
        };
        let terms = Terms {
            game: settings.game.clone(),
            version: settings.version,
            setup: settings.setup.clone(),
            sandbox: settings.sandbox,
            limits: settings.limits.clone(),
            fresh_processes: holding.fresh_processes,
            records: contest.keeps_records(),
            faults: match holding.keeps_all_faults {
                true => u64::MAX,
                false => KEPT_FAULTS,
            },
            players,
        };
        // A contest that is resumed is the same one, also with more rounds; with other players it is not.
        let same = Settings {
            rounds: 0,
            ..settings.clone()
        };
        let identities = contest.entrants().iter().map(|one| one.identity.as_str());
        let same = (same, identities.collect::<Vec<_>>());
        let same = serde_json::to_vec(&same).expect("settings are plain JSON");
        Ok(Desk {
            link,
            contest: blake3::hash(&same).to_hex()[..16].to_owned(),
            game: settings.game.clone(),
            need,
            terms: packed(&terms),
            packs,
            entries,
        })
    }

    /// Nobody else may hold this contest at the same time: each would miss what the other takes.
    pub(super) async fn must_be_alone(&self) -> Result<(), Ended> {
        let subject = format!("{STATUS}.{}", self.contest);
        let asked = self.link.client.request(subject, "".into());
        if let Ok(Ok(_)) = tokio::time::timeout(OTHERS, asked).await {
            return Err(Ended::Cluster(ClusterError::Wrong(format!(
                "another coordinator holds this contest at {} already",
                self.link.server
            ))));
        }
        Ok(())
    }

    /// Makes everything that is needed, and takes out of the queue what is left of before.
    pub(super) async fn set_up(&self, anew: bool) -> Result<(), ClusterError> {
        self.link.set_up().await?;
        let (consumer, subject) = work_consumer(self.need);
        self.link.consumer(WORK, &consumer, &subject, anew).await?;
        let subject = results_subject(&self.contest);
        self.link
            .consumer(RESULTS, &self.contest, &subject, anew)
            .await?;
        self.clear().await?;
        self.put_all().await
    }

    /// Stores all objects of this contest that are missing, if there is no other way in the place of those of
    /// other contests. Whoever still holds one of these stores what a worker misses anew.
    async fn put_all(&self) -> Result<(), ClusterError> {
        match self.put_missing().await {
            Err(error) if error.is_for_want_of_room() => {}
            put => return put,
        }
        self.link.empty(PROGRAMS).await?;
        match self.put_missing().await {
            Err(error) if error.is_for_want_of_room() => Err(ClusterError::Wrong(format!(
                "the programs of this contest are too large for the bucket {PROGRAMS} at {}; sources or smaller \
                 executables would fit: {error}",
                self.link.server
            ))),
            put => put,
        }
    }

    async fn put_missing(&self) -> Result<(), ClusterError> {
        self.link.put(PROGRAMS, &self.terms, false).await?;
        for (name, source) in &self.packs {
            self.put_program(name, source, false).await?;
        }
        Ok(())
    }

    /// Takes all batches out of the queue.
    pub(super) async fn clear(&self) -> Result<(), ClusterError> {
        let work = self.link.stream(WORK).await?;
        let own = work_subject(&self.contest, self.need);
        let purged = work.purge().filter(own).await;
        purged
            .map(drop)
            .map_err(|error| self.link.failed("clear the queue", &error))
    }

    async fn put_program(&self, name: &str, source: &Path, anew: bool) -> Result<(), ClusterError> {
        let pack = packed_program(source, &self.entries)?;
        if name_of(&pack) != name {
            return Err(ClusterError::Wrong(format!(
                "{} has changed since the contest began",
                source.display()
            )));
        }
        self.link.put(PROGRAMS, &pack, anew).await.map(drop)
    }

    /// Whether this contest needs the object with this name.
    pub(super) fn has(&self, object: &str) -> bool {
        object == name_of(&self.terms) || self.packs.contains_key(object)
    }

    /// Stores an object of this contest anew.
    pub(super) async fn put_again(&self, object: &str) -> Result<(), ClusterError> {
        let put = match self.packs.get(object) {
            Some(source) => self.put_program(object, source, true).await,
            None => self.link.put(PROGRAMS, &self.terms, true).await.map(drop),
        };
        match put {
            Err(error) if error.is_for_want_of_room() => self.put_all().await,
            put => put,
        }
    }

    /// Leaves nothing behind that somebody would play.
    pub(super) async fn close(&self) {
        let closing = async {
            let _ = self.clear().await;
            if let Ok(results) = self.link.stream(RESULTS).await {
                let _ = results.delete_consumer(&self.contest).await;
            }
            let _ = self.link.client.flush().await;
        };
        // What stays is gone in a few days.
        let _ = tokio::time::timeout(OTHERS, closing).await;
    }
}

fn packed_program(source: &Path, entries: &Entries) -> Result<Vec<u8>, ClusterError> {
    let pack = Pack::of(source, entries);
    let pack = pack.map_err(|error| ClusterError::Wrong(error.to_string()))?;
    Ok(pack.to_bytes())
}

/// What happens to a coordinator.
pub(super) enum Happens {
    Came(Box<Message>, Result<Came, String>),
    Beat(Pulse),
    Asked(async_nats::Subject),
    /// Something that a person should know.
    Heard(String),
}

/// A report that has come.
pub(super) struct Came {
    pub(super) report: Report,
    /// Why a large result that belongs to it could not be had, if there is one.
    pub(super) lost: Option<String>,
}

impl Desk<'_> {
    /// Listens for results, pulses and questions.
    pub(super) fn listen(&self, tell: mpsc::Sender<Happens>) -> Vec<tokio::task::JoinHandle<()>> {
        let mut tasks = Vec::new();
        for _ in 0..PULLERS {
            let (link, contest, tell) = (self.link.clone(), self.contest.clone(), tell.clone());
            tasks.push(tokio::spawn(async move {
                pull_results(&link, &contest, &tell).await;
            }));
        }
        let (link, pulses) = (self.link.clone(), tell.clone());
        tasks.push(tokio::spawn(async move {
            // Subscriptions come back with the connection.
            let Ok(mut subscription) = link.client.subscribe(PULSE).await else {
                return;
            };
            while let Some(message) = subscription.next().await {
                let event = match unpacked(&message.payload) {
                    Ok(pulse) => Happens::Beat(pulse),
                    Err(error) => Happens::Heard(format!("a worker is not understood: {error}")),
                };
                if pulses.send(event).await.is_err() {
                    return;
                }
            }
        }));
        for subject in [STATUS.to_owned(), format!("{STATUS}.{}", self.contest)] {
            let (link, tell) = (self.link.clone(), tell.clone());
            tasks.push(tokio::spawn(async move {
                let Ok(mut subscription) = link.client.subscribe(subject).await else {
                    return;
                };
                while let Some(message) = subscription.next().await {
                    if let Some(reply) = message.reply
                        && tell.send(Happens::Asked(reply)).await.is_err()
                    {
                        return;
                    }
                }
            }));
        }
        tasks
    }
}

/// Takes results from their stream, one after the other.
async fn pull_results(link: &Link, contest: &str, tell: &mpsc::Sender<Happens>) {
    let consumers = [contest.to_owned()];
    loop {
        match link.next(RESULTS, &consumers, Duration::from_secs(5)).await {
            Ok(Some(message)) => {
                let report = read_report(link, &message).await;
                if tell
                    .send(Happens::Came(Box::new(message), report))
                    .await
                    .is_err()
                {
                    return;
                }
            }
            Ok(None) => {}
            // The stream may have to be made anew, which others do.
            Err(_) => tokio::time::sleep(TRIES_AGAIN).await,
        }
    }
}

async fn read_report(link: &Link, message: &Message) -> Result<Came, String> {
    let mut report: Report = unpacked(&message.payload).map_err(|error| error.to_string())?;
    let lost = match report.large.take() {
        None => None,
        Some(name) => match large_result(link, &name).await {
            Ok(block) => {
                report.blocks.push(block);
                None
            }
            Err(reason) => Some(reason),
        },
    };
    Ok(Came { report, lost })
}

async fn large_result(link: &Link, name: &str) -> Result<(String, BlockResult), String> {
    let bytes = link.get(LARGE, name, LARGEST_RESULT).await;
    let bytes = bytes.map_err(|error| error.to_string())?;
    link.remove(LARGE, name).await;
    unpacked(&bytes).map_err(|error| error.to_string())
}
