//! JSON lines: one protocol for every game, with a process that lives on.

use std::time::{Duration, Instant};

use croupier_core::{
    Event, Foul, FoulKind, Game, Heard, Instead, NoMove, Outcome, Player, Seat, Seed, Turn,
    json_trouble,
};
use serde_json::{Map, Value, json};

use super::{CLOSED, Farewell, Patience, Seating, unanswered, void};
use crate::fault::{Bytes, Exchange, shown};
use crate::{Callee, House, Silence, Speech, Transport};

/// The version of the protocol.
const PROTOCOL: u32 = 1;

/// The longest line that is read.
const LONGEST: usize = 64 << 10;

/// A player whose program speaks JSON lines.
#[derive(Debug)]
pub(super) struct JsonPlayer<G: Game> {
    callee: Box<dyn Callee>,
    seating: Seating,
    setup: G::Setup,
    hello: String,
    line: Option<Box<dyn Transport>>,
    ready: bool,
    patience: Patience,
    /// What the program calls itself, if it has said so.
    name: Option<String>,
    /// Everything that was sent to the process since its last greeting.
    sent: Vec<u8>,
    id: u64,
}

/// How many answers a program has to give to what it was sent: that it is ready, and then a move for
/// each question; none if it was told to quit.
pub(super) fn answers(input: &[u8]) -> Option<usize> {
    let lines = input.split(|&byte| byte == b'\n');
    let messages = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let types: Vec<Value> = messages.map(|message| message["type"].clone()).collect();
    let asked = |kind: &&Value| ["hello", "turn"].contains(&kind.as_str().unwrap_or_default());
    let quits = types.last().is_some_and(|last| last == "quit");
    (!quits).then(|| types.iter().filter(asked).count())
}

/// Whether a line is `ready`, a move, or nothing that this protocol knows.
pub(super) fn is_answer(line: &[u8]) -> bool {
    let said = serde_json::from_slice::<Said>(line).ok();
    let kind = said.as_ref().and_then(|said| said.get("type"));
    kind.is_none_or(|kind| kind == "ready" || kind == "move")
}

/// What a program says. Unknown fields and unknown types are ignored.
type Said = Map<String, Value>;

/// What some languages write before the first line, unless they are told not to.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl<G: Game> JsonPlayer<G> {
    /// Seats whoever answers such a call.
    pub(super) fn new(
        callee: Box<dyn Callee>,
        seating: Seating,
        setup: &G::Setup,
    ) -> JsonPlayer<G> {
        JsonPlayer {
            callee,
            seating,
            setup: setup.clone(),
            hello: String::new(),
            line: None,
            ready: false,
            patience: Patience::default(),
            name: None,
            sent: Vec::new(),
            id: 0,
        }
    }

    fn say(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.sent.extend_from_slice(line.as_bytes());
        if let Some(transport) = &mut self.line {
            transport.send(line.as_bytes());
        }
    }

    /// Greets the program, which is started first if it is not there. One that has ended since the last
    /// game is greeted too, and found out when it has to answer: whether its end is known already is a
    /// matter of time.
    fn greet(&mut self) -> Result<(), NoMove> {
        if self.line.is_none() {
            self.line = Some(self.callee.call(&[]).map_err(void)?);
        }
        self.ready = false;
        self.sent.clear();
        let hello = std::mem::take(&mut self.hello);
        self.sent.extend_from_slice(hello.as_bytes());
        if let Some(transport) = &mut self.line {
            transport.send(hello.as_bytes());
        }
        self.hello = hello;
        Ok(())
    }

    /// Waits for a message of this type.
    fn hear(&mut self, kind: &str, id: Option<u64>, time: Duration) -> Result<Said, NoMove> {
        let asked = Instant::now();
        let Some(transport) = &mut self.line else {
            return Err(NoMove::Void("no process could be started".to_owned()));
        };
        let House {
            interrupt, limits, ..
        } = &self.seating.house;
        let errors_before = transport.errors().total();
        let mut written = 0;
        let mut dropped: Option<Vec<u8>> = None;
        loop {
            let left = time.saturating_sub(asked.elapsed());
            let mut heard = transport.line(left, interrupt.as_ref());
            if let Ok(Ok(line)) = &heard {
                // Many short lines are as much as a long one.
                written += line.len() + 1;
                if written > limits.output {
                    heard = Ok(Err(Silence::TooMuchOutput));
                } else if transport.errors().total() - errors_before > limits.errors {
                    heard = Ok(Err(Silence::TooManyErrors));
                }
            }
            let exchange = &mut self.seating.last;
            exchange.took = asked.elapsed();
            let line = match heard {
                Ok(Ok(line)) => line,
                Ok(Err(silence)) => {
                    let foul =
                        unanswered(&mut **transport, &silence, limits, time, exchange, CLOSED);
                    self.line = None;
                    return Err(match dropped {
                        Some(line) => after_another(foul, &line, kind, id),
                        None => foul,
                    });
                }
                Err(fault) => {
                    self.line = None;
                    return Err(void(fault));
                }
            };
            exchange.errors = transport.errors().text();
            exchange.answer = Bytes(line.clone());
            if line.len() > LONGEST {
                return Err(foul("its line is longer than 64 KiB"));
            }
            let said: Said = match serde_json::from_slice(&line) {
                Ok(said) => said,
                Err(_) if line.starts_with(BYTE_ORDER_MARK) => {
                    return Err(foul(
                        "its line begins with a byte order mark, which is no JSON",
                    ));
                }
                Err(error) => {
                    let trouble = json_trouble(&error);
                    return Err(foul(&format!("its line is no JSON object: {trouble}")));
                }
            };
            let wanted = said.get("type").and_then(Value::as_str) == Some(kind);
            // Some languages have no whole numbers, and write 17 as 17.0.
            let answers = || said.get("id").and_then(Value::as_f64) == id.map(|id| id as f64);
            if wanted && (id.is_none() || answers()) {
                return Ok(said);
            }
            dropped = Some(line);
        }
    }

    /// Waits until the program is ready, which is started first if it is not there.
    fn make_ready(&mut self) -> Result<(), NoMove> {
        self.patience.is_left()?;
        if self.line.is_none() {
            self.greet()?;
        }
        if !self.ready {
            self.seating.last = Exchange {
                input: Bytes(self.sent.clone()),
                ..Exchange::default()
            };
            let time = self.seating.house.limits.start;
            let said = self.hear("ready", None, time);
            let said = self.patience.after(said)?;
            let name = said.get("name").and_then(Value::as_str);
            self.name = name.map(str::to_owned);
            self.ready = true;
        }
        Ok(())
    }

    /// What the program calls itself when it is greeted, if it has a name.
    pub(super) fn ask_name(mut self) -> Option<String> {
        self.start(Seat(0), Seed(0));
        self.make_ready().ok()?;
        self.name.take()
    }

    fn ask(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        self.id += 1;
        self.make_ready()?;
        let legal = turn.legal_moves();
        let legal: Vec<String> = legal.iter().map(ToString::to_string).collect();
        let (id, time) = (self.id, self.seating.time());
        let millis = time.as_millis() as u64;
        let view = turn.view();
        if let Some(transport) = &mut self.line {
            transport.ask_anew();
        }
        self.say(
            &json!({"type": "turn", "id": id, "view": view, "legal": legal, "time_ms": millis}),
        );
        self.seating.last = Exchange {
            input: Bytes(self.sent.clone()),
            legal: legal.clone(),
            ..Exchange::default()
        };
        let said = self.hear("move", Some(id), time);
        self.seating.spend(self.seating.last.took);
        let said = said?;
        let choice = said.get("move").and_then(Value::as_str);
        let choice = choice.ok_or_else(|| foul("its answer has no \"move\""))?;
        choice.parse().map_err(|_| {
            let shown = shown(choice.as_bytes());
            foul(&format!("'{shown}' is not a move of this game"))
        })
    }
}

/// The same foul of a program that has said something, but not what it was asked for.
fn after_another(no_move: NoMove, line: &[u8], kind: &str, id: Option<u64>) -> NoMove {
    let NoMove::Foul(mut foul) = no_move else {
        return no_move;
    };
    let asked = id.map_or(String::new(), |id| format!(" with the id {id}"));
    let said = format!("; it wrote '{}', no \"{kind}\"{asked}", shown(line));
    // What it wrote to its standard error stands below.
    let first = foul.detail.find('\n').unwrap_or(foul.detail.len());
    foul.detail.insert_str(first, &said);
    NoMove::Foul(foul)
}

fn foul(detail: &str) -> NoMove {
    NoMove::Foul(Foul {
        kind: FoulKind::Malformed,
        detail: detail.to_owned(),
    })
}

impl<G: Game> Player<G> for JsonPlayer<G> {
    fn start(&mut self, seat: Seat, _: Seed) {
        self.seating.start();
        let seats = G::deal(&self.setup, Seed(0)).seats();
        let hello = json!({
            "type": "hello", "protocol": PROTOCOL, "game": G::NAME,
            "seat": seat, "seats": seats, "setup": G::open_setup(&self.setup),
        });
        self.hello = format!("{hello}\n");
        self.patience = Patience::default();
        // What is sent in a game must not tell what was played before. An answer from then comes before the
        // program is ready, and is dropped.
        self.id = 0;
        // What fails here fails again when the first move is asked for, where it can be told.
        let _ = self.greet();
    }

    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        let answer = self.ask(turn);
        match answer {
            Err(_) if self.seating.house.is_stopped() => Err(NoMove::Stopped),
            answer => answer,
        }
    }

    fn clock(&self) -> Option<Duration> {
        Some(self.seating.time())
    }

    fn listens(&self) -> bool {
        true
    }

    fn hear(&mut self, heard: &Heard<'_, G>) {
        match heard.event() {
            Event::Fouled {
                seat,
                foul,
                instead,
            } if *seat == heard.seat() => {
                self.seating.note(foul, self.callee.source(), Speech::Json);
                let played = match instead {
                    Instead::Move(choice) => Some(choice.to_string()),
                    Instead::Secret | Instead::Nothing => None,
                };
                let (id, reason) = (self.id, &foul.detail);
                self.say(&json!({"type": "foul", "id": id, "reason": reason, "played": played}));
            }
            Event::Over(Outcome { scores, places, .. }) => {
                self.say(&json!({"type": "over", "scores": scores, "places": places}));
            }
            _ => {}
        }
    }
}

impl<G: Game> Drop for JsonPlayer<G> {
    fn drop(&mut self) {
        self.say(&json!({"type": "quit"}));
        if let Some(transport) = &mut self.line {
            transport.close();
            let farewell = Farewell {
                transport: &mut **transport,
                word: "quit",
                told: Instant::now(),
                sent: &self.sent,
                arguments: Vec::new(),
            };
            self.seating
                .see_out(farewell, self.callee.source(), Speech::Json);
        }
    }
}
