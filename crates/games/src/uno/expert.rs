//! The expert: what the search needs to know of Uno.

use croupier_core::{Event, Game, Rng, Sample, Seat};
use croupier_search::{Ahead, Pace, Searched};

use super::belief::Belief;
use super::playout::Playout;
use super::{Careful, Face, Move, SEATS, Uno, View};

/// The points for places of the winner, of the others, who tie, and of everybody if nobody wins.
const FIRST: f64 = 3.0;
const NOT_FIRST: f64 = 1.0;
const NOBODY_FIRST: f64 = 1.5;

impl Sample for Uno {
    fn sample(view: &View, rng: &mut Rng) -> Uno {
        view.sample(rng).expect("the view was seen in a game")
    }
}

impl Searched for Uno {
    type Others = ();

    fn reason(view: &View, choice: Move) -> String {
        let Some(card) = choice.card() else {
            return "has nothing to play".to_owned();
        };
        if view.hand.len() == 1 {
            return "goes out".to_owned();
        }
        let next = view.direction.from(view.seat, 1);
        let left = |seat: Seat| view.cards_left[seat.index()];
        let does = match card.face() {
            Face::Number(_) => format!("plays the {card}"),
            Face::Wild => "plays a wild card".to_owned(),
            Face::Skip => format!("skips the next player, who has {} left", left(next)),
            Face::DrawTwo => {
                format!(
                    "makes the next player, who has {} left, draw two",
                    left(next)
                )
            }
            Face::WildDrawFour => {
                format!(
                    "makes the next player, who has {} left, draw four",
                    left(next)
                )
            }
            Face::Reverse => {
                let last = view.direction.turned().from(view.seat, 1);
                format!(
                    "turns play round to the player before, who has {} left",
                    left(last)
                )
            }
        };
        let colour = choice.called().or(card.colour());
        let kept = view
            .hand
            .iter()
            .filter(|held| held.colour() == colour)
            .count();
        let kept = kept - usize::from(!card.is_wild());
        match (colour, kept) {
            (None, _) => does,
            (Some(colour), 0) => format!("{does}, keeping no {colour}"),
            (Some(colour), kept) => format!("{does}, keeping {kept} {colour}"),
        }
    }

    const LISTENS: bool = true;

    /// Without having heard the game, it takes all deals to be equally likely.
    fn recall(
        view: &View,
        heard: &[Event<Move>],
        _: Pace,
    ) -> impl FnMut(&mut Rng) -> (Uno, ()) + Clone + Send {
        let view = view.clone();
        let mut belief = Belief::new(&view, heard);
        move |rng| {
            let game = match &mut belief {
                Some(belief) => belief.deal(rng),
                None => Uno::sample(&view, rng),
            };
            (game, ())
        }
    }

    /// Calls only colours that it holds, as long as it holds any.
    fn candidates(&self, moves: &mut Vec<Move>) {
        self.legal(moves);
        let hand = self.hand();
        if hand.iter().any(|card| !card.is_wild()) {
            moves.retain(|choice| {
                choice
                    .called()
                    .is_none_or(|called| hand.iter().any(|card| card.colour() == Some(called)))
            });
        }
    }

    fn sensible(&self, _: &mut Rng) -> Option<Move> {
        Some(Careful.choose(&self.view(self.to_move()?)))
    }

    fn finish(self, (): &(), _: Seat, rng: &mut Rng, points: &mut [f64]) {
        let winner = match self.to_move() {
            Some(_) => Playout::of(&self).finish(rng),
            None => self.winner(),
        };
        for (seat, points) in Seat::all(SEATS).zip(points) {
            *points = match winner {
                Some(winner) if winner == seat => FIRST,
                Some(_) => NOT_FIRST,
                None => NOBODY_FIRST,
            };
        }
    }

    /// The others are taken to play like `careful`: in the few moves that a tree could look ahead, what
    /// they hold matters more than what they could do better.
    fn ahead(_: &View, _: Pace) -> Ahead<Uno> {
        Ahead::No
    }
}
