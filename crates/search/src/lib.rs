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
//! 2. `impl Searched for Game`, which needs nothing but [`Searched::reason`] to work (and `type Others = ()`
//!    as long as nothing is to be learnt about the other players). What makes it
//!    strong is [`Searched::sensible`], the rollout policy, a fast player; then
//!    [`Searched::imagine`] where something can be prepared once for many deals,
//!    [`Searched::recall`] where a view does not tell how everybody has played,
//!    [`Searched::candidates`] where most legal moves make no sense, [`Searched::finish`] where a
//!    game can be played on faster or its end can be solved, [`Searched::ahead`], and
//!    [`Searched::ending`] where few games are possible at the end.
//! 3. A line in the game's `PLAYERS`: the name `expert`, [`OPTIONS`], and [`expert::<Game>`](expert).
//!
//! A game in which one names a number and a die decides; ten lines of it are search:
//!
//! ```
//! # use std::convert::Infallible;
//! # use std::{fmt, str::FromStr};
//! use std::num::{NonZeroU64, NonZeroUsize};
//!
//! use croupier_core::{Game, Outcome, Rng, Sample, Seat, Seed};
//! use croupier_search::{Budget, Searched, Thinking, search};
//!
//! /// Whoever names a number wins if a die that nobody has seen shows at least as much.
//! #[derive(Clone)]
//! struct Dare { die: u8, named: Option<u8> }
//!
//! # #[derive(Clone, Copy, PartialEq, Eq, Debug)]
//! # struct Number(u8);
//! # impl fmt::Display for Number {
//! #     fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "{}", self.0) }
//! # }
//! # impl FromStr for Number {
//! #     type Err = std::num::ParseIntError;
//! #     fn from_str(text: &str) -> Result<Number, Self::Err> { text.parse().map(Number) }
//! # }
//! impl Game for Dare {
//! #   const NAME: &'static str = "dare";
//! #   const VERSION: u32 = 1;
//! #   type Setup = ();
//! #   type Move = Number;
//! #   type View = ();
//! #   type Illegal = Infallible;
//!     fn deal(_: &(), seed: Seed) -> Dare {
//!         Dare { die: 1 + seed.rng().below(6) as u8, named: None }
//!     }
//! #   fn seats(&self) -> usize { 2 }
//! #   fn to_move(&self) -> Option<Seat> { self.named.is_none().then_some(Seat(0)) }
//! #   fn legal(&self, moves: &mut Vec<Number>) {
//! #       if self.named.is_none() { moves.extend((1..=6).map(Number)) }
//! #   }
//! #   fn play(&mut self, Number(number): Number) -> Result<(), Infallible> {
//! #       self.named = Some(number);
//! #       Ok(())
//! #   }
//! #   fn foul(&mut self) -> Option<Number> { None }
//! #   fn view(&self, _: Seat) {}
//!     fn outcome(&self) -> Outcome {
//!         let won = self.named.filter(|&number| self.die >= number).is_some();
//!         Outcome::highest_wins(vec![i64::from(won), i64::from(!won)])
//!     }
//!     // … and the rest of the rules.
//! }
//!
//! impl Sample for Dare {
//!     fn sample(_: &(), rng: &mut Rng) -> Dare {
//!         Dare { die: 1 + rng.below(6) as u8, named: None }
//!     }
//! }
//!
//! impl Searched for Dare {
//!     type Others = ();
//!
//!     fn reason(_: &(), Number(number): Number) -> String {
//!         format!("wins with {} of six sides", 7 - number)
//!     }
//! }
//!
//! let game = Dare::deal(&(), Seed(3));
//! let thinking = Thinking { budget: Budget::Iterations(NonZeroU64::MIN.saturating_add(599)), threads: NonZeroUsize::MIN };
//! let thoughts = search::<Dare>(&game.view(Seat(0)), &thinking, Seed(1));
//! assert_eq!(thoughts[0].choice, Number(1), "every die shows at least that");
//! ```

mod clock;
mod ending;
mod expert;
mod level;
mod plan;
mod search;
mod thinking;
mod tree;

use croupier_core::{Event, Rng, Sample, Seat};

pub use ending::{Ending, Policy};
pub use expert::{Expert, expert};
pub use level::Level;
pub use search::search;
pub use thinking::{Budget, OPTIONS, Pace, Thinking};

/// A game that an expert can play.
///
/// Whatever is asked here of a whole game belongs to the seat to move, and may depend only on what
/// that seat sees: in a game that the expert imagines, the others do not know its cards either.
pub trait Searched: Sample<View: Sync> {
    /// What is believed of how the other players choose in an imagined game; `()` where they are always
    /// taken to follow the rollout policy.
    type Others: Clone + Default + Send;

    /// Precomputes what all games need, so that no decision has to wait for it.
    fn prepare() {}

    /// Why a move is good or bad, in a few words that could begin a sentence: `ducks under the 18`.
    fn reason(view: &Self::View, choice: Self::Move) -> String;

    /// A sampler of games that agree with the view, as [`Sample::sample`] draws one, and of how the others
    /// play in them. It may be a Markov chain, which draws each from the one before it.
    fn imagine(
        view: &Self::View,
        _pace: Pace,
    ) -> impl FnMut(&mut Rng) -> (Self, Self::Others) + Clone + Send {
        move |rng| (Self::sample(view, rng), Self::Others::default())
    }

    /// Whether an expert listens to what happens in the game: what it has heard is then given to
    /// [`Searched::recall`].
    const LISTENS: bool = false;

    /// The same as [`Searched::imagine`] for an expert who has heard all moves and fouls of the game
    /// (or none of them, if it came later). How everybody has played tells something of what they hold.
    fn recall(
        view: &Self::View,
        _heard: &[Event<Self::Move>],
        pace: Pace,
    ) -> impl FnMut(&mut Rng) -> (Self, Self::Others) + Clone + Send {
        Self::imagine(view, pace)
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
    fn finish(mut self, _others: &Self::Others, _viewer: Seat, rng: &mut Rng, points: &mut [f64]) {
        while let Some(choice) = self.sensible(rng) {
            self.play(choice).expect("a sensible move is a legal one");
        }
        points.copy_from_slice(&self.outcome().points());
    }

    /// All that can still happen, where that is little enough to be solved; none otherwise.
    fn ending(_view: &Self::View) -> Option<Ending<'_, Self>> {
        None
    }

    /// How the search looks further ahead than one move of its own.
    fn ahead(_view: &Self::View, _pace: Pace) -> Ahead<Self> {
        Ahead::Tree(usize::MAX)
    }
}

/// See [`Ahead::Plan`].
pub type Answer<G> = fn(&mut G, &<G as Searched>::Others, Seat) -> u64;

/// How an expert looks further ahead than one move of its own.
#[derive(Debug)]
pub enum Ahead<G: Searched> {
    /// Not at all: every move is evaluated by rollouts (flat Monte Carlo).
    No,
    /// By ISMCTS, to a depth of so many moves: for games in which the others can do better than the
    /// rollout policy.
    Tree(usize),
    /// By a plan for many deals at once: for games in which the others can be taken to follow the
    /// rollout policy. The function lets them play on until it is the viewer's turn again or the game
    /// is over, and gives the number of the viewer's information set: another one for everything that
    /// looks different to the viewer.
    Plan(Answer<G>),
}
