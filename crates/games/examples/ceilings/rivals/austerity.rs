//! A rule player of Austerity that plans its purchases.

use croupier_core::Player;
use croupier_games::austerity::{Austerity, Card, Holdings, Move, Trio, View};

use super::{ByView, Rivals};
use crate::clairvoyant::Effort;

impl Rivals for Austerity {
    const BASE: &'static str = "ed";
    const FIELDS: &'static [&'static [&'static str]] = &[
        &["ed", "ed"],
        &["shenzi", "banzai"],
        &["planner", "planner"],
    ];
    const EFFORT: Effort = Effort {
        games: 1_000,
        moves: 0,
    };

    fn rival(name: &str) -> Option<Box<dyn Player<Austerity>>> {
        (name == "planner").then(|| Box::new(ByView(|view: &View| Ok(plan(view)))) as _)
    }
}

/// How many purchases are planned ahead.
const AHEAD: usize = 3;

/// The plan of up to three purchases that gives most points for the turns that it takes, as if nobody
/// else bought anything; its first purchase, or the tokens for it.
fn plan(view: &View) -> Move {
    let market = &view.table.market;
    let me = &view.table.players[view.seat.index()];
    let missing_points = (view.terms.target - me.points).max(1);
    let mut best = Best {
        worth: -1.0,
        first: 0,
    };
    best.look(market, me, &mut Vec::new(), (0, 0), missing_points);
    let Some(card) = market.get(best.first) else {
        return Move::Wild;
    };
    if me.payment(card).is_some() {
        return Move::Purchase(best.first as u8);
    }
    let need = me.need(card);
    let missing: [i64; 4] = std::array::from_fn(|at| (need[at] - me.tokens[at]).max(0));
    let useful = |trio: &Trio| {
        let missing = trio.colours().map(|colour| missing[colour.index()]);
        missing.fold((0, 0), |(colours, sum), one| {
            (colours + i64::from(one > 0), sum + one)
        })
    };
    let trio = view.table.trios().max_by_key(useful);
    let trio = trio.filter(|trio| useful(trio).0 > 0);
    trio.map_or(Move::Wild, Move::Take)
}

/// The best plan so far.
struct Best {
    worth: f64,
    first: usize,
}

impl Best {
    fn look(
        &mut self,
        market: &[Card],
        me: &Holdings,
        bought: &mut Vec<usize>,
        (points, turns): (i64, i64),
        target: i64,
    ) {
        if let Some(&first) = bought.first() {
            // Points above the target are worth nothing; every discount is worth a little.
            let worth =
                (points.min(target) as f64 + 0.3 * bought.len() as f64) / (turns + 2) as f64;
            if worth > self.worth {
                *self = Best { worth, first };
            }
        }
        if bought.len() == AHEAD || points >= target {
            return;
        }
        for (place, card) in market.iter().enumerate() {
            if bought.contains(&place) {
                continue;
            }
            let (mut after, collecting) = collected(me, card);
            let paid = after.payment(card).expect("enough has been collected");
            for (own, paid) in after.tokens.iter_mut().zip(paid) {
                *own -= paid;
            }
            after.discounts[card.bonus.index()] += 1;
            bought.push(place);
            let so_far = (points + i64::from(card.points), turns + collecting + 1);
            self.look(market, &after, bought, so_far, target);
            bought.pop();
        }
    }
}

/// The holdings once the card can be paid, and after how many turns: three different tokens a turn.
fn collected(me: &Holdings, card: &Card) -> (Holdings, i64) {
    let mut me = me.clone();
    let mut turns = 0;
    while me.payment(card).is_none() {
        let need = me.need(card);
        let mut colours = [0, 1, 2, 3];
        colours.sort_by_key(|&at: &usize| me.tokens[at] - need[at]);
        for at in &colours[..3] {
            me.tokens[*at] += 1;
        }
        turns += 1;
    }
    (me, turns)
}
