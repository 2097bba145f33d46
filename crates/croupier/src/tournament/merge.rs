//! `croupier tournament --merge`: the folders of shards united.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use croupier_arena::{
    Contest, Cover, Enrolled, Entrant, Report, Settings, Shard, Store, StoreError,
};
use croupier_bots::Hosted;
use croupier_console::{Failure, print};
use croupier_core::{Drawn, shell_path};
use serde_json::Value;

use super::{settings_differ, shown, store_failure, write_files};
use crate::offer::Offers;
use crate::simulate::threads;
use crate::style::{DIM, grouped};

/// Unites what was played in several folders of one contest.
pub(super) fn merge(games: &Offers, matches: &ArgMatches) -> Result<(), Failure> {
    let folders = matches.get_many::<PathBuf>("merge").unwrap_or_default();
    let folders: Vec<&PathBuf> = folders.collect();
    let mut shards = Vec::new();
    for folder in folders {
        let store = Store::find_to_read(folder).map_err(store_failure)?;
        let store = store.ok_or_else(|| {
            Failure::Usage(format!("there is no contest in {}", folder.display()))
        })?;
        shards.push(Part::of(folder, store)?);
    }
    let Some((first, others)) = shards.split_first() else {
        return Err(Failure::Usage(
            "--merge needs the folders of shards".to_owned(),
        ));
    };
    others
        .iter()
        .try_for_each(|other| first.must_be_of(other))?;
    games
        .decided(&first.settings.game)?
        .commands
        .merge(&shards, matches)
}

/// A folder with a part of a contest.
pub(crate) struct Part {
    folder: PathBuf,
    store: Store,
    /// The settings of the whole contest.
    settings: Settings,
    /// The players and the staff.
    enrolled: [Vec<Enrolled>; 2],
    /// Which part it is, if it is one.
    shard: Option<Shard>,
}

impl Part {
    fn of(folder: &Path, store: Store) -> Result<Part, Failure> {
        let mut settings = store.settings().map_err(store_failure)?;
        Ok(Part {
            folder: folder.to_owned(),
            enrolled: store.enrolled().map_err(store_failure)?,
            shard: settings.shard.take(),
            settings,
            store,
        })
    }

    /// Both must be parts of the same contest between the same players.
    fn must_be_of(&self, other: &Part) -> Result<(), Failure> {
        let [here, there] = [self, other].map(|part| part.folder.display());
        let wrong = |what: String| {
            Err(Failure::Usage(format!(
                "{there} belongs to another contest than {here}: {what}"
            )))
        };
        if let Some([key, before, now]) = settings_differ(&self.settings, &other.settings) {
            return wrong(format!("{key} is {now}, not {before}"));
        }
        for (ours, theirs) in self.enrolled.iter().zip(&other.enrolled) {
            let only_in = |one: &[Enrolled], other: &[Enrolled]| {
                let is_same =
                    |a: &Enrolled, b: &Enrolled| (&a.identity, &a.name) == (&b.identity, &b.name);
                let only = one
                    .iter()
                    .find(|one| !other.iter().any(|other| is_same(one, other)));
                only.map(|only| only.name.clone())
            };
            if let Some(name) = only_in(theirs, ours) {
                return wrong(format!("this {name} does not take part in {here}"));
            }
            if let Some(name) = only_in(ours, theirs) {
                return wrong(format!("the {name} of {here} does not take part in it"));
            }
        }
        Ok(())
    }

    /// What this part holds, which can be read as a contest and not only as a table of rows.
    fn contest(&self, lowest_wins: bool) -> Result<Contest, StoreError> {
        self.store.times()?;
        self.store.faults()?;
        self.store.all_faults()?;
        Contest::kept_in(&self.store, lowest_wins)
    }
}

/// Unites these parts, which belong together, in the folder that is asked for or for the moment.
pub(crate) fn unite<G: Hosted + Drawn>(
    parts: &[Part],
    matches: &ArgMatches,
) -> Result<(), Failure> {
    // What cannot be read is refused by the name of its folder.
    let read = parts.iter().map(|part| part.contest(G::LOWEST_WINS));
    let read: Result<Vec<Contest>, StoreError> = read.collect();
    let read = read.map_err(store_failure)?;
    let first = read.first().expect("there is at least one");
    let out = matches.get_one::<PathBuf>("out");
    let mut store = match out {
        None => Store::passing(),
        Some(folder) => match Store::find(folder).map_err(store_failure)? {
            Some(_) => {
                return Err(Failure::Usage(format!(
                    "there is a contest in {} already; choose another folder",
                    folder.display()
                )));
            }
            None => Store::create(folder),
        },
    }
    .map_err(store_failure)?;
    let refused = |store: Store, error| {
        store.discard();
        Err(store_failure(error))
    };
    let united = united(&mut store, first.entrants(), parts);
    let contest = match united.and_then(|()| Contest::kept_in(&store, G::LOWEST_WINS)) {
        Ok(contest) => contest,
        Err(error) => return refused(store, error),
    };
    let report = match Report::new(&contest, &store, threads(matches)) {
        Ok(report) => report,
        Err(error) => return refused(store, error),
    };
    if let Some(out) = out {
        write_files(out, &Cover::of::<G>(croupier_server::DRAWN), &report)?;
    }
    let (progress, absent) = (contest.progress(), absent(parts));
    let left = progress.of - progress.games;
    if matches.get_flag("json") {
        let mut json = report.json();
        json["missing"] = Value::from(left);
        json["missing_shards"] = absent.iter().map(Shard::to_string).collect();
        return print(&format!("{json}\n"));
    }
    print(&shown::table::<G>(&contest, &report))?;
    if let Some(out) = out {
        print(&format!(
            "\n  {DIM}{}{DIM:#}\n",
            out.join("report.html").display()
        ))?;
    }
    if left == 0 {
        return Ok(());
    }
    let mut missing = format!("\n  {} games are missing", grouped(left));
    if !absent.is_empty() {
        let absent: Vec<String> = absent.iter().map(Shard::to_string).collect();
        missing += &format!("; no folder was given of the shards {}", absent.join(", "));
    }
    if let Some(out) = out {
        missing += &format!(
            "; croupier tournament --resume {} plays them",
            shell_path(out)
        );
    }
    print(&(missing + "\n"))
}

/// Writes all parts into a new store.
fn united(store: &mut Store, entrants: &[Entrant], parts: &[Part]) -> Result<(), StoreError> {
    let first = parts.first().expect("there is at least one");
    let [players, _] = &first.enrolled;
    let is_player = |one: &Entrant| {
        let mut players = players.iter();
        players.any(|player| player.identity == one.identity)
    };
    let (players, staff): (Vec<_>, Vec<_>) = entrants.iter().cloned().partition(is_player);
    store.enter(&first.settings, &players, &staff, &first.store.withdrawn()?)?;
    parts.iter().try_for_each(|part| store.unite(&part.store))
}

/// The shards of which no folder was given.
fn absent(parts: &[Part]) -> Vec<Shard> {
    let given: Vec<Shard> = parts.iter().filter_map(|part| part.shard).collect();
    let all = given.first().into_iter().flat_map(|shard| shard.all());
    all.filter(|shard| !given.contains(shard)).collect()
}
