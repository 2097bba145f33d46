//! The evaluation function of Intensity in lookup tables: what cards and rounds are likely to cost.
//!
//! It is the same function that `careful` computes, fast enough for rollouts. Its expensive terms are
//! precomputed for each way in which the ten cards of a suit can lie: in the hand, in another hand,
//! or gone.

use std::sync::LazyLock;

use super::players::{
    ALONE, GUARDED, LEADING, PRICE_ABOVE_THE_BUFFALO, PRICE_OF_A_CALF, PRICE_OF_THE_BUFFALO,
    THROWN_IN,
};
use super::{Card, Cards, DECK, HAND, PASS};

/// How `careful` judges.
pub(super) static CAREFUL: LazyLock<Judgement> = LazyLock::new(|| {
    let fears = Fears {
        alone: ALONE as f32,
        buffalo: PRICE_OF_THE_BUFFALO as f32,
        above_the_buffalo: PRICE_ABOVE_THE_BUFFALO as f32,
        calf: PRICE_OF_A_CALF as f32,
        guarded: GUARDED as f32,
        halves: 3,
    };
    Judgement::new(&fears, &fears, THROWN_IN as f32, LEADING as f32)
});

/// How the expert judges for itself. The weights were tuned over millions of games against three
/// careful players. It fears the buffalo in its own hand far less, as it can often be thrown
/// on somebody, and passes on whatever is high and alone.
pub(super) static CUNNING: LazyLock<Judgement> = LazyLock::new(|| {
    let playing = Fears {
        alone: 0.13,
        buffalo: 3.2,
        above_the_buffalo: 1.2,
        calf: 2.0,
        guarded: 0.51,
        halves: 2,
    };
    let passing = Fears {
        alone: 0.8,
        buffalo: 0.75,
        above_the_buffalo: 0.55,
        calf: 0.75,
        guarded: 0.3,
        halves: 5,
    };
    Judgement::new(&playing, &passing, 1.85, 0.16)
});

/// The weights of the evaluation: how dangerous it is to hold a card, relative to a card without
/// points that is sure to win a round.
struct Fears {
    /// A card of a suit that nobody else has.
    alone: f32,
    buffalo: f32,
    /// The 48 and 49 while the buffalo is out.
    above_the_buffalo: f32,
    calf: f32,
    /// The factor by which every lower card of the suit in the own hand reduces the danger.
    guarded: f32,
    /// Twice the exponent with which the danger grows in the share of the suit's cards that are lower.
    halves: u32,
}

/// The suits are of three kinds: without points, the calves, and the suit of the buffalo.
const KINDS: [u8; 3] = [2, 3, 4];

/// How many ways there are for ten cards to lie in three places.
const WAYS: usize = 59_049;

/// The unit of the fixed-point numbers in the tables.
const GRAIN: f32 = 1.0 / 2048.0;

/// How many ways there are for ten cards to be held or not.
const HELD: usize = 1024;

/// No more cards than this are in the other hands.
const OUT: usize = DECK - HAND;

/// The lookup tables of an evaluation function.
pub(super) struct Judgement {
    /// The number in base 3 whose digits are these ten bits.
    ternary: [u16; HELD],
    /// How dangerous each way is in which the cards of a suit may lie, for each kind of suit: in
    /// fixed point, so that the tables fit in the processor's cache.
    dangers: [Vec<u16>; 3],
    /// What is best passed on of what is held of a suit, if none, one, two or three cards are.
    passing: [Vec<[Passing; PASS + 1]>; 3],
    /// How many of these ten bits are set: not all processors have an instruction for it.
    counts: [u8; HELD],
    /// The probability that somebody can follow suit who holds so many of so many cards, of which so
    /// many are of that suit.
    follows: Vec<[[f32; 11]; OUT + 1]>,
    /// The probability that somebody who follows goes above a card, if so many cards are higher and
    /// so many lower.
    goes_above: [[f32; 11]; 11],
    /// What somebody who cannot follow adds to a round.
    pub(super) thrown_in: f32,
    /// What it costs to lead the next round.
    pub(super) leading: f32,
}

/// Cards of a suit that are passed on, a bit for each, and how dangerous the rest of it then is.
#[derive(Clone, Copy)]
struct Passing {
    passed: u16,
    danger: f32,
}

impl Judgement {
    fn new(playing: &Fears, passing: &Fears, thrown_in: f32, leading: f32) -> Judgement {
        let ternary = std::array::from_fn(|bits| {
            let digits = (0..10).map(|digit| (bits >> digit & 1) as u16 * 3_u16.pow(digit));
            digits.sum()
        });
        let follows = |holds: usize, all: usize, suit: u32| {
            let elsewhere = 1.0 - holds as f32 / all.max(holds).max(1) as f32;
            1.0 - power(elsewhere, 2 * suit)
        };
        // Squared, because who has a choice will rather stay below.
        let goes_above = |above: usize, below: usize| match above {
            0 => 0.0,
            above => power(above as f32 / (above + below) as f32, 4),
        };
        Judgement {
            ternary,
            dangers: KINDS.map(|suit| playing.of_all_ways(suit, &ternary)),
            counts: std::array::from_fn(|bits| bits.count_ones() as u8),
            passing: KINDS.map(|suit| (0..HELD).map(|held| passing.best(suit, held)).collect()),
            follows: (0..=HAND)
                .map(|holds| {
                    std::array::from_fn(|all| {
                        std::array::from_fn(|suit| follows(holds, all, suit as u32))
                    })
                })
                .collect(),
            goes_above: std::array::from_fn(|above| {
                std::array::from_fn(|below| goes_above(above, below))
            }),
            thrown_in,
            leading,
        }
    }

    /// How many cards these are.
    #[inline]
    pub(super) fn count(&self, cards: Cards) -> usize {
        let count = |suit| usize::from(self.counts[cards.in_suit(suit)]);
        count(1) + count(2) + count(3) + count(4)
    }

    /// The probability that somebody who holds so many of the cards that it may hold, of which there
    /// are `all`, can follow this card, and the probability that it then goes above it.
    #[inline]
    pub(super) fn answers(&self, card: Card, holds: usize, may: Cards, all: usize) -> (f32, f32) {
        let suit = card.suit();
        let bits = may.in_suit(suit);
        let follow = usize::from(self.counts[bits]);
        let below = usize::from(self.counts[bits & Cards::below(card).in_suit(suit)]);
        let goes_above = self.goes_above[follow - below][below];
        (self.follows[holds][all][follow], goes_above)
    }

    /// How dangerous it is to hold these cards of a suit while the others hold those that are out.
    #[inline]
    pub(super) fn danger(&self, suit: u8, hand: Cards, out: Cards) -> f32 {
        let way = 2 * self.ternary[hand.in_suit(suit)] + self.ternary[out.in_suit(suit)];
        f32::from(self.dangers[kind(suit)][usize::from(way)]) * GRAIN
    }

    /// How dangerous it is to keep these seven cards of a hand that has just been dealt.
    #[inline]
    pub(super) fn keeping(&self, kept: Cards) -> f32 {
        let danger = |suit| self.passing[kind(suit)][kept.in_suit(suit)][0].danger;
        danger(1) + danger(2) + danger(3) + danger(4)
    }

    /// The three cards without which a hand that has just been dealt is least dangerous, and how
    /// dangerous the rest is.
    #[inline]
    pub(super) fn discards(&self, hand: Cards) -> (Cards, f32) {
        let suits = [1, 2, 3, 4].map(|suit| &self.passing[kind(suit)][hand.in_suit(suit)]);
        let danger = |counts: &[usize; 4]| -> f32 {
            let each = suits.iter().zip(counts);
            each.map(|(suit, &count)| suit[count].danger).sum()
        };
        let (mut least, mut best) = (f32::INFINITY, &COUNTS[0]);
        for counts in &COUNTS {
            let danger = danger(counts);
            if danger < least {
                (least, best) = (danger, counts);
            }
        }
        let passed = suits.iter().zip(best).zip(1..);
        let passed =
            passed.map(|((suit, &count), number)| Cards::from_suit(number, suit[count].passed));
        (passed.fold(Cards::NONE, |all, some| all | some), least)
    }
}

/// The ways to take three cards from four suits: how many of each.
const COUNTS: [[usize; 4]; 20] = {
    let mut ways = [[0; 4]; 20];
    let (mut found, mut code) = (0, 0);
    while code < 256 {
        let way = [code % 4, code / 4 % 4, code / 16 % 4, code / 64];
        if way[0] + way[1] + way[2] + way[3] == PASS {
            ways[found] = way;
            found += 1;
        }
        code += 1;
    }
    ways
};

#[inline]
fn kind(suit: u8) -> usize {
    usize::from(suit.max(KINDS[0]) - KINDS[0])
}

impl Fears {
    /// The danger of a suit for each way in which its cards may lie.
    fn of_all_ways(&self, suit: u8, ternary: &[u16; HELD]) -> Vec<u16> {
        let mut dangers = vec![0; WAYS];
        for held in 0..HELD {
            // All that can be out of what is not held: counting down in those bits alone.
            let rest = (HELD - 1) & !held;
            let mut out = rest;
            loop {
                let way = 2 * ternary[held] + ternary[out];
                dangers[usize::from(way)] = (self.danger(suit, held, out) / GRAIN) as u16;
                if out == 0 {
                    break;
                }
                out = (out - 1) & rest;
            }
        }
        dangers
    }

    /// How dangerous it is to hold these cards of a suit while the others hold those.
    fn danger(&self, suit: u8, held: usize, out: usize) -> f32 {
        let mut danger = 0.0;
        let mut guarded = 1.0;
        for digit in (0..10).filter(|digit| held >> digit & 1 == 1) {
            let lower = (out & ((1 << digit) - 1)).count_ones() as f32;
            let high = match out.count_ones() {
                0 => self.alone,
                others => power(lower / others as f32, self.halves),
            };
            let price = match (suit, digit) {
                (4, 7) => self.buffalo,
                (4, 8 | 9) if out >> 7 & 1 == 1 => self.above_the_buffalo,
                (3, _) => self.calf,
                _ => 1.0,
            };
            danger += price * high * guarded;
            guarded *= self.guarded;
        }
        danger
    }

    /// What is best passed on of these cards of a suit, if none, one, two or three of them are.
    fn best(&self, suit: u8, held: usize) -> [Passing; PASS + 1] {
        let impossible = Passing {
            passed: 0,
            danger: f32::INFINITY,
        };
        let mut best = [impossible; PASS + 1];
        for passed in (0..=held).filter(|passed| passed & !held == 0) {
            let kept = held & !passed;
            let danger = self.danger(suit, kept, (HELD - 1) & !kept);
            if let Some(best) = best.get_mut(passed.count_ones() as usize)
                && danger < best.danger
            {
                let passed = passed as u16;
                *best = Passing { passed, danger };
            }
        }
        best
    }
}

/// A number to the power of so many halves: by products and a square root, which are the same on
/// every machine.
fn power(number: f32, halves: u32) -> f32 {
    let root = if halves % 2 == 1 { number.sqrt() } else { 1.0 };
    (0..halves / 2).fold(root, |product, _| product * number)
}
