//! What the lobby shows of the shelf: contests and records, and what cannot be shown.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use askama::Template;
use croupier_arena::{Format, Settings, Store, StoreError};
use croupier_core::grouped;

use super::text::{name as short, plain, segment};
use crate::Room;
use crate::refusal::Refusal;
use crate::shelf::Found;

/// So many contests, and so many records, are listed at once.
const LISTED: usize = 30;

/// So much longer than it takes to look through the contests is waited until that is done again,
const WORTH_A_LOOK: u32 = 20;

/// but not longer than this.
const LONGEST_REST: Duration = Duration::from_secs(60);

#[derive(Template)]
#[template(path = "shelf.html")]
struct Shown {
    contests: Vec<Listed>,
    records: Vec<Record>,
    more_records: Option<String>,
    troubles: Vec<String>,
    more_troubles: usize,
}

/// A contest in a list.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    /// The name in its address.
    pub(crate) name: String,
    pub(crate) href: String,
    /// The name of the game.
    pub(crate) game: String,
    /// The game as one would write it.
    pub(crate) title: String,
    pub(crate) format: Format,
    pub(crate) players: usize,
    pub(crate) rounds: u64,
    /// `live`, or nothing.
    pub(crate) is_played: bool,
}

impl Listed {
    /// What is told of it in a line.
    pub(crate) fn about(&self) -> String {
        let format = match self.format {
            Format::RoundRobin => "round robin",
            Format::Swiss => "Swiss",
            Format::Gauntlet => "gauntlet",
        };
        let rounds = if self.rounds == 1 { "round" } else { "rounds" };
        let players = grouped(self.players as u64);
        format!(
            "{format}, {players} players, {} {rounds}",
            grouped(self.rounds)
        )
    }
}

struct Record {
    name: String,
    href: String,
    title: String,
    players: String,
}

/// All contests on a shelf.
#[derive(Default)]
pub(crate) struct Listing {
    pub(crate) contests: Vec<Listed>,
    /// What is wrong with those that cannot be read, each in a line.
    pub(crate) troubles: Vec<String>,
}

/// What was found when the contests were last looked through.
#[derive(Default)]
pub(super) struct Looked(Mutex<Option<Latest>>);

struct Latest {
    shelf: Arc<Found>,
    listing: Arc<Listing>,
    good_until: Instant,
}

impl Looked {
    /// The contests on this shelf. They are looked through once for each time that the folders are, and
    /// less often if that takes long: one of them may keep us waiting.
    fn list(&self, shelf: Arc<Found>, list: impl FnOnce(&Found) -> Listing) -> Arc<Listing> {
        // Whoever comes while somebody looks waits for what is found.
        let mut latest = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let begin = Instant::now();
        let is_good =
            |latest: &Latest| Arc::ptr_eq(&latest.shelf, &shelf) || begin < latest.good_until;
        if let Some(latest) = latest.as_ref().filter(|latest| is_good(latest)) {
            return Arc::clone(&latest.listing);
        }
        let listing = Arc::new(list(&shelf));
        let rest = (begin.elapsed() * WORTH_A_LOOK).min(LONGEST_REST);
        *latest = Some(Latest {
            shelf,
            listing: Arc::clone(&listing),
            good_until: Instant::now() + rest,
        });
        listing
    }
}

/// All contests on the shelf, and what is wrong with those that cannot be read.
pub(crate) async fn contests(room: &Arc<Room>) -> Result<Arc<Listing>, Refusal> {
    let found = room.shelf.found().await;
    let room = Arc::clone(room);
    let listed = tokio::task::spawn_blocking(move || {
        let list = |found: &Found| list(&room, found);
        room.contests.looked.list(found, list)
    });
    listed
        .await
        .map_err(|error| Refusal::machine("look through the contests", &error))
}

fn list(room: &Room, found: &Found) -> Listing {
    let mut listing = Listing::default();
    for (name, folder) in &found.contests {
        match facts(folder) {
            Ok(None) => {}
            Ok(Some((settings, _))) if room.contests.umpire(&settings.game).is_none() => {
                let game = short(&settings.game);
                let folder = folder.display();
                listing.troubles.push(format!(
                    "{folder}: a contest of the game '{game}', which is not known here"
                ));
            }
            Ok(Some((settings, players))) => listing.contests.push(Listed {
                href: format!("/contest/{}", segment(name)),
                title: super::page::game_title(room, &settings.game),
                game: settings.game,
                format: settings.format,
                players,
                rounds: settings.rounds,
                is_played: Store::is_in_use(folder),
                name: name.clone(),
            }),
            Err(error) => listing.troubles.push(error.to_string()),
        }
    }
    listing
}

/// The settings of a contest and how many play in it; nothing if nobody has entered yet.
fn facts(folder: &std::path::Path) -> Result<Option<(Settings, usize)>, StoreError> {
    let Some(store) = Store::find_to_watch(folder)? else {
        return Ok(None);
    };
    let [players, _] = store.enrolled()?;
    Ok(Some((store.settings()?, players.len())))
}

/// The part of the lobby that shows the shelf; nothing if there is nothing on it.
pub(crate) async fn shelf(
    room: &Arc<Room>,
    fields: &[(String, String)],
) -> Result<String, Refusal> {
    let listing = contests(room).await?;
    let found = room.shelf.found().await;
    let skip = fields.iter().find(|(name, _)| name == "records");
    let skip = skip
        .and_then(|(_, skip)| skip.parse::<usize>().ok())
        .unwrap_or(0);
    let title = |game: &str| {
        let entry = room.games.find(game);
        entry.map_or_else(|| short(game), |entry| entry.profile.title.to_owned())
    };
    let records = found.records.iter().skip(skip).take(LISTED);
    let records = records.map(|(name, record)| Record {
        name: name.clone(),
        href: format!("/replay/record/{}", segment(name)),
        title: title(&record.facts.game),
        players: plain(&record.facts.players.join(", ")),
    });
    let records: Vec<Record> = records.collect();
    let more = found
        .records
        .len()
        .saturating_sub(skip.saturating_add(records.len()));
    let wrong = listing.troubles.iter().chain(&found.troubles);
    let shown = Shown {
        contests: listing.contests.clone(),
        more_records: (more > 0).then(|| format!("/?records={}#records", skip + records.len())),
        records,
        troubles: wrong.map(|line| short_line(line)).collect(),
        more_troubles: found.more_troubles,
    };
    shown
        .render()
        .map_err(|error| Refusal::machine("render a page", &error))
}

fn short_line(line: &str) -> String {
    super::text::first_line(line, 400)
}
