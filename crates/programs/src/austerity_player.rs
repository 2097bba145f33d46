//! The player programs of Austerity, `shenzi`, `banzai` and `ed`: they read what the hub tells
//! them, answer when it is their turn, and show on the standard error what they know.

use std::ffi::OsString;
use std::io::{self, BufRead, Read as _, Write};
use std::process::ExitCode;

use croupier_core::Seat;
use croupier_games::austerity::wire::{
    Answer, Message, RECEIVED_DOWHAT, game_over_line, parse_number, table_lines,
};
use croupier_games::austerity::{MOST_PLAYERS, Strategy, View};

/// A message that is longer than this is invalid. Leading zeros make even a valid one as long as
/// its sender likes, and the memory has an end.
const LONGEST_LINE: u64 = 1 << 20;

/// Why a player ends before the game is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// It was not given two arguments.
    Usage,
    /// The first argument is not the size of a table.
    PlayerCount,
    /// The second argument is no player of this table.
    PlayerId,
    /// The hub is gone, or said something that is no message.
    Communication,
}

impl Trouble {
    /// The exit status and the line on the standard error.
    fn told(self, name: &str) -> (u8, String) {
        match self {
            Trouble::Usage => (1, format!("Usage: {name} pcount myid\n")),
            Trouble::PlayerCount => (2, "Invalid player count\n".into()),
            Trouble::PlayerId => (3, "Invalid player ID\n".into()),
            Trouble::Communication => (6, "Communication Error\n".into()),
        }
    }
}

/// The whole program: plays one game on the standard input and output.
pub fn run(strategy: &Strategy) -> ExitCode {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut shown = io::stderr();
    let played = sit_down(&arguments).and_then(|view| {
        let (input, output) = (io::stdin().lock(), io::stdout().lock());
        play(strategy, view, input, output, &mut shown)
    });
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            let (status, line) = trouble.told(strategy.name);
            // Where the standard error is gone, the status still tells.
            let _ = shown.write_all(line.as_bytes());
            ExitCode::from(status)
        }
    }
}

/// The view of the player that the arguments `pcount myid` speak of.
pub fn sit_down(arguments: &[OsString]) -> Result<View, Trouble> {
    let [players, seat] = arguments else {
        return Err(Trouble::Usage);
    };
    let number = |text: &OsString| {
        let number = parse_number(text.as_encoded_bytes())?;
        usize::try_from(number).ok()
    };
    let players = number(players)
        .filter(|players| (2..=MOST_PLAYERS).contains(players))
        .ok_or(Trouble::PlayerCount)?;
    let seat = number(seat)
        .filter(|&seat| seat < players)
        .ok_or(Trouble::PlayerId)?;
    Ok(View::new(players, Seat::from(seat)))
}

/// Plays a game to its end: messages from `input`, answers to `output`, and to `shown` what the
/// player knows after every message, which nobody has to read.
pub fn play(
    strategy: &Strategy,
    mut view: View,
    mut input: impl BufRead,
    mut output: impl Write,
    mut shown: impl Write,
) -> Result<(), Trouble> {
    let mut line = Vec::new();
    let mut text = String::new();
    loop {
        let message = next_message(&mut input, &mut line).ok_or(Trouble::Communication)?;
        view.hear(&message).map_err(|_| Trouble::Communication)?;
        text.clear();
        match message {
            Message::DoWhat => text.push_str(RECEIVED_DOWHAT),
            Message::Eog => text.push_str(&game_over_line(&view.table)),
            _ => table_lines(&mut text, &view.table),
        }
        // One write a message. If nobody listens any more, the next read will tell.
        let _ = shown.write_all(text.as_bytes());
        match message {
            Message::DoWhat => {
                text.clear();
                Answer::of((strategy.decide)(&view), &view).print(&mut text);
                text.push('\n');
                let _ = output.write_all(text.as_bytes());
                let _ = output.flush();
            }
            Message::Eog => return Ok(()),
            _ => {}
        }
    }
}

/// The next message; none if there is none, or what comes is no message. A line without its
/// newline was cut off.
fn next_message(input: &mut impl BufRead, line: &mut Vec<u8>) -> Option<Message> {
    line.clear();
    let mut input = input.take(LONGEST_LINE);
    input.read_until(b'\n', line).ok()?;
    Message::parse(line.strip_suffix(b"\n")?).ok()
}
