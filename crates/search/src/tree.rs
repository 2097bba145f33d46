//! The tree below a move: what everyone has tried in answer to it, and how that went.
//!
//! A node stands for what has been seen since the move, not for one deal: the same node is visited
//! in many deals, and in each of them only the moves that are legal there can be chosen. A move that
//! the viewer does not see is no branch of the tree.

use croupier_core::{Rng, Seat, ln};

use crate::Searched;

/// How much is tried that did not go well so far. Shares of the points are from 0 to 1.
const EXPLORATION: f64 = 0.5;

/// A tree does not grow beyond this, so that a long search does not fill the memory.
const MOST_NODES: usize = 1 << 20;

/// The tree of one move.
#[derive(Debug)]
pub(crate) struct Tree<M> {
    nodes: Vec<Node<M>>,
    /// The nodes that the game in hand went through, and who chose each.
    path: Vec<(usize, Seat)>,
    moves: Vec<M>,
}

/// A choice that somebody has made in answer to what came before.
#[derive(Debug)]
struct Node<M> {
    /// None at the top, where the move itself has been made.
    choice: Option<M>,
    visits: u32,
    /// How often it could have been chosen.
    chances: u32,
    /// The shares of all points that whoever made the choice got in the end, added up.
    shares: f64,
    answers: Vec<usize>,
}

impl<M> Node<M> {
    fn new(choice: Option<M>) -> Node<M> {
        Node {
            choice,
            visits: 0,
            chances: 0,
            shares: 0.0,
            answers: Vec::new(),
        }
    }
}

impl<M: Copy + PartialEq> Tree<M> {
    pub(crate) fn new() -> Tree<M> {
        Tree {
            nodes: vec![Node::new(None)],
            path: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Plays a game in which the move has just been made by what the tree knows: up to `depth`
    /// moves, until one is new.
    pub(crate) fn descend<G: Searched<Move = M>>(
        &mut self,
        game: &mut G,
        viewer: Seat,
        depth: usize,
        rng: &mut Rng,
    ) {
        self.path.clear();
        if depth == 0 {
            return;
        }
        self.path.push((0, viewer));
        let mut at = 0;
        while self.nodes[at].visits > 0 && self.path.len() <= depth {
            let Some((seat, sensible)) = game.to_move().zip(game.sensible(rng)) else {
                return;
            };
            let choice = if seat == viewer || G::is_open(sensible) {
                self.moves.clear();
                game.candidates(&mut self.moves);
                match self.choose(at, sensible) {
                    Some(node) => at = node,
                    None => return,
                }
                self.path.push((at, seat));
                self.nodes[at].choice.expect("an answer is a choice")
            } else {
                sensible
            };
            game.play(choice).expect("a candidate is a legal move");
        }
    }

    /// Remembers the points for places of every seat, with which that game ended.
    pub(crate) fn learn(&mut self, points: &[f64]) {
        let all = (points.len() - 1) as f64;
        for &(node, seat) in &self.path {
            self.nodes[node].visits += 1;
            self.nodes[node].shares += points[seat.index()] / all;
        }
    }

    /// The answer to try next among `self.moves`: first what is sensible, then what went best, or
    /// was tried least. None if it would be a new one and the tree is full.
    fn choose(&mut self, at: usize, sensible: M) -> Option<usize> {
        let mut tried = 0;
        let mut shares = 0.0;
        let mut best = None;
        let untried = &mut self.moves;
        for answer in 0..self.nodes[at].answers.len() {
            let answer = self.nodes[at].answers[answer];
            let node = &mut self.nodes[answer];
            if let Some(place) = untried.iter().position(|&other| node.choice == Some(other)) {
                untried.swap_remove(place);
                node.chances += 1;
                tried += node.visits;
                shares += node.shares;
                let worth = worth(node.shares, node.visits, node.chances);
                if best.is_none_or(|(most, _)| worth > most) {
                    best = Some((worth, answer));
                }
            }
        }
        let Some(&new) = untried
            .iter()
            .find(|&&choice| choice == sensible)
            .or(untried.first())
        else {
            return best.map(|(_, answer)| answer);
        };
        // What has not been tried counts as if it had gone once as the others go on average.
        let average = shares / f64::from(tried.max(1));
        match best {
            Some((most, answer)) if most >= worth(average, 1, self.nodes[at].visits) => {
                Some(answer)
            }
            _ if self.nodes.len() == MOST_NODES => best.map(|(_, answer)| answer),
            _ => {
                let answer = self.nodes.len();
                self.nodes.push(Node {
                    chances: 1,
                    ..Node::new(Some(new))
                });
                self.nodes[at].answers.push(answer);
                Some(answer)
            }
        }
    }
}

/// What an answer is worth that went like this in so many of its chances: the average, and more
/// the less that is known of it.
fn worth(shares: f64, visits: u32, chances: u32) -> f64 {
    let visits = f64::from(visits.max(1));
    let unsure = ln(chances.max(1)) / visits;
    shares / visits + EXPLORATION * unsure.sqrt()
}
