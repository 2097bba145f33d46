//! The built-in players. They decide on what a seat sees and on nothing else.

use croupier_core::{NoMove, Player, Rng, Seat, Seed, Turn};

use super::{Card, Colour, Face, Move, SEATS, Uno, View};

/// Plays the first card of its hand that can be played, in the order in which the cards were
/// drawn, and calls a random colour with a wild card.
#[derive(Debug)]
pub struct Naive(Rng);

impl Default for Naive {
    fn default() -> Naive {
        Naive(Seed(0).rng())
    }
}

impl Naive {
    /// What it plays when it sees this.
    pub fn choose(&mut self, view: &View) -> Move {
        let Some((_, card)) = view.playable().next() else {
            return Move::DRAW;
        };
        let called = card.is_wild().then(|| Colour::ALL[self.0.below(4)]);
        Move::play(card, called).expect("a colour is called for wild cards alone")
    }
}

impl Player<Uno> for Naive {
    fn start(&mut self, _: Seat, chance: Seed) {
        self.0 = chance.rng();
    }

    fn decide(&mut self, turn: &Turn<'_, Uno>) -> Result<Move, NoMove> {
        Ok(self.choose(&turn.view()))
    }
}

/// Keeps its wild cards, calls its longest colour, and attacks a player who is about to go out.
///
/// In this order:
/// 1. If nothing can be played, it draws.
/// 2. If the next player has at most two cards, it plays what takes that player's turn: a wild
///    draw four, else a draw two, else a skip, else a reverse, which sends play to the other side
///    (unless the player there has no more cards than the next one).
/// 3. Else it plays a coloured card: one of the colour of which it holds most cards, and of those
///    the one that is worth most.
/// 4. Else it plays a wild card, and a wild draw four only if it has no plain one.
///
/// With a wild card it calls the colour of which it holds most, the first of equal ones in the
/// order red, green, blue, yellow. Of cards that are equally good it plays the first of the hand.
/// It leaves nothing to chance.
#[derive(Clone, Copy, Debug)]
pub struct Careful;

/// With so many cards left a player may be out in the next turn but one.
const FEW: u8 = 2;

impl Careful {
    /// What it plays when it sees this.
    pub fn choose(&self, view: &View) -> Move {
        let held = colours(view);
        let card = Careful::attack(view)
            .or_else(|| Careful::coloured(view, &held))
            .or_else(|| Careful::wild(view));
        let Some(card) = card else {
            return Move::DRAW;
        };
        let longest = best(Colour::ALL, |colour| Some(held[colour.index()]));
        let called = longest.filter(|_| card.is_wild());
        Move::play(card, called).expect("a colour is called for wild cards alone")
    }

    fn attack(view: &View) -> Option<Card> {
        let left = |steps| view.cards_left[view.direction.from(view.seat, steps).index()];
        let (next, last) = (left(1), left(SEATS as u16 - 1));
        if next > FEW {
            return None;
        }
        let weapons = [Face::WildDrawFour, Face::DrawTwo, Face::Skip, Face::Reverse];
        let usable = weapons
            .into_iter()
            .filter(|&face| face != Face::Reverse || last > next);
        let armed = |face| view.playable().find(|(_, card)| card.face() == face);
        usable.filter_map(armed).map(|(_, card)| card).next()
    }

    fn coloured(view: &View, held: &[usize; 4]) -> Option<Card> {
        let cards = view.playable().map(|(_, card)| card);
        best(cards, |card| {
            Some((held[card.colour()?.index()], card.points()))
        })
    }

    fn wild(view: &View) -> Option<Card> {
        let held = |wild: &Card| view.hand.contains(wild);
        [Card::WILD, Card::WILD_DRAW_FOUR].into_iter().find(held)
    }
}

impl Player<Uno> for Careful {
    fn decide(&mut self, turn: &Turn<'_, Uno>) -> Result<Move, NoMove> {
        Ok(self.choose(&turn.view()))
    }
}

/// How many cards of each colour the hand holds.
fn colours(view: &View) -> [usize; 4] {
    let mut held = [0; 4];
    for colour in view.hand.iter().filter_map(|card| card.colour()) {
        held[colour.index()] += 1;
    }
    held
}

/// The first of the choices that are worth most; those without a worth do not count.
fn best<T: Copy, W: PartialOrd>(
    choices: impl IntoIterator<Item = T>,
    worth: impl Fn(T) -> Option<W>,
) -> Option<T> {
    let mut best: Option<(W, T)> = None;
    for choice in choices {
        match (worth(choice), &best) {
            (Some(worth), Some((most, _))) if worth <= *most => {}
            (Some(worth), _) => best = Some((worth, choice)),
            (None, _) => {}
        }
    }
    best.map(|(_, choice)| choice)
}
