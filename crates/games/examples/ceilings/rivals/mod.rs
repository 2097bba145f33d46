//! Opponents for measurements: rule players of different character, each deterministic in its view.

mod austerity;
mod intensity;
mod uno;

use std::num::NonZeroU64;

use croupier_core::{NoMove, Offered, Player, Seat, Turn};
use croupier_games::friday13::Friday13;
use croupier_search::Searched;

use crate::clairvoyant::Effort;

/// When a player is told whom it plays against.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Told {
    /// Before the cards are passed on.
    AtOnce,
    /// When they have been passed on: before that, nobody can have learnt anything. Until then it is the
    /// expert.
    OncePassed,
    /// Never; but it has been told a list of all rule players that there are, and anybody may be any of them.
    List,
    /// Never; and the list that it has been told has everybody on it but them.
    OthersList,
}

/// A game with opponents for measurements.
pub(crate) trait Rivals: Searched + Offered {
    /// The player with which the way to the ceiling begins.
    const BASE: &'static str;
    /// The usual fields: the other seats in order.
    const FIELDS: &'static [&'static [&'static str]];
    /// How much is tried for a ceiling.
    const EFFORT: Effort;

    /// The most points for places that a seat can still get, whatever happens.
    fn hope(&self, _: Seat) -> f64 {
        (self.seats() - 1) as f64
    }

    /// What sort of choice the seat with this view has to make.
    fn sort(_: &Self::View) -> &'static str {
        "all choices"
    }

    /// The rule player with this name, if it is none of the built-in ones.
    fn rival(name: &str) -> Option<Box<dyn Player<Self>>>;

    /// Somebody who is told, now or then, that these players sit behind it, and simulates so many games
    /// for a choice; none where nobody can be told.
    fn informed(
        _field: &[&str],
        _: Told,
        _iterations: NonZeroU64,
    ) -> Option<Box<dyn Player<Self>>> {
        None
    }
}

impl Rivals for Friday13 {
    const BASE: &'static str = "majority";
    const FIELDS: &'static [&'static [&'static str]] = &[
        &["majority", "majority", "majority"],
        &["optimal", "optimal", "optimal"],
        &["majority", "drop-biggest", "smallest"],
    ];
    const EFFORT: Effort = Effort {
        games: 2_000,
        moves: 0,
    };

    fn rival(_: &str) -> Option<Box<dyn Player<Friday13>>> {
        None
    }
}

/// A player that decides by its view alone.
struct ByView<F>(F);

impl<G: Offered, F: Fn(&G::View) -> Result<G::Move, NoMove> + Send> Player<G> for ByView<F> {
    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        (self.0)(&turn.view())
    }
}
