//! The players that come with a game, as they are called for: `expert:time=100ms`.

use crate::{Game, Options, Player};

/// A player that comes with a game.
#[derive(Debug)]
pub struct BuiltIn<G: Game> {
    /// The name by which it is called for.
    pub name: &'static str,
    /// How it plays, in one sentence.
    pub about: &'static str,
    /// The options it takes, each with its meaning in a few words.
    pub options: &'static [(&'static str, &'static str)],
    /// Makes one with these options, each of which it takes.
    pub make: fn(&Options) -> MadePlayer<G>,
}

/// A player, or what is wrong with the value of an option.
pub type MadePlayer<G> = Result<Box<dyn Player<G>>, String>;

/// There is no such player; the text says what there is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadPlayer(pub String);

/// The player of `G` that is called for by its name, and by options after colons.
pub fn built_in<G: Game>(spec: &str) -> Result<Box<dyn Player<G>>, BadPlayer> {
    let (name, words) = spec.split_once(':').unwrap_or((spec, ""));
    let Some(found) = G::PLAYERS.iter().find(|player| player.name == name) else {
        let known: Vec<_> = G::PLAYERS.iter().map(|player| player.name).collect();
        return Err(BadPlayer(format!(
            "there is no player '{name}'; there are: {}",
            known.join(", ")
        )));
    };
    let mut options = Options::new();
    for word in words.split(':').filter(|_| spec.contains(':')) {
        let (option, value) = word.split_once('=').unwrap_or((word, ""));
        if !found.options.iter().any(|(known, _)| *known == option) {
            let known = found.options.iter().map(|(known, _)| format!("{known}="));
            let known: Vec<_> = known.collect();
            return Err(BadPlayer(match known.as_slice() {
                [] => format!("the player '{name}' takes no options, not '{word}'"),
                _ => format!(
                    "the player '{name}' has no option '{option}'; it has: {}",
                    known.join(", ")
                ),
            }));
        }
        if options
            .insert(option.to_owned(), value.to_owned())
            .is_some()
        {
            return Err(BadPlayer(format!(
                "the player '{spec}' is given '{option}' twice"
            )));
        }
    }
    (found.make)(&options).map_err(|wrong| BadPlayer(format!("the player '{spec}': {wrong}")))
}
