//! JSON lines over a socket: the protocols need lines, not processes.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use croupier_bots::{
    Callee, Ended, Excerpt, House, Interrupt, Ledger, Limits, MachineFault, Seating, Silence, Tier,
    Transport,
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
    fn line(
        &mut self,
        time: Duration,
        _: Option<&Interrupt>,
    ) -> Result<Result<Vec<u8>, Silence>, MachineFault> {
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
