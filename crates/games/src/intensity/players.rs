//! The players that come with the game.
//!
//! They decide on a view alone, so the same players sit at a table of ours and answer the
//! questions of somebody else's referee.
//!
//! `careful` looks at every card it may play and adds up two things: what this round may cost if
//! it plays that card, and how dangerous the cards are that it then still holds. It plays where
//! the sum is least. With the cards to pass on it is the same: of all 120 choices it takes the one
//! that leaves the least dangerous hand.
//!
//! Nothing of the usual advice is written down as a rule of its own, but it comes out of the sum:
//! it ducks with the highest card that still ducks, takes a harmless round with its highest card
//! when it plays last, gets rid of the buffalo, of the 48 and 49 while the buffalo is out, and of
//! high calves as soon as it cannot follow, and leads low. It watches what is still out: a card
//! is high or low only in comparison with the cards that the others may hold, and who did not
//! follow before will not follow again.

use std::num::NonZeroU64;

use croupier_core::{BuiltIn, NoMove, Player, RandomPlayer, Rng, Seat, Seed, Strength, Turn};
use croupier_search::{OPTIONS, Thinking, expert, search};

use super::{Card, Cards, Intensity, Move, PASS, Playing, SEATS, Unseen, View};

/// A way to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Any legal choice, each equally likely.
    Random,
    /// Ducks, sheds what is dangerous, and watches what is still out.
    Careful,
    /// Imagines the hidden cards and plays on in its mind, thinking like this.
    Expert(Thinking),
}

/// How long the expert thinks where a program is started for every decision: long enough to play
/// its best, and a small part of what a referee gives it even on a slow machine. By the number of
/// games and not by the clock, so that the same seed gives the same answer.
const THINKING: Thinking = Thinking::iterations(NonZeroU64::new(5_000).expect("it is not zero"));

impl Strategy {
    /// All of them, the best last.
    pub const ALL: [Strategy; 3] = [
        Strategy::Random,
        Strategy::Careful,
        Strategy::Expert(THINKING),
    ];

    /// The name by which it is called for.
    pub const fn name(self) -> &'static str {
        match self {
            Strategy::Random => "random",
            Strategy::Careful => "careful",
            Strategy::Expert(_) => "expert",
        }
    }

    /// How it plays, in one sentence.
    pub const fn about(self) -> &'static str {
        match self {
            Strategy::Random => "passes any cards and plays any legal card, each equally likely",
            Strategy::Careful => "ducks, sheds dangerous cards and watches what is still out",
            Strategy::Expert(_) => {
                "imagines the hidden cards in many ways and plays for the best place"
            }
        }
    }

    /// The same player, with next to no time to think.
    pub const fn hurried(self) -> Strategy {
        match self {
            Strategy::Expert(_) => Strategy::Expert(Thinking::iterations(NonZeroU64::MIN)),
            quick => quick,
        }
    }

    /// What it does when it sees this; chance comes from `rng`.
    ///
    /// # Panics
    /// If the game is over, so that there is nothing to choose.
    pub fn choose(self, view: &View, rng: &mut Rng) -> Move {
        match (self, view) {
            (Strategy::Expert(thinking), view) => {
                let chance = Seed(rng.bits());
                let found = || search::<Intensity>(view, &thinking, chance)[0].choice;
                forced(view).unwrap_or_else(found)
            }
            (Strategy::Random, View::Discarding(view)) => {
                discard(view.hand().any_of_them::<PASS>(rng))
            }
            (Strategy::Random, View::Playing(view)) => {
                Move::play(view.legal().any(rng).expect(HAS_A_CARD))
            }
            (Strategy::Careful, View::Discarding(view)) => discard(careful_discards(view.hand())),
            (Strategy::Careful, View::Playing(view)) => Move::play(careful_play(view)),
        }
    }
}

/// The only legal move, if there is but one: nothing is to be thought about.
fn forced(view: &View) -> Option<Move> {
    match view {
        View::Playing(view) => {
            let mut legal = view.legal().iter();
            let card = legal.next()?;
            legal.next().is_none().then(|| Move::play(card))
        }
        View::Discarding(_) => None,
    }
}

const HAS_A_CARD: &str = "whose turn it is has a card to play";

fn discard(cards: Cards) -> Move {
    Move::discard(cards).expect("three cards of ten have been chosen")
}

pub(super) const PLAYERS: &[BuiltIn<Intensity>] = &[
    BuiltIn {
        name: Strategy::Random.name(),
        about: Strategy::Random.about(),
        strength: Strength::Weak,
        options: &[],
        make: |_| Ok(Box::new(RandomPlayer::default())),
    },
    BuiltIn {
        name: Strategy::Careful.name(),
        about: Strategy::Careful.about(),
        strength: Strength::Good,
        options: &[],
        make: |_| Ok(Box::new(Careful)),
    },
    BuiltIn {
        name: Strategy::Expert(THINKING).name(),
        about: Strategy::Expert(THINKING).about(),
        strength: Strength::Strong,
        options: OPTIONS,
        make: expert,
    },
];

/// Sits at the table and plays carefully. It leaves nothing to chance.
struct Careful;

impl Player<Intensity> for Careful {
    fn decide(&mut self, turn: &Turn<'_, Intensity>) -> Result<Move, NoMove> {
        Ok(match turn.view() {
            View::Discarding(view) => discard(careful_discards(view.hand())),
            View::Playing(view) => Move::play(careful_play(&view)),
        })
    }
}

/// What it is likely to cost, in points, to win a round with a card: nearly one point for whatever
/// others get rid of, some calves for a calf, a part of the buffalo for a card that can catch it,
/// and all of it for the buffalo itself. These numbers and the next four were found by playing.
pub(super) const PRICE: f64 = 1.0;
pub(super) const PRICE_OF_A_CALF: f64 = 2.0;
pub(super) const PRICE_ABOVE_THE_BUFFALO: f64 = 3.5;
pub(super) const PRICE_OF_THE_BUFFALO: f64 = 7.0;

/// A lower card of the same suit in the own hand can be played first and leaves this much of the
/// danger.
pub(super) const GUARDED: f64 = 0.7;

/// A card of a suit that nobody else has is rarely led by others, but wins when it is led.
pub(super) const ALONE: f64 = 0.4;

/// What somebody who cannot follow adds to a round, on average.
pub(super) const THROWN_IN: f64 = 2.0;

/// What it costs to lead the next round.
pub(super) const LEADING: f64 = 0.25;

/// The three cards without which the hand is least dangerous.
fn careful_discards(hand: Cards) -> Cards {
    let out = Cards::ALL - hand;
    let left = |three: &Cards| danger(hand - *three, out | *three);
    least(hand.threes(), left).expect("ten cards can be passed on in 120 ways")
}

/// The card that costs least, now and later.
fn careful_play(view: &Playing) -> Card {
    let unseen = Unseen::of(view);
    let cost = |card: &Card| {
        let rest = view.hand() - (*card).into();
        cost_now(view, &unseen, *card) + danger(rest, unseen.out())
    };
    least(view.legal().iter(), cost).expect(HAS_A_CARD)
}

/// The choice that costs least; the first of those that cost the same.
fn least<T>(choices: impl Iterator<Item = T>, cost: impl Fn(&T) -> f64) -> Option<T> {
    let costs = choices.map(|choice| (cost(&choice), choice));
    let least = costs.min_by(|(one, _), (other, _)| one.total_cmp(other));
    least.map(|(_, choice)| choice)
}

/// What playing this card is likely to cost in this round: the chance that it wins, times what
/// the round will contain.
fn cost_now(view: &Playing, unseen: &Unseen, card: Card) -> f64 {
    if view.best().is_some_and(|best| !card.beats(best)) {
        return 0.0;
    }
    let after = |seats| Seat::from((view.position().index() + seats) % SEATS);
    let mut wins = 1.0;
    let mut cost = f64::from(view.stake() + card.points());
    for seat in (1..SEATS - view.round().len()).map(after) {
        let may = unseen.may_hold(seat);
        let follows = follows(may, card, view.hand().len());
        let above = (may & Cards::above(card)).len() as f64;
        let below = (may & Cards::below(card)).len() as f64;
        if above > 0.0 {
            // Squared, because who has a choice will rather stay below.
            wins *= 1.0 - follows * (above / (above + below)).powi(2);
        }
        cost += (1.0 - follows) * THROWN_IN;
        if card.is_calf() {
            cost += follows;
        }
        if card > Card::BUFFALO && may.contains(Card::BUFFALO) {
            let holders = (1..SEATS).map(after);
            let holders = holders.filter(|&seat| unseen.may_hold(seat).contains(Card::BUFFALO));
            cost += f64::from(Card::BUFFALO.points()) / holders.count() as f64;
        }
    }
    wins * (cost + LEADING)
}

/// How likely a seat can follow this card, if it has `count` of the cards that it may hold.
fn follows(may: Cards, card: Card, count: usize) -> f64 {
    let suit = (may & Cards::of_suit(card.suit())).len();
    let elsewhere = 1.0 - count as f64 / may.len().max(count) as f64;
    1.0 - elsewhere.powi(suit as i32)
}

/// How dangerous it is to hold these cards while the others hold those that are out: for each card
/// how high it is among those of its suit that are out, times the price of winning with it.
fn danger(hand: Cards, out: Cards) -> f64 {
    let danger = |card: Card| {
        let below = (out & Cards::below(card)).len() as f64;
        let above = (out & Cards::above(card)).len() as f64;
        let high = match below + above {
            0.0 => ALONE,
            others => {
                let share = below / others;
                share * share.sqrt()
            }
        };
        let price = if card == Card::BUFFALO {
            PRICE_OF_THE_BUFFALO
        } else if card > Card::BUFFALO && out.contains(Card::BUFFALO) {
            PRICE_ABOVE_THE_BUFFALO
        } else if card.is_calf() {
            PRICE_OF_A_CALF
        } else {
            PRICE
        };
        let guards = (hand & Cards::below(card)).len();
        price * high * GUARDED.powi(guards as i32)
    };
    hand.iter().map(danger).sum()
}

#[cfg(test)]
mod tests {
    use croupier_core::Game;

    use super::super::Setup;
    use super::*;

    /// With a budget that would not be spent in a year, whoever thinks does not come back.
    #[test]
    fn a_forced_card_costs_no_thought() {
        let endless = Thinking::iterations(NonZeroU64::MAX);
        let mut forced_cards = 0;
        for deal in 0..3 {
            let mut game = Intensity::deal(&Setup {}, Seed(deal));
            let mut rng = Seed(deal).rng();
            while let Some(seat) = game.to_move() {
                let view = game.view(seat);
                let choice = match forced(&view) {
                    Some(card) => {
                        forced_cards += 1;
                        assert_eq!(Strategy::Expert(endless).choose(&view, &mut rng), card);
                        card
                    }
                    None => Strategy::Random.choose(&view, &mut rng),
                };
                game.play(choice).expect("it is legal");
            }
        }
        // The last card of everybody at least.
        assert!(forced_cards >= 3 * SEATS, "{forced_cards}");
    }
}
