//! Why did it play that? What a player thought of its moves, for people to read.

use std::fmt::Display;

use croupier_bots::Foreign;
use croupier_console::print;
use croupier_core::{Failure, Foul, Game, Outcome, Player, Seat, Seed, Thought, Turn, built_in};

use crate::style::{DIM, wrapped};

/// How many moves a hint shows.
const HINTED: usize = 5;

/// What a player thought of these of its moves, as lines.
fn weighed<M: Display>(thoughts: &[Thought<M>]) -> String {
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
    text
}

/// The line below them that tells of so many others; nothing if there are none.
fn others(count: usize, thought: &str) -> String {
    match count {
        0 => String::new(),
        _ => format!("    {DIM}and {count} more{thought}{DIM:#}\n"),
    }
}

/// The words of a reason; a number stays with its percent sign.
pub(crate) fn words(reason: &str) -> impl Iterator<Item = String> {
    let joined = reason.replace(" %", "\u{a0}%");
    let words: Vec<String> = joined.split(' ').map(str::to_owned).collect();
    words.into_iter()
}

/// How many legal moves there are in this turn.
fn moves<G: Game>(turn: &Turn<'_, G>) -> usize {
    let mut legal = Vec::new();
    turn.legal(&mut legal);
    legal.len()
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
            weighed(&thoughts[..shown]) + &others(moves(turn).saturating_sub(shown), "")
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
        let thoughts = self.0.thoughts();
        if !thoughts.is_empty() {
            let unweighed = moves(turn).saturating_sub(thoughts.len());
            let text = weighed(thoughts) + &others(unweighed, ", to which it gave no thought");
            // If nobody reads this, nobody reads the move that is told next, which stops the game.
            let _ = print(&text);
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

    fn judge(&self, turn: &Turn<'_, G>, choice: G::Move) -> Option<Thought<G::Move>> {
        self.0.judge(turn, choice)
    }
}
