//! What holds for every table, every deal and every move.

use croupier_core::{Game, RandomPlayer, Seat, Seed, play};
use croupier_games::friday13::{
    Card, Friday13, Move, Placing, Setup, Strategy as Style, Terms, View, report,
};
use proptest::prelude::*;

use super::legal;

pub(super) fn setups() -> impl Strategy<Value = Setup> {
    let values = prop::collection::vec(0u16..12, 0..9);
    (
        2usize..7,
        1usize..9,
        0usize..9,
        0u16..9,
        values,
        1u32..25,
        1u32..4,
    )
        .prop_filter_map(
            "more players than cards",
            |(players, colours, greens, green_value, values, threshold, rounds)| {
                Setup::try_from(Terms {
                    players,
                    colours,
                    greens,
                    green_value,
                    values,
                    threshold,
                    rounds,
                })
                .ok()
            },
        )
}

proptest! {
    #[test]
    fn at_every_step_the_state_is_one_of_this_game(setup in setups(), seed: u64) {
        let mut game = Friday13::deal(&setup, Seed(seed));
        let mut rng = Seed(seed).player(Seat(0)).rng();
        let mut moves = 0;
        while let Some(choice) = game.random_move(&mut rng) {
            let state = game.state();
            prop_assert_eq!(state.check(&setup), Ok(()));
            prop_assert_eq!(state.check_one_pile_a_colour(), Ok(()));
            prop_assert_eq!(report::faults(&state, setup.threshold), "Current state of the game is ok\n");
            let again = Friday13::from_state(&setup, &state, Seed(0)).unwrap();
            prop_assert_eq!(again.state(), state);
            prop_assert_eq!(legal(&again), legal(&game));
            game.play(choice).unwrap();
            moves += 1;
        }
        prop_assert_eq!(moves, setup.cards() * setup.rounds as usize);
        let last = game.state();
        prop_assert!(last.is_final());
        prop_assert_eq!(last.check(&setup), Ok(()));
    }

    #[test]
    fn what_is_listed_is_what_is_allowed(setup in setups(), seed: u64) {
        let mut game = Friday13::deal(&setup, Seed(seed));
        let mut rng = Seed(seed).player(Seat(0)).rng();
        while let Some(choice) = game.random_move(&mut rng) {
            let listed = legal(&game);
            let mut allowed: Vec<String> = Vec::new();
            for card in setup.deck() {
                for pile in 0..=setup.colours as u32 {
                    let choice = Move { card, pile };
                    let mut after = game.clone();
                    match after.play(choice) {
                        Ok(()) => allowed.push(choice.to_string()),
                        Err(_) => prop_assert_eq!(&after, &game, "a refused move changes nothing"),
                    }
                }
            }
            allowed.sort();
            allowed.dedup();
            prop_assert_eq!(&allowed, &listed);
            let moves = game.state().moves(Placing::Strict);
            let mut written: Vec<String> = moves.iter().map(ToString::to_string).collect();
            written.sort();
            prop_assert_eq!(&written, &listed, "the same from the state file");
            prop_assert!(listed.contains(&choice.to_string()));
            game.play(choice).unwrap();
        }
    }

    /// The others' hidden cards can be exchanged and dealt out anew: the view stays the same.
    #[test]
    fn a_view_does_not_change_with_the_hidden_cards(setup in setups(), seed: u64, depth in 0usize..40) {
        let mut game = Friday13::deal(&setup, Seed(seed));
        let mut rng = Seed(seed).player(Seat(0)).rng();
        for _ in 0..depth.min(setup.cards() - 1) {
            game.play(game.random_move(&mut rng).unwrap()).unwrap();
        }
        let state = game.state();
        let game = Friday13::from_state(&setup, &state, Seed(1)).unwrap();
        let mut other = state.clone();
        let hidden = |chair: &usize| *chair != state.active;
        let chairs = || (0..setup.players).filter(hidden);
        let mut cards: Vec<Card> = chairs().flat_map(|chair| state.hands[chair].clone()).collect();
        rng.shuffle(&mut cards);
        for chair in chairs() {
            for place in &mut other.hands[chair] {
                *place = cards.pop().unwrap();
            }
        }
        let other = Friday13::from_state(&setup, &other, Seed(2)).unwrap();
        let seat = game.to_move().unwrap();
        prop_assert_eq!(game.view(seat), other.view(seat));
        prop_assert_eq!(legal(&game), legal(&other));
        let setup = &game.view(seat).setup;
        prop_assert_eq!(game.view(seat), View::of(&state, setup, state.active, 1, vec![0; setup.players]));
    }

    #[test]
    fn strategies_make_legal_moves(setup in setups(), seed: u64) {
        let mut rng = Seed(seed).rng();
        for (name, strategy) in Style::ALL {
            let mut game = Friday13::deal(&setup, Seed(seed));
            while let Some(seat) = game.to_move() {
                let choice = strategy.choose(&game.view(seat), &mut rng).unwrap();
                prop_assert_eq!(game.play(choice), Ok(()), "{}", name);
            }
        }
    }

    #[test]
    fn a_printed_move_reads_back_as_itself(seed: u64, setup in setups()) {
        let game = Friday13::deal(&setup, Seed(seed));
        let choice = game.random_move(&mut Seed(seed).rng()).unwrap();
        prop_assert_eq!(choice.to_string().parse::<Move>().unwrap(), choice);
    }

    #[test]
    fn no_text_breaks_the_reader_of_moves(text in ".*") {
        let _ = text.parse::<Move>();
    }
}
/// A table of this size, with values as different as they can be.
fn large(players: usize, cards: usize) -> Setup {
    let values = (0..cards / 6).map(|place| (place % 999 + 1) as u16);
    Setup::try_from(Terms {
        players,
        colours: 6,
        greens: cards % 6,
        values: values.collect(),
        threshold: 2000,
        rounds: 1,
        ..Terms::default()
    })
    .unwrap()
}

#[test]
fn twenty_players_play_ten_thousand_cards() {
    let setup = large(20, 10_000);
    assert_eq!(setup.cards(), 10_000);
    let mut players: Vec<_> = (0..20).map(|_| RandomPlayer::default()).collect();
    let outcome = play::<Friday13, _, _>(&setup, Seed(2), &mut players, &mut ()).unwrap();
    assert!(outcome.scores.iter().sum::<i64>() > 1000);
}
