//! Who decides in `friday13 play`: a fixed rule, or the expert.
//!
//! The state file shows all hands. A player at a table would not see them, and neither does ours:
//! it is given the view of its chair.

use croupier_core::{Options, Rng, Seed};
use croupier_games::friday13::{Friday13, Move, Setup, State, Strategy, View};
use croupier_search::{Thinking, search};

/// The name of the expert.
pub(crate) const EXPERT: &str = "expert";

/// Who decides.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mind {
    Rule(Strategy),
    Expert(Thinking),
}

impl Mind {
    /// The one with this name; the expert may be told how long to think, as in `expert:time=1s`.
    pub(crate) fn named(name: &str) -> Result<Mind, String> {
        if let Some(strategy) = Strategy::named(name) {
            return Ok(Mind::Rule(strategy));
        }
        let mut words = name.split(':');
        if words.next() != Some(EXPERT) {
            let names: Vec<_> = Strategy::ALL.iter().map(|(name, _)| *name).collect();
            return Err(format!(
                "the strategies are: {}, {EXPERT}",
                names.join(", ")
            ));
        }
        let options: Options = words
            .map(|word| word.split_once('=').unwrap_or((word, "")))
            .map(|(option, value)| (option.to_owned(), value.to_owned()))
            .collect();
        Thinking::from_options(&options).map(|(thinking, _)| Mind::Expert(thinking))
    }

    /// The move that is made in this state, which looks like this from the chair to move; none if
    /// no card can be laid.
    pub(crate) fn choose(
        self,
        state: &State,
        view: &View,
        setup: &Setup,
        rng: &mut Rng,
    ) -> Option<Move> {
        match self {
            Mind::Rule(strategy) => strategy.choose(view, rng),
            Mind::Expert(thinking) if is_regular(state, setup) => {
                let thoughts = search::<Friday13>(view, &thinking, Seed(rng.bits()));
                thoughts.first().map(|best| best.choice)
            }
            // What others have made of the table is no state that the expert could imagine.
            Mind::Expert(_) => Strategy::Majority.choose(view, rng),
        }
    }
}

/// Whether the rules lead to this state and somebody is to move in it.
fn is_regular(state: &State, setup: &Setup) -> bool {
    !state.is_final() && state.check(setup).is_ok() && state.check_one_pile_a_colour().is_ok()
}
