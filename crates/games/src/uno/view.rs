//! What a player of Uno sees: exactly what the C interface tells a strategy.

use croupier_core::{Illegal, Rng, Seat, Seed};
use serde::Serialize;

use super::rules::unmatched;
use super::{Card, Cards, Colour, Direction, Move, Position, SEATS, Setup, Uno, c};

/// What a player of Uno sees.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    /// The player's own seat.
    pub seat: Seat,
    /// Which way play goes.
    pub direction: Direction,
    /// The colour that was called with the last wild card; a coloured card does not change it.
    pub last_colour_called: Option<Colour>,
    /// The player's own hand, in the order in which the cards were drawn.
    pub hand: Cards,
    /// All discards, from the bottom up.
    pub discards: Cards,
    /// How many cards every seat has.
    pub cards_left: [u8; SEATS],
    /// The colour that every seat called with its last wild card of this game.
    pub colours_called: [Option<Colour>; SEATS],
    /// The points of every seat from the games before this one.
    pub scores: [i32; SEATS],
}

impl View {
    /// Whether a card would match the top of the discards; without discards nothing does.
    pub fn matches(&self, card: Card) -> bool {
        let called = self.last_colour_called;
        (self.discards.last()).is_some_and(|&top| card.matches(top, called))
    }

    /// The cards of the hand that can be played, with their places in it.
    pub fn playable(&self) -> impl Iterator<Item = (usize, Card)> {
        let cards = self.hand.iter().copied().enumerate();
        cards.filter(|&(_, card)| self.matches(card))
    }

    /// What a C strategy's selection means, or the rule that it breaks.
    pub fn chosen(&self, selection: i32) -> Result<Move, Illegal> {
        let top = self.discards.last();
        let &top = top.ok_or(Illegal("there is no discard to match".into()))?;
        let hand = self.hand.iter().copied().map(Some);
        read_selection(hand, top, self.last_colour_called, selection)
    }

    /// Whether a C strategy's selection is valid: it may be played here and now.
    pub fn is_valid(&self, selection: i32) -> bool {
        self.chosen(selection).is_ok()
    }

    /// The selection that a C strategy would return for this move: the first such card of the
    /// hand, with the number of the colour added. None if the hand has no such card.
    pub fn selection(&self, choice: Move) -> Option<i32> {
        let Some(card) = choice.card() else {
            return Some(-1);
        };
        let place = self.hand.iter().position(|&held| held == card)?;
        let colour = choice.called().map_or(0, Colour::to_c);
        i32::try_from(place).ok().map(|place| colour + place)
    }

    /// A whole game that looks like this to the player, who is to move: the cards that are not
    /// seen are dealt at random. None if no game looks like this.
    pub fn sample(&self, rng: &mut Rng) -> Option<Uno> {
        let mut unseen = Vec::new();
        for card in Card::all() {
            let seen = self.hand.iter().chain(self.discards.iter());
            let seen = seen.filter(|&&other| other == card).count();
            unseen.extend(std::iter::repeat_n(card, card.copies().checked_sub(seen)?));
        }
        rng.shuffle(&mut unseen);
        let mut hands = [self.hand; SEATS];
        for (seat, (hand, left)) in Seat::all(SEATS).zip(hands.iter_mut().zip(self.cards_left)) {
            if seat != self.seat {
                let rest = unseen.len().checked_sub(usize::from(left))?;
                *hand = Cards::new(&unseen.split_off(rest))?;
            }
        }
        let position = Position {
            hands,
            deck: Cards::new(&unseen)?,
            discards: self.discards,
            to_move: self.seat,
            direction: self.direction,
            last_colour_called: self.last_colour_called,
            colours_called: self.colours_called,
        };
        let setup = Setup {
            scores: self.scores,
            ..Setup::default()
        };
        let chance = Seed(rng.bits()).rng();
        Uno::resume(setup, &position, chance).ok()
    }
}

/// What a C strategy's selection means, or the rule that it breaks; what lies in a place of the
/// hand without being a card cannot be played.
///
/// −1 draws, which is valid if nothing can be played. 0 to n − 1 plays the card at that place of
/// the hand. For a wild card the number of the colour that is called is added to its place.
pub(super) fn read_selection(
    hand: impl ExactSizeIterator<Item = Option<Card>> + Clone,
    top: Card,
    called: Option<Colour>,
    selection: i32,
) -> Result<Move, Illegal> {
    let refuse = |reason: String| Err(Illegal(reason.into()));
    if selection == -1 {
        let mut cards = hand.enumerate();
        let playable = cards.find_map(|(place, card)| {
            Some((place, card?)).filter(|(_, card)| card.matches(top, called))
        });
        return match playable {
            None => Ok(Move::DRAW),
            Some((place, card)) => refuse(format!(
                "-1 draws, but the {card} at place {place} can be played"
            )),
        };
    }
    let Ok(number) = u32::try_from(selection) else {
        return refuse(format!("{selection} is no selection"));
    };
    let (number, place) = c::split(number);
    let colour = Colour::from_c(number);
    if colour.is_none() && number != 0 {
        return refuse(format!("{selection} calls {number}, which is no colour"));
    }
    let size = hand.len();
    let card = match usize::try_from(place)
        .ok()
        .and_then(|place| hand.clone().nth(place))
    {
        Some(Some(card)) => card,
        Some(None) => return refuse(format!("what is at place {place} is no card")),
        None => return refuse(format!("there is no place {place} in a hand of {size}")),
    };
    match (Move::play(card, colour), colour) {
        (Some(choice), _) if card.matches(top, called) => Ok(choice),
        (Some(_), _) => refuse(unmatched(card, top, called)),
        (None, None) => refuse(format!(
            "no colour is called for the {card} at place {place}"
        )),
        (None, Some(colour)) => refuse(format!(
            "{colour} is called for the {card} at place {place}, which is not wild"
        )),
    }
}
