//! `friday13 play`: one move for the active player, and the file is replaced.

use std::fs;

use clap::ArgMatches;
use croupier_console::{Failure, print, seed};
use croupier_core::Rng;
use croupier_games::friday13::{Setup, State, View, report};

use crate::mind::Mind;
use crate::{file, language, mind, refusal, replace, setup};

/// Makes one move in the state file.
pub(crate) fn play(matches: &ArgMatches) -> Result<(), Failure> {
    let setup = setup(matches, 1)?;
    let (file, mind) = (file(matches)?, mind(matches));
    let name = file.display();
    let bytes = fs::read(&file)
        .map_err(|error| Failure::Usage(format!("cannot read the file {name}: {error}")))?;
    let mut state =
        State::parse(&bytes).map_err(|error| Failure::Usage(format!("{name}, {error}")))?;
    if let Some(reason) = refusal(&state, &setup, matches.get_flag("lenient")) {
        return Err(Failure::Usage(format!("{name}: {reason}")));
    }
    if !state.is_final() {
        let mut rng = seed(matches)?.rng();
        let view = View::of(&state, &setup, state.active, 1, vec![0; setup.players]);
        make_move(&mut state, &view, &setup, mind, &mut rng);
        replace(&file, &state)?;
    }
    if state.is_final() {
        print(&report::score(&state, language(matches)))?;
    }
    Ok(())
}

/// Makes the move of the active player, or passes if he has no card that he can lay.
pub(crate) fn make_move(state: &mut State, view: &View, setup: &Setup, mind: Mind, rng: &mut Rng) {
    let choice = mind.choose(state, view, setup, rng);
    let made = choice.and_then(|choice| state.make(choice, Some(setup.threshold)));
    if made.is_none() {
        state.pass();
    }
}
