//! Functions of the caller that play.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

use croupier_arena::{Entrant, Guest, Who};
use croupier_bots::Interrupt;
use croupier_core::{Encoded, Foul, FoulKind, NoMove, Player, Turn};
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use serde_json::Value;

use crate::convert::to_python;

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
}

impl Stop {
    pub(crate) fn new() -> PyResult<Stop> {
        Ok(Stop {
            interrupt: Interrupt::new()?,
            raised: Mutex::new(None),
        })
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
        if self.policy.stop.interrupt.is_raised() {
            return Err(NoMove::Stopped);
        }
        let answer = Python::attach(|py| match self.policy.in_numbers {
            true => self.ask_in_numbers(py, turn),
            false => self.ask(py, turn),
        });
        let (said, choice) = answer.map_err(|error| {
            self.policy.stop.raise(error);
            NoMove::Stopped
        })?;
        let illegal = |detail: String| {
            NoMove::Foul(Foul {
                kind: FoulKind::Illegal,
                detail,
            })
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
    /// What it said, and the move that it is, if it is one.
    fn ask(&self, py: Python<'_>, turn: &Turn<'_, G>) -> PyResult<(String, Option<G::Move>)> {
        let view = serde_json::to_value(turn.view()).unwrap_or(Value::Null);
        let legal: Vec<String> = turn.legal_moves().iter().map(ToString::to_string).collect();
        let answer = self
            .policy
            .function
            .bind(py)
            .call1((to_python(py, &view)?, legal))?;
        let said: String = answer
            .extract()
            .map_err(|_| wrong_type("a move as a text, one of the legal moves", &answer))?;
        let choice = said.parse().ok();
        Ok((said, choice))
    }

    fn ask_in_numbers(
        &self,
        py: Python<'_>,
        turn: &Turn<'_, G>,
    ) -> PyResult<(String, Option<G::Move>)> {
        let mut observation = vec![0.0_f32; self.numbers];
        turn.observe(&mut observation);
        let mut mask = vec![0_i8; self.actions];
        turn.mask(&mut mask);
        let observation = PyArray1::from_vec(py, observation);
        let mask = PyArray1::from_vec(py, mask);
        let answer = self.policy.function.bind(py).call1((observation, mask))?;
        let action: i64 = answer
            .extract()
            .map_err(|_| wrong_type("an action as a whole number", &answer))?;
        let number = usize::try_from(action)
            .ok()
            .filter(|number| *number < self.actions);
        let choice = number.and_then(|number| turn.choice(number));
        Ok((format!("action {action}"), choice))
    }
}

fn wrong_type(what: &str, answer: &Bound<'_, PyAny>) -> PyErr {
    let found = answer.get_type().name().map(|name| name.to_string());
    let found = found.unwrap_or_default();
    PyTypeError::new_err(format!("a player must return {what}, not {found}"))
}
