//! The change from one state file to the next, checked as an arbiter checks it.
//!
//! Nothing that a program wrote is trusted: the state before is known, and the state after must be
//! what one turn of the active player makes of it. The order of cards inside a hand or among
//! collected cards is not compared, because some programs sort them; on a pile the new card must
//! lie at the end.

use std::collections::BTreeMap;

use super::card::{Card, Colour, sum};
use super::rules::Move;
use super::state::{Inconsistent, Placing, State, compare};

/// What the active player did in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TurnMade {
    /// He laid a card, and took the pile if it exploded.
    Laid {
        /// The card and the pile.
        laid: Move,
        /// Whether the pile exploded.
        exploded: bool,
    },
    /// He only made the next player active, as he must without a card that he can lay.
    Passed,
}

/// The rule that a turn broke. Players and piles are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Breach {
    /// The number of players was changed.
    #[error("the number of players must stay {0}, and was made {1}")]
    Players(usize, usize),
    /// The threshold was changed.
    #[error("the explosion threshold must stay {}, and was made {}", told(.0), told(.1))]
    Threshold(Option<u32>, Option<u32>),
    /// The number of piles was changed.
    #[error("the number of piles must stay {0}, and was made {1}")]
    Piles(usize, usize),
    /// Nothing was changed at all.
    #[error("nothing was changed: the active player must lay a card")]
    Unchanged,
    /// Cards were added, lost or exchanged.
    #[error("no card may be added or lost: {0}")]
    Cards(Inconsistent),
    /// The hand of another player was changed.
    #[error("the hand of player {0} was changed in the turn of player {1}")]
    OthersHand(usize, usize),
    /// The collected cards of another player were changed.
    #[error("the collected cards of player {0} were changed in the turn of player {1}")]
    OthersDeck(usize, usize),
    /// No card was laid although one could be.
    #[error("one card must be laid, and none was")]
    NoCard,
    /// More than one card was laid.
    #[error("one card must be laid, and {0} were")]
    ManyCards(usize),
    /// The hand got a card.
    #[error("the hand of the active player was given the card {0}")]
    Drawn(Card),
    /// The card lies on no pile, nor did it make one explode.
    #[error("the card {0} must be laid on a pile")]
    NotLaid(Card),
    /// Another pile was changed too, or the order of a pile.
    #[error("pile {0} was changed otherwise than by laying one card at its end")]
    Pile(usize),
    /// The card may not lie on this pile.
    #[error("the card {0} may not be laid on pile {1}: {2}")]
    Misplaced(Card, usize, Misplaced),
    /// The pile exploded and was left where it is.
    #[error("pile {0} explodes: its sum is {1}, more than {2}, and the player must take its cards")]
    NotExploded(usize, u32, u32),
    /// The pile was taken and does not explode.
    #[error("pile {0} does not explode: its sum is {1}, not more than {2}")]
    NoExplosion(usize, u32, u32),
    /// The collected cards are not what they were and the exploded pile.
    #[error(
        "the collected cards of the active player must be those of before and the exploded pile"
    )]
    Deck,
    /// Another player was made active.
    #[error("player {0} must be active next, not player {1}")]
    Next(usize, usize),
}

/// Why a card may not lie on a pile.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misplaced {
    /// Its colour lies on another one.
    #[error("{0} lies on pile {1}")]
    LiesElsewhere(Colour, usize),
    /// Another colour lies there.
    #[error("{0} lies there")]
    OtherColour(Colour),
}

fn told(threshold: &Option<u32>) -> String {
    threshold.map_or("unnamed".to_owned(), |threshold| threshold.to_string())
}

impl State {
    /// Checks that `after` is this state after one turn of its active player, and tells the turn.
    ///
    /// `threshold` is the one that was agreed, which the file may leave out. With
    /// [`Placing::Lenient`] a colour may be put on a second pile, and who then finds no pile for
    /// any card passes.
    pub fn verify(
        &self,
        after: &State,
        threshold: u32,
        placing: Placing,
    ) -> Result<TurnMade, Breach> {
        self.verify_header(after)?;
        compare(self.cards(), after.cards()).map_err(Breach::Cards)?;
        let mover = self.active;
        for player in (0..self.players()).filter(|&player| player != mover) {
            if !same(&self.hands[player], &after.hands[player]) {
                return Err(Breach::OthersHand(player + 1, mover + 1));
            }
            if !same(&self.decks[player], &after.decks[player]) {
                return Err(Breach::OthersDeck(player + 1, mover + 1));
            }
        }
        let turn = match self.laid_card(after)? {
            Some(card) => self.verify_laid(after, card, threshold, placing)?,
            None => self.verify_pass(after, placing)?,
        };
        let next = (mover + 1) % self.players();
        if after.active != next {
            return Err(Breach::Next(next + 1, after.active + 1));
        }
        Ok(turn)
    }

    fn verify_header(&self, after: &State) -> Result<(), Breach> {
        if self.players() != after.players() {
            return Err(Breach::Players(self.players(), after.players()));
        }
        if self.threshold != after.threshold {
            return Err(Breach::Threshold(self.threshold, after.threshold));
        }
        if self.piles.len() != after.piles.len() {
            return Err(Breach::Piles(self.piles.len(), after.piles.len()));
        }
        if self == after {
            return Err(Breach::Unchanged);
        }
        Ok(())
    }

    /// The one card that the active player's hand has lost.
    fn laid_card(&self, after: &State) -> Result<Option<Card>, Breach> {
        let mut balance: BTreeMap<Card, i64> = BTreeMap::new();
        for &card in &self.hands[self.active] {
            *balance.entry(card).or_default() += 1;
        }
        for &card in &after.hands[self.active] {
            *balance.entry(card).or_default() -= 1;
        }
        if let Some((&card, _)) = balance.iter().find(|&(_, &lost)| lost < 0) {
            return Err(Breach::Drawn(card));
        }
        match balance.values().sum() {
            0 => Ok(None),
            1 => Ok(balance
                .into_iter()
                .find(|&(_, lost)| lost == 1)
                .map(|(card, _)| card)),
            lost => Err(Breach::ManyCards(lost as usize)),
        }
    }

    fn verify_pass(&self, after: &State, placing: Placing) -> Result<TurnMade, Breach> {
        let may_pass = match placing {
            Placing::Strict => self.hands[self.active].is_empty(),
            Placing::Lenient => !self.can_lay(placing),
        };
        if !may_pass {
            return Err(Breach::NoCard);
        }
        let changed = |pile: &usize| self.piles[*pile] != after.piles[*pile];
        if let Some(pile) = (0..self.piles.len()).find(changed) {
            return Err(Breach::Pile(pile + 1));
        }
        if !same(&self.decks[self.active], &after.decks[self.active]) {
            return Err(Breach::Deck);
        }
        Ok(TurnMade::Passed)
    }

    fn verify_laid(
        &self,
        after: &State,
        card: Card,
        threshold: u32,
        placing: Placing,
    ) -> Result<TurnMade, Breach> {
        let piles = 0..self.piles.len();
        let mut changed = piles.filter(|&pile| self.piles[pile] != after.piles[pile]);
        let pile = match (changed.next(), changed.next()) {
            (Some(pile), None) => pile,
            (Some(_), Some(other)) => return Err(Breach::Pile(other + 1)),
            // A card that explodes on an empty pile leaves it as it was.
            (None, _) => self
                .exploded_alone(card, threshold, placing)
                .ok_or(Breach::NotLaid(card))?,
        };
        if !self.piles_for(card, placing).contains(&pile) {
            return Err(Breach::Misplaced(card, pile + 1, self.why_not(card, pile)));
        }
        let mut laid = self.piles[pile].clone();
        laid.push(card);
        let total = sum(&laid);
        let exploded = total > threshold;
        let found = &after.piles[pile];
        let expected: &[Card] = if exploded { &[] } else { &laid };
        if found != expected {
            return Err(if exploded && *found == laid {
                Breach::NotExploded(pile + 1, total, threshold)
            } else if found.is_empty() {
                Breach::NoExplosion(pile + 1, total, threshold)
            } else {
                Breach::Pile(pile + 1)
            });
        }
        let mut collected = self.decks[self.active].clone();
        if exploded {
            collected.extend(laid);
        }
        if !same(&collected, &after.decks[self.active]) {
            return Err(Breach::Deck);
        }
        let laid = Move {
            card,
            pile: pile as u32,
        };
        Ok(TurnMade::Laid { laid, exploded })
    }

    /// The empty pile on which this card explodes all by itself.
    fn exploded_alone(&self, card: Card, threshold: u32, placing: Placing) -> Option<usize> {
        let piles = self.piles_for(card, placing);
        let empty = piles.into_iter().find(|&pile| self.piles[pile].is_empty());
        empty.filter(|_| u32::from(card.value) > threshold)
    }

    fn why_not(&self, card: Card, pile: usize) -> Misplaced {
        let colours = |pile: &[Card]| {
            let mut colours = pile.iter().map(|card| card.colour);
            colours.find(|colour| !colour.is_green())
        };
        let lies = |cards: &Vec<Card>| cards.iter().any(|other| other.colour == card.colour);
        match (colours(&self.piles[pile]), self.piles.iter().position(lies)) {
            (Some(other), _) if other != card.colour => Misplaced::OtherColour(other),
            (_, Some(place)) => Misplaced::LiesElsewhere(card.colour, place + 1),
            (other, None) => Misplaced::OtherColour(other.unwrap_or(card.colour)),
        }
    }
}

/// Whether two heaps hold the same cards, in whatever order.
fn same(one: &[Card], other: &[Card]) -> bool {
    compare(one.iter().copied(), other.iter().copied()).is_ok()
}
