//! The Python package `croupier`: the games, the players and the statistics, at the speed of the core.
//!
//! Here stands only what Python has to be told: names and types in, numbers and texts out. What is
//! played and what is counted are the games' and the arena's own.
//!
//! Three rules hold throughout. Nothing holds a lock while it waits for the interpreter, or two threads
//! would wait for each other. Whatever takes long does it in a thread of its own while the caller's
//! thread looks for Ctrl-C. And every object knows the process that made it, because a forked child has
//! none of the other threads, and a lock that one of them held is held there for ever.

mod batch;
mod contest;
mod convert;
mod crew;
mod game;
mod games;
mod guest;
mod long;
mod numbers;
mod player;
mod simulate;
mod table;

use pyo3::prelude::*;

/// The compiled part of the package.
#[pymodule]
mod _croupier {
    use super::*;

    #[pymodule_export]
    use super::batch::{Batch, Step};
    #[pymodule_export]
    use super::contest::{compare, tournament};
    #[pymodule_export]
    use super::convert::IllegalMove;
    #[pymodule_export]
    use super::game::{Game, Record};
    #[pymodule_export]
    use super::games::games;
    #[pymodule_export]
    use super::long::forked;
    #[pymodule_export]
    use super::player::Player;
    #[pymodule_export]
    use super::simulate::simulate;
    #[pymodule_export]
    use super::table::Table;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
