//! `croupier replay --review`: what the expert thinks of the moves that were made.

use clap::ArgMatches;
use croupier_console::Failure;
use croupier_core::{Game, Offered, Player, Seat, Seed, Turn, built_in};

/// How many games the expert plays in its mind for a move, unless it is told how long to think.
const ITERATIONS: &str = "iterations=1000";

/// The expert, who looks at every decision with the eyes of the seat that decided.
pub(crate) struct Reviewer<G: Game> {
    expert: Box<dyn Player<G>>,
    chance: Seed,
    /// The seat whose moves are looked at, if not all are.
    seat: Option<Seat>,
}

/// What the expert thinks of a move.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Verdict {
    /// What it would have played.
    pub(crate) best: String,
    /// Why.
    pub(crate) reason: String,
    /// The points for places that it expected after its own move.
    pub(crate) expected: f64,
    /// How many fewer it expected after the move that was made.
    pub(crate) loss: f64,
    /// The standard error of the loss.
    pub(crate) error: f64,
}

impl Verdict {
    /// Whether the move was certainly worse than the best one: by more than twice the error.
    pub(crate) fn is_a_mistake(&self) -> bool {
        self.loss > 2.0 * self.error
    }
}

impl<G: Offered> Reviewer<G> {
    /// The reviewer that the command line asks for, of a game with this seed.
    pub(crate) fn read(
        matches: &ArgMatches,
        chance: Seed,
        seat: Option<Seat>,
    ) -> Result<Option<Reviewer<G>>, Failure> {
        if !matches.get_flag("review") {
            return Ok(None);
        }
        if !G::PLAYERS.iter().any(|player| player.name == "expert") {
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
        let expert = built_in(&format!("expert:{}", words.join(":")));
        Ok(Some(Reviewer {
            expert: expert.map_err(|wrong| Failure::Usage(wrong.to_string()))?,
            chance,
            seat,
        }))
    }

    /// What the expert thinks of this choice in this turn; nothing if there was no choice, or if it
    /// is not to be looked at.
    pub(crate) fn look_at(&mut self, turn: &Turn<'_, G>, choice: G::Move) -> Option<Verdict> {
        if turn.legal_moves().len() < 2 || self.seat.is_some_and(|seat| seat != turn.seat()) {
            return None;
        }
        // With the chance of the player itself an expert would always agree with itself.
        let chance = self.chance.deal(0).player(turn.seat());
        self.expert.start(turn.seat(), chance);
        let best = self.expert.decide(turn).ok()?;
        // Both moves meet the same cards then, and as often.
        let thoughts = self.expert.judge(turn, &[choice]);
        let thought = |choice: G::Move| thoughts.iter().find(|thought| thought.choice == choice);
        let (best, made) = (thought(best)?, thought(choice)?);
        Some(Verdict {
            best: best.choice.to_string(),
            reason: best.reason.clone(),
            expected: best.estimate,
            loss: (best.estimate - made.estimate).max(0.0),
            error: best.error.hypot(made.error),
        })
    }
}
