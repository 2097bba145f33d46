//! The ceiling against a search without any pruning, and against what players reach.

use croupier_core::{Options, Seat, Seed};
use croupier_games::austerity::Austerity;
use croupier_games::friday13::Friday13;
use croupier_games::intensity::Intensity;
use croupier_games::uno::Uno;

use crate::clairvoyant::{Effort, Field, answer, ceiling};
use crate::rivals::Rivals;
use crate::{play, player};

/// Positions from which there are more moves than this to try, or longer lines, are left out.
const MOST_MOVES: u64 = 20_000;
const LONGEST: usize = 60;

/// A deal with the usual options, but for those given.
fn deal<G: Rivals>(seats: usize, given: &[(&str, &str)], seed: Seed) -> G {
    let mut options = Options::new();
    for option in G::PROFILE.options {
        if let Some(value) = option.default {
            options.insert(option.name.to_owned(), value.to_owned());
        }
    }
    if options.contains_key("players") {
        options.insert("players".to_owned(), seats.to_string());
    }
    for (name, value) in given {
        options.insert((*name).to_owned(), (*value).to_owned());
    }
    G::deal(&G::setup(&options).expect("these are good options"), seed)
}

/// These players in order after the seat.
fn field<G: Rivals>(names: &[&str], seat: Seat) -> Field<G> {
    let seats = names.len() + 1;
    let mut field: Field<G> = (0..seats).map(|_| None).collect();
    for (after, name) in names.iter().enumerate() {
        let rival = player(name).expect("there is such a player");
        field[(seat.index() + 1 + after) % seats] = Some(rival);
    }
    field
}

/// The most points of any line, found by trying them all; none if they are too many.
fn best_of_all<G: Rivals>(
    game: &G,
    seat: Seat,
    field: &mut Field<G>,
    moves_left: &mut u64,
    turns_left: usize,
) -> Option<f64> {
    if game.to_move().is_none() {
        return Some(game.outcome().points()[seat.index()]);
    }
    let mut moves = Vec::new();
    game.legal(&mut moves);
    let mut best = f64::NEG_INFINITY;
    for choice in moves {
        *moves_left = moves_left.checked_sub(1)?;
        let turns_left = turns_left.checked_sub(1)?;
        let mut after = game.clone();
        after.play(choice).expect("it is legal");
        answer(&mut after, seat, field);
        best = best.max(best_of_all(&after, seat, field, moves_left, turns_left)?);
    }
    Some(best)
}

/// The position so many own turns before the end of a game with the rollout policy.
fn late<G: Rivals>(deal: &G, seat: Seat, field: &mut Field<G>, turns: usize) -> G {
    let mut rng = Seed(3).rng();
    let mut game = deal.clone();
    let mut path = Vec::new();
    loop {
        answer(&mut game, seat, field);
        if game.to_move().is_none() {
            let place = path.len().saturating_sub(turns);
            return path.swap_remove(place);
        }
        path.push(game.clone());
        let choice = game.sensible(&mut rng).expect("it is its turn");
        game.play(choice).expect("it is legal");
    }
}

/// The ceiling must be what an exhaustive search finds. Says in how many positions it was compared, and
/// in how many of them the rollout policy misses it, so that there was something to find.
fn is_exact<G: Rivals>(names: &[&str], given: &[(&str, &str)], deals: u64) -> (usize, usize) {
    let (mut compared, mut missed) = (0, 0);
    for number in 0..deals {
        let seats = names.len() + 1;
        let seat = Seat::from(number as usize % seats);
        let mut field = field::<G>(names, seat);
        let deal = deal::<G>(seats, given, Seed(number));
        for turns in 2..=4 {
            let position = late(&deal, seat, &mut field, turns);
            let mut moves_left = MOST_MOVES;
            let best = best_of_all(&position, seat, &mut field, &mut moves_left, LONGEST);
            let Some(best) = best else {
                continue;
            };
            let found = |games, moves, field: &mut Field<G>| {
                ceiling(&position, seat, field, Effort { games, moves })
            };
            // The first game of the local search is the rollout policy; the rest is left to the
            // exhaustive search.
            let exact = found(1, u64::MAX, &mut field);
            assert_eq!(
                (exact.found, exact.at_most),
                (best, best),
                "deal {number}, {turns} turns before the end"
            );
            let sensible = found(1, 0, &mut field);
            assert!(sensible.found <= best && best <= sensible.at_most);
            let searched = found(200, 0, &mut field);
            assert!(searched.found <= best && best <= searched.at_most);
            compared += 1;
            missed += usize::from(sensible.found < best);
        }
    }
    (compared, missed)
}

#[test]
fn it_is_exact_at_the_end_of_a_game_of_uno() {
    let (compared, missed) = is_exact::<Uno>(&["careful", "first", "dear"], &[], 120);
    assert!(compared >= 60 && missed >= 10, "{compared}, {missed}");
}

#[test]
fn it_is_exact_at_the_end_of_a_match_of_friday_the_13th() {
    let (compared, missed) = is_exact::<Friday13>(&["majority", "smallest"], &[], 100);
    assert!(compared >= 15 && missed >= 3, "{compared}, {missed}");
}

#[test]
fn it_is_exact_at_the_end_of_a_game_of_austerity() {
    let (compared, missed) = is_exact::<Austerity>(&["ed", "planner"], &[("points", "6")], 20);
    assert!(compared >= 15 && missed >= 3, "{compared}, {missed}");
}

#[test]
fn it_is_exact_at_the_end_of_a_hand_of_intensity() {
    let (compared, missed) = is_exact::<Intensity>(&["careful", "ducker", "voider"], &[], 40);
    assert!(compared >= 60 && missed >= 3, "{compared}, {missed}");
}

/// No player may get more in a deal than the ceiling says.
fn nobody_is_above<G: Rivals>(names: &[&str], players: &[&str], deals: u64) {
    for number in 0..deals {
        let seats = names.len() + 1;
        let seat = Seat::from(number as usize % seats);
        let mut field = field::<G>(names, seat);
        let deal = deal::<G>(seats, &[], Seed(number));
        let effort = Effort {
            games: 20,
            moves: 200,
        };
        let top = ceiling(&deal, seat, &mut field, effort);
        assert!(top.found <= top.at_most);
        for name in players {
            let mut own = player::<G>(name).expect("there is such a player");
            own.start(seat, Seed(number).player(seat));
            let points = play(&deal, seat, &mut own, &mut field);
            assert!(points <= top.at_most, "{name} in deal {number}: {points}");
        }
    }
}

#[test]
fn no_player_is_above_it() {
    let quick = "expert:iterations=40";
    let players = ["careful", "naive", "random", "hasty", quick];
    nobody_is_above::<Uno>(&["careful", "first", "dear"], &players, 40);
    let players = ["majority", "optimal", "smallest", "random", quick];
    nobody_is_above::<Friday13>(&["majority", "smallest"], &players, 4);
    let players = ["ed", "shenzi", "planner", "random", quick];
    nobody_is_above::<Austerity>(&["ed", "planner"], &players, 6);
    let players = ["careful", "random", "ducker", quick];
    nobody_is_above::<Intensity>(&["careful", "ducker", "voider"], &players, 20);
}
