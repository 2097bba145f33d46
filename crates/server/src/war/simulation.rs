//! How long War takes: many games, counted while people watch.
//!
//! Games are played in portions on the threads on which is thought, so that tables come in between. A
//! simulation goes on as long as somebody asks for it; what was counted is kept, and it goes on from
//! there. To ask is a GET, for the same reasons as for a review.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use askama::Template;
use croupier_arena::{mean_interval, quantile_interval, share_interval};
use croupier_core::{Markup, Offered as _, Seed, element, grouped};
use croupier_games::war::{Histogram, Setup, Survey, War};

use crate::refusal::Refusal;
use crate::replay::WarDeal;
use crate::tables::think::Pool;

/// How long a simulation goes on for somebody who does not ask again.
const PATIENCE: Duration = Duration::from_secs(5);

/// The first portion is small, so that there is something to see at once; then each is twice as large.
const FIRST: u64 = 2_000;
const LARGEST: u64 = 200_000;

/// So many simulations are remembered, and so many go on at one time.
const REMEMBERED: usize = 16;
const MOST_AT_ONCE: usize = 4;

/// The histogram has about so many bars.
const BARS: usize = 60;

/// A simulation that somebody wants to see.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Wanted {
    setup: Setup,
    seed: Seed,
    games: u64,
}

impl Wanted {
    pub(super) fn new(deal: &WarDeal, games: u64) -> Result<Wanted, Refusal> {
        let setup = War::setup(&deal.options());
        let setup = setup.map_err(|_| Refusal::missing("War has no such options."))?;
        let seed = deal.seed;
        Ok(Wanted { setup, seed, games })
    }
}

/// All simulations, the one that was asked for last is the last.
pub(crate) struct Simulations {
    pool: Arc<Pool>,
    /// Who has not asked for so long does not watch any more.
    patience: Duration,
    kept: Mutex<VecDeque<Arc<Run>>>,
}

struct Run {
    wanted: Wanted,
    state: Mutex<State>,
}

struct State {
    survey: Survey,
    runs: bool,
    asked: Instant,
}

/// What was counted so far.
pub(super) struct Found {
    survey: Survey,
    wanted: Wanted,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Simulations {
    pub(crate) fn new(pool: Arc<Pool>) -> Simulations {
        Simulations {
            pool,
            patience: PATIENCE,
            kept: Mutex::default(),
        }
    }

    /// What was counted so far; it is begun, or goes on, if it is not done.
    pub(super) fn ask(&self, wanted: Wanted) -> Result<Found, Refusal> {
        let busy = || Refusal::busy("Others simulate War. Ask again in a moment.");
        let mut kept = lock(&self.kept);
        let running = kept.iter().filter(|run| lock(&run.state).runs).count();
        let is_busy = running >= MOST_AT_ONCE;
        let known = kept.iter().position(|run| run.wanted == wanted);
        let run = match known.and_then(|place| kept.remove(place)) {
            Some(known) => known,
            None if is_busy => return Err(busy()),
            None => Arc::new(Run {
                wanted: wanted.clone(),
                state: Mutex::new(State {
                    survey: Survey::default(),
                    runs: false,
                    asked: Instant::now(),
                }),
            }),
        };
        kept.push_back(Arc::clone(&run));
        if kept.len() > REMEMBERED {
            // Those that go on are counted here, and stay.
            let idle = kept.iter().position(|run| !lock(&run.state).runs);
            idle.map(|idle| kept.remove(idle));
        }
        let mut state = lock(&run.state);
        state.asked = Instant::now();
        if !state.runs && state.survey.games < wanted.games {
            if is_busy {
                return Err(busy());
            }
            state.runs = true;
            tokio::spawn(Arc::clone(&run).go_on(Arc::clone(&self.pool), self.patience));
        }
        let survey = state.survey.clone();
        drop(state);
        Ok(Found { survey, wanted })
    }
}

impl Run {
    async fn go_on(self: Arc<Run>, pool: Arc<Pool>, patience: Duration) {
        let Wanted { setup, seed, games } = self.wanted.clone();
        let mut portion = FIRST;
        loop {
            let played = {
                let state = lock(&self.state);
                let is_forsaken = state.asked.elapsed() > patience;
                if is_forsaken || state.survey.games >= games {
                    break;
                }
                state.survey.games
            };
            let deals = played..(played + portion).min(games);
            let survey = pool.think(move |_| Survey::play(&setup, seed, deals)).await;
            let Some(survey) = survey else { break };
            lock(&self.state).survey.merge(&survey);
            portion = (2 * portion).min(LARGEST);
        }
        lock(&self.state).runs = false;
    }
}

#[derive(Template)]
#[template(path = "war/survey.html")]
struct Shown {
    played: String,
    all: String,
    games: u64,
    of: u64,
    is_done: bool,
    histogram: String,
    beyond: Option<String>,
    rows: Vec<[String; 3]>,
    command: String,
}

impl Found {
    /// Whether all games have been played.
    pub(super) fn is_done(&self) -> bool {
        self.survey.games >= self.wanted.games
    }

    /// What was counted, as HTML.
    pub(super) fn html(&self) -> Result<String, Refusal> {
        let survey = &self.survey;
        let histogram = Histogram::new(survey.turns.counts(), BARS);
        let setup = serde_json::to_value(self.wanted.setup).unwrap_or_default();
        let option = |name: &str| setup[name].as_str().unwrap_or_default().to_owned();
        let shown = Shown {
            played: grouped(survey.games),
            all: grouped(self.wanted.games),
            games: survey.games,
            of: self.wanted.games,
            is_done: self.is_done(),
            beyond: (histogram.beyond > 0).then(|| grouped(histogram.beyond)),
            histogram: drawn(&histogram, survey).into(),
            rows: rows(survey),
            command: format!(
                "croupier simulate war --games {} --seed {} --short-war {} --winnings {}",
                self.wanted.games,
                self.wanted.seed,
                option("short_war"),
                option("winnings"),
            ),
        };
        let html = shown.render();
        html.map_err(|error| Refusal::machine("render a simulation", &error))
    }
}

/// What was found: its name, the value, and the 95 % interval.
fn rows(survey: &Survey) -> Vec<[String; 3]> {
    let finished = survey.finished();
    let Some((mean, sd)) = survey.turns.mean_and_sd().filter(|_| finished > 1) else {
        return Vec::new();
    };
    let between =
        |[low, high]: [f64; 2], digits: usize| format!("{low:.digits$} – {high:.digits$}");
    let quantile = |name: &str, share: f64| {
        let at = |share| grouped(survey.turns.quantile(share).unwrap_or(0));
        let [low, high] = quantile_interval(share, finished);
        let interval = format!("{} – {}", at(low), at(high));
        [name.to_owned(), at(share), interval]
    };
    let share = |name: &str, hits: u64, of: u64| {
        let found = 100.0 * hits as f64 / of as f64;
        let [low, high] = share_interval(hits, of);
        let interval = between([100.0 * low, 100.0 * high], 4) + " %";
        [name.to_owned(), format!("{found:.4} %"), interval]
    };
    let end = |name: &str, share: f64| {
        let at = grouped(survey.turns.quantile(share).unwrap_or(0));
        [name.to_owned(), at, String::new()]
    };
    vec![
        [
            "Turns a game, mean".to_owned(),
            format!("{mean:.2}"),
            between(mean_interval(mean, sd, finished), 2),
        ],
        [
            "Standard deviation".to_owned(),
            format!("{sd:.2}"),
            String::new(),
        ],
        quantile("Half of the games are at most", 0.5),
        quantile("95 % are at most", 0.95),
        quantile("99 % are at most", 0.99),
        end("Shortest", 0.0),
        end("Longest", 1.0),
        share("The first player wins", survey.wins[0], finished),
        share("Draws", survey.draws, finished),
        share("Endless games", survey.endless, survey.games),
    ]
}

/// How many games took how long, with the mean as a line.
fn drawn(histogram: &Histogram, survey: &Survey) -> Markup {
    let count = histogram.bars.len();
    let most = histogram.highest() as f64;
    let across = 100.0 / count.max(1) as f64;
    // Room for the numbers below.
    let down = 90.0;
    let bar = |(place, (from, to, games)): (usize, (usize, usize, u64))| {
        let tall = down * games as f64 / most;
        let about = format!("{from} to {to} turns: {} games", grouped(games));
        element("rect")
            .attr(
                "x",
                format_args!("{:.3}%", place as f64 * across + 0.08 * across),
            )
            .attr("y", format_args!("{:.3}%", down - tall))
            .attr("width", format_args!("{:.3}%", 0.84 * across))
            .attr("height", format_args!("{tall:.3}%"))
            .with(element("title").text(about))
    };
    let every = count.div_ceil(6).max(1);
    let marks = (0..count).step_by(every).map(|place| {
        element("text")
            .attr("x", format_args!("{:.2}%", place as f64 * across))
            .attr("y", "98%")
            .text(grouped((place * histogram.width) as u64))
    });
    let mean = survey.turns.mean_and_sd().map(|(mean, _)| {
        let x = format!("{:.2}%", mean / histogram.width as f64 * across);
        element("line")
            .class("mean")
            .attr("x1", &x)
            .attr("x2", &x)
            .attr("y1", "0")
            .attr("y2", format_args!("{down}%"))
    });
    let base = element("line")
        .class("base")
        .attr("x1", "0")
        .attr("x2", "100%")
        .attr("y1", format_args!("{down}%"))
        .attr("y2", format_args!("{down}%"));
    let picture = element("svg")
        .class("histogram")
        .attr("role", "img")
        .attr("aria-label", "How many games took how many turns")
        .all(histogram.spans().enumerate().map(bar))
        .with(base)
        .with(mean)
        .all(marks);
    picture.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_game_is_lost_between_the_bars() {
        let survey = Survey::play(&Setup::default(), Seed(1), 0..3000);
        let histogram = Histogram::new(survey.turns.counts(), BARS);
        let picture = drawn(&histogram, &survey);
        let shown: u64 = picture
            .as_str()
            .split(" turns: ")
            .skip(1)
            .filter_map(|rest| rest.split(' ').next()?.replace(',', "").parse::<u64>().ok())
            .sum();
        assert_eq!(shown + histogram.beyond, survey.turns.games());
        // Nothing counted yet is no trouble.
        drawn(&Histogram::new(&[], BARS), &Survey::default());
        assert!(rows(&Survey::default()).is_empty());
    }

    #[tokio::test]
    async fn a_simulation_stops_when_nobody_asks_and_goes_on_from_there() {
        let wanted = Wanted {
            setup: Setup::default(),
            seed: Seed(1),
            games: 100_000_000,
        };
        let simulations = Simulations {
            patience: Duration::ZERO,
            ..Simulations::new(Arc::new(Pool::new(1, Vec::new())))
        };
        let mut played = 0;
        for _ in 0..3 {
            assert!(simulations.ask(wanted.clone()).is_ok());
            while lock(&lock(&simulations.kept)[0].state).runs {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let now = lock(&lock(&simulations.kept)[0].state).survey.games;
            assert!((played..wanted.games).contains(&now), "{now}");
            played = now;
        }
    }
}
