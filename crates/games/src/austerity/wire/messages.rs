//! The messages between the hub and the players, one a line; the newline is not part of them.

use std::fmt;

use croupier_core::Seat;

use super::super::{Card, Holdings, Move, Payment, View};
use super::deck::{parse_card, print_card};
use super::{parse_number, parse_numbers, print_number, print_numbers};

/// What the hub tells a player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Message {
    /// How many tokens each coloured pile has.
    Tokens(i64),
    /// A card was turned up.
    NewCard(Card),
    /// It is your turn.
    DoWhat,
    /// A player bought a card.
    Purchased {
        /// Who.
        seat: Seat,
        /// The place of the card in the market.
        place: usize,
        /// What was paid.
        paid: Payment,
    },
    /// A player took coloured tokens.
    Took {
        /// Who.
        seat: Seat,
        /// How many of each colour.
        tokens: [i64; 4],
    },
    /// A player took a wild token.
    Wild(Seat),
    /// The game is over.
    Eog,
}

/// What a player answers when it is its turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Answer {
    /// Buy a card.
    Purchase {
        /// The place of the card in the market.
        place: usize,
        /// What is paid.
        paid: Payment,
    },
    /// Take coloured tokens.
    Take([i64; 4]),
    /// Take a wild token.
    Wild,
}

/// A line that is no message; the text says what would be one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Garbled(pub &'static str);

/// A place of the market: the last one is 7.
fn parse_place(text: &[u8]) -> Option<usize> {
    let place = usize::try_from(parse_number(text)?).ok()?;
    (place < super::super::MARKET).then_some(place)
}

fn parse_seat(text: &[u8]) -> Option<Seat> {
    match text {
        [letter @ b'A'..=b'Z'] => Some(Seat(u16::from(letter - b'A'))),
        _ => None,
    }
}

/// The letter by which a player is called: A, B, C, …
pub fn seat_letter(seat: Seat) -> char {
    // Letters end at Z, but a seat is any number.
    char::from(b'A'.saturating_add(u8::try_from(seat.0).unwrap_or(u8::MAX)))
}

/// Cuts a text in two at the first colon.
fn at_colon(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = text.iter().position(|&byte| byte == b':')?;
    Some((&text[..colon], &text[colon + 1..]))
}

impl Message {
    /// Reads a line without its newline.
    pub fn parse(line: &[u8]) -> Result<Message, Garbled> {
        let or = |read: Option<Message>, right| read.ok_or(Garbled(right));
        if let Some(rest) = line.strip_prefix(b"newcard") {
            let card = parse_card(rest).map_err(Garbled)?;
            Ok(Message::NewCard(card))
        } else if let Some(rest) = line.strip_prefix(b"tokens") {
            let tokens = parse_number(rest).map(Message::Tokens);
            or(tokens, "what follows tokens is a number")
        } else if let Some(rest) = line.strip_prefix(b"took") {
            or(parse_took(rest), "it is written tookL:P,B,Y,R")
        } else if let Some(rest) = line.strip_prefix(b"purchased") {
            let right = "it is written purchasedL:C:P,B,Y,R,W, with C from 0 to 7";
            or(parse_purchased(rest), right)
        } else if let Some(rest) = line.strip_prefix(b"wild") {
            let wild = parse_seat(rest).map(Message::Wild);
            or(wild, "what follows wild is the letter of a player")
        } else {
            match line {
                b"dowhat" => Ok(Message::DoWhat),
                b"eog" => Ok(Message::Eog),
                _ => Err(Garbled("there is no such message")),
            }
        }
    }

    /// Adds the message to a text, without a newline.
    pub fn print(&self, out: &mut String) {
        match self {
            Message::Tokens(tokens) => {
                out.push_str("tokens");
                print_number(out, *tokens);
            }
            Message::NewCard(card) => {
                out.push_str("newcard");
                print_card(out, card, ':');
            }
            Message::DoWhat => out.push_str("dowhat"),
            Message::Purchased { seat, place, paid } => {
                out.push_str("purchased");
                out.push(seat_letter(*seat));
                out.push(':');
                print_purchase(out, *place, paid);
            }
            Message::Took { seat, tokens } => {
                out.push_str("took");
                out.push(seat_letter(*seat));
                out.push(':');
                print_numbers(out, *tokens);
            }
            Message::Wild(seat) => {
                out.push_str("wild");
                out.push(seat_letter(*seat));
            }
            Message::Eog => out.push_str("eog"),
        }
    }
}

fn parse_took(text: &[u8]) -> Option<Message> {
    let (seat, tokens) = at_colon(text)?;
    let seat = parse_seat(seat)?;
    let tokens = parse_numbers(tokens)?;
    Some(Message::Took { seat, tokens })
}

fn parse_purchased(text: &[u8]) -> Option<Message> {
    let (seat, purchase) = at_colon(text)?;
    let seat = parse_seat(seat)?;
    let (place, paid) = parse_purchase(purchase)?;
    Some(Message::Purchased { seat, place, paid })
}

/// What stands in the question and in the answer alike: `C:P,B,Y,R,W`.
fn parse_purchase(text: &[u8]) -> Option<(usize, Payment)> {
    let (place, paid) = at_colon(text)?;
    Some((parse_place(place)?, parse_numbers(paid)?))
}

fn print_purchase(out: &mut String, place: usize, paid: &Payment) {
    print_number(out, place as i64);
    out.push(':');
    print_numbers(out, *paid);
}

impl Answer {
    /// How a player who sees this tells the hub its move. A card that it could not pay for is
    /// told without a payment, and the hub refuses it.
    pub fn of(choice: Move, view: &View) -> Answer {
        match choice {
            Move::Purchase(place) => {
                let place = usize::from(place);
                let table = &view.table;
                let me: Option<&Holdings> = table.players.get(view.seat.index());
                let paid = me.zip(table.market.get(place));
                let paid = paid.and_then(|(me, card)| me.payment(card));
                let paid = paid.unwrap_or_default();
                Answer::Purchase { place, paid }
            }
            Move::Take(trio) => Answer::Take(trio.tokens()),
            Move::Wild => Answer::Wild,
        }
    }

    /// Reads a line without its newline.
    pub fn parse(line: &[u8]) -> Result<Answer, Garbled> {
        if let Some(rest) = line.strip_prefix(b"purchase") {
            let (place, paid) = parse_purchase(rest).ok_or(Garbled(
                "it is written purchaseC:P,B,Y,R,W, with C from 0 to 7",
            ))?;
            Ok(Answer::Purchase { place, paid })
        } else if let Some(rest) = line.strip_prefix(b"take") {
            let tokens = parse_numbers(rest).ok_or(Garbled("it is written takeP,B,Y,R"))?;
            Ok(Answer::Take(tokens))
        } else if line == b"wild" {
            Ok(Answer::Wild)
        } else {
            Err(Garbled("an answer is one of purchase, take and wild"))
        }
    }

    /// Adds the answer to a text, without a newline.
    pub fn print(&self, out: &mut String) {
        match self {
            Answer::Purchase { place, paid } => {
                out.push_str("purchase");
                print_purchase(out, *place, paid);
            }
            Answer::Take(tokens) => {
                out.push_str("take");
                print_numbers(out, *tokens);
            }
            Answer::Wild => out.push_str("wild"),
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.print(&mut text);
        f.pad(&text)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.print(&mut text);
        f.pad(&text)
    }
}
