//! The rules of Friday the 13th: a match of several rounds, played with any number of players,
//! colours and cards.
//!
//! The table has chairs, and chair 1 starts every round. The programs, which are the seats of the
//! kernel, move round the chairs: in round j (from 0) seat p sits in chair p − j.

use croupier_core::{BadSetup, BuiltIn, Game, Illegal, Options, Outcome, Profile, Rng, Seat, Seed};

use super::card::{Card, Colour};
use super::hands::Hands;
use super::setup::{self, Setup};
use super::state::{Inconsistent, State};
use super::view::View;
use super::{players, score};

/// A card of the hand, laid on a pile.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The card.
    pub card: Card,
    /// The pile, from 0.
    pub pile: u32,
}

/// A match of Friday the 13th.
#[derive(Clone, PartialEq, Debug)]
pub struct Friday13 {
    setup: Setup,
    /// Every round is dealt from this and its number, so that what was played in one round does
    /// not change the cards of the next.
    seed: Seed,
    /// The chance behind the moves that the house makes for a player who fouls.
    house: Rng,
    /// The round, from 0; all are over when it is the number of rounds.
    round: u32,
    /// The chair to move, from 0.
    active: usize,
    /// The shuffled deck of this round. The hand of chair c is every n-th card from c on, without
    /// those that were played: of like cards the first is played first.
    deck: Vec<Card>,
    /// Where the cards of the sorted deck are in the shuffled one.
    shuffled: Vec<u32>,
    hands: Hands,
    /// The cards played in this round, in order, each with the one that follows it on its pile or
    /// among somebody's collected cards.
    played: Vec<Played>,
    piles: Vec<Pile>,
    /// The pile on which each colour lies, green first, which counts as lying nowhere.
    lies: Vec<u32>,
    /// All piles, first those that are open to any colour.
    order: Vec<u32>,
    /// Where each pile is in that order.
    spots: Vec<u32>,
    /// How many piles are open to any colour.
    open: usize,
    /// What each chair has collected.
    collected: Vec<Chain>,
    /// How many cards of each colour each chair has collected, chair after chair, green first.
    counts: Vec<u32>,
    /// The penalty points of each seat in the rounds that are over.
    points: Vec<i64>,
    /// How often each seat has fouled.
    breaches: Vec<u32>,
}

/// A card that was played, and the number of the one that lies after it.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Played {
    card: Card,
    next: u32,
}

/// No card, or no pile.
const NONE: u32 = u32::MAX;

/// Some of the played cards, one after the other. A whole pile is collected in one step.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Chain {
    first: u32,
    last: u32,
}

impl Chain {
    const EMPTY: Chain = Chain {
        first: NONE,
        last: NONE,
    };

    #[inline]
    fn append(&mut self, other: Chain, played: &mut [Played]) {
        if self.first == NONE {
            *self = other;
        } else {
            played[self.last as usize].next = other.first;
            self.last = other.last;
        }
    }

    fn cards(self, played: &[Played]) -> Vec<Card> {
        let mut cards = Vec::new();
        let mut place = self.first;
        while let Some(found) = played.get(place as usize) {
            cards.push(found.card);
            place = found.next;
        }
        cards
    }
}

/// A cauldron.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Pile {
    cards: Chain,
    sum: u32,
    /// The colour that lies on it besides green, or green.
    colour: Colour,
    greens: u32,
    coloured: u32,
}

impl Pile {
    const EMPTY: Pile = Pile {
        cards: Chain::EMPTY,
        sum: 0,
        colour: Colour::GREEN,
        greens: 0,
        coloured: 0,
    };
}

impl Friday13 {
    /// A match in which no card is dealt yet.
    fn new(setup: &Setup, seed: Seed) -> Friday13 {
        let (players, colours, cards) = (setup.players, setup.colours, setup.cards());
        Friday13 {
            seed,
            house: seed.rng(),
            round: 0,
            active: 0,
            deck: vec![Card::new(0, Colour::GREEN); cards],
            shuffled: vec![0; cards],
            hands: Hands::new(players, colours, cards),
            played: Vec::with_capacity(cards),
            piles: vec![Pile::EMPTY; colours],
            lies: vec![NONE; colours + 1],
            order: (0..colours as u32).collect(),
            spots: (0..colours as u32).collect(),
            open: colours,
            collected: vec![Chain::EMPTY; players],
            counts: vec![0; players * (colours + 1)],
            points: vec![0; players],
            breaches: vec![0; players],
            setup: setup.clone(),
        }
    }

    /// The state at the start of a round, from 0, of the match that has this seed.
    pub fn opening(setup: &Setup, seed: Seed, round: u32) -> State {
        let mut game = Friday13::new(setup, seed);
        game.round = round;
        game.deal_round();
        game.state()
    }

    /// A match of one round that goes on from a state, if that is a state of a game with this
    /// setup. `seed` is the chance that is left: the moves made for players who foul.
    pub fn from_state(setup: &Setup, state: &State, seed: Seed) -> Result<Friday13, Inconsistent> {
        state.check(setup)?;
        state.check_one_pile_a_colour()?;
        let mut terms = setup::Terms::from(setup.clone());
        terms.rounds = 1;
        let setup = Setup::try_from(terms).expect("one round can be dealt where several can");
        let mut game = Friday13::new(&setup, seed);
        game.active = state.active;
        // What was played is taken from the front of a hand, so the rest is at its end.
        let players = setup.players;
        for (chair, hand) in state.hands.iter().enumerate() {
            let places = (chair..game.deck.len()).step_by(players).rev();
            for (place, &card) in places.zip(hand.iter().rev()) {
                game.deck[place] = card;
            }
        }
        let mut held: Vec<(Card, usize)> = (state.hands.iter().enumerate())
            .flat_map(|(chair, hand)| hand.iter().map(move |&card| (card, chair)))
            .collect();
        held.sort_unstable();
        let mut held = held.into_iter().peekable();
        game.hands.clear();
        for colour in (0..=setup.colours as u32).map(Colour) {
            game.hands.open(colour);
            while let Some((card, chair)) = held.next_if(|(card, _)| card.colour == colour) {
                game.hands.take(chair, card);
            }
            game.hands.close(colour);
        }
        for (chair, cards) in state.decks.iter().enumerate() {
            for &card in cards {
                let chain = game.record(card);
                game.collected[chair].append(chain, &mut game.played);
                game.counts[chair * (setup.colours + 1) + card.colour.index()] += 1;
            }
        }
        for (pile, cards) in state.piles.iter().enumerate() {
            for &card in cards {
                game.add(card, pile);
            }
        }
        if game.hands_are_empty() {
            game.end_round();
        }
        Ok(game)
    }

    /// The state as the file shows it. After the last round, its final state.
    pub fn state(&self) -> State {
        let chairs = || 0..self.setup.players;
        let cards = |chain: Chain| chain.cards(&self.played);
        State {
            active: self.active,
            threshold: Some(self.setup.threshold),
            hands: chairs().map(|chair| self.hand(chair)).collect(),
            decks: self.collected.iter().copied().map(cards).collect(),
            piles: self.piles.iter().map(|pile| cards(pile.cards)).collect(),
        }
    }

    /// The round that is played, from 0; the number of rounds when all are over.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// How often a seat has fouled. It is told, and costs no points: the score is that of the
    /// cards.
    pub fn breaches(&self, seat: Seat) -> u32 {
        self.breaches[seat.index()]
    }

    /// The seat that has this chair in the present round, or had it in the last.
    fn seat(&self, chair: usize) -> usize {
        let round = self.round.min(self.setup.rounds - 1) as usize;
        (chair + round % self.setup.players) % self.setup.players
    }

    /// The cards of a chair in the order of its hand.
    fn hand(&self, chair: usize) -> Vec<Card> {
        let mut left: Vec<Vec<_>> = (0..=self.setup.colours as u32)
            .map(|colour| self.hands.of(chair, Colour(colour)).to_vec())
            .collect();
        let mut hand = Vec::with_capacity(self.hands.size(chair));
        let dealt = self.deck[chair..].iter().step_by(self.setup.players);
        for &card in dealt.rev() {
            if hand.len() == hand.capacity() {
                break;
            }
            let mut held = left[card.colour.index()].iter_mut();
            if let Some(held) = held.find(|held| held.value == card.value && held.count > 0) {
                held.count -= 1;
                hand.push(card);
            }
        }
        hand.reverse();
        hand
    }

    /// Shuffles and deals the round; chair 1 starts.
    fn deal_round(&mut self) {
        for (place, card) in self.shuffled.iter_mut().enumerate() {
            *card = place as u32;
        }
        let mut rng = self.seed.deal(u64::from(self.round)).rng();
        rng.shuffle(&mut self.shuffled);
        let setup = &self.setup;
        let chairs = setup.chairs();
        self.hands.clear();
        let mut sorted = 0;
        for colour in (0..=setup.colours as u32).map(Colour) {
            self.hands.open(colour);
            let mut deal = |value| {
                let card = Card::new(value, colour);
                let place = self.shuffled[sorted] as usize;
                sorted += 1;
                self.deck[place] = card;
                self.hands.take(chairs[place] as usize, card);
            };
            if colour.is_green() {
                (0..setup.greens).for_each(|_| deal(setup.green_value));
            } else {
                setup.ascending().iter().for_each(|&value| deal(value));
            }
            self.hands.close(colour);
        }
        self.active = 0;
        self.played.clear();
        self.piles.fill(Pile::EMPTY);
        self.lies.fill(NONE);
        self.open = self.setup.colours;
        self.collected.fill(Chain::EMPTY);
        self.counts.fill(0);
    }

    fn hands_are_empty(&self) -> bool {
        self.played.len() == self.setup.cards()
    }

    #[inline]
    fn is_over(&self) -> bool {
        self.round == self.setup.rounds
    }

    /// Why this card of the hand may not go on this pile.
    #[inline]
    fn placing(&self, Move { card, pile }: Move) -> Result<(), Illegal> {
        let Some(found) = self.piles.get(pile as usize) else {
            return Err(no_such_pile(self.piles.len()));
        };
        if card.colour.is_green() {
            return Ok(());
        }
        let lies = self.lies[card.colour.index()];
        if lies == pile || (lies == NONE && found.colour.is_green()) {
            return Ok(());
        }
        Err(misplaced(card.colour, lies, found.colour))
    }

    /// Notes a card as played.
    #[inline]
    fn record(&mut self, card: Card) -> Chain {
        let place = self.played.len() as u32;
        self.played.push(Played { card, next: NONE });
        Chain {
            first: place,
            last: place,
        }
    }

    /// Puts a card at the end of a pile and gives the pile's sum.
    #[inline]
    fn add(&mut self, card: Card, place: usize) -> u32 {
        let chain = self.record(card);
        let pile = &mut self.piles[place];
        pile.cards.append(chain, &mut self.played);
        pile.sum += u32::from(card.value);
        let sum = pile.sum;
        if card.colour.is_green() {
            pile.greens += 1;
        } else {
            pile.coloured += 1;
            if pile.colour.is_green() {
                pile.colour = card.colour;
                self.lies[card.colour.index()] = place as u32;
                self.open -= 1;
                self.put(place, self.open);
            }
        }
        sum
    }

    /// The chair to move takes a pile.
    #[inline]
    fn explode(&mut self, place: usize) {
        let pile = std::mem::replace(&mut self.piles[place], Pile::EMPTY);
        self.collected[self.active].append(pile.cards, &mut self.played);
        let counts = &mut self.counts[self.active * (self.setup.colours + 1)..];
        counts[0] += pile.greens;
        if !pile.colour.is_green() {
            counts[pile.colour.index()] += pile.coloured;
            self.lies[pile.colour.index()] = NONE;
            self.put(place, self.open);
            self.open += 1;
        }
    }

    /// Moves a pile to this spot in the order, where one on the same side of the line is now.
    #[inline]
    fn put(&mut self, pile: usize, spot: usize) {
        let (other, old) = (self.order[spot], self.spots[pile]);
        self.order.swap(old as usize, spot);
        self.spots[pile] = spot as u32;
        self.spots[other as usize] = old;
    }

    /// Gives `add` the chairs and their penalty points in this round, each chair several times.
    fn penalties(&self, mut add: impl FnMut(usize, i64)) {
        let row = self.setup.colours + 1;
        for (chair, counts) in self.counts.chunks_exact(row).enumerate() {
            let cards: u32 = counts.iter().sum();
            add(chair, i64::from(cards + counts[0] * score::GREEN_EXTRA));
        }
        for colour in 1..row {
            let counts = self.counts[colour..].iter().step_by(row).copied();
            if let Some((chair, count)) = score::most(counts) {
                add(chair, -i64::from(count));
            }
        }
    }

    /// Adds up the points of the round, and deals the next if there is one.
    fn end_round(&mut self) {
        let mut points = std::mem::take(&mut self.points);
        self.penalties(|chair, penalty| points[self.seat(chair)] += penalty);
        self.points = points;
        self.round += 1;
        if !self.is_over() {
            self.deal_round();
        }
    }
}

#[cold]
fn no_such_pile(piles: usize) -> Illegal {
    Illegal(format!("there are only the piles 1 to {piles}").into())
}

#[cold]
fn misplaced(colour: Colour, lies: u32, found: Colour) -> Illegal {
    if lies == NONE {
        Illegal(format!("{found} lies on that pile, and {colour} may not be added to it").into())
    } else {
        Illegal(format!("{colour} lies on pile {} and must go there", lies + 1).into())
    }
}

impl Game for Friday13 {
    const PROFILE: Profile = Profile {
        name: "friday13",
        title: "Friday the 13th",
        version: 1,
        seats: 2..=65_535,
        decisions: true,
        programs: "a shared state file, a process a turn",
        rules: include_str!("rules.txt"),
        options: setup::OPTIONS,
    };
    const PLAYERS: &'static [BuiltIn<Friday13>] = players::BUILT_IN;

    type Setup = Setup;
    type Move = Move;
    type View = View;

    fn setup(options: &Options) -> Result<Setup, BadSetup> {
        setup::from_options(options)
    }

    fn deal(setup: &Setup, seed: Seed) -> Friday13 {
        let mut game = Friday13::new(setup, seed);
        game.deal_round();
        game
    }

    fn seats(&self) -> usize {
        self.setup.players
    }

    #[inline]
    fn to_move(&self) -> Option<Seat> {
        (!self.is_over()).then(|| Seat::from(self.seat(self.active)))
    }

    fn legal(&self, moves: &mut Vec<Move>) {
        if self.is_over() {
            return;
        }
        for colour in (0..=self.setup.colours as u32).map(Colour) {
            for held in self.hands.of(self.active, colour) {
                let card = Card::new(held.value, colour);
                let choices = (0..self.piles.len() as u32).map(|pile| Move { card, pile });
                moves.extend(choices.filter(|&choice| self.placing(choice).is_ok()));
            }
        }
    }

    #[inline]
    fn play(&mut self, choice: Move) -> Result<(), Illegal> {
        if self.is_over() {
            return Err(Illegal("the game is over".into()));
        }
        let Move { card, pile } = choice;
        if card.colour.index() > self.setup.colours {
            return Err(Illegal("there are no cards of this colour".into()));
        }
        self.placing(choice)?;
        if !self.hands.remove(self.active, card) {
            return Err(Illegal("a card must be in the hand to be played".into()));
        }
        if self.add(card, pile as usize) > self.setup.threshold {
            self.explode(pile as usize);
        }
        self.active += 1;
        if self.active == self.setup.players {
            self.active = 0;
        }
        if self.hands_are_empty() {
            self.end_round();
        }
        Ok(())
    }

    /// The breach is counted, and a legal move is made for the player, each equally likely.
    fn foul(&mut self) -> Option<Move> {
        let seat = self.to_move()?;
        let mut house = self.house.clone();
        let choice = self.random_move(&mut house)?;
        self.house = house;
        self.breaches[seat.index()] += 1;
        self.play(choice).ok().map(|()| choice)
    }

    fn view(&self, seat: Seat) -> View {
        let players = self.setup.players;
        let first = self.seat(0);
        let by_chair = |chair: usize| (chair + first) % players;
        let chair = (seat.index() + players - first) % players;
        let cards = |chain: Chain| chain.cards(&self.played);
        View {
            setup: self.setup.clone(),
            round: (self.round + 1).min(self.setup.rounds),
            chair,
            active: self.active,
            hand: self.hand(chair),
            hands: (0..players).map(|chair| self.hands.size(chair)).collect(),
            collected: self.collected.iter().copied().map(cards).collect(),
            piles: self.piles.iter().map(|pile| cards(pile.cards)).collect(),
            points: (0..players).map(|c| self.points[by_chair(c)]).collect(),
            breaches: (0..players).map(|c| self.breaches[by_chair(c)]).collect(),
        }
    }

    /// The penalty points of all rounds, those of the present one as they stand; fewest win.
    fn outcome(&self) -> Outcome {
        let mut points = self.points.clone();
        if !self.is_over() {
            self.penalties(|chair, penalty| points[self.seat(chair)] += penalty);
        }
        Outcome::lowest_wins(points)
    }

    #[inline]
    fn random_move(&self, rng: &mut Rng) -> Option<Move> {
        if self.is_over() {
            return None;
        }
        // A green card may go on any pile, a colour that lies somewhere only there, any other on
        // every open pile. None of this branches: it would be guessed wrongly all the time.
        let ways = |colour: usize| {
            let loose = usize::from(self.lies[colour] == NONE);
            let piles = if colour == 0 {
                self.piles.len()
            } else {
                self.open
            };
            piles * loose + (1 - loose)
        };
        let different = || self.hands.different(self.active).enumerate();
        let moves = different()
            .map(|(colour, values)| values * ways(colour))
            .sum();
        let mut choice = rng.below(moves);
        for (colour, values) in different() {
            let ways = ways(colour);
            if choice >= values * ways {
                choice -= values * ways;
                continue;
            }
            let (place, spot) = (choice as u32 / ways as u32, choice as u32 % ways as u32);
            let (lies, open) = (self.lies[colour], self.order[spot as usize]);
            let colour = Colour(colour as u32);
            let value = self.hands.of(self.active, colour)[place as usize].value;
            return Some(Move {
                card: Card::new(value, colour),
                pile: if lies == NONE { open } else { lies },
            });
        }
        None
    }
}
