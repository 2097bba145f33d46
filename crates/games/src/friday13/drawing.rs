//! How Friday the 13th is drawn.

use croupier_core::{Drawn, Game, Seat};
use serde::Serialize;

use super::{Card, Friday13, Setup};

/// What everybody sees of a match. All lists go by seat.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Open {
    /// The parameters of the match.
    pub setup: Setup,
    /// The round, from 1.
    pub round: u32,
    /// The seat in the first chair, which starts the round.
    pub first: Seat,
    /// How many cards each seat has in hand.
    pub hands: Vec<usize>,
    /// The cards that each seat has collected in this round.
    pub collected: Vec<Vec<Card>>,
    /// The piles.
    pub piles: Vec<Vec<Card>>,
    /// The penalty points of each seat in the rounds that are over.
    pub points: Vec<i64>,
    /// How often each seat has fouled.
    pub breaches: Vec<u32>,
}

impl Drawn for Friday13 {
    type Open = Open;

    fn open(&self) -> Open {
        // What every seat sees but for its own hand.
        let seen = self.view(Seat(0));
        let players = self.seats();
        let chair = |seat: usize| (seen.chair + seat) % players;
        Open {
            round: seen.round,
            first: Seat::from((players - seen.chair) % players),
            hands: (0..players).map(|seat| seen.hands[chair(seat)]).collect(),
            collected: (0..players)
                .map(|seat| seen.collected[chair(seat)].clone())
                .collect(),
            points: (0..players).map(|seat| seen.points[chair(seat)]).collect(),
            breaches: (0..players)
                .map(|seat| seen.breaches[chair(seat)])
                .collect(),
            piles: seen.piles,
            setup: seen.setup,
        }
    }
}
