//! What the lobby shows of the shelf: contests and records, and what cannot be shown.

use askama::Template;
use croupier_arena::{Format, Settings, Store, StoreError};
use croupier_core::grouped;

use super::text::{name as short, plain, segment};
use crate::Room;
use crate::refusal::Refusal;

/// So many contests, and so many records, are listed at once.
const LISTED: usize = 30;

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

/// All contests on the shelf, and what is wrong with those that cannot be read.
pub(crate) async fn contests(room: &Room) -> Result<(Vec<Listed>, Vec<String>), Refusal> {
    let found = room.shelf.found().await;
    let folders = found.contests.clone();
    let games = room.games.clone();
    let knows: Vec<&'static str> = room.contests.games().collect();
    let listed = tokio::task::spawn_blocking(move || {
        let (mut listed, mut wrong) = (Vec::new(), Vec::new());
        for (name, folder) in folders {
            match facts(&folder) {
                Ok(None) => {}
                Ok(Some((settings, _))) if !knows.contains(&settings.game.as_str()) => {
                    let game = short(&settings.game);
                    let folder = folder.display();
                    wrong.push(format!(
                        "{folder}: a contest of the game '{game}', which is not known here"
                    ));
                }
                Ok(Some((settings, players))) => listed.push(Listed {
                    href: format!("/contest/{}", segment(&name)),
                    title: games
                        .find(&settings.game)
                        .map_or(settings.game.clone(), |entry| {
                            entry.profile.title.to_owned()
                        }),
                    game: settings.game,
                    format: settings.format,
                    players,
                    rounds: settings.rounds,
                    is_played: Store::is_in_use(&folder),
                    name,
                }),
                Err(error) => wrong.push(error.to_string()),
            }
        }
        (listed, wrong)
    });
    listed
        .await
        .map_err(|error| Refusal::machine("look through the contests", &error))
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
pub(crate) async fn shelf(room: &Room, fields: &[(String, String)]) -> Result<String, Refusal> {
    let (contests, mut wrong) = contests(room).await?;
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
    wrong.extend(found.troubles.iter().cloned());
    let shown = Shown {
        contests,
        more_records: (more > 0).then(|| format!("/?records={}#records", skip + records.len())),
        records,
        troubles: wrong.iter().map(|line| short_line(line)).collect(),
        more_troubles: found.more_troubles,
    };
    shown
        .render()
        .map_err(|error| Refusal::machine("render a page", &error))
}

fn short_line(line: &str) -> String {
    super::text::first_line(line, 400)
}
