//! Other people's programs as players: processes, limits, sandbox, blame.
//!
//! A program is prepared once and then sits at a table like anybody else:
//!
//! ```standalone_crate
//! use croupier_bots::{
//!     Entries, House, Ledger, Limits, Preparation, Seating, Speech, Tier, prepare,
//! };
//! use croupier_core::{Offered, Options, Player, RandomPlayer, Seed, play};
//! use croupier_games::intensity::Intensity;
//!
//! # croupier_bots::mind_if_asked();
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("last.sh");
//! // A program that answers nothing: each of its decisions is a foul, and the house plays for it.
//! std::fs::write(&path, "#!/bin/sh\nexit 3\n")?;
//! # std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
//! let house = House::new(Tier::None, Limits::default());
//! let program = prepare::<Intensity>(&path, Speech::Own, &Preparation::new(&house, &Entries::default()))?;
//! let setup = Intensity::setup(&Options::new())?;
//! let ledger = Ledger::default();
//! let foreign = Seating::new(&ledger, &house).seat::<Intensity>(program, Speech::Own, &setup)?;
//! let mut players: Vec<Box<dyn Player<Intensity>>> = vec![foreign];
//! players.extend((1..4).map(|_| Box::<RandomPlayer>::default() as _));
//! let outcome = play::<Intensity, _, _>(&setup, Seed(1), &mut players, &mut ())?;
//! assert_eq!(outcome.scores.len(), 4);
//! assert_eq!(ledger.take().len(), 11, "three cards to pass on, and ten rounds");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bot;
mod cache;
mod compiler;
mod excerpt;
mod fault;
mod folder;
mod interrupt;
mod limits;
mod lock;
mod lodging;
mod minder;
mod own;
mod pack;
mod place;
mod process;
mod program;
mod sanitizer;
mod silence;
mod speech;
mod template;
mod times;
mod transport;

pub use bot::{Bot, House, NotTaken, Run};
pub use cache::user_cache;
pub use compiler::Language;
pub use excerpt::Excerpt;
pub use fault::{Bytes, Culprit, Exchange, Fault, Ledger, Speech};
pub use folder::{Folder, Left};
pub use interrupt::{Interrupt, is_ignored};
pub use limits::{Limits, Tier};
pub use lock::{is_locked, lock};
pub use minder::{Ended, HowEnded, NoMinder, Overrun, mind_if_asked};
pub use own::Entries;
pub use pack::Pack;
pub use place::{Place, stay_on_one_core};
pub use process::{Process, see_off};
pub use program::{OPTIMISED, Preparation, Program, Unusable, python_here, whole_name};
pub use sanitizer::{SANITIZED, SANITIZED_MEMORY, can_be_sanitized, is_same_error, memory_error};
pub use silence::{MachineFault, Silence};
pub use speech::{
    Asked, Finding, Hosted, OneShot, OneShotPlayer, Seating, StateFile, answer, answers, is_answer,
    own_name, prepare, told,
};
pub use times::Times;
pub use transport::{Callee, HeardLine, Transport};
