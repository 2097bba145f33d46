//! A game, step by step, and its record.

use std::sync::{Mutex, MutexGuard, PoisonError};

use croupier_core::{AnyGame, Audience, Company, Drawing, Markup, Reading, Seat, element};
use croupier_games::GAMES;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::convert::{
    bad_setup, maybe_seat, maybe_whole, not_played, options, seat, seed, to_python,
};
use crate::games::find;
use crate::long::Home;

/// The style sheet of the web table.
const STYLE: &str = include_str!("table.css");

/// The same, and how the positions of a record lie beside each other.
const STRIP: &str = concat!(
    include_str!("table.css"),
    ".strip { display: flex; overflow-x: auto; scroll-snap-type: x mandatory; }\
     .strip > section { flex: 0 0 100%; scroll-snap-align: start; }\
     .strip h2 { font: 600 1rem/1.4 system-ui, sans-serif; min-height: 2.8em; margin: 0; }"
);

/// A record draws no more positions than this; of a longer one every second, third or so on.
const MOST_DRAWN: usize = 150;

/// A game that has been dealt.
#[pyclass(frozen, module = "croupier")]
pub(crate) struct Game {
    name: &'static str,
    game: Mutex<Box<dyn AnyGame>>,
    home: Home,
}

impl Game {
    fn of(name: &'static str, game: Box<dyn AnyGame>) -> Game {
        Game {
            name,
            game: Mutex::new(game),
            home: Home::here(),
        }
    }

    /// The game, for as long as it takes to look at it. Nobody may wait for the interpreter meanwhile.
    fn lock(&self) -> PyResult<MutexGuard<'_, Box<dyn AnyGame>>> {
        self.home.check("Game")?;
        Ok(self.game.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A copy of the game as it stands.
    pub(crate) fn copied(&self) -> PyResult<Box<dyn AnyGame>> {
        Ok(self.lock()?.copy())
    }

    fn seat(&self, game: &dyn AnyGame, seat: usize) -> PyResult<Seat> {
        let seats = game.seats();
        if seat >= seats {
            return Err(PyIndexError::new_err(format!(
                "there is no seat {seat}: this table has the seats 0 to {}",
                seats - 1
            )));
        }
        Ok(Seat::from(seat))
    }

    fn text(&self) -> PyResult<String> {
        let game = self.lock()?;
        let mut text = game.header(names(&**game)).to_line();
        for event in game.events(Audience::Referee) {
            text += &event.to_line();
        }
        Ok(text)
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (name, *, seed=None, **options))]
    fn new(
        name: &str,
        #[pyo3(from_py_with = maybe_whole)] seed: Option<u64>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Game> {
        let entry = find(name)?;
        let options = self::options(entry.profile, options)?;
        let setup = entry.setup(&options).map_err(bad_setup)?;
        let seed = self::seed(seed)?;
        let game = entry.deal(&setup, seed).map_err(bad_setup)?;
        Ok(Game::of(entry.profile.name, game))
    }

    /// The name of the game.
    #[getter]
    fn name(&self) -> &'static str {
        self.name
    }

    /// How many seats the table has.
    #[getter]
    fn seats(&self) -> PyResult<usize> {
        Ok(self.lock()?.seats())
    }

    /// The seed from which it was dealt.
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        Ok(self.lock()?.header(Vec::new()).seed.0)
    }

    /// The seat that is to move; None when the game is over.
    #[getter]
    fn to_move(&self) -> PyResult<Option<usize>> {
        Ok(self.lock()?.to_move().map(Seat::index))
    }

    /// Scores and places, once the game is over; None before.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let outcome = {
            let game = self.lock()?;
            game.to_move().is_none().then(|| game.outcome())
        };
        let Some(outcome) = outcome else {
            return Ok(None);
        };
        let mut value = serde_json::to_value(&outcome).map_err(unwritable)?;
        value["points"] = outcome.points().into();
        to_python(py, &value).map(Some)
    }

    /// All legal moves of the seat to move, as texts.
    fn legal(&self) -> PyResult<Vec<String>> {
        let game = self.lock()?;
        Ok(match game.to_move() {
            Some(_) => game.legal(),
            None => Vec::new(),
        })
    }

    /// What a seat sees.
    fn view<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = seat)] seat: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let view = {
            let game = self.lock()?;
            game.view(self.seat(&**game, seat)?)
        };
        to_python(py, &view)
    }

    /// What everybody sees.
    fn open<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let open = self.lock()?.open();
        to_python(py, &open)
    }

    /// Makes a move for the seat to move. An illegal one raises IllegalMove with the rule that it
    /// breaks, and the game is as it was.
    fn play(&self, choice: &str) -> PyResult<()> {
        self.lock()?.play(choice).map_err(not_played)
    }

    /// A copy, to be played on for itself.
    fn copy(&self) -> PyResult<Game> {
        Ok(Game::of(self.name, self.copied()?))
    }

    fn __copy__(&self) -> PyResult<Game> {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<Game> {
        self.copy()
    }

    /// The game as it was played so far: what `croupier replay` reads when it is over.
    fn record(&self) -> PyResult<Record> {
        Ok(Record { text: self.text()? })
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let record = py.get_type::<Record>().call1((self.text()?,))?;
        Ok((record.getattr("game")?, PyTuple::empty(py)))
    }

    fn __repr__(&self) -> PyResult<String> {
        let game = self.lock()?;
        let state = match game.to_move() {
            Some(seat) => format!("seat {seat} to move"),
            None => "over".to_owned(),
        };
        let seed = game.header(Vec::new()).seed;
        Ok(format!(
            "<croupier.Game {}, seed {seed}, {state}>",
            self.name
        ))
    }

    /// The table as the web table draws it, with all cards open.
    fn _repr_html_(&self) -> PyResult<String> {
        let page = {
            let game = self.lock()?;
            let all = Audience::Referee;
            game.drawn(all, Company::spoken_to(&[], all))
                .page(self.name, STYLE)
        };
        Ok(framed(&page))
    }

    /// The table as a seat sees it, as one HTML page.
    #[pyo3(signature = (seat=None))]
    fn html(&self, #[pyo3(from_py_with = maybe_seat)] seat: Option<usize>) -> PyResult<String> {
        let game = self.lock()?;
        let audience = match seat {
            Some(seat) => Audience::Seat(self.seat(&**game, seat)?),
            None => Audience::Referee,
        };
        let company = Company::spoken_to(&[], audience);
        Ok(game.drawn(audience, company).page(self.name, STYLE))
    }
}

/// The record of a game.
#[pyclass(frozen, module = "croupier")]
pub(crate) struct Record {
    text: String,
}

#[pymethods]
impl Record {
    #[new]
    fn new(text: String) -> PyResult<Record> {
        let record = Record { text };
        record.game(None)?;
        Ok(record)
    }

    /// The record as JSON lines.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The game as it was after so many of its moves, or as far as it was recorded, to be looked at or
    /// played on.
    #[pyo3(signature = (moves=None))]
    fn game(&self, #[pyo3(from_py_with = maybe_whole)] moves: Option<u64>) -> PyResult<Game> {
        let wrong = |reason: String| PyValueError::new_err(reason);
        let mut reading = Reading::default();
        for line in self.text.lines() {
            reading
                .line(line)
                .map_err(|error| wrong(error.to_string()))?;
        }
        let game = GAMES
            .resume(&reading)
            .map_err(|error| wrong(error.to_string()))?;
        let name = reading.header().map(|header| header.game.as_str());
        let entry = find(name.unwrap_or_default())?;
        let game = match moves {
            None => game,
            Some(moves) if moves <= game.steps() as u64 => game.after(moves as usize),
            Some(moves) => {
                return Err(PyValueError::new_err(format!(
                    "the record has {} moves, so there is no position after {moves}",
                    game.steps()
                )));
            }
        };
        Ok(Game::of(entry.profile.name, game))
    }

    /// Every position of the game with all cards open, beside each other in one HTML page.
    fn html(&self) -> PyResult<String> {
        let game = self.game(None)?;
        let (name, game) = (game.name, game.copied()?);
        let names = names(&*game);
        let (told, moves) = (game.told(None, Company::new(&names, None), 0), game.steps());
        let every = (moves + 1).div_ceil(MOST_DRAWN);
        let drawn = (0..=moves).filter(|number| number % every == 0 || *number == moves);
        let mut strip = String::new();
        for number in drawn {
            let said = match number.checked_sub(1) {
                None => format!("The deal, before the first of {moves} moves"),
                Some(last) => {
                    let said = told.get(last).map(|said| said.join(" "));
                    format!("Move {number} of {moves}: {}", said.unwrap_or_default())
                }
            };
            let heading: Markup = element("h2").text(said).into();
            let table = game
                .after(number)
                .drawn(Audience::Referee, Company::new(&[], None))
                .html;
            strip += &format!("<section>{}{table}</section>", heading.as_str());
        }
        let strip = Drawing {
            html: format!("<div class=\"strip\" tabindex=\"0\">{strip}</div>"),
            ways: Vec::new(),
            forbidden: Vec::new(),
        };
        Ok(strip.page(name, STRIP))
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<croupier.Record, {} lines>", self.text.lines().count())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Record>()
            .is_ok_and(|other| other.get().text == self.text)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.text).hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Record>().into_any(), (self.text.clone(),))
    }

    /// The same within a notebook.
    fn _repr_html_(&self) -> PyResult<String> {
        Ok(framed(&self.html()?))
    }
}

/// What the seats are called in records: nobody has a name here.
fn names(game: &dyn AnyGame) -> Vec<String> {
    let seats = 0..game.seats();
    seats.map(|seat| format!("seat {seat}")).collect()
}

pub(crate) fn unwritable(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(format!("this cannot be written as JSON: {error}"))
}

/// A page within a notebook, whose own styles it does not touch.
fn framed(page: &str) -> String {
    let page = page.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        "<iframe srcdoc=\"{page}\" sandbox width=\"100%\" height=\"620\" style=\"border:0\"></iframe>"
    )
}
