//! The three players that come with Austerity, each a fixed rule of what to do on a view.

use std::cmp::Reverse;

use croupier_core::{NoMove, Player, Turn};

use super::{Austerity, Card, Colour, Holdings, Move, Payment, Table, Trio, View};

/// A player who always does the same in the same situation.
#[derive(Clone, Copy, Debug)]
pub struct Strategy {
    /// Its name, which is also that of its program.
    pub name: &'static str,
    /// What it does on its turn.
    pub decide: fn(&View) -> Move,
}

/// Buys what gives most points now.
pub const SHENZI: Strategy = Strategy {
    name: "shenzi",
    decide: shenzi,
};

/// Buys what is most expensive.
pub const BANZAI: Strategy = Strategy {
    name: "banzai",
    decide: banzai,
};

/// Buys what the others could buy.
pub const ED: Strategy = Strategy {
    name: "ed",
    decide: ed,
};

impl Player<Austerity> for Strategy {
    fn decide(&mut self, turn: &Turn<'_, Austerity>) -> Result<Move, NoMove> {
        Ok((self.decide)(&turn.view()))
    }
}

fn shenzi(view: &View) -> Move {
    let best = affordable(view).max_by_key(|offer| {
        let cost = offer.paid.iter().sum::<i64>();
        (offer.card.points, Reverse(cost), offer.place)
    });
    match best {
        Some(offer) => offer.purchase(),
        None => take_or_wild(&view.table, Colour::ALL),
    }
}

fn banzai(view: &View) -> Move {
    use Colour::{Brown, Purple, Red, Yellow};
    let tokens = me(view).tokens.into_iter().fold(0, i64::saturating_add);
    if tokens < 3
        && let Some(trio) = first_three(&view.table, [Yellow, Brown, Purple, Red])
    {
        return Move::Take(trio);
    }
    let best = affordable(view)
        .filter(|offer| offer.card.points > 0)
        .max_by_key(|offer| {
            let cost = offer.paid.iter().sum::<i64>();
            (cost, offer.paid[4], Reverse(offer.place))
        });
    best.map_or(Move::Wild, |offer| offer.purchase())
}

fn ed(view: &View) -> Move {
    use Colour::{Brown, Purple, Red, Yellow};
    const ORDER: [Colour; 4] = [Yellow, Red, Brown, Purple];
    let table = &view.table;
    let me = me(view);
    let Some((place, card)) = target(view) else {
        return take_or_wild(table, ORDER);
    };
    if me.payment(card).is_some() {
        return Move::Purchase(place as u8);
    }
    let lacking = |&colour: &Colour| {
        let at = colour.index();
        i64::from(card.price[at]) > me.tokens[at].saturating_add(me.discounts[at])
    };
    let mut order = ORDER;
    order.sort_by_key(|colour| !lacking(colour));
    take_or_wild(table, order)
}

/// The card with the most points that an opponent could buy now, and its place.
fn target(view: &View) -> Option<(usize, &Card)> {
    let Table {
        market, players, ..
    } = &view.table;
    let mut target: Option<(usize, &Card)> = None;
    let mut seat = view.seat;
    // In the order of their turns and from the oldest card on, so that what is found first stands
    // when points are equal.
    for _ in 1..players.len() {
        seat = seat.next(players.len());
        let rival = &players[seat.index()];
        for (place, card) in market.iter().enumerate() {
            let better = target.is_none_or(|(_, best)| card.points > best.points);
            if better && rival.payment(card).is_some() {
                target = Some((place, card));
            }
        }
    }
    target
}

/// A card that the player can buy.
struct Offer<'a> {
    place: usize,
    card: &'a Card,
    paid: Payment,
}

impl Offer<'_> {
    fn purchase(&self) -> Move {
        Move::Purchase(self.place as u8)
    }
}

/// What the player can buy, oldest first.
fn affordable(view: &View) -> impl Iterator<Item = Offer<'_>> {
    let cards = view.table.market.iter().enumerate();
    cards.filter_map(|(place, card)| {
        let paid = me(view).payment(card)?;
        Some(Offer { place, card, paid })
    })
}

fn me(view: &View) -> &Holdings {
    &view.table.players[view.seat.index()]
}

fn take_or_wild(table: &Table, order: [Colour; 4]) -> Move {
    first_three(table, order).map_or(Move::Wild, Move::Take)
}

/// The first three colours in this order whose piles are not empty.
fn first_three(table: &Table, order: [Colour; 4]) -> Option<Trio> {
    let [.., last] = order;
    let mut empty = order.into_iter().filter(|&colour| !table.has(colour));
    match (empty.next(), empty.next()) {
        (None, _) => Some(Trio::without(last)),
        (Some(left_out), None) => Some(Trio::without(left_out)),
        (Some(_), Some(_)) => None,
    }
}
