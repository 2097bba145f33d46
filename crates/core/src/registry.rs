//! Games by name, with everything in them as text and JSON.
//!
//! The command line, the replay of records and the protocol for programs do not know the types of
//! any game. They find a game in the [`Registry`] and get it as an [`AnyGame`].

use std::ops::ControlFlow;

use serde::Deserialize as _;
use serde_json::Value;

use crate::{
    BadSetup, Game, Illegal, Moment, Observer, Options, Outcome, Player, Profile, Seat, Seed,
    built_in, play,
};

/// The games that are offered, in the order in which they are listed.
#[derive(Debug)]
pub struct Registry(pub &'static [Entry]);

impl Registry {
    /// The game with this name.
    pub fn find(&self, name: &str) -> Option<&'static Entry> {
        self.0.iter().find(|entry| entry.profile.name == name)
    }

    /// The names of all games, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|entry| entry.profile.name)
    }
}

/// One game that is offered.
#[derive(Debug)]
pub struct Entry {
    /// What the game says about itself.
    pub profile: &'static Profile,
    players: fn() -> Vec<(&'static str, &'static str)>,
    setup: fn(&Options) -> Result<Value, BadSetup>,
    deal: fn(&Value, Seed) -> Made<dyn AnyGame>,
    table: fn(&Value, &[&str]) -> Made<dyn HouseTable>,
}

type Made<T> = Result<Box<T>, BadSetup>;

impl Entry {
    /// The entry for the game `G`.
    pub const fn of<G: Game>() -> Entry {
        Entry {
            profile: &G::PROFILE,
            players: || G::PLAYERS.iter().map(|p| (p.name, p.about)).collect(),
            setup: |options| G::setup(options).map(|setup| to_json(&setup)),
            deal: |setup, seed| Ok(Box::new(Dealt(G::deal(&read_setup::<G>(setup)?, seed)))),
            table: |setup, players| Ok(Box::new(Seated::<G>::new(setup, players)?)),
        }
    }

    /// Name and description of each player that comes with the game.
    pub fn players(&self) -> Vec<(&'static str, &'static str)> {
        (self.players)()
    }

    /// The setup that these options describe, as JSON.
    pub fn setup(&self, options: &Options) -> Result<Value, BadSetup> {
        (self.setup)(options)
    }

    /// Deals a game.
    pub fn deal(&self, setup: &Value, seed: Seed) -> Result<Box<dyn AnyGame>, BadSetup> {
        (self.deal)(setup, seed)
    }

    /// A table at which players that come with the game take the seats in this order.
    pub fn table(&self, setup: &Value, players: &[&str]) -> Result<Box<dyn HouseTable>, BadSetup> {
        (self.table)(setup, players)
    }
}

/// A table with built-in players, at which deal after deal is played at full speed.
pub trait HouseTable: Send {
    /// Plays a deal; also tells how many decisions were made in it.
    fn play(&mut self, seed: Seed) -> (Outcome, u64);
}

struct Seated<G: Game> {
    setup: G::Setup,
    players: Vec<Box<dyn Player<G>>>,
}

impl<G: Game> Seated<G> {
    fn new(setup: &Value, names: &[&str]) -> Result<Seated<G>, BadSetup> {
        let setup = read_setup::<G>(setup)?;
        let seats = G::deal(&setup, Seed(0)).seats();
        if names.len() != seats {
            return Err(BadSetup(format!(
                "this table of {} seats {seats} players, not {}",
                G::PROFILE.title,
                names.len()
            )));
        }
        let players = names.iter().map(|name| built_in(name));
        let players = players.collect::<Result<_, _>>();
        Ok(Seated {
            setup,
            players: players.map_err(|wrong| BadSetup(wrong.to_string()))?,
        })
    }
}

impl<G: Game> HouseTable for Seated<G> {
    fn play(&mut self, seed: Seed) -> (Outcome, u64) {
        let mut decisions = Decisions(0);
        let outcome = play::<G, _, _>(&self.setup, seed, &mut self.players, &mut decisions)
            .expect("built-in players neither fail nor stop the game");
        (outcome, decisions.0)
    }
}

/// Counts what is decided.
struct Decisions(u64);

impl<G: Game> Observer<G> for Decisions {
    #[inline]
    fn see(&mut self, _: &G, moment: &Moment<'_, G>) -> ControlFlow<()> {
        self.0 += u64::from(matches!(moment, Moment::Played(..) | Moment::Fouled(..)));
        ControlFlow::Continue(())
    }
}

fn read_setup<G: Game>(setup: &Value) -> Result<G::Setup, BadSetup> {
    G::Setup::deserialize(setup)
        .map_err(|error| BadSetup(format!("this is no setup for {}: {error}", G::PROFILE.name)))
}

/// A game that has been dealt, with moves as text and views as JSON.
pub trait AnyGame: Send {
    /// How many seats the table has.
    fn seats(&self) -> usize;
    /// Whose turn it is; nobody's when the game is over.
    fn to_move(&self) -> Option<Seat>;
    /// All legal moves of the seat to move.
    fn legal(&self) -> Vec<String>;
    /// Makes a move for the seat to move; the game is as it was if that fails.
    fn play(&mut self, choice: &str) -> Result<(), PlayError>;
    /// What the house does about a foul: see [`Game::foul`].
    fn foul(&mut self) -> Option<String>;
    /// What `seat` sees.
    fn view(&self, seat: Seat) -> Value;
    /// Scores and places as they stand.
    fn outcome(&self) -> Outcome;
}

/// Why a move given as text was not made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// No move of this game is written like this.
    #[error("'{0}' is not a move of this game")]
    Unreadable(String),
    /// The rules do not allow it.
    #[error(transparent)]
    Illegal(#[from] Illegal),
}

/// Keeps the methods of [`AnyGame`] apart from those of the same name in [`Game`].
struct Dealt<G>(G);

impl<G: Game> AnyGame for Dealt<G> {
    fn seats(&self) -> usize {
        self.0.seats()
    }
    fn to_move(&self) -> Option<Seat> {
        self.0.to_move()
    }
    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.0.legal(&mut moves);
        moves.iter().map(ToString::to_string).collect()
    }
    fn play(&mut self, choice: &str) -> Result<(), PlayError> {
        let choice = choice
            .parse()
            .map_err(|_| PlayError::Unreadable(choice.to_owned()))?;
        Ok(self.0.play(choice)?)
    }
    fn foul(&mut self) -> Option<String> {
        self.0.foul().map(|instead| instead.to_string())
    }
    fn view(&self, seat: Seat) -> Value {
        to_json(&self.0.view(seat))
    }
    fn outcome(&self) -> Outcome {
        self.0.outcome()
    }
}

pub(crate) fn to_json<T: serde::Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("setups and views have string keys and plain values")
}
