//! `croupier play`: a person at the table, line by line.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, IsTerminal as _};
use std::os::fd::AsFd as _;

use clap::ArgMatches;
use croupier_bots::{Hosted, House, Interrupt};
use croupier_console::{Failure, harmless, print};
use croupier_core::{Company, Game, Heard, NoMove, Offered, Player, Seat, Seed, Turn};
use nix::poll::PollFlags;

use crate::explain;
use crate::shown::Shown;
use crate::style::{DIM, filled};
use crate::telling::{aftermath, told};

/// Plays with the person at the terminal.
pub(crate) fn play<G: Hosted + Shown>(matches: &ArgMatches) -> Result<(), Failure> {
    crate::table::Match::<G>::with_a_person(matches)?.play()
}

/// The person at the terminal. It is told what its seat hears and sees, and nothing else.
pub(crate) struct Person<G: Game> {
    /// All players, in the order in which they were named, the person first.
    players: Vec<String>,
    /// The same in the order of the seats.
    seated: Vec<String>,
    seat: Seat,
    /// The chance of the one who is asked for a hint.
    chance: Seed,
    entries: Entries,
    /// Whether it is not told what happens unless it asks.
    quiet: bool,
    /// What it saw last.
    seen: Option<G::View>,
    /// What has happened in this game, as it was told.
    log: Vec<String>,
}

impl<G: Shown> Person<G> {
    /// A person who plays with these, itself first, in this house.
    pub(crate) fn new(
        players: Vec<String>,
        house: &House,
        quiet: bool,
    ) -> Result<Person<G>, Failure> {
        Ok(Person {
            seated: players.clone(),
            players,
            seat: Seat(0),
            chance: Seed(0),
            entries: Entries::new(house)?,
            quiet,
            seen: None,
            log: Vec::new(),
        })
    }

    /// What has happened in this game: its last lines, or all of them.
    fn log(&self, all: bool) -> String {
        let earlier = self.log.len().saturating_sub(LOG);
        let shown = if all { 0 } else { earlier };
        let mut text = match (self.log.len(), shown) {
            (0, _) => "  nothing has happened yet\n".to_owned(),
            (_, 0) => String::new(),
            (lines, _) => {
                format!("{DIM}the last {LOG} of {lines} lines; log all shows them all{DIM:#}\n")
            }
        };
        for line in &self.log[shown..] {
            text += line;
            text.push('\n');
        }
        text
    }
}

/// How many lines of what has happened are shown at a time.
const LOG: usize = 20;

/// What can be typed besides moves.
const WORDS: [(&str, &str); 6] = [
    ("hint", "what the expert would play (or ?)"),
    ("rules", "the rules of the game"),
    ("log", "what happened recently; log all: the whole game"),
    ("help", "this list"),
    (
        "quit",
        "leave the table; the game does not count (or Ctrl-D)",
    ),
    ("Enter", "show the table again"),
];

fn help<G: Shown>() -> String {
    let entry = G::ENTRY;
    let shorter =
        "Words may be shortened as long as only one move fits, and capitals do not matter.";
    let mut text = filled("", 0, &format!("To make a move, enter {entry}. {shorter}"));
    for (word, meaning) in WORDS {
        text += &filled(&format!("  {word:<7}"), 9, meaning);
    }
    text
}

/// The rules as far as they concern a person.
fn rules<G: Offered>() -> String {
    format!("{}\n\n", G::PROFILE.rules_for_people())
}

/// If nobody reads it, nobody plays.
fn show(text: &str) -> Result<(), NoMove> {
    print(text).map_err(|failure| match failure {
        Failure::Machine(reason) => NoMove::Void(reason),
        _ => NoMove::Stopped,
    })
}

impl<G: Shown> Player<G> for Person<G> {
    fn start(&mut self, seat: Seat, chance: Seed) {
        (self.seat, self.chance) = (seat, chance);
        self.seated.clone_from(&self.players);
        self.seated.rotate_right(seat.index());
        self.seen = None;
        self.log.clear();
    }

    fn listens(&self) -> bool {
        true
    }

    fn hear(&mut self, heard: &Heard<'_, G>) {
        let company = Company::new(&self.seated, Some(self.seat));
        let after = heard.view();
        let mut text = told::<G>(heard.event(), company);
        if let Some(before) = &self.seen {
            text += &aftermath::<G>(heard.event(), before, &after, company);
        }
        self.seen = Some(after);
        self.log.extend(text.lines().map(str::to_owned));
        if !self.quiet {
            // If nobody reads it any more, the next question finds out.
            let _ = show(&text);
        }
    }

    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        let (view, legal) = (turn.view(), turn.legal_moves());
        let company = Company::new(&self.seated, Some(self.seat));
        let table = G::shown(&view, &legal, company);
        let (choices, question) = (G::choices(&view, &legal), G::question(&view));
        let mut told = table.clone() + &choices;
        loop {
            show(&format!("{told}{question}: "))?;
            let line = self.entries.next().ok_or(NoMove::Left)?;
            let entry = line.trim();
            let words: Vec<String> = entry.split_whitespace().map(str::to_lowercase).collect();
            told = match words.join(" ").as_str() {
                "quit" | "q" | "exit" => return Err(NoMove::Left),
                "" => table.clone() + &choices,
                "help" => help::<G>(),
                "rules" => rules::<G>() + &choices,
                "log" => self.log(false),
                "log all" => self.log(true),
                "hint" | "?" => explain::hint(turn, self.chance)? + &choices,
                _ => {
                    let refused = match G::entered(&view, &legal, entry) {
                        Ok(choice) => match turn.check(choice) {
                            Ok(()) => return Ok(choice),
                            Err(rule) if choice.to_string() == words.join(" ") => rule.to_string(),
                            Err(rule) => format!("{choice}: {rule}"),
                        },
                        Err(reason) => reason,
                    };
                    filled("  ", 2, &refused)
                }
            };
        }
    }
}

/// How much of a line is read; no entry is nearly as long.
const LONGEST: usize = 4096;

/// What the person types, line by line. Nobody waits for it after Ctrl-C.
struct Entries {
    typed: BufReader<File>,
    interrupt: Option<Interrupt>,
    /// Whether nobody sees what is typed unless it is printed, as from a file.
    echoed: bool,
}

impl Entries {
    fn new(house: &House) -> Result<Entries, Failure> {
        let typed = io::stdin().as_fd().try_clone_to_owned();
        let typed = typed.map_err(|error| Failure::machine("read the input", &error))?;
        Ok(Entries {
            typed: BufReader::new(typed.into()),
            interrupt: house.interrupt.clone(),
            echoed: !io::stdin().is_terminal(),
        })
    }

    /// The next line; none if there are no more, or after Ctrl-C. What is no text is no move
    /// either, so it does not matter how it is read.
    fn next(&mut self) -> Option<String> {
        let line = self.read();
        match &line {
            Some(line) if self.echoed => {
                let _ = print(&format!("{}\n", harmless(line.trim_end())));
            }
            Some(_) => {}
            // What is told next begins a line of its own, and not that of the prompt.
            None => {
                let _ = print("\n");
            }
        }
        line
    }

    fn read(&mut self) -> Option<String> {
        let mut line = Vec::new();
        let mut ended = false;
        while !ended {
            if self.typed.buffer().is_empty() && !self.wait() {
                return None;
            }
            let more = self.typed.fill_buf().ok()?;
            let end = more.iter().position(|&byte| byte == b'\n');
            let length = end.map_or(more.len(), |end| end + 1);
            ended = end.is_some() || length == 0;
            let room = LONGEST.saturating_sub(line.len());
            line.extend_from_slice(&more[..length.min(room)]);
            self.typed.consume(length);
        }
        (!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned())
    }

    /// Waits until something is typed; false if Ctrl-C comes first.
    fn wait(&self) -> bool {
        self.interrupt.as_ref().is_none_or(|interrupt| {
            let typed = self.typed.get_ref().as_fd();
            !interrupt.is_raised() && interrupt.leaves_time_for(PollFlags::POLLIN, typed)
        })
    }
}
