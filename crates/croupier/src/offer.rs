//! The games that a program offers, and what can be done with each of them.

use std::borrow::Cow;
use std::marker::PhantomData;

use clap::{Arg, ArgMatches};
use croupier_arena::{Settings, Store};
use croupier_bots::Hosted;
use croupier_cluster::Bench;
use croupier_console::Failure;
use croupier_core::{Drawn, Entry, Record, Registry};
use croupier_server::{Guest, Umpire};

use crate::repro::Kept;
use crate::shown::Shown;
use crate::tournament::{Part, Web};
use crate::{check, compare, play, replay, repro, serve, table, tournament};

/// A game that is offered at the command line.
#[derive(Clone, Copy)]
pub struct Offer {
    pub(crate) entry: Entry,
    pub(crate) commands: &'static dyn Commands,
    pub(crate) simulation: Option<Simulation>,
}

impl Offer {
    /// The game `G`.
    pub const fn of<G: Hosted + Shown + Drawn>() -> Offer {
        Offer {
            entry: Entry::of::<G>(),
            commands: &CommandsOf::<G>(PhantomData),
            simulation: None,
        }
    }

    /// The same, simulated in a way of its own.
    pub(crate) const fn simulated(mut self, simulation: Simulation) -> Offer {
        self.simulation = Some(simulation);
        self
    }
}

impl std::fmt::Debug for Offer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Offer").field(&self.entry).finish()
    }
}

/// A simulation that answers a question of its own.
#[derive(Clone, Copy)]
pub(crate) struct Simulation {
    /// The flags that it takes besides those of every simulation.
    pub(crate) flags: fn() -> Vec<Arg>,
    /// Does it.
    pub(crate) run: fn(&ArgMatches) -> Result<(), Failure>,
}

/// All games that are offered, in the order in which they are listed.
pub(crate) struct Offers(pub(crate) Vec<Offer>);

impl Offers {
    /// The game with this name.
    pub(crate) fn find(&self, name: &str) -> Option<&Offer> {
        self.0.iter().find(|game| game.entry.profile.name == name)
    }

    /// The game with this name, which somebody has typed.
    pub(crate) fn known(&self, name: &str) -> Result<&Offer, Failure> {
        self.find(name).ok_or_else(|| {
            let names = self.names().join(", ");
            Failure::Usage(format!("there is no game '{name}'; the games are: {names}"))
        })
    }

    /// The game with this name, if programs play it.
    pub(crate) fn decided(&self, name: &str) -> Result<&Offer, Failure> {
        let game = self.known(name)?;
        if !game.entry.profile.decisions {
            let refusal = format!("programs do not play the game '{name}'");
            return Err(Failure::Usage(refusal));
        }
        Ok(game)
    }

    /// The games in which something is decided.
    pub(crate) fn with_decisions(&self) -> impl Iterator<Item = &Offer> {
        self.0.iter().filter(|game| game.entry.profile.decisions)
    }

    /// The first game, for an example.
    pub(crate) fn first(&self) -> &Offer {
        &self.0[0]
    }

    /// The first game in which something is decided, for an example.
    pub(crate) fn first_decided(&self) -> &Offer {
        self.with_decisions().next().unwrap_or(self.first())
    }

    /// The names of all games.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|game| game.entry.profile.name).collect()
    }

    /// The same games, as the kernel finds them.
    pub(crate) fn registry(&self) -> Registry {
        Registry(Cow::Owned(self.0.iter().map(|game| game.entry).collect()))
    }

    /// What contest pages have to know of them.
    pub(crate) fn umpires(&self) -> Vec<Umpire> {
        self.0.iter().map(|game| game.commands.umpire()).collect()
    }

    /// Does something with the game that the command line names.
    pub(crate) fn with(
        &self,
        matches: &ArgMatches,
        what: impl Fn(&Offer, &ArgMatches) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let (name, matches) = matches.subcommand().expect("clap asks for a game");
        what(self.find(name).expect("clap knows no other game"), matches)
    }
}

/// The commands that have to know the types of a game.
pub(crate) trait Commands: Sync {
    /// `croupier match`.
    fn play_match(&self, matches: &ArgMatches) -> Result<(), Failure>;
    /// `croupier play`.
    fn play(&self, matches: &ArgMatches) -> Result<(), Failure>;
    /// `croupier compare`.
    fn compare(&self, matches: &ArgMatches) -> Result<(), Failure>;
    /// `croupier check`.
    fn check(&self, matches: &ArgMatches) -> Result<(), Failure>;
    /// `croupier tournament` with a game and players.
    fn begin(&self, matches: &ArgMatches, web: Option<Web>) -> Result<(), Failure>;
    /// `croupier tournament --resume`.
    fn resume(
        &self,
        store: Store,
        settings: Settings,
        matches: &ArgMatches,
        web: Option<Web>,
    ) -> Result<(), Failure>;
    /// `croupier tournament --merge`, of folders that belong together.
    fn merge(&self, parts: &[Part], matches: &ArgMatches) -> Result<(), Failure>;
    /// `croupier replay`, of a record that is known to be a true one.
    fn replay(&self, record: Record, matches: &ArgMatches) -> Result<(), Failure>;
    /// `croupier repro`.
    fn repro(&self, kept: Kept, matches: &ArgMatches) -> Result<(), Failure>;
    /// `croupier serve` with a program that may sit at tables.
    fn guest(&self, named: &serve::Named, matches: &ArgMatches) -> Result<Guest, Failure>;
    /// What `croupier serve` has to know to show contests.
    fn umpire(&self) -> Umpire;
    /// What `croupier work` has to know to play it.
    fn bench(&self) -> Bench;
}

struct CommandsOf<G>(PhantomData<fn() -> G>);

impl<G: Hosted + Shown + Drawn> Commands for CommandsOf<G> {
    fn play_match(&self, matches: &ArgMatches) -> Result<(), Failure> {
        table::play_match::<G>(matches)
    }
    fn play(&self, matches: &ArgMatches) -> Result<(), Failure> {
        play::play::<G>(matches)
    }
    fn compare(&self, matches: &ArgMatches) -> Result<(), Failure> {
        compare::compare::<G>(matches)
    }
    fn check(&self, matches: &ArgMatches) -> Result<(), Failure> {
        check::check::<G>(matches)
    }
    fn begin(&self, matches: &ArgMatches, web: Option<Web>) -> Result<(), Failure> {
        tournament::begin::<G>(matches, web)
    }
    fn resume(
        &self,
        store: Store,
        settings: Settings,
        matches: &ArgMatches,
        web: Option<Web>,
    ) -> Result<(), Failure> {
        tournament::resume::<G>(store, settings, matches, web)
    }
    fn merge(&self, parts: &[Part], matches: &ArgMatches) -> Result<(), Failure> {
        tournament::unite::<G>(parts, matches)
    }
    fn replay(&self, record: Record, matches: &ArgMatches) -> Result<(), Failure> {
        replay::again::<G>(record, matches)
    }
    fn repro(&self, kept: Kept, matches: &ArgMatches) -> Result<(), Failure> {
        repro::again::<G>(kept, matches.get_flag("json"))
    }
    fn guest(&self, named: &serve::Named, matches: &ArgMatches) -> Result<Guest, Failure> {
        serve::guest::<G>(named, matches)
    }
    fn umpire(&self) -> Umpire {
        Umpire::of::<G>()
    }
    fn bench(&self) -> Bench {
        Bench::of::<G>()
    }
}
