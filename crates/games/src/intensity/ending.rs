//! The last rounds, in which the expert does not sample: all ways in which the cards may lie, how likely
//! each is, and how likely the others play each of their cards.

use croupier_search::{Ending, Pace};

use super::belief::Belief;
use super::playout::Playout;
use super::{Intensity, Move, Playing, SEATS, Unseen};

/// How many lines of play are followed at most: the ways in which the cards may lie, times the orders in
/// which everybody can play its cards.
const MOST_LINES: u64 = 4_096;

/// In how many orders so many cards can be played.
const ORDERS: [u64; 4] = [1, 1, 2, 6];

/// All that can still happen, if that is little.
pub(super) fn ending(view: &Playing) -> Option<Ending<'_, Intensity>> {
    let orders = ORDERS.get(view.hand().len())?.pow(SEATS as u32);
    let unseen = Unseen::of(view);
    if unseen.ways().saturating_mul(orders) > MOST_LINES {
        return None;
    }
    let mut belief = Belief::of(view, Pace::Brisk);
    let mut games = Vec::new();
    let mut shown = Vec::new();
    for hands in unseen.all_hands() {
        let (game, likelihood, of_game) = belief.weigh(hands);
        games.push((game, likelihood));
        shown.push(of_game);
    }
    let policy = move |number: usize, game: &Intensity, moves: &mut Vec<(Move, f64)>| {
        let playout = Playout::of(game);
        let chances = playout.chances(&shown[number][playout.turn()]);
        moves.extend(chances.map(|(card, chance)| (Move::play(card), chance)));
    };
    Some(Ending {
        games,
        policy: Box::new(policy),
    })
}
