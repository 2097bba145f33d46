//! Games as numbers: the laws of every encoding.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::collections::BTreeMap;

use croupier_core::{Encoded, Offered, Options, Sample, Seat, Seed};
use croupier_games::austerity::Austerity;
use croupier_games::friday13::Friday13;
use croupier_games::intensity::Intensity;
use croupier_games::uno::Uno;
use proptest::prelude::*;

/// How many turns of a game are looked at.
const TURNS: usize = 120;

fn options(options: &[(&str, &str)]) -> Options {
    let options = options.iter();
    options
        .map(|&(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// Plays a game at random and shows every moment of it, the end too.
fn each_moment<G: Offered>(setup: &G::Setup, seed: Seed, mut see: impl FnMut(&G)) {
    let mut game = G::deal(setup, seed);
    let mut rng = seed.player(Seat(0)).rng();
    for _ in 0..TURNS {
        see(&game);
        let Some(choice) = game.random_move(&mut rng) else {
            return;
        };
        game.play(choice).unwrap();
    }
}

fn observed<G: Encoded>(game: &G, seat: Seat, numbers: usize) -> Vec<f32> {
    let mut observation = vec![0.0; numbers];
    game.observe(seat, &mut observation);
    observation
}

/// Legal moves and actions that the mask allows are the same, one to one.
fn moves_are_actions<G: Encoded>(game: &G, actions: usize) {
    let mut mask = vec![0; actions];
    game.mask(&mut mask);
    let mut moves = BTreeMap::new();
    for choice in game.legal_moves() {
        let action = game.action(choice).expect("a legal move is an action");
        assert!(action < actions);
        assert_eq!(game.choice(action), Some(choice));
        assert_eq!(
            moves.insert(action, choice),
            None,
            "two moves are one action"
        );
    }
    for (action, allowed) in mask.into_iter().enumerate() {
        assert_eq!(allowed, i8::from(moves.contains_key(&action)), "{action}");
        let legal = game
            .choice(action)
            .is_some_and(|choice| game.clone().play(choice).is_ok());
        assert_eq!(legal, allowed == 1, "action {action}");
    }
    for beyond in [actions, actions + 1, usize::MAX] {
        let choice = game.choice(beyond);
        assert!(choice.is_none_or(|choice| game.clone().play(choice).is_err()));
    }
}

/// Whoever sees the same observes the same, whatever cards are hidden.
fn nothing_hidden_is_observed<G: Encoded + Sample>(game: &G, numbers: usize, seed: Seed) -> usize {
    let mut compared = 0;
    if game.to_move().is_none() {
        return compared;
    }
    let mut rng = seed.rng();
    for seat in Seat::all(game.seats()) {
        let view = game.view(seat);
        let observation = observed(game, seat, numbers);
        let other = G::sample(&view, &mut rng);
        for same in Seat::all(other.seats()).filter(|&same| other.view(same) == view) {
            assert_eq!(observed(&other, same, numbers), observation, "{view:?}");
            compared += 1;
        }
    }
    compared
}

fn laws<G: Offered + Encoded + Sample>(given: &[(&str, &str)], seed: Seed) {
    let setup = G::setup(&options(given)).unwrap();
    let shape = G::shape(&setup).unwrap();
    assert!(
        shape
            .fields
            .iter()
            .all(|field| field.length > 0 && !field.about.is_empty())
    );
    let mut compared = 0;
    each_moment::<G>(&setup, seed, |game| {
        moves_are_actions(game, shape.actions);
        compared += nothing_hidden_is_observed(game, shape.numbers(), seed);
    });
    assert!(compared > 10, "only {compared} views were compared");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn uno(seed: u64) {
        laws::<Uno>(&[], Seed(seed));
    }

    #[test]
    fn intensity(seed: u64) {
        laws::<Intensity>(&[], Seed(seed));
    }

    #[test]
    fn austerity(seed: u64, players in 2usize..6) {
        laws::<Austerity>(&[("players", &players.to_string())], Seed(seed));
    }

    #[test]
    fn friday13(seed: u64, players in 2usize..6, colours in 1usize..5) {
        let (players, colours) = (players.to_string(), colours.to_string());
        laws::<Friday13>(&[("players", &players), ("colours", &colours)], Seed(seed));
    }
}

/// What is observed tells situations apart that a player would tell apart.
#[test]
fn what_is_played_is_observed() {
    fn changes<G: Offered + Encoded>() {
        let setup = G::setup(&Options::new()).unwrap();
        let numbers = G::shape(&setup).unwrap().numbers();
        let mut before = Vec::new();
        each_moment::<G>(&setup, Seed(3), |game| {
            let now: Vec<_> = Seat::all(game.seats())
                .map(|seat| observed(game, seat, numbers))
                .collect();
            assert_ne!(now, before);
            before = now;
        });
    }
    changes::<Uno>();
    changes::<Austerity>();
    changes::<Friday13>();
}

#[test]
fn a_table_that_would_take_too_many_numbers_is_refused() {
    let setup = Friday13::setup(&options(&[("colours", "400")])).unwrap();
    let refused = Friday13::shape(&setup).unwrap_err();
    insta::assert_snapshot!(
        refused,
        @"a table like this takes 800400 actions, and the most that can be encoded is 65536"
    );
}

/// What every number means is on the game's page, for the version that it has.
#[test]
fn every_number_is_on_the_page_of_the_game() {
    fn is_documented<G: Offered + Encoded>(page: &str) {
        let setup = G::setup(&Options::new()).unwrap();
        let shape = G::shape(&setup).unwrap();
        let head = format!(
            "Version {} has {} actions and {} numbers",
            G::ENCODING,
            shape.actions,
            shape.numbers()
        );
        assert!(page.contains(&head), "{}: {head}", G::NAME);
        for field in &shape.fields {
            let line = format!("| `{}` | {} | {} |", field.name, field.length, field.about);
            assert!(page.contains(&line), "{}: {line}", G::NAME);
        }
    }
    is_documented::<Uno>(include_str!("../../../docs/games/uno.md"));
    is_documented::<Intensity>(include_str!("../../../docs/games/intensity.md"));
    is_documented::<Friday13>(include_str!("../../../docs/games/friday13.md"));
    is_documented::<Austerity>(include_str!("../../../docs/games/austerity.md"));
}
