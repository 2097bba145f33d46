//! Those who take part in a contest.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use croupier_bots::{Fault, Program, Speech};
use croupier_core::{Game, Player};
use serde::{Deserialize, Serialize};

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
    /// Whether it joined when the contest had begun.
    pub added: bool,
}

/// Somebody who has taken part before.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Enrolled {
    /// The name in tables.
    pub name: String,
    /// The words by which it was called for.
    pub spec: String,
    /// See [`Entrant::identity`].
    pub identity: String,
    /// See [`Entrant::added`].
    pub added: bool,
}

/// Who plays for an entrant.
#[derive(Clone, PartialEq, Debug)]
pub enum Who {
    /// A player that comes with the game, by its name and options.
    BuiltIn(String),
    /// A program, and how it is spoken to.
    Program(Program, Speech),
    /// A player whom whoever holds the contest brings along.
    Guest(Guest),
    /// A program that cannot be used, for instance because it does not compile. It is listed and
    /// has no seat.
    Unusable {
        /// The hash of its file.
        hash: String,
        /// What is wrong with it.
        fault: Box<Fault>,
    },
    /// Somebody who plays elsewhere: here its results are looked at.
    Elsewhere,
}

/// A player whom whoever holds a contest brings along: made by a function for every table.
#[derive(Clone)]
pub struct Guest {
    identity: String,
    /// A [`Making`] of one game.
    making: Arc<dyn Any + Send + Sync>,
}

/// Makes a player of `G`.
type Making<G> = Box<dyn Fn() -> Box<dyn Player<G>> + Send + Sync>;

impl Guest {
    /// A guest who plays `G`. Guests of the same identity are taken for the same player.
    pub fn new<G: Game>(
        identity: impl Into<String>,
        making: impl Fn() -> Box<dyn Player<G>> + Send + Sync + 'static,
    ) -> Guest {
        let making: Making<G> = Box::new(making);
        Guest {
            identity: identity.into(),
            making: Arc::new(making),
        }
    }

    /// The guest at one table; none if it plays another game.
    pub(crate) fn player<G: Game>(&self) -> Option<Box<dyn Player<G>>> {
        let making = self.making.downcast_ref::<Making<G>>()?;
        Some(making())
    }
}

impl PartialEq for Guest {
    fn eq(&self, other: &Guest) -> bool {
        self.identity == other.identity
    }
}

impl fmt::Debug for Guest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Guest").field(&self.identity).finish()
    }
}

impl Entrant {
    /// Gives each entrant its identity. It follows from what the player is: the contents of a
    /// program, or the name, options and rules of a built-in player. So a program that has been
    /// changed is another entrant, and one that has only been renamed is the same.
    ///
    /// Equal ones are numbered. Those who have taken part `before` keep their numbers; the others
    /// take, in the order of their names, those that somebody has left, and then new ones. So it does
    /// not matter who was named first.
    pub fn identify<G: Game>(entrants: &mut [Entrant], before: &[Enrolled]) {
        let is_taken = |taken: &[Entrant], identity: &str| {
            let mut taken = taken.iter();
            taken.any(|entrant| entrant.identity == identity)
        };
        let hashes: Vec<String> = entrants.iter().map(Entrant::hash::<G>).collect();
        for (entrant, hash) in entrants.iter_mut().zip(&hashes) {
            let same = before.iter().find(|same| {
                same.name == entrant.name && same.identity.starts_with(&format!("{hash}-"))
            });
            entrant.identity = same.map_or(String::new(), |same| same.identity.clone());
        }
        let mut by_name: Vec<usize> = (0..entrants.len()).collect();
        by_name.sort_by(|&one, &other| entrants[one].name.cmp(&entrants[other].name));
        for place in by_name {
            if entrants[place].identity.is_empty() {
                let own = format!("{}-", hashes[place]);
                let left = before.iter().map(|one| one.identity.clone());
                let left = left.filter(|identity| identity.starts_with(&own));
                let mut all = left.chain((1..).map(|number| format!("{own}{number}")));
                let free = all.find(|identity| !is_taken(entrants, identity));
                entrants[place].identity = free.expect("there are numbers enough");
            }
        }
    }

    /// What is the same for equal players.
    fn hash<G: Game>(&self) -> String {
        let what = match &self.who {
            Who::BuiltIn(spec) => format!("{} {} {spec}", G::NAME, G::VERSION),
            Who::Program(program, speech) => format!("{speech:?} {}", program.hash),
            Who::Guest(guest) => format!("guest {}", guest.identity),
            Who::Unusable { hash, fault } => format!("unusable {:?} {hash}", fault.speech),
            // Its identity is known from there, and not made anew.
            Who::Elsewhere => return String::new(),
        };
        blake3::hash(what.as_bytes()).to_hex()[..32].to_owned()
    }

    /// What is the same for equal players: the identity without its number.
    pub(crate) fn contents(&self) -> &str {
        let number = self.identity.rsplit_once('-');
        number.map_or(&self.identity, |(contents, _)| contents)
    }

    /// Whether the same plays for both, whatever they are called.
    pub fn is_same(&self, other: &Entrant) -> bool {
        self.contents() == other.contents()
    }

    /// What is wrong with it, if it cannot play.
    pub fn fault(&self) -> Option<&Fault> {
        match &self.who {
            Who::Unusable { fault, .. } => Some(fault),
            Who::BuiltIn(_) | Who::Program(..) | Who::Guest(_) | Who::Elsewhere => None,
        }
    }

    /// Whether a program plays that is not ours.
    pub fn is_foreign(&self) -> bool {
        matches!(self.who, Who::Program(..))
    }
}

/// What is the same for the same text.
pub fn hash_of(text: &[u8]) -> String {
    blake3::hash(text).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use croupier_games::uno::Uno;

    use super::*;

    /// The identities of equal players with these names.
    fn identified(names: &[&str], before: &[Enrolled]) -> Vec<Enrolled> {
        let entrant = |name: &&str| Entrant {
            name: (*name).to_owned(),
            spec: "random".to_owned(),
            who: Who::BuiltIn("random".to_owned()),
            identity: String::new(),
            added: false,
        };
        let mut entrants: Vec<Entrant> = names.iter().map(entrant).collect();
        Entrant::identify::<Uno>(&mut entrants, before);
        let enrolled = entrants.into_iter().map(|entrant| Enrolled {
            name: entrant.name,
            spec: entrant.spec,
            identity: entrant.identity,
            added: entrant.added,
        });
        enrolled.collect()
    }

    fn numbers(enrolled: &[Enrolled]) -> Vec<&str> {
        let number = |one: &'_ Enrolled| one.identity.len() - 1;
        enrolled
            .iter()
            .map(|one| &one.identity[number(one)..])
            .collect()
    }

    #[test]
    fn equal_players_keep_what_is_theirs() {
        let first = identified(&["b", "a", "c"], &[]);
        assert_eq!(
            numbers(&first),
            ["2", "1", "3"],
            "by name, whoever comes first"
        );
        let without = identified(&["b", "c"], &first);
        assert_eq!(numbers(&without), ["2", "3"], "who stays keeps its games");
        let more = identified(&["aa", "b", "c"], &without);
        assert_eq!(
            numbers(&more),
            ["1", "2", "3"],
            "who is new takes a free number"
        );
        let renamed = identified(&["b", "z"], &without);
        assert_eq!(
            numbers(&renamed),
            ["2", "3"],
            "another name, the same player"
        );
    }
}
