//! Friday the 13th: the rules, the players, and the figures.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::time::Instant;

use croupier_core::{
    Failure, Foul, FoulKind, Game, Options, Player, RandomPlayer, Record, Recorder, Seat, Seed,
    Turn, play,
};
use croupier_games::GAMES;
use croupier_games::friday13::{
    Card, Friday13, Inconsistent, Move, Setup, State, Strategy as Style, Terms, View, report,
};
use proptest::prelude::*;

/// A state from its lines, without the header; two players and threshold 13 unless told.
fn state(active: usize, hands: &[(&str, &str)], piles: &[&str]) -> State {
    let mut text = format!(
        "active player = {active}\nplayers number = {}\nexplosion threshold = 13\n",
        hands.len()
    );
    for (player, (hand, deck)) in hands.iter().enumerate() {
        let player = player + 1;
        text += &format!("{player} player hand cards: {hand}\n");
        text += &format!("{player} player deck cards: {deck}\n");
    }
    for (pile, cards) in piles.iter().enumerate() {
        text += &format!("{} pile cards: {cards}\n", pile + 1);
    }
    text.parse().unwrap()
}

/// The setup of which this is a state: two colours with the values 1 2 4 7, two greens of 4.
fn small() -> Setup {
    Setup::try_from(Terms {
        players: 2,
        colours: 2,
        greens: 2,
        green_value: 4,
        values: vec![1, 2, 4, 7],
        threshold: 13,
        rounds: 1,
    })
    .unwrap()
}

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

fn legal(game: &Friday13) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal(&mut moves);
    let mut moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    moves.sort();
    moves
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
        "blue lies on pile 2 and must go there"
    );
    assert_eq!(
        says(&game, "2 red on 2"),
        "blue lies on that pile, and red may not be added to it"
    );
    assert_eq!(
        says(&game, "7 red on 1"),
        "a card must be in the hand to be played"
    );
    assert_eq!(
        says(&game, "4 green on 3"),
        "there are only the piles 1 to 2"
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

fn card(text: &str) -> Card {
    let choice: Move = format!("{text} on 1").parse().unwrap();
    choice.card
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
    fn decide(&mut self, turn: &Turn<'_, Friday13>) -> Result<Move, Failure> {
        self.1 += 1;
        match self.1 % 5 {
            0 => Err(Failure::Foul(Foul {
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
    assert_eq!(record.replay(&GAMES, |_| {}), Ok(outcome));
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
    json["players"] = 51.into();
    assert!(
        serde_json::from_value::<Setup>(json).is_err(),
        "also when read back"
    );
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

fn setups() -> impl Strategy<Value = Setup> {
    let values = prop::collection::vec(0u16..12, 0..9);
    (
        2usize..7,
        1usize..9,
        0usize..9,
        0u16..9,
        values,
        1u32..25,
        1u32..4,
    )
        .prop_filter_map(
            "more players than cards",
            |(players, colours, greens, green_value, values, threshold, rounds)| {
                Setup::try_from(Terms {
                    players,
                    colours,
                    greens,
                    green_value,
                    values,
                    threshold,
                    rounds,
                })
                .ok()
            },
        )
}

proptest! {
    #[test]
    fn at_every_step_the_state_is_one_of_this_game(setup in setups(), seed: u64) {
        let mut game = Friday13::deal(&setup, Seed(seed));
        let mut rng = Seed(seed).player(Seat(0)).rng();
        let mut moves = 0;
        while let Some(choice) = game.random_move(&mut rng) {
            let state = game.state();
            prop_assert_eq!(state.check(&setup), Ok(()));
            prop_assert_eq!(state.check_one_pile_a_colour(), Ok(()));
            prop_assert_eq!(report::faults(&state, setup.threshold), "Current state of the game is ok\n");
            let again = Friday13::from_state(&setup, &state, Seed(0)).unwrap();
            prop_assert_eq!(again.state(), state);
            prop_assert_eq!(legal(&again), legal(&game));
            game.play(choice).unwrap();
            moves += 1;
        }
        prop_assert_eq!(moves, setup.cards() * setup.rounds as usize);
        let last = game.state();
        prop_assert!(last.is_final());
        prop_assert_eq!(last.check(&setup), Ok(()));
    }

    #[test]
    fn what_is_listed_is_what_is_allowed(setup in setups(), seed: u64) {
        let mut game = Friday13::deal(&setup, Seed(seed));
        let mut rng = Seed(seed).player(Seat(0)).rng();
        while let Some(choice) = game.random_move(&mut rng) {
            let listed = legal(&game);
            let mut allowed: Vec<String> = Vec::new();
            for card in setup.deck() {
                for pile in 0..=setup.colours as u32 {
                    let choice = Move { card, pile };
                    let mut after = game.clone();
                    match after.play(choice) {
                        Ok(()) => allowed.push(choice.to_string()),
                        Err(_) => prop_assert_eq!(&after, &game, "a refused move changes nothing"),
                    }
                }
            }
            allowed.sort();
            allowed.dedup();
            prop_assert_eq!(&allowed, &listed);
            prop_assert!(listed.contains(&choice.to_string()));
            game.play(choice).unwrap();
        }
    }

    /// The others' hidden cards can be exchanged and dealt out anew: the view stays the same.
    #[test]
    fn a_view_does_not_change_with_the_hidden_cards(setup in setups(), seed: u64, depth in 0usize..40) {
        let mut game = Friday13::deal(&setup, Seed(seed));
        let mut rng = Seed(seed).player(Seat(0)).rng();
        for _ in 0..depth.min(setup.cards() - 1) {
            game.play(game.random_move(&mut rng).unwrap()).unwrap();
        }
        let state = game.state();
        let game = Friday13::from_state(&setup, &state, Seed(1)).unwrap();
        let mut other = state.clone();
        let hidden = |chair: &usize| *chair != state.active;
        let chairs = || (0..setup.players).filter(hidden);
        let mut cards: Vec<Card> = chairs().flat_map(|chair| state.hands[chair].clone()).collect();
        rng.shuffle(&mut cards);
        for chair in chairs() {
            for place in &mut other.hands[chair] {
                *place = cards.pop().unwrap();
            }
        }
        let other = Friday13::from_state(&setup, &other, Seed(2)).unwrap();
        let seat = game.to_move().unwrap();
        prop_assert_eq!(game.view(seat), other.view(seat));
        prop_assert_eq!(legal(&game), legal(&other));
        let setup = &game.view(seat).setup;
        prop_assert_eq!(game.view(seat), View::of(&state, setup, state.active, 1, vec![0; setup.players]));
    }

    #[test]
    fn strategies_make_legal_moves(setup in setups(), seed: u64) {
        let mut rng = Seed(seed).rng();
        for (name, strategy) in Style::ALL {
            let mut game = Friday13::deal(&setup, Seed(seed));
            while let Some(seat) = game.to_move() {
                let choice = strategy.choose(&game.view(seat), &mut rng).unwrap();
                prop_assert_eq!(game.play(choice), Ok(()), "{}", name);
            }
        }
    }

    #[test]
    fn a_printed_move_reads_back_as_itself(seed: u64, setup in setups()) {
        let game = Friday13::deal(&setup, Seed(seed));
        let choice = game.random_move(&mut Seed(seed).rng()).unwrap();
        prop_assert_eq!(choice.to_string().parse::<Move>().unwrap(), choice);
    }

    #[test]
    fn no_text_breaks_the_reader_of_moves(text in ".*") {
        let _ = text.parse::<Move>();
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

/// Moves a second of random play, from deal to outcome: the best of several tries, because others
/// may keep the machine busy.
fn speed(setup: &Setup, games: u64) -> f64 {
    let mut rng = Seed(1).rng();
    best(|| {
        let mut moves = 0;
        for index in 0..games {
            let mut game = Friday13::deal(setup, Seed(13).deal(index));
            while let Some(choice) = game.random_move(&mut rng) {
                game.play(choice).unwrap();
                moves += 1;
            }
            assert_eq!(game.outcome().scores.len(), setup.players);
        }
        moves
    })
}

/// The same through the registry, as a simulation plays.
fn table_speed(games: u64) -> f64 {
    let entry = GAMES.find("friday13").unwrap();
    let setup = entry.setup(&Options::new()).unwrap();
    let mut table = entry.table(&setup, &["random"; 4]).unwrap();
    let mut decisions = |index| table.play(Seed(13).deal(index)).1;
    best(|| (0..games).map(&mut decisions).sum())
}

fn best(mut play: impl FnMut() -> u64) -> f64 {
    let once = |_| {
        let start = Instant::now();
        let moves = play();
        moves as f64 / start.elapsed().as_secs_f64()
    };
    (0..200).map(once).fold(0.0, f64::max)
}

/// A table of this size, with values as different as they can be.
fn large(players: usize, cards: usize) -> Setup {
    let values = (0..cards / 6).map(|place| (place % 999 + 1) as u16);
    Setup::try_from(Terms {
        players,
        colours: 6,
        greens: cards % 6,
        values: values.collect(),
        threshold: 2000,
        rounds: 1,
        ..Terms::default()
    })
    .unwrap()
}

#[test]
fn twenty_players_play_ten_thousand_cards() {
    let setup = large(20, 10_000);
    assert_eq!(setup.cards(), 10_000);
    let mut players: Vec<_> = (0..20).map(|_| RandomPlayer::default()).collect();
    let outcome = play::<Friday13, _, _>(&setup, Seed(2), &mut players, &mut ()).unwrap();
    assert!(outcome.scores.iter().sum::<i64>() > 1000);
}

/// `cargo test --release -p croupier-games --test friday13 -- --ignored --nocapture`
#[test]
#[ignore = "measures the speed of this machine: run it alone, with --release"]
fn random_play_is_fast() {
    let original = speed(&Setup::default(), 300);
    println!(
        "the original game: {:.1} million moves a second",
        original / 1e6
    );
    let table = table_speed(300);
    println!("at a house table: {:.1} million", table / 1e6);
    for (players, cards) in [(20, 1_000), (20, 10_000), (20, 100_000), (2, 10_000)] {
        let speed = speed(&large(players, cards), 1 + 20_000 / cards as u64);
        let millions = speed / 1e6;
        println!("{players} players, {cards} cards: {millions:.1} million moves a second");
    }
    assert!(original > 20e6);
}
