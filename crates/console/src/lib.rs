//! What the programs share at their edges, where a person or a shell is on the other side: flags
//! made from what a game declares, errors as one line and a status, output that may be cut off,
//! files that are written whole or not at all.

mod failure;
mod flags;
mod output;

pub use failure::{Failure, harmless, run};
pub use flags::{
    contest_flags, contest_options, game_flags, game_options, number_flag, parse, seed, seed_flag,
    text_file,
};
pub use output::{WholeFile, print};
