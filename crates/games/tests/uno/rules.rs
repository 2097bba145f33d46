//! The rules: dealing, matching, what cards do, the empty deck, the score.

use croupier_core::{Game, Outcome, Seat, Seed};
use croupier_games::uno::{
    Card, Cards, Colour, DECK, Direction, Face, Move, Position, SEATS, Setup, Uno,
};
use proptest::prelude::*;

use crate::positions::{
    any_game, cards, casual, go, hand, is_a_whole_deck, legal, position, position_without_deck,
    refused, resume,
};

// The cards and the deal.

#[test]
fn the_deck_is_the_one_of_the_handout() {
    let count = |wanted: &dyn Fn(Card) -> bool| {
        Cards::NEW_DECK.iter().filter(|&&card| wanted(card)).count()
    };
    assert_eq!(Cards::NEW_DECK.len(), DECK);
    assert_eq!(count(&|card| card.face() == Face::Wild), 4);
    assert_eq!(count(&|card| card.face() == Face::WildDrawFour), 4);
    for colour in Colour::ALL.map(Some) {
        assert_eq!(count(&|card| card.colour() == colour), 25);
        for face in [Face::Skip, Face::Reverse, Face::DrawTwo] {
            assert_eq!(
                count(&|card| card.colour() == colour && card.face() == face),
                2
            );
        }
        for number in 0..=9 {
            let face = Face::Number(number);
            let copies = if number == 0 { 1 } else { 2 };
            assert_eq!(
                count(&|card| card.colour() == colour && card.face() == face),
                copies
            );
        }
    }
    // 4 · (2 · 45 + 6 · 20) + 8 · 50.
    let points: u32 = Cards::NEW_DECK
        .iter()
        .map(|card| u32::from(card.points()))
        .sum();
    assert_eq!(points, 1240);
}

#[test]
fn everybody_is_dealt_seven_and_a_coloured_card_is_turned_up() {
    let mut wilds_below = 0;
    for seed in 0..2000 {
        let game = Uno::deal(&Setup::default(), Seed(seed));
        let Position {
            hands,
            deck,
            discards,
            ..
        } = game.position();
        assert_eq!(hands.map(|hand| hand.len()), [7; 4]);
        assert_eq!(deck.len() + discards.len(), 80);
        let (top, below) = discards.split_last().unwrap();
        assert!(!top.is_wild());
        assert!(
            below.iter().all(|card| card.is_wild()),
            "cards are turned up until one is not wild"
        );
        wilds_below += below.len();
    }
    assert!(wilds_below > 0);
}

#[test]
fn in_a_tournament_seat_0_begins_to_the_right() {
    for seed in 0..100 {
        let position = Uno::deal(&Setup::default(), Seed(seed)).position();
        assert_eq!(
            (position.to_move, position.direction),
            (Seat(0), Direction::Right)
        );
    }
}

#[test]
fn a_casual_game_draws_the_first_player_and_the_direction() {
    let mut seen = [[0; 2]; SEATS];
    for seed in 0..8000 {
        let position = Uno::deal(&casual(), Seed(seed)).position();
        let left = usize::from(position.direction == Direction::Left);
        seen[position.to_move.index()][left] += 1;
    }
    // 1000 of each expected with a deviation of 30; 5 deviations are exceeded in one of eight
    // with probability 5 · 10^-6.
    assert!(
        seen.iter().flatten().all(|&n: &i32| (n - 1000).abs() < 150),
        "{seen:?}"
    );
}

#[test]
fn the_mode_does_not_change_the_cards() {
    let [one, other] =
        [Setup::default(), casual()].map(|setup| Uno::deal(&setup, Seed(3)).position());
    assert_eq!(
        (one.hands, one.deck, one.discards),
        (other.hands, other.deck, other.discards)
    );
}

// Matching.

#[test]
fn a_card_matches_by_colour_by_number_or_by_sign() {
    let game = resume(&position(
        [
            "red 7, blue 7, blue 3, red skip, green skip, wild, red 7",
            "blue 0",
            "blue 1",
            "blue 2",
        ],
        "red 3",
        "",
    ));
    assert_eq!(
        legal(&game),
        [
            "red 7",
            "red skip",
            "blue 3",
            "wild red",
            "wild green",
            "wild blue",
            "wild yellow"
        ]
    );
    let game = resume(&position(
        [
            "blue skip, blue reverse, green 0, green reverse",
            "blue 0",
            "blue 1",
            "blue 2",
        ],
        "green skip",
        "",
    ));
    assert_eq!(legal(&game), ["green 0", "green reverse", "blue skip"]);
}

#[test]
fn on_a_wild_card_the_colour_called_counts() {
    let mut game = resume(&position(
        [
            "wild, red 1",
            "red 5, green 5, blue 5, wild-draw-four",
            "blue 1",
            "blue 2",
        ],
        "red 3",
        "",
    ));
    go(&mut game, "wild green");
    let called =
        ["red", "green", "blue", "yellow"].map(|colour| format!("wild-draw-four {colour}"));
    assert_eq!(legal(&game)[0], "green 5");
    assert_eq!(legal(&game)[1..], called);
    assert_eq!(
        refused(&mut game, "red 5"),
        "red 5 does not match the wild for which green was called"
    );
}

#[test]
fn coloured_cards_do_not_reset_the_colour_called() {
    let mut game = resume(&position(
        ["wild, red 1", "green 5, red 9", "red 5, blue 4", "blue 2"],
        "red 3",
        "",
    ));
    go(&mut game, "wild green");
    go(&mut game, "green 5");
    let view = game.view(Seat(2));
    assert_eq!(view.last_colour_called, Some(Colour::Green));
    assert_eq!(view.colours_called, [Some(Colour::Green), None, None, None]);
    // The top card's own colour counts all the same.
    go(&mut game, "red 5");
    assert_eq!(game.view(Seat(0)).last_colour_called, Some(Colour::Green));
    assert_eq!(
        legal(&game),
        ["draw"],
        "neither green nor red is in the hand of seat 3"
    );
}

#[test]
fn a_refusal_names_the_rule() {
    let mut game = resume(&position(
        ["red 7, blue 7", "blue 0", "blue 1", "blue 2"],
        "red 3",
        "",
    ));
    assert_eq!(
        refused(&mut game, "draw"),
        "a player who has a card to play must play one"
    );
    assert_eq!(
        refused(&mut game, "green 3"),
        "there is no green 3 in the hand"
    );
    assert_eq!(
        refused(&mut game, "blue 7"),
        "blue 7 does not match the red 3"
    );
}

// What cards do.

#[test]
fn a_number_and_a_wild_card_pass_the_turn_on() {
    for (card, choice) in [("red 7", "red 7"), ("wild", "wild blue")] {
        let mine = format!("{card}, green 1");
        let mut game = resume(&position(
            [&mine, "blue 0", "blue 1", "blue 2"],
            "red 3",
            "",
        ));
        go(&mut game, choice);
        assert_eq!(game.to_move(), Some(Seat(1)));
    }
}

#[test]
fn a_skip_takes_the_next_players_turn() {
    let mut game = resume(&position(
        ["red skip, green 1", "blue 0", "blue 1", "blue 2"],
        "red 3",
        "",
    ));
    go(&mut game, "red skip");
    assert_eq!(game.to_move(), Some(Seat(2)));
}

#[test]
fn a_reverse_turns_the_direction() {
    let mut game = resume(&position(
        [
            "red reverse, green 1",
            "blue 0",
            "blue 1",
            "red 2, red skip, yellow 1",
        ],
        "red 3",
        "",
    ));
    go(&mut game, "red reverse");
    assert_eq!(game.to_move(), Some(Seat(3)));
    assert_eq!(game.view(Seat(0)).direction, Direction::Left);
    go(&mut game, "red skip");
    assert_eq!(game.to_move(), Some(Seat(1)));
}

#[test]
fn draw_two_and_wild_draw_four_are_drawn_by_the_next_player_who_loses_the_turn() {
    let hands = ["red draw-two, green 1", "blue 0", "blue 1", "blue 2"];
    let mut game = resume(&position(hands, "red 3", "yellow 1, yellow 2"));
    go(&mut game, "red draw-two");
    assert_eq!(hand(&game, 1), "blue 0, yellow 2, yellow 1");
    assert_eq!(game.to_move(), Some(Seat(2)));

    let hands = ["wild-draw-four, green 1", "blue 0", "blue 1", "blue 2"];
    let mut game = resume(&position(
        hands,
        "red 3",
        "red 1, red 2, yellow 1, yellow 2",
    ));
    go(&mut game, "wild-draw-four yellow");
    assert_eq!(hand(&game, 1), "blue 0, yellow 2, yellow 1, red 2, red 1");
    assert_eq!(game.to_move(), Some(Seat(2)));
}

#[test]
fn who_cannot_play_draws_one_card_and_the_turn_is_over() {
    let mut game = resume(&position(
        ["blue 7", "blue 0", "blue 1", "blue 2"],
        "red 3",
        "red 9",
    ));
    assert_eq!(legal(&game), ["draw"]);
    go(&mut game, "draw");
    assert_eq!(hand(&game, 0), "blue 7, red 9");
    assert_eq!(game.to_move(), Some(Seat(1)));
}

#[test]
fn a_foul_costs_two_cards_and_the_turn_and_the_card_stays() {
    let mut game = resume(&position(
        ["red 7", "blue 0", "blue 1", "blue 2"],
        "red 3",
        "green 1, red 9",
    ));
    assert_eq!(game.foul(), None);
    assert_eq!(hand(&game, 0), "red 7, red 9, green 1");
    assert_eq!(game.to_move(), Some(Seat(1)));
    assert_eq!(*game.position().discards, *cards("red 3"));
}

#[test]
fn the_first_of_two_equal_cards_is_played_and_new_cards_join_at_the_end() {
    let hands = [
        "blue 9, red 7, green 1, red 7",
        "blue 0",
        "blue 1",
        "blue 2",
    ];
    let mut game = resume(&position(hands, "red 3", "red draw-two, yellow 9"));
    go(&mut game, "red 7");
    assert_eq!(hand(&game, 0), "blue 9, green 1, red 7");
    for _ in 1..SEATS {
        game.foul();
    }
    assert_eq!(game.to_move(), Some(Seat(0)));
    game.foul();
    assert!(hand(&game, 0).starts_with("blue 9, green 1, red 7, "));
}

// The empty deck.

#[test]
fn when_the_last_card_is_drawn_the_discards_but_the_top_one_become_the_deck() {
    let below = "red 1, red 2, green 5, wild";
    let mut from = position_without_deck(
        ["blue 7", "blue 0", "blue 1", "blue 2"],
        &format!("{below}, red 3"),
    );
    let mut rest = from.hands[3].to_vec();
    from.deck = Cards::new(&[rest.pop().unwrap()]).unwrap();
    from.hands[3] = Cards::new(&rest).unwrap();
    let mut game = resume(&from);
    go(&mut game, "draw");
    let after = game.position();
    assert_eq!(*after.discards, *cards("red 3"));
    let mut deck: Vec<String> = after.deck.iter().map(ToString::to_string).collect();
    deck.sort();
    assert_eq!(deck, ["green 5", "red 1", "red 2", "wild"]);
}

#[test]
fn a_draw_takes_what_there_is_and_two_discards_refill_the_deck_at_once() {
    let hands = ["red draw-two, red 5", "blue 0", "red 8, blue 1", "blue 2"];
    let mut game = resume(&position_without_deck(hands, "red 3"));
    go(&mut game, "red draw-two");
    // The red 3 became the deck, and it was all that the next player could draw.
    assert_eq!(hand(&game, 1), "blue 0, red 3");
    assert!(game.position().deck.is_empty());
    go(&mut game, "red 8");
    assert_eq!(*game.position().deck, *cards("red draw-two"));
    assert_eq!(*game.position().discards, *cards("red 8"));
}

#[test]
fn four_turns_in_which_no_card_moves_end_the_game_and_nobody_scores() {
    let mut game = resume(&position_without_deck(
        ["red 1", "red 2", "blue 1", "blue 2"],
        "green 9",
    ));
    go(&mut game, "draw");
    game.foul();
    go(&mut game, "draw");
    assert_eq!(game.to_move(), Some(Seat(3)));
    game.foul();
    assert_eq!(game.to_move(), None);
    let nobody = Outcome::new(vec![0; 4], vec![1; 4]);
    assert_eq!(game.outcome(), nobody);
    assert_eq!(game.winner(), None);
}

#[test]
fn a_card_that_moves_starts_the_count_of_idle_turns_again() {
    let hands = ["red 1", "red 2", "blue 1", "green 9, blue 2"];
    let mut game = resume(&position_without_deck(hands, "yellow 9"));
    for _ in 0..3 {
        game.foul();
    }
    go(&mut game, "green 9");
    // Four turns follow: one card is drawn in the first, and three are idle.
    for _ in 0..4 {
        assert!(game.to_move().is_some());
        game.foul();
    }
    assert_eq!(game.to_move(), Some(Seat(0)));
    game.foul();
    assert_eq!(game.to_move(), None);
}

#[test]
fn players_who_never_go_out_are_stopped() {
    let setup = Setup {
        max_turns: 500.try_into().unwrap(),
        ..Setup::default()
    };
    let mut game = Uno::deal(&setup, Seed(1));
    let mut rng = Seed(2).rng();
    while let Some(seat) = game.to_move() {
        if game.view(seat).hand.len() == 1 {
            game.foul();
        } else {
            game.play(game.random_move(&mut rng).unwrap()).unwrap();
        }
    }
    assert_eq!(game.turns(), 500);
    assert_eq!(game.outcome().places, [1, 1, 1, 1]);
}

// The score.

#[test]
fn the_winner_scores_what_is_left_in_the_other_hands() {
    let hands = [
        "red 7",
        "blue 9, wild",
        "blue 0, green skip",
        "wild-draw-four, red reverse, red 3",
    ];
    let mut game = resume(&position(hands, "red 4", ""));
    go(&mut game, "red 7");
    assert_eq!(game.to_move(), None);
    assert_eq!(game.winner(), Some(Seat(0)));
    let expected = 9 + 50 + 20 + 50 + 20 + 3;
    assert_eq!(
        game.outcome(),
        Outcome::new(vec![expected, 0, 0, 0], vec![1, 2, 2, 2])
    );
    assert_eq!(refused(&mut game, "draw"), "the game is over");
    assert_eq!(legal(&game), [""; 0]);
}

#[test]
fn points_are_counted_before_a_last_draw_two_or_four_takes_effect() {
    for (last, choice) in [
        ("red draw-two", "red draw-two"),
        ("wild-draw-four", "wild-draw-four red"),
    ] {
        let mut game = resume(&position([last, "blue 9", "blue 1", "blue 2"], "red 4", ""));
        go(&mut game, choice);
        assert_eq!(game.outcome().scores, [12, 0, 0, 0]);
        assert_eq!(hand(&game, 1), "blue 9");
    }
}

#[test]
fn a_winner_without_points_is_first_all_the_same() {
    let mut game = resume(&position(
        ["red 7", "blue 0", "green 0", "yellow 0"],
        "red 4",
        "",
    ));
    go(&mut game, "red 7");
    assert_eq!(game.outcome(), Outcome::new(vec![0; 4], vec![1, 2, 2, 2]));
}

#[test]
fn a_position_that_cannot_be_is_refused() {
    let good = position(["red 7", "blue 0", "blue 1", "blue 2"], "red 3, wild", "");
    let refused = |change: &dyn Fn(&mut Position)| {
        let mut position = good.clone();
        position.last_colour_called = Some(Colour::Red);
        change(&mut position);
        let error = Uno::resume(Setup::default(), &position, Seed(0).rng()).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        refused(&|p| p.hands[0] = p.hands[1]),
        "the cards are not the 108 of the game"
    );
    assert_eq!(refused(&|p| p.to_move = Seat(4)), "there are four seats");
    assert_eq!(
        refused(&|p| p.last_colour_called = None),
        "a wild card is on top, and no colour is called"
    );
    let give_away = |from: fn(&mut Position) -> &mut Cards| {
        refused(&|p| {
            let given = std::mem::replace(from(p), Cards::NONE);
            p.deck = Cards::new(&[&*given, &*p.deck].concat()).unwrap();
        })
    };
    assert_eq!(give_away(|p| &mut p.discards), "no card is turned up");
    assert_eq!(
        give_away(|p| &mut p.hands[2]),
        "a player has gone out already"
    );
}

/// Each of the 7 moves in this position is equally likely: the chi-square with 6 degrees of
/// freedom exceeds 38.26 with probability 10^-6.
#[test]
fn a_random_move_is_any_legal_one() {
    let hands = [
        "red 7, red 7, wild, blue 3, green 1, red skip",
        "blue 0",
        "blue 1",
        "blue 2",
    ];
    let game = resume(&position(hands, "red 3", ""));
    let mut moves = Vec::new();
    game.legal(&mut moves);
    let mut counts = [0; 7];
    let mut rng = Seed(6).rng();
    for _ in 0..70_000 {
        let choice = game.random_move(&mut rng).unwrap();
        counts[moves.iter().position(|&legal| legal == choice).unwrap()] += 1;
    }
    let chi: f64 = counts
        .iter()
        .map(|&n| (f64::from(n) - 10_000.0).powi(2) / 10_000.0)
        .sum();
    assert!(chi < 38.26, "{counts:?}");
}

proptest! {
    #[test]
    fn there_are_108_cards_at_every_step(seed: u64, fouls in 0u64..=8) {
        let mut rng = Seed(seed).player(Seat(9)).rng();
        let mut game = Uno::deal(&casual(), Seed(seed));
        prop_assert!(is_a_whole_deck(&game.position()));
        for _ in 0..2000 {
            if rng.bits() % 8 < fouls {
                game.foul();
            } else if let Some(choice) = game.random_move(&mut rng) {
                game.play(choice).unwrap();
            }
            let position = game.position();
            prop_assert!(is_a_whole_deck(&position));
            prop_assert!(!position.discards.is_empty());
            // After the last card is played, nobody refills the deck.
            let refilled = !position.deck.is_empty() || position.discards.len() == 1;
            prop_assert!(refilled || game.to_move().is_none());
            if game.to_move().is_none() {
                break;
            }
        }
    }

    #[test]
    fn what_is_listed_as_legal_is_what_can_be_played(game in any_game()) {
        let mut moves = Vec::new();
        game.legal(&mut moves);
        prop_assert!(!moves.is_empty());
        for choice in Move::all() {
            let mut after = game.clone();
            let played = after.play(choice).is_ok();
            prop_assert_eq!(played, moves.contains(&choice), "{}", choice);
            prop_assert!(played || after == game);
        }
        let mut once = moves.clone();
        once.sort_by_key(ToString::to_string);
        once.dedup();
        prop_assert_eq!(once.len(), moves.len());
    }
}
