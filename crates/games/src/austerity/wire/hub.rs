//! A game as the hub tells it to the players, and what their answers mean.
//!
//! What is told follows from what everybody sees before and after a turn. A program keeps its view by
//! what it is told: messages are checked for what the table has no place for, not for whether they
//! make sense.

use croupier_core::{Game as _, Seat};

use super::super::{Austerity, Card, Illegal, MARKET, Move, Payment, Trio, View};
use super::{Answer, Message};

/// What everyone is told about a turn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct News {
    /// What the player did.
    pub done: Message,
    /// The card that was turned up in place of one that was bought.
    pub turned_up: Option<Card>,
}

impl News {
    /// The messages to all players, in order.
    pub fn messages(&self) -> impl Iterator<Item = Message> {
        let turned_up = self.turned_up.map(Message::NewCard);
        [Some(self.done), turned_up].into_iter().flatten()
    }
}

impl Answer {
    /// The move that an answer means, to the player who sees this. How a card is paid for must be
    /// exactly what the rules ask, if the player can buy it at all.
    pub fn choice(&self, view: &View) -> Result<Move, BadAnswer> {
        Ok(match *self {
            Answer::Purchase { place, paid } => {
                if let Some(card) = view.table.market.get(place)
                    && let Some(cost) = view.table.players[view.seat.index()].payment(card)
                    && cost != paid
                {
                    let card = *card;
                    return Err(BadAnswer::Payment { place, card, cost });
                }
                // An answer names no place beyond the market's eight.
                Move::Purchase(place as u8)
            }
            Answer::Take(tokens) => Move::Take(Trio::of(tokens).ok_or(BadAnswer::NotThree)?),
            Answer::Wild => Move::Wild,
        })
    }
}

impl View {
    /// What everyone is told before the first turn, of which this is the view.
    pub fn opening(&self) -> impl Iterator<Item = Message> {
        let cards = self.seen.iter().map(|&card| Message::NewCard(card));
        std::iter::once(Message::Tokens(self.table.piles[0])).chain(cards)
    }

    /// What everyone is told about the turn in which `seat` made this move, after which they see
    /// `after`.
    pub fn news(&self, seat: Seat, choice: Move, after: &View) -> News {
        let done = match choice {
            Move::Purchase(place) => {
                let place = usize::from(place);
                let card = &self.table.market[place];
                let paid = self.table.players[seat.index()].payment(card);
                Message::Purchased {
                    seat,
                    place,
                    paid: paid.unwrap_or_default(),
                }
            }
            Move::Take(trio) => Message::Took {
                seat,
                tokens: trio.tokens(),
            },
            Move::Wild => Message::Wild(seat),
        };
        News {
            done,
            turned_up: after.seen.get(self.seen.len()).copied(),
        }
    }

    /// Hears what the hub tells; the view is as it was if it does not fit the table.
    pub fn hear(&mut self, message: &Message) -> Result<(), Misfit> {
        let table = &mut self.table;
        let playing = |seat: Seat| match seat.index() < table.players.len() {
            true => Ok(seat),
            false => Err(Misfit::Player),
        };
        match *message {
            Message::Tokens(tokens) => table.piles = [tokens; 4],
            Message::NewCard(card) if table.market.len() < MARKET => {
                table.market.push(card);
                self.seen.push(card);
            }
            Message::NewCard(_) => return Err(Misfit::Card),
            Message::Purchased { seat, place, paid } => {
                let seat = playing(seat)?;
                if place >= table.market.len() {
                    return Err(Misfit::Place);
                }
                table.buy(seat, place, paid);
            }
            Message::Took { seat, tokens } => {
                let seat = playing(seat)?;
                table.take(seat, tokens);
            }
            Message::Wild(seat) => {
                let seat = playing(seat)?;
                table.take_wild(seat);
            }
            Message::DoWhat | Message::Eog => {}
        }
        self.turns += u64::from(matches!(
            message,
            Message::Purchased { .. } | Message::Took { .. } | Message::Wild(_)
        ));
        Ok(())
    }
}

impl Austerity {
    /// Takes the answer of the seat to move and says what everyone is told about it; an invalid one
    /// is refused with the rule that it breaks, and the game is as it was.
    pub fn accept(&mut self, answer: &Answer) -> Result<News, BadAnswer> {
        let seat = self.to_move();
        let seat = seat.ok_or(Illegal::Over)?;
        let before = self.view(seat);
        let choice = answer.choice(&before)?;
        self.play(choice)?;
        Ok(before.news(seat, choice, &self.view(seat)))
    }
}

/// Why an answer is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadAnswer {
    /// The move that it means breaks a rule.
    #[error(transparent)]
    Illegal(#[from] Illegal),
    /// A card is not paid for with exactly what the rules ask.
    #[error(
        "card {place} ({card}) is paid with exactly {},{},{},{} and {} wild",
        cost[0], cost[1], cost[2], cost[3], cost[4]
    )]
    Payment {
        /// The place of the card in the market, from 0.
        place: usize,
        /// The card.
        card: Card,
        /// What it costs the player.
        cost: Payment,
    },
    /// These tokens cannot be taken together.
    #[error("tokens are taken one each of three different colours")]
    NotThree,
}

/// A message that the table has no place for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misfit {
    /// It tells of somebody who does not play.
    #[error("there is no such player")]
    Player,
    /// It tells of a card that does not lie there.
    #[error("there is no card in this place")]
    Place,
    /// It adds a card to a full market.
    #[error("there is no place for another card")]
    Card,
}
