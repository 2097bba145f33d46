//! The players at a table, who stay from game to game and change seats.

use croupier_bots::{Fault, Hosted, House, Ledger, NotTaken, Program, Seating, Speech, Times};
use croupier_core::{Observer, Outcome, Player, Seat, Seed, Stepper, Unfinished, play_on};

/// How often a game is played again when the machine failed in it.
pub const TRIES: usize = 3;

/// The players at a table.
#[derive(Default)]
pub struct Chairs<G: Hosted>(Vec<Chair<G>>);

/// A player at a table, and where its faults are noted.
pub struct Chair<G: Hosted> {
    player: Box<dyn Player<G>>,
    ledger: Ledger,
}

/// A game that is to be played.
#[derive(Debug)]
pub struct Dealing<'a, G: Hosted> {
    /// The setup.
    pub setup: &'a G::Setup,
    /// The seed of the deal.
    pub seed: Seed,
    /// The seed from which the players get their chance.
    pub chance: Seed,
    /// The player in every seat, by number.
    pub order: &'a [usize],
}

/// A game that has been played to its end.
#[derive(Debug)]
pub struct PlayedGame<O> {
    /// How it ended, by player instead of by seat.
    pub outcome: Outcome,
    /// Whose faults there were: the seat, the player and what happened.
    pub faults: Vec<(Seat, usize, Fault)>,
    /// Who looked on.
    pub observer: O,
}

/// Why a game or a block was not played.
#[derive(Debug, thiserror::Error)]
pub enum Unplayed {
    /// Somebody wanted to stop.
    #[error("the contest was stopped")]
    Stopped,
    /// A player has left the table.
    #[error("a player has left the table")]
    Left,
    /// The machine failed, again and again.
    #[error("a game could not be played: {0}")]
    Machine(String),
    /// A program could not be taken on.
    #[error(transparent)]
    NotTaken(#[from] NotTaken),
}

impl<G: Hosted> Chair<G> {
    /// A chair for a player of ours, or a person.
    pub fn of(player: Box<dyn Player<G>>) -> Chair<G> {
        Chair {
            player,
            ledger: Ledger::default(),
        }
    }

    /// A chair for a program, which is taken on in this house.
    pub fn of_program(
        program: Program,
        speech: Speech,
        house: &House,
        setup: &G::Setup,
    ) -> Result<Chair<G>, NotTaken> {
        let ledger = Ledger::default();
        let seating = Seating::new(&ledger, house);
        Ok(Chair {
            player: seating.seat(program, speech, setup)?,
            ledger,
        })
    }
}

impl<G: Hosted> Chairs<G> {
    /// These players, numbered from 0.
    pub fn new(chairs: Vec<Chair<G>>) -> Chairs<G> {
        Chairs(chairs)
    }

    /// Takes all players from the table.
    pub fn into_inner(self) -> Vec<Chair<G>> {
        self.0
    }

    /// How long the decisions of each player took since that was asked last.
    pub fn take_times(&self) -> Vec<Times> {
        self.0
            .iter()
            .map(|chair| chair.ledger.take_times())
            .collect()
    }

    /// Sends everybody home; tells the number and the faults of those who did not go well.
    pub fn leave(self) -> Vec<(usize, Fault)> {
        let mut faults = Vec::new();
        for (number, Chair { player, ledger }) in self.0.into_iter().enumerate() {
            drop(player);
            faults.extend(ledger.take().into_iter().map(|fault| (number, fault)));
        }
        faults
    }

    /// Plays a game in this house; once more if the machine fails. Each time somebody new looks on.
    pub fn play<O: Observer<G>>(
        &mut self,
        dealing: &Dealing<'_, G>,
        house: &House,
        mut looks_on: impl FnMut() -> O,
    ) -> Result<PlayedGame<O>, Unplayed> {
        let mut reason = String::new();
        for _ in 0..TRIES {
            let mut observer = looks_on();
            let result = self.try_to_play(dealing, house, &mut observer);
            let faults = self.take_faults(dealing.order);
            match result {
                _ if house.is_stopped() => return Err(Unplayed::Stopped),
                Ok(outcome) => {
                    return Ok(PlayedGame {
                        outcome: by_player(&outcome, dealing.order),
                        faults,
                        observer,
                    });
                }
                Err(Unfinished::Stopped) => return Err(Unplayed::Stopped),
                Err(Unfinished::Left) => return Err(Unplayed::Left),
                Err(Unfinished::Void(why)) => reason = why,
            }
        }
        Err(Unplayed::Machine(reason))
    }

    fn try_to_play(
        &mut self,
        dealing: &Dealing<'_, G>,
        house: &House,
        observer: &mut impl Observer<G>,
    ) -> Result<Outcome, Unfinished> {
        let mut free: Vec<_> = self.0.iter_mut().map(Some).collect();
        let mut players = Vec::with_capacity(dealing.order.len());
        for (&number, seat) in dealing.order.iter().zip(Seat::all(dealing.order.len())) {
            let chair = free[number].take().expect("each sits once");
            chair.player.start(seat, dealing.chance.player(seat));
            players.push(&mut chair.player);
        }
        let game = G::deal(dealing.setup, dealing.seed);
        let stepper = Stepper::cancelled_by(game, house.cancel());
        play_on(stepper, &mut players, observer)
    }

    fn take_faults(&self, order: &[usize]) -> Vec<(Seat, usize, Fault)> {
        let mut faults = Vec::new();
        for (seat, &player) in Seat::all(order.len()).zip(order) {
            let noted = self.0[player].ledger.take();
            faults.extend(noted.into_iter().map(|fault| (seat, player, fault)));
        }
        faults
    }
}

/// An outcome by player instead of by seat.
fn by_player(outcome: &Outcome, order: &[usize]) -> Outcome {
    let mut result = outcome.clone();
    for (seat, &player) in order.iter().enumerate() {
        result.scores[player] = outcome.scores[seat];
        result.places[player] = outcome.places[seat];
    }
    result
}
