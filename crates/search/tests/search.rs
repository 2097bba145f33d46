//! The search, with a game that is small enough to be searched to its end.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};
use std::str::FromStr;

use croupier_core::{Game, Outcome, Player, Rng, Sample, Seat, Seed, Thought, Turn};
use croupier_search::{Budget, Expert, Searched, Thinking, expert, search};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

const HAND: usize = 4;

/// Two players hold four cards each. One leads, the other answers with any card; the higher card
/// takes both, and who took it leads next. The higher sum of cards taken wins. Cards that are not
/// dealt lie face down: without any, everybody can work out all cards.
#[derive(Clone, Debug)]
struct Duel {
    hands: [Vec<u8>; 2],
    hidden: Vec<u8>,
    led: Option<u8>,
    played: Vec<u8>,
    sums: [i64; 2],
    turn: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Card(u8);

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Card {
    type Err = ();
    fn from_str(text: &str) -> Result<Card, ()> {
        text.parse().map(Card).map_err(drop)
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Deck {
    cards: u8,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct View {
    seat: usize,
    hand: Vec<u8>,
    others: usize,
    hidden: usize,
    led: Option<u8>,
    played: Vec<u8>,
    sums: [i64; 2],
}

#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("it is not in the hand")]
struct NotInHand;

impl Game for Duel {
    const NAME: &'static str = "duel";
    const VERSION: u32 = 1;

    type Setup = Deck;
    type Move = Card;
    type View = View;
    type Illegal = NotInHand;

    fn deal(deck: &Deck, seed: Seed) -> Duel {
        let mut cards: Vec<u8> = (1..=deck.cards).collect();
        seed.rng().shuffle(&mut cards);
        Duel {
            hands: [
                cards.split_off(cards.len() - HAND),
                cards.split_off(cards.len() - HAND),
            ],
            hidden: cards,
            led: None,
            played: Vec::new(),
            sums: [0, 0],
            turn: 0,
        }
    }

    fn seats(&self) -> usize {
        2
    }

    fn to_move(&self) -> Option<Seat> {
        let over = self.hands.iter().all(Vec::is_empty);
        (!over).then(|| Seat::from(self.turn))
    }

    fn legal(&self, moves: &mut Vec<Card>) {
        moves.extend(self.hands[self.turn].iter().map(|&card| Card(card)));
    }

    fn play(&mut self, Card(card): Card) -> Result<(), NotInHand> {
        let hand = &mut self.hands[self.turn];
        let place = hand.iter().position(|&held| held == card);
        hand.remove(place.ok_or(NotInHand)?);
        self.played.push(card);
        self.turn = match self.led.take() {
            None => {
                self.led = Some(card);
                1 - self.turn
            }
            Some(led) => {
                let winner = if card > led { self.turn } else { 1 - self.turn };
                self.sums[winner] += i64::from(card + led);
                winner
            }
        };
        Ok(())
    }

    fn foul(&mut self) -> Option<Card> {
        None
    }

    fn view(&self, seat: Seat) -> View {
        View {
            seat: seat.index(),
            hand: self.hands[seat.index()].clone(),
            others: self.hands[1 - seat.index()].len(),
            hidden: self.hidden.len(),
            led: self.led,
            played: self.played.clone(),
            sums: self.sums,
        }
    }

    fn outcome(&self) -> Outcome {
        Outcome::highest_wins(self.sums.to_vec())
    }
}

impl Sample for Duel {
    fn sample(view: &View, rng: &mut Rng) -> Duel {
        let cards = (2 * HAND + view.hidden) as u8;
        let seen = |card: &u8| view.hand.contains(card) || view.played.contains(card);
        let mut unseen: Vec<u8> = (1..=cards).filter(|card| !seen(card)).collect();
        rng.shuffle(&mut unseen);
        let mut hands = [
            view.hand.clone(),
            unseen.split_off(unseen.len() - view.others),
        ];
        if view.seat == 1 {
            hands.swap(0, 1);
        }
        Duel {
            hands,
            hidden: unseen,
            led: view.led,
            played: view.played.clone(),
            sums: view.sums,
            turn: view.seat,
        }
    }
}

impl Searched for Duel {
    type Others = ();

    fn reason(_: &View, choice: Card) -> String {
        format!("plays the {choice}")
    }
}

/// What the seat to move gets if both play perfectly and see all cards.
fn exact(game: &Duel) -> f64 {
    let Some(seat) = game.to_move() else {
        unreachable!("somebody has a card");
    };
    after_each_move(game)
        .into_iter()
        .map(|(_, points)| points[seat.index()])
        .fold(0.0, f64::max)
}

/// What both get after each move if they go on perfectly.
fn after_each_move(game: &Duel) -> Vec<(Card, [f64; 2])> {
    let mut moves = Vec::new();
    game.legal(&mut moves);
    let after = |choice: Card| {
        let mut game = game.clone();
        game.play(choice).unwrap();
        let points = match game.to_move() {
            None => game.outcome().points().try_into().unwrap(),
            Some(seat) => {
                let mut points = [1.0 - exact(&game); 2];
                points[seat.index()] = 1.0 - points[seat.index()];
                points
            }
        };
        (choice, points)
    };
    moves.into_iter().map(after).collect()
}

fn iterations(count: u64, threads: usize) -> Thinking {
    Thinking {
        budget: Budget::Iterations(NonZeroU64::new(count).unwrap()),
        threads: NonZeroUsize::new(threads).unwrap(),
    }
}

/// A game of so many cards in which so many random cards have been played.
fn under_way(cards: u8, seed: u64, played: usize) -> Duel {
    let mut game = Duel::deal(&Deck { cards }, Seed(seed));
    let mut rng = Seed(seed).player(Seat(9)).rng();
    for _ in 0..played {
        let choice = game.random_move(&mut rng).unwrap();
        game.play(choice).unwrap();
    }
    game
}

/// Where all cards can be worked out, the tree must come to the result of a search through all
/// ways to play on: the move it takes loses nothing against the best one.
#[test]
fn where_all_cards_are_known_it_finds_the_best_move() {
    let mut decisions = 0;
    for seed in 0..200 {
        let game = under_way(8, seed, 1 + (seed % 5) as usize);
        let seat = game.to_move().unwrap();
        let after = after_each_move(&game);
        let thoughts = search::<Duel>(&game.view(seat), &iterations(3000, 1), Seed(seed));
        let best = thoughts[0].choice;
        let (_, points) = after.iter().find(|(choice, _)| *choice == best).unwrap();
        assert_eq!(points[seat.index()], exact(&game), "{game:?}: {thoughts:?}");
        decisions += usize::from(after.iter().any(|(_, other)| other != points));
    }
    assert!(decisions > 30, "only {decisions} decisions matter");
}

#[test]
fn estimates_come_with_their_errors_and_add_up() {
    let game = under_way(12, 4, 0);
    let thoughts = search::<Duel>(&game.view(Seat(0)), &iterations(2000, 1), Seed(1));
    assert_eq!(thoughts.len(), HAND);
    let visits: u64 = thoughts.iter().map(|thought| thought.visits).sum();
    assert_eq!(visits, 2000);
    for thought in &thoughts {
        assert!((0.0..=1.0).contains(&thought.estimate), "{thought:?}");
        // A result is 0, ½ or 1, so its standard deviation is at most ½; and what is never seen may
        // be as likely as one in all tries.
        let visits = thought.visits as f64;
        let (unseen, spread) = (1.0 / visits, 0.5 / (visits - 1.0).sqrt());
        let errors = unseen..=unseen.hypot(spread);
        assert!(errors.contains(&thought.error), "{thought:?}");
        let said = format!("plays the {}; first in ", thought.choice);
        assert!(thought.reason.starts_with(&said), "{thought:?}");
    }
    assert!(thoughts[0].estimate >= thoughts[1].estimate);
    assert!(thoughts[0].visits > thoughts[HAND - 1].visits);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn the_number_of_threads_changes_nothing(seed: u64, played in 0usize..7, count in 1u64..9000) {
        let game = under_way(11, seed, played);
        let view = game.view(game.to_move().unwrap());
        let alone = search::<Duel>(&view, &iterations(count, 1), Seed(seed));
        for threads in [2, 5] {
            let together = search::<Duel>(&view, &iterations(count, threads), Seed(seed));
            prop_assert_eq!(&together, &alone);
        }
    }

    #[test]
    fn an_expert_does_not_see_hidden_cards(seed: u64, chance: u64, played in 0usize..7) {
        let game = under_way(12, seed, played);
        let seat = game.to_move().unwrap();
        let other = Duel::sample(&game.view(seat), &mut Seed(chance).rng());
        let decided = |game: &Duel| {
            let mut expert = Expert::<Duel>::new(iterations(200, 1));
            expert.start(seat, Seed(5));
            // What it did before does not matter either.
            expert.decide(&Turn::of(&under_way(12, chance, 1)).unwrap()).unwrap();
            let choice = expert.decide(&Turn::of(game).unwrap()).unwrap();
            (choice, expert.thoughts().to_vec())
        };
        prop_assert_eq!(decided(&game), decided(&other));
    }
}

/// What an expert thinks with this budget of time, with so many threads.
fn in_time(time: &str, threads: &str) -> Vec<Thought<Card>> {
    let game = under_way(12, 1, 0);
    let options = [("time", time), ("threads", threads)];
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let mut expert = expert::<Duel>(&options.into()).unwrap();
    let choice = expert.decide(&Turn::of(&game).unwrap()).unwrap();
    assert_eq!(expert.thoughts()[0].choice, choice);
    expert.thoughts().to_vec()
}

#[test]
fn with_a_budget_of_time_every_move_is_thought_of() {
    for threads in ["1", "3"] {
        assert_eq!(in_time("1s", threads).len(), HAND);
    }
}

#[test]
fn what_there_was_no_time_to_try_is_not_thought_of() {
    for _ in 0..50 {
        let thoughts = in_time("1ms", "1");
        assert!(thoughts.iter().all(|thought| thought.visits > 0));
    }
}

#[test]
fn the_only_move_is_made_with_little_thought() {
    let game = under_way(8, 3, 7);
    let view = game.view(game.to_move().unwrap());
    let thoughts = search::<Duel>(&view, &iterations(1600, 1), Seed(1));
    assert_eq!(thoughts.len(), 1);
    assert_eq!(thoughts[0].visits, 100);
}
