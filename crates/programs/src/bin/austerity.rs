//! `austerity`: the hub. It starts the players, runs one game between them, and sees them off.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use croupier_bots::{
    Bot, House, HowEnded, Interrupt, Limits, Process, Program, Silence, Tier, mind_if_asked,
    see_off,
};
use croupier_core::{Game, Seat, Seed};
use croupier_games::austerity::wire::{
    Answer, DISCONNECT_LINE, Message, hub_line, parse_number, seat_letter, winners_line,
};
use croupier_games::austerity::{Austerity, Deck, MOST_PLAYERS, Setup};
use nix::fcntl::OFlag;
use nix::poll::PollFlags;
use signal_hook::consts::SIGINT;

/// How long the players may take to end when the game is over.
const FAREWELL: Duration = Duration::from_secs(2);

/// The hub waits for an answer as long as it takes.
const FOR_EVER: Duration = Duration::from_secs(u32::MAX as u64);

/// The longest line that is looked at; no answer is anywhere near.
const LONGEST_LINE: usize = 64 << 20;

/// The longest deck that is read: some millions of cards.
const LONGEST_DECK: u64 = 256 << 20;

fn main() -> ExitCode {
    mind_if_asked();
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let end = hub(&arguments);
    if let Some(said) = end.said() {
        // Where the standard error is gone, the status still tells.
        let _ = writeln!(io::stderr(), "{said}");
    }
    ExitCode::from(end.status())
}

/// How the hub ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    GameOver,
    Usage,
    BadArgument,
    NoDeck,
    BadDeck,
    BadStart,
    Disconnected,
    ProtocolError,
    Interrupted,
}

impl End {
    fn status(self) -> u8 {
        match self {
            End::GameOver => 0,
            End::Usage => 1,
            End::BadArgument => 2,
            End::NoDeck => 3,
            End::BadDeck => 4,
            End::BadStart => 5,
            End::Disconnected => 6,
            End::ProtocolError => 7,
            End::Interrupted => 10,
        }
    }

    fn said(self) -> Option<&'static str> {
        match self {
            End::GameOver => None,
            End::Usage => Some("Usage: austerity tokens points deck player player [player ...]"),
            End::BadArgument => Some("Bad argument"),
            End::NoDeck => Some("Cannot access deck file"),
            End::BadDeck => Some("Invalid deck file contents"),
            End::BadStart => Some("Bad start"),
            End::Disconnected => Some("Client disconnected"),
            End::ProtocolError => Some("Protocol error by client"),
            End::Interrupted => Some("SIGINT caught"),
        }
    }
}

fn hub(arguments: &[OsString]) -> End {
    let [tokens, points, deck, programs @ ..] = arguments else {
        return End::Usage;
    };
    if !(2..=MOST_PLAYERS).contains(&programs.len()) {
        return End::Usage;
    }
    let number = |text: &OsString| parse_number(text.as_encoded_bytes());
    let (Some(tokens), Some(points)) = (number(tokens), number(points)) else {
        return End::BadArgument;
    };
    let Ok(interrupt) = Interrupt::install(&[SIGINT]) else {
        return End::BadStart;
    };
    let text = match read_deck(deck, &interrupt) {
        Ok(text) => text,
        Err(_) if interrupt.is_raised() => return End::Interrupted,
        Err(_) => return End::NoDeck,
    };
    let Ok(deck) = Deck::parse(&text) else {
        return End::BadDeck;
    };
    let Ok(setup) = Setup::new(programs.len(), tokens, points, Some(deck), None) else {
        return End::BadArgument;
    };
    // With a deck of its own nothing in the game is left to chance.
    let mut table = HubTable {
        game: Austerity::deal(&setup, Seed(0)),
        players: Vec::new(),
        interrupt,
    };
    let end = match table.start(programs) {
        Ok(()) => table.play(),
        Err(end) => end,
    };
    table.shut_down(end);
    end
}

/// Reads the deck, unless an interruption comes first. The deck may be a pipe whose other end nobody
/// has opened yet, so neither opening nor reading may block.
fn read_deck(deck: &OsStr, interrupt: &Interrupt) -> io::Result<Vec<u8>> {
    let mut options = File::options();
    let file = options
        .read(true)
        .custom_flags(OFlag::O_NONBLOCK.bits())
        .open(deck)?;
    let mut file = file.take(LONGEST_DECK + 1);
    let mut text = Vec::new();
    let mut chunk = [0; 1 << 16];
    loop {
        let may_read = interrupt.leaves_time_for(PollFlags::POLLIN, file.get_ref().as_fd());
        if !may_read || interrupt.is_raised() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        match file.read(&mut chunk) {
            Ok(0) if text.len() as u64 > LONGEST_DECK => {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            Ok(0) => return Ok(text),
            Ok(length) => text.extend_from_slice(&chunk[..length]),
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted => {}
                _ => return Err(error),
            },
        }
    }
}

/// A player that has been started, if it can be.
fn started(program: &OsStr, arguments: &[String], house: &House) -> Option<Process> {
    let mut bot = Bot::take_on(Program::command(program), house).ok()?;
    let mut process = bot.open(arguments, false).ok()?;
    process.is_started().ok()?.then_some(process)
}

/// The game, and the processes that play it.
struct HubTable {
    game: Austerity,
    players: Vec<Process>,
    interrupt: Interrupt,
}

impl HubTable {
    /// Starts all players, in order.
    fn start(&mut self, programs: &[OsString]) -> Result<(), End> {
        let limits = Limits {
            // How long a line may be is said where it is read.
            output: usize::MAX,
            ..Limits::default()
        };
        let house = House::new(Tier::None, limits);
        for (seat, program) in programs.iter().enumerate() {
            if self.interrupt.is_raised() {
                return Err(End::Interrupted);
            }
            let arguments = [programs.len().to_string(), seat.to_string()];
            match started(program, &arguments, &house) {
                Some(process) => self.players.push(process),
                // Ctrl-C goes to whoever is about to become a player too.
                None if self.interrupt.is_raised() => return Err(End::Interrupted),
                None => return Err(End::BadStart),
            }
        }
        Ok(())
    }

    /// Plays the game to its end.
    fn play(&mut self) -> End {
        let (end, last_line) = match self.play_turns() {
            Ok(()) => (End::GameOver, winners_line(self.game.table())),
            Err(End::Disconnected) => (End::Disconnected, DISCONNECT_LINE.to_owned()),
            Err(end) => return end,
        };
        match self.say(&last_line) {
            Ok(()) => end,
            Err(interrupted) => interrupted,
        }
    }

    fn play_turns(&mut self) -> Result<(), End> {
        let opening: Vec<Message> = self.game.view(Seat(0)).opening().collect();
        self.announce(&opening)?;
        while let Some(seat) = self.game.to_move() {
            self.turn(seat)?;
        }
        Ok(())
    }

    /// Asks a player for its turn, once more if the answer is invalid, and tells everyone.
    fn turn(&mut self, seat: Seat) -> Result<(), End> {
        for _ in 0..2 {
            let line = self.ask(seat)?;
            let answer = line.and_then(|line| Answer::parse(&line).ok());
            let news = answer.and_then(|answer| self.game.accept(&answer).ok());
            if let Some(news) = news {
                let messages: Vec<Message> = news.messages().collect();
                return self.announce(&messages);
            }
        }
        Err(End::ProtocolError)
    }

    /// What a player answers; none if that is longer than any answer.
    fn ask(&mut self, seat: Seat) -> Result<Option<Vec<u8>>, End> {
        if self.interrupt.is_raised() {
            return Err(End::Interrupted);
        }
        let player = &mut self.players[seat.index()];
        player.send(line_of(&Message::DoWhat).as_bytes());
        match player.line_up_to(LONGEST_LINE, FOR_EVER, Some(&self.interrupt)) {
            Ok(Ok(line)) => Ok(line),
            Ok(Err(Silence::Interrupted)) => Err(End::Interrupted),
            Ok(Err(_)) | Err(_) => Err(End::Disconnected),
        }
    }

    /// Prints what happened and tells all players.
    fn announce(&mut self, messages: &[Message]) -> Result<(), End> {
        let mut printed = String::new();
        let mut told = String::new();
        for message in messages {
            hub_line(&mut printed, message);
            told += &line_of(message);
        }
        self.say(&printed)?;
        for player in &mut self.players {
            player.send(told.as_bytes());
        }
        Ok(())
    }

    /// Prints to the standard output. If nobody is there to read it, the game goes on all the
    /// same; if somebody is but does not read, the hub waits, but not through an interruption.
    fn say(&self, text: &str) -> Result<(), End> {
        let mut out = io::stdout().lock();
        let writing = PollFlags::POLLOUT;
        if !self.interrupt.leaves_time_for(writing, out.as_fd()) {
            return Err(End::Interrupted);
        }
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        Ok(())
    }

    /// Sends everyone home and tells how they went.
    fn shut_down(mut self, end: End) {
        for player in &mut self.players {
            player.send(line_of(&Message::Eog).as_bytes());
            player.close_input();
        }
        // What cannot be waited for is gone, or will be when its minder is.
        let _ = see_off(&mut self.players, Instant::now() + FAREWELL);
        if matches!(end, End::BadStart | End::Interrupted) {
            return;
        }
        for (seat, player) in Seat::all(self.players.len()).zip(&self.players) {
            let letter = seat_letter(seat);
            let said = match player.ended().map(|ended| ended.how) {
                None | Some(HowEnded::Status(0)) => continue,
                Some(HowEnded::Status(status)) => {
                    format!("Player {letter} ended with status {status}")
                }
                Some(HowEnded::Signal(signal)) => {
                    format!("Player {letter} shutdown after receiving signal {signal}")
                }
            };
            let _ = writeln!(io::stderr(), "{said}");
        }
    }
}

fn line_of(message: &Message) -> String {
    let mut line = String::new();
    message.print(&mut line);
    line.push('\n');
    line
}
