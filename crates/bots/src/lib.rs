//! Other people's programs as players: processes, limits, sandbox, blame.

mod bot;
mod excerpt;
mod limits;
mod minder;
mod process;
mod program;

pub use bot::{Bot, NotTaken, Run};
pub use excerpt::Excerpt;
pub use limits::{Limits, Tier, parse_duration, parse_size};
pub use minder::{Ended, HowEnded, NoMinder, Overrun, mind_if_asked};
pub use process::{MachineFault, Silence};
pub use program::{Program, Unusable};
