//! The tree below a move: information-set Monte Carlo tree search (ISMCTS) with UCB1.
//!
//! A node is an information set: it stands for what has been seen since the move, not for one deal.
//! The same node is visited in many determinizations, and in each of them only the moves that are
//! legal there can be selected (a subset-armed bandit). A move that the viewer does not see is no
//! branch of the tree.

use croupier_core::{Rng, Seat, ln};

use crate::Searched;

/// The exploration constant of UCB1, for rewards from 0 to 1.
const EXPLORATION: f64 = 0.5;

/// A tree does not grow beyond this, so that a long search does not fill the memory.
const MOST_NODES: usize = 1 << 20;

/// The tree of one move.
#[derive(Debug)]
pub(crate) struct Tree<M> {
    nodes: Vec<Node<M>>,
    /// The nodes that the current simulation went through, and who chose each.
    path: Vec<(usize, Seat)>,
    moves: Vec<M>,
}

/// A node, named by the choice that leads to it.
#[derive(Debug)]
struct Node<M> {
    /// None at the root, where the move itself has been made.
    choice: Option<M>,
    visits: u32,
    /// In how many visits to its parent it was legal.
    availability: u32,
    /// The sum of the rewards of whoever made the choice: shares of the most points, from 0 to 1.
    rewards: f64,
    children: Vec<usize>,
}

impl<M> Node<M> {
    fn new(choice: Option<M>) -> Node<M> {
        Node {
            choice,
            visits: 0,
            availability: 0,
            rewards: 0.0,
            children: Vec::new(),
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

    /// Selection and expansion: plays moves by UCB1 in a game in which the move has just been made,
    /// up to `depth` of them, until a new node has been added.
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
                match self.select(at, sensible) {
                    Some(node) => at = node,
                    None => return,
                }
                self.path.push((at, seat));
                self.nodes[at].choice.expect("a child has a choice")
            } else {
                sensible
            };
            game.play(choice).expect("a candidate is a legal move");
        }
    }

    /// Backpropagation: adds the points for places with which that game ended to the nodes on its
    /// path.
    pub(crate) fn learn(&mut self, points: &[f64]) {
        let all = (points.len() - 1) as f64;
        for &(node, seat) in &self.path {
            self.nodes[node].visits += 1;
            self.nodes[node].rewards += points[seat.index()] / all;
        }
    }

    /// The child to visit next among `self.moves`: the one with the highest upper confidence bound. A
    /// new one is added for the choice of the rollout policy first, and for others when all known
    /// ones seem worse. None if only a new one could be visited and the tree is full.
    fn select(&mut self, at: usize, sensible: M) -> Option<usize> {
        let mut visits = 0;
        let mut rewards = 0.0;
        let mut best = None;
        let untried = &mut self.moves;
        for child in 0..self.nodes[at].children.len() {
            let child = self.nodes[at].children[child];
            let node = &mut self.nodes[child];
            if let Some(place) = untried.iter().position(|&other| node.choice == Some(other)) {
                untried.swap_remove(place);
                node.availability += 1;
                visits += node.visits;
                rewards += node.rewards;
                let bound = upper_bound(node.rewards, node.visits, node.availability);
                if best.is_none_or(|(highest, _)| bound > highest) {
                    best = Some((bound, child));
                }
            }
        }
        let Some(&new) = untried
            .iter()
            .find(|&&choice| choice == sensible)
            .or(untried.first())
        else {
            return best.map(|(_, child)| child);
        };
        // First-play urgency: an untried move counts as if it had been visited once, with the mean
        // reward of the others.
        let mean = rewards / f64::from(visits.max(1));
        match best {
            Some((highest, child)) if highest >= upper_bound(mean, 1, self.nodes[at].visits) => {
                Some(child)
            }
            _ if self.nodes.len() == MOST_NODES => best.map(|(_, child)| child),
            _ => {
                let child = self.nodes.len();
                self.nodes.push(Node {
                    availability: 1,
                    ..Node::new(Some(new))
                });
                self.nodes[at].children.push(child);
                Some(child)
            }
        }
    }
}

/// The upper confidence bound of UCB1: the mean reward, and more the less that is known of it.
fn upper_bound(rewards: f64, visits: u32, availability: u32) -> f64 {
    let visits = f64::from(visits.max(1));
    let uncertainty = ln(availability.max(1)) / visits;
    rewards / visits + EXPLORATION * uncertainty.sqrt()
}
