//! Endings: what the expert solves, against exhaustive search over all policies.

use croupier_core::{Game, Seat, Seed};
use croupier_games::intensity::{Intensity, Move, SEATS, Setup, Strategy, Unseen, View};
use croupier_search::{Ending, Searched, Thinking, search};

/// Views of the last three rounds, after careful and random players, with their seats.
fn last_views() -> impl Iterator<Item = (View, Seat)> {
    (0..1500).map(|seed| {
        let mut game = Intensity::deal(&Setup {}, Seed(seed));
        let mut rng = Seed(seed).rng();
        let player = match seed % 3 {
            0 => Strategy::Random,
            _ => Strategy::Careful,
        };
        // Four seats pass cards on; twelve to five cards are left.
        for _ in 0..SEATS + 28 + (seed % 8) as usize {
            let choice = player.choose(&game.view(game.to_move().unwrap()), &mut rng);
            game.play(choice).unwrap();
        }
        let seat = game.to_move().unwrap();
        (game.view(seat), seat)
    })
}

#[test]
fn every_way_in_which_the_cards_may_lie_is_considered_once() {
    let mut endings = 0;
    for (view, seat) in last_views() {
        let View::Playing(playing) = &view else {
            panic!("cards are being played")
        };
        let Some(ending) = Intensity::ending(&view) else {
            continue;
        };
        endings += 1;
        assert_eq!(ending.games.len() as u64, Unseen::of(playing).ways());
        for (at, (game, probability)) in ending.games.iter().enumerate() {
            assert_eq!(game.view(seat), view);
            assert!(*probability > 0.0, "{probability}");
            let before = &ending.games[..at];
            assert!(
                before
                    .iter()
                    .all(|(other, _)| other.hands() != game.hands())
            );
        }
    }
    assert!(endings > 300, "{endings}");
}

/// A policy of the viewer: a move for each of its information sets.
type Policy = Vec<(View, Vec<Move>, usize)>;

/// Adds the information sets that can be reached from here with any moves of the viewer.
fn reachable(
    ending: &Ending<'_, Intensity>,
    number: usize,
    game: &Intensity,
    policy: &mut Policy,
    viewer: Seat,
) {
    let Some(seat) = game.to_move() else { return };
    let mut moves = Vec::new();
    if seat == viewer {
        game.legal(&mut moves);
        let view = game.view(viewer);
        if policy.iter().all(|(seen, ..)| *seen != view) {
            policy.push((view, moves.clone(), 0));
        }
    } else {
        let mut likely = Vec::new();
        (ending.policy)(number, game, &mut likely);
        let sum: f64 = likely.iter().map(|(_, probability)| probability).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        moves.extend(likely.iter().map(|(choice, _)| *choice));
    }
    for choice in moves {
        let mut after = game.clone();
        after.play(choice).unwrap();
        reachable(ending, number, &after, policy, viewer);
    }
}

/// The expected points with a policy.
fn expected(
    ending: &Ending<'_, Intensity>,
    number: usize,
    game: &Intensity,
    policy: &Policy,
    viewer: Seat,
) -> f64 {
    let Some(seat) = game.to_move() else {
        return game.outcome().points()[viewer.index()];
    };
    let mut moves = Vec::new();
    if seat == viewer {
        let view = game.view(viewer);
        let (_, legal, chosen) = policy.iter().find(|(seen, ..)| *seen == view).unwrap();
        moves.push((legal[*chosen], 1.0));
    } else {
        (ending.policy)(number, game, &mut moves);
    }
    let expected = |&(choice, probability): &(Move, f64)| {
        let mut after = game.clone();
        after.play(choice).unwrap();
        probability * expected(ending, number, &after, policy, viewer)
    };
    moves.iter().map(expected).sum()
}

/// The next policy; none after the last. The first information set, in which the viewer is to move now,
/// changes last.
fn next(policy: &mut Policy) -> Option<()> {
    for (_, legal, chosen) in policy.iter_mut().rev() {
        *chosen += 1;
        if *chosen < legal.len() {
            return Some(());
        }
        *chosen = 0;
    }
    None
}

/// All policies are tried where there are not too many of them: a policy fixes what is done in each
/// information set, so none of them knows more than the viewer will see.
#[test]
fn what_it_solves_is_what_the_best_of_all_policies_gets() {
    let (mut solved, mut with_plans) = (0, 0);
    for (view, seat) in last_views() {
        let Some(ending) = Intensity::ending(&view) else {
            continue;
        };
        let mut policy = Policy::new();
        for (number, (game, _)) in ending.games.iter().enumerate() {
            reachable(&ending, number, game, &mut policy, seat);
        }
        let choices = policy.iter().map(|(_, legal, _)| legal.len());
        let policies = choices.fold(1, usize::saturating_mul);
        let first = policy[0].1.clone();
        if first.len() < 2 || policies.saturating_mul(ending.games.len()) > 600 {
            continue;
        }
        let all: f64 = ending
            .games
            .iter()
            .map(|(_, probability)| probability)
            .sum();
        let mut best = vec![f64::NEG_INFINITY; first.len()];
        loop {
            let games = ending.games.iter().enumerate();
            let points = games.map(|(number, (game, probability))| {
                probability / all * expected(&ending, number, game, &policy, seat)
            });
            let best = &mut best[policy[0].2];
            *best = best.max(points.sum());
            if next(&mut policy).is_none() {
                break;
            }
        }
        let thoughts = search::<Intensity>(&view, &Thinking::default(), Seed(1));
        assert_eq!(thoughts.len(), first.len());
        for thought in &thoughts {
            let place = first.iter().position(|&choice| choice == thought.choice);
            let exhaustive = best[place.unwrap()];
            assert!(
                (thought.estimate - exhaustive).abs() < 1e-9,
                "{thought:?}: {exhaustive}"
            );
            assert!(thought.estimate <= thoughts[0].estimate);
        }
        solved += 1;
        with_plans += u32::from(policies > first.len());
    }
    assert!(
        solved > 100 && with_plans > 10,
        "{solved}, {with_plans} with plans"
    );
}
