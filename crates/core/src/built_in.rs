//! The players that come with a game, as they are called for: `expert:time=100ms`.

use std::fmt;

use crate::{Game, Offered, Options, Player};

/// A player that comes with a game.
#[derive(Debug)]
pub struct BuiltIn<G: Game> {
    /// The name by which it is called for.
    pub name: &'static str,
    /// How it plays, in one sentence.
    pub about: &'static str,
    /// How strong it is beside the others of its game.
    pub strength: Strength,
    /// The options it takes, each with its meaning in a few words.
    pub options: &'static [(&'static str, &'static str)],
    /// Makes one with these options, each of which it takes.
    pub make: fn(&Options) -> MadePlayer<G>,
}

/// How strong a player is beside the others that come with its game, for a person who chooses an
/// opponent. A player that is not weak gets more points than those of every lower strength.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strength {
    /// Hardly better than chance, or worse.
    Weak,
    /// Better than chance.
    Fair,
    /// The best without thinking ahead.
    Good,
    /// Thinks ahead.
    Strong,
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Strength::Weak => "weak",
            Strength::Fair => "fair",
            Strength::Good => "good",
            Strength::Strong => "strong",
        })
    }
}

/// A player, or what is wrong with the value of an option.
pub type MadePlayer<G> = Result<Box<dyn Player<G>>, String>;

/// A player that does not come with the game, or not like this.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadPlayer {
    /// There is no such player.
    #[error("there is no player '{name}'; there are: {}", known.join(", "))]
    Unknown {
        /// The name that was given.
        name: String,
        /// The players there are.
        known: Vec<&'static str>,
    },
    /// A player that takes no options was given one.
    #[error("the player '{name}' takes no options, not '{given}'")]
    NoOptions {
        /// The player.
        name: &'static str,
        /// The option with its value, as it was given.
        given: String,
    },
    /// A player was given an option that it does not have.
    #[error("the player '{name}' has no option '{option}'; it has: {}", known.join("=, ") + "=")]
    UnknownOption {
        /// The player.
        name: &'static str,
        /// The option that was given.
        option: String,
        /// The options it has.
        known: Vec<&'static str>,
    },
    /// An option was given twice.
    #[error("the player '{spec}' is given '{option}' twice")]
    Twice {
        /// The player with its options, as it was called for.
        spec: String,
        /// The option.
        option: String,
    },
    /// An option was given a value that it does not take.
    #[error("the player '{spec}': {reason}")]
    Value {
        /// The player with its options, as it was called for.
        spec: String,
        /// What is wrong with the value.
        reason: String,
    },
}

/// The player of `G` that is called for by its name, and by options after colons.
pub fn built_in<G: Offered>(spec: &str) -> Result<Box<dyn Player<G>>, BadPlayer> {
    let (name, words) = spec.split_once(':').unwrap_or((spec, ""));
    let Some(found) = G::PLAYERS.iter().find(|player| player.name == name) else {
        return Err(BadPlayer::Unknown {
            name: name.to_owned(),
            known: G::PLAYERS.iter().map(|player| player.name).collect(),
        });
    };
    let mut options = Options::new();
    for word in words.split(':').filter(|_| spec.contains(':')) {
        let (option, value) = word.split_once('=').unwrap_or((word, ""));
        let known: Vec<_> = found.options.iter().map(|(known, _)| *known).collect();
        if known.is_empty() {
            return Err(BadPlayer::NoOptions {
                name: found.name,
                given: word.to_owned(),
            });
        }
        let option = option.to_owned();
        if !known.contains(&option.as_str()) {
            return Err(BadPlayer::UnknownOption {
                name: found.name,
                option,
                known,
            });
        }
        if options.insert(option.clone(), value.to_owned()).is_some() {
            let spec = spec.to_owned();
            return Err(BadPlayer::Twice { spec, option });
        }
    }
    let spec = spec.to_owned();
    (found.make)(&options).map_err(|reason| BadPlayer::Value { spec, reason })
}
