//! JSON lines over a socket: the protocols need lines, not processes.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use croupier_bots::{
    Callee, Ended, Excerpt, HeardLine, House, Interrupt, Ledger, Limits, MachineFault, Seating,
    Silence, Tier, Transport,
};
use croupier_core::{FoulKind, Player, RandomPlayer, Seed, play};
use croupier_games::intensity::{Intensity, Setup};
use serde_json::{Value, json};

/// Somebody at the other end of a socket, who plays the first legal move, for so many turns.
#[derive(Debug)]
struct Remote {
    turns: usize,
}

impl Callee for Remote {
    fn call(&mut self, _: &[String]) -> Result<Box<dyn Transport>, MachineFault> {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let turns = self.turns;
        thread::spawn(move || first_legal(&theirs, turns));
        Ok(Box::new(Socket {
            lines: BufReader::new(ours),
            errors: Excerpt::default(),
        }))
    }

    fn source(&self) -> &Path {
        Path::new("remote")
    }
}

/// A player of ten lines; it hangs up when it has had enough.
fn first_legal(stream: &UnixStream, turns: usize) {
    let mut played = 0;
    for line in BufReader::new(stream).lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let answer = match message["type"].as_str() {
            Some("hello") => json!({"type": "ready", "name": "Remote"}),
            Some("turn") if played < turns => {
                played += 1;
                json!({"type": "move", "id": message["id"], "move": message["legal"][0]})
            }
            Some("turn" | "quit") => return,
            _ => continue,
        };
        writeln!(&mut &*stream, "{answer}").unwrap();
    }
}

#[derive(Debug)]
struct Socket {
    lines: BufReader<UnixStream>,
    errors: Excerpt,
}

impl Transport for Socket {
    fn send(&mut self, bytes: &[u8]) {
        let _ = self.lines.get_mut().write_all(bytes);
    }
    fn close(&mut self) {
        let _ = self.lines.get_ref().shutdown(std::net::Shutdown::Write);
    }
    fn line(&mut self, time: Duration, _: Option<&Interrupt>) -> HeardLine {
        self.lines.get_ref().set_read_timeout(Some(time)).unwrap();
        let mut line = Vec::new();
        let read = self.lines.read_until(b'\n', &mut line);
        Ok(match read {
            Ok(0) => Err(Silence::Closed),
            Ok(_) => {
                line.pop();
                Ok(line)
            }
            Err(_) => Err(Silence::Late),
        })
    }
    fn take_rest(&mut self) -> Vec<u8> {
        Vec::new()
    }
    fn wait_for_end(&mut self, _: Instant) -> Result<(), MachineFault> {
        Ok(())
    }
    fn see_out(
        &mut self,
        _: Instant,
        _: Duration,
        _: Option<&Interrupt>,
    ) -> Result<Option<Silence>, MachineFault> {
        Ok(None)
    }
    fn ended(&self) -> Option<&Ended> {
        None
    }
    fn ended_by_itself(&self) -> Option<&Ended> {
        None
    }
    fn errors(&self) -> &Excerpt {
        &self.errors
    }
    fn ask_anew(&mut self) {}
}

/// A game of the remote player against three who do anything; the kinds of its faults.
fn faults(turns: usize) -> Vec<FoulKind> {
    let ledger = Ledger::default();
    let house = House::new(Tier::Limits, Limits::default());
    let seating = Seating::new(&ledger, &house);
    let remote = seating.seat_over::<Intensity>(Box::new(Remote { turns }), &Setup {});
    let mut players: Vec<Box<dyn Player<Intensity>>> = vec![remote];
    for _ in 1..4 {
        players.push(Box::new(RandomPlayer::default()));
    }
    let played = play::<Intensity, _, _>(&Setup {}, Seed(3), &mut players, &mut ());
    assert!(played.is_ok());
    ledger.take().iter().map(|fault| fault.kind).collect()
}

#[test]
fn who_is_at_the_other_end_of_a_socket_plays_like_any_other() {
    assert_eq!(faults(usize::MAX), []);
}

#[test]
fn who_hangs_up_in_the_middle_is_called_again_and_pays_for_the_turn() {
    let faults = faults(4);
    assert!(!faults.is_empty());
    assert!(faults.iter().all(|kind| *kind == FoulKind::Malformed));
}

/// Somebody who thinks for a while before each answer, while it is waited for and not before: so it
/// begins when its clock does. It keeps what it was asked.
#[derive(Clone, Debug, Default)]
struct Thinker {
    asked: Arc<Mutex<Vec<Value>>>,
    errors: Excerpt,
}

/// How long it thinks, of how much for a game.
const THOUGHT: Duration = Duration::from_millis(80);
const BANK: Duration = Duration::from_millis(300);

impl Callee for Thinker {
    fn call(&mut self, _: &[String]) -> Result<Box<dyn Transport>, MachineFault> {
        Ok(Box::new(self.clone()))
    }

    fn source(&self) -> &Path {
        Path::new("thinker")
    }
}

impl Transport for Thinker {
    fn send(&mut self, bytes: &[u8]) {
        let message: Value = serde_json::from_slice(bytes).unwrap();
        self.asked.lock().unwrap().push(message);
    }
    fn close(&mut self) {}
    fn line(&mut self, time: Duration, _: Option<&Interrupt>) -> HeardLine {
        let asked = self.asked.lock().unwrap().last().unwrap().clone();
        let answer = match asked["type"].as_str() {
            Some("hello") => json!({"type": "ready"}),
            _ => {
                thread::sleep(THOUGHT.min(time));
                if time < THOUGHT {
                    return Ok(Err(Silence::Late));
                }
                json!({"type": "move", "id": asked["id"], "move": asked["legal"][0]})
            }
        };
        Ok(Ok(answer.to_string().into_bytes()))
    }
    fn take_rest(&mut self) -> Vec<u8> {
        Vec::new()
    }
    fn wait_for_end(&mut self, _: Instant) -> Result<(), MachineFault> {
        Ok(())
    }
    fn see_out(
        &mut self,
        _: Instant,
        _: Duration,
        _: Option<&Interrupt>,
    ) -> Result<Option<Silence>, MachineFault> {
        Ok(None)
    }
    fn ended(&self) -> Option<&Ended> {
        None
    }
    fn ended_by_itself(&self) -> Option<&Ended> {
        None
    }
    fn errors(&self) -> &Excerpt {
        &self.errors
    }
    fn ask_anew(&mut self) {}
}

/// Every answer costs all the time that it took, and whoever has too little left for one is late.
#[test]
fn each_answer_is_taken_from_the_time_for_the_game() {
    let ledger = Ledger::default();
    let limits = Limits {
        bank: Some(BANK),
        ..Limits::default()
    };
    let seating = Seating::new(&ledger, &House::new(Tier::Limits, limits));
    let thinker = Thinker::default();
    let mut players: Vec<Box<dyn Player<Intensity>>> =
        vec![seating.seat_over(Box::new(thinker.clone()), &Setup {})];
    for _ in 1..4 {
        players.push(Box::new(RandomPlayer::default()));
    }
    for seed in 0..2 {
        thinker.asked.lock().unwrap().clear();
        play::<Intensity, _, _>(&Setup {}, Seed(seed), &mut players, &mut ()).unwrap();
        let asked = thinker.asked.lock().unwrap().clone();
        let turns = asked.iter().filter(|message| message["type"] == "turn");
        let left: Vec<u64> = turns
            .map(|turn| turn["time_ms"].as_u64().unwrap())
            .collect();
        assert_eq!(left[0], 300, "each game has its own time: {left:?}");
        for two in left.windows(2) {
            // Who has too little left uses it up.
            let spent = two[0].min(80);
            assert!(two[1] <= two[0] - spent, "{left:?}");
        }
        assert_eq!(left.last(), Some(&0), "{left:?}");
        let faults = ledger.take();
        assert!(!faults.is_empty());
        assert!(faults.iter().all(|fault| fault.kind == FoulKind::Timeout));
    }
}
