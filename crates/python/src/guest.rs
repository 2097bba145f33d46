//! Functions of the caller that play.
//!
//! The games are played in other threads, but a function is always called in the thread that called for
//! the comparison: there Ctrl-C reaches it, whatever it does, and there its own libraries expect to be
//! called.

use std::marker::PhantomData;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};

use croupier_arena::{Entrant, Guest, Who};
use croupier_bots::Interrupt;
use croupier_core::{Encoded, Foul, FoulKind, NoMove, Player, Turn};
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use serde_json::Value;

use crate::convert::{action, to_python};
use crate::long::Told;

/// One who takes part: a player that comes with the game, or a function of the caller.
pub(crate) struct Side {
    pub(crate) name: String,
    pub(crate) who: Whom,
}

pub(crate) enum Whom {
    BuiltIn(String),
    Function(Arc<Policy>),
}

/// A function of the caller.
pub(crate) struct Policy {
    function: Py<PyAny>,
    /// Whether it is asked in numbers: an observation and a mask in, an action out.
    in_numbers: bool,
    /// What no two functions share.
    identity: String,
    stop: Arc<Stop>,
}

/// What ends everything: the wish of the caller, or an exception in one of its functions.
pub(crate) struct Stop {
    pub(crate) interrupt: Interrupt,
    raised: Mutex<Option<PyErr>>,
    /// The thread of the caller.
    pub(crate) caller: Sender<Told>,
}

impl Stop {
    /// Nothing has ended yet; and where the thread of the caller hears what it is asked.
    pub(crate) fn new() -> PyResult<(Arc<Stop>, Receiver<Told>)> {
        let (caller, told) = mpsc::channel();
        let stop = Stop {
            interrupt: Interrupt::new()?,
            raised: Mutex::new(None),
            caller,
        };
        Ok((Arc::new(stop), told))
    }

    /// The first exception that a function raised.
    pub(crate) fn take(&self) -> Option<PyErr> {
        self.raised
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    fn raise(&self, error: PyErr) {
        let mut raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner);
        raised.get_or_insert(error);
        self.interrupt.raise();
    }
}

impl Side {
    /// Whoever the caller named.
    pub(crate) fn read(
        name: Option<String>,
        number: usize,
        given: &Bound<'_, PyAny>,
        stop: &Arc<Stop>,
    ) -> PyResult<Side> {
        if let Ok(spec) = given.extract::<String>() {
            return Ok(Side {
                name: name.unwrap_or_else(|| spec.clone()),
                who: Whom::BuiltIn(spec),
            });
        }
        if let Ok(player) = given.cast::<crate::player::Player>() {
            let spec = player.get().words().to_owned();
            return Ok(Side {
                name: name.unwrap_or_else(|| spec.clone()),
                who: Whom::BuiltIn(spec),
            });
        }
        if !given.is_callable() {
            return Err(PyTypeError::new_err(format!(
                "a player is the name of one that comes with the game, or a function from a view and \
                 legal moves to a move, not {}",
                given.get_type().name()?
            )));
        }
        let called = given.getattr("__name__").and_then(|name| name.extract());
        let called: String = called.unwrap_or_else(|_| format!("function {}", number + 1));
        let in_numbers = given
            .getattr("in_numbers")
            .and_then(|flag| flag.is_truthy());
        Ok(Side {
            name: name.unwrap_or(called),
            who: Whom::Function(Arc::new(Policy {
                function: given.clone().unbind(),
                in_numbers: in_numbers.unwrap_or(false),
                identity: format!("{number}"),
                stop: Arc::clone(stop),
            })),
        })
    }

    /// Whether it is asked in numbers.
    pub(crate) fn is_in_numbers(&self) -> bool {
        matches!(&self.who, Whom::Function(policy) if policy.in_numbers)
    }

    /// The same as the arena knows it.
    pub(crate) fn entrant<G: Encoded>(&self, actions: usize, numbers: usize) -> Entrant {
        let (spec, who) = match &self.who {
            Whom::BuiltIn(spec) => (spec.clone(), Who::BuiltIn(spec.clone())),
            Whom::Function(policy) => {
                let (policy, identity) = (Arc::clone(policy), policy.identity.clone());
                let guest = Guest::new::<G>(identity, move || {
                    Box::new(Asked::<G> {
                        policy: Arc::clone(&policy),
                        actions,
                        numbers,
                        game: PhantomData,
                    })
                });
                ("function".to_owned(), Who::Guest(guest))
            }
        };
        Entrant {
            name: self.name.clone(),
            spec,
            who,
            identity: String::new(),
            added: false,
        }
    }
}

/// A function at a table.
struct Asked<G> {
    policy: Arc<Policy>,
    actions: usize,
    numbers: usize,
    game: PhantomData<fn() -> G>,
}

impl<G: Encoded> Player<G> for Asked<G> {
    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        let stop = &self.policy.stop;
        if stop.interrupt.is_raised() {
            return Err(NoMove::Stopped);
        }
        let (policy, question) = (Arc::clone(&self.policy), self.question(turn));
        let (answer, answered) = mpsc::channel();
        let asks = Told::Asks(Box::new(move |py| match policy.ask(py, question) {
            // Nobody waits for the answer only if the contest is over.
            Ok(said) => drop(answer.send(said)),
            Err(error) => policy.stop.raise(error),
        }));
        let is_asked = stop.caller.send(asks).is_ok();
        let said = is_asked.then(|| answered.recv().ok()).flatten();
        let said = said.ok_or(NoMove::Stopped)?;
        let illegal = |detail: String| {
            NoMove::Foul(Foul {
                kind: FoulKind::Illegal,
                detail,
            })
        };
        let (said, choice) = match said {
            Said::Words(words) => {
                let choice = words.parse().ok();
                (words, choice)
            }
            Said::Action(action) => {
                let number = usize::try_from(action).ok();
                let number = number.filter(|number| *number < self.actions);
                let choice = number.and_then(|number| turn.choice(number));
                (format!("action {action}"), choice)
            }
        };
        let choice =
            choice.ok_or_else(|| illegal(format!("'{said}' is not a move of this game")))?;
        match turn.check(choice) {
            Ok(()) => Ok(choice),
            Err(rule) => Err(illegal(format!("{choice}: {rule}"))),
        }
    }
}

impl<G: Encoded> Asked<G> {
    fn question(&self, turn: &Turn<'_, G>) -> Question {
        if !self.policy.in_numbers {
            let legal = turn.legal_moves();
            return Question::Words(
                serde_json::to_value(turn.view()).unwrap_or(Value::Null),
                legal.iter().map(ToString::to_string).collect(),
            );
        }
        let mut observation = vec![0.0; self.numbers];
        turn.observe(&mut observation);
        let mut mask = vec![0; self.actions];
        turn.mask(&mut mask);
        Question::Numbers(observation, mask)
    }
}

/// What a function is asked.
enum Question {
    /// A view and the legal moves.
    Words(Value, Vec<String>),
    /// An observation and a mask.
    Numbers(Vec<f32>, Vec<i8>),
}

/// What a function answers, whether that is legal or not.
enum Said {
    Words(String),
    Action(i64),
}

impl Policy {
    fn ask(&self, py: Python<'_>, question: Question) -> PyResult<Said> {
        let function = self.function.bind(py);
        match question {
            Question::Words(view, legal) => {
                let answer = function.call1((to_python(py, &view)?, legal))?;
                let said = answer.extract().map(Said::Words);
                said.map_err(|_| wrong_type("a move as a text, one of the legal moves", &answer))
            }
            Question::Numbers(observation, mask) => {
                let observation = PyArray1::from_vec(py, observation);
                let answer = function.call1((observation, PyArray1::from_vec(py, mask)))?;
                let said = action(&answer).map(Said::Action);
                said.map_err(|_| wrong_type("an action as a whole number", &answer))
            }
        }
    }
}

fn wrong_type(what: &str, answer: &Bound<'_, PyAny>) -> PyErr {
    let found = answer.get_type().name().map(|name| name.to_string());
    let found = found.unwrap_or_default();
    PyTypeError::new_err(format!("a player must return {what}, not {found}"))
}
