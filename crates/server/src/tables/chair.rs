//! Who sits where at a table.

use croupier_core::{Audience, Seat};
use serde::{Deserialize, Serialize};

use crate::person::Person;

/// A seat of a table, with who sits there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Chair {
    /// The name that everybody reads.
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) sitter: Sitter,
}

/// Who sits in a chair.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "sitter", rename_all = "kebab-case")]
pub(crate) enum Sitter {
    /// A person, or a chair that is kept for one.
    Person {
        /// Who holds the seat; nobody yet if the link has not been followed.
        holder: Option<Person>,
        /// The secret part of the link by which somebody may sit down.
        invitation: Option<String>,
        /// The built-in player that plays while the person is away.
        stand_in: Option<String>,
    },
    /// A player that comes with the game.
    BuiltIn {
        /// Its name, with options.
        player: String,
    },
    /// A program that the server was started with.
    Program {
        /// Its name.
        program: String,
    },
}

/// Who decides for a seat without being asked by a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Robot {
    /// A player that comes with the game.
    BuiltIn(String),
    /// A program that the server was started with.
    Program(String),
}

impl Chair {
    /// A chair for whoever follows the link with this secret.
    pub(crate) fn open(name: String, invitation: String) -> Chair {
        Chair {
            name,
            sitter: Sitter::Person {
                holder: None,
                invitation: Some(invitation),
                stand_in: None,
            },
        }
    }

    /// A chair that this person holds.
    pub(crate) fn held(name: String, holder: Person) -> Chair {
        Chair {
            name,
            sitter: Sitter::Person {
                holder: Some(holder),
                invitation: None,
                stand_in: None,
            },
        }
    }

    /// Whether this person holds the seat.
    pub(crate) fn is_held_by(&self, person: &Person) -> bool {
        self.holder() == Some(person)
    }

    /// The person who holds the seat.
    pub(crate) fn holder(&self) -> Option<&Person> {
        match &self.sitter {
            Sitter::Person { holder, .. } => holder.as_ref(),
            _ => None,
        }
    }

    /// Whether it is a person's chair.
    pub(crate) fn is_for_a_person(&self) -> bool {
        matches!(self.sitter, Sitter::Person { .. })
    }

    /// The secret of the link by which somebody may still sit down here.
    pub(crate) fn invitation(&self) -> Option<&str> {
        match &self.sitter {
            Sitter::Person {
                holder: None,
                invitation,
                ..
            } => invitation.as_deref(),
            _ => None,
        }
    }

    /// Whether the link with this secret leads here, also after somebody has sat down.
    pub(crate) fn is_kept_by(&self, secret: &str) -> bool {
        match &self.sitter {
            Sitter::Person { invitation, .. } => invitation.as_deref() == Some(secret),
            _ => false,
        }
    }

    /// The built-in player that plays for a person who is away.
    pub(crate) fn stand_in(&self) -> Option<&str> {
        match &self.sitter {
            Sitter::Person { stand_in, .. } => stand_in.as_deref(),
            _ => None,
        }
    }

    /// Who decides here without being asked by a page.
    pub(crate) fn robot(&self) -> Option<Robot> {
        match &self.sitter {
            Sitter::Person { stand_in, .. } => stand_in.clone().map(Robot::BuiltIn),
            Sitter::BuiltIn { player } => Some(Robot::BuiltIn(player.clone())),
            Sitter::Program { program } => Some(Robot::Program(program.clone())),
        }
    }
}

/// What somebody may see at a table with these chairs.
pub(crate) fn audience(chairs: &[Chair], person: Option<&Person>) -> Audience {
    let held = person.and_then(|person| chairs.iter().position(|chair| chair.is_held_by(person)));
    held.map_or(Audience::Onlooker, |place| {
        Audience::Seat(Seat::from(place))
    })
}
