//! Uno as C sees it: the numbers of the header, the layout of its structs, and selections.
//!
//! All three structs are rows of C `int`s without a gap, so they are written and read here as
//! rows of `i32`: a card is 3, a deck 325, a game state 666 of them. The order of the bytes is
//! the machine's own, as in C.
//!
//! What is written is exact. What is read comes from strangers: numbers that mean nothing are
//! told apart from cards, and nothing is taken on trust.

use std::fmt;

use croupier_core::Seat;

use crate::uno::view::read_selection;
use crate::uno::{BadSelection, Card, Cards, Colour, DECK, Direction, Face, Move, SEATS, View};

/// The type of a card with a number.
pub const NUMBER: i32 = 0;
/// The type of a skip.
pub const SKIP: i32 = 1;
/// The type of a reverse.
pub const REVERSE: i32 = 2;
/// The type of a draw two.
pub const DRAW_TWO: i32 = 3;
/// The type of a wild card.
pub const WILD: i32 = 4;
/// The type of a wild draw four.
pub const WILD_D4: i32 = 5;
/// Play goes from higher seats to lower ones.
pub const LEFT: i32 = 7;
/// Play goes from lower seats to higher ones.
pub const RIGHT: i32 = 8;
/// Red.
pub const RED: i32 = 10_000;
/// Green.
pub const GREEN: i32 = 20_000;
/// Blue.
pub const BLUE: i32 = 30_000;
/// Yellow.
pub const YELLOW: i32 = 40_000;
/// No colour: that of a wild card, and of whoever has not called one.
pub const NONE: i32 = 50_000;

/// How many ints a `Card` has: type, colour, value.
pub const CARD_INTS: usize = 3;
/// How many ints a `Deck` has: 108 cards and their number.
pub const DECK_INTS: usize = DECK * CARD_INTS + 1;
/// How many ints a `GameState` has.
pub const STATE_INTS: usize = 666;
/// How many bytes a `GameState` has.
pub const STATE_BYTES: usize = STATE_INTS * size_of::<i32>();

/// Where the fields of a `GameState` start, counted in ints.
pub mod field {
    use super::{CARD_INTS, DECK, SEATS, STATE_INTS};

    /// `numberOfPlayers`.
    pub const PLAYERS: usize = 0;
    /// `directionOfPlay`.
    pub const DIRECTION: usize = 1;
    /// `lastColourCalled`.
    pub const LAST_COLOUR: usize = 2;
    /// `yourPosition`.
    pub const POSITION: usize = 3;
    /// `yourNumberOfCards`.
    pub const HAND_SIZE: usize = 4;
    /// `yourCards`.
    pub const HAND: usize = 5;
    /// `numberOfDiscards`.
    pub const DISCARDS_SIZE: usize = HAND + DECK * CARD_INTS;
    /// `discardPile`.
    pub const DISCARDS: usize = DISCARDS_SIZE + 1;
    /// `allPlayersCardsLeft`.
    pub const CARDS_LEFT: usize = DISCARDS + DECK * CARD_INTS;
    /// `allPlayersColoursCalled`.
    pub const COLOURS: usize = CARDS_LEFT + SEATS;
    /// `allPlayersScores`.
    pub const SCORES: usize = COLOURS + SEATS;

    const _: () = assert!(SCORES + SEATS == STATE_INTS);
}

impl Colour {
    /// The colour's number in C.
    pub const fn to_c(self) -> i32 {
        match self {
            Colour::Red => RED,
            Colour::Green => GREEN,
            Colour::Blue => BLUE,
            Colour::Yellow => YELLOW,
        }
    }

    /// The colour with this number in C.
    pub fn from_c(number: i32) -> Option<Colour> {
        Colour::ALL
            .into_iter()
            .find(|colour| colour.to_c() == number)
    }
}

impl Card {
    /// Type, colour and value as C has them.
    pub fn to_c(self) -> [i32; CARD_INTS] {
        let kind = match self.face() {
            Face::Number(_) => NUMBER,
            Face::Skip => SKIP,
            Face::Reverse => REVERSE,
            Face::DrawTwo => DRAW_TWO,
            Face::Wild => WILD,
            Face::WildDrawFour => WILD_D4,
        };
        let colour = self.colour().map_or(NONE, Colour::to_c);
        [kind, colour, i32::from(self.points())]
    }

    /// The card that C means by type, colour and value.
    ///
    /// Only what tells cards apart is looked at, because many a test program fills in no more:
    /// the value counts for a number, and a wild card is one whatever its colour.
    pub fn from_c([kind, colour, value]: [i32; CARD_INTS]) -> Option<Card> {
        let face = match kind {
            NUMBER => Face::Number(u8::try_from(value).ok()?),
            SKIP => Face::Skip,
            REVERSE => Face::Reverse,
            DRAW_TWO => Face::DrawTwo,
            WILD => return Some(Card::WILD),
            WILD_D4 => return Some(Card::WILD_DRAW_FOUR),
            _ => return None,
        };
        Card::new(Some(Colour::from_c(colour)?), face)
    }
}

/// A new deck, as `CreateDeck` makes it.
pub fn new_deck() -> [i32; DECK_INTS] {
    let mut deck = [0; DECK_INTS];
    for (ints, card) in deck.chunks_exact_mut(CARD_INTS).zip(Cards::NEW_DECK.iter()) {
        ints.copy_from_slice(&card.to_c());
    }
    deck[DECK_INTS - 1] = DECK as i32;
    deck
}

/// A selection of a card taken apart: the number of the colour called, 0 for none, and the place
/// in the hand.
pub(in crate::uno) const fn split(selection: u32) -> (i32, u32) {
    ((selection / 10_000 * 10_000) as i32, selection % 10_000)
}

/// What a C strategy is shown: a `GameState`, int by int.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State([i32; STATE_INTS]);

/// A game state that no game can be in; the text says what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field} is {number}, which cannot be")]
pub struct BadState {
    /// The field's name in C.
    pub field: &'static str,
    /// What it holds; for a card its place.
    pub number: i32,
}

/// Field by field, by the names and words of the header.
impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |number: i32| match number {
            LEFT => "LEFT".to_owned(),
            RIGHT => "RIGHT".to_owned(),
            RED => "RED".to_owned(),
            GREEN => "GREEN".to_owned(),
            BLUE => "BLUE".to_owned(),
            YELLOW => "YELLOW".to_owned(),
            NONE => "NONE".to_owned(),
            number => number.to_string(),
        };
        let seats = |start: usize, word: &dyn Fn(i32) -> String| {
            let numbers = self.0[start..start + SEATS].iter();
            numbers
                .map(|&number| word(number))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let ints = &self.0;
        writeln!(f, "numberOfPlayers {}", ints[field::PLAYERS])?;
        writeln!(f, "directionOfPlay {}", word(ints[field::DIRECTION]))?;
        writeln!(f, "lastColourCalled {}", word(ints[field::LAST_COLOUR]))?;
        writeln!(f, "yourPosition {}", ints[field::POSITION])?;
        writeln!(f, "yourNumberOfCards {}", ints[field::HAND_SIZE])?;
        writeln!(f, "yourCards {}", self.told(field::HAND_SIZE))?;
        writeln!(f, "numberOfDiscards {}", ints[field::DISCARDS_SIZE])?;
        writeln!(f, "discardPile {}", self.told(field::DISCARDS_SIZE))?;
        let plain = |number: i32| number.to_string();
        let left = seats(field::CARDS_LEFT, &plain);
        writeln!(f, "allPlayersCardsLeft {left}")?;
        let called = seats(field::COLOURS, &word);
        writeln!(f, "allPlayersColoursCalled {called}")?;
        writeln!(f, "allPlayersScores {}", seats(field::SCORES, &plain))
    }
}

impl State {
    /// The state that shows this view.
    pub fn of(view: &View) -> State {
        let mut ints = [0; STATE_INTS];
        let colour = |colour: Option<Colour>| colour.map_or(NONE, Colour::to_c);
        ints[field::PLAYERS] = SEATS as i32;
        ints[field::DIRECTION] = match view.direction {
            Direction::Left => LEFT,
            Direction::Right => RIGHT,
        };
        ints[field::LAST_COLOUR] = colour(view.last_colour_called);
        ints[field::POSITION] = i32::from(view.seat.0);
        for (size, start, cards) in [
            (field::HAND_SIZE, field::HAND, &view.hand),
            (field::DISCARDS_SIZE, field::DISCARDS, &view.discards),
        ] {
            ints[size] = cards.len() as i32;
            let room = ints[start..].chunks_exact_mut(CARD_INTS);
            for (ints, card) in room.zip(cards.iter()) {
                ints.copy_from_slice(&card.to_c());
            }
        }
        for seat in 0..SEATS {
            ints[field::CARDS_LEFT + seat] = i32::from(view.cards_left[seat]);
            ints[field::COLOURS + seat] = colour(view.colours_called[seat]);
            ints[field::SCORES + seat] = view.scores[seat];
        }
        State(ints)
    }

    /// The state's bytes, as they lie in the memory of a C program.
    pub fn to_bytes(&self) -> [u8; STATE_BYTES] {
        let mut bytes = [0; STATE_BYTES];
        let (rooms, _) = bytes.as_chunks_mut();
        for (room, int) in rooms.iter_mut().zip(&self.0) {
            *room = int.to_ne_bytes();
        }
        bytes
    }

    /// The state with these bytes, whatever they are.
    pub fn from_bytes(bytes: &[u8; STATE_BYTES]) -> State {
        let (ints, _) = bytes.as_chunks::<{ size_of::<i32>() }>();
        let mut state = State([0; STATE_INTS]);
        for (int, &bytes) in state.0.iter_mut().zip(ints) {
            *int = i32::from_ne_bytes(bytes);
        }
        state
    }

    /// The view that the state shows, if there can be a game that looks like this to one who is
    /// to move.
    pub fn view(&self) -> Result<View, BadState> {
        let wrong = |field, number| BadState { field, number };
        let players = self.0[field::PLAYERS];
        if players != SEATS as i32 {
            return Err(wrong("numberOfPlayers", players));
        }
        let direction = match self.0[field::DIRECTION] {
            LEFT => Direction::Left,
            RIGHT => Direction::Right,
            number => return Err(wrong("directionOfPlay", number)),
        };
        let position = self.0[field::POSITION];
        let seat = u16::try_from(position)
            .ok()
            .filter(|&seat| usize::from(seat) < SEATS);
        let colour = |field, number| match number {
            NONE => Ok(None),
            _ => Colour::from_c(number).map(Some).ok_or(wrong(field, number)),
        };
        let mut view = View {
            seat: Seat(seat.ok_or(wrong("yourPosition", position))?),
            direction,
            last_colour_called: colour("lastColourCalled", self.0[field::LAST_COLOUR])?,
            hand: self.cards("yourNumberOfCards", field::HAND_SIZE, "yourCards")?,
            discards: self.cards("numberOfDiscards", field::DISCARDS_SIZE, "discardPile")?,
            cards_left: [0; SEATS],
            colours_called: [None; SEATS],
            scores: [0; SEATS],
        };
        for seat in 0..SEATS {
            let left = self.0[field::CARDS_LEFT + seat];
            view.cards_left[seat] = u8::try_from(left)
                .ok()
                .filter(|&left| usize::from(left) <= DECK)
                .ok_or(wrong("allPlayersCardsLeft", left))?;
            let called = self.0[field::COLOURS + seat];
            view.colours_called[seat] = colour("allPlayersColoursCalled", called)?;
            view.scores[seat] = self.0[field::SCORES + seat];
        }
        Ok(view)
    }

    /// What a selection means in this state, or the rule that it breaks.
    ///
    /// Only the hand, the top discard and the last colour called are looked at, whatever is in
    /// the other fields. A card that is none cannot be played; without a top card nothing is
    /// valid.
    pub fn chosen(&self, selection: i32) -> Result<Move, BadSelection> {
        let size = |field: usize| usize::try_from(self.0[field]).ok().filter(|&n| n <= DECK);
        let hand = size(field::HAND_SIZE).ok_or(BadSelection::HandSize)?;
        let top = size(field::DISCARDS_SIZE)
            .and_then(|count| self.card(field::DISCARDS, count.checked_sub(1)?))
            .ok_or(BadSelection::NoDiscard)?;
        let called = Colour::from_c(self.0[field::LAST_COLOUR]);
        let cards = (0..hand).map(|place| self.card(field::HAND, place));
        read_selection(cards, top, called, selection)
    }

    /// Any valid selection, the first in the order of the hand; red is called for a wild card.
    pub fn first_valid(&self) -> Option<i32> {
        let places = (0..DECK as i32).flat_map(|place| [place, RED + place]);
        places
            .chain([-1])
            .find(|&selection| self.chosen(selection).is_ok())
    }

    /// The row of cards whose number is at `size`, with their places: `0 red 7, 1 wild`.
    fn told(&self, size: usize) -> String {
        let count = usize::try_from(self.0[size]).unwrap_or(0).min(DECK);
        let card = |place: usize| match self.card(size + 1, place) {
            Some(card) => format!("{place} {card}"),
            None => format!("{place} no card"),
        };
        (0..count).map(card).collect::<Vec<_>>().join(", ")
    }

    /// The card at this place of a row of cards that starts at `start`.
    fn card(&self, start: usize, place: usize) -> Option<Card> {
        let ints = self.0.get(start + place * CARD_INTS..)?;
        Card::from_c(*ints.first_chunk()?)
    }

    /// The cards of a row; their number is right before them.
    fn cards(&self, size: &'static str, at: usize, row: &'static str) -> Result<Cards, BadState> {
        let number = self.0[at];
        let count = usize::try_from(number).ok().filter(|&count| count <= DECK);
        let mut cards = Cards::NONE;
        for place in 0..count.ok_or(BadState {
            field: size,
            number,
        })? {
            let unreadable = BadState {
                field: row,
                number: place as i32,
            };
            cards.push(self.card(at + 1, place).ok_or(unreadable)?);
        }
        Ok(cards)
    }
}
