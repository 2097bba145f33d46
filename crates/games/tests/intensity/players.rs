//! The players that come with the game.

use croupier_core::{Game, Player, Seat, Seed, play};
use croupier_games::intensity::{Card, Intensity, Move, Playing, SEATS, Setup, Strategy, View};
use proptest::prelude::*;

use crate::{cards, list, random_game};

fn built_in(name: &str) -> Box<dyn Player<Intensity>> {
    croupier_core::built_in(name).unwrap()
}

/// The tournament points of the player in each seat by turns, against three random ones on the
/// same deals.
fn points_against_three_random_players(name: &str, deals: u64) -> Vec<f64> {
    let mut points = Vec::new();
    for seat in 0..SEATS {
        let names = (0..SEATS).map(|other| if other == seat { name } else { "random" });
        let mut players: Vec<_> = names.map(built_in).collect();
        for index in 0..deals {
            let seed = Seed(2026).deal(index);
            let outcome = play::<Intensity, _, _>(&Setup {}, seed, &mut players, &mut ()).unwrap();
            points.push(outcome.points()[seat]);
        }
    }
    points
}

/// An even share is 1.5 points a game. No game gives less than 0 or more than 3, so by Hoeffding's
/// inequality the mean of 8000 games (four seats on each of 2000 deals, the deals independent) is
/// more than 0.25 above the true one with a probability below 10^-12: a player whose true mean is
/// 2.2 or less fails this for all practical purposes.
#[test]
fn careful_is_far_better_than_random() {
    let points = points_against_three_random_players("careful", 2000);
    let mean = points.iter().sum::<f64>() / points.len() as f64;
    assert!(mean > 2.45, "{mean}");
}

/// A player who plays at random has an even share, up to five standard errors: this is exceeded by
/// chance with a probability below 10^-6.
#[test]
fn random_has_an_even_share() {
    let points = points_against_three_random_players("random", 2000);
    let mean = points.iter().sum::<f64>() / points.len() as f64;
    let error = 1.2 / (points.len() as f64).sqrt();
    assert!((mean - 1.5).abs() < 5.0 * error, "{mean}");
}

fn plays(hand: &[u8], played: &[u8], discarded: [u8; 3], received: [u8; 3]) -> u8 {
    // Whoever is to move after these cards sees them.
    let views = Seat::all(SEATS).filter_map(|seat| {
        let (discarded, received) = (cards(&discarded), cards(&received));
        Playing::new(seat, cards(hand), &list(played), discarded, received).ok()
    });
    let views: Vec<Playing> = views.collect();
    assert_eq!(views.len(), 1, "the situation makes sense for one seat");
    let choice = Strategy::Careful.choose(&View::Playing(views[0]), &mut Seed(0).rng());
    choice.card().map(Card::number).unwrap()
}

#[test]
fn careful_answers_the_handouts_example() {
    let hand = [11, 15, 18, 23, 33, 34, 47, 48, 49];
    let card = plays(&hand, &[16, 13, 19, 12, 24, 26], [37, 38, 39], [34, 47, 48]);
    assert_eq!(card, 23);
}

#[test]
fn careful_ducks_with_the_highest_card_that_ducks() {
    let hand = [10, 13, 16, 19, 21, 23, 25, 31, 41, 43];
    let card = plays(&hand, &[18, 15], [37, 38, 39], [10, 13, 16]);
    assert_eq!(card, 16);
}

#[test]
fn careful_takes_a_harmless_round_with_its_highest_card_when_it_plays_last() {
    let hand = [10, 13, 16, 19, 21, 23, 25, 31, 41, 43];
    let card = plays(&hand, &[11, 14, 12], [37, 38, 39], [10, 13, 16]);
    assert_eq!(card, 19);
}

#[test]
fn careful_sheds_the_buffalo_when_it_cannot_follow() {
    let hand = [21, 22, 25, 28, 29, 31, 39, 44, 47, 49];
    let card = plays(&hand, &[11, 14], [37, 38, 36], [21, 22, 25]);
    assert_eq!(card, 47);
}

#[test]
fn careful_plays_the_buffalo_under_a_higher_card() {
    let hand = [21, 22, 25, 28, 29, 31, 39, 44, 46, 47];
    let card = plays(&hand, &[49, 43], [37, 38, 36], [21, 22, 25]);
    assert_eq!(card, 47);
}

#[test]
fn careful_keeps_the_49_back_while_the_buffalo_may_come() {
    let hand = [21, 22, 25, 28, 29, 31, 39, 44, 46, 49];
    let card = plays(&hand, &[41], [37, 38, 36], [21, 22, 25]);
    assert_ne!(card, 49);
}

#[test]
fn careful_sheds_its_highest_calf_when_the_buffalo_is_no_danger() {
    let hand = [20, 21, 22, 23, 24, 33, 39, 40, 41, 42];
    let card = plays(&hand, &[11, 14], [37, 38, 36], [21, 22, 23]);
    assert_eq!(card, 39);
}

#[test]
fn careful_passes_the_buffalo_and_what_catches_it() {
    let hand = cards(&[11, 13, 15, 20, 22, 24, 31, 47, 48, 49]);
    let view = croupier_games::intensity::Discarding::new(hand).unwrap();
    let choice = Strategy::Careful.choose(&View::Discarding(view), &mut Seed(0).rng());
    assert_eq!(choice, "discard 47 48 49".parse::<Move>().unwrap());
}

proptest! {
    #[test]
    fn every_strategy_always_makes_a_legal_choice(seed: u64, decisions in 0usize..44) {
        let game = random_game(seed, decisions);
        let view = game.view(game.to_move().unwrap());
        for strategy in Strategy::ALL {
            let choice = strategy.hurried().choose(&view, &mut Seed(seed).rng());
            prop_assert_eq!(game.clone().play(choice), Ok(()), "{:?}: {}", strategy, choice);
        }
    }
}
