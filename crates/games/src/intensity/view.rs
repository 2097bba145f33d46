//! What a seat sees: exactly what the protocol for programs tells.

use croupier_core::Seat;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::table::{self, Table};
use super::{Card, Cards, HAND, PASS, SEATS, Unseen};

/// What a seat sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Cards are being chosen to be passed on.
    Discarding(Discarding),
    /// The rounds are being played.
    Playing(Playing),
}

/// What a seat sees until all have chosen which cards they pass on: its hand, and not even its own
/// position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Discarding {
    hand: Cards,
}

impl Discarding {
    /// The view of a seat that has been dealt this hand.
    pub fn new(hand: Cards) -> Result<Discarding, Contradiction> {
        match hand.len() {
            HAND => Ok(Discarding::of(hand)),
            count => Err(Contradiction::Dealt(count)),
        }
    }

    pub(super) fn of(hand: Cards) -> Discarding {
        Discarding { hand }
    }

    /// The ten cards that were dealt.
    pub fn hand(&self) -> Cards {
        self.hand
    }
}

/// What a seat sees while the rounds are played.
///
/// Whatever is in it fits together: there is a game in which the seat sees just this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playing {
    position: Seat,
    hand: Cards,
    table: Table,
    discarded: Cards,
    received: Cards,
}

impl Playing {
    /// The view of the seat to move that is told this; refused if it cannot be so in any game.
    ///
    /// `played` are all cards on the table in order, those of this round last.
    pub fn new(
        position: Seat,
        hand: Cards,
        played: &[Card],
        discarded: Cards,
        received: Cards,
    ) -> Result<Playing, Contradiction> {
        let rounds = played.len() / SEATS;
        if hand.is_empty() || hand.len() + rounds != HAND {
            let hand = hand.len();
            return Err(Contradiction::Counts { hand, rounds });
        }
        let mut table = Table::EMPTY;
        let mut seen = hand;
        for &card in played {
            if seen.contains(card) {
                return Err(Contradiction::Twice(card));
            }
            seen |= card.into();
            table.lay(card);
        }
        if table.turn() != position.index() {
            let turn = Seat::from(table.turn());
            return Err(Contradiction::Turn { turn, position });
        }
        let view = Playing::of(position, hand, table, discarded, received);
        view.check()?;
        Ok(view)
    }

    /// Whether there is a game in which the seat sees this.
    fn check(&self) -> Result<(), Contradiction> {
        let me = self.position.index();
        let next = (me + 1) % SEATS;
        let mut lacks = [Cards::NONE; SEATS];
        let mut played = [Cards::NONE; SEATS];
        let mut revoked = None;
        self.table.retell(|seat, card, shows| {
            if lacks[seat].contains(card) {
                revoked.get_or_insert((Seat::from(seat), card));
            }
            lacks[seat] |= shows;
            played[seat] |= card.into();
        });
        if let Some((position, card)) = revoked {
            return Err(Contradiction::Revoked { position, card });
        }
        if let Some(card) = (self.hand & lacks[me]).lowest() {
            return Err(Contradiction::Hand(card));
        }
        if self.discarded.len() != PASS || self.received.len() != PASS {
            return Err(Contradiction::Passed);
        }
        let own = self.hand | played[me];
        if let Some(card) = (self.received - own).lowest() {
            return Err(Contradiction::Received(card));
        }
        if let Some(card) = (self.discarded & own).lowest() {
            return Err(Contradiction::Discarded(card));
        }
        let gone = played.into_iter().fold(Cards::NONE, |all, some| all | some);
        let waiting = self.discarded - gone;
        let elsewhere = (self.discarded & gone) - played[next];
        let room = waiting.len() + played[next].len() <= HAND;
        if let Some(card) = (elsewhere | (waiting & lacks[next])).lowest() {
            let next = Seat::from(next);
            return Err(Contradiction::PassedOn { card, next });
        }
        if !room || Unseen::of(self).ways() == 0 {
            return Err(Contradiction::NoDeal);
        }
        Ok(())
    }

    /// What the seat in this position sees in a game.
    pub(super) fn of(
        position: Seat,
        hand: Cards,
        table: Table,
        discarded: Cards,
        received: Cards,
    ) -> Playing {
        Playing {
            position,
            hand,
            table,
            discarded,
            received,
        }
    }

    /// The own position at the table.
    pub fn position(&self) -> Seat {
        self.position
    }

    /// The cards in hand.
    pub fn hand(&self) -> Cards {
        self.hand
    }

    /// The cards played in this round, in order.
    pub fn round(&self) -> &[Card] {
        self.table.round()
    }

    /// The cards of the rounds that are over, in order.
    pub fn earlier(&self) -> &[Card] {
        self.table.earlier()
    }

    /// The three cards that were passed on.
    pub fn discarded(&self) -> Cards {
        self.discarded
    }

    /// The three cards that were received.
    pub fn received(&self) -> Cards {
        self.received
    }

    /// The card that wins the round as it stands; none at a lead.
    pub fn best(&self) -> Option<Card> {
        let round = self.round();
        (!round.is_empty()).then(|| round[table::winner(round)])
    }

    /// The points that the round contains so far.
    pub fn stake(&self) -> u8 {
        table::points(self.round())
    }

    /// The points that each seat has won with the rounds so far.
    pub fn taken(&self) -> [u8; SEATS] {
        self.table.taken()
    }

    /// The cards that may be played, if it is this seat's turn.
    pub fn legal(&self) -> Cards {
        let calf_seen = self.earlier().iter().any(|card| card.is_calf());
        table::legal(self.hand, self.table.lead(), calf_seen)
    }

    pub(super) fn table(&self) -> &Table {
        &self.table
    }
}

/// The view as bots are given it: `phase`, `hand`, and while the rounds are played `position`,
/// `round`, `earlier`, `discarded` and `received`.
impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            View::Discarding(discarding) => {
                map.serialize_entry("phase", "discard")?;
                map.serialize_entry("hand", &discarding.hand)?;
            }
            View::Playing(playing) => {
                map.serialize_entry("phase", "play")?;
                map.serialize_entry("position", &playing.position)?;
                map.serialize_entry("hand", &playing.hand)?;
                map.serialize_entry("round", playing.round())?;
                map.serialize_entry("earlier", playing.earlier())?;
                map.serialize_entry("discarded", &playing.discarded)?;
                map.serialize_entry("received", &playing.received)?;
            }
        }
        map.end()
    }
}

/// Why no seat can see this in any game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Contradiction {
    /// Not ten cards were dealt.
    #[error("a hand is dealt ten cards, not {0}")]
    Dealt(usize),
    /// The cards in hand and the rounds played do not add up.
    #[error("with {hand} cards in hand, {} rounds have been played, not {rounds}", HAND.saturating_sub(*hand))]
    Counts {
        /// How many cards are in hand.
        hand: usize,
        /// How many rounds are over.
        rounds: usize,
    },
    /// A card is in two places.
    #[error("the card {0} is there twice")]
    Twice(Card),
    /// It is somebody else's turn.
    #[error("after these cards it is the turn of position {turn}, not of position {position}")]
    Turn {
        /// Whose turn it is.
        turn: Seat,
        /// The position that was told to play.
        position: Seat,
    },
    /// Somebody played a card that it had shown not to hold.
    #[error("position {position} played the {card} after it had shown that it holds no such card")]
    Revoked {
        /// Who played it.
        position: Seat,
        /// The card.
        card: Card,
    },
    /// A card in hand should have been played before.
    #[error(
        "the {0} is in the hand, although an earlier card of this position shows that it is not"
    )]
    Hand(Card),
    /// Not three cards were passed on, or received.
    #[error("three cards are passed on and three are received")]
    Passed,
    /// A card that was received has gone.
    #[error("the {0} was received, but is neither in the hand nor has this position played it")]
    Received(Card),
    /// A card that was passed on is still there.
    #[error("the {0} was passed on, but this position still had it afterwards")]
    Discarded(Card),
    /// A card that was passed on is not where it went.
    #[error("the {card} was passed to position {next}, which cannot have it")]
    PassedOn {
        /// The card.
        card: Card,
        /// Where it went.
        next: Seat,
    },
    /// The unseen cards cannot be dealt so that all that has been played was legal.
    #[error(
        "the cards that are not seen cannot lie in any way that agrees with who did not follow"
    )]
    NoDeal,
}
