//! Playing one game to its end: players who decide, observers who look on.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use crate::{Game, Illegal, Outcome, Rng, Seat, Seed};

/// Somebody, or some program, who makes the choices of one seat.
///
/// A player lives on from game to game.
pub trait Player<G: Game>: Send {
    /// Sits down for a new game. Whatever a built-in player leaves to chance comes from this seed,
    /// so that the same deal is played the same way whatever was played before.
    fn start(&mut self, _seat: Seat, _chance: Seed) {}

    /// Makes the choice of this turn, or says why there is none.
    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, Failure>;

    /// Hears that its last answer was a foul, and what the house played instead, if anything.
    fn fouled(&mut self, _foul: &Foul, _instead: Option<G::Move>) {}

    /// Hears how the game ended.
    fn over(&mut self, _outcome: &Outcome) {}

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

/// What a player thinks of one of its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought<M> {
    /// The move.
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

/// Whoever holds a player, or may use one, can sit down in its place.
macro_rules! stands_for_a_player {
    ($($holder:ty),*) => {$(
        impl<G: Game, P: Player<G> + ?Sized> Player<G> for $holder {
            fn start(&mut self, seat: Seat, chance: Seed) {
                (**self).start(seat, chance);
            }
            fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, Failure> {
                (**self).decide(turn)
            }
            fn fouled(&mut self, foul: &Foul, instead: Option<G::Move>) {
                (**self).fouled(foul, instead);
            }
            fn over(&mut self, outcome: &Outcome) {
                (**self).over(outcome);
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

/// What a player is given to decide on: the view of its seat and its legal moves, nothing else.
///
/// Both are made when they are asked for, so that a player who needs neither costs neither.
#[derive(Debug)]
pub struct Turn<'a, G> {
    game: &'a G,
    seat: Seat,
}

impl<'a, G: Game> Turn<'a, G> {
    /// The turn that is due in this game; none if it is over.
    pub fn of(game: &'a G) -> Option<Turn<'a, G>> {
        game.to_move().map(|seat| Turn { game, seat })
    }

    /// The seat that is to move.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// What the seat sees.
    pub fn view(&self) -> G::View {
        self.game.view(self.seat)
    }

    /// Adds the seat's legal moves to `moves`.
    pub fn legal(&self, moves: &mut Vec<G::Move>) {
        self.game.legal(moves);
    }

    /// Whether the seat may make this move; if not, the rule that it would break.
    pub fn check(&self, choice: G::Move) -> Result<(), Illegal> {
        self.game.clone().play(choice)
    }

    /// One of the seat's legal moves, each equally likely.
    pub fn random_move(&self, rng: &mut Rng) -> G::Move {
        self.game
            .random_move(rng)
            .expect("the seat to move always has a legal move")
    }
}

/// Why a player gave no move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The player's own doing: the house deals with it by the rules of the game.
    Foul(Foul),
    /// Not the player's doing (the machine had no memory, no process, no disk left): nobody is
    /// charged, and the game does not count.
    Void(String),
}

/// A player did something that its game does not allow, or did nothing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Foul {
    /// What sort of foul it was.
    pub kind: FoulKind,
    /// What exactly happened, in a sentence for the player's author.
    pub detail: String,
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

/// Something that looks on while a game is played: a recorder, a narrator, a statistician.
///
/// It sees all cards. It may stop the game, for instance because nobody reads what it prints.
pub trait Observer<G: Game> {
    /// Sees one moment of the game; `game` is the state at that moment.
    fn see(&mut self, game: &G, moment: &Moment<'_, G>) -> ControlFlow<()>;
}

/// A moment of a game at which observers look.
#[derive(Debug)]
pub enum Moment<'a, G: Game> {
    /// The cards are dealt, nothing is played yet.
    Dealt,
    /// This move has been made.
    Played(Seat, G::Move),
    /// A foul has been dealt with; with the move made in the seat's place, if one was.
    Fouled(Seat, &'a Foul, Option<G::Move>),
    /// The game is over.
    Over(&'a Outcome),
}

/// Nobody looks on.
impl<G: Game> Observer<G> for () {
    #[inline]
    fn see(&mut self, _: &G, _: &Moment<'_, G>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Two look on.
impl<G: Game, A: Observer<G>, B: Observer<G>> Observer<G> for (A, B) {
    #[inline]
    fn see(&mut self, game: &G, moment: &Moment<'_, G>) -> ControlFlow<()> {
        self.0.see(game, moment)?;
        self.1.see(game, moment)
    }
}

/// A game that did not come to its end, and so has no outcome.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfinished {
    /// An observer stopped it.
    #[error("the game was stopped")]
    Stopped,
    /// Something failed that no player answers for.
    #[error("the game does not count: {0}")]
    Void(String),
}

/// Deals a game and plays it to its end, asking `players[s]` for the choices of seat `s`.
///
/// # Panics
/// If there are not as many players as seats.
pub fn play<G, P, O>(
    setup: &G::Setup,
    seed: Seed,
    players: &mut [P],
    observer: &mut O,
) -> Result<Outcome, Unfinished>
where
    G: Game,
    P: Player<G>,
    O: Observer<G>,
{
    for (seat, player) in Seat::all(players.len()).zip(&mut *players) {
        player.start(seat, seed.player(seat));
    }
    play_on(G::deal(setup, seed), players, observer)
}

/// Plays a game that has been dealt to its end.
///
/// This is the one place where an answer becomes a move or a foul. An illegal move costs what the
/// rules say, and nothing that a player answers stops the game for the others.
///
/// # Panics
/// If there are not as many players as seats.
pub fn play_on<G, P, O>(
    mut game: G,
    players: &mut [P],
    observer: &mut O,
) -> Result<Outcome, Unfinished>
where
    G: Game,
    P: Player<G>,
    O: Observer<G>,
{
    assert_eq!(players.len(), game.seats(), "one player for every seat");
    let mut show = |game: &G, moment: Moment<'_, G>| match observer.see(game, &moment) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Unfinished::Stopped),
    };
    show(&game, Moment::Dealt)?;
    while let Some(seat) = game.to_move() {
        let player = &mut players[seat.index()];
        let choice = player.decide(&Turn { game: &game, seat });
        let foul = match choice {
            Ok(choice) => match game.play(choice) {
                Ok(()) => {
                    show(&game, Moment::Played(seat, choice))?;
                    continue;
                }
                Err(rule) => Foul {
                    kind: FoulKind::Illegal,
                    detail: format!("{choice}: {rule}"),
                },
            },
            Err(Failure::Foul(foul)) => foul,
            Err(Failure::Void(reason)) => return Err(Unfinished::Void(reason)),
        };
        let instead = game.foul();
        player.fouled(&foul, instead);
        show(&game, Moment::Fouled(seat, &foul, instead))?;
    }
    let outcome = game.outcome();
    for player in players {
        player.over(&outcome);
    }
    show(&game, Moment::Over(&outcome))?;
    Ok(outcome)
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
    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, Failure> {
        Ok(turn.random_move(&mut self.0))
    }
}
