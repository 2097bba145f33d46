//! `croupier match`: players of every kind at one table, told move by move.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use croupier_arena::{Chair, Chairs, Dealing, PlayedGame, Unplayed};
use croupier_bots::{
    Fault, Hosted, House, NoMinder, NotTaken, Preparation, Program, Speech, Tier, Unusable,
};
use croupier_console::{Failure, WholeFile, game_options, print, seed};
use croupier_core::{
    Audience, Company, Event, FoulKind, Game, Moment, Observer, Outcome, Recorder, Seed, built_in,
    shell_path, shell_word,
};
use serde_json::{Value, json};

use crate::entrants::introduce;
use crate::explain::{self, Explained};
use crate::play::Person;
use crate::players::{self, Kind, Named};
use crate::shown::Shown;
use crate::style::{BOLD, DIM, filled};
use crate::telling::{aftermath, told};
use crate::{cli, house};

/// Plays the match that the command line asks for.
pub(crate) fn play_match<G: Hosted + Shown>(matches: &ArgMatches) -> Result<(), Failure> {
    Match::<G>::without_a_person(matches)?.play()
}

/// A match that is ready to be played.
pub(crate) struct Match<G: Game> {
    setup: G::Setup,
    players: Vec<Named>,
    programs: Vec<Option<(Program, Speech)>>,
    house: House,
    seed: Seed,
    games: u64,
    out: Option<PathBuf>,
    as_json: bool,
    quiet: bool,
    /// Whether players who weigh their moves tell what they think of them.
    explain: bool,
}

/// One game of a match, in the order in which the players were named.
struct Played {
    seed: Seed,
    outcome: Outcome,
    faults: Vec<(String, usize, Fault)>,
}

impl<G: Hosted + Shown> Match<G> {
    fn without_a_person(matches: &ArgMatches) -> Result<Match<G>, Failure> {
        let specs = matches.get_many::<String>("player").unwrap_or_default();
        let specs: Vec<String> = specs.cloned().collect();
        let mut prepared = Match::prepare(matches, &specs, false)?;
        prepared.out = matches.get_one::<PathBuf>("out").cloned();
        prepared.as_json = matches.get_flag("json");
        prepared.quiet = matches.get_flag("quiet");
        prepared.explain = matches.get_flag("explain");
        Ok(prepared)
    }

    /// A match with a person at the terminal, who is named first.
    pub(crate) fn with_a_person(matches: &ArgMatches) -> Result<Match<G>, Failure> {
        let against = matches.get_many::<String>("against").unwrap_or_default();
        let specs: Vec<String> = against.cloned().collect();
        let mut prepared = Match::prepare(matches, &specs, true)?;
        prepared.quiet = matches.get_flag("quiet");
        Ok(prepared)
    }

    fn prepare(matches: &ArgMatches, specs: &[String], person: bool) -> Result<Match<G>, Failure> {
        let usage = |error: croupier_core::BadSetup| Failure::Usage(error.to_string());
        let options = game_options(&G::PROFILE, matches)?;
        let options = cli::with_enough_seats(
            &G::PROFILE,
            options,
            matches,
            specs.len() + usize::from(person),
        );
        let setup = G::setup(&options).map_err(usage)?;
        let seats = G::deal(&setup, Seed(0)).seats();
        let mut specs = specs.to_vec();
        if person {
            let empty = seats.saturating_sub(specs.len() + 1);
            let opponents = G::OPPONENTS.iter().cycle().take(empty);
            specs.extend(opponents.map(|name| (*name).to_owned()));
        }
        let person = person.then(Named::person).into_iter().collect();
        let mut players = players::read(person, &specs, seats)?;
        if players.len() > seats {
            let wrong = cli::wrong_number(&G::PROFILE, seats, players.len());
            return Err(Failure::Usage(wrong));
        }
        let house = house::read(matches, Tier::Limits, G::DECISION)?;
        let entries = players::entries(&players);
        let programs = programs::<G>(&players, &Preparation::new(&house, &entries))?;
        let started: Vec<_> = programs
            .iter()
            .map(|program| program.as_ref().map(|(program, speech)| (program, *speech)))
            .collect();
        introduce::<G>(&mut players, &started, &setup, &house)?;
        Ok(Match {
            setup,
            players,
            programs,
            house,
            seed: seed(matches)?,
            games: *matches.get_one("games").expect("it has a default"),
            out: None,
            as_json: false,
            quiet: false,
            explain: false,
        })
    }

    pub(crate) fn play(self) -> Result<(), Failure> {
        if let Some(out) = &self.out {
            let made = std::fs::create_dir_all(out.join("faults"))
                .and_then(|()| std::fs::create_dir_all(out.join("records")));
            made.map_err(|error| {
                Failure::Usage(format!("cannot make the folder {}: {error}", out.display()))
            })?;
            for (folder, end) in [("faults", ".json"), ("records", ".jsonl")] {
                forget_earlier(&out.join(folder), end)?;
            }
        }
        if self.programs.iter().any(Option::is_some) {
            // Only speed depends on it.
            let _ = croupier_bots::stay_on_one_core();
        }
        let mut chairs = Chairs::new(self.chairs()?);
        let mut played = Vec::new();
        for number in 0..self.games {
            match self.game(number, &mut chairs) {
                Ok(Some(game)) => played.push(game),
                Ok(None) => {
                    print(&self.left(number))?;
                    if played.is_empty() {
                        return Ok(());
                    }
                    break;
                }
                Err(failure) => {
                    if !played.is_empty() {
                        self.report(&played)?;
                    }
                    return Err(failure);
                }
            }
        }
        // Those who live on from game to game are only now told to end.
        let faults = chairs.leave();
        let last = played.len() as u64;
        if let Some(game) = played.last_mut() {
            self.keep_faults(last - 1, game, faults)?;
        }
        self.report(&played)
    }

    /// Seats all players, each for the whole match.
    fn chairs(&self) -> Result<Vec<Chair<G>>, Failure> {
        let seats = self.programs.iter().zip(&self.players);
        let chairs = seats.map(|(program, player)| match (program, &player.kind) {
            (Some((program, speech)), _) => {
                let chair = Chair::of_program(program.clone(), *speech, &self.house, &self.setup);
                chair.map_err(not_taken)
            }
            (None, Kind::BuiltIn(name)) => {
                let player = built_in(name).expect("it was made before");
                Ok(Chair::of(match self.explain {
                    true => Explained::boxed(player),
                    false => player,
                }))
            }
            (None, Kind::Person) => {
                let names = self.players.iter().map(|player| player.name.clone());
                let person = Person::new(names.collect(), &self.house, self.quiet)?;
                Ok(Chair::of(Box::new(person)))
            }
            (None, Kind::Program(..)) => unreachable!("it was prepared before"),
        });
        chairs.collect()
    }

    /// Plays one game; none if the person has left the table.
    fn game(&self, number: u64, chairs: &mut Chairs<G>) -> Result<Option<Played>, Failure> {
        let seed = self.seed.deal(number);
        let count = self.players.len();
        // From game to game the players move on by one seat.
        let moved = (number % count as u64) as usize;
        let setup = self.setup_after(moved);
        let mut order: Vec<usize> = (0..count).collect();
        order.rotate_right(moved);
        let names = order
            .iter()
            .map(|&player| self.players[player].name.clone());
        let names: Vec<String> = names.collect();
        let dealing = Dealing {
            setup: &setup,
            seed,
            chance: seed,
            order: &order,
        };
        let failed = RefCell::new(None);
        let played = chairs.play(&dealing, &self.house, || LookingOn {
            recorder: Recorder::new::<G>(&setup, seed, names.clone()),
            names: &names,
            told: self.tells().then_some(number),
            with_a_person: self.is_person(0),
            before: None,
            failed: &failed,
        });
        if let Some(failure) = failed.take() {
            return Err(failure);
        }
        match played {
            Ok(game) => self.keep(number, seed, game).map(Some),
            Err(Unplayed::Left) => Ok(None),
            Err(Unplayed::Stopped) if self.house.is_stopped() => {
                Err(Failure::Interrupted(format!(
                    "stopped in game {} of {}; --seed {} plays the match again",
                    number + 1,
                    self.games,
                    self.seed
                )))
            }
            Err(Unplayed::Stopped) => Err(Failure::OutputClosed),
            Err(Unplayed::NotTaken(error)) => Err(not_taken(error)),
            Err(Unplayed::Machine(reason)) => Err(Failure::Machine(format!(
                "game {} could not be played: {reason}",
                number + 1
            ))),
        }
    }

    /// What is told when the person has left a game.
    fn left(&self, number: u64) -> String {
        let given: Vec<String> = std::env::args_os()
            .skip(1)
            .map(|word| shell_word(Path::new(&word)))
            .collect();
        let is_seed = |word: &String| word == "--seed" || word.starts_with("--seed=");
        let seed = match given.iter().any(is_seed) {
            true => String::new(),
            false => format!(" --seed {}", self.seed),
        };
        let again = match number {
            0 => "To be dealt the same cards again:",
            _ => "To play the same games again from the first:",
        };
        format!(
            "You have left the table: game {} of {} does not count. {again}\n  croupier {}{seed}\n\n",
            number + 1,
            self.games,
            given.join(" ")
        )
    }

    /// The setup when the players have moved on by so many seats: they take along what they brought.
    fn setup_after(&self, moved: usize) -> G::Setup {
        let moved_on = G::brought(&self.setup).and_then(|mut scores| {
            scores.rotate_right(moved);
            G::carry_on(&self.setup, &scores)
        });
        moved_on.unwrap_or_else(|| self.setup.clone())
    }

    fn is_person(&self, player: usize) -> bool {
        self.players[player].kind == Kind::Person
    }

    fn tells(&self) -> bool {
        !self.as_json && !self.quiet
    }

    /// Keeps a game's record and faults.
    fn keep(
        &self,
        number: u64,
        seed: Seed,
        game: PlayedGame<LookingOn<'_, G>>,
    ) -> Result<Played, Failure> {
        let record = game.observer.recorder.into_text();
        if let Some(out) = &self.out {
            let file = out.join("records").join(format!("{}.jsonl", number + 1));
            WholeFile::create(&file)?.finish(record.as_bytes())?;
        }
        let mut played = Played {
            seed,
            outcome: game.outcome,
            faults: Vec::new(),
        };
        let faults = game.faults.into_iter();
        let faults = faults.map(|(_, player, fault)| (player, fault));
        self.keep_faults(number, &mut played, faults.collect())?;
        Ok(played)
    }

    /// Adds faults to those of a game.
    fn keep_faults(
        &self,
        number: u64,
        played: &mut Played,
        faults: Vec<(usize, Fault)>,
    ) -> Result<(), Failure> {
        for (player, fault) in faults {
            let id = format!("{}-{}", number + 1, played.faults.len() + 1);
            if let Some(out) = &self.out {
                let name = &self.players[player].name;
                crate::repro::keep(out, &id, G::NAME, name, &fault)?;
            }
            played.faults.push((id, player, fault));
        }
        Ok(())
    }

    fn report(&self, played: &[Played]) -> Result<(), Failure> {
        if self.as_json {
            return print(&format!("{}\n", self.json(played)));
        }
        print(&self.text(played))
    }

    fn json(&self, played: &[Played]) -> Value {
        let players = self.players.iter();
        json!({
            "game": G::NAME,
            "seed": self.seed,
            "setup": self.setup,
            "players": players.map(|p| json!({"name": p.name, "spec": p.spec})).collect::<Vec<_>>(),
            "sandbox": self.house.tier,
            "games": played.iter().map(|game| json!({
                "seed": game.seed,
                "scores": game.outcome.scores,
                "places": game.outcome.places,
                "note": game.outcome.note,
                "faults": game.faults.iter().map(|(id, player, fault)| json!({
                    "id": id, "seat": player, "kind": fault.kind, "culprit": fault.culprit,
                    "detail": fault.detail,
                })).collect::<Vec<_>>(),
            })).collect::<Vec<_>>(),
        })
    }

    fn text(&self, played: &[Played]) -> String {
        let games = played.len();
        let widest = self
            .players
            .iter()
            .map(|player| player.name.chars().count())
            .max();
        let widest = widest.unwrap_or(0).max("player".len());
        let mut text = format!(
            "{BOLD}{}{BOLD:#}, {games} game{}, sandbox {}\n{DIM}--seed {}{DIM:#}\n\n  {:<widest$}  {:>8}  {:>8}  {:>6}  {:>6}\n",
            G::PROFILE.title,
            if games == 1 { "" } else { "s" },
            self.house.tier,
            self.seed,
            "player",
            "points",
            "score",
            "first",
            "faults"
        );
        for (number, player) in self.players.iter().enumerate() {
            let points: f64 = played
                .iter()
                .map(|game| game.outcome.points()[number])
                .sum();
            let score: i64 = played.iter().map(|game| game.outcome.scores[number]).sum();
            let first = played
                .iter()
                .filter(|game| game.outcome.places[number] == 1)
                .count();
            let faults = played.iter().flat_map(|game| &game.faults);
            let faults = faults.filter(|(_, player, _)| *player == number).count();
            text += &format!(
                "  {:<widest$}  {points:>8.1}  {score:>8}  {first:>6}  {faults:>6}\n",
                player.name
            );
        }
        // Of each player and kind one example is enough; all of them are in the folder.
        let mut kinds: BTreeMap<(usize, String), (usize, &str, &str)> = BTreeMap::new();
        for (id, player, fault) in played.iter().flat_map(|game| &game.faults) {
            let detail = fault.detail.lines().next().unwrap_or_default();
            let kind = (*player, name_of_kind(fault.kind));
            kinds.entry(kind).or_insert((0, id, detail)).0 += 1;
        }
        if !kinds.is_empty() {
            text += "\n";
        }
        for ((player, kind), (times, id, detail)) in &kinds {
            let times = match times {
                1 => "once".to_owned(),
                times => format!("{times} times, for instance"),
            };
            let again = self
                .out
                .as_ref()
                .map(|out| format!("\n    {DIM}croupier repro {} {id}{DIM:#}", shell_path(out)));
            text += &format!(
                "  {} fouled ({kind}) {times}: {detail}{}\n",
                self.players[*player].name,
                again.unwrap_or_default()
            );
        }
        text
    }
}

/// The kind of a fault as it is written everywhere.
pub(crate) fn name_of_kind(kind: FoulKind) -> String {
    let kind = serde_json::to_value(kind).unwrap_or_default();
    kind.as_str().unwrap_or_default().to_owned()
}

/// Gets all programs ready, and makes sure that there are such built-in players.
pub(crate) fn programs<G: Hosted>(
    players: &[Named],
    preparation: &Preparation<'_>,
) -> Result<Vec<Option<(Program, Speech)>>, Failure> {
    all_usable(players, |player| match &player.kind {
        Kind::Program(path, speech) => {
            let program = prepare::<G>(path, *speech, preparation)?;
            Ok(Some((program, *speech)))
        }
        Kind::Person => Ok(None),
        Kind::BuiltIn(name) => known::<G>(name).map(|()| None),
    })
}

/// What all players are got ready for. If several cannot be used, all of them are named.
pub(crate) fn all_usable<T>(
    players: &[Named],
    get_ready: impl Fn(&Named) -> Result<T, Failure>,
) -> Result<Vec<T>, Failure> {
    let (mut ready, mut wrong) = (Vec::new(), Vec::new());
    for player in players {
        match get_ready(player) {
            Ok(one) => ready.push(one),
            Err(Failure::Usage(reason)) => wrong.push((&player.name, reason)),
            Err(failure) => return Err(failure),
        }
    }
    let mut wrong = wrong.into_iter();
    let Some((_, reason)) = wrong.next() else {
        return Ok(ready);
    };
    let others: Vec<&str> = wrong.map(|(name, _)| name.as_str()).collect();
    Err(Failure::Usage(match others.as_slice() {
        [] => reason,
        others => format!(
            "{} cannot be used, and neither can this one: {reason}",
            others.join(", ")
        ),
    }))
}

/// Makes sure that there is such a built-in player.
pub(crate) fn known<G: Hosted>(spec: &str) -> Result<(), Failure> {
    match built_in::<G>(spec) {
        Ok(_) => Ok(()),
        Err(wrong) => Err(Failure::Usage(format!(
            "{wrong}; for a program in this folder write ./{spec}"
        ))),
    }
}

/// Gets a program ready.
pub(crate) fn prepare<G: Hosted>(
    path: &Path,
    speech: Speech,
    preparation: &Preparation<'_>,
) -> Result<Program, Failure> {
    usable::<G>(path, speech, preparation).map_err(unusable)
}

/// Gets a program ready, or says what is wrong with it.
pub(crate) fn usable<G: Hosted>(
    path: &Path,
    speech: Speech,
    preparation: &Preparation<'_>,
) -> Result<Program, Unusable> {
    croupier_bots::prepare::<G>(path, speech, preparation)
}

/// What is wrong with a program is a wrong request; the rest is the machine's failure.
pub(crate) fn unusable(error: Unusable) -> Failure {
    match error {
        Unusable::NotTaken(reason) => not_taken(reason),
        Unusable::Interrupted => Failure::Interrupted(error.to_string()),
        Unusable::Machine(_) => Failure::Machine(error.to_string()),
        _ => Failure::Usage(error.to_string()),
    }
}

/// A tier that cannot be given is a wrong request; the rest is the machine's failure.
pub(crate) fn not_taken(error: NotTaken) -> Failure {
    match error {
        NotTaken::NoMinder(NoMinder::Refused { .. }) => Failure::Usage(format!(
            "{error}; see croupier doctor, or choose a looser tier with --sandbox"
        )),
        _ => Failure::Machine(error.to_string()),
    }
}

/// Who looks on while a game of a match is played.
struct LookingOn<'a, G: Game> {
    recorder: Recorder,
    names: &'a [String],
    /// The number of the game, if it is told move by move.
    told: Option<u64>,
    /// Whether a person plays, who must not be told everything: it hears what its seat hears.
    with_a_person: bool,
    /// What the seat to move sees before its move.
    before: Option<G::View>,
    /// Why the output could not be written, if it could not.
    failed: &'a RefCell<Option<Failure>>,
}

impl<G: Shown> LookingOn<'_, G> {
    fn heading(&self, number: u64) -> String {
        let names = self.names.join(", ");
        let help = match self.with_a_person {
            true => format!(
                "{DIM}{}{DIM:#}",
                filled(
                    "",
                    0,
                    "Type help for what you can enter, rules for the rules, hint to ask the expert."
                )
            ),
            false => String::new(),
        };
        let heading = format!("{BOLD}Game {}{BOLD:#}: {names}", number + 1);
        filled("", 2, &heading) + &help
    }

    /// What is told of a moment.
    fn text(&mut self, game: &G, number: u64, moment: &Moment<'_, G>) -> String {
        let event = match moment.heard_by(Audience::Referee) {
            Some(Event::Dealt) => return self.heading(number),
            Some(event) if !self.with_a_person => event,
            _ => return String::new(),
        };
        let company = Company::new(self.names, None);
        match &event {
            Event::Asked { seat, .. } => {
                self.before = Some(game.view(*seat));
                String::new()
            }
            Event::Weighed { thoughts, .. } => explain::weighed(thoughts, game.legal_moves().len()),
            Event::Played { seat, .. } | Event::Fouled { seat, .. } => {
                let before = self.before.as_ref();
                let came =
                    before.map(|before| aftermath::<G>(&event, before, &game.view(*seat), company));
                told::<G>(&event, company) + &came.unwrap_or_default()
            }
            event => told::<G>(event, company),
        }
    }
}

impl<G: Shown> Observer<G> for LookingOn<'_, G> {
    fn see(&mut self, game: &G, moment: &Moment<'_, G>) -> ControlFlow<()> {
        self.recorder.see(game, moment)?;
        let Some(number) = self.told else {
            return ControlFlow::Continue(());
        };
        match print(&self.text(game, number, moment)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                *self.failed.borrow_mut() = Some(failure);
                ControlFlow::Break(())
            }
        }
    }
}

/// What an earlier match has left in this folder would be taken for what this one leaves.
fn forget_earlier(folder: &Path, end: &str) -> Result<(), Failure> {
    let ours = |file: &std::fs::DirEntry| {
        let name = file.file_name().into_string().unwrap_or_default();
        let number = name.strip_suffix(end).unwrap_or_default().to_owned();
        !number.is_empty()
            && number
                .chars()
                .all(|sign| sign.is_ascii_digit() || sign == '-')
    };
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for file in files.filter(ours) {
        let path = file.path();
        std::fs::remove_file(&path).map_err(|error| {
            Failure::machine(format_args!("replace {}", path.display()), &error)
        })?;
    }
    Ok(())
}
