//! Foreign programs at tables.
//!
//! A table knows no types of any game, and a program is spoken to by a player that does. So a seated
//! program follows the game in a game of its own, move by move, as the table tells it. That is also how
//! it comes back to a table that it did not see from the beginning: it is told everything again.

use std::sync::Arc;

use croupier_bots::{Fault, Hosted, House, Interrupt, Ledger, Program, Seating, Speech};
use croupier_core::{Event, Foul, Game, Header, Moment, NoMove, Player, Seat, Seed, Step, Stepper};

/// A program that may sit at tables.
#[derive(Clone)]
pub struct Guest {
    /// The name under which it is offered, and sits.
    pub name: String,
    /// The name of the game that it plays.
    pub game: &'static str,
    seat: Arc<SitDown>,
}

/// Seats a program at a table where this is played, in this seat.
type SitDown = dyn Fn(&Header, Seat) -> Result<Box<dyn Seated>, String> + Send + Sync;

impl std::fmt::Debug for Guest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} at {}", self.name, self.game)
    }
}

impl Guest {
    /// A program that plays `G` when it is spoken to like this, held as this house says.
    pub fn new<G: Hosted>(name: String, program: Program, speech: Speech, house: House) -> Guest {
        Guest {
            name,
            game: G::PROFILE.name,
            seat: Arc::new(move |header, seat| {
                let guest = Follower::<G>::sit_down(&program, speech, &house, header, seat)?;
                Ok(Box::new(guest))
            }),
        }
    }

    /// Seats it at a table at which this is played; tells why if it cannot.
    pub(crate) fn seat(&self, header: &Header, seat: Seat) -> Result<Box<dyn Seated>, String> {
        (self.seat)(header, seat)
    }
}

/// A program that sits at a table.
pub(crate) trait Seated: Send {
    /// Asks it for a move after all these events of the table, of which it may have heard the first
    /// ones before.
    fn decide(&mut self, events: &[Event]) -> Result<String, Unanswered>;

    /// Tells it of all these events of the table, of which it may have heard the first ones before.
    fn hear(&mut self, events: &[Event]) -> Result<(), String>;

    /// The faults of it since this was last asked, as far as it has heard of its fouls.
    fn faults(&self) -> Vec<Fault>;

    /// What stops it from outside while it is asked.
    fn interrupt(&self) -> Interrupt;
}

/// Why a seated program gave no move.
pub(crate) enum Unanswered {
    /// A foul of its own.
    Foul(Foul),
    /// Something else: it cannot play on.
    Trouble(String),
}

struct Follower<G: Game> {
    stepper: Stepper<G>,
    heard: usize,
    seat: Seat,
    player: Box<dyn Player<G>>,
    listens: bool,
    interrupt: Interrupt,
    ledger: Ledger,
}

impl<G: Hosted> Follower<G> {
    fn sit_down(
        program: &Program,
        speech: Speech,
        house: &House,
        header: &Header,
        seat: Seat,
    ) -> Result<Follower<G>, String> {
        let wrong = |error: &dyn std::fmt::Display| error.to_string();
        let setup: G::Setup =
            serde_json::from_value(header.setup.clone()).map_err(|error| wrong(&error))?;
        let interrupt = Interrupt::new().map_err(|error| wrong(&error))?;
        let house = House {
            interrupt: Some(interrupt.clone()),
            ..house.clone()
        };
        let ledger = Ledger::default();
        let seating = Seating::new(&ledger, &house);
        let player = seating.seat::<G>(program.clone(), speech, &setup);
        let mut player = player.map_err(|error| wrong(&error))?;
        player.start(seat, chance(header).player(seat));
        let stepper =
            Stepper::cancelled_by(G::deal(&setup, header.seed), interrupt.cancel().clone());
        stepper.tell(seat, &mut player, &Moment::Dealt);
        Ok(Follower {
            listens: player.listens(),
            stepper,
            heard: 0,
            seat,
            player,
            interrupt,
            ledger,
        })
    }

    /// Follows one event of the table.
    fn follow(&mut self, event: &Event) -> Result<(), String> {
        let answer = match event {
            Event::Played {
                choice: Some(choice),
                ..
            } => {
                let read: Result<G::Move, _> = choice.parse();
                Ok(read.map_err(|_| format!("'{choice}' is no move of this game"))?)
            }
            Event::Fouled { foul, .. } => Err(NoMove::Foul(foul.clone())),
            _ => return Ok(()),
        };
        self.ask_for_the_turn();
        let step = self
            .stepper
            .answer(answer)
            .map_err(|error| error.to_string())?;
        self.tell(&step);
        if let Some(outcome) = self.stepper.outcome() {
            let over = Moment::Over(&outcome);
            self.stepper.tell(self.seat, &mut self.player, &over);
            self.player.leave();
        }
        Ok(())
    }

    fn ask_for_the_turn(&mut self) {
        if self.listens
            && let Some(turn) = self.stepper.turn()
        {
            let asked = Moment::Asked(turn.seat(), None);
            self.stepper.tell(self.seat, &mut self.player, &asked);
        }
    }

    fn tell(&mut self, step: &Step<G::Move>) {
        if self.listens {
            self.stepper
                .tell(self.seat, &mut self.player, &step.moment());
        }
    }
}

/// The chance of a seated player comes from the seed of the deal, as in a match.
fn chance(header: &Header) -> Seed {
    header.seed
}

impl<G: Hosted> Seated for Follower<G> {
    fn decide(&mut self, events: &[Event]) -> Result<String, Unanswered> {
        self.hear(events).map_err(Unanswered::Trouble)?;
        let Some(turn) = self.stepper.turn() else {
            return Err(Unanswered::Trouble("the game is over".to_owned()));
        };
        if turn.seat() != self.seat {
            return Err(Unanswered::Trouble("it is not its turn".to_owned()));
        }
        match self.player.decide(&turn) {
            Ok(choice) => match turn.check(choice) {
                Ok(()) => Ok(choice.to_string()),
                Err(rule) => Err(Unanswered::Foul(Foul {
                    kind: croupier_core::FoulKind::Illegal,
                    detail: format!("{choice}: {rule}"),
                })),
            },
            Err(NoMove::Foul(foul)) => Err(Unanswered::Foul(foul)),
            Err(NoMove::Void(reason)) => Err(Unanswered::Trouble(reason)),
            Err(NoMove::Left | NoMove::Stopped) => {
                Err(Unanswered::Trouble("it was stopped".to_owned()))
            }
        }
    }

    fn hear(&mut self, events: &[Event]) -> Result<(), String> {
        for event in events.iter().skip(self.heard) {
            self.follow(event)?;
            self.heard += 1;
        }
        Ok(())
    }

    fn faults(&self) -> Vec<Fault> {
        self.ledger.take()
    }

    fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }
}
