//! Uno, as a person sees it.

use croupier_core::{Company, Seat};
use croupier_games::uno::{Direction, Move, Uno, View};

use super::{Shown, marked};
use crate::style::{BOLD, filled, wrapped};

impl Shown for Uno {
    const ENTRY: &'static str = "the number of a move in the list, or a card: red 7, r 7, skip green, \
                                 wild blue; or draw";

    fn shown(view: &View, legal: &[Move], company: Company<'_>) -> String {
        let mut text = String::from("\n");
        if let Some(top) = view.discards.last() {
            let called = view.last_colour_called.filter(|_| top.is_wild());
            let called = called.map(|colour| format!(", {colour} is called"));
            let called = called.unwrap_or_default();
            text += &format!("On top: {BOLD}{top}{BOLD:#}{called}\n");
        }
        let mut seats: Vec<Seat> = company.seats().collect();
        if view.direction == Direction::Left {
            seats.reverse();
        }
        let me = seats.iter().position(|&seat| seat == view.seat);
        seats.rotate_left(me.unwrap_or(0));
        let cards =
            |seat: &Seat| format!("{} {}", company.name(*seat), view.cards_left[seat.index()]);
        let seats: Vec<String> = seats.iter().map(cards).collect();
        let order = format!("Cards left, in the order of play: {}", seats.join(", "));
        text += &filled("", 2, &order);
        let playable = |card| legal.iter().any(|choice| choice.card() == Some(card));
        let hand = view.hand.iter().map(|&card| marked(&card, playable(card)));
        text + &wrapped("Your hand, [ ] can be played", 1, hand)
    }

    fn readable(view: &View) -> Vec<Move> {
        let is_own = |choice: &Move| choice.card().is_some_and(|card| view.hand.contains(&card));
        let (own, others): (Vec<Move>, Vec<Move>) = Move::all().partition(is_own);
        [own, others].concat()
    }
}
