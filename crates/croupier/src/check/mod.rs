//! `croupier check`: does this program keep the protocol?
//!
//! The program is taken through as many situations as there is time for: see [`mod@situations`] for
//! where they come from. Every rule that it breaks is told once, with the shortest input that made
//! it do so; if it breaks none, what was tried is told. A `.c` file is taken through the list once
//! more, compiled with sanitizers, which find what only breaks now and then, unless it was too slow
//! without them.

mod asking;
mod report;
mod situations;

use std::path::Path;
use std::time::{Duration, Instant};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches};
use croupier_bots::{
    Bot, Entries, Finding, Hosted, House, Preparation, Program, SANITIZED, SANITIZED_MEMORY,
    Speech, Tier, Unusable, can_be_sanitized, memory_error, prepare,
};
use croupier_console::{Failure, game_options, number_flag, print, seed};
use croupier_core::{FoulKind, Game, NoMove, Options, Seed, parse_duration};
use indicatif::ProgressBar;
use serde_json::json;

use self::asking::{Asked, Asking, Effort, Found};
use self::report::Broken;
use self::situations::{Course, List, Table};
use crate::arguments::threads_flag;
use crate::entrants::introduce;
use crate::players::{self, Kind, Named};
use crate::style::{BOLD, DIM, grouped};
use crate::table::not_taken;
use crate::{house, progress, table};

/// As long as a person waits.
const PATIENCE: Duration = Duration::from_secs(10);

/// More threads than this would only get in each other's way: a process is started for most
/// situations.
const MOST_THREADS: usize = 4;

/// The part of the time, and of the situations, that the sanitizers get: one of so many.
const FOR_SANITIZERS: u32 = 4;

/// The flags that say how much is tried.
pub(crate) fn flags() -> [Arg; 3] {
    [
        number_flag::<u64>("situations", 1..=u64::MAX)
            .help("Try this many situations, however long it takes"),
        Arg::new("for")
            .long("for")
            .value_name("TIME")
            .allow_hyphen_values(true)
            .value_parser(parse_duration)
            .help("Try situations for this long [default: 10s]"),
        threads_flag()
            .help("How many copies of the program run at once [default: one per core, up to 4]"),
    ]
}

/// Checks the program that the command line names; status 1 if it fails.
pub(crate) fn check<G: Hosted>(matches: &ArgMatches) -> Result<(), Failure> {
    let tables = tables::<G>(matches)?;
    let spec = matches
        .get_one::<String>("player")
        .expect("clap asks for it");
    let mut player = players::read(Vec::new(), std::slice::from_ref(spec), 1)?.remove(0);
    let Kind::Program(path, speech) = &player.kind.clone() else {
        // A name that is nobody's is told as such.
        table::known::<G>(spec)?;
        return Err(Failure::Usage(format!(
            "check is for programs; '{spec}' is a built-in player"
        )));
    };
    let mut checkup = Checkup::<G> {
        tables,
        seed: seed(matches)?,
        speech: *speech,
        extent: Extent::read(matches),
        bar: ProgressBar::hidden(),
        asked: Asked::default(),
        sanitized: 0,
        broken: Broken::default(),
    };
    let house = house::read(matches, Tier::Limits, G::DECISION)?;
    // What is wrong with a program that cannot be used is told below.
    let alone = Entries::default();
    if let Ok(program) = table::usable::<G>(path, *speech, &Preparation::new(&house, &alone)) {
        let program = [Some((&program, *speech))];
        let players = std::slice::from_mut(&mut player);
        introduce::<G>(players, &program, &checkup.tables[0].setup, &house)?;
    }
    let is_quiet = matches.get_flag("json") || matches.get_flag("quiet");
    checkup.bar = progress::work(checkup.extent.length(), is_quiet);
    let examined = checkup.examine_in_every_way(path, &house);
    checkup.bar.finish_and_clear();
    // Whatever went wrong after Ctrl-C tells nothing about the program.
    if house.is_stopped() {
        return Err(stopped());
    }
    examined?;
    checkup.report(&player, matches)
}

/// The table that was asked for, and what else a program has to cope with; but what the command line
/// fixes stays as it is.
fn tables<G: Hosted>(matches: &ArgMatches) -> Result<Vec<Table<G>>, Failure> {
    let given = game_options(&G::PROFILE, matches)?;
    let setup = |options: &Options| {
        let setup = G::setup(options);
        setup.map_err(|error| Failure::Usage(error.to_string()))
    };
    let mut tables = vec![Table {
        name: "",
        setup: setup(&given)?,
    }];
    let is_fixed = |option: &str| matches.value_source(option) == Some(ValueSource::CommandLine);
    for variation in G::VARIATIONS {
        if variation.options.iter().any(|(option, _)| is_fixed(option)) {
            continue;
        }
        let mut options = given.clone();
        for (option, value) in variation.options {
            options.insert((*option).to_owned(), (*value).to_owned());
        }
        tables.push(Table {
            name: variation.name,
            setup: setup(&options)?,
        });
    }
    Ok(tables)
}

/// How much is tried.
#[derive(Clone, Copy)]
struct Extent {
    situations: Option<u64>,
    time: Option<Duration>,
    threads: usize,
}

impl Extent {
    fn read(matches: &ArgMatches) -> Extent {
        let situations = matches.get_one::<u64>("situations").copied();
        let time = matches.get_one::<Duration>("for").copied();
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = matches.get_one::<u16>("threads").copied();
        Extent {
            situations,
            time: time.or_else(|| situations.is_none().then_some(PATIENCE)),
            threads: threads.map_or_else(|| cores().min(MOST_THREADS), usize::from),
        }
    }

    /// How long the bar is: milliseconds if time is what ends it, or else situations.
    fn length(self) -> u64 {
        match self.time {
            Some(time) => time.as_millis() as u64,
            None => self.situations.unwrap_or_default(),
        }
    }

    /// What is left of it after `parts` of [`FOR_SANITIZERS`].
    fn part(self, parts: u32) -> Extent {
        let share = |whole: u64| whole.saturating_mul(parts.into()) / u64::from(FOR_SANITIZERS);
        Extent {
            situations: self.situations.map(|whole| share(whole).max(1)),
            time: self.time.map(|time| time * parts / FOR_SANITIZERS),
            threads: self.threads,
        }
    }

    fn effort(self) -> Effort {
        Effort {
            situations: self.situations,
            until: self.time.map(|time| Instant::now() + time),
            threads: self.threads,
        }
    }
}

/// What has been found so far.
struct Checkup<G: Game> {
    tables: Vec<Table<G>>,
    seed: Seed,
    speech: Speech,
    extent: Extent,
    bar: ProgressBar,
    /// What was tried without sanitizers.
    asked: Asked,
    /// How many situations were tried with them.
    sanitized: u64,
    broken: Broken,
}

impl<G: Hosted> Checkup<G> {
    /// Compiles the program if need be, and takes it through everything.
    fn examine_in_every_way(&mut self, path: &Path, house: &House) -> Result<(), Failure> {
        let mut extent = self.extent;
        if can_be_sanitized(path) {
            extent.time = extent.part(FOR_SANITIZERS - 1).time;
        }
        let alone = Entries::default();
        match prepare::<G>(path, self.speech, &Preparation::new(house, &alone)) {
            Ok(program) => self.examine(program, house, extent)?,
            Err(error @ Unusable::Compile { .. }) => {
                self.broken
                    .unusable::<G>(FoulKind::Compile, error.to_string());
            }
            Err(error @ Unusable::Unfit { .. }) => {
                self.broken
                    .unusable::<G>(FoulKind::Malformed, error.to_string());
            }
            Err(error) => return Err(table::unusable(error)),
        }
        // A program that hangs would only hang for longer.
        let hangs = self.broken.has(FoulKind::Timeout);
        if can_be_sanitized(path) && self.asked.situations > 0 && !hangs && !house.is_stopped() {
            self.examine_with_sanitizers(path, house)?;
        }
        Ok(())
    }

    /// Takes the program through the list and notes what goes wrong.
    fn examine(&mut self, program: Program, house: &House, extent: Extent) -> Result<(), Failure> {
        let began = Instant::now();
        for finding in self.findings(program.clone(), house)? {
            self.broken.finding::<G>(finding, None);
        }
        // That took its time too, but most is left for the situations.
        let mut effort = extent.effort();
        effort.until = effort
            .until
            .zip(extent.time)
            .map(|(until, time)| until - began.elapsed().min(time / 2));
        let (tables, broken) = (&self.tables, &mut self.broken);
        let mut tell = |found: Found| {
            let table = &tables[found.table];
            broken.fault::<G>(found, table, None);
        };
        let asking = Asking {
            program,
            speech: self.speech,
            house,
            effort,
            bar: &self.bar,
        };
        self.asked = asking.ask(list(tables, self.seed, self.speech), &mut tell)?;
        Ok(())
    }

    /// The same once more with a program that watches its own memory.
    fn examine_with_sanitizers(&mut self, path: &Path, house: &House) -> Result<(), Failure> {
        let alone = Entries::default();
        let preparation = Preparation {
            flags: SANITIZED,
            ..Preparation::new(house, &alone)
        };
        let program = match prepare::<G>(path, self.speech, &preparation) {
            Ok(program) => program,
            // A compiler without sanitizers is no failure of the program.
            Err(Unusable::Compile { .. }) => return Ok(()),
            Err(error) => return Err(table::unusable(error)),
        };
        let mut house = house.clone();
        house.limits.memory = SANITIZED_MEMORY;
        // Watching takes time.
        house.limits.decision *= 10;
        let effort = self.extent.part(1).effort();
        // Only what the sanitizers found is news; the rest was found before.
        let told = |errors: &str| {
            let error = memory_error(errors, path);
            error.map(|error| format!("memory error at {error}"))
        };
        let (tables, broken) = (&self.tables, &mut self.broken);
        let mut tell = |found: Found| {
            if let Some(error) = told(&found.fault.exchange.errors) {
                let table = &tables[found.table];
                broken.fault::<G>(found, table, Some(error));
            }
        };
        let asking = Asking {
            program: program.clone(),
            speech: self.speech,
            house: &house,
            effort,
            bar: &self.bar,
        };
        let asked = asking.ask(list(tables, self.seed, self.speech), &mut tell)?;
        self.sanitized = asked.situations;
        for finding in self.findings(program, &house)? {
            if let Some(error) = told(&finding.errors) {
                self.broken.finding::<G>(finding, Some(error));
            }
        }
        Ok(())
    }

    /// Looks at what the game asks of a program besides moves.
    fn findings(&self, program: Program, house: &House) -> Result<Vec<Finding>, Failure> {
        if self.speech != Speech::Own {
            return Ok(Vec::new());
        }
        let bot = Bot::take_on(program, house).map_err(not_taken)?;
        G::examine(bot, house, self.seed).map_err(|failure| match failure {
            NoMove::Foul(foul) => Failure::Machine(foul.detail),
            NoMove::Void(reason) => Failure::Machine(reason),
            NoMove::Left | NoMove::Stopped => stopped(),
        })
    }

    fn report(&self, player: &Named, matches: &ArgMatches) -> Result<(), Failure> {
        let ok = self.broken.is_empty();
        if matches.get_flag("json") {
            let report = json!({
                "player": player.spec,
                "game": G::PROFILE.name,
                "ok": ok,
                "situations": self.asked.situations,
                "sanitized": self.sanitized,
                "kinds": report::kinds::<G>(&self.asked),
                "seed": self.seed,
                "failures": self.broken.json(),
            });
            print(&format!("{report}\n"))?;
        } else {
            print(&self.text(player, matches.get_flag("quiet")))?;
        }
        if ok { Ok(()) } else { Err(Failure::AnswerIsNo) }
    }

    fn text(&self, player: &Named, quiet: bool) -> String {
        let mut text = format!(
            "{BOLD}{}{BOLD:#} at {}: {} in {}\n{DIM}--seed {}{DIM:#}\n",
            player.name,
            G::PROFILE.title,
            self.broken.count(),
            situations(self.asked.situations),
            self.seed
        );
        text += &self.broken.text(quiet);
        if !self.broken.is_empty() || quiet {
            return text;
        }
        text.push('\n');
        text += &self.tried();
        text
    }

    fn tried(&self) -> String {
        let names: Vec<&'static str> = self.tables.iter().map(|table| table.name).collect();
        let mut text = report::tried::<G>(&self.asked, &names);
        if self.sanitized > 0 {
            let again = situations(self.sanitized);
            text += &format!("  {again} once more with sanitizers\n");
        }
        if self.asked.situations < G::KINDS.len() as u64 {
            text += "  That is not much: give it more time with --for.\n";
        }
        text
    }
}

/// The list of situations for a program that is spoken to like this.
fn list<G: Hosted>(tables: &[Table<G>], seed: Seed, speech: Speech) -> List<'_, G> {
    let course = match speech {
        Speech::Json => Course::TurnsAndGames,
        Speech::Own if G::QUESTIONS_STAND_ALONE => Course::Turns,
        Speech::Own => Course::Games,
    };
    List::new(tables, seed, course)
}

fn situations(number: u64) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} situation{ending}", grouped(number))
}

fn stopped() -> Failure {
    Failure::Interrupted("stopped before the check was complete".to_owned())
}
