//! The players that come with the games.

use croupier_core::{BadPlayer, Cancel, NoAdvice};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;

use crate::convert::{IllegalMove, maybe_whole, seed, to_python};
use crate::game::{Game, unwritable};
use crate::games::DECIDED;
use crate::long::stoppable;

/// A player that comes with one or more games.
#[pyclass(frozen, module = "croupier")]
pub(crate) struct Player {
    spec: String,
}

#[pymethods]
impl Player {
    #[new]
    fn new(spec: String) -> PyResult<Player> {
        check(&spec)?;
        Ok(Player { spec })
    }

    /// The words by which it was called for.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// The move that it would make for the seat to move.
    #[pyo3(signature = (game, *, seed=0))]
    fn choose(
        &self,
        py: Python<'_>,
        game: &Game,
        #[pyo3(from_py_with = maybe_whole)] seed: Option<u64>,
    ) -> PyResult<String> {
        Ok(self.ask(py, game, seed)?.choice)
    }

    /// What it thinks of every legal move, the best first: dicts with the move, the points for places
    /// that it expects (`estimate`), their standard error, how often it tried the move, and a reason.
    /// Nothing from a player that does not weigh moves.
    #[pyo3(signature = (game, *, seed=0))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        game: &Game,
        #[pyo3(from_py_with = maybe_whole)] seed: Option<u64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let advice = self.ask(py, game, seed)?;
        to_python(
            py,
            &serde_json::to_value(&advice.thoughts).map_err(unwritable)?,
        )
    }

    fn __repr__(&self) -> String {
        format!("croupier.player({:?})", self.spec)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Player>().into_any(), (self.spec.clone(),))
    }
}

impl Player {
    /// The words by which it was called for.
    pub(crate) fn words(&self) -> &str {
        &self.spec
    }

    fn ask(
        &self,
        py: Python<'_>,
        game: &Game,
        seed: Option<u64>,
    ) -> PyResult<croupier_core::Advice> {
        let (game, seed, cancel) = (game.copied()?, self::seed(seed)?, Cancel::new());
        let advice = stoppable(
            py,
            || cancel.cancel(),
            || game.ask(&self.spec, seed, &cancel),
        )?;
        advice.map_err(|error| match error {
            NoAdvice::Player(error) => PyValueError::new_err(error.to_string()),
            NoAdvice::Over | NoAdvice::Illegal => IllegalMove::new_err(error.to_string()),
            NoAdvice::Cancelled => PyKeyboardInterrupt::new_err(()),
        })
    }
}

/// Refuses a player that comes with no game.
fn check(spec: &str) -> PyResult<()> {
    let mut wrong: Option<BadPlayer> = None;
    for (_, game) in DECIDED {
        match game.check(spec) {
            Ok(()) => return Ok(()),
            // What a game says that knows the player tells more than that another does not.
            Err(error) if wrong.is_none() || !matches!(error, BadPlayer::Unknown { .. }) => {
                wrong = Some(error);
            }
            Err(_) => {}
        }
    }
    Err(PyValueError::new_err(
        wrong.map_or_else(String::new, |error| error.to_string()),
    ))
}
