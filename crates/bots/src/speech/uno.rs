//! Uno's own way: a strategy is a C function, and it is called in a process of its own.

mod functions;
mod host;
mod symbols;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use croupier_core::{Foul, FoulKind, Heard, NoMove, Player, Rng, Seat, Seed, Turn};
use croupier_games::uno::c::State;
use croupier_games::uno::{Move, Setup, Uno, View};

use super::{Finding, Hosted, Seating, own_foul};
use crate::compiler::{Headers, Made, Work};
use crate::fault::{Bytes, Exchange};
use crate::own::OwnFiles;
use crate::program;
use crate::{Bot, House, Language, Preparation, Program, Speech, Unusable};

use host::{Call, Host, Request};
use symbols::Functions;

/// The source of the host.
const HOST: &str = include_str!("uno/uno_host.c");

/// The headers with which a strategy and its host are compiled, wherever this program is installed.
const HEADERS: Headers = &[
    ("croupier_uno.h", include_str!("uno/croupier_uno.h")),
    ("proj2.h", include_str!("uno/proj2.h")),
];

impl Hosted for Uno {
    const SPEECH: Speech = Speech::Own;
    const QUESTIONS_STAND_ALONE: bool = true;

    /// A source becomes a shared object, and a shared object is loaded by our host.
    fn prepare(path: &Path, preparation: &Preparation<'_>) -> Result<Program, Unusable> {
        let file = program::found(path)?;
        let mut made = Vec::new();
        let mut compiled = |own: OwnFiles, language, more: &[&str]| {
            let flags = [preparation.flags, more].concat();
            let work = Work {
                own: &own,
                language,
                flags: &flags,
                headers: HEADERS,
            };
            let done = (own.hash(&work.how()), work.done(preparation.house)?);
            let flags = flags.iter().map(ToString::to_string).collect();
            made.push(Made::Object(Arc::new(own), language, flags, HEADERS));
            Ok::<_, Unusable>(done)
        };
        let (hash, object) = match Language::of(&file) {
            Some(language) => {
                let own = OwnFiles::of_c(&file, preparation.entries)?;
                compiled(own, language, &["-shared", "-fPIC", "-Wl,-z,defs"])?
            }
            None => (OwnFiles::alone(&file)?.hash(""), file.clone()),
        };
        let functions = Functions::in_object(&program::contents(&object)?).map_err(|reason| {
            Unusable::Unfit {
                path: path.to_owned(),
                reason,
            }
        })?;
        let host = OwnFiles::from_memory(Path::new("uno_host.c"), HOST);
        let (_, host) = compiled(host, Language::C, &["-Wl,--no-as-needed", "-ldl"])?;
        let readable = vec![host.clone(), object.clone()];
        let command = vec![host.clone(), PathBuf::from(functions.prefix), object];
        let mut program = Program::new(file, hash, command, readable)?;
        program.watch(host)?;
        program.made = made;
        Ok(program)
    }

    fn in_its_own_speech(bot: Bot, seating: Seating, _: &Setup) -> Box<dyn Player<Uno>> {
        let host = Host::new(bot, &seating.house);
        Box::new(Strategy {
            host,
            seating,
            chance: Seed(0).rng(),
        })
    }

    fn examine(bot: Bot, house: &House, seed: Seed) -> Result<Vec<Finding>, NoMove> {
        functions::examine(bot, house, seed)
    }

    fn told(input: &[u8]) -> String {
        Request::told(input).unwrap_or_default()
    }

    /// What the host says first is not the strategy's.
    fn answer(output: &[u8]) -> &[u8] {
        output.strip_prefix(host::READY).unwrap_or(output)
    }
}

/// A strategy at the table.
#[derive(Debug)]
struct Strategy {
    host: Host,
    seating: Seating,
    /// Every decision gets a seed for `rand()` of its own, so that it can be made again without
    /// the ones before it.
    chance: Rng,
}

impl Player<Uno> for Strategy {
    fn start(&mut self, _: Seat, chance: Seed) {
        self.seating.start();
        self.host.new_game();
        self.chance = chance.rng();
    }

    fn decide(&mut self, turn: &Turn<'_, Uno>) -> Result<Move, NoMove> {
        let view = turn.view();
        let request = Request::new(&Call::Play(&State::of(&view)), self.chance.bits() as u32);
        let asked = Instant::now();
        let answer = self.host.ask(&request, self.seating.time());
        let took = asked.elapsed();
        self.seating.spend(took);
        let (line, answer) = match answer {
            Ok(line) => {
                let choice = selected(&view, &line).map_err(NoMove::Foul);
                (line, choice)
            }
            Err(failure) => (Vec::new(), Err(failure)),
        };
        if answer.is_err() {
            let legal = turn.legal_moves();
            self.seating.last = Exchange {
                input: Bytes(request.bytes().to_vec()),
                answer: Bytes(line),
                took,
                legal: legal.iter().map(ToString::to_string).collect(),
                ..std::mem::take(&mut self.host.unanswered)
            };
        }
        answer
    }

    fn clock(&self) -> Option<Duration> {
        Some(self.seating.time())
    }

    fn listens(&self) -> bool {
        true
    }

    fn hear(&mut self, heard: &Heard<'_, Uno>) {
        if let Some(foul) = own_foul(heard) {
            self.seating
                .note(foul, &self.host.bot.program().source, Speech::Own);
            self.host.dismiss();
        }
    }
}

/// The move that a selection means.
fn selected(view: &View, line: &[u8]) -> Result<Move, Foul> {
    let text = String::from_utf8_lossy(line);
    let selection: i32 = text.parse().map_err(|_| Foul {
        kind: FoulKind::Malformed,
        detail: format!("'{text}' is no selection"),
    })?;
    view.chosen(selection).map_err(|rule| Foul {
        kind: FoulKind::Illegal,
        detail: format!("selection {selection}: {rule}"),
    })
}
