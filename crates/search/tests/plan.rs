//! Plans, with a game in which it matters what will be seen before the next decision.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use std::convert::Infallible;

use croupier_core::{Game, Outcome, Rng, Sample, Seat, Seed};
use croupier_search::{Ahead, Budget, Pace, Searched, Thinking, search};
use serde::{Deserialize, Serialize};

/// The first seat stays away or dares to guess on which side a coin lies. Before the guess the other
/// one says something: what it has under its hand if it is `honest`, and nothing of interest if not.
#[derive(Clone, Debug)]
struct Coin {
    side: u8,
    honest: bool,
    said: Vec<Word>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
enum Word {
    Stay,
    Dare,
    Side(u8),
}

impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl FromStr for Word {
    type Err = ();
    fn from_str(_: &str) -> Result<Word, ()> {
        Err(())
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Honest(bool);

#[derive(Clone, PartialEq, Debug, Serialize)]
struct View {
    honest: bool,
    said: Vec<Word>,
}

/// Who stays away gets this share of the point.
const AWAY: f64 = 0.7;

impl Game for Coin {
    const NAME: &'static str = "coin";
    const VERSION: u32 = 1;

    type Setup = Honest;
    type Move = Word;
    type View = View;
    type Illegal = Infallible;

    fn deal(&Honest(honest): &Honest, seed: Seed) -> Coin {
        Coin {
            side: seed.rng().below(2) as u8,
            honest,
            said: Vec::new(),
        }
    }

    fn seats(&self) -> usize {
        2
    }

    fn to_move(&self) -> Option<Seat> {
        match self.said[..] {
            [] | [Word::Dare, _] => Some(Seat(0)),
            [Word::Dare] => Some(Seat(1)),
            _ => None,
        }
    }

    fn legal(&self, moves: &mut Vec<Word>) {
        match self.said[..] {
            [] => moves.extend([Word::Stay, Word::Dare]),
            [Word::Dare] if self.honest => moves.push(Word::Side(self.side)),
            [Word::Dare] => moves.push(Word::Side(2)),
            [Word::Dare, _] => moves.extend([Word::Side(0), Word::Side(1)]),
            _ => {}
        }
    }

    fn play(&mut self, word: Word) -> Result<(), Infallible> {
        self.said.push(word);
        Ok(())
    }

    fn foul(&mut self) -> Option<Word> {
        None
    }

    fn view(&self, _: Seat) -> View {
        View {
            honest: self.honest,
            said: self.said.clone(),
        }
    }

    fn outcome(&self) -> Outcome {
        let right = self.said.last() == Some(&Word::Side(self.side));
        Outcome::highest_wins(vec![i64::from(right), i64::from(!right)])
    }
}

impl Sample for Coin {
    fn sample(view: &View, rng: &mut Rng) -> Coin {
        Coin {
            side: rng.below(2) as u8,
            honest: view.honest,
            said: view.said.clone(),
        }
    }
}

impl Searched for Coin {
    type Others = ();

    fn reason(_: &View, word: Word) -> String {
        word.to_string()
    }

    fn finish(mut self, (): &(), _: Seat, rng: &mut Rng, points: &mut [f64]) {
        while let Some(word) = self.sensible(rng) {
            self.said.push(word);
        }
        points.copy_from_slice(&match self.said[..] {
            [Word::Stay] => vec![AWAY, 1.0 - AWAY],
            _ => self.outcome().points(),
        });
    }

    fn ahead(_: &View, _: Pace) -> Ahead<Coin> {
        Ahead::Plan(|game, (), viewer| {
            let heard = game.said.len();
            while game.to_move().is_some_and(|seat| seat != viewer) {
                let said = game.sensible(&mut Seed(0).rng()).unwrap();
                game.play(said).unwrap();
            }
            match game.said[heard..] {
                [Word::Side(side)] => side.into(),
                _ => 9,
            }
        })
    }
}

/// Iterations, or time: a little, and more where the machine is busy with others.
fn budgets() -> [Vec<Budget>; 2] {
    let times = (0..10).map(|doubled| Duration::from_millis(50 << doubled));
    [
        vec![Budget::Iterations(4000.try_into().unwrap())],
        times.map(Budget::Time).collect(),
    ]
}

/// What is thought of the first move with the first of these budgets that is enough for 400 deals:
/// what was chosen, and what daring is worth.
fn first_move(honest: bool, budgets: &[Budget]) -> (Word, f64) {
    let view = Coin::deal(&Honest(honest), Seed(1)).view(Seat(0));
    let think = |&budget: &Budget| {
        let thinking = Thinking {
            budget,
            ..Thinking::default()
        };
        let thoughts = search::<Coin>(&view, &thinking, Seed(3));
        let dare = thoughts.iter().find(|thought| thought.choice == Word::Dare);
        let dare = dare.unwrap();
        (dare.visits >= 400).then_some((thoughts[0].choice, dare.estimate))
    };
    budgets.iter().find_map(think).unwrap()
}

/// Whoever tries both guesses in every imagined deal finds one that is right in each, as if it could
/// see the coin. The estimate of a half has a standard error of at most 0.025 with 400 deals.
#[test]
fn it_does_not_count_on_what_it_will_not_see() {
    for budget in budgets() {
        let (choice, estimate) = first_move(false, &budget);
        assert_eq!(choice, Word::Stay);
        assert!((0.4..0.6).contains(&estimate), "{estimate}");
    }
}

/// Whoever finishes games without a plan guesses right in one of two.
#[test]
fn it_counts_on_what_it_will_see() {
    for budget in budgets() {
        let (choice, estimate) = first_move(true, &budget);
        assert_eq!(choice, Word::Dare);
        assert_eq!(estimate, 1.0);
    }
}
