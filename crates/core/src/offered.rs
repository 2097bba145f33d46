//! What a game offers besides its rules: options for its setup, players that come with it, and what
//! contests have to know of it.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::Deserialize as _;
use serde_json::Value;

use crate::{BadPlayer, BuiltIn, Game};

/// A game that people can call for by name.
pub trait Offered: Game {
    /// What the game says about itself.
    const PROFILE: Profile;

    /// The players that come with the game.
    const PLAYERS: &'static [BuiltIn<Self>];

    /// The built-in players with whom a person plays unless it names others: good ones, who need no
    /// time. They take the empty seats in turn.
    const OPPONENTS: &'static [&'static str];

    /// The setup that these options describe.
    fn setup(options: &Options) -> Result<Self::Setup, BadSetup>;
}

/// A game of which contests are held.
pub trait Contested: Offered {
    /// Whether contests over one deal seat the players in all orders, by the game's own tradition.
    /// In other games they move round the table, so that each sits in each seat once.
    const IN_ALL_ORDERS: bool = false;

    /// Whether the lowest of the game's own scores is the best, as it is with penalty points.
    const LOWEST_WINS: bool = false;

    /// Whether contests rank by the game's own score, by its tradition. In other games they rank by
    /// points for finishing places.
    const RANKED_BY_SCORE: bool = false;

    /// The scores that the players bring to the table, in the order of their seats, in a game where
    /// players are shown them.
    fn brought(_setup: &Self::Setup) -> Option<Vec<i64>> {
        None
    }

    /// The setup of the next game of a contest when the seats have these scores so far, in a game
    /// where players are shown them.
    fn carry_on(_setup: &Self::Setup, _scores: &[i64]) -> Option<Self::Setup> {
        None
    }
}

/// What a game says about itself before it is dealt, so that everything that works with any game
/// can ask instead of knowing.
#[derive(Debug)]
pub struct Profile {
    /// The name by which the game is called for on the command line: `war`.
    pub name: &'static str,
    /// The name as one would write it in a sentence: `Friday the 13th`.
    pub title: &'static str,
    /// What one has to do, in a sentence for somebody who has never heard of the game.
    pub aim: &'static str,
    /// How many players a table may have.
    pub seats: RangeInclusive<usize>,
    /// Whether players decide anything.
    pub decisions: bool,
    /// How programs take part, in a few words.
    pub programs: &'static str,
    /// A program as an example names it: `./mybot`.
    pub example_program: &'static str,
    /// The rules in brief, and the protocol for programs.
    pub rules: &'static str,
    /// The options from which [`Offered::setup`] makes a setup.
    pub options: &'static [SetupOption],
}

impl Profile {
    /// The rules as far as they concern a person.
    pub fn rules_for_people(&self) -> &'static str {
        self.rules[..self.programs_begin()].trim_end()
    }

    /// What programs are told, and have to answer; nothing if they do not take part.
    pub fn rules_for_programs(&self) -> &'static str {
        &self.rules[self.programs_begin()..]
    }

    /// The protocol begins with the first paragraph that begins with programs.
    fn programs_begin(&self) -> usize {
        let paragraphs = self.rules.match_indices("\n\n").map(|(at, _)| at + 2);
        let mut starts = paragraphs.filter(|at| {
            let text = &self.rules[*at..];
            text.starts_with("Programs") || text.starts_with("A program")
        });
        starts.next().unwrap_or(self.rules.len())
    }
}

/// One option of a game's setup, from which the command line makes a flag.
#[derive(Debug)]
pub struct SetupOption {
    /// The flag's name without dashes: `short-war`.
    pub name: &'static str,
    /// What may be given.
    pub kind: OptionKind,
    /// What holds if nothing is given, as it would be written; none if the option is then off.
    pub default: Option<&'static str>,
    /// What it means, in one sentence.
    pub help: &'static str,
}

/// What values an option takes.
#[derive(Debug)]
pub enum OptionKind {
    /// One of these words, each with its meaning.
    OneOf(&'static [(&'static str, &'static str)]),
    /// A whole number from the first to the last that makes sense.
    Number(RangeInclusive<u64>),
    /// Any text, which the game reads itself; for help it is called this, as in `V,V,…`.
    Text(&'static str),
    /// What the players bring from the games before, as a text which the game reads itself. In a
    /// contest there is nothing to say: it counts that itself.
    Scores(&'static str),
    /// A file. The game is given its contents, not its name: rules do no I/O.
    File,
}

/// Options by name: those that were given and the defaults of the others.
pub type Options = BTreeMap<String, String>;

/// A setup that cannot be dealt.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadSetup {
    /// The game has no such option.
    #[error("{title} has no option {option}")]
    UnknownOption {
        /// The game, as one would write it in a sentence.
        title: &'static str,
        /// The option as it was given.
        option: String,
    },
    /// An option was given a value that it does not take.
    #[error("{reason}")]
    Value {
        /// The option.
        option: String,
        /// What is wrong with the value and what would be right.
        reason: String,
    },
    /// No game can be dealt like this; the text says why, and what could be.
    #[error("{0}")]
    Undealable(String),
    /// This JSON is no setup of the game.
    #[error("this is no setup for {game}: {reason}")]
    Unreadable {
        /// The game's name.
        game: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// There are not as many players as seats.
    #[error("this table of {title} seats {seats} players, not {players}")]
    Players {
        /// The game, as one would write it in a sentence.
        title: &'static str,
        /// How many seats the table has.
        seats: usize,
        /// How many players were named.
        players: usize,
    },
    /// A player that does not come with the game.
    #[error(transparent)]
    Player(#[from] BadPlayer),
}

impl BadSetup {
    /// The game `G` has no such option.
    pub fn unknown_option<G: Offered>(option: impl Into<String>) -> BadSetup {
        BadSetup::UnknownOption {
            title: G::PROFILE.title,
            option: option.into(),
        }
    }

    /// An option was given a value that it does not take, for this reason.
    pub fn value(option: impl Into<String>, reason: impl Into<String>) -> BadSetup {
        BadSetup::Value {
            option: option.into(),
            reason: reason.into(),
        }
    }
}

/// Reads a setup that was written as JSON.
pub(crate) fn read_setup<G: Game>(setup: &Value) -> Result<G::Setup, BadSetup> {
    G::Setup::deserialize(setup).map_err(|error| BadSetup::Unreadable {
        game: G::NAME,
        reason: error.to_string(),
    })
}
