//! The rules of Intensity.

use croupier_core::{Game, Outcome, Rng, Seat, Seed};
use serde::{Deserialize, Serialize};

use super::table::{self, Table};
use super::{Card, Cards, DECK, Discarding, HAND, PASS, Playing, View};

/// How many players there are, always.
pub const SEATS: usize = 4;

/// What a foul costs.
pub(super) const FOUL: u8 = 5;

/// Intensity leaves nothing open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Setup {}

/// A choice: three cards to pass on before the first round, then one card in every round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move(Cards);

impl Move {
    /// Passes these cards to the next seat; none unless they are three.
    #[inline]
    pub fn discard(cards: Cards) -> Option<Move> {
        (cards.len() == PASS).then_some(Move(cards))
    }

    /// Plays this card.
    #[inline]
    pub fn play(card: Card) -> Move {
        Move(card.into())
    }

    /// The cards that leave the hand.
    #[inline]
    pub fn cards(self) -> Cards {
        self.0
    }

    /// The card that is played; none if cards are passed on.
    pub fn card(self) -> Option<Card> {
        self.0.only()
    }
}

/// A game of Intensity.
#[derive(Clone, PartialEq, Debug)]
pub struct Intensity {
    /// What each seat holds. Cards that have been chosen to be passed on stay until all have
    /// chosen.
    hands: [Cards; SEATS],
    /// What each seat has chosen to pass on.
    passed: [Cards; SEATS],
    /// How many seats have chosen what to pass on; they do so in order, unseen by the others.
    chosen: u8,
    table: Table,
    fouls: [u8; SEATS],
    /// Chooses in the place of a seat that fouls.
    rng: Rng,
}

impl Intensity {
    /// A game in which these hands have been dealt; none unless they are ten different cards
    /// each.
    pub fn from_hands(hands: [Cards; SEATS], rng: Rng) -> Option<Intensity> {
        let together = hands.into_iter().fold(Cards::NONE, |all, hand| all | hand);
        let whole = together == Cards::ALL && hands.iter().all(|hand| hand.len() == HAND);
        whole.then_some(Intensity {
            hands,
            passed: [Cards::NONE; SEATS],
            chosen: 0,
            table: Table::EMPTY,
            fouls: [0; SEATS],
            rng,
        })
    }

    /// A game in which cards have been passed and played.
    pub(super) fn under_way(
        hands: [Cards; SEATS],
        passed: [Cards; SEATS],
        table: Table,
        rng: Rng,
    ) -> Intensity {
        Intensity {
            hands,
            passed,
            chosen: SEATS as u8,
            table,
            fouls: [0; SEATS],
            rng,
        }
    }

    /// The same game, in which all who have chosen what to pass on have chosen like this.
    pub(super) fn passed_again(mut self, choose: impl Fn(usize, Cards) -> Cards) -> Intensity {
        for seat in 0..usize::from(self.chosen) {
            self.passed[seat] = choose(seat, self.hands[seat]);
        }
        self
    }

    /// What each seat holds.
    pub fn hands(&self) -> &[Cards; SEATS] {
        &self.hands
    }

    /// What each seat has chosen to pass on; no cards while it has not.
    pub fn passed(&self) -> &[Cards; SEATS] {
        &self.passed
    }

    /// All cards played so far, in order.
    pub fn played(&self) -> &[Card] {
        self.table.cards()
    }

    /// The points that each seat has won with the rounds so far, without what fouls cost.
    pub fn taken(&self) -> [u8; SEATS] {
        self.table.taken()
    }

    /// How often each seat has fouled.
    pub fn fouls(&self) -> &[u8; SEATS] {
        &self.fouls
    }

    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    /// Whether cards to pass on are still being chosen.
    #[inline]
    pub fn is_discarding(&self) -> bool {
        usize::from(self.chosen) < SEATS
    }

    /// The hand of the seat that is to choose what it passes on; none once all have chosen.
    #[inline]
    pub(super) fn passing_hand(&self) -> Option<Cards> {
        let chosen = usize::from(self.chosen);
        self.is_discarding().then(|| self.hands[chosen])
    }

    /// The cards that the seat to move may play.
    #[inline]
    pub(super) fn playable(&self) -> Cards {
        // At a lead all cards that are no longer held have been played in earlier rounds.
        let [a, b, c, d] = self.hands;
        let calf_seen = !(a | b | c | d).contains_all(Cards::CALVES);
        table::legal(self.hands[self.table.turn()], self.table.lead(), calf_seen)
    }

    #[inline]
    fn discard(&mut self, cards: Cards) -> Result<(), Illegal> {
        let seat = usize::from(self.chosen);
        if cards.only().is_some() || !self.hands[seat].contains_all(cards) {
            return Err(discards_refused(self.hands[seat], cards));
        }
        self.passed[seat] = cards;
        self.chosen += 1;
        if !self.is_discarding() {
            for seat in 0..SEATS {
                let received = self.passed[(seat + SEATS - 1) % SEATS];
                self.hands[seat] = (self.hands[seat] - self.passed[seat]) | received;
            }
        }
        Ok(())
    }

    #[inline]
    fn lay(&mut self, cards: Cards) -> Result<(), Illegal> {
        match cards.only() {
            Some(card) if self.playable().contains(card) => {
                self.hands[self.table.turn()] -= cards;
                self.table.lay(card);
                Ok(())
            }
            _ => Err(self.play_refused(cards)),
        }
    }

    /// The rule that playing this would break.
    #[cold]
    fn play_refused(&self, cards: Cards) -> Illegal {
        let seat = self.table.turn();
        if self.table.is_over() {
            Illegal::Over
        } else if cards.only().is_none() {
            Illegal::NotOneCard
        } else if let Some(card) = (cards - self.hands[seat]).lowest() {
            Illegal::NotInHand(card)
        } else if let Some(lead) = self.table.lead() {
            Illegal::NotFollowed(lead)
        } else {
            Illegal::CalfLed
        }
    }
}

/// The rule that passing on these cards would break.
#[cold]
fn discards_refused(hand: Cards, cards: Cards) -> Illegal {
    let missing = (cards - hand).lowest();
    missing.map_or(Illegal::NotThreeCards, Illegal::NotInHand)
}

/// Why a move is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The player does not hold this card.
    #[error("the {0} is not in the hand")]
    NotInHand(Card),
    /// One card was played while cards are passed on.
    #[error("three cards have to be passed on before one is played")]
    NotThreeCards,
    /// Cards were passed on in a round.
    #[error("one card is played, and none is passed on any more")]
    NotOneCard,
    /// The suit of the card that was led, of which the player has some, was not followed.
    #[error("the {0} was led and has to be followed with a card from {suit}0 to {suit}9", suit = .0.suit())]
    NotFollowed(Card),
    /// A calf was led too early.
    #[error(
        "a calf may not be led before one has been played, unless there are only calves in the hand"
    )]
    CalfLed,
}

impl Game for Intensity {
    const NAME: &'static str = "intensity";
    const VERSION: u32 = 1;

    type Setup = Setup;
    type Move = Move;
    type View = View;
    type Illegal = Illegal;

    fn deal(_: &Setup, seed: Seed) -> Intensity {
        let mut rng = seed.rng();
        let mut deck = [Card::LOWEST; DECK];
        for (place, card) in deck.iter_mut().zip(Cards::ALL.iter()) {
            *place = card;
        }
        rng.shuffle(&mut deck);
        let mut hands = [Cards::NONE; SEATS];
        for (hand, cards) in hands.iter_mut().zip(deck.chunks_exact(HAND)) {
            *hand = cards.iter().copied().collect();
        }
        Intensity::from_hands(hands, rng).expect("a whole deck has been dealt")
    }

    fn seats(&self) -> usize {
        SEATS
    }

    #[inline]
    fn to_move(&self) -> Option<Seat> {
        if self.is_discarding() {
            Some(Seat(u16::from(self.chosen)))
        } else {
            (!self.table.is_over()).then(|| Seat(self.table.turn() as u16))
        }
    }

    fn legal(&self, moves: &mut Vec<Move>) {
        if !self.is_discarding() {
            moves.extend(self.playable().iter().map(Move::play));
            return;
        }
        let hand = self.hands[usize::from(self.chosen)];
        moves.extend(hand.threes().map(Move));
    }

    #[inline(always)]
    fn play(&mut self, choice: Move) -> Result<(), Illegal> {
        if self.is_discarding() {
            self.discard(choice.0)
        } else {
            self.lay(choice.0)
        }
    }

    /// Five points, and a random legal card or three random cards from the hand.
    fn foul(&mut self) -> Option<Move> {
        let seat = self.to_move()?;
        let mut rng = self.rng.clone();
        let instead = self.random_move(&mut rng)?;
        self.rng = rng;
        self.fouls[seat.index()] += 1;
        self.play(instead).expect("a random move is a legal one");
        Some(instead)
    }

    fn view(&self, seat: Seat) -> View {
        let hand = self.hands[seat.index()];
        if self.is_discarding() {
            return View::Discarding(Discarding::of(hand));
        }
        let before = (seat.index() + SEATS - 1) % SEATS;
        View::Playing(Playing::of(
            seat,
            hand,
            self.table,
            self.passed[seat.index()],
            self.passed[before],
        ))
    }

    /// Nobody sees what another passes on.
    fn is_open(choice: Move) -> bool {
        choice.card().is_some()
    }

    fn outcome(&self) -> Outcome {
        let score = |seat: usize| i64::from(self.table.taken()[seat] + FOUL * self.fouls[seat]);
        Outcome::lowest_wins((0..SEATS).map(score).collect())
    }

    // As a call of its own it costs a twentieth of random play.
    #[inline(always)]
    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        if self.is_discarding() {
            let hand = self.hands[usize::from(self.chosen)];
            Some(Move(hand.any_of_them::<PASS>(rng)))
        } else {
            self.playable().any(rng).map(Move::play)
        }
    }
}
