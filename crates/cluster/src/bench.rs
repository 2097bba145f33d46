//! What a worker plays: the games it knows, and the programs it has made ready.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use croupier_arena::{BlockPlan, BlockResult, Dealer, DealerTerms, Entrant, Unplayed, Who};
use croupier_bots::{Entries, Hosted, House, Pack, Preparation, Program, Speech, Tier, prepare};
use croupier_core::{Seed, built_in};
use serde::Deserialize as _;

use crate::objects::name_of;
use crate::table::Job;
use crate::wire::Plays;

/// Those who sit at a table, and stay there from batch to batch of a contest.
pub(crate) type Sitting = Box<dyn FnMut(&Job) -> Played>;

/// A game that a worker can play.
#[derive(Clone)]
pub struct Bench {
    pub(crate) game: &'static str,
    pub(crate) version: u32,
    sit: Arc<dyn Fn(usize) -> Sitting + Send + Sync>,
}

impl Bench {
    /// The game `G`.
    pub fn of<G: Hosted>() -> Bench {
        Bench {
            game: G::NAME,
            version: G::VERSION,
            sit: Arc::new(|thread| {
                let mut dealer = Dealer::<G>::new(thread);
                Box::new(move |job| play(&mut dealer, job))
            }),
        }
    }

    /// This version of a game, of which nothing is played: `answer` tells what came of a block, by its key
    /// and plan, or why the machine could not play it. For simulations of many workers, and of bad ones.
    pub fn answering(
        game: &'static str,
        version: u32,
        answer: impl Fn(&str, &BlockPlan) -> Result<BlockResult, String> + Send + Sync + 'static,
    ) -> Bench {
        let play = move |job: &Job| {
            let mut played = Played::default();
            for (key, plan) in &job.batch.blocks {
                match answer(key, plan) {
                    Ok(block) => played.blocks.push((key.clone(), block)),
                    Err(fault) => {
                        played.machine_fault = Some(fault);
                        break;
                    }
                }
            }
            played
        };
        let play = Arc::new(play);
        Bench {
            game,
            version,
            sit: Arc::new(move |_| {
                let play = Arc::clone(&play);
                Box::new(move |job| play(job))
            }),
        }
    }

    /// A table to which nobody has come yet, in the thread with this number.
    pub(crate) fn sit(&self, thread: usize) -> Sitting {
        (self.sit)(thread)
    }
}

/// What came of a batch.
#[derive(Debug, Default)]
pub(crate) struct Played {
    pub(crate) blocks: Vec<(String, BlockResult)>,
    /// Why the rest was not played, if the machine is at fault.
    pub(crate) machine_fault: Option<String>,
    /// Whether somebody wanted to stop before all was played.
    pub(crate) is_stopped: bool,
}

impl Played {
    /// Nothing was played, for this reason.
    pub(crate) fn nothing(machine_fault: String) -> Played {
        Played {
            machine_fault: Some(machine_fault),
            ..Played::default()
        }
    }

    /// Whether all was played.
    pub(crate) fn is_whole(&self) -> bool {
        self.machine_fault.is_none() && !self.is_stopped
    }
}

fn play<G: Hosted>(dealer: &mut Dealer<G>, job: &Job) -> Played {
    let Job { terms, batch, .. } = job;
    let setup = match G::Setup::deserialize(&terms.setup) {
        Ok(setup) => setup,
        Err(error) => return Played::nothing(format!("the setup cannot be read: {error}")),
    };
    let seats = G::deal(&setup, Seed(0)).seats();
    let is_sound = |plan: &BlockPlan| is_sound(plan, seats, terms.players.len());
    if !batch.blocks.iter().all(|(_, plan)| is_sound(plan)) {
        return Played::nothing("a block is planned that nobody can play".to_owned());
    }
    let house = House {
        fresh_processes: terms.fresh_processes,
        interrupt: Some(job.interrupt.clone()),
        ..House::new(terms.sandbox, terms.limits.clone())
    };
    let seated: HashSet<usize> = (batch.blocks.iter())
        .flat_map(|(_, plan)| plan.table.iter().copied())
        .collect();
    let mut entrants = Vec::new();
    for (number, player) in terms.players.iter().enumerate() {
        let who = match &player.plays {
            _ if !seated.contains(&number) => Ok(Who::Elsewhere),
            Plays::Nobody => Ok(Who::Elsewhere),
            Plays::BuiltIn(spec) => match built_in::<G>(spec) {
                Ok(_) => Ok(Who::BuiltIn(spec.clone())),
                Err(error) => Err(error.to_string()),
            },
            Plays::Program { pack, hash, speech } => {
                let program = job.programs.ready::<G>(&house, pack, hash, *speech);
                program.map(|program| Who::Program(program, *speech))
            }
        };
        entrants.push(match who {
            Ok(who) => Entrant {
                name: player.name.clone(),
                spec: String::new(),
                who,
                identity: player.identity.clone(),
                added: false,
            },
            Err(_) if house.is_stopped() => {
                return Played {
                    is_stopped: true,
                    ..Played::default()
                };
            }
            Err(reason) => return Played::nothing(format!("{}: {reason}", player.name)),
        });
    }
    let dealer_terms = DealerTerms::<G> {
        entrants: &entrants,
        setup: &setup,
        house: &house,
        records: terms.records,
        faults: terms.faults,
    };
    let mut played = Played::default();
    for (key, plan) in &batch.blocks {
        match dealer.play(&dealer_terms, plan) {
            Ok(block) => played.blocks.push((key.clone(), block)),
            Err(Unplayed::Stopped | Unplayed::Left) => {
                played.is_stopped = true;
                break;
            }
            Err(error @ (Unplayed::Machine(_) | Unplayed::NotTaken(_))) => {
                played.machine_fault = Some(error.to_string());
                break;
            }
        }
    }
    played
}

/// Whether a block can be played at a table of so many seats among so many who take part.
fn is_sound(plan: &BlockPlan, seats: usize, players: usize) -> bool {
    let is_order = |order: &Vec<usize>| {
        let mut sorted = order.clone();
        sorted.sort_unstable();
        sorted.into_iter().eq(0..seats)
    };
    plan.table.len() == seats
        && plan.table.iter().all(|&player| player < players)
        && plan.orders.iter().all(is_order)
        && plan.scores.len() == seats
        && plan.suspended.len() == seats
}

/// The programs that have come to this machine, each in a folder with the name of its pack:
///
/// ```text
/// files/   its files
/// source   the name of its source among them
/// ```
pub(crate) struct Programs {
    folder: PathBuf,
    ready: Mutex<HashMap<Purpose, Program>>,
    /// The packs of which it is known that their files are here as they came.
    whole: Mutex<HashSet<String>>,
}

impl Programs {
    /// Those that are kept in this folder, which is made if it is not there.
    pub(crate) fn kept_in(folder: &Path) -> io::Result<Programs> {
        fs::create_dir_all(folder)?;
        Ok(Programs {
            folder: folder.to_owned(),
            ready: Mutex::default(),
            whole: Mutex::default(),
        })
    }

    fn place(&self, pack: &str) -> PathBuf {
        self.folder.join(pack)
    }

    /// Whether the files of a program are here as they came. A machine that crashed may have kept less of
    /// them, and somebody may have changed them.
    pub(crate) fn has(&self, pack: &str) -> bool {
        let mut whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        if whole.contains(pack) {
            return true;
        }
        let again = (self.source(pack).ok())
            .and_then(|source| Pack::of(&source, &Entries::default()).ok())
            .map(|files| name_of(&files.to_bytes()));
        let is_whole = again.as_deref() == Some(pack);
        if is_whole {
            whole.insert(pack.to_owned());
        }
        is_whole
    }

    /// Looks at everything anew when it is needed next.
    pub(crate) fn forget(&self) {
        (self.whole.lock().unwrap_or_else(PoisonError::into_inner)).clear();
        (self.ready.lock().unwrap_or_else(PoisonError::into_inner)).clear();
    }

    /// Where the source of a program is.
    fn source(&self, pack: &str) -> io::Result<PathBuf> {
        let folder = self.place(pack);
        let source = fs::read(folder.join(SOURCE))?;
        Ok(folder.join(FILES).join(OsStr::from_bytes(&source)))
    }

    /// Keeps the files of a program, in the place of what is left of them: in a folder beside it first, which
    /// is renamed when all are written.
    pub(crate) fn keep(&self, pack: &str, files: &Pack) -> io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let scratch = tempfile::Builder::new()
            .prefix(".coming-")
            .tempdir_in(&self.folder)?;
        files.unpack(&scratch.path().join(FILES))?;
        let source = files.source().as_os_str().as_bytes();
        fs::write(scratch.path().join(SOURCE), source)?;
        let place = self.place(pack);
        let come = || fs::rename(scratch.path(), &place);
        match come() {
            Err(error) if !place.exists() => Err(error),
            // Somebody else may have been faster, with the same files.
            Err(_) if !self.has(pack) => fs::remove_dir_all(&place).and_then(|()| come()),
            _ => Ok(()),
        }
    }

    /// The program in this pack, got ready for this if need be, if it is what it is known by.
    fn ready<G: Hosted>(
        &self,
        house: &House,
        pack: &str,
        hash: &str,
        speech: Speech,
    ) -> Result<Program, String> {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let purpose = Purpose {
            pack: pack.to_owned(),
            tier: house.tier,
            game: G::NAME,
            speech,
        };
        let program = match ready.get(&purpose) {
            Some(program) => program.clone(),
            None => {
                let source = self.source(pack).map_err(|error| error.to_string())?;
                let entries = Entries::default();
                let program = prepare::<G>(&source, speech, &Preparation::new(house, &entries));
                program.map_err(|error| error.to_string())?.as_copy()
            }
        };
        if program.hash != hash {
            return Err("its files are not those of the program that takes part".to_owned());
        }
        ready.insert(purpose, program.clone());
        Ok(program)
    }
}

/// What a program was got ready for: the same source is compiled to a function for one game, and to a program
/// for another.
#[derive(PartialEq, Eq, Hash)]
struct Purpose {
    pack: String,
    tier: Tier,
    game: &'static str,
    speech: Speech,
}

const FILES: &str = "files";
const SOURCE: &str = "source";

#[cfg(test)]
mod tests {
    use croupier_bots::Limits;
    use croupier_games::intensity::Intensity;
    use croupier_games::uno::Uno;

    use super::*;

    /// What a program of these files is called, and the pack of it.
    fn pack(folder: &Path, files: &[(&str, &str)]) -> (String, Pack) {
        for (name, text) in files {
            fs::write(folder.join(name), text).expect("a file");
        }
        let pack = Pack::of(&folder.join(files[0].0), &Entries::default()).expect("it is read");
        (name_of(&pack.to_bytes()), pack)
    }

    #[test]
    fn what_was_kept_badly_is_not_here() {
        let [theirs, ours] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let files = [
            ("bot.c", "#include \"deck.h\"\n"),
            ("deck.h", "int deck;\n"),
        ];
        let (name, pack) = pack(theirs.path(), &files);
        let programs = || Programs::kept_in(ours.path()).expect("a folder");
        assert!(!programs().has(&name));
        let place = ours.path().join(&name);
        let damages: [&dyn Fn(); 4] = [
            &|| fs::write(place.join("files/deck.h"), "").expect("a file"),
            &|| fs::remove_file(place.join("files/deck.h")).expect("it is there"),
            &|| fs::remove_file(place.join(SOURCE)).expect("it is there"),
            &|| fs::write(place.join(SOURCE), "../../..").expect("a file"),
        ];
        for damage in damages {
            programs().keep(&name, &pack).expect("it is kept");
            assert!(programs().has(&name));
            // Who comes second finds what the first has kept.
            programs().keep(&name, &pack).expect("it is kept");
            damage();
            assert!(!programs().has(&name));
        }
        programs().keep(&name, &pack).expect("it is kept");
        assert!(programs().has(&name));
        assert_eq!(fs::read_dir(ours.path()).expect("a folder").count(), 1);
    }

    /// What is a player in one way of speaking is none in another.
    #[test]
    fn a_program_is_got_ready_for_each_purpose_by_itself() {
        let [theirs, ours] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let (name, pack) = pack(theirs.path(), &[("bot.py", "print(1)\n")]);
        let source = theirs.path().join("bot.py");
        let programs = Programs::kept_in(ours.path()).expect("a folder");
        programs.keep(&name, &pack).expect("it is kept");
        let house = House::new(Tier::None, Limits::default());
        let entries = Entries::default();
        let preparation = Preparation::new(&house, &entries);
        let there = prepare::<Uno>(&source, Speech::Json, &preparation).expect("it is a program");
        let ready = programs.ready::<Uno>(&house, &name, &there.hash, Speech::Json);
        assert_eq!(ready.expect("it is ready").hash, there.hash);
        let ready = programs.ready::<Intensity>(&house, &name, &there.hash, Speech::Own);
        assert_eq!(ready.expect("it is ready").hash, there.hash);
        let ready = programs.ready::<Uno>(&house, &name, &there.hash, Speech::Own);
        let told = ready.expect_err("it is no strategy");
        assert!(told.contains("cannot play"), "{told}");
        let ready = programs.ready::<Uno>(&house, &name, "another", Speech::Json);
        let told = ready.expect_err("it is known by another hash");
        assert!(
            told.contains("not those of the program that takes part"),
            "{told}"
        );
    }
}
