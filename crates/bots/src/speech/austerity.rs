//! Austerity's own protocol: a process for every game, told everything, asked in its turn.

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use croupier_core::{Failure, Foul, FoulKind, Game, Moment, Observer, Player, Seat, Seed, Turn};
use croupier_games::austerity::wire::{Answer, Message};
use croupier_games::austerity::{Austerity, Move, News, Setup, Trio, View};

use super::{Foreign, Hosted, Seating, void};
use crate::fault::{Bytes, Exchange, blame, shown, with_errors};
use crate::{Bot, Process, Silence, Speech, see_off};

/// How long a program may take to end when the game is over.
const FAREWELL: Duration = Duration::from_secs(2);

impl Hosted for Austerity {
    const QUESTIONS_STAND_ALONE: bool = false;

    fn in_its_own_speech(bot: Bot, seating: Seating, setup: &Setup) -> Foreign<Austerity> {
        let players = Austerity::deal(setup, Seed(0)).seats();
        let wire = Arc::new(Mutex::new(Wire::default()));
        let player = ProgramPlayer {
            bot,
            seating,
            players,
            wire: Arc::clone(&wire),
        };
        Foreign {
            player: Box::new(player),
            listener: Some(Box::new(Told { wire, before: None })),
        }
    }
}

/// The line to the program. The one who asks and the one who tells hold it together.
#[derive(Debug, Default)]
struct Wire {
    process: Option<Process>,
    sent: Vec<u8>,
    /// When the program has to have ended, once it was told that the game is over.
    farewell: Option<Instant>,
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

impl Drop for Wire {
    /// All programs at a table are told the end at the same time, so all go in the same time.
    fn drop(&mut self) {
        if let Some((process, until)) = self.process.as_mut().zip(self.farewell) {
            let _ = see_off(std::slice::from_mut(process), until);
        }
    }
}

fn held(wire: &Mutex<Wire>) -> MutexGuard<'_, Wire> {
    wire.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Asks the program.
#[derive(Debug)]
struct ProgramPlayer {
    bot: Bot,
    seating: Seating,
    players: usize,
    wire: Arc<Mutex<Wire>>,
}

impl Player<Austerity> for ProgramPlayer {
    fn start(&mut self, seat: Seat, _: Seed) {
        self.seating.start();
        let arguments = [self.players.to_string(), seat.to_string()];
        self.seating.last.arguments = arguments.to_vec();
        let mut wire = held(&self.wire);
        *wire = Wire::default();
        // What fails here fails again when the first move is asked for, where it can be told.
        wire.process = self.bot.open(&arguments, true).ok();
    }

    fn decide(&mut self, turn: &Turn<'_, Austerity>) -> Result<Move, Failure> {
        let mut wire = held(&self.wire);
        let time = self.seating.time();
        wire.say(&Message::DoWhat);
        let mut legal = Vec::new();
        turn.legal(&mut legal);
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
            return Err(Failure::Void(reason));
        };
        let line = process.line(time, interrupt).map_err(void)?;
        exchange.took = asked.elapsed();
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
                read(&line, &turn.view(), &legal)
            }
            Err(Silence::Interrupted) => {
                return Err(Failure::Void("the match was stopped".to_owned()));
            }
            Err(silence) => {
                let limits = &self.seating.house.limits;
                let silence = Some(&silence).filter(|silence| **silence != Silence::Closed);
                let closed = "it closed its output without an answer";
                exchange.answer = Bytes(process.take_output());
                let foul = blame(silence, process.ended_by_itself(), limits, time, closed);
                Err(with_errors(foul, &exchange.errors))
            }
        };
        self.seating.spend(exchange.took);
        self.seating.last = exchange;
        answer.map_err(Failure::Foul)
    }

    fn fouled(&mut self, foul: &Foul, _: Option<Move>) {
        let arguments = self.seating.last.arguments.clone();
        self.seating.note(foul, &self.bot, Speech::Own);
        self.seating.last.arguments = arguments;
    }
}

/// The move that a line tells. How a card is paid for must be exactly right, if it can be bought.
fn read(line: &[u8], view: &View, legal: &[Move]) -> Result<Move, Foul> {
    let foul = |kind, detail| Foul { kind, detail };
    let shown = shown(line);
    let answer = Answer::parse(line)
        .map_err(|garbled| foul(FoulKind::Malformed, format!("'{shown}': {garbled}")))?;
    let choice = match answer {
        Answer::Purchase { place, .. } => Move::Purchase(place as u8),
        Answer::Take(tokens) => {
            let rule = "tokens are taken one each of three different colours";
            let trio = Trio::of(tokens);
            Move::Take(trio.ok_or_else(|| foul(FoulKind::Illegal, format!("{shown}: {rule}")))?)
        }
        Answer::Wild => Move::Wild,
    };
    let right = Answer::of(choice, view);
    if answer != right && legal.contains(&choice) {
        let detail = format!("{shown}: the right payment is {right}");
        return Err(foul(FoulKind::Illegal, detail));
    }
    Ok(choice)
}

/// Tells the program everything that happens.
struct Told {
    wire: Arc<Mutex<Wire>>,
    /// The game before the turn that is told next.
    before: Option<Austerity>,
}

impl Observer<Austerity> for Told {
    fn see(&mut self, game: &Austerity, moment: &Moment<'_, Austerity>) -> ControlFlow<()> {
        let mut wire = held(&self.wire);
        match moment {
            Moment::Dealt => game.opening().for_each(|message| wire.say(&message)),
            Moment::Played(_, choice) => {
                let news = self
                    .before
                    .as_mut()
                    .and_then(|game| game.turn(*choice).ok());
                let messages = news.iter().flat_map(News::messages);
                messages.for_each(|message| wire.say(&message));
            }
            Moment::Fouled(..) => {}
            Moment::Over(_) => {
                wire.say(&Message::Eog);
                wire.farewell = Some(Instant::now() + FAREWELL);
                if let Some(process) = &mut wire.process {
                    process.close_input();
                }
            }
        }
        self.before = Some(game.clone());
        ControlFlow::Continue(())
    }
}
