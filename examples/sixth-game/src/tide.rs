//! Tide: everybody plays a card in secret, and the highest wins what the lowest shows.

use std::fmt;
use std::str::FromStr;

use croupier::Hosted;
use croupier::shown::Shown;
use croupier_core::{
    BadSetup, BuiltIn, Company, Contested, Drawn, Game, Offered, OptionKind, Options, Outcome,
    Player, Profile, RandomPlayer, Seat, Seed, SetupOption, Situations, Strength, Told, Turn,
};
use serde::{Deserialize, Serialize};

/// The highest card.
const HIGHEST: u8 = 28;

/// How many cards everybody is dealt, one for each round.
const HAND: usize = 7;

/// A game of Tide.
#[derive(Clone, Debug)]
pub struct Tide {
    hands: Vec<Vec<u8>>,
    /// The rounds that are over, each with the cards in the order of the seats.
    rounds: Vec<Vec<u8>>,
    /// What has been chosen in this round, and is not seen yet.
    chosen: Vec<u8>,
}

/// How many play.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Players(u8);

impl TryFrom<u8> for Players {
    type Error = BadSetup;
    fn try_from(number: u8) -> Result<Players, BadSetup> {
        let wrong = || BadSetup::value("players", format!("2 to 4 play Tide, not {number}"));
        let possible = (2..=4).contains(&number).then_some(Players(number));
        possible.ok_or_else(wrong)
    }
}

impl From<Players> for u8 {
    fn from(players: Players) -> u8 {
        players.0
    }
}

/// Plays this card.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Card(u8);

impl fmt::Display for Card {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "play {}", self.0)
    }
}

impl FromStr for Card {
    type Err = ();
    fn from_str(text: &str) -> Result<Card, ()> {
        let card = text
            .strip_prefix("play ")
            .and_then(|card| card.parse().ok());
        card.map(Card).ok_or(())
    }
}

/// What a player sees: its hand and the rounds that are over.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct View {
    hand: Vec<u8>,
    rounds: Vec<Vec<u8>>,
    points: Vec<i64>,
}

/// Why a card is refused.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The player does not hold it.
    #[error("the {0} is not in the hand")]
    NotInHand(u8),
}

impl Tide {
    fn points(&self) -> Vec<i64> {
        let mut points = vec![0; self.hands.len()];
        for round in &self.rounds {
            let lowest = round.iter().min().copied().unwrap_or_default();
            let winner = (0..round.len()).max_by_key(|&seat| round[seat]);
            points[winner.unwrap_or_default()] += i64::from(lowest);
        }
        points
    }
}

impl Game for Tide {
    const NAME: &'static str = "tide";
    const VERSION: u32 = 1;
    type Setup = Players;
    type Move = Card;
    type View = View;
    type Illegal = Illegal;

    fn deal(players: &Players, seed: Seed) -> Tide {
        let mut deck: Vec<u8> = (1..=HIGHEST).collect();
        seed.rng().shuffle(&mut deck);
        let hands = deck.chunks(HAND).take(players.0.into());
        let mut hands: Vec<Vec<u8>> = hands.map(<[u8]>::to_vec).collect();
        hands.iter_mut().for_each(|hand| hand.sort_unstable());
        Tide {
            hands,
            rounds: Vec::new(),
            chosen: Vec::new(),
        }
    }

    fn seats(&self) -> usize {
        self.hands.len()
    }

    fn to_move(&self) -> Option<Seat> {
        (self.rounds.len() < HAND).then(|| Seat::from(self.chosen.len()))
    }

    fn legal(&self, moves: &mut Vec<Card>) {
        if let Some(seat) = self.to_move() {
            moves.extend(self.hands[seat.index()].iter().copied().map(Card));
        }
    }

    fn play(&mut self, Card(card): Card) -> Result<(), Illegal> {
        let seat = self.to_move().ok_or(Illegal::Over)?;
        let hand = &mut self.hands[seat.index()];
        let place = hand.iter().position(|&held| held == card);
        hand.remove(place.ok_or(Illegal::NotInHand(card))?);
        self.chosen.push(card);
        if self.chosen.len() == self.hands.len() {
            self.rounds.push(std::mem::take(&mut self.chosen));
        }
        Ok(())
    }

    fn foul(&mut self) -> Option<Card> {
        let highest = Card(*self.hands[self.to_move()?.index()].last()?);
        self.play(highest).ok().map(|()| highest)
    }

    fn view(&self, seat: Seat) -> View {
        View {
            hand: self.hands[seat.index()].clone(),
            rounds: self.rounds.clone(),
            points: self.points(),
        }
    }

    fn outcome(&self) -> Outcome {
        Outcome::highest_wins(self.points())
    }

    /// Cards are turned up together, when the round is over.
    fn is_open(_: Card) -> bool {
        false
    }
}

impl Offered for Tide {
    const PROFILE: Profile = Profile {
        name: Tide::NAME,
        title: "Tide",
        aim: "Play the highest card of a round in which much is to be won.",
        seats: 2..=4,
        decisions: true,
        programs: "JSON lines",
        example_program: "./mybot",
        rules: include_str!("rules.txt"),
        options: &[SetupOption {
            name: "players",
            kind: OptionKind::Number(2..=4),
            default: Some("3"),
            help: "How many play",
        }],
    };
    const PLAYERS: &'static [BuiltIn<Tide>] = &[
        BuiltIn {
            name: "random",
            about: "plays any card",
            strength: Strength::Weak,
            options: &[],
            make: |_| Ok(Box::<RandomPlayer>::default()),
        },
        BuiltIn {
            name: "rising",
            about: "plays its cards from the lowest to the highest",
            strength: Strength::Weak,
            options: &[],
            make: |_| Ok(Box::new(Rising)),
        },
    ];
    const OPPONENTS: &'static [&'static str] = &["rising", "random"];

    fn setup(options: &Options) -> Result<Players, BadSetup> {
        let mut players = 3;
        for (name, value) in options {
            match (name.as_str(), value.parse()) {
                ("players", Ok(number)) => players = number,
                _ => return Err(BadSetup::unknown_option::<Tide>(format!("{name} {value}"))),
            }
        }
        players.try_into()
    }
}

/// Plays its cards from the lowest to the highest.
struct Rising;

impl Player<Tide> for Rising {
    fn decide(&mut self, turn: &Turn<'_, Tide>) -> Result<Card, croupier_core::NoMove> {
        Ok(Card(turn.view().hand[0]))
    }
}

impl Told for Tide {
    fn aftermath(
        before: &View,
        _: Seat,
        _: Option<Card>,
        after: &View,
        company: Company<'_>,
    ) -> Vec<String> {
        let new = &after.rounds[before.rounds.len()..];
        let told = new.iter().map(|round| {
            let cards = company.each(|seat| round[seat.index()]);
            format!(
                "turned up: {cards}; points: {}",
                company.each(|seat| after.points[seat.index()])
            )
        });
        told.collect()
    }
}

/// In a browser it is drawn in the plain way; somebody who looks on sees the rounds that are over.
impl Drawn for Tide {
    type Open = Vec<Vec<u8>>;

    fn open(&self) -> Vec<Vec<u8>> {
        self.rounds.clone()
    }
}

// What a contest, a program, a check and a terminal ask for is as in other games.
impl Contested for Tide {}
impl Situations for Tide {}
impl Hosted for Tide {}
impl Shown for Tide {}
