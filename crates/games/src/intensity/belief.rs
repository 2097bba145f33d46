//! What the choices of the others tell about their cards.
//!
//! All deals that agree with a view are equally likely only as long as nothing is known of how the
//! others choose. But who passes on the 12 and the 21 has nothing worse, and who throws a low calf
//! away does not hold the buffalo. So a deal is believed the less, the more somebody in it would
//! have gone against what a careful player does with such cards, in what was passed on and in what
//! was played. But who goes against it again and again, whatever the deal, is not careful, and more
//! of that tells nothing.
//!
//! Deals are drawn in Metropolis's way: two cards change places, which is taken back if it makes
//! what happened odder, though not always. Every deal comes from the one before it.

use croupier_core::{Rng, Seat, Seed};
use croupier_search::Pace;

use super::judgement::CAREFUL;
use super::playout::Playout;
use super::{Card, Cards, Intensity, Playing, SEATS, Unseen};

/// A deal in which somebody passed on cards that leave this much more danger than the best ones is
/// believed e times less; so is a deal in which somebody played a card that costs this much more
/// than the best one.
const ODD: f32 = 0.02;

/// One choice never makes a deal less credible than this power of e: everybody slips once.
const ODDEST_CHOICE: f32 = 8.0;

/// All the choices of one player together never make it less credible than this power of e: not
/// everybody is careful.
const ODDEST_PLAYER: f32 = 16.0;

/// So often, and once more for every card played, cards change places between two deals: the more
/// has happened, the harder it is to find another deal that explains it. Who is thorough lets them
/// change this many times as often.
const CHANGES: usize = 4;
const THOROUGHLY: usize = 2;

/// Before the first deal is believed, they change places as often as between so many deals.
const AT_FIRST: usize = 12;

/// Of so many changes, one is in what was passed on; in the others cards change hands.
const IN_WHAT_WAS_PASSED: usize = 3;

/// What a seat believes about the cards that it does not see.
#[derive(Clone)]
pub(super) struct Belief<'a> {
    view: &'a Playing,
    unseen: Unseen,
    /// The other seats, the next one first.
    others: [usize; SEATS - 1],
    /// How often cards change places between two deals.
    changes: usize,
    /// The deal that was imagined last.
    deal: Option<Deal>,
}

/// A way in which the cards may have been passed and lie.
#[derive(Clone, Copy)]
struct Deal {
    /// The ten cards of each seat with which the first round began.
    tens: [Cards; SEATS],
    /// What each seat passed on to the next.
    passed: [Cards; SEATS],
    oddness: f32,
}

impl Belief<'_> {
    pub(super) fn of(view: &Playing, pace: Pace) -> Belief<'_> {
        let played = view.earlier().len() + view.round().len();
        Belief {
            view,
            unseen: Unseen::of(view),
            others: [1, 2, 3].map(|after| (view.position().index() + after) % SEATS),
            changes: match pace {
                Pace::Brisk => CHANGES + played,
                Pace::Thorough => THOROUGHLY * (CHANGES + played),
            },
            deal: None,
        }
    }

    /// A game that agrees with the view, likelier the better it explains what the others did.
    pub(super) fn imagine(&mut self, rng: &mut Rng) -> Intensity {
        let (mut deal, changes) = match self.deal {
            Some(deal) => (deal, self.changes),
            None => (self.any(rng), AT_FIRST * self.changes),
        };
        for _ in 0..changes {
            if let Some(changed) = self.changed(&deal, rng)
                && let Some(oddness) = self.oddness(&changed, deal.oddness + doubt(rng))
            {
                deal = Deal { oddness, ..changed };
            }
        }
        self.deal = Some(deal);
        let hands = std::array::from_fn(|seat| deal.tens[seat] - self.unseen.played(seat));
        let chance = Seed(rng.bits()).rng();
        Intensity::under_way(hands, deal.passed, *self.view.table(), chance)
    }

    /// Any deal that agrees with the view. Those of whom it is not known what they were given were
    /// given what they would best have passed on themselves.
    fn any(&self, rng: &mut Rng) -> Deal {
        let [next, across, last] = self.others;
        let hands = self.unseen.hands(rng);
        let tens: [Cards; SEATS] =
            std::array::from_fn(|seat| hands[seat] | self.unseen.played(seat));
        let mut passed = [self.view.discarded(); SEATS];
        passed[next] = CAREFUL.discards(tens[across]).0;
        passed[across] = CAREFUL.discards(tens[last]).0;
        passed[last] = self.view.received();
        let mut deal = Deal {
            tens,
            passed,
            oddness: 0.0,
        };
        deal.oddness = self.oddness(&deal, f32::INFINITY).unwrap_or(f32::INFINITY);
        deal
    }

    /// The deal after two cards have changed places, if they can.
    fn changed(&self, deal: &Deal, rng: &mut Rng) -> Option<Deal> {
        if rng.below(IN_WHAT_WAS_PASSED) == 0 {
            self.passed_otherwise(deal, rng)
        } else {
            self.held_otherwise(deal, rng)
        }
    }

    /// Somebody has been given another of its cards. What has come to this seat, and to the next
    /// from it, is known.
    fn passed_otherwise(&self, deal: &Deal, rng: &mut Rng) -> Option<Deal> {
        let giver = rng.below(2);
        let [giver, taker] = [self.others[giver], self.others[giver + 1]];
        let passed = deal.passed[giver];
        let no_more = passed.any(rng)?;
        let instead = (deal.tens[taker] - passed).any(rng)?;
        let mut changed = *deal;
        changed.passed[giver] = swapped(passed, no_more, instead);
        Some(changed)
    }

    /// Two of the others have changed cards, each of which becomes what the other one was.
    fn held_otherwise(&self, deal: &Deal, rng: &mut Rng) -> Option<Deal> {
        let one = rng.below(3);
        let other = (one + 1 + rng.below(2)) % 3;
        let [one, other] = [self.others[one], self.others[other]];
        let mut any = |seat: usize| {
            let sure = self.unseen.played(seat) | self.unseen.known(seat);
            (deal.tens[seat] - sure).any(rng)
        };
        let (given, taken) = (any(one)?, any(other)?);
        let may = |seat: usize, card| self.unseen.may_hold(Seat::from(seat)).contains(card);
        if !may(other, given) || !may(one, taken) {
            return None;
        }
        let swapped = |cards: Cards| match (cards.contains(given), cards.contains(taken)) {
            (true, false) => swapped(cards, given, taken),
            (false, true) => swapped(cards, taken, given),
            _ => cards,
        };
        Some(Deal {
            tens: deal.tens.map(swapped),
            passed: deal.passed.map(swapped),
            ..*deal
        })
    }

    /// How odd the choices of the others were if this is the deal; none if that is more than `most`.
    fn oddness(&self, deal: &Deal, most: f32) -> Option<f32> {
        let mut odd = [0.0; SEATS];
        for seat in self.others {
            let kept = deal.tens[seat] - deal.passed[(seat + SEATS - 1) % SEATS];
            let best = CAREFUL.discards(kept | deal.passed[seat]).1;
            odd[seat] += odd_choice(CAREFUL.keeping(kept) - best);
        }
        let mut playout = Playout::new(deal.tens, deal.passed);
        let mut all = odd_players(&odd);
        for &card in self.view.earlier().iter().chain(self.view.round()) {
            if all > most {
                return None;
            }
            let turn = playout.turn();
            if turn != self.view.position().index() {
                odd[turn] += odd_choice(playout.regret(card));
                all = odd_players(&odd);
            }
            playout.lay(card);
        }
        (all <= most).then_some(all)
    }
}

/// How odd a choice is that costs so much more than the best one.
fn odd_choice(regret: f32) -> f32 {
    (regret / ODD).min(ODDEST_CHOICE)
}

/// How odd players are together whose choices are so odd: the first of them count most.
fn odd_players(choices: &[f32; SEATS]) -> f32 {
    let player = |odd: &f32| odd * ODDEST_PLAYER / (odd + ODDEST_PLAYER);
    choices.iter().map(player).sum()
}

fn swapped(cards: Cards, out: Card, into: Card) -> Cards {
    (cards - out.into()) | into.into()
}

/// How much doubt is tolerated: more than d once in e to the power of d times. The logarithm is a
/// straight line between powers of two, so that it is the same on every machine.
fn doubt(rng: &mut Rng) -> f32 {
    let bits = rng.bits() | 1;
    let halvings = bits.leading_zeros();
    let rest = ((bits << halvings << 1) >> 40) as f32 / (1 << 24) as f32;
    (halvings as f32 + 1.0 - rest) * std::f32::consts::LN_2
}
