//! The players of a command line, ready for a contest.

use std::io::{self, Read as _};
use std::path::Path;

use croupier_arena::{Enrolled, Entrant, Who};
use croupier_bots::{
    Culprit, Exchange, Fault, Hosted, House, Preparation, Program, Speech, Unusable, own_name,
};
use croupier_console::Failure;
use croupier_core::FoulKind;

use crate::players::{self, Kind, Named};
use crate::table;

/// How players enter.
pub(crate) struct Entry<'a, G: Hosted> {
    pub(crate) setup: &'a G::Setup,
    /// How programs are held when they are asked for their names.
    pub(crate) house: &'a House,
    /// Whether one program that cannot be used keeps all from playing.
    pub(crate) is_strict: bool,
}

impl<G: Hosted> Entry<'_, G> {
    /// Gets all players ready for a contest in which these took part before.
    pub(crate) fn entrants(
        &self,
        mut players: Vec<Named>,
        before: &[Enrolled],
    ) -> Result<Vec<Entrant>, Failure> {
        let entries = players::entries(&players);
        let preparation = Preparation::new(self.house, &entries);
        let who = table::all_usable(&players, |player| self.who(player, &preparation))?;
        let programs: Vec<Option<(&Program, Speech)>> = who
            .iter()
            .map(|who| match who {
                Who::Program(program, speech) => Some((program, *speech)),
                Who::BuiltIn(_) | Who::Guest(_) | Who::Unusable { .. } | Who::Elsewhere => None,
            })
            .collect();
        introduce::<G>(&mut players, &programs, self.setup, self.house)?;
        let entrants = players.iter().zip(who).map(|(player, who)| {
            let mut before = before.iter();
            Entrant {
                name: player.name.clone(),
                spec: player.spec_from_anywhere(),
                who,
                identity: String::new(),
                added: before.any(|one| one.name == player.name && one.added),
            }
        });
        let mut entrants: Vec<Entrant> = entrants.collect();
        Entrant::identify::<G>(&mut entrants, before);
        Ok(entrants)
    }

    fn who(&self, player: &Named, preparation: &Preparation<'_>) -> Result<Who, Failure> {
        let (path, speech) = match &player.kind {
            Kind::Program(path, speech) => (path, *speech),
            Kind::BuiltIn(spec) => {
                table::known::<G>(spec)?;
                return Ok(Who::BuiltIn(spec.clone()));
            }
            Kind::Person => unreachable!("no person takes part in a contest"),
        };
        match table::usable::<G>(path, speech, preparation) {
            Ok(program) => Ok(Who::Program(program, speech)),
            Err(error) => match own_fault(&error).filter(|_| !self.is_strict) {
                Some((kind, detail)) => {
                    // Whoever changes the file is somebody else, and plays if it can then.
                    let text = beginning(path).unwrap_or_default();
                    let fault = Fault {
                        kind,
                        culprit: Culprit::Bot,
                        detail,
                        exchange: Exchange::default(),
                        tier: self.house.tier,
                        limits: self.house.limits.clone(),
                        program: std::path::absolute(path).unwrap_or_else(|_| path.clone()),
                        speech,
                    };
                    Ok(Who::Unusable {
                        hash: croupier_arena::hash_of(&text),
                        fault: Box::new(fault),
                    })
                }
                None => Err(table::unusable(error)),
            },
        }
    }
}

/// The beginning of a file, which may be what somebody wants to fill our memory with.
fn beginning(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    if std::fs::metadata(path)?.is_file() {
        let file = std::fs::File::open(path)?;
        file.take(64 << 20).read_to_end(&mut text)?;
    }
    Ok(text)
}

/// What is wrong with a program itself, if it is that: a file that is not there was named wrongly,
/// and a machine without a compiler is nobody's fault.
fn own_fault(error: &Unusable) -> Option<(FoulKind, String)> {
    match error {
        Unusable::Compile { said, .. } => {
            let is_error = |line: &&str| line.contains("error");
            let first = said.lines().find(is_error).or(said.lines().next());
            let first = first.unwrap_or_default();
            let detail = format!("it does not compile: {first}\n{said}");
            Some((FoulKind::Compile, detail))
        }
        Unusable::Unfit { reason, .. } => {
            Some((FoulKind::Start, format!("it cannot play: {reason}")))
        }
        Unusable::File { error, .. } if error.kind() != io::ErrorKind::NotFound => {
            Some((FoulKind::Start, format!("it cannot be started: {error}")))
        }
        Unusable::File { .. }
        | Unusable::NotTaken(_)
        | Unusable::Interrupted
        | Unusable::Machine(_) => None,
    }
}

/// Asks all programs that nobody has named for their names, and names everybody.
pub(crate) fn introduce<G: Hosted>(
    players: &mut [Named],
    programs: &[Option<(&Program, Speech)>],
    setup: &G::Setup,
    house: &House,
) -> Result<(), Failure> {
    let mut called = Vec::new();
    for (player, program) in players.iter().zip(programs) {
        called.push(match program {
            Some((program, speech)) if !player.given => {
                own_name::<G>(program, *speech, setup, house).map_err(table::not_taken)?
            }
            _ => None,
        });
        if house.is_stopped() {
            // Whoever plays next finds out and says so.
            break;
        }
    }
    called.resize(players.len(), None);
    let built_in: Vec<&str> = G::PLAYERS.iter().map(|player| player.name).collect();
    players::introduce(players, called, &built_in)
}
