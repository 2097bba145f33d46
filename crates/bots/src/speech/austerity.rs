//! Austerity's own protocol: a process for every game, told everything, asked in its turn.

use std::time::{Duration, Instant};

use croupier_core::{Event, Foul, FoulKind, Game, Heard, NoMove, Player, Seat, Seed, Turn};
use croupier_games::austerity::wire::{Answer, Message, News};
use croupier_games::austerity::{Austerity, Move, Setup, View};

use super::{CLOSED, Farewell, Hosted, Seating, unanswered, void};
use crate::fault::{Bytes, Exchange, shown};
use crate::{Bot, Callee, Speech, Transport};

impl Hosted for Austerity {
    const SPEECH: Speech = Speech::Own;
    const QUESTIONS_STAND_ALONE: bool = false;

    fn in_its_own_speech(bot: Bot, seating: Seating, setup: &Setup) -> Box<dyn Player<Austerity>> {
        Box::new(ProgramPlayer {
            callee: Box::new(bot),
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
    transport: Option<Box<dyn Transport>>,
    sent: Vec<u8>,
    /// When the program was told that the game is over.
    told_the_end: Option<Instant>,
}

impl Wire {
    fn say(&mut self, message: &Message) {
        let line = format!("{message}\n");
        self.sent.extend_from_slice(line.as_bytes());
        if let Some(transport) = &mut self.transport {
            transport.send(line.as_bytes());
        }
    }
}

/// A program at the table.
#[derive(Debug)]
struct ProgramPlayer {
    callee: Box<dyn Callee>,
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
        self.wire.transport = self.callee.call(&arguments).ok();
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
        let Some(transport) = &mut wire.transport else {
            let reason = "no process could be started".to_owned();
            return Err(NoMove::Void(reason));
        };
        let line = transport.line(time, interrupt).map_err(void)?;
        exchange.took = asked.elapsed();
        let answer = match line {
            Ok(line) => {
                exchange.errors = transport.errors().text();
                exchange.answer = Bytes(line.clone());
                read(&line, &turn.view()).map_err(NoMove::Foul)
            }
            Err(silence) => {
                let limits = &self.seating.house.limits;
                let failed = unanswered(
                    &mut **transport,
                    &silence,
                    limits,
                    time,
                    &mut exchange,
                    CLOSED,
                );
                if let NoMove::Foul(foul) = &failed {
                    self.lost = Some(Foul {
                        kind: foul.kind,
                        detail: "it is no longer there".to_owned(),
                    });
                }
                Err(failed)
            }
        };
        self.seating.spend(exchange.took);
        self.seating.last = exchange;
        answer
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
                let messages = news.iter().flat_map(News::messages);
                messages.for_each(|message| self.wire.say(&message));
            }
            Event::Fouled { seat, foul, .. }
                if *seat == heard.seat() && self.lost.as_ref() != Some(foul) =>
            {
                let arguments = self.seating.last.arguments.clone();
                self.seating.note(foul, self.callee.source(), Speech::Own);
                self.seating.last.arguments = arguments;
            }
            Event::Over(_) => {
                self.wire.say(&Message::Eog);
                self.wire.told_the_end = Some(Instant::now());
                if let Some(transport) = &mut self.wire.transport {
                    transport.close();
                }
            }
            _ => {}
        }
        self.before = Some(view);
    }

    /// All programs at a table have been told the end by now, so all go in the same time.
    fn leave(&mut self) {
        let mut wire = std::mem::take(&mut self.wire);
        if let Some((transport, told)) = wire.transport.as_mut().zip(wire.told_the_end)
            && self.lost.is_none()
        {
            let farewell = Farewell {
                transport: &mut **transport,
                word: "eog",
                told,
                sent: &wire.sent,
                arguments: std::mem::take(&mut self.seating.last.arguments),
            };
            self.seating
                .see_out(farewell, self.callee.source(), Speech::Own);
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
