//! `croupier check`: does this program keep the protocol?
//!
//! The program is taken through situations from random games, the edges first: forced moves, last
//! cards, then the widest choices, then anything. Of each kind of failure the one with the
//! shortest input is told. A source in C or C++ goes through the same situations once more, compiled with
//! sanitizers, which find what only breaks now and then, unless it was too slow without them.

use std::collections::BTreeMap;
use std::path::Path;

use clap::ArgMatches;
use croupier_bots::{
    Bot, Entries, Fault, Finding, Hosted, House, Ledger, Preparation, Program, SANITIZED,
    SANITIZED_MEMORY, Seating, Speech, Tier, Unusable, can_be_sanitized, memory_error, prepare,
    told,
};
use croupier_console::{Failure, game_options, print, seed};
use croupier_core::{
    FoulKind, Game, Heard, Moment, NoMove, Player, RandomPlayer, Seat, Seed, Step, Stepper, Turn,
    Unfinished, counted, play,
};
use serde_json::json;

use crate::entrants::introduce;
use crate::players::{self, Kind, Named};
use crate::shown::Shown;
use crate::style::{BOLD, DIM};
use crate::table::{name_of_kind, not_taken};
use crate::{house, table};

/// How many random games the situations are taken from.
const GAMES: u64 = 40;

/// How many situations of each sort are tried.
const EACH: usize = 20;

/// After this many time-outs a program is asked no more: the answer is known, and a check with all
/// of them could take an hour.
const TIMEOUTS: usize = 3;

/// Checks the program that the command line names; status 1 if it fails.
pub(crate) fn check(matches: &ArgMatches) -> Result<(), Failure> {
    table::with_game(matches, Check)
}

/// The check, for whichever game.
struct Check;

impl table::ForGame for Check {
    fn run<G: Hosted + Shown>(self, matches: &ArgMatches) -> Result<(), Failure> {
        let setup = G::setup(&game_options(&G::PROFILE, matches)?)
            .map_err(|error| Failure::Usage(error.to_string()))?;
        let spec = matches
            .get_one::<String>("player")
            .expect("clap asks for it");
        let mut player = players::read(Vec::new(), std::slice::from_ref(spec), 1)?.remove(0);
        let Kind::Program(path, speech) = &player.kind.clone() else {
            // A name that is nobody's is told as such.
            table::known::<G>(spec)?;
            return Err(Failure::Usage(format!(
                "check is for programs; '{spec}' is a player that comes with the game"
            )));
        };
        let mut checkup = Checkup::<G> {
            setup,
            seed: seed(matches)?,
            speech: *speech,
            situations: 0,
            failures: BTreeMap::new(),
        };
        let house = house::read(matches, Tier::Limits, G::DECISION)?;
        // What is wrong with a program that cannot be used is told below.
        let alone = Entries::default();
        let preparation = Preparation::new(&house, &alone);
        if let Ok(program) = table::usable::<G>(path, *speech, &preparation) {
            let program = [Some((&program, *speech))];
            let players = std::slice::from_mut(&mut player);
            introduce::<G>(players, &program, &checkup.setup, &house)?;
        }
        let examined = checkup.examine_in_every_way(path, &house);
        // Whatever went wrong after Ctrl-C tells nothing about the program.
        if house.is_stopped() {
            return Err(stopped());
        }
        examined?;
        checkup.report(&player, matches)
    }
}

/// What has been found so far.
struct Checkup<G: Game> {
    setup: G::Setup,
    seed: Seed,
    speech: Speech,
    situations: usize,
    /// For each kind of failure, and the part of the program it is about, the detail and the
    /// shortest input.
    failures: BTreeMap<(String, String), (String, String)>,
}

impl<G: Hosted> Checkup<G> {
    /// Compiles the program if need be, and takes it through everything.
    fn examine_in_every_way(&mut self, path: &Path, house: &House) -> Result<(), Failure> {
        let alone = Entries::default();
        let preparation = Preparation::new(house, &alone);
        match prepare::<G>(path, self.speech, &preparation) {
            Ok(program) => self.examine(program, house)?,
            Err(error @ Unusable::Compile { .. }) => {
                self.note(FoulKind::Compile, "", error.to_string(), String::new());
            }
            Err(error @ Unusable::Unfit { .. }) => {
                self.note(FoulKind::Malformed, "", error.to_string(), String::new());
            }
            Err(error) => return Err(table::unusable(error)),
        }
        // A program that hangs would only hang for longer.
        let timeout = name_of_kind(FoulKind::Timeout);
        let hangs = self.failures.keys().any(|(kind, _)| *kind == timeout);
        if can_be_sanitized(path) && self.situations > 0 && !hangs && !house.is_stopped() {
            self.examine_with_sanitizers(path, house)?;
        }
        Ok(())
    }

    /// Takes the program through all situations and notes what goes wrong.
    fn examine(&mut self, program: Program, house: &House) -> Result<(), Failure> {
        for fault in self.faults(program.clone(), house)? {
            let input = told::<G>(fault.speech, &fault.exchange.input.0);
            self.note(fault.kind, "", fault.detail, input);
        }
        for finding in self.findings(program, house)? {
            self.note(finding.kind, finding.about, finding.detail, finding.input);
        }
        Ok(())
    }

    /// Takes the program through all situations.
    fn faults(&mut self, program: Program, house: &House) -> Result<Vec<Fault>, Failure> {
        let ledger = Ledger::default();
        let alone = self.speech == Speech::Json || G::QUESTIONS_STAND_ALONE;
        let asked = if alone {
            self.ask_about_situations(program, house, &ledger)?
        } else {
            self.play_games(program, house, &ledger)?
        };
        self.situations = self.situations.max(asked);
        Ok(ledger.take())
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

    fn seat(
        &self,
        program: Program,
        house: &House,
        ledger: &Ledger,
    ) -> Result<Box<dyn Player<G>>, Failure> {
        let seating = Seating::new(ledger, house);
        let seated = seating.seat(program, self.speech, &self.setup);
        seated.map_err(not_taken)
    }

    /// Asks the program about each situation by itself.
    fn ask_about_situations(
        &self,
        program: Program,
        house: &House,
        ledger: &Ledger,
    ) -> Result<usize, Failure> {
        let mut player = self.seat(program, house, ledger)?;
        let mut asked = 0;
        let mut timeouts = 0;
        for (number, situation) in self.situations().into_iter().enumerate() {
            let mut stepper = Stepper::cancelled_by(situation, house.cancel());
            let turn = stepper.turn().expect("it is somebody's turn");
            let seat = turn.seat();
            player.start(seat, self.seed.deal(number as u64));
            let answer = player.decide(&turn);
            let step = match stepper.answer(answer) {
                Ok(step) => step,
                Err(Unfinished::Void(reason)) => return Err(Failure::Machine(reason)),
                Err(Unfinished::Stopped | Unfinished::Left) => return Err(stopped()),
            };
            asked += 1;
            if let Step::Fouled(_, foul, _) = &step {
                timeouts += usize::from(foul.kind == FoulKind::Timeout);
                stepper.tell(seat, &mut player, &step.moment());
            }
            if self.speech == Speech::Json {
                // Who lives on has to bear the end of a game too; if not, that shows next time.
                let outcome = stepper.game().outcome();
                stepper.tell(seat, &mut player, &Moment::Over(&outcome));
            }
            if timeouts == TIMEOUTS || house.is_stopped() {
                break;
            }
        }
        Ok(asked)
    }

    /// Situations from random games: forced moves, last moves, wide choices, and any others.
    fn situations(&self) -> Vec<G> {
        let mut rng = self.seed.rng();
        let mut found: Vec<(usize, usize, G)> = Vec::new();
        for number in 0..GAMES {
            let mut game = G::deal(&self.setup, self.seed.deal(number));
            let mut moves = 0;
            while let Some(choice) = game.random_move(&mut rng) {
                let legal = game.legal_moves();
                moves += 1;
                // Long games have many situations that are much the same.
                if moves < 200 {
                    found.push((legal.len(), moves, game.clone()));
                }
                if game.play(choice).is_err() || moves > 10_000 {
                    break;
                }
            }
        }
        rng.shuffle(&mut found);
        let mut chosen = Vec::new();
        let mut take = |count: usize, rank: fn(&(usize, usize, G)) -> usize| {
            found.sort_by_key(rank);
            chosen.extend(
                found
                    .drain(..count.min(found.len()))
                    .map(|(_, _, game)| game),
            );
        };
        take(EACH, |(legal, _, _)| *legal);
        take(EACH, |(_, moves, _)| usize::MAX - moves);
        take(EACH, |(legal, _, _)| usize::MAX - legal);
        rng.shuffle(&mut found);
        chosen.extend(found.into_iter().take(EACH).map(|(_, _, game)| game));
        chosen
    }

    /// Plays whole games with the program among players who do anything that is legal.
    fn play_games(
        &self,
        program: Program,
        house: &House,
        ledger: &Ledger,
    ) -> Result<usize, Failure> {
        let mut counted = Counted {
            player: self.seat(program, house, ledger)?,
            asked: 0,
            ledger,
        };
        let seats = G::deal(&self.setup, Seed(0)).seats();
        for number in 0..GAMES / 4 {
            let own = number as usize % seats;
            let mut players: Vec<Box<dyn Player<G> + '_>> = (0..seats)
                .map(|_| Box::new(RandomPlayer::default()) as Box<dyn Player<G>>)
                .collect();
            players[own] = Box::new(&mut counted);
            let seed = self.seed.deal(number);
            let played = play::<G, _, _>(&self.setup, seed, &mut players, &mut ());
            drop(players);
            if house.is_stopped() || counted.has_hung_often() {
                break;
            }
            if let Err(reason) = played {
                return Err(Failure::Machine(reason.to_string()));
            }
        }
        Ok(counted.asked)
    }

    /// The same once more with a program that watches its own memory.
    fn examine_with_sanitizers(&mut self, path: &Path, house: &House) -> Result<(), Failure> {
        let alone = Entries::default();
        let preparation = Preparation {
            flags: SANITIZED,
            ..Preparation::new(house, &alone)
        };
        let Ok(program) = prepare::<G>(path, self.speech, &preparation) else {
            // A compiler without sanitizers is no failure of the program.
            return Ok(());
        };
        let mut house = house.clone();
        house.limits.memory = SANITIZED_MEMORY;
        // Watching takes time.
        house.limits.decision *= 10;
        // Only what the sanitizers found is news; the rest was found before.
        for fault in self.faults(program.clone(), &house)? {
            if let Some(error) = memory_error(&fault.exchange.errors, path) {
                let input = told::<G>(fault.speech, &fault.exchange.input.0);
                let detail = format!("memory error at {error}");
                self.note(fault.kind, "memory", detail, input);
            }
        }
        for finding in self.findings(program, &house)? {
            if let Some(error) = memory_error(&finding.errors, path) {
                let about = format!("{}, memory", finding.about);
                let detail = format!("memory error at {error}");
                self.note(finding.kind, &about, detail, finding.input);
            }
        }
        Ok(())
    }

    fn note(&mut self, kind: FoulKind, about: &str, detail: String, input: String) {
        let shortest = self
            .failures
            .entry((name_of_kind(kind), about.to_owned()))
            .or_insert_with(|| (detail.clone(), input.clone()));
        if input.len() < shortest.1.len() {
            *shortest = (detail, input);
        }
    }

    fn report(&self, player: &Named, matches: &ArgMatches) -> Result<(), Failure> {
        let ok = self.failures.is_empty();
        if matches.get_flag("json") {
            let failures = self.failures.iter();
            let failures = failures.map(|((kind, _), (detail, input))| {
                json!({"kind": kind, "detail": detail, "input": input})
            });
            let report = json!({
                "player": player.spec,
                "game": G::PROFILE.name,
                "ok": ok,
                "situations": self.situations,
                "seed": self.seed,
                "failures": failures.collect::<Vec<_>>(),
            });
            print(&format!("{report}\n"))?;
        } else {
            print(&self.text(player, matches.get_flag("quiet")))?;
        }
        if ok { Ok(()) } else { Err(Failure::AnswerIsNo) }
    }

    fn text(&self, player: &Named, quiet: bool) -> String {
        let mut text = format!(
            "{BOLD}{}{BOLD:#} at {}: {}\n{DIM}--seed {}{DIM:#}\n",
            player.name,
            G::PROFILE.title,
            counted(self.situations as u64, "situation"),
            self.seed
        );
        if self.failures.is_empty() {
            return text + "\n  It keeps the protocol.\n";
        }
        for ((kind, about), (detail, input)) in &self.failures {
            let kind = match about.as_str() {
                "" => kind.clone(),
                about => format!("{kind} ({about})"),
            };
            text += &format!(
                "\n  {BOLD}{kind}{BOLD:#}: {}\n",
                detail.replace('\n', "\n    ")
            );
            if !input.is_empty() && !quiet {
                text += "  when it is given\n";
                input
                    .lines()
                    .for_each(|line| text += &format!("    {DIM}{line}{DIM:#}\n"));
            }
        }
        text
    }
}

/// A player whose turns are counted.
struct Counted<'a, G: Game> {
    player: Box<dyn Player<G>>,
    asked: usize,
    ledger: &'a Ledger,
}

impl<G: Game> Counted<'_, G> {
    fn has_hung_often(&self) -> bool {
        self.ledger.count(FoulKind::Timeout) >= TIMEOUTS
    }
}

impl<G: Game> Player<G> for Counted<'_, G> {
    fn start(&mut self, seat: Seat, chance: Seed) {
        self.player.start(seat, chance);
    }
    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        if self.has_hung_often() {
            return Err(NoMove::Stopped);
        }
        self.asked += 1;
        self.player.decide(turn)
    }
    fn listens(&self) -> bool {
        self.player.listens()
    }
    fn hear(&mut self, heard: &Heard<'_, G>) {
        self.player.hear(heard);
    }
    fn leave(&mut self) {
        self.player.leave();
    }
}

fn stopped() -> Failure {
    Failure::Interrupted("stopped before the check was complete".to_owned())
}
