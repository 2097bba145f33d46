//! What everybody has seen of a player whose cards are hidden: when it got cards and when it played
//! them, and in which situations it chose as it did.

use croupier_core::{Event, Seat};

use super::moves::{MOVES_IN, MOVES_ON, MOVES_WITH, WILDS};
use super::playout::Held;
use super::rules::{DEALT, PENALTY};
use super::{Card, Face, Move, SEATS, View};

/// How likely a player is to choose a card that `careful` would not, beside one that it would: others
/// do not play like `careful`, but most follow similar principles.
const ODD: f64 = 0.25;

/// The turn in which a card is played that is still in the hand.
pub(super) const STILL: u16 = u16::MAX;

/// A card of a player.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owned {
    /// Which it is, as far as it has been played; else any.
    pub(super) card: Card,
    /// The first turn of the game in which the player had it.
    pub(super) since: u16,
    /// The turn in which it was played.
    pub(super) until: u16,
}

/// A choice that a player made.
#[derive(Clone, Copy, Debug)]
struct Act {
    at: u16,
    /// The moves that matched the top card.
    matching: u64,
    choice: Move,
    /// How many cards the next player had, and the one before.
    next: u8,
    last: u8,
}

/// What is known of a player.
#[derive(Clone, Default, Debug)]
pub(super) struct History {
    acts: Vec<Act>,
    /// All cards that it has had.
    pub(super) cards: Vec<Owned>,
}

impl History {
    /// How likely it is that somebody with these cards chose like that.
    pub(super) fn likelihood(&self) -> f64 {
        let mut likelihood = 1.0;
        for act in &self.acts {
            let mut hand = Held::default();
            for owned in &self.cards {
                if owned.since <= act.at && act.at <= owned.until {
                    hand.add(owned.card);
                }
            }
            if !hand.careful_may_play(act.choice, act.matching, act.next, act.last) {
                // Who can play does not draw.
                likelihood *= if act.choice == Move::DRAW { 0.0 } else { ODD };
            }
        }
        likelihood
    }

    /// Whether a card that came before turn `since` can have been there until turn `until`: the player
    /// would not have drawn in between if it matched.
    pub(super) fn may_hold(&self, card: Card, since: u16, until: u16) -> bool {
        let moves = MOVES_WITH[usize::from(card.0)];
        !self.acts.iter().any(|act| {
            let is_between = since <= act.at && act.at < until;
            is_between && act.choice == Move::DRAW && act.matching & moves != 0
        })
    }

    /// So many cards have come, which nobody else has seen.
    fn get(&mut self, count: usize, since: u16) {
        let new = Owned {
            card: Card::WILD,
            since,
            until: STILL,
        };
        self.cards.extend(std::iter::repeat_n(new, count));
    }

    /// The card has been played. It was one of those that it can have been, say the one that came first:
    /// those that came later can have been more.
    fn play(&mut self, card: Card, at: u16) -> Option<()> {
        let can_be = |&place: &usize| {
            let owned = &self.cards[place];
            owned.until == STILL && self.may_hold(card, owned.since, at)
        };
        let places = (0..self.cards.len()).filter(can_be);
        let place = places.min_by_key(|&place| self.cards[place].since)?;
        self.cards[place].card = card;
        self.cards[place].until = at;
        Some(())
    }

    /// How many cards it has.
    fn left(&self) -> usize {
        let still = self.cards.iter().filter(|owned| owned.until == STILL);
        still.count()
    }
}

/// The histories of all seats after these moves and fouls. None if they do not lead to what is seen now,
/// because not all was heard.
pub(super) fn histories(view: &View, heard: &[Event<Move>]) -> Option<[History; SEATS]> {
    let mut turns = Vec::new();
    for event in heard {
        match *event {
            Event::Played { seat, choice } => turns.push((seat, Some(choice?))),
            Event::Fouled { seat, .. } => turns.push((seat, None)),
            _ => {}
        }
    }
    let played = |&(_, choice): &(Seat, Option<Move>)| choice.and_then(Move::card);
    let faces = turns.iter().filter_map(played).map(Card::face);
    let reverses = faces.filter(|&face| face == Face::Reverse).count();
    let mut direction = match reverses % 2 {
        0 => view.direction,
        _ => view.direction.turned(),
    };
    // The card that was turned up at the start, unless the discards have been shuffled since.
    let count = turns.iter().filter_map(played).count();
    let start = view.discards.len().checked_sub(count + 1);
    let top = start.map(|start| view.discards[start]);
    let top = top.filter(|card| !card.is_wild());
    let mut matching = top.map_or(0, |card| MOVES_ON[usize::from(card.0)]);
    let mut histories: [History; SEATS] = Default::default();
    histories
        .iter_mut()
        .for_each(|history| history.get(DEALT, 0));
    for (at, &(seat, choice)) in turns.iter().enumerate() {
        let at = u16::try_from(at).ok()?;
        let next = direction.from(seat, 1).index();
        let last = direction.from(seat, SEATS as u16 - 1).index();
        let left = |seat: usize| histories[seat].left() as u8;
        let (next_left, last_left) = (left(next), left(last));
        let history = &mut histories[seat.index()];
        let Some(choice) = choice else {
            history.get(PENALTY, at + 1);
            continue;
        };
        if matching != 0 {
            history.acts.push(Act {
                at,
                matching,
                choice,
                next: next_left,
                last: last_left,
            });
        }
        let Some(card) = choice.card() else {
            history.get(1, at + 1);
            continue;
        };
        history.play(card, at)?;
        matching = match choice.called() {
            None => MOVES_ON[usize::from(card.0)],
            Some(colour) => MOVES_IN[colour.index()] | WILDS,
        };
        match card.face() {
            Face::Reverse => direction = direction.turned(),
            Face::DrawTwo => histories[next].get(2, at + 1),
            Face::WildDrawFour => histories[next].get(4, at + 1),
            _ => {}
        }
    }
    let is_seen = |(history, &left): (&History, &u8)| history.left() == usize::from(left);
    let all_seen = histories.iter().zip(&view.cards_left).all(is_seen);
    all_seen.then_some(histories)
}
