//! Monte Carlo search for any game whose hidden cards can be sampled.
//!
//! An expert is given the view of its seat and nothing else. It samples the hidden cards so that they
//! agree with the view (a determinization), tries all its moves in that same deal (common random
//! numbers), plays each on to the end (a rollout), and adds up the points for places. Then it samples
//! the cards again, and so on. The worse half of the moves is eliminated from time to time (sequential
//! halving). Below each move a tree grows over what everyone can see, so that the others, too, find
//! better answers the longer it thinks (information-set Monte Carlo tree search, ISMCTS); or else it
//! plans its own next moves for many deals at once.
//!
//! How a game gets an expert:
//!
//! 1. `impl Sample for Game`: whole games that agree with a view.
//! 2. `impl Searched for Game`, which needs nothing but [`Searched::reason`] to work. What makes it
//!    strong is [`Searched::sensible`], the rollout policy, a fast player; then
//!    [`Searched::imagine`] where something can be prepared once for many deals,
//!    [`Searched::candidates`] where most legal moves make no sense, [`Searched::finish`] where a
//!    game can be played on faster or its end can be solved, and [`Searched::ahead`].
//! 3. A line in the game's `PLAYERS`: the name `expert`, [`OPTIONS`], and [`expert::<Game>`](expert).

mod clock;
mod expert;
mod plan;
mod search;
mod thinking;
mod tree;

use croupier_core::{Rng, Sample, Seat};

pub use expert::{Expert, expert};
pub use search::search;
pub use thinking::{Budget, OPTIONS, Pace, Thinking};

/// A game that an expert can play.
///
/// Whatever is asked here of a whole game belongs to the seat to move, and may depend only on what
/// that seat sees: in a game that the expert imagines, the others do not know its cards either.
pub trait Searched: Sample<View: Sync> {
    /// Precomputes what all games need, so that no decision has to wait for it.
    fn prepare() {}

    /// Why a move is good or bad, in a few words that could begin a sentence: `ducks under the 18`.
    fn reason(view: &Self::View, choice: Self::Move) -> String;

    /// A sampler of games that agree with the view, as [`Sample::sample`] draws one. It may be a
    /// Markov chain, which draws each from the one before it.
    fn imagine(view: &Self::View, _pace: Pace) -> impl FnMut(&mut Rng) -> Self + Clone + Send {
        move |rng| Self::sample(view, rng)
    }

    /// Adds the legal moves that are searched to `moves`, each once; there is always one while the
    /// game is not over.
    fn candidates(&self, moves: &mut Vec<Self::Move>) {
        self.legal(moves);
    }

    /// The rollout policy: what a sound player who does not think long would do; none when the game
    /// is over.
    fn sensible(&self, rng: &mut Rng) -> Option<Self::Move> {
        self.random_move(rng)
    }

    /// A rollout: plays on to the end, and gives the points for places that every seat gets.
    /// `viewer` is the seat of the expert, who may play better than the others.
    fn finish(mut self, _viewer: Seat, rng: &mut Rng, points: &mut [f64]) {
        while let Some(choice) = self.sensible(rng) {
            self.play(choice).expect("a sensible move is a legal one");
        }
        points.copy_from_slice(&self.outcome().points());
    }

    /// How the search looks further ahead than one move of its own.
    fn ahead(_view: &Self::View, _pace: Pace) -> Ahead<Self> {
        Ahead::Tree(usize::MAX)
    }
}

/// How an expert looks further ahead than one move of its own.
#[derive(Debug)]
pub enum Ahead<G> {
    /// Not at all: every move is evaluated by rollouts (flat Monte Carlo).
    No,
    /// By ISMCTS, to a depth of so many moves: for games in which the others can do better than the
    /// rollout policy.
    Tree(usize),
    /// By a plan for many deals at once: for games in which the others can be taken to follow the
    /// rollout policy. The function lets them play on until it is the viewer's turn again or the game
    /// is over, and gives the number of the viewer's information set: another one for everything that
    /// looks different to the viewer.
    Plan(fn(&mut G, Seat) -> u64),
}
