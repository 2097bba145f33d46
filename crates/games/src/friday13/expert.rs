//! What makes the expert strong at Friday the 13th: a sound player to go on with in its mind, and
//! what a round is worth when others are still to come.

use croupier_core::{Game, Rng, Seat, exp};
use croupier_search::{Ahead, Pace, Searched};

use super::card::{Colour, sum};
use super::piles::NOWHERE;
use super::rules::{Friday13, Move};
use super::sample::imagine;
use super::score;
use super::view::View;

/// About so many cards and piles are looked at in a game of the mind, so that huge games are thought
/// about too, if not to their end.
const REACH: usize = 1 << 18;

/// When nobody holds more cards than this, the tree may grow to the end.
const LAST_CARDS: usize = 4;

/// The results of two players in a round differ, in standard deviation, by what is collected on
/// average and this, as sensible players showed at tables of 2 to 20.
const LUCK: f64 = 1.5;

/// With this factor the logistic curve is next to the normal one.
const LOGISTIC: f64 = 1.702;

impl Searched for Friday13 {
    type Others = ();

    fn reason(view: &View, choice: Move) -> String {
        let pile = &view.piles[choice.pile as usize];
        let number = choice.pile + 1;
        let filled = sum(pile).saturating_add(choice.card.value.into());
        let threshold = view.setup.threshold;
        if filled <= threshold {
            return format!("brings cauldron {number} to {filled} of {threshold}");
        }
        let taken = pile.iter().chain([&choice.card]);
        let greens = taken.filter(|card| card.colour.is_green()).count();
        match pile.len() + 1 {
            1 => format!("explodes alone in cauldron {number}"),
            cards => {
                format!("cauldron {number} explodes: {cards} cards, {greens} of them green")
            }
        }
    }

    fn imagine(view: &View, _: Pace) -> impl FnMut(&mut Rng) -> (Friday13, ()) + Clone + Send {
        let imagine = imagine(view);
        move |rng| (imagine(rng), ())
    }

    /// Piles without a colour on which equally many greens lie are alike, and one of them is enough.
    fn candidates(&self, moves: &mut Vec<Move>) {
        let mut seen = Vec::new();
        let differs = |number: u32| {
            let pile = self.piles.get(number).expect("there is such a pile");
            if !pile.colour.is_green() {
                return true;
            }
            let new = !seen.contains(&pile.greens);
            if new {
                seen.push(pile.greens);
            }
            new
        };
        let differs: Vec<bool> = (0..self.piles.len() as u32).map(differs).collect();
        let mut legal = Vec::new();
        self.legal(&mut legal);
        legal.retain(|choice| differs[choice.pile as usize]);
        moves.append(&mut legal);
    }

    fn sensible(&self, rng: &mut Rng) -> Option<Move> {
        self.to_move()?;
        self.safe(rng).or_else(|| self.cheapest_explosion())
    }

    /// The round is played to its end, or as far as the mind goes.
    fn finish(mut self, (): &(), _: Seat, rng: &mut Rng, points: &mut [f64]) {
        let round = self.round;
        let looked_at = 2 * self.setup.colours + self.left / self.setup.players;
        for _ in 0..REACH / looked_at + self.setup.players {
            let Some(choice) = self.sensible(rng) else {
                break;
            };
            self.play(choice).expect("a sensible move is a legal one");
            if self.round != round {
                break;
            }
        }
        match self.setup.rounds - self.round {
            0 => points.copy_from_slice(&self.outcome().points()),
            left => self.expect(left, points),
        }
    }

    /// Once round the table, and to the end of the match when few cards are left.
    fn ahead(view: &View, _: Pace) -> Ahead<Friday13> {
        let players = view.setup.players;
        let left: usize = view.hands.iter().sum();
        Ahead::Tree(if left <= LAST_CARDS * players {
            usize::MAX
        } else {
            players
        })
    }
}

impl Friday13 {
    /// The points for places that everybody can expect with so many rounds still to come: one for
    /// everyone who will have more penalty points. The more is collected in a round, the more the
    /// results of two players differ in it, and the more can be made up for.
    fn expect(&self, left: u32, points: &mut [f64]) {
        let scores = self.outcome().scores;
        let rounds = self.setup.players as f64 * f64::from(self.round.max(1));
        let collected = scores.iter().sum::<i64>() as f64 / rounds;
        let spread = (collected + LUCK) * f64::from(left).sqrt();
        for (points, &mine) in points.iter_mut().zip(&scores) {
            let ahead_of = |&other: &i64| {
                let ahead = (other - mine) as f64 / spread;
                1.0 / (1.0 + exp(-LOGISTIC * ahead))
            };
            // Everybody ties with himself.
            *points = scores.iter().map(ahead_of).sum::<f64>() - 0.5;
        }
    }

    /// The biggest card that does not explode, on the pile with the lowest sum. Greens go anywhere and
    /// are good to keep, but not everybody knows that: whether they are kept is left to chance.
    fn safe(&self, rng: &mut Rng) -> Option<Move> {
        // Where there is most room: on the piles that are open to any colour, and on all.
        let (mut open, mut all) = ((0, NOWHERE), (0, NOWHERE));
        for number in 0..self.piles.len() as u32 {
            let pile = self.piles.get(number).expect("there is such a pile");
            let room = (self.setup.threshold - pile.sum, number);
            if all.1 == NOWHERE || room.0 > all.0 {
                all = room;
            }
            if pile.colour.is_green() && (open.1 == NOWHERE || room.0 > open.0) {
                open = room;
            }
        }
        let mut coloured: Option<Move> = None;
        for colour in (1..=self.setup.colours as u32).map(Colour::new) {
            let ranks = self.hands.ranks(self.active, colour);
            let lies = self.piles.lies(colour);
            let (room, pile) = match self.piles.get(lies) {
                Some(pile) => (self.setup.threshold - pile.sum, lies),
                None => open,
            };
            for &rank in ranks {
                let card = self.setup.card(colour, rank as usize);
                let bigger = coloured.is_none_or(|most| card.value > most.card.value);
                if bigger && u32::from(card.value) <= room {
                    coloured = Some(Move { card, pile });
                }
            }
        }
        let green = self.hands.ranks(self.active, Colour::GREEN).first();
        let green = green.map(|&rank| Move {
            card: self.setup.card(Colour::GREEN, rank as usize),
            pile: all.1,
        });
        let green = green.filter(|green| u32::from(green.card.value) <= all.0);
        match (coloured, green) {
            (Some(coloured), Some(green))
                if green.card.value >= coloured.card.value && rng.below(2) == 0 =>
            {
                Some(green)
            }
            (coloured, green) => coloured.or(green),
        }
    }

    /// The explosion that costs fewest points as things stand, with the biggest card, when all moves
    /// explode.
    fn cheapest_explosion(&self) -> Option<Move> {
        let piles = 0..self.piles.len() as u32;
        let found = |pile: &u32| self.piles.get(*pile).expect("there is such a pile");
        // On which of the piles without a colour a colour goes only makes a difference in greens.
        let open = piles.clone().filter(|pile| found(pile).colour.is_green());
        let open = open.min_by_key(|pile| found(pile).greens);
        let open = open.unwrap_or_default();
        let mut best: Option<((i64, u16), Move)> = None;
        for colour in (0..=self.setup.colours as u32).map(Colour::new) {
            let Some(&rank) = self.hands.ranks(self.active, colour).iter().max() else {
                continue;
            };
            let card = self.setup.card(colour, rank as usize);
            let on = match (colour.is_green(), self.piles.lies(colour)) {
                (true, _) => piles.clone(),
                (false, NOWHERE) => open..open + 1,
                (false, lies) => lies..lies + 1,
            };
            for pile in on {
                let choice = Move { card, pile };
                let order = (-self.cost(choice), card.value);
                if best.is_none_or(|(most, _)| order > most) {
                    best = Some((order, choice));
                }
            }
        }
        best.map(|(_, choice)| choice)
    }

    /// The penalty points that the chair to move gets for an explosion, if nothing more is collected.
    fn cost(&self, choice: Move) -> i64 {
        let pile = self.piles.get(choice.pile).expect("there is such a pile");
        let green = choice.card.colour.is_green();
        let greens = pile.greens + u32::from(green);
        let coloured = i64::from(pile.coloured + u32::from(!green));
        let cost = i64::from(greens * (1 + score::GREEN_EXTRA));
        let colour = if green {
            pile.colour
        } else {
            choice.card.colour
        };
        if colour.is_green() {
            return cost;
        }
        let row = self.setup.colours + 1;
        let held = |chair: usize| i64::from(self.counts[chair * row + colour.index()]);
        let others = (0..self.setup.players).filter(|&chair| chair != self.active);
        let most = others.map(held).max().unwrap_or(0);
        let mine = held(self.active);
        let counted = |mine: i64| if mine > most { 0 } else { mine };
        cost + counted(mine + coloured) - counted(mine)
    }
}
