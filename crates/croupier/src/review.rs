//! `croupier replay --review`: what the expert thinks of the moves that were made.

use clap::ArgMatches;
use croupier_console::Failure;
use croupier_core::{Game, Offered, Player, REVIEWER, Seat, Turn, Verdict, built_in, judge};

/// How many games the expert plays in its mind for a move, unless it is told how long to think.
const ITERATIONS: &str = "iterations=1000";

/// The expert, who looks at every decision with the eyes of the seat that decided.
pub(crate) struct Reviewer<G: Game> {
    expert: Box<dyn Player<G>>,
    /// The seat whose moves are looked at, if not all are.
    seat: Option<Seat>,
}

impl<G: Offered> Reviewer<G> {
    /// The reviewer that the command line asks for.
    pub(crate) fn read(
        matches: &ArgMatches,
        seat: Option<Seat>,
    ) -> Result<Option<Reviewer<G>>, Failure> {
        if !matches.get_flag("review") {
            return Ok(None);
        }
        if !G::PLAYERS.iter().any(|player| player.name == REVIEWER) {
            let title = G::PROFILE.title;
            return Err(Failure::Usage(format!("{title} has no expert to ask")));
        }
        let given = ["iterations", "time"].into_iter().filter_map(|name| {
            let value = matches.get_one::<String>(name)?;
            Some(format!("{name}={value}"))
        });
        let mut words: Vec<String> = given.collect();
        if words.is_empty() {
            words.push(ITERATIONS.to_owned());
        }
        let expert = built_in(&format!("{REVIEWER}:{}", words.join(":")));
        Ok(Some(Reviewer {
            expert: expert.map_err(|wrong| Failure::Usage(wrong.to_string()))?,
            seat,
        }))
    }

    /// What the expert thinks of this choice in this turn; nothing if there was no choice, or if it
    /// is not to be looked at.
    pub(crate) fn look_at(
        &mut self,
        turn: &Turn<'_, G>,
        choice: G::Move,
    ) -> Option<Verdict<G::Move>> {
        if self.seat.is_some_and(|seat| seat != turn.seat()) {
            return None;
        }
        judge(&mut self.expert, turn, choice)
    }
}
