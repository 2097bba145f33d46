//! Dealing, passing, playing, fouls, the score.

use croupier_core::{
    Foul, FoulKind, Game, NoMove, Player, RandomPlayer, Record, Recorder, Seat, Seed, Turn, play,
};
use croupier_games::GAMES;
use croupier_games::intensity::{Card, Cards, Intensity, Move, SEATS, Setup};
use proptest::prelude::*;

use crate::{cards, dealt, legal, make, numbers, random_game, refusal, slow};

/// Every seat has been dealt one suit and passes its three lowest cards on.
fn one_suit_each() -> Intensity {
    let mut game = dealt([
        &[10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
        &[20, 21, 22, 23, 24, 25, 26, 27, 28, 29],
        &[30, 31, 32, 33, 34, 35, 36, 37, 38, 39],
        &[40, 41, 42, 43, 44, 45, 46, 47, 48, 49],
    ]);
    make(
        &mut game,
        &[
            "discard 10 11 12",
            "discard 20 21 22",
            "discard 30 31 32",
            "discard 40 41 42",
        ],
    );
    game
}

#[test]
fn three_cards_are_passed_to_the_next_position() {
    let game = one_suit_each();
    let held = game.hands().map(numbers);
    assert_eq!(held[0], [13, 14, 15, 16, 17, 18, 19, 40, 41, 42]);
    assert_eq!(held[1], [10, 11, 12, 23, 24, 25, 26, 27, 28, 29]);
    assert_eq!(held[2], [20, 21, 22, 33, 34, 35, 36, 37, 38, 39]);
    assert_eq!(held[3], [30, 31, 32, 43, 44, 45, 46, 47, 48, 49]);
}

#[test]
fn discards_must_be_three_cards_of_the_hand() {
    let mut game = Intensity::deal(&Setup {}, Seed(3));
    let hand = game.hands()[0];
    let [own, other] = [hand, Cards::ALL - hand].map(|cards| cards.lowest().unwrap());
    let strange = Move::discard([other].into_iter().chain(hand.iter().take(2)).collect()).unwrap();
    assert_eq!(
        refusal(&mut game, &strange.to_string()),
        format!("the {other} is not in the hand")
    );
    assert_eq!(
        refusal(&mut game, &format!("play {own}")),
        "three cards have to be passed on before one is played"
    );
    assert_eq!(legal(&game).len(), 120);
    assert_eq!(Move::discard(cards(&[10, 11])), None);
}

#[test]
fn the_lead_has_to_be_followed_if_possible() {
    let mut game = one_suit_each();
    make(&mut game, &["play 40"]);
    assert_eq!(
        legal(&game).len(),
        10,
        "position 1 has no card with this first digit, so anything goes"
    );
    make(&mut game, &["play 10", "play 20"]);
    assert_eq!(
        refusal(&mut game, "play 30"),
        "the 40 was led and has to be followed with a card from 40 to 49"
    );
    assert_eq!(
        refusal(&mut game, "play 40"),
        "the 40 is not in the hand",
        "nobody can play what is on the table"
    );
    assert_eq!(
        refusal(&mut game, "discard 43 44 45"),
        "one card is played, and none is passed on any more"
    );
    assert_eq!(
        legal(&game),
        ["43", "44", "45", "46", "47", "48", "49"].map(|card| format!("play {card}"))
    );
}

#[test]
fn the_highest_card_of_the_first_digit_wins_the_round_and_leads_the_next() {
    let mut game = one_suit_each();
    make(&mut game, &["play 40", "play 10", "play 39", "play 43"]);
    assert_eq!(game.to_move(), Some(Seat(3)));
    assert_eq!(game.taken(), [0, 0, 0, 1]);
    make(&mut game, &["play 47", "play 41", "play 11", "play 38"]);
    assert_eq!(game.taken(), [0, 0, 0, 9]);
    assert_eq!(game.outcome().scores, [0, 0, 0, 9]);
    assert_eq!(game.outcome().places, [1, 1, 1, 4]);
}

#[test]
fn a_calf_may_not_be_led_before_one_has_been_played() {
    let mut game = one_suit_each();
    make(&mut game, &["play 40", "play 10", "play 20", "play 43"]);
    let rule = "a calf may not be led before one has been played, unless there are only calves \
                in the hand";
    assert_eq!(refusal(&mut game, "play 30"), rule);
    make(&mut game, &["play 44", "play 41", "play 11", "play 39"]);
    make(&mut game, &["play 30"]);
    assert_eq!(game.to_move(), Some(Seat(0)));
}

#[test]
fn the_buffalo_may_be_led_before_any_calf_has_been_played() {
    let mut game = one_suit_each();
    make(&mut game, &["play 40", "play 10", "play 20", "play 43"]);
    assert!(legal(&game).contains(&"play 47".to_owned()));
    assert!(!legal(&game).contains(&"play 30".to_owned()));
}

#[test]
fn who_has_only_calves_may_lead_one() {
    let mut game = dealt([
        &[10, 11, 12, 33, 34, 35, 36, 37, 38, 39],
        &[20, 21, 22, 23, 24, 25, 26, 27, 28, 29],
        &[13, 14, 15, 16, 17, 18, 19, 40, 41, 42],
        &[30, 31, 32, 43, 44, 45, 46, 47, 48, 49],
    ]);
    make(
        &mut game,
        &[
            "discard 10 11 12",
            "discard 20 21 22",
            "discard 13 14 15",
            "discard 30 31 32",
        ],
    );
    assert_eq!(legal(&game).len(), 10);
    make(&mut game, &["play 39"]);
}

#[test]
fn a_foul_costs_five_points_and_a_random_legal_card() {
    let mut game = one_suit_each();
    make(&mut game, &["play 40", "play 10", "play 20"]);
    let allowed = legal(&game);
    let instead = game.foul().unwrap().to_string();
    assert!(allowed.contains(&instead), "{instead}");
    assert_eq!(game.fouls(), &[0, 0, 0, 1]);
    assert_eq!(game.outcome().scores[3], 5 + i64::from(game.taken()[3]));
    assert_eq!(game.played().len(), 4, "the game goes on");
}

#[test]
fn a_foul_at_the_discards_costs_five_points_and_three_random_cards() {
    let mut game = Intensity::deal(&Setup {}, Seed(8));
    let hand = game.hands()[0];
    let instead = game.foul().unwrap();
    assert_eq!(instead.cards().len(), 3);
    assert!(hand.contains_all(instead.cards()));
    assert_eq!(game.outcome().scores, [5, 0, 0, 0]);
    assert_eq!(game.to_move(), Some(Seat(1)));
}

#[test]
fn when_the_game_is_over_nothing_more_happens() {
    let mut game = random_game(4, 44);
    assert_eq!(game.to_move(), None);
    assert_eq!(refusal(&mut game, "play 10"), "the game is over");
    let before = game.clone();
    assert_eq!(game.foul(), None);
    assert_eq!(game, before);
    assert_eq!(game.random_move(&mut Seed(1).rng()), None);
    assert!(legal(&game).is_empty());
}

/// Answers something illegal, or nothing, every now and then.
struct Sloppy(u64);

impl Player<Intensity> for Sloppy {
    fn decide(&mut self, turn: &Turn<'_, Intensity>) -> Result<Move, NoMove> {
        self.0 += 1;
        match self.0 % 3 {
            0 => Ok(turn.random_move(&mut Seed(self.0).rng())),
            1 => Ok(Move::play(Card::BUFFALO)),
            _ => Err(NoMove::Foul(Foul {
                kind: FoulKind::Timeout,
                detail: "no answer in 30 s".into(),
            })),
        }
    }
}

#[test]
fn a_recorded_game_full_of_fouls_replays_to_the_same_outcome() {
    let seed = Seed(77);
    let names = ["a", "b", "c", "d"].map(String::from).to_vec();
    let mut recorder = Recorder::new::<Intensity>(&Setup {}, seed, names);
    let mut players = [Sloppy(0), Sloppy(1), Sloppy(2), Sloppy(3)];
    let outcome = play::<Intensity, _, _>(&Setup {}, seed, &mut players, &mut recorder).unwrap();
    assert!(outcome.scores.iter().sum::<i64>() > 17 + 4 * 5);
    let record = Record::parse(&recorder.into_text()).unwrap();
    assert_eq!(record.replay(&GAMES), Ok(outcome));
}

#[test]
fn a_seed_deals_the_same_hands_for_ever() {
    let game = Intensity::deal(&Setup {}, Seed(1));
    assert_eq!(
        game.hands().map(|hand| hand.to_string()),
        [
            "[18, 20, 29, 30, 31, 37, 40, 41, 43, 46]",
            "[10, 11, 21, 22, 26, 27, 32, 36, 48, 49]",
            "[12, 13, 15, 16, 19, 34, 35, 39, 44, 47]",
            "[14, 17, 23, 24, 25, 28, 33, 38, 42, 45]",
        ]
    );
}

/// Random moves are drawn evenly from the legal ones: a chi-square over all legal moves of 60
/// positions, whose sum a fair draw exceeds with probability below 10^-6 (normal approximation,
/// 4.75 standard deviations); the seeds are fixed.
#[test]
fn random_moves_are_drawn_evenly_from_the_legal_ones() {
    let (mut chi, mut freedom) = (0.0, 0.0);
    let mut rng = Seed(61).rng();
    for seed in 0..60 {
        let mut game = Intensity::deal(&Setup {}, Seed(seed));
        for _ in 0..seed % 44 {
            let choice = game.random_move(&mut rng).unwrap();
            game.play(choice).unwrap();
        }
        let mut moves = Vec::new();
        game.legal(&mut moves);
        let mut drawn = vec![0_u32; moves.len()];
        let draws = 200 * moves.len();
        for _ in 0..draws {
            let choice = game.random_move(&mut rng).unwrap();
            drawn[moves.iter().position(|&legal| legal == choice).unwrap()] += 1;
        }
        chi += drawn
            .iter()
            .map(|&count| (f64::from(count) - 200.0).powi(2) / 200.0)
            .sum::<f64>();
        freedom += moves.len() as f64 - 1.0;
    }
    let deviations = (chi - freedom) / (2.0 * freedom).sqrt();
    assert!(deviations.abs() < 4.75, "{deviations}");
}

proptest! {
    #[test]
    fn the_fast_rules_agree_with_the_slow_reading_of_them(seed: u64) {
        let mut rng = Seed(seed).rng();
        let mut game = Intensity::deal(&Setup {}, Seed(seed));
        while game.is_discarding() {
            let choice = game.random_move(&mut rng).unwrap();
            game.play(choice).unwrap();
        }
        let hands = game.hands().map(numbers);
        while let Some(seat) = game.to_move() {
            let played: Vec<u8> = game.played().iter().map(|card| card.number()).collect();
            let (turn, allowed) = slow::turn_and_legal(&hands, &played);
            prop_assert_eq!(seat, Seat::from(turn));
            let expected: Vec<_> = allowed.iter().map(|card| format!("play {card}")).collect();
            prop_assert_eq!(legal(&game), expected);
            for card in Cards::ALL.iter() {
                let ok = game.clone().play(Move::play(card)).is_ok();
                prop_assert_eq!(ok, allowed.contains(&card.number()), "the {}", card);
            }
            let choice = game.random_move(&mut rng).unwrap();
            game.play(choice).unwrap();
        }
        let played: Vec<u8> = game.played().iter().map(|card| card.number()).collect();
        prop_assert_eq!(game.taken().map(u32::from), slow::points(&played));
    }

    #[test]
    fn exactly_the_listed_discards_are_accepted(seed: u64, pick in prop::collection::vec(10u8..50, 3)) {
        let game = Intensity::deal(&Setup {}, Seed(seed));
        let listed = legal(&game);
        if let Some(choice) = Move::discard(cards(&pick)) {
            let ok = game.clone().play(choice).is_ok();
            prop_assert_eq!(ok, listed.contains(&choice.to_string()));
        }
        for text in &listed {
            prop_assert!(game.clone().play(text.parse().unwrap()).is_ok());
        }
    }

    #[test]
    fn there_are_17_points_in_a_game_and_5_more_for_every_foul(seed: u64, foul in 0usize..44) {
        let mut rng = Seed(seed).rng();
        let mut game = Intensity::deal(&Setup {}, Seed(seed));
        for decision in 0..44 {
            if decision == foul {
                prop_assert!(game.foul().is_some());
            } else {
                let choice = game.random_move(&mut rng).unwrap();
                game.play(choice).unwrap();
            }
        }
        prop_assert_eq!(game.to_move(), None);
        prop_assert_eq!(game.taken().iter().sum::<u8>(), 17);
        prop_assert_eq!(game.outcome().scores.iter().sum::<i64>(), 22);
    }

    #[test]
    fn every_card_is_held_or_played_at_every_step(seed: u64) {
        let mut rng = Seed(seed).rng();
        let mut game = Intensity::deal(&Setup {}, Seed(seed));
        loop {
            let mut all: Vec<u8> = game.played().iter().map(|card| card.number()).collect();
            all.extend(game.hands().iter().flat_map(|&hand| numbers(hand)));
            all.sort_unstable();
            prop_assert!(all.into_iter().eq(10..50));
            let Some(choice) = game.random_move(&mut rng) else { break };
            game.play(choice).unwrap();
        }
    }

    #[test]
    fn a_printed_move_reads_back_as_itself(seed: u64, moves in 0usize..44) {
        let mut rng = Seed(seed).rng();
        let mut game = Intensity::deal(&Setup {}, Seed(seed));
        for _ in 0..moves {
            let choice = game.random_move(&mut rng).unwrap();
            game.play(choice).unwrap();
        }
        let choice = game.random_move(&mut rng).unwrap();
        prop_assert_eq!(choice.to_string().parse::<Move>().unwrap(), choice);
    }

    #[test]
    fn no_text_breaks_the_reader_of_moves(text in ".*") {
        let _ = text.parse::<Move>();
    }
}

#[test]
fn discards_are_read_in_any_order_but_each_card_once() {
    let read = |text: &str| text.parse::<Move>().map(|choice| choice.to_string()).ok();
    assert_eq!(
        read("discard 49 29 39").as_deref(),
        Some("discard 29 39 49")
    );
    assert_eq!(read("play 23").as_deref(), Some("play 23"));
    for text in [
        "",
        "play",
        "play ",
        "play 9",
        "play 50",
        "play 023",
        "play +23",
        "play  23",
        "play 23 24",
        "discard 29 29 39",
        "discard 29 39",
        "discard 29 39 49 48",
        "pass 29 39 49",
        "23",
        "Play 23",
    ] {
        assert_eq!(read(text), None, "{text:?}");
    }
}

#[test]
fn random_players_finish_the_game() {
    let mut players: [RandomPlayer; SEATS] = Default::default();
    let outcome = play::<Intensity, _, _>(&Setup {}, Seed(5), &mut players, &mut ()).unwrap();
    assert_eq!(outcome.scores.iter().sum::<i64>(), 17);
}
