//! Those who take part in a contest.

use std::collections::HashMap;

use croupier_bots::{Program, Speech};
use croupier_core::Game;

/// Somebody who takes part in a contest.
#[derive(Clone, PartialEq, Debug)]
pub struct Entrant {
    /// The name in tables.
    pub name: String,
    /// The words by which it was called for.
    pub spec: String,
    /// Who plays.
    pub who: Who,
    /// What tells it apart from all others, whatever it is called: see [`Entrant::identify`].
    pub identity: String,
}

/// Who plays for an entrant.
#[derive(Clone, PartialEq, Debug)]
pub enum Who {
    /// A player that comes with the game, by its name and options.
    BuiltIn(String),
    /// A program, and how it is spoken to.
    Program(Program, Speech),
}

impl Entrant {
    /// Gives each entrant its identity. It follows from what the player is: the contents of a
    /// program, or the name, options and rules of a built-in player. So a program that has been
    /// changed is another entrant, and one that has only been renamed is the same. Equal ones are
    /// numbered in the order of their names, so that it does not matter who was named first.
    pub fn identify<G: Game>(entrants: &mut [Entrant]) {
        let mut equals = HashMap::new();
        let mut by_name: Vec<&mut Entrant> = entrants.iter_mut().collect();
        by_name.sort_by(|one, other| one.name.cmp(&other.name));
        for entrant in by_name {
            let what = match &entrant.who {
                Who::BuiltIn(spec) => format!("{} {} {spec}", G::PROFILE.name, G::PROFILE.version),
                Who::Program(program, speech) => format!("{speech:?} {}", program.hash),
            };
            let hash = blake3::hash(what.as_bytes()).to_hex();
            let number = equals.entry(hash).or_insert(0);
            *number += 1;
            entrant.identity = format!("{}-{number}", &hash[..32]);
        }
    }

    /// Whether a program plays that is not ours.
    pub fn is_foreign(&self) -> bool {
        matches!(self.who, Who::Program(..))
    }
}
