//! The rules of Austerity.

use croupier_core::{BadSetup, Game, Outcome, Rng, Seat, Seed, counted};
use serde::{Deserialize, Serialize};

use super::cards::MOST;
use super::{Card, Colour};
use super::{Deck, MARKET, MOST_PLAYERS, Table, Terms, Trio, View};

/// What the rules leave open: a table that can be dealt.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "AskedFor")]
pub struct Setup {
    pub(super) players: usize,
    pub(super) tokens: i64,
    pub(super) points: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) deck: Option<Deck>,
    pub(super) max_turns: Option<u64>,
}

/// A setup as it is asked for, which may be impossible.
#[derive(Deserialize)]
struct AskedFor {
    players: usize,
    tokens: i64,
    points: i64,
    #[serde(default)]
    deck: Option<Deck>,
    max_turns: Option<u64>,
}

impl TryFrom<AskedFor> for Setup {
    type Error = BadSetup;
    fn try_from(asked: AskedFor) -> Result<Setup, BadSetup> {
        Setup::new(
            asked.players,
            asked.tokens,
            asked.points,
            asked.deck,
            asked.max_turns,
        )
    }
}

impl Setup {
    /// A table of `players` with `tokens` in each coloured pile. The game ends with the round in
    /// which somebody reaches `points`, or after `max_turns` turns, if that is limited. Without a
    /// deck one is made up for every deal.
    pub fn new(
        players: usize,
        tokens: i64,
        points: i64,
        deck: Option<Deck>,
        max_turns: Option<u64>,
    ) -> Result<Setup, BadSetup> {
        let wrong = |what: String| Err(BadSetup::Undealable(what));
        if !(2..=MOST_PLAYERS).contains(&players) {
            return wrong(format!(
                "Austerity is for 2 to {MOST_PLAYERS} players, not {players}"
            ));
        }
        for (name, number) in [("tokens", tokens), ("points", points)] {
            if !(0..=MOST).contains(&number) {
                return wrong(format!("{name} must be 0 to {MOST}, not {number}"));
            }
        }
        if max_turns == Some(0) {
            return wrong("max-turns must be at least 1".into());
        }
        Ok(Setup {
            players,
            tokens,
            points,
            deck,
            max_turns,
        })
    }
}

/// One turn of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Buys the card in this place of the market; the rules leave one way to pay for it.
    Purchase(u8),
    /// Takes three tokens of different colours.
    Take(Trio),
    /// Takes a wild token.
    Wild,
}

/// How a game of Austerity ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// When a round was over, somebody had reached the target.
    Target,
    /// The last card was bought.
    SoldOut,
    /// The limit on turns was reached.
    Stopped,
    /// This player gave two invalid answers in a row.
    Fouled(Seat),
}

/// The target, unless another is agreed on.
pub(super) const TARGET: i64 = 15;

/// A game of Austerity.
#[derive(Clone, PartialEq, Debug)]
pub struct Austerity {
    table: Table,
    deck: Deck,
    /// Whether the deck was made up for this deal, which everyone knows.
    made_up: bool,
    /// How many cards of the deck have been turned up.
    turned_up: usize,
    /// How many tokens each pile had at first.
    tokens: i64,
    pub(super) target: i64,
    max_turns: Option<u64>,
    turns: u64,
    /// Whose turn it is if the game is not over.
    seat: Seat,
    /// Whether the last answer was an invalid one, so that the next such ends the game.
    warned: bool,
    ending: Option<Ending>,
}

impl Austerity {
    /// What lies open.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// How many turns have been played.
    pub fn turns(&self) -> u64 {
        self.turns
    }

    /// The cards that nobody has seen yet, the next one first.
    pub fn hidden(&self) -> &[Card] {
        &self.deck.cards()[self.turned_up..]
    }

    /// The game that a player sees, with a deck that begins with the cards that were turned up.
    pub(super) fn resumed(view: &View, deck: Deck) -> Austerity {
        let table = view.table.clone();
        let players = table.players.len();
        let held = table.players.iter().map(|player| player.tokens[0]);
        let tokens = held.fold(table.piles[0], i64::saturating_add);
        let mut game = Austerity {
            turned_up: view.seen.len(),
            tokens,
            target: view.terms.target,
            max_turns: view.terms.max_turns,
            turns: view.turns,
            seat: Seat::from((view.turns % players as u64) as usize),
            warned: false,
            ending: None,
            made_up: view.terms.made_up,
            table,
            deck,
        };
        game.ending = game.end_after_turn();
        game
    }

    /// What the seat to move pays for the card in this place.
    #[inline]
    fn price(&self, place: usize) -> Result<super::Payment, Illegal> {
        let Some(card) = self.table.market.get(place) else {
            return Err(Illegal::NoCard { place });
        };
        let Some(paid) = self.table.players[self.seat.index()].payment(card) else {
            return Err(Illegal::TooDear { place, card: *card });
        };
        Ok(paid)
    }

    /// Puts the next card of the deck, if there is one, at the end of the market.
    #[inline]
    fn turn_up(&mut self) {
        if let Some(&card) = self.hidden().first() {
            self.table.market.push(card);
            self.turned_up += 1;
        }
    }

    fn end_after_turn(&self) -> Option<Ending> {
        if self.table.market.is_empty() {
            return Some(Ending::SoldOut);
        }
        if self.seat == Seat(0) && self.is_target_reached() {
            return Some(Ending::Target);
        }
        (self.max_turns == Some(self.turns)).then_some(Ending::Stopped)
    }

    fn is_target_reached(&self) -> bool {
        let mut players = self.table.players.iter();
        players.any(|player| player.points >= self.target)
    }

    /// The cards that the seat to move can pay for, one bit a place.
    #[inline]
    pub(super) fn affordable(&self) -> u32 {
        self.table.players[self.seat.index()].affordable(&self.table.market)
    }
}

/// Why a move is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// No card lies in this place of the market.
    #[error("there is no card {place} in the market")]
    NoCard {
        /// The place, from 0.
        place: usize,
    },
    /// The player cannot pay for the card.
    #[error("card {place} ({card}) costs more than the player has")]
    TooDear {
        /// The place of the card in the market, from 0.
        place: usize,
        /// The card.
        card: Card,
    },
    /// A pile of tokens is empty.
    #[error("there is no {} token left to take", .0.letter())]
    NoToken(Colour),
}

impl Game for Austerity {
    const NAME: &'static str = "austerity";
    const VERSION: u32 = 1;

    type Setup = Setup;
    type Move = Move;
    type View = View;
    type Illegal = Illegal;

    fn deal(setup: &Setup, seed: Seed) -> Austerity {
        let made_up = || Deck::make_up(setup.players, &mut seed.rng());
        let mut game = Austerity {
            table: Table::new(setup.players),
            deck: setup.deck.clone().unwrap_or_else(made_up),
            made_up: setup.deck.is_none(),
            turned_up: 0,
            tokens: setup.tokens,
            target: setup.points,
            max_turns: setup.max_turns,
            turns: 0,
            seat: Seat(0),
            warned: false,
            ending: None,
        };
        game.table.piles = [setup.tokens; 4];
        for _ in 0..MARKET {
            game.turn_up();
        }
        game.ending = game.is_target_reached().then_some(Ending::Target);
        game
    }

    fn seats(&self) -> usize {
        self.table.players.len()
    }

    #[inline]
    fn to_move(&self) -> Option<Seat> {
        self.ending.is_none().then_some(self.seat)
    }

    fn legal(&self, moves: &mut Vec<Move>) {
        if self.ending.is_some() {
            return;
        }
        let affordable = self.affordable();
        let places = (0..MARKET as u8).filter(|place| affordable >> place & 1 == 1);
        moves.extend(places.map(Move::Purchase));
        moves.extend(self.table.trios().map(Move::Take));
        moves.push(Move::Wild);
    }

    #[inline]
    fn play(&mut self, choice: Move) -> Result<(), Illegal> {
        if self.ending.is_some() {
            return Err(Illegal::Over);
        }
        let seat = self.seat;
        match choice {
            Move::Purchase(place) => {
                let place = usize::from(place);
                let paid = self.price(place)?;
                self.table.buy(seat, place, paid);
                self.turn_up();
            }
            Move::Take(trio) => {
                if let Some(colour) = trio.colours().find(|&colour| !self.table.has(colour)) {
                    return Err(Illegal::NoToken(colour));
                }
                self.table.take(seat, trio.tokens());
            }
            Move::Wild => self.table.take_wild(seat),
        }
        self.turns += 1;
        self.warned = false;
        self.seat = seat.next(self.seats());
        self.ending = self.end_after_turn();
        Ok(())
    }

    /// The player is asked once more; a second invalid answer in a row ends the game.
    fn foul(&mut self) -> Option<Move> {
        if self.warned && self.ending.is_none() {
            self.ending = Some(Ending::Fouled(self.seat));
        }
        self.warned = true;
        None
    }

    fn view(&self, seat: Seat) -> View {
        View {
            seat,
            table: self.table.clone(),
            terms: Terms {
                target: self.target,
                max_turns: self.max_turns,
                cards: self.deck.cards().len(),
                made_up: self.made_up,
            },
            turns: self.turns,
            seen: self.deck.cards()[..self.turned_up].to_vec(),
        }
    }

    /// The most points win; who ended the game with a foul is last.
    fn outcome(&self) -> Outcome {
        let points = |seat: Seat| self.table.players[seat.index()].points;
        let scores = Seat::all(self.seats()).map(points).collect();
        let mut ranked: Vec<i64> = scores;
        match self.ending {
            Some(Ending::Fouled(offender)) => {
                // Below everyone, so that nobody else's place suffers from it.
                let kept = std::mem::replace(&mut ranked[offender.index()], -1);
                let mut outcome = Outcome::highest_wins(ranked);
                outcome.scores[offender.index()] = kept;
                outcome.note = Some("two fouls in a row ended it".to_owned());
                outcome
            }
            Some(Ending::Stopped) => Outcome {
                note: Some(format!(
                    "it was stopped after {}",
                    counted(self.turns, "turn")
                )),
                ..Outcome::highest_wins(ranked)
            },
            _ => Outcome::highest_wins(ranked),
        }
    }

    /// Not the deck, whose order is hidden.
    fn open_setup(setup: &Setup) -> serde_json::Value {
        let open = Setup {
            deck: None,
            ..setup.clone()
        };
        serde_json::to_value(open).expect("a setup is plain JSON")
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        self.to_move()?;
        let mut affordable = self.affordable();
        let mut empty = Colour::ALL.into_iter().filter(|&c| !self.table.has(c));
        let (one_empty, two_empty) = (empty.next(), empty.next());
        let trios = match (one_empty, two_empty) {
            (None, _) => Trio::ALL.len(),
            (Some(_), None) => 1,
            (Some(_), Some(_)) => 0,
        };
        let cards = affordable.count_ones() as usize;
        let drawn = rng.below(1 + trios + cards);
        Some(match drawn.checked_sub(1 + trios) {
            Some(skipped) => {
                for _ in 0..skipped {
                    affordable &= affordable - 1;
                }
                Move::Purchase(affordable.trailing_zeros() as u8)
            }
            None if drawn == 0 => Move::Wild,
            None => Move::Take(one_empty.map_or(Trio::ALL[drawn - 1], Trio::without)),
        })
    }
}
