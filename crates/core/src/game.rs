//! The rules of a game, and what a game declares about itself.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::registry::to_json;
use crate::{BuiltIn, Outcome, Rng, Seat, Seed};

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
    /// What the game says about itself.
    const PROFILE: Profile;
    /// The players that come with the game.
    const PLAYERS: &'static [BuiltIn<Self>];

    /// The parameters of a game. A value of this type can always be dealt: whatever is impossible
    /// is refused when the value is made, also when it is read back from a record.
    type Setup: Clone + Debug + PartialEq + Serialize + DeserializeOwned + Send + Sync;
    /// A choice of the seat to move. Its text is what a card player would write: `play 23`.
    type Move: Copy + Eq + Debug + Display + FromStr + Send + Sync;
    /// What one seat knows: nothing that it could not know at a real table.
    type View: Clone + PartialEq + Debug + Serialize;

    /// The setup that these options describe.
    fn setup(options: &Options) -> Result<Self::Setup, BadSetup>;

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
    fn play(&mut self, choice: Self::Move) -> Result<(), Illegal>;

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

    /// Whether contests over one deal seat the players in all orders, by the game's own tradition.
    /// In other games they move round the table, so that each sits in each seat once.
    const IN_ALL_ORDERS: bool = false;

    /// Whether the lowest of the game's own scores is the best, as it is with penalty points.
    const LOWEST_WINS: bool = false;

    /// Whether contests rank by the game's own score, by its tradition. In other games they rank by
    /// points for finishing places.
    const RANKED_BY_SCORE: bool = false;

    /// The scores that the players bring to the table, in the order of their seats, in a game where
    /// players are shown them.
    fn brought(_setup: &Self::Setup) -> Option<Vec<i64>> {
        None
    }

    /// The setup of the next game of a contest when the seats have these scores so far, in a game
    /// where players are shown them.
    fn carry_on(_setup: &Self::Setup, _scores: &[i64]) -> Option<Self::Setup> {
        None
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

/// What a game says about itself before it is dealt, so that everything that works with any game
/// can ask instead of knowing.
#[derive(Debug)]
pub struct Profile {
    /// The name by which the game is called for on the command line: `war`.
    pub name: &'static str,
    /// The name as one would write it in a sentence: `Friday the 13th`.
    pub title: &'static str,
    /// Changes whenever the same setup, seed and moves give another game than before.
    pub version: u32,
    /// How many players a table may have.
    pub seats: RangeInclusive<usize>,
    /// Whether players decide anything.
    pub decisions: bool,
    /// How programs take part, in a few words.
    pub programs: &'static str,
    /// The rules in brief, and the protocol for programs.
    pub rules: &'static str,
    /// The options from which [`Game::setup`] makes a setup.
    pub options: &'static [SetupOption],
}

/// One option of a game's setup, from which the command line makes a flag.
#[derive(Debug)]
pub struct SetupOption {
    /// The flag's name without dashes: `short-war`.
    pub name: &'static str,
    /// What may be given.
    pub kind: OptionKind,
    /// What holds if nothing is given, as it would be written; none if the option is then off.
    pub default: Option<&'static str>,
    /// What it means, in one sentence.
    pub help: &'static str,
}

/// What values an option takes.
#[derive(Debug)]
pub enum OptionKind {
    /// One of these words, each with its meaning.
    OneOf(&'static [(&'static str, &'static str)]),
    /// A whole number from the first to the last that makes sense.
    Number(RangeInclusive<u64>),
    /// Any text, which the game reads itself; for help it is called this, as in `V,V,…`.
    Text(&'static str),
    /// What the players bring from the games before, as a text which the game reads itself. In a
    /// contest there is nothing to say: it counts that itself.
    Scores(&'static str),
    /// A file. The game is given its contents, not its name: rules do no I/O.
    File,
}

/// Options by name: those that were given and the defaults of the others.
pub type Options = BTreeMap<String, String>;

/// A move was refused; the text is the rule that it breaks.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Illegal(pub Cow<'static, str>);

/// A setup that cannot be dealt; the text says what is wrong and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadSetup(pub String);
