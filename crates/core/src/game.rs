//! The rules of a game.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::registry::to_json;
use crate::{Outcome, Rng, Seat, Seed};

/// The rules of a card game, as the state of one game in progress.
///
/// A value of the implementing type is a game that has been dealt: it knows all cards, also the
/// hidden ones, and the generator of its own chance. Players never see it; they see the
/// [`View`](Game::View) of their seat. Choices that are made at the same time are choices in turn
/// which the others' views do not show until all are made. A game that leaves nobody a choice has
/// one legal move, always.
///
/// Rules are pure: no I/O, no clock, no chance but the one that was dealt.
pub trait Game: Clone + Send + Sync + 'static {
    /// The name by which the game is called for, and by which records know it: `friday13`.
    const NAME: &'static str;
    /// Changes whenever the same setup, seed and moves give another game than before.
    const VERSION: u32;

    /// The parameters of a game. A value of this type can always be dealt: whatever is impossible
    /// is refused when the value is made, also when it is read back from a record.
    type Setup: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// A choice of the seat to move. Its text is what a card player would write: `play 23`.
    type Move: Copy + Eq + Debug + Display + FromStr + Send + Sync;
    /// What one seat knows: nothing that it could not know at a real table.
    type View: Clone + PartialEq + Debug + Serialize;
    /// Why a move is refused. Its text is the rule that the move breaks.
    type Illegal: Error + Clone + PartialEq + Send + Sync;

    /// Deals a game.
    fn deal(setup: &Self::Setup, seed: Seed) -> Self;

    /// How many seats the table has.
    fn seats(&self) -> usize;

    /// Whose turn it is; nobody's when the game is over.
    fn to_move(&self) -> Option<Seat>;

    /// Adds all legal moves of the seat to move to `moves`, each once.
    fn legal(&self, moves: &mut Vec<Self::Move>);

    /// All legal moves of the seat to move, each once.
    fn legal_moves(&self) -> Vec<Self::Move> {
        let mut moves = Vec::new();
        self.legal(&mut moves);
        moves
    }

    /// Makes a move for the seat to move. An illegal one is refused with the rule it breaks, and
    /// the game is as it was.
    fn play(&mut self, choice: Self::Move) -> Result<(), Self::Illegal>;

    /// What the house does when the seat to move fouls: an illegal move, or no move at all.
    ///
    /// Returns the move made in the seat's place, if the rules have one made. Whether the seat is
    /// asked again, loses its turn or ends the game shows in whose turn it is afterwards.
    fn foul(&mut self) -> Option<Self::Move>;

    /// What `seat` sees.
    fn view(&self, seat: Seat) -> Self::View;

    /// Scores and places as they stand, final when the game is over.
    fn outcome(&self) -> Outcome;

    /// Whether everyone at the table sees such a move when it is made.
    fn is_open(_choice: Self::Move) -> bool {
        true
    }

    /// What of the setup the players may know, as JSON; all of it unless it holds hidden cards.
    fn open_setup(setup: &Self::Setup) -> Value {
        to_json(setup)
    }

    /// A legal move of the seat to move, each equally likely; none when the game is over.
    ///
    /// Games answer this without listing their moves where that is faster.
    fn random_move(&self, rng: &mut Rng) -> Option<Self::Move> {
        let moves = self.legal_moves();
        (!moves.is_empty()).then(|| moves[rng.below(moves.len())])
    }
}

/// A game in which what a seat does not see can be imagined.
pub trait Sample: Game {
    /// A whole game that agrees with the view: the seat sees in it just what it sees now, and it
    /// plays on by the rules. All such games are equally likely, given that nothing is known of how
    /// the others choose.
    ///
    /// Where the view belongs to the seat to move, that seat is to move in the sampled game too,
    /// and it is the one who sees the view. A view that does not tell the seat its own position
    /// leaves the position to chance.
    fn sample(view: &Self::View, rng: &mut Rng) -> Self;
}
