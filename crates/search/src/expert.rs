//! The player that searches.

use croupier_core::{Failure, MadePlayer, Options, Player, Seat, Seed, Thought, Turn};

use crate::search::search_among;
use crate::{Searched, Thinking, search};

/// The expert of a game, with these of its [`OPTIONS`](crate::OPTIONS).
pub fn expert<G: Searched>(options: &Options) -> MadePlayer<G> {
    let thinking = Thinking::from_options(options)?;
    Ok(Box::new(Expert::<G>::new(thinking)))
}

/// Plays what a search finds best.
#[derive(Debug)]
pub struct Expert<G: Searched> {
    thinking: Thinking,
    chance: Seed,
    thoughts: Vec<Thought<G::Move>>,
}

impl<G: Searched> Expert<G> {
    /// An expert who thinks like this.
    pub fn new(thinking: Thinking) -> Expert<G> {
        Expert {
            thinking,
            chance: Seed(0),
            thoughts: Vec::new(),
        }
    }
}

impl<G: Searched> Player<G> for Expert<G> {
    fn start(&mut self, _: Seat, chance: Seed) {
        self.chance = chance;
    }

    /// It looks at the view alone, and imagines the same deals again when it sees the same again.
    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, Failure> {
        self.thoughts = search::<G>(&turn.view(), &self.thinking, self.chance);
        let best = self.thoughts.first();
        Ok(best.expect("the seat to move has a move").choice)
    }

    fn thoughts(&self) -> &[Thought<G::Move>] {
        &self.thoughts
    }

    /// A move to which it gave no thought is tried beside the best one.
    fn judge(&self, turn: &Turn<'_, G>, choice: G::Move) -> Option<Thought<G::Move>> {
        let is_it = |thought: &Thought<G::Move>| thought.choice == choice;
        if let Some(thought) = self.thoughts.iter().find(|thought| is_it(thought)) {
            return Some(thought.clone());
        }
        let both = vec![self.thoughts.first()?.choice, choice];
        let thoughts = search_among::<G>(&turn.view(), Some(both), &self.thinking, self.chance);
        thoughts.into_iter().find(is_it)
    }
}
