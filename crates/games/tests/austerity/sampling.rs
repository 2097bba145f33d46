//! Games that agree with what a player sees: true ones, and all of them equally likely.

use std::collections::HashMap;

use croupier_core::{Game, Sample, Seat, Seed};
use croupier_games::austerity::{Austerity, Card, Setup};
use proptest::prelude::*;

use super::laws::any_table;

fn random_game(setup: &Setup, seed: Seed, turns: usize) -> Austerity {
    let mut game = Austerity::deal(setup, seed);
    let mut rng = seed.player(Seat(0)).rng();
    for _ in 0..turns {
        if let Some(choice) = game.random_move(&mut rng) {
            game.play(choice).unwrap();
        }
    }
    game
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_sampled_game_looks_the_same_from_every_seat_and_plays_on(
        (setup, seed) in any_table(),
        turns in 0usize..300,
    ) {
        let game = random_game(&setup, seed, turns);
        let mut rng = seed.rng();
        for seat in Seat::all(game.seats()) {
            let mut sampled = Austerity::sample(&game.view(seat), &mut rng);
            prop_assert_eq!(sampled.view(seat), game.view(seat));
            prop_assert_eq!(sampled.to_move(), game.to_move());
            prop_assert_eq!(sampled.outcome(), game.outcome());
            prop_assert_eq!(sampled.hidden().len(), game.hidden().len());
            prop_assert!(sampled.view(Seat(0)).opening().eq(game.view(Seat(0)).opening()));
            while let Some(choice) = sampled.random_move(&mut rng) {
                sampled.play(choice).unwrap();
            }
            prop_assert!(sampled.ending().is_some());
        }
    }

    #[test]
    fn the_rest_of_a_made_up_deck_has_the_points_that_are_left(seed: u64, players in 2usize..=26, turns in 0usize..300) {
        let setup = Setup::new(players, 7, 99, None, None).unwrap();
        let game = random_game(&setup, Seed(seed), turns);
        let sampled = Austerity::sample(&game.view(Seat(0)), &mut Seed(seed).rng());
        let points = |game: &Austerity| {
            let mut points: Vec<u32> = game.hidden().iter().map(|card| card.points).collect();
            points.sort_unstable();
            points
        };
        prop_assert_eq!(points(&sampled), points(&game));
    }

    #[test]
    fn the_rest_of_another_deck_is_like_what_has_been_seen((setup, seed) in any_table(), turns in 0usize..300) {
        let game = random_game(&setup, seed, turns);
        let view = game.view(Seat(1));
        prop_assume!(!view.terms.made_up);
        let sampled = Austerity::sample(&view, &mut seed.rng());
        prop_assert!(sampled.hidden().iter().all(|card| view.seen.contains(card)));
    }
}

/// How far the counts are from what is expected, in chi-square.
fn chi(drawn: impl IntoIterator<Item = u32>, expected: f64) -> f64 {
    let term = |count: u32| (f64::from(count) - expected).powi(2) / expected;
    drawn.into_iter().map(term).sum()
}

/// A game in which only these many cards are left in the deck.
fn with_a_low_deck(left: usize) -> Austerity {
    let setup = Setup::new(2, 7, 999, None, None).unwrap();
    let mut game = Austerity::deal(&setup, Seed(1));
    let mut rng = Seed(2).rng();
    while game.hidden().len() > left {
        game.play(game.random_move(&mut rng).unwrap()).unwrap();
    }
    game
}

/// All orders of the five cards that are left are equally likely. A fair sampler goes beyond the
/// bounds here and below with probability 10^-6 each (normal approximation, 4.75 standard
/// deviations); the seeds are fixed.
#[test]
fn the_rest_of_a_made_up_deck_comes_in_any_order() {
    let game = with_a_low_deck(5);
    let view = game.view(Seat(0));
    let mut points: Vec<u32> = game.hidden().iter().map(|card| card.points).collect();
    points.sort_unstable();
    // Like points are told apart in as many ways as their counts allow.
    let alike: usize = points
        .chunk_by(|a, b| a == b)
        .map(|run| (1..=run.len()).product::<usize>())
        .product();
    let orders = 120 / alike;
    assert!(orders > 10, "{points:?}");
    let mut rng = Seed(3).rng();
    let mut drawn: HashMap<Vec<u32>, u32> = HashMap::new();
    for _ in 0..500 * orders {
        let sampled = Austerity::sample(&view, &mut rng);
        let order = sampled.hidden().iter().map(|card| card.points).collect();
        *drawn.entry(order).or_default() += 1;
    }
    assert_eq!(drawn.len(), orders);
    let freedom = orders as f64 - 1.0;
    let deviations = (chi(drawn.into_values(), 500.0) - freedom) / (2.0 * freedom).sqrt();
    assert!(deviations.abs() < 4.75, "{deviations}");
}

/// The next card has 0, 1 or 2 tokens beyond what its points cost, a discount of any colour, and
/// its first tokens are of any colour: the same as in a deal.
#[test]
fn prices_and_discounts_of_the_rest_are_left_to_chance() {
    let view = with_a_low_deck(5).view(Seat(0));
    let mut rng = Seed(4).rng();
    let (mut beyond, mut discounts, mut colours) = ([0; 3], [0; 4], [0; 4]);
    let rounds = 12_000;
    for _ in 0..rounds {
        let sampled = Austerity::sample(&view, &mut rng);
        let Card {
            bonus,
            points,
            price,
        } = sampled.hidden()[0];
        let tokens: u32 = price.iter().sum();
        beyond[(tokens - 2 - 2 * points) as usize] += 1;
        discounts[bonus.index()] += 1;
        let mut token = rng.below(tokens as usize) as u32;
        let colour = price.iter().position(|&price| {
            let found = token < price;
            token = token.wrapping_sub(price);
            found
        });
        colours[colour.unwrap()] += 1;
    }
    let expected = f64::from(rounds);
    // The quantiles of chi-square with 2 and 3 degrees of freedom.
    assert!(chi(beyond, expected / 3.0) < 27.7, "{beyond:?}");
    assert!(chi(discounts, expected / 4.0) < 30.7, "{discounts:?}");
    assert!(chi(colours, expected / 4.0) < 30.7, "{colours:?}");
}
