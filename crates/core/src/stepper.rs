//! One game, step by step: whose turn it is, an answer in, what happened out.
//!
//! A [`Stepper`] is driven from outside: by [`play`], which asks one player after the other, or by
//! anybody who has an answer for the seat to move. It is the one place where an answer becomes a
//! move or a foul.

use std::ops::ControlFlow;

use crate::{
    Audience, Cancel, Foul, FoulKind, Game, Heard, Moment, NoMove, Observer, Outcome, Player, Rng,
    Seat, Seed,
};

/// A game that has been dealt, with the house that sees to its rules.
#[derive(Clone, Debug)]
pub struct Stepper<G> {
    game: G,
    cancel: Option<Cancel>,
}

/// What came of an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step<M> {
    /// The move was made.
    Played(Seat, M),
    /// It was a foul; with the move that the house made in the seat's place, if it made one.
    Fouled(Seat, Foul, Option<M>),
}

impl<M: Copy> Step<M> {
    /// The step as a moment of the game.
    #[inline]
    pub fn moment<G: Game<Move = M>>(&self) -> Moment<'_, G> {
        match self {
            Step::Played(seat, choice) => Moment::Played(*seat, *choice),
            Step::Fouled(seat, foul, instead) => Moment::Fouled(*seat, foul, *instead),
        }
    }
}

/// A game that did not come to its end, and so has no outcome.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unfinished {
    /// Somebody stopped it: an observer, or whoever cancelled it.
    #[error("the game was stopped")]
    Stopped,
    /// A player has left the table.
    #[error("a player has left the table")]
    Left,
    /// Something failed that no player answers for.
    #[error("the game does not count: {0}")]
    Void(String),
}

impl<G: Game> Stepper<G> {
    /// Deals a game.
    pub fn deal(setup: &G::Setup, seed: Seed) -> Stepper<G> {
        Stepper::of(G::deal(setup, seed))
    }

    /// A game that has been dealt, from here on.
    pub fn of(game: G) -> Stepper<G> {
        Stepper { game, cancel: None }
    }

    /// The same for a game that ends when this is cancelled, and every thought about it too.
    pub fn cancelled_by(game: G, cancel: Cancel) -> Stepper<G> {
        Stepper {
            game,
            cancel: Some(cancel),
        }
    }

    /// The game as it stands, with all its hidden cards.
    #[inline]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The turn that is due; none if the game is over.
    #[inline]
    pub fn turn(&self) -> Option<Turn<'_, G>> {
        let seat = self.game.to_move()?;
        Some(Turn {
            game: &self.game,
            seat,
            cancel: self.cancel.as_ref(),
        })
    }

    /// Takes the answer of the seat to move: a move, or why there is none. An illegal move costs
    /// what the rules say, and nothing that a player answers stops the game for the others.
    ///
    /// # Panics
    /// If the game is over.
    pub fn answer(&mut self, answer: Result<G::Move, NoMove>) -> Result<Step<G::Move>, Unfinished> {
        let seat = self.game.to_move().expect("an answer has a question");
        match answer {
            Ok(choice) => {
                let foul = self.make(seat, &choice)?;
                Ok(foul.unwrap_or(Step::Played(seat, choice)))
            }
            Err(reason) => self.unmoved(seat, reason),
        }
    }

    /// Makes the move of the seat whose turn it is. If the rules do not allow it, gives what the house
    /// has done about it.
    // Millions of games a second go through here: what is rare is kept out of the way, and a move is
    // not copied before it is made.
    #[inline(always)]
    fn make(&mut self, seat: Seat, choice: &G::Move) -> Result<Option<Step<G::Move>>, Unfinished> {
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(Unfinished::Stopped);
        }
        match self.game.play(*choice) {
            Ok(()) => Ok(None),
            Err(rule) => {
                let foul = NoMove::Foul(illegal(*choice, &rule));
                self.unmoved(seat, foul).map(Some)
            }
        }
    }

    /// Does what the house does when there is no move.
    #[cold]
    fn unmoved(&mut self, seat: Seat, reason: NoMove) -> Result<Step<G::Move>, Unfinished> {
        if self.cancel.as_ref().is_some_and(Cancel::is_cancelled) {
            return Err(Unfinished::Stopped);
        }
        match reason {
            NoMove::Foul(foul) => {
                let instead = self.game.foul();
                Ok(Step::Fouled(seat, foul, instead))
            }
            NoMove::Void(reason) => Err(Unfinished::Void(reason)),
            NoMove::Left => Err(Unfinished::Left),
            NoMove::Stopped => Err(Unfinished::Stopped),
        }
    }

    /// Tells the player in a seat of a moment of this game, as far as the seat may know.
    pub fn tell(&self, seat: Seat, player: &mut impl Player<G>, moment: &Moment<'_, G>) {
        if player.listens()
            && let Some(event) = moment.heard_by(Audience::Seat(seat))
        {
            player.hear(&Heard::new(&event, &self.game, seat));
        }
    }

    /// How the game ended; none if it has not.
    pub fn outcome(&self) -> Option<Outcome> {
        let over = self.game.to_move().is_none();
        over.then(|| self.game.outcome())
    }
}

#[cold]
fn illegal<M: std::fmt::Display>(choice: M, rule: &impl std::error::Error) -> Foul {
    Foul {
        kind: FoulKind::Illegal,
        detail: format!("{choice}: {rule}"),
    }
}

/// What a player is given to decide on: the view of its seat and its legal moves, nothing else.
///
/// Both are made when they are asked for, so that a player who needs neither costs neither.
#[derive(Debug)]
pub struct Turn<'a, G> {
    game: &'a G,
    seat: Seat,
    cancel: Option<&'a Cancel>,
}

impl<'a, G: Game> Turn<'a, G> {
    /// The turn that is due in this game; none if it is over.
    #[inline]
    pub fn of(game: &'a G) -> Option<Turn<'a, G>> {
        let seat = game.to_move()?;
        Some(Turn {
            game,
            seat,
            cancel: None,
        })
    }

    /// The same turn, about which nobody need think any more once this is cancelled.
    #[inline]
    pub fn cancelled_by(self, cancel: &'a Cancel) -> Turn<'a, G> {
        Turn {
            cancel: Some(cancel),
            ..self
        }
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

    /// The seat's legal moves.
    pub fn legal_moves(&self) -> Vec<G::Move> {
        self.game.legal_moves()
    }

    /// Whether the seat may make this move; if not, the rule that it would break.
    pub fn check(&self, choice: G::Move) -> Result<(), G::Illegal> {
        self.game.clone().play(choice)
    }

    /// One of the seat's legal moves, each equally likely.
    pub fn random_move(&self, rng: &mut Rng) -> G::Move {
        self.game
            .random_move(rng)
            .expect("the seat to move always has a legal move")
    }

    /// What ends all thought about this turn.
    pub fn cancel(&self) -> Cancel {
        self.cancel.cloned().unwrap_or_default()
    }

    /// The whole game, where its own protocol lays all cards open to programs.
    pub fn open(&self) -> &'a G
    where
        G: OpenHanded,
    {
        self.game
    }
}

/// A game whose own protocol shows all cards to the programs that play it, whatever a person at the
/// table would see.
pub trait OpenHanded: Game {}

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
    play_on(Stepper::deal(setup, seed), players, observer)
}

/// Plays a game that has been dealt to its end. The players have sat down before.
///
/// # Panics
/// If there are not as many players as seats.
pub fn play_on<G, P, O>(
    stepper: Stepper<G>,
    players: &mut [P],
    observer: &mut O,
) -> Result<Outcome, Unfinished>
where
    G: Game,
    P: Player<G>,
    O: Observer<G>,
{
    assert_eq!(
        players.len(),
        stepper.game.seats(),
        "one player for every seat"
    );
    if players.iter().any(Player::listens) {
        Company::<P, O, true> { players, observer }.play(stepper)
    } else {
        Company::<P, O, false> { players, observer }.play(stepper)
    }
}

/// All who are there when a game is played. Whether any of the players wants to hear what happens is a
/// constant: where nobody does, the loop does not ask at every move.
struct Company<'a, P, O, const LISTENING: bool> {
    players: &'a mut [P],
    observer: &'a mut O,
}

impl<P, O, const LISTENING: bool> Company<'_, P, O, LISTENING> {
    /// Plays to the end.
    #[inline]
    fn play<G: Game>(mut self, mut stepper: Stepper<G>) -> Result<Outcome, Unfinished>
    where
        P: Player<G>,
        O: Observer<G>,
    {
        self.see(&stepper, &Moment::Dealt)?;
        while let Some(turn) = stepper.turn() {
            let seat = turn.seat();
            if O::CURIOUS || LISTENING {
                let clock = self.players[seat.index()].clock();
                self.see(&stepper, &Moment::Asked(seat, clock))?;
            }
            let answer = self.players[seat.index()].decide(&turn);
            match &answer {
                Ok(choice) => {
                    if O::CURIOUS {
                        let thoughts = self.players[seat.index()].thoughts().to_vec();
                        if !thoughts.is_empty() {
                            self.see(&stepper, &Moment::Weighed(seat, &thoughts))?;
                        }
                    }
                    match stepper.make(seat, choice)? {
                        None => self.see(&stepper, &Moment::Played(seat, *choice))?,
                        Some(foul) => self.see(&stepper, &foul.moment())?,
                    }
                }
                Err(reason) => {
                    let step = stepper.unmoved(seat, reason.clone())?;
                    self.see(&stepper, &step.moment())?;
                }
            }
        }
        let outcome = stepper.game.outcome();
        self.see(&stepper, &Moment::Over(&outcome))?;
        self.players.iter_mut().for_each(Player::leave);
        Ok(outcome)
    }

    /// Tells everybody of a moment: the players, each what it may know, and the observer.
    #[inline(always)]
    fn see<G: Game>(
        &mut self,
        stepper: &Stepper<G>,
        moment: &Moment<'_, G>,
    ) -> Result<(), Unfinished>
    where
        P: Player<G>,
        O: Observer<G>,
    {
        if LISTENING {
            for (seat, player) in Seat::all(self.players.len()).zip(&mut *self.players) {
                stepper.tell(seat, player, moment);
            }
        }
        match self.observer.see(&stepper.game, moment) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Unfinished::Stopped),
        }
    }
}
