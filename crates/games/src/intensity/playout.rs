//! Rollouts: playing a game on to its end, fast and many times for every decision of the expert.
//!
//! The other seats choose by the habits that they are taken to have, or like `careful`, which decides by
//! what it knows: the cards that it passed on, and what everybody has shown not to hold. Only where two
//! cards cost the same to three digits it may choose another one than `careful`, because the lookup tables
//! round.

use super::habits::{Choice, Evidence, Others, Sort, Wish};
use super::judgement::{CAREFUL, CUNNING, Judgement};
use super::rules::FOUL;
use super::table;
use super::{Card, Cards, HAND, Intensity, SEATS};

/// A careful player plays a card with this regret a sixteenth as often as the best one.
const SHARP: f32 = 0.02;

/// Who is only roughly careful plays a card with this regret a quarter as often as the best one.
const ROUGH: f32 = 0.3;

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

    /// The same situation, in which the seat to move holds what is left of these ten cards and has passed
    /// those on.
    #[inline]
    pub(super) fn with_hand(mut self, ten: Cards, passed: Cards) -> Playout {
        self.hands[self.turn] = ten & self.held;
        self.passed[self.turn] = passed;
        self
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

    /// What the seat to move has to choose; none if it has no choice.
    #[inline]
    pub(super) fn choice(&self) -> Option<Choice> {
        let legal = self.legal();
        let sort = match self.laid {
            _ if legal.only().is_some() => return None,
            0 => Sort::Lead,
            _ if Cards::of_suit(self.best.suit()).contains_all(legal) => Sort::Follow,
            _ => Sort::Throw,
        };
        Some(Choice {
            sort,
            legal,
            hand: self.hands[self.turn],
            best: self.best,
            stake: self.stake,
        })
    }

    /// The card that the seat to move plays if it chooses like this.
    #[inline]
    pub(super) fn card_of(&self, others: &Others) -> Card {
        let Some(choice) = self.choice() else {
            return self.best_card(&CAREFUL);
        };
        match others.plays(self.turn, &choice) {
            Wish::Careful => self.cheapest(choice.legal, &CAREFUL).0,
            Wish::Roughly(drawn) => self.roughly(choice.legal, drawn),
            Wish::Card(card) => card,
        }
    }

    /// The probabilities that a careful player plays this card, and that one does who is only roughly so.
    #[inline]
    pub(super) fn carefully(&self, legal: Cards, card: Card) -> [f32; 2] {
        let (mut own, mut sum) = ([0.0; 2], [0.0; 2]);
        for (other, regret) in legal.iter().zip(self.regrets(legal)) {
            let weights = [sharp(regret), rough(regret)];
            sum = [sum[0] + weights[0], sum[1] + weights[1]];
            if other == card {
                own = weights;
            }
        }
        [own[0] / sum[0], own[1] / sum[1]]
    }

    /// How likely the seat to move plays each of its cards, after it has shown this.
    pub(super) fn chances(&self, shown: &Evidence) -> impl Iterator<Item = (Card, f64)> {
        let legal = self.legal();
        let before = shown.likelihood();
        legal.iter().map(move |card| {
            let Some(choice) = self.choice() else {
                return (card, 1.0);
            };
            let mut after = *shown;
            after.played(&choice, card, self.carefully(legal, card));
            (card, after.likelihood() / before)
        })
    }

    /// The card of somebody who is roughly careful; a number from 0 to 1 decides which.
    fn roughly(&self, legal: Cards, drawn: f32) -> Card {
        let regrets = self.regrets(legal);
        let mut cards = legal.iter().zip(regrets);
        let all: f32 = cards.clone().map(|(_, regret)| rough(regret)).sum();
        let mut left = drawn * all;
        let found = cards.find(|&(_, regret)| {
            left -= rough(regret);
            left < 0.0
        });
        let last = || legal.highest().expect("there is a choice");
        found.map_or_else(last, |(card, _)| card)
    }

    /// The regret of playing each of the cards, in order: how much more it costs, to a careful player, than
    /// the one that costs least.
    #[inline]
    fn regrets(&self, legal: Cards) -> [f32; HAND] {
        let costs = self.costs(legal, &CAREFUL);
        let mut regrets = [0.0; HAND];
        let mut least = f32::INFINITY;
        for (regret, card) in regrets.iter_mut().zip(legal.iter()) {
            *regret = costs.of(card);
            least = least.min(*regret);
        }
        for regret in &mut regrets {
            *regret -= least;
        }
        regrets
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
    /// judgement, the others as they are taken to.
    #[inline]
    pub(super) fn finish(mut self, cunning: usize, others: &Others) -> [u8; SEATS] {
        let cunningly = &*CUNNING;
        while !self.held.is_empty() {
            let card = if self.turn == cunning {
                self.best_card(cunningly)
            } else {
                self.card_of(others)
            };
            self.lay(card);
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

/// How often a careful player plays a card with this regret. By products, not by an exponential function,
/// so that it is the same on every machine.
#[inline]
fn sharp(regret: f32) -> f32 {
    let part = 1.0 / (1.0 + regret / SHARP);
    let square = part * part;
    square * square
}

#[inline]
fn rough(regret: f32) -> f32 {
    let part = 1.0 / (1.0 + regret / ROUGH);
    part * part
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
