//! The expert of Austerity: known positions, endings that are solved, what it may not know, and how
//! strong it is.

use croupier_core::{Game, Player, Sample, Seat, Seed, built_in, play};
use croupier_games::austerity::{Austerity, Setup};
use proptest::prelude::*;

use super::exhaustive::{choice, plays_perfectly, thoughts, value_after};
use super::laws::any_table;
use super::{deck, legal};

/// A game of two with all cards in the market, stopped after so many turns, after these moves. Just
/// these moves win, as trying everything shows, and the expert makes one of them.
#[track_caller]
fn only(winning: &[&str], cards: &[&str], points: i64, turns: u64, moves: &[&str]) {
    let setup = Setup::new(2, 7, points, Some(deck(cards)), Some(turns)).unwrap();
    let mut game = Austerity::deal(&setup, Seed(0));
    super::play(&mut game, moves);
    for text in legal(&game) {
        let value = value_after(&game, text.parse().unwrap());
        assert_eq!(
            value == 1.0,
            winning.contains(&text.as_str()),
            "{text}: {value}"
        );
    }
    let played = choice(&game, "expert:iterations=2000");
    assert!(winning.contains(&played.as_str()), "{played}");
}

#[test]
fn a_forced_win_the_card_that_reaches_the_target_is_bought() {
    let cards = ["P:2:1,1,0,0", "B:5:1,1,1,0", "R:1:0,0,0,0"];
    let moves = ["take PBY", "take PBY", "wild", "wild", "wild"];
    only(&["purchase 1"], &cards, 5, 8, &moves);
}

/// Both cards are worth the same, but only one of them is left to the other.
#[test]
fn the_card_that_the_other_could_buy_must_be_taken_away() {
    let cards = ["Y:3:0,0,0,2", "Y:3:1,1,0,0"];
    let moves = ["take PBR", "take PBY", "take PBR", "take PBY"];
    only(&["purchase 1"], &cards, 9, 6, &moves);
}

/// Whoever buys the small card now cannot pay for the big one in the next turn.
#[test]
fn tokens_for_the_big_card_must_be_kept() {
    let cards = ["B:5:3,0,0,0", "B:1:1,1,0,0", "B:3:0,0,2,2"];
    let moves = ["take PBY", "take BYR", "take PBR", "take BYR"];
    let saving = ["take PBY", "take PBR", "take PYR", "wild"];
    only(&saving, &cards, 9, 8, &moves);
}

#[test]
fn the_expert_plays_perfectly_when_the_deck_is_empty_and_the_end_is_near() {
    let mut rng = Seed(6).rng();
    let mut card = || {
        let colour = ["P", "B", "Y", "R"][rng.below(4)];
        let mut number = || rng.below(3);
        let price = [number(), number(), number(), number()];
        let [p, b, y, r] = price;
        let points = (p + b + y + r).div_ceil(2);
        format!("{colour}:{points}:{p},{b},{y},{r}")
    };
    let endings = (0..60).map(|seed| {
        let cards: Vec<String> = (0..5).map(|_| card()).collect();
        let cards: Vec<&str> = cards.iter().map(String::as_str).collect();
        let setup = Setup::new(2, 3, 5, Some(deck(&cards)), Some(10)).unwrap();
        let mut game = Austerity::deal(&setup, Seed(0));
        let mut rng = Seed(seed).rng();
        for _ in 0..5 {
            let mut moves = Vec::new();
            game.legal(&mut moves);
            // Tokens are saved up, so that there is something to buy in the end.
            let choice = moves[moves.len() - 1 - rng.below(moves.len().min(3))];
            game.play(choice).unwrap();
        }
        game
    });
    let decided = plays_perfectly(endings, "expert:iterations=6000");
    assert!(decided >= 10, "{decided}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// Another game that looks the same to the seat to move is thought about in the same way.
    #[test]
    fn the_experts_choice_does_not_change_with_the_rest_of_the_deck(
        (setup, seed) in any_table(),
        turns in 0usize..60,
    ) {
        let mut game = Austerity::deal(&setup, seed);
        let mut rng = seed.player(Seat(0)).rng();
        for _ in 0..turns {
            let mut after = game.clone();
            if let Some(choice) = game.random_move(&mut rng) {
                after.play(choice).unwrap();
            }
            if after.to_move().is_some() {
                game = after;
            }
        }
        prop_assume!(game.to_move().is_some());
        let other = Austerity::sample(&game.view(game.to_move().unwrap()), &mut rng);
        let spec = "expert:iterations=60";
        prop_assert_eq!(thoughts(&game, spec, Seed(3)), thoughts(&other, spec, Seed(3)));
    }
}

#[test]
fn the_same_seed_gives_the_same_thoughts_with_any_number_of_threads() {
    let setup = Setup::new(3, 7, 15, None, None).unwrap();
    let game = Austerity::deal(&setup, Seed(8));
    let think = |threads: usize, seed: u64| {
        let spec = format!("expert:iterations=5000:threads={threads}");
        thoughts(&game, &spec, Seed(seed))
    };
    assert_eq!(think(1, 4), think(3, 4));
    assert_ne!(think(1, 4), think(1, 5));
}

/// With cards that nobody can ever pay for, and no limit on turns, a game would not end.
#[test]
fn a_game_without_an_end_is_thought_about_too() {
    let cards = ["R:1:2000000000,0,0,0"];
    let setup = Setup::new(26, 7, 15, Some(deck(&cards)), None).unwrap();
    let game = Austerity::deal(&setup, Seed(0));
    let thoughts = thoughts(&game, "expert:iterations=20", Seed(1));
    assert!(thoughts[0].visits > 0);
}

/// The mean points for places over some deals, each played with the expert in every seat and `other`
/// in all others, and its standard error.
fn duel(other: &str, deals: u64) -> (f64, f64) {
    let setup = Setup::new(3, 7, 15, None, Some(10_000)).unwrap();
    let mut blocks = Vec::new();
    for deal in 0..deals {
        let points = (0..3).map(|seat| {
            let spec = |place| match place == seat {
                true => "expert:iterations=100",
                false => other,
            };
            let players = (0..3).map(|place| built_in::<Austerity>(spec(place)).unwrap());
            let mut players: Vec<Box<dyn Player<Austerity>>> = players.collect();
            let outcome = play::<Austerity, _, _>(&setup, Seed(deal), &mut players, &mut ());
            outcome.unwrap().points()[seat]
        });
        blocks.push(points.sum::<f64>() / 3.0);
    }
    let mean = blocks.iter().sum::<f64>() / deals as f64;
    let squares: f64 = blocks.iter().map(|block| (block - mean).powi(2)).sum();
    (mean, (squares / (deals * (deals - 1)) as f64).sqrt())
}

/// Half of the points would be 1. A player who is no better comes out so far above it with a
/// probability below 10^-5 (4.75 standard errors, normal approximation, and no error taken to be
/// smaller than 0.05); the seeds are fixed.
#[test]
fn the_expert_beats_shenzi_banzai_and_ed() {
    for other in ["shenzi", "banzai", "ed"] {
        let (mean, error) = duel(other, 10);
        assert!(
            mean - 4.75 * error.max(0.05) > 1.0,
            "{other}: {mean} ± {error}"
        );
    }
}
