//! `friday13 arbiter`: a match of other people's programs over one state file.
//!
//! The arbiter has a state of its own, from which the file is written anew before every turn. So
//! whatever a program does to the file, the match goes on from the last good state: with the turn
//! that the program has made if that keeps the rules, or else with a legal move made for it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ArgMatches;
use croupier_bots::{
    Asked, Bot, Entries, Folder, House, Limits, MachineFault, NoMinder, NotTaken, Preparation,
    Program, StateFile, Tier, Unusable,
};
use croupier_console::{Failure, print, seed};
use croupier_core::{FoulKind, Rng, Seed};
use croupier_games::friday13::report::{self, Language};
use croupier_games::friday13::{Friday13, Move, Placing, Setup, State, TurnMade};

use crate::{file, language, place, replace, setup};

/// Plays the match that the command line asks for.
pub(crate) fn arbitrate(matches: &ArgMatches) -> Result<(), Failure> {
    let rounds = matches.get_one::<u32>("rounds").copied().unwrap_or(3);
    let setup = setup(matches, rounds)?;
    let named = matches.get_many::<String>("program").unwrap_or_default();
    if named.len() != setup.players {
        return Err(Failure::Usage(format!(
            "{} players need {} programs after '--', not {}",
            setup.players,
            setup.players,
            named.len()
        )));
    }
    let file = file(matches)?;
    let (folder, name) = place::parts(&file);
    let name = name.to_str().ok_or_else(|| {
        let file = file.display();
        Failure::Usage(format!("{file} is no name that can be told to programs"))
    })?;
    let time = matches.get_one("time-limit").copied().unwrap_or_default();
    let placing = if matches.get_flag("lenient") {
        Placing::Lenient
    } else {
        Placing::Strict
    };
    let paths: Vec<PathBuf> = named.clone().map(|named| path_and_words(named).0).collect();
    let entries = Entries::of(paths.iter().map(PathBuf::as_path));
    let invited: Vec<Invited> = named
        .map(|named| invite(named, &entries))
        .collect::<Result<_, _>>()?;
    let seed = seed(matches)?;
    // Before anybody is taken on, so that a place where nothing can be written is told as such.
    replace(&file, &Friday13::opening(&setup, seed, 0))?;
    let contestants = invited
        .into_iter()
        .map(|invited| invited.sit_down(folder, StateFile::new(name, &setup, placing), time))
        .collect::<Result<_, _>>()?;
    Match {
        language: language(matches),
        time,
        placing,
        house: seed.rng(),
        seed,
        contestants,
        setup,
    }
    .play()
}

/// A program that is ready to be run, and the words with which it is always started.
struct Invited {
    program: Program,
    words: Vec<String>,
}

/// What is no file is taken for a command with words of its own.
fn path_and_words(named: &str) -> (PathBuf, Vec<String>) {
    let mut words = named.split_whitespace().map(str::to_owned);
    match words.next() {
        Some(first) if !Path::new(named).exists() => (PathBuf::from(first), words.collect()),
        _ => (PathBuf::from(named), Vec::new()),
    }
}

/// Gets a program ready.
fn invite(named: &str, entries: &Entries) -> Result<Invited, Failure> {
    let (path, words) = path_and_words(named);
    let house = House::new(Tier::Limits, Limits::default());
    match Program::prepare(&path, &Preparation::new(&house, entries)) {
        Ok(program) => Ok(Invited { program, words }),
        Err(error @ Unusable::Machine(_)) => Err(Failure::Machine(error.to_string())),
        Err(error) => Err(Failure::Usage(error.to_string())),
    }
}

impl Invited {
    fn sit_down(
        self,
        folder: &Path,
        file: StateFile,
        time: Duration,
    ) -> Result<Contestant, Failure> {
        let limits = Limits {
            decision: time,
            cpu: time.saturating_mul(10),
            ..Limits::default()
        };
        let house = House::new(Tier::Limits, limits);
        let stem = self.program.source.file_stem().unwrap_or_default();
        let stem = stem.to_string_lossy().into_owned();
        let bot = Bot::take_on_in(Folder::Shared(folder.to_owned()), self.program, &house);
        let bot = bot.map_err(|error| match error {
            NotTaken::NoMinder(NoMinder::Refused { .. }) => Failure::Usage(error.to_string()),
            _ => Failure::Machine(error.to_string()),
        })?;
        Ok(Contestant {
            name: stem,
            bot,
            file: file.after(self.words),
            points: 0,
            breaches: 0,
        })
    }
}

/// A program in the match.
struct Contestant {
    name: String,
    bot: Bot,
    file: StateFile,
    /// The penalty points of the rounds that are over.
    points: i64,
    /// How often it has broken the rules.
    breaches: u32,
}

struct Match {
    setup: Setup,
    language: Language,
    time: Duration,
    placing: Placing,
    seed: Seed,
    /// The chance behind the moves that are made for programs.
    house: Rng,
    /// The programs in the order in which they were named.
    contestants: Vec<Contestant>,
}

impl Match {
    fn play(mut self) -> Result<(), Failure> {
        print(&format!("--seed {}\n", self.seed))?;
        for round in 0..self.setup.rounds {
            let state = self.round(round)?;
            print(&report::score(&state, self.language))?;
            for (chair, points) in state.scores().points.into_iter().enumerate() {
                let program = self.program(round, chair);
                self.contestants[program].points += points;
            }
        }
        let points: Vec<i64> = self.contestants.iter().map(|c| c.points).collect();
        let mut text = format!("Match\n{}", report::totals(&points, self.language));
        for (number, contestant) in self.contestants.iter().enumerate() {
            let breaches = match contestant.breaches {
                0 => continue,
                1 => "1 breach".to_owned(),
                breaches => format!("{breaches} breaches"),
            };
            let (number, name) = (number + 1, &contestant.name);
            let _ = writeln!(text, "{number} {name} is charged with {breaches}");
        }
        print(&text)
    }

    /// The number of the program that sits in a chair in this round; all are counted from 0.
    fn program(&self, round: u32, chair: usize) -> usize {
        let players = self.setup.players;
        (chair + round as usize % players) % players
    }

    /// Plays a round to its end and gives its last state.
    fn round(&mut self, round: u32) -> Result<State, Failure> {
        let mut state = Friday13::opening(&self.setup, self.seed, round);
        let chairs = (0..self.setup.players).map(|chair| {
            let name = &self.contestants[self.program(round, chair)].name;
            format!("{} {name}", chair + 1)
        });
        let chairs: Vec<String> = chairs.collect();
        print(&format!("Round {}: {}\n", round + 1, chairs.join(", ")))?;
        let mut passes = 0;
        while !state.is_final() {
            let player = &chairs[state.active];
            if state.can_lay(self.placing) {
                passes = 0;
                let program = self.program(round, state.active);
                let told = self.turn(&mut state, program)?;
                print(&format!("{player}: {told}\n"))?;
            } else {
                state.pass();
                passes += 1;
                print(&format!("{player}: passes\n"))?;
            }
            if passes == self.setup.players {
                print("Nobody can lay a card: the round is over\n")?;
                break;
            }
        }
        // So far the file shows what the last program has left of it.
        let Contestant { bot, file, .. } = &self.contestants[0];
        file.leave(bot, &state).map_err(failed)?;
        Ok(state)
    }

    /// Has a program make its turn, or makes one for it, and tells what happened.
    fn turn(&mut self, state: &mut State, program: usize) -> Result<String, Failure> {
        let contestant = &mut self.contestants[program];
        let asked = contestant.file.ask(&mut contestant.bot, state, self.time);
        let Asked { turn, .. } = asked.map_err(failed)?;
        match turn {
            Ok(TurnMade::Laid { laid, .. }) => Ok(self.lay(state, laid)),
            Ok(TurnMade::Passed) => {
                state.pass();
                Ok("passes".to_owned())
            }
            Err(foul) => {
                contestant.breaches += 1;
                let what = name_of(foul.kind);
                let detail = foul.detail.replace('\n', "\n    ");
                // Where a colour lies on two piles already, the house still adds no third.
                let moves = state.moves(Placing::Strict);
                let chosen = moves[self.house.below(moves.len())];
                let made = self.lay(state, chosen);
                Ok(format!("{what}: {detail}\n  made for it: {made}"))
            }
        }
    }

    /// Makes a legal move and tells it.
    fn lay(&self, state: &mut State, laid: Move) -> String {
        match state.make(laid, Some(self.setup.threshold)) {
            Some(true) => format!("{laid}, which explodes"),
            _ => laid.to_string(),
        }
    }
}

/// What can be said of a breach before its details.
fn name_of(kind: FoulKind) -> &'static str {
    match kind {
        FoulKind::Illegal | FoulKind::Malformed => "breach",
        FoulKind::Timeout => "time-out",
        FoulKind::Crash => "crash",
        FoulKind::Memory => "out of memory",
        FoulKind::Output => "too much output",
        FoulKind::Start | FoulKind::Compile => "not started",
    }
}

fn failed(fault: MachineFault) -> Failure {
    Failure::Machine(fault.to_string())
}
