//! Plans: what the viewer will do next time, and the time after, depending on what it will see.
//!
//! A player who tries its moves in one imagined deal after the other, and goes on in each as is best
//! there, does as if it knew the cards. So deals are thought about together: the viewer's move is
//! made in all of them, the others answer, and those deals in which the answers look the same to the
//! viewer stay together. In them it must do the same, and does what is best on average, and so on,
//! until too few deals are left together to tell what that is.
//!
//! What is best in some deals by chance is not best in others. So each half of the deals decides
//! what is done in the other half, and only what is clearly better than to go on as usual is done.

use croupier_core::{Rng, Seat};

use crate::Searched;
use crate::clock::{Deadline, TooLate};
use crate::search::End;

/// Fewer deals than this are too few to tell what is best in them.
const FEWEST: usize = 16;

/// What is done instead of the usual must be better by this many standard errors.
const CAUTION: f64 = 1.0;

/// A game that is thought about together with others, and which half of them it belongs to.
#[derive(Clone)]
struct Planned<G> {
    game: G,
    half: usize,
}

/// Somebody who plans.
pub(crate) struct Planner<'a, G> {
    pub(crate) viewer: Seat,
    /// See [`Ahead::Plan`](crate::Ahead::Plan).
    pub(crate) answer: fn(&mut G, Seat) -> u64,
    pub(crate) rng: &'a mut Rng,
    /// After it there is no use in going on.
    pub(crate) deadline: Deadline<'a>,
}

impl<G: Searched> Planner<'_, G> {
    /// How each of these games ends for the viewer if it makes this move in all of them.
    pub(crate) fn plan(&mut self, games: &[G], choice: G::Move) -> Result<Vec<End>, TooLate> {
        let together = games.iter().enumerate().map(|(place, game)| Planned {
            game: game.clone(),
            half: usize::from(2 * place < games.len()),
        });
        self.after(together.collect(), choice)
    }

    /// What comes of it if the viewer makes this move in games that look the same to it.
    fn after(&mut self, mut games: Vec<Planned<G>>, choice: G::Move) -> Result<Vec<End>, TooLate> {
        let mut seen = Vec::with_capacity(games.len());
        for (place, Planned { game, .. }) in games.iter_mut().enumerate() {
            self.deadline.in_time()?;
            let legal = game.play(choice);
            legal.expect("what is legal in one game is legal where everything looks the same");
            seen.push(((self.answer)(game, self.viewer), place));
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

    /// What comes of games that look the same to the viewer, whose turn it is if they are not over.
    fn go_on(&mut self, games: &[Planned<G>]) -> Result<Vec<End>, TooLate> {
        let mut moves = Vec::new();
        if games.len() >= FEWEST && games[0].game.to_move().is_some() {
            games[0].game.candidates(&mut moves);
        }
        if let [only] = moves[..] {
            return self.after(games.to_vec(), only);
        }
        let usual = self.as_usual(games)?;
        let mut ways = Vec::with_capacity(moves.len());
        // For each half what is best in it, and by how much.
        let mut best = [(None, 0.0); 2];
        for &choice in &moves {
            let ends = self.after(games.to_vec(), choice)?;
            for (half, best) in best.iter_mut().enumerate() {
                let gain = gain(games, half, &ends, &usual);
                if gain > best.1 {
                    *best = (Some(ways.len()), gain);
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

    /// How it ends for the viewer if it goes on without a plan.
    fn as_usual(&mut self, games: &[Planned<G>]) -> Result<Vec<End>, TooLate> {
        let mut points = Vec::new();
        let finished = games.iter().map(|Planned { game, .. }| {
            self.deadline.in_time()?;
            points.resize(game.seats(), 0.0);
            game.clone().finish(self.viewer, self.rng, &mut points);
            Ok(End::of(&points, self.viewer))
        });
        finished.collect()
    }
}

/// How much more is won in one half of the games than as usual, as far as that is sure.
fn gain<G>(games: &[Planned<G>], half: usize, ends: &[End], usual: &[End]) -> f64 {
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
