//! A contest that is looked at from outside: while another process plays it, or when nobody does any
//! more.
//!
//! What is counted, and in which order, is the same as for the one who plays it. Only what has been
//! added since the last look is read.

use std::path::PathBuf;

use crate::plan::Field;
use crate::{
    BadContest, Contest, Enrolled, Entrant, Format, RankBy, Ranking, Settings, Store, StoreError,
    Who,
};

/// The most seats of a table.
const MOST_SEATS: usize = 1000;

/// The most who take part: statistics know them by numbers of 16 bits.
const MOST_ENTRANTS: usize = 1 << 14;

/// So many blocks in a row that are missing are the end, while a contest is played.
const FEW_MISSING: u64 = 2000;

/// Somebody who looks at the contest in a folder from time to time.
#[derive(Debug)]
pub struct Spectator {
    folder: PathBuf,
    seen: Option<Seen>,
}

/// What was seen at the last look.
#[derive(Debug)]
struct Seen {
    settings: Settings,
    enrolled: [Vec<Enrolled>; 2],
    contest: Contest,
}

/// A contest as it stands.
#[derive(Debug)]
pub struct Look {
    /// The contest, in which everything is counted that is finished.
    pub contest: Contest,
    /// Its store at the same moment.
    pub store: Store,
    /// The first so many blocks of it were counted in the order of the plan, and stay as they are.
    pub counted: usize,
    /// Whether it is counted anew: it has other settings or players than at the last look.
    pub is_another: bool,
    /// Whether there is anything that was not there at the last look.
    pub is_new: bool,
}

impl Spectator {
    /// Looks at the contest in this folder.
    pub fn new(folder: PathBuf) -> Spectator {
        Spectator { folder, seen: None }
    }

    /// How it stands now. `lowest_wins` tells whether less of a game's own score is better, if the
    /// game is known. Nobody who writes to the store waits for this.
    pub fn look(
        &mut self,
        lowest_wins: impl FnOnce(&str) -> Option<bool>,
    ) -> Result<Look, StoreError> {
        let store = Store::find_to_watch(&self.folder)?;
        let store = store.ok_or_else(|| StoreError::Missing(self.folder.clone()))?;
        let settings = store.settings()?;
        let enrolled = store.enrolled()?;
        let before = self.seen.take();
        // More rounds, other players, a changed program: that is counted from the beginning.
        let before = before.filter(|seen| seen.settings == settings && seen.enrolled == enrolled);
        let is_same = before.is_some();
        let mut contest = match before {
            Some(seen) => seen.contest,
            None => {
                let lowest_wins =
                    lowest_wins(&settings.game).ok_or_else(|| store.unknown(&settings.game))?;
                kept_by(&store, &settings, &enrolled, lowest_wins)?
            }
        };
        let counted = |contest: &Contest| (contest.progress().games, contest.standings().games());
        let before = counted(&contest);
        // Blocks are begun in the order of the plan, so while somebody plays there is little beyond
        // the first that are missing; to look for all the others would take longer than to play.
        let patience = match Store::is_in_use(&self.folder) {
            true => FEW_MISSING,
            false => u64::MAX,
        };
        contest.catch_up(&store, patience)?;
        let is_new = !is_same || counted(&contest) != before;
        let in_order = contest.standings().blocks() as usize;
        let mut whole = contest.clone();
        whole.cut_short();
        self.seen = Some(Seen {
            settings,
            enrolled,
            contest,
        });
        Ok(Look {
            contest: whole,
            store,
            counted: in_order,
            is_another: !is_same,
            is_new,
        })
    }
}

impl Contest {
    /// The contest that a store keeps, as it stands. Nobody in it can play.
    pub fn kept_in(store: &Store, lowest_wins: bool) -> Result<Contest, StoreError> {
        let mut contest = kept_by(store, &store.settings()?, &store.enrolled()?, lowest_wins)?;
        contest.count_all(store)?;
        Ok(contest)
    }
}

/// The contest that a store keeps, of which nothing has been counted. Nobody in it can play.
fn kept_by(
    store: &Store,
    settings: &Settings,
    enrolled: &[Vec<Enrolled>; 2],
    lowest_wins: bool,
) -> Result<Contest, StoreError> {
    let [players, staff] = enrolled;
    let seats = settings.seats;
    let needs_staff = settings.format == Format::Gauntlet;
    if !(2..=MOST_SEATS).contains(&seats) || needs_staff && staff.len() + 1 < seats {
        return Err(store.damaged("its tables cannot be filled"));
    }
    if players.len() + staff.len() > MOST_ENTRANTS {
        return Err(store.damaged("too many take part"));
    }
    let mut unusable = store.unusable()?;
    let mut entrant = |one: &Enrolled| {
        let fault = unusable
            .iter()
            .position(|(player, _)| *player == one.identity);
        Entrant {
            name: one.name.clone(),
            spec: one.spec.clone(),
            who: match fault.map(|place| unusable.swap_remove(place)) {
                Some((hash, fault)) => Who::Unusable {
                    hash,
                    fault: Box::new(fault),
                },
                None => Who::Elsewhere,
            },
            identity: one.identity.clone(),
            added: one.added,
        }
    };
    let players = players.iter().map(&mut entrant).collect();
    let staff = staff.iter().map(&mut entrant).collect();
    let ranking = Ranking {
        by: settings.rank_by,
        lowest_wins: settings.rank_by == RankBy::Score && lowest_wins,
    };
    // What players are shown of their scores matters to who plays, not to who counts.
    let field = Field::of(settings.clone(), players, staff, ranking, false);
    let (field, tables) = field.map_err(|error: BadContest| store.damaged(&error.to_string()))?;
    Ok(Contest::on(field, tables))
}
