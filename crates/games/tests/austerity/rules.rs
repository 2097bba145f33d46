//! The rules by example.

use croupier_core::{Game, Offered, Seat, Seed};
use croupier_games::austerity::wire::{Answer, hub_line, winners_line};
use croupier_games::austerity::{Austerity, Deck, Ending, Holdings, SHENZI, Setup};

use super::{card, deck, legal, play, refusal, table};

const FREE: &str = "P:0:0,0,0,0";

/// The hub of the assignment: every answer goes over the wire.
#[test]
fn three_shenzis_play_the_recorded_game() {
    let deck = include_bytes!("../../../programs/tests/vectors/austerity/deck30");
    let setup = Setup::new(3, 7, 15, Some(Deck::parse(deck).unwrap()), None).unwrap();
    let mut game = Austerity::deal(&setup, Seed(0));
    let mut printed = String::new();
    for message in game.view(Seat(0)).opening() {
        hub_line(&mut printed, &message);
    }
    while let Some(seat) = game.to_move() {
        let view = game.view(seat);
        let answer = Answer::of((SHENZI.decide)(&view), &view).to_string();
        let answer = Answer::parse(answer.as_bytes()).unwrap();
        for message in game.accept(&answer).unwrap().messages() {
            hub_line(&mut printed, &message);
        }
    }
    printed += &winners_line(game.table());
    assert_eq!(
        printed,
        include_str!(
            "../../../programs/tests/vectors/austerity/hub-7-15-deck30-shenzi-shenzi-shenzi.stdout"
        )
    );
}

#[test]
fn a_table_opens_with_eight_cards_and_full_piles() {
    let game = table(2, 15, &[FREE; 10]);
    assert_eq!(game.table().market.len(), 8);
    assert_eq!(game.hidden().len(), 2);
    assert_eq!(game.table().piles, [7; 4]);
    let told: Vec<String> = game
        .view(Seat(0))
        .opening()
        .map(|m| m.to_string())
        .collect();
    assert_eq!(told.len(), 9);
    assert_eq!(told[..2], ["tokens7", "newcardP:0:0,0,0,0"]);
    assert_eq!(table(2, 15, &[FREE; 3]).table().market.len(), 3);
}

#[test]
fn discounts_pay_for_what_they_cover() {
    let player = Holdings {
        discounts: [0, 2, 0, 3],
        ..Holdings::default()
    };
    assert_eq!(player.payment(&card("P:1:0,0,0,3")), Some([0; 5]));
    let player = Holdings {
        discounts: [1, 3, 0, 2],
        tokens: [1, 0, 3, 0, 0],
        ..Holdings::default()
    };
    let scenario = card("P:1:2,1,3,0");
    assert_eq!(player.need(&scenario), [1, 0, 3, 0]);
    assert_eq!(player.payment(&scenario), Some([1, 0, 3, 0, 0]));
}

#[test]
fn wild_tokens_pay_for_what_is_missing() {
    let player = |wild| Holdings {
        tokens: [2, 0, 1, 0, wild],
        ..Holdings::default()
    };
    let card = card("P:1:1,2,2,0");
    assert_eq!(player(2).payment(&card), None);
    assert_eq!(player(3).payment(&card), Some([1, 0, 1, 0, 3]));
    assert_eq!(player(9).payment(&card), Some([1, 0, 1, 0, 3]));
}

#[test]
fn a_payment_is_exact_or_refused() {
    let mut game = table(2, 15, &["B:1:1,2,0,0"; 9]);
    play(
        &mut game,
        &["take PBY", "wild", "wild", "wild", "wild", "wild"],
    );
    let before = game.clone();
    for paid in [
        "0,1,0,0,2",
        "1,0,0,0,2",
        "1,1,0,0,2",
        "1,2,0,0,0",
        "1,1,1,0,1",
        "0,0,0,0,3",
    ] {
        let answer = Answer::parse(format!("purchase0:{paid}").as_bytes()).unwrap();
        let rule = game.accept(&answer).unwrap_err().to_string();
        assert_eq!(
            rule,
            "card 0 (B:1:1,2,0,0) is paid with exactly 1,1,0,0 and 1 wild"
        );
        assert_eq!(game, before);
    }
    let exact = Answer::parse(b"purchase0:1,1,0,0,1").unwrap();
    let told: Vec<String> = game
        .accept(&exact)
        .unwrap()
        .messages()
        .map(|m| m.to_string())
        .collect();
    assert_eq!(told, ["purchasedA:0:1,1,0,0,1", "newcardB:1:1,2,0,0"]);
    assert_eq!(game.table().piles, [7, 7, 6, 7]);
    assert_eq!(game.table().players[0].tokens, [0, 0, 1, 0, 1]);
    assert_eq!(game.table().players[0].discounts, [0, 1, 0, 0]);
    assert_eq!(game.table().players[0].points, 1);
}

#[test]
fn a_bought_card_leaves_its_place_and_the_next_joins_at_the_end() {
    let cards: Vec<String> = (0..9).map(|points| format!("P:{points}:0,0,0,0")).collect();
    let cards: Vec<&str> = cards.iter().map(String::as_str).collect();
    let mut game = table(2, 100, &cards);
    let market = |game: &Austerity| -> Vec<u32> {
        game.table().market.iter().map(|card| card.points).collect()
    };
    play(&mut game, &["purchase 2"]);
    assert_eq!(market(&game), [0, 1, 3, 4, 5, 6, 7, 8]);
    play(&mut game, &["purchase 7"]);
    assert_eq!(market(&game), [0, 1, 3, 4, 5, 6, 7], "the deck is empty");
    assert_eq!(
        refusal(&mut game, "purchase 7"),
        "there is no card 7 in the market"
    );
}

#[test]
fn three_tokens_are_of_three_colours_whose_piles_are_not_empty() {
    let setup = Setup::new(2, 1, 15, Some(deck(&["P:1:9,9,9,9"])), None).unwrap();
    let mut game = Austerity::deal(&setup, Seed(0));
    assert_eq!(
        legal(&game),
        ["take PBY", "take PBR", "take PYR", "take BYR", "wild"]
    );
    for tokens in ["2,1,0,0", "1,1,0,0", "1,1,1,1", "3,0,0,0", "0,0,0,0"] {
        let answer = Answer::parse(format!("take{tokens}").as_bytes()).unwrap();
        let rule = game.accept(&answer).unwrap_err().to_string();
        assert_eq!(rule, "tokens are taken one each of three different colours");
    }
    play(&mut game, &["take PBR"]);
    assert_eq!(game.table().piles, [0, 0, 1, 0]);
    assert_eq!(
        legal(&game),
        ["wild"],
        "with two or more empty piles there is no taking"
    );
    assert_eq!(
        refusal(&mut game, "take PYR"),
        "there is no P token left to take"
    );
}

#[test]
fn with_one_empty_pile_there_is_one_way_to_take() {
    let mut game = table(2, 15, &["P:1:9,9,9,9"]);
    let turns = [
        "take PBY", "take PBR", "take PYR", "take PBY", "take PYR", "take PBR", "take PBY",
    ];
    play(&mut game, &turns);
    assert_eq!(game.table().piles, [0, 2, 2, 3]);
    assert_eq!(legal(&game), ["take BYR", "wild"]);
}

#[test]
fn what_cannot_be_paid_for_cannot_be_bought() {
    let mut game = table(2, 15, &["P:1:0,0,2,0", FREE]);
    let rule = "card 0 (P:1:0,0,2,0) costs more than the player has";
    assert_eq!(refusal(&mut game, "purchase 0"), rule);
    assert_eq!(legal(&game)[0], "purchase 1");
}

#[test]
fn the_game_ends_when_the_round_is_over_in_which_the_target_was_reached() {
    let mut game = table(3, 5, &["P:5:0,0,0,0", "P:7:0,0,0,0", "P:1:0,0,0,0"]);
    play(&mut game, &["purchase 0", "wild"]);
    assert_eq!(game.to_move(), Some(Seat(2)));
    play(&mut game, &["purchase 0"]);
    assert_eq!(game.to_move(), None);
    assert_eq!(game.ending(), Some(Ending::Target));
    assert_eq!(game.outcome().scores, [5, 0, 7]);
    assert_eq!(game.outcome().places, [2, 3, 1]);
    assert_eq!(winners_line(game.table()), "Winner(s) C\n");
    assert_eq!(refusal(&mut game, "wild"), "the game is over");
    assert_eq!(legal(&game), [""; 0]);
}

#[test]
fn several_players_can_win_together() {
    let mut game = table(3, 5, &["P:5:0,0,0,0"; 4]);
    play(&mut game, &["purchase 0", "wild", "purchase 0"]);
    assert_eq!(winners_line(game.table()), "Winner(s) A,C\n");
    assert_eq!(game.outcome().places, [1, 3, 1]);
}

#[test]
fn the_last_card_ends_the_game_at_once() {
    let mut game = table(3, 15, &[FREE, FREE]);
    play(&mut game, &["purchase 1", "purchase 0"]);
    assert_eq!(game.ending(), Some(Ending::SoldOut));
    assert_eq!(game.to_move(), None);
}

#[test]
fn a_target_of_0_ends_the_game_before_the_first_turn_and_all_win() {
    let game = table(2, 0, &[FREE; 9]);
    assert_eq!(game.ending(), Some(Ending::Target));
    assert_eq!(game.to_move(), None);
    assert_eq!(game.outcome().places, [1, 1]);
    assert_eq!(
        game.view(Seat(0)).opening().count(),
        9,
        "the opening cards are still shown"
    );
    assert_eq!(winners_line(game.table()), "Winner(s) A,B\n");
}

#[test]
fn a_limit_on_turns_ends_the_game_by_the_points_as_they_stand() {
    let setup = Setup::new(
        2,
        7,
        15,
        Some(deck(&["P:2:0,0,0,0", "P:9:9,9,9,9"])),
        Some(3),
    )
    .unwrap();
    let mut game = Austerity::deal(&setup, Seed(0));
    play(&mut game, &["wild", "purchase 0", "wild"]);
    assert_eq!(game.ending(), Some(Ending::Stopped));
    assert_eq!(game.to_move(), None);
    assert_eq!(game.outcome().places, [2, 1]);
}

#[test]
fn an_invalid_answer_is_asked_for_once_more_and_the_second_ends_the_game() {
    let mut game = table(3, 15, &["P:2:0,0,0,0", "P:1:0,0,0,0", "P:9:9,9,9,9"]);
    play(&mut game, &["purchase 0", "purchase 0"]);
    assert_eq!(game.foul(), None);
    assert_eq!(game.to_move(), Some(Seat(2)), "asked again");
    play(&mut game, &["wild"]);
    assert_eq!(game.foul(), None);
    assert_eq!(
        game.to_move(),
        Some(Seat(0)),
        "a valid answer between them: not in a row"
    );
    assert_eq!(game.foul(), None);
    assert_eq!(game.to_move(), None);
    assert_eq!(game.ending(), Some(Ending::Fouled(Seat(0))));
    assert_eq!(game.outcome().scores, [2, 1, 0]);
    assert_eq!(game.outcome().places, [3, 1, 2], "the offender is last");
    game.foul();
    assert_eq!(game.ending(), Some(Ending::Fouled(Seat(0))));
}

#[test]
fn an_offender_is_last_even_when_nobody_has_points() {
    let mut game = table(3, 15, &[FREE]);
    play(&mut game, &["wild"]);
    game.foul();
    game.foul();
    assert_eq!(game.outcome().places, [1, 3, 1]);
}

#[test]
fn a_move_is_written_as_a_card_player_would() {
    use croupier_games::austerity::Move;
    for text in ["purchase 0", "purchase 7", "take PBY", "take BYR", "wild"] {
        assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
    }
    for text in [
        "purchase 8",
        "purchase",
        "purchase  1",
        "take",
        "take YBP",
        "take PP",
        "Wild",
        "",
    ] {
        assert!(text.parse::<Move>().is_err(), "{text}");
    }
}

#[test]
fn options_make_a_setup_or_say_what_is_wrong() {
    let setup = |options: &[(&str, &str)]| {
        let owned = options.iter().map(|&(n, v)| (n.to_owned(), v.to_owned()));
        Austerity::setup(&owned.collect()).map_err(|error| error.to_string())
    };
    let usual = Setup::new(3, 7, 15, None, Some(10_000)).unwrap();
    assert_eq!(setup(&[]), Ok(usual));
    let all = [
        ("players", "26"),
        ("tokens", "0"),
        ("points", "1"),
        ("deck", "B:1:1,0,0,0\n"),
        ("max-turns", "5"),
    ];
    let odd = Setup::new(26, 0, 1, Some(deck(&["B:1:1,0,0,0"])), Some(5)).unwrap();
    assert_eq!(setup(&all), Ok(odd));
    for (name, value, said) in [
        ("players", "1", "Austerity is for 2 to 26 players, not 1"),
        ("players", "27", "Austerity is for 2 to 26 players, not 27"),
        (
            "tokens",
            "2147483648",
            "tokens must be 0 to 2147483647, not 2147483648",
        ),
        ("points", "-1", "points must be a whole number, not '-1'"),
        ("max-turns", "0", "max-turns must be at least 1"),
        (
            "deck",
            "B:1:1,0,0,0\n\n",
            "line 2 of the deck: a blank line is no card",
        ),
        ("cards", "1", "Austerity has no option cards"),
    ] {
        assert_eq!(setup(&[(name, value)]), Err(said.to_owned()));
    }
}

#[test]
fn an_impossible_setup_cannot_be_read_from_a_record() {
    let read = |json: &str| serde_json::from_str::<Setup>(json);
    let setup = Setup::new(2, 7, 15, Some(deck(&["B:1:1,0,0,0", FREE])), None).unwrap();
    let json = serde_json::to_string(&setup).unwrap();
    assert_eq!(
        json,
        r#"{"players":2,"tokens":7,"points":15,"deck":["B:1:1,0,0,0","P:0:0,0,0,0"],"max_turns":null}"#
    );
    assert_eq!(read(&json).unwrap(), setup);
    for (from, to) in [
        (r#""players":2"#, r#""players":27"#),
        (r#""tokens":7"#, r#""tokens":-1"#),
        (r#"["B:1:1,0,0,0","P:0:0,0,0,0"]"#, "[]"),
        (r#"B:1:1,0,0,0"#, "B:1:1,0,0"),
        (r#""max_turns":null"#, r#""max_turns":0"#),
    ] {
        let changed = json.replace(from, to);
        assert_ne!(changed, json);
        assert!(read(&changed).is_err(), "{changed}");
    }
}

#[test]
fn a_made_up_deck_is_the_same_for_ever() {
    let game = Austerity::deal(&Setup::new(3, 7, 15, None, None).unwrap(), Seed(4));
    let market: Vec<String> = game
        .table()
        .market
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        market,
        [
            "P:2:4,0,2,2",
            "P:2:4,1,1,2",
            "Y:1:1,1,1,3",
            "B:3:2,3,2,2",
            "B:2:1,3,2,1",
            "R:3:1,4,2,2",
            "R:3:3,0,2,3",
            "Y:2:2,2,4,0"
        ]
    );
}

#[test]
fn a_made_up_deck_has_cards_of_every_worth_at_a_price_that_fits() {
    for players in [2, 3, 26] {
        let deck = Deck::make_up(players, &mut Seed(7).rng());
        assert_eq!(deck.cards().len(), 30 * players);
        let worth = |points| deck.cards().iter().filter(|c| c.points == points).count();
        assert_eq!(worth(0), 7, "fewer than the market has places");
        assert!((1..=5).all(|points| worth(points) >= 2 * players));
        for card in deck.cards() {
            let tokens: u32 = card.price.iter().sum();
            assert!((2..=4).contains(&(tokens - 2 * card.points)), "{card}");
        }
    }
}

/// Each colour takes a quarter of all tokens and of all discounts; a fair generator is outside
/// five standard deviations with a probability below 10^-6 for each of the eight counts, and the
/// seed is fixed.
#[test]
fn no_colour_is_favoured_in_made_up_decks() {
    let (mut prices, mut discounts) = ([0; 4], [0; 4]);
    for number in 0..200 {
        for card in Deck::make_up(3, &mut Seed(8).deal(number).rng()).cards() {
            discounts[card.bonus.index()] += 1;
            for (all, price) in prices.iter_mut().zip(card.price) {
                *all += price;
            }
        }
    }
    for counts in [prices, discounts] {
        let total = f64::from(counts.iter().sum::<u32>());
        let deviation = (total * 0.25 * 0.75).sqrt();
        for count in counts {
            let off = (f64::from(count) - total / 4.0).abs() / deviation;
            assert!(off < 5.0, "{counts:?}");
        }
    }
}
