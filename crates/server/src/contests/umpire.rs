//! What pages about contests have to know of a game, and the registry does not tell.

use croupier_bots::{Hosted, Speech, told};

/// Knows how the scores of a game count, and how its programs are spoken to.
#[derive(Clone, Copy, Debug)]
pub struct Umpire {
    pub(crate) game: &'static str,
    pub(crate) lowest_wins: bool,
    /// What a program was sent, as a person reads it.
    pub(crate) told: fn(Speech, &[u8]) -> String,
}

impl Umpire {
    /// The one for the game `G`.
    pub const fn of<G: Hosted>() -> Umpire {
        Umpire {
            game: G::NAME,
            lowest_wins: G::LOWEST_WINS,
            told: told::<G>,
        }
    }
}

/// The one for the game with this name.
pub(super) fn find(umpires: &[Umpire], game: &str) -> Option<Umpire> {
    umpires.iter().find(|umpire| umpire.game == game).copied()
}
