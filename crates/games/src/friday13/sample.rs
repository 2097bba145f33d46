//! Full games that agree with what a player sees, drawn without bias.
//!
//! Any card of a hand can be laid, whatever lies on the piles, so what the others have played says
//! nothing about what they hold: the unseen cards are shuffled and dealt out again. The rounds to
//! come have cards of their own.

use croupier_core::{Rng, Sample, Seed};

use super::card::Card;
use super::rules::Friday13;
use super::view::View;

impl Sample for Friday13 {
    fn sample(view: &View, rng: &mut Rng) -> Friday13 {
        imagine(view)(rng)
    }
}

/// A way to draw many such games: what is the same in all of them is looked at once.
pub(super) fn imagine(view: &View) -> impl Fn(&mut Rng) -> Friday13 + Clone + Send {
    let table = Friday13::resumed(view);
    let unseen = unseen(view);
    move |rng| {
        let mut game = table.clone();
        game.leave_to(Seed(rng.bits()));
        let mut cards = unseen.clone();
        rng.shuffle(&mut cards);
        let mut rest = cards.as_slice();
        for (chair, &size) in view.hands.iter().enumerate() {
            if chair != view.chair {
                let (hand, others) = rest.split_at(size);
                game.give(chair, hand);
                rest = others;
            }
        }
        game
    }
}

/// The cards that the others hold.
fn unseen(view: &View) -> Vec<Card> {
    let setup = &view.setup;
    let ranks = setup.ranks().max(1);
    let kind = |card: Card, rank: usize| card.colour.index() * ranks + rank;
    let mut seen = vec![0u32; (setup.colours + 1) * ranks];
    let lying = view.collected.iter().chain(&view.piles).flatten();
    for &card in lying.chain(&view.hand) {
        let rank = setup.rank(card).expect("the view shows cards of its game");
        seen[kind(card, rank)] += 1;
    }
    let mut unseen = Vec::with_capacity(setup.cards());
    for &(card, rank) in setup.sorted() {
        let seen = &mut seen[kind(card, rank)];
        match seen.checked_sub(1) {
            Some(rest) => *seen = rest,
            None => unseen.push(card),
        }
    }
    unseen
}
