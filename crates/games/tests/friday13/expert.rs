//! The expert of Friday the 13th: known positions, endings that are solved, what it may not know,
//! and how strong it is.

use croupier_core::{Game, Player, Sample, Seat, Seed, Turn, built_in, play};
use croupier_games::friday13::{Friday13, Move, Setup, Terms};
use proptest::prelude::*;

use super::exhaustive::{choice, plays_perfectly, thoughts, value_after};
use super::laws::setups;
use super::{legal, midgame, small, state};

/// In the small game, player 1 to move: the one move that wins, as trying everything shows.
#[track_caller]
fn only(best: &str, hands: [&str; 2], piles: [&str; 2]) {
    let state = state(1, &hands.map(|hand| (hand, "")), &piles);
    let game = Friday13::from_state(&small(), &state, Seed(0)).unwrap();
    for text in legal(&game) {
        let value = value_after(&game, text.parse().unwrap());
        assert_eq!(value, f64::from(text == best), "{text}");
    }
    assert_eq!(choice(&game, "expert:iterations=2000"), best);
}

#[test]
fn a_forced_win_the_pile_is_filled_under_all_cards_of_the_other() {
    only(
        "2 red on 2",
        ["2 blue 2 red 4 blue", "7 red 4 green 7 blue"],
        ["1 blue", "4 green 1 red 4 red"],
    );
}

#[test]
fn the_big_card_that_is_safe_must_be_kept() {
    only(
        "2 red on 1",
        ["4 blue 2 red 1 red", "2 blue 4 red 7 red"],
        ["4 green 4 green", "7 blue 1 blue"],
    );
}

#[test]
fn poison_goes_where_the_other_must_lay_his_cards() {
    only(
        "4 green on 1",
        ["4 green 1 blue 4 green", "2 red 7 red 4 blue"],
        ["4 red 1 red", "7 blue 2 blue"],
    );
    only(
        "4 green on 2",
        ["4 green 4 green 4 blue", "1 red 2 blue 7 red"],
        ["1 blue 7 blue", "2 red 4 red"],
    );
}

#[test]
fn the_expert_plays_perfectly_when_two_are_left_and_nothing_is_hidden() {
    let endings = (0..100).map(|seed| {
        let (setup, state) = midgame(2, seed, 44);
        Friday13::from_state(&setup, &state, Seed(0)).unwrap()
    });
    let decided = plays_perfectly(endings, "expert:iterations=4000");
    assert!(decided >= 10, "{decided}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Another game that looks the same to the seat to move is thought about in the same way.
    #[test]
    fn the_experts_choice_does_not_change_with_the_hidden_cards(setup in setups(), seed: u64, moves in 0usize..60) {
        let mut game = Friday13::deal(&setup, Seed(seed));
        let mut rng = Seed(seed).player(Seat(0)).rng();
        for _ in 0..moves % (setup.cards() * setup.rounds as usize) {
            game.play(game.random_move(&mut rng).unwrap()).unwrap();
        }
        let other = Friday13::sample(&game.view(game.to_move().unwrap()), &mut rng);
        let spec = "expert:iterations=60";
        prop_assert_eq!(thoughts(&game, spec, Seed(3)), thoughts(&other, spec, Seed(3)));
    }
}

#[test]
fn the_same_seed_gives_the_same_thoughts_with_any_number_of_threads() {
    let game = Friday13::deal(&Setup::default(), Seed(8));
    let think = |threads: usize, seed: u64| {
        let spec = format!("expert:iterations=5000:threads={threads}");
        thoughts(&game, &spec, Seed(seed))
    };
    assert_eq!(think(1, 4), think(3, 4));
    assert_ne!(think(1, 4), think(1, 5));
}

#[test]
fn a_huge_game_is_thought_about_too() {
    let setup = Setup::try_from(Terms {
        players: 20,
        colours: 999,
        greens: 10,
        values: (1..=10).collect(),
        ..Terms::default()
    })
    .unwrap();
    let game = Friday13::deal(&setup, Seed(1));
    let thoughts = thoughts(&game, "expert:time=1ms", Seed(1));
    assert!(thoughts[0].visits > 0);
}

/// The mean points for places over some deals, each played with `one` in every seat and `other` in
/// all others, and its standard error.
fn duel(one: &str, other: &str, deals: u64) -> (f64, f64) {
    let setup = Setup::default();
    let mut blocks = Vec::new();
    for deal in 0..deals {
        let points = (0..setup.players).map(|seat| {
            let spec = |place| if place == seat { one } else { other };
            let players =
                (0..setup.players).map(|place| built_in::<Friday13>(spec(place)).unwrap());
            let mut players: Vec<Box<dyn Player<Friday13>>> = players.collect();
            let outcome = play::<Friday13, _, _>(&setup, Seed(deal), &mut players, &mut ());
            outcome.unwrap().points()[seat]
        });
        blocks.push(points.sum::<f64>() / setup.players as f64);
    }
    let mean = blocks.iter().sum::<f64>() / deals as f64;
    let squares: f64 = blocks.iter().map(|block| (block - mean).powi(2)).sum();
    (mean, (squares / (deals * (deals - 1)) as f64).sqrt())
}

/// Half of the points would be 1.5. A player who is no better comes out so far above it with a
/// probability below 10^-5 (4.75 standard errors, normal approximation); the seeds are fixed.
#[test]
fn the_expert_beats_majority() {
    let (mean, error) = duel("expert:iterations=300", "majority", 20);
    assert!(mean - 4.75 * error > 1.5, "{mean} ± {error}");
}

/// With all piles empty it does not matter on which one a card is laid. The expert tries one of them,
/// and is asked about another here.
#[test]
fn moves_that_are_alike_are_judged_alike() {
    let setup = Setup::try_from(Terms::default()).unwrap();
    for seed in 0..10 {
        let game = Friday13::deal(&setup, Seed(seed));
        let turn = Turn::of(&game).unwrap();
        let mut expert = built_in::<Friday13>("expert:iterations=400").unwrap();
        expert.start(turn.seat(), Seed(seed));
        let best = expert.decide(&turn).unwrap();
        let alike = Move {
            pile: best.pile + 1,
            ..best
        };
        let thoughts = expert.judge(&turn, &[alike]);
        let [one, other] = &thoughts[..] else {
            panic!("{thoughts:?}");
        };
        assert_eq!((one.visits, other.visits), (200, 200));
        let apart = one.estimate - other.estimate;
        assert!(apart < 2.0 * one.error.hypot(other.error), "{thoughts:?}");
    }
}
