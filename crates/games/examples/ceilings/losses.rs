//! Where the points are lost: what each choice costs, in the judgement of the ceiling.
//!
//! Before a choice the ceiling is the best line from there, and after it the best line that is left. The
//! differences of a game add up to what its player is short of the ceiling of the deal. A player who does
//! not see the cards cannot avoid most of this: a loss is no mistake. But the share of each sort of choice
//! shows where knowing more would be worth most.

use std::collections::BTreeMap;

use croupier_core::{Player, Seat, Turn};

use crate::clairvoyant::{Effort, Field, answer, ceiling};
use crate::rivals::Rivals;

/// What the choices of each sort cost in all games, and how many there were.
#[derive(Default)]
pub(crate) struct Losses(BTreeMap<&'static str, (f64, u32)>);

impl Losses {
    /// Plays a deal to its end and adds what each choice of this seat costs; gives its points for places.
    pub(crate) fn play<G: Rivals>(
        &mut self,
        deal: &G,
        seat: Seat,
        own: &mut dyn Player<G>,
        field: &mut Field<G>,
        effort: Effort,
    ) -> f64 {
        let mut game = deal.clone();
        answer(&mut game, seat, field);
        let mut best = ceiling(&game, seat, field, effort).found;
        loop {
            let Some(turn) = Turn::of(&game) else {
                return game.outcome().points()[seat.index()];
            };
            let sort = G::sort(&turn.view());
            match own.decide(&turn) {
                Ok(choice) => game.play(choice).expect("it knows the rules"),
                Err(_) => {
                    game.foul();
                }
            }
            answer(&mut game, seat, field);
            let left = match game.to_move() {
                Some(_) => ceiling(&game, seat, field, effort).found,
                None => game.outcome().points()[seat.index()],
            };
            let (cost, count) = self.0.entry(sort).or_default();
            *cost += best - left;
            *count += 1;
            best = left;
        }
    }

    /// A line for each sort of choice, for this many games.
    pub(crate) fn print(&self, games: f64) {
        for (sort, (cost, count)) in &self.0 {
            let each = f64::from(*count) / games;
            println!(
                "    {sort}: {:.3} points a game in {each:.1} choices",
                cost / games
            );
        }
    }
}
