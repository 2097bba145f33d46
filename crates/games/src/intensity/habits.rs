//! How others may choose: habits, and what a game shows of them.
//!
//! Not everybody plays like `careful`. Programs pass their highest cards on, or their shortest suit; some
//! follow as low as they can, others as high as they may without winning. Each of these is a habit in one
//! sort of choice: passing on, leading, following suit, throwing away. A player has one habit for each
//! sort, so a few simple rules make thousands of characters, also such that nobody has thought of.
//!
//! A habit gives every choice a probability. The likelihood of a player's choices is a mixture: with the
//! prior probability [`CAREFUL_PLAYER`] it is careful throughout, otherwise its habits are independent of
//! each other and all equally likely. Nothing is carried from game to game: what is learnt is the posterior
//! distribution given the cards of this game.

use croupier_core::Rng;

use super::judgement::{CAREFUL, CUNNING, Judgement};
use super::{Card, Cards, PASS, SEATS};

/// The prior probability that a player is careful throughout.
const CAREFUL_PLAYER: f32 = 0.5;

/// How many habits there are for each sort of choice: the first is careful, the last chooses at random.
const HABITS: usize = 8;
const ROUGHLY: usize = HABITS - 2;
const ANY: usize = HABITS - 1;

/// How often a player with a simple rule deviates from it, and a careful one.
const SLIP: f32 = 0.1;
const CAREFUL_SLIP: f32 = 0.01;

/// The probability of passing on some three cards, by how many of them the habit would pass on: nearly
/// three quarters of the time all three, and each other number spread over the ways that there are.
const PASSED: [f32; PASS + 1] = [0.03 / 35.0, 0.07 / 63.0, 0.2 / 21.0, 0.7];

/// The probability of any three cards.
const PASSED_ANY: f32 = 1.0 / 120.0;

/// A sort of choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    Pass,
    Lead,
    Follow,
    Throw,
}

const SORTS: usize = 4;

/// The habits of one player: one for each sort of choice. By default it is careful.
#[derive(Clone, Copy, Default, Debug)]
struct Habits([u8; SORTS]);

/// How all players choose in an imagined game.
#[derive(Clone, Copy, Default, Debug)]
pub struct Others {
    habits: [Habits; SEATS],
    /// Where a habit leaves the choice open, this decides, so that the same game goes on in the same way.
    chance: u64,
}

impl Others {
    /// Players of whom nothing is known.
    pub(super) fn unknown(rng: &mut Rng) -> Others {
        let habits = std::array::from_fn(|_| Evidence::NONE.draw(rng));
        Others {
            habits,
            chance: rng.bits(),
        }
    }

    /// Players who have shown this.
    pub(super) fn drawn(evidence: &[Evidence; SEATS], rng: &mut Rng) -> Others {
        let habits = std::array::from_fn(|seat| evidence[seat].draw(rng));
        Others {
            habits,
            chance: rng.bits(),
        }
    }

    /// The three cards that a seat passes on from this hand.
    pub(super) fn passes(&self, seat: usize, hand: Cards) -> Cards {
        match usize::from(self.habits[seat].0[Sort::Pass as usize]) {
            ANY => some_three(hand, self.chance.wrapping_add(seat as u64)),
            habit => passed_by(hand)[habit],
        }
    }

    /// What a seat wants to play of these cards.
    #[inline]
    pub(super) fn plays(&self, seat: usize, choice: &Choice) -> Wish {
        let habit = usize::from(self.habits[seat].0[choice.sort as usize]);
        if habit == 0 {
            return Wish::Careful;
        }
        let drawn = || (self.chance ^ hash(choice.hand)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        if habit == ROUGHLY {
            return Wish::Roughly(drawn() as f32 / (1 << 24) as f32);
        }
        let favoured = choice.favoured_by(habit);
        let any = || nth(favoured, drawn() as usize % favoured.len());
        Wish::Card(favoured.only().unwrap_or_else(any))
    }
}

/// What somebody wants to play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Wish {
    /// What costs least.
    Careful,
    /// What does not cost much more than that; a number from 0 to 1 decides what exactly.
    Roughly(f32),
    Card(Card),
}

/// What has to be chosen: one of several cards.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub(super) sort: Sort,
    pub(super) legal: Cards,
    pub(super) hand: Cards,
    /// The card that wins the round as it stands; it means nothing at a lead.
    pub(super) best: Card,
    /// The points that the round contains.
    pub(super) stake: u8,
}

impl Choice {
    /// The cards among which somebody with this habit chooses at random.
    #[inline]
    fn favoured_by(&self, habit: usize) -> Cards {
        let legal = self.legal;
        let duck = || (legal & Cards::below(self.best)).highest();
        let one = match (self.sort, habit) {
            (Sort::Lead, 1) | (Sort::Follow, 1) | (Sort::Throw, 4) => legal.lowest(),
            (Sort::Lead, 2) | (Sort::Follow, 2) | (Sort::Throw, 2) => legal.highest(),
            (Sort::Lead, 3) => return legal.lowest_digits(),
            (Sort::Lead, 4) | (Sort::Throw, 3) => return legal.highest_digits(),
            (Sort::Lead, 5) => shortest_suit(self.hand, legal).lowest(),
            (Sort::Follow, 3) => duck().or(legal.lowest()),
            (Sort::Follow, 4) => duck().or(legal.highest()),
            (Sort::Follow, 5) if self.stake == 0 => legal.highest(),
            (Sort::Follow, 5) => legal.lowest(),
            (Sort::Throw, 1) if legal.contains(Card::BUFFALO) => Some(Card::BUFFALO),
            (Sort::Throw, 1) => match (legal & Cards::CALVES).highest() {
                None => return legal.highest_digits(),
                calf => calf,
            },
            (Sort::Throw, 5) => shortest_suit(self.hand, legal).highest(),
            _ => None,
        };
        one.map_or(legal, Cards::from)
    }
}

/// What a player's choices show of its habits: for each sort of choice how likely they were with each
/// habit.
#[derive(Clone, Copy)]
pub(super) struct Evidence([[f32; HABITS]; SORTS]);

impl Evidence {
    pub(super) const NONE: Evidence = Evidence([[1.0; HABITS]; SORTS]);

    /// How likely it is that a player passes these cards on from this hand.
    pub(super) fn of_passing(hand: Cards, passed: Cards) -> f64 {
        let mut shown = Evidence::NONE;
        shown.passed(hand, passed);
        shown.likelihood()
    }

    /// The player has passed these cards on from this hand.
    pub(super) fn passed(&mut self, hand: Cards, passed: Cards) {
        let by = passed_by(hand);
        let likelihoods = &mut self.0[Sort::Pass as usize];
        for (likelihood, by) in likelihoods.iter_mut().zip(by) {
            *likelihood *= PASSED[(by & passed).len()];
        }
        likelihoods[ANY] = PASSED_ANY;
    }

    /// The player has played this card, which a careful player plays with the first of these probabilities
    /// and one who is roughly so with the second.
    #[inline]
    pub(super) fn played(&mut self, choice: &Choice, card: Card, carefully: [f32; 2]) {
        let likelihoods = &mut self.0[choice.sort as usize];
        let any = 1.0 / choice.legal.len() as f32;
        for (habit, likelihood) in likelihoods.iter_mut().enumerate() {
            *likelihood *= match habit {
                0 => CAREFUL_SLIP * any + (1.0 - CAREFUL_SLIP) * carefully[0],
                ROUGHLY => carefully[1],
                ANY => any,
                _ => {
                    let favoured = choice.favoured_by(habit);
                    let is_favoured = favoured.contains(card);
                    let share = f32::from(is_favoured) / favoured.len() as f32;
                    SLIP * any + (1.0 - SLIP) * share
                }
            };
        }
    }

    /// How likely all choices were.
    #[inline]
    pub(super) fn likelihood(&self) -> f64 {
        let (careful, mixed) = self.mixture();
        f64::from(careful) + f64::from(mixed)
    }

    /// The parts of the likelihood of a player who is careful throughout, and of one with any habits.
    #[inline]
    fn mixture(&self) -> (f32, f32) {
        let (mut careful, mut mixed) = (CAREFUL_PLAYER, 1.0 - CAREFUL_PLAYER);
        for likelihoods in &self.0 {
            careful *= likelihoods[0];
            mixed *= likelihoods.iter().sum::<f32>() / HABITS as f32;
        }
        (careful, mixed)
    }

    /// Habits drawn from the posterior distribution.
    fn draw(&self, rng: &mut Rng) -> Habits {
        let (careful, mixed) = self.mixture();
        if uniform(rng) * (careful + mixed) < careful {
            return Habits::default();
        }
        Habits(self.0.map(|likelihoods| {
            let mut left = uniform(rng) * likelihoods.iter().sum::<f32>();
            let found = likelihoods.iter().position(|likelihood| {
                left -= likelihood;
                left < 0.0
            });
            found.unwrap_or(ANY) as u8
        }))
    }
}

/// What each habit passes on from a hand; who chooses at random may pass anything.
fn passed_by(hand: Cards) -> [Cards; HABITS] {
    let careful: &Judgement = &CAREFUL;
    let without_buffalo = hand - Card::BUFFALO.into();
    let mut by_points = hand & (Cards::CALVES | Card::BUFFALO.into());
    by_points = by_points.highest_by_digit(PASS);
    let rest = (hand - by_points).highest_by_digit(PASS - by_points.len());
    [
        careful.discards(hand).0,
        hand.highest_by_number(PASS),
        hand.highest_by_digit(PASS),
        without_buffalo.highest_by_digit(PASS),
        by_points | rest,
        from_short_suits(hand),
        CUNNING.discards(hand).0,
        Cards::NONE,
    ]
}

/// Three cards, from the shortest suit first, the highest first.
fn from_short_suits(hand: Cards) -> Cards {
    let mut passed = Cards::NONE;
    while passed.len() < PASS {
        let left = hand - passed;
        let card = shortest_suit(left, left).highest();
        passed |= card.expect("a hand has more than three cards").into();
    }
    passed
}

/// The cards among these of the suit of which the hand holds fewest.
#[inline]
fn shortest_suit(hand: Cards, among: Cards) -> Cards {
    let suits = (1..=4).map(Cards::of_suit);
    let there = suits.filter(|&suit| !(among & suit).is_empty());
    let shortest = there.min_by_key(|&suit| (hand & suit).len());
    shortest.map_or(among, |suit| among & suit)
}

/// Any three cards of a hand.
fn some_three(hand: Cards, chance: u64) -> Cards {
    hand.any_of_them::<PASS>(&mut croupier_core::Seed(chance).rng())
}

fn hash(hand: Cards) -> u64 {
    (1..=4).fold(0, |all, suit| all << 10 | hand.in_suit(suit) as u64)
}

fn nth(cards: Cards, index: usize) -> Card {
    let card = cards.iter().nth(index);
    card.expect("there are more cards than that")
}

/// A number from 0 to 1, each equally likely.
#[inline]
pub(super) fn uniform(rng: &mut Rng) -> f32 {
    (rng.bits() >> 40) as f32 / (1 << 24) as f32
}

#[cfg(test)]
mod tests {
    use croupier_core::Seed;

    use super::*;

    fn card(number: u8) -> Card {
        Card::new(number).expect("a card of the deck")
    }

    /// Who follows as low as it can four times, where a careful player would have done something else,
    /// is expected to do so again, and not to be careful in other choices either.
    #[test]
    fn what_a_player_does_again_and_again_is_its_habit() {
        let legal: Cards = [12, 15, 17].map(card).into_iter().collect();
        let choice = Choice {
            sort: Sort::Follow,
            legal,
            hand: legal,
            best: card(16),
            stake: 0,
        };
        let mut shown = Evidence::NONE;
        for _ in 0..4 {
            shown.played(&choice, card(12), [0.02, 0.2]);
        }
        let mut rng = Seed(1).rng();
        let lowest = (0..1000).filter(|_| {
            let others = Others::drawn(&[shown; SEATS], &mut rng);
            others.plays(1, &choice) == Wish::Card(card(12))
        });
        let lowest = lowest.count();
        assert!(lowest > 900, "{lowest} of 1000");
        let careful = (0..1000).filter(|_| {
            let others = Others::unknown(&mut rng);
            others.plays(1, &choice) == Wish::Careful
        });
        let careful = careful.count();
        assert!((500..650).contains(&careful), "{careful} of 1000");
    }
}
