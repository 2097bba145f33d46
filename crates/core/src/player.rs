//! Who sits at a table, and what may go wrong with it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Game, Heard, Rng, Seat, Seed, Turn};

/// Somebody, or some program, who makes the choices of one seat.
///
/// A player lives on from game to game.
pub trait Player<G: Game>: Send {
    /// Sits down for a new game. Whatever a built-in player leaves to chance comes from this seed,
    /// so that the same deal is played the same way whatever was played before.
    fn start(&mut self, _seat: Seat, _chance: Seed) {}

    /// Makes the choice of this turn, or says why there is none.
    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove>;

    /// Whether it wants to hear what happens between its turns: see [`Player::hear`]. It is asked
    /// once, at the start of a game.
    fn listens(&self) -> bool {
        false
    }

    /// Hears what happens at the table, as far as its seat may know it: from the deal to the end,
    /// its own moves and fouls too.
    fn hear(&mut self, _heard: &Heard<'_, G>) {}

    /// Leaves the table, when everybody has heard how the game ended: who takes its time here keeps
    /// nobody waiting for the news.
    fn leave(&mut self) {}

    /// How long it may take for its next decision, if that is limited.
    fn clock(&self) -> Option<Duration> {
        None
    }

    /// What it thought of the moves at its last decision, the best first; nothing if it does not
    /// weigh moves.
    fn thoughts(&self) -> &[Thought<G::Move>] {
        &[]
    }

    /// What it thinks of these legal moves beside the one that it found best in the turn in which it
    /// decided last, whether or not it weighed them then; nothing if it does not weigh moves.
    fn judge(&self, _turn: &Turn<'_, G>, _choices: &[G::Move]) -> Vec<Thought<G::Move>> {
        Vec::new()
    }
}

/// Whoever holds a player, or may use one, can sit down in its place.
macro_rules! stands_for_a_player {
    ($($holder:ty),*) => {$(
        impl<G: Game, P: Player<G> + ?Sized> Player<G> for $holder {
            fn start(&mut self, seat: Seat, chance: Seed) {
                (**self).start(seat, chance);
            }
            fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
                (**self).decide(turn)
            }
            fn listens(&self) -> bool {
                (**self).listens()
            }
            fn hear(&mut self, heard: &Heard<'_, G>) {
                (**self).hear(heard);
            }
            fn leave(&mut self) {
                (**self).leave();
            }
            fn clock(&self) -> Option<Duration> {
                (**self).clock()
            }
            fn thoughts(&self) -> &[Thought<G::Move>] {
                (**self).thoughts()
            }
            fn judge(&self, turn: &Turn<'_, G>, choices: &[G::Move]) -> Vec<Thought<G::Move>> {
                (**self).judge(turn, choices)
            }
        }
    )*};
}

stands_for_a_player!(Box<P>, &mut P);

/// What a player thinks of one of its moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Thought<M> {
    /// The move.
    #[serde(rename = "move")]
    pub choice: M,
    /// The points for places that it expects after this move.
    pub estimate: f64,
    /// The standard error of the estimate.
    pub error: f64,
    /// How often it tried the move in its mind.
    pub visits: u64,
    /// Why the move is good or bad, in a sentence.
    pub reason: String,
}

impl<M> Thought<M> {
    /// The same thought about the move as it is written elsewhere.
    pub fn map<N>(&self, write: impl FnOnce(&M) -> N) -> Thought<N> {
        Thought {
            choice: write(&self.choice),
            estimate: self.estimate,
            error: self.error,
            visits: self.visits,
            reason: self.reason.clone(),
        }
    }
}

/// Why a player gave no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoMove {
    /// The player's own doing: the house deals with it by the rules of the game.
    Foul(Foul),
    /// Not the player's doing (the machine had no memory, no process, no disk left): nobody is
    /// charged, and the game does not count.
    Void(String),
    /// The player has left the table, as a person may: the game ends there and does not count.
    Left,
    /// Somebody has stopped the game, so nobody waits for this move.
    Stopped,
}

/// A player did something that its game does not allow, or did nothing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Foul {
    /// What sort of foul it was.
    pub kind: FoulKind,
    /// What exactly happened, in a sentence for the player's author.
    pub detail: String,
}

impl Foul {
    /// What stands before something that the program wrote, where the detail quotes it.
    pub const IT_WROTE: &str = "; it wrote ";

    /// The sentence about what happened, without anything that the program wrote.
    pub fn without_quotes(&self) -> &str {
        let first = self.detail.lines().next().unwrap_or_default();
        first.split(Foul::IT_WROTE).next().unwrap_or_default()
    }
}

/// The sorts of fouls, told apart in every report.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FoulKind {
    /// A readable answer that the rules do not allow.
    Illegal,
    /// No readable answer, although the program ended well or went on.
    Malformed,
    /// No answer in time.
    Timeout,
    /// Ended by a signal or with a status other than 0, without a readable answer.
    Crash,
    /// Out of the memory it may use.
    Memory,
    /// More output than it may write.
    Output,
    /// The program would not start.
    Start,
    /// The program would not compile.
    Compile,
}

impl FoulKind {
    /// Whether what is told of such a foul is about the answer, and not about what became of the
    /// program.
    pub const fn is_about_the_answer(self) -> bool {
        matches!(self, FoulKind::Illegal | FoulKind::Malformed)
    }

    /// The kind in a sentence that tells neither what was answered nor what the program said.
    pub const fn in_brief(self) -> &'static str {
        match self {
            FoulKind::Illegal => "its choice was illegal",
            FoulKind::Malformed => "its answer could not be read",
            FoulKind::Timeout => "it did not answer in time",
            FoulKind::Crash => "it crashed",
            FoulKind::Memory => "it used more memory than it may",
            FoulKind::Output => "it wrote more than it may",
            FoulKind::Start => "it could not be started",
            FoulKind::Compile => "it could not be compiled",
        }
    }
}

/// Plays any legal move, each equally likely.
#[derive(Debug)]
pub struct RandomPlayer(Rng);

impl Default for RandomPlayer {
    fn default() -> RandomPlayer {
        RandomPlayer(Seed(0).rng())
    }
}

impl<G: Game> Player<G> for RandomPlayer {
    fn start(&mut self, _: Seat, chance: Seed) {
        self.0 = chance.rng();
    }

    #[inline]
    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        Ok(turn.random_move(&mut self.0))
    }
}
