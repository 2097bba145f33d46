//! Where a recorded game comes from, and who may see what of it.

use std::collections::VecDeque;
use std::fmt;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::{FromRequestParts, Path};
use axum::http::StatusCode;
use axum::http::request::Parts;
use croupier_arena::Store;
use croupier_core::{
    AnyGame, Audience, Entry, Event, LONGEST_NAME, Options, Reading, Registry, ReplayError, Seat,
    Seed, encoding_trouble, quoted,
};

use super::dropped::LONGEST_DROPPED;
use crate::Room;
use crate::files::open_to_read;
use crate::person::Person;
use crate::refusal::Refusal;

/// Longer games are not shown: only an endless one has more moves.
const MOST_STEPS: usize = 10_000;

/// More players do not fit on a page.
const MOST_SEATS: usize = 26;

/// So many games that were read from files are remembered.
const REMEMBERED: usize = 32;

/// The address of a recorded game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Key {
    /// The game of a table.
    Table(String),
    /// A record on the shelf.
    Record(String),
    /// A game of a contest on the shelf.
    Contest(String, String),
    /// A record that somebody has dropped.
    Dropped(String),
    /// A game of War that is dealt for whoever looks at it.
    War(WarDeal),
}

/// A deal of War with its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct WarDeal {
    pub(crate) seed: Seed,
    /// The values of `short-war` and `winnings`.
    pub(crate) options: [String; 2],
}

/// The options of a deal of War, in the order of its name.
pub(crate) const WAR_OPTIONS: [&str; 2] = ["short-war", "winnings"];

impl WarDeal {
    fn read(name: &str) -> Option<WarDeal> {
        let mut parts = name.split('~');
        let seed = parts.next()?.parse().ok()?;
        let options = [parts.next()?.to_owned(), parts.next()?.to_owned()];
        parts.next().is_none().then_some(WarDeal { seed, options })
    }

    /// The options by name.
    pub(crate) fn options(&self) -> Options {
        let names = WAR_OPTIONS.iter().map(|name| (*name).to_owned());
        names.zip(self.options.iter().cloned()).collect()
    }
}

impl Key {
    fn read(kind: &str, name: &str, game: Option<&str>) -> Option<Key> {
        let name = name.to_owned();
        match (kind, game) {
            ("table", None) => Some(Key::Table(name)),
            ("record", None) => Some(Key::Record(name)),
            ("contest", Some(game)) => Some(Key::Contest(name, game.to_owned())),
            ("dropped", None) => Some(Key::Dropped(name)),
            ("war", None) => WarDeal::read(&name).map(Key::War),
            _ => None,
        }
    }
}

/// The address of the game's page. Names on the shelf are made of letters, digits, `-`, `_`, `.` and
/// `~`; whatever else somebody asks for is not there.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Table(id) => write!(f, "/replay/table/{id}"),
            Key::Record(name) => write!(f, "/replay/record/{name}"),
            Key::Contest(name, game) => write!(f, "/replay/contest/{name}/{game}"),
            Key::Dropped(id) => write!(f, "/replay/dropped/{id}"),
            Key::War(deal) => {
                let [short, winnings] = &deal.options;
                write!(f, "/replay/war/{}~{short}~{winnings}", deal.seed)
            }
        }
    }
}

impl FromRequestParts<Arc<Room>> for Key {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, room: &Arc<Room>) -> Result<Key, Refusal> {
        let missing = || Refusal::missing("There is no such game to look back at.");
        let path = Path::<Vec<(String, String)>>::from_request_parts(parts, room);
        let Path(path) = path.await.map_err(|_| missing())?;
        let part = |wanted: &str| {
            let found = path.iter().find(|(name, _)| name == wanted);
            found.map(|(_, value)| value.as_str())
        };
        let (kind, name) = part("kind").zip(part("name")).ok_or_else(missing)?;
        Key::read(kind, name, part("game")).ok_or_else(missing)
    }
}

/// A game that was read from a record, with the names of its players.
#[derive(Clone)]
pub(crate) struct Played {
    pub(crate) entry: Entry,
    pub(crate) game: Arc<dyn AnyGame>,
    pub(crate) names: Vec<String>,
}

/// A recorded game as somebody may look at it.
#[derive(Clone)]
pub(crate) struct Recorded {
    pub(crate) key: Key,
    pub(crate) played: Played,
    /// Where it comes from, in a few words.
    pub(crate) origin: String,
    /// The seat of who looks, if it has one.
    pub(crate) own: Option<Seat>,
}

/// Games that were read from records, the last of them last, by the hashes of their texts.
#[derive(Default)]
pub(super) struct Opened(Mutex<VecDeque<(blake3::Hash, Played)>>);

impl Opened {
    /// The game in the text of a record, read at most once.
    fn read(&self, games: &Registry, text: &str) -> Result<Played, Refusal> {
        let hash = blake3::hash(text.as_bytes());
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().iter().find(|(own, _)| *own == hash).cloned();
        if let Some((_, known)) = known {
            return Ok(known);
        }
        let played = Played::read(games, text)?;
        let mut kept = lock();
        kept.push_back((hash, played.clone()));
        if kept.len() > REMEMBERED {
            kept.pop_front();
        }
        Ok(played)
    }
}

fn unreadable(reason: impl fmt::Display) -> Refusal {
    let reason = quoted(&reason.to_string(), 300);
    Refusal::new(
        StatusCode::UNPROCESSABLE_ENTITY,
        format!("This is no record that can be shown: {reason}."),
    )
}

impl Played {
    /// Reads a record, of which nothing is trusted: the game is played again by the rules.
    pub(super) fn read(games: &Registry, text: &str) -> Result<Played, Refusal> {
        if let Some(trouble) = encoding_trouble(text.as_bytes()) {
            return Err(unreadable(trouble));
        }
        let mut reading = Reading::default();
        let mut lines = text.lines();
        lines
            .try_for_each(|line| reading.line(line))
            .map_err(unreadable)?;
        if reading.events().len() > MOST_STEPS {
            return Err(unreadable(format_args!(
                "it has more than {MOST_STEPS} moves"
            )));
        }
        let record = reading.clone().finish().map_err(unreadable)?;
        let game = games.resume(&reading).map_err(unreadable)?;
        let outcome = game.outcome();
        let agrees =
            outcome.scores == record.outcome.scores && outcome.places == record.outcome.places;
        if game.to_move().is_some() || !agrees {
            return Err(unreadable(ReplayError::OtherOutcome));
        }
        let (seats, names) = (game.seats(), record.header.players);
        if names.len() != seats {
            let named = names.len();
            return Err(unreadable(format_args!(
                "it names {named} players for {seats} seats"
            )));
        }
        if !crate::pages::fits_on_a_page(&*game.after(0)) {
            return Err(unreadable("so large a table does not fit on a page"));
        }
        if seats > MOST_SEATS {
            return Err(unreadable(format_args!(
                "{seats} players do not fit on a page"
            )));
        }
        let unknown = || unreadable(ReplayError::UnknownGame(record.header.game.clone()));
        Ok(Played {
            entry: *games.find(&record.header.game).ok_or_else(unknown)?,
            game: Arc::from(game),
            names: names
                .iter()
                .map(|name| quoted(name, LONGEST_NAME))
                .collect(),
        })
    }

    /// Deals a game in which nobody decides anything and plays it to its end.
    fn dealt(room: &Room, deal: &WarDeal) -> Result<Played, Refusal> {
        let entry = crate::pages::game(room, "war")?;
        let missing = |_| Refusal::missing("War has no such options.");
        let setup = entry.setup(&deal.options()).map_err(missing)?;
        let mut game = entry.deal(&setup, deal.seed).map_err(missing)?;
        while game.steps() < MOST_STEPS
            && let Some(only) = game.legal().first()
        {
            game.play(only)
                .map_err(|error| Refusal::machine("play a game of War", &error))?;
        }
        Ok(Played {
            entry,
            game: Arc::from(game),
            names: vec!["South".to_owned(), "North".to_owned()],
        })
    }
}

/// The text of a file that is not longer than any record.
fn text_of(file: PathBuf) -> Result<String, Refusal> {
    let failed = |error: std::io::Error| {
        Refusal::machine(&format!("read the record {}", file.display()), &error)
    };
    let most = LONGEST_DROPPED as u64;
    let mut bytes = Vec::new();
    let opened = open_to_read(&file).map_err(failed)?;
    opened
        .take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > most {
        let most = most >> 20;
        return Err(unreadable(format_args!("it is longer than {most} MiB")));
    }
    String::from_utf8(bytes).map_err(|_| unreadable("it is not text"))
}

/// The record of a game in a contest.
fn of_contest(folder: &std::path::Path, game: &str) -> Result<String, Refusal> {
    // To check the whole file for every game would take as long as the contest is large.
    let store = Store::find_to_watch(folder);
    let record = store.and_then(|store| store.map_or(Ok(None), |store| store.record(game)));
    let record = record.map_err(|error| crate::contests::unreadable(&error))?;
    record.ok_or_else(|| Refusal::missing("The contest keeps no record of such a game."))
}

impl Recorded {
    /// The game at this address, for this person.
    pub(crate) async fn find(
        room: &Arc<Room>,
        key: Key,
        person: Option<&Person>,
    ) -> Result<Recorded, Refusal> {
        if let Key::Table(id) = &key {
            return Recorded::of_table(room, id, person);
        }
        let place = match &key {
            Key::Record(name) => Some(room.shelf.record(name).await?.file),
            Key::Contest(name, _) => Some(room.shelf.contest(name).await?),
            _ => None,
        };
        let room = Arc::clone(room);
        let read = tokio::task::spawn_blocking(move || {
            let opened = &room.replays.opened;
            let (played, origin) = match (&key, place) {
                (Key::Dropped(id), _) => (room.replays.dropped.find(id)?, "A record".to_owned()),
                (Key::War(deal), _) => (Played::dealt(&room, deal)?, format!("Deal {}", deal.seed)),
                (Key::Record(name), Some(file)) => {
                    (opened.read(&room.games, &text_of(file)?)?, name.clone())
                }
                (Key::Contest(name, game), Some(folder)) => {
                    let text = of_contest(&folder, game)?;
                    let origin = format!("{name}, game {}", quoted(game, LONGEST_NAME));
                    (opened.read(&room.games, &text)?, origin)
                }
                _ => return Err(Refusal::missing("There is no such game.")),
            };
            Ok(Recorded {
                key,
                played,
                origin,
                own: None,
            })
        });
        read.await
            .unwrap_or_else(|_| Err(unreadable("it cannot be played again")))
    }

    fn of_table(room: &Room, id: &str, person: Option<&Person>) -> Result<Recorded, Refusal> {
        let table = room.tables.find(id)?;
        let standing = table.standing();
        let own = match standing.audience(person) {
            Audience::Seat(seat) => Some(seat),
            _ => None,
        };
        Ok(Recorded {
            key: Key::Table(id.to_owned()),
            played: Played {
                entry: table.entry,
                game: Arc::clone(&standing.game),
                names: standing.names(Audience::Onlooker),
            },
            origin: "A game at a table".to_owned(),
            own,
        })
    }

    /// Whether the game is over, so that everybody may see all cards.
    pub(crate) fn is_over(&self) -> bool {
        self.played.game.to_move().is_none() || matches!(self.key, Key::War(_))
    }

    /// Who is spoken to as "you", seen so: whoever looks through the own seat.
    pub(crate) fn reader(&self, audience: Audience) -> Option<Seat> {
        self.own.filter(|own| audience == Audience::Seat(*own))
    }

    /// The names of the seats, as they are told to this reader.
    pub(crate) fn names(&self, reader: Option<Seat>) -> Vec<String> {
        let mut names = self.played.names.clone();
        if let Some(name) = reader.and_then(|own| names.get_mut(own.index())) {
            *name = "You".to_owned();
        }
        names
    }

    /// The moves that this seat has made, each with the number of steps before it.
    pub(crate) fn moves_of(&self, seat: Seat) -> Vec<(usize, String)> {
        let events = self.played.game.events(Audience::Referee);
        let moves = events.into_iter().enumerate();
        let own = moves.filter_map(|(step, event)| match event {
            Event::Played {
                seat: mover,
                choice: Some(choice),
            } if mover == seat => Some((step, choice)),
            _ => None,
        });
        own.collect()
    }

    /// A hash of everything that was played, for what is remembered of it.
    pub(crate) fn fingerprint(&self) -> blake3::Hash {
        let game = &self.played.game;
        let mut hasher = blake3::Hasher::new();
        hasher.update(game.header(Vec::new()).to_line().as_bytes());
        for event in game.events(Audience::Referee) {
            hasher.update(event.to_line().as_bytes());
        }
        hasher.finalize()
    }

    /// The text of the record.
    pub(crate) fn text(&self) -> String {
        let game = &self.played.game;
        let header = game.header(self.played.names.clone());
        let events = game.events(Audience::Referee);
        let lines = events.iter().map(Event::to_line);
        header.to_line() + &lines.collect::<String>()
    }

    /// Where the text of the record can be had, if it can.
    pub(crate) fn record_address(&self) -> Option<String> {
        match &self.key {
            Key::War(_) => None,
            key => Some(key.to_string().replacen("/replay/", "/api/records/", 1) + "/text"),
        }
    }
}
