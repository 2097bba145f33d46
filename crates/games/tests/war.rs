//! War: the rules, the text, and the figures.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::ops::ControlFlow;

use croupier_core::{
    Company, Game, Moment, Observer, RandomPlayer, Record, Recorder, Seat, Seed, Told, play,
};
use croupier_games::GAMES;
use croupier_games::war::{
    Card, DECK, Ending, Hand, Narrator, Setup, ShortWar, Showdown, Survey, War, Winnings,
};
use proptest::prelude::*;

fn hand(line: &str) -> Hand {
    line.parse().unwrap()
}

fn from_hands(setup: Setup, zero: &str, one: &str) -> War {
    War::from_hands(setup, [hand(zero), hand(one)], Seed(0).rng())
}

fn last_card() -> Setup {
    Setup {
        short_war: ShortWar::LastCard,
        ..Setup::default()
    }
}

fn winnings(winnings: Winnings) -> Setup {
    Setup {
        winnings,
        ..Setup::default()
    }
}

/// Everything the narrator tells of a game, as far as `turns` turns.
fn told(mut game: War, turns: usize) -> String {
    let mut text = String::new();
    let mut narrator = Narrator::new(|_: &War, told: &str| {
        text += told;
        ControlFlow::Continue(())
    });
    let _ = narrator.see(&game, &Moment::Dealt);
    for _ in 0..turns {
        if game.play(Showdown).is_ok() {
            let _ = narrator.see(&game, &Moment::Played(Seat(0), Showdown));
        }
    }
    if game.to_move().is_none() {
        let _ = narrator.see(&game, &Moment::Over(&game.outcome()));
    }
    text
}

#[test]
fn the_handouts_two_turns_and_its_war() {
    let game = from_hands(
        Setup::default(),
        "3S KD 7H KC 4S 6C 7C 10D 4H JS 4D QD 3D 10C 8C 5C 8D 3H 6D JD AS AD QC AC 9D 7D",
        "2S 9S 5H 8S KS JC 2H 2D 4C 6H 3C 8H KH 5D QS 10S 2C 9H 7S QH 6S JH 5S 10H 9C AH",
    );
    assert_eq!(
        told(game, 2),
        "\
[0] 3S KD 7H KC 4S 6C 7C 10D 4H JS 4D QD 3D 10C 8C 5C 8D 3H 6D JD AS AD QC AC 9D 7D
[1] 2S 9S 5H 8S KS JC 2H 2D 4C 6H 3C 8H KH 5D QS 10S 2C 9H 7S QH 6S JH 5S 10H 9C AH
show: [0] 7D and [1] AH; player 1 wins
[0] 3S KD 7H KC 4S 6C 7C 10D 4H JS 4D QD 3D 10C 8C 5C 8D 3H 6D JD AS AD QC AC 9D
[1] AH 7D 2S 9S 5H 8S KS JC 2H 2D 4C 6H 3C 8H KH 5D QS 10S 2C 9H 7S QH 6S JH 5S 10H 9C
show: [0] 9D and [1] 9C; war!
show: [0] AS and [1] 6S; player 0 wins
[0] AS AD QC AC 9D 6S JH 5S 10H 9C 3S KD 7H KC 4S 6C 7C 10D 4H JS 4D QD 3D 10C 8C 5C 8D 3H 6D JD
[1] AH 7D 2S 9S 5H 8S KS JC 2H 2D 4C 6H 3C 8H KH 5D QS 10S 2C 9H 7S QH
"
    );
}

#[test]
fn the_winnings_join_in_the_order_asked_for() {
    let after = |order, zero, one, winner: usize| {
        let mut game = from_hands(winnings(order), zero, one);
        game.play(Showdown).unwrap();
        game.hands()[winner].to_string()
    };
    let zero_wins = |order| after(order, "2C 3C 9C", "2H 3H 5H", 0);
    let one_wins = |order| after(order, "2C 3C 5C", "2H 3H 9H", 1);
    assert_eq!(zero_wins(Winnings::Transcript), "9C 5H 2C 3C");
    assert_eq!(one_wins(Winnings::Transcript), "9H 5C 2H 3H");
    assert_eq!(zero_wins(Winnings::WinnerFirst), "5H 9C 2C 3C");
    assert_eq!(one_wins(Winnings::WinnerFirst), "5C 9H 2H 3H");
    assert_eq!(zero_wins(Winnings::Player0First), "5H 9C 2C 3C");
    assert_eq!(one_wins(Winnings::Player0First), "9H 5C 2H 3H");
}

#[test]
fn shuffled_winnings_come_in_either_order() {
    let fronts: Vec<String> = (0..20)
        .map(|seed| {
            let hands = [hand("2C 9C"), hand("3H 5H")];
            let setup = winnings(Winnings::Shuffled);
            let mut game = War::from_hands(setup, hands, Seed(seed).rng());
            game.play(Showdown).unwrap();
            game.hands()[0].to_string()
        })
        .collect();
    assert!(fronts.contains(&"9C 5H 2C".to_owned()));
    assert!(fronts.contains(&"5H 9C 2C".to_owned()));
}

#[test]
fn a_player_who_cannot_lay_four_cards_loses() {
    let game = from_hands(Setup::default(), "2C 3C 4C 9C", "2H 3H 4H 5H 9H");
    assert_eq!(
        told(game, 9),
        "\
[0] 2C 3C 4C 9C
[1] 2H 3H 4H 5H 9H
show: [0] 9C and [1] 9H; war!
player 1 wins the game after 1 turns
"
    );
}

#[test]
fn or_his_last_card_is_compared() {
    let game = from_hands(last_card(), "AC 4C 9C", "2H 3H 4H 5H 9H");
    assert_eq!(
        told(game, 9),
        "\
[0] AC 4C 9C
[1] 2H 3H 4H 5H 9H
show: [0] 9C and [1] 9H; war!
show: [0] AC and [1] 2H; player 0 wins
[0] AC 4C 9C 2H 3H 4H 5H 9H
[1]
player 0 wins the game after 1 turns
"
    );
}

#[test]
fn with_none_left_at_all_he_loses() {
    let game = from_hands(last_card(), "AC 4C 9C", "6H 7H AH 3H 4H 5H 9H");
    assert_eq!(
        told(game, 9),
        "\
[0] AC 4C 9C
[1] 6H 7H AH 3H 4H 5H 9H
show: [0] 9C and [1] 9H; war!
show: [0] AC and [1] AH; war!
player 1 wins the game after 1 turns
"
    );
}

#[test]
fn when_both_fall_short_the_game_is_a_draw() {
    let last_line = |game| told(game, 1).lines().last().unwrap().to_owned();
    let draw = "the game is a draw after 1 turns";
    let mut game = from_hands(Setup::default(), "2C 9C", "3H 4H 9H");
    assert_eq!(last_line(game.clone()), draw);
    assert_eq!(last_line(from_hands(last_card(), "9C", "9H")), draw);
    assert_eq!(
        last_line(from_hands(last_card(), "2C 9C", "3H 4H 9H")),
        "player 1 wins the game after 1 turns",
        "each still has a last card to compare"
    );
    game.play(Showdown).unwrap();
    assert_eq!(game.outcome().places, [1, 1]);
}

#[test]
fn whoever_looks_on_is_told_why_a_game_ends_although_both_have_cards() {
    let names = ["North", "South"].map(str::to_owned);
    let came = |mut game: War| {
        let before = game.view(Seat(0));
        game.play(Showdown).unwrap();
        let company = Company::new(&names, None);
        War::aftermath(
            &before,
            Seat(0),
            Some(Showdown),
            &game.view(Seat(0)),
            company,
        )
    };
    let short = from_hands(Setup::default(), "2C 3C 4C 9C", "2H 3H 4H 5H 9H");
    let why = ["it is a war, and not both have enough cards for it"];
    assert_eq!(came(short), why);
    assert_eq!(came(from_hands(last_card(), "9C", "9H")), why);
    let taken = from_hands(Setup::default(), "2C 9C", "3H 4H");
    assert_eq!(came(taken), ["North wins the turn: 3 cards to 1"]);
}

#[test]
fn a_limit_stops_the_game_without_a_winner() {
    let setup = Setup {
        max_turns: Some(3),
        ..Setup::default()
    };
    let mut game = War::deal(&setup, Seed(1));
    while game.play(Showdown).is_ok() {}
    assert_eq!(game.turns(), 3);
    assert_eq!(game.ending(), Some(Ending::Stopped));
    assert_eq!(game.outcome().scores, [0, 0]);
}

#[test]
fn a_game_is_called_endless_exactly_when_its_hands_come_back() {
    let mut found = 0;
    for seed in 0..30 {
        let mut game = War::deal(&winnings(Winnings::Player0First), Seed(seed));
        let mut states = vec![*game.hands()];
        while game.play(Showdown).is_ok() {
            states.push(*game.hands());
        }
        let (last, earlier) = states.split_last().unwrap();
        let same = earlier.iter().rposition(|state| state == last);
        match game.ending().unwrap() {
            Ending::Endless => {
                found += 1;
                assert_eq!(same, Some(game.marked_turn() as usize));
                assert_eq!(game.outcome().places, [1, 1]);
            }
            // A war in which somebody falls short leaves the hands as they were.
            _ => assert!(same.is_none_or(|same| same + 1 == earlier.len())),
        }
    }
    assert!((3..27).contains(&found), "about a third is endless");
}

#[test]
fn a_recorded_game_replays_to_the_same_outcome() {
    let setup = last_card();
    let seed = Seed(2001).deal(180);
    let names = vec!["zero".to_owned(), "one".to_owned()];
    let mut recorder = Recorder::new::<War>(&setup, seed, names);
    let mut players = [RandomPlayer::default(), RandomPlayer::default()];
    let outcome = play::<War, _, _>(&setup, seed, &mut players, &mut recorder).unwrap();
    let record = Record::parse(&recorder.into_text()).unwrap();
    assert_eq!(record.replay(&GAMES), Ok(outcome));
}

#[test]
fn a_view_does_not_change_with_the_hidden_cards() {
    let one = War::deal(&Setup::default(), Seed(1));
    let other = War::deal(&Setup::default(), Seed(2));
    assert_ne!(one.hands(), other.hands());
    assert_eq!(one.view(Seat(0)), other.view(Seat(0)));
    assert_eq!(one.view(Seat(1)), other.view(Seat(1)));
}

#[test]
fn cards_are_numbered_by_suit_and_face() {
    let name = |number| Card::new(number).map(|card| card.to_string());
    assert_eq!(name(0).as_deref(), Some("2C"));
    assert_eq!(name(12).as_deref(), Some("AC"));
    assert_eq!(name(21).as_deref(), Some("10H"));
    assert_eq!(name(51).as_deref(), Some("AD"));
    assert_eq!(name(52), None);
}

#[test]
fn what_is_no_hand_is_refused_with_the_reason() {
    let error = |line: &str| line.parse::<Hand>().unwrap_err().to_string();
    assert_eq!(error("2C 3C 2C"), "the card 2C is there twice");
    for word in ["1C", "11H", "AX", "C", "ac", "é", "2C3C"] {
        let said = error(&format!("2H {word}"));
        assert!(said.starts_with(&format!("'{word}' is no card")), "{said}");
    }
}

proptest! {
    #[test]
    fn a_printed_hand_reads_back_as_itself(
        numbers in prop::sample::subsequence((0u8..52).collect::<Vec<_>>(), 0..=52).prop_shuffle()
    ) {
        let cards: Vec<Card> = numbers.into_iter().filter_map(Card::new).collect();
        let hand = Hand::new(&cards);
        prop_assert_eq!(hand.to_string().parse::<Hand>().unwrap(), hand);
    }

    #[test]
    fn no_text_breaks_the_reader_of_hands(text in ".*") {
        let _ = text.parse::<Hand>();
    }

    #[test]
    fn what_is_read_from_a_damaged_hand_is_a_hand(
        numbers in prop::sample::subsequence((0u8..52).collect::<Vec<_>>(), 1..=52),
        at: prop::sample::Index,
        mark in prop_oneof![prop::sample::select(vec![' ', '\n', '0', 'A', 'x']), any::<char>()],
        put_in: bool,
    ) {
        let cards: Vec<Card> = numbers.into_iter().filter_map(Card::new).collect();
        let mut text: Vec<char> = Hand::new(&cards).to_string().chars().collect();
        let at = at.index(text.len());
        if put_in {
            text.insert(at, mark);
        } else {
            text[at] = mark;
        }
        if let Ok(read) = String::from_iter(text).parse::<Hand>() {
            prop_assert_eq!(read.to_string().parse::<Hand>().unwrap(), read);
        }
    }

    #[test]
    fn there_are_52_different_cards_at_every_step(seed: u64, short: bool, order in 0usize..4) {
        let setup = Setup {
            short_war: [ShortWar::Loses, ShortWar::LastCard][usize::from(short)],
            winnings: [
                Winnings::Transcript,
                Winnings::WinnerFirst,
                Winnings::Shuffled,
                Winnings::Player0First,
            ][order],
            max_turns: Some(500),
        };
        let mut game = War::deal(&setup, Seed(seed));
        loop {
            let mut seen = [false; DECK];
            for card in game.hands().iter().flat_map(|hand| hand.iter()) {
                let number = usize::from(card.suit()) * 13 + usize::from(card.face());
                prop_assert!(!std::mem::replace(&mut seen[number], true), "{} twice", card);
            }
            prop_assert_eq!(seen, [true; DECK]);
            if game.play(Showdown).is_err() {
                break;
            }
        }
    }

    /// With a limit on turns too, the fast way counts what the plain rules count.
    #[test]
    fn surveys_agree_with_the_plain_rules(master: u64, most in 1u64..2000, endless: bool) {
        let order = [Winnings::Transcript, Winnings::Player0First][usize::from(endless)];
        let setup = Setup { max_turns: Some(most), ..winnings(order) };
        let fast = Survey::play(&setup, Seed(master), 0..40);
        prop_assert_eq!(fast, Survey::play_plainly(&setup, Seed(master), 0..40));
    }
}

/// The figures of the specification. The margins are five standard errors and the rounding of the
/// figure: a correct program would fail one of these eighteen comparisons with a probability below
/// 2 · 10^-5, and as the seed is fixed it either always does or never.
#[test]
fn games_are_as_long_as_they_should_be() {
    let games = 200_000_u32;
    let root = f64::from(games).sqrt();
    let check = |setup: &Setup, mean: f64, sd: f64, median: f64, p95: f64, wars: f64| {
        let survey = Survey::play(setup, Seed(180), 0..u64::from(games));
        assert_eq!(survey.finished(), u64::from(games));
        let close = |what: &str, found: f64, expected: f64, error: f64, rounding: f64| {
            let margin = 5.0 * error / root + rounding;
            assert!(
                (found - expected).abs() < margin,
                "{setup:?}: {what} is {found}, expected {expected} ± {margin}"
            );
        };
        let (found_mean, found_sd) = survey.turns.mean_and_sd().unwrap();
        let quantile = |share| survey.turns.quantile(share).unwrap() as f64;
        close("the mean", found_mean, mean, sd, 0.1);
        // The lengths have a long tail, with a kurtosis of about 9: the deviation of their
        // deviation is √((9 − 1) / 4) of it.
        close("the deviation", found_sd, sd, 1.5 * sd, 0.5);
        // √(p (1 − p)) over the density at the quantile.
        close("the median", quantile(0.5), median, 1.0 * sd, 1.0);
        close("the last twentieth", quantile(0.95), p95, 4.0 * sd, 1.0);
        let found_wars = survey.wars as f64 / f64::from(games);
        close("wars a game", found_wars, wars, 0.8 * wars, 0.1);
        let share = survey.wins[0] as f64 / f64::from(games);
        close("the share of player 0", share, 0.5, 0.5, 0.0);
    };
    check(&Setup::default(), 179.9, 138.5, 139.0, 455.0, 13.4);
    check(&last_card(), 220.9, 177.6, 168.0, 574.0, 16.5);
    let shuffled = Setup {
        winnings: Winnings::Shuffled,
        ..last_card()
    };
    check(&shuffled, 270.9, 222.0, 204.0, 710.0, 17.0);
}

/// About 36 and 44 percent, with the same margins.
#[test]
fn a_fixed_order_of_winnings_makes_many_games_endless() {
    for (short_war, expected) in [(ShortWar::Loses, 0.36), (ShortWar::LastCard, 0.44)] {
        let setup = Setup {
            short_war,
            ..winnings(Winnings::Player0First)
        };
        let games = 20_000;
        let survey = Survey::play(&setup, Seed(44), 0..games);
        let share = survey.endless as f64 / games as f64;
        let margin = 5.0 * (expected * (1.0 - expected) / games as f64).sqrt() + 0.005;
        assert!((share - expected).abs() < margin, "{share}");
    }
}
