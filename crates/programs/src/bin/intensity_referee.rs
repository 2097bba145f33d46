//! `intensity_referee`: deals a game of Intensity, runs the programs that play it, and tells it.

use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::ops::{ControlFlow, Range};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint, value_parser};
use croupier_bots::{
    Bot, Entries, House, Interrupt, Ledger, Limits, OneShot, OneShotPlayer, Preparation, Program,
    SANITIZED, SANITIZED_MEMORY, Seating, Tier, Unusable, can_be_sanitized, is_ignored,
    is_same_error, memory_error, mind_if_asked,
};
use croupier_console::{Failure, number_flag, parse, print, run, seed, seed_flag};
use croupier_core::{Heard, NoMove, Player, RandomPlayer, Seat, Seed, Turn, play};
use croupier_games::intensity::wire::{
    ENTER_DISCARDS, ENTER_PLAY, Narrator, PERSON, Question, SYSTEM_PLAYERS, Telling, ask_again,
    ask_for_discards, ask_for_play, enter_discards, enter_play, read_name, summary, unique_name,
};
use croupier_games::intensity::{Intensity, Move, SEATS, Setup, View};
use nix::poll::PollFlags;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

fn main() -> ExitCode {
    mind_if_asked();
    run("intensity_referee", referee)
}

/// Plays the game that the command line asks for.
fn referee() -> Result<(), Failure> {
    let Some(matches) = parse(&mut command(), std::env::args_os())? else {
        return Ok(());
    };
    let programs: Vec<PathBuf> = matches
        .get_many("program")
        .unwrap_or_default()
        .cloned()
        .collect();
    let interactive = matches.get_flag("interactive");
    let chairs = SEATS - usize::from(interactive);
    if programs.len() > chairs || (programs.is_empty() && !interactive) {
        return Err(Failure::Usage(format!(
            "one to four programs can play, with -i none to three, not {}",
            programs.len()
        )));
    }
    if interactive && matches.get_flag("print-summary") {
        return Err(Failure::Usage(
            "with --print-summary the game is not told, so nobody can play it with -i; leave out \
             one of the two"
                .to_owned(),
        ));
    }
    let seed = seed(&matches)?;
    let interrupt = interrupt()?;
    match game(&matches, &programs, seed, &interrupt) {
        // Whatever else went wrong then did so because of it.
        Err(_) if interrupt.is_raised() => Err(Failure::Interrupted(format!(
            "stopped; --seed {seed} deals this game again"
        ))),
        played => played,
    }
}

/// What becomes of Ctrl-C, and of being told to end; under `nohup` the game outlives its terminal.
fn interrupt() -> Result<Interrupt, Failure> {
    let mut signals = vec![SIGINT, SIGTERM];
    if !is_ignored(SIGHUP) {
        signals.push(SIGHUP);
    }
    Interrupt::install(&signals).map_err(|error| Failure::machine("prepare for Ctrl-C", &error))
}

/// Seats everybody and plays the game.
fn game(
    matches: &ArgMatches,
    programs: &[PathBuf],
    seed: Seed,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let interactive = matches.get_flag("interactive");
    let terminal = Terminal(interrupt.clone());
    let (told, memory_errors) = channel();
    let (failed, failures) = channel();
    let mut guests = Vec::new();
    if interactive {
        guests.push(Guest {
            name: PERSON.to_owned(),
            player: Box::new(Person {
                entries: BufReader::new(terminal.clone()),
                failed: failed.clone(),
            }),
        });
    }
    let first = guests.len();
    guests.extend(invite(programs, matches, interrupt, &told)?);
    let invited = first..guests.len();
    for name in SYSTEM_PLAYERS.into_iter().take(SEATS - guests.len()) {
        guests.push(Guest {
            name: name.to_owned(),
            player: Box::new(RandomPlayer::default()),
        });
    }
    make_names_unique(&mut guests, invited);
    // The seed fixes who sits where as well as the cards.
    seed.player(Seat(SEATS as u16)).rng().shuffle(&mut guests);
    let telling = match (interactive, matches.get_flag("quiet")) {
        (true, _) => Telling::AtTheTable,
        (false, true) => Telling::Quiet,
        (false, false) => Telling::Open,
    };
    Table {
        terminal,
        guests,
        telling,
        summary: matches.get_flag("print-summary"),
        memory_errors,
        failed,
        failures,
    }
    .play(seed)?;
    if matches.get_one::<u64>("seed").is_none() {
        // The transcript has a fixed format, so what it was dealt from is told beside it.
        let _ = writeln!(
            io::stderr(),
            "intensity_referee: --seed {seed} deals this game again"
        );
    }
    Ok(())
}

fn command() -> Command {
    let flag = |name: &'static str, help: &'static str| {
        Arg::new(name)
            .long(name)
            .action(ArgAction::SetTrue)
            .help(help)
    };
    Command::new("intensity_referee")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Deals a game of Intensity, runs the programs that play it, and tells it")
        .after_help(
            "Examples:\n  intensity_referee mine.c other.c --seed 7\n  intensity_referee -i mine.c",
        )
        .arg(
            Arg::new("program")
                .value_name("PROGRAM")
                .num_args(0..)
                .value_parser(value_parser!(PathBuf))
                .value_hint(ValueHint::FilePath)
                .help("One to four programs, with -i none to three; a .c file is compiled first"),
        )
        .arg(
            Arg::new("interactive")
                .short('i')
                .action(ArgAction::SetTrue)
                .help("A person plays too, at the terminal"),
        )
        .arg(seed_flag())
        .arg(
            number_flag::<u64>("time-limit", 1..=86_400)
                .value_name("S")
                .default_value("30")
                .help("Seconds that a program may take for a decision"),
        )
        .arg(flag(
            "check-memory",
            "Run .c programs with sanitizers, too, and tell their memory errors",
        ))
        .arg(flag(
            "print-summary",
            "Print only positions, names and penalty points, with tabs between them",
        ))
        .arg(flag(
            "quiet",
            "Leave out the deal and the hands that are held",
        ))
}

/// Somebody who plays.
struct Guest {
    name: String,
    player: Box<dyn Player<Intensity>>,
}

/// Gets the programs ready and asks for their names.
fn invite(
    programs: &[PathBuf],
    matches: &ArgMatches,
    interrupt: &Interrupt,
    told: &Sender<MemoryError>,
) -> Result<Vec<Guest>, Failure> {
    let seconds = *matches
        .get_one::<u64>("time-limit")
        .expect("it has a default");
    let limits = Limits {
        decision: Duration::from_secs(seconds),
        cpu: Duration::from_secs(10 * seconds),
        ..Limits::default()
    };
    let mut house = House::new(Tier::Limits, limits);
    house.interrupt = Some(interrupt.clone());
    let entries = Entries::of(programs.iter().map(PathBuf::as_path));
    let preparation = Preparation::new(&house, &entries);
    let prepared: Vec<Program> = programs
        .iter()
        .map(|path| Program::prepare(path, &preparation).map_err(unusable))
        .collect::<Result<_, _>>()?;
    let mut guests = Vec::new();
    for program in prepared {
        let machine = |error: &dyn std::fmt::Display| Failure::Machine(error.to_string());
        let shadow = if matches.get_flag("check-memory") {
            shadow(&program.source, &house, &entries)?
        } else {
            None
        };
        let stem = program
            .source
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let mut bot = Bot::take_on(program, &house).map_err(|error| machine(&error))?;
        let asked = Question::Name.to_string();
        let answer = bot
            .run(&[], asked.as_bytes(), house.limits.decision)
            .map_err(|error| machine(&error))?;
        // A program that does not tell its name is called by its file.
        let name = read_name(&answer.output)
            .or_else(|| read_name(stem.as_bytes()))
            .unwrap_or_else(|| "Player".to_owned());
        let seating = Seating::new(&Ledger::default(), &house);
        let player = OneShotPlayer::new(bot, seating);
        let player: Box<dyn Player<Intensity>> = match shadow {
            None => Box::new(player),
            Some(shadow) => Box::new(Shadowed {
                player,
                shadow,
                time: house.limits.decision,
                seat: Seat(0),
                told: told.clone(),
                known: Vec::new(),
            }),
        };
        guests.push(Guest { name, player });
    }
    Ok(guests)
}

fn unusable(error: Unusable) -> Failure {
    match error {
        Unusable::Interrupted => Failure::Interrupted(error.to_string()),
        Unusable::Machine(_) => Failure::Machine(error.to_string()),
        _ => Failure::Usage(error.to_string()),
    }
}

/// The same program compiled so that it watches its own memory; none if it is not compiled.
fn shadow(source: &Path, house: &House, entries: &Entries) -> Result<Option<Bot>, Failure> {
    if !can_be_sanitized(source) {
        return Ok(None);
    }
    let preparation = Preparation {
        flags: SANITIZED,
        ..Preparation::new(house, entries)
    };
    let program = Program::prepare(source, &preparation).map_err(unusable)?;
    let mut house = house.clone();
    house.limits.memory = SANITIZED_MEMORY;
    let bot = Bot::take_on(program, &house);
    bot.map(Some)
        .map_err(|error| Failure::Machine(error.to_string()))
}

/// An invited program whose name is taken gets a digit; who sits at the terminal and the system players
/// are called as the transcript promises, whatever a program calls itself.
fn make_names_unique(guests: &mut [Guest], invited: Range<usize>) {
    let of_the_house = guests[..invited.start].iter().chain(&guests[invited.end..]);
    let mut taken: Vec<String> = of_the_house.map(|guest| guest.name.clone()).collect();
    for guest in &mut guests[invited] {
        guest.name = unique_name(&guest.name, &taken);
        taken.push(guest.name.clone());
    }
}

/// A memory error, and the seat of the program that made it.
type MemoryError = (Seat, String);

/// A program and its shadow, which is asked the same and whose memory errors are told.
struct Shadowed {
    player: OneShotPlayer<Intensity>,
    shadow: Bot,
    time: Duration,
    seat: Seat,
    told: Sender<MemoryError>,
    /// What has been told: the same error would come up in every decision.
    known: Vec<String>,
}

impl Player<Intensity> for Shadowed {
    fn start(&mut self, seat: Seat, chance: Seed) {
        self.seat = seat;
        self.player.start(seat, chance);
    }

    fn decide(&mut self, turn: &Turn<'_, Intensity>) -> Result<Move, NoMove> {
        let question = Intensity::question(&turn.view());
        if let Ok(run) = self.shadow.run(&[], question.as_bytes(), self.time)
            && let Some(error) = memory_error(&run.errors.text(), &self.shadow.program().source)
            && !self.known.iter().any(|known| is_same_error(known, &error))
        {
            // If nobody listens any more, the game is over.
            let _ = self.told.send((self.seat, error.clone()));
            self.known.push(error);
        }
        self.player.decide(turn)
    }

    fn listens(&self) -> bool {
        self.player.listens()
    }

    fn hear(&mut self, heard: &Heard<'_, Intensity>) {
        self.player.hear(heard);
    }
}

/// Where the game is told and the person is asked, until somebody wants to stop.
#[derive(Clone)]
struct Terminal(Interrupt);

impl Terminal {
    fn say(&self, text: &str) -> Result<(), Failure> {
        self.wait_until(PollFlags::POLLOUT, &io::stdout())
            .map_err(|stopped| Failure::Interrupted(stopped.to_string()))?;
        print(text)
    }

    /// Waits until this can be done with one end of the terminal.
    fn wait_until(&self, what: PollFlags, end: &impl AsFd) -> io::Result<()> {
        if self.0.is_raised() || !self.0.leaves_time_for(what, end.as_fd()) {
            return Err(io::Error::other("somebody wants to stop"));
        }
        Ok(())
    }
}

/// What is entered there.
impl Read for Terminal {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let stdin = io::stdin();
        self.wait_until(PollFlags::POLLIN, &stdin)?;
        Ok(nix::unistd::read(stdin, bytes)?)
    }
}

/// The person at the terminal.
struct Person {
    entries: BufReader<Terminal>,
    /// Where it is told why there is no more to come.
    failed: Sender<Failure>,
}

/// How an entry is read.
type Reading = fn(&[u8]) -> Result<Move, String>;

/// No entry needs more; what is longer is taken for several.
const LONGEST_ENTRY: u64 = 1 << 10;

impl Player<Intensity> for Person {
    fn decide(&mut self, turn: &Turn<'_, Intensity>) -> Result<Move, NoMove> {
        self.choose(turn).map_err(|failure| {
            // It is heard when the game has been stopped.
            let _ = self.failed.send(failure);
            NoMove::Void("the person has left".to_owned())
        })
    }
}

impl Person {
    /// Asks until there is a legal choice.
    fn choose(&mut self, turn: &Turn<'_, Intensity>) -> Result<Move, Failure> {
        let (ask, enter, read): (_, _, Reading) = match turn.view() {
            View::Discarding(view) => (
                ask_for_discards(view.hand()),
                ENTER_DISCARDS,
                enter_discards,
            ),
            View::Playing(view) => (ask_for_play(view.hand()), ENTER_PLAY, enter_play),
        };
        let mut asked = ask;
        loop {
            self.entries.get_ref().say(&asked)?;
            let rule = match read(&self.entry()?) {
                Ok(choice) => match turn.check(choice) {
                    Ok(()) => return Ok(choice),
                    Err(rule) => rule.to_string(),
                },
                Err(reason) => reason,
            };
            asked = ask_again(&rule, enter);
        }
    }

    /// A line of what is entered; at the end of the input that is told.
    fn entry(&mut self) -> Result<Vec<u8>, Failure> {
        let mut line = Vec::new();
        let mut entries = self.entries.by_ref().take(LONGEST_ENTRY);
        match entries.read_until(b'\n', &mut line) {
            Ok(0) => {
                let left = "intensity_referee: the input ended before the game did";
                let _ = writeln!(io::stderr(), "{left}");
                Err(Failure::AnswerIsNo)
            }
            Ok(_) => Ok(line),
            Err(error) => Err(Failure::machine("read what is entered", &error)),
        }
    }
}

/// Four guests, and how their game is told.
struct Table {
    terminal: Terminal,
    guests: Vec<Guest>,
    telling: Telling,
    summary: bool,
    memory_errors: Receiver<MemoryError>,
    /// What stops the game, from those at the table to those who look after it.
    failed: Sender<Failure>,
    failures: Receiver<Failure>,
}

impl Table {
    fn play(self, seed: Seed) -> Result<(), Failure> {
        let names: Vec<String> = self.guests.iter().map(|guest| guest.name.clone()).collect();
        let names = <[String; SEATS]>::try_from(names).expect("four guests were seated");
        let mut players: Vec<_> = self.guests.into_iter().map(|guest| guest.player).collect();
        let mut narrator = Narrator::new(names.clone(), self.telling, |told: &str| {
            if self.summary {
                return ControlFlow::Continue(());
            }
            // An error may name a card, such as an index, so who plays too hears of it in the end.
            let notes = match self.telling {
                Telling::AtTheTable => String::new(),
                Telling::Open | Telling::Quiet => memory_notes(&self.memory_errors, &names),
            };
            match self.terminal.say(&(notes + told)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => {
                    let _ = self.failed.send(failure);
                    ControlFlow::Break(())
                }
            }
        });
        let played = play::<Intensity, _, _>(&Setup {}, seed, &mut players, &mut narrator);
        if let Ok(failure) = self.failures.try_recv() {
            return Err(failure);
        }
        let outcome = played.map_err(|error| Failure::Machine(error.to_string()))?;
        self.terminal.say(&match self.summary {
            true => summary(&names, &outcome),
            false => memory_notes(&self.memory_errors, &names),
        })
    }
}

/// What is told of the memory errors that have been found since it was last told.
fn memory_notes(errors: &Receiver<MemoryError>, names: &[String; SEATS]) -> String {
    let note = |(seat, error): MemoryError| {
        let name = &names[seat.index()];
        format!("Memory error in {name}: {error}\n")
    };
    errors.try_iter().map(note).collect()
}
