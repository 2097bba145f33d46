//! Why did it play that? What a player thought of its moves, for people to read.

use std::fmt::Display;
use std::time::Duration;

use croupier_core::{
    Game, Heard, NoMove, Offered, Player, Seat, Seed, Thought, Turn, all_thoughts, built_in,
};

use crate::style::{DIM, wrapped};

/// How many moves are shown after a decision; only huge tables have more.
const EXPLAINED: usize = 200;

/// How many moves a hint shows.
const HINTED: usize = 5;

/// What a player thought of these of its `all` moves, as lines.
pub(crate) fn weighed<M: Display>(thoughts: &[Thought<M>], all: usize) -> String {
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

/// What the expert of the game thinks of the moves in this turn, or why it does not say. It stops
/// thinking when the turn is cancelled.
pub(crate) fn hint<G: Offered>(turn: &Turn<'_, G>, chance: Seed) -> Result<String, NoMove> {
    let Ok(mut expert) = built_in::<G>("expert") else {
        return Ok(format!("{} has no expert to ask\n", G::PROFILE.title));
    };
    expert.start(turn.seat(), chance);
    let decided = expert.decide(turn);
    if turn.cancel().is_cancelled() {
        return Err(NoMove::Stopped);
    }
    Ok(match decided {
        Ok(_) => {
            let thoughts = expert.thoughts();
            let shown = thoughts.len().min(HINTED);
            weighed(&thoughts[..shown], turn.legal_moves().len())
        }
        Err(_) => "the expert does not know either\n".to_owned(),
    })
}

/// A player who thinks of all its moves after every decision, if it weighs its moves.
pub(crate) struct Explained<G: Game> {
    player: Box<dyn Player<G>>,
    thoughts: Vec<Thought<G::Move>>,
}

impl<G: Game> Explained<G> {
    /// The same player, who thinks of all its moves.
    pub(crate) fn boxed(player: Box<dyn Player<G>>) -> Box<dyn Player<G>> {
        Box::new(Explained {
            player,
            thoughts: Vec::new(),
        })
    }
}

impl<G: Game> Player<G> for Explained<G> {
    fn start(&mut self, seat: Seat, chance: Seed) {
        self.player.start(seat, chance);
    }

    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        let choice = self.player.decide(turn)?;
        self.thoughts = all_thoughts(&self.player, turn, EXPLAINED);
        Ok(choice)
    }

    fn listens(&self) -> bool {
        self.player.listens()
    }

    fn hear(&mut self, heard: &Heard<'_, G>) {
        self.player.hear(heard);
    }

    fn clock(&self) -> Option<Duration> {
        self.player.clock()
    }

    fn leave(&mut self) {
        self.player.leave();
    }

    fn thoughts(&self) -> &[Thought<G::Move>] {
        &self.thoughts
    }
}
