//! What the choices of the others tell about their cards.
//!
//! All deals that agree with a view are equally likely only as long as nothing is known of how the
//! others choose. But who passes on the 12 and the 21 has nothing worse, and who throws a low calf
//! away does not hold the buffalo. So a deal is believed the less, the more somebody in it would
//! have gone against what a careful player does with such cards.

use croupier_core::{Rng, Seat};
use croupier_search::Pace;

use super::judgement::CAREFUL;
use super::playout::Playout;
use super::{Cards, Playing, SEATS, Unseen};

/// How many deals are looked at before the most credible of them is taken.
const TRIES: usize = 16;

/// A deal in which somebody chose cards to pass on that leave this much more danger than the best
/// choice is believed e times less; so is a deal in which somebody played a card that costs this
/// much more than the best one.
const ODD_DISCARDS: f32 = 0.15;
const ODD_CARD: f32 = 0.1;

/// One choice never makes a deal less credible than this power of e: not everybody is careful.
const ODDEST: f32 = 3.0;

/// Who is thorough lets so many cards change hands in the deal that was taken, each time it makes
/// what happened less odd, and sometimes when it does not (Metropolis's way to draw the likely).
const SWAPS: usize = 64;

/// Hands that agree with the view, likelier the better they explain what the others did.
pub(super) fn hands(view: &Playing, unseen: &Unseen, pace: Pace, rng: &mut Rng) -> [Cards; SEATS] {
    let hands = credible(view, unseen, rng);
    match pace {
        Pace::Brisk => hands,
        Pace::Thorough => more_credible(hands, view, unseen, rng),
    }
}

/// The first of some deals that explains all that happened, or else the one that explains most.
fn credible(view: &Playing, unseen: &Unseen, rng: &mut Rng) -> [Cards; SEATS] {
    let mut best = unseen.hands(rng);
    let mut most = 0;
    for _ in 0..TRIES {
        let hands = unseen.hands(rng);
        match oddness(view, unseen, &hands, doubt(rng)) {
            Ok(_) => return hands,
            Err(explained) if explained > most => (most, best) = (explained, hands),
            Err(_) => {}
        }
    }
    best
}

/// The hands after cards have changed places that the others may hold as well.
fn more_credible(
    mut hands: [Cards; SEATS],
    view: &Playing,
    unseen: &Unseen,
    rng: &mut Rng,
) -> [Cards; SEATS] {
    let others = [1, 2, 3].map(|after| (view.position().index() + after) % SEATS);
    let mut odd = oddness(view, unseen, &hands, f32::INFINITY).unwrap_or(f32::INFINITY);
    for _ in 0..SWAPS {
        let one = rng.below(3);
        let other = (one + 1 + rng.below(2)) % 3;
        let [one, other] = [others[one], others[other]];
        let mut any = |seat: usize| (hands[seat] - unseen.known(seat)).any(rng);
        let Some((given, taken)) = any(one).zip(any(other)) else {
            continue;
        };
        let may = |seat: usize, card| unseen.may_hold(Seat::from(seat)).contains(card);
        if !may(other, given) || !may(one, taken) {
            continue;
        }
        let mut swapped = hands;
        swapped[one] = (hands[one] - given.into()) | taken.into();
        swapped[other] = (hands[other] - taken.into()) | given.into();
        if let Ok(oddness) = oddness(view, unseen, &swapped, odd + doubt(rng)) {
            (hands, odd) = (swapped, oddness);
        }
    }
    hands
}

/// How much doubt is tolerated: more than d once in e to the power of d times. The logarithm is a
/// straight line between powers of two, so that it is the same on every machine.
fn doubt(rng: &mut Rng) -> f32 {
    let bits = rng.bits() | 1;
    let halvings = bits.leading_zeros();
    let rest = ((bits << halvings << 1) >> 40) as f32 / (1 << 24) as f32;
    (halvings as f32 + 1.0 - rest) * std::f32::consts::LN_2
}

/// How odd the choices of the others were if these are the hands; if that is more than `most`,
/// how many of them were not too odd.
fn oddness(
    view: &Playing,
    unseen: &Unseen,
    hands: &[Cards; SEATS],
    most: f32,
) -> Result<f32, usize> {
    let me = view.position().index();
    let after = |seats| (me + seats) % SEATS;
    let tens: [Cards; SEATS] = std::array::from_fn(|seat| hands[seat] | unseen.played(seat));
    let mut odd = 0.0;
    // What came from the seat before is known. What the next seat and the one after that passed on
    // is not; it is taken to be what those who were given it would best have passed on themselves.
    let mut passed = view.received();
    for seats in [3, 2, 1] {
        let received = match seats {
            1 => view.discarded(),
            _ => CAREFUL.discards(tens[after(seats)]).0,
        };
        let kept = tens[after(seats)] - received;
        let regret = CAREFUL.keeping(kept) - CAREFUL.discards(kept | passed).1;
        odd += (regret / ODD_DISCARDS).min(ODDEST);
        if odd > most {
            return Err(0);
        }
        passed = received;
    }
    let mut playout = Playout::new(tens);
    let played = view.earlier().iter().chain(view.round());
    for (choices, &card) in played.enumerate() {
        if playout.turn() != me {
            odd += (playout.regret(card) / ODD_CARD).min(ODDEST);
            if odd > most {
                return Err(choices + 1);
            }
        }
        playout.lay(card);
    }
    Ok(odd)
}
