//! The built-in players, and the figures of games between them.

use croupier_core::{Game, Player, Seat, Seed, Stepper, play_on};
use croupier_games::GAMES;
use croupier_games::uno::{Cards, Careful, Naive, Position, SEATS, Setup, Uno};
use proptest::prelude::*;

use crate::positions::{any_game, casual, position, resume, row, without};

/// What the careful player plays from this hand, if the next player, the one opposite and the
/// last one have so many cards.
fn careful(mine: &str, left: [usize; 3], discards: &str) -> String {
    let mut rest = without(&[mine, discards]);
    let mut hands = [row(mine); SEATS];
    for (hand, size) in hands[1..].iter_mut().zip(left) {
        *hand = Cards::new(&rest.split_off(rest.len() - size)).unwrap();
    }
    let game = resume(&Position {
        hands,
        deck: Cards::new(&rest).unwrap(),
        ..position([""; 4], discards, "")
    });
    Careful.choose(&game.view(Seat(0))).to_string()
}

#[test]
fn careful_plays_its_longest_colour_and_there_the_dearest_card() {
    let hand = "red 7, blue 3, blue 9, blue 8, red skip, wild";
    assert_eq!(careful(hand, [5, 5, 5], "green 3, red 3"), "blue 3");
    assert_eq!(careful(hand, [5, 5, 5], "red 5"), "red skip");
    let equal = "yellow 4, green 3, yellow 3, green 4";
    assert_eq!(careful(equal, [5, 5, 5], "red 4"), "yellow 4");
}

#[test]
fn careful_keeps_its_wild_cards_and_calls_its_longest_colour() {
    let hand = "wild-draw-four, blue 3, wild, red 5, blue 9";
    assert_eq!(careful(hand, [5, 5, 5], "red 3"), "blue 3");
    assert_eq!(careful(hand, [5, 5, 5], "green 1"), "wild blue");
    let hand = "wild-draw-four, yellow 3, red 5, yellow 9";
    assert_eq!(careful(hand, [5, 5, 5], "green 1"), "wild-draw-four yellow");
    assert_eq!(
        careful("wild, yellow 3, red 5", [5, 5, 5], "green 1"),
        "wild red"
    );
    assert_eq!(careful("yellow 3, red 5", [5, 5, 5], "green 1"), "draw");
}

#[test]
fn careful_attacks_the_next_player_if_that_one_is_about_to_go_out() {
    let weapons = ["wild-draw-four", "red draw-two", "red skip", "red reverse"];
    for (first, expected) in [
        "wild-draw-four red",
        "red draw-two",
        "red skip",
        "red reverse",
    ]
    .into_iter()
    .enumerate()
    {
        let hand = format!("red 9, red 8, {}", weapons[first..].join(", "));
        assert_eq!(careful(&hand, [2, 5, 5], "red 3"), expected);
    }
    let hand = "red 9, green 8, red reverse";
    assert_eq!(careful(hand, [2, 5, 3], "red 3"), "red reverse");
    assert_eq!(
        careful("red 9, red 5, green reverse", [2, 5, 2], "red reverse"),
        "red 9"
    );
    let hand = "red 9, red 1, red 2, blue skip, wild-draw-four";
    assert_eq!(careful(hand, [3, 1, 1], "red skip"), "red 9");
}

/// Plays games and sums up every seat's points and wins, and the squares of the points won.
fn totals(setup: &Setup, names: [&str; 4], seed: u64, games: u64) -> ([i64; 4], [u64; 4], i64) {
    let entry = GAMES.find("uno").unwrap();
    let setup = serde_json::to_value(setup).unwrap();
    let mut table = entry.table(&setup, &names).unwrap();
    let (mut points, mut wins, mut squares) = ([0; 4], [0; 4], 0);
    for deal in 0..games {
        let (outcome, _) = table.play(Seed(seed).deal(deal));
        for seat in 0..SEATS {
            points[seat] += outcome.scores[seat];
            wins[seat] += u64::from(outcome.places[seat] == 1);
            squares += outcome.scores[seat].pow(2);
        }
    }
    (points, wins, squares)
}

/// The reference figure of the specification, "about 116". The margin is five standard errors and
/// the rounding of the figure: a correct program fails with a probability below 10^-6.
#[test]
fn naive_players_win_116_points_a_game() {
    let games = 50_000;
    for setup in [Setup::default(), casual()] {
        let (points, _, squares) = totals(&setup, ["naive"; 4], 116, games);
        let mean = points.iter().sum::<i64>() as f64 / games as f64;
        let deviation = (squares as f64 / games as f64 - mean * mean).sqrt();
        let margin = 5.0 * deviation / (games as f64).sqrt() + 0.5;
        assert!((mean - 116.0).abs() < margin, "{mean} ± {margin}");
    }
}

/// Four equal players in casual games. The chi-square of the wins with 3 degrees of freedom
/// exceeds 30.66 with probability 10^-6; so does no seat's share of the points leave 25 percent
/// by 5.2 standard errors (four comparisons, 10^-6 together).
#[test]
fn equal_players_get_equal_shares() {
    let games = 50_000;
    for name in ["random", "naive", "careful"] {
        let (points, wins, squares) = totals(&casual(), [name; 4], 25, games);
        let expected = wins.iter().sum::<u64>() as f64 / 4.0;
        let chi: f64 = wins
            .iter()
            .map(|&n| (n as f64 - expected).powi(2) / expected)
            .sum();
        assert!(chi < 30.66, "{name}: {wins:?}");
        let mean = points.iter().sum::<i64>() as f64 / 4.0;
        let error = (squares as f64 / 4.0).sqrt();
        for won in points {
            assert!(
                (won as f64 - mean).abs() < 5.2 * error,
                "{name}: {points:?}"
            );
        }
    }
}

/// Every order in which four can sit.
fn seatings() -> Vec<[usize; 4]> {
    let mut all = Vec::new();
    for code in 0..256 {
        let order = [code % 4, code / 4 % 4, code / 16 % 4, code / 64];
        if (0..4).all(|player| order.contains(&player)) {
            all.push(order);
        }
    }
    all
}

/// In a tournament seat 0 has an advantage. Playing every deal in all 24 seatings takes it out:
/// the shares of four players who differ in their luck alone are equal, within 5 standard errors
/// of the differences between the rounds (four comparisons; 3 · 10^-6 together).
#[test]
fn the_24_seatings_of_a_deal_take_out_the_luck_of_the_seat() {
    assert_eq!(seatings().len(), 24);
    let rounds = 2000;
    let mut by_seat = [0; 4];
    let mut differences = [(0.0, 0.0); 4];
    for round in 0..rounds {
        let deal = Seed(24).deal(round);
        let mut points = [0; 4];
        for (game, order) in seatings().into_iter().enumerate() {
            let mut players = order.map(|player| {
                let mut naive = Naive::default();
                let luck = deal.deal(game as u64).player(Seat::from(player));
                Player::<Uno>::start(&mut naive, Seat(0), luck);
                naive
            });
            let dealt = Uno::deal(&Setup::default(), deal);
            let outcome = play_on(Stepper::of(dealt), &mut players, &mut ()).unwrap();
            for (seat, player) in order.into_iter().enumerate() {
                points[player] += outcome.scores[seat];
                by_seat[seat] += outcome.scores[seat];
            }
        }
        let mean = points.iter().sum::<i64>() as f64 / 4.0;
        for (difference, won) in differences.iter_mut().zip(points) {
            difference.0 += won as f64 - mean;
            difference.1 += (won as f64 - mean).powi(2);
        }
    }
    for (sum, squares) in differences {
        assert!(sum.abs() < 5.0 * squares.sqrt(), "{differences:?}");
    }
    assert!(
        by_seat[0] > by_seat[1..].iter().copied().max().unwrap(),
        "{by_seat:?}"
    );
}

/// One careful player among three naive ones wins about a third of the games, and a naive one
/// among random ones a little more than a quarter; 5 standard errors above a quarter are below
/// 0.26 in 50,000 games, which equal players reach with a probability of 3 · 10^-7.
#[test]
fn careful_beats_naive_and_naive_beats_random() {
    for names in [
        ["careful", "naive", "naive", "naive"],
        ["naive", "random", "random", "random"],
    ] {
        let (points, wins, _) = totals(&casual(), names, 9, 50_000);
        let share = wins[0] as f64 / 50_000.0;
        assert!(share > 0.26, "{names:?}: {share}");
        assert!(points[0] > points[1].max(points[2]).max(points[3]));
    }
}

proptest! {
    #[test]
    fn built_in_players_play_what_is_allowed(game in any_game(), chance: u64) {
        let view = game.view(game.to_move().unwrap());
        let mut naive = Naive::default();
        Player::<Uno>::start(&mut naive, view.seat, Seed(chance));
        for choice in [naive.choose(&view), Careful.choose(&view)] {
            prop_assert!(game.clone().play(choice).is_ok(), "{}", choice);
        }
    }
}
