//! The expert: what the search needs to know of Intensity.
//!
//! It imagines the hidden cards and the habits of the others as their choices so far suggest
//! ([`super::belief`], [`super::habits`]), and plays each of its cards in every such deal to the end with
//! fast players ([`super::playout`]): such with these habits in the other seats, a cunning one in its own. With more time it plans what it
//! will play next. A tree below its moves has been tried, with the others searching too and without,
//! and was weaker. So was a player in its own seat who tries its cards in the imagined deal: it
//! knows too much there, and puts off what it has to do at once.

use std::sync::LazyLock;

use croupier_core::{Game, Rng, Sample, Seat};
use croupier_search::{Ahead, Ending, Pace, Searched};

use super::belief::Belief;
use super::ending::ending;
use super::habits::Others;
use super::judgement::{CAREFUL, CUNNING};
use super::playout::{Playout, places};
use super::{Card, Cards, Intensity, Move, Playing, View};

/// Of the 120 ways to pass cards on, so many that leave little danger are worth a thought.
const DISCARDS: usize = 40;

impl Searched for Intensity {
    type Others = Others;

    fn prepare() {
        LazyLock::force(&CAREFUL);
        LazyLock::force(&CUNNING);
    }

    fn reason(view: &View, choice: Move) -> String {
        match view {
            View::Discarding(discarding) => reason_to_pass(discarding.hand(), choice.cards()),
            View::Playing(playing) => {
                let reason = choice.card().map(|card| reason_to_play(playing, card));
                reason.unwrap_or_default()
            }
        }
    }

    fn imagine(
        view: &View,
        pace: Pace,
    ) -> impl FnMut(&mut Rng) -> (Intensity, Others) + Clone + Send {
        let mut belief = match view {
            View::Playing(playing) => Some(Belief::of(playing, pace)),
            View::Discarding(_) => None,
        };
        move |rng| match &mut belief {
            Some(belief) => belief.imagine(rng),
            None => {
                let others = Others::unknown(rng);
                let game = Intensity::sample(view, rng);
                (
                    game.passed_again(|seat, hand| others.passes(seat, hand)),
                    others,
                )
            }
        }
    }

    fn candidates(&self, moves: &mut Vec<Move>) {
        self.legal(moves);
        if let (true, Some(seat)) = (self.is_discarding(), self.to_move()) {
            let hand = self.hands()[seat.index()];
            let left = |choice: &Move| CUNNING.keeping(hand - choice.cards());
            moves.sort_by(|one, other| left(one).total_cmp(&left(other)));
            moves.truncate(DISCARDS);
        }
    }

    fn sensible(&self, _: &mut Rng) -> Option<Move> {
        let seat = self.to_move()?;
        if self.is_discarding() {
            return Move::discard(CAREFUL.discards(self.hands()[seat.index()]).0);
        }
        Some(Move::play(Playout::of(self).best_card(&CAREFUL)))
    }

    fn finish(mut self, others: &Others, viewer: Seat, _: &mut Rng, points: &mut [f64]) {
        while let Some((seat, hand)) = self.to_move().zip(self.passing_hand()) {
            let choice = Move::discard(others.passes(seat.index(), hand));
            let choice = choice.expect("three cards are passed on");
            self.play(choice).expect("they are cards of the hand");
        }
        let taken = Playout::of(&self).finish(viewer.index(), others);
        points.copy_from_slice(&places(&taken));
    }

    fn ending(view: &View) -> Option<Ending<'_, Intensity>> {
        match view {
            View::Playing(playing) => ending(playing),
            View::Discarding(_) => None,
        }
    }

    fn ahead(view: &View, pace: Pace) -> Ahead<Intensity> {
        match (view, pace) {
            (View::Playing(_), Pace::Thorough) => Ahead::Plan(answer),
            _ => Ahead::No,
        }
    }
}

impl Intensity {
    /// What an expert in the seat to move expects itself to play in a game that it imagines; none once it
    /// is over.
    pub fn cunning(&self) -> Option<Move> {
        let seat = self.to_move()?;
        if self.is_discarding() {
            return Move::discard(CUNNING.discards(self.hands()[seat.index()]).0);
        }
        Some(Move::play(Playout::of(self).best_card(&CUNNING)))
    }
}

/// The others play on until it is the viewer's turn; the number is made of their cards.
fn answer(game: &mut Intensity, others: &Others, viewer: Seat) -> u64 {
    let mut playout = Playout::of(game);
    let mut seen = 0;
    while game.to_move().is_some_and(|seat| seat != viewer) {
        let card = playout.card_of(others);
        playout.lay(card);
        let legal = game.play(Move::play(card));
        legal.expect("whatever its habits, it plays a legal card");
        seen = seen * u64::from(Card::HIGHEST.number() + 1) + u64::from(card.number());
    }
    seen
}

fn reason_to_pass(hand: Cards, passed: Cards) -> String {
    let held = |suit: &u8| hand & Cards::of_suit(*suit);
    let voids = (1..=4).filter(|suit| !held(suit).is_empty() && passed.contains_all(held(suit)));
    let voids: Vec<String> = voids.map(|suit| format!("the {suit}0s")).collect();
    let danger = |card: &Card| CUNNING.keeping(hand) - CUNNING.keeping(hand - (*card).into());
    let most_dangerous = |cards: Cards| {
        cards
            .iter()
            .max_by(|one, other| danger(one).total_cmp(&danger(other)))
    };
    let does = match (most_dangerous(passed), most_dangerous(hand - passed)) {
        _ if passed.contains(Card::BUFFALO) => "gives the buffalo away".to_owned(),
        _ if hand.contains(Card::BUFFALO) => {
            "keeps the buffalo, to throw it on somebody".to_owned()
        }
        (Some(given), Some(kept)) if danger(&given) < danger(&kept) => {
            format!("gives the {given} away, and keeps the {kept}, which is more dangerous")
        }
        (Some(given), _) => format!("gives the {given} away, its most dangerous card"),
        (None, _) => "gives nothing away".to_owned(),
    };
    match voids.as_slice() {
        [] => does,
        voids => format!("{does}; keeps none of {}", voids.join(" and of ")),
    }
}

fn reason_to_play(view: &Playing, card: Card) -> String {
    let suit = card.suit();
    let own = view.hand() & Cards::of_suit(suit);
    let Some(best) = view.best() else {
        let which = match (own.lowest() == Some(card), own.highest() == Some(card)) {
            (true, true) => "only card",
            (true, false) => "lowest card",
            (false, true) => "highest card",
            (false, false) => "middle card",
        };
        return format!("leads its {which} of the {suit}0s");
    };
    let stake = view.stake() + card.points();
    if card.beats(best) && view.round().len() == 3 {
        return format!("takes the round, which costs {stake}");
    }
    if card.beats(best) {
        return format!("goes above the {best}, and takes the round if nobody goes higher");
    }
    if suit == best.suit() {
        return format!("ducks under the {best}");
    }
    match card.points() {
        0 => format!("cannot follow, and gets rid of the {card}"),
        1 => "cannot follow, and throws a calf on the round".to_owned(),
        _ => "cannot follow, and throws the buffalo on the round".to_owned(),
    }
}
