//! What a worker plays: the games it knows, and the programs it has made ready.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use croupier_arena::{BlockPlan, BlockResult, Dealer, DealerTerms, Entrant, Unplayed, Who};
use croupier_bots::{Entries, Hosted, House, Pack, Preparation, Program, Tier, prepare};
use croupier_core::{Seed, built_in};
use serde::Deserialize as _;

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
                let program = job.programs.ready(&house, pack, hash, |path, preparation| {
                    prepare::<G>(path, *speech, preparation)
                });
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
    ready: Mutex<HashMap<(String, Tier), Program>>,
}

impl Programs {
    /// Those that are kept in this folder, which is made if it is not there.
    pub(crate) fn kept_in(folder: &Path) -> io::Result<Programs> {
        fs::create_dir_all(folder)?;
        Ok(Programs {
            folder: folder.to_owned(),
            ready: Mutex::default(),
        })
    }

    fn place(&self, pack: &str) -> PathBuf {
        self.folder.join(pack)
    }

    /// Whether the files of a program are here.
    pub(crate) fn has(&self, pack: &str) -> bool {
        self.place(pack).is_dir()
    }

    /// Keeps the files of a program: in a folder beside its place first, which is renamed when all are
    /// written.
    pub(crate) fn keep(&self, pack: &str, files: &Pack) -> io::Result<()> {
        let scratch = tempfile::Builder::new()
            .prefix(".coming-")
            .tempdir_in(&self.folder)?;
        files.unpack(&scratch.path().join(FILES))?;
        let source = files.source().as_os_str().as_bytes();
        fs::write(scratch.path().join(SOURCE), source)?;
        let place = self.place(pack);
        match fs::rename(scratch.path(), &place) {
            // Somebody else may have been faster, with the same files.
            Err(error) if !place.is_dir() => Err(error),
            _ => Ok(()),
        }
    }

    /// The program in this pack, compiled if need be, if it is what it is known by.
    fn ready(
        &self,
        house: &House,
        pack: &str,
        hash: &str,
        prepare: impl FnOnce(&Path, &Preparation<'_>) -> Result<Program, croupier_bots::Unusable>,
    ) -> Result<Program, String> {
        let mut ready = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let known = (pack.to_owned(), house.tier);
        if let Some(program) = ready.get(&known) {
            return Ok(program.clone());
        }
        let folder = self.place(pack);
        let source = fs::read(folder.join(SOURCE)).map_err(|error| error.to_string())?;
        let source = folder.join(FILES).join(OsStr::from_bytes(&source));
        let entries = Entries::default();
        let program = prepare(&source, &Preparation::new(house, &entries))
            .map_err(|error| error.to_string())?;
        if program.hash != hash {
            return Err("its files are not those of the program that takes part".to_owned());
        }
        ready.insert(known, program.clone());
        Ok(program)
    }
}

const FILES: &str = "files";
const SOURCE: &str = "source";
