//! War as text: cards, hands, the one move, and the transcript of a game.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use croupier_core::{Game, Moment, Observer, counted};
use serde::{Serialize, Serializer};

use super::rules::Showdown;
use super::{Card, DECK, Ending, Hand, War};

const FACES: [&str; 13] = [
    "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A",
];
const SUITS: [char; 4] = ['C', 'H', 'S', 'D'];

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let face = FACES[usize::from(self.face())];
        write!(f, "{face}{}", SUITS[usize::from(self.suit())])
    }
}

impl Serialize for Card {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A text that is no card.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("'{0}' is no card: a face from 2 to 10 or J, Q, K, A, then a suit C, H, S or D")]
pub struct BadCard(String);

impl FromStr for Card {
    type Err = BadCard;
    fn from_str(text: &str) -> Result<Card, BadCard> {
        let card = || {
            let suit = SUITS.iter().position(|&suit| text.ends_with(suit))?;
            let face = FACES
                .iter()
                .position(|&face| face == &text[..text.len() - 1])?;
            Card::new((suit * FACES.len() + face) as u8)
        };
        card().ok_or_else(|| BadCard(text.to_owned()))
    }
}

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, card) in self.iter().enumerate() {
            let gap = if place > 0 { " " } else { "" };
            write!(f, "{gap}{card}")?;
        }
        Ok(())
    }
}

/// A text that is no hand.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadHand {
    /// One of its words is no card.
    #[error(transparent)]
    Card(#[from] BadCard),
    /// It has a card twice.
    #[error("the card {0} is there twice")]
    Twice(Card),
}

/// Reads the cards of a line, next card last, with any white space between them.
impl FromStr for Hand {
    type Err = BadHand;
    fn from_str(text: &str) -> Result<Hand, BadHand> {
        let mut line = Vec::with_capacity(DECK);
        for word in text.split_whitespace() {
            let card = word.parse()?;
            if line.contains(&card) {
                return Err(BadHand::Twice(card));
            }
            line.push(card);
        }
        Ok(Hand::new(&line))
    }
}

impl fmt::Display for Showdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("show")
    }
}

impl FromStr for Showdown {
    type Err = ();
    fn from_str(text: &str) -> Result<Showdown, ()> {
        if text == "show" {
            Ok(Showdown)
        } else {
            Err(())
        }
    }
}

/// Tells a game in the format of the handout: both hands before the first turn and after every
/// turn, every pair of cards shown, and how it ended.
///
/// The text of each moment goes to `tell`, which may stop the game.
#[derive(Debug)]
pub struct Narrator<F> {
    tell: F,
    /// The game as it was before the turn that is told next.
    before: Option<War>,
}

impl<F: FnMut(&War, &str) -> ControlFlow<()>> Narrator<F> {
    /// A narrator who speaks through `tell`, which also sees the game.
    pub fn new(tell: F) -> Narrator<F> {
        Narrator { tell, before: None }
    }
}

impl<F: FnMut(&War, &str) -> ControlFlow<()>> Observer<War> for Narrator<F> {
    const CURIOUS: bool = false;

    fn see(&mut self, game: &War, moment: &Moment<'_, War>) -> ControlFlow<()> {
        let text = match moment {
            Moment::Dealt => hands(game),
            Moment::Played(..) | Moment::Fouled(..) => {
                let before = self.before.as_ref().unwrap_or(game);
                turn(before, game)
            }
            Moment::Over(_) => last_words(game),
            Moment::Asked(..) | Moment::Weighed(..) => return ControlFlow::Continue(()),
        };
        self.before = game.to_move().is_some().then(|| game.clone());
        (self.tell)(game, &text)
    }
}

fn hands(game: &War) -> String {
    let line = |player: usize| {
        let hand = &game.hands()[player];
        let gap = if hand.is_empty() { "" } else { " " };
        format!("[{player}]{gap}{hand}\n")
    };
    line(0) + &line(1)
}

/// The cards shown in a turn and the hands after it; after a war in which somebody falls short
/// the cards are not taken, so there are no new hands to print.
fn turn(before: &War, after: &War) -> String {
    let mut text = String::new();
    let exchange = before.exchange(|show| {
        let [a, b] = show.cards;
        text += &match show.winner {
            Some(winner) => format!("show: [0] {a} and [1] {b}; player {winner} wins\n"),
            None => format!("show: [0] {a} and [1] {b}; war!\n"),
        };
    });
    if exchange.result.is_ok() {
        text += &hands(after);
    }
    text
}

fn last_words(game: &War) -> String {
    let turns = game.turns();
    match game.ending() {
        Some(Ending::Won(seat)) => format!("player {seat} wins the game after {turns} turns\n"),
        Some(Ending::Draw) => format!("the game is a draw after {turns} turns\n"),
        Some(Ending::Endless) => {
            let since = game.marked_turn();
            format!(
                "the game is endless: after {turns} turns the hands are as they were after {since}\n"
            )
        }
        Some(Ending::Stopped) => format!("the game is stopped after {}\n", counted(turns, "turn")),
        None => String::new(),
    }
}
