//! Rollouts: playing a game on to its end, fast and many times for every decision of the expert.
//!
//! Everybody plays like `careful`. Only where `careful` takes the first of equally good cards in the
//! order in which they were drawn, another of them may be played: here a hand has no order.

use croupier_core::{Rng, Seat};

use super::moves::{MOVES_IN, MOVES_ON, MOVES_WITH, WILDS};
use super::rules::IDLE_TURNS;
use super::{Card, Cards, Colour, Direction, Face, Move, SEATS, Uno};

/// The moves with a coloured card of one face, whatever its colour.
const fn all_of(face: u32) -> u64 {
    (1 | 1 << 13 | 1 << 26 | 1 << 39) << face
}

const SKIPS: u64 = all_of(10);
const REVERSES: u64 = all_of(11);
const DRAW_TWOS: u64 = all_of(12);

/// The moves with a plain wild card, and those with a wild draw four.
const PLAIN_WILDS: u64 = MOVES_WITH[52];
const WILD_DRAW_FOURS: u64 = MOVES_WITH[53];

/// With so many cards left a player may be out in the next turn but one.
const FEW: u8 = 2;

/// A hand, without the order of its cards.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Held {
    /// What could be played if everything matched.
    moves: u64,
    /// The coloured cards of which it has two.
    twice: u64,
    /// How many plain wild cards and wild draw fours it has.
    wilds: [u8; 2],
    /// How many cards of each colour it has.
    colours: [u8; 4],
    len: u8,
}

impl Held {
    fn new(cards: &[Card]) -> Held {
        let mut held = Held::default();
        cards.iter().for_each(|&card| held.add(card));
        held
    }

    #[inline]
    pub(super) fn add(&mut self, card: Card) {
        self.len += 1;
        let moves = MOVES_WITH[usize::from(card.0)];
        match card.colour() {
            Some(colour) => {
                self.twice |= self.moves & moves;
                self.colours[colour.index()] += 1;
            }
            None => self.wilds[usize::from(card.0 - Card::WILD.0)] += 1,
        }
        self.moves |= moves;
    }

    #[inline]
    fn remove(&mut self, card: Card) {
        self.len -= 1;
        let moves = MOVES_WITH[usize::from(card.0)];
        let is_last = match card.colour() {
            Some(colour) => {
                self.colours[colour.index()] -= 1;
                let is_last = self.twice & moves == 0;
                self.twice &= !moves;
                is_last
            }
            None => {
                let wilds = &mut self.wilds[usize::from(card.0 - Card::WILD.0)];
                *wilds -= 1;
                *wilds == 0
            }
        };
        if is_last {
            self.moves &= !moves;
        }
    }

    /// Whether this move is one that `careful` may make with this hand; `next` and `last` are the
    /// cards of the next player and of the one before.
    #[inline]
    pub(super) fn careful_may_play(&self, choice: Move, matching: u64, next: u8, last: u8) -> bool {
        let playable = self.moves & matching;
        let Some(card) = choice.card() else {
            return playable == 0;
        };
        let own = MOVES_WITH[usize::from(card.0)];
        if let Some(weapons) = attack(playable, next, last) {
            return own & weapons != 0 && self.would_call(choice);
        }
        match self.best_coloured(playable & !WILDS) {
            Some(best) => {
                let worth = |card: Card| {
                    let held = card.colour().map(|colour| self.colours[colour.index()]);
                    (held, card.points())
                };
                !card.is_wild() && worth(card) == worth(best)
            }
            None => self.would_call(choice) && (card == Card::WILD || playable & PLAIN_WILDS == 0),
        }
    }

    /// Whether a colour that is called is one of which it holds most cards.
    #[inline]
    fn would_call(&self, choice: Move) -> bool {
        let most = self.colours[self.longest().index()];
        choice
            .called()
            .is_none_or(|called| self.colours[called.index()] == most)
    }

    /// The colour of which it has most cards, the first of equal ones.
    #[inline]
    fn longest(&self) -> Colour {
        let mut longest = Colour::Red;
        for colour in Colour::ALL {
            if self.colours[colour.index()] > self.colours[longest.index()] {
                longest = colour;
            }
        }
        longest
    }

    /// The coloured card among these moves that is best by the rules of `careful`.
    #[inline]
    fn best_coloured(&self, playable: u64) -> Option<Card> {
        let mut best = None;
        for colour in Colour::ALL {
            let own = playable & MOVES_IN[colour.index()];
            if own != 0 {
                // Within a colour the highest number is worth most.
                let card = Card(63 - own.leading_zeros() as u8);
                let worth = (self.colours[colour.index()], card.points());
                if best.is_none_or(|(most, _)| worth > most) {
                    best = Some((worth, card));
                }
            }
        }
        best.map(|(_, card)| card)
    }
}

/// The moves that take the turn of a player who is about to go out, of the best sort that there is
/// among these; none if it is not about to go out or nothing stops it.
#[inline]
fn attack(playable: u64, next: u8, last: u8) -> Option<u64> {
    if next > FEW {
        return None;
    }
    let reverses = if last > next { REVERSES } else { 0 };
    let weapons = [WILD_DRAW_FOURS, DRAW_TWOS, SKIPS, reverses];
    let usable = weapons.into_iter().map(|weapon| playable & weapon);
    usable.into_iter().find(|&usable| usable != 0)
}

/// What matters of a game for playing it on.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Playout {
    hands: [Held; SEATS],
    deck: Cards,
    discards: Cards,
    /// The moves that match the top card.
    matching: u64,
    direction: Direction,
    turn: usize,
    idle: u8,
    turns_left: u32,
}

impl Playout {
    /// The game as it stands; it is not over.
    pub(super) fn of(game: &Uno) -> Playout {
        Playout {
            hands: [0, 1, 2, 3].map(|seat: usize| Held::new(&game.hands[seat].cards)),
            deck: game.deck,
            discards: game.discards,
            matching: game.matching,
            direction: game.direction,
            turn: game.to_move.index(),
            idle: game.idle,
            turns_left: game.setup.max_turns.get() - game.turns,
        }
    }

    /// The seat that is so many steps after the one to move.
    #[inline]
    fn after(&self, steps: usize) -> usize {
        let step = match self.direction {
            Direction::Left => SEATS - 1,
            Direction::Right => 1,
        };
        (self.turn + step * steps) % SEATS
    }

    /// What `careful` plays.
    #[inline]
    pub(super) fn careful(&self) -> Move {
        let hand = &self.hands[self.turn];
        let playable = hand.moves & self.matching;
        if playable == 0 {
            return Move::DRAW;
        }
        let (next, last) = (self.after(1), self.after(SEATS - 1));
        let weapons = attack(playable, self.hands[next].len, self.hands[last].len);
        let weapon = weapons.and_then(|weapons| {
            Move::from_index((playable & weapons).trailing_zeros() as usize)?.card()
        });
        let card = match weapon.or_else(|| hand.best_coloured(playable & !WILDS)) {
            Some(card) => card,
            None if playable & PLAIN_WILDS != 0 => Card::WILD,
            None => Card::WILD_DRAW_FOUR,
        };
        let called = card.is_wild().then(|| hand.longest());
        Move::play(card, called).expect("a colour is called for wild cards alone")
    }

    /// Makes a legal move; who went out by it, if anybody did.
    #[inline]
    fn play(&mut self, choice: Move, rng: &mut Rng) -> Option<usize> {
        let turn = self.turn;
        let Some(card) = choice.card() else {
            let drawn = self.draw(turn, 1, rng);
            self.idle = if drawn { 0 } else { self.idle + 1 };
            self.turn = self.after(1);
            return None;
        };
        self.idle = 0;
        self.hands[turn].remove(card);
        self.discards.push(card);
        self.matching = match choice.called() {
            None => MOVES_ON[usize::from(card.0)],
            Some(colour) => MOVES_IN[colour.index()] | WILDS,
        };
        if self.hands[turn].len == 0 {
            return Some(turn);
        }
        if self.deck.is_empty() {
            self.refill(rng);
        }
        let next = self.after(1);
        let steps = match card.face() {
            Face::Number(_) | Face::Wild => 1,
            Face::Reverse => {
                self.direction = self.direction.turned();
                1
            }
            Face::Skip => 2,
            Face::DrawTwo => {
                self.draw(next, 2, rng);
                2
            }
            Face::WildDrawFour => {
                self.draw(next, 4, rng);
                2
            }
        };
        self.turn = self.after(steps);
        None
    }

    /// Lets a seat draw so many cards, or what there is; tells whether there was any.
    #[inline]
    fn draw(&mut self, seat: usize, count: usize, rng: &mut Rng) -> bool {
        for drawn in 0..count {
            let Some(card) = self.deck.pop() else {
                return drawn > 0;
            };
            self.hands[seat].add(card);
            if self.deck.is_empty() {
                self.refill(rng);
            }
        }
        true
    }

    #[cold]
    fn refill(&mut self, rng: &mut Rng) {
        self.deck = self.discards.lift();
        rng.shuffle(self.deck.as_mut_slice());
    }

    /// Plays on to the end; who went out, if anybody did.
    pub(super) fn finish(mut self, rng: &mut Rng) -> Option<Seat> {
        while self.turns_left > 0 && self.idle < IDLE_TURNS {
            self.turns_left -= 1;
            if let Some(winner) = self.play(self.careful(), rng) {
                return Some(Seat::from(winner));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use croupier_core::{Game, Seed};
    use proptest::prelude::*;

    use super::*;
    use crate::uno::{Careful, Mode, Setup};

    proptest! {
        /// The rules are written a second time here, and so is `careful`.
        #[test]
        fn a_rollout_is_a_game_between_careful_players(seed: u64, casually: bool, wild_start in 0..30) {
            let mode = if casually { Mode::Casual } else { Mode::Tournament };
            let mut game = Uno::deal(&Setup { mode, ..Setup::default() }, Seed(seed));
            let mut rng = Seed(seed).rng();
            for _ in 0..wild_start {
                game.play(game.random_move(&mut rng).unwrap()).unwrap();
                if game.to_move().is_none() {
                    return Ok(());
                }
            }
            let mut playout = Playout::of(&game);
            while let Some(seat) = game.to_move() {
                let own = &playout.hands[playout.turn];
                let left = |steps| playout.hands[playout.after(steps)].len;
                let may_play = |choice| {
                    own.careful_may_play(choice, playout.matching, left(1), left(SEATS - 1))
                };
                let choice = playout.careful();
                let careful = Careful.choose(&game.view(seat));
                prop_assert!(may_play(choice) && may_play(careful), "{choice} or {careful}");
                let mut moves = Vec::new();
                game.legal(&mut moves);
                let equal: Vec<Move> = moves.into_iter().filter(|&choice| may_play(choice)).collect();
                prop_assert!(equal.contains(&choice));
                if let [only] = equal[..] {
                    prop_assert_eq!(only, careful);
                }
                game.play(choice).unwrap();
                playout.turns_left -= 1;
                let winner = playout.play(choice, &mut rng);
                prop_assert_eq!(winner.map(Seat::from), game.winner());
                if winner.is_some() {
                    break;
                }
                if playout.deck != game.deck {
                    // The discards have been shuffled, each in its own way.
                    prop_assert_eq!(playout.discards.len(), game.discards.len());
                    playout = Playout::of(&game);
                }
                prop_assert_eq!(&playout, &Playout::of(&game));
            }
        }
    }
}
