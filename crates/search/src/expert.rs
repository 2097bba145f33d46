//! The player that searches.

use croupier_core::{Event, Heard, MadePlayer, NoMove, Options, Player, Seat, Seed, Thought, Turn};

use crate::search::search_among;
use crate::{Level, Searched, Thinking};

/// The expert of a game, with these of its [`OPTIONS`](crate::OPTIONS).
pub fn expert<G: Searched>(options: &Options) -> MadePlayer<G> {
    let (thinking, level) = Thinking::from_options(options)?;
    let mut expert = Expert::<G>::new(thinking);
    expert.level = level.unwrap_or(Level::HIGHEST);
    Ok(Box::new(expert))
}

/// Plays what a search finds best.
#[derive(Debug)]
pub struct Expert<G: Searched> {
    thinking: Thinking,
    /// How often it makes mistakes on purpose.
    level: Level,
    chance: Seed,
    /// The moves and fouls of this game, if it listens.
    heard: Vec<Event<G::Move>>,
    thoughts: Vec<Thought<G::Move>>,
}

impl<G: Searched> Expert<G> {
    /// An expert who thinks like this.
    pub fn new(thinking: Thinking) -> Expert<G> {
        G::prepare();
        Expert {
            thinking,
            level: Level::HIGHEST,
            chance: Seed(0),
            heard: Vec::new(),
            thoughts: Vec::new(),
        }
    }

    fn search(&self, turn: &Turn<'_, G>, choices: Option<Vec<G::Move>>) -> Vec<Thought<G::Move>> {
        let (thinking, cancel) = (&self.thinking, turn.cancel());
        search_among::<G>(
            &turn.view(),
            &self.heard,
            choices,
            thinking,
            self.chance,
            &cancel,
        )
    }
}

impl<G: Searched> Player<G> for Expert<G> {
    fn start(&mut self, _: Seat, chance: Seed) {
        self.chance = chance;
        self.heard.clear();
    }

    fn listens(&self) -> bool {
        G::LISTENS
    }

    fn hear(&mut self, heard: &Heard<'_, G>) {
        if let Event::Played { .. } | Event::Fouled { .. } = heard.event() {
            self.heard.push(heard.event().clone());
        }
    }

    /// It looks at the view and at what it has heard alone, and samples the same deals again for the
    /// same view.
    fn decide(&mut self, turn: &Turn<'_, G>) -> Result<G::Move, NoMove> {
        self.thoughts = self.search(turn, None);
        let choice = self.level.choose(&self.thoughts, self.chance);
        Ok(choice.expect("the seat to move has a move"))
    }

    fn thoughts(&self) -> &[Thought<G::Move>] {
        &self.thoughts
    }

    fn judge(&self, turn: &Turn<'_, G>, choices: &[G::Move]) -> Vec<Thought<G::Move>> {
        let Some(best) = self.thoughts.first() else {
            return Vec::new();
        };
        let others = choices.iter().filter(|&&choice| choice != best.choice);
        let among = std::iter::once(&best.choice).chain(others).copied();
        self.search(turn, Some(among.collect()))
    }
}
