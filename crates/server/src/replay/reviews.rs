//! Reviews, found in the background on the threads on which is thought.
//!
//! A review goes on as long as somebody asks for it, and stops when nobody does any more; what was found
//! by then is kept, and it goes on from there when it is asked for again. The last ones are remembered.
//!
//! To ask is a GET, although it makes the machine work: it changes nothing that anybody could notice, a
//! review has an address that can be passed on and reloaded without scripts, and who asks gets at most
//! some seconds on a bounded number of threads, the same ones again for the same game.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use croupier_core::{AnyGame, Decision, NoAdvice, Review, Seat, Thought, Verdict};

use super::source::Recorded;
use crate::pages::{in_words, unadvised};
use crate::refusal::Refusal;
use crate::tables::think::Pool;

/// How long the expert thinks about each move. Iterations and not time: the same on every machine.
pub(super) const THINKING: &str = "iterations=2000";

/// How long a review goes on for somebody who does not ask again.
const PATIENCE: Duration = Duration::from_secs(10);

/// So many are remembered,
const REMEMBERED: usize = 32;

/// and so many go on at one time.
const MOST_AT_ONCE: usize = 16;

/// What moves are called in the turn in which they were weighed, by their text.
pub(super) type Words = BTreeMap<String, String>;

/// All reviews.
pub(super) struct Reviews {
    pool: Arc<Pool>,
    /// Who has not asked for so long does not ask any more.
    patience: Duration,
    /// The one that was asked for last is the last.
    kept: Mutex<VecDeque<Arc<Job>>>,
}

/// The review of one player in one game.
struct Job {
    key: (blake3::Hash, Seat),
    state: Mutex<State>,
}

struct State {
    review: Review,
    words: BTreeMap<usize, Words>,
    /// How many of the moves have been looked at.
    looked: usize,
    all: usize,
    /// Whether a task is at it.
    runs: bool,
    trouble: Option<String>,
    asked: Instant,
}

/// A review as far as it has come.
#[derive(Clone)]
pub(crate) struct Reviewed {
    pub(crate) review: Review,
    /// What the moves are called that were weighed, by the step of the decision.
    pub(super) words: BTreeMap<usize, Words>,
    /// How many of the moves have been looked at.
    pub(crate) looked: usize,
    pub(crate) all: usize,
    /// Why it does not go on, if it does not.
    pub(crate) trouble: Option<String>,
}

impl Reviewed {
    /// A move that was weighed in this decision, as it is said to whoever made it.
    pub(super) fn in_words(&self, step: usize, choice: &str) -> String {
        let words = self.words.get(&step).and_then(|words| words.get(choice));
        words.map_or_else(|| choice.to_owned(), Clone::clone)
    }

    /// Whether everything has been looked at.
    pub(crate) fn is_done(&self) -> bool {
        self.looked == self.all
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Reviews {
    pub(super) fn new(pool: Arc<Pool>) -> Reviews {
        Reviews {
            pool,
            patience: PATIENCE,
            kept: Mutex::default(),
        }
    }

    /// The review of this player as far as it has come; it is begun, or goes on, if it is not done.
    pub(super) fn ask(
        self: &Arc<Reviews>,
        recorded: &Recorded,
        seat: Seat,
    ) -> Result<Reviewed, Refusal> {
        let key = (recorded.fingerprint(), seat);
        let moves = recorded.moves_of(seat);
        let busy = || Refusal::busy("Many games are being reviewed. Ask again in a moment.");
        let mut kept = lock(&self.kept);
        let running = kept.iter().filter(|job| lock(&job.state).runs).count();
        let is_busy = running >= MOST_AT_ONCE;
        let known = kept.iter().position(|job| job.key == key);
        let job = match known.and_then(|place| kept.remove(place)) {
            Some(known) => known,
            None if is_busy => return Err(busy()),
            None => Arc::new(Job::new(key, moves.len())),
        };
        kept.push_back(Arc::clone(&job));
        if kept.len() > REMEMBERED {
            // Those that go on are counted here, and stay.
            let idle = kept.iter().position(|job| !lock(&job.state).runs);
            idle.map(|idle| kept.remove(idle));
        }
        let mut state = lock(&job.state);
        state.asked = Instant::now();
        let is_done = state.looked == state.all;
        if !state.runs && !is_done && state.trouble.is_none() {
            if is_busy {
                return Err(busy());
            }
            state.runs = true;
            let game = Arc::clone(&recorded.played.game);
            let moves = moves.into_iter().skip(state.looked).collect();
            let pool = Arc::clone(&self.pool);
            tokio::spawn(Arc::clone(&job).run(pool, self.patience, game, moves));
        }
        Ok(Reviewed {
            review: state.review.clone(),
            words: state.words.clone(),
            looked: state.looked,
            all: state.all,
            trouble: state.trouble.clone(),
        })
    }

    /// What the expert thinks of one move; nothing if there was no choice.
    pub(super) async fn one(
        &self,
        game: Box<dyn AnyGame>,
        choice: String,
    ) -> Result<Option<Verdict>, Refusal> {
        let _asked = self.pool.question()?;
        let verdict = verdict(&self.pool, move || game, choice).await;
        let verdict = verdict.map_err(unadvised)?;
        Ok(verdict.map(|(verdict, _)| verdict))
    }
}

async fn verdict(
    pool: &Pool,
    game: impl FnOnce() -> Box<dyn AnyGame> + Send + 'static,
    choice: String,
) -> Result<Option<(Verdict, Words)>, NoAdvice> {
    let thought = pool.think(move |cancel| {
        let game = game();
        let verdict = game.judge(THINKING, &choice, cancel)?;
        Ok(verdict.map(|verdict| {
            let words = words(&*game, &verdict);
            (verdict, words)
        }))
    });
    thought.await.unwrap_or(Err(NoAdvice::Cancelled))
}

/// What the moves of a verdict are called. Only the game as it stood then can tell.
fn words(game: &dyn AnyGame, verdict: &Verdict) -> Words {
    let compared = [&verdict.best, &verdict.made];
    let weighed = compared.into_iter().chain(&verdict.ranking);
    let told = |thought: &Thought<String>| {
        let words = in_words(game, &thought.choice);
        (thought.choice.clone(), words)
    };
    weighed.map(told).collect()
}

impl Job {
    fn new(key: (blake3::Hash, Seat), all: usize) -> Job {
        Job {
            key,
            state: Mutex::new(State {
                review: Review::default(),
                words: BTreeMap::new(),
                looked: 0,
                all,
                runs: false,
                trouble: None,
                asked: Instant::now(),
            }),
        }
    }

    /// Looks at one move after the other, as long as somebody asks.
    async fn run(
        self: Arc<Job>,
        pool: Arc<Pool>,
        patience: Duration,
        game: Arc<dyn AnyGame>,
        moves: Vec<(usize, String)>,
    ) {
        for (step, choice) in moves {
            let game = Arc::clone(&game);
            let thought = verdict(&pool, move || game.after(step), choice);
            let verdict = tokio::select! {
                verdict = thought => verdict,
                () = self.forsaken(patience) => break,
            };
            let mut state = lock(&self.state);
            match verdict {
                Ok(verdict) => {
                    state.looked += 1;
                    let seat = self.key.1;
                    if let Some((verdict, words)) = verdict {
                        state.words.insert(step, words);
                        state.review.decisions.push(Decision {
                            step,
                            seat,
                            verdict,
                        });
                    }
                }
                Err(NoAdvice::Cancelled) => break,
                Err(error) => {
                    state.trouble = Some(error.to_string());
                    break;
                }
            }
        }
        lock(&self.state).runs = false;
    }

    /// Comes back when nobody has asked for so long.
    async fn forsaken(&self, patience: Duration) {
        loop {
            let idle = lock(&self.state).asked.elapsed();
            match patience.checked_sub(idle) {
                Some(left) => tokio::time::sleep(left + Duration::from_millis(10)).await,
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use croupier_core::{Options, Seed};

    use super::*;
    use crate::replay::source::{Key, Played};

    /// A game of Intensity in which everybody plays the first legal card.
    fn recorded() -> Recorded {
        let entry = *croupier_games::GAMES.find("intensity").expect("a game");
        let setup = entry.setup(&Options::new()).expect("a setup");
        let mut game = entry.deal(&setup, Seed(3)).expect("a deal");
        while let Some(first) = game.legal().first() {
            game.play(first).expect("a legal move");
        }
        Recorded {
            key: Key::Record("game".to_owned()),
            played: Played {
                entry,
                game: Arc::from(game),
                names: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
            },
            origin: String::new(),
            own: None,
        }
    }

    async fn rests(reviews: &Reviews) {
        while lock(&reviews.kept).iter().any(|job| lock(&job.state).runs) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test]
    async fn a_review_stops_when_nobody_asks_and_goes_on_from_there() {
        let recorded = recorded();
        let pool = Arc::new(Pool::new(1, Vec::new()));
        let left = Arc::new(Reviews {
            patience: Duration::ZERO,
            ..Reviews::new(Arc::clone(&pool))
        });
        assert!(left.ask(&recorded, Seat(0)).is_ok());
        rests(&left).await;
        let looked = lock(&lock(&left.kept)[0].state).looked;
        let again = Arc::new(Reviews {
            kept: Mutex::new(std::mem::take(&mut *lock(&left.kept))),
            ..Reviews::new(pool)
        });
        let Ok(begun) = again.ask(&recorded, Seat(0)) else {
            panic!("it is asked for again");
        };
        assert_eq!(begun.looked, looked, "what was found is kept");
        assert!(!begun.is_done(), "nobody asked for the rest");
        rests(&again).await;
        assert!(
            again
                .ask(&recorded, Seat(0))
                .is_ok_and(|found| found.is_done())
        );
    }
}
