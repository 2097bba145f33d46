//! The posterior distribution of the hidden cards, given what the others chose.
//!
//! All deals that agree with a view are equally likely only as long as nothing is known of how the
//! others choose. But who passes on the 12 and the 21 has nothing worse, and who throws a low calf
//! away does not hold the buffalo. So a deal has a likelihood, which falls with the regret of the
//! others' choices in it: how much worse, in the eyes of a careful player with those cards, were the
//! cards that were passed on and played than the best ones? Who makes such choices again and again,
//! whatever the deal, is not careful, and further ones tell nothing: each player's part of the
//! log-likelihood is bounded.
//!
//! Deals are drawn from the posterior by the Metropolis algorithm (Markov chain Monte Carlo): two
//! cards change places, and the change is kept with a probability that depends on how much less
//! likely it makes the choices. Every deal comes from the one before it.

use croupier_core::{Rng, Seat, Seed};
use croupier_search::Pace;

use super::judgement::CAREFUL;
use super::playout::Playout;
use super::{Card, Cards, Intensity, Playing, SEATS, Unseen};

/// The temperature of the choices: a regret of this much, in what was passed on or in a card that
/// was played, divides the likelihood of a deal by e.
const TEMPERATURE: f32 = 0.02;

/// The most that one choice takes off the log-likelihood: everybody slips once.
const MOST_PER_CHOICE: f32 = 8.0;

/// The most that all choices of one player together take off it: not everybody is careful.
const MOST_PER_PLAYER: f32 = 16.0;

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
    /// The negative logarithm of its likelihood, up to a constant.
    energy: f32,
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
    pub(super) fn imagine(&mut self, rng: &mut Rng) -> Intensity {
        let (mut deal, steps) = match self.deal {
            Some(deal) => (deal, self.steps),
            None => (self.initial(rng), BURN_IN * self.steps),
        };
        for _ in 0..steps {
            // Metropolis's rule: a proposal is accepted with the probability e^(old − new energy),
            // which is that of an exponential variate being at least as large as the increase.
            if let Some(proposal) = self.proposal(&deal, rng)
                && let Some(energy) = self.energy(&proposal, deal.energy + exponential(rng))
            {
                deal = Deal { energy, ..proposal };
            }
        }
        self.deal = Some(deal);
        let hands = std::array::from_fn(|seat| deal.tens[seat] - self.unseen.played(seat));
        let chance = Seed(rng.bits()).rng();
        Intensity::under_way(hands, deal.passed, *self.view.table(), chance)
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
            energy: 0.0,
        };
        deal.energy = self.energy(&deal, f32::INFINITY).unwrap_or(f32::INFINITY);
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

    /// The energy of a deal; none as soon as it is more than `most`.
    fn energy(&self, deal: &Deal, most: f32) -> Option<f32> {
        let mut of_choices = [0.0; SEATS];
        for seat in self.others {
            let kept = deal.tens[seat] - deal.passed[(seat + SEATS - 1) % SEATS];
            let best = CAREFUL.discards(kept | deal.passed[seat]).1;
            of_choices[seat] += energy_of_choice(CAREFUL.keeping(kept) - best);
        }
        let mut playout = Playout::new(deal.tens, deal.passed);
        let mut all = energy_of_players(&of_choices);
        for &card in self.view.earlier().iter().chain(self.view.round()) {
            if all > most {
                return None;
            }
            let turn = playout.turn();
            if turn != self.view.position().index() {
                of_choices[turn] += energy_of_choice(playout.regret(card));
                all = energy_of_players(&of_choices);
            }
            playout.lay(card);
        }
        (all <= most).then_some(all)
    }
}

/// What a choice with this regret adds to the energy.
fn energy_of_choice(regret: f32) -> f32 {
    (regret / TEMPERATURE).min(MOST_PER_CHOICE)
}

/// The energy of all players, from the sum over the choices of each: it saturates, so that a
/// player's first regrets count most.
fn energy_of_players(choices: &[f32; SEATS]) -> f32 {
    let player = |sum: &f32| sum * MOST_PER_PLAYER / (sum + MOST_PER_PLAYER);
    choices.iter().map(player).sum()
}

fn swapped(cards: Cards, out: Card, into: Card) -> Cards {
    (cards - out.into()) | into.into()
}

/// A variate of the standard exponential distribution: the negative logarithm of a uniform one. The
/// logarithm is interpolated linearly between powers of two, so that it is the same on every machine.
fn exponential(rng: &mut Rng) -> f32 {
    let bits = rng.bits() | 1;
    let halvings = bits.leading_zeros();
    let rest = ((bits << halvings << 1) >> 40) as f32 / (1 << 24) as f32;
    (halvings as f32 + 1.0 - rest) * std::f32::consts::LN_2
}
