//! A process for every decision: the question on its standard input, the answer on its output.

use std::marker::PhantomData;

use croupier_core::{Failure, Foul, Game, Player, Seat, Seed, Turn};

use super::{Seating, void};
use crate::fault::{Bytes, Exchange, blame, kept};
use crate::{Bot, Silence, Speech};

/// The question and the answer of a game whose programs are started for every decision.
pub trait OneShot: Game {
    /// What the program reads.
    fn question(view: &Self::View) -> String;
    /// The move in what it printed, or why there is none.
    fn answer(view: &Self::View, output: &[u8]) -> Result<Self::Move, String>;
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

    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, Failure> {
        let view = turn.view();
        let question = G::question(&view).into_bytes();
        let time = self.seating.time();
        let run = self.bot.run(&[], &question, time).map_err(void)?;
        if run.silence == Some(Silence::Interrupted) {
            return Err(Failure::Void("the match was stopped".to_owned()));
        }
        self.seating.spend(run.took);
        let mut legal = Vec::new();
        turn.legal(&mut legal);
        self.seating.last = Exchange {
            arguments: Vec::new(),
            input: Bytes(question),
            answer: Bytes(run.output.clone()),
            errors: kept(&run.errors),
            took: run.took,
            ended: run.ended.clone(),
            legal: legal.iter().map(ToString::to_string).collect(),
        };
        let answer = G::answer(&view, &run.output);
        match (run.silence, answer) {
            (None, Ok(choice)) => Ok(choice),
            (silence, answer) => {
                let unreadable = answer.err().unwrap_or_default();
                let limits = &self.seating.house.limits;
                let foul = blame(
                    silence.as_ref(),
                    run.ended.as_ref(),
                    limits,
                    time,
                    &unreadable,
                );
                Err(Failure::Foul(foul))
            }
        }
    }

    fn fouled(&mut self, foul: &Foul, _: Option<G::Move>) {
        self.seating.note(foul, &self.bot, Speech::Own);
    }
}
