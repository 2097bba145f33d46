//! What a player of Uno sees: exactly what the C interface tells a strategy.

use croupier_core::{Rng, Seat, Seed};
use serde::Serialize;

use super::rules::Illegal;
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
    pub fn chosen(&self, selection: i32) -> Result<Move, BadSelection> {
        let top = self.discards.last();
        let &top = top.ok_or(BadSelection::NoDiscard)?;
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
) -> Result<Move, BadSelection> {
    if selection == -1 {
        let mut cards = hand.enumerate();
        let playable = cards.find_map(|(place, card)| {
            Some((place, card?)).filter(|(_, card)| card.matches(top, called))
        });
        return match playable {
            None => Ok(Move::DRAW),
            Some((place, card)) => Err(BadSelection::MustPlay { card, place }),
        };
    }
    let Ok(number) = u32::try_from(selection) else {
        return Err(BadSelection::Negative(selection));
    };
    let (number, place) = c::split(number);
    let colour = Colour::from_c(number);
    if colour.is_none() && number != 0 {
        return Err(BadSelection::NoColour { selection, number });
    }
    let size = hand.len();
    let found = usize::try_from(place).ok();
    let card = match found.and_then(|place| hand.clone().nth(place)) {
        Some(Some(card)) => card,
        Some(None) => return Err(BadSelection::NoCard { place }),
        None => return Err(BadSelection::NoPlace { place, size }),
    };
    match (Move::play(card, colour), colour) {
        (Some(choice), _) if card.matches(top, called) => Ok(choice),
        (Some(_), _) => Err(Illegal::unmatched(card, top, called).into()),
        (None, None) => Err(BadSelection::NotCalled { card, place }),
        (None, Some(colour)) => Err(BadSelection::NotWild {
            colour,
            card,
            place,
        }),
    }
}

/// Why a C strategy's selection is refused. Places of the hand are counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadSelection {
    /// The card may not be played.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// It draws and need not.
    #[error("-1 draws, but the {card} at place {place} can be played")]
    MustPlay {
        /// A card that can be played.
        card: Card,
        /// Where it is.
        place: usize,
    },
    /// Nothing is selected by a negative number but −1.
    #[error("{0} is no selection")]
    Negative(i32),
    /// The number that calls a colour is none.
    #[error("{selection} calls {number}, which is no colour")]
    NoColour {
        /// The selection.
        selection: i32,
        /// What it calls.
        number: i32,
    },
    /// The hand is not so long.
    #[error("there is no place {place} in a hand of {size}")]
    NoPlace {
        /// The place.
        place: u32,
        /// How many cards there are.
        size: usize,
    },
    /// What lies there is no card.
    #[error("what is at place {place} is no card")]
    NoCard {
        /// The place.
        place: u32,
    },
    /// A wild card without a colour.
    #[error("no colour is called for the {card} at place {place}")]
    NotCalled {
        /// The card.
        card: Card,
        /// Where it is.
        place: u32,
    },
    /// A colour for a card that is not wild.
    #[error("{colour} is called for the {card} at place {place}, which is not wild")]
    NotWild {
        /// The colour.
        colour: Colour,
        /// The card.
        card: Card,
        /// Where it is.
        place: u32,
    },
    /// There is nothing that a card could match.
    #[error("there is no discard to match")]
    NoDiscard,
    /// The number of cards in the hand cannot be.
    #[error("the number of cards in the hand cannot be")]
    HandSize,
}
