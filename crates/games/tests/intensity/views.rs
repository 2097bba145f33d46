//! What a seat sees, and what it cannot be told.

use croupier_core::{Game, Seat, Seed};
use croupier_games::intensity::{
    Card, Cards, Contradiction, Discarding, Intensity, Move, Playing, Setup, View,
};
use proptest::prelude::*;

use crate::{cards, list, make, playing, random_game};

#[test]
fn before_cards_are_passed_the_hand_is_all_there_is_to_see() {
    let mut game = Intensity::deal(&Setup {}, Seed(1));
    let hand = game.hands()[1];
    let view = game.view(Seat(1));
    assert_eq!(view, View::Discarding(Discarding::new(hand).unwrap()));
    let json = serde_json::to_string(&view).unwrap();
    assert_eq!(
        json,
        r#"{"phase":"discard","hand":[10,11,21,22,26,27,32,36,48,49]}"#
    );
    make(&mut game, &["discard 18 20 29"]);
    assert_eq!(game.view(Seat(1)), view, "what others choose is not seen");
    make(&mut game, &["discard 10 11 21"]);
    assert_eq!(game.view(Seat(1)), view, "until all have chosen");
}

#[test]
fn the_view_of_the_handouts_example() {
    let view = Playing::new(
        Seat(0),
        cards(&[11, 15, 18, 23, 33, 34, 47, 48, 49]),
        &list(&[16, 13, 19, 12, 24, 26]),
        cards(&[37, 38, 39]),
        cards(&[34, 47, 48]),
    )
    .unwrap();
    assert_eq!(view.legal(), cards(&[23]));
    assert_eq!(view.best(), Card::new(26));
    assert_eq!(
        serde_json::to_string(&View::Playing(view)).unwrap(),
        r#"{"phase":"play","position":0,"hand":[11,15,18,23,33,34,47,48,49],"round":[24,26],"earlier":[16,13,19,12],"discarded":[37,38,39],"received":[34,47,48]}"#
    );
}

#[test]
fn what_no_seat_can_see_is_refused_with_the_reason() {
    let hand = [11, 15, 18, 23, 33, 34, 47, 48, 49];
    let played = [16, 13, 19, 12, 24, 26];
    let refused = |position, hand: &[u8], played: &[u8], discarded: [u8; 3], received: [u8; 3]| {
        let (discarded, received) = (cards(&discarded), cards(&received));
        let view = Playing::new(
            Seat(position),
            cards(hand),
            &list(played),
            discarded,
            received,
        );
        view.unwrap_err()
    };
    let (given, got) = ([37, 38, 39], [34, 47, 48]);
    let card = |number| Card::new(number).unwrap();
    assert_eq!(Discarding::new(cards(&hand)), Err(Contradiction::Dealt(9)));
    assert_eq!(
        refused(0, &hand[1..], &played, given, [34, 47, 48]),
        Contradiction::Counts { hand: 8, rounds: 1 }
    );
    assert_eq!(
        refused(0, &hand, &[16, 13, 19, 12, 24, 11], given, got),
        Contradiction::Twice(card(11))
    );
    assert_eq!(
        refused(1, &hand, &played, given, got),
        Contradiction::Turn {
            turn: Seat(0),
            position: Seat(1)
        }
    );
    // Position 1 did not follow the 16, and then has the 13.
    let revoked = [16, 20, 19, 12, 24, 26, 23, 13, 17];
    assert_eq!(
        refused(0, &[11, 15, 18, 33, 34, 47, 48, 49], &revoked, given, got),
        Contradiction::Revoked {
            position: Seat(1),
            card: card(13)
        }
    );
    // This seat did not follow the 24, although it has the 23.
    let kept = [16, 13, 19, 12, 24, 26, 11, 20, 17];
    assert_eq!(
        refused(0, &[15, 18, 23, 33, 34, 47, 48, 49], &kept, given, got),
        Contradiction::Hand(card(23))
    );
    assert_eq!(
        refused(0, &hand, &played, [37, 38, 38], got),
        Contradiction::Passed
    );
    assert_eq!(
        refused(0, &hand, &played, given, [35, 47, 48]),
        Contradiction::Received(card(35))
    );
    assert_eq!(
        refused(0, &hand, &played, [11, 38, 39], got),
        Contradiction::Discarded(card(11))
    );
    assert_eq!(
        refused(0, &hand, &played, [19, 38, 39], got),
        Contradiction::PassedOn {
            card: card(19),
            next: Seat(1)
        },
        "position 2 played it"
    );
    assert_eq!(
        refused(0, &hand, &[16, 20, 19, 12, 24, 26], [10, 38, 39], got),
        Contradiction::PassedOn {
            card: card(10),
            next: Seat(1)
        },
        "position 1 did not follow the 16"
    );
    assert_eq!(
        refused(0, &hand, &[16, 20, 21, 22], given, got),
        Contradiction::NoDeal,
        "nobody followed the 16, but there are more cards of its suit"
    );
}

proptest! {
    #[test]
    fn a_view_does_not_change_with_the_hidden_cards(seed: u64, shuffle: u64) {
        let game = Intensity::deal(&Setup {}, Seed(seed));
        let hands = *game.hands();
        // Seat 3 passes the same three cards to seat 0; all else that seat 0 does not see changes.
        let passed: Vec<Card> = hands[3].iter().take(3).collect();
        let kept: Cards = hands[0].iter().chain(passed.iter().copied()).collect();
        let mut hidden: Vec<Card> = (Cards::ALL - kept).iter().collect();
        Seed(shuffle).rng().shuffle(&mut hidden);
        let share = |range: std::ops::Range<usize>| hidden[range].iter().copied().collect::<Cards>();
        let third = passed.iter().copied().collect::<Cards>() | share(20..27);
        let other = [hands[0], share(0..10), share(10..20), third];
        let mut games = [hands, other].map(|hands| {
            Intensity::from_hands(hands, Seed(shuffle).rng()).unwrap()
        });
        prop_assert_eq!(games[0].view(Seat(0)), games[1].view(Seat(0)));
        for game in &mut games {
            let first = |seat: usize| Move::discard(game.hands()[seat].iter().take(3).collect());
            let moves = [first(0), first(1), first(2), Move::discard(passed.iter().copied().collect())];
            for choice in moves {
                game.play(choice.unwrap()).unwrap();
            }
        }
        prop_assert_eq!(games[0].view(Seat(0)), games[1].view(Seat(0)));
    }

    #[test]
    fn what_a_seat_is_told_in_a_game_is_never_a_contradiction(seed: u64, decisions in 4usize..44) {
        let game = random_game(seed, decisions);
        let seat = game.to_move().unwrap();
        let view = playing(&game, seat.index());
        let told = Playing::new(seat, view.hand(), game.played(), view.discarded(), view.received());
        prop_assert_eq!(told, Ok(view));
    }
}
