//! Games that agree with what a player sees: true ones, and all of them equally likely.

use std::collections::HashMap;

use croupier_core::{Game, Sample, Seat, Seed};
use croupier_games::friday13::{Card, Friday13, Setup, Terms};
use proptest::prelude::*;

use super::laws::setups;

/// A match after so many random moves, and how many are still to be made.
fn random_match(setup: &Setup, seed: u64, moves: usize) -> (Friday13, usize) {
    let all = setup.cards() * setup.rounds as usize;
    let moves = moves % (all + 1);
    let mut game = Friday13::deal(setup, Seed(seed));
    let mut rng = Seed(seed).player(Seat(0)).rng();
    for _ in 0..moves {
        game.play(game.random_move(&mut rng).unwrap()).unwrap();
    }
    (game, all - moves)
}

proptest! {
    #[test]
    fn a_sampled_match_looks_the_same_from_the_seat_and_plays_on(
        setup in setups(),
        seed: u64,
        moves in 0usize..200,
        seat in 0usize..6,
    ) {
        let (game, left) = random_match(&setup, seed, moves);
        let seat = Seat::from(seat % setup.players);
        let mut rng = Seed(seed).rng();
        let mut sampled = Friday13::sample(&game.view(seat), &mut rng);
        prop_assert_eq!(sampled.view(seat), game.view(seat));
        prop_assert_eq!(sampled.to_move(), game.to_move());
        prop_assert_eq!(sampled.outcome(), game.outcome());
        prop_assert_eq!(sampled.state().check(&setup), Ok(()), "all cards are there");
        for _ in 0..left {
            sampled.play(sampled.random_move(&mut rng).unwrap()).unwrap();
        }
        prop_assert_eq!(sampled.to_move(), None);
    }

    #[test]
    fn the_rounds_to_come_are_dealt_anew(seed: u64) {
        let setup = Setup::default();
        let (game, _) = random_match(&setup, seed, setup.cards() - 1);
        let view = game.view(game.to_move().unwrap());
        let next_round = |mut game: Friday13| {
            game.play(game.random_move(&mut Seed(0).rng()).unwrap()).unwrap();
            game.state().hands
        };
        let sampled = Friday13::sample(&view, &mut Seed(seed).rng());
        prop_assert_ne!(next_round(sampled), next_round(game));
    }
}

/// Every order of some cards, as often as there are ways to tell like cards apart.
fn orders(cards: &[Card]) -> Vec<Vec<Card>> {
    if cards.is_empty() {
        return vec![Vec::new()];
    }
    let first = |place: usize| {
        let mut rest = cards.to_vec();
        let first = rest.remove(place);
        orders(&rest)
            .into_iter()
            .map(move |rest| [vec![first], rest].concat())
    };
    (0..cards.len()).flat_map(first).collect()
}

/// Chi-square over all ways in which the hands of the others can lie, in 60 endings with up to six
/// unseen cards, like cards among them. A fair sampler goes beyond the bound with probability 10^-6
/// (normal approximation, 4.75 standard deviations); the seeds are fixed, so the answer is the same
/// every time.
#[test]
fn sampled_hands_are_drawn_evenly_from_all_that_agree_with_the_view() {
    let (mut chi, mut freedom) = (0.0, 0.0);
    let mut rng = Seed(21).rng();
    for seed in 0..60 {
        let setup = Setup::try_from(Terms {
            players: 3 + seed as usize % 3,
            greens: 3,
            values: vec![1, 1, 4, 7],
            ..Terms::default()
        })
        .unwrap();
        let (game, _) = random_match(&setup, seed, setup.cards() - 2 - seed as usize % 6);
        let seat = game.to_move().unwrap();
        let view = game.view(seat);
        let hands = game.state().hands;
        let others = (0..setup.players).filter(|&chair| chair != view.chair);
        let unseen: Vec<Card> = others.flat_map(|chair| hands[chair].clone()).collect();
        let mut expected: HashMap<Vec<Card>, f64> = HashMap::new();
        let orders = orders(&unseen);
        for order in &orders {
            *expected.entry(order.clone()).or_default() += 100.0;
        }
        let mut drawn: HashMap<Vec<Card>, f64> = HashMap::new();
        for _ in 0..100 * orders.len() {
            let hands = Friday13::sample(&view, &mut rng).state().hands;
            let others = (0..setup.players).filter(|&chair| chair != view.chair);
            let cards = others.flat_map(|chair| hands[chair].clone()).collect();
            *drawn.entry(cards).or_default() += 1.0;
        }
        assert!(drawn.keys().all(|cards| expected.contains_key(cards)));
        for (cards, expected) in &expected {
            let count = drawn.get(cards).unwrap_or(&0.0);
            chi += (count - expected).powi(2) / expected;
        }
        freedom += expected.len() as f64 - 1.0;
    }
    assert!(freedom > 500.0, "{freedom}");
    let deviations = (chi - freedom) / (2.0 * freedom).sqrt();
    assert!(deviations.abs() < 4.75, "{deviations}");
}
