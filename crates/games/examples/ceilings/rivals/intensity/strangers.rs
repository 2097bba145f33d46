//! Rule players written by somebody who did not know how the expert thinks of the others.
//!
//! They were improved against one another and the other rule players, never against the expert, so that
//! a measurement against them says how it does against strangers. That holds as long as neither they nor
//! the expert are changed after such a measurement.

use std::cmp::Reverse;

use croupier_games::intensity::{Card, Cards, Playing, SEATS};

use super::{Character, digit, duck, lowest, most, of_its_suit, three};

pub(super) const STRANGERS: [Character; 6] = [
    // Counts in points: what the card may cost now, and what the rest of the hand may cost later.
    Character {
        name: "actuary",
        pass: |hand| {
            three(hand, |card| {
                let price = match card {
                    Card::BUFFALO => 4,
                    card if card.is_calf() => -2,
                    _ => 0,
                };
                2 * (digit(card) - length(hand, card)) + price
            })
        },
        lead: cheapest,
        follow: cheapest,
        throw: cheapest,
        fouls: 0,
    },
    // Plays for its place, not for points: asks with every card who takes the round, and how many it
    // would then be ahead of.
    Character {
        name: "racer",
        pass: |hand| three(hand, |card| digit(card) - length(hand, card)),
        lead: best_placed,
        follow: best_placed,
        throw: best_placed,
        fouls: 0,
    },
    // Everything turns on the buffalo: with some forties below it, it keeps it to throw it on somebody,
    // and without it hunts for it from below.
    Character {
        name: "sniper",
        pass: |hand| {
            let guards = (hand & Cards::below(Card::BUFFALO)).len();
            three(hand, |card| match card.suit() {
                4 if card > Card::BUFFALO && guards < 4 => 20,
                4 if card == Card::BUFFALO && guards < 2 => 19,
                4 => -digit(card),
                _ => 2 * digit(card) - 2 * length(hand, card),
            })
        },
        lead: |view, legal| {
            let known = Known::of(view);
            let low = view.hand().iter().all(|card| card < Card::BUFFALO);
            let hunts = low && known.out.contains(Card::BUFFALO);
            let held = view.hand().contains(Card::BUFFALO);
            most(legal, |card| {
                let bait = hunts && card.suit() == 4;
                let wait = held && card.suit() == 4;
                let length = if bait { 0 } else { length(view.hand(), card) };
                (
                    known.above(card) > 0 && !wait,
                    Reverse(length),
                    Reverse(digit(card)),
                )
            })
        },
        follow: |view, legal| {
            let known = Known::of(view);
            let armed = known.out.contains(Card::BUFFALO);
            let take = high(legal);
            match duck(view, legal) {
                _ if view.stake() == 0 && (!armed || is_last(view)) && !take.is_calf() => take,
                Some(card) => card,
                None if is_last(view) => take,
                None => lowest(legal),
            }
        },
        throw: |_, legal| {
            most(legal, |card| {
                (
                    card == Card::BUFFALO,
                    card > Card::BUFFALO,
                    card.is_calf(),
                    digit(card),
                )
            })
        },
        fouls: 0,
    },
    // Remembers who is without what: takes a round gladly while nobody after it can throw anything on
    // it, and leads where somebody has to take it.
    Character {
        name: "watcher",
        pass: |hand| {
            three(hand, |card| {
                let below = (hand & Cards::below(card)).len() as i32;
                2 * digit(card) - below - length(hand, card)
            })
        },
        lead: |view, legal| {
            let known = Known::of(view);
            least(legal, |card| {
                let costs = known.wins(view, card) * (0.5 + known.to_come(view, card));
                costs - 0.07 * f64::from(digit(card))
            })
        },
        follow: |view, legal| {
            let known = Known::of(view);
            let take = high(legal);
            let costs = f64::from(view.stake() + take.points()) + known.to_come(view, take);
            match duck(view, legal) {
                _ if costs < 0.7 => take,
                Some(card) => card,
                None if is_last(view) => take,
                None => lowest(legal),
            }
        },
        throw: |view, legal| {
            let known = Known::of(view);
            most(legal, |card| {
                (
                    card == Card::BUFFALO,
                    known.below(card) * if card.is_calf() { 3 } else { 2 },
                )
            })
        },
        fouls: 0,
    },
    // Spends its high cards while a suit is fresh and rounds are cheap, empties its short suits, and
    // keeps low cards for the end.
    Character {
        name: "spender",
        pass: |hand| three(hand, |card| 2 * digit(card) - 3 * length(hand, card)),
        lead: |view, legal| {
            let known = Known::of(view);
            most(legal, |card| {
                (
                    known.above(card) > 0,
                    Reverse(length(view.hand(), card)),
                    Reverse(digit(card)),
                )
            })
        },
        follow: |view, legal| {
            let known = Known::of(view);
            let take = high(legal);
            let fresh = (known.out & Cards::of_suit(take.suit())).len()
                > 2 * (SEATS - 1 - view.round().len()) + 1;
            let armed = known.out.contains(Card::BUFFALO) && take > Card::BUFFALO;
            match duck(view, legal) {
                _ if view.stake() == 0 && !take.is_calf() && (is_last(view) || fresh && !armed) => {
                    take
                }
                Some(card) => card,
                None if is_last(view) => take,
                None => lowest(legal),
            }
        },
        throw: |view, legal| {
            let known = Known::of(view);
            most(legal, |card| {
                let weight = if card.is_calf() { 4 } else { 2 };
                (
                    card == Card::BUFFALO,
                    weight * known.below(card) - length(view.hand(), card),
                )
            })
        },
        fouls: 0,
    },
    // Fears the lead: takes a round only while it has a card to lose the next one with, and leads what
    // is likeliest to be beaten.
    Character {
        name: "warden",
        pass: |hand| {
            three(hand, |card| {
                (card > Card::BUFFALO, 2 * digit(card) - length(hand, card))
            })
        },
        lead: |view, legal| {
            let known = Known::of(view);
            least(legal, |card| known.wins(view, card))
        },
        follow: |view, legal| {
            let known = Known::of(view);
            let take = high(legal);
            let left = view.hand() - take.into();
            let has_way_out = left
                .iter()
                .any(|card| known.below(card) <= 1 && known.above(card) > 1);
            let harmless = view.stake() == 0 && known.to_come(view, take) < 0.5 && !take.is_calf();
            match duck(view, legal) {
                _ if harmless && has_way_out => take,
                Some(card) => card,
                None if is_last(view) || take.suit() < 3 => take,
                None => lowest(legal),
            }
        },
        throw: |view, legal| {
            let known = Known::of(view);
            most(legal, |card| {
                (
                    card == Card::BUFFALO,
                    card > Card::BUFFALO,
                    known.below(card) > 0,
                    digit(card) + 3 * i32::from(card.points()),
                )
            })
        },
        fouls: 0,
    },
];

/// The card that costs least now and later.
fn cheapest(view: &Playing, legal: Cards) -> Card {
    let known = Known::of(view);
    least(legal, |card| {
        let stake = f64::from(view.stake() + card.points());
        let now = known.wins(view, card) * (stake + known.to_come(view, card));
        now + danger(known.out, view.hand() - card.into())
    })
}

/// About how many points a hand will cost, while the others hold these cards.
fn danger(out: Cards, hand: Cards) -> f64 {
    let of_suit = |suit: u8| -> f64 {
        let cards = hand & Cards::of_suit(suit);
        let others = out & Cards::of_suit(suit);
        // The cards below it let it wait.
        let of_card = |(guards, card): (i32, Card)| {
            let below = (others & Cards::below(card)).len() as f64;
            let share = below / (others.len() as f64).max(1.0);
            match suit {
                4 if card == Card::BUFFALO => 1.6 / 3_f64.powi(guards),
                4 if card > Card::BUFFALO && others.contains(Card::BUFFALO) => {
                    4.0 / 3_f64.powi(guards)
                }
                4 => 0.25 * share,
                3 => 0.5 * share.powi(2),
                _ => 0.6 * share.powi(2),
            }
        };
        if cards.is_empty() {
            // It is worth something to be able to throw cards away.
            return -0.2;
        }
        (0..).zip(cards.iter()).map(of_card).sum()
    };
    (1..=4).map(of_suit).sum()
}

/// The card after which this seat is ahead of most, and best rid of what is high.
fn best_placed(view: &Playing, legal: Cards) -> Card {
    let known = Known::of(view);
    let me = view.position().index();
    let left = 17 - view.taken().iter().sum::<u8>();
    // What a lead is worth: the fewer points are left, the more.
    let scale = 2.0 + 0.3 * f64::from(left);
    let ahead = |winner: usize, points: f64| {
        let mut taken = view.taken().map(f64::from);
        taken[winner] += points;
        let leads = taken.map(|other| (other - taken[me]) / scale);
        leads
            .map(|lead| lead / (1.0 + lead.abs()))
            .iter()
            .sum::<f64>()
    };
    least(legal, |card| {
        let stake = f64::from(view.stake() + card.points());
        let wins = known.wins(view, card);
        // To win a round means to lead the next one.
        let own = ahead(me, stake + known.to_come(view, card) + 0.2);
        let theirs = winner(view).map_or(ahead(me, 0.0), |winner| ahead(winner, stake));
        let rid = f64::from(known.below(card)) * if card.is_calf() { 0.1 } else { 0.06 };
        -(wins * own + (1.0 - wins) * theirs + rid)
    })
}

/// The seat whose card is the best of the round so far.
fn winner(view: &Playing) -> Option<usize> {
    let best = view.best()?;
    let place = view.round().iter().position(|&card| card == best)?;
    Some((view.position().index() + SEATS - view.round().len() + place) % SEATS)
}

/// What a seat can work out from what lies open and what it passed on.
struct Known {
    /// The cards that the others hold.
    out: Cards,
    /// Those of them that each seat may hold.
    may: [Cards; SEATS],
    /// Those that it passed to the next seat, and that are still there.
    sure: [Cards; SEATS],
    /// How many cards each seat holds.
    count: [usize; SEATS],
}

impl Known {
    fn of(view: &Playing) -> Known {
        let me = view.position().index();
        let mut out = Cards::ALL - view.hand();
        let mut lacks = [Cards::NONE; SEATS];
        let mut count = [view.hand().len(); SEATS];
        let mut leader = 0;
        for round in view.earlier().chunks(SEATS).chain([view.round()]) {
            let mut best = 0;
            for (place, &card) in round.iter().enumerate() {
                out -= card.into();
                if card.suit() != round[0].suit() {
                    lacks[(leader + place) % SEATS] |= Cards::of_suit(round[0].suit());
                } else if card.beats(round[best]) {
                    best = place;
                }
            }
            if round.len() == SEATS {
                leader = (leader + best) % SEATS;
            }
        }
        for place in 0..view.round().len() {
            count[(leader + place) % SEATS] -= 1;
        }
        let next = (me + 1) % SEATS;
        let passed = view.discarded() & out;
        let mut may = lacks.map(|lacks| out - lacks - passed);
        may[me] = Cards::NONE;
        may[next] |= passed;
        let mut sure = [Cards::NONE; SEATS];
        sure[next] = passed;
        Known {
            out,
            may,
            sure,
            count,
        }
    }

    fn above(&self, card: Card) -> i32 {
        (self.out & Cards::above(card)).len() as i32
    }

    fn below(&self, card: Card) -> i32 {
        (self.out & Cards::below(card)).len() as i32
    }

    /// How likely a seat holds none of these cards, if the cards lie anyhow.
    fn none(&self, seat: usize, cards: Cards) -> f64 {
        let (may, sure) = (self.may[seat], self.sure[seat]);
        if !(sure & cards).is_empty() {
            return 0.0;
        }
        let (open, drawn) = ((may - sure).len(), self.count[seat] - sure.len());
        if open == 0 {
            return 1.0;
        }
        let each = (drawn as f64 / open as f64).min(1.0);
        (1.0 - each).powi((may & cards).len() as i32)
    }

    /// How likely a card wins the round.
    fn wins(&self, view: &Playing, card: Card) -> f64 {
        if view.best().is_some_and(|best| !card.beats(best)) {
            return 0.0;
        }
        let stays = |seat| {
            let no_lower = self.none(seat, Cards::below(card));
            let no_higher = self.none(seat, Cards::above(card));
            // Some take a round that they could leave to others.
            let takes = no_lower + 0.2 * (1.0 - no_lower);
            1.0 - (1.0 - no_higher) * takes
        };
        later(view).map(stays).product()
    }

    /// The points to be expected from the seats after this one, if this card wins.
    fn to_come(&self, view: &Playing, card: Card) -> f64 {
        let from = |seat| {
            let without = self.none(seat, Cards::of_suit(card.suit()));
            let buffalo = 7.0 * (1.0 - self.none(seat, Card::BUFFALO.into()));
            let calf = 1.0 - self.none(seat, Cards::CALVES);
            // Whoever cannot follow throws the dearest card there is.
            match card.suit() {
                3 => without * buffalo + (1.0 - without),
                4 if card > Card::BUFFALO => without * calf + buffalo,
                4 => without * calf,
                _ => without * buffalo.max(calf),
            }
        };
        later(view).map(from).sum()
    }
}

/// The seats that play after this one in the round.
fn later(view: &Playing) -> impl Iterator<Item = usize> {
    let me = view.position().index();
    (1..SEATS - view.round().len()).map(move |after| (me + after) % SEATS)
}

/// How many cards of its suit there are in the hand.
fn length(hand: Cards, card: Card) -> i32 {
    of_its_suit(hand, card) as i32
}

/// The highest card, but not the buffalo unless it is the only one.
fn high(legal: Cards) -> Card {
    (legal - Card::BUFFALO.into())
        .highest()
        .unwrap_or(lowest(legal))
}

fn is_last(view: &Playing) -> bool {
    view.round().len() == SEATS - 1
}

/// The card with the lowest of these numbers.
fn least(legal: Cards, number: impl Fn(Card) -> f64) -> Card {
    let best = legal
        .iter()
        .min_by(|&a, &b| number(a).total_cmp(&number(b)));
    best.unwrap_or_else(|| lowest(legal))
}
