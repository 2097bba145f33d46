//! What the choices of the others tell about their cards.
//!
//! All deals that agree with a view are equally likely only as long as nothing is known of how the
//! others choose. But who passes on the 12 and the 21 has nothing worse, and who throws a low calf
//! away does not hold the buffalo. So a deal is believed the less, the more somebody in it would
//! have gone against what a careful player does with such cards.

use croupier_core::Rng;

use super::judgement::CAREFUL;
use super::playout::Playout;
use super::{Cards, Playing, SEATS, Unseen};

/// How many deals are looked at before the most credible of them is taken.
const TRIES: usize = 16;

/// A deal in which somebody chose cards to pass on that leave this much more danger than the best
/// choice is believed e times less; so is a deal in which somebody played a card that costs this
/// much more than the best one.
const ODD_DISCARDS: f32 = 0.3;
const ODD_CARD: f32 = 0.25;

/// One choice never makes a deal less credible than this power of e: not everybody is careful.
const ODDEST: f32 = 3.0;

/// Hands that agree with the view, likelier the better they explain what the others did.
pub(super) fn hands(view: &Playing, unseen: &Unseen, rng: &mut Rng) -> [Cards; SEATS] {
    let mut best = unseen.hands(rng);
    let mut most = 0;
    for _ in 0..TRIES {
        let hands = unseen.hands(rng);
        let doubt = doubt(rng);
        match explained(view, unseen, &hands, doubt) {
            None => return hands,
            Some(choices) if choices > most => (most, best) = (choices, hands),
            Some(_) => {}
        }
    }
    best
}

/// How much doubt is tolerated: more than d once in e to the power of d times. The logarithm is a
/// straight line between powers of two, so that it is the same on every machine.
fn doubt(rng: &mut Rng) -> f32 {
    let bits = rng.bits() | 1;
    let halvings = bits.leading_zeros();
    let rest = ((bits << halvings << 1) >> 40) as f32 / (1 << 24) as f32;
    (halvings as f32 + 1.0 - rest) * std::f32::consts::LN_2
}

/// How many choices of the others these hands explain before there is more doubt than this; none
/// if they explain all.
fn explained(
    view: &Playing,
    unseen: &Unseen,
    hands: &[Cards; SEATS],
    mut doubt: f32,
) -> Option<usize> {
    let me = view.position().index();
    let after = |seats| (me + seats) % SEATS;
    let tens: [Cards; SEATS] = std::array::from_fn(|seat| hands[seat] | unseen.played(seat));
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
        doubt -= (regret / ODD_DISCARDS).min(ODDEST);
        if doubt < 0.0 {
            return Some(0);
        }
        passed = received;
    }
    let mut playout = Playout::new(tens);
    let played = view.earlier().iter().chain(view.round());
    for (choices, &card) in played.enumerate() {
        if doubt < 0.0 {
            return Some(choices);
        }
        if playout.turn() != me {
            doubt -= (playout.regret(card) / ODD_CARD).min(ODDEST);
        }
        playout.lay(card);
    }
    (doubt < 0.0).then_some(view.earlier().len() + view.round().len())
}
