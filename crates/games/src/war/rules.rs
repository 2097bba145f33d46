//! The plain rules of War, written to be read. They are the oracle for [`super::lanes`].

use std::ops::Deref;

use croupier_core::{Game, Outcome, Rng, Seat, Seed};
use serde::{Deserialize, Serialize};

use super::View;

/// How many cards there are.
pub const DECK: usize = 52;

/// How many cards each player lays in a war: three that do not count and one that does.
pub(super) const STAKE: usize = 4;

/// A card, numbered 0 to 51: clubs, hearts, spades, diamonds, and within a suit from 2 to ace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Card(u8);

impl Card {
    /// The card with this number, if there is one.
    pub fn new(number: u8) -> Option<Card> {
        (usize::from(number) < DECK).then_some(Card(number))
    }

    /// What counts in War: 0 for a 2 up to 12 for an ace.
    pub fn face(self) -> u8 {
        self.0 % 13
    }

    /// 0 to 3 for clubs, hearts, spades, diamonds.
    pub fn suit(self) -> u8 {
        self.0 / 13
    }
}

/// The cards of one player, in the order of the printed line: the next card to be drawn is the
/// last one, and winnings join at the front.
#[derive(Clone, Copy)]
pub struct Hand {
    cards: [Card; DECK],
    len: usize,
}

impl Hand {
    /// A hand of these cards.
    ///
    /// # Panics
    /// If there are more than a deck has.
    pub fn new(line: &[Card]) -> Hand {
        let mut cards = [Card(0); DECK];
        cards[..line.len()].copy_from_slice(line);
        Hand {
            cards,
            len: line.len(),
        }
    }

    /// The card that is shown when `depth` more have been drawn before it.
    fn nth(&self, depth: usize) -> Card {
        self[self.len - 1 - depth]
    }

    /// The next `count` cards, in the order of the line.
    fn next(&self, count: usize) -> Hand {
        Hand::new(&self[self.len - count..])
    }

    /// Takes away the next `count` cards, in the order of the line.
    fn draw(&mut self, count: usize) -> Hand {
        let drawn = self.next(count);
        self.len -= count;
        drawn
    }

    /// Puts cards at the front of the line.
    fn join(&mut self, front: &[Card]) {
        self.cards.copy_within(..self.len, front.len());
        self.cards[..front.len()].copy_from_slice(front);
        self.len += front.len();
    }
}

impl Deref for Hand {
    type Target = [Card];
    fn deref(&self) -> &[Card] {
        &self.cards[..self.len]
    }
}

impl PartialEq for Hand {
    fn eq(&self, other: &Hand) -> bool {
        **self == **other
    }
}

impl std::fmt::Debug for Hand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// What the rules leave open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Setup {
    /// What happens to a player who runs out of cards in a war.
    pub short_war: ShortWar,
    /// In which order the winnings join the hand.
    pub winnings: Winnings,
    /// After how many turns the game is stopped without a winner, if ever.
    #[serde(default)]
    pub max_turns: Option<u64>,
}

/// What happens to a player who runs out of cards in a war.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShortWar {
    /// A player who cannot lay four cards loses.
    #[default]
    Loses,
    /// A player lays all he has and the last card is compared; with none left at all he loses.
    LastCard,
}

/// In which order the winnings join the hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Winnings {
    /// The winner's cards before the loser's in the line, so the loser's are drawn again first.
    #[default]
    Transcript,
    /// The winner's cards are drawn again before the loser's.
    WinnerFirst,
    /// In random order.
    Shuffled,
    /// Player 0's cards are drawn again before player 1's.
    #[serde(rename = "player0-first")]
    Player0First,
}

/// A game of War.
#[derive(Clone, PartialEq, Debug)]
pub struct War {
    setup: Setup,
    hands: [Hand; 2],
    turns: u64,
    wars: u64,
    ending: Option<Ending>,
    /// The hands as they were at an earlier turn: see [`War::is_in_a_cycle`].
    marked: ([Hand; 2], u64),
    /// The last exchange, with the cards that were laid in it.
    last: Option<(Exchange, [Hand; 2])>,
    rng: Rng,
}

/// How a game of War ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// One player has all that counts.
    Won(Seat),
    /// Both fell short in the same war.
    Draw,
    /// It will never end, which is proved.
    Endless,
    /// The limit on turns was reached.
    Stopped,
}

/// One exchange of cards with all its wars, before it is carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// How many cards each player lays.
    pub laid: [usize; 2],
    /// How many wars there are in it.
    pub wars: u64,
    /// Who takes the cards; the end of the game if they are not taken.
    pub result: Result<Seat, Ending>,
}

/// Two cards shown against each other, and what comes of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Show {
    /// The cards of players 0 and 1.
    pub cards: [Card; 2],
    /// Who wins; nobody if it is a war.
    pub winner: Option<Seat>,
}

impl War {
    /// A game that starts from these hands.
    pub fn from_hands(setup: Setup, hands: [Hand; 2], rng: Rng) -> War {
        let mut war = War {
            setup,
            hands,
            turns: 0,
            wars: 0,
            ending: None,
            marked: (hands, 0),
            last: None,
            rng,
        };
        war.ending = war.end_between_turns();
        war
    }

    /// The hands of both players.
    pub fn hands(&self) -> &[Hand; 2] {
        &self.hands
    }

    /// How many turns have been played; a turn is one exchange with all its wars.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// How many wars there have been; a war within a war counts as another one.
    pub fn wars(&self) -> u64 {
        self.wars
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The earlier turn with whose hands the present ones are compared. When the game has proved
    /// to be endless, they are the same.
    pub fn marked_turn(&self) -> u64 {
        self.marked.1
    }

    /// The last exchange, with the cards that each player laid in it: the next card of the line last,
    /// so the first one that was laid is the last one there.
    pub(super) fn last(&self) -> Option<&(Exchange, [Hand; 2])> {
        self.last.as_ref()
    }

    /// What the next exchange will be; `show` is given every pair of cards that is compared.
    pub fn exchange(&self, mut show: impl FnMut(Show)) -> Exchange {
        let [a, b] = &self.hands;
        let mut laid = [1, 1];
        let mut wars = 0;
        loop {
            let cards = [a.nth(laid[0] - 1), b.nth(laid[1] - 1)];
            let [x, y] = cards.map(Card::face);
            let winner = (x != y).then_some(if x > y { Seat(0) } else { Seat(1) });
            show(Show { cards, winner });
            if let Some(winner) = winner {
                let result = Ok(winner);
                return Exchange { laid, wars, result };
            }
            wars += 1;
            let left = [a.len() - laid[0], b.len() - laid[1]];
            let needed = match self.setup.short_war {
                ShortWar::Loses => STAKE,
                ShortWar::LastCard => 1,
            };
            let result = match left.map(|left| left >= needed) {
                [true, true] => {
                    laid = [0, 1].map(|player| laid[player] + left[player].min(STAKE));
                    continue;
                }
                [true, false] => Err(Ending::Won(Seat(0))),
                [false, true] => Err(Ending::Won(Seat(1))),
                [false, false] => Err(Ending::Draw),
            };
            return Exchange { laid, wars, result };
        }
    }

    /// Plays one turn.
    fn turn(&mut self) {
        let exchange = self.exchange(|_| {});
        self.turns += 1;
        self.wars += exchange.wars;
        let laid = [0, 1].map(|player| self.hands[player].next(exchange.laid[player]));
        self.last = Some((exchange, laid));
        self.ending = match exchange.result {
            Err(ending) => Some(ending),
            Ok(winner) => {
                self.take(winner, exchange.laid);
                self.end_between_turns()
            }
        };
    }

    /// The winner takes the cards that are laid.
    fn take(&mut self, winner: Seat, laid: [usize; 2]) {
        let won = [0, 1].map(|player| self.hands[player].draw(laid[player]));
        let (winner, loser) = (winner.index(), 1 - winner.index());
        let (front, behind) = match self.setup.winnings {
            Winnings::Transcript | Winnings::Shuffled => (winner, loser),
            Winnings::WinnerFirst => (loser, winner),
            Winnings::Player0First => (1, 0),
        };
        let mut pile = won[front];
        let count = laid[0] + laid[1];
        pile.cards[laid[front]..count].copy_from_slice(&won[behind]);
        if self.setup.winnings == Winnings::Shuffled {
            self.rng.shuffle(&mut pile.cards[..count]);
        }
        self.hands[winner].join(&pile.cards[..count]);
    }

    fn end_between_turns(&mut self) -> Option<Ending> {
        match self.hands.map(|hand| hand.is_empty()) {
            [true, true] => return Some(Ending::Draw),
            [true, false] => return Some(Ending::Won(Seat(1))),
            [false, true] => return Some(Ending::Won(Seat(0))),
            [false, false] => {}
        }
        if self.is_in_a_cycle() {
            return Some(Ending::Endless);
        }
        (self.setup.max_turns == Some(self.turns)).then_some(Ending::Stopped)
    }

    /// Whether the hands are what they were after the marked turn.
    ///
    /// The hands decide all that follows unless chance orders the winnings, so hands that come
    /// back prove that the game never ends. Remembering one earlier state is enough (Brent): it is
    /// replaced after every power of two of turns, so in the end it lies on the cycle and is older
    /// than the cycle is long.
    fn is_in_a_cycle(&mut self) -> bool {
        if self.setup.winnings == Winnings::Shuffled || self.turns == 0 {
            return false;
        }
        let repeated = self.marked.0 == self.hands;
        if !repeated && self.turns.is_power_of_two() {
            self.marked = (self.hands, self.turns);
        }
        repeated
    }
}

/// The one thing to do in War: both players show their next cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Showdown;

/// Why the players may not show their cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The game is over.
    #[error("the game is over")]
    Over,
}

impl Game for War {
    const NAME: &'static str = "war";
    const VERSION: u32 = 1;

    type Setup = Setup;
    type Move = Showdown;
    type View = View;
    type Illegal = Illegal;

    fn deal(setup: &Setup, seed: Seed) -> War {
        let mut rng = seed.rng();
        let mut deck: [Card; DECK] = std::array::from_fn(|number| Card(number as u8));
        rng.shuffle(&mut deck);
        let (one, other) = deck.split_at(DECK / 2);
        War::from_hands(*setup, [Hand::new(one), Hand::new(other)], rng)
    }

    fn seats(&self) -> usize {
        2
    }

    /// Both players show at once; player 0 stands for both.
    fn to_move(&self) -> Option<Seat> {
        self.ending.is_none().then_some(Seat(0))
    }

    fn legal(&self, moves: &mut Vec<Showdown>) {
        moves.extend(self.to_move().map(|_| Showdown));
    }

    fn play(&mut self, _: Showdown) -> Result<(), Illegal> {
        if self.ending.is_some() {
            return Err(Illegal::Over);
        }
        self.turn();
        Ok(())
    }

    /// There is no way to foul in War; the turn is played.
    fn foul(&mut self) -> Option<Showdown> {
        self.play(Showdown).ok().map(|()| Showdown)
    }

    fn view(&self, _: Seat) -> View {
        View {
            cards: [0, 1].map(|player| self.hands[player].len()),
            turns: self.turns,
        }
    }

    /// One point for the winner, none for a draw or a game without an end.
    fn outcome(&self) -> Outcome {
        let won = |seat| i64::from(self.ending == Some(Ending::Won(seat)));
        Outcome::highest_wins(vec![won(Seat(0)), won(Seat(1))])
    }
}
