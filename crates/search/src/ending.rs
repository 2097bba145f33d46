//! Endings: where few games are possible and few moves are left, they are solved instead of sampled.
//!
//! All games that agree with the view are known, each with its probability, and so is how likely the
//! others make each of their moves. Then the best policy for the viewer and its expected points can be
//! computed (expectimax over information sets). In games that look the same to the viewer it has to make
//! the same move, so they are searched together, as in a plan; but nothing is left to chance here, so
//! nothing has to be cross-fitted, and no game is left out because it is unlikely.

use croupier_core::{Seat, Thought};

use crate::Searched;
use crate::search::{End, reason};

/// How likely the seat to move makes each of its moves: adds them to the list, each with its probability,
/// for the possible game with this number as it stands now.
pub type Policy<'a, G> =
    Box<dyn Fn(usize, &G, &mut Vec<(<G as croupier_core::Game>::Move, f64)>) + 'a>;

/// All that can still happen, as far as the seat to move can tell.
pub struct Ending<'a, G: Searched> {
    /// Every game that agrees with the view, once, with its probability up to a common factor.
    pub games: Vec<(G, f64)>,
    /// How the others choose.
    pub policy: Policy<'a, G>,
}

/// A possible game with its number and its probability.
#[derive(Clone)]
struct Line<G> {
    game: G,
    number: usize,
    probability: f64,
}

/// What is expected of some games: sums over them, weighted by their probabilities.
#[derive(Clone, Copy, Default)]
struct Outlook {
    points: f64,
    first: f64,
    last: f64,
}

impl<G: Searched> Ending<'_, G> {
    /// The exact expectations of these moves, the best first.
    pub(crate) fn solve(&self, view: &G::View, choices: &[G::Move]) -> Vec<Thought<G::Move>> {
        let all: f64 = self.games.iter().map(|(_, probability)| probability).sum();
        let games = self.games.iter().enumerate();
        let lines = games.map(|(number, (game, probability))| Line {
            game: game.clone(),
            number,
            probability: probability / all,
        });
        let lines: Vec<_> = lines.collect();
        let viewer = lines[0].game.to_move().expect("it is the viewer's turn");
        let mut thoughts: Vec<_> = choices
            .iter()
            .map(|&choice| {
                let outlook = self.after(&lines, choice, viewer);
                Thought {
                    choice,
                    estimate: outlook.points,
                    error: 0.0,
                    visits: lines.len() as u64,
                    reason: reason::<G>(view, choice, outlook.first, outlook.last),
                }
            })
            .collect();
        thoughts.sort_by(|one, other| other.estimate.total_cmp(&one.estimate));
        thoughts
    }

    /// What is expected after the viewer makes this move in all games of an information set.
    fn after(&self, lines: &[Line<G>], choice: G::Move, viewer: Seat) -> Outlook {
        let mut sum = Outlook::default();
        let mut sets: Vec<(G::View, Vec<Line<G>>)> = Vec::new();
        let mut open: Vec<Line<G>> = lines.to_vec();
        for line in &mut open {
            let legal = line.game.play(choice);
            legal.expect("the games of an information set have the same legal moves");
        }
        let mut moves = Vec::new();
        while let Some(line) = open.pop() {
            match line.game.to_move() {
                None => sum.add(&line, viewer),
                Some(seat) if seat == viewer => {
                    let view = line.game.view(viewer);
                    match sets.iter_mut().find(|(seen, _)| *seen == view) {
                        Some((_, together)) => together.push(line),
                        None => sets.push((view, vec![line])),
                    }
                }
                Some(_) => {
                    moves.clear();
                    (self.policy)(line.number, &line.game, &mut moves);
                    for &(choice, probability) in &moves {
                        let mut after = line.clone();
                        after.probability *= probability;
                        let legal = after.game.play(choice);
                        legal.expect("a policy gives legal moves");
                        open.push(after);
                    }
                }
            }
        }
        for (_, together) in sets {
            let mut moves = Vec::new();
            together[0].game.legal(&mut moves);
            let ways = moves
                .iter()
                .map(|&choice| self.after(&together, choice, viewer));
            let best = ways.max_by(|one, other| one.points.total_cmp(&other.points));
            sum.join(&best.expect("whose turn it is has a move"));
        }
        sum
    }
}

impl Outlook {
    /// A game that is over.
    fn add<G: Searched>(&mut self, line: &Line<G>, viewer: Seat) {
        let end = End::of(&line.game.outcome().points(), viewer);
        self.join(&Outlook {
            points: line.probability * end.points,
            first: line.probability * f64::from(end.is_first),
            last: line.probability * f64::from(end.is_last),
        });
    }

    fn join(&mut self, other: &Outlook) {
        self.points += other.points;
        self.first += other.first;
        self.last += other.last;
    }
}
