//! Uno: the rules, what a seat sees, the C interface's numbers, the players and the figures.

#![expect(clippy::unwrap_used, reason = "a test may fail by panicking")]

use croupier_core::{
    Foul, FoulKind, Game, Options, Outcome, Player, RandomPlayer, Record, Recorder, Seat, Seed,
    play, play_on,
};
use croupier_games::GAMES;
use croupier_games::uno::c::{self, State};
use croupier_games::uno::{
    Card, Cards, Careful, Colour, DECK, Direction, Face, Mode, Move, Naive, Position, SEATS, Setup,
    Uno,
};
use proptest::prelude::*;

/// Cards from a list like `red 7, wild`.
fn cards(list: &str) -> Vec<Card> {
    let names = list.split(", ").filter(|name| !name.is_empty());
    names.map(|name| name.parse().unwrap()).collect()
}

fn row(list: &str) -> Cards {
    Cards::new(&cards(list)).unwrap()
}

/// The cards of a whole deck without these.
fn without(taken: &[&str]) -> Vec<Card> {
    let mut rest = Cards::NEW_DECK.to_vec();
    for card in taken.iter().flat_map(|list| cards(list)) {
        let place = rest.iter().position(|&other| other == card);
        rest.remove(place.unwrap_or_else(|| panic!("one {card} too many")));
    }
    rest
}

/// Seat 0 is to move, to the right, with these hands and discards; the rest is in the deck, and
/// `next` will be drawn first, its last card before the others.
fn position(hands: [&str; 4], discards: &str, next: &str) -> Position {
    let [a, b, c, d] = hands;
    let mut deck = without(&[a, b, c, d, discards, next]);
    deck.extend(cards(next));
    Position {
        hands: hands.map(row),
        deck: Cards::new(&deck).unwrap(),
        discards: row(discards),
        to_move: Seat(0),
        direction: Direction::Right,
        last_colour_called: None,
        colours_called: [None; SEATS],
    }
}

/// The same with an empty deck: seat 3 holds all other cards as well.
fn position_without_deck(hands: [&str; 4], discards: &str) -> Position {
    let mut position = position(hands, discards, "");
    let mut rest = position.hands[3].to_vec();
    rest.extend(position.deck.iter());
    position.hands[3] = Cards::new(&rest).unwrap();
    position.deck = Cards::NONE;
    position
}

fn resume(position: &Position) -> Uno {
    Uno::resume(Setup::default(), position, Seed(7).rng()).unwrap()
}

fn go(game: &mut Uno, choice: &str) {
    game.play(choice.parse().unwrap()).unwrap();
}

fn refused(game: &mut Uno, choice: &str) -> String {
    let before = game.clone();
    let rule = game.play(choice.parse().unwrap()).unwrap_err().to_string();
    assert_eq!(*game, before, "a refused move changes nothing");
    rule
}

fn hand(game: &Uno, seat: usize) -> String {
    let names = game.position().hands[seat]
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>();
    names.join(", ")
}

fn legal(game: &Uno) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}

fn casual() -> Setup {
    Setup {
        mode: Mode::Casual,
        ..Setup::default()
    }
}

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
    let nobody = Outcome {
        scores: vec![0; 4],
        places: vec![1; 4],
    };
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
        Outcome {
            scores: vec![expected, 0, 0, 0],
            places: vec![1, 2, 2, 2]
        }
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
    assert_eq!(
        game.outcome(),
        Outcome {
            scores: vec![0; 4],
            places: vec![1, 2, 2, 2]
        }
    );
}

// Text, setups, records.

#[test]
fn moves_are_written_as_a_card_player_would() {
    for text in [
        "draw",
        "wild-draw-four blue",
        "wild red",
        "red 7",
        "red skip",
        "green reverse",
        "yellow draw-two",
        "blue 0",
    ] {
        assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
    }
    for text in [
        "",
        "wild",
        "wild-draw-four",
        "red",
        "red 10",
        "Red 7",
        "red 7 blue",
        "red  7",
        "pass",
        "wild pink",
    ] {
        assert!(text.parse::<Move>().is_err(), "{text}");
    }
    let texts: std::collections::BTreeSet<_> =
        Move::all().map(|choice| choice.to_string()).collect();
    assert_eq!(texts.len(), 61);
}

#[test]
fn options_make_the_setup() {
    let setup = |given: &[(&str, &str)]| {
        let pairs = given
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()));
        Uno::setup(&pairs.collect::<Options>())
    };
    assert_eq!(setup(&[]).unwrap(), Setup::default());
    assert_eq!(setup(&[("mode", "casual")]).unwrap(), casual());
    assert_eq!(
        setup(&[("scores", "1, 20,-3,400")]).unwrap().scores,
        [1, 20, -3, 400]
    );
    assert_eq!(setup(&[("max-turns", "9")]).unwrap().max_turns.get(), 9);
    for (name, value) in [
        ("mode", "wild"),
        ("scores", "1,2,3"),
        ("scores", "1,2,3,4,5"),
        ("scores", "a,b,c,d"),
        ("scores", "99999999999,0,0,0"),
        ("max-turns", "0"),
        ("max-turns", "-1"),
        ("players", "3"),
    ] {
        assert!(setup(&[(name, value)]).is_err(), "{name} {value}");
    }
    let defaults = Uno::PROFILE
        .options
        .iter()
        .filter_map(|o| Some((o.name.to_owned(), o.default?.to_owned())));
    assert_eq!(Uno::setup(&defaults.collect()).unwrap(), Setup::default());
}

#[test]
fn a_setup_that_cannot_be_dealt_is_refused_when_read() {
    let read = |text: &str| serde_json::from_str::<Setup>(text);
    assert_eq!(read("{}").unwrap(), Setup::default());
    assert_eq!(read(r#"{"mode":"casual"}"#).unwrap(), casual());
    for text in [
        r#"{"max_turns":0}"#,
        r#"{"scores":[1,2,3]}"#,
        r#"{"mode":"x"}"#,
    ] {
        assert!(read(text).is_err(), "{text}");
    }
}

/// Fouls now and then, so that records hold fouls as well.
struct Clumsy(RandomPlayer, u32);

impl Player<Uno> for Clumsy {
    fn start(&mut self, seat: Seat, chance: Seed) {
        Player::<Uno>::start(&mut self.0, seat, chance);
    }
    fn decide(
        &mut self,
        turn: &croupier_core::Turn<'_, Uno>,
    ) -> Result<Move, croupier_core::Failure> {
        self.1 += 1;
        if self.1.is_multiple_of(5) {
            let (kind, detail) = (FoulKind::Crash, "a signal".to_owned());
            return Err(croupier_core::Failure::Foul(Foul { kind, detail }));
        }
        self.0.decide(turn)
    }
}

#[test]
fn a_record_with_fouls_replays() {
    for seed in 0..20 {
        let mut players = [0, 1, 2, 3].map(|start| Clumsy(RandomPlayer::default(), start));
        let names = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let mut recorder = Recorder::new::<Uno>(&casual(), Seed(seed), names);
        let outcome = play(&casual(), Seed(seed), &mut players, &mut recorder).unwrap();
        let record = Record::parse(&recorder.into_text()).unwrap();
        assert_eq!(record.replay(&GAMES, |_| {}).unwrap(), outcome);
    }
}

#[test]
fn a_view_in_json() {
    let mut game = resume(&Position {
        last_colour_called: Some(Colour::Green),
        ..position(
            ["red 7, wild", "blue 0", "blue 1, red 1", "blue 2"],
            "green 3, red 3",
            "",
        )
    });
    go(&mut game, "wild blue");
    insta::assert_snapshot!(serde_json::to_string_pretty(&game.view(Seat(2))).unwrap());
}

// What a seat sees, and selections.

/// The state of a C strategy read a second time, slowly, from the words of the handout and
/// without anything of ours but the bytes: `int`s at the places that the C header gives them.
mod slow {
    fn int(bytes: &[u8], offset: usize) -> i64 {
        i64::from(i32::from_ne_bytes(
            bytes[offset..offset + 4].try_into().unwrap(),
        ))
    }

    struct Card {
        kind: i64,
        colour: i64,
        value: i64,
    }

    fn card(bytes: &[u8], row: usize, index: i64) -> Card {
        let at = row + 12 * usize::try_from(index).unwrap();
        Card {
            kind: int(bytes, at),
            colour: int(bytes, at + 4),
            value: int(bytes, at + 8),
        }
    }

    fn playable(bytes: &[u8], index: i64) -> bool {
        let mine = card(bytes, 20, index);
        let top = card(bytes, 1320, int(bytes, 1316) - 1);
        if mine.kind == 4 || mine.kind == 5 {
            return true;
        }
        if top.kind == 4 || top.kind == 5 {
            return mine.colour == int(bytes, 8);
        }
        if mine.colour == top.colour {
            return true;
        }
        if mine.kind == 0 && top.kind == 0 {
            return mine.value == top.value;
        }
        mine.kind == top.kind
    }

    /// Every valid selection there is, and no other.
    pub(crate) fn valid_selections(bytes: &[u8]) -> Vec<i64> {
        let mut valid = Vec::new();
        for index in 0..int(bytes, 16) {
            if playable(bytes, index) {
                let kind = card(bytes, 20, index).kind;
                if kind == 4 || kind == 5 {
                    for colour in [10000, 20000, 30000, 40000] {
                        valid.push(colour + index);
                    }
                } else {
                    valid.push(index);
                }
            }
        }
        if valid.is_empty() {
            valid.push(-1);
        }
        valid
    }
}

/// A game in the middle, reached by random moves and fouls.
fn any_game() -> impl Strategy<Value = Uno> {
    (any::<u64>(), any::<bool>(), 0usize..200, 0u64..8).prop_map(
        |(seed, casually, moves, fouls)| {
            let mut setup = if casually { casual() } else { Setup::default() };
            setup.scores = [3, 1, 4, 1].map(|n| n * (seed % 1000) as i32);
            let mut rng = Seed(seed).player(Seat(9)).rng();
            let mut game = Uno::deal(&setup, Seed(seed));
            for _ in 0..moves {
                let before = game.clone();
                if rng.bits() % 8 < fouls {
                    game.foul();
                } else if let Some(choice) = game.random_move(&mut rng) {
                    game.play(choice).unwrap();
                }
                if game.to_move().is_none() {
                    return before;
                }
            }
            game
        },
    )
}

fn is_a_whole_deck(position: &Position) -> bool {
    let rows = position
        .hands
        .iter()
        .chain([&position.deck, &position.discards]);
    let mut all: Vec<Card> = rows.flat_map(|row| row.iter().copied()).collect();
    let mut deck = Cards::NEW_DECK.to_vec();
    for cards in [&mut all, &mut deck] {
        cards.sort_by_key(ToString::to_string);
    }
    all == deck
}

/// Selections around every edge of the specification.
fn odd_selections() -> Vec<i32> {
    let mut odd = vec![
        i32::MIN,
        -50_001,
        -10_000,
        -9_999,
        -2,
        9_999,
        99_999,
        1_000_000,
        i32::MAX,
    ];
    odd.extend((-1..=110).flat_map(|place| (0..=6).map(move |colour| colour * 10_000 + place)));
    odd.extend((-1..=10).flat_map(|place| {
        [50_000, 60_000, 100_000, 110_000, 1_010_000, 5_000, 15_000].map(|base| base + place)
    }));
    odd
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

    #[test]
    fn hidden_cards_do_not_show(game in any_game(), chance: u64) {
        let seat = game.to_move().unwrap();
        let view = game.view(seat);
        let sampled = view.sample(&mut Seed(chance).rng()).unwrap();
        prop_assert_eq!(sampled.view(seat), view);
        prop_assert_eq!(sampled.to_move(), Some(seat));
        prop_assert!(is_a_whole_deck(&sampled.position()));
        let mut moves = [Vec::new(), Vec::new()];
        game.legal(&mut moves[0]);
        sampled.legal(&mut moves[1]);
        prop_assert_eq!(&moves[0], &moves[1]);
    }

    #[test]
    fn a_view_becomes_a_game_state_and_a_view_again(game in any_game(), seat in 0u16..4) {
        let view = game.view(Seat(seat));
        let bytes = State::of(&view).to_bytes();
        prop_assert_eq!(State::from_bytes(&bytes).view().unwrap(), view);
    }

    #[test]
    fn selections_are_valid_as_the_handout_says(game in any_game(), any_number: i32) {
        let view = game.view(game.to_move().unwrap());
        let state = State::of(&view);
        let valid = slow::valid_selections(&state.to_bytes());
        for selection in odd_selections().into_iter().chain([any_number]) {
            let expected = valid.contains(&i64::from(selection));
            prop_assert_eq!(view.is_valid(selection), expected, "{}", selection);
            prop_assert_eq!(state.chosen(selection), view.chosen(selection));
            // And so the rules say, too.
            if let Ok(choice) = view.chosen(selection) {
                prop_assert!(game.clone().play(choice).is_ok());
            }
        }
        prop_assert!(view.is_valid(state.first_valid().unwrap()));
    }

    #[test]
    fn moves_become_selections_and_moves_again(game in any_game()) {
        let view = game.view(game.to_move().unwrap());
        let mut moves = Vec::new();
        game.legal(&mut moves);
        for choice in moves {
            prop_assert_eq!(view.chosen(view.selection(choice).unwrap()).unwrap(), choice);
        }
    }

    #[test]
    fn no_bytes_break_the_reader_of_game_states(
        noise in prop::collection::vec(any::<u8>(), c::STATE_BYTES),
        patches in prop::collection::vec((0..c::STATE_INTS, -2i32..120), 0..20),
        game in any_game(),
        selection: i32,
    ) {
        let noise: [u8; c::STATE_BYTES] = noise.try_into().unwrap();
        let mut nearly = State::of(&game.view(Seat(0))).to_bytes();
        for (int, value) in patches {
            nearly[int * 4..][..4].copy_from_slice(&value.to_ne_bytes());
        }
        for bytes in [noise, nearly] {
            let state = State::from_bytes(&bytes);
            prop_assert_eq!(state.to_bytes(), bytes);
            let _ = state.chosen(selection);
            if let Ok(view) = state.view() {
                let _ = view.sample(&mut Seed(1).rng());
                let choice = Careful.choose(&view);
                prop_assert!(view.discards.is_empty() || view.is_valid(view.selection(choice).unwrap()));
            }
            if let Some(first) = state.first_valid() {
                prop_assert!(state.chosen(first).is_ok());
            }
        }
    }

    #[test]
    fn no_text_breaks_the_reader_of_moves(text in ".*") {
        let _ = text.parse::<Move>();
        let _ = text.parse::<Card>();
    }

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

#[test]
fn the_numbers_of_the_header() {
    let numbers = |name: &str| name.parse::<Card>().unwrap().to_c();
    assert_eq!(numbers("red 7"), [0, 10000, 7]);
    assert_eq!(numbers("green skip"), [1, 20000, 20]);
    assert_eq!(numbers("blue reverse"), [2, 30000, 20]);
    assert_eq!(numbers("yellow draw-two"), [3, 40000, 20]);
    assert_eq!(numbers("wild"), [4, 50000, 50]);
    assert_eq!(numbers("wild-draw-four"), [5, 50000, 50]);
    for card in Card::all() {
        assert_eq!(Card::from_c(card.to_c()), Some(card));
    }
    for not_a_card in [
        [0, 10000, 10],
        [0, 10000, -1],
        [0, 0, 0],
        [1, 50000, 20],
        [6, 10000, 0],
        [-1, 10000, 3],
    ] {
        assert_eq!(Card::from_c(not_a_card), None, "{not_a_card:?}");
    }
}

#[test]
fn a_game_state_lies_in_memory_as_the_handout_says() {
    let mut game = resume(&position(
        [
            "wild, red 1",
            "green 5, red 9, red skip",
            "red 5, blue 4",
            "blue 2",
        ],
        "red 3",
        "",
    ));
    go(&mut game, "wild green");
    let mut view = game.view(Seat(1));
    view.scores = [10, 20, 30, -40];
    let bytes = State::of(&view).to_bytes();
    assert_eq!(bytes.len(), 2664);
    let int = |offset: usize| i32::from_ne_bytes(bytes[offset..offset + 4].try_into().unwrap());
    let card = |offset: usize| [int(offset), int(offset + 4), int(offset + 8)];
    assert_eq!(
        [int(0), int(4), int(8), int(12), int(16)],
        [4, 8, 20000, 1, 3]
    );
    assert_eq!(card(20), [0, 20000, 5]);
    assert_eq!(card(44), [1, 10000, 20]);
    assert_eq!(card(56), [0; 3]);
    assert_eq!(int(1316), 2);
    assert_eq!(card(1320), [0, 10000, 3]);
    assert_eq!(card(1332), [4, 50000, 50]);
    assert_eq!([int(2616), int(2620), int(2624), int(2628)], [1, 3, 2, 1]);
    assert_eq!(
        [int(2632), int(2636), int(2640), int(2644)],
        [20000, 50000, 50000, 50000]
    );
    assert_eq!(
        [int(2648), int(2652), int(2656), int(2660)],
        [10, 20, 30, -40]
    );
}

#[test]
fn an_invalid_selection_is_told_what_is_wrong_with_it() {
    let hands = ["red 7, wild, blue 8", "blue 0", "blue 1", "blue 2"];
    let view = resume(&position(hands, "red 3", "")).view(Seat(0));
    let said = |selection| view.chosen(selection).unwrap_err().to_string();
    assert_eq!(view.chosen(0).unwrap().to_string(), "red 7");
    assert_eq!(view.chosen(40001).unwrap().to_string(), "wild yellow");
    assert_eq!(said(-1), "-1 draws, but the red 7 at place 0 can be played");
    assert_eq!(said(-2), "-2 is no selection");
    assert_eq!(said(1), "no colour is called for the wild at place 1");
    assert_eq!(said(2), "blue 8 does not match the red 3");
    assert_eq!(said(3), "there is no place 3 in a hand of 3");
    assert_eq!(
        said(10000),
        "red is called for the red 7 at place 0, which is not wild"
    );
    assert_eq!(said(50001), "50001 calls 50000, which is no colour");
    assert_eq!(said(1_000_000), "1000000 calls 1000000, which is no colour");
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

// The players.

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
            let outcome = play_on(dealt, &mut players, &mut ()).unwrap();
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
