//! The rules of Friday the 13th: a match of several rounds, played with any number of players,
//! colours and cards.
//!
//! The table has chairs, and chair 1 starts every round. The programs, which are the seats of the
//! kernel, move round the chairs: in round j (from 0) seat p sits in chair p − j.

use std::sync::Arc;

use croupier_core::{Game, OpenHanded, Outcome, Rng, Seat, Seed};

use super::card::{Card, Colour, sum};
use super::hands::Hands;
use super::piles::{NOWHERE, Piles};
use super::score;
use super::setup::{Setup, Terms};
use super::state::{Inconsistent, State};
use super::view::View;

/// A card of the hand, laid on a pile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The card.
    pub card: Card,
    /// The pile, from 0.
    pub pile: u32,
}

/// A match of Friday the 13th.
#[derive(Clone, PartialEq, Debug)]
pub struct Friday13 {
    pub(super) setup: Setup,
    /// Every round is dealt from this and its number, so that what was played in one round does
    /// not change the cards of the next.
    seed: Seed,
    /// The chance behind the moves that the house makes for a player who fouls.
    house: Rng,
    /// The round, from 0; all are over when it is the number of rounds.
    pub(super) round: u32,
    /// The seat in the first chair.
    first: usize,
    /// The chair to move, from 0.
    pub(super) active: usize,
    /// The shuffled deck of this round. The hand of chair c is every n-th card from c on, without
    /// those that were played: of like cards the first is played first.
    deck: Vec<Card>,
    /// Where the cards of the sorted deck are in the shuffled one.
    shuffled: Vec<u32>,
    pub(super) hands: Hands,
    /// How many cards all hands hold together.
    pub(super) left: usize,
    pub(super) piles: Piles,
    /// What was collected and what lay on the piles when the match was taken up in the middle.
    before: Option<Arc<Lying>>,
    /// The moves of this round, in order.
    played: Vec<Move>,
    /// How many cards of each colour each chair has collected, chair after chair, green first.
    pub(super) counts: Vec<u32>,
    /// The penalty points of each seat in the rounds that are over.
    pub(super) points: Vec<i64>,
    /// How often each seat has fouled.
    breaches: Vec<u32>,
}

/// The cards that lie on the table.
#[derive(Clone, PartialEq, Debug)]
struct Lying {
    /// What each chair has collected.
    decks: Vec<Vec<Card>>,
    piles: Vec<Vec<Card>>,
}

impl Friday13 {
    /// A match in which no card is dealt yet.
    fn new(setup: &Setup, seed: Seed) -> Friday13 {
        let (players, colours, cards) = (setup.players, setup.colours, setup.cards());
        Friday13 {
            seed,
            house: seed.rng(),
            round: 0,
            first: 0,
            active: 0,
            deck: vec![Card::new(0, Colour::GREEN); cards],
            shuffled: vec![0; cards],
            hands: Hands::new(players, colours, setup.ranks()),
            left: 0,
            piles: Piles::new(colours),
            before: None,
            played: Vec::with_capacity(cards),
            counts: vec![0; players * (colours + 1)],
            points: vec![0; players],
            breaches: vec![0; players],
            setup: setup.clone(),
        }
    }

    /// The state at the start of a round, from 0, of the match that has this seed.
    pub fn opening(setup: &Setup, seed: Seed, round: u32) -> State {
        let mut game = Friday13::new(setup, seed);
        game.round = round;
        game.deal_round();
        game.state()
    }

    /// A match of one round that goes on from a state, if that is a state of a game with this
    /// setup. `seed` is the chance that is left: the moves made for players who foul.
    pub fn from_state(setup: &Setup, state: &State, seed: Seed) -> Result<Friday13, Inconsistent> {
        state.check(setup)?;
        state.check_one_pile_a_colour()?;
        let mut terms = Terms::from(setup.clone());
        terms.rounds = 1;
        let setup = Setup::try_from(terms).expect("one round can be dealt where several can");
        let mut game = Friday13::new(&setup, seed);
        game.active = state.active;
        game.lay_out(&state.decks, &state.piles);
        for (chair, hand) in state.hands.iter().enumerate() {
            game.give(chair, hand);
        }
        if game.left == 0 {
            game.end_round();
        }
        Ok(game)
    }

    /// The match that a player sees: all that lies open is in its place, and so are the player's own
    /// cards. The others have none yet, and the chance that is left is to be set.
    pub(super) fn resumed(view: &View) -> Friday13 {
        let mut game = Friday13::new(&view.setup, Seed(0));
        // After the last round no hand is shown any more.
        let over = view.hands.iter().all(|&size| size == 0);
        game.round = view.round - u32::from(!over);
        game.first = (view.round as usize - 1) % view.setup.players;
        game.active = view.active;
        for chair in 0..view.setup.players {
            let seat = game.seat(chair);
            game.points[seat] = view.points[chair];
            game.breaches[seat] = view.breaches[chair];
        }
        game.lay_out(&view.collected, &view.piles);
        game.give(view.chair, &view.hand);
        game
    }

    /// Leaves what is still to come to this chance: the cards of later rounds, and the moves made
    /// for players who foul.
    pub(super) fn leave_to(&mut self, seed: Seed) {
        self.seed = seed;
        self.house = seed.rng();
    }

    /// Puts the cards that were collected and those of the piles in their places.
    fn lay_out(&mut self, decks: &[Vec<Card>], piles: &[Vec<Card>]) {
        for (cards, counts) in decks
            .iter()
            .zip(self.counts.chunks_exact_mut(self.setup.colours + 1))
        {
            for card in cards {
                counts[card.colour.index()] += 1;
            }
        }
        for (cards, pile) in piles.iter().zip(0..) {
            for &card in cards {
                self.piles.add(card, pile);
            }
        }
        self.before = Some(Arc::new(Lying {
            decks: decks.to_vec(),
            piles: piles.to_vec(),
        }));
    }

    /// Gives a chair, which has none, its cards. They are cards of this game.
    pub(super) fn give(&mut self, chair: usize, hand: &[Card]) {
        // What was played is taken from the front of a hand, so the rest is at its end.
        let places = (chair..self.deck.len()).step_by(self.setup.players).rev();
        for (place, &card) in places.zip(hand.iter().rev()) {
            let rank = self.setup.rank(card).expect("it is a card of this game");
            self.deck[place] = card;
            self.hands.take(chair, card.colour, rank);
        }
        self.left += hand.len();
    }

    /// The state as the file shows it. After the last round, its final state.
    pub fn state(&self) -> State {
        let chairs = 0..self.setup.players;
        let Lying { decks, piles } = self.lying();
        State {
            active: self.active,
            threshold: Some(self.setup.threshold),
            hands: chairs.map(|chair| self.hand(chair)).collect(),
            decks,
            piles,
        }
    }

    /// The round that is played, from 0; the number of rounds when all are over.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// How often a seat has fouled. It is told, and costs no points: the score is that of the
    /// cards.
    pub fn breaches(&self, seat: Seat) -> u32 {
        self.breaches[seat.index()]
    }

    /// The seat that has this chair in the present round, or had it in the last.
    #[inline]
    pub(super) fn seat(&self, chair: usize) -> usize {
        let seat = chair + self.first;
        let players = self.setup.players;
        if seat < players { seat } else { seat - players }
    }

    /// The chair that a seat has in the present round, or had in the last.
    #[inline]
    pub(super) fn chair(&self, seat: Seat) -> usize {
        let players = self.setup.players;
        (seat.index() + players - self.first) % players
    }

    /// The cards of a chair in the order of its hand.
    fn hand(&self, chair: usize) -> Vec<Card> {
        let ranks = self.setup.ranks().max(1);
        let mut kept = vec![0; (self.setup.colours + 1) * ranks];
        let mut hand = Vec::with_capacity(self.hands.size(chair));
        let dealt = self.deck[chair..].iter().step_by(self.setup.players);
        for &card in dealt.rev() {
            if hand.len() == self.hands.size(chair) {
                break;
            }
            let Some(rank) = self.setup.rank(card) else {
                continue;
            };
            let kept = &mut kept[card.colour.index() * ranks + rank];
            if *kept < self.hands.count(chair, card.colour, rank) {
                *kept += 1;
                hand.push(card);
            }
        }
        hand.reverse();
        hand
    }

    /// The cards that lie on the table, from the moves that brought them there.
    fn lying(&self) -> Lying {
        let (players, piles) = (self.setup.players, self.setup.colours);
        let mut lying = self.before.as_deref().cloned().unwrap_or_else(|| Lying {
            decks: vec![Vec::new(); players],
            piles: vec![Vec::new(); piles],
        });
        let mut sums: Vec<u32> = lying.piles.iter().map(|pile| sum(pile)).collect();
        let mut chair = (self.active + players - self.played.len() % players) % players;
        for &Move { card, pile } in &self.played {
            let pile = pile as usize;
            lying.piles[pile].push(card);
            sums[pile] += u32::from(card.value);
            if sums[pile] > self.setup.threshold {
                sums[pile] = 0;
                lying.decks[chair].append(&mut lying.piles[pile]);
            }
            chair = (chair + 1) % players;
        }
        lying
    }

    /// Shuffles and deals the round; chair 1 starts.
    fn deal_round(&mut self) {
        for (place, card) in self.shuffled.iter_mut().enumerate() {
            *card = place as u32;
        }
        let mut rng = self.seed.deal(u64::from(self.round)).rng();
        rng.shuffle(&mut self.shuffled);
        let chairs = self.setup.chairs();
        for (&(card, rank), &place) in self.setup.sorted().iter().zip(&self.shuffled) {
            self.deck[place as usize] = card;
            let chair = chairs[place as usize] as usize;
            self.hands.take(chair, card.colour, rank);
        }
        self.active = 0;
        self.left = self.setup.cards();
        self.piles.clear();
        self.before = None;
        self.played.clear();
        self.counts.fill(0);
    }

    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.round == self.setup.rounds
    }

    /// Why this card of the hand may not go on this pile.
    #[inline]
    fn placing(&self, Move { card, pile }: Move) -> Result<(), Illegal> {
        let Some(found) = self.piles.get(pile) else {
            return Err(Illegal::NoSuchPile(self.piles.len()));
        };
        if self.piles.fits(card.colour, pile) {
            Ok(())
        } else {
            let lies = self.piles.lies(card.colour);
            Err(misplaced(card.colour, lies, found.colour))
        }
    }

    /// The chair to move takes a pile.
    #[inline]
    fn explode(&mut self, pile: u32) {
        let taken = self.piles.take(pile);
        let counts = &mut self.counts[self.active * (self.setup.colours + 1)..];
        // On a pile without a colour the second line adds nothing.
        counts[0] += taken.greens;
        counts[taken.colour.index()] += taken.coloured;
    }

    /// Gives `add` the chairs and their penalty points in this round, each chair several times.
    fn penalties(&self, mut add: impl FnMut(usize, i64)) {
        let row = self.setup.colours + 1;
        for (chair, counts) in self.counts.chunks_exact(row).enumerate() {
            let cards: u32 = counts.iter().sum();
            add(chair, i64::from(cards + counts[0] * score::GREEN_EXTRA));
        }
        for colour in 1..row {
            let counts = self.counts[colour..].iter().step_by(row).copied();
            if let Some((chair, count)) = score::most(counts) {
                add(chair, -i64::from(count));
            }
        }
    }

    /// Adds up the points of the round, and deals the next if there is one.
    fn end_round(&mut self) {
        let mut points = std::mem::take(&mut self.points);
        self.penalties(|chair, penalty| points[self.seat(chair)] += penalty);
        self.points = points;
        self.round += 1;
        if !self.is_over() {
            self.first = self.seat(1);
            self.deal_round();
        }
    }
}

/// Why a move is refused. Piles are counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// No such card has been dealt to anybody.
    #[error("there is no such card in this game")]
    UnknownCard,
    /// The player does not hold the card.
    #[error("a card must be in the hand to be played")]
    NotInHand,
    /// There are only so many piles.
    #[error("there are only the cauldrons 1 to {0}")]
    NoSuchPile(usize),
    /// Another colour lies on the pile.
    #[error("{lies} lies in that cauldron, and {colour} may not be added to it")]
    OtherColour {
        /// The colour of the card.
        colour: Colour,
        /// The colour that lies there.
        lies: Colour,
    },
    /// The colour lies on another pile already.
    #[error("{colour} lies in cauldron {pile} and must go there")]
    LiesElsewhere {
        /// The colour of the card.
        colour: Colour,
        /// The pile on which it lies.
        pile: u32,
    },
}

#[cold]
fn misplaced(colour: Colour, lies: u32, found: Colour) -> Illegal {
    match lies {
        NOWHERE => Illegal::OtherColour {
            colour,
            lies: found,
        },
        pile => Illegal::LiesElsewhere {
            colour,
            pile: pile + 1,
        },
    }
}

/// The state file of the handout shows all hands to every program.
impl OpenHanded for Friday13 {}

impl Game for Friday13 {
    const NAME: &'static str = "friday13";
    const VERSION: u32 = 1;

    type Setup = Setup;
    type Move = Move;
    type View = View;
    type Illegal = Illegal;

    fn deal(setup: &Setup, seed: Seed) -> Friday13 {
        let mut game = Friday13::new(setup, seed);
        game.deal_round();
        game
    }

    fn seats(&self) -> usize {
        self.setup.players
    }

    #[inline]
    fn to_move(&self) -> Option<Seat> {
        (!self.is_over()).then(|| Seat::from(self.seat(self.active)))
    }

    fn legal(&self, moves: &mut Vec<Move>) {
        if self.is_over() {
            return;
        }
        for colour in (0..=self.setup.colours as u32).map(Colour) {
            for &rank in self.hands.ranks(self.active, colour) {
                let card = self.setup.card(colour, rank as usize);
                let choices = (0..self.piles.len() as u32).map(|pile| Move { card, pile });
                moves.extend(choices.filter(|&choice| self.placing(choice).is_ok()));
            }
        }
    }

    #[inline(always)]
    fn play(&mut self, choice: Move) -> Result<(), Illegal> {
        if self.is_over() {
            return Err(Illegal::Over);
        }
        let Move { card, pile } = choice;
        let Some(rank) = self.setup.rank(card) else {
            return Err(Illegal::UnknownCard);
        };
        self.placing(choice)?;
        if !self.hands.remove(self.active, card.colour, rank) {
            return Err(Illegal::NotInHand);
        }
        self.played.push(choice);
        if self.piles.add(card, pile) > self.setup.threshold {
            self.explode(pile);
        }
        self.active += 1;
        if self.active == self.setup.players {
            self.active = 0;
        }
        self.left -= 1;
        if self.left == 0 {
            self.end_round();
        }
        Ok(())
    }

    /// The breach is counted, and a legal move is made for the player, each equally likely.
    fn foul(&mut self) -> Option<Move> {
        let seat = self.to_move()?;
        let mut house = self.house.clone();
        let choice = self.random_move(&mut house)?;
        self.house = house;
        self.breaches[seat.index()] += 1;
        self.play(choice).ok().map(|()| choice)
    }

    fn view(&self, seat: Seat) -> View {
        let players = self.setup.players;
        let chair = self.chair(seat);
        let Lying { decks, piles } = self.lying();
        View {
            setup: self.setup.clone(),
            round: (self.round + 1).min(self.setup.rounds),
            chair,
            active: self.active,
            hand: self.hand(chair),
            hands: (0..players).map(|chair| self.hands.size(chair)).collect(),
            collected: decks,
            piles,
            points: (0..players).map(|c| self.points[self.seat(c)]).collect(),
            breaches: (0..players).map(|c| self.breaches[self.seat(c)]).collect(),
        }
    }

    /// The penalty points of all rounds, those of the present one as they stand; fewest win.
    fn outcome(&self) -> Outcome {
        let mut points = self.points.clone();
        if !self.is_over() {
            self.penalties(|chair, penalty| points[self.seat(chair)] += penalty);
        }
        Outcome::lowest_wins(points)
    }

    // As a call of its own it costs a tenth of random play.
    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        if self.is_over() {
            return None;
        }
        let different = self.hands.different(self.active);
        let choice = rng.below(self.piles.moves(different).sum());
        // Which colour it is would be guessed wrongly most of the time, so nothing branches on it.
        let (mut colour, mut before, mut sum) = (0, 0, 0);
        for moves in self.piles.moves(different) {
            sum += moves;
            let beyond = choice >= sum;
            colour += usize::from(beyond);
            before = if beyond { sum } else { before };
        }
        let (place, pile) = self.piles.nth_move(colour, choice - before);
        let colour = Colour(colour as u32);
        let rank = self.hands.ranks(self.active, colour)[place] as usize;
        let card = self.setup.card(colour, rank);
        Some(Move { card, pile })
    }
}
