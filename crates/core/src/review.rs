//! What the expert of a game thinks of the moves that were made in it.
//!
//! Every decision is judged with the eyes of the seat that made it: the expert is given the view and
//! nothing else, and its own chance is always the same, so that neither the hidden cards nor the seed
//! of the deal show in what it says. From the verdicts comes everything that is told of a game: the
//! curve of the expected points, the costly moves, and what was decided and what was luck.

use serde::{Deserialize, Serialize};

use crate::{Game, Player, Seat, Seed, Thought, Turn, all_thoughts};

/// The name of the player who reviews, in the games that have one.
pub const REVIEWER: &str = "expert";

/// With the chance of the deal an expert would always agree with itself, and would tell of the seed.
const CHANCE: Seed = Seed(0x7265_7669_6577);

/// What differs by less than so many standard errors may be noise.
const NOISE: f64 = 2.0;

/// So many moves are ranked; only huge tables have more.
const RANKED: usize = 200;

/// What the expert thinks of a decision.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Verdict<M = String> {
    /// What it would have played.
    pub best: Thought<M>,
    /// What was played, judged with the same cards and as often.
    pub made: Thought<M>,
    /// The legal moves in the order in which it prefers them.
    pub ranking: Vec<Thought<M>>,
    /// How many legal moves there were.
    pub legal: usize,
}

impl<M> Verdict<M> {
    /// The points that the move has cost, as far as the expert can tell; never less than none.
    pub fn loss(&self) -> f64 {
        self.cost().max(0.0)
    }

    /// The same, below nothing where the move turned out better than the one that looked best.
    fn cost(&self) -> f64 {
        self.best.estimate - self.made.estimate
    }

    /// The standard error of the loss.
    pub fn error(&self) -> f64 {
        self.best.error.hypot(self.made.error)
    }

    /// What the move has cost beyond noise: the lower end of the interval of the loss.
    pub fn sure_loss(&self) -> f64 {
        self.loss() - NOISE * self.error()
    }

    /// The same verdict with moves as they are written elsewhere.
    pub fn map<N>(&self, write: impl Fn(&M) -> N) -> Verdict<N> {
        Verdict {
            best: self.best.map(&write),
            made: self.made.map(&write),
            ranking: self.ranking.iter().map(|t| t.map(&write)).collect(),
            legal: self.legal,
        }
    }
}

impl<M: PartialEq> Verdict<M> {
    /// The rank of the move among all, from 1; none if it was not ranked.
    pub fn rank(&self) -> Option<usize> {
        let is_made = |thought: &Thought<M>| thought.choice == self.made.choice;
        self.ranking.iter().position(is_made).map(|place| place + 1)
    }
}

/// What the expert thinks of this choice in this turn; nothing if there was no choice, or if the
/// thought was cancelled.
pub fn judge<G: Game>(
    expert: &mut impl Player<G>,
    turn: &Turn<'_, G>,
    choice: G::Move,
) -> Option<Verdict<G::Move>> {
    let legal = turn.legal_moves().len();
    if legal < 2 {
        return None;
    }
    expert.start(turn.seat(), CHANCE.player(turn.seat()));
    let best = expert.decide(turn).ok()?;
    let ranking = all_thoughts(expert, turn, RANKED);
    // Both moves meet the same cards then, and as often.
    let pair = expert.judge(turn, &[choice]);
    let thought = |choice: G::Move| pair.iter().find(|thought| thought.choice == choice);
    let (best, made) = (thought(best)?.clone(), thought(choice)?.clone());
    let verdict = Verdict {
        best,
        made,
        ranking,
        legal,
    };
    (!turn.cancel().is_cancelled()).then_some(verdict)
}

/// How much a costly move has cost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// A little.
    Inaccuracy,
    /// Something.
    Mistake,
    /// Much.
    Blunder,
}

impl Grade {
    /// All of them, from the least on.
    pub const ALL: [Grade; 3] = [Grade::Inaccuracy, Grade::Mistake, Grade::Blunder];
}

/// From which loss beyond noise on a move is costly, in points for places.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Thresholds {
    /// More than this is at least an inaccuracy.
    pub inaccuracy: f64,
    /// More than this is at least a mistake.
    pub mistake: f64,
    /// More than this is a blunder.
    pub blunder: f64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds {
            inaccuracy: 0.01,
            mistake: 0.1,
            blunder: 0.3,
        }
    }
}

impl Thresholds {
    /// How costly a move was; nothing if it was not certainly worse than the best one by more than the
    /// least threshold.
    pub fn grade<M>(&self, verdict: &Verdict<M>) -> Option<Grade> {
        match verdict.sure_loss() {
            loss if loss > self.blunder => Some(Grade::Blunder),
            loss if loss > self.mistake => Some(Grade::Mistake),
            loss if loss > self.inaccuracy => Some(Grade::Inaccuracy),
            _ => None,
        }
    }
}

/// A decision that was judged.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Decision<M = String> {
    /// How many moves and fouls there were before it.
    pub step: usize,
    /// Who decided.
    pub seat: Seat,
    /// What the expert thinks of it.
    pub verdict: Verdict<M>,
}

/// The decisions of a game that were judged, in order.
#[derive(Clone, PartialEq, Debug)]
pub struct Review<M = String> {
    /// The decisions.
    pub decisions: Vec<Decision<M>>,
}

impl<M> Default for Review<M> {
    fn default() -> Review<M> {
        Review {
            decisions: Vec::new(),
        }
    }
}

/// A point of the curve of a player's expected points.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// How many moves and fouls there were.
    pub step: usize,
    /// The points that were to be expected then.
    pub expected: f64,
    /// The standard error of that; none at the end, where it is known.
    pub error: f64,
    /// Whether the way to this point was a decision of the player; otherwise it is what the cards and
    /// the others brought.
    pub decided: bool,
}

/// Where the points of a player come from: what was to be expected at first, what its decisions cost,
/// and what the cards and the others brought. The sum is what it got.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Balance {
    /// What was to be expected before its first decision.
    pub first: f64,
    /// The standard error of that.
    pub first_error: f64,
    /// What its decisions changed.
    pub decisions: f64,
    /// The standard error of that.
    pub decisions_error: f64,
    /// What the hidden cards and the others brought.
    pub luck: f64,
    /// The standard error of that.
    pub luck_error: f64,
    /// The points that it got.
    pub points: f64,
}

impl<M> Review<M> {
    /// The costly moves with their grades, in the order of the game.
    pub fn costly(&self, thresholds: &Thresholds) -> Vec<(Grade, &Decision<M>)> {
        let graded = self.decisions.iter().filter_map(|decision| {
            let grade = thresholds.grade(&decision.verdict)?;
            Some((grade, decision))
        });
        graded.collect()
    }

    /// The same, those first that cost most.
    pub fn costliest(&self, thresholds: &Thresholds) -> Vec<(Grade, &Decision<M>)> {
        let mut costly = self.costly(thresholds);
        costly.sort_by(|(_, a), (_, b)| b.verdict.loss().total_cmp(&a.verdict.loss()));
        costly
    }

    /// The expected points of a player before and after each of its decisions, and what it got in the
    /// end after so many steps, if the game has come to its end.
    pub fn curve(&self, seat: Seat, end: Option<(usize, f64)>) -> Vec<Point> {
        let own = self.decisions.iter().filter(|own| own.seat == seat);
        let decided = own.flat_map(|Decision { step, verdict, .. }| {
            let point = |step: usize, thought: &Thought<M>, decided| Point {
                step,
                expected: thought.estimate,
                error: thought.error,
                decided,
            };
            [
                point(*step, &verdict.best, false),
                point(step + 1, &verdict.made, true),
            ]
        });
        let end = end.map(|(step, points)| Point {
            step,
            expected: points,
            error: 0.0,
            decided: false,
        });
        decided.chain(end).collect()
    }

    /// Where the points of a player come from, if it has decided anything.
    pub fn balance(&self, seat: Seat, points: f64) -> Option<Balance> {
        let own = || self.decisions.iter().filter(|own| own.seat == seat);
        let first = &own().next()?.verdict.best;
        let decisions: f64 = -own().map(|own| own.verdict.cost()).sum::<f64>();
        let squares: f64 = own().map(|own| own.verdict.error().powi(2)).sum();
        Some(Balance {
            first: first.estimate,
            first_error: first.error,
            decisions,
            decisions_error: squares.sqrt(),
            luck: points - first.estimate - decisions,
            luck_error: first.error.hypot(squares.sqrt()),
            points,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thought(choice: usize, estimate: f64, error: f64) -> Thought<usize> {
        Thought {
            choice,
            estimate,
            error,
            visits: 10,
            reason: String::new(),
        }
    }

    fn decision(step: usize, best: f64, made: f64, error: f64) -> Decision<usize> {
        Decision {
            step,
            seat: Seat(0),
            verdict: Verdict {
                best: thought(0, best, error),
                made: thought(1, made, error),
                ranking: vec![thought(0, best, error), thought(1, made, error)],
                legal: 2,
            },
        }
    }

    fn review() -> Review<usize> {
        Review {
            decisions: vec![
                decision(0, 1.5, 1.5, 0.01),
                decision(4, 1.7, 1.3, 0.01),
                decision(8, 1.0, 0.9, 0.2),
                decision(12, 0.8, 0.6, 0.01),
            ],
        }
    }

    #[test]
    fn what_may_be_noise_costs_nothing() {
        let thresholds = Thresholds::default();
        let review = review();
        let grades: Vec<(Grade, usize)> = review
            .costly(&thresholds)
            .iter()
            .map(|(grade, decision)| (*grade, decision.step))
            .collect();
        assert_eq!(grades, [(Grade::Blunder, 4), (Grade::Mistake, 12)]);
        let first = review.costliest(&thresholds)[0].1;
        assert_eq!(first.verdict.rank(), Some(2));
        let strict = Thresholds {
            inaccuracy: 0.2,
            mistake: 0.5,
            blunder: 0.5,
        };
        let few = review.costly(&strict);
        assert_eq!(few.len(), 1);
        assert_eq!(few[0].0, Grade::Inaccuracy);
    }

    /// Decisions and luck together lead from what was expected to what came.
    #[test]
    fn luck_and_decisions_add_up_to_the_points() {
        let balance = review()
            .balance(Seat(0), 2.0)
            .expect("it decided something");
        assert!((balance.decisions + 0.7).abs() < 1e-12, "{balance:?}");
        let sum = balance.first + balance.decisions + balance.luck;
        assert!((sum - balance.points).abs() < 1e-12, "{balance:?}");
        let curve = review().curve(Seat(0), Some((16, 2.0)));
        let change = |decided: bool| -> f64 {
            let ways = curve.windows(2).filter(|way| way[1].decided == decided);
            ways.map(|way| way[1].expected - way[0].expected).sum()
        };
        assert!((change(true) - balance.decisions).abs() < 1e-12);
        assert!((change(false) - balance.luck).abs() < 1e-12);
        assert_eq!(review().balance(Seat(1), 1.0), None);
    }
}
