//! What the built-in players do, and how well.

use croupier_core::{Game, Options, Seed};
use croupier_games::GAMES;
use croupier_games::friday13::{Friday13, Setup, State, Strategy as Style, View};

use super::{legal, small, state};

/// What `player` does in a state of [`small`], whose cards need not be complete.
fn choice(strategy: Style, state: &State) -> String {
    let view = View::of(state, &small(), state.active, 1, vec![0, 0]);
    let chosen = strategy.choose(&view, &mut Seed(1).rng());
    chosen.map_or("pass".to_owned(), |chosen| chosen.to_string())
}

#[test]
fn smallest_lays_the_lowest_card_on_the_lowest_pile() {
    let smallest =
        |hand, piles: &[&str]| choice(Style::Smallest, &state(1, &[(hand, ""), ("", "")], piles));
    assert_eq!(
        smallest("7 red 2 blue 4 green", &["4 red", ""]),
        "2 blue on 2"
    );
    assert_eq!(
        smallest("2 red 2 blue 7 blue", &["", ""]),
        "2 red on 1",
        "place in hand, then pile"
    );
    assert_eq!(smallest("2 blue 2 red", &["", ""]), "2 blue on 1");
    assert_eq!(
        smallest("1 green 7 red", &["4 red", "2 blue"]),
        "1 green on 2",
        "lowest sum"
    );
    assert_eq!(
        smallest("1 green 7 red", &["2 red", "2 blue"]),
        "1 green on 1",
        "then lowest number"
    );
    assert_eq!(
        smallest("1 red 2 green", &["7 red 4 red 2 red", ""]),
        "1 red on 1",
        "even where it explodes and another would not"
    );
    assert_eq!(smallest("", &["", ""]), "pass");
}

#[test]
fn drop_biggest_gets_rid_of_a_big_card_when_every_move_explodes() {
    let drop = |hand, piles: &[&str]| {
        choice(
            Style::DropBiggest,
            &state(1, &[(hand, ""), ("", "")], piles),
        )
    };
    assert_eq!(
        drop("2 red 4 green 7 red", &["7 red 5 red", "7 blue 5 blue"]),
        "7 red on 1"
    );
    assert_eq!(
        drop("2 red 7 blue 7 red", &["7 red 5 red", "7 blue 6 blue"]),
        "7 blue on 2",
        "place in hand before sums"
    );
    assert_eq!(
        drop("7 green 2 red", &["7 red 5 red", "7 blue 4 blue"]),
        "7 green on 2",
        "least filled"
    );
    assert_eq!(
        drop("7 green 2 red", &["7 red 5 red", "7 blue 5 blue"]),
        "7 green on 1"
    );
    assert_eq!(
        drop("1 red 7 red", &["7 red 5 red", ""]),
        "1 red on 1",
        "one move is safe: as smallest"
    );
    assert_eq!(
        drop("1 red 2 green", &["7 red 4 red 2 red", ""]),
        "1 red on 1",
        "as smallest does, when another card would be safe"
    );
}

#[test]
fn optimal_lays_the_biggest_card_that_does_not_explode() {
    let optimal =
        |hand, piles: &[&str]| choice(Style::Optimal, &state(1, &[(hand, ""), ("", "")], piles));
    assert_eq!(
        optimal("1 red 7 red 4 blue", &["7 red", "7 blue 2 blue"]),
        "4 blue on 2"
    );
    assert_eq!(
        optimal("1 red 6 red 4 blue", &["7 red", "7 blue 2 blue"]),
        "6 red on 1",
        "13 is safe"
    );
    assert_eq!(
        optimal("4 green 4 red", &["7 red", "2 blue"]),
        "4 green on 2",
        "first in hand, lowest sum"
    );
    assert_eq!(optimal("4 red 4 green", &["7 red", "2 blue"]), "4 red on 1");
    assert_eq!(optimal("4 green", &["2 red", "2 blue"]), "4 green on 1");
    assert_eq!(
        optimal("2 red 4 green 7 red", &["7 red 5 red", "7 blue 5 blue"]),
        "7 red on 1",
        "as drop-biggest"
    );
}

#[test]
fn majority_explodes_for_the_most_cards_of_one_colour() {
    let majority = |hand, deck, piles: &[&str]| {
        choice(Style::Majority, &state(1, &[(hand, deck), ("", "")], piles))
    };
    let full = ["7 red 6 red", "7 blue 4 blue 2 blue"];
    assert_eq!(
        majority("7 red 1 blue", "", &full),
        "1 blue on 2",
        "four blues, not three reds"
    );
    assert_eq!(
        majority("7 red 1 blue", "1 red 1 red 4 green 4 green", &full),
        "7 red on 1",
        "five reds"
    );
    assert_eq!(
        majority("1 blue 7 red", "1 red", &full),
        "7 red on 1",
        "four each: the biggest card"
    );
    assert_eq!(
        majority("7 blue 7 red", "1 red", &full),
        "7 blue on 2",
        "then the first in hand"
    );
    assert_eq!(
        majority("4 green", "", &full),
        "4 green on 2",
        "three blues"
    );
    assert_eq!(
        majority("4 green", "1 red", &full),
        "4 green on 1",
        "three each: equal sums, lowest number"
    );
    assert_eq!(
        majority("4 green", "1 red", &["7 red 6 red", "7 blue 4 blue 1 blue"]),
        "4 green on 2",
        "three each: lowest sum"
    );
    assert_eq!(
        majority(
            "1 blue 7 red",
            "9 violet 9 violet 9 violet 9 violet 9 violet",
            &full
        ),
        "7 red on 1",
        "five violets either way"
    );
    assert_eq!(
        majority("1 blue 4 green", "", &["7 red 6 red", "7 blue"]),
        "4 green on 2",
        "as optimal"
    );
}

#[test]
fn random_chooses_every_legal_move_equally_often() {
    let state = state(
        1,
        &[("1 blue 1 blue 2 red 4 green", ""), ("", "")],
        &["4 green", "2 blue"],
    );
    let view = View::of(&state, &small(), 0, 1, vec![0, 0]);
    let mut rng = Seed(4).rng();
    let mut found = std::collections::BTreeMap::<String, u32>::new();
    for _ in 0..4000 {
        let chosen = Style::Random.choose(&view, &mut rng).unwrap();
        *found.entry(chosen.to_string()).or_default() += 1;
    }
    let expected = ["1 blue on 2", "2 red on 1", "4 green on 1", "4 green on 2"];
    assert!(found.keys().eq(expected.iter()));
    // Five standard deviations of a binomial: a fair choice fails with probability 3 · 10^-6.
    assert!(found.values().all(|&n| n.abs_diff(1000) < 137), "{found:?}");
}

/// The same for the kernel's way to draw a move, which never lists them.
#[test]
fn a_random_move_is_any_legal_one_equally_often() {
    let mut game = Friday13::deal(&Setup::default(), Seed(77));
    let mut rng = Seed(5).rng();
    for _ in 0..20 {
        let moves = legal(&game);
        let mut found = std::collections::BTreeMap::<String, u32>::new();
        let tries = 500 * moves.len() as u32;
        for _ in 0..tries {
            let chosen = game.random_move(&mut rng).unwrap();
            *found.entry(chosen.to_string()).or_default() += 1;
        }
        assert!(found.keys().eq(moves.iter()));
        // Six standard deviations: about 300 comparisons, together below 10^-6.
        assert!(found.values().all(|&n| n.abs_diff(500) < 135), "{found:?}");
        game.play(game.random_move(&mut rng).unwrap()).unwrap();
    }
}

/// One player with a strategy against three with another, every deal in every seat: its mean points
/// for the finishing place, and the standard error of that mean. Equal players have 1.5.
fn points(name: &str, others: &str, deals: u32) -> (f64, f64) {
    let entry = GAMES.find("friday13").unwrap();
    let setup = entry.setup(&Options::new()).unwrap();
    let mut tables: Vec<_> = (0..4)
        .map(|seat| {
            let mut players = [others; 4];
            players[seat] = name;
            entry.table(&setup, &players).unwrap()
        })
        .collect();
    let means: Vec<f64> = (0..deals)
        .map(|deal| {
            let of_seat = |(seat, table): (usize, &mut Box<_>)| {
                let table: &mut Box<dyn croupier_core::HouseTable> = table;
                table.play(Seed(1313).deal(deal.into())).0.points()[seat]
            };
            tables.iter_mut().enumerate().map(of_seat).sum::<f64>() / 4.0
        })
        .collect();
    let deals = f64::from(deals);
    let mean = means.iter().sum::<f64>() / deals;
    let variance = means.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (deals - 1.0);
    (mean, (variance / deals).sqrt())
}

/// The seats of equal players are exchanged over the same deals, so they share exactly.
#[test]
fn a_strategy_is_as_good_as_itself() {
    assert_eq!(points("optimal", "optimal", 20), (1.5, 0.0));
}

/// The effectiveness test of the handout, over 300 deals with each seat in turn. Five standard
/// errors: if the two were equal, a comparison would pass with a probability below 3 · 10^-7.
#[test]
fn each_strategy_beats_the_one_that_it_improves() {
    for (better, worse) in [
        ("smallest", "random"),
        ("drop-biggest", "smallest"),
        ("optimal", "random"),
        ("optimal", "drop-biggest"),
    ] {
        let (mean, error) = points(better, worse, 300);
        let low = mean - 5.0 * error;
        assert!(low > 1.5, "{better} against {worse}: {mean} ± {error}");
    }
    let (mean, error) = points("optimal", "random", 300);
    assert!(mean > 2.9 && error < 0.01, "next to always first: {mean}");
}

/// The choice of explosions matters little, so this needs more deals; four standard errors, which
/// equal strategies exceed with a probability of 3 · 10^-5.
#[test]
fn majority_is_a_little_better_than_optimal() {
    let (mean, error) = points("majority", "optimal", 1500);
    assert!(mean - 4.0 * error > 1.5 && mean < 1.7, "{mean} ± {error}");
}
