//! The rules of Uno as the handout plays it: no stacking, no playing of a card just drawn, no
//! challenge of a wild draw four, and a penalty for whatever is not allowed.
//!
//! A hand is kept twice: as a row in the order in which its cards were drawn, because that is the
//! order in which a C strategy is shown it, and as the set of moves that it could make if every
//! card matched. With the set of moves that the discard pile would take, one `and` tells what can
//! be played. The discards are kept twice, too: as a row, and counted, because programs that learn
//! are shown the counts at every move.

use croupier_core::{Game, Outcome, Rng, Seat, Seed};
use serde::Serialize;

use super::cards::KINDS;
use super::moves::{MOVES_IN, MOVES_ON, MOVES_WITH, WILDS, nth};
use super::{Card, Cards, Colour, Face, Mode, Move, Setup, View};

/// How many players a game has.
pub const SEATS: usize = 4;

/// How many cards everybody is dealt.
pub(super) const DEALT: usize = 7;

/// How many cards a foul costs.
pub(super) const PENALTY: usize = 2;

/// After how many turns in a row in which no card moved the game ends.
pub(super) const IDLE_TURNS: u8 = 4;

/// Which way play goes round the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// From seat 3 to seat 2, and from seat 0 to seat 3.
    Left,
    /// From seat 0 to seat 1, and from seat 3 to seat 0.
    Right,
}

impl Direction {
    /// The other direction.
    pub const fn turned(self) -> Direction {
        match self {
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
        }
    }

    /// The seat that is `steps` further round the table.
    #[inline]
    pub const fn from(self, seat: Seat, steps: u16) -> Seat {
        let step = match self {
            Direction::Left => SEATS as u16 - 1,
            Direction::Right => 1,
        };
        Seat((seat.0 + step * steps) % SEATS as u16)
    }
}

/// The cards of one player.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Hand {
    /// In the order in which they were drawn.
    pub(super) cards: Cards,
    /// What could be played if everything matched.
    moves: u64,
}

impl Hand {
    pub(super) fn new(cards: Cards) -> Hand {
        let moves = cards.iter().map(|card| MOVES_WITH[usize::from(card.0)]);
        Hand {
            cards,
            moves: moves.fold(0, |all, moves| all | moves),
        }
    }

    #[inline]
    fn add(&mut self, card: Card) {
        self.cards.push(card);
        self.moves |= MOVES_WITH[usize::from(card.0)];
    }

    #[inline]
    fn remove(&mut self, card: Card) {
        if !self.cards.remove(card) {
            self.moves &= !MOVES_WITH[usize::from(card.0)];
        }
    }
}

/// A game of Uno.
#[derive(Clone, PartialEq, Debug)]
pub struct Uno {
    pub(super) hands: [Hand; SEATS],
    /// The next card to be drawn is the last one. It is empty only while a single discard lies
    /// on the table.
    pub(super) deck: Cards,
    /// The top card is the last one.
    pub(super) discards: Cards,
    /// How many of each card are among the discards.
    pub(super) discarded: [u8; KINDS],
    /// The moves that match the top card.
    pub(super) matching: u64,
    pub(super) direction: Direction,
    pub(super) to_move: Seat,
    over: bool,
    pub(super) last_colour: Option<Colour>,
    pub(super) colours: [Option<Colour>; SEATS],
    /// How many turns in a row no card has moved.
    pub(super) idle: u8,
    pub(super) turns: u32,
    pub(super) setup: Setup,
    rng: Rng,
}

/// A game of Uno in the middle, with all its cards, as it would be set up from a photograph.
#[derive(Clone, PartialEq, Debug)]
pub struct Position {
    /// Every player's hand, in the order in which the cards were drawn.
    pub hands: [Cards; SEATS],
    /// The deck, the next card last.
    pub deck: Cards,
    /// The discard pile, the top card last.
    pub discards: Cards,
    /// Whose turn it is.
    pub to_move: Seat,
    /// Which way play goes.
    pub direction: Direction,
    /// The colour that was called with the last wild card.
    pub last_colour_called: Option<Colour>,
    /// The colour that each player called last.
    pub colours_called: [Option<Colour>; SEATS],
}

/// A position that cannot come about; the text says what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadPosition(&'static str);

impl Uno {
    /// A game that goes on from this position; `rng` will shuffle the discards.
    pub fn resume(setup: Setup, position: &Position, rng: Rng) -> Result<Uno, BadPosition> {
        let Position {
            hands,
            deck,
            discards,
            to_move,
            direction,
            last_colour_called,
            colours_called,
        } = *position;
        let mut counts = [0; KINDS];
        let rows = hands.iter().chain([&deck, &discards]);
        rows.for_each(|row| row.count(&mut counts));
        if Card::all().any(|card| usize::from(counts[usize::from(card.0)]) != card.copies()) {
            return Err(BadPosition("the cards are not the 108 of the game"));
        }
        let Some(top) = discards.last() else {
            return Err(BadPosition("no card is turned up"));
        };
        if to_move.index() >= SEATS {
            return Err(BadPosition("there are four seats"));
        }
        if hands.iter().any(|hand| hand.is_empty()) {
            return Err(BadPosition("a player has gone out already"));
        }
        let matching = match (top.is_wild(), last_colour_called) {
            (false, _) => MOVES_ON[usize::from(top.0)],
            (true, Some(colour)) => MOVES_IN[colour.index()] | WILDS,
            (true, None) => {
                return Err(BadPosition(
                    "a wild card is on top, and no colour is called",
                ));
            }
        };
        let mut game = Uno {
            hands: hands.map(Hand::new),
            deck,
            discards,
            discarded: counted(&discards),
            matching,
            direction,
            to_move,
            over: false,
            last_colour: last_colour_called,
            colours: colours_called,
            idle: 0,
            turns: 0,
            setup,
            rng,
        };
        if game.deck.is_empty() {
            game.refill();
        }
        Ok(game)
    }

    /// All cards and whose turn it is, as they are now.
    pub fn position(&self) -> Position {
        Position {
            hands: [0, 1, 2, 3].map(|seat: usize| self.hands[seat].cards),
            deck: self.deck,
            discards: self.discards,
            to_move: self.to_move,
            direction: self.direction,
            last_colour_called: self.last_colour,
            colours_called: self.colours,
        }
    }

    /// How many turns have been played.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// Who has gone out, if anybody.
    pub fn winner(&self) -> Option<Seat> {
        let out = self.hands.iter().position(|hand| hand.cards.is_empty());
        out.map(Seat::from)
    }

    /// Lets chance go on in another way from here.
    pub(super) fn reseed(&mut self, rng: &mut Rng) {
        self.rng = Seed(rng.bits()).rng();
    }

    /// The hand of the seat to move.
    pub(super) fn hand(&self) -> &[Card] {
        &self.hands[self.to_move.index()].cards
    }

    /// What the seat to move can play.
    #[inline]
    fn playable(&self) -> u64 {
        if self.over {
            return 0;
        }
        self.hands[self.to_move.index()].moves & self.matching
    }

    /// All legal moves, as a set.
    #[inline]
    pub(super) fn moves(&self) -> u64 {
        match self.playable() {
            0 if !self.over => Move::DRAW.bit(),
            playable => playable,
        }
    }

    /// Makes a move that is known to be allowed.
    #[inline]
    fn make(&mut self, choice: Move) {
        let seat = self.to_move;
        let Some(card) = choice.card() else {
            let drawn = self.draw(seat, 1);
            return self.end_turn(1, drawn > 0);
        };
        self.hands[seat.index()].remove(card);
        self.discards.push(card);
        self.discarded[usize::from(card.0)] += 1;
        self.matching = match choice.called() {
            None => MOVES_ON[usize::from(card.0)],
            Some(colour) => {
                self.last_colour = Some(colour);
                self.colours[seat.index()] = Some(colour);
                MOVES_IN[colour.index()] | WILDS
            }
        };
        // The points are counted before a last draw two or four takes effect.
        if self.hands[seat.index()].cards.is_empty() {
            self.turns += 1;
            self.over = true;
            return;
        }
        if self.deck.is_empty() {
            self.refill();
        }
        let next = self.direction.from(seat, 1);
        let steps = match card.face() {
            Face::Number(_) | Face::Wild => 1,
            Face::Reverse => {
                self.direction = self.direction.turned();
                1
            }
            Face::Skip => 2,
            Face::DrawTwo => {
                self.draw(next, 2);
                2
            }
            Face::WildDrawFour => {
                self.draw(next, 4);
                2
            }
        };
        self.end_turn(steps, true);
    }

    /// The turn goes on by so many seats.
    #[inline]
    fn end_turn(&mut self, steps: u16, a_card_moved: bool) {
        self.to_move = self.direction.from(self.to_move, steps);
        self.turns += 1;
        self.idle = if a_card_moved { 0 } else { self.idle + 1 };
        self.over = self.idle == IDLE_TURNS || self.turns >= self.setup.max_turns.get();
    }

    /// Lets a player draw so many cards, or what there is; tells how many those were.
    #[inline]
    fn draw(&mut self, seat: Seat, count: usize) -> usize {
        for drawn in 0..count {
            let Some(card) = self.deck.pop() else {
                return drawn;
            };
            self.hands[seat.index()].add(card);
            if self.deck.is_empty() {
                self.refill();
            }
        }
        count
    }

    /// The discards but the top one are shuffled and become the deck.
    #[cold]
    fn refill(&mut self) {
        self.deck = self.discards.lift();
        self.discarded = counted(&self.discards);
        self.rng.shuffle(self.deck.as_mut_slice());
    }

    #[cold]
    fn refuse(&self, choice: Move) -> Illegal {
        if self.over {
            return Illegal::Over;
        }
        let Some(card) = choice.card() else {
            return Illegal::MustPlay;
        };
        let hand = &self.hands[self.to_move.index()];
        if hand.moves & choice.bit() == 0 {
            return Illegal::NotInHand(card);
        }
        let top = self.discards.last().copied().unwrap_or(card);
        Illegal::unmatched(card, top, self.last_colour)
    }
}

fn counted(cards: &Cards) -> [u8; KINDS] {
    let mut counts = [0; KINDS];
    cards.count(&mut counts);
    counts
}

/// Why a move is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The player wants to draw and need not.
    #[error("a player who has a card to play must play one")]
    MustPlay,
    /// The player does not hold this card.
    #[error("there is no {0} in the hand")]
    NotInHand(Card),
    /// The card does not match the one on top.
    #[error("{card} does not match the {top}")]
    Unmatched {
        /// The card.
        card: Card,
        /// The one on top of the discards.
        top: Card,
    },
    /// The card is not of the colour that was called.
    #[error("{card} does not match the {top} for which {called} was called")]
    NotAsCalled {
        /// The card.
        card: Card,
        /// The wild card on top of the discards.
        top: Card,
        /// The colour that was called for it.
        called: Colour,
    },
}

impl Illegal {
    /// This card does not match.
    pub(super) fn unmatched(card: Card, top: Card, called: Option<Colour>) -> Illegal {
        match called.filter(|_| top.is_wild()) {
            Some(called) => Illegal::NotAsCalled { card, top, called },
            None => Illegal::Unmatched { card, top },
        }
    }
}

impl Game for Uno {
    const NAME: &'static str = "uno";
    const VERSION: u32 = 1;

    type Setup = Setup;
    type Move = Move;
    type View = View;
    type Illegal = Illegal;

    fn deal(setup: &Setup, seed: Seed) -> Uno {
        let mut rng = seed.rng();
        let mut deck = Cards::NEW_DECK;
        rng.shuffle(deck.as_mut_slice());
        let mut hands = [const { Cards::NONE }; SEATS];
        for _ in 0..DEALT {
            for hand in &mut hands {
                hand.push(deck.pop().expect("28 of 108 cards are dealt"));
            }
        }
        let mut discards = Cards::NONE;
        let top = loop {
            let card = deck.pop().expect("only 8 of the cards left are wild");
            discards.push(card);
            if !card.is_wild() {
                break card;
            }
        };
        let (to_move, direction) = match setup.mode {
            Mode::Tournament => (Seat(0), Direction::Right),
            Mode::Casual => {
                let first = Seat::from(rng.below(SEATS));
                (first, [Direction::Left, Direction::Right][rng.below(2)])
            }
        };
        Uno {
            hands: hands.map(Hand::new),
            deck,
            discards,
            discarded: counted(&discards),
            matching: MOVES_ON[usize::from(top.0)],
            direction,
            to_move,
            over: false,
            last_colour: None,
            colours: [None; SEATS],
            idle: 0,
            turns: 0,
            setup: *setup,
            rng,
        }
    }

    fn seats(&self) -> usize {
        SEATS
    }

    #[inline]
    fn to_move(&self) -> Option<Seat> {
        (!self.over).then_some(self.to_move)
    }

    fn legal(&self, moves: &mut Vec<Move>) {
        if self.over {
            return;
        }
        let playable = self.playable();
        if playable == 0 {
            moves.push(Move::DRAW);
        }
        moves.extend(Move::all().filter(|choice| playable & choice.bit() != 0));
    }

    #[inline]
    fn play(&mut self, choice: Move) -> Result<(), Illegal> {
        let playable = self.playable();
        let allowed = match playable {
            0 => choice == Move::DRAW && !self.over,
            _ => playable & choice.bit() != 0,
        };
        if !allowed {
            return Err(self.refuse(choice));
        }
        self.make(choice);
        Ok(())
    }

    /// The penalty: two cards, and the turn is over. Nothing is played in the seat's place.
    fn foul(&mut self) -> Option<Move> {
        if !self.over {
            let drawn = self.draw(self.to_move, PENALTY);
            self.end_turn(1, drawn > 0);
        }
        None
    }

    fn view(&self, seat: Seat) -> View {
        View {
            seat,
            direction: self.direction,
            last_colour_called: self.last_colour,
            hand: self.hands[seat.index()].cards,
            discards: self.discards,
            cards_left: [0, 1, 2, 3].map(|seat: usize| self.hands[seat].cards.len() as u8),
            colours_called: self.colours,
            scores: self.setup.scores,
        }
    }

    /// The winner has the points that are left in the other hands and is first; all others tie.
    fn outcome(&self) -> Outcome {
        let winner = self.winner();
        let left = self.hands.iter().flat_map(|hand| hand.cards.iter());
        let points = left.map(|card| i64::from(card.points())).sum();
        let each = |seat: Seat| match winner {
            Some(winner) if winner == seat => (points, 1),
            Some(_) => (0, 2),
            None => (0, 1),
        };
        let (scores, places) = Seat::all(SEATS).map(each).unzip();
        Outcome::new(scores, places)
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        if self.over {
            return None;
        }
        let playable = self.playable();
        if playable == 0 {
            return Some(Move::DRAW);
        }
        Some(nth(playable, rng.below(playable.count_ones() as usize)))
    }
}
