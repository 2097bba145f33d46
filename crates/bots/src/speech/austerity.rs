//! Austerity's own protocol: a process for every game, told everything, asked in its turn.

use std::time::{Duration, Instant};

use croupier_core::{Event, Foul, FoulKind, Game, Heard, NoMove, Player, Seat, Seed, Turn};
use croupier_games::austerity::wire::{Answer, Message};
use croupier_games::austerity::{Austerity, Move, Setup, View};

use super::{Farewell, Hosted, Seating, void};
use crate::fault::{Bytes, Exchange, blame, shown, with_errors, with_unfinished};
use crate::{Bot, Process, Silence, Speech, see_off};

impl Hosted for Austerity {
    const QUESTIONS_STAND_ALONE: bool = false;

    fn in_its_own_speech(bot: Bot, seating: Seating, setup: &Setup) -> Box<dyn Player<Austerity>> {
        Box::new(ProgramPlayer {
            bot,
            seating,
            players: Austerity::deal(setup, Seed(0)).seats(),
            lost: None,
            wire: Wire::default(),
            before: None,
        })
    }

    fn answers(input: &[u8]) -> Option<usize> {
        let is = |line: &[u8], message: Message| line == message.to_string().as_bytes();
        let lines = || input.split(|&byte| byte == b'\n');
        let over = lines().any(|line| is(line, Message::Eog));
        (!over).then(|| lines().filter(|line| is(line, Message::DoWhat)).count())
    }
}

/// The line to the program.
#[derive(Debug, Default)]
struct Wire {
    process: Option<Process>,
    sent: Vec<u8>,
    /// When the program was told that the game is over.
    told_the_end: Option<Instant>,
}

impl Wire {
    fn say(&mut self, message: &Message) {
        let line = format!("{message}\n");
        self.sent.extend_from_slice(line.as_bytes());
        if let Some(process) = &mut self.process {
            process.send(line.as_bytes());
        }
    }
}

/// A program at the table.
#[derive(Debug)]
struct ProgramPlayer {
    bot: Bot,
    seating: Seating,
    players: usize,
    /// What is said when the program is asked again from which nothing more can come. That is the
    /// fault that was noted before, and no other.
    lost: Option<Foul>,
    wire: Wire,
    /// What the program saw before the turn that it is told of next.
    before: Option<View>,
}

impl Player<Austerity> for ProgramPlayer {
    fn start(&mut self, seat: Seat, _: Seed) {
        self.seating.start();
        let arguments = [self.players.to_string(), seat.to_string()];
        self.seating.last.arguments = arguments.to_vec();
        self.lost = None;
        self.wire = Wire::default();
        // What fails here fails again when the first move is asked for, where it can be told.
        self.wire.process = self.bot.open(&arguments, true).ok();
    }

    fn decide(&mut self, turn: &Turn<'_, Austerity>) -> Result<Move, NoMove> {
        if let Some(lost) = &self.lost {
            return Err(NoMove::Foul(lost.clone()));
        }
        let wire = &mut self.wire;
        let time = self.seating.time();
        wire.say(&Message::DoWhat);
        let legal = turn.legal_moves();
        let mut exchange = Exchange {
            arguments: std::mem::take(&mut self.seating.last.arguments),
            input: Bytes(wire.sent.clone()),
            legal: legal.iter().map(ToString::to_string).collect(),
            ..Exchange::default()
        };
        let interrupt = self.seating.house.interrupt.as_ref();
        let asked = Instant::now();
        let Some(process) = &mut wire.process else {
            let reason = "no process could be started".to_owned();
            return Err(NoMove::Void(reason));
        };
        let line = process.line(time, interrupt).map_err(void)?;
        exchange.took = asked.elapsed();
        if line.is_err() {
            exchange.answer = Bytes(process.take_output());
        }
        if line == Err(Silence::Closed) {
            // It may be about to end, and how it ends tells what was wrong.
            let soon = Instant::now() + Duration::from_millis(100);
            see_off(std::slice::from_mut(process), soon).map_err(void)?;
        }
        exchange.errors = process.errors().text();
        exchange.ended = process.ended().cloned();
        let answer = match line {
            Ok(line) => {
                exchange.answer = Bytes(line.clone());
                read(&line, &turn.view())
            }
            Err(Silence::Interrupted) => {
                return Err(NoMove::Stopped);
            }
            Err(silence) => {
                let limits = &self.seating.house.limits;
                let silence = Some(&silence).filter(|silence| **silence != Silence::Closed);
                let closed = "it closed its output without an answer";
                let foul = blame(silence, process.ended_by_itself(), limits, time, closed);
                let foul = with_unfinished(foul, &exchange.answer.0);
                self.lost = Some(Foul {
                    kind: foul.kind,
                    detail: "it is no longer there".to_owned(),
                });
                Err(with_errors(foul, &exchange.errors))
            }
        };
        self.seating.spend(exchange.took);
        self.seating.last = exchange;
        answer.map_err(NoMove::Foul)
    }

    fn clock(&self) -> Option<Duration> {
        Some(self.seating.time())
    }

    fn listens(&self) -> bool {
        true
    }

    /// The program is told everything that all players are told.
    fn hear(&mut self, heard: &Heard<'_, Austerity>) {
        let view = heard.view();
        match heard.event() {
            Event::Dealt => view.opening().for_each(|message| self.wire.say(&message)),
            Event::Played {
                seat,
                choice: Some(choice),
            } => {
                let before = self.before.as_ref();
                let news = before.map(|before| before.news(*seat, *choice, &view));
                let messages = news.iter().flat_map(|news| news.messages());
                messages.for_each(|message| self.wire.say(&message));
            }
            Event::Fouled { seat, foul, .. }
                if *seat == heard.seat() && self.lost.as_ref() != Some(foul) =>
            {
                let arguments = self.seating.last.arguments.clone();
                self.seating.note(foul, &self.bot, Speech::Own);
                self.seating.last.arguments = arguments;
            }
            Event::Over(_) => {
                self.wire.say(&Message::Eog);
                self.wire.told_the_end = Some(Instant::now());
                if let Some(process) = &mut self.wire.process {
                    process.close_input();
                }
            }
            _ => {}
        }
        self.before = Some(view);
    }

    /// All programs at a table have been told the end by now, so all go in the same time.
    fn leave(&mut self) {
        let mut wire = std::mem::take(&mut self.wire);
        if let Some((process, told)) = wire.process.as_mut().zip(wire.told_the_end)
            && self.lost.is_none()
        {
            let farewell = Farewell {
                process,
                word: "eog",
                told,
                sent: &wire.sent,
                arguments: std::mem::take(&mut self.seating.last.arguments),
            };
            self.seating.see_out(farewell, &self.bot, Speech::Own);
        }
    }
}

/// The move that a line tells.
fn read(line: &[u8], view: &View) -> Result<Move, Foul> {
    let foul = |kind, detail| Foul { kind, detail };
    let shown = shown(line);
    let answer = Answer::parse(line)
        .map_err(|garbled| foul(FoulKind::Malformed, format!("'{shown}': {garbled}")))?;
    let choice = answer.choice(view);
    choice.map_err(|rule| foul(FoulKind::Illegal, format!("{shown}: {rule}")))
}
