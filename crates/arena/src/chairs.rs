//! The players at a table, who stay from game to game and change seats, and how long the house waits
//! for them.
//!
//! A program that hangs would cost its time limit at every decision. So in a contest who has been late
//! several times in a row is not asked again in that block: each of its decisions there is a fault, as
//! it would have been. What counts is how often it was late and not how long that took, so the result
//! of a block does not depend on how busy the machine is.

use std::time::Duration;

use croupier_bots::{Fault, Hosted, House, Ledger, NotTaken, Program, Seating, Speech, Times};
use croupier_core::{
    Event, Foul, FoulKind, Heard, NoMove, Observer, Outcome, Player, Seat, Seed, Stepper, Thought,
    Turn, Unfinished, play_on,
};

/// How often a game is played again when the machine failed in it.
pub const TRIES: usize = 3;

/// The players at a table.
#[derive(Default)]
pub struct Chairs<G: Hosted>(Vec<Chair<G>>);

/// So often in a row may a player be late in a block.
const MOST_LATE: u32 = 3;

/// A chair at a table.
pub struct Chair<G: Hosted> {
    /// Who sits in it; none if nobody is asked.
    player: Option<Box<dyn Player<G>>>,
    /// Where its faults are noted, if it is a program.
    ledger: Ledger,
    /// Whether it notes its faults itself.
    notes_faults: bool,
    patience: Patience,
}

/// How patient the house still is with a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Patience {
    /// Whether the player is suspended from the contest.
    is_suspended: bool,
    /// So often in a row may it be late, if that matters.
    most_late: Option<u32>,
    /// How often in a row it was late.
    late: u32,
    /// Whether it was asked for the decision that was due last.
    asked: bool,
    /// How many of its faults are noted nowhere else.
    unnoted: u64,
}

impl Patience {
    /// At the beginning of a block.
    pub(crate) fn in_a_block(is_suspended: bool) -> Patience {
        Patience {
            is_suspended,
            most_late: Some(MOST_LATE),
            ..Patience::default()
        }
    }

    /// Whether the player is still asked.
    #[inline]
    fn is_left(&self) -> bool {
        !self.is_suspended && self.most_late.is_none_or(|most| self.late < most)
    }

    /// The foul that each decision is for which the player is not asked.
    #[cold]
    fn foul(&self) -> Foul {
        let (kind, detail) = if self.is_suspended {
            (FoulKind::Start, "it is suspended and not asked".to_owned())
        } else {
            let late = self.late;
            let detail = format!("it was late {late} times in a row and is not asked again");
            (FoulKind::Timeout, detail)
        };
        Foul { kind, detail }
    }
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
    /// How many faults of the player in every seat there were besides.
    pub unnoted: Vec<u64>,
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
    /// A chair in which nobody sits who is asked.
    pub(crate) fn empty() -> Chair<G> {
        Chair {
            player: None,
            ledger: Ledger::default(),
            notes_faults: false,
            patience: Patience::default(),
        }
    }

    /// A chair for a player of ours, or a person.
    pub fn of(player: Box<dyn Player<G>>) -> Chair<G> {
        Chair {
            player: Some(player),
            ..Chair::empty()
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
            player: Some(seating.seat(program, speech, setup)?),
            ledger,
            notes_faults: true,
            patience: Patience::default(),
        })
    }

    /// The same chair, for which the house has this patience.
    pub(crate) fn with(self, patience: Patience) -> Chair<G> {
        Chair { patience, ..self }
    }

    /// Whether somebody sits in it who is asked.
    pub(crate) fn is_taken(&self) -> bool {
        self.player.is_some()
    }
}

/// A player is asked as long as the house is patient with it.
impl<G: Hosted> Player<G> for Chair<G> {
    fn start(&mut self, seat: Seat, chance: Seed) {
        if !self.patience.is_left() {
            // A process that hangs would go on until the block is over.
            self.player = None;
        }
        if let Some(player) = &mut self.player {
            player.start(seat, chance);
        }
    }

    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        self.patience.asked = self.patience.is_left();
        if !self.patience.asked {
            self.patience.unnoted += 1;
            return Err(NoMove::Foul(self.patience.foul()));
        }
        let Some(player) = &mut self.player else {
            return Err(NoMove::Void("nobody sits in this chair".to_owned()));
        };
        let choice = player.decide(turn);
        let is_late = matches!(&choice, Err(NoMove::Foul(foul)) if foul.kind == FoulKind::Timeout);
        self.patience.late = if is_late { self.patience.late + 1 } else { 0 };
        let is_unnoted = !self.notes_faults && matches!(choice, Err(NoMove::Foul(_)));
        self.patience.unnoted += u64::from(is_unnoted);
        choice
    }

    fn listens(&self) -> bool {
        self.player.as_ref().is_some_and(Player::listens)
    }

    fn hear(&mut self, heard: &Heard<'_, G>) {
        // A foul for which it was not even asked is none of its business.
        let own = matches!(heard.event(), Event::Fouled { seat, .. } if *seat == heard.seat());
        let player = self.player.as_mut();
        if let Some(player) = player.filter(|_| self.patience.asked || !own) {
            player.hear(heard);
        }
    }

    fn leave(&mut self) {
        if let Some(player) = &mut self.player {
            player.leave();
        }
    }

    fn clock(&self) -> Option<Duration> {
        self.player.as_ref().and_then(Player::clock)
    }

    fn thoughts(&self) -> &[Thought<G::Move>] {
        self.player.as_ref().map_or(&[], Player::thoughts)
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
        for (number, Chair { player, ledger, .. }) in self.0.into_iter().enumerate() {
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
        let patience: Vec<Patience> = self.0.iter().map(|chair| chair.patience).collect();
        let mut reason = String::new();
        for _ in 0..TRIES {
            for (chair, patience) in self.0.iter_mut().zip(&patience) {
                chair.patience = *patience;
            }
            let mut observer = looks_on();
            let result = self.try_to_play(dealing, house, &mut observer);
            let faults = self.take_faults(dealing.order);
            match result {
                _ if house.is_stopped() => return Err(Unplayed::Stopped),
                Ok(outcome) => {
                    return Ok(PlayedGame {
                        outcome: by_player(&outcome, dealing.order),
                        faults,
                        unnoted: self.take_unnoted(dealing.order),
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
            chair.start(seat, dealing.chance.player(seat));
            players.push(chair);
        }
        let game = G::deal(dealing.setup, dealing.seed);
        let stepper = Stepper::cancelled_by(game, house.cancel());
        play_on(stepper, &mut players, observer)
    }

    fn take_unnoted(&mut self, order: &[usize]) -> Vec<u64> {
        let unnoted = |&player: &usize| std::mem::take(&mut self.0[player].patience.unnoted);
        order.iter().map(unnoted).collect()
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
