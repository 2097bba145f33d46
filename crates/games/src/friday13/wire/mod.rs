//! Friday the 13th as text: cards, moves, the state file and rows of parameters, parsed and
//! printed side by side, and what the tasks report.

mod card;
mod file;
mod params;
pub mod report;

pub use card::{BadCard, BadMove};
pub use file::BadState;
pub use params::BadNumbers;
