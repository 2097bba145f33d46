//! Games that agree with what a seat sees: true ones, and all of them equally likely.

use std::collections::HashMap;

use croupier_core::{Game, Sample, Seat, Seed};
use croupier_games::intensity::{
    Card, Cards, Discarding, Intensity, Move, SEATS, Setup, Unseen, View,
};
use proptest::prelude::*;

use crate::{numbers, playing, random_game, slow};

/// The game as it must have been from the deal on, played again card by card.
fn played_again(game: &Intensity) -> Intensity {
    let turns: Vec<usize> = {
        let empty = vec![Vec::new(); 4];
        let played: Vec<u8> = game.played().iter().map(|card| card.number()).collect();
        (0..played.len())
            .map(|count| slow::turn_and_legal(&empty, &played[..count]).0)
            .collect()
    };
    let mut hands = *game.hands();
    for (&seat, &card) in turns.iter().zip(game.played()) {
        hands[seat] |= card.into();
    }
    let passed = *game.passed();
    for (seat, hand) in hands.iter_mut().enumerate() {
        let received = passed[(seat + 3) % 4];
        assert!(hand.contains_all(received));
        *hand = (*hand - received) | passed[seat];
    }
    let mut again = Intensity::from_hands(hands, Seed(0).rng()).unwrap();
    for cards in passed {
        again.play(Move::discard(cards).unwrap()).unwrap();
    }
    for &card in game.played() {
        again.play(Move::play(card)).unwrap();
    }
    again
}

proptest! {
    #[test]
    fn a_sampled_game_looks_the_same_from_the_seat_and_plays_on(seed: u64, decisions in 0usize..44) {
        let game = random_game(seed, decisions);
        let view = game.view(game.to_move().unwrap());
        let mut rng = Seed(seed).rng();
        let mut sampled = Intensity::sample(&view, &mut rng);
        prop_assert_eq!(sampled.view(sampled.to_move().unwrap()), view);
        while let Some(choice) = sampled.random_move(&mut rng) {
            sampled.play(choice).unwrap();
        }
        prop_assert_eq!(sampled.taken().iter().sum::<u8>(), 17);
    }

    #[test]
    fn a_sampled_game_can_have_been_played_from_its_deal_on(
        seed: u64,
        decisions in 4usize..=44,
        seat in 0usize..4,
    ) {
        let game = random_game(seed, decisions);
        let view = game.view(Seat::from(seat));
        let sampled = Intensity::sample(&view, &mut Seed(seed).rng());
        prop_assert_eq!(sampled.view(Seat::from(seat)), view);
        let again = played_again(&sampled);
        prop_assert_eq!(again.hands(), sampled.hands());
        prop_assert_eq!(again.taken(), sampled.taken());
        for seat in Seat::all(SEATS) {
            prop_assert_eq!(again.view(seat), sampled.view(seat));
        }
    }
}

/// All ways in which the hands of the others can lie, found by trying every way to share out the
/// unseen cards and asking the slow rules whether every card played was legal.
fn all_hands(game: &Intensity, viewer: usize) -> Vec<[Cards; SEATS]> {
    let view = playing(game, viewer);
    let played: Vec<u8> = game.played().iter().map(|card| card.number()).collect();
    let gone: Cards = game.played().iter().copied().collect();
    let unseen: Vec<Card> = (Cards::ALL - gone - view.hand()).iter().collect();
    let sizes = game.hands().map(Cards::len);
    let empty = vec![Vec::new(); 4];
    let turns: Vec<usize> = (0..played.len())
        .map(|count| slow::turn_and_legal(&empty, &played[..count]).0)
        .collect();
    let mut found = Vec::new();
    for code in 0..3_usize.pow(unseen.len() as u32) {
        let mut hands = [Cards::NONE; SEATS];
        hands[viewer] = view.hand();
        let mut rest = code;
        for &card in &unseen {
            hands[(viewer + 1 + rest % 3) % 4] |= card.into();
            rest /= 3;
        }
        if hands.map(Cards::len) != sizes {
            continue;
        }
        let mut at_first = hands.map(numbers).to_vec();
        for (&turn, &card) in turns.iter().zip(&played) {
            at_first[turn].push(card);
        }
        let next = &at_first[(viewer + 1) % 4];
        let legal = view
            .discarded()
            .iter()
            .all(|card| next.contains(&card.number()))
            && (0..played.len()).all(|count| {
                let (_, legal) = slow::turn_and_legal(&at_first, &played[..count]);
                legal.contains(&played[count])
            });
        if legal {
            found.push(hands);
        }
    }
    found
}

/// Chi-square over all ways in which the cards can lie, in 150 endings with up to nine unseen
/// cards. A fair sampler goes beyond the bound with probability 10^-6 (normal approximation, 4.75
/// standard deviations); the seeds are fixed, so the answer is the same every time.
#[test]
fn sampled_hands_are_drawn_evenly_from_all_that_agree_with_the_view() {
    let (mut chi, mut freedom, mut narrowed) = (0.0, 0.0, 0);
    let mut rng = Seed(17).rng();
    for seed in 0..150 {
        let game = random_game(seed, 32 + seed as usize % 12);
        let viewer = game.to_move().unwrap().index();
        let all = all_hands(&game, viewer);
        let view = playing(&game, viewer);
        let unseen = Unseen::of(&view);
        assert_eq!(unseen.ways(), all.len() as u64, "seed {seed}");
        let free: usize = (1..=unseen.out().len()).product();
        let orders: usize = game
            .hands()
            .iter()
            .enumerate()
            .filter(|&(seat, _)| seat != viewer)
            .map(|(_, hand)| (1..=hand.len()).product::<usize>())
            .product();
        narrowed += usize::from(1 < all.len() && all.len() < free / orders);

        let mut drawn: HashMap<[Cards; SEATS], u32> = HashMap::new();
        for _ in 0..100 * all.len() {
            let sampled = Intensity::sample(&View::Playing(view), &mut rng);
            *drawn.entry(*sampled.hands()).or_default() += 1;
        }
        assert!(drawn.keys().all(|hands| all.contains(hands)));
        chi += all
            .iter()
            .map(|hands| f64::from(*drawn.get(hands).unwrap_or(&0)))
            .map(|count| (count - 100.0).powi(2) / 100.0)
            .sum::<f64>();
        freedom += all.len() as f64 - 1.0;
    }
    assert!(
        narrowed > 50,
        "who did not follow matters in {narrowed} endings"
    );
    let deviations = (chi - freedom) / (2.0 * freedom).sqrt();
    assert!(deviations.abs() < 4.75, "{deviations}");
}

/// The cards that others have passed are hidden too: all 120 choices from the hand of the seat that
/// received them are equally likely, with the same error probability as above for each of the two.
#[test]
fn sampled_passes_are_drawn_evenly_from_the_hand_that_received_them() {
    // At the end of the game all hands are known.
    let game = random_game(5, 44);
    let view = game.view(Seat(2));
    let mut rng = Seed(18).rng();
    let mut drawn = [HashMap::new(), HashMap::new()];
    for _ in 0..120 * 200 {
        let sampled = Intensity::sample(&view, &mut rng);
        for (count, passer) in drawn.iter_mut().zip([3, 0]) {
            *count.entry(sampled.passed()[passer]).or_insert(0_u32) += 1;
        }
    }
    for drawn in drawn {
        assert_eq!(drawn.len(), 120);
        let chi: f64 = drawn
            .values()
            .map(|&n| (f64::from(n) - 200.0).powi(2) / 200.0)
            .sum();
        // The quantile of chi-square with 119 degrees of freedom.
        assert!(chi < 206.0, "{chi}");
    }
}

/// Before cards are passed the position is left to chance, and so is every card of the others: each
/// of the 30 unseen cards lies in every seat equally often. Bounds as above.
#[test]
fn a_hand_that_passes_cards_on_may_be_in_any_position() {
    let hand = Intensity::deal(&Setup {}, Seed(1)).hands()[2];
    let view = View::Discarding(Discarding::new(hand).unwrap());
    let mut rng = Seed(19).rng();
    let mut positions = [0_u32; SEATS];
    let mut places: HashMap<(usize, Card), u32> = HashMap::new();
    for _ in 0..40_000 {
        let sampled = Intensity::sample(&view, &mut rng);
        let position = sampled.to_move().unwrap().index();
        assert_eq!(sampled.hands()[position], hand);
        positions[position] += 1;
        for after in 1..SEATS {
            for card in sampled.hands()[(position + after) % SEATS].iter() {
                *places.entry((after, card)).or_default() += 1;
            }
        }
    }
    let chi = |counts: &mut dyn Iterator<Item = u32>, expected: f64| -> f64 {
        counts
            .map(|n| (f64::from(n) - expected).powi(2) / expected)
            .sum()
    };
    assert!(chi(&mut positions.into_iter(), 10_000.0) < 30.7);
    let expected = 40_000.0 / 3.0;
    let spread = chi(&mut places.into_values(), expected);
    // Each card is in one of three seats, and each seat gets ten cards: 2 × 29 degrees of freedom.
    assert!(
        spread < 58.0 + 4.75 * (2.0 * 58.0_f64).sqrt() + 15.0,
        "{spread}"
    );
}
