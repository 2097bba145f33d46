//! One table that is played by actions, for environments.

use std::sync::{Mutex, MutexGuard, PoisonError};

use croupier_core::Seed;
use numpy::{PyArray1, PyArrayMethods as _};
use pyo3::exceptions::{PyIndexError, PyRuntimeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::convert::{IllegalMove, action, options, seat, to_python, whole};
use crate::game::unwritable;
use crate::games::{decided, encoding, find};
use crate::long::Home;
use crate::numbers::{AnyTable, rewards};

/// A table at which game after game is played by actions.
#[pyclass(frozen, module = "croupier._croupier")]
pub(crate) struct Table {
    table: Mutex<Box<dyn AnyTable>>,
    encoding: Py<PyAny>,
    home: Home,
}

impl Table {
    fn lock(&self) -> PyResult<MutexGuard<'_, Box<dyn AnyTable>>> {
        self.home.check("environment")?;
        Ok(self.table.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[pymethods]
impl Table {
    #[new]
    fn new(py: Python<'_>, name: &str, given: Option<&Bound<'_, PyDict>>) -> PyResult<Table> {
        let game = decided(name)?;
        let options = options(find(name)?.profile, given)?;
        Ok(Table {
            table: Mutex::new(game.table(&options)?),
            encoding: to_python(py, &encoding(game, &options)?)?.unbind(),
            home: Home::here(),
        })
    }

    #[getter]
    fn encoding(&self, py: Python<'_>) -> Py<PyAny> {
        self.encoding.clone_ref(py)
    }

    #[getter]
    fn seats(&self) -> PyResult<usize> {
        Ok(self.lock()?.seats())
    }

    /// Deals a game; gives the seat that begins.
    fn deal(&self, #[pyo3(from_py_with = whole)] seed: u64) -> PyResult<Option<usize>> {
        let mut table = self.lock()?;
        table.deal(Seed(seed));
        Ok(table.to_move())
    }

    /// Takes an action; gives the seat that is to move then, or nobody.
    fn play(&self, #[pyo3(from_py_with = action)] action: i64) -> PyResult<Option<usize>> {
        let mut table = self.lock()?;
        table
            .play(action)
            .map_err(|wrong| IllegalMove::new_err(wrong.to_string()))?;
        Ok(table.to_move())
    }

    /// What a seat observes, and the actions that it may take now.
    fn observe<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = seat)] seat: usize,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (actions, numbers, seats) = {
            let table = self.lock()?;
            let (actions, numbers) = table.shape();
            (actions, numbers, table.seats())
        };
        if seat >= seats {
            return Err(PyIndexError::new_err(format!("there is no seat {seat}")));
        }
        let observation = PyArray1::<f32>::zeros(py, [numbers], false);
        let mask = PyArray1::<i8>::zeros(py, [actions], false);
        {
            let wrong = |error: &dyn std::fmt::Display| PyRuntimeError::new_err(error.to_string());
            let mut observation = observation.try_readwrite().map_err(|error| wrong(&error))?;
            let mut mask = mask.try_readwrite().map_err(|error| wrong(&error))?;
            self.lock()?.observe(
                seat,
                observation.as_slice_mut().map_err(|error| wrong(&error))?,
                mask.as_slice_mut().map_err(|error| wrong(&error))?,
            );
        }
        let dict = PyDict::new(py);
        dict.set_item(intern!(py, "observation"), observation)?;
        dict.set_item(intern!(py, "action_mask"), mask)?;
        Ok(dict)
    }

    /// What every seat gets at the end.
    fn rewards(&self) -> PyResult<Vec<f64>> {
        let outcome = self.lock()?.outcome();
        Ok(outcome.map_or(Vec::new(), |outcome| rewards(&outcome).collect()))
    }

    /// Scores and places as they stand; None before the first deal.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let outcome = self.lock()?.outcome();
        to_python(py, &serde_json::to_value(&outcome).map_err(unwritable)?)
    }

    /// What everybody sees.
    fn open<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let open = self.lock()?.open();
        to_python(py, &open)
    }

    /// The seed of the game and the actions that were taken in it; None before the first deal.
    fn played<'py>(&self, py: Python<'py>) -> PyResult<Option<(u64, Bound<'py, PyList>)>> {
        let played = {
            let table = self.lock()?;
            table
                .played()
                .map(|(seed, actions)| (seed.0, actions.to_vec()))
        };
        played
            .map(|(seed, actions)| Ok((seed, PyList::new(py, actions)?)))
            .transpose()
    }
}
