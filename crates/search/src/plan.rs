//! Plans: a policy for the viewer's next moves, one decision for each of its information sets.
//!
//! Who solves every determinization on its own and averages the results plays as if it would know the
//! cards from the next move on (strategy fusion). So deals are searched together: the viewer's move
//! is made in all of them, the others answer, and the deals are partitioned by what the viewer has
//! then seen. In the deals of one part, which are one information set, it must make the same move,
//! and makes the one that is best on average; and so on, until too few deals are left in a part to
//! tell which that is.
//!
//! The best of several estimates is biased upwards (the winner's curse). So the policy is
//! cross-fitted: each half of the deals decides what is done in the other half. It deviates from the
//! rollout policy only where that is clearly better.

use croupier_core::{Rng, Seat};

use crate::clock::{Deadline, TooLate};
use crate::search::End;
use crate::{Answer, Searched};

/// An information set with fewer deals than this is not split further.
const FEWEST: usize = 16;

/// A deviation from the rollout policy must be better by this many standard errors.
const CAUTION: f64 = 1.0;

/// A deal, and the half of the sample to which it belongs.
#[derive(Clone)]
struct Planned<G: Searched> {
    game: G,
    others: G::Others,
    half: usize,
}

/// Makes plans for one seat.
pub(crate) struct Planner<'a, G: Searched> {
    pub(crate) viewer: Seat,
    /// See [`Ahead::Plan`](crate::Ahead::Plan).
    pub(crate) answer: Answer<G>,
    pub(crate) rng: &'a mut Rng,
    /// A plan that is not ready by then is dropped.
    pub(crate) deadline: Deadline<'a>,
}

impl<G: Searched> Planner<'_, G> {
    /// The result of each of these games for the viewer if it makes this move in all of them and then
    /// follows its plan.
    pub(crate) fn plan(
        &mut self,
        games: &[(G, G::Others)],
        choice: G::Move,
    ) -> Result<Vec<End>, TooLate> {
        let together = games
            .iter()
            .enumerate()
            .map(|(place, (game, others))| Planned {
                game: game.clone(),
                others: others.clone(),
                half: usize::from(2 * place < games.len()),
            });
        self.after(together.collect(), choice)
    }

    /// The results after the viewer makes this move in all games of an information set.
    fn after(&mut self, mut games: Vec<Planned<G>>, choice: G::Move) -> Result<Vec<End>, TooLate> {
        let mut seen = Vec::with_capacity(games.len());
        for (place, Planned { game, others, .. }) in games.iter_mut().enumerate() {
            self.deadline.in_time()?;
            let legal = game.play(choice);
            legal.expect("the games of an information set have the same legal moves");
            seen.push(((self.answer)(game, others, self.viewer), place));
        }
        seen.sort_unstable();
        let mut ends = vec![End::default(); games.len()];
        for alike in seen.chunk_by(|(one, _), (other, _)| one == other) {
            let together: Vec<_> = alike
                .iter()
                .map(|&(_, place)| games[place].clone())
                .collect();
            let found = self.go_on(&together)?;
            for (&(_, place), found) in alike.iter().zip(found) {
                ends[place] = found;
            }
        }
        Ok(ends)
    }

    /// The results of the games of an information set in which it is the viewer's turn, if they are
    /// not over: by the best move in each half, if it is clearly better than a rollout.
    fn go_on(&mut self, games: &[Planned<G>]) -> Result<Vec<End>, TooLate> {
        let mut moves = Vec::new();
        if games.len() >= FEWEST && games[0].game.to_move().is_some() {
            games[0].game.candidates(&mut moves);
        }
        if let [only] = moves[..] {
            return self.after(games.to_vec(), only);
        }
        let usual = self.roll_out(games)?;
        let mut ways = Vec::with_capacity(moves.len());
        // For each half the best move in it, and its advantage.
        let mut best = [(None, 0.0); 2];
        for &choice in &moves {
            let ends = self.after(games.to_vec(), choice)?;
            for (half, best) in best.iter_mut().enumerate() {
                let advantage = advantage(games, half, &ends, &usual);
                if advantage > best.1 {
                    *best = (Some(ways.len()), advantage);
                }
            }
            ways.push(ends);
        }
        let chosen = games.iter().enumerate().map(|(place, planned)| {
            let way = best[1 - planned.half].0.map_or(&usual, |way| &ways[way]);
            way[place]
        });
        Ok(chosen.collect())
    }

    /// The results of rollouts, without a plan.
    fn roll_out(&mut self, games: &[Planned<G>]) -> Result<Vec<End>, TooLate> {
        let mut points = Vec::new();
        let finished = games.iter().map(|Planned { game, others, .. }| {
            self.deadline.in_time()?;
            points.resize(game.seats(), 0.0);
            game.clone()
                .finish(others, self.viewer, self.rng, &mut points);
            Ok(End::of(&points, self.viewer))
        });
        finished.collect()
    }
}

/// How much more than by rollouts is won in one half of the games: a lower confidence bound on the
/// sum of the paired differences.
fn advantage<G: Searched>(games: &[Planned<G>], half: usize, ends: &[End], usual: &[End]) -> f64 {
    let (mut sum, mut squares) = (0.0, 1.0);
    for (planned, (end, usual)) in games.iter().zip(ends.iter().zip(usual)) {
        if planned.half == half {
            let more = end.points - usual.points;
            sum += more;
            squares += more * more;
        }
    }
    sum - CAUTION * f64::sqrt(squares)
}
