//! The games by name.

use std::marker::PhantomData;

use croupier_bots::Hosted;
use croupier_core::{
    BadPlayer, BadSetup, Drawn, Encoded, Entry, OptionKind, Options, Seed, Shape, TooLarge,
    built_in,
};
use croupier_games::GAMES;
use croupier_games::austerity::Austerity;
use croupier_games::friday13::Friday13;
use croupier_games::intensity::Intensity;
use croupier_games::uno::Uno;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::contest::{self, NotHeld};
use crate::convert::{bad_setup, options, to_python};
use crate::guest::Side;
use crate::numbers::{AnyBatch, AnyTable, Batched, NoMemory, Tabled};

/// The game with this name.
pub(crate) fn find(name: &str) -> PyResult<&'static Entry> {
    GAMES.find(name).ok_or_else(|| {
        let known: Vec<&str> = GAMES.names().collect();
        let known = known.join(", ");
        PyValueError::new_err(format!("there is no game '{name}'; there are: {known}"))
    })
}

/// What can be done with a game in which something is decided.
pub(crate) trait Decided: Sync {
    /// Whether a player comes with the game.
    fn check(&self, player: &str) -> Result<(), BadPlayer>;
    /// Which version of its encoding this is.
    fn encoding(&self) -> u32;
    /// How much memory one game takes.
    fn bytes(&self) -> u64;
    /// How it is written as numbers.
    fn shape(&self, options: &Options) -> Result<Shape, Refused>;
    /// So many games.
    fn batch(
        &self,
        options: &Options,
        games: usize,
        seed: Seed,
    ) -> Result<Box<dyn AnyBatch>, Refused>;
    /// A table that has not been dealt.
    fn table(&self, options: &Options) -> Result<Box<dyn AnyTable>, Refused>;
    /// Compares two players.
    fn compare(
        &self,
        options: &Options,
        sides: &[Side],
        terms: &contest::Comparing,
    ) -> Result<Value, NotHeld>;
    /// Holds a contest.
    fn tournament(
        &self,
        options: &Options,
        sides: &[Side],
        terms: &contest::Holding,
    ) -> Result<Value, NotHeld>;
}

/// A game that is not played like this.
#[derive(Debug)]
pub(crate) enum Refused {
    Setup(BadSetup),
    TooLarge(TooLarge),
    Memory(NoMemory),
}

impl From<Refused> for PyErr {
    fn from(refused: Refused) -> PyErr {
        match refused {
            Refused::Setup(error) => bad_setup(error),
            Refused::TooLarge(error) => PyValueError::new_err(error.to_string()),
            Refused::Memory(error) => error.into(),
        }
    }
}

impl From<NoMemory> for PyErr {
    fn from(_: NoMemory) -> PyErr {
        PyMemoryError::new_err("there is not enough free memory for so many games: take fewer")
    }
}

struct Of<G>(PhantomData<fn() -> G>);

impl<G: Encoded + Drawn + Hosted> Decided for Of<G> {
    fn check(&self, player: &str) -> Result<(), BadPlayer> {
        built_in::<G>(player).map(drop)
    }
    fn encoding(&self) -> u32 {
        G::ENCODING
    }
    fn bytes(&self) -> u64 {
        size_of::<G>() as u64
    }
    fn shape(&self, options: &Options) -> Result<Shape, Refused> {
        let setup = G::setup(options).map_err(Refused::Setup)?;
        G::shape(&setup).map_err(Refused::TooLarge)
    }
    fn batch(
        &self,
        options: &Options,
        games: usize,
        seed: Seed,
    ) -> Result<Box<dyn AnyBatch>, Refused> {
        let setup = G::setup(options).map_err(Refused::Setup)?;
        let shape = G::shape(&setup).map_err(Refused::TooLarge)?;
        let batch = Batched::<G>::new(setup, &shape, games, seed);
        Ok(Box::new(batch.map_err(Refused::Memory)?))
    }
    fn table(&self, options: &Options) -> Result<Box<dyn AnyTable>, Refused> {
        let setup = G::setup(options).map_err(Refused::Setup)?;
        let shape = G::shape(&setup).map_err(Refused::TooLarge)?;
        Ok(Box::new(Tabled::<G>::new(setup, &shape)))
    }
    fn compare(
        &self,
        options: &Options,
        sides: &[Side],
        terms: &contest::Comparing,
    ) -> Result<Value, NotHeld> {
        contest::compare_in::<G>(options, sides, terms)
    }
    fn tournament(
        &self,
        options: &Options,
        sides: &[Side],
        terms: &contest::Holding,
    ) -> Result<Value, NotHeld> {
        contest::hold::<G>(options, sides, terms)
    }
}

/// The games in which something is decided.
pub(crate) static DECIDED: [(&str, &dyn Decided); 4] = [
    ("intensity", &Of::<Intensity>(PhantomData)),
    ("friday13", &Of::<Friday13>(PhantomData)),
    ("uno", &Of::<Uno>(PhantomData)),
    ("austerity", &Of::<Austerity>(PhantomData)),
];

/// The game with this name, if something is decided in it.
pub(crate) fn decided(name: &str) -> PyResult<&'static dyn Decided> {
    let entry = find(name)?;
    let found = DECIDED.iter().find(|(known, _)| *known == name);
    found.map(|(_, game)| *game).ok_or_else(|| {
        let title = entry.profile.title;
        PyValueError::new_err(format!(
            "nothing is decided in {title}, so there is nothing to learn or to compare"
        ))
    })
}

/// All games: their names, seats, options, players, and how they are written as numbers.
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let described: PyResult<Vec<Value>> = GAMES.0.iter().map(describe).collect();
    to_python(py, &Value::Array(described?))
}

fn describe(entry: &Entry) -> PyResult<Value> {
    let profile = entry.profile;
    let options: Vec<Value> = profile
        .options
        .iter()
        .map(|option| {
            let values = match &option.kind {
                OptionKind::OneOf(words) => {
                    json!(words.iter().map(|(word, _)| *word).collect::<Vec<_>>())
                }
                OptionKind::Number(range) => json!([range.start(), range.end()]),
                OptionKind::Text(form) | OptionKind::Scores(form) => json!(form),
                OptionKind::File => json!("path"),
            };
            json!({
                "name": option.name.replace('-', "_"),
                "default": option.default,
                "values": values,
                "help": option.help,
            })
        })
        .collect();
    let players = entry
        .players()
        .into_iter()
        .map(|(name, about)| json!({"name": name, "about": about}));
    let mut described = json!({
        "name": profile.name,
        "title": profile.title,
        "seats": [profile.seats.start(), profile.seats.end()],
        "decisions": profile.decisions,
        "options": options,
        "players": players.collect::<Vec<_>>(),
        "encoding": null,
    });
    if let Some((_, game)) = DECIDED.iter().find(|(name, _)| *name == profile.name) {
        described["encoding"] = encoding(*game, &self::options(profile, None)?)?;
    }
    Ok(described)
}

/// How a game is written as numbers.
pub(crate) fn encoding(game: &dyn Decided, options: &Options) -> PyResult<Value> {
    let shape = game.shape(options)?;
    let mut from = 0;
    let fields = shape.fields.iter().map(|field| {
        let start = from;
        from += field.length;
        json!({"name": field.name, "start": start, "length": field.length, "about": field.about})
    });
    let fields: Vec<Value> = fields.collect();
    Ok(json!({
        "version": game.encoding(),
        "actions": shape.actions,
        "numbers": shape.numbers(),
        "fields": fields,
    }))
}
