//! Why did it play that? What a player thought of its moves, for people to read.

use std::fmt::Display;

use croupier_bots::Foreign;
use croupier_console::print;
use croupier_core::{Failure, Foul, Game, Outcome, Player, Seat, Seed, Thought, Turn, built_in};

use crate::style::{DIM, wrapped};

/// How many moves are shown after a decision; only huge tables have more.
const EXPLAINED: usize = 200;

/// How many moves a hint shows.
const HINTED: usize = 5;

/// What a player thought of these of its `all` moves, as lines.
fn weighed<M: Display>(thoughts: &[Thought<M>], all: usize) -> String {
    let mut text = format!("    {DIM}expected points  tries  move{DIM:#}\n");
    for thought in thoughts {
        let Thought {
            choice,
            estimate,
            error,
            visits,
            reason,
        } = thought;
        let label = format!("    {estimate:>7.2} ± {error:<5.2} {visits:>6}  {choice}");
        text += &wrapped(&label, 28, words(reason));
    }
    match all.saturating_sub(thoughts.len()) {
        0 => text,
        more => text + &format!("    {DIM}and {more} more{DIM:#}\n"),
    }
}

/// The words of a reason; a number stays with its percent sign.
pub(crate) fn words(reason: &str) -> impl Iterator<Item = String> {
    let joined = reason.replace(" %", "\u{a0}%");
    let words: Vec<String> = joined.split(' ').map(str::to_owned).collect();
    words.into_iter()
}

fn legal<G: Game>(turn: &Turn<'_, G>) -> Vec<G::Move> {
    let mut moves = Vec::new();
    turn.legal(&mut moves);
    moves
}

/// What the expert of the game thinks of the moves in this turn.
pub(crate) fn hint<G: Game>(turn: &Turn<'_, G>, chance: Seed) -> String {
    let Ok(mut expert) = built_in::<G>("expert") else {
        return format!("{} has no expert to ask\n", G::PROFILE.title);
    };
    expert.start(turn.seat(), chance);
    match expert.decide(turn) {
        Ok(_) => {
            let thoughts = expert.thoughts();
            let shown = thoughts.len().min(HINTED);
            weighed(&thoughts[..shown], legal(turn).len())
        }
        Err(_) => "the expert does not know either\n".to_owned(),
    }
}

/// A player who tells what it thought after every decision, if it weighs its moves.
pub(crate) struct Explained<G: Game>(Box<dyn Player<G>>);

impl<G: Game> Explained<G> {
    /// The same player, in the same seat.
    pub(crate) fn seated(foreign: Foreign<G>) -> Foreign<G> {
        Foreign {
            player: Box::new(Explained(foreign.player)),
            ..foreign
        }
    }
}

impl<G: Game> Player<G> for Explained<G> {
    fn start(&mut self, seat: Seat, chance: Seed) {
        self.0.start(seat, chance);
    }

    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, Failure> {
        let choice = self.0.decide(turn)?;
        let mut thoughts = self.0.thoughts().to_vec();
        if !thoughts.is_empty() {
            thoughts.truncate(EXPLAINED);
            let mut moves = legal(turn);
            let all = moves.len();
            let is_known = |choice: G::Move| move |known: &Thought<_>| known.choice == choice;
            moves.retain(|&choice| !thoughts.iter().any(is_known(choice)));
            moves.truncate(EXPLAINED - thoughts.len());
            if !moves.is_empty() {
                // It gave them no thought, but now it is asked.
                let mut asked = self.0.judge(turn, &moves);
                asked.retain(|thought| thought.choice != choice);
                thoughts.extend(asked);
            }
            // If nobody reads this, nobody reads the move that is told next, which stops the game.
            let _ = print(&weighed(&thoughts, all));
        }
        Ok(choice)
    }

    fn fouled(&mut self, foul: &Foul, instead: Option<G::Move>) {
        self.0.fouled(foul, instead);
    }

    fn over(&mut self, outcome: &Outcome) {
        self.0.over(outcome);
    }

    fn thoughts(&self) -> &[Thought<G::Move>] {
        self.0.thoughts()
    }

    fn judge(&self, turn: &Turn<'_, G>, choices: &[G::Move]) -> Vec<Thought<G::Move>> {
        self.0.judge(turn, choices)
    }
}
