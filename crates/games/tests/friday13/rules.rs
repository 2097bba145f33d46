//! What may be laid where, what explodes, what it costs, and who sits where.

use croupier_core::{
    Foul, FoulKind, Game, NoMove, Offered, Options, Player, RandomPlayer, Record, Recorder, Seat,
    Seed, Turn, play,
};
use croupier_games::GAMES;
use croupier_games::friday13::{Card, Friday13, Inconsistent, Move, Setup, State, Terms, report};

use super::{legal, small, state};

fn game(state: &State) -> Friday13 {
    Friday13::from_state(&small(), state, Seed(0)).unwrap()
}

/// What the rules say to a move.
fn says(game: &Friday13, choice: &str) -> String {
    let choice: Move = choice.parse().unwrap();
    match game.clone().play(choice) {
        Ok(()) => "fine".to_owned(),
        Err(rule) => rule.to_string(),
    }
}

fn card(text: &str) -> Card {
    let choice: Move = format!("{text} on 1").parse().unwrap();
    choice.card
}

#[test]
fn a_colour_goes_where_it_lies_and_green_goes_anywhere() {
    let game = game(&state(
        1,
        &[("1 blue 2 red 4 green", ""), ("7 red 4 red 1 red", "")],
        &["4 green", "2 blue 4 blue 7 blue"],
    ));
    assert_eq!(
        legal(&game),
        ["1 blue on 2", "2 red on 1", "4 green on 1", "4 green on 2"]
    );
    assert_eq!(
        says(&game, "1 blue on 1"),
        "blue lies in cauldron 2 and must go there"
    );
    assert_eq!(
        says(&game, "2 red on 2"),
        "blue lies in that cauldron, and red may not be added to it"
    );
    assert_eq!(
        says(&game, "7 red on 1"),
        "a card must be in the hand to be played"
    );
    assert_eq!(
        says(&game, "4 green on 3"),
        "there are only the cauldrons 1 to 2"
    );
    assert_eq!(
        says(&game, "1 violet on 1"),
        "there is no such card in this game"
    );
    assert_eq!(says(&game, "1 blue on 2"), "fine");
}

#[test]
fn a_colour_that_lies_nowhere_may_go_on_any_pile_without_a_colour() {
    let mut game = Friday13::deal(&small(), Seed(3));
    let mut moves = Vec::new();
    game.legal(&mut moves);
    assert_eq!(
        moves.len(),
        2 * 5,
        "five different cards on two empty piles"
    );
    game.play(moves[0]).unwrap();
}

#[test]
fn a_pile_explodes_above_the_threshold_and_not_at_it() {
    let before = state(
        1,
        &[
            ("2 blue 4 green 1 red", ""),
            ("2 red 4 red 7 red", "1 blue 4 blue"),
        ],
        &["7 blue 4 green", ""],
    );
    let mut thirteen = game(&before);
    thirteen.play("2 blue on 1".parse().unwrap()).unwrap();
    assert_eq!(thirteen.state().piles[0].len(), 3);
    let mut fifteen = game(&before);
    fifteen.play("4 green on 1".parse().unwrap()).unwrap();
    let after = fifteen.state();
    assert_eq!(after.piles[0], []);
    assert_eq!(
        report::deck(after.decks[0].iter().copied()),
        "7 blue 4 green 4 green \n"
    );
    assert_eq!(after.active, 1, "the turn passes after an explosion too");
}

#[test]
fn a_colour_on_two_piles_is_no_state_of_the_rules() {
    let state = state(
        1,
        &[("2 blue 4 green 1 red", ""), ("2 red 4 red 7 red", "")],
        &["7 blue 4 green", "1 blue 4 blue"],
    );
    assert_eq!(state.check(&small()), Ok(()));
    let blue = card("1 blue").colour;
    assert_eq!(
        Friday13::from_state(&small(), &state, Seed(0)),
        Err(Inconsistent::TwoPiles(blue, 1, 2))
    );
}

#[test]
fn who_alone_has_most_of_a_colour_does_not_count_it() {
    let over = state(
        1,
        &[
            ("", "4 green 1 blue 2 blue 4 blue 1 red 2 red"),
            ("", "4 green 7 blue 4 red 7 red"),
        ],
        &["", ""],
    );
    let scores = over.scores();
    assert_eq!(
        scores.immune,
        [(card("1 blue").colour, 0)],
        "two reds each are a tie"
    );
    assert_eq!(scores.points, [2 + 2, 2 + 1 + 2]);
    let game = game(&over);
    assert_eq!(game.to_move(), None);
    assert_eq!(game.outcome().scores, [4, 5]);
    assert_eq!(game.outcome().places, [1, 2]);
}

#[test]
fn the_programs_move_round_the_chairs() {
    let setup = Setup::try_from(Terms {
        players: 3,
        rounds: 4,
        ..Terms::default()
    })
    .unwrap();
    let mut game = Friday13::deal(&setup, Seed(7));
    let mut rng = Seed(8).rng();
    let mut starts = Vec::new();
    let mut round = None;
    while let Some(seat) = game.to_move() {
        let view = game.view(seat);
        assert_eq!(
            view.chair, view.active,
            "the view is the one of the chair to move"
        );
        assert_eq!(view.chair, (seat.index() + 12 - game.round() as usize) % 3);
        if round.replace(game.round()) != Some(game.round()) {
            starts.push(seat);
            assert_eq!(view.chair, 0);
        }
        game.play(game.random_move(&mut rng).unwrap()).unwrap();
    }
    assert_eq!(starts, [Seat(0), Seat(1), Seat(2), Seat(0)]);
}

#[test]
fn the_points_of_earlier_rounds_follow_their_players() {
    let setup = Setup::try_from(Terms {
        players: 3,
        ..Terms::default()
    })
    .unwrap();
    let mut game = Friday13::deal(&setup, Seed(70));
    let mut rng = Seed(8).rng();
    let mut last = game.outcome().scores;
    while let Some(choice) = game.random_move(&mut rng) {
        let round = game.round();
        game.play(choice).unwrap();
        let scores = game.outcome().scores;
        if game.round() != round {
            for seat in (0..3).map(Seat) {
                let view = game.view(seat);
                assert_eq!(view.points[view.chair], scores[seat.index()]);
            }
            last = scores;
        }
    }
    assert_eq!(game.outcome().scores, last);
    assert_eq!(game.round(), 3);
}

#[test]
fn what_is_played_in_one_round_does_not_change_the_cards_of_the_next() {
    let second_round = |chance| {
        let mut game = Friday13::deal(&Setup::default(), Seed(5));
        let mut rng = Seed(chance).rng();
        game.foul();
        while game.round() == 0 {
            game.play(game.random_move(&mut rng).unwrap()).unwrap();
        }
        game.state()
    };
    assert_eq!(second_round(1), second_round(2));
    assert_eq!(
        second_round(1),
        Friday13::opening(&Setup::default(), Seed(5), 1)
    );
}

#[test]
fn a_foul_is_counted_and_a_legal_move_is_made() {
    let mut game = Friday13::deal(&Setup::default(), Seed(9));
    let moves = legal(&game);
    let before = game.state();
    let made = game.foul().unwrap();
    assert!(moves.contains(&made.to_string()));
    assert_eq!(game.breaches(Seat(0)), 1);
    assert_eq!(game.view(Seat(1)).breaches, [1, 0, 0, 0]);
    assert_eq!(game.state().hands[0].len() + 1, before.hands[0].len());
    assert_eq!(game.outcome().scores, [0; 4], "a breach costs no points");
}

#[test]
fn of_like_cards_the_first_in_the_hand_is_played() {
    let mut game = Friday13::deal(&Setup::default(), Seed(1));
    let mut rng = Seed(2).rng();
    let mut expected = game.state();
    while game.round() == 0 {
        let choice = game.random_move(&mut rng).unwrap();
        let hand = &expected.hands[expected.active];
        let place = hand.iter().position(|&card| card == choice.card).unwrap();
        expected.lay(place, choice.pile as usize, Some(13));
        game.play(choice).unwrap();
        if game.round() == 0 {
            assert_eq!(game.state(), expected);
        }
    }
    assert!(expected.is_final());
}

/// Plays at random, but fouls every few turns.
struct Careless(RandomPlayer, u32);

impl Player<Friday13> for Careless {
    fn decide(&mut self, turn: &Turn<'_, Friday13>) -> Result<Move, NoMove> {
        self.1 += 1;
        match self.1 % 5 {
            0 => Err(NoMove::Foul(Foul {
                kind: FoulKind::Timeout,
                detail: "asleep".to_owned(),
            })),
            1 => Ok("999 black on 1".parse().unwrap()),
            _ => self.0.decide(turn),
        }
    }
}

#[test]
fn a_recorded_match_with_fouls_replays_to_the_same_outcome() {
    let (setup, seed) = (Setup::default(), Seed(13).deal(5));
    let names = (1..=4).map(|n| format!("player {n}")).collect();
    let mut recorder = Recorder::new::<Friday13>(&setup, seed, names);
    let mut players: Vec<_> = (0..4)
        .map(|n| Careless(RandomPlayer::default(), n))
        .collect();
    let outcome = play::<Friday13, _, _>(&setup, seed, &mut players, &mut recorder).unwrap();
    let record = Record::parse(&recorder.into_text()).unwrap();
    assert_eq!(record.replay(&GAMES), Ok(outcome));
}

#[test]
fn setups_that_cannot_be_dealt_are_refused() {
    let refused = |name: &str, value: &str| {
        let options = Options::from([(name.to_owned(), value.to_owned())]);
        Friday13::setup(&options).unwrap_err().to_string()
    };
    assert_eq!(
        refused("players", "51"),
        "51 players need at least 51 cards, and there are 50"
    );
    assert_eq!(
        refused("players", "1"),
        "there must be 2 to 65535 players, not 1"
    );
    assert_eq!(
        refused("colours", "0"),
        "there must be at least one colour besides green"
    );
    assert_eq!(
        refused("colours", "100000"),
        "there can be at most 1000000 cards"
    );
    assert_eq!(
        refused("greens", "18446744073709551615"),
        "there can be at most 1000000 cards"
    );
    assert_eq!(
        refused("values", "1,1000"),
        "a card has a value of at most 999, not 1000"
    );
    assert_eq!(
        refused("green-value", "1000"),
        "a card has a value of at most 999, not 1000"
    );
    assert_eq!(
        refused("threshold", "0"),
        "the threshold must be at least 1"
    );
    assert_eq!(refused("rounds", "0"), "there must be at least one round");
    assert!(refused("values", "1,,2").starts_with("'' is no number that --values can take"));
    assert!(refused("values", "1,-2").starts_with("'-2' is no number that --values can take"));
    assert!(refused("pockets", "7").starts_with("Friday the 13th has no option"));
    let mut json = serde_json::to_value(Setup::default()).unwrap();
    assert!(serde_json::from_value::<Setup>(json.clone()).is_ok());
    let mut read_back = |name: &str, value: serde_json::Value| {
        json[name] = value;
        let refused = serde_json::from_value::<Setup>(json.clone()).unwrap_err();
        refused.to_string()
    };
    assert!(read_back("players", 51.into()).contains("at least 51 cards"));
    read_back("values", serde_json::json!([]));
    assert!(read_back("colours", u64::MAX.into()).contains("at most 1000000 colours"));
}

#[test]
fn every_card_may_be_a_players_only_one() {
    let setup = Setup::try_from(Terms {
        players: 50,
        ..Terms::default()
    })
    .unwrap();
    let mut game = Friday13::deal(&setup, Seed(1));
    let mut rng = Seed(1).rng();
    let mut moves = 0;
    while let Some(choice) = game.random_move(&mut rng) {
        game.play(choice).unwrap();
        moves += 1;
    }
    assert_eq!(moves, 150);
}

#[test]
fn a_view_reads_like_this() {
    let game = game(&state(
        2,
        &[
            ("4 blue", ""),
            ("4 red 2 blue", "1 red 4 green 2 red 7 red"),
        ],
        &["4 green", "7 blue 1 blue"],
    ));
    let seat = game.to_move().unwrap();
    assert_eq!(
        serde_json::to_string(&game.view(seat)).unwrap(),
        concat!(
            r#"{"setup":{"players":2,"colours":2,"greens":2,"green_value":4,"values":[1,2,4,7],"#,
            r#""threshold":13,"rounds":1},"round":1,"chair":2,"active":2,"#,
            r#""hand":["4 red","2 blue"],"hands":[1,2],"#,
            r#""collected":[[],["1 red","4 green","2 red","7 red"]],"#,
            r#""piles":[["4 green"],["7 blue","1 blue"]],"points":[0,0],"breaches":[0,0]}"#,
        )
    );
}
