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
//!
//! What a player has chosen depends on nothing but its own cards and what lay open. So the open part of
//! every choice is kept ready, and after a change only those players are judged again whose cards changed.
//! What was found is remembered: the fewer cards are hidden, the more often the same ones come again.

use std::collections::HashMap;

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

/// So many ways of passing are added up where the hidden cards are enumerated.
const PASSINGS: usize = 4;

/// So many judgements are remembered before all are forgotten: more would not fit in the processor's cache.
const MOST_REMEMBERED: usize = 4096;

/// A Markov chain over the deals that a seat believes possible.
#[derive(Clone)]
pub(super) struct Belief<'a> {
    view: &'a Playing,
    unseen: Unseen,
    /// The other seats, the next one first.
    others: [usize; SEATS - 1],
    /// How many steps lie between two deals.
    steps: usize,
    /// The cards that each of the others played, and what lay open then.
    plays: [Vec<(Playout, Card)>; SEATS],
    /// What was found of cards that were judged before.
    remembered: HashMap<Own, Judged>,
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
    /// What the choices of each seat show of its habits, and how likely they were.
    shown: [Evidence; SEATS],
    likelihood: [f64; SEATS],
}

/// The cards of a player, as far as its choices depend on them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Own {
    seat: usize,
    ten: Cards,
    passed: Cards,
    received: Cards,
}

/// What the choices of a player show if it had these cards.
#[derive(Clone, Copy)]
struct Judged {
    /// None if they were so unlikely that not all of them were looked at.
    shown: Option<Evidence>,
    /// How likely they were, at most.
    likelihood: f64,
}

impl Belief<'_> {
    pub(super) fn of(view: &Playing, pace: Pace) -> Belief<'_> {
        let played = view.table().cards();
        let mut plays = std::array::from_fn(|_| Vec::new());
        let mut open = Playout::new([Cards::ALL; SEATS], [Cards::NONE; SEATS]);
        for &card in played {
            plays[open.turn()].push((open, card));
            open.lay(card);
        }
        let played = played.len();
        Belief {
            view,
            unseen: Unseen::of(view),
            others: [1, 2, 3].map(|after| (view.position().index() + after) % SEATS),
            plays,
            steps: match pace {
                Pace::Brisk => STEPS + played,
                Pace::Thorough => THOROUGH * (STEPS + played),
            },
            remembered: HashMap::new(),
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
            if let Some(mut proposal) = self.proposal(&deal, rng)
                && self
                    .judge_again(&deal, &mut proposal, uniform(rng))
                    .is_some()
            {
                deal = proposal;
            }
        }
        self.deal = Some(deal);
        let hands = std::array::from_fn(|seat| deal.tens[seat] - self.unseen.played(seat));
        let chance = Seed(rng.bits()).rng();
        let game = Intensity::under_way(hands, deal.passed, *self.view.table(), chance);
        (game, Others::drawn(&deal.shown, rng))
    }

    /// A deal that agrees with the view, to begin with. Those of whom it is not known what they were
    /// given were given what they would best have passed on themselves.
    fn initial(&mut self, rng: &mut Rng) -> Deal {
        let [next, across, last] = self.others;
        let hands = self.unseen.hands(rng);
        let mut deal = self.blank(hands);
        deal.passed[next] = CAREFUL.discards(deal.tens[across]).0;
        deal.passed[across] = CAREFUL.discards(deal.tens[last]).0;
        for seat in self.others {
            self.judge(&mut deal, seat);
        }
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

    /// Judges those whose cards are not the same as before; none as soon as the choices are less likely
    /// than this share of what they were before.
    fn judge_again(&mut self, before: &Deal, deal: &mut Deal, share: f32) -> Option<()> {
        // How likely the choices may still be, as a share: nothing is more likely than 1.
        let mut at_most = 1.0;
        let is_other = |seat: &usize| {
            let giver = (seat + SEATS - 1) % SEATS;
            before.tens[*seat] != deal.tens[*seat]
                || before.passed[*seat] != deal.passed[*seat]
                || before.passed[giver] != deal.passed[giver]
        };
        let changed = self.others.map(|seat| is_other(&seat).then_some(seat));
        for seat in changed.into_iter().flatten() {
            at_most /= before.likelihood[seat];
        }
        for seat in changed.into_iter().flatten() {
            let least = f64::from(share) / at_most;
            let (shown, likelihood) = self.judged(deal, seat, least)?;
            at_most *= likelihood;
            deal.shown[seat] = shown;
            deal.likelihood[seat] = likelihood;
        }
        Some(())
    }

    /// The game in which the cards lie like this, how likely the choices of the others were in it, and what
    /// they show. What was passed on is not known; of all ways, those that are likeliest in the eyes of who
    /// passed it on are added up.
    pub(super) fn weigh(&mut self, hands: [Cards; SEATS]) -> (Intensity, f64, [Evidence; SEATS]) {
        let [next, across, last] = self.others;
        let mut deal = self.blank(hands);
        let kept = deal.tens[next] - self.view.discarded();
        let to_across = likeliest(deal.tens[across], |passed| {
            Evidence::of_passing(kept | passed, passed)
        });
        let received = self.view.received();
        let to_last = likeliest(deal.tens[last], |passed| {
            let kept = deal.tens[last] - passed;
            Evidence::of_passing(kept | received, received)
        });
        let (mut sum, mut best) = (0.0, deal);
        for &passed in &to_across {
            deal.passed[next] = passed;
            self.judge(&mut deal, next);
            for &passed in &to_last {
                deal.passed[across] = passed;
                self.judge(&mut deal, across);
                self.judge(&mut deal, last);
                let likelihood = self.others.map(|seat| deal.likelihood[seat]);
                let likelihood: f64 = likelihood.iter().product();
                if likelihood
                    > self
                        .others
                        .map(|seat| best.likelihood[seat])
                        .iter()
                        .product()
                {
                    best = deal;
                }
                sum += likelihood;
            }
        }
        let chance = Seed(0).rng();
        let game = Intensity::under_way(hands, best.passed, *self.view.table(), chance);
        (game, sum, best.shown)
    }

    /// A deal in which the cards lie like this, and of which nothing else is known.
    fn blank(&self, hands: [Cards; SEATS]) -> Deal {
        let mut passed = [self.view.discarded(); SEATS];
        passed[self.others[2]] = self.view.received();
        Deal {
            tens: std::array::from_fn(|seat| hands[seat] | self.unseen.played(seat)),
            passed,
            shown: [Evidence::NONE; SEATS],
            likelihood: [0.0; SEATS],
        }
    }

    fn judge(&mut self, deal: &mut Deal, seat: usize) {
        let judged = self.judged(deal, seat, 0.0);
        (deal.shown[seat], deal.likelihood[seat]) = judged.expect("no choice is impossible");
    }

    /// What the choices of a seat show in a deal, and how likely they were; none if they are less likely than
    /// this.
    fn judged(&mut self, deal: &Deal, seat: usize, least: f64) -> Option<(Evidence, f64)> {
        let own = Own {
            seat,
            ten: deal.tens[seat],
            passed: deal.passed[seat],
            received: deal.passed[(seat + SEATS - 1) % SEATS],
        };
        let judged = match self.remembered.get(&own) {
            Some(judged) if judged.shown.is_some() || judged.likelihood < least => *judged,
            _ => {
                let judged = own.judged(&self.plays[seat], least);
                if self.remembered.len() == MOST_REMEMBERED {
                    self.remembered.clear();
                }
                self.remembered.insert(own, judged);
                judged
            }
        };
        let shown = judged.shown.filter(|_| judged.likelihood >= least)?;
        Some((shown, judged.likelihood))
    }
}

impl Own {
    /// Judges what was passed on and these plays, until they are less likely than this.
    fn judged(&self, plays: &[(Playout, Card)], least: f64) -> Judged {
        let mut shown = Evidence::NONE;
        shown.passed((self.ten - self.received) | self.passed, self.passed);
        let mut likelihood = shown.likelihood();
        for (open, card) in plays {
            if likelihood < least {
                return Judged {
                    shown: None,
                    likelihood,
                };
            }
            let held = open.with_hand(self.ten, self.passed);
            if let Some(choice) = held.choice() {
                shown.played(&choice, *card, held.carefully(choice.legal, *card));
                likelihood = shown.likelihood();
            }
        }
        Judged {
            shown: Some(shown),
            likelihood,
        }
    }
}

/// The ways of passing three of these cards that are likeliest by this measure.
fn likeliest(cards: Cards, likelihood: impl Fn(Cards) -> f64) -> Vec<Cards> {
    let mut ways: Vec<_> = cards
        .threes()
        .map(|three| (likelihood(three), three))
        .collect();
    ways.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    ways.into_iter()
        .take(PASSINGS)
        .map(|(_, three)| three)
        .collect()
}

fn swapped(cards: Cards, out: Card, into: Card) -> Cards {
    (cards - out.into()) | into.into()
}
