//! What makes the expert strong at Austerity: a sound buyer to go on with in its mind.

use croupier_core::{Game, Rng, Seat, counted, ordinal};
use croupier_search::Searched;

use super::table::WILD;
use super::{Austerity, Card, Holdings, Move, Trio, View};

/// A game in the mind is not played on for longer than so many rounds: with cards that nobody can
/// pay for it would never end.
const HORIZON: usize = 60;

/// So many turns are added to those that a card still takes before its points are divided by them:
/// what is worth more may take longer.
const PATIENCE: i64 = 4;

impl Searched for Austerity {
    type Others = ();

    fn reason(view: &View, choice: Move) -> String {
        let mut me = view.table.players[view.seat.index()].clone();
        match choice {
            Move::Purchase(place) => {
                let card = &view.table.market[usize::from(place)];
                let cost: i64 = me.need(card).iter().sum();
                let points = card.points;
                return format!(
                    "{} for {}, and a discount on {}",
                    counted(points, "point"),
                    counted(cost, "token"),
                    card.bonus.letter()
                );
            }
            Move::Take(trio) => {
                for (own, taken) in me.tokens.iter_mut().zip(trio.tokens()) {
                    *own = own.saturating_add(taken);
                }
            }
            Move::Wild => me.tokens[WILD] = me.tokens[WILD].saturating_add(1),
        }
        let Some((place, plan)) = best_plan(&view.table.market, &me) else {
            return "there is nothing to buy".to_owned();
        };
        let points = counted(view.table.market[place].points, "point");
        let card = ordinal(place + 1);
        match plan.short {
            0 => format!("can then buy the {card} card for {points}"),
            short => {
                let short = counted(short, "token");
                format!("is then {short} short of the {card} card for {points}")
            }
        }
    }

    fn sensible(&self, _: &mut Rng) -> Option<Move> {
        let seat = self.to_move()?;
        let table = self.table();
        let (place, plan) = best_plan(&table.market, &table.players[seat.index()])?;
        if plan.short == 0 {
            return Some(Move::Purchase(place as u8));
        }
        // First as many as possible of the colours that are missing, then those missing most.
        let useful = |trio: &Trio| {
            let missing = trio.colours().map(|colour| plan.missing[colour.index()]);
            missing.fold((0, 0), |(colours, tokens), missing| {
                (colours + i64::from(missing > 0), tokens + missing)
            })
        };
        let best = table.trios().max_by_key(useful);
        let best = best.filter(|trio| useful(trio) > (0, 0));
        Some(best.map_or(Move::Wild, Move::Take))
    }

    fn finish(mut self, (): &(), _: Seat, rng: &mut Rng, points: &mut [f64]) {
        for _ in 0..HORIZON * self.seats() {
            let Some(choice) = self.sensible(rng) else {
                break;
            };
            self.play(choice).expect("a sensible move is a legal one");
        }
        points.copy_from_slice(&self.outcome().points());
    }
}

/// What it takes to buy a card.
struct Plan {
    /// The tokens of each colour that the player lacks.
    missing: [i64; 4],
    /// How many of them wild tokens do not make up for.
    short: i64,
}

impl Plan {
    #[inline]
    fn of(card: &Card, me: &Holdings) -> Plan {
        let need = me.need(card);
        let missing: [i64; 4] =
            std::array::from_fn(|colour| (need[colour] - me.tokens[colour]).max(0));
        let short = (missing.iter().sum::<i64>() - me.tokens[WILD]).max(0);
        Plan { missing, short }
    }

    /// How many turns it takes at least to have what is missing: three tokens a turn, but only one
    /// of a colour.
    #[inline]
    fn turns(&self) -> i64 {
        let most = self.missing.into_iter().fold(0, i64::max);
        ((self.short + 2) / 3).max(most.min(self.short))
    }
}

/// The card of the market, by its place, that gives most points for the turns it still takes, and
/// what it takes; of equal ones the one that costs fewest tokens.
#[inline]
fn best_plan(market: &[Card], me: &Holdings) -> Option<(usize, Plan)> {
    let plans = market.iter().enumerate().map(|(place, card)| {
        let plan = Plan::of(card, me);
        let cost: i64 = me.need(card).iter().sum();
        let worth =
            (50.0 * f64::from(card.points) - cost as f64) / (plan.turns() + PATIENCE) as f64;
        (worth, place, plan)
    });
    let best = plans.max_by(|(one, ..), (other, ..)| one.total_cmp(other));
    best.map(|(_, place, plan)| (place, plan))
}
