//! War at full speed: several turns of several games at once.
//!
//! The games are those of the plain rules, deal for deal; [`super::rules`] is the oracle. These
//! observations make the speed:
//!
//! - Only faces count, and both players draw equally many cards. So a hand is a run of bytes in a
//!   long buffer, next card first; one `head` serves both hands, the two of them hold 52 cards,
//!   and so one `tail` is enough too. Drawing is moving the head, winning is writing behind the
//!   tail, and what is written too much behind a tail does no harm. Nothing is ever moved.
//! - What is won is not drawn again before the hand has been gone through. So the next turns, up
//!   to eight of them, are known at once: eight cards against eight, until the first war.
//! - A war mostly ends with its first four cards, which are among those eight; the rest is rare.
//! - Who wins is a coin toss that no processor can predict, so it selects and does not branch.
//! - Every card drawn is a turn, except four in every war: turns need not be counted.
//! - A game alone spends its time waiting for what it has just written. The processor finds enough
//!   to do when the turns of several games follow each other.

use std::ops::Range;

use croupier_core::{Rng, Seat, Seed};

use super::eight::{Eight, Portable};
use super::rules::STAKE;
use super::{DECK, Ending, Setup, ShortWar, Winnings};

/// How many games are played side by side.
const LANES: usize = 3;

/// How many cards a game may draw before its hands are moved back to the front. Few games are so
/// long (one of a million by the default rules), but endless ones are.
const LONGEST: usize = 2048;

/// Room for the cards of one player: the longest way, two decks, and what is written too much.
const ROOM: usize = LONGEST + 3 * DECK;

/// How one deal went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Played {
    pub(super) turns: u64,
    pub(super) wars: u64,
    pub(super) ending: Ending,
}

/// Plays these deals of the contest with this master seed, heedless of a limit on turns; `done`
/// is told each result with the number of its deal, in no particular order.
pub(super) fn play(setup: &Setup, master: Seed, deals: Range<u64>, done: impl FnMut(u64, Played)) {
    #[cfg(target_arch = "x86_64")]
    if let Some(cpu) = pulp::x86::V3::try_new() {
        return cpu.vectorize(
            #[inline(always)]
            || play_with(cpu, setup, master, deals, done),
        );
    }
    play_with(Portable, setup, master, deals, done);
}

#[inline(always)]
fn play_with<E: Eight>(
    eight: E,
    setup: &Setup,
    master: Seed,
    deals: Range<u64>,
    done: impl FnMut(u64, Played),
) {
    match setup.winnings {
        Winnings::Transcript => run::<TRANSCRIPT, E>(eight, setup, master, deals, done),
        Winnings::WinnerFirst => run::<WINNER_FIRST, E>(eight, setup, master, deals, done),
        Winnings::Shuffled => run::<SHUFFLED, E>(eight, setup, master, deals, done),
        Winnings::Player0First => run::<PLAYER0_FIRST, E>(eight, setup, master, deals, done),
    }
}

// The order of the winnings as a constant, so that each has a loop of its own.
const TRANSCRIPT: u8 = 0;
const WINNER_FIRST: u8 = 1;
const SHUFFLED: u8 = 2;
const PLAYER0_FIRST: u8 = 3;

/// Every lane makes a step in its turn. A lane whose game is over is dealt the next one; when
/// there are no more deals it is closed, and the last lanes are played to their ends.
#[inline(always)]
fn run<const ORDER: u8, E: Eight>(
    eight: E,
    setup: &Setup,
    master: Seed,
    mut deals: Range<u64>,
    mut done: impl FnMut(u64, Played),
) {
    let open = |number| Lane::new(number, master, setup.short_war);
    let mut lanes: Vec<Lane> = deals.by_ref().take(LANES).map(open).collect();
    while let [a, b, c] = &mut lanes[..] {
        // Three registers: as an array in memory they would be written one by one and read as one
        // word, which stalls.
        let over = loop {
            let x = a.step::<ORDER, E>(eight);
            let y = b.step::<ORDER, E>(eight);
            let z = c.step::<ORDER, E>(eight);
            if x | y | z {
                break [x, y, z];
            }
        };
        for lane in (0..LANES).rev().filter(|&lane| over[lane]) {
            done(lanes[lane].number, lanes[lane].finish::<ORDER, E>(eight));
            match deals.next() {
                Some(number) => lanes[lane].deal(number, master),
                None => drop(lanes.swap_remove(lane)),
            }
        }
    }
    for mut lane in lanes {
        while !lane.step::<ORDER, E>(eight) {}
        done(lane.number, lane.finish::<ORDER, E>(eight));
    }
}

/// One game.
#[derive(Clone)]
struct Lane {
    /// The faces of player 0's cards and, from [`ROOM`] on, of player 1's, in the order in which
    /// they are drawn.
    cards: [u8; 2 * ROOM],
    /// Where both hands begin.
    head: usize,
    /// Where the hand of player 0 ends; see [`Lane::tails`].
    tail: usize,
    wars: usize,
    ending: Option<Ending>,
    short_war: ShortWar,
    rng: Rng,
    /// The number of the deal.
    number: u64,
}

impl Lane {
    fn new(number: u64, master: Seed, short_war: ShortWar) -> Lane {
        let mut lane = Lane {
            cards: [0; 2 * ROOM],
            head: 0,
            tail: 0,
            wars: 0,
            ending: None,
            short_war,
            rng: master.rng(),
            number,
        };
        lane.deal(number, master);
        lane
    }

    /// The same deal as that of the plain rules, faces only, next card first.
    fn deal(&mut self, number: u64, master: Seed) {
        let mut deck: [u8; DECK] = const {
            let mut faces = [0; DECK];
            let mut card = 0;
            while card < DECK {
                faces[card] = card as u8 % 13;
                card += 1;
            }
            faces
        };
        self.rng = master.deal(number).rng();
        self.rng.shuffle(&mut deck);
        deck.reverse();
        let (one, zero) = deck.split_at(DECK / 2);
        self.cards[..zero.len()].copy_from_slice(zero);
        self.cards[ROOM..][..one.len()].copy_from_slice(one);
        self.head = 0;
        self.tail = zero.len();
        self.wars = 0;
        self.ending = None;
        self.number = number;
    }

    /// Where the hands of both players end.
    #[inline(always)]
    fn tails(&self) -> [usize; 2] {
        [self.tail, tail_of_one(self.head, self.tail)]
    }

    /// How many cards the player with fewer cards has.
    #[inline(always)]
    fn fewest(&self) -> usize {
        let [zero, one] = self.tails();
        zero.min(one) - self.head
    }

    /// Plays the next war, or the turns before it, eight at most; true if the game is over or its
    /// cards must be moved.
    #[inline(always)]
    fn step<const ORDER: u8, E: Eight>(&mut self, eight: E) -> bool {
        let (head, tails) = (self.head, self.tails());
        let fewest = tails[0].min(tails[1]) - head;
        let [p, q] = [0, ROOM].map(|hand| *chunk(&self.cards, hand + head));
        let cards = eight.compare(p, q);
        let turns = cards.first_tie.min(fewest);
        if turns == 0 {
            self.war::<ORDER>(u64::from_le_bytes(p), u64::from_le_bytes(q));
        } else {
            let pairs = match ORDER {
                TRANSCRIPT => cards.low_high,
                WINNER_FIRST => cards.high_low,
                PLAYER0_FIRST => cards.zero_one,
                _ => self.toss(turns, cards.low_high, cards.high_low),
            };
            let played = (1 << turns) - 1;
            let won = cards.zero_wins & played;
            *chunk_mut(&mut self.cards, tails[0]) = eight.gather(pairs, won);
            *chunk_mut(&mut self.cards, ROOM + tails[1]) = eight.gather(pairs, won ^ played);
            self.head = head + turns;
            self.tail = tails[0] + 2 * won.count_ones() as usize;
        }
        self.ending.is_some() || self.fewest() == 0 || self.head > LONGEST
    }

    /// Plays a turn that starts with a war; `p` and `q` are the next eight cards.
    #[inline(always)]
    fn war<const ORDER: u8>(&mut self, p: u64, q: u64) {
        /// What each player lays in the whole turn.
        const LAID: usize = 1 + STAKE;
        let (head, tails) = (self.head, self.tails());
        let [a, b] = [p, q].map(|cards| (cards >> (8 * STAKE)) as u8);
        if tails[0].min(tails[1]) - head < LAID || a == b {
            return self.hard_war::<ORDER>();
        }
        // All ones if player 0 wins: nobody can predict it, so no branch should ask.
        let zero_wins = usize::from(a > b).wrapping_neg();
        let swap = (p ^ q) & zero_wins as u64;
        let (winners, losers) = (q ^ swap, p ^ swap);
        let (first, second) = match ORDER {
            TRANSCRIPT | SHUFFLED => (losers, winners),
            WINNER_FIRST => (winners, losers),
            _ => (p, q),
        };
        let place = (tails[0] & zero_wins) | ((ROOM + tails[1]) & !zero_wins);
        *chunk_mut(&mut self.cards, place) = first.to_le_bytes();
        *chunk_mut(&mut self.cards, place + LAID) = second.to_le_bytes();
        if ORDER == SHUFFLED {
            let pile: &mut [u8; 2 * LAID] = chunk_mut(&mut self.cards, place);
            shuffle(&mut self.rng, pile);
        }
        self.wars += 1;
        self.head = head + LAID;
        self.tail = tails[0] + ((2 * LAID) & zero_wins);
    }

    /// The pairs in the order that chance gives them, as the plain rules draw it.
    #[inline(always)]
    fn toss(&mut self, turns: usize, low_high: [u8; 16], high_low: [u8; 16]) -> [u8; 16] {
        let mut high_first = 0;
        for turn in 0..turns {
            // This is how a pile of two is shuffled.
            let swapped = self.rng.below(2) == 0;
            high_first |= u8::from(swapped) << turn;
        }
        std::array::from_fn(|i| {
            let swap = (high_first >> (i / 2) & 1u8).wrapping_neg();
            low_high[i] ^ ((low_high[i] ^ high_low[i]) & swap)
        })
    }

    /// A turn with wars within wars, or one in which somebody falls short.
    #[cold]
    #[inline(never)]
    fn hard_war<const ORDER: u8>(&mut self) {
        let head = self.head;
        let tails = self.tails();
        let mut laid = [1, 1];
        let mut wars = 0;
        let result = loop {
            let [a, b] = [0, 1].map(|p| self.cards[p * ROOM + head + laid[p] - 1]);
            if a != b {
                break Ok(usize::from(a < b));
            }
            wars += 1;
            let left = [0, 1].map(|player| tails[player] - head - laid[player]);
            let needed = match self.short_war {
                ShortWar::Loses => STAKE,
                ShortWar::LastCard => 1,
            };
            match left.map(|left| left >= needed) {
                [true, true] => laid = [0, 1].map(|p| laid[p] + left[p].min(STAKE)),
                [true, false] => break Err(Ending::Won(Seat(0))),
                [false, true] => break Err(Ending::Won(Seat(1))),
                [false, false] => break Err(Ending::Draw),
            }
        };
        self.wars += wars;
        self.head += 1 + STAKE * wars;
        let winner = match result {
            Ok(winner) => winner,
            Err(ending) => {
                self.ending = Some(ending);
                return;
            }
        };
        let first = match ORDER {
            TRANSCRIPT | SHUFFLED => 1 - winner,
            WINNER_FIRST => winner,
            _ => 0,
        };
        let mut pile = [0; DECK];
        let pile = &mut pile[..laid[0] + laid[1]];
        let (front, back) = pile.split_at_mut(laid[first]);
        front.copy_from_slice(&self.cards[first * ROOM + head..][..front.len()]);
        back.copy_from_slice(&self.cards[(1 - first) * ROOM + head..][..back.len()]);
        if ORDER == SHUFFLED {
            shuffle(&mut self.rng, pile);
        }
        // Who lays fewer cards than the other has none left: if he wins, his hand starts anew at
        // the common head.
        let tail = tails[winner].max(self.head);
        self.cards[winner * ROOM + tail..][..pile.len()].copy_from_slice(pile);
        let end = tail + pile.len();
        self.tail = [end, DECK + 2 * self.head - end][winner];
    }

    /// How the game went, once it is over; a game that has used up its room is played on, with an
    /// eye on a cycle.
    fn finish<const ORDER: u8, E: Eight>(&mut self, eight: E) -> Played {
        let mut moved = 0;
        let mut steps = 0u64;
        // A step depends on the hands alone, so hands that come back after a step prove that the
        // game is endless, as they do after a turn (see the plain rules).
        let mut marked = None;
        loop {
            if self.ending.is_none() && self.fewest() == 0 {
                let winner = usize::from(self.tail == self.head);
                self.ending = Some(Ending::Won(Seat::from(winner)));
            }
            if let Some(ending) = self.ending {
                return Played {
                    turns: (moved + self.head - STAKE * self.wars) as u64,
                    wars: self.wars as u64,
                    ending,
                };
            }
            if self.head > LONGEST {
                moved += self.head;
                self.move_back();
            }
            let hands = self.hands();
            if ORDER != SHUFFLED && marked.as_ref() == Some(&hands) {
                self.ending = Some(Ending::Endless);
                continue;
            }
            if steps.is_power_of_two() {
                marked = Some(hands);
            }
            steps += 1;
            self.step::<ORDER, E>(eight);
        }
    }

    /// Both hands, one after the other, and the size of the first.
    fn hands(&self) -> ([u8; DECK], usize) {
        let [zero, one] = self.tails();
        let count = zero - self.head;
        let mut hands = [0; DECK];
        hands[..count].copy_from_slice(&self.cards[self.head..zero]);
        hands[count..].copy_from_slice(&self.cards[ROOM + self.head..ROOM + one]);
        (hands, count)
    }

    /// Moves both hands back to the front.
    fn move_back(&mut self) {
        let [zero, one] = self.tails();
        self.cards.copy_within(self.head..zero, 0);
        self.cards.copy_within(ROOM + self.head..ROOM + one, ROOM);
        self.tail -= self.head;
        self.head = 0;
    }
}

/// Where the hand of player 1 ends: both hands together are the deck.
#[inline(always)]
fn tail_of_one(head: usize, tail_of_zero: usize) -> usize {
    DECK + 2 * head - tail_of_zero
}

/// Shuffles as the plain rules do, which have the next card last.
#[inline(always)]
fn shuffle(rng: &mut Rng, pile: &mut [u8]) {
    pile.reverse();
    rng.shuffle(pile);
    pile.reverse();
}

#[inline(always)]
fn chunk<const N: usize>(cards: &[u8; 2 * ROOM], at: usize) -> &[u8; N] {
    cards[at..]
        .first_chunk()
        .expect("there is room behind the longest game")
}

#[inline(always)]
fn chunk_mut<const N: usize>(cards: &mut [u8; 2 * ROOM], at: usize) -> &mut [u8; N] {
    cards[at..]
        .first_chunk_mut()
        .expect("there is room behind the longest game")
}

#[cfg(test)]
mod tests {
    use croupier_core::Game;
    use proptest::prelude::*;

    use super::*;
    use crate::war::{Showdown, War};

    fn setups() -> impl Strategy<Value = Setup> {
        let short_war = prop_oneof![Just(ShortWar::Loses), Just(ShortWar::LastCard)];
        let winnings = prop_oneof![
            Just(Winnings::Transcript),
            Just(Winnings::WinnerFirst),
            Just(Winnings::Shuffled),
            Just(Winnings::Player0First),
        ];
        (short_war, winnings).prop_map(|(short_war, winnings)| Setup {
            short_war,
            winnings,
            max_turns: None,
        })
    }

    /// What the plain rules say; the turn at which an endless game is found out does not matter.
    fn plainly(setup: &Setup, seed: Seed) -> Played {
        let mut war = War::deal(setup, seed);
        while war.play(Showdown).is_ok() {}
        let ending = war.ending().expect("it cannot go on");
        without_end(Played {
            turns: war.turns(),
            wars: war.wars(),
            ending,
        })
    }

    fn without_end(played: Played) -> Played {
        match played.ending {
            Ending::Endless => Played {
                turns: 0,
                wars: 0,
                ..played
            },
            _ => played,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn every_deal_goes_as_by_the_plain_rules(setup in setups(), master: u64, deals in 0u64..60) {
            let master = Seed(master);
            let check = |eight: &str, number, played| {
                assert_eq!(without_end(played), plainly(&setup, master.deal(number)), "{eight} {number}");
            };
            let mut played = 0;
            play(&setup, master, 0..deals, |number, result| {
                played += 1;
                check("best", number, result);
            });
            prop_assert_eq!(played, deals);
            play_with(Portable, &setup, master, 0..deals, |number, result| check("portable", number, result));
        }
    }
}
