//! Thousands of games at once, shown in arrays that are not copied.

use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

use numpy::ndarray::{Array, Dimension as _, IntoDimension};
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods as _, PyReadonlyArray1,
};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::PyDict;

use crate::convert::{self, IllegalMove, maybe_whole, options, seed, to_python, whole};
use crate::crew::crew;
use crate::games::{decided, encoding, find};
use crate::long::Home;
use crate::numbers::{AnyBatch, Moves, Rows, Size, reserved};

/// About so many decisions are made before somebody looks for Ctrl-C.
const LOOKS_AFTER: u64 = 1 << 21;

/// What is shown of all games after a step.
#[pyclass(frozen, get_all, module = "croupier")]
pub(crate) struct Step {
    /// What the seat to move observes, one row a game.
    observations: Py<PyArray2<f32>>,
    /// 1 for every action that it may take.
    masks: Py<PyArray2<i8>>,
    /// The seat to move.
    seats: Py<PyArray1<i64>>,
    /// What every seat got in this step: nothing but at the end of a game.
    rewards: Py<PyArray2<f32>>,
    /// Which games have ended in this step. They have been dealt anew.
    ended: Py<PyArray1<bool>>,
    /// For the games that have ended, what every seat saw at the end.
    final_observations: Py<PyArray3<f32>>,
    /// For the games that have ended, the game's own scores.
    scores: Py<PyArray2<i64>>,
    /// For the games that have ended, the finishing places.
    places: Py<PyArray2<i64>>,
}

impl Step {
    fn new(py: Python<'_>, games: usize, size: Size) -> PyResult<Step> {
        let Size {
            seats,
            actions,
            numbers,
        } = size;
        Ok(Step {
            observations: zeros(py, [games, numbers])?,
            masks: zeros(py, [games, actions])?,
            seats: zeros(py, [games])?,
            rewards: zeros(py, [games, seats])?,
            ended: zeros(py, [games])?,
            final_observations: zeros(py, [games, seats, numbers])?,
            scores: zeros(py, [games, seats])?,
            places: zeros(py, [games, seats])?,
        })
    }
}

/// An array of zeros whose memory is not NumPy's: nobody can resize it while a thread writes it.
fn zeros<T: Element + Copy + Default, S: IntoDimension>(
    py: Python<'_>,
    shape: S,
) -> PyResult<Py<PyArray<T, S::Dim>>> {
    let shape = shape.into_dimension();
    let array = reserved(shape.size()).map(|mut numbers: Vec<T>| {
        numbers.resize(shape.size(), T::default());
        Array::from_shape_vec(shape, numbers)
    });
    match array {
        Ok(Ok(array)) => Ok(PyArray::from_owned_array(py, array).unbind()),
        Ok(Err(error)) => Err(PyRuntimeError::new_err(error.to_string())),
        Err(full) => Err(full.into()),
    }
}

/// So many games of one kind, all played at once.
#[pyclass(frozen, module = "croupier")]
pub(crate) struct Batch {
    name: String,
    games: usize,
    size: Size,
    threads: usize,
    copy: bool,
    home: Home,
    encoding: Py<PyAny>,
    played: Mutex<Played>,
    /// The thread that does something with the games.
    at_work: Mutex<Option<ThreadId>>,
}

struct Played {
    batch: Box<dyn AnyBatch>,
    /// Two sets of arrays, shown in turn.
    shown: [Py<Step>; 2],
    turn: usize,
    decisions: u64,
    finished: u64,
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (name, games, *, seed=None, copy=false, threads=None, **options))]
    fn new(
        py: Python<'_>,
        name: &str,
        #[pyo3(from_py_with = whole)] games: u64,
        #[pyo3(from_py_with = maybe_whole)] seed: Option<u64>,
        copy: bool,
        #[pyo3(from_py_with = convert::threads)] threads: Option<usize>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Batch> {
        let entry = find(name)?;
        let game = decided(name)?;
        let options = self::options(entry.profile, options)?;
        let shape = game.shape(&options)?;
        let seats = *entry.profile.seats.end();
        // Two sets of arrays, and the games themselves.
        let row = 4 * shape.numbers() * (seats + 1) + shape.actions + 16 * seats;
        let most = memory() / (2 * row as u64 + game.bytes());
        if !(1..=most).contains(&games) {
            return Err(PyValueError::new_err(format!(
                "a batch of {games} games cannot be held: this machine has the memory for 1 to {most}"
            )));
        }
        let games = games as usize;
        let seed = self::seed(seed)?;
        let batch = py.detach(|| game.batch(&options, games, seed))?;
        let size = batch.size();
        let [one, two] = [0, 1].map(|_| Py::new(py, Step::new(py, games, size)?));
        let mut played = Played {
            batch,
            shown: [one?, two?],
            turn: 0,
            decisions: 0,
            finished: 0,
        };
        let threads = threads.unwrap_or_else(convert::cores);
        played.step(py, Moves::None, threads, false)?;
        Ok(Batch {
            name: name.to_owned(),
            games,
            size,
            threads,
            copy,
            home: Home::here(),
            encoding: to_python(py, &encoding(game, &options)?)?.unbind(),
            played: Mutex::new(played),
            at_work: Mutex::new(None),
        })
    }

    /// The name of the game.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// How many games there are.
    #[getter]
    fn games(&self) -> usize {
        self.games
    }

    /// How many seats each table has.
    #[getter]
    fn seats(&self) -> usize {
        self.size.seats
    }

    /// How many actions there are.
    #[getter]
    fn actions(&self) -> usize {
        self.size.actions
    }

    /// What the actions and the numbers mean, and the version of that.
    #[getter]
    fn encoding(&self, py: Python<'_>) -> Py<PyAny> {
        self.encoding.clone_ref(py)
    }

    /// What is done with games that end, in Gymnasium's terms.
    #[getter]
    fn autoreset_mode(&self) -> &'static str {
        "SameStep"
    }

    /// How many decisions were made.
    #[getter]
    fn decisions(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |played| Ok(played.decisions))
    }

    /// How many games have ended.
    #[getter]
    fn finished(&self, py: Python<'_>) -> PyResult<u64> {
        self.with(py, |played| Ok(played.finished))
    }

    /// The seed of every game that is being played: `Game(name, seed=...)` deals it again.
    #[getter]
    fn seeds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let seeds = self.with(py, |played| Ok(played.batch.seeds()))?;
        Ok(PyArray1::from_vec(py, seeds))
    }

    /// How all games stand.
    fn show(&self, py: Python<'_>) -> PyResult<Py<Step>> {
        self.with(py, |played| Ok(played.now(py)))
    }

    /// Deals all games anew.
    #[pyo3(signature = (*, seed=None))]
    fn reset(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = maybe_whole)] seed: Option<u64>,
    ) -> PyResult<Py<Step>> {
        let seed = self::seed(seed)?;
        self.with(py, |played| {
            played.step(py, Moves::Deal(seed), self.threads, self.copy)
        })
    }

    /// Takes an action in every game. If one of them is illegal, IllegalMove says which, and all games
    /// are as they were.
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<Py<Step>> {
        // Nobody may change them after they were checked.
        let actions: Vec<i64> = whole_numbers(actions)?.as_array().to_vec();
        if actions.len() != self.games {
            return Err(PyValueError::new_err(format!(
                "a batch of {} games takes {} actions, not {}",
                self.games,
                self.games,
                actions.len()
            )));
        }
        self.with(py, |played| {
            if let Err((game, wrong)) = played.batch.check(&actions) {
                return Err(IllegalMove::new_err(format!("game {game}: {wrong}")));
            }
            let shown = played.step(py, Moves::Actions(&actions), self.threads, self.copy)?;
            played.decisions += self.games as u64;
            Ok(shown)
        })
    }

    /// Plays so many random legal moves in every game, and shows what the last of them led to.
    #[pyo3(signature = (steps=1))]
    fn step_random(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] steps: u64,
    ) -> PyResult<Py<Step>> {
        if steps == 0 {
            return Err(PyValueError::new_err(
                "there must be at least 1 step, not 0",
            ));
        }
        let at_once = (LOOKS_AFTER / self.games as u64).max(1);
        let mut left = steps;
        self.with(py, |played| {
            loop {
                let now = left.min(at_once);
                left -= now;
                let shown = played.step(py, Moves::Random(now), self.threads, self.copy)?;
                played.decisions += now * self.games as u64;
                if left == 0 {
                    return Ok(shown);
                }
                py.check_signals()?;
            }
        })
    }

    fn __len__(&self) -> usize {
        self.games
    }

    fn __repr__(&self) -> String {
        format!("<croupier.Batch, {} games of {}>", self.games, self.name)
    }
}

impl Batch {
    /// Does something with the games while nobody else does.
    fn with<T>(
        &self,
        py: Python<'_>,
        what: impl FnOnce(&mut Played) -> PyResult<T>,
    ) -> PyResult<T> {
        self.home.check("Batch")?;
        // A signal handler, or the end of some object, may call for a batch in the middle of its own step.
        let me = thread::current().id();
        if *held(self.at_work.lock()) == Some(me) {
            return Err(PyRuntimeError::new_err(
                "this batch is in the middle of a step, and can do nothing else before that is over",
            ));
        }
        let mut played = held(self.played.lock_py_attached(py));
        *held(self.at_work.lock()) = Some(me);
        let done = what(&mut played);
        *held(self.at_work.lock()) = None;
        done
    }
}

impl Played {
    fn now(&self, py: Python<'_>) -> Py<Step> {
        self.shown[self.turn].clone_ref(py)
    }

    /// Plays, and shows it in the other set of arrays, or in new ones.
    fn step(
        &mut self,
        py: Python<'_>,
        moves: Moves<'_>,
        threads: usize,
        copy: bool,
    ) -> PyResult<Py<Step>> {
        let next = 1 - self.turn;
        let (games, size) = (self.batch.games(), self.batch.size());
        if copy {
            self.shown[next] = Py::new(py, Step::new(py, games, size)?)?;
        }
        let step = self.shown[next].get();
        macro_rules! writable {
            ($($field:ident),*) => {
                $(let mut $field = step.$field.bind(py).try_readwrite().map_err(not_ours)?;)*
                let rows = Rows { $($field: $field.as_slice_mut().map_err(not_ours)?),* };
                if !rows.fit(games, size) {
                    return Err(not_ours("its size was changed"));
                }
                let crew = (threads > 1).then(|| crew(py)).flatten();
                let batch = &mut self.batch;
                self.finished += py.detach(|| batch.step(moves, rows, threads, crew.as_deref()));
            };
        }
        writable!(
            observations,
            masks,
            seats,
            rewards,
            ended,
            final_observations,
            scores,
            places
        );
        self.turn = next;
        Ok(self.now(py))
    }
}

/// What a lock holds: games and arrays are whole whoever panicked beside them.
fn held<T>(locked: Result<T, PoisonError<T>>) -> T {
    locked.unwrap_or_else(PoisonError::into_inner)
}

/// How many bytes of memory the machine has; where nobody says, more than any has.
fn memory() -> u64 {
    let told = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = told.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let kibibytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
    kibibytes.unwrap_or(1 << 34) << 10
}

/// An array of the batch that cannot be written any more.
fn not_ours(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!(
        "an array that this batch writes can no longer be written ({error}); keep copies, or make the \
         batch with copy=True"
    ))
}

/// Whole numbers in whatever form they come.
fn whole_numbers<'py>(given: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArray1<'py, i64>> {
    if let Ok(array) = given.cast::<PyArray1<i64>>()
        && let Ok(array) = array.try_readonly()
    {
        return Ok(array);
    }
    let array = given
        .py()
        .import("numpy")?
        .call_method1("asarray", (given,))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    let dimensions: usize = array.getattr("ndim")?.extract()?;
    if dimensions != 1 || !matches!(kind.as_str(), "i" | "u") {
        return Err(PyTypeError::new_err(
            "actions are a row of whole numbers, one for every game",
        ));
    }
    let array = array.call_method1("astype", ("int64",))?;
    let array = array.cast_into::<PyArray1<i64>>()?;
    array
        .try_readonly()
        .map_err(|error| PyValueError::new_err(error.to_string()))
}
