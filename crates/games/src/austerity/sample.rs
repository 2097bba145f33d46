//! Full games that agree with what a player sees, drawn without bias.
//!
//! Only the rest of the deck is hidden. Of a made-up deck everyone knows what cards it is made of,
//! so the rest has the points that have not been turned up yet, in any order, and prices by chance.
//! Of any other deck nobody knows more than the cards that came: the rest is taken to be like them.

use croupier_core::{Rng, Sample};

use super::{Austerity, Deck, View};

impl Sample for Austerity {
    fn sample(view: &View, rng: &mut Rng) -> Austerity {
        let players = view.table.players.len();
        let deck = match view.terms.made_up {
            true => Deck::go_on(players, &view.seen, rng),
            false => Deck::like(view.terms.cards, &view.seen, rng),
        };
        Austerity::resumed(view, deck)
    }
}
