//! Rollouts: playing a game on to its end, fast and many times for every decision of the expert.
//!
//! The rollout policy of the other seats is that of `careful`, which decides by what it knows: the
//! cards that it passed on, and what everybody has shown not to hold. Only where two cards cost the
//! same to three digits it may choose another one, because the lookup tables round.

use super::judgement::{CAREFUL, CUNNING, Judgement};
use super::rules::FOUL;
use super::table;
use super::{Card, Cards, Intensity, SEATS};

/// The state of a rollout: what matters of a game for playing it on.
#[derive(Clone, Copy)]
pub(super) struct Playout {
    hands: [Cards; SEATS],
    /// All hands together.
    held: Cards,
    /// What each seat passed on to the next.
    passed: [Cards; SEATS],
    /// The cards that each seat has shown not to hold.
    lacks: [Cards; SEATS],
    calf_seen: bool,
    /// The points of each seat.
    taken: [u8; SEATS],
    turn: usize,
    /// How many cards this round has.
    laid: usize,
    /// The card that wins the round as it stands, and who played it; they mean nothing at a lead.
    best: Card,
    winner: usize,
    /// The points that the round contains.
    stake: u8,
}

impl Playout {
    /// The first round, with these hands, after these cards have been passed on.
    #[inline]
    pub(super) fn new(hands: [Cards; SEATS], passed: [Cards; SEATS]) -> Playout {
        let [a, b, c, d] = hands;
        Playout {
            hands,
            held: a | b | c | d,
            passed,
            lacks: [Cards::NONE; SEATS],
            calf_seen: false,
            taken: [0; SEATS],
            turn: 0,
            laid: 0,
            best: Card::LOWEST,
            winner: 0,
            stake: 0,
        }
    }

    /// The game as it stands, once the cards have been passed.
    #[inline]
    pub(super) fn of(game: &Intensity) -> Playout {
        // Cards that are in no hand any more can be laid all the same.
        let mut playout = Playout::new(*game.hands(), *game.passed());
        for &card in game.played() {
            playout.lay(card);
        }
        for (taken, fouls) in playout.taken.iter_mut().zip(game.fouls()) {
            *taken += FOUL * fouls;
        }
        playout
    }

    #[inline]
    pub(super) fn turn(&self) -> usize {
        self.turn
    }

    /// The cards that the seat to move may play.
    #[inline]
    fn legal(&self) -> Cards {
        let lead = (self.laid > 0).then_some(self.best);
        table::legal(self.hands[self.turn], lead, self.calf_seen)
    }

    /// The seat to move plays this card.
    #[inline]
    pub(super) fn lay(&mut self, card: Card) {
        if self.laid == 0 && card.is_calf() && !self.calf_seen {
            self.lacks[self.turn] |= Cards::ALL - Cards::CALVES;
        }
        self.calf_seen |= card.is_calf();
        self.hands[self.turn] -= card.into();
        self.held -= card.into();
        self.stake += card.points();
        if self.laid == 0 || card.beats(self.best) {
            self.best = card;
            self.winner = self.turn;
        } else if card.suit() != self.best.suit() {
            self.lacks[self.turn] |= Cards::of_suit(self.best.suit());
        }
        self.laid += 1;
        self.turn = (self.turn + 1) % SEATS;
        if self.laid == SEATS {
            self.taken[self.winner] += self.stake;
            self.turn = self.winner;
            self.laid = 0;
            self.stake = 0;
        }
    }

    /// The card that costs least, now and later, in this judgement.
    #[inline]
    pub(super) fn best_card(&self, judgement: &Judgement) -> Card {
        let legal = self.legal();
        match legal.only() {
            Some(card) => card,
            None => self.cheapest(legal, judgement).0,
        }
    }

    /// The regret of playing this card: how much more it costs than the one that `careful` would play.
    #[inline]
    pub(super) fn regret(&self, card: Card) -> f32 {
        let legal = self.legal();
        if legal.only().is_some() {
            return 0.0;
        }
        let costs = self.costs(legal, &CAREFUL);
        costs.of(card) - self.cheapest(legal, &CAREFUL).1
    }

    #[inline]
    fn cheapest(&self, legal: Cards, judgement: &Judgement) -> (Card, f32) {
        let costs = self.costs(legal, judgement);
        let mut cheapest = (Card::LOWEST, f32::INFINITY);
        for card in legal.iter() {
            let cost = costs.of(card);
            if cost < cheapest.1 {
                cheapest = (card, cost);
            }
        }
        cheapest
    }

    /// The expected costs of the cards that the seat to move may play.
    #[inline]
    fn costs<'a>(&'a self, legal: Cards, judgement: &'a Judgement) -> Costs<'a> {
        let hand = self.hands[self.turn];
        let out = self.held - hand;
        let follows = self.laid > 0 && Cards::of_suit(self.best.suit()).contains_all(legal);
        // Among cards of one suit, what is dangerous before makes no difference.
        let before = match follows {
            true => [0.0; 4],
            false => [1, 2, 3, 4].map(|suit| judgement.danger(suit, hand, out)),
        };
        let may_win = self.laid == 0 || !(legal & Cards::above(self.best)).is_empty();
        let may = match may_win {
            true => self.may_hold(out),
            false => [Cards::NONE; SEATS - 1],
        };
        Costs {
            playout: self,
            judgement,
            hand,
            out,
            before,
            holds: judgement.count(hand),
            may: may.map(|may| (may, judgement.count(may))),
        }
    }

    /// What each of the others may hold of what is out, as far as the seat to move can tell.
    #[inline]
    fn may_hold(&self, out: Cards) -> [Cards; SEATS - 1] {
        // What the next seat was given, the other two do not hold.
        let given = self.passed[self.turn];
        let lacks = |after: usize| self.lacks[(self.turn + after) % SEATS];
        [
            out - lacks(1),
            out - given - lacks(2),
            out - given - lacks(3),
        ]
    }

    /// Plays on to the end and gives the points of every seat. This one plays by the cunning
    /// judgement, the others by the careful one.
    #[inline]
    pub(super) fn finish(mut self, cunning: usize) -> [u8; SEATS] {
        let (careful, cunningly) = (&*CAREFUL, &*CUNNING);
        while !self.held.is_empty() {
            let judgement = if self.turn == cunning {
                cunningly
            } else {
                careful
            };
            self.lay(self.best_card(judgement));
        }
        self.taken
    }
}

/// The expected costs of cards.
struct Costs<'a> {
    playout: &'a Playout,
    judgement: &'a Judgement,
    hand: Cards,
    /// What the others hold.
    out: Cards,
    /// How dangerous each suit is now.
    before: [f32; 4],
    /// How many cards everybody holds who is still to play.
    holds: usize,
    /// What each of the others may hold, the next one first, and how many cards that is. It counts
    /// only where the round can be won.
    may: [(Cards, usize); SEATS - 1],
}

impl Costs<'_> {
    /// The expected cost of playing this card: in this round, and later by the danger of the cards
    /// that are then still in the hand.
    #[inline]
    fn of(&self, card: Card) -> f32 {
        let (playout, judgement) = (self.playout, self.judgement);
        let suit = card.suit();
        let kept = judgement.danger(suit, self.hand - card.into(), self.out);
        let later = kept - self.before[usize::from(suit - 1)];
        if playout.laid > 0 && !card.beats(playout.best) {
            return later;
        }
        let mut wins = 1.0;
        let mut contents = f32::from(playout.stake + card.points());
        for &(may, all) in &self.may[..SEATS - 1 - playout.laid] {
            let (follows, goes_above) = judgement.answers(card, self.holds, may, all);
            wins *= 1.0 - follows * goes_above;
            contents += (1.0 - follows) * judgement.thrown_in;
            if card.is_calf() {
                contents += follows;
            }
            if card > Card::BUFFALO && may.contains(Card::BUFFALO) {
                let holders = self
                    .may
                    .iter()
                    .filter(|(may, _)| may.contains(Card::BUFFALO));
                contents += f32::from(Card::BUFFALO.points()) / holders.count() as f32;
            }
        }
        wins * (contents + judgement.leading) + later
    }
}

/// The points for places: one for each seat that has more, half a one for each that has as many.
#[inline]
pub(super) fn places(taken: &[u8; SEATS]) -> [f64; SEATS] {
    taken.map(|mine| {
        let more = taken.iter().filter(|&&other| other > mine).count();
        let equal = taken.iter().filter(|&&other| other == mine).count();
        more as f64 + (equal - 1) as f64 / 2.0
    })
}
