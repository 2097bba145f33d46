//! Strong play for any game whose hidden cards can be imagined.
//!
//! An expert is given the view of its seat and nothing else. It imagines the hidden cards in some
//! way that agrees with the view, tries all its moves in that same deal, plays each on to the end,
//! and adds up the points for places. Then it imagines the cards in another way, and so on. Moves
//! that turn out worse are tried less and less. Below each move a tree grows over what everyone can
//! see, so that the others, too, find better answers the longer it thinks (information-set tree
//! search); or else it plans its own next moves for many deals at once.
//!
//! How a game gets an expert:
//!
//! 1. `impl Sample for Game`: whole games that agree with a view.
//! 2. `impl Searched for Game`, which needs nothing but [`Searched::reason`] to work. What makes it
//!    strong is [`Searched::sensible`], a fast player with whose choices games are played on; then
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
    /// Gets ready what is needed for all games, so that no decision has to wait for it.
    fn prepare() {}

    /// Why a move is good or bad, in a few words that could begin a sentence: `ducks under the 18`.
    fn reason(view: &Self::View, choice: Self::Move) -> String;

    /// A way to draw many games that agree with the view, as [`Sample::sample`] draws one. It may
    /// draw each from the one before it.
    fn imagine(view: &Self::View, _pace: Pace) -> impl FnMut(&mut Rng) -> Self + Clone + Send {
        move |rng| Self::sample(view, rng)
    }

    /// Adds the legal moves that are worth a thought to `moves`, each once; there is always one
    /// while the game is not over.
    fn candidates(&self, moves: &mut Vec<Self::Move>) {
        self.legal(moves);
    }

    /// What a sound player who does not think long would do; none when the game is over.
    fn sensible(&self, rng: &mut Rng) -> Option<Self::Move> {
        self.random_move(rng)
    }

    /// Plays on to the end, and gives the points for places that every seat gets. `viewer` is the
    /// seat of the expert, who may play better than the others.
    fn finish(mut self, _viewer: Seat, rng: &mut Rng, points: &mut [f64]) {
        while let Some(choice) = self.sensible(rng) {
            self.play(choice).expect("a sensible move is a legal one");
        }
        points.copy_from_slice(&self.outcome().points());
    }

    /// How it looks ahead further than its own move.
    fn ahead(_view: &Self::View, _pace: Pace) -> Ahead<Self> {
        Ahead::Tree(usize::MAX)
    }
}

/// How an expert looks ahead further than its own move.
#[derive(Debug)]
pub enum Ahead<G> {
    /// Not at all: every move is judged by games that sensible players finish.
    No,
    /// In a tree over what everyone can see, up to so many moves: for games in which the others can
    /// do better than to be sensible.
    Tree(usize),
    /// It makes a plan for many deals at once: for games in which the others can be taken to be
    /// sensible. This lets them play on until it is the viewer's turn again or the game is over, and
    /// gives another number for everything that looks different to the viewer.
    Plan(fn(&mut G, Seat) -> u64),
}
