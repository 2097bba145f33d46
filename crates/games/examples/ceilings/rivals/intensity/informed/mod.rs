//! A player of Intensity who sees what its seat sees, and has been told the rules of the others.
//!
//! It stands between the expert, who has a game to find out how the others choose, and the ceiling, who
//! sees all cards. It is no upper bound, only a stronger player: it searches as the expert does, with the
//! same effort, but it never guesses a habit. The hidden cards are drawn from the exact posterior
//! distribution (those deals in which the others would have chosen just what they chose, each equally
//! likely), and the others play on by their own rules. Who has been told a list of rules alone draws the rule
//! of each of the others as well; if they need not be on it, deals count in which some choices disagree.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use croupier_core::{Game, NoMove, Outcome, Player, Rng, Sample, Seat, Seed, Turn};
use croupier_games::intensity::{
    Card, Cards, Illegal, Intensity, Move, Playing, SEATS, Setup, Unseen, View,
};
use croupier_search::{Ahead, Pace, Searched, Thinking, search};
use serde::Serialize;

use super::{Character, character};

/// Who the others of a seat may be, the next one first: the names of rule players, each as likely.
pub(super) type Suspects = [Vec<&'static str>; SEATS - 1];

/// How many Metropolis steps lie between two deals, besides one for every card that was played.
const STEPS: usize = 8;

/// The burn-in before the first deal, in deals.
const BURN_IN: usize = 40;

/// A deal in which all choices agree with the rules is waited for so many times as long.
const PATIENCE: usize = 300;

/// The Markov chain may pass through deals in which some choices do not agree with the rules; each such
/// choice makes a deal less likely by this factor. Where the others may slip, these deals count as well.
const DISAGREES: f64 = 0.03;

/// A player who has been told whom it plays against.
pub(super) struct Informed {
    pub(super) suspects: Suspects,
    /// Whether the others may deviate from the rules now and then: theirs need not be among them.
    pub(super) slips: bool,
    pub(super) thinking: Thinking,
    pub(super) chance: Seed,
    /// Who passes on for it, if it is told only then.
    pub(super) passes: Option<Box<dyn Player<Intensity>>>,
}

impl Player<Intensity> for Informed {
    fn start(&mut self, seat: Seat, chance: Seed) {
        self.chance = chance;
        if let Some(passes) = &mut self.passes {
            passes.start(seat, chance);
        }
    }

    fn decide(&mut self, turn: &Turn<'_, Intensity>) -> Result<Move, NoMove> {
        let seen = Seen {
            view: turn.view(),
            suspects: self.suspects.clone(),
            slips: self.slips,
        };
        match (&seen.view, &mut self.passes) {
            (View::Discarding(_), Some(passes)) => return passes.decide(turn),
            (View::Playing(view), _) if view.legal().only().is_some() => {
                return Ok(Move::play(view.legal().lowest().expect("there is one")));
            }
            _ => {}
        }
        Ok(search::<Known>(&seen, &self.thinking, self.chance)[0].choice)
    }
}

/// What a seat sees that knows the others.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Seen {
    view: View,
    suspects: Suspects,
    slips: bool,
}

/// A game between players of whom all but one have rules that are known.
#[derive(Clone)]
pub(super) struct Known {
    game: Intensity,
    /// The rules of the others; the one who knows them has none.
    rules: [Option<Character>; SEATS],
}

impl Game for Known {
    const NAME: &'static str = Intensity::NAME;
    const VERSION: u32 = Intensity::VERSION;
    type Setup = Setup;
    type Move = Move;
    type View = Seen;
    type Illegal = Illegal;

    fn deal(setup: &Setup, seed: Seed) -> Known {
        let game = Intensity::deal(setup, seed);
        let rules = [None; SEATS];
        Known { game, rules }
    }
    fn seats(&self) -> usize {
        self.game.seats()
    }
    fn to_move(&self) -> Option<Seat> {
        self.game.to_move()
    }
    fn legal(&self, moves: &mut Vec<Move>) {
        self.game.legal(moves);
    }
    fn play(&mut self, choice: Move) -> Result<(), Illegal> {
        self.game.play(choice)
    }
    fn foul(&mut self) -> Option<Move> {
        self.game.foul()
    }
    fn view(&self, seat: Seat) -> Seen {
        let rule = |after| &self.rules[(seat.index() + after) % SEATS];
        Seen {
            view: self.game.view(seat),
            suspects: [1, 2, 3].map(|after| rule(after).iter().map(|rule| rule.name).collect()),
            slips: false,
        }
    }
    fn outcome(&self) -> Outcome {
        self.game.outcome()
    }
}

impl Sample for Known {
    fn sample(seen: &Seen, rng: &mut Rng) -> Known {
        let game = Intensity::sample(&seen.view, rng);
        let viewer = game.to_move().expect("somebody looks at it").index();
        let suspects = seen.suspects(viewer);
        let any = |suspects: &Vec<Character>| match suspects.len() {
            0 => None,
            count => Some(suspects[rng.below(count)]),
        };
        let rules = suspects.each_ref().map(any);
        Known { game, rules }
    }
}

impl Seen {
    /// Who may sit in each seat; nobody in that of the viewer.
    fn suspects(&self, viewer: usize) -> [Vec<Character>; SEATS] {
        std::array::from_fn(|seat| match (seat + SEATS - viewer) % SEATS {
            0 => Vec::new(),
            after => {
                let names = self.suspects[after - 1].iter();
                names.filter_map(|name| character(name)).collect()
            }
        })
    }
}

impl Known {
    /// What the seat to move plays by its rule, or what the one who knows them all expects itself to play.
    fn expected(&self) -> Option<Move> {
        let seat = self.game.to_move()?;
        match self.rules[seat.index()] {
            None => self.game.cunning(),
            Some(rule) => rule.choose(&self.game.view(seat)).ok(),
        }
    }

    /// The same game, in which those who have passed cards on have done it by their rules.
    fn passed_by_rules(mut self) -> Known {
        let viewer = self.game.to_move();
        let hands = *self.game.hands();
        let dealt = Intensity::from_hands(hands, Seed(0).rng());
        self.game = dealt.expect("all have their ten cards while cards are passed on");
        while self.game.to_move() != viewer {
            let choice = self.expected().expect("it is somebody's turn");
            self.game.play(choice).expect("rule players know the rules");
        }
        self
    }
}

impl Searched for Known {
    type Others = ();

    fn reason(_: &Seen, _: Move) -> String {
        String::new()
    }

    fn imagine(seen: &Seen, _: Pace) -> impl FnMut(&mut Rng) -> (Known, ()) + Clone + Send {
        let mut chain = match &seen.view {
            View::Playing(view) => Some(Chain::of(seen, *view)),
            View::Discarding(_) => None,
        };
        move |rng| match &mut chain {
            Some(chain) => (chain.next(rng), ()),
            None => (Known::sample(seen, rng).passed_by_rules(), ()),
        }
    }

    fn candidates(&self, moves: &mut Vec<Move>) {
        self.game.candidates(moves);
    }

    fn sensible(&self, rng: &mut Rng) -> Option<Move> {
        self.game.sensible(rng)
    }

    fn finish(mut self, (): &(), _: Seat, _: &mut Rng, points: &mut [f64]) {
        while let Some(choice) = self.expected() {
            self.play(choice).expect("rule players know the rules");
        }
        points.copy_from_slice(&self.outcome().points());
    }

    fn ahead(seen: &Seen, pace: Pace) -> Ahead<Known> {
        match (seen.view, pace) {
            (View::Playing(_), Pace::Thorough) => Ahead::Plan(answer),
            _ => Ahead::No,
        }
    }
}

/// The others play on until it is the viewer's turn; the number is made of their cards.
fn answer(known: &mut Known, (): &(), viewer: Seat) -> u64 {
    let mut seen = 0;
    while known.to_move().is_some_and(|seat| seat != viewer) {
        let choice = known.expected().expect("it is somebody's turn");
        let card = choice.card().expect("cards have been passed on");
        known.play(choice).expect("rule players know the rules");
        seen = seen * u64::from(Card::HIGHEST.number() + 1) + u64::from(card.number());
    }
    seen
}

/// A way in which the cards may have been passed and lie.
#[derive(Clone, Copy)]
struct Deal {
    /// The ten cards of each seat with which the first round began.
    tens: [Cards; SEATS],
    /// What each seat passed on to the next.
    passed: [Cards; SEATS],
    /// By which of the rules that are possible each seat chooses.
    rules: [usize; SEATS],
    /// How many choices of each seat disagree with its rule.
    disagree: [u32; SEATS],
}

impl Deal {
    fn disagreements(&self) -> u32 {
        self.disagree.iter().sum()
    }
}

/// A Markov chain over the deals that agree with a view and with the rules of the others.
#[derive(Clone)]
struct Chain {
    view: Playing,
    unseen: Unseen,
    suspects: [Vec<Character>; SEATS],
    others: [usize; SEATS - 1],
    /// All cards played, each with the seat that played it.
    plays: Vec<(usize, Card)>,
    /// How many choices of a seat disagree with a rule if it has these cards.
    remembered: HashMap<(usize, usize, [Cards; 3]), u32>,
    /// Whether deals count in which some choices do not agree with the rules.
    slips: bool,
    deal: Option<Deal>,
}

impl Chain {
    fn of(seen: &Seen, view: Playing) -> Chain {
        let viewer = view.position().index();
        let mut plays = Vec::new();
        let mut leader = 0;
        let all: Vec<Card> = view.earlier().iter().chain(view.round()).copied().collect();
        for round in all.chunks(SEATS) {
            let mut best = 0;
            for (place, card) in round.iter().enumerate() {
                plays.push(((leader + place) % SEATS, *card));
                if card.beats(round[best]) {
                    best = place;
                }
            }
            leader = (leader + best) % SEATS;
        }
        Chain {
            view,
            unseen: Unseen::of(&view),
            suspects: seen.suspects(viewer),
            others: [1, 2, 3].map(|after| (viewer + after) % SEATS),
            plays,
            remembered: HashMap::new(),
            slips: seen.slips,
            deal: None,
        }
    }

    /// The next deal of the chain in which all choices agree with the rules; after a long wait, the best
    /// that it came to.
    fn next(&mut self, rng: &mut Rng) -> Known {
        let each = STEPS + self.plays.len();
        let mut deal = match self.deal {
            Some(deal) => self.walk(deal, each, rng),
            None => {
                let deal = self.initial(rng);
                self.walk(deal, BURN_IN * each, rng)
            }
        };
        let mut best = deal;
        for _ in 0..PATIENCE * each {
            if self.slips || best.disagreements() == 0 {
                break;
            }
            deal = self.walk(deal, 1, rng);
            if deal.disagreements() <= best.disagreements() {
                best = deal;
            }
        }
        self.deal = Some(best);
        Known {
            game: self.under_way(&best),
            rules: std::array::from_fn(|seat| self.suspects[seat].get(best.rules[seat]).copied()),
        }
    }

    fn walk(&mut self, mut deal: Deal, steps: usize, rng: &mut Rng) -> Deal {
        for _ in 0..steps {
            let Some(mut proposal) = self.proposal(&deal, rng) else {
                continue;
            };
            self.judge(&mut proposal);
            let more = proposal.disagreements() as i32 - deal.disagreements() as i32;
            let drawn = (rng.bits() >> 11) as f64 / (1_u64 << 53) as f64;
            if more <= 0 || drawn < DISAGREES.powi(more) {
                deal = proposal;
            }
        }
        deal
    }

    fn initial(&mut self, rng: &mut Rng) -> Deal {
        let game = Intensity::sample(&View::Playing(self.view), rng);
        let played = |seat| {
            let of_seat = self.plays.iter().filter(move |(by, _)| *by == seat);
            of_seat.map(|(_, card)| *card).collect::<Cards>()
        };
        let mut deal = Deal {
            tens: std::array::from_fn(|seat| game.hands()[seat] | played(seat)),
            passed: *game.passed(),
            rules: [0; SEATS],
            disagree: [0; SEATS],
        };
        self.judge(&mut deal);
        deal
    }

    /// The deal after somebody has got another rule or two cards have changed places, if they can (a
    /// symmetric proposal).
    fn proposal(&self, deal: &Deal, rng: &mut Rng) -> Option<Deal> {
        let mut changed = *deal;
        let seat = self.others[rng.below(3)];
        if self.suspects[seat].len() > 1 && rng.below(3) == 0 {
            changed.rules[seat] = rng.below(self.suspects[seat].len());
            return Some(changed);
        }
        if rng.below(3) == 0 {
            let giver = rng.below(2);
            let [giver, taker] = [self.others[giver], self.others[giver + 1]];
            let passed = deal.passed[giver];
            let (out, into) = (passed.any(rng)?, (deal.tens[taker] - passed).any(rng)?);
            changed.passed[giver] = (passed - out.into()) | into.into();
            return Some(changed);
        }
        let one = rng.below(3);
        let other = (one + 1 + rng.below(2)) % 3;
        let [one, other] = [self.others[one], self.others[other]];
        let held = |seat: usize| deal.tens[seat] & self.unseen.may_hold(Seat::from(seat));
        // What the viewer passed on is where it went.
        let known = self.view.discarded();
        let (given, taken) = (
            (held(one) - known).any(rng)?,
            (held(other) - known).any(rng)?,
        );
        let may = |seat: usize, card| self.unseen.may_hold(Seat::from(seat)).contains(card);
        if !may(other, given) || !may(one, taken) {
            return None;
        }
        let swap = |cards: Cards| match (cards.contains(given), cards.contains(taken)) {
            (true, false) => (cards - given.into()) | taken.into(),
            (false, true) => (cards - taken.into()) | given.into(),
            _ => cards,
        };
        changed.tens = deal.tens.map(swap);
        changed.passed = deal.passed.map(swap);
        Some(changed)
    }

    /// Counts for each of the others which of its choices its rule would not have made.
    fn judge(&mut self, deal: &mut Deal) {
        for seat in self.others {
            let received = deal.passed[(seat + SEATS - 1) % SEATS];
            let cards = [deal.tens[seat], deal.passed[seat], received];
            let own = (seat, deal.rules[seat], cards);
            deal.disagree[seat] = match self.remembered.get(&own) {
                Some(&count) => count,
                None => {
                    let count = self.count(deal, seat);
                    self.remembered.insert(own, count);
                    count
                }
            };
        }
    }

    fn count(&self, deal: &Deal, seat: usize) -> u32 {
        let rule = self.suspects[seat][deal.rules[seat]];
        let mut game = self.dealt(deal);
        let mut disagree = 0;
        let all = Seat::all(SEATS).map(|giver| {
            let passed = Move::discard(deal.passed[giver.index()]);
            (giver.index(), passed.expect("three cards are passed on"))
        });
        let played = self.plays.iter().map(|&(by, card)| (by, Move::play(card)));
        for (by, choice) in all.chain(played) {
            if by == seat {
                let expected = rule.choose(&game.view(Seat::from(by)));
                disagree += u32::from(expected.ok() != Some(choice));
            }
            game.play(choice).expect("the deal agrees with the view");
        }
        disagree
    }

    /// The deal before any card was passed on.
    fn dealt(&self, deal: &Deal) -> Intensity {
        let hands = std::array::from_fn(|seat| {
            let received = deal.passed[(seat + SEATS - 1) % SEATS];
            (deal.tens[seat] - received) | deal.passed[seat]
        });
        Intensity::from_hands(hands, Seed(0).rng()).expect("every card is somewhere")
    }

    /// The game as it stands, in which the cards lie like this.
    fn under_way(&self, deal: &Deal) -> Intensity {
        let mut game = self.dealt(deal);
        let passed = deal.passed.iter().filter_map(|&cards| Move::discard(cards));
        let played = self.plays.iter().map(|&(_, card)| Move::play(card));
        for choice in passed.chain(played) {
            game.play(choice).expect("the deal agrees with the view");
        }
        game
    }
}
