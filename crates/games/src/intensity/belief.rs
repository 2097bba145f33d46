//! The posterior distribution of the hidden cards, given what the others chose.
//!
//! All deals that agree with a view are equally likely only as long as nothing is known of how the
//! others choose. But who passes on the 12 and the 21 has nothing worse, and who throws a low calf
//! away does not hold the buffalo. So a deal has a likelihood: how likely were the cards that the others
//! passed on and played, if they held those cards? That depends on how they choose, which is not known
//! either, so it is averaged over all habits that they may have ([`super::habits`]).
//!
//! Deals are drawn from the posterior by the Metropolis algorithm (Markov chain Monte Carlo): two
//! cards change places, and the change is kept with a probability that depends on how much less
//! likely it makes the choices. Every deal comes from the one before it. The habits of the others are then
//! drawn given the deal, so that together they come from the joint posterior of hands and habits.

use croupier_core::{Rng, Seat, Seed};
use croupier_search::Pace;

use super::habits::{Evidence, Others, uniform};
use super::judgement::CAREFUL;
use super::playout::Playout;
use super::{Card, Cards, Intensity, Playing, SEATS, Unseen};

/// How many Metropolis steps lie between two deals (the thinning), besides one for every card that
/// was played: the more has happened, the slower the chain mixes. At the thorough pace there are
/// this many times as many.
const STEPS: usize = 4;
const THOROUGH: usize = 2;

/// The burn-in before the first deal, in deals.
const BURN_IN: usize = 12;

/// Of so many proposals, one changes what was passed on; in the others cards change hands.
const PASSED_PROPOSALS: usize = 3;

/// A Markov chain over the deals that a seat believes possible.
#[derive(Clone)]
pub(super) struct Belief<'a> {
    view: &'a Playing,
    unseen: Unseen,
    /// The other seats, the next one first.
    others: [usize; SEATS - 1],
    /// How many steps lie between two deals.
    steps: usize,
    /// The state of the chain: the deal that was drawn last.
    deal: Option<Deal>,
}

/// A way in which the cards may have been passed and lie.
#[derive(Clone, Copy)]
struct Deal {
    /// The ten cards of each seat with which the first round began.
    tens: [Cards; SEATS],
    /// What each seat passed on to the next.
    passed: [Cards; SEATS],
    /// How likely the choices of the others were in it.
    likelihood: f64,
}

impl Belief<'_> {
    pub(super) fn of(view: &Playing, pace: Pace) -> Belief<'_> {
        let played = view.earlier().len() + view.round().len();
        Belief {
            view,
            unseen: Unseen::of(view),
            others: [1, 2, 3].map(|after| (view.position().index() + after) % SEATS),
            steps: match pace {
                Pace::Brisk => STEPS + played,
                Pace::Thorough => THOROUGH * (STEPS + played),
            },
            deal: None,
        }
    }

    /// The next game drawn from the posterior: it agrees with the view.
    pub(super) fn imagine(&mut self, rng: &mut Rng) -> (Intensity, Others) {
        let (mut deal, steps) = match self.deal {
            Some(deal) => (deal, self.steps),
            None => (self.initial(rng), BURN_IN * self.steps),
        };
        for _ in 0..steps {
            // Metropolis's rule: a proposal is accepted with the probability new / old likelihood.
            if let Some(proposal) = self.proposal(&deal, rng)
                && let Some((likelihood, _)) =
                    self.weigh(&proposal, f64::from(uniform(rng)) * deal.likelihood)
            {
                deal = Deal {
                    likelihood,
                    ..proposal
                };
            }
        }
        self.deal = Some(deal);
        let hands = std::array::from_fn(|seat| deal.tens[seat] - self.unseen.played(seat));
        let chance = Seed(rng.bits()).rng();
        let game = Intensity::under_way(hands, deal.passed, *self.view.table(), chance);
        let shown = self.weigh(&deal, 0.0).map(|(_, shown)| shown);
        let shown = shown.unwrap_or([Evidence::NONE; SEATS]);
        (game, Others::drawn(&shown, rng))
    }

    /// A deal that agrees with the view, to begin with. Those of whom it is not known what they were
    /// given were given what they would best have passed on themselves.
    fn initial(&self, rng: &mut Rng) -> Deal {
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
            likelihood: 0.0,
        };
        deal.likelihood = self
            .weigh(&deal, 0.0)
            .map_or(0.0, |(likelihood, _)| likelihood);
        deal
    }

    /// A proposal: the deal after two cards have changed places, if they can. The way back is always
    /// as likely (the proposals are symmetric).
    fn proposal(&self, deal: &Deal, rng: &mut Rng) -> Option<Deal> {
        if rng.below(PASSED_PROPOSALS) == 0 {
            self.swap_passed(deal, rng)
        } else {
            self.swap_held(deal, rng)
        }
    }

    /// Somebody was given another of its ten cards instead. What has come to this seat, and to the
    /// next from it, is known.
    fn swap_passed(&self, deal: &Deal, rng: &mut Rng) -> Option<Deal> {
        let giver = rng.below(2);
        let [giver, taker] = [self.others[giver], self.others[giver + 1]];
        let passed = deal.passed[giver];
        let no_more = passed.any(rng)?;
        let instead = (deal.tens[taker] - passed).any(rng)?;
        let mut changed = *deal;
        changed.passed[giver] = swapped(passed, no_more, instead);
        Some(changed)
    }

    /// Two of the others exchange a card; each card takes over whether the other was passed on.
    fn swap_held(&self, deal: &Deal, rng: &mut Rng) -> Option<Deal> {
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

    /// How likely the choices of the others were in a deal, and what they show of their habits; none as
    /// soon as they were less likely than `least`.
    fn weigh(&self, deal: &Deal, least: f64) -> Option<(f64, [Evidence; SEATS])> {
        let mut shown = [Evidence::NONE; SEATS];
        for seat in self.others {
            let kept = deal.tens[seat] - deal.passed[(seat + SEATS - 1) % SEATS];
            shown[seat].passed(kept | deal.passed[seat], deal.passed[seat]);
        }
        let mut playout = Playout::new(deal.tens, deal.passed);
        let mut likelihood = self.likelihood(&shown);
        for round in self.view.table().cards().chunks(SEATS) {
            if likelihood < least {
                return None;
            }
            for &card in round {
                let turn = playout.turn();
                if turn != self.view.position().index()
                    && let Some(choice) = playout.choice()
                {
                    let carefully = playout.carefully(choice.legal, card);
                    shown[turn].played(&choice, card, carefully);
                }
                playout.lay(card);
            }
            likelihood = self.likelihood(&shown);
        }
        (likelihood >= least).then_some((likelihood, shown))
    }

    fn likelihood(&self, shown: &[Evidence; SEATS]) -> f64 {
        self.others
            .map(|seat| shown[seat].likelihood())
            .iter()
            .product()
    }
}

fn swapped(cards: Cards, out: Card, into: Card) -> Cards {
    (cards - out.into()) | into.into()
}
