//! The expert: positions with a known best move, and that it depends on nothing but its view and
//! its seed.

use croupier_core::{Game, Moment, Player, Sample, Seat, Seed, Stepper, Turn};
use croupier_games::uno::{Careful, Move, Position, Setup, Uno};
use croupier_search::{Expert, Thinking, search};
use proptest::prelude::*;

use crate::positions::{any_game, position, resume};

fn iterations(count: u64) -> Thinking {
    Thinking::iterations(count.try_into().unwrap())
}

/// What seat 0 plays here, and why.
fn plays(position: &Position) -> (String, String) {
    let view = resume(position).view(position.to_move);
    let best = search::<Uno>(&view, &iterations(2000), Seed(1)).swap_remove(0);
    let reason = best.reason.split(';').next().unwrap_or_default();
    (best.choice.to_string(), reason.to_owned())
}

#[test]
fn it_goes_out_when_it_can() {
    let hands = ["red 7", "blue 0, green 1", "blue 1", "blue 2"];
    let (choice, reason) = plays(&position(hands, "red 3", ""));
    assert_eq!((choice.as_str(), reason.as_str()), ("red 7", "goes out"));
}

#[test]
fn it_stops_a_player_who_is_about_to_go_out() {
    let many = "blue 4, blue 5, blue 6, green 4, green 5, green 6, yellow 4";
    let hands = [
        "red skip, red 7, green 9",
        "red 1",
        many,
        "yellow 5, yellow 6, blue 7, blue 8",
    ];
    let (choice, reason) = plays(&position(hands, "red 3", ""));
    assert_eq!(choice, "red skip");
    assert_eq!(
        reason,
        "skips the next player, who has 1 left, keeping 1 red"
    );
}

/// With the wild card last it goes out next time whatever is on top; the other way round the red
/// card may not match then.
#[test]
fn it_keeps_the_wild_card_for_the_end() {
    let many = "blue 4, blue 5, blue 6, green 4, green 5, green 6";
    let hands = [
        "red 7, wild",
        many,
        "yellow 4, yellow 5, yellow 6, blue 7, blue 8",
        "green 7, green 8, green 9, blue 9",
    ];
    assert_eq!(plays(&position(hands, "red 3", "")).0, "red 7");
}

/// Nobody can go out before its next turn, when it can lay the last card on anything. `careful` attacks
/// at once, and is left with a card that may not match.
#[test]
fn it_keeps_its_weapon_when_that_wins_for_sure() {
    let many = "blue 4, blue 5, blue 6, green 4, green 5, green 6";
    let hands = [
        "red 7, wild-draw-four",
        "yellow 1, yellow 2",
        many,
        "yellow 4, yellow 5, yellow 6, blue 7, blue 8",
    ];
    let position = position(hands, "red 3", "");
    let view = resume(&position).view(position.to_move);
    assert_eq!(Careful.choose(&view).to_string(), "wild-draw-four red");
    assert_eq!(plays(&position).0, "red 7");
}

#[test]
fn with_a_wild_card_it_calls_a_colour_that_it_holds() {
    let many = "blue 4, blue 5, blue 6, green 4, green 5, green 6";
    let hands = [
        "wild, yellow 7",
        many,
        "red 4, red 5, red 6",
        "green 7, green 8, green 9",
    ];
    let (choice, reason) = plays(&position(hands, "blue 3", ""));
    assert_eq!(choice, "wild yellow");
    assert_eq!(reason, "plays a wild card, keeping 1 yellow");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn its_choice_does_not_change_when_hidden_cards_do(game in any_game(), chance: u64) {
        let seat = game.to_move().unwrap();
        let other = Uno::sample(&game.view(seat), &mut Seed(chance).rng());
        let decided = |game: &Uno| {
            let mut expert = Expert::new(iterations(60));
            expert.start(seat, Seed(5));
            let choice = expert.decide(&Turn::of(game).unwrap()).unwrap();
            (choice, expert.thoughts().to_vec())
        };
        let (choice, thoughts) = decided(&game);
        prop_assert!(game.clone().play(choice).is_ok());
        prop_assert_eq!((choice, thoughts), decided(&other));
    }

    #[test]
    fn the_same_seed_gives_the_same_thoughts_with_any_number_of_threads(game in any_game()) {
        let view = game.view(game.to_move().unwrap());
        let alone = search::<Uno>(&view, &iterations(4200), Seed(1));
        let together = Thinking { threads: 2.try_into().unwrap(), ..iterations(4200) };
        prop_assert_eq!(search::<Uno>(&view, &together, Seed(1)), alone);
    }
}

/// What an expert with this many threads plays as seat 0 among careful players; it sits at the table
/// again for every deal.
fn moves_of(expert: &mut Expert<Uno>, deal: Seed) -> Vec<Move> {
    let mut game = Stepper::<Uno>::deal(&Setup::default(), deal);
    expert.start(Seat(0), deal.player(Seat(0)));
    let mut moves = Vec::new();
    while let Some(turn) = game.turn() {
        let seat = turn.seat();
        let choice = match seat {
            Seat(0) => expert.decide(&turn).unwrap(),
            _ => Careful.choose(&turn.view()),
        };
        game.answer(Ok(choice)).unwrap();
        game.tell(Seat(0), expert, &Moment::Played(seat, choice));
        moves.push(choice);
    }
    moves
}

#[test]
fn whole_games_are_the_same_with_any_number_of_threads_and_whatever_was_played_before() {
    let two = Thinking {
        threads: 2.try_into().unwrap(),
        ..iterations(4200)
    };
    let mut seasoned = Expert::new(two);
    for deal in (0..6).map(Seed) {
        let mut fresh = Expert::new(iterations(4200));
        assert_eq!(moves_of(&mut seasoned, deal), moves_of(&mut fresh, deal));
    }
}
