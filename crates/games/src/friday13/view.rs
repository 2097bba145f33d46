//! What a player of Friday the 13th sees.

use croupier_core::Seat;
use serde::{Serialize, Serializer};

use super::card::{Card, sum};
use super::rules::Move;
use super::setup::Setup;
use super::state::{Placing, State, piles_for};

/// What a player sees: his own hand and everything that lies face up. The hands of the others are
/// only counted.
///
/// All lists go by chair, as in the state file; the first chair starts the round.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    /// The parameters of the match.
    pub setup: Setup,
    /// The round, from 1.
    pub round: u32,
    /// The player's own chair, from 0 (in JSON from 1).
    #[serde(serialize_with = "from_one")]
    pub chair: usize,
    /// The chair whose turn it is, from 0 (in JSON from 1).
    #[serde(serialize_with = "from_one")]
    pub active: usize,
    /// The player's own cards, in their order.
    pub hand: Vec<Card>,
    /// How many cards each chair has in hand.
    pub hands: Vec<usize>,
    /// The cards that each chair has collected in this round.
    pub collected: Vec<Vec<Card>>,
    /// The piles.
    pub piles: Vec<Vec<Card>>,
    /// The penalty points of the rounds that are over, of those who now sit in the chairs.
    pub points: Vec<i64>,
    /// How often those who sit in the chairs have fouled.
    pub breaches: Vec<u32>,
}

impl View {
    /// What `chair` (from 0) sees in a state file, in a round that is counted from 1 and after
    /// others that brought these points.
    ///
    /// # Panics
    /// If there is no such chair.
    pub fn of(state: &State, setup: &Setup, chair: usize, round: u32, points: Vec<i64>) -> View {
        View {
            setup: setup.clone(),
            round,
            chair,
            active: state.active,
            hand: state.hands[chair].clone(),
            hands: state.hands.iter().map(Vec::len).collect(),
            collected: state.decks.clone(),
            piles: state.piles.clone(),
            points,
            breaches: vec![0; state.players()],
        }
    }

    /// The piles, from 0, on which a card may be laid.
    pub fn piles_for(&self, card: Card) -> Vec<usize> {
        piles_for(&self.piles, card, Placing::Strict)
    }

    /// Who sits in a chair in this round.
    pub fn seat(&self, chair: usize) -> Seat {
        Seat::from((chair + self.round as usize - 1) % self.setup.players)
    }

    /// Whether the pile explodes under this card.
    pub fn explodes(&self, choice: Move) -> bool {
        let pile = &self.piles[choice.pile as usize];
        sum(pile).saturating_add(choice.card.value.into()) > self.setup.threshold
    }
}

fn from_one<S: Serializer>(chair: &usize, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(*chair as u64 + 1)
}
