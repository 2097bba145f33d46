//! Full games that agree with what a seat sees, drawn without bias.
//!
//! A seat that looks at the table knows more than its own cards. Who did not follow a lead has no
//! card of that suit any more; who led a calf before any had been played has nothing but calves;
//! the three cards that were passed on are with the next seat until it plays them. Whatever agrees
//! with this is equally likely as long as nothing is known of how the others choose.
//!
//! Which of its ten cards a seat has received is independent of what the ten cards are, so the
//! hands are drawn first and then what was passed.

use croupier_core::{Game, Rng, Sample, Seat, Seed};

use super::{Card, Cards, DECK, HAND, Intensity, Move, PASS, Playing, SEATS, View};

/// The groups of cards that two seats may hold, and which two.
const PAIRS: [(usize, [usize; 2]); 3] = [(3, [0, 1]), (5, [0, 2]), (6, [1, 2])];

/// What a seat can work out about the cards that it does not see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unseen {
    viewer: usize,
    /// The cards that each seat has played.
    played: [Cards; SEATS],
    /// The cards that each seat has shown not to hold.
    lacks: [Cards; SEATS],
    /// The cards that each seat is known to hold.
    known: [Cards; SEATS],
    /// The unseen cards by who may hold them: bit 0 of the index is the seat after the viewer,
    /// bit 1 the one after that, bit 2 the third.
    groups: [Cards; 8],
    /// How many cards each of these three seats holds of those that more than one may hold.
    wanted: [usize; 3],
    /// In how many ways the unseen cards can lie.
    ways: u64,
}

impl Unseen {
    /// What the seat with this view can work out.
    pub fn of(view: &Playing) -> Unseen {
        let viewer = view.position().index();
        let next = (viewer + 1) % SEATS;
        let mut played = [Cards::NONE; SEATS];
        let mut lacks = [Cards::NONE; SEATS];
        view.table().retell(|seat, card, shows| {
            played[seat] |= card.into();
            lacks[seat] |= shows;
        });
        let gone = played.into_iter().fold(Cards::NONE, |all, some| all | some);
        let mut known = [Cards::NONE; SEATS];
        known[viewer] = view.hand();
        known[next] = view.discarded() - gone;
        let unknown = Cards::ALL - gone - known[viewer] - known[next];

        let others = [1, 2, 3].map(|after| (viewer + after) % SEATS);
        let mut groups = [Cards::NONE; 8];
        for suit in 1..=4 {
            let cards = Cards::of_suit(suit);
            let may = |i: usize| usize::from(!lacks[others[i]].contains_all(cards)) << i;
            groups[may(0) + may(1) + may(2)] |= unknown & cards;
        }
        // What only one may hold, it holds; a seat that then holds too much cannot be.
        let wants = |i: usize| {
            let held = known[others[i]].len() + groups[1 << i].len();
            let hand = HAND - played[others[i]].len();
            hand.checked_sub(held)
        };
        let wanted = [wants(0), wants(1), wants(2)];
        let mut unseen = Unseen {
            viewer,
            played,
            lacks,
            known,
            groups,
            wanted: wanted.map(Option::unwrap_or_default),
            ways: 0,
        };
        if groups[0].is_empty() && wanted.iter().all(Option::is_some) {
            let mut total = 0;
            unseen.each_split(|_, ways| {
                total += ways;
                false
            });
            unseen.ways = total;
        }
        unseen
    }

    /// The cards that are neither in the viewer's hand nor on the table.
    pub fn out(&self) -> Cards {
        let all = |cards: [Cards; SEATS]| cards.into_iter().fold(Cards::NONE, |a, b| a | b);
        Cards::ALL - all(self.played) - self.known[self.viewer]
    }

    /// The cards that a seat may hold, as far as the viewer can tell.
    pub fn may_hold(&self, seat: Seat) -> Cards {
        let seat = seat.index();
        if seat == self.viewer {
            return self.known[seat];
        }
        let next = (self.viewer + 1) % SEATS;
        let elsewhere = if seat == next {
            Cards::NONE
        } else {
            self.known[next]
        };
        self.out() - elsewhere - self.lacks[seat]
    }

    /// The cards that a seat is known to hold.
    pub(super) fn known(&self, seat: usize) -> Cards {
        self.known[seat]
    }

    /// The cards that a seat has played.
    pub(super) fn played(&self, seat: usize) -> Cards {
        self.played[seat]
    }

    /// What may have been passed if the cards lie like this, each way equally likely.
    fn passed(&self, view: &Playing, hands: &[Cards; SEATS], rng: &mut Rng) -> [Cards; SEATS] {
        let after = |seats| (self.viewer + seats) % SEATS;
        let mut passed = [Cards::NONE; SEATS];
        passed[self.viewer] = view.discarded();
        passed[after(3)] = view.received();
        for receiver in [2, 3] {
            let held = hands[after(receiver)] | self.played[after(receiver)];
            passed[after(receiver - 1)] = held.any_of_them::<PASS>(rng);
        }
        passed
    }

    /// In how many ways the cards can lie in the hands of the others.
    pub fn ways(&self) -> u64 {
        self.ways
    }

    /// Goes through all ways to share out the cards that exactly two seats may hold, with the
    /// number of deals that each allows, until `found` says so. The shares are those of the first
    /// of both seats.
    #[inline]
    fn each_split(&self, mut found: impl FnMut([usize; 3], u64) -> bool) {
        let [ab, ac, bc, free] = [3, 5, 6, 7].map(|who| self.groups[who].len());
        let [a, b, c] = self.wanted;
        for i in 0..=ab.min(a) {
            let Some(b) = b.checked_sub(ab - i) else {
                continue;
            };
            for j in 0..=ac.min(a - i) {
                let Some(c) = c.checked_sub(ac - j) else {
                    continue;
                };
                let a = a - i - j;
                if a > free {
                    continue;
                }
                let ways = choose(ab, i) * choose(ac, j) * choose(free, a);
                for k in 0..=bc.min(b) {
                    if bc - k <= c {
                        let ways = ways * choose(bc, k) * choose(free - a, b - k);
                        if found([i, j, k], ways) {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// All hands in all ways in which they may lie.
    pub(super) fn all_hands(&self) -> Vec<[Cards; SEATS]> {
        let mut all = vec![self.known];
        for (who, cards) in self.groups.iter().enumerate() {
            for card in cards.iter() {
                let given = all.iter().flat_map(|hands| {
                    let takers = (0..3).filter(move |i| who >> i & 1 == 1);
                    let takers = takers.map(|i| (self.viewer + 1 + i) % SEATS);
                    let has_room =
                        |&taker: &usize| hands[taker].len() < HAND - self.played[taker].len();
                    takers.filter(has_room).map(move |taker| {
                        let mut hands = *hands;
                        hands[taker] |= card.into();
                        hands
                    })
                });
                all = given.collect();
            }
        }
        all
    }

    /// All hands as they may lie, each way equally likely.
    pub(super) fn hands(&self, rng: &mut Rng) -> [Cards; SEATS] {
        let mut hands = self.known;
        let mut wanted = self.wanted;
        let mut shares = [0; 3];
        if PAIRS.iter().any(|&(who, _)| !self.groups[who].is_empty()) {
            let mut drawn = rng.below(self.ways as usize) as u64;
            self.each_split(|split, ways| {
                if drawn < ways {
                    shares = split;
                    return true;
                }
                drawn -= ways;
                false
            });
        }
        let mut give = |who: usize, cards: &[Card]| {
            let cards = cards.iter().copied().collect();
            hands[(self.viewer + 1 + who) % SEATS] |= cards;
        };
        let mut pile = [Card::LOWEST; DECK];
        for ((who, [first, second]), share) in PAIRS.into_iter().zip(shares) {
            let cards = shuffled(self.groups[who], &mut pile, rng);
            give(first, &cards[..share]);
            give(second, &cards[share..]);
            wanted[first] -= share;
            wanted[second] -= cards.len() - share;
        }
        let mut free = shuffled(self.groups[7], &mut pile, rng);
        for (who, wanted) in wanted.into_iter().enumerate() {
            let (cards, rest) = free.split_at(wanted);
            give(who, cards);
            free = rest;
        }
        for who in 0..3 {
            hands[(self.viewer + 1 + who) % SEATS] |= self.groups[1 << who];
        }
        hands
    }
}

impl Sample for Intensity {
    fn sample(view: &View, rng: &mut Rng) -> Intensity {
        match view {
            View::Discarding(discarding) => before_passing(discarding.hand(), rng),
            View::Playing(playing) => {
                let unseen = Unseen::of(playing);
                let hands = unseen.hands(rng);
                let passed = unseen.passed(playing, &hands, rng);
                Intensity::under_way(hands, passed, *playing.table(), Seed(rng.bits()).rng())
            }
        }
    }
}

/// A game in which the seat to move has been dealt this hand. Its position is unknown before cards
/// are passed, so it may be any; the seats before it have chosen.
fn before_passing(hand: Cards, rng: &mut Rng) -> Intensity {
    let position = rng.below(SEATS);
    let mut pile = [Card::LOWEST; DECK];
    let others = shuffled(Cards::ALL - hand, &mut pile, rng);
    let mut hands = [hand; SEATS];
    for (after, cards) in others.chunks_exact(HAND).enumerate() {
        hands[(position + 1 + after) % SEATS] = cards.iter().copied().collect();
    }
    let mut game = Intensity::from_hands(hands, Seed(rng.bits()).rng())
        .expect("a view shows ten different cards before any are passed");
    for hand in &hands[..position] {
        let choice = Move::discard(hand.any_of_them::<PASS>(rng));
        let passed = choice.map(|choice| game.play(choice));
        assert_eq!(passed, Some(Ok(())), "three cards of a hand may be passed");
    }
    game
}

/// The cards in random order, on this pile.
#[inline]
fn shuffled<'a>(cards: Cards, pile: &'a mut [Card; DECK], rng: &mut Rng) -> &'a [Card] {
    let mut count = 0;
    for card in cards.iter() {
        pile[count] = card;
        count += 1;
    }
    rng.shuffle(&mut pile[..count]);
    &pile[..count]
}

/// In how many ways `k` of `n` cards can be chosen.
#[inline]
fn choose(n: usize, k: usize) -> u64 {
    CHOOSE[n][k]
}

/// More than thirty cards are never unseen.
const MOST: usize = DECK - HAND;

static CHOOSE: [[u64; MOST + 1]; MOST + 1] = {
    let mut table = [[0; MOST + 1]; MOST + 1];
    let mut n = 0;
    while n <= MOST {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};
