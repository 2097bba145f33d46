//! What goes in and out: options, numbers, errors, JSON.

use std::thread::available_parallelism;

use croupier_core::{BadSetup, OptionKind, Options, PlayError, Profile, Seed};
use pyo3::exceptions::{PyIndexError, PyOSError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyList, PyString};
use serde_json::Value;

pyo3::create_exception!(
    croupier,
    IllegalMove,
    PyValueError,
    "A move that the rules do not allow; the text is the rule that it breaks."
);

/// A value as Python has it.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(is_true) => PyBool::new(py, *is_true).to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => {
                let number = number.as_f64().unwrap_or(f64::NAN);
                number.into_pyobject(py)?.into_any()
            }
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(values) => {
            let values: PyResult<Vec<_>> = values.iter().map(|one| to_python(py, one)).collect();
            PyList::new(py, values?)?.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            for (name, value) in fields {
                dict.set_item(name, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// The most threads that may be asked for.
const MOST_THREADS: u64 = 1024;

/// A whole number from 0: what does not fit is refused in words.
pub(crate) fn whole(given: &Bound<'_, PyAny>) -> PyResult<u64> {
    given.extract().map_err(|error: PyErr| {
        match error.is_instance_of::<PyOverflowError>(given.py()) {
            true => PyValueError::new_err("a whole number from 0 to 2**64 - 1 is needed"),
            false => error,
        }
    })
}

/// The same, or none.
pub(crate) fn maybe_whole(given: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    (!given.is_none()).then(|| whole(given)).transpose()
}

/// The number of a seat; one that cannot be is no seat.
pub(crate) fn seat(given: &Bound<'_, PyAny>) -> PyResult<usize> {
    given.extract().map_err(|error: PyErr| {
        match error.is_instance_of::<PyOverflowError>(given.py()) {
            true => PyIndexError::new_err("there is no such seat: the first one is 0"),
            false => error,
        }
    })
}

/// The same, or none.
pub(crate) fn maybe_seat(given: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    (!given.is_none()).then(|| seat(given)).transpose()
}

/// The number of an action; one beyond all bounds becomes one that no game has.
pub(crate) fn action(given: &Bound<'_, PyAny>) -> PyResult<i64> {
    given.extract().or_else(|error: PyErr| {
        match error.is_instance_of::<PyOverflowError>(given.py()) {
            true => Ok(i64::MIN),
            false => Err(error),
        }
    })
}

/// How many threads are to work; none if the machine is to say.
pub(crate) fn threads(given: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    match maybe_whole(given)? {
        None => Ok(None),
        Some(threads @ 1..=MOST_THREADS) => Ok(Some(threads as usize)),
        Some(threads) => Err(PyValueError::new_err(format!(
            "threads={threads} cannot be: 1 to {MOST_THREADS} threads can work"
        ))),
    }
}

/// As many threads as the machine has cores for.
pub(crate) fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// The seed that was given, or one that nobody could guess.
pub(crate) fn seed(given: Option<u64>) -> PyResult<Seed> {
    match given {
        Some(seed) => Ok(Seed(seed)),
        None => getrandom::u64()
            .map(Seed)
            .map_err(|error| PyOSError::new_err(format!("no random seed: {error}"))),
    }
}

/// The options of a game's setup: what was given by name, and the defaults of the rest.
pub(crate) fn options(profile: &Profile, given: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    let mut options = Options::new();
    for option in profile.options {
        options.extend(
            option
                .default
                .map(|value| (option.name.to_owned(), value.to_owned())),
        );
    }
    for (name, value) in given.into_iter().flatten() {
        let word: String = name.extract()?;
        let word = word.replace('_', "-");
        let Some(option) = profile.options.iter().find(|option| option.name == word) else {
            let known = profile
                .options
                .iter()
                .map(|option| option.name.replace('-', "_"));
            let known: Vec<String> = known.collect();
            return Err(PyValueError::new_err(match known.is_empty() {
                true => format!("{} has no options, so no '{name}'", profile.title),
                false => format!(
                    "{} has no option '{name}'; it has: {}",
                    profile.title,
                    known.join(", ")
                ),
            }));
        };
        if value.is_none() {
            continue;
        }
        options.insert(word, text_of(&option.kind, &name.to_string(), &value)?);
    }
    Ok(options)
}

/// The value of an option as the game reads it.
fn text_of(kind: &OptionKind, name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let wrong = |what: &str| {
        let found = value.get_type().name().map(|name| name.to_string());
        let found = found.unwrap_or_default();
        PyTypeError::new_err(format!("the option '{name}' takes {what}, not {found}"))
    };
    let is_bool = value.is_instance_of::<PyBool>();
    match kind {
        OptionKind::Number(_) => {
            let number = value.extract::<u64>().ok().filter(|_| !is_bool);
            let number = number.ok_or_else(|| wrong("a whole number from 0"))?;
            Ok(number.to_string())
        }
        OptionKind::File => {
            let path: std::path::PathBuf = value.extract().map_err(|_| wrong("a path"))?;
            std::fs::read_to_string(&path).map_err(|error| {
                PyOSError::new_err(format!("'{}' cannot be read: {error}", path.display()))
            })
        }
        OptionKind::OneOf(_) | OptionKind::Text(_) | OptionKind::Scores(_) => {
            if let Ok(text) = value.extract::<String>() {
                return Ok(text);
            }
            let numbers = match value.extract::<i64>() {
                Ok(number) if !is_bool => vec![number],
                _ => value
                    .extract()
                    .map_err(|_| wrong("a text or whole numbers"))?,
            };
            let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
            Ok(numbers.join(","))
        }
    }
}

/// What is wrong with a setup, as Python is told.
pub(crate) fn bad_setup(error: BadSetup) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Why a move was not made, as Python is told.
pub(crate) fn not_played(error: PlayError) -> PyErr {
    IllegalMove::new_err(error.to_string())
}
