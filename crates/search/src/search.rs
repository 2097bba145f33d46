//! The search for the best move: sequential halving over sampled deals.
//!
//! The moves are the arms of a bandit. Each deal is a determinization: the hidden cards are sampled so
//! that they agree with the view. All moves are tried in the same deals (common random numbers), so
//! that the luck of the cards is the same for all. After each round the worse half of the moves is
//! eliminated, so that most of the budget goes to those between which the choice is hard.
//!
//! The deals are sampled in batches, each with a seed and trees of its own (root parallelization).
//! With a budget of iterations, how many batches there are does not depend on the number of threads,
//! and they are added up in order: more threads find the same result, only sooner. With a budget of
//! time, which ends differently every time anyway, every thread has one batch.

use std::iter::Sum;
use std::sync::{Mutex, PoisonError};
use std::thread;

use croupier_core::{Cancel, Event, Rng, Seat, Seed, Thought};

use crate::clock::{Clock, Deadline, TooLate};
use crate::plan::Planner;
use crate::tree::Tree;
use crate::{Ahead, Answer, Budget, Searched, Thinking};

/// The fewest simulations in a batch: batches do not share what their trees learn. Plans get better
/// the more deals they are made for at once, so a batch of them has more.
const BATCH: u64 = 2048;
const BATCH_OF_PLANS: u64 = 16_384;

/// The fewest and the most deals for which a plan is made at once (the sample size of a plan).
const FEWEST_TOGETHER: u64 = 64;
const MOST_TOGETHER: u64 = 4096;

/// With a budget of time, the sample size of a plan grows by at most this factor from one to the
/// next, because the time that it takes is extrapolated from the last one.
const GROWTH: u64 = 4;

/// The share of the remaining time that a plan may be expected to take.
const PLANNED_TIME: f64 = 0.9;

/// The most batches.
const MOST_BATCHES: u64 = 16;

/// Where there is only one legal move, the budget is divided by this: nothing depends on its
/// estimate.
const NO_CHOICE: u32 = 16;

/// Evaluates the moves of the seat to move with this view, and gives those that were tried, the best
/// first.
///
/// # Panics
/// If the game is over, so that there is nothing to choose.
pub fn search<G: Searched>(
    view: &G::View,
    thinking: &Thinking,
    chance: Seed,
) -> Vec<Thought<G::Move>> {
    search_among::<G>(view, &[], None, thinking, chance, &Cancel::new())
}

/// The same after all this has been heard, and for these legal moves alone, instead of all candidates.
/// Once it is cancelled, it ends as soon as there is any answer.
pub(crate) fn search_among<G: Searched>(
    view: &G::View,
    heard: &[Event<G::Move>],
    choices: Option<Vec<G::Move>>,
    thinking: &Thinking,
    chance: Seed,
    cancel: &Cancel,
) -> Vec<Thought<G::Move>> {
    if let Some(ending) = G::ending(view) {
        let (any, _) = &ending.games[0];
        let choices = choices.unwrap_or_else(|| candidates(any, &mut chance.rng()));
        return ending.solve(view, &choices);
    }
    let clock = Clock::start();
    let imagine = G::recall(view, heard, thinking.pace());
    let (any, _) = imagine.clone()(&mut chance.rng());
    let choices = choices.unwrap_or_else(|| candidates(&any, &mut chance.rng()));
    let ahead = G::ahead(view, thinking.pace());
    let count = batches(thinking, &ahead);
    let mut batches: Vec<Batch<G, _>> = (0..count)
        .map(|batch| Batch::new(imagine.clone(), chance, batch, choices.len()))
        .collect();
    let part = if choices.len() == 1 { NO_CHOICE } else { 1 };
    // Sequential halving: log₂ of the number of moves rounds, with equal shares of the budget.
    let rounds = choices.len().next_power_of_two().ilog2().max(1);
    // The best first; those that were eliminated follow, the last of them first.
    let mut order: Vec<usize> = (0..choices.len()).collect();
    let mut totals = Vec::new();
    let mut left = choices.len();
    for round in 1..=rounds {
        let until = match thinking.budget {
            Budget::Time(time) => Until::At(clock.after(time * round / rounds / part, cancel)),
            Budget::Iterations(all) => {
                let each = all.get() / count / u64::from(rounds * part);
                Until::After((each / left as u64).max(1))
            }
        };
        let task = Task {
            choices: &choices,
            tried: &order[..left],
            ahead: &ahead,
            until,
            cancel,
        };
        spread(&mut batches, thinking.threads.get(), |batch| {
            batch.run(&task);
        });
        let total = |choice: usize| batches.iter().map(|batch| batch.tallies[choice]).sum();
        totals = (0..choices.len()).map(total).collect::<Vec<Tally>>();
        order[..left].sort_by(|&a, &b| totals[b].mean().total_cmp(&totals[a].mean()));
        // Moves without a visit come last.
        let tried = order[..left].partition_point(|&choice| totals[choice].visits > 0);
        if tried == left {
            left = left.div_ceil(2);
        } else if round < rounds {
            // No move is eliminated before it has been tried: those without a visit go first now.
            order[..left].rotate_left(tried);
        }
    }
    let thought = |choice: usize| totals[choice].thought(&any, view, choices[choice]);
    // Where time is short, some moves have no visit.
    let is_tried = |choice: &usize| totals[*choice].visits > 0;
    order.into_iter().filter(is_tried).map(thought).collect()
}

/// The candidate moves, the one of the rollout policy first: it is played if there is no time to try
/// more.
fn candidates<G: Searched>(game: &G, rng: &mut Rng) -> Vec<G::Move> {
    let mut choices = Vec::new();
    game.candidates(&mut choices);
    let sensible = game.sensible(rng).expect("the seat to move has a move");
    match choices.iter().position(|&choice| choice == sensible) {
        Some(place) => choices.swap(0, place),
        None => choices.insert(0, sensible),
    }
    choices
}

/// How many batches there are.
fn batches<G: Searched>(thinking: &Thinking, ahead: &Ahead<G>) -> u64 {
    let least = match ahead {
        Ahead::Plan(_) => BATCH_OF_PLANS,
        Ahead::Tree(_) | Ahead::No => BATCH,
    };
    match thinking.budget {
        Budget::Iterations(all) => (all.get() / least).clamp(1, MOST_BATCHES),
        Budget::Time(_) => thinking.threads.get() as u64,
    }
}

/// What every batch does in a round of sequential halving.
struct Task<'a, G: Searched> {
    choices: &'a [G::Move],
    /// Which of the choices are left.
    tried: &'a [usize],
    ahead: &'a Ahead<G>,
    until: Until<'a>,
    cancel: &'a Cancel,
}

/// When a round is over.
#[derive(Clone, Copy)]
enum Until<'a> {
    /// After so many deals in every batch.
    After(u64),
    At(Deadline<'a>),
}

/// Deals that are sampled one after the other, and the statistics of the moves in them.
struct Batch<G: Searched, I> {
    imagine: I,
    rng: Rng,
    number: u64,
    trees: Vec<Tree<G::Move>>,
    tallies: Vec<Tally>,
    /// The measured cost of planning one move, in seconds for each deal; nothing before the first
    /// plan.
    pace: f64,
    /// For how many deals the next plan may be made: see [`GROWTH`].
    most_together: u64,
}

impl<G: Searched, I: FnMut(&mut Rng) -> (G, G::Others)> Batch<G, I> {
    fn new(imagine: I, chance: Seed, number: u64, choices: usize) -> Batch<G, I> {
        Batch {
            imagine,
            rng: chance.deal(number).rng(),
            number,
            trees: (0..choices).map(|_| Tree::new()).collect(),
            tallies: vec![Tally::default(); choices],
            pace: 0.0,
            most_together: FEWEST_TOGETHER,
        }
    }

    fn run(&mut self, task: &Task<'_, G>) {
        match task.ahead {
            Ahead::No => self.try_out(task, 0),
            Ahead::Tree(depth) => self.try_out(task, *depth),
            Ahead::Plan(answer) => self.plan(task, *answer),
        }
    }

    /// Simulates the moves in deal after deal: descends in the tree of the move, rolls the game out
    /// and backs the result up. At least one move is simulated once.
    fn try_out(&mut self, task: &Task<'_, G>, depth: usize) {
        // Where time is too short for all moves, not every batch begins with the same one.
        let first = match task.until {
            Until::After(_) => 0,
            Until::At(_) => self.number as usize % task.tried.len(),
        };
        let (later, sooner) = task.tried.split_at(first);
        let mut points = Vec::new();
        let mut deals = 0;
        loop {
            let (dealt, others) = (self.imagine)(&mut self.rng);
            let viewer = dealt.to_move().expect("it is the viewer's turn");
            points.resize(dealt.seats(), 0.0);
            for &choice in sooner.iter().chain(later) {
                let mut game = dealt.clone();
                let legal = game.play(task.choices[choice]);
                legal.expect("a legal move is legal whatever the others hold");
                let tree = &mut self.trees[choice];
                tree.descend(&mut game, viewer, depth, &mut self.rng);
                game.finish(&others, viewer, &mut self.rng, &mut points);
                tree.learn(&points);
                self.tallies[choice].add(End::of(&points, viewer));
                if let Until::At(deadline) = task.until
                    && deadline.in_time().is_err()
                {
                    return;
                }
            }
            deals += 1;
            let is_enough = matches!(task.until, Until::After(enough) if deals >= enough);
            if is_enough || task.cancel.is_cancelled() {
                return;
            }
        }
    }

    /// Plans the moves, each for many deals at once. With a budget of time, plans for a few deals
    /// show how long larger ones take.
    fn plan(&mut self, task: &Task<'_, G>, answer: Answer<G>) {
        match task.until {
            Until::After(mut deals) => {
                while deals > 0 {
                    let together = deals.min(MOST_TOGETHER);
                    if self.plan_together(together, task, answer).is_err() {
                        return self.try_out_untried(task);
                    }
                    deals -= together;
                }
            }
            Until::At(deadline) => loop {
                let before = deadline.left().as_secs_f64();
                let in_time = PLANNED_TIME * before / (self.pace * task.tried.len() as f64);
                let together = (in_time as u64).min(self.most_together);
                if together < FEWEST_TOGETHER || self.plan_together(together, task, answer).is_err()
                {
                    return self.try_out_untried(task);
                }
                let taken = before - deadline.left().as_secs_f64();
                self.pace = taken / (together as usize * task.tried.len()) as f64;
                self.most_together = (GROWTH * together).min(MOST_TOGETHER);
            },
        }
    }

    /// Where there was no time for any plan, plain rollouts are better than nothing.
    fn try_out_untried(&mut self, task: &Task<'_, G>) {
        let is_untried = |&choice: &usize| self.tallies[choice].visits == 0;
        if task.tried.iter().any(is_untried) {
            self.try_out(task, 0);
        }
    }

    /// Plans the moves for so many deals at once. A plan that is not ready in time is dropped.
    fn plan_together(
        &mut self,
        count: u64,
        task: &Task<'_, G>,
        answer: Answer<G>,
    ) -> Result<(), TooLate> {
        let deadline = match task.until {
            Until::After(_) => Deadline::never(task.cancel),
            Until::At(deadline) => deadline,
        };
        let deal = |_| {
            deadline.in_time()?;
            Ok((self.imagine)(&mut self.rng))
        };
        let deals: Vec<_> = (0..count).map(deal).collect::<Result<_, _>>()?;
        let mut planner = Planner {
            viewer: deals[0].0.to_move().expect("it is the viewer's turn"),
            answer,
            rng: &mut self.rng,
            deadline,
        };
        let plans = task
            .tried
            .iter()
            .map(|&choice| planner.plan(&deals, task.choices[choice]));
        let plans = plans.collect::<Result<Vec<_>, _>>()?;
        for (&choice, ends) in task.tried.iter().zip(plans) {
            for end in ends {
                self.tallies[choice].add(end);
            }
        }
        Ok(())
    }
}

/// Lets threads take batch after batch until all have been run.
fn spread<T: Send>(batches: &mut [T], threads: usize, run: impl Fn(&mut T) + Sync) {
    let threads = threads.min(batches.len());
    let queue = Mutex::new(batches.iter_mut());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(batch) = next() {
            run(batch);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            // A machine that gives no more threads does the work with those that it gave.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
}

/// The result of a simulated game for the viewer (the reward).
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct End {
    pub(crate) points: f64,
    pub(crate) is_first: bool,
    pub(crate) is_last: bool,
}

impl End {
    /// How it ended with these points for places. A place that is shared counts in full, but where
    /// all share one nobody is first or last.
    pub(crate) fn of(points: &[f64], viewer: Seat) -> End {
        let own = points[viewer.index()];
        let is_above = points.iter().any(|&other| other < own);
        let is_below = points.iter().any(|&other| other > own);
        End {
            points: own,
            is_first: is_above && !is_below,
            is_last: is_below && !is_above,
        }
    }
}

/// The statistics of a move so far.
#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    visits: u64,
    points: f64,
    squares: f64,
    /// How often it ended in the first place, and how often in the last.
    first: u64,
    last: u64,
}

impl Tally {
    fn add(&mut self, end: End) {
        self.visits += 1;
        self.points += end.points;
        self.squares += end.points * end.points;
        self.first += u64::from(end.is_first);
        self.last += u64::from(end.is_last);
    }

    /// The mean points; without a visit it is less than any other.
    fn mean(&self) -> f64 {
        if self.visits == 0 {
            return f64::NEG_INFINITY;
        }
        self.points / self.visits as f64
    }

    fn thought<G: Searched>(&self, game: &G, view: &G::View, choice: G::Move) -> Thought<G::Move> {
        let visits = self.visits.max(1) as f64;
        let estimate = self.points / visits;
        let variance = (self.squares / visits - estimate * estimate).max(0.0);
        let standard_error = (variance / (visits - 1.0).max(1.0)).sqrt();
        // Even if all results were the same, the next one may differ by all points there are.
        let unseen = (game.seats() - 1) as f64 / visits;
        let share = |part: u64| part as f64 / visits;
        Thought {
            choice,
            estimate,
            error: standard_error.hypot(unseen),
            visits: self.visits,
            reason: reason::<G>(view, choice, share(self.first), share(self.last)),
        }
    }
}

/// Why a move is good or bad, and with what probabilities it leads to the first and to the last place.
pub(crate) fn reason<G: Searched>(
    view: &G::View,
    choice: G::Move,
    first: f64,
    last: f64,
) -> String {
    format!(
        "{}; first in {:.0} % of the games imagined, last in {:.0} %",
        G::reason(view, choice),
        100.0 * first,
        100.0 * last
    )
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Tally>>(tallies: I) -> Tally {
        tallies.fold(Tally::default(), |sum, one| Tally {
            visits: sum.visits + one.visits,
            points: sum.points + one.points,
            squares: sum.squares + one.squares,
            first: sum.first + one.first,
            last: sum.last + one.last,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_shared_counts_in_full() {
        let end = |points: &[f64]| {
            let end = End::of(points, Seat(0));
            (end.is_first, end.is_last)
        };
        assert_eq!(end(&[3.0, 2.0, 1.0, 0.0]), (true, false));
        assert_eq!(end(&[2.5, 2.5, 1.0, 0.0]), (true, false));
        assert_eq!(end(&[2.0, 2.5, 1.0, 0.5]), (false, false));
        assert_eq!(end(&[1.0, 3.0, 1.0, 1.0]), (false, true));
        assert_eq!(end(&[0.0, 3.0, 2.0, 1.0]), (false, true));
        assert_eq!(end(&[1.5; 4]), (false, false));
    }
}
