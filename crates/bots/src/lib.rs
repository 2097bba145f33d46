//! Other people's programs as players: processes, limits, sandbox, blame.

mod bot;
mod compiler;
mod excerpt;
mod fault;
mod folder;
mod interrupt;
mod limits;
mod lodging;
mod minder;
mod own;
mod place;
mod process;
mod program;
mod sanitizer;
mod speech;
mod template;
mod times;
mod transport;

pub use bot::{Bot, House, NotTaken, Run};
pub use compiler::Language;
pub use excerpt::Excerpt;
pub use fault::{Bytes, Culprit, Exchange, Fault, Ledger, Speech};
pub use folder::{Folder, Left};
pub use interrupt::{Interrupt, is_ignored};
pub use limits::{Limits, Tier};
pub use minder::{Ended, HowEnded, NoMinder, Overrun, mind_if_asked};
pub use own::Entries;
pub use place::{Place, stay_on_one_core};
pub use process::{MachineFault, Process, Silence, see_off};
pub use program::{OPTIMISED, Preparation, Program, Unusable, python_here};
pub use sanitizer::{SANITIZED, SANITIZED_MEMORY, can_be_sanitized, is_same_error, memory_error};
pub use speech::{
    Asked, Finding, Hosted, OneShot, OneShotPlayer, Seating, StateFile, answer, answers, is_answer,
    own_name, prepare, told,
};
pub use times::Times;
pub use transport::{Callee, HeardLine, Transport};
