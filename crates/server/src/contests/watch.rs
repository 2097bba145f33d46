//! One contest, looked at from time to time and never by two at once.
//!
//! Whoever asks is shown what was seen a moment ago. Counting and rating a large contest takes a while,
//! so the more it takes the less often it is done.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use croupier_arena::{
    ClusterStatus, Contest, Progress, Rating, Report, Spectator, Store, StoreError, ratings_after,
};

use super::snapshot::{Snapshot, State};
use super::{Umpire, umpire, unreadable};
use crate::refusal::Refusal;

/// How long a look is good for.
const GOOD_FOR: Duration = Duration::from_millis(900);

/// So much longer than a look takes is waited until the next one.
const WORTH_A_LOOK: u32 = 10;

/// From so long a time it is told how fast a contest goes.
const SPEED_OF: Duration = Duration::from_secs(90);

/// The ratings are shown as they were at so many moments.
const MOMENTS: usize = 24;

/// How long is thought about the ratings of earlier moments for one page; the next page goes on.
const COURSE_TIME: Duration = Duration::from_secs(2);

/// A contest that is looked at.
pub(crate) struct Watch {
    folder: PathBuf,
    umpires: Arc<Vec<Umpire>>,
    looking: Mutex<Looking>,
    latest: Mutex<Option<Latest>>,
    asked: Mutex<Instant>,
}

/// What the one who looks remembers.
struct Looking {
    spectator: Spectator,
    /// How many games were finished at which time, of late.
    pace: Vec<(Instant, u64)>,
    version: u64,
    course: Arc<Course>,
}

#[derive(Clone)]
struct Latest {
    seen: Seen,
    good_until: Instant,
}

/// What was seen of a contest.
#[derive(Clone)]
pub(crate) struct Seen {
    /// Its folder.
    pub(crate) folder: PathBuf,
    /// What pages show.
    pub(crate) snapshot: Arc<Snapshot>,
    /// The contest itself.
    pub(crate) contest: Arc<Contest>,
    /// The first so many blocks stay as they are.
    counted: usize,
    course: Arc<Course>,
}

/// The ratings at earlier moments, each after so many blocks. They are found once.
#[derive(Default)]
struct Course(Mutex<BTreeMap<usize, Arc<Vec<Rating>>>>);

impl Watch {
    pub(super) fn new(folder: PathBuf, umpires: Arc<Vec<Umpire>>) -> Watch {
        let looking = Looking {
            spectator: Spectator::new(folder.clone()),
            pace: Vec::new(),
            version: 0,
            course: Arc::default(),
        };
        Watch {
            folder,
            umpires,
            looking: Mutex::new(looking),
            latest: Mutex::default(),
            asked: Mutex::new(Instant::now()),
        }
    }

    /// When somebody asked for it.
    pub(super) fn last_asked(&self) -> Instant {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How the contest stands.
    pub(super) async fn look(self: Arc<Watch>) -> Result<Seen, Refusal> {
        *self.asked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        if let Some(latest) = self.latest().filter(Latest::is_good) {
            return Ok(latest.seen);
        }
        let looked = tokio::task::spawn_blocking(move || self.look_now()).await;
        let looked = looked.map_err(|error| Refusal::machine("count a contest", &error))?;
        looked.map_err(|error| unreadable(&error))
    }

    fn latest(&self) -> Option<Latest> {
        let latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        latest.clone()
    }

    fn look_now(&self) -> Result<Seen, StoreError> {
        let mut looking = match self.looking.try_lock() {
            Ok(looking) => looking,
            Err(TryLockError::Poisoned(poisoned)) => {
                // What was counted half is counted from the beginning.
                let mut looking = poisoned.into_inner();
                looking.spectator = Spectator::new(self.folder.clone());
                self.looking.clear_poison();
                looking
            }
            // Somebody looks already: what was seen before will do, if there is anything.
            Err(TryLockError::WouldBlock) => match self.latest() {
                Some(latest) => return Ok(latest.seen),
                None => self.looking.lock().unwrap_or_else(PoisonError::into_inner),
            },
        };
        if let Some(latest) = self.latest().filter(Latest::is_good) {
            return Ok(latest.seen);
        }
        let begin = Instant::now();
        let seen = looking.look(&self.folder, &self.umpires, self.latest())?;
        let rest = begin.elapsed() * WORTH_A_LOOK;
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(Latest {
            seen: seen.clone(),
            good_until: Instant::now() + rest.max(GOOD_FOR),
        });
        Ok(seen)
    }
}

impl Latest {
    fn is_good(&self) -> bool {
        Instant::now() < self.good_until
    }
}

impl Looking {
    fn look(
        &mut self,
        folder: &Path,
        umpires: &[Umpire],
        before: Option<Latest>,
    ) -> Result<Seen, StoreError> {
        let lowest_wins = |game: &str| umpire::find(umpires, game).map(|umpire| umpire.lowest_wins);
        let look = self.spectator.look(lowest_wins)?;
        let progress = look.contest.progress();
        let state = match progress {
            Progress { games, of } if games >= of => State::Over,
            _ if Store::is_in_use(folder) => State::Played,
            _ => State::Stopped,
        };
        let cluster = ClusterStatus::find(folder).filter(|_| state == State::Played);
        if let Some(before) = before
            && !look.is_new
            && before.seen.snapshot.state == state
            && before.seen.snapshot.cluster == cluster
        {
            return Ok(before.seen);
        }
        self.version += 1;
        if look.is_another {
            self.pace.clear();
            self.course = Arc::default();
        }
        let left = self.time_left(progress);
        // The cores are for those who play.
        let report = Report::new(&look.contest, &look.store, 1)?;
        let mut snapshot = Snapshot::of(&look.contest, &report);
        snapshot.version = self.version;
        snapshot.state = state;
        snapshot.cluster = cluster;
        snapshot.left = left.filter(|_| state == State::Played);
        Ok(Seen {
            folder: folder.to_owned(),
            snapshot: Arc::new(snapshot),
            contest: Arc::new(look.contest),
            counted: look.counted,
            course: Arc::clone(&self.course),
        })
    }

    /// How long it takes until all games are played, if it goes on as of late.
    fn time_left(&mut self, Progress { games, of }: Progress) -> Option<Duration> {
        let now = Instant::now();
        self.pace.push((now, games));
        self.pace.retain(|&(then, _)| now - then <= SPEED_OF);
        let &(then, before) = self.pace.first()?;
        // Blocks that were begun too early are played again, so there can be fewer.
        let speed = games.saturating_sub(before) as f64 / (now - then).as_secs_f64().max(1e-3);
        let seconds = (of.saturating_sub(games)) as f64 / speed;
        (games > before && seconds < 1e9).then(|| Duration::from_secs_f64(seconds))
    }
}

impl Seen {
    /// The rating of one of them as the contest went on: after how many games, and what it was then.
    /// It is found bit by bit; those who ask later are shown more of it.
    pub(crate) fn course(&self, number: usize) -> Vec<(u64, Rating)> {
        let blocks = self.contest.standings().blocks() as usize;
        let games = self.contest.standings().games();
        if blocks == 0 {
            return Vec::new();
        }
        let Progress { of, .. } = self.contest.progress();
        let of_a_block = (games / blocks as u64).max(1);
        let all = usize::try_from(of / of_a_block)
            .unwrap_or(usize::MAX)
            .max(blocks);
        let begin = Instant::now();
        let mut known = self.course.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut course = Vec::new();
        for moment in 1..=MOMENTS {
            let after = (all / MOMENTS * moment + all % MOMENTS * moment / MOMENTS).max(1);
            if after > self.counted.min(blocks) {
                break;
            }
            let ratings = match known.entry(after) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(_) if begin.elapsed() > COURSE_TIME => continue,
                Entry::Vacant(unknown) => {
                    unknown.insert(Arc::new(ratings_after(&self.contest, after, 1)))
                }
            };
            let rating = ratings.get(number).copied();
            course.extend(rating.map(|rating| (after as u64 * of_a_block, rating)));
        }
        let now = self.snapshot.row_of(number).map(|row| row.rating);
        if course.last().is_none_or(|&(after, _)| after < games) {
            course.extend(now.map(|now| (games, now)));
        }
        course.dedup_by_key(|(after, _)| *after);
        course
    }
}
