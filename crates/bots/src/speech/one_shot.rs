//! A process for every decision: the question on its standard input, the answer on its output.

use std::marker::PhantomData;
use std::time::Duration;

use croupier_core::{Foul, FoulKind, Game, Heard, NoMove, Player, Seat, Seed, Turn};

use super::{Seating, own_foul, void};
use crate::fault::{Bytes, Exchange, blame, with_errors};
use crate::{Bot, Silence, Speech};

/// The question and the answer of a game whose programs are started for every decision.
pub trait OneShot: Game {
    /// What the program reads.
    fn question(view: &Self::View) -> String;
    /// The move in what it printed; a foul if it cannot be read, or can be no move at all.
    fn answer(view: &Self::View, output: &[u8]) -> Result<Self::Move, Foul>;
}

/// A player whose program is started for every decision.
#[derive(Debug)]
pub struct OneShotPlayer<G> {
    bot: Bot,
    seating: Seating,
    game: PhantomData<fn() -> G>,
}

impl<G: OneShot> OneShotPlayer<G> {
    /// Seats a program.
    pub fn new(bot: Bot, seating: Seating) -> OneShotPlayer<G> {
        OneShotPlayer {
            bot,
            seating,
            game: PhantomData,
        }
    }
}

impl<G: OneShot> Player<G> for OneShotPlayer<G> {
    fn start(&mut self, _: Seat, _: Seed) {
        self.seating.start();
    }

    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        let view = turn.view();
        let question = G::question(&view).into_bytes();
        let time = self.seating.time();
        let run = self.bot.run(&[], &question, time).map_err(void)?;
        if run.silence == Some(Silence::Interrupted) {
            return Err(NoMove::Stopped);
        }
        self.seating.spend(run.took);
        let legal = turn.legal_moves();
        self.seating.last = Exchange {
            input: Bytes(question),
            answer: Bytes(run.output.clone()),
            errors: run.errors.text(),
            took: run.took,
            ended: run.ended.clone(),
            legal: legal.iter().map(ToString::to_string).collect(),
            ..Exchange::default()
        };
        let answer = G::answer(&view, &run.output);
        let foul = match (run.silence, answer) {
            (None, Ok(choice)) => return Ok(choice),
            // A readable answer stands, whatever became of the program.
            (None, Err(foul)) if foul.kind == FoulKind::Illegal => return Err(NoMove::Foul(foul)),
            (silence, answer) => {
                let unreadable = match answer {
                    Err(foul) if foul.kind == FoulKind::Malformed => foul.detail,
                    _ => String::new(),
                };
                let limits = &self.seating.house.limits;
                blame(
                    silence.as_ref(),
                    run.ended.as_ref(),
                    limits,
                    time,
                    &unreadable,
                )
            }
        };
        Err(NoMove::Foul(with_errors(foul, &self.seating.last.errors)))
    }

    fn clock(&self) -> Option<Duration> {
        Some(self.seating.time())
    }

    fn listens(&self) -> bool {
        true
    }

    fn hear(&mut self, heard: &Heard<'_, G>) {
        if let Some(foul) = own_foul(heard) {
            self.seating
                .note(foul, &self.bot.program().source, Speech::Own);
        }
    }
}
